package knowledge_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	own "almanac/internal/knowledge"
	"almanac/projections/graphtext"
	"almanac/projections/ngram"
)

// memory is as much of a store as telling facts needs, so that laws can be tried on thousands of stories. It counts
// what is asked of it.
type memory struct {
	store.Store
	entities map[model.UUID]model.Entity
	facts    map[model.UUID]model.Fact
	calls    []string
	saved    int
}

func newMemory() *memory {
	return &memory{entities: map[model.UUID]model.Entity{}, facts: map[model.UUID]model.Fact{}}
}

func (m *memory) Write(ctx context.Context, _ model.UserID, fn func(context.Context, store.Tx) error) error {
	entities, facts := maps.Clone(m.entities), maps.Clone(m.facts)
	err := fn(ctx, tx{m: m})
	if err != nil {
		m.entities, m.facts = entities, facts
	}
	return err
}

// tx is the transaction of a memory.
type tx struct {
	store.Tx
	m *memory
}

func (t tx) EntitiesByName(_ context.Context, _ model.UserID, names []string,
	want store.EntityColumns) (map[string][]model.Entity, error) {
	t.m.calls = append(t.m.calls, "EntitiesByName")
	if len(names) > 2*model.MaxFactsAtOnce || want != store.EntityRow {
		return nil, fmt.Errorf("%d names at once, columns %b", len(names), want)
	}
	found := map[string][]model.Entity{}
	for _, e := range t.m.oldestEntities() {
		keys := map[string]bool{graphtext.Name(e.Name): true}
		for _, alias := range e.Aliases {
			keys[graphtext.Name(alias)] = true
		}
		for key := range keys {
			if slices.Contains(names, key) {
				found[key] = append(found[key], e)
			}
		}
	}
	return found, nil
}

func (t tx) EntitiesByID(_ context.Context, _ model.UserID, ids []model.UUID,
	_ store.EntityColumns) (map[model.UUID]model.Entity, error) {
	t.m.calls = append(t.m.calls, "EntitiesByID")
	found := map[model.UUID]model.Entity{}
	for _, id := range ids {
		if e, ok := t.m.entities[id]; ok {
			found[id] = e
		}
	}
	return found, nil
}

func (t tx) FactsOfPairs(_ context.Context, _ model.UserID, pairs []store.FactPair,
	want store.FactWant) ([]model.Fact, error) {
	t.m.calls = append(t.m.calls, "FactsOfPairs")
	if len(pairs) > model.MaxFactsAtOnce || !want.Fact.Has(store.FactRow) || !want.Ends.Has(store.EntityName) {
		return nil, fmt.Errorf("%d pairs at once, columns %v", len(pairs), want)
	}
	var found []model.Fact
	for _, f := range t.m.oldestFacts() {
		if slices.Contains(pairs, store.FactPair{Source: f.Source.ID.UUID, Relation: f.Relation}) {
			found = append(found, f)
		}
	}
	return found, nil
}

func (t tx) FactsByID(_ context.Context, _ model.UserID, ids []model.UUID, _ store.FactWant) ([]model.Fact, error) {
	t.m.calls = append(t.m.calls, "FactsByID")
	var found []model.Fact
	for _, f := range t.m.oldestFacts() {
		if slices.Contains(ids, f.ID.UUID) {
			found = append(found, f)
		}
	}
	return found, nil
}

func (t tx) SaveEntities(_ context.Context, rows []store.EntityRowOf) error {
	t.m.calls = append(t.m.calls, "SaveEntities")
	for _, row := range rows {
		before, there := t.m.entities[row.Entity.ID.UUID]
		if row.Entity.ID.Kind != model.KindEntity || len(row.Entries) == 0 || row.Entity.Embedding.Model == "" ||
			row.Entity.Version != before.Version+1 {
			return fmt.Errorf("an entity comes as %+v after %+v (%v)", row.Entity, before, there)
		}
		row.Entity.Embedding = model.Embedding{}
		t.m.entities[row.Entity.ID.UUID] = row.Entity
		t.m.saved++
	}
	return nil
}

func (t tx) SaveFacts(_ context.Context, rows []store.FactRowOf) error {
	t.m.calls = append(t.m.calls, "SaveFacts")
	for _, row := range rows {
		f := row.Fact
		before, there := t.m.facts[f.ID.UUID]
		if f.ID.Kind != model.KindFact || len(row.Entries) == 0 || f.Embedding.Model == "" || f.Version != before.Version+1 ||
			f.Sentence == "" || there && !before.CreatedAt.Equal(f.CreatedAt) {
			return fmt.Errorf("a fact comes as %+v after %+v (%v)", f, before, there)
		}
		source, known := t.m.entities[f.Source.ID.UUID]
		target, both := t.m.entities[f.Target.ID.UUID]
		if !known || !both || source.Name != f.Source.Name || target.Name != f.Target.Name {
			return fmt.Errorf("the ends of %+v are not those that are there", f)
		}
		f.Embedding = model.Embedding{}
		f.Source, f.Target = model.Entity{ID: source.ID, Name: source.Name}, model.Entity{ID: target.ID, Name: target.Name}
		t.m.facts[f.ID.UUID] = f
		t.m.saved++
	}
	return nil
}

func (m *memory) oldestEntities() []model.Entity {
	return slices.SortedFunc(maps.Values(m.entities),
		func(a, b model.Entity) int { return bytes.Compare(a.ID.UUID[:], b.ID.UUID[:]) })
}

func (m *memory) oldestFacts() []model.Fact {
	return slices.SortedFunc(maps.Values(m.facts),
		func(a, b model.Fact) int { return bytes.Compare(a.ID.UUID[:], b.ID.UUID[:]) })
}

// nGrams is the built-in model, asked at once, which can be made to look like a remote one, or to be away.
type nGrams struct {
	remote bool
	// quick ones give all texts the same vector.
	quick bool
	away  error
	woken int
	asked []string
}

func (e *nGrams) Model() model.EmbeddingModel {
	m := ngram.Model()
	m.Local = !e.remote
	return m
}

func (e *nGrams) Embed(_ context.Context, texts []string) ([]model.Embedding, error) {
	if e.remote {
		return nil, fmt.Errorf("a remote model is asked within a transaction")
	}
	if len(texts) > model.MaxBulk {
		return nil, fmt.Errorf("%d texts at once", len(texts))
	}
	out := make([]model.Embedding, len(texts))
	for i, text := range texts {
		if e.quick {
			out[i] = model.Embedding{Model: ngram.Model().Name, Dimensions: 1, Vector: []float32{1}}
			continue
		}
		if v := ngram.Embed(text); v != nil {
			out[i] = model.Embedding{Model: ngram.Model().Name, Dimensions: len(v), Vector: v}
		}
	}
	return out, nil
}

func (e *nGrams) Query(_ context.Context, text string, models []string) ([]store.QueryVector, error) {
	e.asked = models
	if e.away != nil {
		return nil, e.away
	}
	if v := ngram.Embed(text); v != nil {
		return []store.QueryVector{{Model: ngram.Model().Name, Vector: v}}, nil
	}
	return nil, nil
}

func (e *nGrams) Wake() { e.woken++ }

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// counter makes ids that count.
func counter() func() model.UUID {
	n := 0
	return func() model.UUID {
		n++
		return model.UUID{1, 14: byte(n >> 8), 15: byte(n)}
	}
}

// teller tells facts to a memory, each call an hour after the one before.
type teller struct {
	*testing.T
	memory *memory
	base   *own.Base
	now    time.Time
}

func newTeller(t *testing.T) *teller {
	m := newMemory()
	return &teller{T: t, memory: m, now: noon, base: &own.Base{Store: m, Embedder: &nGrams{quick: true}, NewID: counter(),
		Now: func() time.Time { return noon }}}
}

func (t *teller) tell(facts ...knowledge.NewFact) knowledge.FactsAdded {
	t.Helper()
	out, err := t.base.AddFacts(t.Context(), model.UserID{1}, knowledge.NewFacts{Facts: facts, Now: t.now})
	if err != nil {
		t.Fatal(err)
	}
	t.now = t.now.Add(time.Hour)
	return out
}

// graph writes everything that does not depend on who came first: names as sets, and facts between them.
func (t *teller) graph() string {
	names := func(id model.ID) string {
		e := t.memory.entities[id.UUID]
		keys := []string{graphtext.Name(e.Name)}
		for _, alias := range e.Aliases {
			keys = append(keys, graphtext.Name(alias))
		}
		slices.Sort(keys)
		return strings.Join(keys, "/")
	}
	var lines []string
	for _, e := range t.memory.entities {
		lines = append(lines, fmt.Sprintf("entity %s: %s", names(e.ID), graphtext.Name(e.Type)))
	}
	for _, f := range t.memory.facts {
		sentence := graphtext.Name(strings.TrimRight(f.Sentence, ".!"))
		if graphtext.Same(f.Sentence, graphtext.Sentence(f.Source.Name, f.Relation, f.Target.Name)) {
			sentence = "-"
		}
		lines = append(lines, fmt.Sprintf("fact %s %s %s (%s) %s%s", names(f.Source.ID), f.Relation, names(f.Target.ID),
			sentence, year(f.ValidAt), "–"+year(f.InvalidAt)))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func year(at time.Time) string {
	if at.IsZero() {
		return "…"
	}
	if at.Equal(in(at.Year())) {
		return at.Format("2006")
	}
	return at.Format("2006-01-02T15")
}

func in(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }
