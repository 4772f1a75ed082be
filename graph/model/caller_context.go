package model

import "context"

// callerKey is private, so only this file can put a caller into a context.
type callerKey struct{}

// callerContext is a context with its caller, in one allocation.
type callerContext struct {
	context.Context

	caller Caller
}

// Value implements context.Context.
func (c *callerContext) Value(key any) any {
	if key == (callerKey{}) {
		return &c.caller
	}
	return c.Context.Value(key)
}

// WithCaller returns a context that carries the proved caller of the request.
func WithCaller(ctx context.Context, caller Caller) context.Context {
	return &callerContext{ctx, caller}
}

// CallerFrom returns the caller that WithCaller put there; false when the request has proved none.
func CallerFrom(ctx context.Context) (Caller, bool) {
	caller, ok := ctx.Value(callerKey{}).(*Caller)
	if !ok {
		return Caller{}, false
	}
	return *caller, true
}
