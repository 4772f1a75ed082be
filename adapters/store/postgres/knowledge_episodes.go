package postgres

import (
	"context"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

var sqlSaveEpisodes = filled(`WITH i AS MATERIALIZED (
	SELECT i.*, o.id IS NULL AS fresh FROM ({given}) AS i LEFT JOIN episodes AS o ON o.user_id = $1 AND o.id = i.id
), saved AS (
	INSERT INTO episodes (user_id, {names}) SELECT o.user_id, {names} FROM `+ofUser+`, i
	ORDER BY place
	ON CONFLICT (user_id, id) DO UPDATE SET {replaced}
), touched AS (
	UPDATE users SET knowledge_at = greatest(knowledge_at, {at}) WHERE user_id = $1
)
SELECT id, fresh FROM i ORDER BY place`, "{given}", given(2, parametersOf(store.EpisodeTable.All())),
	"{names}", strings.Join(store.Names(store.EpisodeTable.All()), ", "),
	"{replaced}", excluded(store.Names(store.EpisodeTable.Replaced())...),
	"{at}", numbered(2+len(store.EpisodeTable.All()), 1))

const sqlNoteMentions = `INSERT INTO episode_mentions (user_id, episode_id, entity_id)
SELECT e.user_id, $2, e.id FROM entities AS e WHERE e.user_id = $1 AND e.id = ANY($3)
AND EXISTS (SELECT FROM episodes WHERE user_id = $1 AND id = $2)
ON CONFLICT (user_id, episode_id, entity_id) DO NOTHING`

// SaveEpisodes inserts episodes or replaces them by id.
func (t tx) SaveEpisodes(ctx context.Context, episodes []model.Episode) error {
	if len(episodes) == 0 {
		return nil
	}
	saved := &savedRows{kind: model.ChangeEpisode}
	b := newBatch()
	for _, run := range runs(episodes, func(one model.Episode) model.UUID { return one.ID.UUID }) {
		args, err := arrays(t.user(), store.EpisodeTable.All(), run)
		if err != nil {
			return err
		}
		b.query(sqlSaveEpisodes, saved.read, append(args, t.at())...)
	}
	return t.save(ctx, "save episodes", b, saved, len(episodes))
}

// NoteMentions notes that an episode speaks of entities.
func (t tx) NoteMentions(ctx context.Context, episode model.UUID, entities []model.UUID) error {
	if len(entities) == 0 {
		return nil
	}
	b := newBatch()
	b.exec(sqlNoteMentions, nil, t.user(), uuidArg(episode), uuidArgs(rows.Distinct(entities)))
	return t.write(ctx, "note what an episode speaks of", b, nil)
}

var dueEpisodes = queueOf("episodes", "q.state = 'QUEUED' AND q.next_at <= $1", "q.next_at, q.user_id, q.id")

func sqlClaimEpisodes(columns []string) string {
	return sqlTaking("episodes", "next_at", []string{"id"}, dueEpisodes.where, ", attempts = t.attempts + 1",
		"user_id, "+strings.Join(columns, ", "))
}

// ClaimEpisodes returns episodes that are due to be read and sets when they are due next.
func (s *Store) ClaimEpisodes(ctx context.Context, now, until time.Time, limit int) ([]store.QueuedEpisode, error) {
	shape := episodeShape(store.EpisodeRow)
	return claim(ctx, s, "claim episodes", dueEpisodes, sqlClaimEpisodes(shape.names()),
		func(r *row, one *store.QueuedEpisode) {
			one.User = model.UserID(r.uuid())
			shape.read(r, &one.Episode)
		}, now, until, limit)
}
