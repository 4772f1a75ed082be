package embedding_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/embedding"
	standin "almanac/internal/standin/openai"
	"almanac/projections/graphtext"
)

// graph is a store of entities and facts in a list, with what the worker needs of one.
type graph struct {
	mu    sync.Mutex
	rows  []*node
	fails int
}

type node struct {
	store.PendingKnowledge
	embedding model.Embedding
}

func (n *node) kind() (model.Kind, model.UUID, int) {
	if n.Entity != nil {
		return model.KindEntity, n.Entity.ID.UUID, n.Entity.Version
	}
	return model.KindFact, n.Fact.ID.UUID, n.Fact.Version
}

func (n *node) text() string {
	if n.Entity != nil {
		return graphtext.Entity(*n.Entity)
	}
	return graphtext.Fact(*n.Fact)
}

func (n *node) place() store.KnowledgePlace {
	_, id, _ := n.kind()
	return store.KnowledgePlace{Facts: n.Fact != nil,
		PendingPlace: store.PendingPlace{Stale: n.embedding.Model != "", User: n.User, ID: id}}
}

func before(a, b store.KnowledgePlace) int {
	if a.Facts != b.Facts {
		if b.Facts {
			return -1
		}
		return 1
	}
	return compare(a.PendingPlace, b.PendingPlace)
}

func (g *graph) id(kind model.Kind) model.ID {
	return model.ID{Kind: kind, UUID: model.UUID{0: 2, 14: byte(len(g.rows) >> 8), 15: byte(len(g.rows))}}
}

func (g *graph) entity(user byte, name string) *node {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := &node{PendingKnowledge: store.PendingKnowledge{User: model.UserID{user},
		Entity: &model.Entity{ID: g.id(model.KindEntity), Name: name, Type: "Person", Version: 1}}}
	g.rows = append(g.rows, n)
	return n
}

func (g *graph) fact(user byte, sentence string) *node {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := &node{PendingKnowledge: store.PendingKnowledge{User: model.UserID{user}, Fact: &model.Fact{
		ID: g.id(model.KindFact), Relation: "KNOWS", Sentence: sentence, Source: model.Entity{Name: "Dana"},
		Target: model.Entity{Name: "דני"}, Version: 1,
	}}}
	g.rows = append(g.rows, n)
	return n
}

func (g *graph) PendingKnowledge(_ context.Context, name string, after store.KnowledgePlace,
	limit int) ([]store.PendingKnowledge, store.KnowledgePlace, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.fails > 0 {
		g.fails--
		return nil, after, errStore
	}
	var found []*node
	for _, n := range g.rows {
		if n.embedding.Model != name && before(n.place(), after) > 0 {
			found = append(found, n)
		}
	}
	slices.SortFunc(found, func(a, b *node) int { return before(a.place(), b.place()) })
	var pending []store.PendingKnowledge
	for _, n := range found[:min(len(found), limit)] {
		pending, after = append(pending, n.PendingKnowledge), n.place()
	}
	return pending, after, nil
}

func (g *graph) SaveKnowledgeVectors(_ context.Context, user model.UserID,
	vectors []store.KnowledgeVectorOf) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	kept := 0
	for _, v := range vectors {
		for _, n := range g.rows {
			if kind, id, version := n.kind(); n.User == user && kind == v.Kind && id == v.ID && version == v.Version {
				n.embedding = v.Embedding
				kept++
			}
		}
	}
	return kept, nil
}

// by counts the rows by their vectors' model.
func (g *graph) by() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	counts := map[string]int{}
	for _, n := range g.rows {
		counts[n.embedding.Model]++
	}
	return fmt.Sprint(counts)
}

// Entities and facts get the vectors of their own texts, beside the memories and not behind them, by either model; what
// is changed meanwhile keeps none.
func TestKnowledgeGetsVectors(t *testing.T) {
	for _, use := range []model.EmbeddingModel{{}, tiny} {
		synctest.Test(t, func(t *testing.T) {
			h, g := newFixtureOf(t, use), &graph{}
			h.embedder.Knowledge = g
			for i := range 3000 {
				h.source.add(byte(i%3), fmt.Sprint("memory ", i))
			}
			for i := range 150 {
				g.entity(byte(i%2), fmt.Sprint("person ", i, " of ", secret))
				g.fact(byte(i%2), fmt.Sprint("דנה מכירה את מספר ", i))
			}
			name := h.embedder.Model().Name
			stop := h.run()
			time.Sleep(1400 * time.Millisecond)
			if want := fmt.Sprint(map[string]int{name: 300}); g.by() != want && use.Name == "" {
				t.Errorf("behind the memories: %s, want %s", g.by(), want)
			}
			time.Sleep(time.Minute)
			if want := fmt.Sprint(map[string]int{name: 300}); g.by() != want {
				t.Errorf("vectors are %s, want %s", g.by(), want)
			}
			for _, n := range g.rows[:2] {
				text := n.text()
				if own, err := h.embedder.Embed(t.Context(), []string{text}); err != nil ||
					!slices.Equal(own[0].Vector, n.embedding.Vector) {
					t.Errorf("%q has another's vector (%v)", text, err)
				}
			}
			time.Sleep(5 * time.Second)
			var of []string
			h.mu.Lock()
			for _, r := range h.reports {
				if r.CaughtUp && !slices.Contains(of, r.Of) {
					of = append(of, r.Of)
				}
			}
			h.mu.Unlock()
			slices.Sort(of)
			if !slices.Equal(of, []string{embedding.OfKnowledge, embedding.OfMemories}) {
				t.Errorf("caught up are %v", of)
			}
			stop()
			h.private()
		})
	}
}

// A text that the endpoint refuses holds up nothing else, a store that fails is tried again, and a change of the model
// reaches the graph too.
func TestKnowledgeInTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, g := newFixtureOf(t, tiny), &graph{fails: 2}
		h.embedder.Knowledge = g
		bad := g.entity(1, "Vexing "+secret)
		for i := range 20 {
			g.fact(1, fmt.Sprint("fact ", i))
		}
		h.standin.Inject(standin.Fault{Status: 400, Error: "invalid", Containing: "Vexing"})
		stop := h.run()
		time.Sleep(time.Minute)
		stop()
		if want := fmt.Sprint(map[string]int{"": 1, "tiny": 20}); g.by() != want || bad.embedding.Model != "" {
			t.Errorf("vectors are %s, want %s", g.by(), want)
		}
		if said := h.said(); !strings.Contains(said, bad.Entity.ID.String()) {
			t.Error("the log does not tell which text is refused")
		}
		h.private()

		next := newFixture(t, bendy, h.standin, h.source)
		next.standin.Clear()
		next.embedder.Knowledge = g
		stop = next.run()
		time.Sleep(time.Minute)
		stop()
		if want := fmt.Sprint(map[string]int{bendy.Name: 21}); g.by() != want {
			t.Errorf("vectors are %s, want %s", g.by(), want)
		}
	})
}

// In a real store entities and facts of all users get their vectors, those that are changed meanwhile get new ones, and
// a change of the model reaches them.
func TestKnowledgeInAStore(t *testing.T) {
	eachPlug(t, func(t *testing.T, s store.Store) {
		const each = 150 // more than a batch
		h := newStreet(t, s, 2)
		for _, user := range h.users {
			var entities []store.EntityRowOf
			var facts []store.FactRowOf
			for i := range each {
				e := model.Entity{ID: model.ID{Kind: model.KindEntity, UUID: h.ids.New()}, Name: fmt.Sprint("דנה ", i),
					Type: "Person", CreatedAt: time.Now(), UpdatedAt: time.Now(), Version: 1}
				entities = append(entities,
					store.EntityRowOf{Entity: e, Indexed: store.Indexed{Entries: graphtext.EntityEntries(e)}})
				if i > 0 {
					f := model.Fact{ID: model.ID{Kind: model.KindFact, UUID: h.ids.New()}, Relation: "KNOWS",
						Sentence: fmt.Sprint("they drive car ", i), Source: entities[i-1].Entity, Target: e, CreatedAt: time.Now(),
						Version: 1}
					facts = append(facts, store.FactRowOf{Fact: f, Indexed: store.Indexed{Entries: graphtext.FactEntries(f)}})
				}
			}
			if err := s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
				if err := tx.SaveEntities(ctx, entities); err != nil {
					return err
				}
				return tx.SaveFacts(ctx, facts)
			}); err != nil {
				t.Fatal(err)
			}
		}
		by := func(user model.UserID) string {
			counts, err := s.KnowledgeCounts(t.Context(), user, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			models := map[string]int{}
			for _, c := range counts.Models {
				if c.Rows > 0 {
					models[c.Model] = c.Rows
				}
			}
			return fmt.Sprint(models)
		}
		for _, use := range []model.EmbeddingModel{tiny, {}} {
			embedder := h.start(use, s)
			embedder.await("all are ready", func(embedding.Report) bool {
				want := fmt.Sprint(map[string]int{embedder.Model().Name: 2*each - 1})
				return by(h.users[0]) == want && by(h.users[1]) == want
			})
			vectors, err := embedder.Query(t.Context(), "an automobile", []string{embedder.Model().Name})
			if err != nil {
				t.Fatal(err)
			}
			hits, err := s.SearchFacts(t.Context(), h.users[0],
				store.FactSearch{Looking: store.Looking{Vectors: vectors, MinSimilarity: 0.05, SimilarityWeight: 1, Limit: 10},
					Want: store.FactWant{Fact: store.FactSentence}})
			if err != nil || use.Name != "" && (len(hits.Hits) != 10 || !strings.Contains(hits.Hits[0].Fact.Sentence, "car")) {
				t.Errorf("found by meaning are %+v (%v)", hits, err)
			}
			embedder.stop()
		}
	})
}
