package sqlite

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// conn is one connection with its prepared statements. One goroutine uses it at a time.
type conn struct {
	*sqlite.Conn
	// statements are the prepared ones by their SQL; runs counts what was run, to tell which of them was used last.
	statements map[string]*prepared
	runs       uint64
	fuse       *fuse
	// spoils is how often the files had been found overwritten when the connection's cache was emptied last.
	spoils int64
}

// maxStatements bounds what a connection keeps prepared. The SQL is made of what clients select, so there is no end to
// its forms.
const maxStatements = 64

// prepared is a statement in the cache, and when it was used last.
type prepared struct {
	stmt *sqlite.Stmt
	used uint64
}

// The settings of every connection. The file is not mapped into memory: when somebody cuts it off, reading what was
// there is an error and not the end of the process (docs/decisions/0010-stores.md says what that costs). What a commit
// leaves unflushed (synchronous = NORMAL) the flusher flushes.
const settings = `PRAGMA synchronous = NORMAL;
PRAGMA foreign_keys = ON;
PRAGMA trusted_schema = OFF;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -4096;
PRAGMA mmap_size = 0;
PRAGMA journal_size_limit = 16777216;
`

// openConn opens a connection; flags say whether it may write.
func openConn(path string, flags sqlite.OpenFlags) (*conn, error) {
	raw, err := sqlite.OpenConn(path, flags)
	if err != nil {
		return nil, err
	}
	c := &conn{Conn: raw, statements: make(map[string]*prepared)}
	c.rearm()
	if err := script(raw, settings); err != nil {
		_ = raw.Close()
		return nil, err
	}
	return c, nil
}

// openWriter opens the connection that writes, and puts the database into WAL mode. What is deleted is overwritten
// (secure_delete), not only forgotten (see also scrub.go): 200 tasks written and deleted take as much processor time
// with it as without. Two processes that do so at once get in each other's way without SQLite waiting for it, so this
// waits.
func openWriter(ctx context.Context, path string) (*conn, error) {
	c, err := openConn(path, sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return nil, err
	}
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		// The last one makes the log and its index, which SQLite does when the database is read first.
		err = script(c.Conn, "PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA schema_version;")
		if err == nil {
			return c, nil
		}
		if sqlite.ErrCode(err).ToPrimary() != sqlite.ResultBusy {
			break
		}
		select {
		case <-time.After(wait):
			continue
		case <-ctx.Done():
			err = ctx.Err()
		}
		break
	}
	_ = c.Close()
	return nil, err
}

// script runs statements that are used once.
func script(c *sqlite.Conn, sql string) error {
	for strings.TrimSpace(sql) != "" {
		stmt, trailing, err := c.PrepareTransient(sql)
		if err != nil {
			return err
		}
		sql = sql[len(sql)-trailing:]
		for row := true; row && err == nil; {
			row, err = stmt.Step()
		}
		if finalizeErr := stmt.Finalize(); err == nil {
			err = finalizeErr
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// close closes the connection with its statements.
func (c *conn) close() error { return c.Conn.Close() }

// abandon lets the connection be without closing it.
func (c *conn) abandon() error {
	c.SetInterrupt(nil)
	return nil
}

// prepare returns the statement for an SQL text, from the cache if it is there.
func (c *conn) prepare(sql string) (*sqlite.Stmt, error) {
	c.runs++
	if known, ok := c.statements[sql]; ok {
		known.used = c.runs
		return known.stmt, nil
	}
	if len(c.statements) >= maxStatements {
		c.forgetOldest()
	}
	stmt, err := c.Prepare(sql)
	if err != nil {
		return nil, err
	}
	c.statements[sql] = &prepared{stmt: stmt, used: c.runs}
	return stmt, nil
}

// forgetOldest drops the statement that was not used for longest. Looking at all of them is little beside preparing the
// new one.
func (c *conn) forgetOldest() {
	oldest, at := "", uint64(math.MaxUint64)
	for sql, known := range c.statements {
		if known.used < at {
			oldest, at = sql, known.used
		}
	}
	_ = c.statements[oldest].stmt.Finalize() // it only repeats the error of the last run
	delete(c.statements, oldest)
}

// run prepares and runs one statement and hands its rows to row, which may be nil.
func (c *conn) run(sql string, args []arg, row func(*sqlite.Stmt) error) error {
	stmt, err := c.prepare(sql)
	if err != nil {
		return err
	}
	for i := range args {
		args[i].bind(stmt, i+1)
	}
	for {
		more, err := stmt.Step()
		if err != nil {
			_ = stmt.ClearBindings()
			return err
		}
		if !more {
			break
		}
		if row == nil {
			continue
		}
		if err := row(stmt); err != nil {
			_ = stmt.Reset()
			_ = stmt.ClearBindings()
			return err
		}
	}
	return stmt.Reset()
}

// fuse interrupts what a connection runs.
type fuse struct {
	burnt chan struct{}
	once  sync.Once
}

func (f *fuse) burn() { f.once.Do(func() { close(f.burnt) }) }

// rearm returns the connection a new fuse. SQLite's own way, an interrupt channel per call, would start a goroutine
// each time.
func (c *conn) rearm() {
	c.fuse = &fuse{burnt: make(chan struct{})}
	c.SetInterrupt(c.fuse.burnt)
}

// until makes the end of the context interrupt whatever the connection runs, until release is called. After release the
// connection works again.
func (c *conn) until(ctx context.Context) (release func()) {
	fuse := c.fuse
	stop := context.AfterFunc(ctx, fuse.burn)
	return func() {
		if !stop() {
			<-fuse.burnt
			c.rearm()
		}
	}
}

// rollback ends the transaction that the connection is in, if it is in one. The context that interrupts what is run may
// have ended, and may end in the middle of this; a connection that was given back within a transaction would serve
// nobody any more.
func (c *conn) rollback() error {
	for !c.AutocommitEnabled() {
		c.mend()
		if err := c.run("ROLLBACK", nil, nil); err != nil && !c.mend() {
			return err
		}
	}
	return nil
}

// mend sets a new fuse where the old one is burnt, and reports whether it did.
func (c *conn) mend() bool {
	select {
	case <-c.fuse.burnt:
		c.rearm()
		return true
	default:
		return false
	}
}

// arg is a value to bind.
type arg struct {
	kind argKind
	i    int64
	f    float64
	s    string
	b    []byte
	id   model.UUID
}

type argKind uint8

const (
	argNull argKind = iota
	argInt
	argFloat
	argText
	argBytes
	argID
)

func intArg[I int | int64](i I) arg { return arg{kind: argInt, i: int64(i)} }
func floatArg(f float64) arg        { return arg{kind: argFloat, f: f} }
func textArg(s string) arg          { return arg{kind: argText, s: s} }
func bytesArg(b []byte) arg         { return arg{kind: argBytes, b: b} }
func idArg(id model.UUID) arg       { return arg{kind: argID, id: id} }
func instantArg(t time.Time) arg    { return intArg(rows.Micros(t)) }
func boolArg(b bool) arg {
	if b {
		return intArg(1)
	}
	return intArg(0)
}

// timeArg binds a time that may be none.
func timeArg(t time.Time) arg {
	if t.IsZero() {
		return arg{}
	}
	return instantArg(t)
}

// textOrNull binds a text that may be none.
func textOrNull(s string) arg {
	if s == "" {
		return arg{}
	}
	return textArg(s)
}

// bytesOrNull binds bytes that may be none.
func bytesOrNull(b []byte) arg {
	if len(b) == 0 {
		return arg{}
	}
	return bytesArg(b)
}

func (a *arg) bind(stmt *sqlite.Stmt, n int) {
	switch a.kind {
	case argNull:
		stmt.BindNull(n)
	case argInt:
		stmt.BindInt64(n, a.i)
	case argFloat:
		stmt.BindFloat(n, a.f)
	case argText:
		stmt.BindText(n, a.s)
	case argBytes:
		stmt.BindBytes(n, a.b)
	case argID:
		stmt.BindBytes(n, a.id[:])
	}
}

// columnID reads an id.
func columnID(stmt *sqlite.Stmt, column int) (id model.UUID) {
	stmt.ColumnBytes(column, id[:])
	return id
}

// columnTime reads a time that may be none.
func columnTime(stmt *sqlite.Stmt, column int) time.Time {
	if stmt.ColumnIsNull(column) {
		return time.Time{}
	}
	return timeOf(stmt.ColumnInt64(column))
}

// columnBytes reads bytes; nil for NULL.
func columnBytes(stmt *sqlite.Stmt, column int) []byte {
	if stmt.ColumnIsNull(column) {
		return nil
	}
	out := make([]byte, stmt.ColumnLen(column))
	stmt.ColumnBytes(column, out)
	return out
}

// statementRoom is how many bytes a statement that is put together begins with.
const statementRoom = 768

// statement is SQL with its values, as it is being put together.
type statement struct {
	sql  strings.Builder
	args []arg
}

// add appends SQL and the values of the ? in it.
func (b *statement) add(sql string, args ...arg) {
	if b.sql.Cap() == 0 { // as long as most statements are, so that it does not grow by and by
		b.sql.Grow(statementRoom)
		b.args = make([]arg, 0, 8)
	}
	b.sql.WriteString(sql)
	b.args = append(b.args, args...)
}

// in appends "column IN (?, …)". The number of places is a power of two, so that few forms of a statement are enough
// for any number of ids; the last id fills what is left.
func (b *statement) in(column string, ids []model.UUID) {
	places := 1
	for places < len(ids) {
		places *= 2
	}
	fmt.Fprintf(&b.sql, "%s IN (?%s)", column, strings.Repeat(",?", places-1))
	for i := range places {
		b.args = append(b.args, idArg(ids[min(i, len(ids)-1)]))
	}
}

// inNumbers is in for the numbers of rows that stand as m.
func (b *statement) inNumbers(numbers []int64) {
	places := 1
	for places < len(numbers) {
		places *= 2
	}
	b.add("m.n IN (?" + strings.Repeat(",?", places-1) + ")")
	for i := range places {
		b.args = append(b.args, intArg(numbers[min(i, len(numbers)-1)]))
	}
}

// inTexts is in for texts.
func (b *statement) inTexts(column string, texts []string) {
	places := 1
	for places < len(texts) {
		places *= 2
	}
	fmt.Fprintf(&b.sql, "%s IN (?%s)", column, strings.Repeat(",?", places-1))
	for i := range places {
		b.args = append(b.args, textArg(texts[min(i, len(texts)-1)]))
	}
}

// maxIDs is how many ids one statement takes.
const maxIDs = 512
