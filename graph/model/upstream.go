package model

import (
	"context"
	"sync/atomic"
)

type upstreamKey struct{}

// upstream is a context with how much its operation may still ask of remote systems.
type upstream struct {
	context.Context

	most int64
	used atomic.Int64
}

// WithUpstream returns a context whose operation may put so many questions to remote systems, whatever its document
// selects inside of what: a question is one reading or one change, with the few requests that it takes. Without it
// nothing is counted, as for workers.
func WithUpstream(ctx context.Context, most int) context.Context {
	return &upstream{Context: ctx, most: int64(most)}
}

// Value implements context.Context.
func (u *upstream) Value(key any) any {
	if key == (upstreamKey{}) {
		return u
	}
	return u.Context.Value(key)
}

// AskUpstream counts a question before any of its requests is sent, so that no change stops halfway.
// QUERY_TOO_EXPENSIVE when the operation has asked enough. It is safe for goroutines.
func AskUpstream(ctx context.Context) error {
	u, ok := ctx.Value(upstreamKey{}).(*upstream)
	if !ok || u.used.Add(1) <= u.most {
		return nil
	}
	return Errorf(CodeQueryTooExpensive,
		"this operation asks remote systems more than %d questions; what is beyond them was not asked; ask for less at a "+
			"time", u.most)
}
