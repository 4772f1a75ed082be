package postgres

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/vector"
	"almanac/projections/words"
)

// TestLargeGraphsAreSearchedExactly compares searches of facts with a look at everything, where a filter passes more
// rows than are looked at one by one, so that it is asked in each of its ways: beside the vectors, of all rows at once,
// and of one row after another.
func TestLargeGraphsAreSearchedExactly(t *testing.T) {
	s := migratedStore(t)
	const many, dimensions = 3 * fewRows, 8
	user, random := model.UserIDOf("many"), rand.New(rand.NewPCG(5, 6))
	meaning := func() []float32 {
		v := make([]float32, dimensions)
		for i := range v {
			v[i] = float32(random.NormFloat64())
		}
		vector.Unit(v)
		return v
	}
	end := store.EntityRowOf{Entity: model.Entity{ID: entityID(graphID(1, 0)), Name: "end", CreatedAt: graphNow,
		UpdatedAt: graphNow, Version: 1}}
	all := make([]store.FactRowOf, many)
	for i := range all {
		one := model.Fact{
			ID: factID(graphID(2, i)), Source: end.Entity, Target: end.Entity, Relation: []string{"ODD", "EVEN"}[i%2],
			Sentence: "a fact", CreatedAt: graphNow.Add(time.Duration(i) * time.Minute), Version: 1,
			Embedding: model.Embedding{Model: "m", Vector: meaning()},
		}
		switch {
		case i%10 == 0:
			one.InvalidAt = graphNow
		case i%10 == 1:
			one.ValidAt = graphNow
		}
		all[i] = store.FactRowOf{Fact: one, Indexed: store.Indexed{
			Entries: []string{fmt.Sprintf("wbeta%d", i%60), fmt.Sprintf("wgamma%d", i%47)}}}
	}
	// They come in an order that is not that of their filters.
	random.Shuffle(many, func(i, j int) { all[i], all[j] = all[j], all[i] })
	for some := range slices.Chunk(all, model.MaxFactsAtOnce) {
		err := s.Write(t.Context(), user, func(ctx context.Context, tx store.Tx) error {
			if err := tx.SaveEntities(ctx, []store.EntityRowOf{end}); err != nil {
				return err
			}
			return tx.SaveFacts(ctx, some)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, filter := range []struct {
		name   string
		where  store.FactWhere
		passes func(f *model.Fact) bool
	}{
		{"all", store.FactWhere{}, func(*model.Fact) bool { return true }},
		{"what holds", store.FactWhere{Time: store.FactsHolding, At: graphNow},
			func(f *model.Fact) bool { return f.HoldsAt(graphNow) }},
		{"what held just before", store.FactWhere{Time: store.FactsHolding, At: graphNow.Add(-1)},
			func(f *model.Fact) bool { return f.HoldsAt(graphNow.Add(-1)) }},
		{"what does not hold", store.FactWhere{Time: store.FactsNotHolding, At: graphNow},
			func(f *model.Fact) bool { return !f.HoldsAt(graphNow) }},
		{"half of what holds", store.FactWhere{Time: store.FactsHolding, At: graphNow, Relations: []string{"ODD"}},
			func(f *model.Fact) bool { return f.HoldsAt(graphNow) && f.Relation == "ODD" }},
		{"what was kept late", store.FactWhere{CreatedFrom: graphNow.Add(time.Hour)},
			func(f *model.Fact) bool { return !f.CreatedAt.Before(graphNow.Add(time.Hour)) }},
		{"nothing", store.FactWhere{Relations: []string{"NONE"}}, func(*model.Fact) bool { return false }},
	} {
		for _, looking := range []store.Looking{
			{Vectors: []store.QueryVector{{Model: "m", Vector: meaning()}}, MinSimilarity: -1, SimilarityWeight: 1},
			{Words: words.Query("beta7 gamma3"), KeywordWeight: 1},
			{Vectors: []store.QueryVector{{Model: "m", Vector: meaning()}}, Words: words.Query("beta11 gamma"),
				MinSimilarity: 0.3, SimilarityWeight: 0.6, KeywordWeight: 0.4},
		} {
			looking.Offset, looking.Limit = 3, 12
			hits, err := s.SearchFacts(t.Context(), user, store.FactSearch{Looking: looking, Where: filter.where})
			if err != nil {
				t.Fatal(err)
			}
			want := exactFacts(all, looking, filter.passes)
			if got, most := len(hits.Hits), min(max(len(want)-3, 0), 12); got != most || hits.HasNext != (len(want) > 15) {
				t.Fatalf("%s: %d hits and more %v, of %d", filter.name, got, hits.HasNext, len(want))
			}
			for i, hit := range hits.Hits {
				if w := want[i+3]; hit.Fact.ID.UUID != w.id || hit.Found != w.Found {
					t.Errorf("%s, hit %d: %v %+v, want %v %+v", filter.name, i, hit.Fact.ID, hit.Found, w.id, w.Found)
				}
			}
		}
	}
}

type exactFact struct {
	id model.UUID
	store.Found
}

// exactFacts returns all hits of a search, by looking at everything.
func exactFacts(all []store.FactRowOf, looking store.Looking, passes func(f *model.Fact) bool) []exactFact {
	counts := make([]int, len(looking.Words.Terms))
	for i, term := range looking.Words.Terms {
		for _, one := range all {
			for _, entry := range one.Entries {
				if slices.ContainsFunc(term.Forms, func(form model.TermForm) bool {
					return entry == form.Term || form.Prefix && strings.HasPrefix(entry, form.Term)
				}) {
					counts[i]++
				}
			}
		}
		counts[i] = min(counts[i], words.Common)
	}
	var hits []exactFact
	for i := range all {
		fact := &all[i].Fact
		if !passes(fact) {
			continue
		}
		hit := exactFact{id: fact.ID.UUID}
		if len(looking.Vectors) > 0 {
			hit.Measured, hit.Similarity = true,
				vector.Cosine(looking.Vectors[0].Vector, vector.Unpack(vector.Pack(fact.Embedding.Vector)))
			hit.ByVector = hit.Similarity >= looking.MinSimilarity
		}
		weights := words.Match(looking.Words, all[i].Entries)
		if hit.ByKeyword = slices.ContainsFunc(weights, func(w float64) bool { return w > 0 }); hit.ByKeyword {
			hit.Keyword = words.Score(looking.Words, counts, weights)
		}
		hit.Score = float64(looking.SimilarityWeight*max(hit.Similarity, 0)) + float64(looking.KeywordWeight*hit.Keyword)
		if hit.ByVector || hit.ByKeyword {
			hits = append(hits, hit)
		}
	}
	slices.SortFunc(hits, func(a, b exactFact) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Similarity, a.Similarity),
			slices.Compare(b.id[:], a.id[:]))
	})
	return hits
}
