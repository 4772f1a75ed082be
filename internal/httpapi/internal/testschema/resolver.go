package testschema

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"almanac/graph/model"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// Secret is the text that stands in every hidden cause. No answer may contain it.
const Secret = "postgres://admin:hunter2@10.0.0.7/almanac"

// Resolver answers the schema. Its zero value is ready, except that Slow then waits for its context alone.
type Resolver struct {
	// Counter is what the mutations count.
	Counter atomic.Int64
	// Streams is how many subscriptions run now.
	Streams atomic.Int64
	// Started gets a value, when it is not nil, as soon as a slow field runs.
	Started chan struct{}
	// Release lets slow fields answer, one for each value or all when it is closed.
	Release chan struct{}
	// Events are the numbers that ticks(count: null) sends; nil makes the stream endless without a wait.
	Events chan int32
	// Who is what whoami answers; nil returns the caller's subject.
	Who func(ctx context.Context) string
	// Charge runs in the same context as the increment mutations, before they count. It may fail.
	Charge func(ctx context.Context) error
	// Remote is the remote system: it answers what was sent. Without it the text comes back.
	Remote func(ctx context.Context, text string) (string, error)
}

//go:embed schema.graphqls
var executed string

//go:embed checked.graphqls
var checked string

// Source returns the text of the whole schema.
func Source() string { return executed + "\n" + checked }

// New makes the executable schema.
func New(r *Resolver) graphql.ExecutableSchema {
	schema := gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphqls", Input: Source()})
	return NewExecutableSchema(Config{Resolvers: root{r}, Schema: schema})
}

// The ways to fail, as the enum Failure has them.
const (
	FailurePlain        = "PLAIN"
	FailurePanic        = "PANIC"
	FailureBadInput     = "BAD_INPUT"
	FailureNotFound     = "NOT_FOUND"
	FailureRateLimited  = "RATE_LIMITED"
	FailureUpstream     = "UPSTREAM"
	FailureNotConnected = "NOT_CONNECTED"
	FailureDeadline     = "DEADLINE"
)

type root struct{ *Resolver }

func (r root) Broken() BrokenResolver             { return broken{} }
func (r root) Mutation() MutationResolver         { return mutation(r) }
func (r root) Person() PersonResolver             { return person(r) }
func (r root) Query() QueryResolver               { return query(r) }
func (r root) Subscription() SubscriptionResolver { return subscription(r) }
func (r root) Tick() TickResolver                 { return tick(r) }

type broken struct{}

func (broken) Part(context.Context, *Broken) (*string, error) {
	return nil, errors.New(Secret)
}

type mutation struct{ *Resolver }

func (m mutation) Increment(ctx context.Context, by int32) (int32, error) {
	if m.Charge != nil {
		if err := m.Charge(ctx); err != nil {
			return 0, err
		}
	}
	return int32(m.Counter.Add(int64(by))), nil //nolint:gosec // tests count little
}

func (m mutation) IncrementAndFail(ctx context.Context, how string) (*int32, error) {
	if _, err := m.Increment(ctx, 1); err != nil {
		return nil, err
	}
	return nil, FailWith(how)
}

func (m mutation) Send(ctx context.Context, text string) (*string, error) {
	if m.Remote == nil {
		return &text, nil
	}
	answer, err := m.Remote(ctx, text)
	if err != nil {
		return nil, err
	}
	return &answer, nil
}

type person struct{ *Resolver }

func (p person) Friends(_ context.Context, obj *Person, first *int32, _ *string) (*PersonConnection, error) {
	return connection(obj.ID, first), nil
}

type query struct{ *Resolver }

func (q query) Hello(_ context.Context, name *string) (string, error) {
	if name == nil {
		return "hello, nobody", nil
	}
	return "hello, " + *name, nil
}

func (q query) Person(_ context.Context, id string) (*Person, error) {
	if id == "nobody" {
		return nil, model.NotFound("id", "there is no person %s", id)
	}
	return somebody(id), nil
}

func (q query) People(_ context.Context, first *int32, _ *string, last *int32, _ *string) (*PersonConnection, error) {
	if first == nil {
		first = last
	}
	return connection("p", first), nil
}

func (q query) Echo(_ context.Context, input EchoInput) (*Echo, error) {
	text, err := json.Marshal(input)
	if err != nil {
		return nil, err
	}
	return &Echo{Text: input.Text, Count: input.Count, JSON: string(text)}, nil
}

func (q query) Echoes(_ context.Context, texts []string, ints []*int32, matrix [][]int32, color *string, id *string,
	float *float64, flag *bool, stamp *time.Time) (string, error) {
	text, err := json.Marshal(map[string]any{
		"strings": texts, "ints": ints, "matrix": matrix, "color": color, "id": id, "float": float, "bool": flag,
		"stamp": stamp,
	})
	return string(text), err
}

func (q query) Fail(_ context.Context, how string) (*string, error) { return nil, FailWith(how) }

func (q query) MustFail(_ context.Context, how string) (string, error) { return "", FailWith(how) }

func (q query) Failures(_ context.Context, count int32) ([]Broken, error) {
	return make([]Broken, count), nil
}

func (q query) Slow(ctx context.Context) (*string, error) {
	if q.Started != nil {
		q.Started <- struct{}{}
	}
	select {
	case <-q.Release:
		return new("at last"), nil
	case <-ctx.Done():
		return nil, fmt.Errorf("reading %s: %w", Secret, ctx.Err())
	}
}

func (q query) Whoami(ctx context.Context) (string, error) {
	if q.Who != nil {
		return q.Who(ctx), nil
	}
	caller, _ := model.CallerFrom(ctx)
	return caller.Subject, nil
}

type subscription struct{ *Resolver }

func (s subscription) Ticks(ctx context.Context, count *int32) (<-chan *Tick, error) {
	ticks := make(chan *Tick)
	s.Streams.Add(1)
	go func() {
		defer s.Streams.Add(-1)
		defer close(ticks)
		for i := int32(1); count == nil || i <= *count; i++ {
			number := i
			if count == nil && s.Events != nil {
				select {
				case n, open := <-s.Events:
					if !open {
						return
					}
					number = n
				case <-ctx.Done():
					return
				}
			}
			select {
			case ticks <- &Tick{Number: number, Word: new("tick " + strconv.Itoa(int(number)))}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return ticks, nil
}

func (s subscription) BrokenTicks(_ context.Context, how string) (<-chan *Tick, error) {
	return nil, FailWith(how)
}

func (s subscription) BadTicks(ctx context.Context, how string) (<-chan *Tick, error) {
	ticks := make(chan *Tick, 1)
	ticks <- &Tick{Number: 1, Word: new("fail:" + how)}
	close(ticks)
	return ticks, nil
}

type tick struct{ *Resolver }

func (t tick) Word(_ context.Context, obj *Tick) (*string, error) {
	if obj.Word == nil {
		return nil, nil
	}
	if how, fails := strings.CutPrefix(*obj.Word, "fail:"); fails {
		return nil, FailWith(how)
	}
	return obj.Word, nil
}

// FailWith returns the error of that kind, or panics.
func FailWith(how string) error {
	switch how {
	case FailurePanic:
		panic(Secret)
	case FailureBadInput:
		return fmt.Errorf("saving: %w", model.BadInput("input.text", "the text is empty"))
	case FailureNotFound:
		return model.NotFound("id", "there is no such thing")
	case FailureRateLimited:
		return &model.Error{Code: model.CodeRateLimited, Message: "too many requests", RetryAfter: 1500 * time.Millisecond}
	case FailureUpstream:
		return &model.Error{Code: model.CodeUpstreamUnavailable, Message: "the calendar does not answer",
			Cause: errors.New(Secret)}
	case FailureNotConnected:
		return &model.Error{Code: model.CodeNotConnected, Message: "link your account", ConnectURL: "/connect/google"}
	case FailureDeadline:
		return fmt.Errorf("reading %s: %w", Secret, context.DeadlineExceeded)
	default:
		return errors.New(Secret)
	}
}

func somebody(id string) *Person {
	return &Person{ID: id, Name: "Name of " + id, Age: new(int32(30)), Tags: []string{"a", "ב"}}
}

// connection makes first people, 50 when it is nil, and never more than 100.
func connection(of string, first *int32) *PersonConnection {
	n := 50
	if first != nil {
		n = min(max(int(*first), 0), 100)
	}
	nodes := make([]Person, n)
	for i := range nodes {
		nodes[i] = *somebody(of + "_" + strconv.Itoa(i))
	}
	return &PersonConnection{Nodes: nodes, TotalCount: int32(n)} //nolint:gosec // at most 100
}
