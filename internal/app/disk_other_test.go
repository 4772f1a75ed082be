//go:build !linux

package app_test

import "testing"

// diskState is used on Linux, where the writes of SQLite can be intercepted.
const diskState = "E2E_DISK_STATE"

// interceptWrites says that it cannot.
func interceptWrites(string) any { panic("the disk of a server can be made full on Linux only") }

func setDisk(t *testing.T, _, _ string) {
	t.Helper()
	t.Fatal("the disk of a server can be made full on Linux only")
}
