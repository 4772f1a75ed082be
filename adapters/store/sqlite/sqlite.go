// Package sqlite keeps everything in one SQLite file: the store for one machine, with nothing to install.
//
// It promises the contract of package store, and that a write that was acknowledged survives the end of the process and
// the loss of power. Facts().Replicas is false: two processes may use one file, and each soon hears of the other's
// writes, but that is meant for a command beside a server, not for many servers.
//
// How it works. The database is in WAL mode: one connection writes, a pool of others reads, and neither waits for the
// other. A read is one statement or one read transaction. Writes of all users go one after another, in the order in
// which they came, so a transaction should not wait for anything outside. After the commit the write-ahead log is
// flushed to the disk, once for all the writers that are waiting for it (see durable.go).
//
// Its weak points. One writer at a time, for all users together; a Write inside of another that is not given the
// other's context waits for itself until its own context ends. The file must lie on a local disk, since WAL mode shares
// memory between processes. A search for tasks reads all texts of the user it is for. The first search for memories
// after a start reads the user's vectors into memory, about half a second for 100,000 of 256 numbers; what is too large
// for that is read for each search (see memories_index.go). Writing a memory is a row in the index for each of its
// words.
package sqlite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Options say where the database is and what it uses.
type Options struct {
	// Path is the database's file. It and its folder are made when they are not there, readable by their owner only.
	Path string
	// Now is the clock for changes and for what expires; nil is time.Now.
	Now func() time.Time
	// Trace, when not nil, is given the SQL of every batch: the statements of one read transaction, or of one method in a
	// writing transaction, joined by ";\n". It may be called from several goroutines.
	Trace func(sql string)
	// Logger hears of what goes wrong in the background; nil is slog.Default.
	Logger *slog.Logger
	// Readers is how many connections may read at the same time; 0 is twice the number of processors, at least 4. They are
	// opened when needed.
	Readers int
	// CallTimeout bounds how long a call whose context has no deadline waits for its turn to read or to write; 0 means 10
	// seconds.
	CallTimeout time.Duration
	// WatchInterval is how often, while somebody watches, other processes' writes are looked for; 0 is 250 ms.
	WatchInterval time.Duration
}

// defaultCallTimeout is the bound of waiting for calls whose context has no deadline.
const defaultCallTimeout = 10 * time.Second

// Store is the driver. Its methods are described in package store.
type Store struct {
	reader

	path    string
	now     func() time.Time
	trace   func(sql string)
	logger  *slog.Logger
	readers *pool
	// turn holds a token when nobody writes; who takes it may use writer.
	turn    chan struct{}
	waiting atomic.Int64 // for turn
	writer  *conn
	durable *flusher
	files   *files
	// stamped belongs to whoever has the right to write.
	stamped stamped
	full    store.Fullness
	hub     *hub
	closed  sync.Once
	// callTimeout bounds the waiting of calls whose context has no deadline.
	callTimeout time.Duration
	// stopWatching ends looking at the files.
	stopWatching context.CancelFunc
	// library holds the vectors of those who search.
	library *library
}

var _ store.Store = (*Store)(nil)

// Open opens the file, which it makes if there is none, and reads nothing from it. Call Migrate before anything else.
func Open(ctx context.Context, options Options) (*Store, error) {
	if options.Path == "" {
		return nil, errors.New("sqlite: no path given")
	}
	path, err := filepath.Abs(options.Path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	if err := makeFile(path); err != nil {
		return nil, fmt.Errorf("sqlite: make database: %w", explain(ctx, err))
	}
	// SQLite puts the log beside the file itself, not beside a link to it.
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	logger := options.Logger
	if logger == nil {
		logger = slog.Default()
	}
	if err := putAside(path, logger); err != nil {
		return nil, fmt.Errorf("sqlite: put the log of another database aside: %w", explain(ctx, err))
	}
	s := &Store{path: path, now: options.Now, trace: options.Trace, logger: logger,
		turn: make(chan struct{}, 1), durable: newFlusher(path + "-wal"), library: newLibrary(maxIndexBytes)}
	s.reader.store = s
	if s.callTimeout = options.CallTimeout; s.callTimeout <= 0 {
		s.callTimeout = defaultCallTimeout
	}
	if s.now == nil {
		s.now = time.Now
	}
	readers := options.Readers
	if readers <= 0 {
		readers = max(4, 2*runtime.GOMAXPROCS(0))
	}
	if s.writer, err = openWriter(ctx, path); err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", path, explain(ctx, err))
	}
	if s.files, err = openFiles(path); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s: %w", path, explain(ctx, err)), s.writer.close(),
			s.files.close())
	}
	s.readers = newPool(s.files, readers)
	interval := options.WatchInterval
	if interval <= 0 {
		interval = 250 * time.Millisecond
	}
	s.hub = newHub(s, interval)
	s.hub.version = s.writer.dataVersion(s.logger)
	s.turn <- struct{}{}
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stopWatching = stop
	s.hub.stopped.Go(func() { s.files.watch(watching, s.logger) })
	return s, nil
}

// makeFile makes an empty file that only its owner may read, in a folder that only its owner may enter. A file that is
// there is left alone: to open and close it would drop the locks that another connection of this process holds on it.
func makeFile(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// Close waits for what is running, writes the log back into the database, and closes the file. The store must not be
// used after it. Files that were removed or replaced are left open, with an error that wraps store.ErrFileReplaced.
func (s *Store) Close() error {
	var err error
	s.closed.Do(func() {
		s.stopWatching()
		s.hub.close()
		<-s.turn // never given back: who comes later waits for its context
		err = s.files.check()
		end := (*conn).close
		if err != nil {
			// To close the last connection would remove the log by its name, which may be the one of the file that is there now.
			end = (*conn).abandon
			s.files.leave()
		}
		err = errors.Join(err, s.readers.close(end), end(s.writer), s.durable.close())
		if !errors.Is(err, store.ErrFileReplaced) { // else SQLite has them open
			err = errors.Join(err, s.files.close())
		}
	})
	return err
}

// Facts: see store.Maintainer.
func (s *Store) Facts() store.Facts {
	return store.Facts{Name: "sqlite", TimePrecision: time.Microsecond, Replicas: false}
}

// errClosed is what a store that was closed answers.
var errClosed = fmt.Errorf("the database was closed: %w", store.ErrUnavailable)

// userArg binds a user.
func userArg(user model.UserID) arg { return idArg(model.UUID(user)) }
