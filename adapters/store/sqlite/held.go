package sqlite

import (
	"errors"
	"os"
	"sync"
)

// held are files that are read beside SQLite, by all stores of the process. A process's locks on a file end when any
// descriptor of it is closed (POSIX), SQLite's too, so each file is opened once and closed when no store uses it.
var held heldFiles

type heldFiles struct {
	mu    sync.Mutex
	files []*heldFile
}

type heldFile struct {
	*os.File
	info os.FileInfo
	uses int
}

// open returns the file of this name; close must follow, after SQLite has closed the file.
func (h *heldFiles) open(path string) (*os.File, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	for _, known := range h.files {
		if os.SameFile(known.info, info) {
			known.uses++
			return known.File, nil
		}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	h.files = append(h.files, &heldFile{File: file, info: info, uses: 1})
	return file, nil
}

func (h *heldFiles) close(file *os.File) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, known := range h.files {
		if known.File != file {
			continue
		}
		if known.uses--; known.uses > 0 {
			return nil
		}
		h.files = append(h.files[:i], h.files[i+1:]...)
		return file.Close()
	}
	return errors.New("sqlite: a file that was not opened is closed")
}
