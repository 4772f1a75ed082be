package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Misuse of a transaction. None of them can come from what a client does.
var (
	errEnded     = errors.New("sqlite: the transaction has ended")
	errNested    = errors.New("sqlite: a nested write of this transaction is running; write through its own Tx")
	errOtherUser = errors.New("sqlite: a transaction writes for one user only")
)

// transaction is a running transaction of one user, or of the store itself.
type transaction struct {
	s    *Store
	conn *conn
	user model.UserID
	// at is when the transaction began; all its changes carry it.
	at time.Time
	// cancelled tells why the whole transaction is interrupted, if it is.
	cancelled func() error

	// mu guards the connection and what follows: methods may be called from several goroutines.
	mu sync.Mutex
	// innermost is the frame that may write.
	innermost *frame
	// dead is why SQLite has rolled the whole transaction back by itself.
	dead             error
	written, changed bool
	// settings is whether the user's settings were changed, if only in a savepoint that was undone.
	settings bool
}

// frame is a transaction as one Write sees it: the whole one, or a savepoint in it. It is the Tx that Write hands out.
type frame struct {
	*transaction
	reader
	depth int
	ended bool
	// turn is held by a nested Write while it runs, so that several called at once run one after another.
	turn chan struct{}
}

var _ store.Tx = (*frame)(nil)

func newFrame(t *transaction, depth int) *frame {
	f := &frame{transaction: t, depth: depth, turn: make(chan struct{}, 1)}
	f.reader = reader{store: t.s, frame: f}
	return f
}

// frameKey finds the frame in a context. It holds the store, so that two stores do not take each other's transactions.
type frameKey struct{ s *Store }

func (s *Store) frameOf(ctx context.Context) *frame {
	f, _ := ctx.Value(frameKey{s}).(*frame)
	return f
}

// acquire takes the right to write.
func (s *Store) acquire(ctx context.Context) error {
	s.waiting.Add(1)
	defer s.waiting.Add(-1)
	select {
	case <-s.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.hub.closed:
		return errClosed
	}
}

// bounded returns a context that ends after the store's own bound unless it ends by itself: whoever asks without a
// deadline must not wait for ever for a file that another process has locked.
func (s *Store) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ends := ctx.Deadline(); ends {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, s.callTimeout)
}

// late returns store.ErrUnavailable in place of the end of the store's own bound, which is not the caller's.
func late(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return err
}

// within runs fn in a transaction, or in a savepoint of the one that the context carries.
func (s *Store) within(ctx context.Context, user model.UserID, fn func(ctx context.Context, f *frame) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if f := s.frameOf(ctx); f != nil {
		return f.nest(ctx, user, fn)
	}
	waiting, cancel := s.bounded(ctx)
	defer cancel()
	if err := s.acquire(waiting); err != nil {
		return late(ctx, err)
	}
	t, err := s.begin(waiting, user)
	if err != nil {
		s.turn <- struct{}{}
		s.full.Note(err)
		return late(ctx, err)
	}
	t.cancelled = ctx.Err
	err = s.files.blame(t.run(ctx, fn))
	if err != nil || t.written {
		s.full.Note(err)
	}
	if err != nil {
		return err
	}
	if t.changed {
		defer s.hub.signal(user, t.settings)
	}
	if t.written {
		if err := s.durable.flush(); err != nil {
			return fmt.Errorf("the write was done but may be lost with the machine's power: %w", err)
		}
		if err := s.files.check(); err != nil {
			return fmt.Errorf("%w (%w): %w", store.ErrFileReplacedAmid, store.ErrOutcomeUnknown, err)
		}
	}
	return nil
}

// begin begins a transaction on the writing connection, which the caller has the right to use.
func (s *Store) begin(ctx context.Context, user model.UserID) (*transaction, error) {
	if err := s.durable.failed(); err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	if err := s.files.check(); err != nil {
		return nil, err
	}
	release := s.writer.until(ctx)
	defer release()
	if err := errors.Join(s.files.refresh(s.writer), s.writer.run("BEGIN IMMEDIATE", nil, nil)); err != nil {
		return nil, explain(ctx, s.files.blame(err))
	}
	t := &transaction{s: s, conn: s.writer, user: user, at: s.now()}
	if user != (model.UserID{}) {
		if _, err := t.session().write(sqlTouchUser, userArg(user)); err != nil {
			t.rollback()
			return nil, explain(ctx, err)
		}
	}
	return t, nil
}

// sqlTouchUser makes a row that says only that the user exists; EnsureUser fills it in.
const sqlTouchUser = `INSERT INTO users (user_id, subject, email, time_zone, locale, week_start)
VALUES (?, '', '', '', '', '') ON CONFLICT DO NOTHING`

// run runs fn in the transaction, ends it one way or the other, and releases the right to write.
func (t *transaction) run(ctx context.Context, fn func(ctx context.Context, f *frame) error) (err error) {
	f := newFrame(t, 0)
	t.innermost = f
	release := t.conn.until(ctx)
	returned := false
	defer func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		f.ended = true
		release()
		switch {
		case !returned, err != nil, t.dead != nil, ctx.Err() != nil:
			// The first cause is the one to tell; a panic goes on by itself.
			err = errors.Join(err, t.dead)
			if err == nil {
				err = ctx.Err()
			}
			t.rollback()
		default:
			if err = t.commit(); err != nil {
				err = explain(ctx, err)
				t.rollback()
			}
		}
		// The foreign commits that this transaction may have waited for are looked for while the connection is at hand.
		t.s.hub.lookBeside(t.conn)
		t.s.turn <- struct{}{}
	}()
	err = fn(context.WithValue(ctx, frameKey{t.s}, f), f)
	returned = true
	return err
}

// commit stamps what was written, and makes it last.
func (t *transaction) commit() error {
	if t.written {
		if err := t.s.stamp(t.conn); err != nil {
			return err
		}
	}
	return t.conn.run("COMMIT", nil, nil)
}

// rollback undoes everything, unless SQLite has done so.
func (t *transaction) rollback() {
	if err := t.conn.rollback(); err != nil {
		t.s.logger.Error("sqlite: a transaction does not roll back", "error", err)
	}
}

// nest runs fn in a savepoint.
func (f *frame) nest(ctx context.Context, user model.UserID, fn func(ctx context.Context, f *frame) error) (err error) {
	if user != (model.UserID{}) && user != f.user {
		return errOtherUser
	}
	select {
	case f.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-f.turn }()

	child := newFrame(f.transaction, f.depth+1)
	name := "s" + strconv.Itoa(child.depth)
	if err := f.do(ctx, func(q *session) error {
		if err := q.run("SAVEPOINT "+name, nil, nil); err != nil {
			return err
		}
		f.innermost = child
		return nil
	}); err != nil {
		return err
	}
	changed, returned := f.changed, false
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		child.ended = true
		f.innermost = f
		if f.dead != nil || f.conn.AutocommitEnabled() {
			err = errors.Join(err, f.dead)
			return
		}
		ends := []string{"RELEASE " + name}
		if !returned || err != nil {
			f.changed = changed
			ends = []string{"ROLLBACK TO " + name, "RELEASE " + name}
		}
		for _, sql := range ends {
			if endErr := f.explain(ctx, f.conn.run(sql, nil, nil)); endErr != nil {
				f.die(endErr)
				err = errors.Join(err, endErr)
				return
			}
		}
	}()
	err = fn(context.WithValue(ctx, frameKey{f.s}, child), child)
	returned = true
	return err
}

// die notes that nothing more can be done in the transaction but to roll it back. mu is held.
func (t *transaction) die(err error) {
	if t.dead == nil {
		t.dead = err
	}
}

// explain is explain for the end of a method's context or, which interrupts the connection too, of the transaction's.
func (t *transaction) explain(ctx context.Context, err error) error {
	err = explain(ctx, err)
	if sqlite.ErrCode(err).ToPrimary() == sqlite.ResultInterrupt && t.cancelled() != nil {
		return t.cancelled()
	}
	return err
}

// session returns the connection for one method.
func (t *transaction) session() *session { return &session{conn: t.conn, trace: t.s.trace} }

// read runs fn for a method that reads.
func (f *frame) read(ctx context.Context, fn func(q *session) error) error {
	return f.use(ctx, func(q *session) error { return fn(q) })
}

// do runs fn for a method that writes, which only the innermost frame may.
func (f *frame) do(ctx context.Context, fn func(q *session) error) error {
	return f.use(ctx, func(q *session) error {
		if f.innermost != f {
			return errNested
		}
		return fn(q)
	})
}

// atomically is do for a method of several statements: when fn fails, what it did is undone.
func (f *frame) atomically(ctx context.Context, fn func(q *session) error) error {
	return f.do(ctx, func(q *session) error {
		if err := q.run("SAVEPOINT method", nil, nil); err != nil {
			return err
		}
		changed := f.changed
		err := fn(q)
		if err != nil && !q.AutocommitEnabled() {
			f.changed = changed
			if undo := f.explain(ctx, q.run("ROLLBACK TO method", nil, nil)); undo != nil {
				f.die(undo)
				return errors.Join(err, undo)
			}
		}
		if q.AutocommitEnabled() {
			return err
		}
		if end := f.explain(ctx, q.run("RELEASE method", nil, nil)); end != nil {
			f.die(end)
			return errors.Join(err, end)
		}
		return err
	})
}

// use runs fn on the transaction's connection.
func (f *frame) use(ctx context.Context, fn func(q *session) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.ended:
		return errEnded
	case f.dead != nil:
		return f.dead
	case ctx.Err() != nil:
		return ctx.Err()
	}
	q := f.session()
	defer q.end()
	err := f.explain(ctx, fn(q))
	f.written = f.written || q.written
	// Interrupted, or out of space, SQLite rolls the whole transaction back, and the next statement would run outside of
	// any.
	if f.conn.AutocommitEnabled() {
		if err == nil {
			err = errors.New("sqlite: the transaction was rolled back by the database")
		}
		f.die(err)
	}
	return err
}

// Write: see store.Transactor.
func (s *Store) Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error {
	return s.within(ctx, user, func(ctx context.Context, f *frame) error { return store.Recorded(ctx, f, fn) })
}

// exclusively runs fn with the right to write, for what belongs to no transaction of a user.
func (s *Store) exclusively(ctx context.Context, fn func(q *session) error) error {
	return s.within(ctx, model.UserID{}, func(ctx context.Context, f *frame) error { return f.do(ctx, fn) })
}

// InTransaction: see store.Transactor.
func (s *Store) InTransaction(ctx context.Context) bool { return s.frameOf(ctx) != nil }
