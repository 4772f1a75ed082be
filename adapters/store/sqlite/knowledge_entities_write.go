package sqlite

import (
	"context"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/graphtext"
)

var (
	sqlInsertEntity = insertSQL(&store.EntityTable, "entries", "n")
	sqlUpdateEntity = updateSQL(&store.EntityTable, "entries")
)

// sqlEntityBefore compares what an entity is called, and what is embedded of it, with what shall be.
const sqlEntityBefore = `SELECT (name, aliases) = (?1, ?2),
(name, aliases, type, summary, attributes) = (?1, ?2, ?3, ?4, ?5),
	entries FROM entities WHERE user_id = ?6 AND id = ?7`

// SaveEntities: see store.KnowledgeWriter. An id that leads to another entity becomes an entity of its own again.
func (f *frame) SaveEntities(ctx context.Context, entities []store.EntityRowOf) error {
	if len(entities) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error {
		s, err := f.beginSaving(q, &entityPopulation, idsOf(entities, store.EntityRowOf.ID))
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
	if err := rows.Text(row.Entries...); err != nil {
		return err
	}
	args, err := argsOf(s.user, &store.EntityTable, e, bytesArg(packEntries(row.Entries)))
	if err != nil {
		return err
	}
	n := s.numbers[id]
	if n == 0 {
		n = s.created(id)
		if _, err := s.q.write(sqlInsertEntity, append(args, intArg(n))...); err != nil {
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
	aliases, err := textsText(e.Aliases)
	if err != nil {
		return err
	}
	if err := s.q.readSQL(sqlEntityBefore, func(stmt *sqlite.Stmt) (err error) {
		named, same = stmt.ColumnInt(0) != 0, stmt.ColumnInt(1) != 0
		before, err = entriesOf(columnBytes(stmt, 2))
		return err
	}, textArg(e.Name), textArg(aliases), textArg(e.Type), textArg(e.Summary), textArg(e.Attributes), userArg(s.user),
		idArg(id)); err != nil {
		return err
	}
	if _, err := s.q.write(sqlUpdateEntity, args...); err != nil {
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

const (
	sqlHasFacts = `SELECT EXISTS (SELECT 1 FROM facts WHERE user_id = ?1 AND source_id = ?2)
OR EXISTS (SELECT 1 FROM facts WHERE user_id = ?1 AND target_id = ?2)`
	sqlMoveMentions = `INSERT INTO episode_mentions (user_id, episode_id, entity_id)
SELECT user_id, episode_id, ?3 FROM episode_mentions WHERE user_id = ?1 AND entity_id = ?2 ON CONFLICT DO NOTHING`
)

// MoveEntity: see store.KnowledgeWriter. Redirects always lead to an entity that is there, so those that led to the one
// are turned to the other.
func (f *frame) MoveEntity(ctx context.Context, from, into model.UUID) error {
	err := f.atomically(ctx, func(q *session) error {
		user, one, other := userArg(f.user), idArg(from), idArg(into)
		for _, entity := range [...]arg{one, other} {
			_, there, err := q.number(`SELECT n FROM entities WHERE user_id = ? AND id = ?`, user, entity)
			if err == nil && !there {
				err = store.ErrNotFound
			}
			if err != nil {
				return err
			}
		}
		fact, _, err := q.number(sqlHasFacts, user, one)
		if err != nil {
			return err
		}
		if from == into || fact != 0 {
			return store.ErrConflict
		}
		if _, err := q.write(sqlMoveMentions, user, one, other); err != nil {
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
