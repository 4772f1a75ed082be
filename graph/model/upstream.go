package model

import (
	"context"
	"sync/atomic"
)

// Upstream is a remote system that operations ask.
type Upstream int

// The remote systems.
const (
	UpstreamGoogle Upstream = iota // calendars
	UpstreamGmail
	UpstreamExa
	UpstreamGraphiti
	UpstreamModels
	upstreams
)

// String returns its name, as answers have it.
func (u Upstream) String() string {
	return [upstreams]string{"google", "gmail", "exa", "graphiti", "models"}[u]
}

type upstreamKey struct{}

// upstream is a context with how much its operation may still ask of remote systems.
type upstream struct {
	context.Context

	most int64
	// may is asked before each question; nil allows all.
	may  func(ctx context.Context, system Upstream) error
	used atomic.Int64
	by   [upstreams]atomic.Int64
}

// WithUpstream returns a context whose operation may put so many questions to remote systems, whatever its document
// selects inside of what: a question is one reading or one change, with the few requests that it takes. Without it
// nothing is counted, as for workers. Inside of another such context what that one may ask holds too.
func WithUpstream(ctx context.Context, most int) context.Context {
	u := &upstream{Context: ctx, most: int64(most)}
	if outer, ok := ctx.Value(upstreamKey{}).(*upstream); ok {
		u.may = outer.may
	}
	return u
}

// WithUpstreamFor is WithUpstream with what is asked before each question, whose error refuses it.
func WithUpstreamFor(ctx context.Context, most int,
	may func(ctx context.Context, system Upstream) error) context.Context {
	return &upstream{Context: ctx, most: int64(most), may: may}
}

// Value implements context.Context.
func (u *upstream) Value(key any) any {
	if key == (upstreamKey{}) {
		return u
	}
	return u.Context.Value(key)
}

// AskUpstream counts a question before any of its requests is sent, so that no change stops halfway.
// QUERY_TOO_EXPENSIVE when the operation has asked enough, RATE_LIMITED when its caller has. It is safe for goroutines.
func AskUpstream(ctx context.Context, system Upstream) error {
	u, ok := ctx.Value(upstreamKey{}).(*upstream)
	if !ok {
		return nil
	}
	if u.used.Add(1) <= u.most {
		if u.may != nil {
			if err := u.may(ctx, system); err != nil {
				return err
			}
		}
		u.by[system].Add(1)
		return nil
	}
	return Errorf(CodeQueryTooExpensive,
		"this operation asks remote systems more than %d questions; what is beyond them was not asked; ask for less at a "+
			"time", u.most)
}

// UpstreamAsked returns how many questions the context's operation has put to each remote system, by name; systems that
// were not asked are left out.
func UpstreamAsked(ctx context.Context) map[string]int64 {
	asked := map[string]int64{}
	if u, ok := ctx.Value(upstreamKey{}).(*upstream); ok {
		for system := range upstreams {
			if n := u.by[system].Load(); n > 0 {
				asked[system.String()] = n
			}
		}
	}
	return asked
}
