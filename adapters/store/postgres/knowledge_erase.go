package postgres

import (
	"context"
	"slices"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// Erasing leaves no row that tells of what is gone. What the server keeps of deleted rows until it vacuums, and in its
// log, no statement sees.

// sqlUnindexed is the part of a statement that takes rows of a population out of the index of words and off the shelf
// of vectors: those that gone_ and the population's table name, with id, n and entries.
func sqlUnindexed(in population) string {
	gone := `gone_` + in.rows
	return `words_of_` + in.rows + ` AS (
	DELETE FROM ` + in.terms + ` AS k USING ` + gone + ` AS g WHERE k.user_id = $1 AND k.term = ANY (g.entries)
AND k.n = g.n
), vectors_of_` + in.rows + ` AS (
	DELETE FROM ` + in.vectors + ` AS v USING ` + gone + ` AS g WHERE v.user_id = $1 AND v.n = g.n RETURNING v.model
), counts_of_` + in.rows + ` AS (
	UPDATE ` + in.models + ` AS m SET rows = m.rows - c.count
FROM (SELECT model, count(*)
FROM vectors_of_` + in.rows + ` GROUP BY model) AS c WHERE m.user_id = $1 AND m.number = c.model
)`
}

// sqlTold is the part that erases what recorded answers tell of what erased names, and notes when; $2 is the moment.
// The list of what is erased is made once, whatever the number of answers.
const sqlTold = `told AS (
	UPDATE idempotency SET answer = CASE WHEN answer IS NOT NULL THEN ''::bytea END, erased = answer IS NOT NULL,
	notes = NULL, mentions = NULL
	WHERE user_id = $1 AND key IN (
		SELECT i.key FROM idempotency AS i CROSS JOIN unnest(i.mentions) AS m (id) WHERE i.user_id = $1
		AND (m.id IN (SELECT id FROM erased)) IS TRUE)
), touched AS (
	UPDATE users SET knowledge_at = greatest(knowledge_at, $2) WHERE user_id = $1 AND EXISTS (SELECT FROM erased)
)`

func sqlDeleteFacts() string {
	return `WITH gone_facts AS (
	DELETE FROM facts WHERE user_id = $1 AND id = ANY($3) RETURNING id, n, entries
), unsupported AS (
	DELETE FROM fact_episodes AS x USING gone_facts AS g WHERE x.user_id = $1 AND x.fact_id = g.id
), erased AS (
	SELECT id FROM gone_facts
), ` + sqlUnindexed(factPopulation()) + `, ` + sqlTold + `
SELECT 'FACT', id FROM gone_facts`
}

// sqlDeleteEntities: answers may also tell of an entity under the id that it had before it became part of another.
func sqlDeleteEntities() string {
	return `WITH gone_entities AS (
	DELETE FROM entities WHERE user_id = $1 AND id = ANY($3) RETURNING id, n, entries
), held AS MATERIALIZED (
	SELECT f.id FROM gone_entities AS g JOIN facts AS f ON f.user_id = $1 AND f.source_id = g.id
	UNION SELECT f.id FROM gone_entities AS g JOIN facts AS f ON f.user_id = $1 AND f.target_id = g.id
), gone_facts AS (
	DELETE FROM facts AS f USING held WHERE f.user_id = $1 AND f.id = held.id RETURNING f.id, f.n, f.entries
), unsupported AS (
	DELETE FROM fact_episodes AS x USING gone_facts AS g WHERE x.user_id = $1 AND x.fact_id = g.id
), unmentioned AS (
	DELETE FROM episode_mentions AS x USING gone_entities AS g WHERE x.user_id = $1 AND x.entity_id = g.id
), unnamed AS (
	DELETE FROM entity_names AS x USING gone_entities AS g WHERE x.user_id = $1 AND x.entity_id = g.id
), astray AS (
	DELETE FROM entity_redirects AS x USING gone_entities AS g WHERE x.user_id = $1 AND x.entity_id = g.id RETURNING x.id
), erased AS (
	SELECT id FROM gone_entities UNION ALL SELECT id FROM astray UNION ALL SELECT id FROM gone_facts
), ` + sqlUnindexed(entityPopulation()) + `, ` + sqlUnindexed(factPopulation()) + `, ` + sqlTold + `
SELECT 'FACT', id FROM gone_facts UNION ALL SELECT 'ENTITY', id FROM gone_entities`
}

// sqlDeleteEpisode: lonely are the entities of which nothing else speaks.
func sqlDeleteEpisode() string {
	return `WITH it AS (
	DELETE FROM episodes WHERE user_id = $1 AND id = $3 RETURNING id
), solely AS MATERIALIZED (
	SELECT x.fact_id AS id FROM it JOIN fact_episodes AS x ON x.user_id = $1 AND x.episode_id = it.id
	WHERE NOT EXISTS (SELECT FROM fact_episodes AS o WHERE o.user_id = $1 AND o.fact_id = x.fact_id
	AND o.episode_id <> it.id)
), ends AS MATERIALIZED (
	SELECT f.source_id, f.target_id FROM solely JOIN facts AS f ON f.user_id = $1 AND f.id = solely.id
), spoken AS MATERIALIZED (
	SELECT x.entity_id AS id FROM it JOIN episode_mentions AS x ON x.user_id = $1 AND x.episode_id = it.id
	UNION SELECT source_id FROM ends UNION SELECT target_id FROM ends
), lonely AS MATERIALIZED (
	SELECT s.id FROM spoken AS s
	WHERE NOT EXISTS (SELECT FROM episode_mentions AS x WHERE x.user_id = $1 AND x.entity_id = s.id AND x.episode_id <> $3)
		AND NOT EXISTS (SELECT FROM facts AS f WHERE f.user_id = $1 AND f.source_id = s.id
		AND f.id NOT IN (SELECT id FROM solely))
		AND NOT EXISTS (SELECT FROM facts AS f WHERE f.user_id = $1 AND f.target_id = s.id
		AND f.id NOT IN (SELECT id FROM solely))
), gone_facts AS (
	DELETE FROM facts AS f USING solely WHERE f.user_id = $1 AND f.id = solely.id RETURNING f.id, f.n, f.entries
), gone_entities AS (
	DELETE FROM entities AS e USING lonely WHERE e.user_id = $1 AND e.id = lonely.id AND e.version = 1
	RETURNING e.id, e.n, e.entries
), unsupported AS (
	DELETE FROM fact_episodes AS x USING it WHERE x.user_id = $1 AND x.episode_id = it.id
), unmentioned AS (
	DELETE FROM episode_mentions AS x USING it WHERE x.user_id = $1 AND x.episode_id = it.id
), unnamed AS (
	DELETE FROM entity_names AS x USING gone_entities AS g WHERE x.user_id = $1 AND x.entity_id = g.id
), astray AS (
	DELETE FROM entity_redirects AS x USING gone_entities AS g WHERE x.user_id = $1 AND x.entity_id = g.id RETURNING x.id
), erased AS (
	SELECT id FROM it UNION ALL SELECT id FROM gone_entities UNION ALL SELECT id FROM astray
	UNION ALL SELECT id FROM gone_facts
), ` + sqlUnindexed(entityPopulation()) + `, ` + sqlUnindexed(factPopulation()) + `, ` + sqlTold + `
SELECT 'FACT', id FROM gone_facts UNION ALL SELECT 'ENTITY', id FROM gone_entities UNION ALL SELECT 'EPISODE', id
FROM it`
}

// erase runs a statement that erases and returns the ids that went, by their type. The changes are those of the facts,
// the entities and the episodes, each as the caller orders them.
func (t tx) erase(ctx context.Context, what, sql string, of any, given []model.UUID,
	order func(kind model.ChangeType, gone []model.UUID) []model.UUID) (map[model.ChangeType][]model.UUID, error) {
	gone := make(map[model.ChangeType][]model.UUID)
	b := newBatch()
	b.exec(sqlEraseActionsOfGraph, nil, t.user(), uuidArgs(given)) // before the redirects go
	b.query(sql, func(r *row) {
		kind := model.ChangeType(r.text())
		gone[kind] = append(gone[kind], r.uuid())
	}, t.user(), t.at(), of)
	err := t.write(ctx, what, b, func() (changes []change) {
		for _, kind := range [...]model.ChangeType{model.ChangeFact, model.ChangeEntity, model.ChangeEpisode} {
			gone[kind] = order(kind, gone[kind])
			changes = append(changes, changesOf(kind, model.OperationDeleted, gone[kind]...)()...)
		}
		return changes
	})
	return gone, err
}

// byID is an order for what nobody has given one.
func byID(ids []model.UUID) []model.UUID {
	slices.SortFunc(ids, func(a, b model.UUID) int { return slices.Compare(a[:], b[:]) })
	return ids
}

// asGiven puts ids of a type in the order in which the caller gave them, and all others by id.
func asGiven(given model.ChangeType, ids []model.UUID) func(kind model.ChangeType, gone []model.UUID) []model.UUID {
	return func(kind model.ChangeType, gone []model.UUID) []model.UUID {
		if kind != given {
			return byID(gone)
		}
		set := make(map[model.UUID]struct{}, len(gone))
		for _, id := range gone {
			set[id] = struct{}{}
		}
		return present(ids, set)
	}
}

// DeleteEntities erases entities with all that tells of them; see the contract.
func (t tx) DeleteEntities(ctx context.Context, ids []model.UUID) (deleted []model.UUID, facts int, err error) {
	if len(ids) == 0 {
		return nil, 0, nil
	}
	gone, err := t.erase(ctx, "delete entities", sqlDeleteEntities(), uuidArgs(rows.Distinct(ids)), ids,
		asGiven(model.ChangeEntity, ids))
	if err != nil {
		return nil, 0, err
	}
	return gone[model.ChangeEntity], len(gone[model.ChangeFact]), nil
}

// DeleteFacts erases facts; see the contract.
func (t tx) DeleteFacts(ctx context.Context, ids []model.UUID) ([]model.UUID, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	gone, err := t.erase(ctx, "delete facts", sqlDeleteFacts(), uuidArgs(rows.Distinct(ids)), ids,
		asGiven(model.ChangeFact, ids))
	if err != nil {
		return nil, err
	}
	return gone[model.ChangeFact], nil
}

// DeleteEpisode erases an episode with what only it speaks of; see the contract.
func (t tx) DeleteEpisode(ctx context.Context, id model.UUID) (facts, entities int, err error) {
	gone, err := t.erase(ctx, "delete an episode", sqlDeleteEpisode(), uuidArg(id), []model.UUID{id},
		asGiven(model.ChangeEpisode, []model.UUID{id}))
	if err := refused(err, "delete an episode", len(gone[model.ChangeEpisode]) > 0, true); err != nil {
		return 0, 0, err
	}
	if with := slices.Concat(gone[model.ChangeFact], gone[model.ChangeEntity]); len(with) > 0 {
		b := newBatch()
		b.exec(sqlEraseActionsOf, nil, t.user(), uuidArgs(with))
		if err := t.write(ctx, "erase actions", b, nil); err != nil {
			return 0, 0, err
		}
	}
	return len(gone[model.ChangeFact]), len(gone[model.ChangeEntity]), nil
}

// sqlMoveEntity does nothing unless both are there, are two, and the one has no facts.
func sqlMoveEntity() string {
	return `WITH may AS MATERIALIZED (
	SELECT EXISTS (SELECT FROM entities WHERE user_id = $1 AND id = $3)
	AND EXISTS (SELECT FROM entities WHERE user_id = $1 AND id = $4) AS found,
		$3 <> $4 AND NOT EXISTS (SELECT FROM facts WHERE user_id = $1 AND source_id = $3)
		AND NOT EXISTS (SELECT FROM facts WHERE user_id = $1 AND target_id = $3) AS free
), gone_entities AS (
	DELETE FROM entities WHERE user_id = $1 AND id = $3 AND (SELECT found AND free FROM may) RETURNING id, n, entries
), unmentioned AS (
	DELETE FROM episode_mentions AS x USING gone_entities AS g WHERE x.user_id = $1 AND x.entity_id = g.id
	RETURNING x.episode_id
), mentioned AS (
	INSERT INTO episode_mentions (user_id, episode_id, entity_id)
	SELECT o.user_id, x.episode_id, $4 FROM ` + ofUser + `, unmentioned AS x
	ON CONFLICT (user_id, episode_id, entity_id) DO NOTHING
), unnamed AS (
	DELETE FROM entity_names AS x USING gone_entities AS g WHERE x.user_id = $1 AND x.entity_id = g.id
), led AS (
	UPDATE entity_redirects AS x SET entity_id = $4 FROM gone_entities AS g WHERE x.user_id = $1 AND x.entity_id = g.id
), leads AS (
	INSERT INTO entity_redirects (user_id, id, entity_id)
	SELECT o.user_id, g.id, $4 FROM ` + ofUser + `, gone_entities AS g
), touched AS (
	UPDATE users SET knowledge_at = greatest(knowledge_at, $2) WHERE user_id = $1 AND EXISTS (SELECT FROM gone_entities)
), ` + sqlUnindexed(entityPopulation()) + `
SELECT found, free FROM may`
}

// MoveEntity makes an entity part of another; see the contract.
func (t tx) MoveEntity(ctx context.Context, from, into model.UUID) error {
	found, free := false, false
	b := newBatch()
	b.query(sqlMoveEntity(), func(r *row) { found, free = r.bool(), r.bool() }, t.user(), t.at(),
		uuidArg(from), uuidArg(into))
	err := t.write(ctx, "make an entity part of another", b, func() []change {
		if !found || !free {
			return nil
		}
		return changesOf(model.ChangeEntity, model.OperationDeleted, from)()
	})
	return refused(err, "make an entity part of another", found, free)
}

const (
	sqlForgetKnowledge = `UPDATE idempotency SET answer = CASE WHEN answer IS NOT NULL THEN ''::bytea END,
erased = answer IS NOT NULL, notes = NULL, mentions = NULL
WHERE user_id = $1 AND key IN (
	SELECT i.key FROM idempotency AS i CROSS JOIN unnest(i.mentions) AS m (id) WHERE i.user_id = $1 AND (m.id IN (
		SELECT id FROM entities WHERE user_id = $1 UNION ALL SELECT id FROM entity_redirects WHERE user_id = $1
		UNION ALL SELECT id FROM facts WHERE user_id = $1
		UNION ALL SELECT id FROM episodes WHERE user_id = $1)) IS TRUE)`

	// sqlTouchKnowledge: what is not there cannot have been cleared.
	sqlTouchKnowledge = `UPDATE users SET knowledge_at = greatest(knowledge_at, $2) WHERE user_id = $1 AND (
	EXISTS (SELECT FROM entities WHERE user_id = $1) OR EXISTS (SELECT FROM facts WHERE user_id = $1)
	OR EXISTS (SELECT FROM episodes WHERE user_id = $1))`
)

// ClearKnowledge erases the user's whole graph; see the contract. The numbers of models stay, since none is given
// twice.
func (t tx) ClearKnowledge(ctx context.Context) (store.KnowledgeCounts, error) {
	var counts store.KnowledgeCounts
	user := t.level.tx.user
	b := newBatch()
	queueCounts(b, user, t.at(), &counts)
	b.exec(sqlTouchKnowledge, nil, t.user(), t.at())
	b.exec(sqlForgetKnowledge, nil, t.user())
	b.exec(sqlEraseActionsAbout, nil, t.user(),
		[]string{string(model.KindEntity), string(model.KindFact), string(model.KindEpisode)})
	for _, in := range [...]population{entityPopulation(), factPopulation()} {
		for _, table := range [...]string{in.rows, in.terms, in.vectors} {
			b.exec("DELETE FROM "+table+" WHERE user_id = $1", nil, t.user())
		}
		b.exec("UPDATE "+in.models+" SET rows = 0 WHERE user_id = $1 AND rows > 0", nil, t.user())
	}
	for _, table := range [...]string{"entity_names", "entity_redirects", "fact_episodes", "episode_mentions",
		"episodes"} {
		b.exec("DELETE FROM "+table+" WHERE user_id = $1", nil, t.user())
	}
	err := t.write(ctx, "clear the knowledge", b, func() []change {
		if counts.Entities+counts.Facts+counts.Episodes == 0 {
			return nil
		}
		return changesOf(model.ChangeKnowledge, model.OperationDeleted, model.UUID(user))()
	})
	if err != nil {
		return store.KnowledgeCounts{}, err
	}
	return counts, nil
}
