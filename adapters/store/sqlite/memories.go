package sqlite

import (
	"context"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Memories: see store.MemoryReader.
func (f *frame) Memories(ctx context.Context, user model.UserID, query store.MemoryQuery) (store.MemoryPage, error) {
	return f.s.Memories(f.own(ctx), user, query)
}

// MemoriesByID: see store.MemoryReader.
func (f *frame) MemoriesByID(ctx context.Context, user model.UserID, ids []model.UUID, now time.Time,
	want store.MemoryColumns) ([]model.Memory, error) {
	return f.s.MemoriesByID(f.own(ctx), user, ids, now, want)
}

// MemoryCounts: see store.MemoryReader.
func (f *frame) MemoryCounts(ctx context.Context, user model.UserID, now time.Time) (model.MemoryCounts, error) {
	return f.s.MemoryCounts(f.own(ctx), user, now)
}

// TwinMemories: see store.MemoryReader.
func (f *frame) TwinMemories(ctx context.Context, user model.UserID, twin store.MemoryTwin, now time.Time, limit int,
	want store.MemoryColumns) ([]model.Memory, error) {
	return f.s.TwinMemories(f.own(ctx), user, twin, now, limit, want)
}

// SearchMemories: see store.MemoryReader. It takes no part in the transaction.
func (f *frame) SearchMemories(ctx context.Context, user model.UserID,
	search store.MemorySearch) (store.MemoryHits, error) {
	return f.s.SearchMemories(ctx, user, search)
}
