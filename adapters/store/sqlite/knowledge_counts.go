package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// KnowledgeCounts: see store.KnowledgeReader.
func (r reader) KnowledgeCounts(ctx context.Context, user model.UserID,
	now time.Time) (store.KnowledgeCounts, error) {
	return answer(ctx, r, "count knowledge", oneTransaction, func(q *session) (store.KnowledgeCounts, error) {
		return readKnowledgeCounts(q, user, now)
	})
}

const (
	sqlCountEntities = `SELECT knowledge_at, (SELECT count(*) FROM entities INDEXED BY entities_n WHERE user_id = ?1)
FROM users WHERE user_id = ?1`
	sqlCountFacts = `SELECT count(*), count(*) FILTER (WHERE valid_at <= ?2 AND invalid_at > ?2)
FROM facts INDEXED BY facts_created WHERE user_id = ?1`
	sqlCountEpisodes = `SELECT count(*), count(*) FILTER (WHERE state = ?2), count(*) FILTER (WHERE state = ?3)
FROM episodes INDEXED BY episodes_reference WHERE user_id = ?1`
)

func readKnowledgeCounts(q *session, user model.UserID, now time.Time) (counts store.KnowledgeCounts, err error) {
	one := userArg(user)
	err = q.readSQL(sqlCountEntities, func(stmt *sqlite.Stmt) error {
		counts.LastUpdated, counts.Entities = columnTime(stmt, 0), stmt.ColumnInt(1)
		return nil
	}, one)
	if err == nil {
		err = q.readSQL(sqlCountFacts, func(stmt *sqlite.Stmt) error {
			counts.Facts, counts.CurrentFacts = stmt.ColumnInt(0), stmt.ColumnInt(1)
			return nil
		}, one, instantArg(now))
	}
	if err == nil {
		err = q.readSQL(sqlCountEpisodes, func(stmt *sqlite.Stmt) error {
			counts.Episodes, counts.Queued, counts.Failed = stmt.ColumnInt(0), stmt.ColumnInt(1), stmt.ColumnInt(2)
			return nil
		}, one, textArg(string(model.EpisodeQueued)), textArg(string(model.EpisodeFailed)))
	}
	if err != nil {
		return store.KnowledgeCounts{}, err
	}
	entities, err := readModels(q, &entityPopulation, user)
	if err != nil {
		return store.KnowledgeCounts{}, err
	}
	facts, err := readModels(q, &factPopulation, user)
	counts.Models = countsOf(entities, facts)
	return counts, err
}
