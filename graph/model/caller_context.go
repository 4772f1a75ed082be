package model

import "context"

// callerKey is private, so only this file can put a caller into a context.
type callerKey struct{}

// WithCaller returns a context that carries the proved caller of the request.
func WithCaller(ctx context.Context, caller Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// CallerFrom returns the caller that WithCaller put there; false when the request has proved none.
func CallerFrom(ctx context.Context) (Caller, bool) {
	caller, ok := ctx.Value(callerKey{}).(Caller)
	return caller, ok
}
