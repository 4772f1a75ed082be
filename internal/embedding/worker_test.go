package embedding_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/graph/model"
	"almanac/internal/embedding"
	standin "almanac/internal/standin/openai"
)

// is compares counts by model; "" stands for memories without a vector.
func (h *fixture) is(want map[string]int) {
	h.t.Helper()
	if got := h.source.counts(); !maps.Equal(got, want) {
		h.t.Errorf("vectors are %v, want %v", got, want)
	}
}

// Memories get their vectors soon after the start, whoever's they are and however many; nothing is asked twice, and
// nothing when all is done.
func TestMemoriesGetVectors(t *testing.T) {
	for _, use := range []model.EmbeddingModel{{}, tiny} {
		synctest.Test(t, func(t *testing.T) {
			h := newFixtureOf(t, use)
			for i := range 300 {
				h.source.add(byte(i%3), fmt.Sprint("memory ", i, " of ", secret))
			}
			h.source.add(1, "\u200f ")
			stop := h.run()
			time.Sleep(10 * time.Second)
			name := h.embedder.Model().Name
			h.is(map[string]int{name: 300, "": 1})
			if sum := h.total(); sum.Kept != 300 || sum.Blank != 1 || sum.Overtaken != 0 || !sum.CaughtUp {
				t.Errorf("reported was %+v", sum)
			}
			reads, inputs := h.source.looks(), h.standin.Inputs()
			if use.Name != "" && inputs != 300 {
				t.Errorf("%d texts were asked for", inputs)
			}
			time.Sleep(10 * time.Minute)
			if more := h.source.looks() - reads; more > 20 || h.standin.Inputs() != inputs {
				t.Errorf("with nothing to do it read %d times and asked for %d texts", more, h.standin.Inputs()-inputs)
			}
			stop()
			h.private()
		})
	}
}

// Who wakes the worker need not wait for its next look.
func TestWake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFixtureOf(t, tiny)
		h.embedder.Wake() // before it runs
		stop := h.run()
		time.Sleep(5 * time.Second)
		h.source.add(1, "a car")
		h.embedder.Wake()
		h.embedder.Wake()
		synctest.Wait()
		h.is(map[string]int{"tiny": 1})
		h.source.add(1, "another process wrote this")
		time.Sleep(time.Minute)
		synctest.Wait()
		h.is(map[string]int{"tiny": 2})
		stop()
	})
}

// While the endpoint is away, it is asked less and less often; when it is back, a question of somebody else makes the
// worker go on at once.
func TestTheEndpointIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFixtureOf(t, tiny)
		h.source.add(1, secret)
		h.standin.Inject(standin.Fault{Reset: true})
		stop := h.run()
		time.Sleep(30 * time.Minute)
		waits := h.waits()
		const s = time.Second
		for i, want := range []time.Duration{s, 2 * s, 4 * s, 8 * s, 16 * s, 32 * s, 64 * s, 128 * s, 256 * s, 300 * s,
			300 * s} {
			// Where the breaker is open, its pause counts if it is longer.
			if i >= len(waits) || waits[i] != want && (waits[i] < want || waits[i] > 15*s) {
				t.Fatalf("waited %v", waits)
			}
		}
		h.embedder.Wake() // has no effect while it is away
		before := len(h.standin.Requests())
		synctest.Wait()
		if n := len(h.standin.Requests()); n != before {
			t.Errorf("asked %d times more", n-before)
		}
		if n := strings.Count(h.said(), `"level":"WARN"`); n > 4 {
			t.Errorf("warned %d times", n)
		}
		h.standin.Clear()
		if _, err := h.embedder.Query(t.Context(), "my car", []string{"tiny"}); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		h.is(map[string]int{"tiny": 1})
		time.Sleep(time.Second) // the pause behind a batch, of which this one is the last
		if !strings.Contains(h.said(), "vectors are made again") {
			t.Error("the log does not say so")
		}
		stop()
		h.private()
	})
}

// What the endpoint says about time is kept to: it is not asked before that.
func TestRetryAfterIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFixtureOf(t, tiny)
		h.source.add(1, "a car")
		h.standin.Inject(standin.Fault{Status: 503, RetryAfter: 10 * time.Minute, Times: 1})
		stop := h.run()
		time.Sleep(10 * time.Minute)
		if n := len(h.standin.Requests()); n != 1 {
			t.Errorf("asked %d times", n)
		}
		time.Sleep(2 * time.Second)
		h.is(map[string]int{"tiny": 1})
		stop()
	})
}

// One text that the endpoint refuses does not hold up the others; it is not sent again before an hour has passed, or it
// was changed.
func TestOneTextIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFixtureOf(t, tiny)
		var bad *row
		for i := range 100 {
			text := fmt.Sprint("memory ", i)
			if i == 37 {
				text = secret
			}
			if r := h.source.add(byte(i/50), text); i == 37 {
				bad = r
			}
		}
		h.standin.Inject(standin.Fault{Status: 400, Containing: secret})
		stop := h.run()
		time.Sleep(10 * time.Second)
		h.is(map[string]int{"tiny": 99, "": 1})
		if sum := h.total(); sum.Refused != 1 || sum.Kept != 99 || !sum.CaughtUp || len(h.waits()) != 0 {
			t.Errorf("reported was %+v, waits %v", sum, h.waits())
		}
		requests := len(h.standin.Requests())
		time.Sleep(40 * time.Minute)
		if n := len(h.standin.Requests()); n != requests {
			t.Errorf("asked %d times more", n-requests)
		}
		time.Sleep(30 * time.Minute)
		if n := len(h.standin.Requests()); n != requests+1 {
			t.Errorf("after an hour it was asked %d times more", n-requests)
		}
		h.source.change(bad, "harmless")
		h.embedder.Wake()
		synctest.Wait()
		h.is(map[string]int{"tiny": 100})
		stop()
		h.private()
	})
}

// When every text is refused it is not the texts that are wrong: then it is tried seldom, and told.
func TestAllTextsAreRefused(t *testing.T) {
	for name, fault := range map[string]standin.Fault{"as requests": {Status: 400}, "for the key": {Status: 401},
		"the length is wrong": {Dimensions: 10}, "vectors of nothing": {Zero: true}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newFixtureOf(t, tiny)
				for i := range 40 {
					h.source.add(1, fmt.Sprint(secret, i))
				}
				h.standin.Inject(fault)
				stop := h.run()
				time.Sleep(time.Hour)
				if n := len(h.standin.Requests()); n > 160 {
					t.Errorf("asked %d times", n)
				}
				if waits := h.waits(); len(waits) < 10 || waits[0] != 5*time.Minute {
					t.Errorf("waited %v", waits)
				}
				h.is(map[string]int{"": 40})
				stop()
				h.private()
			})
		})
	}
}

// Memories that are changed or deleted while their vector is made keep what they have then.
func TestMemoriesThatAreChangedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFixtureOf(t, tiny)
		r := h.source.add(1, "a car")
		once := true
		h.source.onSave = func() {
			if once {
				once = false
				h.source.change(r, "a cat")
			}
		}
		stop := h.run()
		time.Sleep(2 * time.Second)
		if sum := h.total(); sum.Overtaken != 1 || sum.Kept != 0 {
			t.Errorf("reported was %+v", sum)
		}
		time.Sleep(2 * time.Minute)
		stop()
		h.is(map[string]int{"tiny": 1})
		want := h.standin.Vector("tiny", "a cat")
		for i, x := range r.embedding.Vector {
			if d := float64(x) - want[i]; d > 1e-6 || d < -1e-6 {
				t.Fatal("the vector is of the text before")
			}
		}
	})
}

// A store that fails is asked again, and the work goes on where it was.
func TestTheStoreFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFixtureOf(t, tiny)
		for i := range 200 {
			r := h.source.add(1, fmt.Sprint("memory ", i))
			if i < 5 {
				r.expires = time.Now().Add(time.Minute)
			}
		}
		h.source.fail("PendingMemories", 2)
		h.source.fail("SaveVectors", 1)
		h.source.fail("ExpireMemories", 1)
		stop := h.run()
		time.Sleep(5 * time.Minute)
		h.is(map[string]int{"tiny": 195})
		if sum := h.total(); sum.Expired != 5 {
			t.Errorf("reported was %+v", sum)
		}
		stop()
	})
}

// What has expired goes within minutes, however much it is, also while vectors are being made.
func TestExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFixtureOf(t, tiny)
		for i := range 1000 {
			r := h.source.add(1, fmt.Sprint("memory ", i))
			if i%2 == 0 {
				r.expires = time.Now().Add(30 * time.Second)
			}
		}
		h.standin.Inject(standin.Fault{Hang: true})
		stop := h.run()
		time.Sleep(3 * time.Minute)
		h.is(map[string]int{"": 500})
		stop()
	})
}

// Changing the model: before, meanwhile and afterwards everything is found by meaning, by whichever vector it has; a
// kill in between and an endpoint that dies midway change nothing; and so it goes back.
func TestChangingTheModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 400
		rows := &source{}
		for i := range n {
			rows.add(byte(i%4), fmt.Sprintf("car number %d", i))
		}
		everything := func(h *fixture) {
			t.Helper()
			var known []string
			for name := range rows.counts() {
				known = append(known, name)
			}
			queries, err := h.embedder.Query(t.Context(), "car number", known)
			if err != nil {
				t.Error(err)
			}
			if found := rows.find(queries, 0.2); len(found) != n {
				t.Errorf("with vectors of %v, %d of %d were found", rows.counts(), len(found), n)
			}
		}
		endpoint := standin.New(standin.Options{Models: models})

		first := newFixture(t, model.EmbeddingModel{}, nil, rows)
		stop := first.run()
		time.Sleep(time.Minute)
		stop()
		first.is(map[string]int{builtIn(): n})
		everything(first)

		endpoint.Inject(standin.Fault{Latency: time.Second, Times: 2})
		second := newFixture(t, tiny, endpoint, rows)
		stop = second.run()
		time.Sleep(2500 * time.Millisecond)
		stop() // killed in the middle
		if done := rows.counts()["tiny"]; done == 0 || done == n {
			t.Fatalf("%d of %d have a vector; that is not the middle", done, n)
		}
		everything(second)

		third := newFixture(t, tiny, endpoint, rows)
		endpoint.Inject(standin.Fault{Reset: true, After: 2}) // after a search and one batch
		stop = third.run()
		everything(third)
		time.Sleep(time.Minute)
		if done := rows.counts()["tiny"]; done == n {
			t.Fatal("the endpoint did not die")
		}
		late := rows.add(9, "car number 1000")
		third.embedder.Wake()
		endpoint.Clear()
		time.Sleep(10 * time.Minute)
		stop()
		third.is(map[string]int{"tiny": n + 1})
		if late.embedding.Model != "tiny" {
			t.Error("the one that was written meanwhile has no vector")
		}
		rows.rows = rows.rows[:n]
		everything(third)

		fourth := newFixture(t, model.EmbeddingModel{}, nil, rows)
		stop = fourth.run()
		time.Sleep(time.Minute)
		stop()
		fourth.is(map[string]int{builtIn(): n})
		everything(fourth)
	})
}

// What is written while a long change is under way does not wait for its end.
func TestNewMemoriesComeFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFixtureOf(t, tiny)
		for i := range 1200 {
			h.source.add(1, fmt.Sprint("memory ", i)).embedding = model.Embedding{Model: "bendy", Dimensions: 512}
		}
		h.standin.Inject(standin.Fault{Latency: time.Second})
		stop := h.run()
		time.Sleep(5 * time.Second)
		late := h.source.add(0, "the newest")
		h.embedder.Wake()
		time.Sleep(5 * time.Second)
		if done := h.source.counts()["tiny"]; late.embedding.Model != "tiny" || done > 1000 {
			t.Errorf("after %d others it has the vector %q", done, late.embedding.Model)
		}
		stop()
	})
}

// Two workers on one store, with one of them slow, come to the same end.
func TestTwoWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newFixtureOf(t, tiny)
		b := newFixture(t, tiny, a.standin, a.source)
		for i := range 500 {
			a.source.add(byte(i%5), fmt.Sprint("memory ", i))
		}
		a.standin.Inject(standin.Fault{Latency: 700 * time.Millisecond, Times: 3})
		stopA, stopB := a.run(), b.run()
		time.Sleep(time.Minute)
		stopA()
		stopB()
		a.is(map[string]int{"tiny": 500})
		for _, r := range a.source.rows {
			if want := a.standin.Vector("tiny", r.Content); !slices.EqualFunc(r.embedding.Vector, want,
				func(x float32, y float64) bool { return float64(x)-y < 1e-6 && y-float64(x) < 1e-6 }) {
				t.Fatalf("%q has another's vector", r.Content)
			}
		}
	})
}

// A embedder that lacks a part does not run.
func TestMisuse(t *testing.T) {
	for i, r := range []*embedding.Embedder{
		{Now: time.Now}, {Store: &source{}}, {Store: &source{}, Now: time.Now, InUse: tiny},
		{Store: &source{}, Now: time.Now, InUse: model.EmbeddingModel{Name: "x"},
			Remote: newFixtureOf(t, tiny).embedder.Remote},
	} {
		if err := r.Run(t.Context()); err == nil {
			t.Errorf("embedder %d runs", i)
		}
	}
}
