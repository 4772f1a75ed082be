package sqlite

import (
	"context"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// readIDs returns the ids in the first column of a statement's rows.
func readIDs(q *session, sql string, args ...arg) (ids []model.UUID, err error) {
	err = q.readSQL(sql, func(stmt *sqlite.Stmt) error { ids = append(ids, columnID(stmt, 0)); return nil }, args...)
	return ids, err
}

// DeleteFacts: see store.KnowledgeWriter.
func (f *frame) DeleteFacts(ctx context.Context, ids []model.UUID) (deleted []model.UUID, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	err = f.atomically(ctx, func(q *session) error {
		deleted, err = f.eraseFacts(q, ids)
		return err
	})
	if err != nil {
		return nil, wrap("delete facts", err)
	}
	return deleted, nil
}

// eraseFacts deletes facts with everything that hangs on them. Their episodes go by the foreign key.
func (f *frame) eraseFacts(q *session, ids []model.UUID) ([]model.UUID, error) {
	deleted, err := f.eraseRows(q, &factPopulation, ids)
	if err != nil {
		return nil, err
	}
	if err := f.eraseActions(q, ids); err != nil {
		return nil, err
	}
	if err := f.eraseAnswers(q, model.KindFact, deleted); err != nil {
		return nil, err
	}
	return deleted, f.logErased(q, model.ChangeFact, deleted...)
}

// DeleteEntities: see store.KnowledgeWriter.
func (f *frame) DeleteEntities(ctx context.Context, ids []model.UUID) (deleted []model.UUID, facts int, err error) {
	if len(ids) == 0 {
		return nil, 0, nil
	}
	err = f.atomically(ctx, func(q *session) error {
		deleted, facts, err = f.eraseEntities(q, ids)
		return err
	})
	if err != nil {
		return nil, 0, wrap("delete entities", err)
	}
	return deleted, facts, nil
}

// eraseEntities deletes entities with everything that hangs on them, first their facts. Names, mentions and redirects
// go by the foreign keys. A recorded answer that knows an entity by an id that it had before a merge tells of it too.
func (f *frame) eraseEntities(q *session, ids []model.UUID) (deleted []model.UUID, facts int, err error) {
	var ends, known []model.UUID
	for _, id := range ids {
		of, err := readIDs(q,
			`SELECT id FROM facts WHERE user_id = ?1 AND source_id = ?2 UNION ALL SELECT id FROM facts WHERE user_id = ?1
AND target_id = ?2`, userArg(f.user), idArg(id))
		if err != nil {
			return nil, 0, err
		}
		before, err := readIDs(q, `SELECT id FROM entity_redirects WHERE user_id = ? AND entity_id = ?`, userArg(f.user),
			idArg(id))
		if err != nil {
			return nil, 0, err
		}
		ends, known = append(ends, of...), append(known, before...)
	}
	gone, err := f.eraseFacts(q, ends)
	if err != nil {
		return nil, 0, err
	}
	if deleted, err = f.eraseRows(q, &entityPopulation, ids); err != nil {
		return nil, 0, err
	}
	if err := f.eraseActions(q, slices.Concat(ids, known)); err != nil {
		return nil, 0, err
	}
	if err := f.eraseAnswers(q, model.KindEntity, slices.Concat(deleted, known)); err != nil {
		return nil, 0, err
	}
	return deleted, len(gone), f.logErased(q, model.ChangeEntity, deleted...)
}

// DeleteEpisode: see store.KnowledgeWriter.
func (f *frame) DeleteEpisode(ctx context.Context, id model.UUID) (facts, entities int, err error) {
	err = f.atomically(ctx, func(q *session) (err error) {
		facts, entities, err = f.eraseEpisode(q, id)
		return err
	})
	if err != nil {
		return 0, 0, wrap("delete episode", err)
	}
	return facts, entities, nil
}

func (f *frame) eraseEpisode(q *session, id model.UUID) (facts, entities int, err error) {
	user, episode := userArg(f.user), idArg(id)
	there, err := readIDs(q, `SELECT id FROM episodes WHERE user_id = ? AND id = ?`, user, episode)
	if err == nil && len(there) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return 0, 0, err
	}
	const alone = `fact_episodes r WHERE r.user_id = ?1 AND r.episode_id = ?2
AND NOT EXISTS (SELECT 1 FROM fact_episodes o WHERE o.user_id = r.user_id AND o.fact_id = r.fact_id
AND o.episode_id <> ?2)`
	supported, err := readIDs(q, `SELECT r.fact_id FROM `+alone, user, episode)
	if err != nil {
		return 0, 0, err
	}
	spoken, err := readIDs(q, `SELECT entity_id FROM episode_mentions WHERE user_id = ?1 AND episode_id = ?2
UNION SELECT f.source_id FROM facts f WHERE f.user_id = ?1 AND f.id IN (SELECT r.fact_id FROM `+alone+`) UNION
SELECT f.target_id FROM facts f WHERE f.user_id = ?1 AND f.id IN (SELECT r.fact_id FROM `+alone+`)`, user, episode)
	if err != nil {
		return 0, 0, err
	}
	gone, err := f.eraseFacts(q, supported)
	if err != nil {
		return 0, 0, err
	}
	for _, sql := range [...]string{`DELETE FROM fact_episodes WHERE user_id = ? AND episode_id = ?`,
		`DELETE FROM episodes WHERE user_id = ? AND id = ?`} {
		if _, err := q.write(sql, user, episode); err != nil {
			return 0, 0, err
		}
	}
	var unspoken []model.UUID
	for _, entity := range spoken {
		left, err := readIDs(q,
			`SELECT e.id FROM entities e WHERE e.user_id = ?1 AND e.id = ?2 AND e.version = 1
AND NOT EXISTS (SELECT 1 FROM facts WHERE user_id = ?1 AND source_id = ?2)
AND NOT EXISTS (SELECT 1 FROM facts WHERE user_id = ?1 AND target_id = ?2)
AND NOT EXISTS (SELECT 1 FROM episode_mentions WHERE user_id = ?1 AND entity_id = ?2)`, user, idArg(entity))
		if err != nil {
			return 0, 0, err
		}
		unspoken = append(unspoken, left...)
	}
	erased, _, err := f.eraseEntities(q, unspoken)
	if err != nil {
		return 0, 0, err
	}
	if err := f.eraseActions(q, there); err != nil {
		return 0, 0, err
	}
	if err := f.eraseAnswers(q, model.KindEpisode, there); err != nil {
		return 0, 0, err
	}
	if err := noteErasure(q); err != nil {
		return 0, 0, err
	}
	return len(gone), len(erased), f.logErased(q, model.ChangeEpisode, id)
}

// ClearKnowledge: see store.KnowledgeWriter. The names of models stay, as they do when the last vector of one is
// deleted.
func (f *frame) ClearKnowledge(ctx context.Context) (counts store.KnowledgeCounts, err error) {
	err = f.atomically(ctx, func(q *session) error {
		if counts, err = readKnowledgeCounts(q, f.user, f.at); err != nil {
			return err
		}
		if err := f.eraseActionsAbout(q, model.KindEntity, model.KindFact, model.KindEpisode); err != nil {
			return err
		}
		if counts.Entities+counts.Facts+counts.Episodes == 0 {
			return nil
		}
		for _, sql := range [...]string{
			`DELETE FROM fact_terms WHERE user_id = ?`, `DELETE FROM fact_vectors WHERE user_id = ?`,
			`UPDATE fact_models SET rows = 0 WHERE user_id = ?`, `DELETE FROM fact_episodes WHERE user_id = ?`,
			`DELETE FROM facts WHERE user_id = ?`, `DELETE FROM episode_mentions WHERE user_id = ?`,
			`DELETE FROM episodes WHERE user_id = ?`,
			`DELETE FROM entity_terms WHERE user_id = ?`, `DELETE FROM entity_vectors WHERE user_id = ?`,
			`UPDATE entity_models SET rows = 0 WHERE user_id = ?`, `DELETE FROM entity_names WHERE user_id = ?`,
			`DELETE FROM entity_redirects WHERE user_id = ?`, `DELETE FROM entities WHERE user_id = ?`,
		} {
			if _, err := q.write(sql, userArg(f.user)); err != nil {
				return err
			}
		}
		for _, kind := range [...]model.Kind{model.KindEntity, model.KindFact, model.KindEpisode} {
			if err := f.eraseAllAnswers(q, kind); err != nil {
				return err
			}
		}
		if err := noteErasure(q); err != nil {
			return err
		}
		f.s.library.forget(f.user, &entityPopulation, &factPopulation)
		return f.logErased(q, model.ChangeKnowledge, model.UUID(f.user))
	})
	if err != nil {
		return store.KnowledgeCounts{}, wrap("clear knowledge", err)
	}
	return counts, nil
}
