package embedding_test

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/embedding"
	standin "almanac/internal/standin/openai"
	"almanac/projections/ngram"
)

func names(vectors []store.QueryVector) []string {
	all := []string{}
	for _, v := range vectors {
		all = append(all, v.Model)
	}
	return all
}

func isUnit(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Abs(sum-1) < 1e-5
}

// Each text has a vector of the model in use, but for those in which there is nothing.
func TestEmbed(t *testing.T) {
	for _, use := range []model.EmbeddingModel{{}, tiny, bendy} {
		h := newFixtureOf(t, use)
		in := h.embedder.Model()
		if use.Name == "" && (in != ngram.Model() || !in.Local) || use.Name != "" && in != use {
			t.Errorf("the model is %+v, want %+v", in, use)
		}
		got, err := h.embedder.Embed(t.Context(), []string{"my car", "", " \u200f\n", "המכונית שלי"})
		if err != nil || len(got) != 4 {
			t.Fatalf("%v %v", got, err)
		}
		for i, e := range got {
			if i == 1 || i == 2 {
				if e.Model != "" || e.Dimensions != 0 || e.Vector != nil {
					t.Errorf("nothing has %+v", e)
				}
			} else if e.Model != in.Name || e.Dimensions != in.Dimensions || len(e.Vector) != in.Dimensions ||
				!isUnit(e.Vector) {
				t.Errorf("%s: text %d has a vector of %s with %d dimensions", in.Name, i, e.Model, e.Dimensions)
			}
		}
		if asked := h.standin.Inputs(); asked != 0 && use.Name == "" || asked != 2 && use.Name != "" {
			t.Errorf("%s: the endpoint got %d texts", in.Name, asked)
		}
		if got, err := h.embedder.Embed(t.Context(), []string{"", "\t"}); err != nil || len(got) != 2 {
			t.Errorf("%v %v", got, err)
		}
		if _, err := h.embedder.Embed(t.Context(), make([]string, model.MaxBulk+1)); err == nil {
			t.Error("more texts than may be are taken")
		}
	}
}

// A write waits three seconds for the endpoint and a search two, and what they are told is fit for clients.
func TestNobodyWaitsForTheEndpoint(t *testing.T) {
	for name, c := range map[string]struct {
		fault standin.Fault
		code  model.ErrorCode
		wait  bool
	}{
		"it hangs":            {standin.Fault{Hang: true}, model.CodeUpstreamUnavailable, true},
		"it is away":          {standin.Fault{Status: 503, RetryAfter: time.Minute}, model.CodeUpstreamUnavailable, false},
		"it is too much":      {standin.Fault{Status: 429, RetryAfter: time.Minute}, model.CodeUpstreamRateLimited, false},
		"it refuses":          {standin.Fault{Status: 401}, model.CodeUpstreamRejected, false},
		"it is another one":   {standin.Fault{Dimensions: 65}, model.CodeUpstreamRejected, false},
		"it gives half of it": {standin.Fault{Garbage: true}, model.CodeUpstreamUnavailable, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newFixtureOf(t, tiny)
				h.standin.Inject(c.fault)
				began := time.Now()
				_, err := h.embedder.Embed(t.Context(), []string{secret})
				if model.CodeOf(err) != c.code || c.wait != (time.Since(began) == embedding.WriteTimeout) ||
					!c.wait && time.Since(began) > time.Second {
					t.Errorf("a write: %v after %v", err, time.Since(began))
				}
				began = time.Now()
				got, err := h.embedder.Query(t.Context(), secret, []string{"tiny", builtIn()})
				if model.CodeOf(err) != c.code || c.wait != (time.Since(began) == embedding.QueryTimeout) ||
					!c.wait && time.Since(began) > time.Second {
					t.Errorf("a search: %v after %v", err, time.Since(began))
				}
				if !slices.Equal(names(got), []string{builtIn()}) {
					t.Errorf("what there is, is %v", names(got))
				}
				h.private()
				synctest.Wait()
			})
		})
	}
}

// What is looked for is asked of each model once, the one in use first; models that cannot be asked are left out.
func TestQuery(t *testing.T) {
	for _, c := range []struct {
		name   string
		use    model.EmbeddingModel
		models []string
		want   []string
	}{
		{"the one in use first", tiny, []string{builtIn(), "bendy@128", "tiny"}, []string{"tiny", builtIn(), "bendy@128"}},
		{"each once", tiny, []string{"tiny", "bendy", "tiny", "bendy"}, []string{"tiny", "bendy"}},
		{"two lengths of one", tiny, []string{"bendy@16", "bendy"}, []string{"bendy@16", "bendy"}},
		{"no others than were named", tiny, []string{builtIn()}, []string{builtIn()}},
		{"none", tiny, nil, []string{}},
		{"one that is gone", tiny, []string{"tiny", "gone", builtIn()}, []string{"tiny", builtIn()}},
		{"a length that it cannot give", tiny, []string{"tiny@16", "bendy@4000", "tiny"}, []string{"tiny"}},
		{"a version that was", tiny, []string{"local-ngram-0", "tiny"}, []string{"tiny"}},
		{"more than are asked", tiny, []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", builtIn(), "tiny"},
			[]string{"tiny"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newFixtureOf(t, c.use)
			got, err := h.embedder.Query(t.Context(), "my car", c.models)
			if err != nil || !slices.Equal(names(got), c.want) {
				t.Errorf("%v %v, want %v", names(got), err, c.want)
			}
			for _, v := range got {
				if !isUnit(v.Vector) {
					t.Errorf("the vector of %s has no unit length", v.Model)
				}
			}
			if n := len(h.standin.Requests()); n > 8 {
				t.Errorf("%d requests", n)
			}
		})
	}
	h := newFixtureOf(t, tiny)
	if got, err := h.embedder.Query(t.Context(), " \u05b0", []string{"tiny", builtIn()}); err != nil || len(got) != 0 ||
		len(h.standin.Requests()) != 0 {
		t.Errorf("nothing gives %v %v", names(got), err)
	}
	h = newFixture(t, model.EmbeddingModel{}, nil, &source{})
	if got, err := h.embedder.Query(t.Context(), "my car", []string{"tiny", builtIn()}); err != nil ||
		!slices.Equal(names(got), []string{builtIn()}) {
		t.Errorf("without an endpoint: %v %v", names(got), err)
	}
}

// The same search again costs no question; another text or another model does. What was refused is asked again after
// some minutes.
func TestQueriesAreRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFixtureOf(t, tiny)
		ask := func(text string, models ...string) int {
			before := len(h.standin.Requests())
			if _, err := h.embedder.Query(t.Context(), text, models); err != nil {
				t.Error(err)
			}
			return len(h.standin.Requests()) - before
		}
		for i, c := range []struct {
			text   string
			models []string
			want   int
		}{
			{"my car", []string{"tiny", "gone"}, 2},
			{"my car", []string{"tiny", "gone"}, 0},
			{"my cat", []string{"tiny", "gone"}, 1},
			{"my car", []string{"bendy", "tiny"}, 1},
			{"my car", []string{"bendy", "tiny"}, 0},
		} {
			if got := ask(c.text, c.models...); got != c.want {
				t.Errorf("step %d: %d requests, want %d", i, got, c.want)
			}
		}
		time.Sleep(10 * time.Minute)
		if got := ask("my car", "tiny", "gone"); got != 1 {
			t.Errorf("after a while: %d requests", got)
		}
		for i := range 520 {
			ask(strconv.Itoa(i), "tiny")
		}
		if got := ask("my car", "tiny"); got != 1 {
			t.Errorf("after many others it was still known (%d)", got)
		}
		if !strings.Contains(h.said(), "an earlier embedding model cannot be asked") {
			t.Error("the log does not tell of the model that is gone")
		}
	})
}

// An earlier model that is only away is an error; one that is slow does not make the others wait beyond the bound.
func TestEarlierModelsThatAreAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFixtureOf(t, tiny)
		h.standin.Inject(standin.Fault{Model: "bendy", Hang: true})
		began := time.Now()
		got, err := h.embedder.Query(t.Context(), "my car", []string{"tiny", "bendy", "bendy@16"})
		if model.CodeOf(err) != model.CodeUpstreamUnavailable || !slices.Equal(names(got), []string{"tiny"}) ||
			time.Since(began) != embedding.QueryTimeout {
			t.Errorf("%v %v after %v", names(got), err, time.Since(began))
		}
		h.standin.Clear()
		if got, err := h.embedder.Query(t.Context(), "my car", []string{"tiny", "bendy"}); err != nil || len(got) != 2 {
			t.Errorf("%v %v", names(got), err)
		}
		synctest.Wait()
	})
}

// One question is counted for each Embed and each Query that goes to the endpoint, and none for what stays here.
func TestQuestionsAreCounted(t *testing.T) {
	h := newFixtureOf(t, tiny)
	ctx := model.WithUpstream(t.Context(), 2)
	if _, err := h.embedder.Embed(ctx, []string{"a", "b"}); err != nil {
		t.Error(err)
	}
	for range 2 {
		if _, err := h.embedder.Query(ctx, "a", []string{"tiny", "bendy"}); err != nil {
			t.Error(err)
		}
	}
	got, err := h.embedder.Query(ctx, "b", []string{"tiny", builtIn()})
	if model.CodeOf(err) != model.CodeQueryTooExpensive || !slices.Equal(names(got), []string{builtIn()}) {
		t.Errorf("%v %v", names(got), err)
	}
	if _, err := h.embedder.Embed(ctx, []string{"a"}); model.CodeOf(err) != model.CodeQueryTooExpensive {
		t.Error(err)
	}
	local := newFixtureOf(t, model.EmbeddingModel{})
	for range 5 {
		if _, err := local.embedder.Embed(ctx, []string{"a"}); err != nil {
			t.Error(err)
		}
	}
}

// A caller who has gone gets nothing, and the built-in model does not go on for them.
func TestCallersWhoHaveGone(t *testing.T) {
	for _, use := range []model.EmbeddingModel{{}, tiny} {
		h := newFixtureOf(t, use)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if got, err := h.embedder.Embed(ctx, []string{"a"}); model.CodeOf(err) != model.CodeUpstreamUnavailable ||
			got != nil {
			t.Errorf("%v %v", got, err)
		}
	}
}

// Names and what is asked for under them.
func TestName(t *testing.T) {
	h := newFixtureOf(t, tiny)
	for name, want := range map[string]int{
		embedding.Name("bendy", 16, true): 16, embedding.Name("bendy", 512, false): 0, "bendy@x": -1, "bendy@0": -1, "@7": -1,
		"bendy@99999999999": -1,
	} {
		before := len(h.standin.Requests())
		_, err := h.embedder.Query(t.Context(), "car", []string{name})
		asked := h.standin.Requests()[before:]
		if err != nil || len(asked) != 1 {
			t.Fatalf("%s: %v, %d requests", name, err, len(asked))
		}
		got := asked[0].Dimensions
		if asked[0].Status != 200 {
			got = -1
		}
		if got != want {
			t.Errorf("%s asks for %d (%q), want %d", name, got, asked[0].Model, want)
		}
	}
}
