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

// byID reads what some ids of a kind name, without asking the store where none is its own.
func byID[T, W any](ctx context.Context, user model.UserID, ids []model.ID, kind model.Kind, want W,
	read func(context.Context, model.UserID, []model.UUID, W) ([]T, error), id func(T) model.ID) (map[model.ID]T, error) {
	out := map[model.ID]T{}
	asked := ownUUIDs(ids, kind)
	if len(asked) == 0 {
		return out, nil
	}
	there, err := read(ctx, user, asked, want)
	if err != nil {
		return nil, err
	}
	for _, one := range there {
		out[id(one)] = one
	}
	return out, nil
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
		out[model.ID{Kind: model.KindEntity, UUID: id}] = entity // a merged one has another id by now
	}
	return out, nil
}

// FactsByID implements knowledge.Reader.
func (b *Base) FactsByID(ctx context.Context, user model.UserID, ids []model.ID,
	want store.FactWant) (map[model.ID]model.Fact, error) {
	return byID(ctx, user, ids, model.KindFact, want, b.Store.FactsByID, func(f model.Fact) model.ID { return f.ID })
}

// EpisodesByID implements knowledge.EpisodeReader.
func (b *Base) EpisodesByID(ctx context.Context, user model.UserID, ids []model.ID,
	want store.EpisodeColumns) (map[model.ID]model.Episode, error) {
	return byID(ctx, user, ids, model.KindEpisode, want, b.Store.EpisodesByID,
		func(e model.Episode) model.ID { return e.ID })
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
	return listed(page.Episodes, page.Places, writeTimePlace, page.HasNext, ask.Total, page.Total), nil
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
