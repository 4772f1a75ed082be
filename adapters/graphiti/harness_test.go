package graphiti_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"almanac/adapters/graphiti"
	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	standin "almanac/internal/standin/graphiti"
)

const (
	secretToken = "tok-0123456789abcdef"
	// secretText is in what is said and asked here, and in none of the logs and causes.
	secretText = "Zanzibar"
)

// world is a base before a stand-in, with waits that take no time and a clock that a test sets.
type world struct {
	t       *testing.T
	standin *standin.Server
	base    *graphiti.Base
	user    model.UserID
	other   model.UserID

	mu       sync.Mutex
	at       time.Time
	waits    []time.Duration
	attempts []graphiti.Attempt
	log      bytes.Buffer
}

func TestMain(m *testing.M) {
	if asServer() {
		return
	}
	goleak.VerifyTestMain(m)
}

func (w *world) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.Write(p)
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

// pass lets time pass.
func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = w.at.Add(d)
}

// newWorld makes one; adjust may change the base before its first use.
func newWorld(t *testing.T, options standin.Options, adjust ...func(*graphiti.Base)) *world {
	t.Helper()
	w := &world{t: t, at: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), user: model.UserIDOf("dana"),
		other: model.UserIDOf("noam")}
	options.Now, options.Seed = w.now, 7
	w.standin = standin.New(options)
	w.base = &graphiti.Base{
		Target: graphiti.Target{URL: &url.URL{Scheme: "https", Host: "graphiti.example", Path: "/mcp/"}}, Token: secretToken,
		HTTP: w.standin.Transport(), Now: w.now, Jitter: func() float64 { return 1 },
		Wait: func(ctx context.Context, d time.Duration) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.waits = append(w.waits, d)
			return ctx.Err()
		},
		Logger: slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Observe: func(a graphiti.Attempt) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.attempts = append(w.attempts, a)
		},
	}
	for _, change := range adjust {
		change(w.base)
	}
	t.Cleanup(func() {
		if err := w.base.Close(); err != nil {
			t.Error(err)
		}
		w.standin.Close()
		w.private()
	})
	return w
}

// results are what the attempts at an operation came to, in order.
func (w *world) results(operation string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for _, a := range w.attempts {
		if a.Operation == operation {
			out = append(out, a.Result)
		}
	}
	return strings.Join(out, " ")
}

// calls is how often a tool was called.
func (w *world) calls(tool string) int {
	n := 0
	for _, c := range w.standin.Calls() {
		if c.Tool == tool {
			n++
		}
	}
	return n
}

// tell adds an episode and has it read.
func (w *world) tell(user model.UserID, name, content string) {
	w.t.Helper()
	added, err := w.add(user, name, content)
	if err != nil {
		w.t.Fatal(err)
	}
	if added.Episode.ID != (model.ID{}) || added.Message == "" || added.Episode.State != model.EpisodeQueued {
		w.t.Fatalf("%+v, want a message and no id", added)
	}
	w.standin.Drain()
}

func (w *world) add(user model.UserID, name, content string) (knowledge.Added, error) {
	return w.base.AddEpisode(w.t.Context(), user, knowledge.NewEpisode{
		Episode: model.Episode{Name: name, Content: content, Source: model.EpisodeText, SourceDescription: "test",
			ReferenceTime: w.now().Add(-24 * time.Hour)}, Now: w.now(),
	})
}

// wantAll is everything of a fact and its ends.
var wantAll = store.FactWant{Fact: store.FactRow | store.FactEpisodes, Ends: store.EntityRow}

func (w *world) facts(user model.UserID, ask knowledge.FactAsk) knowledge.Answer[model.Fact] {
	w.t.Helper()
	if ask.Page.First == 0 {
		ask.Page.First = 100
	}
	if ask.Want == (store.FactWant{}) {
		ask.Want = wantAll
	}
	answer, err := w.base.FindFacts(w.t.Context(), user, ask)
	if err != nil {
		w.t.Fatal(err)
	}
	return answer
}

func (w *world) entities(user model.UserID, ask knowledge.EntityAsk) knowledge.Answer[model.Entity] {
	w.t.Helper()
	if ask.Page.First == 0 {
		ask.Page.First = 100
	}
	ask.Want = store.EntityRow
	answer, err := w.base.FindEntities(w.t.Context(), user, ask)
	if err != nil {
		w.t.Fatal(err)
	}
	return answer
}

// entity finds the one entity of a name.
func (w *world) entity(user model.UserID, name string) model.Entity {
	w.t.Helper()
	answer := w.entities(user, knowledge.EntityAsk{Search: knowledge.Search{Text: name}})
	for _, hit := range answer.Hits {
		if hit.Item.Name == name {
			return hit.Item
		}
	}
	w.t.Fatalf("no entity %q in %+v", name, answer.Hits)
	return model.Entity{}
}

// said writes facts as lines "A RELATION B".
func said(hits []knowledge.Hit[model.Fact]) string {
	var lines []string
	for _, hit := range hits {
		lines = append(lines, hit.Item.Source.Name+" "+hit.Item.Relation+" "+hit.Item.Target.Name)
	}
	return strings.Join(lines, "; ")
}

func namesOf(hits []knowledge.Hit[model.Entity]) string {
	var all []string
	for _, hit := range hits {
		all = append(all, hit.Item.Name)
	}
	return strings.Join(all, ", ")
}

// check holds an error to its code, and to saying nothing private.
func (w *world) check(err error, code model.ErrorCode) *model.Error {
	w.t.Helper()
	shown, ok := errors.AsType[*model.Error](err)
	if !ok {
		w.t.Fatalf("%T %v is not for clients", err, err)
	}
	if shown.Code != code || shown.Message == "" {
		w.t.Errorf("%+v, want %s", shown, code)
	}
	w.private(shown.Message, shown.Reason, shown.Error(), model.CauseOf(shown))
	return shown
}

// private fails when a token, a text or an address is told.
func (w *world) private(told ...string) {
	w.t.Helper()
	w.mu.Lock()
	told = append(told, w.log.String())
	w.mu.Unlock()
	for _, text := range told {
		for _, private := range []string{secretToken, "0123456789", secretText, "graphiti.example"} {
			if strings.Contains(text, private) {
				w.t.Errorf("%q tells %q", text, private)
			}
		}
	}
}
