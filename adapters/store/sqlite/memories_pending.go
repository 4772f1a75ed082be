package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// PendingMemories: see store.VectorStore. Those without a vector lie one after another in an index over all users. Those whose vector is of another model
// are looked for with the users that have such vectors.
func (s *Store) PendingMemories(ctx context.Context, name string, now time.Time, after store.PendingPlace, limit int) (pending []store.PendingMemory, last store.PendingPlace, err error) {
	last = after
	if limit <= 0 {
		return nil, last, ctx.Err()
	}
	err = s.reading(ctx, oneTransaction, func(q *session) error {
		if !after.Stale {
			if pending, err = withoutVector(q, now, after, limit); err != nil {
				return err
			}
			after = store.PendingPlace{Stale: true}
		}
		if len(pending) < limit {
			stale, err := withStaleVector(q, name, now, after, limit-len(pending))
			if err != nil {
				return err
			}
			if len(stale) > 0 {
				pending, last.Stale = append(pending, stale...), true
			}
		}
		if len(pending) > 0 {
			newest := &pending[len(pending)-1]
			last.User, last.ID = newest.User, newest.ID
		}
		return nil
	})
	if err != nil {
		return nil, store.PendingPlace{}, wrap("memories to embed", err)
	}
	return pending, last, nil
}

// pendingColumns are what is embedded.
const pendingColumns = `m.user_id, m.id, m.type, m.content, m.summary, m.tags, m.metadata, m.version`

func readPending(stmt *sqlite.Stmt) (p store.PendingMemory, err error) {
	p = store.PendingMemory{
		User: model.UserID(columnID(stmt, 0)), ID: columnID(stmt, 1), Type: model.MemoryType(stmt.ColumnText(2)), Content: stmt.ColumnText(3), Summary: stmt.ColumnText(4), Metadata: stmt.ColumnText(6), Version: stmt.ColumnInt(7),
	}
	p.Tags, err = tagsOf(stmt.ColumnText(5))
	return p, err
}

// withoutVector gives memories of any users that have none, by user and id.
func withoutVector(q *session, now time.Time, after store.PendingPlace, limit int) (pending []store.PendingMemory, err error) {
	err = q.readSQL(`SELECT `+pendingColumns+` FROM users u CROSS JOIN memory_vectors v INDEXED BY memory_vectors_model ON v.user_id = u.user_id AND v.model IS NULL
AND v.memory_id > CASE u.user_id WHEN ?1 THEN ?2 ELSE x'' END CROSS JOIN memories m INDEXED BY memories_n ON m.user_id = v.user_id AND m.n = v.n
WHERE u.user_id >= ?1 AND (m.expires_at IS NULL OR m.expires_at > ?3) ORDER BY u.user_id, v.memory_id LIMIT ?4`, func(stmt *sqlite.Stmt) error {
		p, err := readPending(stmt)
		pending = append(pending, p)
		return err
	}, userArg(after.User), idArg(after.ID), instantArg(now), intArg(limit))
	return pending, err
}

// withStaleVector gives memories of any users whose vector is of a model with another name, by user and id.
func withStaleVector(q *session, name string, now time.Time, after store.PendingPlace, limit int) (pending []store.PendingMemory, err error) {
	type stale struct {
		user  model.UserID
		model int64
	}
	var models []stale
	if err := q.readSQL(`SELECT user_id, number FROM memory_models WHERE rows > 0 AND name <> ? AND user_id >= ? ORDER BY user_id, number`, func(stmt *sqlite.Stmt) error {
		models = append(models, stale{model.UserID(columnID(stmt, 0)), stmt.ColumnInt64(1)})
		return nil
	}, textArg(name), userArg(after.User)); err != nil {
		return nil, err
	}
	for at := 0; at < len(models) && len(pending) < limit; {
		user := models[at].user
		beyond := model.UUID{}
		if user == after.User {
			beyond = after.ID
		}
		// A user's models are merged by id.
		var ofUser []store.PendingMemory
		for ; at < len(models) && models[at].user == user; at++ {
			if err := q.readSQL(`SELECT `+pendingColumns+` FROM memory_vectors v INDEXED BY memory_vectors_model CROSS JOIN memories m INDEXED BY memories_n ON m.user_id = v.user_id AND m.n = v.n
WHERE v.user_id = ? AND v.model = ? AND v.memory_id > ? AND (m.expires_at IS NULL OR m.expires_at > ?) ORDER BY v.memory_id LIMIT ?`, func(stmt *sqlite.Stmt) error {
				p, err := readPending(stmt)
				ofUser = append(ofUser, p)
				return err
			}, userArg(user), intArg(models[at].model), idArg(beyond), instantArg(now), intArg(limit-len(pending))); err != nil {
				return nil, err
			}
		}
		slices.SortFunc(ofUser, func(a, b store.PendingMemory) int { return bytes.Compare(a.ID[:], b.ID[:]) })
		pending = append(pending, ofUser[:min(len(ofUser), limit-len(pending))]...)
	}
	return pending, nil
}

// SaveVectors: see store.VectorStore.
func (s *Store) SaveVectors(ctx context.Context, user model.UserID, vectors []store.MemoryVectorOf) (kept int, err error) {
	if len(vectors) == 0 {
		return 0, ctx.Err()
	}
	err = s.within(ctx, user, func(ctx context.Context, f *frame) error {
		return f.atomically(ctx, func(q *session) error {
			kept = 0
			w, err := writeVectors(q, user, len(vectors))
			if err != nil {
				return err
			}
			for i := range vectors {
				if len(vectors[i].Embedding.Vector) == 0 {
					return model.BadInput("", "an embedding without a vector cannot be kept")
				}
				n := int64(0)
				if err := q.readSQL(`SELECT n FROM memories WHERE user_id = ? AND id = ? AND version = ?`, func(stmt *sqlite.Stmt) error { n = stmt.ColumnInt64(0); return nil },
					userArg(user), idArg(vectors[i].ID), intArg(vectors[i].Version)); err != nil {
					return err
				}
				if n == 0 {
					continue
				}
				if err := w.replace(n, &vectors[i].Embedding); err != nil {
					return err
				}
				kept++
			}
			return w.done()
		})
	})
	if err != nil {
		return 0, wrap("save vectors", err)
	}
	return kept, nil
}

// ExpireMemories: see store.VectorStore. Each user's go in a transaction of their own.
func (s *Store) ExpireMemories(ctx context.Context, now time.Time, limit int) (expired int, err error) {
	type memory struct {
		user model.UserID
		id   model.UUID
	}
	var due []memory
	err = s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(`SELECT m.user_id, m.id FROM users u CROSS JOIN memories m INDEXED BY memories_expiry
ON m.user_id = u.user_id AND m.expires_at IS NOT NULL AND m.expires_at <= ? LIMIT ?`, func(stmt *sqlite.Stmt) error {
			due = append(due, memory{model.UserID(columnID(stmt, 0)), columnID(stmt, 1)})
			return nil
		}, instantArg(now), intArg(max(limit, 0)))
	})
	if err != nil {
		return 0, wrap("expired memories", err)
	}
	slices.SortStableFunc(due, func(a, b memory) int { return cmp.Compare(string(a.user[:]), string(b.user[:])) })
	for len(due) > 0 {
		user := due[0].user
		var ids []model.UUID
		for len(due) > 0 && due[0].user == user {
			ids, due = append(ids, due[0].id), due[1:]
		}
		var gone []model.UUID
		if err := s.within(ctx, user, func(ctx context.Context, f *frame) error {
			return f.atomically(ctx, func(q *session) (err error) {
				gone, err = f.eraseMemories(q, ids, instantArg(now))
				return err
			})
		}); err != nil {
			return expired, wrap("expire memories", err)
		}
		expired += len(gone)
	}
	return expired, nil
}
