//go:build bench

package main

import (
	"context"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"almanac/internal/cli"
	"almanac/internal/clock"
	"almanac/internal/standin/disk"
)

// The variables that make this program a server: asServer says so, clockFile names the file that says by how many
// nanoseconds its clock is off, diskFile the one that says what the disk of its SQLite is like.
const (
	asServer  = "LEDGER_RUN_AS_ALMANAC"
	clockFile = "LEDGER_CLOCK"
	diskFile  = "LEDGER_DISK"
)

// serveInstead is the product's program, with a clock and a disk that the run can make wrong. It returns the status.
func serveInstead() int {
	program := cli.Program{Version: cli.Version("ledger"), Environ: os.Environ(), Out: os.Stdout, ErrOut: os.Stderr}
	if path := os.Getenv(clockFile); path != "" {
		moved := &movedClock{path: path}
		moved.look()
		go moved.follow(context.Background())
		program.Clock = moved
	}
	var kept any
	if path := os.Getenv(diskFile); path != "" {
		kept = disk.Intercept(path)
	}
	status := program.Main(os.Args[1:])
	runtime.KeepAlive(kept)
	return status
}

// movedClock is the machine's clock, off by what a file says.
type movedClock struct {
	path string
	by   atomic.Int64
}

// Now is the time that the server believes in.
func (c *movedClock) Now() time.Time { return clock.System{}.Now().Add(time.Duration(c.by.Load())) }

func (c *movedClock) look() {
	text, err := os.ReadFile(c.path)
	if err != nil {
		return // not moved yet
	}
	if by, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil {
		c.by.Store(by)
	}
}

func (c *movedClock) follow(ctx context.Context) {
	for ctx.Err() == nil {
		pause(ctx, 10*time.Millisecond)
		c.look()
	}
}

// setClock says by how much the clock of a server that follows the file is off.
func setClock(path string, by time.Duration) error {
	next := path + ".next"
	if err := os.WriteFile(next, strconv.AppendInt(nil, int64(by), 10), 0o600); err != nil {
		return err
	}
	return os.Rename(next, path)
}
