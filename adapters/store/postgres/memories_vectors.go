package postgres

import (
	"context"
	"fmt"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// PendingMemories returns memories that have no vector of the model; see the contract.
func (s *Store) PendingMemories(
	ctx context.Context, name string, now time.Time, after store.PendingPlace, limit int,
) ([]store.PendingMemory, store.PendingPlace, error) {
	var found []store.PendingMemory
	place, err := s.pending(ctx, memoryPopulation(), name, after, limit, pendingRows{
		list:  "t.id, t.type, t.content, t.summary, t.tags, t.metadata, t.version",
		there: func(q *query) string { return "t.expires_at > " + q.param(instantArg(now)) },
		read: func(r *row, user model.UserID) model.UUID {
			found = append(found, store.PendingMemory{
				User: user, ID: r.uuid(), Type: model.MemoryType(r.text()), Content: r.text(), Summary: r.text(), Tags: r.texts(),
				Metadata: r.text(), Version: int(r.int32()),
			})
			return found[len(found)-1].ID
		},
	})
	if err != nil {
		return nil, after, fmt.Errorf("postgres: read memories without a vector: %w", err)
	}
	return found, place, nil
}

// SaveVectors keeps vectors of memories that are still as they were when they were embedded; of a memory given twice,
// the last.
func (s *Store) SaveVectors(ctx context.Context, user model.UserID, vectors []store.MemoryVectorOf) (int, error) {
	var c vectorRows
	for _, v := range lastOf(vectors, func(v store.MemoryVectorOf) model.UUID { return v.ID }) {
		if err := c.add(v.ID, v.Version, v.Embedding, v.Entries); err != nil {
			return 0, err
		}
	}
	kept, err := s.keepVectors(ctx, user, map[population]*vectorRows{memoryPopulation(): &c})
	if err != nil {
		return 0, fmt.Errorf("postgres: save vectors: %w", err)
	}
	return kept, nil
}

// expiredMemories reads the beginning of the index of memories that expire at all, over all users.
var expiredMemories = queueOf("memories", "q.expires_at < 'infinity' AND q.expires_at <= $1",
	"q.expires_at, q.user_id, q.id")

type userAndID struct {
	user model.UserID
	id   model.UUID
}

// ExpireMemories erases memories of any users that have expired; see the contract. Each user's go in a transaction of
// their own.
func (s *Store) ExpireMemories(ctx context.Context, now time.Time, limit int) (int, error) {
	found, err := due(ctx, s, expiredMemories, "q.user_id, q.id", func(r *row, one *userAndID) {
		*one = userAndID{model.UserID(r.uuid()), r.uuid()}
	}, now, limit)
	if err != nil {
		return 0, fmt.Errorf("postgres: read expired memories: %w", err)
	}
	byUser := make(map[model.UserID][]model.UUID)
	var users []model.UserID
	for _, one := range found {
		if byUser[one.user] == nil {
			users = append(users, one.user)
		}
		byUser[one.user] = append(byUser[one.user], one.id)
	}
	total := 0
	for _, user := range users {
		var gone []model.UUID
		err := s.within(ctx, user, nil, func(ctx context.Context, l *level) (err error) {
			// Who has been given more time meanwhile stays.
			gone, err = tx{reader{store: s, level: l}}.eraseMemories(ctx, byUser[user], instantArg(now))
			return err
		})
		if err != nil {
			return total, fmt.Errorf("postgres: erase expired memories: %w", err)
		}
		total += len(gone)
	}
	return total, nil
}
