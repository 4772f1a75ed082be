//go:build bench

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"
)

// writer is a client on a bad network: it does one write after another, each under a key of its own, and sends a write
// again until it is answered. What it was answered stands in its book.
type writer struct {
	person *person
	script *script
	// where returns the address to try next.
	where func() string
	// patience is how long it waits for one answer before it asks again.
	patience time.Duration
	// rough says that it sometimes leaves before the answer, and sometimes sends one write twice at the same time.
	rough    bool
	recovery *recovery

	main, second wire
	random       *rand.Rand
	tally        *tally
	// twinned says that the attempt before was sent twice, so that one answer does not tell of both.
	twinned bool
	// recent are answered writes that may be sent again.
	recent []answered
}

// answered is a write with its request and its answer's data.
type answered struct {
	key        string
	body, data []byte
}

// maxRecent is how many answered writes a writer can send again.
const maxRecent = 64

// giveUp is how long a writer tries one write. It is met only when a server does not come back.
const giveUp = 90 * time.Second

// run writes until stopped, and ends with every write answered. The context ends it in any case.
func (w *writer) run(ctx context.Context, stopped *atomic.Bool) {
	defer w.main.close()
	defer w.second.close()
	for !stopped.Load() && ctx.Err() == nil {
		op := w.script.step()
		if !w.settle(ctx, op) {
			w.script.book.open = append(w.script.book.open, op.key)
			return // what it believes to have is not sure any more
		}
		switch dice := w.random.IntN(100); {
		case dice < 3:
			w.again(ctx)
		case dice < 4:
			w.misuse(ctx)
		}
	}
}

// settle sends the write until it is acknowledged; false when it gave up or was refused.
func (w *writer) settle(ctx context.Context, op operation) bool {
	request := func(address string) []byte { return requestBytes(address, w.person.token, op.key, op.body) }
	lost, unsure := false, false
	deadline := time.Now().Add(giveUp)
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
		r, err := w.attempt(ctx, request)
		data, outcome := judge(r, err)
		switch outcome {
		case outcomeDone:
			if err := op.enter(data); err != nil {
				w.tally.fault("%s: acknowledged with an answer that cannot be right: %v", op.key, err)
				return false
			}
			if r.replayed && !unsure && !w.twinned {
				w.tally.fault("%s was done, though every answer before said that it was not", op.key)
			}
			w.tally.acknowledged(r.replayed, lost)
			w.recovery.answered()
			w.remember(answered{op.key, op.body, data})
			w.script.book.keys = append(w.script.book.keys, op.key)
			return true
		case outcomeRefused:
			w.tally.fault("%s was refused: status %d %s", op.key, r.status, clip(r.body))
			return false
		}
		unsure = unsure || w.twinned || !undone(r, err)
		lost = lost || err == nil || mayHaveArrived(err)
		w.tally.failed(r, err)
		if time.Now().After(deadline) || ctx.Err() != nil {
			w.tally.fault("%s was not answered for %v; last: %s", op.key, giveUp, classOf(r, err))
			return false
		}
		pause(ctx, wait/2+rand.N(wait)) //nolint:gosec // no secret
	}
}

// attempt sends once; now and then twice at the same time, on two connections, as a client does that has lost patience.
func (w *writer) attempt(ctx context.Context, request func(string) []byte) (reply, error) {
	address := w.where()
	var left time.Duration
	if w.rough && w.random.IntN(50) == 0 {
		left = time.Duration(1 + w.random.Int64N(int64(5*time.Millisecond)))
	}
	if w.twinned = w.rough && w.random.IntN(25) == 0; !w.twinned {
		return w.main.do(ctx, address, request(address), w.patience, left)
	}
	type result struct {
		reply
		error
	}
	elsewhere := w.where()
	twin := make(chan result, 1)
	go func() {
		r, err := w.second.do(ctx, elsewhere, request(elsewhere), w.patience, 0)
		twin <- result{r, err}
	}()
	r, err := w.main.do(ctx, address, request(address), w.patience, left)
	other := <-twin
	first, one := judge(r, err)
	second, two := judge(other.reply, other.error)
	if one == outcomeDone && two == outcomeDone {
		w.tally.twins++
		if !bytes.Equal(first, second) {
			w.tally.fault("two requests of one key at the same time had two answers: %s and %s", clip(first), clip(second))
		}
		// Both may have been replayed, of an attempt before whose answer was lost.
		if !r.replayed && !other.replayed {
			w.tally.fault("two requests of one key at the same time were both done: %s", clip(first))
		}
	}
	if one != outcomeDone && two == outcomeDone {
		return other.reply, other.error
	}
	return r, err
}

// again sends an answered write once more and wants the same answer.
func (w *writer) again(ctx context.Context) {
	if len(w.recent) == 0 {
		return
	}
	old := w.recent[w.random.IntN(len(w.recent))]
	address := w.where()
	r, err := w.main.do(ctx, address, requestBytes(address, w.person.token, old.key, old.body), w.patience, 0)
	data, outcome := judge(r, err)
	switch {
	case outcome == outcomeDone && r.replayed && bytes.Equal(data, old.data):
		w.tally.repeats++
	case outcome == outcomeAgain:
		w.tally.failed(r, err)
	default:
		w.tally.fault("%s, sent again: replayed %v, status %d %s", old.key, r.replayed, r.status, clip(r.body))
	}
}

// misuse sends another request under a used key and wants to be refused.
func (w *writer) misuse(ctx context.Context) {
	if len(w.recent) == 0 {
		return
	}
	old := w.recent[w.random.IntN(len(w.recent))]
	other := w.script.operation(old.key,
		`mutation ($input: CreateTaskInput!) { createTask(input: $input) { task { id } } }`,
		input{newTask{Text: "misuse of " + old.key, AllowDuplicate: true}}, nil)
	address := w.where()
	r, err := w.main.do(ctx, address, requestBytes(address, w.person.token, old.key, other.body), w.patience, 0)
	_, outcome := judge(r, err)
	switch {
	case codeOf(r.body) == "IDEMPOTENCY_CONFLICT":
		w.tally.misuses++
	case outcome == outcomeAgain:
		w.tally.failed(r, err)
	default:
		w.tally.fault("%s, used for another request: status %d %s", old.key, r.status, clip(r.body))
	}
}

func (w *writer) remember(a answered) {
	if len(w.recent) < maxRecent {
		w.recent = append(w.recent, a)
		return
	}
	w.recent[w.random.IntN(maxRecent)] = a
}

// outcome is what an attempt means to a good client.
type outcome int

const (
	// outcomeAgain: it may or may not have been done; send it again under the same key.
	outcomeAgain outcome = iota
	outcomeDone
	outcomeRefused
)

// envelope is an answer of GraphQL.
type envelope struct {
	Data   json.RawMessage
	Errors []struct {
		Message    string
		Extensions struct{ Code string }
	}
}

// judge reads an attempt: the data of an acknowledged write, or what to do next.
func judge(r reply, err error) (json.RawMessage, outcome) {
	if err != nil || r.status >= 500 || r.status == 429 || r.status == 408 {
		return nil, outcomeAgain
	}
	var e envelope
	if err := json.Unmarshal(r.body, &e); err != nil {
		return nil, outcomeRefused
	}
	if len(e.Errors) > 0 {
		if mendable(e.Errors[0].Extensions.Code) {
			return nil, outcomeAgain
		}
		return nil, outcomeRefused
	}
	return e.Data, outcomeDone
}

// mendable reports whether the same request may succeed after an error of this code. It may after INTERNAL too, so that
// the ledger goes on; the audit holds it against the server.
func mendable(code string) bool {
	switch code {
	case "UPSTREAM_UNAVAILABLE", "TIMEOUT", "RATE_LIMITED", "INTERNAL":
		return true
	}
	return false
}

func codeOf(body []byte) string {
	var e envelope
	if json.Unmarshal(body, &e) != nil || len(e.Errors) == 0 {
		return ""
	}
	return e.Errors[0].Extensions.Code
}

// classOf names a failed attempt by what a client sees of it.
func classOf(r reply, err error) string {
	if fault := new(broken); errors.As(err, &fault) {
		return fault.what
	}
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d %s", r.status, codeOf(r.body))
}

// mayHaveArrived reports whether the server may have read a request that went unanswered.
func mayHaveArrived(err error) bool {
	fault := new(broken)
	return errors.As(err, &fault) && fault.what != brokenRefused && fault.what != brokenDial && fault.what != brokenLeft
}

// undone reports whether an attempt is known to have changed nothing: it did not reach a server, or was answered so.
func undone(r reply, err error) bool {
	if fault := new(broken); errors.As(err, &fault) {
		return fault.what == brokenRefused || fault.what == brokenDial
	}
	var e envelope
	if err != nil || json.Unmarshal(r.body, &e) != nil || len(e.Errors) == 0 {
		return false
	}
	message := e.Errors[0].Message
	return strings.Contains(message, "nothing was changed") || strings.Contains(message, "nothing can be saved")
}

func clip(b []byte) string {
	const most = 300
	return string(b[:min(len(b), most)])
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
