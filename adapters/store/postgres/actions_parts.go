package postgres

import (
	"context"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const (
	sqlEntityLinks = `SELECT entity_id, id, true FROM entity_redirects WHERE user_id = $1 AND entity_id = ANY($2)
UNION ALL SELECT entity_id, episode_id, false FROM episode_mentions WHERE user_id = $1 AND entity_id = ANY($2)
ORDER BY 1, 3, 2`

	// sqlSetRedirects and sqlSetMentions keep what shall stay, so that no row goes and comes in one statement.
	sqlSetRedirects = `WITH may AS MATERIALIZED (
	SELECT id FROM entities WHERE user_id = $1 AND id = $2
), gone AS (
	DELETE FROM entity_redirects AS x USING may WHERE x.user_id = $1 AND x.entity_id = may.id AND x.id <> ALL($3)
), come AS (
	INSERT INTO entity_redirects (user_id, id, entity_id)
	SELECT o.user_id, r.id, may.id FROM ` + ofUser + `, may, unnest($3::uuid[]) AS r (id)
	ON CONFLICT (user_id, id) DO UPDATE SET entity_id = excluded.entity_id
)
SELECT EXISTS (SELECT FROM may)`
	sqlSetMentions = `WITH may AS MATERIALIZED (
	SELECT id FROM entities WHERE user_id = $1 AND id = $2
), gone AS (
	DELETE FROM episode_mentions AS x USING may WHERE x.user_id = $1 AND x.entity_id = may.id
	AND x.episode_id <> ALL($3)
), come AS (
	INSERT INTO episode_mentions (user_id, episode_id, entity_id)
	SELECT e.user_id, e.id, may.id FROM may, episodes AS e WHERE e.user_id = $1 AND e.id = ANY($3)
	ON CONFLICT (user_id, episode_id, entity_id) DO NOTHING
)
SELECT EXISTS (SELECT FROM may)`
	sqlSetFactEpisodes = `WITH may AS MATERIALIZED (
	SELECT id FROM facts WHERE user_id = $1 AND id = $2
), gone AS (
	DELETE FROM fact_episodes AS x USING may WHERE x.user_id = $1 AND x.fact_id = may.id AND x.episode_id <> ALL($3)
), come AS (
	INSERT INTO fact_episodes (user_id, fact_id, episode_id)
	SELECT o.user_id, may.id, r.id FROM ` + ofUser + `, may, unnest($3::uuid[]) AS r (id)
	ON CONFLICT (user_id, fact_id, episode_id) DO NOTHING
)
SELECT EXISTS (SELECT FROM may)`

	sqlWithdrawEpisodes = `WITH it AS (
	DELETE FROM episodes WHERE user_id = $1 AND id = ANY($3) RETURNING id
), unsupported AS (
	DELETE FROM fact_episodes AS x USING it WHERE x.user_id = $1 AND x.episode_id = it.id
), unmentioned AS (
	DELETE FROM episode_mentions AS x USING it WHERE x.user_id = $1 AND x.episode_id = it.id
), touched AS (
	UPDATE users SET knowledge_at = greatest(knowledge_at, $2) WHERE user_id = $1 AND EXISTS (SELECT FROM it)
)
SELECT true, id FROM it`

	sqlWithdrawMemories = `WITH gone_memories AS (
	DELETE FROM memories WHERE user_id = $1 AND id = ANY($3) AND $2::timestamptz IS NOT NULL RETURNING id, n, entries
), versions AS (
	DELETE FROM memory_versions AS v USING gone_memories AS g WHERE v.user_id = $1 AND v.memory_id = g.id
), `
)

func sqlWithdrawFacts() string {
	return `WITH gone_facts AS (
	DELETE FROM facts WHERE user_id = $1 AND id = ANY($3) RETURNING id, n, entries
), unsupported AS (
	DELETE FROM fact_episodes AS x USING gone_facts AS g WHERE x.user_id = $1 AND x.fact_id = g.id
), touched AS (
	UPDATE users SET knowledge_at = greatest(knowledge_at, $2) WHERE user_id = $1 AND EXISTS (SELECT FROM gone_facts)
), ` + sqlUnindexed(factPopulation()) + `
SELECT true, id FROM gone_facts`
}

// sqlWithdrawEntities does nothing, and says so, when one of them has facts left.
func sqlWithdrawEntities() string {
	return `WITH may AS MATERIALIZED (
	SELECT NOT EXISTS (SELECT FROM facts WHERE user_id = $1 AND source_id = ANY($3))
	AND NOT EXISTS (SELECT FROM facts WHERE user_id = $1 AND target_id = ANY($3)) AS free
), gone_entities AS (
	DELETE FROM entities WHERE user_id = $1 AND id = ANY($3) AND (SELECT free FROM may) RETURNING id, n, entries
), unmentioned AS (
	DELETE FROM episode_mentions AS x USING gone_entities AS g WHERE x.user_id = $1 AND x.entity_id = g.id
), unnamed AS (
	DELETE FROM entity_names AS x USING gone_entities AS g WHERE x.user_id = $1 AND x.entity_id = g.id
), astray AS (
	DELETE FROM entity_redirects AS x USING gone_entities AS g WHERE x.user_id = $1 AND x.entity_id = g.id
), touched AS (
	UPDATE users SET knowledge_at = greatest(knowledge_at, $2) WHERE user_id = $1 AND EXISTS (SELECT FROM gone_entities)
), ` + sqlUnindexed(entityPopulation()) + `
SELECT free, NULL FROM may WHERE NOT free UNION ALL SELECT true, id FROM gone_entities`
}

// EntityLinks returns what leads to entities.
func (d reader) EntityLinks(ctx context.Context, user model.UserID,
	entities []model.UUID) (map[model.UUID]store.EntityLinks, error) {
	all := map[model.UUID]store.EntityLinks{}
	if len(entities) == 0 {
		return all, ctx.Err()
	}
	b := newBatch()
	b.query(sqlEntityLinks, func(r *row) {
		entity, other, redirect := r.uuid(), r.uuid(), r.bool()
		links := all[entity]
		if redirect {
			links.Redirects = append(links.Redirects, other)
		} else {
			links.Mentions = append(links.Mentions, other)
		}
		all[entity] = links
	}, userArg(user), uuidArgs(rows.Distinct(entities)))
	if err := d.run(ctx, "read what leads to entities", b); err != nil {
		return nil, err
	}
	return all, nil
}

// SetEntityLinks replaces what leads to an entity.
func (t tx) SetEntityLinks(ctx context.Context, entity model.UUID, links store.EntityLinks) error {
	const what = "set what leads to an entity"
	there := false
	b := newBatch()
	b.query(sqlSetRedirects, func(r *row) { there = r.bool() }, t.user(), uuidArg(entity),
		uuidArgs(rows.Distinct(links.Redirects)))
	b.exec(sqlSetMentions, nil, t.user(), uuidArg(entity), uuidArgs(rows.Distinct(links.Mentions)))
	return refused(t.write(ctx, what, b, nil), what, there, true)
}

// SetFactEpisodes replaces the episodes that support a fact.
func (t tx) SetFactEpisodes(ctx context.Context, fact model.UUID, episodes []model.UUID) error {
	const what = "set the episodes of a fact"
	there := false
	b := newBatch()
	b.query(sqlSetFactEpisodes, func(r *row) { there = r.bool() }, t.user(), uuidArg(fact),
		uuidArgs(rows.Distinct(episodes)))
	return refused(t.write(ctx, what, b, nil), what, there, true)
}

// Withdraw deletes records and leaves what tells of them.
func (t tx) Withdraw(ctx context.Context, ids []model.ID) error {
	const what = "withdraw"
	byKind := map[model.Kind][]model.UUID{}
	for _, id := range ids {
		byKind[id.Kind] = append(byKind[id.Kind], id.UUID)
	}
	for _, one := range []struct {
		kind   model.Kind
		change model.ChangeType
		sql    string
	}{
		{model.KindFact, model.ChangeFact, sqlWithdrawFacts()},
		{model.KindEntity, model.ChangeEntity, sqlWithdrawEntities()},
		{model.KindEpisode, model.ChangeEpisode, sqlWithdrawEpisodes},
		{model.KindMemory, model.ChangeMemory, sqlWithdrawMemories + sqlUnindexed(memoryPopulation()) + `
SELECT true, id FROM gone_memories`},
	} {
		wanted := rows.Distinct(byKind[one.kind])
		if len(wanted) == 0 {
			continue
		}
		free, gone := true, map[model.UUID]struct{}{}
		b := newBatch()
		b.query(one.sql, func(r *row) {
			if free = r.bool(); free {
				gone[r.uuid()] = struct{}{}
			} else {
				r.skip(1)
			}
		}, t.user(), t.at(), uuidArgs(wanted))
		err := t.write(ctx, what, b, func() []change {
			return changesOf(one.change, model.OperationDeleted, present(wanted, gone)...)()
		})
		if err := refused(err, what, true, free); err != nil {
			return err
		}
	}
	return nil
}
