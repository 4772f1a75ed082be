package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// testKnowledgeParallel lets writers and searches of several users, and several of one, go on at once: whoever has
// committed finds it at once, nobody ever finds what is not committed, was rolled back or belongs to another; and in
// the end everything is as the oracle says.
func testKnowledgeParallel(t *testing.T, open Open) {
	h := newFixture(t, open)
	const users, writers, rounds = 2, 3, 10
	fixtures, webs := make([]*fixture, users), make([]*web, users)
	var locks [users]sync.Mutex
	var busy, watching sync.WaitGroup
	stop := make(chan struct{})
	for u := range users {
		fixtures[u], webs[u] = h.as(numbered("grower ", u)), newWeb()
		for w := range writers {
			busy.Go(func() {
				kept := growParallel(fixtures[u], fmt.Sprintf("of%dx%d", u, w), dice(uint64(600+10*u+w)), rounds)
				locks[u].Lock()
				defer locks[u].Unlock()
				for id, e := range kept.entities {
					webs[u].entities[id] = e
				}
				for id, f := range kept.facts {
					webs[u].facts[id] = f
				}
			})
		}
		watching.Go(func() { watchParallel(fixtures[u], u, stop) })
	}
	busy.Wait()
	close(stop)
	watching.Wait()
	for u, of := range fixtures {
		webs[u].changed = h.clock.Now()
		s := &story{fixture: of, random: dice(uint64(u)), web: webs[u]}
		for range 5 {
			s.check(s.ctx, s.Store, s.web)
			s.checkSearches(s.Store, 3)
		}
		for i, change := range must(of,
			func() ([]model.Change, error) { return of.Changes(of.ctx, of.user, 0, nil, 1_000_000) }) {
			if change.Seq != int64(i+1) {
				t.Fatalf("change %d has number %d", i, change.Seq)
			}
		}
	}
}

// growParallel writes entities and facts that have a word of their own, and after each commit looks for them; it
// returns what must be there in the end.
func growParallel(h *fixture, name string, random interface{ IntN(int) int }, rounds int) *web {
	kept := newWeb()
	hub := h.entity("shared hub " + name)
	write := func(fn func(ctx context.Context, tx store.Tx) error) {
		if err := h.Write(h.ctx, h.user, fn); err != nil {
			h.Errorf("Write: %v", err)
		}
	}
	write(func(ctx context.Context, tx store.Tx) error {
		return tx.SaveEntities(ctx, []store.EntityRowOf{entityRow(hub)})
	})
	kept.saveEntity(entityRow(hub))
	for n := range rounds {
		word := fmt.Sprintf("word%sn%d", name, n)
		e, f := h.entity("shared "+name+" "+word), h.fact(hub, "KNOWS", hub)
		f.Sentence = e.Name
		axis := make([]float32, models["alpha"])
		axis[random.IntN(len(axis))] = 1
		e.Embedding = model.Embedding{Model: "alpha", Dimensions: len(axis), Vector: axis}
		f.Embedding = e.Embedding
		sees := func(what string, want bool) {
			for leg, looking := range map[string]store.Looking{"words": lookWords(word),
				"vector": lookVector("alpha", 0.9, axis...)} {
				looking.Limit = 1000
				entities, err := h.SearchEntities(h.ctx, h.user, store.EntitySearch{Looking: looking})
				facts, more := h.SearchFacts(h.ctx, h.user, store.FactSearch{Looking: looking})
				found := [2]bool{
					slices.ContainsFunc(entities.Hits, func(hit store.EntityHit) bool { return hit.Entity.ID == e.ID }),
					slices.ContainsFunc(facts.Hits, func(hit store.FactHit) bool { return hit.Fact.ID == f.ID }),
				}
				if err := errors.Join(err, more); err != nil || found != [2]bool{want, want} {
					h.Errorf("%s, by %s: found %v, want %v: %v", what, leg, found, want, err)
				}
			}
		}
		save := func(ctx context.Context, tx store.Tx) error {
			return errors.Join(tx.SaveEntities(ctx, []store.EntityRowOf{entityRow(e)}),
				tx.SaveFacts(ctx, []store.FactRowOf{factRow(f)}))
		}
		drop := func(ctx context.Context, tx store.Tx) error {
			_, _, err := tx.DeleteEntities(ctx, []model.UUID{e.ID.UUID})
			_, more := tx.DeleteFacts(ctx, []model.UUID{f.ID.UUID})
			return errors.Join(err, more)
		}
		switch random.IntN(4) {
		case 0: // fails after it has written
			e.Name, f.Sentence = e.Name+" neverseen", f.Sentence+" neverseen"
			err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
				err := save(ctx, tx)
				sees("what is not committed", false)
				return errors.Join(err, errFailed)
			})
			h.fails("a failing write", err, errFailed)
			sees("what was rolled back", false)
		case 1: // comes and goes
			write(save)
			sees("an insert", true)
			write(drop)
			sees("a deletion", false)
		case 2: // the vectors come later
			vectors := []store.KnowledgeVectorOf{
				{Kind: model.KindEntity, ID: e.ID.UUID, Version: 1, Embedding: e.Embedding},
				{Kind: model.KindFact, ID: f.ID.UUID, Version: 1, Embedding: f.Embedding},
			}
			e.Embedding, f.Embedding = model.Embedding{}, model.Embedding{}
			write(save)
			if saved, err := h.SaveKnowledgeVectors(h.ctx, h.user, vectors); saved != 2 || err != nil {
				h.Errorf("SaveKnowledgeVectors: %d, %v", saved, err)
			}
			sees("with its later vector", true)
			kept.saveEntity(entityRow(e))
			kept.saveFact(factRow(f))
			kept.saveVectors(vectors)
		default:
			write(save)
			sees("an insert", true)
			kept.saveEntity(entityRow(e))
			kept.saveFact(factRow(f))
		}
	}
	return kept
}

// watchParallel asks while others write: what it finds is whole, the user's own, and committed.
func watchParallel(h *fixture, user int, stop <-chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		looking := lookWords("shared neverseen")
		axis := make([]float32, models["alpha"])
		axis[n%len(axis)] = 1
		looking.Vectors, looking.MinSimilarity, looking.SimilarityWeight, looking.Limit = []store.QueryVector{
			{Model: "alpha", Vector: axis}}, -1, 0.7, 20
		facts, err := h.SearchFacts(h.ctx, h.user, store.FactSearch{Looking: looking, Want: wholeFact})
		entities, more := h.SearchEntities(h.ctx, h.user, store.EntitySearch{Looking: looking, Columns: store.EntityRow})
		page, last := h.ListFacts(h.ctx, h.user,
			store.FactQuery{Page: &store.Window[store.TimePlace]{Limit: 10_000}, Total: true, Want: wholeFact})
		if err := errors.Join(err, more, last); err != nil || len(page.Facts) != page.Total {
			h.Errorf("a page of %d facts and a total of %d: %v", len(page.Facts), page.Total, err)
			return
		}
		own := fmt.Sprintf("of%dx", user)
		for _, hit := range facts.Hits {
			if text := hit.Fact.Sentence; !strings.HasPrefix(text, "shared "+own) || strings.Contains(text, "neverseen") ||
				!strings.HasPrefix(hit.Fact.Source.Name, "shared hub "+own) {
				h.Errorf("found the fact %q of %q", text, hit.Fact.Source.Name)
			}
		}
		for _, hit := range entities.Hits {
			if text := hit.Entity.Name; !strings.Contains(text, own) || strings.Contains(text, "neverseen") ||
				hit.Entity.Version != 1 {
				h.Errorf("found the entity %q", text)
			}
		}
	}
}
