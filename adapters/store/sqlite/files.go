package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
)

// files are the database's files as they were when it was opened: the database itself, its log, and the log's index.
//
// Systems let a file be removed or replaced while it is open. SQLite goes on with the one that it has, which nobody can
// open any more: what is acknowledged then is gone with the process. So each write compares the names with the open
// files before it begins and before it is acknowledged. Windows refuses to remove open files. A file that something
// else writes into keeps its name; content.go notices that.
type files struct {
	path   string
	opened [len(suffixes)]os.FileInfo
	// size is the largest that the database was seen to have, at most leastSize.
	size    atomic.Int64
	content *content
	// spoilt is why what the files have may not be read, as the last check found; nil while it may.
	spoilt atomic.Pointer[error]
	// spoils counts how often they were found so.
	spoils atomic.Int64
}

// suffixes are what the names of the files end with.
var suffixes = [...]string{"", "-wal", "-shm"}

// leastSize is less than a database ever shrinks to, since each of its tables and indexes has a page. A smaller file
// was truncated or overwritten by somebody else, who had it open.
const leastSize = 64 << 10

// openFiles notes the files of a database that has just been opened in WAL mode.
func openFiles(path string) (*files, error) {
	f := &files{path: path}
	for i, suffix := range suffixes {
		found, err := os.Stat(path + suffix)
		if err != nil {
			return nil, err
		}
		f.opened[i] = found
	}
	var err error
	f.content, err = openContent(path)
	return f, err
}

// check returns store.ErrFileReplaced when a name no longer leads to the file that is open, or when something else than
// SQLite has written to it: then store.ErrFileOverwritten too, and nothing is read any more. What cannot be told, say
// because the folder may not be entered any more, is not held against the files.
func (f *files) check() error {
	err := f.compare()
	switch {
	case !errors.Is(err, store.ErrFileOverwritten):
		f.spoilt.Store(nil)
	case f.spoilt.Swap(&err) == nil:
		f.spoils.Add(1)
	}
	return err
}

// refresh empties a connection's cache when the files were overwritten since, and are back: it may have read from them.
func (f *files) refresh(c *conn) error {
	spoils := f.spoils.Load()
	if c.spoils == spoils {
		return nil
	}
	c.spoils = spoils
	return script(c.Conn, "PRAGMA shrink_memory;")
}

// blame returns an error of SQLite, and says that the files are gone if that is why it met what it cannot read.
func (f *files) blame(err error) error {
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultCorrupt, sqlite.ResultNotADB, sqlite.ResultIOErr:
		if gone := f.check(); gone != nil {
			return errors.Join(gone, err)
		}
	}
	return err
}

// readable returns the error of reading files that the last check found overwritten.
func (f *files) readable() error {
	if err := f.spoilt.Load(); err != nil {
		return *err
	}
	return nil
}

func (f *files) compare() error {
	if suffix, yes := f.content.overwritten(); yes {
		return f.overwritten(suffix)
	}
	for i, suffix := range suffixes {
		found, err := os.Stat(f.path + suffix)
		switch {
		case err == nil && os.SameFile(found, f.opened[i]):
			if suffix == "" && f.shrunk(found.Size()) {
				f.content.short()
				return f.overwritten(suffix)
			}
		case err == nil:
			return f.replaced(suffix, "was replaced")
		case errors.Is(err, fs.ErrNotExist):
			return f.replaced(suffix, "was removed")
		}
	}
	return nil
}

// shrunk reports whether the database is smaller than a database gets.
func (f *files) shrunk(size int64) bool {
	size = min(size, leastSize)
	for {
		seen := f.size.Load()
		if size <= seen || f.size.CompareAndSwap(seen, size) {
			return size < seen
		}
	}
}

func (f *files) replaced(suffix, how string) error {
	return fmt.Errorf("%w (%w): %s %s", store.ErrFileReplaced, store.ErrUnavailable, f.path+suffix, how)
}

func (f *files) overwritten(suffix string) error {
	return fmt.Errorf("%w: %w", store.ErrFileOverwritten, f.replaced(suffix, "was overwritten"))
}

// filesInterval is how often the files are looked at where nobody writes.
const filesInterval = 500 * time.Millisecond

// watch looks at the files until the context ends, and logs when they go and when they are back.
func (f *files) watch(ctx context.Context, logger *slog.Logger) {
	ticker := time.NewTicker(filesInterval)
	defer ticker.Stop()
	for gone := false; ; {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		err := f.check()
		switch {
		case err != nil && !gone:
			f.leave()
			if f.readable() == nil {
				logger.Error("sqlite: the database's file is gone, and nothing is written until it is back or the server is "+
					"restarted; what was acknowledged before can still be read and exported", "error", err)
			} else {
				logger.Error("sqlite: the database's file is gone, since something else has written over it, and nothing is read "+
					"or written until it is back or the server is restarted", "error", err)
			}
		case err == nil && gone:
			f.takeBack()
			logger.Warn("sqlite: the database's file is back")
		}
		gone = err != nil
	}
}

// close closes what is read beside SQLite, which has closed its own.
func (f *files) close() error {
	if f == nil {
		return nil
	}
	return f.content.close()
}
