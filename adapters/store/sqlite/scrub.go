package sqlite

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"zombiezen.com/go/sqlite"
)

// What is deleted SQLite overwrites (PRAGMA secure_delete), and yet copies of it can be in two places. When a page of a
// tree is filled anew because rows are moved between pages, what lay in the part that is now unused stays there
// (rebuildPage of SQLite's btree.c); a row that is deleted later is overwritten where it is, not where it was. And the
// write-ahead log has the pages as they were before, until it is written over. So a transaction that erases leaves a
// note in the file, and the next Sweep clears the unused parts of all pages and cuts the log off.

// noteErasure counts the transactions that erase, in a number in the file's header that SQLite leaves to its users
// (PRAGMA user_version). It is part of the transaction, and so survives the process. 0 says that there is nothing to
// scrub.
func noteErasure(q *session) error {
	erasures, err := readErasures(q)
	if err != nil {
		return err
	}
	return script(q.Conn, fmt.Sprintf("PRAGMA user_version = %d;", erasures%math.MaxInt32+1))
}

func readErasures(q *session) (erasures int64, err error) {
	err = q.readSQL("PRAGMA user_version", func(stmt *sqlite.Stmt) error { erasures = stmt.ColumnInt64(0); return nil })
	return erasures, err
}

// pagesAtOnce is how many pages one transaction looks at, so that writers wait for a moment only.
const pagesAtOnce = 1_000

// mostPages is from how many pages on the first byte of a page does not tell what it is: 128 GiB. The first byte of a
// page without a tree is the highest of another page's number, and must not be mistaken for the mark of a tree's page,
// the least of which is 2 (https://www.sqlite.org/fileformat2.html, 1.6).
const mostPages = 2 << 24

// scrub clears what was erased out of the file and its log. While somebody reads what the log has it cannot be cut, and
// nobody is made to wait for that: then the note stays, and the next time does it.
func (s *Store) scrub(ctx context.Context) error {
	var erasures, pages int64
	err := s.reading(ctx, oneTransaction, func(q *session) (err error) {
		if erasures, err = readErasures(q); err != nil || erasures == 0 {
			return err
		}
		return q.readSQL("PRAGMA page_count", func(stmt *sqlite.Stmt) error { pages = stmt.ColumnInt64(0); return nil })
	})
	if err != nil || erasures == 0 {
		return err
	}
	for first := int64(1); first <= pages && pages < mostPages; first += pagesAtOnce {
		if err := s.scrubPages(ctx, first, min(first+pagesAtOnce-1, pages)); err != nil {
			return err
		}
	}
	cut, err := s.cutLog(ctx)
	if err != nil || !cut {
		return err
	}
	return s.exclusively(ctx, func(q *session) error {
		if since, err := readErasures(q); err != nil || since != erasures {
			return err // more was erased meanwhile
		}
		q.written = true
		return script(q.Conn, "PRAGMA user_version = 0;")
	})
}

// page is a page of the file.
type page struct {
	number  int64
	content []byte
}

// scrubPages clears the unused parts of some pages. They are looked for by reading; only those that have something in
// them are taken again, and written.
func (s *Store) scrubPages(ctx context.Context, first, last int64) error {
	var numbers []int64
	err := s.reading(ctx, oneStatement, func(q *session) error {
		buffer := []byte(nil)
		return q.readSQL("SELECT pgno, data FROM sqlite_dbpage WHERE pgno BETWEEN ? AND ?", func(stmt *sqlite.Stmt) error {
			buffer = slices.Grow(buffer[:0], stmt.ColumnLen(1))[:stmt.ColumnLen(1)]
			stmt.ColumnBytes(1, buffer)
			if clearUnused(stmt.ColumnInt64(0), buffer) {
				numbers = append(numbers, stmt.ColumnInt64(0))
			}
			return nil
		}, intArg(first), intArg(last))
	})
	if err != nil || len(numbers) == 0 {
		return err
	}
	return s.exclusively(ctx, func(q *session) error {
		for _, number := range numbers {
			p := page{number: number}
			if err := q.readSQL("SELECT data FROM sqlite_dbpage WHERE pgno = ?",
				func(stmt *sqlite.Stmt) error { p.content = columnBytes(stmt, 0); return nil }, intArg(number)); err != nil {
				return err
			}
			if !clearUnused(p.number, p.content) {
				continue
			}
			if _, err := q.write("UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?", bytesArg(p.content),
				intArg(p.number)); err != nil {
				return err
			}
			q.written = true
		}
		return nil
	})
}

// clearUnused clears the part of a tree's page that lies between its list of rows and the first row
// (https://www.sqlite.org/fileformat2.html, 1.6), and reports whether something was in it. Other pages have no such
// part: SQLite clears them when they become free.
func clearUnused(number int64, content []byte) (dirty bool) {
	const fileHeader = 100 // before the first page's own
	header := 0
	if number == 1 {
		header = fileHeader
	}
	if len(content) < 512 {
		return false
	}
	size := 8
	switch content[header] {
	case 2, 5: // of an inner page
		size = 12
	case 10, 13:
	default:
		return false
	}
	rows := int(binary.BigEndian.Uint16(content[header+3:]))
	from, to := header+size+2*rows, int(binary.BigEndian.Uint16(content[header+5:]))
	if to == 0 { // which stands for 65536
		to = 1 << 16
	}
	if from >= to || to > len(content) {
		return false
	}
	for _, b := range content[from:to] {
		dirty = dirty || b != 0
	}
	if dirty {
		clear(content[from:to])
	}
	return dirty
}

// cutLog writes the log back into the database and cuts it off; false when somebody reads what it has.
func (s *Store) cutLog(ctx context.Context) (cut bool, err error) {
	if err := s.acquire(ctx); err != nil {
		return false, err
	}
	defer func() { s.turn <- struct{}{} }()
	release := s.writer.until(ctx)
	defer release()
	s.writer.SetBusyTimeout(0)
	defer s.writer.SetBlockOnBusy()
	err = s.writer.run("PRAGMA wal_checkpoint(TRUNCATE)", nil, func(stmt *sqlite.Stmt) error {
		cut = stmt.ColumnInt(0) == 0
		return nil
	})
	if sqlite.ErrCode(err).ToPrimary() == sqlite.ResultBusy {
		return false, nil
	}
	return cut && err == nil, explain(ctx, err)
}
