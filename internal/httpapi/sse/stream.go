package sse

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"almanac/graph/model"
	"almanac/internal/httpapi/answer"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/engine"
)

// stream is one response. Its handler's goroutine writes; another runs the operation and hands over one answer at a
// time, so a slow client holds two answers and no more.
type stream struct {
	handler *Handler
	writer  http.ResponseWriter
	control *http.ResponseController
	request *http.Request
	form    framing
	// done tells Config.Admit that the operation no longer needs its slot.
	done    func()
	log     *slog.Logger
	started time.Time
	buf     []byte
	caller  model.Caller
	answers int
}

func (h *Handler) newStream(w http.ResponseWriter, r *http.Request, form framing, done func()) *stream {
	caller, _ := model.CallerFrom(r.Context())
	return &stream{
		handler: h, writer: w, control: http.NewResponseController(w), request: r, form: form, done: done, caller: caller,
		log: h.log.With("requestId", edge.RequestID(r.Context())), started: time.Now(),
	}
}

// maxKept is the largest buffer that a stream keeps between two answers.
const maxKept = 64 << 10

// serve runs the operation, or streams the errors it was refused with.
func (s *stream) serve(operation engine.Operation, errs gqlerror.List) {
	kind, name, outcome := "", "", "refused"
	defer func() {
		s.log.Info("stream closed", "mediaType", s.form.mediaType(), "kind", kind, "name", name[:min(len(name), 64)],
			"outcome", outcome, "answers", s.answers, "durationMs", time.Since(s.started).Milliseconds())
	}()
	// The server may have bounded the reading of the body. Such a deadline would end a stream, as net/http reads on to
	// see whether the client is still there.
	_ = s.control.SetReadDeadline(time.Time{})
	header := s.writer.Header()
	header.Set("Content-Type", s.form.mediaType())
	header.Set("Cache-Control", "no-store, no-transform")
	header.Set("X-Content-Type-Options", "nosniff")
	// Nginx and its kin hold a response back until a buffer is full, unless told not to.
	header.Set("X-Accel-Buffering", "no")
	s.writer.WriteHeader(http.StatusOK)
	if !s.write(s.form.begin(nil)) {
		outcome = "client gone"
		return
	}
	if len(errs) > 0 {
		s.done()
		if s.next(&graphql.Response{Errors: errs}) {
			s.write(s.form.complete(nil))
		}
		return
	}
	kind, name = string(operation.Kind()), operation.Name()
	outcome = s.run(operation)
}

// run streams the operation's answers and returns how it ended, for the log.
func (s *stream) run(operation engine.Operation) string {
	ctx, cancel := context.WithCancel(s.request.Context())
	answers := make(chan *graphql.Response)
	proofs := make(chan proof, 2) // one of the keep-alive and one of an answer
	var group sync.WaitGroup
	group.Go(func() {
		defer close(answers)
		s.perform(ctx, operation, answers, proofs)
	})
	defer func() {
		cancel()
		group.Wait()
	}()

	keepAlive := time.NewTicker(s.handler.config.Limits.KeepAlive)
	defer keepAlive.Stop()
	proving := false
	draining := s.handler.draining
	if operation.Kind() != ast.Subscription {
		draining = nil // its answer is worth waiting for
	}
	for {
		expiry, stop := s.expiry()
		outcome := ""
		select {
		case response, more := <-answers:
			switch {
			case !more && ctx.Err() != nil:
				outcome = "client gone"
			case !more:
				s.write(s.form.complete(nil))
				outcome = "completed"
			case !s.next(response):
				outcome = "client gone"
			}
		case <-keepAlive.C:
			if !s.write(s.form.heartbeat(nil)) {
				outcome = "client gone"
			} else if !proving && s.handler.config.Authenticator != nil {
				proving = true
				before := s.caller
				group.Go(func() { proofs <- s.prove(ctx, before) })
			}
		case proved := <-proofs:
			proving = false
			if proved.refused {
				outcome = s.interrupt("token no longer holds",
					gone(model.CodeUnauthenticated, "The token no longer holds. Send a new one."))
			} else if proved.known {
				s.caller = proved.caller
			}
		case <-expiry:
			if s.expired(s.caller) {
				outcome = s.interrupt("token expired", gone(model.CodeUnauthenticated, "The token has expired. Send a new one."))
			}
		case <-draining:
			outcome = s.interrupt("drained", gone(model.CodeRateLimited, "The server is stopping. Subscribe again."))
		case <-s.handler.forced:
			outcome = s.interrupt("drained by force", gone(model.CodeRateLimited, "The server is stopping. Try again."))
		case <-ctx.Done():
			outcome = "client gone"
		}
		stop()
		if outcome != "" {
			return outcome
		}
	}
}

// perform runs the operation and hands its answers over, until it ends or the context does.
func (s *stream) perform(ctx context.Context, operation engine.Operation, answers chan<- *graphql.Response,
	proofs chan<- proof) {
	hand := func(response *graphql.Response) bool {
		select {
		case answers <- response:
			return true
		case <-ctx.Done():
			return false
		}
	}
	defer func() {
		if p := recover(); p != nil {
			list, traceID := answer.FromError(fmt.Errorf("panic: %v", p))
			s.log.Error("stream panic", "traceId", traceID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			hand(&graphql.Response{Errors: list})
		}
	}()
	switch operation.Kind() {
	case ast.Subscription:
		stream := operation.Subscribe(ctx)
		defer stream.Close()
		stop := context.AfterFunc(ctx, stream.Close)
		defer stop()
		s.done()
		for response := stream.Next(); response != nil; response = stream.Next() {
			if !s.holds(ctx, response) {
				if ctx.Err() == nil {
					proofs <- proof{refused: true}
					<-ctx.Done()
				}
				return
			}
			if !hand(response) {
				return
			}
		}
		if ctx.Err() != nil {
			return
		}
	case ast.Mutation:
		// What the client asked to change is changed whether or not it waits for the answer.
		hand(operation.Execute(context.WithoutCancel(ctx)))
	default:
		hand(operation.Execute(ctx))
	}
}

// holds reports whether the caller's token still holds now that there is an answer to give.
func (s *stream) holds(ctx context.Context, response *graphql.Response) bool {
	if s.handler.proofs == nil {
		return true
	}
	caller, _ := model.CallerFrom(s.request.Context())
	holds, err := s.handler.proofs.Check(ctx, token(s.request), caller, response)
	return err == nil && holds
}

// expiry returns a channel that is ready when the caller's proof ends; nil when it does not end.
func (s *stream) expiry() (<-chan time.Time, func() bool) {
	if s.caller.ExpiresAt.IsZero() {
		return nil, func() bool { return true }
	}
	timer := time.NewTimer(s.caller.ExpiresAt.Sub(s.handler.now()))
	return timer.C, timer.Stop
}

func (s *stream) expired(c model.Caller) bool {
	return !c.ExpiresAt.IsZero() && !s.handler.now().Before(c.ExpiresAt)
}

// proof is what a second look at a token found: a caller, a refusal, or nothing when it could not be looked at, which
// ends no stream.
type proof struct {
	caller         model.Caller
	known, refused bool
}

// prove runs beside the stream, which must not wait for an issuer that sleeps.
func (s *stream) prove(ctx context.Context, before model.Caller) (found proof) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("stream panic", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			found = proof{}
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, s.handler.config.Limits.KeepAlive)
	defer cancel()
	caller, err := s.handler.config.Authenticator.Authenticate(ctx, token(s.request))
	switch {
	case err != nil && edge.Refused(err):
		return proof{refused: true}
	case err != nil:
		if !errors.Is(err, context.Canceled) {
			s.log.Warn("stream authentication failed", "error", err)
		}
		return proof{}
	case caller.UserID != before.UserID || !slices.Equal(caller.Scopes, before.Scopes) || s.expired(caller):
		return proof{refused: true}
	}
	return proof{caller: caller, known: true}
}

func (s *stream) next(response *graphql.Response) bool {
	buf, err := s.form.next(s.buf[:0], response)
	if err != nil {
		list, traceID := answer.FromError(err)
		s.log.Error("stream answer did not encode", "traceId", traceID, "error", err)
		if buf, err = s.form.next(s.buf[:0], &graphql.Response{Errors: list}); err != nil {
			return false
		}
	}
	s.answers++
	written := s.write(buf)
	if s.buf = buf; cap(buf) > maxKept {
		s.buf = nil
	}
	return written
}

func (s *stream) interrupt(outcome string, why gqlerror.List) string {
	frame, err := s.form.interrupt(nil, why)
	if err != nil {
		s.log.Error("stream end did not encode", "error", err)
		return outcome
	}
	s.write(frame)
	return outcome
}

// write sends a frame at once; false when the client is gone or did not take it in time.
func (s *stream) write(frame []byte) bool {
	// Not every writer has deadlines, as in tests; where there are some, each answer gets its own, so that a server's
	// deadline for whole responses does not cut a stream.
	_ = s.control.SetWriteDeadline(time.Now().Add(s.handler.config.Limits.WriteTimeout))
	if _, err := s.writer.Write(frame); err != nil { //nolint:gosec // G705: a frame is JSON in an event stream, never HTML
		return false
	}
	return s.control.Flush() == nil
}
