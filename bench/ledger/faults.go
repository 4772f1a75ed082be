//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
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
		err = s.cluster.ready(ctx)
		s.recovery.begin(time.Now())
		return err
	default:
		if err := s.cluster.stopFast(); err != nil {
			return err
		}
		s.marks["PostgreSQL restarted (fast)"]++
	}
	pause(ctx, s.between(0, 1500*time.Millisecond))
	err := s.cluster.start(ctx)
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

// everything mixes the faults of servers and PostgreSQL.
func everything(ctx context.Context, s *stage) error {
	faults := []fault{killServer, restartServer, freezeServer, killPostgres, breakNetwork}
	if err := faults[s.random.IntN(len(faults))](ctx, s); err != nil {
		return fmt.Errorf("everything: %w", err)
	}
	return nil
}
