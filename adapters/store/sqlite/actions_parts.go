package sqlite

import (
	"context"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// EntityLinks: see store.PartsReader.
func (r reader) EntityLinks(ctx context.Context, user model.UserID,
	entities []model.UUID) (map[model.UUID]store.EntityLinks, error) {
	return answer(ctx, r, "entity links", oneTransaction, func(q *session) (map[model.UUID]store.EntityLinks, error) {
		all := map[model.UUID]store.EntityLinks{}
		for _, id := range rows.Distinct(entities) {
			redirects, err := readIDs(q, `SELECT id FROM entity_redirects WHERE user_id = ? AND entity_id = ? ORDER BY id`,
				userArg(user), idArg(id))
			if err != nil {
				return nil, err
			}
			mentions, err := readIDs(q, `SELECT episode_id FROM episode_mentions INDEXED BY episode_mentions_entity
WHERE user_id = ? AND entity_id = ? ORDER BY episode_id`, userArg(user), idArg(id))
			if err != nil {
				return nil, err
			}
			if len(redirects)+len(mentions) > 0 {
				all[id] = store.EntityLinks{Redirects: redirects, Mentions: mentions}
			}
		}
		return all, nil
	})
}

// SetEntityLinks: see store.PartsWriter.
func (f *frame) SetEntityLinks(ctx context.Context, entity model.UUID, links store.EntityLinks) error {
	err := f.atomically(ctx, func(q *session) error {
		user, id := userArg(f.user), idArg(entity)
		if err := thereIs(q, `SELECT 1 FROM entities WHERE user_id = ? AND id = ?`, user, id); err != nil {
			return err
		}
		for _, sql := range [...]string{`DELETE FROM entity_redirects WHERE user_id = ? AND entity_id = ?`,
			`DELETE FROM episode_mentions WHERE user_id = ? AND entity_id = ?`} {
			if _, err := q.write(sql, user, id); err != nil {
				return err
			}
		}
		for _, redirect := range links.Redirects {
			if _, err := q.write(`INSERT INTO entity_redirects (user_id, id, entity_id) VALUES (?, ?, ?)
ON CONFLICT DO UPDATE SET entity_id = excluded.entity_id`, user, idArg(redirect), id); err != nil {
				return err
			}
		}
		for _, episode := range links.Mentions {
			if _, err := q.write(`INSERT INTO episode_mentions (user_id, episode_id, entity_id)
SELECT user_id, id, ?3 FROM episodes WHERE user_id = ?1 AND id = ?2`, user, idArg(episode), id); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("set entity links", err)
}

// thereIs is store.ErrNotFound when a statement returns no row.
func thereIs(q *session, sql string, args ...arg) error {
	_, there, err := q.number(sql, args...)
	if err == nil && !there {
		err = store.ErrNotFound
	}
	return err
}

// SetFactEpisodes: see store.PartsWriter.
func (f *frame) SetFactEpisodes(ctx context.Context, fact model.UUID, episodes []model.UUID) error {
	err := f.atomically(ctx, func(q *session) error {
		user, id := userArg(f.user), idArg(fact)
		if err := thereIs(q, `SELECT 1 FROM facts WHERE user_id = ? AND id = ?`, user, id); err != nil {
			return err
		}
		if _, err := q.write(`DELETE FROM fact_episodes WHERE user_id = ? AND fact_id = ?`, user, id); err != nil {
			return err
		}
		for _, episode := range episodes {
			if _, err := q.write(
				`INSERT INTO fact_episodes (user_id, fact_id, episode_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, user, id,
				idArg(episode)); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("set fact episodes", err)
}

// Withdraw: see store.PartsWriter.
func (f *frame) Withdraw(ctx context.Context, ids []model.ID) error {
	err := f.atomically(ctx, func(q *session) error {
		byKind := map[model.Kind][]model.UUID{}
		for _, id := range ids {
			byKind[id.Kind] = append(byKind[id.Kind], id.UUID)
		}
		facts, err := f.eraseRows(q, &factPopulation, byKind[model.KindFact])
		if err == nil {
			err = f.logErased(q, model.ChangeFact, facts...)
		}
		if err != nil {
			return err
		}
		for _, id := range byKind[model.KindEntity] {
			if has, _, err := q.number(sqlHasFacts, userArg(f.user), idArg(id)); err != nil {
				return err
			} else if has != 0 {
				return store.ErrConflict
			}
		}
		entities, err := f.eraseRows(q, &entityPopulation, byKind[model.KindEntity])
		if err == nil {
			err = f.logErased(q, model.ChangeEntity, entities...)
		}
		if err != nil {
			return err
		}
		if err := f.withdrawEpisodes(q, byKind[model.KindEpisode]); err != nil {
			return err
		}
		memories, err := f.eraseRows(q, &memoryPopulation, byKind[model.KindMemory])
		if err != nil {
			return err
		}
		return f.log(q, model.ChangeMemory, model.OperationDeleted, memories...)
	})
	return wrap("withdraw", err)
}

// withdrawEpisodes deletes episodes; their mentions go by the foreign key.
func (f *frame) withdrawEpisodes(q *session, ids []model.UUID) error {
	var gone []model.UUID
	for _, id := range ids {
		if _, err := q.write(`DELETE FROM fact_episodes WHERE user_id = ? AND episode_id = ?`, userArg(f.user),
			idArg(id)); err != nil {
			return err
		}
		n, err := q.write(`DELETE FROM episodes WHERE user_id = ? AND id = ?`, userArg(f.user), idArg(id))
		if err != nil {
			return err
		}
		if n > 0 {
			gone = append(gone, id)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	if err := noteErasure(q); err != nil {
		return err
	}
	return f.logErased(q, model.ChangeEpisode, gone...)
}
