package google

import (
	"cmp"
	"net/http"
	"time"

	"almanac/internal/standin/discovery"
	"almanac/internal/standin/faults"
	"almanac/internal/standin/wire"
)

// Fault is something that goes wrong on purpose. A fault that says nothing but Latency only makes its requests slow.
type Fault struct {
	// Method is the id of the method it strikes: of the API, or one of those that Request.Method names; "*" for all of
	// the APIs', without OAuth.
	Method string
	// Account limits it to one account's API requests; empty: all.
	Account string
	// After lets so many requests pass first; Times is how many it strikes then, 0: all until Clear.
	After, Times int

	// Status answers with an error instead of serving. Reason, Domain and Message stand in its body, as usual for the
	// status when empty; those of OAuth have Reason as "error" and Message as "error_description".
	Status                  int
	Domain, Reason, Message string
	// RetryAfter is sent along with the error, in whole seconds; 0: none.
	RetryAfter time.Duration
	// HTML answers with a page, as Google's front ends do when what is behind them is gone; Status is 502 if zero.
	HTML bool
	// Latency passes before anything else, or until the client gives up.
	Latency time.Duration
	// Reset breaks the connection before anything is done.
	Reset bool
	// LoseAnswer does what is asked, and breaks the connection before the answer. A client may well repeat a GET by itself
	// then, as net/http does over TCP.
	LoseAnswer bool
	// EmptyPage answers a list with no items and a token for the page that was asked for. It strikes lists only.
	EmptyPage bool
	// Truncate sends half of the answer's body and breaks the connection; not for the parts of a batch.
	Truncate bool
}

// Inject puts a fault in force. Of several that fit a request, the one injected first strikes; all count it.
func (s *Server) Inject(f Fault) { s.faults.Inject(f, f.After, f.Times) }

// Clear ends all faults.
func (s *Server) Clear() { s.faults.Clear() }

// fault returns the fault that strikes a request, nil where none does.
func (s *Server) fault(method, account string, isAPI, isList bool) *Fault {
	chosen, ok := s.faults.Choose(func(f *Fault) bool {
		return (f.Method == method || f.Method == "*" && isAPI) && (f.Account == "" || f.Account == account) &&
			(!f.EmptyPage || isList)
	})
	if !ok {
		return nil
	}
	return &chosen
}

// befall strikes a request of OAuth; done says that it was answered.
func (s *Server) befall(w *seen, r *http.Request) (done bool) {
	fault := s.fault(w.method, w.account, false, false)
	if !s.strike(w, r, fault) {
		return false
	}
	if fault.HTML {
		writePage(w, fault.Status, fault.Message)
		return true
	}
	writeOAuthError(w, oauthError{fault.Status, cmp.Or(fault.Reason, "internal_failure"),
		cmp.Or(fault.Message, http.StatusText(fault.Status))})
	return true
}

// strike does what every fault can: it waits, breaks the connection and answers with a page. It returns true when an
// error is to be answered in the form of whoever serves, and panics with http.ErrAbortHandler when nobody answers any
// more.
func (s *Server) strike(w *seen, r *http.Request, fault *Fault) (failed bool) {
	if fault == nil {
		return false
	}
	w.fault = fault
	if fault.Latency > 0 && s.wait(r.Context(), fault.Latency) != nil {
		faults.Break() // the client has gone
	}
	if fault.Reset {
		faults.Break()
	}
	if fault.RetryAfter > 0 {
		w.Header().Set("Retry-After", seconds(fault.RetryAfter))
	}
	if fault.HTML {
		fault.Status = cmp.Or(fault.Status, http.StatusBadGateway)
	}
	return fault.Status != 0
}

// problem is the fault's error in the form of an API.
func (f *Fault) problem(d *discovery.Document) *problem {
	usual := usualProblem(f.Status)
	p := &problem{
		Problem: wire.Problem{
			Status: f.Status, Domain: cmp.Or(f.Domain, usual.Domain), Reason: cmp.Or(f.Reason, usual.Reason),
			Message: cmp.Or(f.Message, usual.Message),
		},
		status: statusNames[f.Status],
	}
	if d.Name == "gmail" {
		p.newer(d)
	}
	return p
}

// usualProblem is what an API says with a status when nothing more is known.
func usualProblem(status int) wire.Problem {
	switch status {
	case http.StatusUnauthorized:
		return wire.Problem{Domain: "global", Reason: "authError", Message: "Invalid Credentials"}
	case http.StatusForbidden:
		return wire.Problem{Domain: "usageLimits", Reason: "userRateLimitExceeded", Message: "User Rate Limit Exceeded"}
	case http.StatusNotFound:
		return wire.Problem{Domain: "global", Reason: "notFound", Message: "Not Found"}
	case http.StatusConflict:
		return wire.Problem{Domain: "global", Reason: "conflict", Message: "Conflict"}
	case http.StatusGone:
		return wire.Problem{Domain: "global", Reason: "deleted", Message: "Resource has been deleted"}
	case http.StatusPreconditionFailed:
		return wire.Problem{Domain: "global", Reason: "conditionNotMet", Message: "Precondition Failed"}
	case http.StatusTooManyRequests:
		return wire.Problem{Domain: "usageLimits", Reason: "rateLimitExceeded", Message: "Rate Limit Exceeded"}
	}
	if status >= http.StatusInternalServerError {
		return wire.Problem{Domain: "global", Reason: "backendError", Message: "Backend Error"}
	}
	return wire.Problem{Domain: "global", Reason: "badRequest", Message: "Bad Request"}
}
