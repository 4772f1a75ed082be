package core

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"almanac/graph/model"
)

// notebook keeps notes for one test.
type notebook struct {
	noted map[string]string
	fault error
}

func (n *notebook) Recall(name string) ([]byte, bool) {
	what, ok := n.noted[name]
	return []byte(what), ok
}

func (n *notebook) Note(_ context.Context, name string, what []byte) error {
	if n.fault == nil {
		n.noted[name] = string(what)
	}
	return n.fault
}

// inField is a context in which a field is resolved, by the aliases down to it.
func inField(ctx context.Context, aliases ...string) context.Context {
	if len(aliases) == 0 {
		return ctx
	}
	field := graphql.CollectedField{Field: &ast.Field{Name: "updateEvent", Alias: aliases[0]}}
	return inField(graphql.WithFieldContext(ctx, &graphql.FieldContext{Field: field}), aliases[1:]...)
}

// notedMove is what a mutation may decide.
type notedMove struct {
	Event  model.UUID
	Remote []byte
	Title  string
	Start  time.Time
	By     time.Duration
	Texts  []string
	Whole  *bool
}

func someNotedMove() notedMove {
	yes := true
	return notedMove{
		Event: model.UUID{1, 15: 2}, Remote: []byte("\xff\x00id"), Title: "ישיבה <&>\u2028",
		Start: time.Date(2026, 11, 22, 9, 30, 0, 1000, time.UTC),
		By:    30 * time.Minute, Texts: []string{"", "b"}, Whole: &yes,
	}
}

func TestDecidedOnce(t *testing.T) {
	book := &notebook{noted: map[string]string{}}
	keyed := model.WithNotes(t.Context(), book)
	for _, c := range []struct {
		name string
		ctx  context.Context
		// again is what the first and the second try must tell.
		first, second bool
		noted         int
	}{
		{"a field", inField(keyed, "updateEvent"), false, true, 1},
		{"the same field by another alias", inField(keyed, "b"), false, true, 2},
		{"a field in a field", inField(keyed, "b", "b"), false, true, 3},
		{"the first field, repeated", inField(keyed, "updateEvent"), true, true, 3},
		{"without a key", inField(t.Context(), "c"), false, false, 3},
	} {
		var runs int
		decide := func() (notedMove, error) { runs++; return someNotedMove(), nil }
		for i, want := range []bool{c.first, c.second} {
			what, again, err := Decided(c.ctx, decide)
			if err != nil || again != want || !reflect.DeepEqual(what, someNotedMove()) {
				t.Errorf("%s, try %d: %+v, again %v, %v", c.name, i+1, what, again, err)
			}
		}
		want := 0
		for _, again := range []bool{c.first, c.second} {
			if !again {
				want++
			}
		}
		if runs != want || len(book.noted) != c.noted {
			t.Errorf("%s: decided %d times, want %d; %d notes, want %d", c.name, runs, want, len(book.noted), c.noted)
		}
	}
}

func TestDecidedKindsOfThings(t *testing.T) {
	book := &notebook{noted: map[string]string{}}
	ctx := model.WithNotes(t.Context(), book)
	roundTrips(t, inField(ctx, "nil"), (*notedMove)(nil))
	roundTrips(t, inField(ctx, "pointer"), &notedMove{Title: "x"})
	roundTrips(t, inField(ctx, "none"), []notedMove(nil))
	roundTrips(t, inField(ctx, "empty"), []notedMove{})
	roundTrips(t, inField(ctx, "many"), []notedMove{someNotedMove(), {}})
	roundTrips(t, inField(ctx, "map"), map[string]notedMove{"א": someNotedMove()})
	roundTrips(t, inField(ctx, "text"), "")
	roundTrips(t, inField(ctx, "number"), int64(1<<62+1))
	roundTrips(t, inField(ctx, "zone"), time.Date(2026, 11, 22, 9, 30, 0, 0, time.UTC))
	if len(book.noted) != 9 {
		t.Errorf("%d notes", len(book.noted))
	}
}

// roundTrips decides a thing, and recalls it.
func roundTrips[T any](t *testing.T, ctx context.Context, want T) {
	t.Helper()
	for i := range 2 {
		got, again, err := Decided(ctx, func() (T, error) { return want, nil })
		if err != nil || again != (i == 1) || !reflect.DeepEqual(got, want) {
			t.Errorf("try %d: %+v, again %v, %v; want %+v", i+1, got, again, err, want)
		}
	}
}

// The first try acts on what the second would: on what was noted, not on what the note has lost.
func TestDecidedIsWhatIsNoted(t *testing.T) {
	type lossy struct{ Kept, lost string }
	ctx := inField(model.WithNotes(t.Context(), &notebook{noted: map[string]string{}}), "a")
	for range 2 {
		what, _, err := Decided(ctx, func() (lossy, error) { return lossy{"kept", "lost"}, nil })
		if err != nil || what != (lossy{Kept: "kept"}) {
			t.Errorf("%+v, %v", what, err)
		}
	}
}

func TestDecidedFails(t *testing.T) {
	fault := model.Errorf(model.CodeNotFound, "no such event")
	full := model.Errorf(model.CodeBadUserInput, "too much")
	for _, c := range []struct {
		name    string
		noted   string
		fault   error
		decide  func() (any, error)
		is      error
		message string
		again   bool
	}{
		{name: "decide", decide: func() (any, error) { return nil, fault }, is: fault},
		{name: "the notes", fault: full, decide: func() (any, error) { return notedMove{}, nil }, is: full},
		{name: "what JSON cannot say", decide: func() (any, error) { return func() {}, nil },
			message: "write down what was decided"},
		{name: "broken notes", noted: `{"a":`, message: "read what was decided", again: true},
		{name: "no notes at all", noted: ` `, message: "read what was decided", again: true},
	} {
		book := &notebook{noted: map[string]string{}, fault: c.fault}
		if c.noted != "" {
			book.noted["a"] = c.noted
		}
		what, again, err := Decided(inField(model.WithNotes(t.Context(), book), "a"), func() (any, error) {
			if c.decide == nil {
				t.Errorf("%s: decided anew", c.name)
				return nil, nil
			}
			return c.decide()
		})
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.message) ||
			again != c.again || what != nil {
			t.Errorf("%s: %v, again %v, %v", c.name, what, again, err)
		}
		if c.noted == "" && len(book.noted) != 0 {
			t.Errorf("%s: noted %v", c.name, book.noted)
		}
	}
	// Without a key, what decide gives comes back as it is.
	if what, again, err := Decided(inField(t.Context(), "a"), func() (int, error) { return 7, fault }); what != 7 ||
		again || !errors.Is(err, fault) {
		t.Errorf("without a key: %v, %v, %v", what, again, err)
	}
}

func TestDecidedByAnotherVersion(t *testing.T) {
	for name, noted := range map[string]string{
		"a field that is not known": `{"Title":"x","Place":"y"}`,
		"a field of another type":   `{"By":"30m"}`,
		"another thing":             `[1]`,
	} {
		ctx := inField(model.WithNotes(t.Context(), &notebook{noted: map[string]string{"a": noted}}), "a")
		what, again, err := Decided(ctx, func() (notedMove, error) { t.Error("decided anew"); return notedMove{}, nil })
		if err == nil || !again || !reflect.DeepEqual(what, notedMove{}) || model.CodeOf(err) != model.CodeInternal {
			t.Errorf("%s: %+v, again %v, %v", name, what, again, err)
		}
	}
}
