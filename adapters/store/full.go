package store

import (
	"errors"
	"sync/atomic"
)

// Fullness remembers whether the last write of a driver met a full disk. The zero value is of a driver that has written
// nothing.
type Fullness struct{ met atomic.Bool }

// Note takes the outcome of a write that had something to write. Errors but ErrDiskFull say nothing about the disk.
func (f *Fullness) Note(err error) {
	switch {
	case errors.Is(err, ErrDiskFull):
		f.met.Store(true)
	case err == nil && f.met.Load():
		f.met.Store(false)
	}
}

// Probe returns nil unless the last write met a full disk. Then it tries another, by which the state is noted again, so
// that a server to which nobody writes any more learns that there is room.
func (f *Fullness) Probe(write func() error) error {
	if !f.met.Load() {
		return nil
	}
	err := write()
	f.Note(err)
	return err
}

// ProbeBytes is how much such a write writes, so that it does not fit into what is left of a page.
const ProbeBytes = 64 << 10
