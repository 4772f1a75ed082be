package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	// sqlUnembedded goes through the index of those without a vector alone, across users.
	sqlUnembedded = `SELECT t.user_id, t.id, t.type, t.content, t.summary, t.tags, t.metadata, t.version FROM memory_vectors AS v
JOIN memories AS t ON t.user_id = v.user_id AND t.n = v.n
WHERE v.model IS NULL AND (v.user_id, v.memory_id) > ($2, $3) AND t.expires_at > $1 ORDER BY v.user_id, v.memory_id LIMIT $4`

	// sqlStaleUsers gives users, from one on, that have vectors of other models than the one named.
	sqlStaleUsers = `SELECT DISTINCT user_id FROM memory_models WHERE name <> $1 AND rows > 0 AND user_id >= $2 ORDER BY user_id LIMIT $3`

	// sqlStale walks over the memories of one user in the order of their ids, so that each call begins where the last one ended.
	sqlStale = `SELECT t.user_id, t.id, t.type, t.content, t.summary, t.tags, t.metadata, t.version FROM memories AS t
JOIN memory_vectors AS v ON v.user_id = $2 AND v.n = t.n
WHERE t.user_id = $2 AND t.id > $3 AND t.expires_at > $1
AND v.model = ANY(ARRAY(SELECT number FROM memory_models WHERE user_id = $2 AND name <> $5)) ORDER BY t.id LIMIT $4`

	// staleUsers is how many users are looked up at once.
	staleUsers = 64
)

// PendingMemories gives memories that have no vector of the model; see the contract.
func (s *Store) PendingMemories(
	ctx context.Context, name string, now time.Time, after store.PendingPlace, limit int,
) ([]store.PendingMemory, store.PendingPlace, error) {
	if limit <= 0 {
		return nil, after, nil
	}
	var found []store.PendingMemory
	read := func(r *row) {
		found = append(found, store.PendingMemory{
			User: model.UserID(r.uuid()), ID: r.uuid(), Type: model.MemoryType(r.text()), Content: r.text(), Summary: r.text(), Tags: r.texts(), Metadata: r.text(), Version: int(r.int32()),
		})
	}
	fail := func(err error) ([]store.PendingMemory, store.PendingPlace, error) {
		return nil, after, fmt.Errorf("postgres: read memories without a vector: %w", err)
	}
	place := after
	if !place.Stale {
		b := newBatch()
		b.query(sqlUnembedded, read, instantArg(now), userArg(place.User), uuidArg(place.ID), int64(limit))
		if err := s.run(ctx, b); err != nil {
			return fail(err)
		}
		if len(found) == limit {
			return found, store.PendingPlace{User: found[limit-1].User, ID: found[limit-1].ID}, nil
		}
		place = store.PendingPlace{Stale: true}
	}
	for len(found) < limit {
		var users []model.UserID
		b := newBatch()
		b.query(sqlStaleUsers, func(r *row) { users = append(users, model.UserID(r.uuid())) }, name, userArg(place.User), int64(staleUsers))
		if err := s.run(ctx, b); err != nil {
			return fail(err)
		}
		for _, user := range users {
			if user != place.User {
				place = store.PendingPlace{Stale: true, User: user}
			}
			before := len(found)
			b := newBatch()
			b.query(sqlStale, read, instantArg(now), userArg(user), uuidArg(place.ID), int64(limit-len(found)), name)
			if err := s.run(ctx, b); err != nil {
				return fail(err)
			}
			if len(found) > before {
				place.ID = found[len(found)-1].ID
			}
			if len(found) == limit {
				return found, place, nil
			}
			place.ID = lastID
		}
		if len(users) < staleUsers {
			break
		}
	}
	return found, place, nil
}

// lastID is not before any id: the place behind all memories of a user.
var lastID = model.UUID{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}

const sqlSaveVectors = `WITH i AS MATERIALIZED (
	SELECT t.n, m.number, i.embedding, v.model AS was
	FROM unnest($2::uuid[], $3::integer[], $4::text[], $5::integer[], $6::text[]) AS i (id, version, model, dimensions, embedding)
	JOIN memories AS t ON t.user_id = $1 AND t.id = i.id AND t.version = i.version
	JOIN memory_vectors AS v ON v.user_id = $1 AND v.n = t.n
	JOIN memory_models AS m ON m.user_id = $1 AND m.name = i.model AND m.dimensions = i.dimensions
), saved AS (
	UPDATE memory_vectors AS v SET model = i.number, embedding = i.embedding::halfvec FROM i WHERE v.user_id = $1 AND v.n = i.n
), counted AS (
	UPDATE memory_models AS m SET rows = m.rows + c.change
	FROM (SELECT number, sum(change) AS change FROM (SELECT number, 1 AS change FROM i UNION ALL SELECT was, -1 FROM i) AS x GROUP BY number) AS c
	WHERE m.user_id = $1 AND m.number = c.number
)
SELECT count(*) FROM i`

// SaveVectors keeps vectors of memories that are still as they were when they were embedded; of a memory given twice, the last.
func (s *Store) SaveVectors(ctx context.Context, user model.UserID, vectors []store.MemoryVectorOf) (int, error) {
	vectors = lastOf(vectors, func(v store.MemoryVectorOf) model.UUID { return v.ID })
	var (
		known      models
		ids        = make([]pgtype.UUID, 0, len(vectors))
		versions   = make([]int32, 0, len(vectors))
		names      = make([]string, 0, len(vectors))
		dimensions = make([]int32, 0, len(vectors))
		embeddings = make([]string, 0, len(vectors))
	)
	for _, v := range vectors {
		name, length, embedding, err := embeddingArgs(v.Embedding)
		if err != nil {
			return 0, err
		}
		if !name.Valid {
			continue
		}
		known.add(name, length)
		ids, versions = append(ids, uuidArg(v.ID)), append(versions, int32(v.Version))
		names, dimensions, embeddings = append(names, name.String), append(dimensions, length.Int32), append(embeddings, embedding.String)
	}
	if len(ids) == 0 {
		return 0, nil
	}
	kept := 0
	err := s.within(ctx, user, nil, func(ctx context.Context, l *level) error {
		b := newBatch()
		known.into(b, userArg(user))
		b.query(sqlSaveVectors, func(r *row) { kept = int(r.int64()) }, userArg(user), ids, versions, names, dimensions, embeddings)
		return l.write(ctx, b, nil)
	})
	if err != nil {
		return 0, fmt.Errorf("postgres: save vectors: %w", err)
	}
	return kept, nil
}

// sqlExpired goes through the index of memories that expire at all, across users.
const sqlExpired = `SELECT user_id, id FROM memories WHERE expires_at < 'infinity' AND expires_at <= $1 LIMIT $2`

// ExpireMemories erases memories of any users that have expired; see the contract. Each user's go in a transaction of their own.
func (s *Store) ExpireMemories(ctx context.Context, now time.Time, limit int) (int, error) {
	due := make(map[model.UserID][]model.UUID)
	var users []model.UserID
	b := newBatch()
	b.query(sqlExpired, func(r *row) {
		user := model.UserID(r.uuid())
		if due[user] == nil {
			users = append(users, user)
		}
		due[user] = append(due[user], r.uuid())
	}, instantArg(now), int64(max(limit, 0)))
	if err := s.run(ctx, b); err != nil {
		return 0, fmt.Errorf("postgres: read expired memories: %w", err)
	}
	total := 0
	for _, user := range users {
		var gone []model.UUID
		err := s.within(ctx, user, nil, func(ctx context.Context, l *level) (err error) {
			// Who has been given more time meanwhile stays.
			gone, err = tx{reader{store: s, level: l}}.eraseMemories(ctx, due[user], instantArg(now))
			return err
		})
		if err != nil {
			return total, fmt.Errorf("postgres: erase expired memories: %w", err)
		}
		total += len(gone)
	}
	return total, nil
}
