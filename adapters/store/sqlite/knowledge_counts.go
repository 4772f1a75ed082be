package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// KnowledgeCounts: see store.KnowledgeReader.
func (s *Store) KnowledgeCounts(ctx context.Context, user model.UserID,
	now time.Time) (counts store.KnowledgeCounts, err error) {
	err = s.reading(ctx, oneTransaction, func(q *session) error {
		counts, err = readKnowledgeCounts(q, user, now)
		return err
	})
	return counts, wrap("count knowledge", err)
}

func readKnowledgeCounts(q *session, user model.UserID, now time.Time) (counts store.KnowledgeCounts, err error) {
	one, at := userArg(user), instantArg(now)
	if err := q.readSQL(
		`SELECT knowledge_at, (SELECT count(*) FROM entities INDEXED BY entities_n WHERE user_id = ?1) FROM users WHERE user_id = ?1`, func(stmt *sqlite.Stmt) error {
			counts.LastUpdated, counts.Entities = columnTime(stmt, 0), stmt.ColumnInt(1)
			return nil
		}, one); err != nil {
		return store.KnowledgeCounts{}, err
	}
	if err := q.readSQL(
		`SELECT count(*), count(*) FILTER (WHERE valid_at <= ?2 AND invalid_at > ?2) FROM facts INDEXED BY facts_created WHERE user_id = ?1`, func(stmt *sqlite.Stmt) error {
			counts.Facts, counts.CurrentFacts = stmt.ColumnInt(0), stmt.ColumnInt(1)
			return nil
		}, one, at); err != nil {
		return store.KnowledgeCounts{}, err
	}
	if err := q.readSQL(
		`SELECT count(*), count(*) FILTER (WHERE state = ?2), count(*) FILTER (WHERE state = ?3) FROM episodes INDEXED BY episodes_reference WHERE user_id = ?1`, func(stmt *sqlite.Stmt) error {
			counts.Episodes, counts.Queued, counts.Failed = stmt.ColumnInt(0), stmt.ColumnInt(1), stmt.ColumnInt(2)
			return nil
		}, one, textArg(string(model.EpisodeQueued)), textArg(string(model.EpisodeFailed))); err != nil {
		return store.KnowledgeCounts{}, err
	}
	entities, err := readModels(q, &entityPopulation, user)
	if err != nil {
		return store.KnowledgeCounts{}, err
	}
	facts, err := readModels(q, &factPopulation, user)
	if err != nil {
		return store.KnowledgeCounts{}, err
	}
	counts.Models = countsOf(entities, facts)
	return counts, nil
}
