//go:build bench

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// churn comes and goes as very many clients do, and then wants the server to hold on to nothing of it.
type churn struct {
	harness *harness
	store   string
	people  []*person
	server  *server
	counts  [2]atomic.Int64 // requests that were answered, sockets and streams that were opened
}

// churners is how many clients there are at a time.
const churners = 8

func (c *churn) run(ctx context.Context, sc scenario) (*result, error) {
	// With the server's own pace of collections, the heap that lives would be below the least that the runtime tells.
	sc.store, sc.settings = c.store, []string{"GOGC=25"}
	stage, err := c.harness.newStage(ctx, sc)
	if err != nil {
		return nil, err
	}
	c.server = stage.servers[0]
	if c.people, err = newPeople(time.Now(), c.harness.options.users); err != nil {
		return nil, err
	}
	// Pools, caches and statements fill in the first half; only the second half may leave nothing.
	var levels [2]level
	for half := range levels {
		if err := c.half(ctx, half); err != nil {
			return nil, errors.Join(err, stage.close())
		}
		if levels[half], err = rest(ctx, c.server, c.people[0].token); err != nil {
			return nil, errors.Join(err, stage.close())
		}
	}
	r := newResult(sc)
	before, after := levels[0], levels[1]
	r.lines = []string{
		fmt.Sprintf("%d requests answered, %d sockets and streams, half of them before the first line", c.counts[0].Load(),
			c.counts[1].Load()),
		"before: " + before.String(), "after:  " + after.String(),
	}
	if after.goroutines > before.goroutines+10 {
		r.breaches.note(&r.breaches.other, "%d goroutines more", after.goroutines-before.goroutines)
	}
	if after.files > before.files+2 {
		r.breaches.note(&r.breaches.other, "%d file descriptors more", after.files-before.files)
	}
	if after.live > before.live+before.live/10+1<<20 {
		r.breaches.note(&r.breaches.other, "the live heap grew from %d to %d bytes", before.live, after.live)
	}
	if after.resident > before.resident+before.resident/4 {
		r.breaches.note(&r.breaches.other, "resident memory grew from %d to %d bytes", before.resident, after.resident)
	}
	return r, stage.close()
}

// half is half of the churn.
func (c *churn) half(ctx context.Context, which int) error {
	var left [2]atomic.Int64
	left[0].Store(int64(c.harness.options.requests / 2))
	left[1].Store(int64(c.harness.options.sockets / 2))
	errs := make([]error, churners)
	var group sync.WaitGroup
	for i := range churners {
		random := rand.New(rand.NewPCG(c.harness.options.seed, uint64(10*which+i))) //nolint:gosec // no secret
		group.Go(func() {
			var w wire
			defer w.close()
			for n := 0; errs[i] == nil && ctx.Err() == nil; n++ {
				requests, sockets := left[0].Load() > 0, left[1].Load() > 0
				switch {
				case requests && (!sockets || n%6 > 0):
					left[0].Add(-1)
					errs[i] = c.request(ctx, &w, random, fmt.Sprintf("churn-%d-%d-%d", which, i, n))
				case sockets:
					left[1].Add(-1)
					errs[i] = c.socket(ctx, random)
				default:
					return
				}
			}
		})
	}
	group.Wait()
	return errors.Join(errors.Join(errs...), ctx.Err())
}

// request asks something: mostly a question, but also writes, nonsense, strangers, and people who leave.
func (c *churn) request(ctx context.Context, w *wire, random *rand.Rand, key string) error {
	person := c.people[random.IntN(len(c.people))]
	token, left := person.token, time.Duration(0)
	body := `{"query":"{ tasks(first: 20) { totalCount nodes { id text itemContext { isOverdue isToday } } } }"}`
	keyed := ""
	switch dice := random.IntN(20); dice {
	case 0, 1:
		keyed = key
		body = `{"query":"mutation { updateSettings(input: { locale: \"he\" }) { settings { locale } } }"}`
	case 2:
		body = `{"query":"{ nothing { of: the kind } }"}`
	case 3:
		body = `{"query":`
	case 4:
		token = "nobody"
	case 5:
		left = time.Duration(1 + random.Int64N(int64(2*time.Millisecond)))
	case 6:
		w.close() // a fresh connection
	}
	r, err := w.do(ctx, c.server.address, requestBytes(c.server.address, token, keyed, []byte(body)), 30*time.Second, left)
	if fault := new(broken); errors.As(err, &fault) && fault.what == brokenLeft {
		return nil
	}
	if err != nil {
		return err
	}
	if r.status >= 500 {
		return fmt.Errorf("status %d: %s", r.status, clip(r.body))
	}
	c.counts[0].Add(1)
	return nil
}

// socket opens a socket or a stream, does something with it, and mostly leaves without a word.
func (c *churn) socket(ctx context.Context, random *rand.Rand) error {
	person := c.people[random.IntN(len(c.people))]
	c.counts[1].Add(1)
	dice := random.IntN(10)
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	const document = `subscription { change: taskChanged { cursor operation id: nodeId } }`
	if dice < 3 { // a stream; the first bytes that come are a comment, so the client leaves on time alone
		ctx, cancel := context.WithTimeout(ctx, time.Duration(1+random.Int64N(int64(20*time.Millisecond))))
		defer cancel()
		_ = listenByEvents(ctx, c.server.address, person.token, document, "", "",
			func(json.RawMessage) error { return errEnough })
		return nil
	}
	if dice == 3 {
		_, err := openSocket(ctx, c.server.address, "nobody")
		if err == nil {
			return errors.New("a stranger's socket was acknowledged")
		}
		return nil
	}
	conn, err := openSocket(ctx, c.server.address, person.token)
	if err != nil {
		return err
	}
	defer conn.CloseNow() //nolint:errcheck // a client that vanishes
	if dice == 4 {
		return nil
	}
	for i := range 1 + random.IntN(5) {
		f := frame{ID: fmt.Sprint(i), Type: "subscribe", Payload: json.RawMessage(`{"query":"` + document + `"}`)}
		if err := send(ctx, conn, f); err != nil {
			return err
		}
	}
	if dice < 8 {
		return nil
	}
	if err := send(ctx, conn, frame{ID: "0", Type: "complete"}); err != nil {
		return err
	}
	return conn.Close(1000, "")
}
