package sqlite

import (
	"context"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

var (
	sqlInsertFact = insertSQL(&store.FactTable, "entries", "n")
	sqlUpdateFact = updateSQL(&store.FactTable, "entries")
)

// sqlFactBefore compares what is embedded of a fact with what shall be.
const sqlFactBefore = `SELECT (sentence, relation, source_id, target_id) = (?, ?, ?, ?), entries FROM facts
WHERE user_id = ? AND id = ?`

// SaveFacts: see store.KnowledgeWriter. That the ends are there the foreign keys say.
func (f *frame) SaveFacts(ctx context.Context, facts []store.FactRowOf) error {
	if len(facts) == 0 {
		return nil
	}
	err := f.atomically(ctx, func(q *session) error {
		s, err := f.beginSaving(q, &factPopulation, idsOf(facts, store.FactRowOf.ID))
		if err != nil {
			return err
		}
		for i := range facts {
			if err := saveFact(s, &facts[i]); err != nil {
				return err
			}
		}
		return s.end(f, model.ChangeFact)
	})
	return wrap("save facts", err)
}

func saveFact(s *saving, row *store.FactRowOf) error {
	f := &row.Fact
	id, source, target := f.ID.UUID, f.Source.ID.UUID, f.Target.ID.UUID
	if err := rows.Text(row.Entries...); err != nil {
		return err
	}
	args, err := argsOf(s.user, &store.FactTable, f, bytesArg(packEntries(row.Entries)))
	if err != nil {
		return err
	}
	n := s.numbers[id]
	if n == 0 {
		n = s.created(id)
		if _, err := s.q.write(sqlInsertFact, append(args, intArg(n))...); err != nil {
			return err
		}
		if err := s.vectors.insert(n, id, &f.Embedding); err != nil {
			return err
		}
		s.words.change(n, nil, row.Entries)
		return addSupport(s, f, false)
	}
	s.changes = append(s.changes, logged{model.OperationUpdated, id})
	same := false
	var before []string
	if err := s.q.readSQL(sqlFactBefore,
		func(stmt *sqlite.Stmt) (err error) {
			same = stmt.ColumnInt(0) != 0
			before, err = entriesOf(columnBytes(stmt, 1))
			return err
		}, textArg(f.Sentence), textArg(f.Relation), idArg(source), idArg(target), userArg(s.user), idArg(id)); err != nil {
		return err
	}
	if _, err := s.q.write(sqlUpdateFact, args...); err != nil {
		return err
	}
	s.words.change(n, before, row.Entries)
	if err := s.replaceVector(n, &f.Embedding, same); err != nil {
		return err
	}
	return addSupport(s, f, true)
}

// addSupport adds the episodes that a fact names; those beyond the oldest that are kept go.
func addSupport(s *saving, f *model.Fact, more bool) error {
	user, id := userArg(s.user), idArg(f.ID.UUID)
	for _, episode := range f.Episodes {
		if _, err := s.q.write(
			`INSERT INTO fact_episodes (user_id, fact_id, episode_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, user, id,
			idArg(episode.UUID)); err != nil {
			return err
		}
	}
	if len(f.Episodes) == 0 || !more && len(f.Episodes) <= model.MaxFactEpisodes {
		return nil
	}
	_, err := s.q.write(`DELETE FROM fact_episodes WHERE user_id = ?1 AND fact_id = ?2 AND episode_id >=
(SELECT episode_id FROM fact_episodes WHERE user_id = ?1 AND fact_id = ?2 ORDER BY episode_id
LIMIT 1 OFFSET ?3)`, user, id, intArg(model.MaxFactEpisodes))
	return err
}
