package resolvers

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/words"
)

// searchArgs are the arguments of searchMemories.
type searchArgs struct {
	query         string
	filter        *graph.MemoryFilter
	first         *int32
	after         *string
	minSimilarity *float64
	weights       *graph.SearchWeights
}

const purposeSearch = "memories found"

// defaultFound is how many hits are given when nobody says how many.
const defaultFound = 10

// searchMemories answers the query of that name.
func (r *Resolver) searchMemories(ctx context.Context, args searchArgs) (*projections.MemorySearchConnection, error) {
	v, err := viewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	search, text, err := r.readSearch(v, args)
	if err != nil {
		return nil, err
	}
	out := &projections.MemorySearchConnection{Legs: []model.SearchLeg{}, MinSimilarity: search.MinSimilarity}
	asked := answered(ctx)
	hits := asked.has("nodes", "edges", "pageInfo", "isEmpty", "context", "compact")
	if !hits && !asked.has("legs") {
		return out, nil
	}
	models, err := r.modelsOf(ctx, v)
	if err != nil {
		return nil, err
	}
	if search.Vectors, err = r.Embedder.Query(ctx, text, models); err != nil {
		addError(ctx, err) // what is found by words is an answer too
	}
	if len(search.Vectors) > 0 {
		out.Legs = append(out.Legs, model.LegVector)
	}
	if len(search.Words.Terms) > 0 {
		out.Legs = append(out.Legs, model.LegKeyword)
	}
	if !hits || len(out.Legs) == 0 || search.Limit == 0 {
		out.HasPrevious = search.Offset > 0
		return out, nil
	}
	node := asked.under("nodes", "Memory")
	node.fields = append(node.fields, asked.under("edges", "MemorySearchEdge").under("node", "Memory").fields...)
	search.Columns = node.memoryColumns()
	if asked.under("edges", "MemorySearchEdge").has("similarity") {
		search.Columns |= store.MemoryModel // what has no vector has no similarity
	}
	found, err := r.Store.SearchMemories(ctx, v.user, search)
	if err != nil {
		return nil, err
	}
	out.Items = make([]projections.MemoryFound, len(found.Hits))
	for i, hit := range found.Hits {
		out.Items[i] = r.foundAt(v, hit, search.Vectors)
	}
	out.HasPrevious = search.Offset > 0
	out.HasNext = found.HasNext && search.Offset+len(found.Hits) < model.MaxSearchDepth
	out.Cursor = func(i int) string {
		return r.Sealer.Seal(purposeSearch, v.user, binary.BigEndian.AppendUint32(nil, uint32(search.Offset+i+1)))
	}
	return out, nil
}

// readSearch reads all but the vectors.
func (r *Resolver) readSearch(v *viewer, args searchArgs) (store.MemorySearch, string, error) {
	search := store.MemorySearch{Now: v.Now, MinSimilarity: r.Embedder.Model().Floor, SimilarityWeight: 0.7,
		KeywordWeight: 0.3}
	text, err := cleanText("query", args.query, model.MaxSearchQuery)
	if err != nil {
		return search, "", err
	}
	if search.Where, err = memoryWhere(v, args.filter, "filter"); err != nil {
		return search, "", err
	}
	if search.Limit, err = projections.PageSize("first", args.first, defaultFound); err != nil {
		return search, "", err
	}
	rank, err := openCursor(r, v, "after", purposeSearch, args.after, decodeRank)
	if err != nil {
		return search, "", err
	}
	if rank != nil {
		search.Offset = min(*rank, model.MaxSearchDepth)
		search.Limit = min(search.Limit, model.MaxSearchDepth-search.Offset)
	}
	if args.minSimilarity != nil {
		if search.MinSimilarity = *args.minSimilarity; !(search.MinSimilarity >= -1 && search.MinSimilarity <= 1) {
			return search, "", model.BadInput("minSimilarity", "minSimilarity is from -1 to 1")
		}
	}
	if args.weights != nil {
		search.SimilarityWeight, search.KeywordWeight = args.weights.Similarity, args.weights.Keyword
		if err := rightWeights(*args.weights); err != nil {
			return search, "", err
		}
	}
	search.Words = words.Query(text)
	return search, text, nil
}

// rightWeights refuses weights outside of 0–1, and two zeros.
func rightWeights(weights graph.SearchWeights) error {
	for _, one := range []struct {
		field string
		value float64
	}{{"weights.similarity", weights.Similarity}, {"weights.keyword", weights.Keyword}} {
		if math.IsNaN(one.value) || one.value < 0 || one.value > 1 {
			return model.BadInput(one.field, "a weight is from 0 to 1")
		}
	}
	if weights.Similarity == 0 && weights.Keyword == 0 {
		return model.BadInput("weights", "at least one weight must be above 0")
	}
	return nil
}

func decodeRank(payload []byte) (int, bool) {
	if len(payload) != 4 {
		return 0, false
	}
	return int(binary.BigEndian.Uint32(payload)), true
}

// foundAt is the view of a hit.
func (r *Resolver) foundAt(v *viewer, hit store.MemoryHit, asked []store.QueryVector) projections.MemoryFound {
	out := projections.MemoryFound{
		Memory: r.memoryAt(v, hit.Memory), KeywordScore: hit.Keyword, Score: hit.Score, MatchedBy: []model.SearchLeg{},
	}
	if slices.ContainsFunc(asked, func(q store.QueryVector) bool { return q.Model == hit.Memory.Embedding.Model }) {
		out.Similarity = &hit.Similarity
	}
	if hit.ByVector {
		out.MatchedBy = append(out.MatchedBy, model.LegVector)
	}
	if hit.ByKeyword {
		out.MatchedBy = append(out.MatchedBy, model.LegKeyword)
	}
	return out
}
