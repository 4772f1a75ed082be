//go:build bench

package main

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"
)

// tally counts what one writer saw. Its owner alone touches it until the end.
type tally struct {
	acks, replays, twins, repeats, misuses int
	// cutOff counts writes that had been done although their answer was lost: the retry had the recorded answer.
	cutOff int
	// classes counts failed attempts by what the client saw.
	classes map[string]int
	// messages are the different messages of errors, which must tell nothing of the inside.
	messages map[string]bool
	faults   []string
}

func newTally() *tally { return &tally{classes: map[string]int{}, messages: map[string]bool{}} }

const maxFaults = 20

func (t *tally) fault(format string, args ...any) {
	if len(t.faults) < maxFaults {
		t.faults = append(t.faults, fmt.Sprintf(format, args...))
	}
}

func (t *tally) acknowledged(replayed, lost bool) {
	t.acks++
	if replayed {
		t.replays++
		if lost {
			t.cutOff++
		}
	}
}

func (t *tally) failed(r reply, err error) {
	t.classes[classOf(r, err)]++
	if err == nil {
		t.look(r.body)
	}
}

// look keeps the answer's words, apart from what differs each time.
func (t *tally) look(body []byte) {
	text := string(body)
	for _, spill := range spills(text) {
		t.fault("an answer tells of the inside (%s): %s", spill, clip(body))
	}
	if len(t.messages) < maxFaults {
		t.messages[wordsOf(body)] = true
	}
}

// add takes over another's counts.
func (t *tally) add(o *tally) {
	t.acks += o.acks
	t.replays += o.replays
	t.twins += o.twins
	t.repeats += o.repeats
	t.misuses += o.misuses
	t.cutOff += o.cutOff
	for class, n := range o.classes {
		t.classes[class] += n
	}
	maps.Copy(t.messages, o.messages)
	t.faults = append(t.faults, o.faults...)
}

// spills returns the words of a text that no client may be told: of drivers, of SQL, of hosts and paths, of stacks.
func spills(text string) []string {
	var found []string
	lower := strings.ToLower(text)
	for _, word := range []string{
		"pgx", "pgconn", "postgres", "sqlite", "sqlstate", "select ", "insert ", "fatal", "dial", "tcp", "127.0.0.1",
		"localhost", "/home", "/root", "/tmp", "/var",
		".go:", "goroutine", "panic", "eof", "broken pipe", "connection reset", "password", "users_", "almanac.db",
	} {
		if strings.Contains(lower, word) {
			found = append(found, word)
		}
	}
	return found
}

// recovery measures how long after a fault the first write is acknowledged again.
type recovery struct {
	mu    sync.Mutex
	since time.Time
	took  []time.Duration
	// missed counts faults after which nothing was acknowledged before the next one.
	missed int
}

// begin starts the clock; whatever it measured before and has not ended is counted as missed.
func (r *recovery) begin(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.since.IsZero() {
		r.missed++
	}
	r.since = at
}

// answered ends what begin has started.
func (r *recovery) answered() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.since.IsZero() {
		return
	}
	if took := time.Since(r.since); took >= 0 {
		r.took = append(r.took, took)
		r.since = time.Time{}
	}
}
