package sqlite

import (
	"context"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/graphtext"
)

// firstNumber reads the number in the first column.
func firstNumber(n *int64) func(*sqlite.Stmt) error {
	return func(stmt *sqlite.Stmt) error { *n = stmt.ColumnInt64(0); return nil }
}

// SaveEntities: see store.KnowledgeWriter. An id that leads to another entity becomes an entity of its own again.
func (f *frame) SaveEntities(ctx context.Context, entities []store.EntityRowOf) error {
	if len(entities) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error {
		ids := make([]model.UUID, len(entities))
		for i := range entities {
			ids[i] = entities[i].Entity.ID.UUID
		}
		s, err := f.beginSaving(q, &entityPopulation, ids)
		if err != nil {
			return err
		}
		for i := range entities {
			if err := saveEntity(s, &entities[i]); err != nil {
				return err
			}
		}
		return s.end(f, model.ChangeEntity)
	})
	return wrap("save entities", err)
}

func saveEntity(s *saving, row *store.EntityRowOf) error {
	e := &row.Entity
	id := e.ID.UUID
	if err := rows.Text(append([]string{e.Name, e.Type, e.Summary, e.Attributes}, e.Aliases...)...); err != nil {
		return err
	}
	if err := rows.Text(row.Entries...); err != nil {
		return err
	}
	aliases, err := textsText(e.Aliases)
	if err != nil {
		return err
	}
	set := []arg{
		instantArg(e.UpdatedAt), intArg(e.Version), textArg(graphtext.Name(e.Type)), textArg(graphtext.Name(e.Name)),
		textArg(e.Type), textArg(e.Name), textArg(aliases), textArg(e.Summary),
		textArg(e.Attributes), bytesArg(packEntries(row.Entries)),
	}
	n := s.numbers[id]
	if n == 0 {
		n = s.created(id)
		if _, err := s.q.write(
			`INSERT INTO entities (updated_at, version, type_key, name_key, type, name, aliases, summary, attributes, entries, created_at, n, user_id, id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, append(set, instantArg(e.CreatedAt), intArg(n), userArg(s.user), idArg(id))...); err != nil {
			return err
		}
		if _, err := s.q.write(`DELETE FROM entity_redirects WHERE user_id = ? AND id = ?`, userArg(s.user),
			idArg(id)); err != nil {
			return err
		}
		if err := s.vectors.insert(n, id, &e.Embedding); err != nil {
			return err
		}
		s.words.change(n, nil, row.Entries)
		return insertNames(s, e)
	}
	s.changes = append(s.changes, logged{model.OperationUpdated, id})
	named, same := false, false
	var before []string
	if err := s.q.readSQL(
		`SELECT (name, aliases) = (?1, ?2), (name, aliases, type, summary, attributes) = (?1, ?2, ?3, ?4, ?5), entries FROM entities WHERE user_id = ?6 AND id = ?7`, func(stmt *sqlite.Stmt) (err error) {
			named, same = stmt.ColumnInt(0) != 0, stmt.ColumnInt(1) != 0
			before, err = entriesOf(columnBytes(stmt, 2))
			return err
		}, textArg(e.Name), textArg(aliases), textArg(e.Type), textArg(e.Summary), textArg(e.Attributes), userArg(s.user),
		idArg(id)); err != nil {
		return err
	}
	if _, err := s.q.write(
		`UPDATE entities SET (updated_at, version, type_key, name_key, type, name, aliases, summary, attributes, entries) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
WHERE user_id = ? AND id = ?`, append(set, userArg(s.user), idArg(id))...); err != nil {
		return err
	}
	s.words.change(n, before, row.Entries)
	if err := s.replaceVector(n, &e.Embedding, same); err != nil || named {
		return err
	}
	if _, err := s.q.write(`DELETE FROM entity_names WHERE user_id = ? AND entity_id = ?`, userArg(s.user),
		idArg(id)); err != nil {
		return err
	}
	return insertNames(s, e)
}

// insertNames adds the folded name and aliases of an entity. A name of which nothing can be seen names nothing.
func insertNames(s *saving, e *model.Entity) error {
	for _, name := range append([]string{e.Name}, e.Aliases...) {
		key := graphtext.Name(name)
		if key == "" {
			continue
		}
		if _, err := s.q.write(
			`INSERT INTO entity_names (user_id, name_key, entity_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, userArg(s.user),
			textArg(key), idArg(e.ID.UUID)); err != nil {
			return err
		}
	}
	return nil
}

// MoveEntity: see store.KnowledgeWriter. Redirects always lead to an entity that is there, so those that led to the one
// are turned to the other.
func (f *frame) MoveEntity(ctx context.Context, from, into model.UUID) error {
	err := f.atomically(ctx, func(q *session) error {
		user, one, other := userArg(f.user), idArg(from), idArg(into)
		var n, there, fact int64
		if err := q.readSQL(`SELECT n FROM entities WHERE user_id = ? AND id = ?`, firstNumber(&n), user, one); err != nil {
			return err
		}
		if err := q.readSQL(`SELECT n FROM entities WHERE user_id = ? AND id = ?`, firstNumber(&there), user,
			other); err != nil {
			return err
		}
		if n == 0 || there == 0 {
			return store.ErrNotFound
		}
		if err := q.readSQL(
			`SELECT EXISTS (SELECT 1 FROM facts WHERE user_id = ?1 AND source_id = ?2) OR EXISTS (SELECT 1 FROM facts WHERE user_id = ?1 AND target_id = ?2)`,
			firstNumber(&fact), user, one); err != nil {
			return err
		}
		if from == into || fact != 0 {
			return store.ErrConflict
		}
		if _, err := q.write(
			`INSERT INTO episode_mentions (user_id, episode_id, entity_id) SELECT user_id, episode_id, ?3 FROM episode_mentions WHERE user_id = ?1 AND entity_id = ?2 ON CONFLICT DO NOTHING`,
			user, one, other); err != nil {
			return err
		}
		if _, err := q.write(`UPDATE entity_redirects SET entity_id = ?3 WHERE user_id = ?1 AND entity_id = ?2`, user, one,
			other); err != nil {
			return err
		}
		if _, err := f.eraseRows(q, &entityPopulation, []model.UUID{from}); err != nil {
			return err
		}
		if _, err := q.write(`INSERT INTO entity_redirects (user_id, id, entity_id) VALUES (?, ?, ?)`, user, one,
			other); err != nil {
			return err
		}
		return f.logErased(q, model.ChangeEntity, from)
	})
	return wrap("move entity", err)
}
