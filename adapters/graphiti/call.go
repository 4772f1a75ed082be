package graphiti

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/internal/retry"
)

// arguments are what a tool is called with.
type arguments map[string]any

// ask is one thing that is asked of the server.
type ask struct {
	// name is for log and metrics.
	name string
	// write: it is never repeated when it may have been done, and may take longer.
	write bool
	// quiet: nothing is sent but what a session takes, which tells of itself.
	quiet bool
	// do asks in a session. Its failure has what the server said, or the library's error.
	do func(ctx context.Context, s *session) (json.RawMessage, *failure)
}

// tool is the call of a tool that pick chooses among those of the server.
func (b *Base) tool(ctx context.Context, write bool,
	pick func(*tools) (string, arguments, error)) (json.RawMessage, *failure, error) {
	t, lost := b.known(ctx)
	if lost != nil {
		err := lost.shown()
		return nil, lost, err
	}
	name, args, err := pick(t)
	if err != nil {
		return nil, nil, err
	}
	answer, lost := b.ask(ctx, ask{name: name, write: write,
		do: func(ctx context.Context, s *session) (json.RawMessage, *failure) {
			result, err := s.mcp.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
			if err != nil {
				return nil, &failure{said: err}
			}
			return readResult(result)
		}})
	if lost != nil {
		err := lost.shown()
		return nil, lost, err
	}
	return answer, nil, nil
}

// known gives the server's tools, making a session where there is none.
func (b *Base) known(ctx context.Context) (*tools, *failure) {
	var found *tools
	b.once.Do(b.prepare)
	b.line.mu.Lock()
	if b.line.current != nil {
		found = &b.line.current.tools
	}
	b.line.mu.Unlock()
	if found != nil {
		return found, nil
	}
	_, lost := b.ask(ctx, ask{name: "tools", quiet: true,
		do: func(_ context.Context, s *session) (json.RawMessage, *failure) {
			found = &s.tools
			return nil, nil
		}})
	return found, lost
}

// ask makes attempts until one counts.
func (b *Base) ask(ctx context.Context, a ask) (json.RawMessage, *failure) {
	b.once.Do(b.prepare)
	ctx, cancel := context.WithTimeout(ctx, b.Limits.Call)
	defer cancel()
	const mostForgotten = 2
	failed, forgotten, sent := 0, 0, 0
	var before *failure
	for {
		sent++
		answer, lost := b.attempt(ctx, a, sent)
		if lost == nil {
			return answer, nil
		}
		lost.attempts = sent
		switch {
		case lost.kind == kindLeftAlone && before != nil:
			return nil, before // what the server did tells more than that it is left alone now
		case lost.kind == kindForgotten && forgotten < mostForgotten:
			forgotten++
			continue
		case lost.kind == kindForgotten:
			lost.kind = kindBroken
		}
		if lost.kind != kindLimited && lost.kind != kindBroken {
			return nil, lost
		}
		failed, before = failed+1, lost
		wait := max(retry.Backoff(failed, b.Jitter(), b.Limits.BackoffBase, b.Limits.BackoffMost), lost.wait)
		if lost.kind == kindLimited {
			lost.wait = wait // who went too fast always hears how long to wait
		}
		if failed >= b.Limits.Attempts || a.write && lost.unknown() || b.guard.IsOpen(b.machine()) || !b.fits(ctx, wait) ||
			b.Wait(ctx, wait) != nil {
			return nil, lost
		}
	}
}

// fits tells whether an attempt after the wait would begin in time.
func (b *Base) fits(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	return !ok || b.machine().Add(wait).Before(deadline)
}

var (
	errBreaker = errors.New("it failed several times and is left alone for a moment")
	errResting = errors.New("it asked to be left alone")
)

// attempt asks once, if the server is not to be left alone, and judges what comes back.
func (b *Base) attempt(ctx context.Context, a ask, number int) (json.RawMessage, *failure) {
	select {
	case b.turns <- struct{}{}:
		defer func() { <-b.turns }()
	case <-ctx.Done():
		return nil, &failure{kind: kindLate, unsent: true, err: ctx.Err()}
	}
	if ctx.Err() != nil {
		return nil, &failure{kind: kindLate, unsent: true, err: ctx.Err()}
	}
	if rest := b.resting(); rest > 0 {
		b.tell(ctx, Attempt{Operation: a.name, Number: number, Result: ResultLeftAlone})
		return nil, &failure{kind: kindLimited, unsent: true, wait: rest, err: errResting}
	}
	pass, pause, ok := b.guard.Enter(b.machine())
	if !ok {
		b.tell(ctx, Attempt{Operation: a.name, Number: number, Result: ResultLeftAlone})
		return nil, &failure{kind: kindLeftAlone, unsent: true, wait: pause, err: errBreaker}
	}
	verdict := retry.NoSay
	defer func() {
		if b.guard.Done(pass, verdict, b.machine()) {
			b.line.lose() // a session that hangs would be asked again for ever
			b.Logger.WarnContext(ctx, "the Graphiti server fails and is left alone for a while",
				slog.String("operation", a.name), slog.Duration("pause", b.Limits.Pause))
		}
	}()
	began := b.machine()
	answer, lost := b.exchange(ctx, a)
	told := Attempt{Operation: a.name, Number: number, Result: ResultOK, Latency: b.machine().Sub(began)}
	if lost == nil {
		verdict = retry.Healthy
		if !a.quiet {
			b.tell(ctx, told)
		}
		return answer, nil
	}
	if ctx.Err() != nil && lost.kind == kindBroken {
		lost.kind, lost.err = kindLate, ctx.Err()
	}
	told.Status, told.Result = lost.status, lost.result()
	switch lost.kind {
	case kindLate:
		if errors.Is(lost.err, context.DeadlineExceeded) && told.Latency >= b.Limits.Slow {
			verdict, told.Result = retry.Failing, ResultTimeout
		}
	case kindBroken:
		verdict = retry.Failing
	case kindForgotten:
	case kindLimited:
		verdict = retry.Healthy
		b.rest(lost.wait)
	default:
		verdict = retry.Healthy
	}
	b.tell(ctx, told)
	return nil, lost
}

// exchange asks in a session.
func (b *Base) exchange(ctx context.Context, a ask) (json.RawMessage, *failure) {
	limit := b.Limits.Attempt
	if a.write {
		limit = b.Limits.Write
	}
	w := &wire{}
	within, cancel := context.WithTimeout(onWire(ctx, w), limit)
	defer cancel()
	s, lost := b.line.take(within)
	if lost != nil {
		copied := *lost // those who waited for the same session have one failure each
		return nil, &copied
	}
	answer, lost := a.do(within, s)
	if lost != nil && lost.said != nil {
		state := w.get()
		lost = lost.seen(within, state)
		b.line.leave(s, lost.losesSession(state))
		return nil, lost
	}
	b.line.leave(s, false)
	return answer, lost
}

// resting is for how much longer the server wants to be left alone.
func (b *Base) resting() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rests.Sub(b.machine())
}

func (b *Base) rest(wait time.Duration) {
	if wait <= 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if until := b.machine().Add(min(wait, b.Limits.Rest)); until.After(b.rests) {
		b.rests = until
	}
}

// tell tells the log and the metrics of an attempt.
func (b *Base) tell(ctx context.Context, a Attempt) {
	b.Observe(a)
	if b.Logger.Enabled(ctx, slog.LevelDebug) {
		b.Logger.LogAttrs(ctx, slog.LevelDebug, "called the Graphiti server", slog.String("operation", a.Operation),
			slog.Int("attempt", a.Number),
			slog.Int("status", a.Status), slog.String("result", a.Result), slog.Duration("latency", a.Latency))
	}
}

// decode reads an answer's object into a shape.
func decode[T any](answer json.RawMessage, into *T) error {
	if err := json.Unmarshal(answer, into); err != nil {
		return malformed()
	}
	return nil
}

func malformed() error {
	f := &failure{kind: kindRejected, reason: "its answer is not understood",
		err: errors.New("its answer is not understood")}
	return f.shown()
}

// notOffered is for what this server cannot do.
func (t *tools) notOffered(format string, args ...any) error {
	version := ""
	if t.version != "" {
		version = " (version " + t.version + ")"
	}
	return notConfigured("this Graphiti server%s %s", version, fmt.Sprintf(format, args...))
}
