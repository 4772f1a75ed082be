package postgres

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const (
	sqlSaveEpisodes = `WITH i AS MATERIALIZED (
	SELECT i.*, o.id IS NULL AS fresh FROM unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[], $6::integer[], $7::bytea[], $8::text[], $9::text[], $10::text[], $11::text[],
		$12::text[], $13::text[]) WITH ORDINALITY
		AS i (id, reference_time, created_at, next_at, attempts, content_key, source, state, name, source_description, problem, content, place)
	LEFT JOIN episodes AS o ON o.user_id = $1 AND o.id = i.id
), saved AS (
	INSERT INTO episodes (user_id, id, reference_time, created_at, next_at, attempts, content_key, source, state, name, source_description, problem, content)
	SELECT $1, id, reference_time, created_at, next_at, attempts, content_key, source, state, name, source_description, problem, content FROM i ORDER BY place
	ON CONFLICT (user_id, id) DO UPDATE SET reference_time = excluded.reference_time, created_at = excluded.created_at, next_at = excluded.next_at, attempts = excluded.attempts,
		content_key = excluded.content_key, source = excluded.source, state = excluded.state, name = excluded.name, source_description = excluded.source_description,
		problem = excluded.problem, content = excluded.content
), touched AS (
	UPDATE users SET knowledge_at = greatest(knowledge_at, $14) WHERE user_id = $1
)
SELECT id, fresh FROM i ORDER BY place`

	sqlNoteMentions = `INSERT INTO episode_mentions (user_id, episode_id, entity_id) SELECT $1, $2, e.id FROM entities AS e
WHERE e.user_id = $1 AND e.id = ANY($3) AND EXISTS (SELECT FROM episodes WHERE user_id = $1 AND id = $2) ON CONFLICT (user_id, episode_id, entity_id) DO NOTHING`
)

// SaveEpisodes inserts episodes or replaces them by id.
func (t tx) SaveEpisodes(ctx context.Context, episodes []model.Episode) error {
	if len(episodes) == 0 {
		return nil
	}
	saved := &savedRows{kind: model.ChangeEpisode}
	b := newBatch()
	for _, run := range runs(episodes, func(one model.Episode) model.UUID { return one.ID.UUID }) {
		ids, attempts, keys := make([]pgtype.UUID, len(run)), make([]int32, len(run)), make([][]byte, len(run))
		happened, created, next := make([]pgtype.Timestamptz, len(run)), make([]pgtype.Timestamptz, len(run)),
			make([]pgtype.Timestamptz, len(run))
		sources, states, names := make([]string, len(run)), make([]string, len(run)), make([]string, len(run))
		origins, problems, contents := make([]string, len(run)), make([]string, len(run)), make([]string, len(run))
		for i := range run {
			one := &run[i]
			if err := rows.Text(string(one.Source), string(one.State), one.Name, one.SourceDescription, one.Problem,
				one.Content); err != nil {
				return err
			}
			ids[i], attempts[i], keys[i] = uuidArg(one.ID.UUID), int32(min(one.Attempts, math.MaxInt32)), contentKey(one.Content)
			happened[i], created[i], next[i] = instantArg(one.ReferenceTime), instantArg(one.CreatedAt), instantArg(one.NextAt)
			sources[i], states[i], names[i] = string(one.Source), string(one.State), one.Name
			origins[i], problems[i], contents[i] = one.SourceDescription, one.Problem, one.Content
		}
		b.query(sqlSaveEpisodes, saved.read, t.user(), ids, happened, created, next, attempts, keys, sources, states, names,
			origins, problems, contents, instantArg(t.level.tx.at))
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

// sqlClaimEpisodes passes over the rows that another process is about to claim, and looks again at those that it has to
// lock: a row that was claimed meanwhile is not due any more.
func sqlClaimEpisodes(columns []string) string {
	return `WITH due AS (
	SELECT user_id, id, next_at AS was FROM episodes WHERE state = 'QUEUED' AND next_at <= $1 ORDER BY next_at, user_id, id LIMIT $3 FOR UPDATE SKIP LOCKED
), taken AS (
	UPDATE episodes AS e SET next_at = $2, attempts = e.attempts + 1 FROM due WHERE e.user_id = due.user_id AND e.id = due.id RETURNING e.*, due.was
)
SELECT user_id, ` + strings.Join(columns, ", ") + ` FROM taken ORDER BY was, user_id, id`
}

// ClaimEpisodes gives episodes that are due to be read and sets when they are due next.
func (s *Store) ClaimEpisodes(ctx context.Context, now, until time.Time, limit int) ([]store.QueuedEpisode, error) {
	shape := episodeShape(store.EpisodeRow)
	var due []store.QueuedEpisode
	b := newBatch()
	b.query(sqlClaimEpisodes(shape.columns()), func(r *row) {
		due = append(due, store.QueuedEpisode{User: model.UserID(r.uuid()), Episode: shape.read(r)})
	}, instantArg(now), instantArg(until), int64(max(limit, 0)))
	if err := s.write(ctx, b); err != nil {
		return nil, fmt.Errorf("postgres: claim episodes: %w", err)
	}
	return due, nil
}
