package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// transaction is one transaction of one user, on one connection. The user's row is locked from its first statement on.
//
// Changes are numbered here, since nobody else can number them meanwhile, and are stored with the commit, in its round
// trip. Savepoints, and what may be written later, wait for the next statement: they cost no round trip of their own.
type transaction struct {
	store *Store
	user  model.UserID

	// mu guards what follows: the methods of one context may be called from several goroutines.
	mu   sync.Mutex
	conn *pgxpool.Conn // nil when it was lost before the transaction had begun
	// begun is whether the server knows of the transaction, and the user's row is locked.
	begun bool
	// at is when the changes happened, taken under the lock, so that times go with the numbers.
	at      time.Time
	base    int64       // the number of the user's last change before the transaction
	pending []change    // the changes since, numbered from there on
	flushed int         // how many of them the server has
	due     []waiting   // goes before the next statement
	last    []statement // goes with the commit
	failed  error       // a statement failed; only a savepoint's rollback helps
	broken  error       // nothing helps
}

// change is a line of the log before it has its number, which is its place.
type change struct {
	kind      model.ChangeType
	operation model.Operation
	id        model.UUID
	// Of a remote record.
	remote, version string
}

// waiting is a statement that goes before the next one: about a savepoint, or one that writes, which goes with the
// commit when none comes before. opens is the level that begins with it, if one does.
type waiting struct {
	statement
	writes bool
	opens  *level
}

// about is a statement about a savepoint.
func about(sql string, opens *level) waiting {
	return waiting{statement: statement{sql: sql}, opens: opens}
}

// level is a transaction as one Write sees it: the transaction itself, or a savepoint in it.
type level struct {
	tx     *transaction
	parent *level
	depth  int
	// What to go back to when this level fails.
	pending, flushed int
	// Guarded by tx.mu: sent is whether the server knows the savepoint, child the nested Write that runs, over whether
	// this one has ended.
	sent  bool
	child *level
	over  bool
	// turn holds a token while a nested Write runs; they go one after another.
	turn chan struct{}
}

// levelKey finds the level in a context. It holds the store, so that two stores do not take each other's transactions.
type levelKey struct{ store *Store }

func (s *Store) levelOf(ctx context.Context) *level {
	found, _ := ctx.Value(levelKey{s}).(*level)
	return found
}

func newLevel(t *transaction, parent *level) *level {
	l := &level{tx: t, parent: parent, pending: len(t.pending), flushed: t.flushed, turn: make(chan struct{}, 1)}
	if parent != nil {
		l.depth = parent.depth + 1
	}
	return l
}

// within runs fn in a transaction of its own, or in a savepoint of the one that the context carries. The extra
// statement, if any, is run right after the lock was taken, in the same round trip.
func (s *Store) within(ctx context.Context, user model.UserID, extra *statement,
	fn func(ctx context.Context, l *level) error) error {
	if parent := s.levelOf(ctx); parent != nil {
		return parent.nest(ctx, user, extra, fn)
	}
	if !s.writing.enter() {
		return explain(ctx, errClosed)
	}
	defer s.writing.leave()
	within, cancel := s.bounded(ctx)
	defer cancel()
	leave, err := s.turns.take(within, user)
	if err != nil {
		return fmt.Errorf("postgres: wait for the user's other writes: %w", explain(ctx, err))
	}
	defer leave()
	t := &transaction{store: s, user: user}
	if t.conn, err = s.acquire(within); err == nil && extra != nil {
		err = t.begin(within, &batch{statements: []statement{*extra}})
	}
	if err != nil {
		if t.conn != nil {
			giveBack(t.conn) // ends the connection, and so the transaction
		}
		err = explain(ctx, err)
		s.full.Note(err)
		return fmt.Errorf("postgres: %w", err)
	}
	l := newLevel(t, nil)
	returned := false
	defer func() {
		if !returned { // a panic, or the end of the goroutine
			t.rollback(ctx, l)
		}
	}()
	err = fn(context.WithValue(ctx, levelKey{s}, l), l)
	returned = true
	if err != nil {
		s.full.Note(err)
		t.rollback(ctx, l)
		return err
	}
	err = t.commit(ctx, l)
	if err != nil || len(t.pending) > 0 { // a transaction that logged nothing may have written nothing
		s.full.Note(err)
	}
	return err
}

// deliver traces and sends, and returns how many statements succeeded.
func (t *transaction) deliver(ctx context.Context, b *batch) (int, error) {
	if t.store.trace != nil {
		t.store.trace(b.sql())
	}
	return t.store.send(ctx, t.conn.Conn(), b)
}

// send sends a batch, after what is due. One that only reads may go with the beginning of the transaction. t.mu must be
// held.
func (t *transaction) send(ctx context.Context, b *batch, reads bool) error {
	if t.broken != nil {
		return t.broken
	}
	if t.failed != nil {
		return fmt.Errorf("postgres: after a failed statement the transaction can only be rolled back: %w", t.failed)
	}
	due := len(t.due)
	within, cancel := t.store.bounded(ctx)
	defer cancel()
	if !t.begun {
		if reads && due == 0 {
			return t.start(within, b)
		}
		if err := t.start(within, nil); err != nil {
			return err
		}
	}
	if due > 0 {
		all := make([]statement, 0, due+len(b.statements))
		for i := range t.due {
			all = append(all, t.due[i].statement)
		}
		b = &batch{statements: append(all, b.statements...)}
	}
	done, err := t.deliver(within, b)
	if done >= due {
		for _, one := range t.due {
			if one.opens != nil {
				one.opens.sent = true
			}
		}
		t.due = nil
	}
	if err == nil {
		return nil
	}
	return t.spoiled(ctx, err, done < due)
}

// What the protocol calls a session outside of a transaction, and in one that has failed.
const (
	statusIdle   = 'I'
	statusFailed = 'E'
)

// run reads within the level.
func (l *level) run(ctx context.Context, b *batch) error {
	l.tx.mu.Lock()
	defer l.tx.mu.Unlock()
	if l.over {
		return errTransactionOver
	}
	return l.tx.send(ctx, b, true)
}

// write changes something within the level and, when that succeeded, appends to the log what record returns.
func (l *level) write(ctx context.Context, b *batch, record func() []change) error {
	l.tx.mu.Lock()
	defer l.tx.mu.Unlock()
	if err := l.mayWrite(); err != nil {
		return err
	}
	if len(b.statements) > 0 {
		if err := l.tx.send(ctx, b, false); err != nil {
			return err
		}
	} else if err := errors.Join(l.tx.broken, l.tx.failed, ctx.Err()); err != nil {
		return err
	}
	if record != nil {
		l.tx.pending = append(l.tx.pending, record()...)
	}
	return nil
}

func (l *level) mayWrite() error {
	switch {
	case l.over:
		return errTransactionOver
	case l.child != nil:
		return errNestedWrite
	}
	return nil
}

// later writes something together with the next statement or with the commit, or at once in a savepoint. What fails of
// it fails all of the transaction.
func (l *level) later(ctx context.Context, b *batch, record func() []change) error {
	if l.depth > 0 {
		return l.write(ctx, b, record)
	}
	t := l.tx
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := errors.Join(l.mayWrite(), t.broken, t.failed, ctx.Err()); err != nil {
		return err
	}
	for _, one := range b.statements {
		t.due = append(t.due, waiting{statement: one, writes: true})
	}
	t.pending = append(t.pending, record()...)
	return nil
}

// atCommit runs statements together with the commit, or at once in a savepoint.
func (l *level) atCommit(ctx context.Context, statements ...statement) error {
	if l.depth > 0 {
		return l.write(ctx, &batch{statements: statements}, nil)
	}
	l.tx.mu.Lock()
	defer l.tx.mu.Unlock()
	l.tx.last = append(l.tx.last, statements...)
	return nil
}

// nest runs fn in a savepoint.
func (l *level) nest(ctx context.Context, user model.UserID, extra *statement,
	fn func(ctx context.Context, l *level) error) error {
	if user != l.tx.user {
		return errOtherUser
	}
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	child, err := l.open()
	if err != nil {
		return err
	}
	returned := false
	defer func() {
		if !returned {
			_ = child.close(ctx, false)
		}
	}()
	if extra != nil {
		err = child.run(ctx, &batch{statements: []statement{*extra}})
	}
	if err == nil {
		err = fn(context.WithValue(ctx, levelKey{l.tx.store}, child), child)
	}
	returned = true
	if closing := child.close(ctx, err == nil); err == nil {
		err = closing
	}
	return err
}

func (l *level) open() (*level, error) {
	t := l.tx
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.over {
		return nil, errTransactionOver
	}
	if t.broken != nil {
		return nil, t.broken
	}
	l.child = newLevel(t, l)
	t.due = append(t.due, about("SAVEPOINT "+l.child.name(), l.child))
	return l.child, nil
}

func (l *level) name() string { return "s" + strconv.Itoa(l.depth) }

// close ends a savepoint: keeps what was done in it, or undoes it. An error says that what should have been kept could
// not be.
func (l *level) close(ctx context.Context, keep bool) error {
	t := l.tx
	t.mu.Lock()
	defer t.mu.Unlock()
	l.over = true
	l.parent.child = nil
	failure := errors.Join(t.failed, t.broken)
	if keep && failure == nil {
		if l.sent {
			t.due = append(t.due, about("RELEASE SAVEPOINT "+l.name(), nil))
		} else {
			t.due = t.due[:len(t.due)-1]
		}
		return nil
	}
	t.pending, t.flushed = t.pending[:l.pending], l.flushed
	switch {
	case t.broken != nil:
	case !l.sent:
		t.due = t.due[:len(t.due)-1]
	default:
		t.due = nil // all that is due is about savepoints inside of this one
		t.undo(ctx, "ROLLBACK TO SAVEPOINT "+l.name()+"; RELEASE SAVEPOINT "+l.name())
	}
	if keep {
		return failure
	}
	return nil
}

// undo goes back to a savepoint. It uses the simple protocol: in a failed transaction the server would not prepare what
// follows.
func (t *transaction) undo(ctx context.Context, sql string) {
	if t.conn == nil || !t.begun && t.conn.Conn().PgConn().TxStatus() == statusIdle {
		return // there is nothing
	}
	if t.store.trace != nil {
		t.store.trace(sql)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.store.settle)
	defer cancel()
	if err := t.conn.Conn().PgConn().Exec(ctx, sql).Close(); err != nil {
		t.broken = explain(ctx, err)
		return
	}
	t.failed = nil
}

// rollback undoes everything and gives the connection back.
func (t *transaction) rollback(ctx context.Context, l *level) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l.over = true
	t.undo(ctx, sqlRollback)
	t.leave() // a connection that could not roll back is ended, which rolls back too
}

// leave returns the connection to the pool.
func (t *transaction) leave() {
	if t.conn != nil {
		giveBack(t.conn)
	}
}

// commit stores the changes and the number of the last one and commits, all in one round trip, and then signals. A
// caller that gives up meanwhile does not cut it off, so that the outcome is known whenever the server can tell it.
func (t *transaction) commit(ctx context.Context, l *level) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	l.over = true
	defer t.leave()
	failure := errors.Join(t.broken, t.failed, ctx.Err())
	if failure == nil {
		failure = t.started(ctx)
	}
	if failure != nil {
		t.undo(ctx, sqlRollback)
		return failure
	}
	b := &batch{statements: make([]statement, 0, len(t.due)+2+len(t.last))}
	for _, one := range t.due {
		if one.writes {
			b.statements = append(b.statements, one.statement)
		}
	}
	t.addChanges(b)
	b.statements = append(b.statements, t.last...)
	committed := false
	b.statements = append(b.statements, statement{sql: sqlCommit, done: func(tag pgconn.CommandTag) error {
		committed = tag.String() == sqlCommit
		return nil
	}})
	settle, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.store.settle)
	defer cancel()
	done, err := t.deliver(settle, b)
	if !committed {
		err = t.notCommitted(settle, err, done == len(b.statements)-1)
	} else {
		err = nil
	}
	if len(t.pending) > 0 && (committed || errors.Is(err, store.ErrOutcomeUnknown)) {
		settings := slices.ContainsFunc(t.pending, func(c change) bool { return c.kind == model.ChangeSettings })
		t.store.watchers.signal(t.user, settings)
		t.store.notices.add(t.user, settings)
	}
	return err
}

// notCommitted says what a commit that did not succeed means. atCommit is whether everything before the COMMIT had
// succeeded.
func (t *transaction) notCommitted(ctx context.Context, err error, atCommit bool) error {
	if err == nil {
		return errRolledBack
	}
	refused, isRefusal := errors.AsType[*pgconn.PgError](err)
	ended := isRefusal && lostSession(refused.Code)
	if isRefusal && !ended {
		t.undo(ctx, sqlRollback)
	}
	// What the server refuses before the commit is not committed. A session that it ended at the commit may have got that
	// far.
	if isRefusal && !(ended && atCommit) || pgconn.SafeToRetry(err) {
		return explain(ctx, fmt.Errorf("commit: %w", err))
	}
	// The cause is not wrapped: it may be the deadline of the commit itself, which is not the caller's.
	return fmt.Errorf("%w (%w): %v", store.ErrOutcomeUnknown, store.ErrUnavailable, err) //nolint:errorlint // see above
}

// InTransaction reports whether the context carries a transaction.
func (s *Store) InTransaction(ctx context.Context) bool { return s.levelOf(ctx) != nil }
