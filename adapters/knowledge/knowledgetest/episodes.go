package knowledgetest

import (
	"context"
	"errors"
	"slices"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
)

const oneDay = 24 * time.Hour

// episodesAreKept wants an episode to be there as it was told, and the latest to come first.
func episodesAreKept(h *harness) {
	added := h.tell(h.user(), "Monday", "Something שָׁלוֹם happened: nothing of note.")
	if added.Episode.ID == (model.ID{}) && added.Message == "" {
		h.Errorf("neither an id nor a word: %+v", added)
	}
	h.Pass(2 * oneDay)
	h.tell(h.user(), "Wednesday", "Another thing happened.")
	all := h.episodes(h.user())
	if len(all) != 2 || all[0].Name != "Wednesday" || all[1].Name != "Monday" {
		h.Fatalf("%+v", all)
	}
	e := all[1]
	if e.ID.Kind != model.KindEpisode || e.Content != "Something שָׁלוֹם happened: nothing of note." ||
		e.Source != model.EpisodeText || e.SourceDescription != "a test" ||
		e.ReferenceTime.IsZero() || e.CreatedAt.IsZero() {
		h.Errorf("%+v", e)
	}
	if id := added.Episode.ID; id != (model.ID{}) && id != e.ID {
		h.Errorf("added as %s, there as %s", id, e.ID)
	}
	there, err := h.Base.EpisodesByID(h.Context(), h.user(), []model.ID{e.ID}, store.EpisodeRow)
	h.must(err)
	if there[e.ID].Content != e.Content {
		h.Errorf("by id: %+v", there)
	}
	page, err := h.Base.FindEpisodes(h.Context(), h.user(),
		knowledge.EpisodeAsk{Page: knowledge.Page{First: 1}, Want: store.EpisodeRow, Total: true})
	h.must(err)
	if len(page.Hits) != 1 || !page.HasNext || page.Total != nil && *page.Total != 2 {
		h.Fatalf("%+v", page)
	}
	rest, err := h.Base.FindEpisodes(h.Context(), h.user(),
		knowledge.EpisodeAsk{Page: knowledge.Page{First: 5, After: page.Hits[0].Place}, Want: store.EpisodeRow})
	h.must(err)
	if len(rest.Hits) != 1 || rest.Hits[0].Item.ID != e.ID || rest.HasNext {
		h.Errorf("%+v", rest)
	}
	none, err := h.Base.FindEpisodes(h.Context(), h.user(), knowledge.EpisodeAsk{
		Page: knowledge.Page{First: 5}, Want: store.EpisodeRow,
		Where: store.EpisodeWhere{Sources: []model.EpisodeSource{model.EpisodeJSON}},
	})
	h.must(err)
	if len(none.Hits) != 0 {
		h.Errorf("of another source: %+v", none)
	}
}

// episodesAreRead wants what an episode says to be found, and to lead back to it.
func episodesAreRead(h *harness) {
	if !h.Reads {
		h.Skip("nothing is read here")
	}
	h.tell(h.user(), "news", "Dana works at Acme. Noam lives in Rome.")
	episode := h.episodes(h.user())[0]
	if episode.State != model.EpisodeExtracted {
		h.Errorf("%+v", episode)
	}
	facts := items(h.findFacts(h.user(), knowledge.FactAsk{Search: looking("Acme")}).Hits)
	if len(facts) == 0 || lines(facts[:1]) != "Dana WORKS_AT Acme" || !slices.Contains(facts[0].Episodes, episode.ID) {
		h.Errorf("%+v", facts)
	}
	h.check("of the episode", items(h.findFacts(h.user(), knowledge.FactAsk{Episode: episode.ID}).Hits),
		"Dana WORKS_AT Acme", "Noam LIVES_IN Rome")
	contents, err := h.Base.Contents(h.Context(), h.user(), episode.ID, 10, store.EntityRow, wantFact)
	h.must(err)
	if contents == nil {
		return // it does not tell
	}
	h.check("contents", contents.Facts, "Dana WORKS_AT Acme", "Noam LIVES_IN Rome")
	if len(contents.Entities) != 4 || contents.Entities[0].Name != "Acme" {
		h.Errorf("%+v", contents.Entities)
	}
	_, err = h.Base.Contents(h.Context(), h.other(), episode.ID, 10, store.EntityRow, wantFact)
	h.wantCode(err, model.CodeNotFound)
}

// whatHoldsNow wants what was contradicted to be history.
func whatHoldsNow(h *harness) {
	if !h.Reads {
		h.Skip("nothing is read here")
	}
	h.tell(h.user(), "before", "Dana works at Acme.")
	h.Pass(10 * oneDay)
	h.tell(h.user(), "after", "Dana works at Globex.")
	h.Pass(oneDay)
	now, then := h.Now(), h.Now().Add(-5*oneDay)
	for _, c := range []struct {
		name  string
		where store.FactWhere
		want  string
		left  int
	}{
		{"now", store.FactWhere{Time: store.FactsHolding, At: now}, "Dana WORKS_AT Globex", 1},
		{"then", store.FactWhere{Time: store.FactsHolding, At: then}, "Dana WORKS_AT Acme", 1},
		{"no more", store.FactWhere{Time: store.FactsNotHolding, At: now}, "Dana WORKS_AT Acme", 1},
		{"whenever", store.FactWhere{}, "Dana WORKS_AT Acme; Dana WORKS_AT Globex", 0},
	} {
		answer := h.findFacts(h.user(), knowledge.FactAsk{Search: looking("Dana works"), Where: c.where, Suppressed: true})
		if got := lines(items(answer.Hits)); got != c.want || answer.Suppressed != c.left {
			h.Errorf("%s: %s and %d suppressed, want %s and %d", c.name, got, answer.Suppressed, c.want, c.left)
		}
	}
}

// othersSeeNothing wants no way from one user to another's graph.
func othersSeeNothing(h *harness) {
	h.addLines(h.user(), "Dana WORKS_AT Acme")
	h.tell(h.user(), "secret", "Nobody shall know.")
	fact := items(h.findFacts(h.user(), knowledge.FactAsk{Search: looking("Dana")}).Hits)[0]
	episode := h.episodes(h.user())[0]
	ids := []model.ID{fact.ID, fact.Source.ID, episode.ID}
	facts, err := h.Base.FactsByID(h.Context(), h.other(), ids, wantFact)
	if err != nil || len(facts) != 0 {
		h.Errorf("facts by id: %v %v", facts, err)
	}
	entities, err := h.Base.EntitiesByID(h.Context(), h.other(), ids, store.EntityRow)
	if err != nil || len(entities) != 0 {
		h.Errorf("entities by id: %v %v", entities, err)
	}
	episodes, err := h.Base.EpisodesByID(h.Context(), h.other(), ids, store.EpisodeRow)
	if err != nil || len(episodes) != 0 {
		h.Errorf("episodes by id: %v %v", episodes, err)
	}
	for _, ask := range []knowledge.FactAsk{{Search: looking("Dana Acme")}, {Entity: fact.Source.ID},
		{Between: []model.ID{fact.Source.ID, fact.Target.ID}}, {Episode: episode.ID}} {
		h.check("theirs", items(h.findFacts(h.other(), ask).Hits))
	}
	if found := h.findEntities(h.other(), knowledge.EntityAsk{Search: looking("Dana")}).Hits; len(found) != 0 {
		h.Errorf("entities: %+v", found)
	}
	if found := h.episodes(h.other()); len(found) != 0 {
		h.Errorf("episodes: %+v", found)
	}
	for _, id := range []model.ID{fact.ID, episode.ID} {
		h.wantCode(h.erase(h.other(), id), model.CodeNotFound)
	}
	if len(h.episodes(h.user())) != 1 || len(h.findFacts(h.user(), knowledge.FactAsk{Search: looking("Dana")}).Hits) == 0 {
		h.Error("somebody else has erased it")
	}
}

func (h *harness) erase(user model.UserID, id model.ID) error {
	h.Helper()
	return h.do(user, func(ctx context.Context) error {
		_, err := h.Base.Delete(ctx, user, id)
		return err
	})
}

// erasing wants what was erased to be gone, once.
func erasing(h *harness) {
	h.addLines(h.user(), "Dana WORKS_AT Acme", "Dana KNOWS Noam")
	fact := items(h.findFacts(h.user(), knowledge.FactAsk{Search: looking("Acme")}).Hits)[0]
	h.must(h.erase(h.user(), fact.ID))
	h.wantCode(h.erase(h.user(), fact.ID), model.CodeNotFound)
	there, err := h.Base.FactsByID(h.Context(), h.user(), []model.ID{fact.ID}, wantFact)
	if err != nil || len(there) != 0 {
		h.Errorf("%v %v", there, err)
	}
	h.check("left", items(h.findFacts(h.user(), knowledge.FactAsk{Entity: fact.Source.ID}).Hits), "Dana KNOWS Noam")
	h.tell(h.user(), "news", "Tal lives in Rome.")
	episode := h.episodes(h.user())[0]
	h.must(h.erase(h.user(), episode.ID))
	h.wantCode(h.erase(h.user(), episode.ID), model.CodeNotFound)
	if left := h.episodes(h.user()); len(left) != 0 {
		h.Errorf("%+v", left)
	}
	if found := items(h.findFacts(h.user(), knowledge.FactAsk{Search: looking("Tal Rome")}).Hits); slices.ContainsFunc(
		found, func(f model.Fact) bool { return f.Source.Name == "Tal" }) {
		h.Errorf("what only the episode said is left: %s", lines(found))
	}
	switch err := h.erase(h.user(), fact.Source.ID); model.CodeOf(err) {
	case model.CodeNotConfigured: // it cannot
	case "":
		if found := h.findEntities(h.user(), knowledge.EntityAsk{Search: looking("Dana")}).Hits; slices.ContainsFunc(found,
			func(hit knowledge.Hit[model.Entity]) bool { return hit.Item.Name == "Dana" }) {
			h.Error("Dana is left")
		}
		h.check("facts of Dana", items(h.findFacts(h.user(), knowledge.FactAsk{Search: looking("Noam")}).Hits))
	default:
		h.Error(err)
	}
}

// clearing wants the user's graph gone, and nobody else's.
func clearing(h *harness) {
	for _, user := range h.Users {
		h.addLines(user, "Dana WORKS_AT Acme")
		h.tell(user, "news", "Something happened.")
	}
	h.must(h.do(h.user(), func(ctx context.Context) error {
		_, err := h.Base.Clear(ctx, h.user())
		return err
	}))
	if len(h.episodes(h.user())) != 0 ||
		len(h.findFacts(h.user(), knowledge.FactAsk{Search: looking("Dana")}).Hits) != 0 ||
		len(h.findEntities(h.user(), knowledge.EntityAsk{Search: looking("Dana")}).Hits) != 0 {
		h.Error("something is left")
	}
	if len(h.episodes(h.other())) != 1 ||
		len(h.findFacts(h.other(), knowledge.FactAsk{Search: looking("Dana")}).Hits) != 1 {
		h.Error("another user's graph was cleared")
	}
	h.must(h.do(h.user(), func(ctx context.Context) error {
		_, err := h.Base.Clear(ctx, h.user())
		return err
	}))
}

// unknownIDs wants ids of nothing, of either kind of base, to be no failure of reading and NOT_FOUND for erasing.
func unknownIDs(h *harness) {
	for _, kind := range []model.Kind{model.KindEntity, model.KindFact, model.KindEpisode} {
		own := model.ID{Kind: kind, UUID: model.UUID{1, 2, 3, 4, 5, 6, 0x70, 8, 0x80, 10}}
		remote := model.KnowledgeRef{UUID: "00000000-0000-4000-8000-000000000000", Name: "Nobody"}.ID(kind)
		ids := []model.ID{own, remote}
		facts, err := h.Base.FactsByID(h.Context(), h.user(), ids, wantFact)
		if err != nil || len(facts) != 0 {
			h.Errorf("facts: %v %v", facts, err)
		}
		entities, err := h.Base.EntitiesByID(h.Context(), h.user(), ids, store.EntityRow)
		if err != nil || len(entities) != 0 {
			h.Errorf("entities: %v %v", entities, err)
		}
		episodes, err := h.Base.EpisodesByID(h.Context(), h.user(), ids, store.EpisodeRow)
		if err != nil || len(episodes) != 0 {
			h.Errorf("episodes: %v %v", episodes, err)
		}
		for _, id := range ids {
			if code := model.CodeOf(h.erase(h.user(), id)); code != model.CodeNotFound &&
				(kind != model.KindEntity || code != model.CodeNotConfigured) {
				h.Errorf("erasing %s: %s", id, code)
			}
			if kind == model.KindEntity {
				h.check("at nobody", items(h.findFacts(h.user(), knowledge.FactAsk{Entity: id}).Hits))
			}
		}
	}
}

// editing wants an Editor to work, or to say that it does not.
func editing(h *harness) {
	h.addLines(h.user(), "Dana WORKS_AT Acme", "Daniela WORKS_AT Acme")
	fact := items(h.findFacts(h.user(), knowledge.FactAsk{Entity: h.entity(h.user(), "Dana").ID}).Hits)[0]
	h.Pass(oneDay)
	var closed map[model.ID]model.Fact
	var updated int
	err := h.do(h.user(), func(ctx context.Context) (err error) {
		closed, updated, _, err = h.Base.Invalidate(ctx, h.user(), []model.ID{fact.ID}, h.Now(), h.Now())
		return err
	})
	if !h.Base.Facts().Edits {
		h.wantCode(err, model.CodeNotConfigured)
		_, err = h.Base.UpdateEntity(h.Context(), h.user(), fact.Source.ID, 0, func(*model.Entity) error { return nil },
			h.Now())
		h.wantCode(err, model.CodeNotConfigured)
		_, err = h.Base.Merge(h.Context(), h.user(), fact.Source.ID, []model.ID{fact.Target.ID}, h.Now())
		h.wantCode(err, model.CodeNotConfigured)
		_, err = h.Base.Extract(h.Context(), h.user(), model.ID{Kind: model.KindEpisode}, h.Now())
		h.wantCode(err, model.CodeNotConfigured)
		return
	}
	h.must(err)
	if f, ok := closed[fact.ID]; !ok || updated != 1 || !f.InvalidAt.Equal(h.Now()) {
		h.Errorf("%+v, %d updated", closed, updated)
	}
	var changed model.Entity
	h.must(h.do(h.user(), func(ctx context.Context) (err error) {
		changed, err = h.Base.UpdateEntity(ctx, h.user(), fact.Source.ID, 0,
			func(e *model.Entity) error { e.Summary = "A person."; return nil }, h.Now())
		return err
	}))
	if changed.Summary != "A person." || changed.Version != 2 {
		h.Errorf("%+v", changed)
	}
	h.wantCode(h.do(h.user(), func(ctx context.Context) error {
		_, err := h.Base.UpdateEntity(ctx, h.user(), fact.Source.ID, 1, func(*model.Entity) error { return nil }, h.Now())
		return err
	}), model.CodeConflict)
	other := h.entity(h.user(), "Daniela")
	var merged knowledge.Merged
	h.must(h.do(h.user(), func(ctx context.Context) (err error) {
		merged, err = h.Base.Merge(ctx, h.user(), fact.Source.ID, []model.ID{other.ID}, h.Now())
		return err
	}))
	if merged.Merged != 1 || !slices.Contains(merged.Entity.Aliases, "Daniela") {
		h.Errorf("%+v", merged)
	}
	there, err := h.Base.EntitiesByID(h.Context(), h.user(), []model.ID{other.ID}, store.EntityRow)
	if err != nil || there[other.ID].ID != fact.Source.ID {
		h.Errorf("the merged one: %+v %v", there, err)
	}
}

// status wants a base that works to say so.
func status(h *harness) {
	h.addLines(h.user(), "Dana WORKS_AT Acme")
	s, err := h.Base.Status(h.Context(), h.user(), h.Now())
	h.must(err)
	if !s.Healthy {
		h.Errorf("%+v", s)
	}
	if s.Counts != nil && (s.Counts.Entities != 2 || s.Counts.Facts != 1 || s.Counts.CurrentFacts != 1 ||
		s.Counts.Episodes != 0) {
		h.Errorf("%+v", *s.Counts)
	}
}

// contextsEnd wants no work for a caller who has gone.
func contextsEnd(h *harness) {
	ctx, cancel := context.WithCancel(h.Context())
	cancel()
	if _, err := h.Base.FindFacts(ctx, h.user(), knowledge.FactAsk{Search: looking("Dana"), Page: knowledge.Page{First: 1},
		Want: wantFact}); !errors.Is(err, context.Canceled) {
		h.Errorf("%v, want the context's error", err)
	}
}
