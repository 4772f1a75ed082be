package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// EntitiesByID returns entities by the ids asked for; where one became part of another, that other one.
func (d reader) EntitiesByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.EntityColumns) (map[model.UUID]model.Entity, error) {
	found := make(map[model.UUID]model.Entity, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	shape := entityShape(want)
	q := newQuery(userArg(user))
	q.add("SELECT i.id, ", shape.list("t"), " FROM unnest(", q.param(uuidArgs(rows.Distinct(ids))), "::uuid[]) AS i (id)",
		" LEFT JOIN LATERAL (SELECT entity_id FROM entity_redirects WHERE user_id = $1 AND id = i.id LIMIT 1) AS r ON true",
		" CROSS JOIN LATERAL (SELECT ", shape.list("e"),
		" FROM entities AS e WHERE e.user_id = $1 AND e.id = coalesce(r.entity_id, i.id) LIMIT 1) AS t")
	b := newBatch()
	q.into(b, func(r *row) {
		asked := r.uuid()
		var entity model.Entity
		shape.read(r, &entity)
		found[asked] = entity
	})
	if err := d.run(ctx, "read entities by id", b); err != nil {
		return nil, err
	}
	return found, nil
}

// EntitiesByName returns, of each of the folded names, the entities that have it, oldest id first.
func (d reader) EntitiesByName(ctx context.Context, user model.UserID, names []string,
	want store.EntityColumns) (map[string][]model.Entity, error) {
	found := make(map[string][]model.Entity, len(names))
	if len(names) == 0 {
		return found, nil
	}
	if err := rows.Text(names...); err != nil {
		return nil, err
	}
	names = once(names)
	b := newBatch()
	queueByName(b, user, names, entityShape(want), found)
	if err := d.run(ctx, "read entities by name", b); err != nil {
		return nil, err
	}
	return found, nil
}

// queueByName adds the statement that reads the entities that have one of the names.
func queueByName(b *batch, user model.UserID, names []string, shape shape[model.Entity, store.EntityColumns],
	found map[string][]model.Entity) {
	q := newQuery(userArg(user))
	q.add("SELECT k.place::integer, ", shape.list("t"), " FROM unnest(", q.param(names),
		"::text[]) WITH ORDINALITY AS k (key, place)",
		" CROSS JOIN LATERAL (SELECT entity_id FROM entity_names WHERE user_id = $1 AND name_key = k.key OFFSET 0) AS n",
		" CROSS JOIN LATERAL (SELECT ", shape.list("e"),
		" FROM entities AS e WHERE e.user_id = $1 AND e.id = n.entity_id LIMIT 1) AS t ORDER BY k.place, t.id")
	q.into(b, func(r *row) {
		name := names[r.int32()-1]
		var entity model.Entity
		shape.read(r, &entity)
		found[name] = append(found[name], entity)
	})
}

// FactsByID returns the facts that exist among ids.
func (d reader) FactsByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.FactWant) ([]model.Fact, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, nil
	}
	shape := factShape(want)
	q := newQuery(userArg(user))
	q.add("SELECT ", shape.list(), " FROM facts AS t", shape.joins("$1"), " WHERE t.user_id = $1 AND ",
		oneOf(q, ids))
	return records(ctx, d, "read facts by id", q, len(ids), shape.read)
}

// FactsOfPairs returns all facts of each pair of a source and a relation, oldest id first.
func (d reader) FactsOfPairs(ctx context.Context, user model.UserID, pairs []store.FactPair,
	want store.FactWant) ([]model.Fact, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	seen := make(map[store.FactPair]struct{}, len(pairs))
	sources, relations := make([]model.UUID, 0, len(pairs)), make([]string, 0, len(pairs))
	for _, pair := range pairs {
		if _, again := seen[pair]; again {
			continue
		}
		seen[pair] = struct{}{}
		sources, relations = append(sources, pair.Source), append(relations, pair.Relation)
	}
	if err := rows.Text(relations...); err != nil {
		return nil, err
	}
	shape := factShape(want)
	q := newQuery(userArg(user))
	q.add("SELECT ", shape.list(), " FROM unnest(", q.param(uuidArgs(sources)), "::uuid[], ", q.param(relations),
		"::text[]) AS k (one, kind)",
		" CROSS JOIN LATERAL (SELECT id FROM facts WHERE user_id = $1 AND source_id = k.one AND relation = k.kind OFFSET 0) "+
			"AS p",
		" CROSS JOIN LATERAL (SELECT ", listed("e", shape.names()),
		" FROM facts AS e WHERE e.user_id = $1 AND e.id = p.id LIMIT 1) AS t", shape.joins("$1"), " ORDER BY t.id")
	return records(ctx, d, "read facts of pairs", q, len(sources), shape.read)
}

// FactsAround returns the newest facts at any of the entities; see the contract.
func (d reader) FactsAround(
	ctx context.Context, user model.UserID, entities []model.UUID, where store.FactWhere, perEntity, limit int,
	want store.FactWant,
) ([]model.Fact, error) {
	if len(entities) == 0 || perEntity <= 0 || limit <= 0 {
		return nil, nil
	}
	if err := checkFacts(&where); err != nil {
		return nil, err
	}
	shape := factShape(want)
	q := factsAround(user, entities, &where, perEntity, limit, shape)
	return records(ctx, d, "read facts around entities", q, limit, shape.read)
}

// factsAround returns the statement. Of each entity both ends are read in their indexes, newest first, until there are
// enough.
func factsAround(user model.UserID, entities []model.UUID, where *store.FactWhere, perEntity, limit int,
	shape *factShapes) *query {
	q := newQuery(userArg(user))
	ids := q.param(uuidArgs(rows.Distinct(entities)))
	conditions := append(factFilter(q, where, fromAll), factTime(q, where, "t")...).and()
	most := " LIMIT " + q.param(int64(perEntity))
	end := func(start string) string {
		return "(SELECT t.id, t.created_at FROM facts AS t WHERE t.user_id = $1 AND " + start + conditions +
			" ORDER BY t.created_at DESC, t.id DESC" + most + ")"
	}
	q.add("SELECT ", shape.list(), " FROM (SELECT DISTINCT w.created_at, w.id FROM unnest(", ids,
		"::uuid[]) AS k (id) CROSS JOIN LATERAL (SELECT u.id, u.created_at FROM (",
		end("t.source_id = k.id"), " UNION ALL ", end("t.target_id = k.id AND t.source_id <> k.id"),
		") AS u ORDER BY u.created_at DESC, u.id DESC", most, ") AS w",
		" ORDER BY w.created_at DESC, w.id DESC LIMIT ", q.param(int64(limit)), ") AS p",
		" CROSS JOIN LATERAL (SELECT ", listed("e", shape.names()),
		" FROM facts AS e WHERE e.user_id = $1 AND e.id = p.id LIMIT 1) AS t", shape.joins("$1"),
		" ORDER BY p.created_at DESC, p.id DESC")
	return q
}

// EpisodesByID returns the episodes that exist among ids.
func (d reader) EpisodesByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.EpisodeColumns) ([]model.Episode, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, nil
	}
	shape := episodeShape(want)
	q := newQuery(userArg(user))
	q.add("SELECT ", shape.list("t"), " FROM episodes AS t WHERE t.user_id = $1 AND ", oneOf(q, ids))
	return records(ctx, d, "read episodes by id", q, len(ids), shape.read)
}

// TwinEpisode returns the oldest episode of the same source, reference time and content.
func (d reader) TwinEpisode(ctx context.Context, user model.UserID, twin model.Episode,
	want store.EpisodeColumns) (model.Episode, error) {
	if err := rows.Text(string(twin.Source), twin.Content); err != nil {
		return model.Episode{}, err
	}
	shape := episodeShape(want)
	q := newQuery(userArg(user))
	q.add("SELECT ", shape.list("t"), " FROM episodes AS t WHERE t.user_id = $1 AND t.content_key = ",
		q.param(contentKey(twin.Content)), " AND t.source = ", q.param(string(twin.Source)),
		" AND t.reference_time = ", q.param(instantArg(twin.ReferenceTime)), " ORDER BY t.id LIMIT 1")
	return theOne(records(ctx, d, "look for the twin of an episode", q, 1, shape.read))
}

// MentionedIn returns the entities that an episode speaks of, by folded name, then id.
func (d reader) MentionedIn(ctx context.Context, user model.UserID, episode model.UUID, limit int,
	want store.EntityColumns) ([]model.Entity, error) {
	shape := entityShape(want)
	q := newQuery(userArg(user))
	id := q.param(uuidArg(episode))
	q.add("SELECT ", shape.list("t"), " FROM entities AS t WHERE t.user_id = $1 AND t.id = ANY(ARRAY(",
		"SELECT entity_id FROM episode_mentions WHERE user_id = $1 AND episode_id = ", id,
		" UNION SELECT e.id FROM fact_episodes AS x JOIN facts AS f ON f.user_id = $1 AND f.id = x.fact_id",
		" CROSS JOIN LATERAL (VALUES (f.source_id), (f.target_id)) AS e (id)",
		" WHERE x.user_id = $1 AND x.episode_id = ", id, ")) ORDER BY t.name_key, t.id LIMIT ", q.param(int64(max(limit, 0))))
	return records(ctx, d, "read the entities of an episode", q, max(limit, 0), shape.read)
}

const (
	// The number of rows is that of the index alone.
	sqlCountEntities = `SELECT count(*) FROM entities WHERE user_id = $1`
	sqlCountFacts    = `SELECT count(*), count(*) FILTER (WHERE valid_at <= $2 AND invalid_at > $2) FROM facts
WHERE user_id = $1`
	sqlCountEpisodes = `SELECT count(*), count(*) FILTER (WHERE state = 'QUEUED'), count(*) FILTER (WHERE state = 'FAILED')
FROM episodes WHERE user_id = $1`
	sqlCountVectors = `SELECT name, dimensions, sum(rows)::integer FROM (
	SELECT name, dimensions, rows FROM entity_models WHERE user_id = $1 UNION ALL SELECT name, dimensions, rows
	FROM fact_models WHERE user_id = $1
) AS m WHERE rows > 0 GROUP BY name, dimensions ORDER BY 3 DESC, name COLLATE "C", dimensions`
	sqlKnowledgeAt = `SELECT knowledge_at FROM users WHERE user_id = $1`
)

// KnowledgeCounts counts the user's graph.
func (d reader) KnowledgeCounts(ctx context.Context, user model.UserID, now time.Time) (store.KnowledgeCounts, error) {
	var counts store.KnowledgeCounts
	b := newBatch()
	queueCounts(b, user, instantArg(now), &counts)
	if err := d.run(ctx, "count the knowledge", b); err != nil {
		return store.KnowledgeCounts{}, err
	}
	return counts, nil
}

// queueCounts adds the statements that count.
func queueCounts(b *batch, user model.UserID, now pgtype.TimestamptzValuer, counts *store.KnowledgeCounts) {
	b.query(sqlCountEntities, func(r *row) { counts.Entities = int(r.int64()) }, userArg(user))
	b.query(sqlCountFacts, func(r *row) { counts.Facts, counts.CurrentFacts = int(r.int64()), int(r.int64()) },
		userArg(user), now)
	b.query(sqlCountEpisodes, func(r *row) {
		counts.Episodes, counts.Queued, counts.Failed = int(r.int64()), int(r.int64()), int(r.int64())
	}, userArg(user))
	b.query(sqlCountVectors, func(r *row) {
		counts.Models = append(counts.Models,
			model.ModelCount{Model: r.text(), Dimensions: int(r.int32()), Rows: int(r.int32())})
	}, userArg(user))
	b.query(sqlKnowledgeAt, func(r *row) { counts.LastUpdated = r.time() }, userArg(user))
}
