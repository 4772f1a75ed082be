package sqlite

import (
	"fmt"
	"math/rand/v2"
)

// stampEvery is how many frames of the log share a stamp; SQLite writes the log back from a thousand on.
const stampEvery = 500

// stamped is where in the log the last stamp of this process was set.
type stamped struct {
	salt   [8]byte
	frames int64
}

// stamp writes into the database's first page another random number: first when the log has begun anew, and then after
// every stampEvery frames. It tells an older copy of the file, whose first page may be the same otherwise, from the
// file as it is (see content.go). The number is the one by which an application may mark its files (PRAGMA
// application_id), which says nothing here. The caller is about to commit.
func (s *Store) stamp(c *conn) error {
	index, ok := readIndex(s.files.content.index)
	if !ok || index.salt == s.stamped.salt && index.frames < s.stamped.frames+stampEvery {
		return nil
	}
	//nolint:gosec // nobody gains anything from foretelling it
	if err := script(c.Conn, fmt.Sprintf("PRAGMA application_id = %d;", int32(rand.Uint32()))); err != nil {
		return err
	}
	s.stamped = stamped{salt: index.salt, frames: index.frames}
	return nil
}
