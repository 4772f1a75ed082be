package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// flusher makes commits survive the loss of power.
//
// SQLite can do so itself (synchronous = FULL), but then each commit waits for the disk while it holds the only right
// to write. Here the commit only hands the log to the system, the next writer goes on at once, and all who have
// committed meanwhile wait for one flush together. The log is a file of its own on which SQLite holds no locks, so a
// second descriptor on it is safe, and flushing it flushes what was written through any. What is checkpointed out of
// the log into the database SQLite flushes itself.
type flusher struct {
	path string
	// file is the log, opened by the first flush.
	file *os.File
	// sync flushes the log; one goroutine at a time calls it.
	sync func() error

	mu      sync.Mutex
	done    sync.Cond
	running bool
	// asked counts those who came, flushed those who came before the last flush began.
	asked, flushed uint64
	// broken is the error of a flush that failed. The system may then have dropped what was to be written and forgotten
	// it, so no later flush can be believed, and nothing more is acknowledged until the file is opened anew.
	broken error
}

func newFlusher(path string) *flusher {
	f := &flusher{path: path}
	f.done.L = &f.mu
	f.sync = f.syncFile
	return f
}

// flush returns when everything that was committed before the call is on the disk.
func (f *flusher) flush() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked++
	for mine := f.asked; f.flushed < mine && f.broken == nil; {
		if f.running {
			f.done.Wait()
			continue
		}
		f.running = true
		upTo := f.asked
		f.mu.Unlock()
		err := f.sync()
		f.mu.Lock()
		f.running = false
		f.flushed = upTo
		if err != nil {
			f.broken = fmt.Errorf("flush the database's log to the disk: %w", err)
		}
		f.done.Broadcast()
	}
	return f.broken
}

// failed reports whether a flush has failed.
func (f *flusher) failed() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.broken
}

// syncFile flushes the log, and the first time also makes its name durable.
func (f *flusher) syncFile() error {
	if f.file == nil {
		file, err := os.OpenFile(f.path, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		f.file = file
		syncFolder(filepath.Dir(f.path))
	}
	return flushData(f.file)
}

// syncFolder makes the names in a folder durable. Not every system can; the files themselves are flushed all the same.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}

func (f *flusher) close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
