package knowledge_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
)

func (h *fixture) episode(content string, state model.EpisodeState, change ...func(*model.Episode)) knowledge.Added {
	h.Helper()
	e := model.Episode{Content: content, Source: model.EpisodeText, State: state}
	for _, c := range change {
		c(&e)
	}
	out, err := h.base.AddEpisode(h.Context(), h.user, knowledge.NewEpisode{Episode: e, Now: h.clock.Now()})
	h.must(err)
	return out
}

// reads has a model read episodes.
func (h *fixture) reads() {
	h.base.Extraction.Model, h.base.Extraction.Wake = "reader-1", func() { h.read++ }
}

func TestAddEpisode(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		out := h.episode("\n  Dana   met Yossi at the fair.\nThen they left.", model.EpisodeQueued)
		e := out.Episode
		if out.Known || e.Name != "Dana met Yossi at the fair." || e.State != model.EpisodeVerbatim ||
			!e.ReferenceTime.Equal(noon) || !e.CreatedAt.Equal(noon) || !e.NextAt.IsZero() || e.ID.Kind != model.KindEpisode {
			h.Errorf("it is %+v", e)
		}
		there, err := h.base.EpisodesByID(h.Context(), h.user, []model.ID{e.ID}, store.EpisodeRow)
		h.must(err)
		if there[e.ID] != e {
			h.Errorf("kept is %+v, told was %+v", there[e.ID], e)
		}
		h.clock.Advance(time.Hour)
		if again := h.episode(e.Content, model.EpisodeVerbatim,
			func(e *model.Episode) { e.ReferenceTime, e.Name = noon.In(time.FixedZone("", 7200)), "Another" }); !again.Known ||
			again.Episode.ID != e.ID || again.Episode.Name != e.Name {
			h.Errorf("again it is %+v", again)
		}
		if later := h.episode(e.Content, model.EpisodeVerbatim); later.Known {
			h.Errorf("at another time it is another one: %+v", later)
		}
		if h.read != 0 {
			h.Error("nobody reads, and somebody was woken")
		}
		h.reads()
		queued := h.episode("Ruth sings.", model.EpisodeQueued)
		if queued.Episode.State != model.EpisodeQueued || !queued.Episode.NextAt.Equal(h.clock.Now()) || h.read == 0 {
			h.Errorf("it is %+v, woken %d", queued.Episode, h.read)
		}
		if facts := h.base.Facts(); !facts.Extracts || facts.ExtractionModel != "reader-1" || !facts.Transactional ||
			!facts.Edits || facts.MostFacts != model.MaxFactsAtOnce || facts.Backend != model.KnowledgeOwn {
			h.Errorf("its facts are %+v", facts)
		}
		ask := func(p knowledge.Page) (knowledge.Answer[model.Episode], error) {
			return h.base.FindEpisodes(h.Context(), h.user, knowledge.EpisodeAsk{Page: p, Want: store.EpisodeRow, Total: true})
		}
		if got := pages(h, 2, ask, func(e model.Episode) string { return e.Name }); len(got) != 2 ||
			!slices.Equal(got[0], []string{"Ruth sings.", "Dana met Yossi at the fair."}) || len(got[1]) != 1 {
			h.Errorf("they come as %q", got)
		}
		counted, err := ask(knowledge.Page{})
		h.must(err)
		if *counted.Total != 3 || len(counted.Hits) != 0 {
			h.Errorf("there are %d", *counted.Total)
		}
	})
}

func TestNamesOfEpisodes(t *testing.T) {
	t.Parallel()
	h := newFixture(t, onSQLite)
	for _, c := range []struct{ content, want string }{
		{"short", "short"},
		{strings.Repeat("word ", 30), strings.TrimSpace(strings.Repeat("word ", 12)) + "…"},
		{strings.Repeat("x", 200), strings.Repeat("x", 60) + "…"},
		{strings.Repeat("שלום ", 30), strings.TrimSpace(strings.Repeat("שלום ", 12)) + "…"},
		{" \n\t\n" + strings.Repeat("ש", 3000), strings.Repeat("ש", 60) + "…"},
		{`{"a":1}`, `{"a":1}`},
	} {
		e := h.episode(c.content, model.EpisodeVerbatim).Episode
		if e.Name != c.want || !utf8.ValidString(e.Name) || utf8.RuneCountInString(e.Name) > model.MaxEpisodeName {
			t.Errorf("it is called %q, want %q", e.Name, c.want)
		}
	}
}

func TestExtract(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		e := h.episode("Dana works at Acme.", model.EpisodeVerbatim).Episode
		_, err := h.base.Extract(h.Context(), h.user, e.ID, h.clock.Now())
		h.wantCode(err, model.CodeNotConfigured)
		h.reads()
		h.clock.Advance(time.Hour)
		queued, err := h.base.Extract(h.Context(), h.user, e.ID, h.clock.Now())
		h.must(err)
		if queued.State != model.EpisodeQueued || !queued.NextAt.Equal(h.clock.Now()) || queued.Content != e.Content ||
			h.read != 1 {
			h.Errorf("it is %+v, woken %d", queued, h.read)
		}
		h.clock.Advance(time.Hour)
		again, err := h.base.Extract(h.Context(), h.user, e.ID, h.clock.Now())
		h.must(err)
		if again != queued {
			h.Errorf("it lost its place: %+v", again)
		}
		_, err = h.base.Extract(h.Context(), h.other, e.ID, h.clock.Now())
		h.wantCode(err, model.CodeNotFound)
		_, err = h.base.Extract(h.Context(), h.user, model.ID{Kind: model.KindFact, UUID: e.ID.UUID}, h.clock.Now())
		h.wantCode(err, model.CodeNotFound)
	})
}

// claim takes the only episode that waits.
func (h *fixture) claim() model.Episode {
	h.Helper()
	claimed, err := h.store.ClaimEpisodes(h.Context(), h.clock.Now(), h.clock.Now().Add(time.Minute), 10)
	h.must(err)
	if len(claimed) != 1 {
		h.Fatalf("%d episodes wait", len(claimed))
	}
	return claimed[0].Episode
}

func TestWhatWasReadIsKeptOnce(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		h.reads()
		h.tell(knowledge.NewFact{Source: typed("Jordan", "Person"), Relation: "VISITS", Target: typed("Jordan", "Country")},
			fact("Dana", "WORKS_AT", "Acme", since(2020)))
		h.clock.Advance(time.Hour)
		e := h.episode("Dana has left Acme for Globex in 2025. Ruth was mentioned, and Jordan.", model.EpisodeQueued).Episode
		claimed := h.claim()
		read := knowledge.Extracted{
			Episode: e.ID, Attempt: claimed.Attempts, Now: h.clock.Now(),
			Entities: []knowledge.End{{Name: "dana"}, {Name: "Globex", Type: "Organization", Summary: "A company."},
				{Name: "Ruth"}, {Name: "Jordan"}},
			Facts: []knowledge.NewFact{
				fact("Dana", "WORKS_AT", "Globex", since(2025), alone, says("Dana has left Acme for Globex.")),
				fact("Dana", "KNOWS", "Jordan"),
				{Source: knowledge.End{ID: model.ID{Kind: model.KindEntity, UUID: model.UUID{9}}}, Relation: "KNOWS",
					Target: knowledge.End{Name: "Nobody"}},
			},
		}
		_, err := h.base.AddExtracted(h.Context(), h.other, read)
		h.wantCode(err, model.CodeNotFound)
		late := read
		late.Attempt++
		_, err = h.base.AddExtracted(h.Context(), h.user, late)
		h.wantCode(err, model.CodeConflict)

		// It dies before the commit, and comes again.
		died := errors.New("died")
		before := h.sentences()
		err = h.store.Write(h.Context(), h.user, func(ctx context.Context, _ store.Tx) error {
			if _, err := h.base.AddExtracted(ctx, h.user, read); err != nil {
				return err
			}
			return died
		})
		if !errors.Is(err, died) || !slices.Equal(h.sentences(), before) {
			h.Fatalf("%v, and there is %q", err, h.sentences())
		}
		out, err := h.base.AddExtracted(h.Context(), h.user, read)
		h.must(err)
		if out.Created != 1 || out.Invalidated != 1 || out.EntitiesMade != 2 ||
			model.CodeOf(out.Problems[1]) != model.CodeConflict || model.CodeOf(out.Problems[2]) != model.CodeNotFound {
			h.Errorf("it has come to %+v", out)
		}
		_, err = h.base.AddExtracted(h.Context(), h.user, read)
		h.wantCode(err, model.CodeConflict)
		h.wantSentences("Jordan visits Jordan …–…", "Dana works at Acme 2020–2025", "Dana has left Acme for Globex. 2025–…")

		there, err := h.base.EpisodesByID(h.Context(), h.user, []model.ID{e.ID}, store.EpisodeRow)
		h.must(err)
		if done := there[e.ID]; done.State != model.EpisodeExtracted || done.Problem != "" || !done.NextAt.IsZero() {
			h.Errorf("the episode is %+v", done)
		}
		contents, err := h.base.Contents(h.Context(), h.user, e.ID, 10, store.EntityRow, everyFact)
		h.must(err)
		var names []string
		for _, entity := range contents.Entities {
			names = append(names, entity.Name)
		}
		if !slices.Equal(names, []string{"Dana", "Globex", "Ruth"}) || len(contents.Facts) != 1 ||
			contents.Facts[0].Episodes[0] != e.ID {
			h.Errorf("it speaks of %q and %+v", names, contents.Facts)
		}
		if some, err := h.base.Contents(h.Context(), h.user, e.ID, 1, store.EntityRow, everyFact); err != nil ||
			len(some.Entities) != 1 {
			h.Errorf("%+v, %v", some, err)
		}
		if none, err := h.base.Contents(h.Context(), h.other, e.ID, 10, store.EntityRow, everyFact); err != nil ||
			none == nil || len(none.Entities)+len(none.Facts) != 0 {
			h.Errorf("another user sees %+v, %v", none, err)
		}

		// Read anew, it changes nothing.
		_, err = h.base.Extract(h.Context(), h.user, e.ID, h.clock.Now())
		h.must(err)
		h.clock.Advance(time.Hour)
		read.Attempt = h.claim().Attempts
		again, err := h.base.AddExtracted(h.Context(), h.user, read)
		h.must(err)
		if again.Created+again.Invalidated+again.EntitiesMade != 0 || again.Unchanged != 1 {
			h.Errorf("read again it has come to %+v", again)
		}
		_, err = h.base.AddExtracted(h.Context(), h.user,
			knowledge.Extracted{Episode: e.ID, Facts: make([]knowledge.NewFact, model.MaxFactsAtOnce+1)})
		h.wantCode(err, model.CodeBadUserInput)
	})
}

func TestContentsAreTheOldestFirst(t *testing.T) {
	t.Parallel()
	h := newFixture(t, onSQLite)
	e := h.episode("…", model.EpisodeVerbatim).Episode
	for _, name := range []string{"A", "B", "C"} {
		_, err := h.base.AddFacts(t.Context(), h.user,
			knowledge.NewFacts{Episode: e.ID, Facts: []knowledge.NewFact{fact(name, "IS", "here")}, Now: h.clock.Now()})
		h.must(err)
		h.clock.Advance(time.Hour)
	}
	out, err := h.base.Contents(t.Context(), h.user, e.ID, 2, 0, everyFact)
	h.must(err)
	if len(out.Facts) != 2 || out.Facts[0].Sentence != "A is here" || out.Facts[1].Sentence != "B is here" {
		t.Errorf("they come as %+v", out.Facts)
	}
	_, err = h.base.AddFacts(t.Context(), h.other,
		knowledge.NewFacts{Episode: e.ID, Facts: []knowledge.NewFact{fact("A", "IS", "here")}, Now: h.clock.Now()})
	h.wantCode(err, model.CodeNotFound)
}

// TestAFactGainsEpisodes: telling it again adds the episode, once.
func TestAFactGainsEpisodes(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		one, two := h.episode("one", model.EpisodeVerbatim).Episode.ID, h.episode("two", model.EpisodeVerbatim).Episode.ID
		for _, episode := range []model.ID{{}, one, two, one, two, {}} {
			_, err := h.base.AddFacts(h.Context(), h.user,
				knowledge.NewFacts{Episode: episode, Facts: []knowledge.NewFact{fact("A", "IS", "B")}, Now: h.clock.Now()})
			h.must(err)
		}
		f := h.facts()[0]
		if !slices.Equal(f.Episodes, []model.ID{one, two}) || f.Version != 3 {
			h.Errorf("it is %+v", f)
		}
	})
}

func TestVectorsOfARemoteModelAreLeftToTheWorker(t *testing.T) {
	t.Parallel()
	eachStore(t, func(h *fixture) {
		h.tell(fact("A", "IS", "B"))
		if h.embedder.woken != 0 {
			h.Error("nothing waits, and the worker was woken")
		}
		h.embedder.remote = true
		h.tell(fact("C", "IS", "D"))
		if h.embedder.woken != 1 {
			h.Errorf("the worker was woken %d times", h.embedder.woken)
		}
		status, err := h.base.Status(h.Context(), h.user, h.clock.Now())
		h.must(err)
		if c := status.Counts; !status.Healthy || c.Entities != 4 || c.Facts != 2 || len(c.Models) != 1 ||
			c.Models[0].Rows != 3 {
			h.Errorf("there is %+v", status.Counts)
		}
		pending, _, err := h.store.PendingKnowledge(h.Context(), h.embedder.Model().Name, store.KnowledgePlace{}, 10)
		h.must(err)
		if len(pending) != 3 {
			h.Errorf("%d rows wait", len(pending))
		}
	})
}
