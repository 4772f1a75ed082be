package edge

import "context"

// Ahead is what an operation that runs in one transaction wants done before it begins, so that nobody waits for it
// within. The operation is run; where it finds that something should have been done ahead, it gives up, which rolls the
// transaction back; that is done, and the operation is run again. It is for one goroutine.
type Ahead struct {
	// Fields counts the mutation fields that have begun in the present run.
	Fields int

	work   func(ctx context.Context) any
	result any
	rounds int
}

type aheadKey struct{}

// WithAhead returns a context whose operation may want something done ahead.
func WithAhead(ctx context.Context, a *Ahead) context.Context {
	return context.WithValue(ctx, aheadKey{}, a)
}

// AheadFrom returns what WithAhead put there; nil when nothing was.
func AheadFrom(ctx context.Context) *Ahead {
	a, _ := ctx.Value(aheadKey{}).(*Ahead)
	return a
}

// Ask says what is to be done before the operation is run again; whoever asks must give up.
func (a *Ahead) Ask(work func(ctx context.Context) any) { a.work = work }

// Rounds is how often something was done ahead so far.
func (a *Ahead) Rounds() int { return a.rounds }

// Result returns what the work of the last round returned; nil before the first.
func (a *Ahead) Result() any { return a.result }

// Asked reports whether the operation has given up because something is to be done ahead.
func (a *Ahead) Asked() bool { return a.work != nil }

// Do does what was asked for, and makes ready for another run.
func (a *Ahead) Do(ctx context.Context) {
	work := a.work
	a.work, a.Fields = nil, 0
	a.rounds++
	a.result = work(ctx)
}
