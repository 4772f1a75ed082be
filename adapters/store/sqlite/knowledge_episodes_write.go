package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// SaveEpisodes: see store.KnowledgeWriter.
func (f *frame) SaveEpisodes(ctx context.Context, episodes []model.Episode) error {
	if len(episodes) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error {
		changes := make([]logged, len(episodes))
		for i := range episodes {
			operation, err := f.saveEpisode(q, &episodes[i])
			if err != nil {
				return err
			}
			changes[i] = logged{operation, episodes[i].ID.UUID}
		}
		return f.logSaved(q, model.ChangeEpisode, changes)
	})
	return wrap("save episodes", err)
}

var (
	sqlInsertEpisode = insertSQL(&store.EpisodeTable)
	sqlUpdateEpisode = updateSQL(&store.EpisodeTable)
)

func (f *frame) saveEpisode(q *session, e *model.Episode) (model.Operation, error) {
	args, err := argsOf(f.user, &store.EpisodeTable, e)
	if err != nil {
		return "", err
	}
	changed, err := q.write(sqlUpdateEpisode, args...)
	if err != nil || changed > 0 {
		return model.OperationUpdated, err
	}
	_, err = q.write(sqlInsertEpisode, args...)
	return model.OperationCreated, err
}

// NoteMentions: see store.KnowledgeWriter.
func (f *frame) NoteMentions(ctx context.Context, episode model.UUID, entities []model.UUID) error {
	if len(entities) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error {
		for _, entity := range rows.Distinct(entities) {
			if _, err := q.write(
				`INSERT INTO episode_mentions (user_id, episode_id, entity_id) SELECT p.user_id, p.id, e.id FROM episodes p CROSS
JOIN entities e ON e.user_id = p.user_id AND e.id = ?3
WHERE p.user_id = ?1 AND p.id = ?2
ON CONFLICT DO NOTHING`, userArg(f.user), idArg(episode), idArg(entity)); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("note mentions", err)
}

// ClaimEpisodes: see store.EpisodeQueue.
func (s *Store) ClaimEpisodes(ctx context.Context, now, until time.Time, limit int) ([]store.QueuedEpisode, error) {
	if limit <= 0 {
		return nil, ctx.Err()
	}
	return claim(ctx, s, "claim episodes", func(q *session) ([]store.QueuedEpisode, error) {
		return dueEpisodes(q, now, limit)
	}, func(q *session, due *store.QueuedEpisode) error {
		e := &due.Episode
		e.Attempts++
		e.NextAt = rows.Time(until)
		_, err := q.write(`UPDATE episodes SET attempts = ?, next_at = ? WHERE user_id = ? AND id = ?`,
			intArg(e.Attempts), boundArg(until, unbegun), userArg(due.User), idArg(e.ID.UUID))
		return err
	})
}

// dueEpisodes returns queued episodes of any users that are due, the longest first.
func dueEpisodes(q *session, now time.Time, limit int) (due []store.QueuedEpisode, err error) {
	columns := episodeSelection(store.EpisodeTable.Read(store.EpisodeRow))
	var b statement
	b.add("SELECT ")
	columns.write(&b, "m")
	b.add(", m.user_id FROM (SELECT user_id, id, next_at FROM episodes INDEXED BY episodes_queued"+
		" WHERE state = 'QUEUED' AND next_at <= ? ORDER BY next_at, user_id, id LIMIT ?) d"+
		" CROSS JOIN episodes m ON m.user_id = d.user_id AND m.id = d.id ORDER BY d.next_at, d.user_id, d.id",
		instantArg(now), intArg(limit))
	err = q.read(&b, into(&due, func(stmt *sqlite.Stmt, queued *store.QueuedEpisode) error {
		queued.User = model.UserID(columnID(stmt, len(columns)))
		return columns.readRow(stmt, &queued.Episode)
	}))
	return due, err
}
