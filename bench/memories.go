//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"almanac/adapters/store/sqlite/nearest"
	"almanac/projections/ngram"
)

// insertedLate is how many memories are added when the index on vectors is there.
const insertedLate = 400

// keepAll is longer than any change of the run is old.
const keepAll = 365 * 24 * time.Hour

// shelf is a store with the memories in it, and what was measured there.
type shelf struct {
	*library
	database database
	store    openedStore
	bare     *bareSQL

	laid, laidLate, laidOthers time.Duration
	// built is what making the index took, first what the first search took after that.
	built, first time.Duration
	// opened, indexed and asked are the memory of the process: with the store open, after the first search, and after all.
	opened, indexed, asked usage
	ways                   []memoryWay
	// rounds are the times of each way, by round.
	rounds []map[string][]time.Duration
	found  []found
	plans  []plan
}

// measureMemories measures memories on the run's database, and on SQLite as well when that is another.
func measureMemories(ctx context.Context, o options, d database, out, progress io.Writer) (err error) {
	fmt.Fprintln(progress, "memories: making them")
	l, err := newLibrary(o)
	if err != nil {
		return err
	}
	l.write(out, o)
	databases := []database{d}
	if d.url != "" {
		dir, err := os.MkdirTemp("", "almanac-bench-memories-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		databases = append(databases, database{dir: dir})
	}
	for _, d := range databases {
		s := &shelf{library: l, database: d}
		if err := s.measure(ctx, o, progress); err != nil {
			return fmt.Errorf("measure memories on %s: %w", s.name(), err)
		}
		s.write(out)
	}
	return nil
}

func (s *shelf) name() string {
	if s.database.url == "" {
		return "SQLite"
	}
	return "PostgreSQL"
}

func (s *shelf) measure(ctx context.Context, o options, progress io.Writer) (err error) {
	fmt.Fprintf(progress, "memories: laying them, %s\n", s.name())
	if err := s.lay(ctx, o.others); err != nil {
		return err
	}
	if s.database.url != "" {
		if s.bare, err = dialBare(ctx, s.database, s.library); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.bare.Close()) }()
	}
	if s.store, err = s.database.open(ctx); err != nil {
		return err
	}
	fmt.Fprintln(progress, "memories: making the index")
	err = s.index(ctx)
	if err == nil {
		fmt.Fprintln(progress, "memories: asking")
		err = s.ask(ctx, o)
	}
	if err == nil {
		s.asked = settledMemory()
		s.laidLate, err = s.insert(ctx, s.store, s.late)
	}
	if err := errors.Join(err, s.store.Close()); err != nil {
		return err
	}
	if s.bare != nil && s.bare.index != "" {
		s.plans, err = s.readPlans(ctx)
	}
	return err
}

// lay adds the memories in calls of insertedAtOnce, and those of others by SQL.
func (s *shelf) lay(ctx context.Context, others int) error {
	opened, err := s.database.open(ctx)
	if err != nil {
		return err
	}
	if err = opened.Migrate(ctx); err == nil {
		if _, err = opened.EnsureUser(ctx, s.user); err == nil {
			s.laid, err = s.insert(ctx, opened, s.memories)
		}
	}
	if err := errors.Join(err, opened.Close()); err != nil {
		return err
	}
	if s.database.url == "" {
		return nil
	}
	start := time.Now()
	if err := layOthers(ctx, s.database, s.library, others); err != nil {
		return fmt.Errorf("lay the memories of others: %w", err)
	}
	s.laidOthers = time.Since(start)
	return s.database.settle(ctx)
}

// index makes what searches by vector need: PostgreSQL's index is made by Sweep, SQLite's is read into memory by the
// first search.
func (s *shelf) index(ctx context.Context) error {
	s.opened = settledMemory()
	if s.bare != nil {
		start := time.Now()
		if err := s.store.Sweep(ctx, s.now, keepAll); err != nil {
			return err
		}
		s.built = time.Since(start)
		if err := s.bare.findIndex(ctx); err != nil {
			return err
		}
	}
	start := time.Now()
	if _, err := s.similar(ctx, s.store, s.queries[0], everything); err != nil {
		return err
	}
	s.first = time.Since(start)
	s.indexed = settledMemory()
	return nil
}

// settledMemory is the memory of this process without what it no longer needs.
func settledMemory() usage {
	debug.FreeOSMemory()
	return memory(os.Getpid())
}

// sentence says in plain words which plan serves searches by vector.
func (s *shelf) sentence() string {
	n := len(s.memories)
	switch {
	case s.bare == nil && n <= nearest.ExactRows:
		return fmt.Sprintf("Plan: exact. Up to %d vectors a search compares the query with each of them, in memory.",
			nearest.ExactRows)
	case s.bare == nil:
		return fmt.Sprintf(
			"Plan: by codes. There are more than %d vectors, so one bit of each of their %d numbers is compared first, in "+
				"memory, and the best are compared exactly. With a filter the nearest are checked "+
				"against it first; where few of them pass, all that pass are compared exactly.", nearest.ExactRows,
			ngram.Model().Dimensions)
	case s.bare.index == "":
		return "Plan: exact. The user has too few vectors for an index of their own, so the server reads and sorts all of " +
			"them."
	default:
		return fmt.Sprintf(
			"Plan: by the user's own index (HNSW, %s MiB), and exact where a filter leaves few; the table below says which way "+
				"was taken, by the server's own count of the index's scans.", mebibytes(s.bare.size))
	}
}
