package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func knowledgeEpisodeErased(h *fixture) {
	h = h.as("erases episodes")
	first, second := h.episode("first"), h.episode("second")
	h.hear(first, second)
	lone, both, kept, bare, byHand, other, bystander := h.entity("lone"), h.entity("both"), h.entity("kept"),
		h.entity("bare"), h.entity("by hand"), h.entity("other"), h.entity("bystander")
	byHand.Version = 2
	h.learn(lone, both, kept, bare, byHand, other, bystander)
	h.mention(first, bare, both, byHand)
	h.mention(second, both)
	alone, shared, free := h.fact(lone, "KNOWS", kept), h.fact(lone, "LIKES", kept), h.fact(kept, "KNOWS", other)
	alone.Episodes, shared.Episodes = []model.ID{first.ID}, []model.ID{first.ID, second.ID}
	end := h.fact(byHand, "KNOWS", h.entity("an end"))
	h.learn(end.Target)
	end.Episodes = []model.ID{first.ID}
	h.tell(alone, shared, free, end)
	head := h.head()
	h.write(func(ctx context.Context, tx store.Tx) error {
		h.fails("one that is not there", h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			_, _, err := tx.DeleteEpisode(ctx, h.ids.next())
			return err
		}), store.ErrNotFound)
		facts, entities, err := tx.DeleteEpisode(ctx, first.ID.UUID)
		// Its own facts go; what another episode or fact speaks of, what was changed by hand, and what nobody ever spoke of
		// stays.
		h.same("facts and entities", []int{facts, entities}, []int{2, 2})
		return err
	})
	log := h.logged(head)
	slices.Sort(log[:2])
	slices.Sort(log[2:4])
	h.same("log", log, slices.Concat(
		slices.Sorted(slices.Values(wires(model.ChangeFact, model.OperationDeleted,
			[]model.UUID{alone.ID.UUID, end.ID.UUID}))),
		slices.Sorted(slices.Values(wires(model.ChangeEntity, model.OperationDeleted,
			[]model.UUID{bare.ID.UUID, end.Target.ID.UUID}))),
		wires(model.ChangeEpisode, model.OperationDeleted, []model.UUID{first.ID.UUID})))
	got, _ := h.factByID(shared.ID)
	h.same("another's support stays", got.Episodes, []model.ID{second.ID})
	mentioned := must(h, func() ([]model.Entity, error) { return h.MentionedIn(h.ctx, h.user, first.ID.UUID, 10, 0) })
	h.same("it mentions nothing", len(mentioned), 0)
	h.write(func(ctx context.Context, tx store.Tx) error {
		facts, entities, err := tx.DeleteEpisode(ctx, second.ID.UUID)
		h.same("then the others", []int{facts, entities}, []int{1, 2}) // lone and both; kept has a fact
		return err
	})
	for _, e := range []model.Entity{kept, byHand, other, bystander} {
		if _, ok := h.entityByID(e.ID); !ok {
			h.Errorf("%s is gone", e.Name)
		}
	}
}

func knowledgeCleared(h *fixture) {
	h = h.as("clears")
	wipe := func() store.KnowledgeCounts {
		h.Helper()
		var counts store.KnowledgeCounts
		h.write(func(ctx context.Context, tx store.Tx) (err error) {
			counts, err = tx.ClearKnowledge(ctx)
			return err
		})
		return counts
	}
	m := h.memory("stays")
	h.remember(m)
	head := h.head()
	counts := wipe()
	h.same("an empty one", []any{counts.Entities, counts.Facts, counts.Episodes, h.logged(head)},
		[]any{0, 0, 0, []string{}})
	a, b, told := h.entity("a"), h.entity("b"), h.episode("c")
	told.State = model.EpisodeQueued
	a.Embedding = embedded("alpha", 1, 0)
	h.learn(a, b, h.entity("c"))
	h.hear(told)
	f := h.fact(a, "KNOWS", a)
	f.Episodes, f.Embedding = []model.ID{told.ID}, embedded("alpha", 1, 0)
	h.tell(f)
	h.mention(told, b)
	if err := h.move(b, a); err != nil {
		h.Fatal(err)
	}
	head = h.head()
	counts = wipe()
	h.same("what there was", []int{counts.Entities, counts.Facts, counts.Episodes, counts.CurrentFacts, counts.Queued},
		[]int{2, 1, 1, 1, 1})
	h.same("its one change", h.logged(head),
		[]string{wire(model.ChangeKnowledge, model.OperationDeleted, model.UUID(h.user))})
	s := &story{fixture: h, random: dice(520), web: newWeb()}
	s.web.changed = h.clock.Now()
	for range 5 {
		s.check(h.ctx, h.Store, s.web)
		s.checkSearches(h.Store, 1)
	}
	got := must(h, func() (map[model.UUID]model.Entity, error) {
		return h.EntitiesByID(h.ctx, h.user, []model.UUID{a.ID.UUID, b.ID.UUID}, 0)
	})
	h.same("redirects", len(got), 0)
	if kept, _ := h.recall(m.ID, store.MemoryRow); kept.Content != "stays" {
		h.Error("a memory was cleared with the graph")
	}
	h.learn(a, b) // the ids are free again
	s.web.saveEntity(entityRow(a))
	s.web.saveEntity(entityRow(b))
	s.check(h.ctx, h.Store, s.web)
}

func knowledgeChanges(h *fixture) {
	h = h.as("tells of changes")
	a, b, told := h.entity("a"), h.entity("b"), h.episode("c")
	h.clock.advance(time.Minute)
	at := h.clock.Now()
	h.learn(b, a)
	h.learn(a, h.entity("new"))
	h.hear(told)
	f := h.fact(a, "KNOWS", b)
	h.tell(f)
	h.tell(f)
	h.mention(told, a)
	if n, err := h.SaveKnowledgeVectors(h.ctx, h.user,
		[]store.KnowledgeVectorOf{{Kind: model.KindEntity, ID: a.ID.UUID, Version: 1,
			Embedding: embedded("alpha", 1, 0)}}); n != 1 || err != nil {
		h.Errorf("SaveKnowledgeVectors: %d, %v", n, err)
	}
	h.write(func(ctx context.Context, tx store.Tx) error {
		_, err := tx.DeleteFacts(ctx, []model.UUID{h.ids.next(), f.ID.UUID, f.ID.UUID})
		_, _, more := tx.DeleteEntities(ctx, []model.UUID{b.ID.UUID, a.ID.UUID, b.ID.UUID})
		return errors.Join(err, more)
	})
	got := must(h, func() ([]model.Change, error) {
		return h.Changes(h.ctx, h.user, 0, []model.ChangeType{model.ChangeEntity}, 100)
	})
	for i, want := range []struct {
		id        model.UUID
		operation model.Operation
		seq       int64
	}{{b.ID.UUID, model.OperationCreated, 1}, {a.ID.UUID, model.OperationCreated, 2},
		{a.ID.UUID, model.OperationUpdated, 3}, {got[3].ID, model.OperationCreated, 4},
		{b.ID.UUID, model.OperationDeleted, 9}, {a.ID.UUID, model.OperationDeleted, 10}} {
		h.same(fmt.Sprint("change ", i), got[i], model.Change{Seq: want.seq, Type: model.ChangeEntity, ID: want.id,
			Operation: want.operation, At: at})
	}
	h.same("facts and episodes", len(must(h, func() ([]model.Change, error) {
		return h.Changes(h.ctx, h.user, 0, []model.ChangeType{model.ChangeFact, model.ChangeEpisode}, 100)
	})), 4)
	h.same("all", h.head(), int64(10))
}

func knowledgeLastUpdated(h *fixture) {
	h = h.as("is updated")
	last := func() time.Time {
		h.Helper()
		return must(h, func() (store.KnowledgeCounts, error) { return h.KnowledgeCounts(h.ctx, h.user, noon) }).LastUpdated
	}
	h.same("never", last(), time.Time{})
	e, told := h.entity("e"), h.episode("c")
	f := h.fact(e, "KNOWS", e)
	for _, c := range []struct {
		what    string
		changes bool
		do      func(ctx context.Context, tx store.Tx) error
	}{
		{"an entity", true, func(ctx context.Context, tx store.Tx) error {
			return tx.SaveEntities(ctx, []store.EntityRowOf{entityRow(e)})
		}},
		{"a fact", true, func(ctx context.Context, tx store.Tx) error {
			return tx.SaveFacts(ctx, []store.FactRowOf{factRow(f)})
		}},
		{"an episode", true, func(ctx context.Context,
			tx store.Tx) error {
			return tx.SaveEpisodes(ctx, []model.Episode{told})
		}},
		{"a mention", false, func(ctx context.Context, tx store.Tx) error {
			return tx.NoteMentions(ctx, told.ID.UUID, []model.UUID{e.ID.UUID})
		}},
		{"nothing", false, func(ctx context.Context, tx store.Tx) error {
			_, err := tx.DeleteFacts(ctx, []model.UUID{h.ids.next()})
			return errors.Join(err, tx.SaveEntities(ctx, nil))
		}},
		{"deleting a fact", true, func(ctx context.Context, tx store.Tx) error {
			_, err := tx.DeleteFacts(ctx, []model.UUID{f.ID.UUID})
			return err
		}},
		{"deleting an episode", true, func(ctx context.Context, tx store.Tx) error {
			_, _, err := tx.DeleteEpisode(ctx, told.ID.UUID)
			return err
		}},
		{"clearing nothing", false,
			func(ctx context.Context, tx store.Tx) error { _, err := tx.ClearKnowledge(ctx); return err }},
	} {
		before := last()
		h.clock.advance(time.Minute)
		h.write(c.do)
		want := before
		if c.changes {
			want = h.clock.Now()
		}
		h.same(c.what, last(), want)
	}
}

func knowledgeNothing(h *fixture) {
	h = h.as("knows nothing")
	head := h.head()
	h.write(func(ctx context.Context, tx store.Tx) error {
		deleted, facts, err := tx.DeleteEntities(ctx, nil)
		h.same("entities deleted", []int{len(deleted), facts}, []int{0, 0})
		gone, more := tx.DeleteFacts(ctx, nil)
		h.same("facts deleted", len(gone), 0)
		return errors.Join(err, more, tx.SaveEntities(ctx, nil), tx.SaveFacts(ctx, nil), tx.SaveEpisodes(ctx, nil),
			tx.NoteMentions(ctx, h.ids.next(), nil))
	})
	n, err := h.SaveKnowledgeVectors(h.ctx, h.user, nil)
	h.same("vectors", []any{n, err}, []any{0, nil})
	h.same("log", h.log(head), []string{})
	stranger := h.in(h.T)
	stranger.user = model.UserIDOf("never seen, who knows nothing")
	for _, of := range []*fixture{h, stranger} {
		s := &story{fixture: of, random: dice(521), web: newWeb()}
		for range 4 {
			s.check(s.ctx, s.Store, s.web)
			s.checkSearches(s.Store, 2)
		}
		n, err := of.SaveKnowledgeVectors(of.ctx, of.user, []store.KnowledgeVectorOf{
			{Kind: model.KindFact, ID: of.ids.next(), Version: 1, Embedding: embedded("alpha", 1, 0)}})
		of.same("vectors of nothing", []any{n, err}, []any{0, nil})
	}
}

// knowledgeEnded keeps a transaction beyond its end: it returns an error and does nothing.
func knowledgeEnded(h *fixture) {
	e, told := h.entity("there"), h.episode("there")
	f := h.fact(e, "KNOWS", e)
	var late store.Tx
	var ended context.Context
	h.write(func(ctx context.Context, tx store.Tx) error {
		late, ended = tx, ctx
		return errors.Join(tx.SaveEntities(ctx, []store.EntityRowOf{entityRow(e)}),
			tx.SaveFacts(ctx, []store.FactRowOf{factRow(f)}), tx.SaveEpisodes(ctx, []model.Episode{told}))
	})
	head := h.head()
	for what, call := range map[string]func() error{
		"SaveEntities":   func() error { return late.SaveEntities(ended, []store.EntityRowOf{entityRow(h.entity("late"))}) },
		"SaveFacts":      func() error { return late.SaveFacts(ended, []store.FactRowOf{factRow(h.fact(e, "KNOWS", e))}) },
		"SaveEpisodes":   func() error { return late.SaveEpisodes(ended, []model.Episode{h.episode("late")}) },
		"NoteMentions":   func() error { return late.NoteMentions(ended, told.ID.UUID, []model.UUID{e.ID.UUID}) },
		"MoveEntity":     func() error { return late.MoveEntity(ended, e.ID.UUID, e.ID.UUID) },
		"DeleteEntities": func() error { _, _, err := late.DeleteEntities(ended, []model.UUID{e.ID.UUID}); return err },
		"DeleteFacts":    func() error { _, err := late.DeleteFacts(ended, []model.UUID{f.ID.UUID}); return err },
		"DeleteEpisode":  func() error { _, _, err := late.DeleteEpisode(ended, told.ID.UUID); return err },
		"ClearKnowledge": func() error { _, err := late.ClearKnowledge(ended); return err },
		"ListEntities": func() error {
			_, err := late.ListEntities(ended, h.user, store.EntityQuery{Total: true})
			return err
		},
		"EntitiesByID": func() error { _, err := h.EntitiesByID(ended, h.user, []model.UUID{e.ID.UUID}, 0); return err },
		"FactsByID": func() error {
			_,
				err := late.FactsByID(ended, h.user, []model.UUID{f.ID.UUID}, wholeFact)
			return err
		},
		"SaveKnowledgeVectors": func() error {
			_, err := h.SaveKnowledgeVectors(ended, h.user, []store.KnowledgeVectorOf{
				{Kind: model.KindEntity, ID: e.ID.UUID, Version: 1, Embedding: embedded("alpha", 1, 0)}})
			return err
		},
	} {
		if err := call(); err == nil {
			h.Errorf("%s after the end of its transaction gave no error", what)
		}
	}
	got, _ := h.factByID(f.ID)
	h.same("the fact", got, f)
	h.same("log", h.log(head), []string{})
}
