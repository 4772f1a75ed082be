//go:build !linux

package sqlite

// keepsTimes is false where it is not known when a file's time of change moves.
func keepsTimes(string) bool { return false }
