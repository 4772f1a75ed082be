//go:build bench

// Command ledger breaks things while many clients write to Almanac, and then audits: no acknowledged write is lost, no
// Idempotency-Key is applied twice, the change log has no gap, every subscription has heard each change once and in
// order, and nothing leaks.
//
// It promises that it asks the database itself, past the server, what is there; that its clients retry as good clients
// do and hide no failure from the count; and that it ends with an error when a promise was broken. README.md says how
// to read what it prints.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	if os.Getenv(asServer) != "" {
		os.Exit(serveInstead())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "ledger:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has been called
	}
}

// errBroken says that the run went to its end and some promise did not hold.
var errBroken = errors.New("a promise was broken; see BREACH above")

func run(ctx context.Context, args []string, out, progress io.Writer) (err error) {
	o, err := readOptions(args, progress)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "ledger-")
	if err != nil {
		return err
	}
	if o.keep {
		fmt.Fprintln(progress, "data and logs are kept in", dir)
	} else {
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	// PostgreSQL's own user has to pass through.
	if err := os.Chmod(dir, 0o711); err != nil { //nolint:gosec // what is in it has rights of its own
		return err
	}
	program, err := buildServer(ctx, dir, o.race)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, %d processors, seed %d, %d users with %d writers each: go run -tags bench ./bench/ledger %s\n",
		time.Now().UTC().Format(time.DateTime), runtime.NumCPU(), o.seed, o.users, o.perUser, strings.Join(args, " "))
	h := &harness{dir: dir, program: program, options: o}
	defer func() {
		h.killServers()
		for _, c := range []*cluster{h.cluster, h.citus} {
			if c != nil {
				err = errors.Join(err, c.remove())
			}
		}
	}()
	return h.runAll(ctx, out, progress)
}

func (h *harness) runAll(ctx context.Context, out, progress io.Writer) error {
	began := time.Now()
	var all []*result
	for _, sc := range h.options.scenarios {
		fmt.Fprintln(progress, sc.name+":", sc.what)
		var one runner = &play{harness: h}
		if sc.run != nil {
			one = sc.run(h)
		}
		r, err := one.run(ctx, sc)
		if err != nil {
			return fmt.Errorf("%s: %w", sc.name, err)
		}
		r.write(out)
		all = append(all, r)
	}
	writeSummary(out, all)
	fmt.Fprintf(out, "all of it took %v\n", time.Since(began).Round(time.Second))
	for _, r := range all {
		if r.breaches.total() > 0 {
			return errBroken
		}
	}
	return nil
}
