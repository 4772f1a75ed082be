//go:build !linux

package sqlite

import "os"

// flushData flushes a file.
func flushData(file *os.File) error { return file.Sync() }
