package openai

import (
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Fault is something that goes wrong on purpose. What it says of answers (from Shuffle on) happens to good ones.
type Fault struct {
	// Model limits it to requests for one model, Containing to those with a text that contains this; empty: all.
	Model, Containing string
	// After lets so many requests pass first; Times is how many it strikes then, 0: all until Clear.
	After, Times int

	// Latency passes before anything else, or until the client gives up. Hang waits until it does.
	Latency time.Duration
	Hang    bool
	// Reset breaks the connection without an answer.
	Reset bool
	// Status answers with an error, in the form of the one named Error in embeddings.json, or with a Body as it is.
	Status int
	Error  string
	Body   string
	// RetryAfter is sent along with an error, in whole seconds, or in milliseconds when it is below one; Header is what
	// else is.
	RetryAfter time.Duration
	Header     http.Header

	// Shuffle gives the vectors in another order, Drop gives one fewer, Double gives one twice in the place of another.
	Shuffle, Drop, Double bool
	// Dimensions is another length of all vectors.
	Dimensions int
	// Zero gives vectors without a direction; NaN puts something that is no number into each.
	Zero, NaN bool
	// Say is what a model answers instead, Refusal its refusal, and Finish why it stopped: "length", "content_filter".
	// Drop leaves the answer out.
	Say, Refusal, Finish string
	// Calls are what a model asks to be called instead, where it was offered tools.
	Calls []ToolCall
	// Truncate sends half of the body and breaks the connection; Garbage sends a page instead.
	Truncate, Garbage bool
	// Pad makes the body this many bytes longer.
	Pad int
}

// faults are those in force.
type faults struct {
	mu     sync.Mutex
	active []*struck
}

type struck struct {
	Fault
	seen, hits int
}

// Inject puts a fault in force. Of several that fit a request, the one injected first strikes; all count it.
func (s *Server) Inject(f Fault) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.active = append(s.faults.active, &struck{Fault: f})
}

// Clear ends all faults.
func (s *Server) Clear() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.active = nil
}

// choose counts a request and finds the fault that strikes it.
func (f *faults) choose(r *Request) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	var chosen Fault
	found := false
	for _, a := range f.active {
		if a.Model != "" && a.Model != r.Model || a.Containing != "" && !r.contains(a.Containing) {
			continue
		}
		a.seen++
		if found || a.seen <= a.After || a.Times > 0 && a.hits >= a.Times {
			continue
		}
		a.hits++
		chosen, found = a.Fault, true
	}
	f.active = slices.DeleteFunc(f.active, func(a *struck) bool { return a.Times > 0 && a.hits >= a.Times })
	return chosen
}

// setRetryAfter says how long to wait, in the way of OpenAI.
func setRetryAfter(header http.Header, wait time.Duration) {
	switch {
	case wait <= 0:
	case wait < time.Second:
		header.Set("Retry-After-Ms", strconv.FormatInt(wait.Milliseconds(), 10))
	default:
		header.Set("Retry-After", strconv.FormatInt(int64(wait/time.Second), 10))
	}
}
