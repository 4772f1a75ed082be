//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"almanac/internal/standin/disk"
)

// harness is what all scenarios of a run share: the program and, once somebody needs it, a PostgreSQL.
type harness struct {
	dir, program string
	options      options
	cluster      *cluster
	citus        *cluster
	stages       int
	// servers are all that were ever started, so that none outlives the run, however it ends.
	servers []*server
}

// killServers ends what a run that broke off has left.
func (h *harness) killServers() {
	for _, one := range h.servers {
		one.kill()
	}
}

// postgres starts the run's PostgreSQL, or its Citus, with the first scenario that needs it.
func (h *harness) postgres(ctx context.Context, sc scenario) (c *cluster, err error) {
	switch {
	case sc.citus && h.citus == nil:
		h.citus, err = newCitus(ctx, h.options.citus, h.dir)
	case !sc.citus && h.cluster == nil:
		h.cluster, err = newCluster(ctx, h.dir)
	}
	if sc.citus {
		return h.citus, err
	}
	return h.cluster, err
}

// stage is what a scenario plays on: fresh data, one server or two, and whatever stands between.
type stage struct {
	servers []*server
	cluster *cluster // nil with SQLite
	proxy   *proxy   // nil unless the scenario has one
	// open reads the data past the servers; file is SQLite's.
	open func() (rowsReader, error)
	file string
	// disk is the file that says what the disk of SQLite is like; database is PostgreSQL's, past every proxy.
	disk, database string
	recovery       *recovery
	random         *rand.Rand
	// down are servers that a fault has ended and that it will start again, as bits; writers then try the other one.
	down atomic.Uint32
	// marks counts what the faults did and saw.
	marks map[string]int
	// terms are how the servers ended that were asked to.
	terms  []termination
	faults int
}

// newStage lays fresh data and starts the servers.
func (h *harness) newStage(ctx context.Context, sc scenario) (*stage, error) {
	h.stages++
	dir := filepath.Join(h.dir, fmt.Sprintf("stage-%d", h.stages))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	s := &stage{recovery: &recovery{}, marks: map[string]int{},
		random: rand.New(rand.NewPCG(h.options.seed, uint64(h.stages)))} //nolint:gosec // faults, no secret
	settings := slices.Clone(sc.settings)
	if sc.store == storePostgres {
		c, err := h.postgres(ctx, sc)
		if err != nil {
			return nil, err
		}
		name, err := c.newDatabase(ctx)
		if err != nil {
			return nil, fmt.Errorf("make a database: %w", err)
		}
		address := c.address
		if sc.proxied {
			if s.proxy, err = newProxy(ctx, c.address); err != nil {
				return nil, err
			}
			address = s.proxy.address()
		}
		if sc.standby {
			c.late = h.options.plant == plantLate
			if err := c.follow(ctx); err != nil {
				return nil, err
			}
		}
		s.cluster = c
		s.open = func() (rowsReader, error) { return openPostgres(ctx, c.url(name)) }
		s.database = c.url(name)
		settings = append(settings, "ALMANAC_DATABASE_URL="+c.urlBy(address, name))
	} else {
		s.file = filepath.Join(dir, "data", "almanac.db")
		s.open = func() (rowsReader, error) { return openSQLite(s.file) }
		settings = append(settings, "ALMANAC_DATA_DIR="+filepath.Dir(s.file))
		if sc.badDisk {
			s.disk = filepath.Join(dir, "disk")
			settings = append(settings, diskFile+"="+s.disk)
		}
	}
	for i := range max(sc.servers, 1) {
		own, clock := settings, ""
		if sc.badClock {
			clock = filepath.Join(dir, fmt.Sprintf("clock-%d", i))
			own = append(slices.Clone(settings), clockFile+"="+clock)
		}
		one, err := newServer(ctx, h.program, dir, own...)
		if err != nil {
			return nil, err
		}
		one.clock = clock
		h.servers = append(h.servers, one)
		if err := one.start(); err != nil {
			return nil, err
		}
		s.servers = append(s.servers, one)
	}
	if sc.badDisk && s.cluster != nil {
		return s, s.cluster.exec(ctx, s.database, disk.PostgresSwitch()...)
	}
	return s, nil
}

// breakThings breaks one thing after another until the time of the scenario is over, multiplied by scale.
func (s *stage) breakThings(ctx context.Context, sc scenario, scale float64) error {
	until := time.Now().Add(time.Duration(float64(sc.duration) * scale))
	for {
		pause(ctx, s.between(sc.least, sc.most))
		if ctx.Err() != nil || time.Now().After(until) {
			return ctx.Err()
		}
		if err := sc.fault(ctx, s); err != nil {
			return err
		}
		s.faults++
	}
}

// where returns an address of a server that is up as far as anybody knows; chance chooses among several.
func (s *stage) where(random *rand.Rand) func() string {
	return func() string {
		down := s.down.Load()
		i := random.IntN(len(s.servers))
		for range s.servers {
			if down&(1<<i) == 0 {
				break
			}
			i = (i + 1) % len(s.servers)
		}
		return s.servers[i].address
	}
}

// close ends everything, gently; an error says that a server did not end as it should.
func (s *stage) close() error {
	var errs []error
	for _, one := range s.servers {
		if _, err := one.term(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			errs = append(errs, fmt.Errorf("a server ended with %w\n%s", err, one.said()))
		}
	}
	if s.proxy != nil {
		s.proxy.close()
	}
	if s.cluster != nil {
		errs = append(errs, s.cluster.unfollow(context.Background()))
	}
	return errors.Join(errs...)
}

// collectLogs takes over what the servers have said, and whether they ended by themselves.
func (s *stage) collectLogs(r *result) {
	for _, one := range s.servers {
		counts, alarms, err := logLines(one.log.Name())
		if err != nil {
			alarms = append(alarms, err.Error())
		}
		for line, n := range counts {
			r.logs[line] += n
		}
		for _, surprise := range one.surprises {
			r.breaches.note(&r.breaches.other, "a server ended by itself, or by a hand from outside, before %s", surprise)
		}
		for _, alarm := range alarms {
			r.breaches.note(&r.breaches.other, "a line that no log should have: %s", alarm)
		}
	}
}
