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
	terms "almanac/projections/words"
)

// testMemoryParallel lets writers and searches of several users, and several of one, go on at once: whoever has
// committed finds it at once, nobody ever finds what is not committed, was rolled back or belongs to another; and in
// the end everything is as the oracle says.
func testMemoryParallel(t *testing.T, open Open) {
	h := newFixture(t, open)
	const users, writers, rounds = 3, 3, 12
	fixtures := make([]*fixture, users)
	shelves := make([]shelf, users)
	var locks [users]sync.Mutex
	var busy, watching sync.WaitGroup
	stop := make(chan struct{})
	for u := range users {
		fixtures[u], shelves[u] = h.as(fmt.Sprintf("writer%d", u)), shelf{}
		for w := range writers {
			busy.Go(func() {
				kept := parallelWriter(fixtures[u], fmt.Sprintf("of%dx%d", u, w), dice(uint64(390+10*u+w)), rounds)
				locks[u].Lock()
				defer locks[u].Unlock()
				for id, m := range kept {
					shelves[u][id] = m
				}
			})
		}
		watching.Go(func() { parallelWatcher(fixtures[u], u, stop) })
	}
	busy.Wait()
	close(stop)
	watching.Wait()
	for u, of := range fixtures {
		l := &life{fixture: of, random: dice(uint64(u)), shelf: shelves[u]}
		for range 8 {
			l.check(l.ctx, l.Store, l.shelf)
			l.checkSearches(l.Store, 3)
		}
		log := must(of, func() ([]model.Change, error) { return of.Changes(of.ctx, of.user, 0, nil, 1_000_000) })
		for i, change := range log {
			if change.Seq != int64(i+1) {
				t.Fatalf("change %d has number %d", i, change.Seq)
			}
		}
	}
}

// parallelWriter writes memories that have a word of their own, and after each commit looks for them; it returns what
// must be there in the end.
func parallelWriter(h *fixture, name string, random interface{ IntN(int) int }, rounds int) shelf {
	kept := shelf{}
	own := func(n int) model.Memory {
		m := h.memory(fmt.Sprintf("shared %s word%sn%d", name, name, n))
		m.Tags = []string{name}
		m.Embedding = model.Embedding{Model: "alpha", Dimensions: models["alpha"], Vector: make([]float32, models["alpha"])}
		m.Embedding.Vector[random.IntN(models["alpha"])] = 1
		return m
	}
	sees := func(what string, ctx context.Context, word string, m model.Memory, want bool) {
		for leg, search := range map[string]store.MemorySearch{
			"words": {Words: terms.Query(word), KeywordWeight: 1, Limit: 1000},
			"vector": {Vectors: []store.QueryVector{{Model: "alpha", Vector: m.Embedding.Vector}}, MinSimilarity: 0.9,
				SimilarityWeight: 1, Limit: 1000},
		} {
			search.Now, search.Where = noon, store.MemoryWhere{TagsAll: []string{name}}
			hits, err := h.SearchMemories(ctx, h.user, search)
			if err != nil {
				h.Errorf("SearchMemories: %v", err)
				continue
			}
			found := slices.ContainsFunc(hits.Hits, func(hit store.MemoryHit) bool { return hit.Memory.ID == m.ID })
			if found != want {
				h.Errorf("%s, by %s: found %v, want %v", what, leg, found, want)
			}
		}
	}
	write := func(fn func(ctx context.Context, tx store.Tx) error) {
		if err := h.Write(h.ctx, h.user, fn); err != nil {
			h.Errorf("Write: %v", err)
		}
	}
	for n := range rounds {
		m, word := own(n), fmt.Sprintf("word%sn%d", name, n)
		switch random.IntN(5) {
		case 0: // fails after it has written
			m.Content += " neverseen"
			err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
				err := tx.InsertMemories(ctx, []model.Memory{m})
				sees("an insert that is not committed", ctx, word, m, false)
				return errors.Join(err, errFailed)
			})
			h.fails("a failing write", err, errFailed)
			sees("an insert that was rolled back", h.ctx, word, m, false)
			continue
		case 1: // changed at once, and the vector comes later
			first := m
			m.Version, m.Content, m.Embedding = 2, "shared "+name+" changed"+name, model.Embedding{}
			write(func(ctx context.Context, tx store.Tx) error {
				return errors.Join(tx.InsertMemories(ctx, []model.Memory{first}), tx.UpdateMemory(ctx, m, model.MemoryUpdated))
			})
			sees("what it was before", h.ctx, word, first, false)
			kept.insert(first)
			kept.update(m, model.MemoryUpdated)
			vectors := []store.MemoryVectorOf{{ID: m.ID, Version: 2, Embedding: first.Embedding}}
			if saved, err := h.SaveVectors(h.ctx, h.user, vectors); saved != 1 || err != nil {
				h.Errorf("SaveVectors: %d, %v", saved, err)
			}
			kept.save(vectors)
			sees("with its later vector", h.ctx, "changed"+name, first, true)
			continue
		case 2: // comes and goes
			write(func(ctx context.Context, tx store.Tx) error { return tx.InsertMemories(ctx, []model.Memory{m}) })
			sees("an insert", h.ctx, word, m, true)
			write(func(ctx context.Context, tx store.Tx) error {
				_, err := tx.DeleteMemories(ctx, []model.UUID{m.ID})
				return err
			})
			sees("a deletion", h.ctx, word, m, false)
			continue
		}
		write(func(ctx context.Context, tx store.Tx) error { return tx.InsertMemories(ctx, []model.Memory{m}) })
		sees("an insert", h.ctx, word, m, true)
		kept.insert(m)
	}
	return kept
}

// parallelWatcher searches while others write: what it finds is whole, the user's own, and committed.
func parallelWatcher(h *fixture, user int, stop <-chan struct{}) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		default:
		}
		search := store.MemorySearch{Now: noon, Words: terms.Query("shared neverseen"), SimilarityWeight: 0.7,
			KeywordWeight: 0.3, MinSimilarity: -1, Limit: 20, Columns: store.MemoryRow | store.MemoryModel}
		query := make([]float32, models["alpha"])
		query[n%len(query)] = 1
		search.Vectors = []store.QueryVector{{Model: "alpha", Vector: query}}
		hits, err := h.SearchMemories(h.ctx, h.user, search)
		if err != nil {
			h.Errorf("SearchMemories: %v", err)
			return
		}
		for i, hit := range hits.Hits {
			text, own := hit.Memory.Content, fmt.Sprintf("shared of%dx", user)
			if !strings.HasPrefix(text, own) || strings.Contains(text, "neverseen") || len(hit.Memory.Tags) != 1 {
				h.Errorf("found %q with tags %v", text, hit.Memory.Tags)
			}
			if i > 0 && hits.Hits[i-1].Score < hit.Score {
				h.Errorf("hits are not in order: %s", briefly(hits.Hits))
			}
		}
		page, err := h.Memories(h.ctx, h.user, store.MemoryQuery{Now: noon, Order: memoryOrders()[1],
			Page: &store.Window[store.MemoryPlace]{Limit: 10_000}, Total: true})
		if err != nil || len(page.Memories) != page.Total {
			h.Errorf("a page of %d memories and a total of %d: %v", len(page.Memories), page.Total, err)
			return
		}
	}
}
