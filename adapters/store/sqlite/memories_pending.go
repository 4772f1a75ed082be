package sqlite

import (
	"cmp"
	"context"
	"slices"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// PendingMemories: see store.VectorStore.
func (s *Store) PendingMemories(ctx context.Context, name string, now time.Time, after store.PendingPlace,
	limit int) (pending []store.PendingMemory, last store.PendingPlace, err error) {
	if limit <= 0 {
		return nil, after, ctx.Err()
	}
	memories := pendingOf[store.PendingMemory]{
		of: &memoryPopulation, columns: "m.id, m.type, m.content, m.summary, m.tags, m.metadata, m.version",
		read: readPendingMemory,
		only: []condition{{"(m.expires_at IS NULL OR m.expires_at > ?)", []arg{instantArg(now)}}},
	}
	err = s.reading(ctx, oneTransaction, func(q *session) error {
		pending, last, err = memories.next(q, name, after, limit)
		return err
	})
	if err != nil {
		return nil, store.PendingPlace{}, wrap("memories to embed", err)
	}
	return pending, last, nil
}

func readPendingMemory(stmt *sqlite.Stmt, user model.UserID) (p store.PendingMemory, id model.UUID, err error) {
	p = store.PendingMemory{
		User: user, ID: columnID(stmt, 0), Type: model.MemoryType(stmt.ColumnText(1)), Content: stmt.ColumnText(2),
		Summary: stmt.ColumnText(3), Metadata: stmt.ColumnText(5), Version: stmt.ColumnInt(6),
	}
	p.Tags, err = textsOf(stmt.ColumnText(4))
	return p, p.ID, err
}

// SaveVectors: see store.VectorStore.
func (s *Store) SaveVectors(ctx context.Context, user model.UserID,
	vectors []store.MemoryVectorOf) (kept int, err error) {
	if len(vectors) == 0 {
		return 0, ctx.Err()
	}
	of := make([]vectorOf, len(vectors))
	for i, v := range vectors {
		of[i] = vectorOf{v.ID, v.Version, v.Embedding, v.Entries}
	}
	err = s.within(ctx, user, func(ctx context.Context, f *frame) error {
		return f.atomically(ctx, func(q *session) (err error) {
			kept, err = saveVectors(q, &memoryPopulation, user, of)
			return err
		})
	})
	if err != nil {
		return 0, wrap("save vectors", err)
	}
	return kept, nil
}

// ExpireMemories: see store.VectorStore. Each user's go in a transaction of their own.
func (s *Store) ExpireMemories(ctx context.Context, now time.Time, limit int) (expired int, err error) {
	type memory struct {
		user model.UserID
		id   model.UUID
	}
	var due []memory
	err = s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(`SELECT user_id, id FROM memories INDEXED BY memories_expired
WHERE expires_at IS NOT NULL AND expires_at <= ?
ORDER BY expires_at, user_id, id LIMIT ?`, func(stmt *sqlite.Stmt) error {
			due = append(due, memory{model.UserID(columnID(stmt, 0)), columnID(stmt, 1)})
			return nil
		}, instantArg(now), intArg(max(limit, 0)))
	})
	if err != nil {
		return 0, wrap("expired memories", err)
	}
	slices.SortStableFunc(due, func(a, b memory) int { return cmp.Compare(string(a.user[:]), string(b.user[:])) })
	for len(due) > 0 {
		user := due[0].user
		var ids []model.UUID
		for len(due) > 0 && due[0].user == user {
			ids, due = append(ids, due[0].id), due[1:]
		}
		var gone []model.UUID
		if err := s.within(ctx, user, func(ctx context.Context, f *frame) error {
			return f.atomically(ctx, func(q *session) (err error) {
				gone, err = f.eraseMemories(q, ids, condition{"expires_at <= ?", []arg{instantArg(now)}})
				return err
			})
		}); err != nil {
			return expired, wrap("expire memories", err)
		}
		expired += len(gone)
	}
	return expired, nil
}
