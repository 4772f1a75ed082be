package memories

import (
	"context"
	"encoding/binary"
	"slices"

	"almanac/adapters/memorysearch"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/words"
	"almanac/resolvers/core"
)

// SearchArgs are the arguments of searchMemories.
type SearchArgs struct {
	Query         string
	Filter        *graph.MemoryFilter
	First         *int32
	After         *string
	MinSimilarity *float64
	Weights       *graph.SearchWeights
}

const purposeSearch = "memories found"

// defaultFound is how many hits are given when nobody says how many.
const defaultFound = 10

// SearchMemories answers the query of that name.
func (r *Resolver) SearchMemories(ctx context.Context, args SearchArgs) (*projections.MemorySearchConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	ask, err := r.readSearch(v, args)
	if err != nil {
		return nil, err
	}
	search := &ask.Search
	out := &projections.MemorySearchConnection{Legs: []model.SearchLeg{}, MinSimilarity: search.MinSimilarity}
	asked := core.Answered(ctx)
	hits := asked.Has("nodes", "edges", "pageInfo", "isEmpty", "context", "compact")
	if !hits && !asked.Has("legs") {
		return out, nil
	}
	models, err := r.modelsOf(ctx, v)
	if err != nil {
		return nil, err
	}
	if search.Vectors, err = r.Embedder.Query(ctx, ask.Query, models); err != nil {
		core.AddError(ctx, err) // what is found by words is an answer too
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
	node := asked.Under("nodes", "Memory")
	node.Fields = append(node.Fields, asked.Under("edges", "MemorySearchEdge").Under("node", "Memory").Fields...)
	search.Columns = MemoryColumns(node)
	if asked.Under("edges", "MemorySearchEdge").Has("similarity") {
		search.Columns |= store.MemoryModel // what has no vector has no similarity
	}
	found, err := memorysearch.Memories(ctx, r.Store, v.User, ask)
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
		return r.Sealer.Seal(purposeSearch, v.User, binary.BigEndian.AppendUint32(nil, uint32(search.Offset+i+1)))
	}
	return out, nil
}

// readSearch reads all but the vectors.
func (r *Resolver) readSearch(v *core.Viewer, args SearchArgs) (ask memorysearch.Ask, err error) {
	ask.Search = store.MemorySearch{Now: v.Now, MinSimilarity: r.Embedder.Model().Floor, SimilarityWeight: 0.7,
		KeywordWeight: 0.3}
	search := &ask.Search
	if ask.Query, err = core.CleanText("query", args.Query, model.MaxSearchQuery); err != nil {
		return ask, err
	}
	if search.Where, err = memoryWhere(v, args.Filter, "filter"); err != nil {
		return ask, err
	}
	if search.Limit, err = projections.PageSize("first", args.First, defaultFound); err != nil {
		return ask, err
	}
	rank, err := core.OpenCursor(r.Base, v, "after", purposeSearch, args.After, decodeRank)
	if err != nil {
		return ask, err
	}
	if rank != nil {
		search.Offset = min(*rank, model.MaxSearchDepth)
		search.Limit = min(search.Limit, model.MaxSearchDepth-search.Offset)
	}
	if ask.Bounded = args.MinSimilarity != nil; ask.Bounded {
		if search.MinSimilarity = *args.MinSimilarity; !(search.MinSimilarity >= -1 && search.MinSimilarity <= 1) {
			return ask, model.BadInput("minSimilarity", "minSimilarity is from -1 to 1")
		}
	}
	if args.Weights != nil {
		search.SimilarityWeight, search.KeywordWeight = args.Weights.Similarity, args.Weights.Keyword
		if err := core.RightWeights(*args.Weights); err != nil {
			return ask, err
		}
	}
	search.Words = words.Query(ask.Query)
	return ask, nil
}

func decodeRank(payload []byte) (int, bool) {
	if len(payload) != 4 {
		return 0, false
	}
	return int(binary.BigEndian.Uint32(payload)), true
}

// foundAt is the view of a hit.
func (r *Resolver) foundAt(v *core.Viewer, hit store.MemoryHit, asked []store.QueryVector) projections.MemoryFound {
	out := projections.MemoryFound{
		Memory: r.MemoryAt(v, hit.Memory), KeywordScore: hit.Keyword, Score: hit.Score, MatchedBy: []model.SearchLeg{},
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
