package graphiti

import "time"

// Fault is something that goes wrong on purpose.
type Fault struct {
	// Tool limits it to calls of one tool; empty: all requests that it can strike. A status' faults are of the tool
	// get_status, also where it is a resource.
	Tool string
	// After lets so many pass first; Times is how many it strikes then, 0: all until Clear.
	After, Times int

	// What follows happens to requests over HTTP.

	// Hang waits until the client gives up.
	Hang bool
	// Reset breaks the connection before the request is looked at, LoseAnswer after the work was done, and Half within the
	// answer.
	Reset, LoseAnswer, Half bool
	// Status answers so, with a Body and, where it is set, Retry-After in whole seconds.
	Status     int
	Body       string
	RetryAfter time.Duration
	// Redirect sends the client elsewhere.
	Redirect string
	// Garbage answers with what is no JSON-RPC.
	Garbage bool

	// What follows happens in the tool, over both transports.

	// Latency passes before it answers, or until the client gives up.
	Latency time.Duration
	// Refuse answers with an error of the protocol, IsError with a result that is one, Error with {error}, as the server
	// tells its own.
	Refuse, IsError, Error string
	// Result is answered as text, as it stands.
	Result string
	// Foreign tells of all groups, whichever were asked for.
	Foreign bool
	// Pad makes the answer so many bytes longer.
	Pad int
	// Unhealthy is why the status is an error.
	Unhealthy string
}

// layer is where a fault strikes.
type layer int

const (
	onHTTP layer = iota
	onTools
	onStatus
)

func (f *Fault) layer() layer {
	switch {
	case f.Hang || f.Reset || f.LoseAnswer || f.Half || f.Status != 0 || f.Redirect != "" || f.Garbage:
		return onHTTP
	case f.Unhealthy != "":
		return onStatus
	default:
		return onTools
	}
}

// Inject puts a fault in force. Of several that fit a request, the one injected first strikes; all count it.
func (s *Server) Inject(f Fault) { s.faults.Inject(f, f.After, f.Times) }

// Clear ends all faults.
func (s *Server) Clear() { s.faults.Clear() }

// fault returns the fault that strikes a call at a layer.
func (s *Server) fault(tool string, at layer) Fault {
	chosen, _ := s.faults.Choose(func(f *Fault) bool {
		return f.layer() == at && (f.Tool == "" || f.Tool == tool)
	})
	return chosen
}
