//go:build bench

// Command bench measures Almanac against the handler that one would write by hand and against gqlgen's own, over the
// same rows of the same database; what it adds to Google's calendar and mail, against the client library alone; and how
// fast and how well memories are found.
//
// It promises that every server is a process of its own, that their answers were compared before anything is measured,
// that the rounds of all are interleaved in an order of chance, and that ratios are taken within a round. README.md
// says how to read what it prints.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"almanac/bench/compacttext"
	"almanac/bench/websets"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has been called
	}
}

func run(ctx context.Context, args []string, out, progress io.Writer) error {
	if name := os.Getenv(childVariable); name != "" {
		if name == childFlood {
			return floodServer(ctx, os.Stdin, out)
		}
		return child(ctx, name, out)
	}
	o, err := readOptions(args, progress)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "almanac-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	d, drop, err := newDatabase(ctx, o.store, dir)
	if err != nil {
		return err
	}
	defer drop()
	if o.profile != "" {
		w, err := lay(ctx, d, o, progress)
		if err != nil {
			return err
		}
		return profile(ctx, o, d, w)
	}
	program := ""
	if o.wants(partTask) || o.wants(partLive) || o.wants(partSilent) || o.wants(partStart) || o.wants(partCost) ||
		o.wants(partFair) || o.wants(partDearest) {
		fmt.Fprintln(progress, "building almanac")
		if program, err = buildAlmanac(ctx, dir); err != nil {
			return err
		}
	}
	writeMachine(out, time.Now(), d.version(ctx), commandOf(args))
	if o.wants(partTask) {
		if err := measureTasks(ctx, o, d, program, out, progress); err != nil {
			return err
		}
	}
	if o.wants(partGrowth) {
		if err := measureGrowth(ctx, o, d, out, progress); err != nil {
			return err
		}
	}
	if o.wants(partEvent) {
		if err := measureEvents(ctx, o, d, out, progress); err != nil {
			return err
		}
	}
	if o.wants(partKept) {
		if err := measureKept(ctx, o, d, out, progress); err != nil {
			return err
		}
	}
	if o.wants(partMail) {
		if err := measureMail(ctx, o, d, out, progress); err != nil {
			return err
		}
	}
	if o.wants(partMemories) {
		if err := measureMemories(ctx, o, d, out, progress); err != nil {
			return err
		}
	}
	if o.wants(partRecall) {
		if err := measureRecall(ctx, o, d, out, progress); err != nil {
			return err
		}
	}
	if o.wants(partCompact) {
		fmt.Fprintln(progress, "writing compact text")
		if err := compacttext.Run(ctx, compacttext.Repeats, out); err != nil {
			return err
		}
	}
	if o.wants(partWebsets) {
		fmt.Fprintln(progress, "reading websets")
		if err := websets.Run(ctx, out); err != nil {
			return err
		}
	}
	if o.wants(partLive) {
		if err := measureLive(ctx, o, d, program, out, progress); err != nil {
			return err
		}
	}
	if o.wants(partSilent) {
		if err := measureSilent(ctx, d, program, out, progress); err != nil {
			return err
		}
	}
	if o.wants(partCost) {
		if err := measureCost(ctx, o, program, dir, out, progress); err != nil {
			return err
		}
	}
	if o.wants(partFair) {
		if err := measureFair(ctx, o, d, program, out, progress); err != nil {
			return err
		}
	}
	if o.wants(partDearest) {
		if err := measureDearest(ctx, o, program, dir, out, progress); err != nil {
			return err
		}
	}
	if o.wants(partStart) && o.starts > 0 {
		started, err := measureStartup(ctx, program, dir, o.starts, progress)
		if err != nil {
			return err
		}
		started.write(out, program)
	}
	return nil
}

// measureTasks lays the data and measures everything that stays in the database.
func measureTasks(ctx context.Context, o options, d database, program string, out, progress io.Writer) error {
	w, err := lay(ctx, d, o, progress)
	if err != nil {
		return err
	}
	writeWorld(out, o)
	if err := measureAll(ctx, o, d, w, program, out, progress); err != nil {
		return err
	}
	if !o.allocations {
		return nil
	}
	fmt.Fprintln(progress, "counting allocations")
	return writeAllocations(ctx, out, d, w, o.cases)
}

// commandOf is how a person would call this.
func commandOf(args []string) string {
	if len(args) == 0 {
		return "make bench"
	}
	return `make bench ARGS="` + strings.Join(args, " ") + `"`
}

// lay fills the database.
func lay(ctx context.Context, d database, o options, progress io.Writer) (*world, error) {
	fmt.Fprintln(progress, "laying the data")
	w, err := newWorld(time.Now(), o.users, o.writers())
	if err != nil {
		return nil, err
	}
	s, err := d.open(ctx)
	if err != nil {
		return nil, err
	}
	err = s.Migrate(ctx)
	if err == nil {
		err = fill(ctx, s, w, d.clock()(), o.deep)
	}
	if err := errors.Join(err, s.Close()); err != nil {
		return nil, fmt.Errorf("lay the data: %w", err)
	}
	return w, d.settle(ctx)
}

// measureAll starts the servers, holds their answers against each other, and measures.
func measureAll(ctx context.Context, o options, d database, w *world, program string, out,
	progress io.Writer) (err error) {
	servers, stop, err := startServers(ctx, o.servers, program, d)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	r := newRunner(w, d, servers, o, progress)
	if err := r.ready(ctx); err != nil {
		return err
	}
	if err := r.run(ctx); err != nil {
		return err
	}
	r.writeReport(out)
	return nil
}

func newRunner(w *world, d database, servers []*server, o options, progress io.Writer) *runner {
	return &runner{
		world: w, database: d, servers: servers, cases: o.cases, options: o, progress: progress,
		random: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())), //nolint:gosec // it chooses questions
	}
}

// ready finds the late page, compares the answers and makes the requests.
func (r *runner) ready(ctx context.Context) error {
	if r.options.needsDepth() {
		if err := r.findPlace(ctx, r.options.late, r.options.size); err != nil {
			return err
		}
	}
	fmt.Fprintln(r.progress, "comparing the answers")
	if err := r.compare(ctx); err != nil {
		return err
	}
	return r.prepare()
}
