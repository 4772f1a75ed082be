//go:build bench

// Package load puts an HTTP server under load and says how fast it answered.
//
// It promises a closed loop: each connection sends its next request when it has the whole answer to the last one, so a
// slow server is asked less, never queued up on. Every answer is read to its end and looked at; one wrong answer ends
// the run.
package load

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// Plan is one run.
type Plan struct {
	// Address is the server, "host:port".
	Address string
	// Connections is how many requests are on their way at the same time.
	Connections int
	// WarmUp is how long the load runs before anything counts, Length how long it then counts.
	WarmUp, Length time.Duration
	// Next returns the bytes of the next request of a connection. It is called from one goroutine for each connection.
	Next func(connection int) []byte
	// Check says what is wrong with an answer; nil when nothing is. The body is valid during the call only.
	Check func(status int, body []byte) error
	// Begin and End are called where counting begins and ends, to read other gauges over the same time. Nil calls nothing.
	Begin, End func()
}

// Result is what a run has counted.
type Result struct {
	// Requests is how many answers arrived within Elapsed.
	Requests int
	Elapsed  time.Duration
	// Latencies are from the first byte sent to the last one read, ascending.
	Latencies []time.Duration
	// Bytes is the size of all bodies together.
	Bytes int64
}

// PerSecond is the throughput.
func (r Result) PerSecond() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return float64(r.Requests) / r.Elapsed.Seconds()
}

// Percentile returns the latency that p percent of the answers did not exceed (nearest rank); zero without answers.
func (r Result) Percentile(p float64) time.Duration {
	if len(r.Latencies) == 0 {
		return 0
	}
	rank := int(float64(len(r.Latencies))*p/100 + 0.999999)
	return r.Latencies[min(max(rank, 1), len(r.Latencies))-1]
}

// Run puts the load on. It ends with the first error of any connection.
func Run(ctx context.Context, plan Plan) (Result, error) {
	var conns []*Conn
	defer func() {
		for _, conn := range conns {
			_ = conn.Close()
		}
	}()
	for range plan.Connections {
		conn, err := Dial(ctx, plan.Address)
		if err != nil {
			return Result{}, fmt.Errorf("connect: %w", err)
		}
		conns = append(conns, conn)
	}
	var (
		start   = time.Now()
		opening = start.Add(plan.WarmUp)
		closing = opening.Add(plan.Length)
		parts   = make([]Result, len(conns))
	)
	group, ctx := errgroup.WithContext(ctx)
	for i, conn := range conns {
		group.Go(func() error {
			part, err := loop(ctx, plan, i, conn, opening, closing)
			parts[i] = part
			return err
		})
	}
	group.Go(func() error { return gauges(ctx, plan, opening, closing) })
	if err := group.Wait(); err != nil {
		return Result{}, err
	}
	total := Result{Elapsed: plan.Length}
	for _, part := range parts {
		total.Requests += part.Requests
		total.Bytes += part.Bytes
		total.Latencies = append(total.Latencies, part.Latencies...)
	}
	slices.Sort(total.Latencies)
	if total.Requests == 0 {
		return total, errors.New("no answer arrived within the time")
	}
	return total, nil
}

// loop is one connection.
func loop(ctx context.Context, plan Plan, number int, conn *Conn, opening, closing time.Time) (Result, error) {
	result := Result{Latencies: make([]time.Duration, 0, 1<<12)}
	for {
		if err := ctx.Err(); err != nil {
			return result, err
		}
		request := plan.Next(number)
		sent := time.Now()
		status, body, err := conn.Do(request)
		if err != nil {
			return result, err
		}
		arrived := time.Now()
		if err := plan.Check(status, body); err != nil {
			return result, err
		}
		switch {
		case arrived.After(closing):
			return result, nil
		case arrived.After(opening):
			result.Requests++
			result.Bytes += int64(len(body))
			result.Latencies = append(result.Latencies, arrived.Sub(sent))
		}
	}
}

// gauges calls Begin and End when it is time.
func gauges(ctx context.Context, plan Plan, opening, closing time.Time) error {
	for _, step := range []struct {
		at   time.Time
		call func()
	}{{opening, plan.Begin}, {closing, plan.End}} {
		timer := time.NewTimer(time.Until(step.at))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
		if step.call != nil {
			step.call()
		}
	}
	return nil
}
