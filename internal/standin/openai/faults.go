package openai

import (
	"net/http"
	"strconv"
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

	// Shuffle returns the vectors in another order, Drop returns one fewer, Double returns one twice in the place of
	// another.
	Shuffle, Drop, Double bool
	// Dimensions is another length of all vectors.
	Dimensions int
	// Zero returns vectors without a direction; NaN puts something that is no number into each.
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

// Inject puts a fault in force. Of several that fit a request, the one injected first strikes; all count it.
func (s *Server) Inject(f Fault) { s.faults.Inject(f, f.After, f.Times) }

// Clear ends all faults.
func (s *Server) Clear() { s.faults.Clear() }

// fits reports whether a fault is for a request.
func (f *Fault) fits(r *Request) bool {
	return (f.Model == "" || f.Model == r.Model) && (f.Containing == "" || r.contains(f.Containing))
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
