package disk

import (
	"os"
	"syscall"
	"time"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// pwrite is the system call by which SQLite writes, as it is translated from C.
type pwrite = func(tls *libc.TLS, fd int32, from uintptr, n sqlite3.Tsize_t, at sqlite3.Toff_t) sqlite3.Tssize_t

// Intercept makes the writes of this process's SQLite follow the file at state, as long as what it returns is kept
// alive: the garbage collector does not see that SQLite holds it. While there is no file the disk is fine.
//
// The writes of SQLite are intercepted where it calls the system, which its own tests do too
// (https://www.sqlite.org/c3ref/vfs.html, xSetSystemCall), since a small file system can be mounted by root alone and a
// limit on the size of files gives another error than a full disk.
//
//nolint:gosec // the tables of SQLite are addresses, as it is translated from C
func Intercept(state string) (keep any) {
	tls := libc.NewTLS()
	sqlite3.Xsqlite3_initialize(tls)
	address := sqlite3.Xsqlite3_vfs_find(tls, 0)
	vfs := *(**sqlite3.Tsqlite3_vfs)(unsafe.Pointer(&address))
	name, err := libc.CString("pwrite")
	if err != nil {
		panic(err)
	}
	original := (*(*func(*libc.TLS, uintptr, uintptr) uintptr)(unsafe.Pointer(&struct{ uintptr }{vfs.FxGetSystemCall})))(
		tls, address, name)
	write := *(*pwrite)(unsafe.Pointer(&struct{ uintptr }{original}))
	var own pwrite = func(tls *libc.TLS, fd int32, from uintptr, n sqlite3.Tsize_t, at sqlite3.Toff_t) sqlite3.Tssize_t {
		content, err := os.ReadFile(state)
		if err != nil {
			return write(tls, fd, from, n, at)
		}
		switch State(content) {
		case Slow:
			time.Sleep(Delay)
		case Full:
			var file syscall.Stat_t
			if err := syscall.Fstat(int(fd), &file); err == nil && at+int64(n) > file.Size {
				errno := libc.X__errno_location(tls)
				**(**int32)(unsafe.Pointer(&errno)) = int32(syscall.ENOSPC)
				return -1
			}
		}
		return write(tls, fd, from, n, at)
	}
	set := *(*func(*libc.TLS, uintptr, uintptr, uintptr) int32)(unsafe.Pointer(&struct{ uintptr }{vfs.FxSetSystemCall}))
	if code := set(tls, address, name, *(*uintptr)(unsafe.Pointer(&struct{ f pwrite }{own}))); code != sqlite3.SQLITE_OK {
		panic("SQLite has no system call of this name")
	}
	return own
}
