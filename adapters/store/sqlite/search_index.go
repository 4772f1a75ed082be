package sqlite

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store/sqlite/nearest"
	"almanac/graph/model"
)

// maxIndexBytes is what the vector indexes of all users may take in memory together. It holds 400,000 vectors of the
// local embedder, and is a quarter of the smallest machine that somebody would keep so much on. What was searched least
// lately goes first. A user's vectors that do not fit into it are read from the file for each search.
const maxIndexBytes = 256 << 20

// shelfKey names the vectors of one user and one model in one population.
type shelfKey struct {
	of    *population
	user  model.UserID
	model int64
}

// shelf is the index of the vectors that its key names, as far as it is loaded.
type shelf struct {
	key   shelfKey
	index *nearest.Index
	// turn holds a token when nobody is bringing the index up to date.
	turn chan struct{}
	// newest is the number of the newest vector that the index knows; it knows all before it.
	newest atomic.Int64
	// used tells when it was used last, in uses of any shelf; the library's mu guards it.
	used uint64
}

// library holds the indexes. Nothing is in it until somebody searches.
//
// An index is brought up to date by the search that needs it, from what is committed: vectors are numbered as they are
// written, so whoever knows all up to a number reads only those above it. So it makes no difference who wrote them,
// this process or another, or what was rolled back. Vectors that were deleted or replaced are told by the rows that a
// search reads in the end (see check), and taken out when they are met; when there are many, all at once.
type library struct {
	limit int64

	mu      sync.Mutex
	shelves map[shelfKey]*shelf
	uses    uint64
}

func newLibrary(limit int64) *library {
	return &library{limit: limit, shelves: make(map[shelfKey]*shelf)}
}

// fits reports whether an index of so many vectors may be held at all.
func (l *library) fits(known *vectorModel) bool {
	return int64(known.rows)*nearest.RowBytes(known.dimensions) <= l.limit
}

// shelf returns the shelf of a user's model.
func (l *library) shelf(of *population, user model.UserID, known *vectorModel) *shelf {
	key := shelfKey{of, user, known.number}
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.shelves[key]
	if b == nil {
		b = &shelf{key: key, index: nearest.New(known.dimensions, known.rows), turn: make(chan struct{}, 1)}
		b.turn <- struct{}{}
		l.shelves[key] = b
	}
	l.uses++
	b.used = l.uses
	return b
}

// forget drops what is loaded of a user's vectors in some populations, whose rows are all deleted. Should that be
// undone, it is loaded again.
func (l *library) forget(user model.UserID, populations ...*population) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key := range l.shelves {
		if key.user == user && slices.Contains(populations, key.of) {
			delete(l.shelves, key)
		}
	}
}

// tidy forgets indexes, least lately used first, until the others are within the limit. One that is in use goes when
// its search has ended.
func (l *library) tidy() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		total, oldest := int64(0), (*shelf)(nil)
		for _, b := range l.shelves {
			total += b.index.Bytes()
			if oldest == nil || b.used < oldest.used {
				oldest = b
			}
		}
		if total <= l.limit || len(l.shelves) == 1 { // what was let in alone stays, though it has grown a little
			return
		}
		delete(l.shelves, oldest.key)
	}
}

// bytes is what the indexes take.
func (l *library) bytes() (total int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range l.shelves {
		total += b.index.Bytes()
	}
	return total
}

// loadAtOnce is how many vectors are handed to an index at once, so that searches that run meanwhile wait for a moment
// only.
const loadAtOnce = 1_000

// catchUp makes the shelf know what the model's row says there is.
func (s *Store) catchUp(ctx context.Context, b *shelf, known vectorModel) error {
	if b.newest.Load() >= known.newest && !overfull(b.index.Rows(), known.rows) {
		return nil
	}
	// One search loads, the others wait without holding a connection.
	select {
	case <-b.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { b.turn <- struct{}{} }()
	err := s.reading(ctx, oneTransaction, func(q *session) error {
		models, err := readModels(q, b.key.of, b.key.user)
		if err != nil {
			return err
		}
		known = models[b.key.model]
		if known.newest < b.newest.Load() {
			return nil // another process's file, restored from a backup, could be so; the rows that are read in the end tell
		}
		if err := load(q, b, known); err != nil {
			return err
		}
		b.newest.Store(known.newest)
		if overfull(b.index.Rows(), known.rows) {
			return prune(q, b)
		}
		return nil
	})
	s.library.tidy()
	if err != nil {
		return fmt.Errorf("load vectors: %w", err)
	}
	return nil
}

// overfull reports whether an index holds so many vectors that are no more that it pays to look for them.
func overfull(rows, live int) bool { return rows-live > 64+live/16 }

// load reads the vectors that the index does not know.
func load(q *session, b *shelf, known vectorModel) error {
	batch := make([]nearest.Row, 0, min(loadAtOnce, known.rows))
	of := b.key.of
	err := q.readSQL(`SELECT n, `+of.id+`, written, vector FROM `+of.vectors+` INDEXED BY `+of.vectors+
		`_written WHERE user_id = ? AND model = ? AND written > ? AND written <= ? ORDER BY written`,
		func(stmt *sqlite.Stmt) error {
			batch = append(batch, nearest.Row{
				Entry:  nearest.Entry{N: stmt.ColumnInt64(0), ID: columnID(stmt, 1), Written: stmt.ColumnInt64(2)},
				Packed: columnBytes(stmt, 3),
			})
			if len(batch) == loadAtOnce {
				b.index.Put(batch)
				batch = batch[:0]
			}
			return nil
		}, userArg(b.key.user), intArg(b.key.model), intArg(b.newest.Load()), intArg(known.newest))
	b.index.Put(batch)
	return err
}

// prune takes out what is no more. It reads the index of the file alone, no vectors.
func prune(q *session, b *shelf) error {
	written := make(map[int64]int64, b.index.Rows())
	vectors := b.key.of.vectors
	if err := q.readSQL(`SELECT n, written FROM `+vectors+` INDEXED BY `+vectors+
		`_written WHERE user_id = ? AND model = ?`, func(stmt *sqlite.Stmt) error {
		written[stmt.ColumnInt64(0)] = stmt.ColumnInt64(1)
		return nil
	}, userArg(b.key.user), intArg(b.key.model)); err != nil {
		return err
	}
	b.index.Keep(written)
	return nil
}
