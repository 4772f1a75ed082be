package graphiti

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/adapters/remote"
	"almanac/internal/dryrun"
)

// arguments are what a tool is called with.
type arguments map[string]any

// ask is one thing that is asked of the server.
type ask struct {
	// name is for log and metrics.
	name string
	// write: it is never repeated when it may have been done, and may take longer.
	write bool
	// reads: it changes nothing, so that it is asked in a dry run too.
	reads bool
	// quiet: nothing is sent but what a session takes, which is reported by itself.
	quiet bool
	// do asks in a session. Its failure has what the server said; the error is the library's.
	do func(ctx context.Context, s *session) (json.RawMessage, *failure, error)
}

// isReader reports whether a tool changes nothing, by its name.
func isReader(tool string) bool {
	return strings.HasPrefix(tool, "get_") || strings.HasPrefix(tool, "search_")
}

// tool is the call of a tool that pick chooses among those of the server. In a dry run, a tool that changes something
// is not called, and has no answer.
func (b *Base) tool(ctx context.Context, write bool,
	pick func(*tools) (string, arguments, error)) (json.RawMessage, *failure, error) {
	t, lost := b.known(ctx)
	if lost != nil {
		err := shown(lost)
		return nil, lost, err
	}
	name, args, err := pick(t)
	if err != nil {
		return nil, nil, err
	}
	if dryrun.Is(ctx) && !isReader(name) {
		return nil, nil, nil
	}
	answer, lost := b.ask(ctx, ask{name: name, write: write, reads: isReader(name),
		do: func(ctx context.Context, s *session) (json.RawMessage, *failure, error) {
			result, err := s.mcp.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
			if err != nil {
				return nil, nil, err
			}
			answer, lost := readResult(result)
			return answer, lost, nil
		}})
	if lost != nil {
		err := shown(lost)
		return nil, lost, err
	}
	return answer, nil, nil
}

// known returns the server's tools, making a session where there is none.
func (b *Base) known(ctx context.Context) (*tools, *failure) {
	var found *tools
	b.once.Do(b.prepare)
	b.connection.mu.Lock()
	if b.connection.current != nil {
		found = &b.connection.current.tools
	}
	b.connection.mu.Unlock()
	if found != nil {
		return found, nil
	}
	_, lost := b.ask(ctx, ask{name: "tools", reads: true, quiet: true,
		do: func(_ context.Context, s *session) (json.RawMessage, *failure, error) {
			found = &s.tools
			return nil, nil, nil
		}})
	return found, lost
}

// mostForgotten is how often a call makes the session anew; a server that forgets it at once is broken.
const mostForgotten = 2

// ask makes attempts until one counts. Additions are never repeated when they may have been done.
func (b *Base) ask(ctx context.Context, a ask) (answer json.RawMessage, lost *failure) {
	b.once.Do(b.prepare)
	call := &remote.Call{Operation: a.name, Quiet: a.quiet, Reads: a.reads, Breaker: b.breaker, Rest: &b.rest,
		Repeat: remote.RepeatAlways,
		Turn:   b.slots.Take, Opened: b.connection.lose} // a session that hangs would be asked again for ever
	if a.write {
		call.Repeat, call.Attempt = remote.RepeatUnapplied, b.Limits.Write
	}
	forgotten := 0
	call.Try = func(ctx context.Context) (int, *failure) {
		got, lost := b.exchange(ctx, a)
		if lost != nil && lost.Kind == remote.KindStale {
			if forgotten++; forgotten > mostForgotten {
				lost.Kind, lost.Result = remote.KindBroken, ""
			}
		}
		answer = got
		return 0, lost
	}
	if lost = b.caller.Do(ctx, call); lost != nil {
		return nil, lost
	}
	return answer, nil
}

// exchange asks in a session.
func (b *Base) exchange(ctx context.Context, a ask) (json.RawMessage, *failure) {
	w := &wire{}
	ctx = onWire(ctx, w)
	s, lost := b.connection.take(ctx)
	if lost != nil {
		copied := *lost // those who waited for the same session have one failure each
		return nil, &copied
	}
	answer, lost, said := a.do(ctx, s)
	if said != nil {
		state := w.get()
		lost = judge(ctx, state, said, "the session broke")
		b.connection.leave(s, losesSession(lost, state, said))
		return nil, lost
	}
	b.connection.leave(s, false)
	return answer, lost
}

// decode reads an answer's object into a shape.
func decode[T any](answer json.RawMessage, into *T) error {
	if err := json.Unmarshal(answer, into); err != nil {
		return malformed()
	}
	return nil
}

func malformed() error { return shown(notUnderstood()) }

// notUnderstood is the failure of an answer that is whole and of no known form.
func notUnderstood() *failure {
	const reason = "its answer is not understood"
	return &failure{Remote: remoteName, Message: reason, Err: errors.New(reason)}
}

// notOffered is for what this server cannot do.
func (t *tools) notOffered(format string, args ...any) error {
	version := ""
	if t.version != "" {
		version = " (version " + t.version + ")"
	}
	return notConfigured("this Graphiti server%s %s", version, fmt.Sprintf(format, args...))
}
