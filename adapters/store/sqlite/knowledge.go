package sqlite

import (
	"context"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// ListEntities: see store.EntityReader.
func (f *frame) ListEntities(ctx context.Context, user model.UserID,
	query store.EntityQuery) (store.EntityPage, error) {
	return f.s.ListEntities(f.own(ctx), user, query)
}

// EntitiesByID: see store.EntityReader.
func (f *frame) EntitiesByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.EntityColumns) (map[model.UUID]model.Entity, error) {
	return f.s.EntitiesByID(f.own(ctx), user, ids, want)
}

// EntitiesByName: see store.EntityReader.
func (f *frame) EntitiesByName(ctx context.Context, user model.UserID, names []string,
	want store.EntityColumns) (map[string][]model.Entity, error) {
	return f.s.EntitiesByName(f.own(ctx), user, names, want)
}

// SearchEntities: see store.EntityReader. It takes no part in the transaction.
func (f *frame) SearchEntities(ctx context.Context, user model.UserID,
	search store.EntitySearch) (store.EntityHits, error) {
	return f.s.SearchEntities(ctx, user, search)
}

// ListFacts: see store.FactReader.
func (f *frame) ListFacts(ctx context.Context, user model.UserID, query store.FactQuery) (store.FactPage, error) {
	return f.s.ListFacts(f.own(ctx), user, query)
}

// FactsByID: see store.FactReader.
func (f *frame) FactsByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.FactWant) ([]model.Fact, error) {
	return f.s.FactsByID(f.own(ctx), user, ids, want)
}

// FactsOfPairs: see store.FactReader.
func (f *frame) FactsOfPairs(ctx context.Context, user model.UserID, pairs []store.FactPair,
	want store.FactWant) ([]model.Fact, error) {
	return f.s.FactsOfPairs(f.own(ctx), user, pairs, want)
}

// FactsAround: see store.FactReader.
func (f *frame) FactsAround(ctx context.Context, user model.UserID, entities []model.UUID, where store.FactWhere,
	perEntity, limit int, want store.FactWant) ([]model.Fact, error) {
	return f.s.FactsAround(f.own(ctx), user, entities, where, perEntity, limit, want)
}

// SearchFacts: see store.FactReader. It takes no part in the transaction.
func (f *frame) SearchFacts(ctx context.Context, user model.UserID, search store.FactSearch) (store.FactHits, error) {
	return f.s.SearchFacts(ctx, user, search)
}

// ListEpisodes: see store.EpisodeReader.
func (f *frame) ListEpisodes(ctx context.Context, user model.UserID,
	query store.EpisodeQuery) (store.EpisodePage, error) {
	return f.s.ListEpisodes(f.own(ctx), user, query)
}

// EpisodesByID: see store.EpisodeReader.
func (f *frame) EpisodesByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.EpisodeColumns) ([]model.Episode, error) {
	return f.s.EpisodesByID(f.own(ctx), user, ids, want)
}

// TwinEpisode: see store.EpisodeReader.
func (f *frame) TwinEpisode(ctx context.Context, user model.UserID, twin model.Episode,
	want store.EpisodeColumns) (model.Episode, error) {
	return f.s.TwinEpisode(f.own(ctx), user, twin, want)
}

// MentionedIn: see store.EpisodeReader.
func (f *frame) MentionedIn(ctx context.Context, user model.UserID, episode model.UUID, limit int,
	want store.EntityColumns) ([]model.Entity, error) {
	return f.s.MentionedIn(f.own(ctx), user, episode, limit, want)
}

// KnowledgeCounts: see store.KnowledgeReader.
func (f *frame) KnowledgeCounts(ctx context.Context, user model.UserID, now time.Time) (store.KnowledgeCounts, error) {
	return f.s.KnowledgeCounts(f.own(ctx), user, now)
}
