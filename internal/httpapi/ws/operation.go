package ws

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strconv"
	"time"
	"weak"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"almanac/graph/model"
	"almanac/internal/httpapi/answer"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"
)

// operation is one subscribe message and what comes of it. It is active as long as the socket's map has it under its
// id, which ends with the last message to the client or with the client's "complete".
type operation struct {
	socket    *socket
	id        string
	requestID string
	ctx       context.Context
	cancel    context.CancelFunc
	started   time.Time
	// subscription is set once the operation is known to be one, stream once it has started, and parked while it waits
	// without a goroutine; guarded by the socket's mu.
	subscription bool
	stream       engine.Stream
	parked       bool

	// For the log; only the operation's own goroutine writes them.
	kind, name, outcome string
	answers             int
}

// subscribe starts an operation. Where a socket runs as many as it may, its next messages are read when one of its
// queries and mutations has ended; subscriptions may never end, so nobody waits for those.
func (s *socket) subscribe(m message) {
	op := &operation{socket: s, id: m.id, started: time.Now(), outcome: "cancelled"}
	if full := s.enter(op); full {
		refused := model.Errorf(model.CodeRateLimited,
			"A socket runs at most %d operations at a time. Complete one first.", s.handler.limits.MaxOperations)
		refused.RetryAfter = time.Second
		op.sendUntracked(refused)
		return
	}
	if op.ctx == nil {
		return // the socket has been closed, or is about to be
	}
	// Those who wait for their user's places end with the socket, so this does too.
	s.queue <- struct{}{}
	waits := &queued{s.queue}
	s.group.Go(func() {
		defer waits.leave()
		if op.run(m, waits) {
			op.leave()
		}
	})
}

// queued is an operation's place among those of its socket that begin. It belongs to the goroutine that it began with.
type queued struct{ queue chan struct{} }

// leave lets the socket's next operation begin. It may be called again, and of nil.
func (q *queued) leave() {
	if q != nil && q.queue != nil {
		<-q.queue
		q.queue = nil
	}
}

// enter makes for an operation a place on the socket and its context; full is that there is none.
func (s *socket) enter(op *operation) (full bool) {
	patience := time.NewTimer(s.handler.limits.Patience)
	defer patience.Stop()
	for late := false; ; {
		s.mu.Lock()
		_, twice := s.operations[op.id]
		switch {
		case s.ended || s.draining && s.acked:
			// The close frame is the answer; the client knows that nothing of this ran.
			s.mu.Unlock()
			return false
		case !s.acked:
			s.mu.Unlock()
			s.close(codeUnauthorized, reasonUnauthorized)
			return false
		case twice:
			s.mu.Unlock()
			s.close(codeSubscriberExists, subscriberExists(op.id))
			return false
		// An operation that the client has completed may take a moment to stop, which a client that swaps one for another
		// must not notice. But completing must not allow ever more of them either.
		case s.running >= 2*s.handler.limits.MaxOperations,
			len(s.operations) >= s.handler.limits.MaxOperations && (s.single == 0 || late):
			s.mu.Unlock()
			return true
		case len(s.operations) < s.handler.limits.MaxOperations:
			s.admit(op)
			s.mu.Unlock()
			return false
		}
		s.mu.Unlock()
		select {
		case <-s.freed:
		case <-patience.C:
			late = true
		case <-s.ctx.Done():
		}
	}
}

// admit is called with mu held.
func (s *socket) admit(op *operation) {
	s.total++
	op.requestID = s.hints.RequestID + "." + strconv.Itoa(s.total)
	op.ctx, op.cancel = context.WithCancel(edge.WithRequestID(s.ctx, op.requestID))
	s.operations[op.id] = op
	s.running++
	s.single++
}

// free is called with mu held when a place is free, or may be.
func (s *socket) free() {
	select {
	case s.freed <- struct{}{}:
	default:
	}
}

func subscriberExists(id string) string {
	reason := "Subscriber for " + id + " already exists"
	if len(reason) > maxReason {
		return "Subscriber already exists"
	}
	return reason
}

// complete is the client's word that it no longer listens. An unknown id is one that this side has completed already.
func (s *socket) complete(id string) {
	s.mu.Lock()
	op := s.operations[id]
	if op == nil {
		s.mu.Unlock()
		return
	}
	delete(s.operations, id)
	op.cancel()
	stream, parked := op.stream, op.parked
	op.parked = false
	s.mu.Unlock()
	switch {
	case parked:
		op.leave()
	case stream != nil:
		stream.Close()
	}
}

// run reports whether the operation has ended; it has not when it waits for something to tell.
func (op *operation) run(m message, waits *queued) (ended bool) {
	defer op.guard(&ended)
	if m.refused != nil {
		op.fail(m.refused)
		return true
	}
	ctx, prepared, release, ok := op.prepare(m.request)
	defer release()
	if !ok {
		return true
	}
	op.kind, op.name = string(prepared.Kind()), prepared.Name()
	if op.ctx.Err() != nil {
		return true // completed before it began
	}
	if prepared.Kind() != ast.Subscription {
		waits.leave()
	}
	switch prepared.Kind() {
	case ast.Subscription:
		op.becomeSubscription(prepared.Subscribe(ctx))
		release()
		return op.tell(waits)
	case ast.Mutation:
		// What the client asked to change is changed whether or not it waits for the answer. The engine's deadline
		// bounds it.
		op.single(prepared.Execute(context.WithoutCancel(ctx)))
	default:
		op.single(prepared.Execute(ctx))
	}
	return true
}

// guard, deferred, makes of a panic the operation's end.
func (op *operation) guard(ended *bool) {
	if p := recover(); p != nil { //nolint:revive // it is deferred
		op.socket.log.Error("websocket operation panic", "operationId", op.requestID, "panic", fmt.Sprint(p), "stack",
			string(debug.Stack()))
		op.fail(fmt.Errorf("panic: %v", p))
		*ended = true
	}
}

// prepare proves the caller, opens its viewer and admits the request. When it returns false, the client has been told.
// release may be called twice.
func (op *operation) prepare(r engine.Request) (_ context.Context, _ engine.Operation, release func(), ok bool) {
	release = func() {}
	s := op.socket
	caller, err := s.reauthenticate(op.ctx)
	if err != nil {
		op.fail(err)
		return nil, nil, release, false
	}
	ctx := model.WithCaller(op.ctx, caller)
	if s.handler.config.Admit != nil {
		done, err := s.handler.config.Admit(ctx)
		if err != nil {
			op.fail(err)
			return nil, nil, release, false
		}
		released := false
		release = func() {
			if !released {
				released = true
				done()
			}
		}
	}
	s.mu.Lock()
	hints := s.hints
	s.mu.Unlock()
	hints.RequestID = op.requestID
	ctx, err = s.handler.config.Open(ctx, caller, hints)
	if err != nil {
		op.fail(err)
		return nil, nil, release, false
	}
	r.Client, r.ClientVersion = hints.App, hints.AppVersion
	prepared, errs := s.handler.config.Preparer.Prepare(ctx, r)
	if len(errs) > 0 {
		op.refuse(errs)
		return nil, nil, release, false
	}
	return ctx, prepared, release, true
}

// becomeSubscription tells a draining socket that there is no answer to wait for.
func (op *operation) becomeSubscription(stream engine.Stream) {
	s := op.socket
	s.mu.Lock()
	op.subscription, op.stream = true, stream
	s.oneSingleLess()
	s.mu.Unlock()
	if op.ctx.Err() != nil { // completed meanwhile
		stream.Close()
	}
}

// oneSingleLess is called with mu held.
func (s *socket) oneSingleLess() {
	s.single--
	s.free()
	if s.draining && s.single == 0 {
		select {
		case <-s.quiet:
		default:
			close(s.quiet)
		}
	}
}

// leave runs when nothing of the operation runs any more.
func (op *operation) leave() {
	s := op.socket
	op.cancel()
	if op.stream != nil {
		op.stream.Close()
	}
	s.mu.Lock()
	s.running--
	if !op.subscription {
		s.oneSingleLess()
	}
	if s.operations[op.id] == op {
		delete(s.operations, op.id)
	}
	s.free()
	s.mu.Unlock()
	s.log.Info("websocket operation", "operationId", op.requestID, "kind", op.kind, "name", clipName(op.name),
		"outcome", op.outcome, "answers", op.answers, "durationMs", time.Since(op.started).Milliseconds())
}

// clipName keeps a name that the client chose from filling the log.
func clipName(name string) string { return name[:min(len(name), 64)] }

// single answers a query or a mutation.
func (op *operation) single(response *graphql.Response) {
	if answer.IsRequestError(response) {
		op.refuse(response.Errors)
		return
	}
	if op.next(response) {
		op.finish()
	}
}

// next sends one answer; false when it could not be encoded, which has ended the operation.
func (op *operation) next(response *graphql.Response) bool {
	op.answers++
	err := op.socket.send(op.active, func(buf []byte) ([]byte, error) {
		buf, err := appendHead(buf, op.id, typeNext)
		if err != nil {
			return nil, err
		}
		told := response
		response = nil // a peer that does not read holds the frame alone
		if buf, err = op.socket.handler.appendAnswer(append(buf, `,"payload":`...), told, op.subscription); err != nil {
			return nil, err
		}
		return append(buf, '}'), nil
	})
	if err != nil {
		op.fail(err)
		return false
	}
	return true
}

// encoded is an answer with what it is as JSON.
type encoded struct {
	answer weak.Pointer[graphql.Response]
	text   []byte
}

// appendAnswer appends an answer. The last one that may be shared is kept as it was encoded: those who ask the same are
// given the same answer, one after the other.
func (h *Handler) appendAnswer(buf []byte, response *graphql.Response, shared bool) ([]byte, error) {
	if !shared {
		return answer.Append(buf, response)
	}
	this := weak.Make(response)
	if last := h.lastAnswer.Load(); last != nil && last.answer == this {
		return append(buf, last.text...), nil
	}
	start := len(buf)
	buf, err := answer.Append(buf, response)
	if err == nil && len(buf) <= maxKeptFrame {
		h.lastAnswer.Store(&encoded{answer: this, text: bytes.Clone(buf[start:])})
	}
	return buf, err
}

// finish sends "complete", unless the operation has ended otherwise.
func (op *operation) finish() {
	frame, err := appendHead(nil, op.id, typeComplete)
	if err != nil {
		op.fail(err)
		return
	}
	op.last(append(frame, '}'), "completed")
}

// fail ends the operation with an error that may not be for the client.
func (op *operation) fail(err error) {
	list, traceID := answer.FromError(err)
	if traceID != "" && op.ctx.Err() == nil {
		op.socket.log.Error("websocket operation failed", "operationId", op.requestID, "traceId", traceID, "error", err)
	}
	op.refuse(list)
}

// refuse ends the operation with "error", which is its last message.
func (op *operation) refuse(list gqlerror.List) {
	frame, err := errorFrame(op.id, list)
	if err != nil {
		op.socket.log.Error("websocket errors did not encode", "operationId", op.requestID, "error", err)
		list, _ := answer.FromError(err)
		if frame, err = errorFrame(op.id, list); err != nil {
			return
		}
	}
	op.last(frame, "refused")
}

func errorFrame(id string, list gqlerror.List) ([]byte, error) {
	payload, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("encode errors: %w", err)
	}
	frame, err := appendHead(make([]byte, 0, len(payload)+len(id)+64), id, typeError)
	if err != nil {
		return nil, err
	}
	frame = append(append(frame, `,"payload":`...), payload...)
	return append(frame, '}'), nil
}

// sendUntracked answers a subscribe that never became an operation.
func (op *operation) sendUntracked(shown *model.Error) {
	list, _ := answer.FromError(shown)
	frame, err := errorFrame(op.id, list)
	if err != nil {
		op.socket.log.Error("websocket errors did not encode", "error", err)
		return
	}
	op.socket.write(frame, nil)
}

// active is asked with the socket's mu held.
func (op *operation) active() bool { return op.socket.operations[op.id] == op }

// last writes the operation's last message and frees its id in the same breath: the client may use it again as soon as
// it has read the message.
func (op *operation) last(frame []byte, outcome string) {
	op.socket.write(frame, func() bool {
		active := op.active()
		if active {
			delete(op.socket.operations, op.id)
			op.socket.free()
			op.outcome = outcome
		}
		return active
	})
}
