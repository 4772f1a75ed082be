package graphiti

import (
	"context"
	"time"

	"almanac/adapters/knowledge"
	"almanac/graph/model"
)

// What a Graphiti server cannot do: see knowledge.Facts.Edits.

// Extract implements knowledge.Editor.
func (b *Base) Extract(context.Context, model.UserID, model.ID, time.Time) (model.Episode, error) {
	return model.Episode{},
		notConfigured("a Graphiti server reads episodes by itself; it cannot be told to read one again")
}

// Invalidate implements knowledge.Editor.
func (b *Base) Invalidate(context.Context, model.UserID, []model.ID, time.Time,
	time.Time) (map[model.ID]model.Fact, int, map[model.ID]error, error) {
	return nil, 0, nil,
		notConfigured("a Graphiti server closes facts by itself; add an episode that says what holds now, or delete the fact")
}

// UpdateEntity implements knowledge.Editor.
func (b *Base) UpdateEntity(context.Context, model.UserID, model.ID, int, func(*model.Entity) error,
	time.Time) (model.Entity, error) {
	return model.Entity{},
		notConfigured("a Graphiti server changes entities by itself; add an episode that says what is new")
}

// Merge implements knowledge.Editor.
func (b *Base) Merge(context.Context, model.UserID, model.ID, []model.ID, time.Time) (knowledge.Merged, error) {
	return knowledge.Merged{}, notConfigured(
		"a Graphiti server finds out by itself which entities are the same; it cannot be told")
}
