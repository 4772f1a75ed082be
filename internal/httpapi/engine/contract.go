// Package engine turns a GraphQL request into an admitted operation and runs it, whatever the transport.
//
// It promises that no document reaches validation or execution before its tokens, depth, aliases, directives,
// root fields and cost are within the limits, that refused documents cost little, and that only errors of the
// list in graph/model leave it.
package engine

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Request is a GraphQL request as any transport reads it.
type Request struct {
	Query         string
	OperationName string
	// Variables are decoded with json.Number, so that 1 and 1.0 stay apart.
	Variables  map[string]any
	Extensions map[string]any
	// QueriesOnly refuses anything but a query: the request came by GET.
	QueriesOnly bool
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
	// Execute runs a query or a mutation to its end.
	Execute(ctx context.Context) *graphql.Response
	// Body returns the whole body of the answer that Execute has returned, one line of JSON, where it is there already;
	// else nil. It may be asked once, and is valid until Release.
	Body() []byte
	// Release says that nobody reads the answer of Execute any more, so that its memory can be used again. Whoever keeps
	// the answer leaves it out.
	Release()
	// Subscribe starts a subscription. Next blocks for the next answer and returns nil at the end or when the
	// context is done. A subscription that cannot start returns one answer with errors and then nil.
	Subscribe(ctx context.Context) (next func() *graphql.Response)
}
