package memorysearch

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/ngram"
	"almanac/projections/words"
)

// ranked is a store that has ranked its memories.
type ranked struct {
	store.MemoryReader
	hits []store.MemoryHit
}

// SearchMemories returns the ranked hits that are similar enough or have a word.
func (r ranked) SearchMemories(_ context.Context, _ model.UserID, search store.MemorySearch) (store.MemoryHits, error) {
	var found []store.MemoryHit
	for _, hit := range r.hits {
		if hit.ByVector = hit.Similarity >= search.MinSimilarity; hit.ByVector || hit.ByKeyword {
			found = append(found, hit)
		}
	}
	from, to := min(search.Offset, len(found)), min(search.Offset+search.Limit, len(found))
	return store.MemoryHits{Hits: found[from:to], HasNext: to < len(found)}, nil
}

func hitOf(n int, content string, similarity, keyword float64) store.MemoryHit {
	return store.MemoryHit{
		Memory:     model.Memory{ID: model.UUID{byte(n >> 8), byte(n)}, Type: model.MemoryNote, Content: content},
		Similarity: similarity, Keyword: keyword, ByKeyword: keyword > 0, Score: 0.7*similarity + 0.3*keyword,
	}
}

func askOf(query string, offset, limit int) Ask {
	return Ask{Query: query, Search: store.MemorySearch{Words: words.Query(query), MinSimilarity: 0.28,
		Vectors:          []store.QueryVector{{Model: ngram.Model().Name}},
		SimilarityWeight: 0.7, KeywordWeight: 0.3, Offset: offset, Limit: limit}}
}

func contents(hits []store.MemoryHit) []string {
	var all []string
	for _, hit := range hits {
		all = append(all, hit.Memory.Content)
	}
	return all
}

// TestNearWordsComeFirst: what says the query in other words comes before what is only a little more similar, and what
// says nothing of it is left out.
func TestNearWordsComeFirst(t *testing.T) {
	t.Parallel()
	s := ranked{hits: []store.MemoryHit{
		hitOf(4, "The band plays on Friday.", 0.3, 0),
		hitOf(3, "The boiler has a two year guarantee.", 0.25, 0),
		hitOf(2, "Aunt Ruth lives in Haifa.", 0.2, 0),
		hitOf(1, "Margaret sings.", 0.01, 0),
	}}
	found, err := Memories(t.Context(), s, model.UserID{}, askOf("warranty on the heating", 0, 10))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"The boiler has a two year guarantee.", "The band plays on Friday."}
	if got := contents(found.Hits); !slices.Equal(got, want) || found.HasNext {
		t.Errorf("got %q, want %q", got, want)
	}
	if first := found.Hits[0]; first.ByVector || !first.ByKeyword || first.Keyword < said ||
		first.Score != scoreOf(first) {
		t.Errorf("%+v", first)
	}
	ask := askOf("warranty on the heating", 0, 10)
	ask.Bounded = true
	if found, err = Memories(t.Context(), s, model.UserID{}, ask); err != nil || len(found.Hits) != 1 {
		t.Errorf("with a bound: %q, %v", contents(found.Hits), err)
	}
}

// scoreOf is what the contract says of the score of a hit that was read again, with the default weights.
func scoreOf(hit store.MemoryHit) float64 {
	return float64(0.7*max(hit.Similarity, 0)) + float64(0.3*hit.Keyword)
}

// TestReadingNeverLowers: no hit has less after it was read than the store gave it, so that what comes behind those
// that are read may follow them.
func TestReadingNeverLowers(t *testing.T) {
	t.Parallel()
	ask := askOf("warranty on the heating", 0, 10)
	for _, similarity := range []float64{-0.3, 0, 0.1, 0.4, 0.9, 1} {
		for _, keyword := range []float64{0, 0.05, 0.3, 1} {
			hit := hitOf(1, "Margaret sings.", similarity, keyword)
			store := 0.7*max(similarity, 0) + 0.3*keyword
			hit.Similarity = together(&hit)
			if got := ask.score(&hit); got < store || got > 1 || hit.Similarity < similarity {
				t.Errorf("similarity %v, keyword %v: %v after reading, %v before", similarity, keyword, got, store)
			}
		}
	}
}

// TestTheSimilarityOfAnotherModelIsItsCosine: what the words say is in the similarity with our own vectors alone, and
// not where a memory has none. The score is the weighted sum in each case.
func TestTheSimilarityOfAnotherModelIsItsCosine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model      string
		similarity float64
		more       bool
	}{{ngram.Model().Name, 0.4, true}, {ngram.Model().Name, 0, false}, {"text-embedding-3-small", 0.4, false}} {
		s := ranked{hits: []store.MemoryHit{hitOf(1, "The dentist is on 3 March.", c.similarity, 0.5)}}
		ask := askOf("when is the dentist", 0, 10)
		ask.Search.Vectors[0].Model = c.model
		found, err := Memories(t.Context(), s, model.UserID{}, ask)
		if err != nil || len(found.Hits) != 1 {
			t.Fatalf("%s: %+v, %v", c.model, found, err)
		}
		hit := found.Hits[0]
		more := hit.Similarity > c.similarity
		if more != c.more || hit.Similarity < c.similarity || hit.Score != scoreOf(hit) {
			t.Errorf("%s, %v: similarity %v, score %v", c.model, c.similarity, hit.Similarity, hit.Score)
		}
	}
}

// TestAnswerComesFirst: of two memories that say the same of the query, that comes first which has what is asked for.
func TestAnswerComesFirst(t *testing.T) {
	t.Parallel()
	s := ranked{hits: []store.MemoryHit{
		hitOf(2, "The dentist is a friend of Ruth.", 0.4, 0.3),
		hitOf(1, "The dentist is on 3 March.", 0.4, 0.3),
	}}
	found, err := Memories(t.Context(), s, model.UserID{}, askOf("when is the dentist", 0, 10))
	if err != nil || len(found.Hits) != 2 || found.Hits[0].Memory.Content != "The dentist is on 3 March." {
		t.Errorf("%q, %v", contents(found.Hits), err)
	}
	for _, hit := range found.Hits {
		if hit.Keyword > 1 || hit.Score > 1 {
			t.Errorf("%q: keyword score %v, score %v", hit.Memory.Content, hit.Keyword, hit.Score)
		}
	}
}

// TestNothingAnswers: hits of which none is near enough are none.
func TestNothingAnswers(t *testing.T) {
	t.Parallel()
	s := ranked{hits: []store.MemoryHit{hitOf(1, "Aunt Ruth lives in Haifa.", 0.15, 0),
		hitOf(2, "Pay the rent.", 0.1, 0.1)}}
	found, err := Memories(t.Context(), s, model.UserID{}, askOf("submarine", 0, 10))
	if err != nil || len(found.Hits) > 0 || found.HasNext {
		t.Errorf("%q, %v", contents(found.Hits), err)
	}
}

// TestPagesFit: pages of any size are together what one large page is, without gaps and repetitions, over the end of
// what is read again.
func TestPagesFit(t *testing.T) {
	t.Parallel()
	var s ranked
	for n := range 170 {
		similarity := 0.9 - 0.005*float64(n)
		content := fmt.Sprintf("entry %d", n)
		if n%3 == 0 {
			content = fmt.Sprintf("the boiler, number %d", n)
		}
		s.hits = append(s.hits, hitOf(1000-n, content, similarity, float64(n%2)*0.05))
	}
	slices.SortStableFunc(s.hits, func(a, b store.MemoryHit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	whole, err := Memories(t.Context(), s, model.UserID{}, askOf("warranty on the heating", 0, 200))
	if err != nil || len(whole.Hits) < 120 || whole.HasNext {
		t.Fatalf("%d hits, %v, %v", len(whole.Hits), whole.HasNext, err)
	}
	for _, size := range []int{1, 7, 49, 50, 51, 60} {
		var got []string
		for offset := 0; ; offset += size {
			page, err := Memories(t.Context(), s, model.UserID{}, askOf("warranty on the heating", offset, size))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, contents(page.Hits)...)
			if page.HasNext != (len(got) < len(whole.Hits)) {
				t.Fatalf("pages of %d: after %d of %d hits, another: %v", size, len(got), len(whole.Hits), page.HasNext)
			}
			if !page.HasNext {
				break
			}
		}
		if !slices.Equal(got, contents(whole.Hits)) {
			t.Errorf("pages of %d: %d hits, not the %d in their order", size, len(got), len(whole.Hits))
		}
	}
}
