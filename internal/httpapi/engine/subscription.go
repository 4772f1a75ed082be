package engine

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"go.opentelemetry.io/otel/trace"

	"almanac/internal/httpapi/edge"
)

// subscription is one running stream of answers.
type subscription struct {
	operation *operation
	span      trace.Span
	start     time.Time
	// stream returns the events; nil when the subscription could not start, or has ended.
	stream graphql.ResponseHandler
	ctx    context.Context
	// cursors name the answers, for transports that can resume.
	cursors *edge.Cursors
	// failure is the one answer of a subscription that could not start.
	failure *graphql.Response

	mu      sync.Mutex
	outcome string
	ended   bool
}

func (o *operation) subscribe(ctx context.Context, span trace.Span, start time.Time) *subscription {
	s := &subscription{operation: o, span: span, start: start, outcome: outcomeOK}
	ctx, s.cursors = edge.WithCursors(ctx)
	first := withAnswer(ctx)
	s.failure = o.answer(first, func() *graphql.Response {
		if o.plan != nil {
			s.stream, s.ctx = o.subscribePlan(first)
			return nil
		}
		s.stream, s.ctx = o.engine.executor.DispatchOperation(first, o.context)
		return nil
	})
	// A transport may stop asking once its context is done.
	context.AfterFunc(ctx, s.end)
	return s
}

func (s *subscription) next() *graphql.Response {
	response := s.failure
	switch {
	case response != nil:
		s.failure, s.stream = nil, nil
	case s.stream != nil:
		ctx := s.operation.bounded(withAnswer(s.ctx))
		response = s.operation.answer(ctx, func() *graphql.Response { return s.stream(ctx) })
		s.name(response)
	}
	if response == nil {
		s.stream = nil
		s.end()
		return nil
	}
	if s.operation.plan == nil {
		// gqlgen writes every event into one buffer; the caller may keep the answer.
		response.Data = bytes.Clone(response.Data)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.outcome == outcomeOK {
		s.outcome = outcomeOf(response)
	}
	return response
}

// name puts the cursor that the resolver pushed for this answer into its extensions.
func (s *subscription) name(response *graphql.Response) {
	cursor := s.cursors.Take()
	if response == nil || cursor == "" {
		return
	}
	if response.Extensions == nil {
		response.Extensions = make(map[string]any, 1)
	}
	response.Extensions["cursor"] = cursor
}

func (s *subscription) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = true
	s.operation.end(s.span, s.outcome, s.start)
}
