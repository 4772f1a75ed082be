//go:build !linux

package disk

// Intercept says that it cannot.
func Intercept(string) any { panic("the disk of a program can be made bad on Linux only") }
