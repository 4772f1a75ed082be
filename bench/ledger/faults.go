//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"almanac/internal/standin/disk"
)

// fault breaks something and mends it again. It returns when everything is up, and an error when something did not come
// back.
type fault func(ctx context.Context, s *stage) error

// termination is how a server ended that was asked to.
type termination struct {
	took time.Duration
	err  error
}

// between returns a length of time by chance.
func (s *stage) between(least, most time.Duration) time.Duration {
	return least + time.Duration(s.random.Int64N(int64(most-least)))
}

// killServer kills a server and starts it again; now and then it is killed once more while it starts.
func killServer(ctx context.Context, s *stage) error {
	i := s.random.IntN(len(s.servers))
	one := s.servers[i]
	s.down.Store(1 << i)
	defer s.down.Store(0)
	killed := time.Now()
	one.kill()
	s.marks["server killed (-9)"]++
	if len(s.servers) > 1 {
		pause(ctx, s.between(0, time.Second))
	} else {
		s.recovery.begin(killed)
	}
	for s.random.IntN(5) == 0 {
		if _, err := one.launch(); err != nil {
			return err
		}
		pause(ctx, s.between(0, 60*time.Millisecond))
		one.kill()
		s.marks["server killed (-9) while it started"]++
	}
	return one.start()
}

// restartServer asks a server to end, as a deployment does, and starts it again.
func restartServer(_ context.Context, s *stage) error {
	i := s.random.IntN(len(s.servers))
	one := s.servers[i]
	s.down.Store(1 << i)
	defer s.down.Store(0)
	took, err := one.term()
	s.marks["server restarted (SIGTERM)"]++
	s.terms = append(s.terms, termination{took, err})
	if errors.Is(err, errCutOff) {
		return err
	}
	if len(s.servers) == 1 {
		s.recovery.begin(time.Now())
	}
	return one.start()
}

// killOrRestart is what two servers on one database meet.
func killOrRestart(ctx context.Context, s *stage) error {
	if s.random.IntN(4) == 0 {
		return restartServer(ctx, s)
	}
	return killServer(ctx, s)
}

// freezeServer stops a server's process for a while and lets it go on.
func freezeServer(ctx context.Context, s *stage) error {
	one := s.servers[s.random.IntN(len(s.servers))]
	if err := one.signal(syscall.SIGSTOP); err != nil {
		return err
	}
	pause(ctx, s.between(100*time.Millisecond, 3*time.Second))
	s.marks["server stopped and continued (SIGSTOP, SIGCONT)"]++
	s.recovery.begin(time.Now())
	return one.signal(syscall.SIGCONT)
}

// killPostgres kills PostgreSQL whole, or one session of it, or ends it in order; and starts it again.
func killPostgres(ctx context.Context, s *stage) error {
	switch dice := s.random.IntN(10); {
	case dice < 6:
		if err := s.cluster.killAll(); err != nil {
			return err
		}
		s.marks["PostgreSQL killed (-9), all processes"]++
	case dice < 9:
		err := s.cluster.killOne(ctx)
		if err != nil && !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH) {
			return err
		}
		s.marks["PostgreSQL killed (-9), one session"]++
		pause(ctx, 20*time.Millisecond)
		err = s.cluster.ready(ctx, s.cluster.node)
		s.recovery.begin(time.Now())
		return err
	default:
		if err := s.cluster.stopFast(); err != nil {
			return err
		}
		s.marks["PostgreSQL restarted (fast)"]++
	}
	pause(ctx, s.between(0, 1500*time.Millisecond))
	err := s.cluster.start(ctx, s.cluster.node)
	s.recovery.begin(time.Now())
	return err
}

// breakNetwork breaks the connections between server and PostgreSQL in one of the ways of the proxy.
func breakNetwork(ctx context.Context, s *stage) error {
	bytes := int64(1 + s.random.IntN(4096))
	kinds := []struct {
		name          string
		mode          mode
		least, most   time.Duration
		reset, seldom bool
	}{
		{name: "all connections reset", mode: openRoad(), least: 0, most: time.Millisecond, reset: true},
		{name: "stalled, then on", mode: mode{stall: true, toServer: -1, toClient: -1}, least: 100 * time.Millisecond,
			most: 3 * time.Second},
		{name: "stalled, then reset", mode: mode{stall: true, toServer: -1, toClient: -1}, least: 100 * time.Millisecond,
			most: 3 * time.Second, reset: true},
		{name: "answers swallowed, then reset", mode: mode{deaf: true, toServer: -1, toClient: -1},
			least: 5 * time.Millisecond, most: 300 * time.Millisecond, reset: true},
		{name: "reset after n bytes to PostgreSQL", mode: mode{toServer: bytes, toClient: -1}, least: 100 * time.Millisecond,
			most: time.Second},
		{name: "reset after n bytes from PostgreSQL", mode: mode{toServer: -1, toClient: bytes},
			least: 100 * time.Millisecond, most: time.Second},
		{name: "reset and refused", mode: mode{refuse: true, toServer: -1, toClient: -1}, least: 100 * time.Millisecond,
			most: 2 * time.Second, reset: true},
		{name: "stalled for longer than any time limit, then reset", mode: mode{stall: true, toServer: -1, toClient: -1},
			least: 11 * time.Second, most: 12 * time.Second, reset: true, seldom: true},
	}
	kind := kinds[s.random.IntN(len(kinds))]
	if kind.seldom && s.marks["network: "+kind.name] > 0 {
		kind = kinds[s.random.IntN(len(kinds)-1)]
	}
	if kind.mode.refuse {
		s.proxy.resetAll()
	}
	s.proxy.set(kind.mode)
	pause(ctx, s.between(kind.least, kind.most))
	if kind.reset {
		s.proxy.resetAll()
	}
	s.proxy.set(openRoad())
	s.marks["network: "+kind.name]++
	s.recovery.begin(time.Now())
	return nil
}

// oneOf does one of the faults, by chance.
func oneOf(faults ...fault) fault {
	return func(ctx context.Context, s *stage) error { return faults[s.random.IntN(len(faults))](ctx, s) }
}

// hangPostgres lets PostgreSQL answer nothing for a while; once in a run for longer than a call may take.
func hangPostgres(ctx context.Context, s *stage) error {
	const name = "PostgreSQL stopped and continued (SIGSTOP, SIGCONT)"
	long := s.between(200*time.Millisecond, 3*time.Second)
	if s.marks[name] == 1 {
		long = s.between(11*time.Second, 12*time.Second)
	}
	proceed, err := s.cluster.stop()
	if err != nil {
		return err
	}
	pause(ctx, long)
	s.marks[name]++
	s.recovery.begin(time.Now())
	proceed()
	return nil
}

// fillDisk fills the disk of the database and makes room again. SQLite writes over its log for a second or so before it
// needs more.
func fillDisk(ctx context.Context, s *stage) error {
	if err := s.setDisk(ctx, disk.Full, disk.PostgresFull); err != nil {
		return err
	}
	pause(ctx, s.between(time.Second, 4*time.Second))
	s.marks["disk full, then not"]++
	s.recovery.begin(time.Now())
	return s.setDisk(context.WithoutCancel(ctx), disk.Fine, disk.PostgresFine)
}

// slowDisk makes every write of SQLite wait for a while.
func slowDisk(ctx context.Context, s *stage) error {
	if err := disk.Set(s.disk, disk.Slow); err != nil {
		return err
	}
	pause(ctx, s.between(200*time.Millisecond, 2*time.Second))
	s.marks["disk slow, then not"]++
	return disk.Set(s.disk, disk.Fine)
}

func (s *stage) setDisk(ctx context.Context, state disk.State, statement string) error {
	if s.cluster != nil {
		return s.cluster.exec(ctx, s.database, statement)
	}
	return disk.Set(s.disk, state)
}

// removeFile takes the database's file, or its log, away from under the server, sometimes with a copy in its place, and
// puts it back.
func removeFile(ctx context.Context, s *stage) error {
	name := s.file
	if s.random.IntN(2) == 0 {
		name += "-wal"
	}
	away := name + ".away"
	if err := os.Rename(name, away); err != nil {
		return err
	}
	mark := "file moved away, then put back"
	if s.random.IntN(2) == 0 {
		mark = "file replaced by a copy, then put back"
		content, err := os.ReadFile(away)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, content, 0o600); err != nil { //nolint:gosec // the run's own file
			return err
		}
	}
	pause(ctx, s.between(100*time.Millisecond, 3*time.Second))
	s.marks[mark]++
	s.recovery.begin(time.Now())
	return os.Rename(away, name)
}

// moveClock moves the clock of a server by up to six hours from the right time, forward or back.
func moveClock(_ context.Context, s *stage) error {
	one := s.servers[s.random.IntN(len(s.servers))]
	most := []time.Duration{time.Second, time.Minute, 6 * time.Hour}[s.random.IntN(3)]
	by := s.between(-most, most)
	before := one.off
	one.off = by
	if by > before {
		s.marks["clock moved forward"]++
	} else {
		s.marks["clock moved back"]++
	}
	return setClock(one.clock, by)
}

// everything mixes the faults of servers and PostgreSQL.
func everything(ctx context.Context, s *stage) error {
	err := oneOf(killServer, restartServer, freezeServer, killPostgres, breakNetwork)(ctx, s)
	if err != nil {
		return fmt.Errorf("everything: %w", err)
	}
	return nil
}
