// Package engine turns a GraphQL request into an admitted operation and runs it, whatever the transport.
//
// It promises that no document reaches validation or execution before its tokens, depth, aliases, directives,
// root fields and cost are within the limits, that refused documents cost little, and that only errors of the
// list in graph/model leave it.
package engine

import (
	"context"
	"time"

	"almanac/graph/plan"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Request is a GraphQL request as any transport reads it.
type Request struct {
	Query string
	// DocumentID names a trusted document in place of a query; a query beside it must be that document.
	DocumentID    string
	OperationName string
	// Variables are decoded with json.Number, so that 1 and 1.0 stay apart.
	Variables  map[string]any
	Extensions map[string]any
	// QueriesOnly refuses anything but a query: the request came by GET.
	QueriesOnly bool
	// Own says that the document is one of the server's own, as those of /mcp, and needs no trust.
	Own bool
	// Client and ClientVersion are what the client calls itself, for metrics; "" when it does not say.
	Client, ClientVersion string
	// ShowCost has the answer say what the operation costs, and what it has asked of remote systems.
	ShowCost bool
	// Parts says that the client reads an answer in parts, so that fragments with @defer may come later.
	Parts bool
}

// Preparer admits requests. A context given to Prepare already carries the caller and the request's viewer.
type Preparer interface {
	// Prepare parses, limits, validates and coerces. A non-empty list means the request is refused and nothing ran.
	Prepare(ctx context.Context, request Request) (Operation, gqlerror.List)
}

// Operation is an admitted request. It runs once.
type Operation interface {
	Kind() ast.Operation
	// Name is the operation's name, "" when it has none.
	Name() string
	// Reach tells where the effects lie, as the variables select the fields. It runs nothing.
	Reach() Reach
	// DryRun reports whether it is a mutation that must change nothing, so that it has no use for an Idempotency-Key.
	DryRun() bool
	// Deadline is how long Execute may run.
	Deadline() time.Duration
	// Execute runs a query or a mutation to its end. What is deferred stays out of the answer, so an operation that Defers
	// is for Start.
	Execute(ctx context.Context) *graphql.Response
	// Defers reports whether the operation has fragments to come later, which it has only where Request.Parts was set.
	Defers() bool
	// Start runs the part of a query that is not deferred. When its answer says that there is no more, nothing has been
	// deferred after all. The rest must be closed.
	Start(ctx context.Context) (Part, Rest)
	// Body returns the whole body of the answer that Execute has returned, one line of JSON, where it is there already;
	// else nil. It may be asked once, and is valid until Release.
	Body() []byte
	// Release says that nobody reads the answer of Execute any more, so that its memory can be used again. Whoever keeps
	// the answer leaves it out.
	Release()
	// Subscribe starts a subscription, which must be closed. A subscription that cannot start has one answer with errors.
	// The context ends the subscription too.
	Subscribe(ctx context.Context) Stream
}

// Part is what an answer in parts says at a time.
type Part struct {
	plan.Message
	// Response is the first part's; nil in others.
	Response *graphql.Response
	// Extensions are those of a later part.
	Extensions map[string]any
}

// Rest is the rest of an answer in parts, for one goroutine.
type Rest interface {
	// Next waits for the next part. It must not be called when the last one said that there is no more.
	Next() Part
	// Close ends what still runs, and waits for it.
	Close()
}

// Stream is a running subscription. Next and Wait are for one goroutine at a time, Close is for any.
type Stream interface {
	// Next blocks for the next answer; it returns nil at the end. Answers are shared: nobody may write to them.
	Next() *graphql.Response
	// Wait reports whether Next would have to wait. Where it says Waits, it calls ready once, from any goroutine, as soon
	// as Next need not wait any more, also because the stream was closed; nothing of the stream runs until then.
	Wait(ready func()) Waiting
	// Close ends the stream. It may be called again.
	Close()
}

// Waiting is what a Stream says of its next answer.
type Waiting int

const (
	// Ready means that Next returns soon, with an answer or at the end.
	Ready Waiting = iota
	// Waits means that there is nothing yet; the stream will call.
	Waits
	// Blocks means that the stream cannot tell, and Next must be called.
	Blocks
)
