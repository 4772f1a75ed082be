package exa

import (
	"net/http"
	"path"
	"strings"
	"time"
)

// Fault is something that goes wrong on purpose.
type Fault struct {
	// Method limits it to requests of that method, Path to those whose path is this, where each * stands for one part:
	// "/websets/v0/websets/*/items". Empty: all.
	Method, Path string
	// After lets so many requests pass first; Times is how many it strikes then, 0: all until Clear.
	After, Times int

	// Latency passes before anything else, or until the client gives up. Hang waits until it does.
	Latency time.Duration
	Hang    bool
	// Reset breaks the connection before anything is done; LoseAnswer after everything was, Half within the answer.
	Reset, LoseAnswer, Half bool
	// Status answers with an error and does nothing: in the form of Websets under /websets, else in the general form, or
	// in that one everywhere with General (and its Tag, where one is named), as {error} alone with Plain, or with a Body
	// as it is.
	Status         int
	General, Plain bool
	Tag, Body      string
	// RetryAfter is sent along with an error, in whole seconds; Header is what else is.
	RetryAfter time.Duration
	Header     http.Header
	// Garbage does what was asked and answers with a page; BadJSON with half of the JSON, as if that were all; Empty with
	// nothing.
	Garbage, BadJSON, Empty bool
	// Pad makes the answer so many bytes longer, of white space.
	Pad int
	// UnknownFields and UnknownValues are as in Options.
	UnknownFields bool
	UnknownValues map[string]string
}

// Inject puts a fault in force. Of several that fit a request, the one injected first strikes; all count it.
func (s *Server) Inject(f Fault) { s.faults.Inject(f, f.After, f.Times) }

// Clear ends all faults.
func (s *Server) Clear() { s.faults.Clear() }

// fits reports whether a fault is for a request.
func (f *Fault) fits(r *http.Request) bool {
	if f.Method != "" && f.Method != r.Method {
		return false
	}
	if f.Path == "" {
		return true
	}
	match, err := path.Match(f.Path, strings.TrimSuffix(r.URL.EscapedPath(), "/"))
	return err == nil && match
}

// problem is the error of a fault.
func (f *Fault) problem(address string) *problem {
	p := &problem{status: f.Status, message: "Made to fail", tag: f.Tag, plain: f.Plain, retryAfter: f.RetryAfter}
	if p.tag == "" && (f.General || !strings.HasPrefix(address, websetsPrefix)) {
		p.tag = usualTag(f.Status)
	}
	return p
}
