package engine

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"almanac/graph/model"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"go.opentelemetry.io/otel/trace"
)

// Marks that an error carries in its Rule, which is never written out. Transports and metrics read them by Refusal.
const (
	markLimit     = "limit:"
	markMethod    = "method"
	markScope     = "scope:"
	markSyntax    = "syntax"
	markInvalid   = "validation"
	markInput     = "variables"
	markCaller    = "caller"
	markOperation = "operation"
	markPersisted = "persistedQuery"
	markUntrusted = "documentsOnly"
	markUserCost  = "userCost"
)

// MethodRefused reports whether the request was refused only because a mutation or a subscription came by GET.
func MethodRefused(errs gqlerror.List) bool {
	return len(errs) == 1 && errs[0].Rule == markMethod
}

// CodeOf returns the code of an error that the engine made.
func CodeOf(err *gqlerror.Error) model.ErrorCode {
	switch code := err.Extensions["code"].(type) {
	case model.ErrorCode:
		return code
	case string:
		return model.ErrorCode(code)
	default:
		return model.CodeInternal
	}
}

// errorOf returns a refusal of ours as a client reads it.
func errorOf(shown *model.Error) *gqlerror.Error {
	return &gqlerror.Error{Message: clip(shown.Message), Extensions: extensionsOf(shown)}
}

// badInput sets the code of an error of the parser, the validator or the coercion, and bounds its length.
func badInput(err *gqlerror.Error) *gqlerror.Error {
	err.Message = clip(err.Message)
	if err.Extensions == nil {
		err.Extensions = map[string]any{}
	}
	err.Extensions["code"] = model.CodeBadUserInput
	return err
}

func badInputs(errs gqlerror.List, mark string, limit int) gqlerror.List {
	errs = errs[:min(len(errs), limit)]
	for _, err := range errs {
		badInput(err).Rule = mark
	}
	return errs
}

// tooExpensive refuses a document by a limit. More means that counting stopped at the measured number.
func tooExpensive(name string, measured, allowed int64, more bool, hint string) *gqlerror.Error {
	number := fmt.Sprint(measured)
	if more {
		number += " or more"
	}
	return &gqlerror.Error{
		Message: fmt.Sprintf("The query is too expensive: %s is %s, and at most %d is allowed. %s", name, number, allowed,
			hint),
		Extensions: map[string]any{
			"code": model.CodeQueryTooExpensive, "limit": name, "measured": measured, "allowed": allowed,
		},
		Rule: markLimit + name,
	}
}

func extensionsOf(err *model.Error) map[string]any {
	extensions := map[string]any{"code": err.Code}
	if len(err.Field) > 0 {
		extensions["field"] = err.Field
	}
	if err.RetryAfter > 0 {
		// Rounded up, so that a client that waits as told is not early.
		extensions["retryAfterMs"] = (err.RetryAfter + time.Millisecond - 1).Milliseconds()
	}
	if err.ConnectURL != "" {
		extensions["connectUrl"] = err.ConnectURL
	}
	if len(err.Readings) > 0 {
		extensions["readings"] = err.Readings
	}
	if err.Reason != "" {
		extensions["reason"] = clip(err.Reason)
	}
	return extensions
}

// clip shortens a text, since it may hold what the caller wrote.
func clip(text string) string {
	if len(text) <= maxShown {
		return text
	}
	count := 0
	for i := range text {
		if count++; count == maxShown {
			return text[:i] + "…"
		}
	}
	return text
}

// answer is a context with what the errors of its answer share.
type answer struct {
	context.Context

	shown, logged atomic.Int32
	once          sync.Once
	traceID       string
}

type answerKey struct{}

func withAnswer(ctx context.Context) context.Context {
	return &answer{Context: ctx}
}

// Value implements context.Context.
func (a *answer) Value(key any) any {
	if key == (answerKey{}) {
		return a
	}
	return a.Context.Value(key)
}

// trace returns the id that ties the answer to the log: the span's when the request is traced, else a random one.
func (a *answer) trace(ctx context.Context) string {
	a.once.Do(func() {
		if span := trace.SpanContextFromContext(ctx); span.HasTraceID() {
			a.traceID = span.TraceID().String()
			return
		}
		var id [16]byte
		_, _ = rand.Read(id[:]) // never fails, by its contract
		a.traceID = hex.EncodeToString(id[:])
	})
	return a.traceID
}

func answerOf(ctx context.Context) *answer {
	if a, ok := ctx.Value(answerKey{}).(*answer); ok {
		return a
	}
	return &answer{}
}

// panicked stands for a panic that the log already has.
type panicked struct{}

func (panicked) Error() string { return "panic" }

// recovered logs a panic with its stack and returns the error that present hides.
func (e *Engine) recovered(ctx context.Context, value any) error {
	a := answerOf(ctx)
	if a.logged.Add(1) <= int32(e.limits.Errors) {
		e.log.ErrorContext(ctx, "panic in a resolver", "traceId", a.trace(ctx), "field", coordinate(ctx),
			"panic", fmt.Sprint(value), "stack", string(debug.Stack()))
	}
	return panicked{}
}

// present turns any error of the execution into one that a client may see; nil beyond the limit of errors, so that
// neither the answer nor the work on it grows with the number of failing fields.
func (e *Engine) present(ctx context.Context, err error) *gqlerror.Error {
	a := answerOf(ctx)
	if a.shown.Add(1) > int32(e.limits.Errors) {
		return nil
	}
	out := &gqlerror.Error{}
	if original := (*gqlerror.Error)(nil); errors.As(err, &original) {
		out.Path, out.Locations = original.Path, original.Locations
	}
	field := graphql.GetFieldContext(ctx)
	argument := argumentPath(field, out)

	var shown *model.Error
	switch {
	case errors.As(err, &shown):
		if len(shown.Field) == 0 && argument != nil {
			at := *shown
			at.Field = argument
			shown = &at
		}
		if shown.Code == model.CodeInternal {
			shown = nil
		}
	case ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded):
		shown = e.stopped(ctx)
	case argument != nil && !errors.As(err, new(panicked)):
		shown = &model.Error{Code: model.CodeBadUserInput, Message: plainMessage(err), Field: argument}
	}
	if shown == nil {
		out.Message, out.Extensions = e.hide(ctx, a, err)
		return out
	}
	if caller, _ := model.CallerFrom(ctx); shown.ConnectURL != "" && !caller.May(model.ScopeAccountWrite) {
		at := *shown
		at.ConnectURL = "" // whoever has it can link an account to the user, which is a change
		shown = &at
	}
	if shown.Cause != nil {
		e.log.WarnContext(ctx, "a field failed", "code", string(shown.Code), "field", coordinate(ctx), "cause",
			shown.Cause.Error())
	} else if shown.Code == model.CodeUpstreamUnavailable { // what it wraps says why
		e.log.WarnContext(ctx, "a field failed", "code", string(shown.Code), "field", coordinate(ctx), "cause", err.Error())
	}
	out.Message, out.Extensions = clip(shown.Message), extensionsOf(shown)
	return out
}

// stopped says why the context ended.
func (e *Engine) stopped(ctx context.Context) *model.Error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return model.Errorf(model.CodeTimeout, "The request was cancelled before it ended.")
	}
	return model.Errorf(model.CodeTimeout, "The request took too long; a request may run for %s.", e.limits.Deadline)
}

// hide logs the cause and returns the bland sentence in its place.
func (e *Engine) hide(ctx context.Context, a *answer, err error) (string, map[string]any) {
	if !errors.As(err, new(panicked)) && a.logged.Add(1) <= int32(e.limits.Errors) {
		e.log.ErrorContext(ctx, "a field failed", "traceId", a.trace(ctx), "field", coordinate(ctx), "cause", err.Error())
	}
	return "Something went wrong on the server. The trace id names the failure in its log.",
		map[string]any{"code": model.CodeInternal, "traceId": a.trace(ctx)}
}

// argumentPath reports whether the error is about an argument's value, and where in the arguments; it then cuts the
// error's path down to the field, as the specification wants (section 7.1.2).
//
// The generated code fills in a field's Args only after every argument could be read.
func argumentPath(field *graphql.FieldContext, err *gqlerror.Error) []string {
	if field == nil || field.Args != nil || field.Field.Field == nil || field.Field.Definition == nil ||
		len(field.Field.Definition.Arguments) == 0 {
		return nil
	}
	length := min(len(field.Path()), len(err.Path))
	path := make([]string, 0, len(err.Path)-length)
	for _, part := range err.Path[length:] {
		path = append(path, ast.Path{part}.String())
	}
	err.Path = err.Path[:length]
	if field.Field.Position != nil && err.Locations == nil {
		err.Locations = []gqlerror.Location{{Line: field.Field.Position.Line, Column: field.Field.Position.Column}}
	}
	return path
}

// plainMessage is the message without the path and the position that gqlgen puts before it.
func plainMessage(err error) string {
	var wrapped *gqlerror.Error
	if errors.As(err, &wrapped) && utf8.ValidString(wrapped.Message) {
		return wrapped.Message
	}
	return "The value of an argument cannot be read."
}

// coordinate names the failing field by the schema's names, since aliases are the caller's own text.
func coordinate(ctx context.Context) string {
	field := graphql.GetFieldContext(ctx)
	if field == nil || field.Field.Field == nil {
		return ""
	}
	return field.Object + "." + field.Field.Name
}

// ensure the engine's log is never nil.
func orDiscard(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return log
}

// ScopeMissing returns the scope for whose lack the request was refused, "" when that is not why.
func ScopeMissing(errs gqlerror.List) model.Scope {
	for _, err := range errs {
		if scope, ok := strings.CutPrefix(err.Rule, markScope); ok {
			return model.Scope(scope)
		}
	}
	return ""
}
