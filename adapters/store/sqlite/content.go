package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// content notices that the database's file or its log was written by something that is not SQLite, such as a copy of
// another database over it.
//
// What SQLite itself does is told apart so, whichever process does it. In WAL mode the database's file changes by
// checkpoints only, and each one moves numbers in the log's index before it writes and when it has written. So while
// these stand still the file has the same first bytes and the same time of change. Where they have moved, the first
// bytes are those of the first page that was written back last, which is in the log; where the log has begun anew
// since, they are of the same database at a later time. Copies that differ in nothing but what is further inside have
// other first bytes, since stamp.go changes them before a checkpoint. Of the log, the sum over its frames is in the
// index too.
type content struct {
	database, log, index *os.File
	// times is whether the system sets the time of change when a file is written, and never else.
	times bool

	mu sync.Mutex
	// known is whether the following are.
	known bool
	// strange is whether the database's file was seen to be another one.
	strange bool
	// header, changed and at are the database's first bytes, its time of change, and the checkpoints that had been made.
	header  databaseHeader
	changed time.Time
	at      checkpoints
}

// databaseHeader is what a database's file begins with (https://www.sqlite.org/fileformat2.html, 1.3).
type databaseHeader [100]byte

// Places in the header.
const (
	headerFixed    = 24 // what never changes: the name of the format, the size of pages, the journal's mode
	headerCommits  = 24
	headerPages    = 28
	headerSchema   = 40
	headerFormat   = 44 // of the schema; 0 before there is one
	headerCommits2 = 92 // the number of commits once more
)

// openContent opens the files to read them beside SQLite, and notes what they have.
func openContent(path string) (*content, error) {
	c := &content{times: keepsTimes(path)}
	for i, file := range []**os.File{&c.database, &c.log, &c.index} {
		opened, err := held.open(path + suffixes[i])
		if err != nil {
			return c, err
		}
		*file = opened
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for range looks {
		if now, ok := c.read(); ok {
			c.note(now)
			break
		}
	}
	return c, nil
}

// close closes the files, after SQLite has closed its own.
func (c *content) close() error {
	var errs []error
	for _, file := range []*os.File{c.database, c.log, c.index} {
		if file != nil {
			errs = append(errs, held.close(file))
		}
	}
	return errors.Join(errs...)
}

// looks is how often it is looked again while the files change.
const looks = 4

// seen is what the files have at one moment.
type seen struct {
	index   walIndex
	header  databaseHeader
	changed time.Time
	// logged is whether the log is the index's.
	logged bool
}

// read reads the files; false when they changed meanwhile.
func (c *content) read() (now seen, ok bool) {
	if now.index, ok = readIndex(c.index); !ok {
		return now, false
	}
	info, err := c.database.Stat()
	if err != nil {
		return now, false
	}
	now.changed = info.ModTime()
	if _, err := c.database.ReadAt(now.header[:], 0); err != nil && err != io.EOF {
		return now, false
	}
	now.logged = now.index.describes(c.log)
	after, ok := readIndex(c.index)
	return now, ok && after == now.index
}

func (c *content) note(now seen) {
	c.known, c.strange = true, false
	c.header, c.changed, c.at = now.header, now.changed, now.index.checkpoints
}

// overwritten returns the suffix of the file that something else has written; false when none was. What cannot be told
// while the files change is told by the next call.
func (c *content) overwritten() (suffix string, yes bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for range looks {
		now, ok := c.read()
		switch {
		case !ok:
			continue
		case !now.logged:
			return suffixes[1], true
		case !c.known || c.ours(now) || c.back(now):
			c.note(now)
			return "", false
		}
		// The log was looked through too, which may have changed meanwhile.
		after, ok := readIndex(c.index)
		if ok && after == now.index && (after.resting() || after.checkpoints == c.at) {
			c.strange = c.strange || now.header != c.header
			return suffixes[0], true
		}
	}
	return "", false
}

// ours reports whether SQLite may have brought the database's file to what it has now.
func (c *content) ours(now seen) bool {
	is := now.index.checkpoints
	if !is.resting() { // it may be at any of the pages
		return now.header == c.header || now.index.has(c.log, now.header)
	}
	if is == c.at {
		return now.header == c.header && (!c.times || now.changed.Equal(c.changed))
	}
	same, from := is.salt == c.at.salt, int64(0)
	if same {
		from = int64(c.at.done)
	}
	last, n := now.index.last(c.log, from)
	switch {
	case n > 0 && n <= int64(is.done): // the last first page of the log was written back
		return now.header == last
	case same && n == 0:
		return now.header == c.header
	case same: // a checkpoint leaves out pages of which the log has a later one that it may not write yet
		return now.header == c.header || now.index.has(c.log, now.header)
	}
	// What was written back before the log began anew is not in it any more.
	return now.header == c.header || now.index.has(c.log, now.header) || later(c.header, now.header)
}

// back reports whether the file, which was seen with another beginning or too short, is whole again.
func (c *content) back(now seen) bool {
	if !c.strange || now.header != c.header || now.index.checkpoints != c.at {
		return false
	}
	info, err := c.database.Stat()
	pages := binary.BigEndian.Uint32(now.header[headerPages:])
	return err == nil && info.Size() >= int64(pages)*now.index.pageSize
}

// short notes that the database's file was seen too short to be one.
func (c *content) short() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.strange = true
}

// later reports whether a database may have the header after, when it had the other before.
func later(before, after databaseHeader) bool {
	number := func(h databaseHeader, at int) uint32 { return binary.BigEndian.Uint32(h[at:]) }
	return bytes.Equal(before[:headerFixed], after[:headerFixed]) &&
		(number(before, headerFormat) == 0 || number(before, headerFormat) == number(after, headerFormat)) &&
		number(after, headerCommits) >= number(before, headerCommits) &&
		number(after, headerCommits) == number(after, headerCommits2) &&
		number(after, headerSchema) >= number(before, headerSchema)
}
