//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// slowness measures what others have to wait beside very many clients that are slow or do nothing.
type slowness struct {
	harness *harness
	server  *server
	person  *person
	// held says how long the server kept a slow client; cuts counts those it cut off, by kind.
	mu   sync.Mutex
	held map[string][]time.Duration
	idle atomic.Int64
}

// The others: so many connections ask so often, at fixed times, whether or not the last answer has come.
const (
	askers  = 8
	askRate = 10 // each, a second
)

// tolerance is how much more others may wait.
const tolerance = 50 * time.Millisecond

func (s *slowness) run(ctx context.Context, sc scenario) (*result, error) {
	sc.store = storeSQLite
	stage, err := s.harness.newStage(ctx, sc)
	if err != nil {
		return nil, err
	}
	s.server, s.held = stage.servers[0], map[string][]time.Duration{}
	if s.person, err = newPerson(time.Now(), 0); err != nil {
		return nil, err
	}
	lines, grown, err := s.measure(ctx)
	if err != nil {
		return nil, errors.Join(err, stage.close())
	}
	r := newResult(sc)
	r.lines = lines
	if grown > tolerance {
		r.breaches.note(&r.breaches.other, "the others' p99 grew by %v", grown)
	}
	for kind, held := range s.held {
		for _, one := range held {
			if one > 12*time.Second {
				r.breaches.note(&r.breaches.other, "%s was kept for %v", kind, one)
			}
		}
	}
	return r, stage.close()
}

func (s *slowness) measure(ctx context.Context) (lines []string, grown time.Duration, err error) {
	if err := s.fill(ctx); err != nil {
		return nil, 0, err
	}
	window := s.harness.options.window
	before, failed1 := s.others(ctx, window)
	slow, end := context.WithCancel(ctx)
	var group sync.WaitGroup
	for i := range s.harness.options.slow {
		group.Go(func() { s.crawl(slow, i%2 == 0) })
	}
	for i := range s.harness.options.idle {
		group.Go(func() { s.loiter(slow, i%2 == 0) })
	}
	deadline := time.Now().Add(20 * time.Second)
	for s.idle.Load() < int64(s.harness.options.idle) && time.Now().Before(deadline) {
		pause(ctx, 20*time.Millisecond)
	}
	files := openFiles(s.server.pid())
	beside, failed2 := s.others(ctx, window)
	end()
	group.Wait()
	after, failed3 := s.others(ctx, window)
	lines = []string{
		fmt.Sprintf(
			"%d clients that send a byte or a header a second, %d idle connections; the server had %d file descriptors",
			s.harness.options.slow, s.harness.options.idle, files),
		fmt.Sprintf("others before: %s, failed %d", spread(before), failed1),
		fmt.Sprintf("others beside: %s, failed %d", spread(beside), failed2),
		fmt.Sprintf("others after:  %s, failed %d", spread(after), failed3),
	}
	for _, kind := range []string{slowHeader, slowBody, silent} {
		lines = append(lines, fmt.Sprintf("%s, cut off by the server after: %s", kind, spread(s.held[kind])))
	}
	if failed1+failed2+failed3 > 0 {
		return lines, 0, fmt.Errorf("%d requests of others failed", failed1+failed2+failed3)
	}
	return lines, percentile(beside) - percentile(before), ctx.Err()
}

func percentile(took []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(took))
	return sorted[min(99*len(sorted)/100, len(sorted)-1)]
}

// fill returns the person something to ask for.
func (s *slowness) fill(ctx context.Context) error {
	var w wire
	defer w.close()
	for i := range 50 {
		key := fmt.Sprintf("slow-%d", i)
		op := (&script{book: newBook(0)}).create(key)
		r, err := w.do(ctx, s.server.address, requestBytes(s.server.address, s.person.token, key, op.body), 10*time.Second, 0)
		if _, outcome := judge(r, err); outcome != outcomeDone {
			return fmt.Errorf("fill: %s %s", classOf(r, err), clip(r.body))
		}
	}
	return nil
}

// others asks at fixed times for so long, and returns how long each answer took from the time at which it was to be
// asked for.
func (s *slowness) others(ctx context.Context, window time.Duration) (took []time.Duration, failed int) {
	question := requestBytes(s.server.address, s.person.token, "",
		[]byte(`{"query":"{ tasks(first: 50) { nodes { id text itemContext { isToday } } } }"}`))
	var mu sync.Mutex
	var group sync.WaitGroup
	begin := time.Now()
	for i := range askers {
		group.Go(func() {
			var w wire
			defer w.close()
			const every = time.Second / askRate
			for at := begin.Add(every * time.Duration(i) / askers); at.Before(
				begin.Add(window)) && ctx.Err() == nil; at = at.Add(every) {
				pause(ctx, time.Until(at))
				r, err := w.do(ctx, s.server.address, question, 30*time.Second, 0)
				_, outcome := judge(r, err)
				mu.Lock()
				if outcome == outcomeDone {
					took = append(took, time.Since(at))
				} else {
					failed++
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return took, failed
}

// The kinds of clients that the server has to cut off.
const (
	slowHeader = "slow headers"
	slowBody   = "slow body"
	silent     = "a connection that says nothing"
)

// crawl is a client that sends a header, or a byte of its body, once a second, and comes back when it was cut off.
func (s *slowness) crawl(ctx context.Context, headers bool) {
	kind, begin, piece := slowBody, "POST /graphql HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "+s.person.token+
		"\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", " "
	if headers {
		kind, begin, piece = slowHeader, "POST /graphql HTTP/1.1\r\nHost: a\r\n", "X-A: b\r\n"
	}
	for ctx.Err() == nil {
		s.hold(ctx, kind, func(conn net.Conn, gone <-chan struct{}) {
			_, err := conn.Write([]byte(begin))
			for err == nil && ctx.Err() == nil {
				select {
				case <-gone:
					return
				case <-ctx.Done():
					return
				case <-time.After(time.Second):
					_, err = conn.Write([]byte(piece))
				}
			}
		})
	}
}

// loiter is a connection that does nothing, after one question or from the start.
func (s *slowness) loiter(ctx context.Context, asks bool) {
	counted := false
	for ctx.Err() == nil {
		kind := silent
		if asks {
			kind = ""
		}
		s.hold(ctx, kind, func(conn net.Conn, gone <-chan struct{}) {
			if asks {
				_, _ = conn.Write([]byte("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"))
			}
			if !counted {
				counted = true
				s.idle.Add(1)
			}
			select {
			case <-gone:
			case <-ctx.Done():
			}
		})
	}
}

// hold opens a connection, lets do use it until the server closes it (gone) or do returns, and notes under the kind how
// long the server kept it.
func (s *slowness) hold(ctx context.Context, kind string, do func(conn net.Conn, gone <-chan struct{})) {
	conn, err := (&net.Dialer{Timeout: 10 * time.Second}).DialContext(ctx, "tcp", s.server.address)
	if err != nil {
		pause(ctx, 100*time.Millisecond)
		return
	}
	began := time.Now()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		buffer := make([]byte, 1024)
		for {
			if _, err := conn.Read(buffer); err != nil {
				return
			}
		}
	}()
	do(conn, gone)
	held := time.Since(began)
	_ = conn.Close()
	<-gone
	if ctx.Err() == nil && kind != "" {
		s.mu.Lock()
		s.held[kind] = append(s.held[kind], held)
		s.mu.Unlock()
	}
}
