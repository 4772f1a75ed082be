package postgres

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/words"
)

// graphNow is the moment of the graph's questions.
var graphNow = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

const (
	graphEntities = 1_000
	graphFacts    = 5_000
	// hubFacts is how many facts one entity has.
	hubFacts = graphFacts / 5
)

func graphID(kind byte, n int) model.UUID { return model.UUID{1, kind, byte(n >> 8), byte(n)} }

// grow adds to a user entities and facts: the first entity is a hub, one fact in ten holds no more, and each episode
// supports ten.
func grow(t *testing.T, s *Store, user model.UserID, entities, facts int) {
	t.Helper()
	things := make([]store.EntityRowOf, entities)
	for i := range things {
		things[i] = store.EntityRowOf{
			Entity: model.Entity{
				ID: entityID(graphID(1, i)), Name: fmt.Sprintf("name %d", i*7919%entities), Type: []string{"person", "place"}[i%2],
				Aliases:   []string{fmt.Sprintf("alias %d", i%100)},
				CreatedAt: graphNow, UpdatedAt: graphNow, Version: 1,
			},
			Indexed: store.Indexed{Entries: []string{"wall", fmt.Sprintf("wname%d", i)}},
		}
	}
	said := make([]store.FactRowOf, facts)
	for i := range said {
		one := model.Fact{
			ID: factID(graphID(2, i)), Source: things[i%entities].Entity, Target: things[i*31%entities].Entity,
			Relation: fmt.Sprintf("R_%d", i%20), Sentence: fmt.Sprintf("fact %d", i),
			CreatedAt: graphNow.Add(time.Duration(i*7919%facts) * time.Minute), Version: 1,
			Episodes:  []model.ID{episodeID(graphID(3, i/10))},
			Embedding: model.Embedding{Model: "m", Vector: []float32{1, float32(i)}},
		}
		if i%5 == 0 {
			one.Source = things[0].Entity
		}
		if i%10 == 1 {
			one.InvalidAt = graphNow
		}
		said[i] = store.FactRowOf{Fact: one, Indexed: store.Indexed{Entries: []string{"wall", fmt.Sprintf("wfact%d", i)}}}
	}
	err := s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
		if err := tx.SaveEntities(ctx, things); err != nil {
			return err
		}
		return tx.SaveFacts(ctx, said)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTheGraphIsReadByItsIndexes: what is asked of a large graph costs what is shown of it, not what there is, and
// nothing of other users is read.
func TestTheGraphIsReadByItsIndexes(t *testing.T) {
	s := migratedStore(t)
	user := model.UserIDOf("many")
	grow(t, s, user, graphEntities, graphFacts)

	const size = 10
	want := store.FactWant{Fact: store.FactRow | store.FactEpisodes, Ends: store.EntityName}
	holding := store.FactWhere{Time: store.FactsHolding, At: graphNow}
	facts := func(change func(where *store.FactWhere), window store.Window[store.TimePlace]) *batch {
		where := holding
		if change != nil {
			change(&where)
		}
		b := newBatch()
		queueFacts(b, user, store.FactQuery{Where: where, Want: want, Page: &window})
		return b
	}
	first := store.Window[store.TimePlace]{Limit: size}
	deep := store.TimePlace{At: graphNow.Add(graphFacts / 10 * time.Minute)}
	entities := func(where store.EntityWhere) *batch {
		b := newBatch()
		queueEntities(b, user, store.EntityQuery{Where: where, Columns: store.EntityRow,
			Page: &store.Window[store.EntityPlace]{Limit: size}})
		return b
	}
	ids := make([]model.UUID, 50)
	names := make([]string, 50)
	for i := range ids {
		ids[i], names[i] = graphID(1, i*20), fmt.Sprintf("alias %d", i)
	}
	shape := factShape(want)
	shelf := &shelfOf[model.Fact]{columns: shape.list(), joined: shape.joins("$1")}
	seek := func(in population, sieve sieve, ask func(k *seeker, b *batch)) *batch {
		b := newBatch()
		ask(&seeker{
			store: s, user: user, in: in, sieve: sieve, depth: size + 1, numbers: make([]int16, 1), filtered: sieve.asks(),
			search: store.Looking{Vectors: []store.QueryVector{{Model: "m", Vector: []float32{1, 0}}}, Words: words.Query("all"),
				Limit: size},
		}, b)
		return b
	}
	questions := []struct {
		name string
		ask  *batch
		// most is how many rows one step may go through, those left out among them.
		most float64
	}{
		{"the newest facts", facts(nil, first), 3 * size},
		{"facts far back", facts(nil, store.Window[store.TimePlace]{Limit: size, After: &deep}), 3 * size},
		{"facts far back, backward", facts(nil, store.Window[store.TimePlace]{Limit: size, Before: &deep, Backward: true}),
			3 * size},
		{"facts of relations", facts(func(w *store.FactWhere) { w.Relations = []string{"R_3", "R_4", "R_9"} }, first),
			5 * size},
		{"facts of an entity", facts(func(w *store.FactWhere) { w.Entity = graphID(1, 0) }, first), 3 * size},
		{"facts between two", facts(func(w *store.FactWhere) { w.Between = &[2]model.UUID{graphID(1, 7), graphID(1, 217)} },
			first), 3 * size},
		{"facts between a hub and another", facts(func(w *store.FactWhere) {
			w.Between = &[2]model.UUID{graphID(1, 0), graphID(1, 155)}
		}, first), hubFacts + 10*size},
		{"facts of an episode", facts(func(w *store.FactWhere) { w.Episode = graphID(3, 9) }, first), 3 * size},
		{"facts around fifty", func() *batch {
			b := newBatch()
			factsAround(user, ids, &holding, size, 200, factShape(want)).into(b, nil)
			return b
		}(), 50 * 2 * size},
		{"the first entities", entities(store.EntityWhere{}), 3 * size},
		{"entities of types", entities(store.EntityWhere{Types: []string{"person", "place"}}), 3 * size},
		{"entities of a name", entities(store.EntityWhere{Name: "alias 3"}), 3 * size},
		{"entities by names", func() *batch {
			b := newBatch()
			queueByName(b, user, names, entityShape(store.EntityRow), map[string][]model.Entity{})
			return b
		}(), 50 * 11},
		{"a search of what holds, exactly", seek(factPopulation(), factSieve{where: &holding},
			func(k *seeker, b *batch) { k.queueExact(b, 0, 30, false, &looked{shelf: shelf}) }), 3 * size},
		{"words of entities", seek(entityPopulation(), entitySieve{where: &store.EntityWhere{}},
			func(k *seeker, b *batch) { k.queueForms(b, &worded{forms: formsOf(k.search.Words)}) }), graphEntities},
	}
	for _, known := range []string{"nothing", "one user", "many users"} { // by the server's statistics
		if known == "many users" {
			for i := range 100 {
				grow(t, s, model.UserIDOf(fmt.Sprint(i)), 5, 10)
			}
		}
		if known != "nothing" {
			if err := s.Execute(t.Context(),
				"VACUUM ANALYZE entities, entity_names, entity_terms, facts, fact_episodes, fact_terms, fact_vectors"); err != nil {
				t.Fatal(err)
			}
		}
		for _, question := range questions {
			reads, most := 0, question.most
			if known == "nothing" { // any index of the user's looks as good as another
				most = graphFacts
			}
			explainGeneric(t, s, question.ask).walk(func(n node) {
				if n.Relation == "" || strings.HasSuffix(n.Relation, "_models") {
					return
				}
				reads++
				most := most
				if n.Relation == "fact_vectors" { // all of the user's, by design
					most = graphFacts
				}
				rows := (n.Rows + n.Filtered) * n.Loops
				// What one user has nearly all of may be read from end to end, where all of it is wanted.
				if n.Type == "Seq Scan" && known == "many users" || rows > most {
					t.Errorf("%s, when %s is known: %s over %v rows of %s by %s", question.name, known, n.Type, rows, n.Relation,
						n.Index)
				}
			})
			if reads == 0 {
				t.Errorf("%s: nothing is read", question.name)
			}
		}
	}
}
