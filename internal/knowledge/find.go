package knowledge

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/words"
)

// FindEntities implements knowledge.Searcher.
func (b *Base) FindEntities(ctx context.Context, user model.UserID,
	ask knowledge.EntityAsk) (out knowledge.Answer[model.Entity], err error) {
	if ask.Text == "" {
		return b.listEntities(ctx, user, ask)
	}
	looking, out, err := lookFor[model.Entity](ctx, b, user, ask.Search, ask.Page)
	if err != nil || looking.Limit == 0 || len(out.Legs) == 0 {
		return out, err
	}
	found, err := b.Store.SearchEntities(ctx, user,
		store.EntitySearch{Looking: looking, Where: ask.Where, Columns: ask.Want})
	if err != nil {
		return out, err
	}
	for i, hit := range found.Hits {
		out.Hits = append(out.Hits, knowledge.Hit[model.Entity]{Item: hit.Entity, Found: &hit.Found,
			Place: writeRank(looking.Offset + i + 1)})
	}
	out.HasNext = goesOn(looking, len(found.Hits), found.HasNext)
	return out, nil
}

func (b *Base) listEntities(ctx context.Context, user model.UserID,
	ask knowledge.EntityAsk) (out knowledge.Answer[model.Entity], err error) {
	query := store.EntityQuery{Where: ask.Where, Columns: ask.Want, Total: ask.Total}
	after, err := readNamePlace(ask.Page.After)
	if err != nil {
		return out, err
	}
	if ask.Page.First > 0 {
		query.Page = &store.Window[store.EntityPlace]{Limit: ask.Page.First, After: after}
	} else if !ask.Total {
		return out, nil
	}
	page, err := b.Store.ListEntities(ctx, user, query)
	if err != nil {
		return out, err
	}
	return listed(page.Entities, page.Places, writeNamePlace, page.HasNext, ask.Total, page.Total), nil
}

// listed puts a page of the store into the words of the contract.
func listed[T, P any](items []T, places []P, write func(P) []byte, hasNext, wantsTotal bool,
	total int) knowledge.Answer[T] {
	out := knowledge.Answer[T]{HasNext: hasNext}
	for i, item := range items {
		out.Hits = append(out.Hits, knowledge.Hit[T]{Item: item, Place: write(places[i])})
	}
	if wantsTotal {
		out.Total = &total
	}
	return out
}

// FindFacts implements knowledge.Searcher. The id of a merged entity stands for the one that it became part of; where
// an entity or an episode is asked about that is not the user's, nothing is found.
func (b *Base) FindFacts(ctx context.Context, user model.UserID,
	ask knowledge.FactAsk) (out knowledge.Answer[model.Fact], err error) {
	ok, err := b.factWhere(ctx, user, &ask)
	switch {
	case err != nil:
		return out, err
	case !ok:
		if ask.Total && ask.Text == "" {
			out.Total = new(int)
		}
		return out, nil
	case ask.Text == "":
		return b.listFacts(ctx, user, ask)
	}
	looking, out, err := lookFor[model.Fact](ctx, b, user, ask.Search, ask.Page)
	if err != nil || looking.Limit == 0 || len(out.Legs) == 0 {
		return out, err
	}
	found, err := b.Store.SearchFacts(ctx, user, store.FactSearch{Looking: looking, Where: ask.Where, Want: ask.Want})
	if err != nil {
		return out, err
	}
	for i, hit := range found.Hits {
		out.Hits = append(out.Hits, knowledge.Hit[model.Fact]{Item: hit.Fact, Found: &hit.Found,
			Place: writeRank(looking.Offset + i + 1)})
	}
	out.HasNext = goesOn(looking, len(found.Hits), found.HasNext)
	if ask.Suppressed {
		out.Suppressed, err = b.suppressed(ctx, user, ask.Where, looking, found)
	}
	return out, err
}

func (b *Base) listFacts(ctx context.Context, user model.UserID,
	ask knowledge.FactAsk) (out knowledge.Answer[model.Fact], err error) {
	query := store.FactQuery{Where: ask.Where, Want: ask.Want, Total: ask.Total,
		Suppressed: ask.Suppressed && ask.Where.Time != store.FactsAny}
	after, err := readTimePlace(ask.Page.After)
	if err != nil {
		return out, err
	}
	if ask.Page.First > 0 {
		query.Page = &store.Window[store.TimePlace]{Limit: ask.Page.First, After: after}
	} else if !query.Total && !query.Suppressed {
		return out, nil
	}
	page, err := b.Store.ListFacts(ctx, user, query)
	if err != nil {
		return out, err
	}
	out = listed(page.Facts, page.Places, writeTimePlace, page.HasNext, ask.Total, page.Total)
	out.Suppressed = page.Suppressed
	return out, nil
}

// factWhere puts the ids asked about into the store's words. ok is false when one of them is not there.
func (b *Base) factWhere(ctx context.Context, user model.UserID, ask *knowledge.FactAsk) (ok bool, err error) {
	where := &ask.Where
	where.Entity, where.Between, where.Episode = model.UUID{}, nil, model.UUID{}
	if ask.Episode != (model.ID{}) {
		if !own(ask.Episode, model.KindEpisode) {
			return false, nil
		}
		where.Episode = ask.Episode.UUID
	}
	var asked []model.UUID
	for _, id := range append(slices.Clone(ask.Between), ask.Entity) {
		if id == (model.ID{}) {
			continue
		}
		if !own(id, model.KindEntity) {
			return false, nil
		}
		asked = append(asked, id.UUID)
	}
	if len(asked) == 0 {
		return true, nil
	}
	there, err := b.Store.EntitiesByID(ctx, user, asked, 0)
	if err != nil {
		return false, err
	}
	for _, id := range asked {
		if _, found := there[id]; !found {
			return false, nil
		}
	}
	if ask.Entity != (model.ID{}) {
		where.Entity = there[ask.Entity.UUID].ID.UUID
	}
	if len(ask.Between) == 2 {
		where.Between = &[2]model.UUID{there[ask.Between[0].UUID].ID.UUID, there[ask.Between[1].UUID].ID.UUID}
	}
	return true, nil
}

// lookFor reads a search, and begins its answer: with the legs that take part, and why one does not.
func lookFor[T any](ctx context.Context, b *Base, user model.UserID, search knowledge.Search,
	page knowledge.Page) (looking store.Looking, out knowledge.Answer[T], err error) {
	if looking.Offset, err = readRank(page.After); err != nil {
		return looking, out, err
	}
	looking.Limit = max(min(page.First, model.MaxSearchDepth-looking.Offset), 0)
	looking.SimilarityWeight, looking.KeywordWeight = search.SimilarityWeight, search.KeywordWeight
	if looking.MinSimilarity = b.Embedder.Model().Floor; search.MinSimilarity != nil {
		looking.MinSimilarity = *search.MinSimilarity
	}
	looking.Words = words.Query(search.Text)
	models, err := b.modelsOf(ctx, user)
	if err != nil {
		return looking, out, err
	}
	// What is found by words is an answer too.
	looking.Vectors, out.Trouble = b.Embedder.Query(ctx, search.Text, models)
	if len(looking.Vectors) > 0 {
		out.Legs = append(out.Legs, model.LegVector)
	}
	if len(looking.Words.Terms) > 0 {
		out.Legs = append(out.Legs, model.LegKeyword)
	}
	return looking, out, nil
}

// modelsOf are the models under which a search of the user's must be asked, the one in use first.
func (b *Base) modelsOf(ctx context.Context, user model.UserID) ([]string, error) {
	now := b.Now()
	names, remembered := b.models.recall(user, now)
	if !remembered {
		counts, err := b.Store.KnowledgeCounts(ctx, user, now)
		if err != nil {
			return nil, err
		}
		names = b.models.note(user, counts.Models, now)
	}
	out := []string{b.Embedder.Model().Name}
	for _, name := range names {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// goesOn reports whether there is a next page of a search.
func goesOn(looking store.Looking, hits int, more bool) bool {
	return more && looking.Offset+hits < model.MaxSearchDepth
}

// suppressed counts the facts that a search does not show because they do not hold, or do, at its moment: those that
// would stand before the last hit of the page, or all when the page is not full; at most model.MaxSuppressedSearch.
func (b *Base) suppressed(ctx context.Context, user model.UserID, where store.FactWhere, looking store.Looking,
	shown store.FactHits) (int, error) {
	switch where.Time {
	case store.FactsHolding:
		where.Time = store.FactsNotHolding
	case store.FactsNotHolding:
		where.Time = store.FactsHolding
	default:
		return 0, nil
	}
	full := len(shown.Hits) >= looking.Limit
	looking.Offset, looking.Limit = 0, min(model.MaxSuppressedSearch, model.MaxSearchDepth)
	others, err := b.Store.SearchFacts(ctx, user, store.FactSearch{Looking: looking, Where: where})
	if err != nil {
		return 0, err
	}
	if !full || len(shown.Hits) == 0 {
		return len(others.Hits), nil
	}
	last := shown.Hits[len(shown.Hits)-1]
	before := slices.IndexFunc(others.Hits, func(hit store.FactHit) bool { return ranks(hit, last) > 0 })
	if before < 0 {
		before = len(others.Hits)
	}
	return before, nil
}

// ranks compares hits as a search ranks them: the better one first, then the more similar, then the newer.
func ranks(a, b store.FactHit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.Similarity, a.Similarity),
		bytes.Compare(b.Fact.ID.UUID[:], a.Fact.ID.UUID[:]))
}

// FactsAround implements knowledge.Searcher. more may also be said of an entity that has exactly one fact more than
// were asked for, if that one is given because of another entity.
func (b *Base) FactsAround(ctx context.Context, user model.UserID,
	around knowledge.Around) (facts []model.Fact, more bool, err error) {
	entities := make([]model.UUID, 0, len(around.Entities))
	for _, id := range around.Entities {
		if own(id, model.KindEntity) {
			entities = append(entities, id.UUID)
		}
	}
	if len(entities) == 0 || around.Limit <= 0 || around.PerEntity <= 0 {
		return nil, false, nil
	}
	where := store.FactWhere{Time: around.Where.Time, At: around.Where.At, Relations: around.Where.Relations}
	// One more of each reports whether there are more.
	found, err := b.Store.FactsAround(ctx, user, entities, where, around.PerEntity+1, around.Limit+1, around.Want)
	if err != nil {
		return nil, false, err
	}
	left := make(map[model.UUID]int, len(entities))
	for _, id := range entities {
		left[id] = around.PerEntity
	}
	for _, fact := range found {
		given := false
		for _, end := range slices.Compact([]model.UUID{fact.Source.ID.UUID, fact.Target.ID.UUID}) {
			room, asked := left[end]
			switch {
			case asked && room > 0:
				left[end]--
				given = true
			case asked:
				more = true
			}
		}
		if given && len(facts) == around.Limit {
			return facts, true, nil
		}
		if given {
			facts = append(facts, fact)
		}
	}
	return facts, more, nil
}
