package sqlite

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
)

// A log belongs to one file. When another one takes its place while the log stays, SQLite would write the old one's log
// into the new one at the next start, and damage it. So whoever finds the file gone leaves a note beside it, which says
// what the file and the log were, and the next start puts such a log out of the way.

const (
	// noteSuffix is what the note's name ends with, and asideSuffix the name of a log that was put out of the way.
	noteSuffix  = "-replaced"
	asideSuffix = "-wal-of-replaced"
)

// leave writes the note. Where that is not possible, SQLite is left to do what it does.
func (f *files) leave() {
	header, salt := f.content.last()
	_ = os.WriteFile(f.path+noteSuffix, append(header[:], salt[:]...), 0o600)
}

// takeBack removes the note, since the file is back.
func (f *files) takeBack() { _ = os.Remove(f.path + noteSuffix) }

// last returns what the database's file began with, and the log's salt, before they were found gone.
func (c *content) last() (header databaseHeader, salt [8]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.header, c.at.salt
}

// putAside follows the note, if there is one, before SQLite opens the database: unless the file is the one that was
// gone, its log is renamed, and the log's index removed, which SQLite makes anew.
func putAside(path string, logger *slog.Logger) error {
	note, err := os.ReadFile(path + noteSuffix)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var header databaseHeader
	var salt [8]byte
	if len(note) == len(header)+len(salt) && !bytes.Equal(start(path, header[:]), note[:len(header)]) &&
		bytes.Equal(start(path+suffixes[1], make([]byte, logHeader))[logSalt:logSalt+len(salt)], note[len(header):]) {
		if err := os.Rename(path+suffixes[1], path+asideSuffix); err != nil {
			return err
		}
		if err := os.Remove(path + suffixes[2]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		logger.Warn("sqlite: the database's file was replaced while a server ran; the log of the one before, with its last "+
			"writes, is not for this one and was renamed", "file", path+asideSuffix)
	}
	return os.Remove(path + noteSuffix)
}

// start reads what a file begins with into buffer, which it returns; of what is not there it has zeros. The file is
// closed, so no connection of this process may have it open.
func start(path string, buffer []byte) []byte {
	file, err := os.Open(path)
	if err != nil {
		return buffer
	}
	defer file.Close() //nolint:errcheck // it is only read
	_, _ = file.ReadAt(buffer, 0)
	return buffer
}
