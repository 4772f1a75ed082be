package knowledge

import (
	"context"
	"slices"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// ownUUIDs are those of the ids that name something of the kind in this store.
func ownUUIDs(ids []model.ID, kind model.Kind) []model.UUID {
	out := make([]model.UUID, 0, len(ids))
	for _, id := range ids {
		if own(id, kind) {
			out = append(out, id.UUID)
		}
	}
	return out
}

// EntitiesByID implements knowledge.Reader.
func (b *Base) EntitiesByID(ctx context.Context, user model.UserID, ids []model.ID,
	want store.EntityColumns) (map[model.ID]model.Entity, error) {
	asked := ownUUIDs(ids, model.KindEntity)
	if len(asked) == 0 {
		return map[model.ID]model.Entity{}, nil
	}
	there, err := b.Store.EntitiesByID(ctx, user, asked, want)
	if err != nil {
		return nil, err
	}
	out := make(map[model.ID]model.Entity, len(there))
	for id, entity := range there {
		out[model.ID{Kind: model.KindEntity, UUID: id}] = entity
	}
	return out, nil
}

// FactsByID implements knowledge.Reader.
func (b *Base) FactsByID(ctx context.Context, user model.UserID, ids []model.ID,
	want store.FactWant) (map[model.ID]model.Fact, error) {
	asked := ownUUIDs(ids, model.KindFact)
	if len(asked) == 0 {
		return map[model.ID]model.Fact{}, nil
	}
	there, err := b.Store.FactsByID(ctx, user, asked, want)
	if err != nil {
		return nil, err
	}
	out := make(map[model.ID]model.Fact, len(there))
	for _, fact := range there {
		out[fact.ID] = fact
	}
	return out, nil
}

// EpisodesByID implements knowledge.EpisodeReader.
func (b *Base) EpisodesByID(ctx context.Context, user model.UserID, ids []model.ID,
	want store.EpisodeColumns) (map[model.ID]model.Episode, error) {
	asked := ownUUIDs(ids, model.KindEpisode)
	if len(asked) == 0 {
		return map[model.ID]model.Episode{}, nil
	}
	there, err := b.Store.EpisodesByID(ctx, user, asked, want)
	if err != nil {
		return nil, err
	}
	out := make(map[model.ID]model.Episode, len(there))
	for _, episode := range there {
		out[episode.ID] = episode
	}
	return out, nil
}

// FindEpisodes implements knowledge.EpisodeReader.
func (b *Base) FindEpisodes(ctx context.Context, user model.UserID,
	ask knowledge.EpisodeAsk) (out knowledge.Answer[model.Episode], err error) {
	query := store.EpisodeQuery{Where: ask.Where, Columns: ask.Want, Total: ask.Total}
	after, err := readTimePlace(ask.Page.After)
	if err != nil {
		return out, err
	}
	if ask.Page.First > 0 {
		query.Page = &store.Window[store.TimePlace]{Limit: ask.Page.First, After: after}
	} else if !ask.Total {
		return out, nil
	}
	page, err := b.Store.ListEpisodes(ctx, user, query)
	if err != nil {
		return out, err
	}
	for i, episode := range page.Episodes {
		out.Hits = append(out.Hits, knowledge.Hit[model.Episode]{Item: episode, Place: writeTimePlace(page.Places[i])})
	}
	out.HasNext = page.HasNext
	if ask.Total {
		out.Total = &page.Total
	}
	return out, nil
}

// Contents implements knowledge.EpisodeReader. An episode that is not there speaks of nothing.
func (b *Base) Contents(ctx context.Context, user model.UserID, episode model.ID, limit int,
	entities store.EntityColumns, facts store.FactWant) (*knowledge.Contents, error) {
	out := &knowledge.Contents{}
	if !own(episode, model.KindEpisode) || limit <= 0 {
		return out, nil
	}
	var err error
	if out.Entities, err = b.Store.MentionedIn(ctx, user, episode.UUID, limit, entities); err != nil {
		return nil, err
	}
	// The last ones of the newest first are the oldest.
	page, err := b.Store.ListFacts(ctx, user, store.FactQuery{
		Where: store.FactWhere{Episode: episode.UUID}, Want: facts,
		Page: &store.Window[store.TimePlace]{Limit: limit, Backward: true},
	})
	if err != nil {
		return nil, err
	}
	out.Facts = page.Facts
	slices.Reverse(out.Facts)
	return out, nil
}
