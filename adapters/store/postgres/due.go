package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"almanac/graph/model"
)

// queue is where work of all users waits: rows of a table q, which may be joined to another that is placed like it.
type queue struct {
	// tables are the names, q's first; from has them with their aliases.
	tables []string
	from   string
	// where is the condition of what is due by $1, order the order in which it is.
	where, order string
}

// sql selects columns of the first $2 that are due; user is a condition more, or empty.
func (q queue) sql(columns, user string) string {
	return "SELECT " + columns + " FROM " + q.from + " WHERE " + user + q.where + " ORDER BY " + q.order + " LIMIT $2"
}

// ever is a time by which everything is due.
var ever = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

func queueOf(table, where, order string) queue {
	return queue{tables: []string{table}, from: table + " AS q", where: where, order: order}
}

// due reads columns of the first entries of a queue that are due, the longest due first. While a server of Citus is
// down it reads those of the users of the others, in an order that is right for each part of the table only.
func due[T any](ctx context.Context, s *Store, from queue, columns string, read func(*row, *T), now time.Time,
	limit int) ([]T, error) {
	var found []T
	limit = max(limit, 0)
	b := newBatch()
	b.query(from.sql(columns, ""), appending(&found, read), instantArg(now), int64(limit))
	err := s.run(ctx, b)
	if err == nil || !s.workerDown(err) || s.InTransaction(ctx) {
		return found, err
	}
	users, err := s.dueOnShards(ctx, from, now, limit)
	if err != nil {
		return nil, err
	}
	found = nil
	err = s.eachUser(ctx, users, func(b *batch, user model.UserID, count int) {
		b.query(from.sql(columns, "q.user_id = $3 AND "), appending(&found, read), instantArg(now), int64(count),
			userArg(user))
	})
	return found, err
}

// dueUsers returns whose the first entries of a queue are that are due, a user once for each entry.
func (s *Store) dueUsers(ctx context.Context, from queue, now time.Time, limit int) ([]model.UserID, error) {
	return due(ctx, s, from, "q.user_id", func(r *row, user *model.UserID) { *user = model.UserID(r.uuid()) }, now, limit)
}

// eachUser runs what fill adds to a batch for each of the users, who may be named several times; count says how often.
// On one server all goes in one batch. On several each user's goes alone, so that one that is down stops nobody else:
// the trouble of some is logged, and an error only when it is that of all.
func (s *Store) eachUser(ctx context.Context, users []model.UserID,
	fill func(b *batch, user model.UserID, count int)) error {
	counts := make(map[model.UserID]int, len(users))
	var order []model.UserID
	for _, user := range users {
		if counts[user] == 0 {
			order = append(order, user)
		}
		counts[user]++
	}
	if len(order) == 0 {
		return nil
	}
	if !s.citus || s.InTransaction(ctx) {
		b := newBatch()
		for _, user := range order {
			fill(b, user, counts[user])
		}
		return s.write(ctx, b)
	}
	var trouble error
	failed := 0
	for _, user := range order {
		b := newBatch()
		fill(b, user, counts[user])
		if err := s.write(ctx, b); err != nil {
			trouble, failed = err, failed+1
		}
	}
	if failed == len(order) || ctx.Err() != nil {
		return trouble
	}
	if trouble != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "work over all users left some out; trying again", slog.Int("count", failed),
			slog.Any("error", trouble))
	}
	return nil
}

// claim returns the first entries of a queue that are due, after it has set when they are due next. taking is a
// statement of one user: $1 is now, $2 until, $3 how many, $4 the user.
//
// Who has something due is read without a lock, since no server may lock rows of others; a row that another process
// has claimed meanwhile is passed over.
func claim[T any](ctx context.Context, s *Store, what string, from queue, taking string, read func(*row, *T),
	now, until time.Time, limit int) ([]T, error) {
	users, err := s.dueUsers(ctx, from, now, limit)
	if err != nil {
		return nil, fmt.Errorf("postgres: %s: %w", what, err)
	}
	taken := map[model.UserID][]T{}
	err = s.eachUser(ctx, users, func(b *batch, user model.UserID, count int) {
		b.query(taking, func(r *row) {
			var one T
			read(r, &one)
			taken[user] = append(taken[user], one)
		}, instantArg(now), timeArg(until), int64(count), userArg(user))
	})
	if err != nil {
		return nil, fmt.Errorf("postgres: %s: %w", what, err)
	}
	// Each user's are in their order; so each takes the next place that was the user's.
	var all []T
	for _, user := range users {
		if own := taken[user]; len(own) > 0 {
			all, taken[user] = append(all, own[0]), own[1:]
		}
	}
	return all, nil
}

// sqlTaking is the statement of a claim: of the user's rows of a table that fulfil where, the first ones in an order
// get until as the time at which they are due, and set, if anything. They are returned by their names. Rows that
// another process is about to claim are passed over; those that have to be locked are looked at again.
func sqlTaking(table, at string, keys []string, where, set, names string) string {
	same := make([]string, len(keys))
	for i, key := range keys {
		same[i] = " AND t." + key + " = due." + key
	}
	of := strings.Join(keys, ", ")
	if len(keys) > 0 {
		of += ", "
	}
	order := strings.TrimSuffix(of, ", ")
	if order != "" {
		order = ", " + order
	}
	return `WITH due AS MATERIALIZED (
	SELECT ` + of + at + ` AS was FROM ` + table + ` AS q WHERE q.user_id = $4 AND ` + where + `
	ORDER BY ` + at + order + ` LIMIT $3 FOR UPDATE SKIP LOCKED
), taken AS (
	UPDATE ` + table + ` AS t SET ` + at + ` = $2` + set + ` FROM due
	WHERE t.user_id = $4` + strings.Join(same, "") + ` RETURNING t.*, due.was
)
SELECT ` + names + ` FROM taken ORDER BY was` + order
}
