package sqlite

import "golang.org/x/sys/unix"

// keepsTimes reports whether the file lies where its time of change moves when it is written, and never else. What is
// shared over a network or with another system may set it later.
func keepsTimes(path string) bool {
	var system unix.Statfs_t
	if err := unix.Statfs(path, &system); err != nil {
		return false
	}
	switch uint32(system.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC,
		unix.F2FS_SUPER_MAGIC:
		return true
	}
	return false
}
