package graphiti_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/graphiti"
	"almanac/adapters/knowledge"
	"almanac/adapters/remote"
	"almanac/graph/model"
	standin "almanac/internal/standin/graphiti"
)

// find asks a simple question.
func (w *world) find(ctx context.Context) error {
	_, err := w.base.FindFacts(ctx, w.user, knowledge.FactAsk{Search: knowledge.Search{Text: "Dana"},
		Page: knowledge.Page{First: 5}, Want: wantAll})
	return err
}

const facts = "search_memory_facts"

// Every way in which a reading goes wrong has its code, and is repeated where that may help.
func TestFaultsOfReading(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault standin.Fault
		code  model.ErrorCode
		// attempts are the results of the attempts.
		attempts string
		reason   string
	}{
		"once 503": {standin.Fault{Status: 503, Times: 1}, "", "unavailable ok", ""},
		"always 500": {standin.Fault{Status: 500, Body: "Zanzibar"}, model.CodeUpstreamUnavailable,
			"unavailable unavailable unavailable", ""},
		"once broken":    {standin.Fault{Reset: true, Times: 1}, "", "unavailable ok", ""},
		"answer lost":    {standin.Fault{LoseAnswer: true, Times: 1}, "", "unavailable ok", ""},
		"half an answer": {standin.Fault{Half: true, Times: 1}, "", "unavailable ok", ""},
		"garbage":        {standin.Fault{Garbage: true, Times: 1}, "", "unavailable ok", ""},
		"too fast":       {standin.Fault{Status: 429, Times: 1}, "", "rateLimited ok", ""},
		"denied": {standin.Fault{Status: 401, Body: "tok-0123456789abcdef"}, model.CodeUpstreamRejected, "rejected",
			"access denied"},
		"teapot": {standin.Fault{Status: 418}, model.CodeUpstreamRejected, "rejected", "status 418"},
		"elsewhere": {standin.Fault{Redirect: "https://evil.example/mcp/"}, model.CodeUpstreamRejected, "rejected",
			"status 307"},
		"refused": {standin.Fault{Error: "the model says no"}, model.CodeUpstreamRejected, "rejected",
			"the model says no"},
		"is error": {standin.Fault{IsError: "Error executing tool: at http://10.0.0.1:99/x?key=tok-0123456789abcdef"},
			model.CodeUpstreamRejected, "rejected", "Error executing tool: at …"},
		"protocol":         {standin.Fault{Refuse: "no such thing"}, model.CodeUpstreamRejected, "rejected", "no such thing"},
		"model too fast":   {standin.Fault{Error: "Rate limit exceeded", Times: 1}, "", "rateLimited ok", ""},
		"database is away": {standin.Fault{Error: "Graphiti service not initialized", Times: 1}, "", "unavailable ok", ""},
		"no JSON": {standin.Fault{Result: "hello"}, model.CodeUpstreamRejected, "rejected",
			"its answer is not understood"},
		"another shape": {standin.Fault{Result: `{"message": "ok"}`}, model.CodeUpstreamRejected, "ok",
			"its answer is not understood"},
		"a list": {standin.Fault{Result: `[1, 2]`}, model.CodeUpstreamRejected, "ok",
			"its answer is not understood"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, standin.Options{Token: secretToken})
			w.tell(w.user, "news", "Dana works at Acme.")
			c.fault.Tool = facts
			w.standin.Inject(c.fault)
			err := w.find(t.Context())
			if c.code == "" {
				if err != nil {
					t.Errorf("%v", err)
				}
			} else if shown := w.check(err, c.code); shown.Reason != c.reason {
				t.Errorf("reason %q, want %q", shown.Reason, c.reason)
			}
			if got := w.results(facts); got != c.attempts {
				t.Errorf("attempts: %s, want %s", got, c.attempts)
			}
		})
	}
}

// What the server asks for is kept to: the others do not ask meanwhile either.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Token: secretToken})
	w.standin.Inject(standin.Fault{Tool: facts, Status: 429, RetryAfter: 2 * time.Hour})
	shown := w.check(w.find(t.Context()), model.CodeUpstreamRateLimited)
	if shown.RetryAfter != 2*time.Hour || w.results(facts) != "rateLimited" {
		t.Errorf("%v, attempts %s", shown.RetryAfter, w.results(facts))
	}
	w.standin.Clear()
	shown = w.check(w.find(t.Context()), model.CodeUpstreamRateLimited)
	if shown.RetryAfter <= 0 || shown.RetryAfter > time.Minute ||
		w.results(facts) != "rateLimited leftAlone leftAlone leftAlone" {
		t.Errorf("%v, attempts %s", shown.RetryAfter, w.results(facts))
	}
}

// A forgotten session is made anew, and the question asked again, once for all who were in it; an addition too, since
// nothing was done.
func TestForgottenSession(t *testing.T) {
	onServers(t, func(t *testing.T, options standin.Options) {
		w := newWorld(t, options)
		w.tell(w.user, "news", "Dana works at Acme.")
		w.standin.Forget()
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := w.find(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if opened, _ := w.standin.Sessions(); opened != 2 {
			t.Errorf("%d sessions", opened)
		}
		w.standin.Forget()
		w.tell(w.user, "more", "Noam works at Acme.")
		if w.calls("add_memory") != 2 {
			t.Errorf("%d additions", w.calls("add_memory"))
		}
		if err := w.base.Close(); err != nil {
			t.Error(err)
		}
		if opened, closed := w.standin.Sessions(); opened != 3 || closed < 1 {
			t.Errorf("%d sessions opened, %d closed", opened, closed)
		}
		w.check(w.find(t.Context()), model.CodeUpstreamUnavailable)
	})
}

// One session serves all, also when they come together.
func TestSessionIsShared(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Token: secretToken})
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			if err := w.find(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if opened, _ := w.standin.Sessions(); opened != 1 {
		t.Errorf("%d sessions", opened)
	}
}

// A server that fails is left alone, costs an error and no time then, and is tried again after the pause.
func TestBreaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, standin.Options{Token: secretToken})
		if err := w.find(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.standin.Inject(standin.Fault{Status: 503})
		w.check(w.find(t.Context()), model.CodeUpstreamUnavailable)
		w.check(w.find(t.Context()), model.CodeUpstreamUnavailable)
		before := len(w.results(facts))
		shown := w.check(w.find(t.Context()), model.CodeUpstreamUnavailable)
		if shown.RetryAfter <= 0 ||
			w.results(facts)[before:] != " leftAlone" && !strings.HasSuffix(w.results("tools"), "leftAlone") {
			t.Errorf("%v, attempts %q", shown.RetryAfter, w.results(facts))
		}
		if !strings.Contains(w.log.String(), "left alone") {
			t.Error("the operator is not told")
		}
		w.standin.Clear()
		time.Sleep(20 * time.Second)
		if err := w.find(t.Context()); err != nil {
			t.Error(err)
		}
		_ = w.base.Close()
	})
}

// No call outlives its limits or its context, and the caller who goes away is no fault of the server.
func TestLimitsOfTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, standin.Options{Token: secretToken}, func(b *graphiti.Base) {
			b.Limits = graphiti.Limits{Limits: remote.Limits{Attempt: 5 * time.Second, Attempts: 2}}
		})
		if err := w.find(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.standin.Inject(standin.Fault{Tool: facts, Hang: true})
		began := time.Now()
		w.check(w.find(t.Context()), model.CodeUpstreamUnavailable)
		if took := time.Since(began); took != 10*time.Second || w.results(facts) != "ok timeout timeout" {
			t.Errorf("%v, %s", took, w.results(facts))
		}
		within, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		w.check(w.find(within), model.CodeTimeout)
		gone, leave := context.WithCancel(t.Context())
		leave()
		if err := w.find(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		w.standin.Clear()
		_ = w.base.Close()
		time.Sleep(time.Minute) // what is said of calls that were given up has been said
	})
}

// So many calls run at once, and no more.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, standin.Options{Token: secretToken}, func(b *graphiti.Base) { b.Limits.Concurrent = 2 })
		if err := w.find(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.standin.Inject(standin.Fault{Tool: facts, Latency: time.Second})
		began := time.Now()
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				if err := w.find(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("6 calls of 1 s, 2 at once: %v", took)
		}
		_ = w.base.Close()
	})
}

// An addition whose answer is lost is looked for, and never sent again.
func TestLostAdditions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault standin.Fault
		// read: the server reads its queue before it is looked at.
		read bool
		code model.ErrorCode
		sent int
	}{
		"read already": {standin.Fault{LoseAnswer: true}, true, "", 1},
		"still queued": {standin.Fault{LoseAnswer: true}, false, model.CodeUpstreamUnavailable, 1},
		"never came":   {standin.Fault{Reset: true, Times: 1}, false, model.CodeUpstreamUnavailable, 0},
		"too fast":     {standin.Fault{Status: 429, Times: 1}, false, "", 1},
		"refused":      {standin.Fault{Error: "no"}, false, model.CodeUpstreamRejected, 1},
		"5xx":          {standin.Fault{Status: 502, Times: 1}, false, model.CodeUpstreamUnavailable, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, standin.Options{Token: secretToken, Eager: c.read})
			if err := w.find(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.fault.Tool = "add_memory"
			w.standin.Inject(c.fault)
			added, err := w.add(w.user, "news", "Dana works at Acme.")
			if c.code == "" {
				if err != nil || added.Message == "" || c.read != (added.Episode.ID != model.ID{}) {
					t.Errorf("%+v %v", added, err)
				}
			} else {
				w.check(err, c.code)
			}
			if w.calls("add_memory") != c.sent {
				t.Errorf("sent %d times", w.calls("add_memory"))
			}
		})
	}
}

// The same for facts: what came is found, and the rest goes on.
func TestLostFacts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Token: secretToken})
	w.standin.Inject(standin.Fault{Tool: "add_triplet", LoseAnswer: true, Times: 1})
	w.standin.Inject(standin.Fault{Tool: "add_triplet", Reset: true, After: 1, Times: 1})
	var list []knowledge.NewFact
	for i := range 3 {
		list = append(list, knowledge.NewFact{Source: knowledge.End{Name: "Dana"}, Relation: "LIKES",
			Target: knowledge.End{Name: fmt.Sprint("Tea", i)}, Sentence: fmt.Sprint("Dana likes Tea", i)})
	}
	added, err := w.base.AddFacts(t.Context(), w.user, knowledge.NewFacts{Facts: list, Now: w.now()})
	if err != nil || added.Created != 2 || added.Problems[0] != nil || added.Problems[2] != nil ||
		added.Ids[0] == (model.ID{}) || added.Ids[1] != (model.ID{}) {
		t.Fatalf("%+v %v", added, err)
	}
	if shown := w.check(added.Problems[1], model.CodeUpstreamUnavailable); !strings.Contains(shown.Message,
		"cannot be known") {
		t.Error(shown.Message)
	}
	if w.calls("add_triplet") != 2 {
		t.Errorf("%d calls came through", w.calls("add_triplet"))
	}
}

// A server that fails for two facts in a row is not asked for the rest.
func TestManyFactsOfADeadServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Token: secretToken})
	if err := w.find(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.standin.Inject(standin.Fault{Tool: facts, Status: 503})
	list := make([]knowledge.NewFact, 50)
	for i := range list {
		list[i] = knowledge.NewFact{Source: knowledge.End{Name: "Dana"}, Relation: "LIKES",
			Target: knowledge.End{Name: fmt.Sprint("Tea", i)}, Sentence: fmt.Sprint("Dana likes Tea", i)}
	}
	added, err := w.base.AddFacts(t.Context(), w.user, knowledge.NewFacts{Facts: list, Now: w.now()})
	if err != nil || added.Created != 0 || w.calls("add_triplet") != 0 {
		t.Fatalf("%+v %v", added, err)
	}
	for i, problem := range added.Problems {
		if shown := w.check(problem, model.CodeUpstreamUnavailable); strings.Contains(shown.Message,
			"not asked") != (i >= 2) {
			t.Errorf("fact %d: %s", i, shown.Message)
		}
	}
}

// What the server would lose of a fact is that fact's problem, and the others are taken; all or none is no promise that
// can be kept.
func TestFactsThatCannotBeKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Token: secretToken})
	sure := 0.5
	dana, acme := knowledge.End{Name: "Dana"}, knowledge.End{Name: "Acme", Type: "Company"}
	list := []knowledge.NewFact{
		{Source: dana, Relation: "WORKS_AT", Target: acme, ValidAt: w.now()},
		{Source: dana, Relation: "WORKS_AT", Target: acme, Confidence: &sure, Attributes: "{}"},
		{Source: dana, Relation: "WORKS_AT", Target: acme, Exclusive: true},
	}
	added, err := w.base.AddFacts(t.Context(), w.user, knowledge.NewFacts{Facts: list, Now: w.now()})
	if err != nil || added.Created != 1 || added.Problems[2] != nil {
		t.Fatalf("%+v %v", added, err)
	}
	for i, want := range []string{"`validAt`", "`confidence`, `attributes`"} {
		if shown := w.check(added.Problems[i], model.CodeNotConfigured); !strings.Contains(shown.Message, want) {
			t.Errorf("%d: %s", i, shown.Message)
		}
	}
	if got := w.facts(w.user, knowledge.FactAsk{
		Search: knowledge.Search{Text: "Dana"}}).Hits[0].Item; got.Sentence != "Dana works at Acme" {
		t.Errorf("%q", got.Sentence)
	}
	_, err = w.base.AddFacts(t.Context(), w.user, knowledge.NewFacts{Facts: list, Now: w.now(), Atomic: true})
	w.check(err, model.CodeNotConfigured)
	_, err = w.base.AddFacts(t.Context(), w.user, knowledge.NewFacts{Facts: list[:1], Now: w.now(), Atomic: true})
	w.check(err, model.CodeNotConfigured)
	_, err = w.base.AddFacts(t.Context(), w.user, knowledge.NewFacts{Facts: make([]knowledge.NewFact, 101), Now: w.now()})
	w.check(err, model.CodeBadUserInput)
	old := newWorld(t, standin.Options{Token: secretToken, Old: true})
	_, err = old.base.AddFacts(t.Context(), old.user, knowledge.NewFacts{Facts: list[2:], Now: w.now()})
	if shown := old.check(err, model.CodeNotConfigured); !strings.Contains(shown.Message, "version 0.4.0") {
		t.Error(shown.Message)
	}
}

// Answers are bounded: one that is too long is refused, and less is asked for where that helps.
func TestHugeAnswers(t *testing.T) {
	t.Parallel()
	for _, plain := range []bool{false, true} {
		w := newWorld(t, standin.Options{Token: secretToken, PlainJSON: plain},
			func(b *graphiti.Base) { b.Limits.Answer = 64 << 10 })
		w.tell(w.user, "news", "Dana works at Acme.")
		w.standin.Inject(standin.Fault{Tool: facts, Pad: 1 << 20})
		if shown := w.check(w.find(t.Context()), model.CodeUpstreamRejected); !strings.Contains(shown.Reason, "larger") {
			t.Errorf("plain %v: %+v", plain, shown)
		}
		w.standin.Clear()
		for i := range 30 {
			w.tell(w.user, fmt.Sprint("long", i), strings.Repeat("word ", 300))
		}
		episodes, err := w.base.FindEpisodes(t.Context(), w.user,
			knowledge.EpisodeAsk{Page: knowledge.Page{First: 5}, Total: true})
		if err != nil || len(episodes.Hits) != 5 || episodes.Total != nil {
			t.Errorf("plain %v: %+v %v", plain, episodes.Total, err)
		}
	}
}

// One operation has so many questions, and no more.
func TestQuestionsAreCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Token: secretToken})
	ctx := model.WithUpstream(t.Context(), 2)
	for range 2 {
		if err := w.find(ctx); err != nil {
			t.Error(err)
		}
	}
	w.check(w.find(ctx), model.CodeQueryTooExpensive)
}
