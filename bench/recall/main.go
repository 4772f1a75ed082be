//go:build bench

// Command recall measures how well memories are found, in the embedded store.
//
// It promises the report of `make bench ARGS="-only recall"`, without a PostgreSQL. README.md says how to read it.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"almanac/adapters/store/sqlite"
	"almanac/bench/recall/report"
	"almanac/bench/recall/set"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "recall:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has been called
	}
}

func run(ctx context.Context, args []string, out, progress io.Writer) (err error) {
	o := report.Everything()
	flags := flag.NewFlagSet("recall", flag.ContinueOnError)
	flags.SetOutput(progress)
	written := flags.String("set", "", "measure a written set alone: dev to dev4, second, third, fourth or fresh")
	file := flags.String("file", "", "measure a written set alone that is in this file, of the form of fresh.txt")
	verbose := flags.Bool("v", false, "with -set or -file: write each query whose first hit is wrong")
	flags.IntVar(&o.Memories, "memories", o.Memories, "how many memories the set has")
	flags.IntVar(&o.Index, "index", o.Index, "how many memories the index is measured with; 0 for none")
	flags.IntVar(&o.Asked, "asked", o.Asked, "how many queries ask the index")
	if err := flags.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "almanac-recall-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(dir, "almanac.db")})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Migrate(ctx); err != nil {
		return err
	}
	if *written != "" || *file != "" {
		of, err := labelled(*written, *file)
		if err != nil {
			return err
		}
		return report.Labelled(ctx, s, cmp.Or(*file, *written), of, *verbose, out)
	}
	return report.Run(ctx, s, o, out, progress)
}

func labelled(name, file string) (set.Set, error) {
	if file == "" {
		return set.Labelled(name)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return set.Set{}, err
	}
	return set.ReadLabelled(string(text))
}
