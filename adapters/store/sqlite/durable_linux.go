package sqlite

import (
	"os"
	"syscall"
)

// flushData flushes a file's content and size, but not its times, which saves the journal of the file system a write.
func flushData(file *os.File) error {
	for {
		if err := syscall.Fdatasync(int(file.Fd())); err != syscall.EINTR {
			return err
		}
	}
}
