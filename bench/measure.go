//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"almanac/bench/load"
)

// prepared is how many requests of a reading case are made in advance.
const prepared = 1_000

// slot is one server under one case at one number of connections.
type slot struct {
	caseName    string
	connections int
	server      string
}

// sample is what one round says of a slot.
type sample struct {
	perSecond float64
	p50, p99  time.Duration
	// cpu and database are processor time for each request, of the server and of PostgreSQL; zero when not known.
	cpu, database time.Duration
	bytes         float64
}

// runner measures.
type runner struct {
	world    *world
	database database
	servers  []*server
	cases    []benchCase
	options  options
	progress io.Writer
	random   *rand.Rand
	// requests are those prepared, by case and dialect.
	requests map[string]map[dialect][][]byte
	samples  map[slot][]sample
}

// compare asks every server each question once and wants the same content from all.
func (r *runner) compare(ctx context.Context) error {
	for _, c := range r.cases {
		if err := r.compareCase(ctx, c); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

func (r *runner) compareCase(ctx context.Context, c benchCase) error {
	for range 3 {
		q := c.ask(r.world, r.random)
		var first any
		for i, s := range r.servers {
			if c.writes { // a second task of the same text would be refused
				q.asker = r.world.writers[i]
			}
			got, err := askOnce(ctx, s, q)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if i == 0 {
				first = got
				continue
			}
			if found := difference("answer", first, got, c.writes); found != "" {
				return fmt.Errorf("%s answers other than %s: %s", s.name, r.servers[0].name, found)
			}
		}
	}
	return nil
}

// askOnce asks one question on a connection of its own.
func askOnce(ctx context.Context, s *server, q question) (any, error) {
	raw, err := s.dialect.raw(q)
	if err != nil {
		return nil, err
	}
	conn, err := load.Dial(ctx, s.address)
	if err != nil {
		return nil, err
	}
	status, body, err := conn.Do(raw)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	content, err := s.dialect.content(status, body)
	return content, errors.Join(err, conn.Close())
}

// prepare makes the requests of the reading cases.
func (r *runner) prepare() error {
	r.requests = make(map[string]map[dialect][][]byte)
	for _, c := range r.cases {
		if c.writes {
			continue
		}
		byDialect := make(map[dialect][][]byte)
		for range prepared {
			q := c.ask(r.world, r.random)
			for _, s := range r.servers {
				if len(byDialect[s.dialect]) > prepared {
					continue
				}
				raw, err := s.dialect.raw(q)
				if err != nil {
					return err
				}
				byDialect[s.dialect] = append(byDialect[s.dialect], raw)
			}
		}
		r.requests[c.name] = byDialect
	}
	return nil
}

// next returns the source of a case's requests in a dialect.
func (r *runner) next(c benchCase, d dialect, connections int) func(connection int) []byte {
	randoms := make([]*rand.Rand, connections)
	for i := range randoms {
		randoms[i] = rand.New(rand.NewPCG(r.random.Uint64(), r.random.Uint64())) //nolint:gosec // it chooses questions
	}
	if !c.writes {
		ready := r.requests[c.name][d]
		return func(connection int) []byte { return ready[randoms[connection].IntN(len(ready))] }
	}
	return func(connection int) []byte {
		raw, err := d.raw(c.ask(r.world, randoms[connection]))
		if err != nil {
			panic(err) // questions are ours and always encode
		}
		return raw
	}
}

// run measures every slot once in each round, in an order that is new in each.
func (r *runner) run(ctx context.Context) error {
	r.samples = make(map[slot][]sample)
	for round := range r.options.rounds {
		fmt.Fprintf(r.progress, "round %d of %d, load average %s\n", round+1, r.options.rounds, loadAverage())
		// The servers of one case follow each other closely, so that whatever else the machine does meets all of them.
		for _, at := range r.random.Perm(len(r.cases)) {
			for _, connections := range r.options.connections {
				for _, i := range r.random.Perm(len(r.servers)) {
					if err := r.measure(ctx, r.cases[at], r.servers[i], connections); err != nil {
						return fmt.Errorf("%s of %s: %w\n%s", r.cases[at].name, r.servers[i].name, err, r.servers[i].said())
					}
				}
			}
		}
	}
	return nil
}

func (r *runner) measure(ctx context.Context, c benchCase, s *server, connections int) error {
	var cpu, database time.Duration
	result, err := load.Run(ctx, load.Plan{
		Address: s.address, Connections: connections, WarmUp: r.options.length / 5, Length: r.options.length,
		Next: r.next(c, s.dialect, connections), Check: checker(c),
		Begin: func() { cpu, database = processCPU(s.pid()), familyCPU(r.database.postmaster) },
		End: func() {
			cpu, database = processCPU(s.pid())-cpu, familyCPU(r.database.postmaster)-database
		},
	})
	if err != nil {
		return err
	}
	count := time.Duration(result.Requests)
	key := slot{caseName: c.name, connections: connections, server: s.name}
	r.samples[key] = append(r.samples[key], sample{
		perSecond: result.PerSecond(), p50: result.Percentile(50), p99: result.Percentile(99),
		cpu: cpu / count, database: database / count, bytes: float64(result.Bytes) / float64(count),
	})
	return nil
}

// findPlace walks over the pages of the user with very many tasks, to the end of the page before the late one.
func (r *runner) findPlace(ctx context.Context, late, size int) error {
	r.world.place.id = r.world.deep.open[(late-1)*size-1]
	at := slices.IndexFunc(r.servers, func(s *server) bool { return s.dialect == graphql })
	if at < 0 {
		return nil
	}
	var cursor any
	for left := (late - 1) * size; left > 0; {
		first := min(left, 100)
		content, err := askOnce(ctx, r.servers[at], question{
			asker: r.world.deep, query: cursorsQuery, variables: object{"first": first, "after": cursor},
		})
		if err != nil {
			return fmt.Errorf("walk to page %d: %w", late, err)
		}
		cursor = dig(dig(dig(content, "tasks"), "pageInfo"), "endCursor")
		left -= first
	}
	r.world.place.cursor, _ = cursor.(string)
	return nil
}

func dig(value any, field string) any {
	fields, _ := value.(map[string]any)
	return fields[field]
}
