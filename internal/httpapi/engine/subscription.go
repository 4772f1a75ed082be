package engine

import (
	"context"
	"sync"
	"time"

	"almanac/internal/httpapi/edge"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"go.opentelemetry.io/otel/trace"
)

// Subscribe implements Operation. A query or a mutation is a stream of one answer.
func (o *operation) Subscribe(ctx context.Context) Stream {
	s := &subscription{engine: o.engine, kind: o.Kind(), outcome: outcomeOK}
	if o.Kind() != ast.Subscription {
		s.ended = true // Execute notes its own end
		s.run = singleAnswer(func() *graphql.Response { return o.Execute(ctx) })
		return s
	}
	s.start = o.engine.now()
	ctx, s.span = o.engine.spanFor(ctx, o)
	started, followed := o.begin(ctx, &edge.Following{})
	if followed == nil {
		s.run, s.cancel = started, started.cancel
		stop := context.AfterFunc(ctx, s.Close)
		s.cancel = func() { stop(); started.cancel() }
		return s
	}
	started.cancel()
	if refused := o.engine.live.follow(ctx, s, o, *followed); refused != nil {
		s.held = &graphql.Response{Errors: gqlerror.List{errorOf(refused)}}
		s.run = &run{cancel: func() {}, next: func() *graphql.Response { return nil }}
	}
	return s
}

// singleAnswer is a run of one answer.
func singleAnswer(answer func() *graphql.Response) *run {
	done := false
	return &run{cancel: func() {}, next: func() *graphql.Response {
		if done {
			return nil
		}
		done = true
		return answer()
	}}
}

// run is one start of a subscription's resolver. Next returns nil at its end.
type run struct {
	next   func() *graphql.Response
	cancel context.CancelFunc
	// following tells how far a run came that follows the log, place is that of the last answer.
	following *edge.Following
	place     int64
}

// begin starts the subscription's resolver. It returns what the subscription follows; nil when it does not follow the
// log, or could not start.
func (o *operation) begin(ctx context.Context, following *edge.Following) (*run, *edge.Followed) {
	ctx, cancel := context.WithCancel(edge.WithFollowing(ctx, following))
	r := &run{cancel: cancel, following: following}
	first := withAnswer(ctx)
	var stream graphql.ResponseHandler
	streaming := ctx
	failure := o.answer(first, func() *graphql.Response {
		if o.plan != nil {
			stream, streaming = o.subscribePlan(first)
			return nil
		}
		stream, streaming = o.engine.executor.DispatchOperation(first, o.context)
		return nil
	})
	r.next = func() *graphql.Response {
		response := failure
		switch {
		case response != nil:
			failure, stream = nil, nil
		case stream != nil:
			ctx := o.bounded(withAnswer(streaming))
			response = o.answer(ctx, func() *graphql.Response { return o.engine.notTooLarge(stream(ctx)) })
		}
		if response == nil {
			stream = nil
			return nil
		}
		if o.plan == nil {
			response = ownData(response)
		}
		var cursor string
		if cursor, r.place = following.Take(); cursor != "" {
			if response.Extensions == nil {
				response.Extensions = make(map[string]any, 1)
			}
			response.Extensions["cursor"] = cursor
		}
		return response
	}
	return r, following.Begun()
}

// ownData returns the answer with data of its own: gqlgen writes every answer into one buffer.
func ownData(response *graphql.Response) *graphql.Response {
	if response.Data != nil {
		response.Data = append(make([]byte, 0, len(response.Data)), response.Data...)
	}
	return response
}

// subscription is one stream of answers. One that follows the log is a member of a group, which answers for all who ask
// the same; where it is behind what its group still has, it answers for itself by a run of its own.
type subscription struct {
	engine *Engine
	kind   ast.Operation
	span   trace.Span
	start  time.Time
	// run is what answers this subscription alone; nil when nothing does. Only Next and Wait use it.
	run *run
	// held is the run's next answer, where it was looked at already.
	held *graphql.Response
	// group is whom it follows with; nil when it does not follow the log.
	group *subscribers
	// over is set at the end of the answers.
	over bool

	// What follows belongs to the group's user. Place is that of the last answer it has, ready is to be called when there
	// is another, and away says that it is behind what the group has.
	place int64
	ready func()
	away  bool

	mu      sync.Mutex
	closed  bool
	ended   bool
	outcome string
	// cancel ends the run.
	cancel func()
}

// Next implements Stream.
func (s *subscription) Next() *graphql.Response {
	for !s.over && !s.isClosed() {
		if s.run == nil {
			response, state := s.take()
			switch {
			case response != nil:
				return s.noted(response)
			case state == Waits: // closed meanwhile
			case state == Blocks:
				s.catchUp()
			default:
				s.over = true
			}
			continue
		}
		if response := s.fromRun(); response != nil && !s.isClosed() {
			return s.noted(response)
		}
	}
	s.end()
	return nil
}

// fromRun returns the run's next answer; nil at its end.
func (s *subscription) fromRun() *graphql.Response {
	response := s.held
	s.held = nil
	if response == nil {
		response = s.run.next()
	}
	switch {
	case response == nil:
		s.finishRun()
	case s.group != nil:
		s.group.user.reached(s, s.run.place)
	}
	return response
}

// take waits for the group's next answer. Without one, the state is Ready at the end, Blocks when the group no longer
// has it, and Waits when the subscription was closed.
func (s *subscription) take() (*graphql.Response, Waiting) {
	if s.group == nil {
		return nil, Ready
	}
	for {
		response, state := s.group.take(s)
		if state != Waits || s.isClosed() {
			return response, state
		}
		ready := make(chan struct{})
		if s.Wait(func() { close(ready) }) == Waits {
			<-ready
		}
	}
}

// Wait implements Stream.
func (s *subscription) Wait(ready func()) Waiting {
	switch {
	case s.over || s.isClosed() || s.group == nil && (s.run == nil || s.held != nil):
		return Ready
	case s.group == nil:
		return Blocks
	case s.run != nil:
		// A run ends; only its next answer shows whether it has.
		if s.held = s.fromRun(); s.held != nil || s.over {
			return Ready
		}
	}
	return s.group.wait(s, ready)
}

// catchUp starts a run from the place that the subscription has come to, once few enough of its user's others do so.
func (s *subscription) catchUp() {
	user := s.group.user
	ctx, cancel := context.WithCancel(s.group.ctx)
	if !s.untilClosed(cancel) {
		return
	}
	select {
	case user.catching <- struct{}{}:
	case <-ctx.Done():
		return
	}
	place := user.placeOf(s)
	started, _ := s.group.operation.begin(ctx, &edge.Following{From: &place})
	end := started.cancel
	started.cancel = sync.OnceFunc(func() { end(); cancel(); <-user.catching })
	if s.untilClosed(started.cancel) {
		s.run = started
	}
}

// untilClosed has cancel called when the subscription is closed; it calls it, and returns false, when it is already.
func (s *subscription) untilClosed(cancel func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		cancel()
		return false
	}
	s.cancel = cancel
	return true
}

// finishRun ends the run. One that came to the end of the log is followed by the group's answers; any other end is that
// of the subscription.
func (s *subscription) finishRun() {
	done := s.run
	s.run = nil
	done.cancel()
	if s.group == nil {
		s.over = true
		return
	}
	place, whole := done.following.Reached()
	if !whole {
		s.over = true
		return
	}
	s.group.user.reached(s, place)
}

// noted notes the outcome of an answer.
func (s *subscription) noted(response *graphql.Response) *graphql.Response {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.outcome == outcomeOK {
		s.outcome = outcomeOf(response)
	}
	return response
}

// Close implements Stream.
func (s *subscription) Close() {
	s.mu.Lock()
	again, cancel := s.closed, s.cancel
	s.closed = true
	s.mu.Unlock()
	if again {
		return
	}
	if cancel != nil {
		cancel()
	}
	if s.group != nil {
		s.group.leave(s)
	}
	s.end()
}

func (s *subscription) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

func (s *subscription) end() {
	s.mu.Lock()
	ended, outcome := s.ended, s.outcome
	s.ended = true
	s.mu.Unlock()
	if !ended {
		s.engine.ended(s.kind, s.span, outcome, s.start)
	}
}
