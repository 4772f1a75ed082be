package postgres

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// Citus spreads the tables over several servers, the rows of one user on one of them. What differs there is in this
// file: who distributes the tables, and how work over all users goes on while one of the servers is down. Beyond that
// every statement is the same; see docs/engines.md.

const (
	sqlFacts = `SELECT current_setting('server_version_num')::integer,
EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')`

	sqlIsCitus = `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')`

	// sqlOneByOne: in one transaction Citus refuses to go to the parts of a table at once after it went to them one by
	// one.
	sqlOneByOne = `SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`

	// ofUser is the user whom a statement inserts rows of, as o. Rows that are selected from a table with the user's row
	// go to that user's server alone; of any other INSERT … SELECT Citus hands the parts to all servers, and the user's
	// write needs all of them to be up. Such an INSERT is a part, not the end, of a statement that writes more.
	ofUser = `(SELECT user_id FROM users WHERE user_id = $1) AS o`

	// sqlUndistributed names the tables with rows of users that are not distributed and reference none that is not: users
	// first, since the others are placed like it.
	sqlUndistributed = `SELECT c.oid::regclass::text, c.relname = 'users'
FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace
AND a.attname = 'user_id' AND a.attnum > 0 AND NOT a.attisdropped
AND c.oid NOT IN (SELECT logicalrelid FROM pg_dist_partition)
AND NOT EXISTS (SELECT FROM pg_constraint AS f WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid
	AND f.confrelid NOT IN (SELECT logicalrelid FROM pg_dist_partition))
ORDER BY c.relname <> 'users', 1`
	sqlDistribute = `SELECT create_distributed_table($1::text::regclass, 'user_id', colocate_with => $2::text)`
)

// distribute distributes what is not distributed yet: everything the first time, then the tables of later steps. What
// belongs to no user stays on the coordinator: nothing is joined with it, and a copy on every server (a reference
// table) could be written only while all of them are up, so that one that is down would make every process unready.
func distribute(ctx context.Context, tx pgx.Tx) error {
	for {
		tables, err := undistributed(ctx, tx)
		if err != nil || len(tables) == 0 {
			return err
		}
		for _, table := range tables {
			if _, err := tx.Exec(ctx, sqlDistribute, table.name, table.beside); err != nil {
				return fmt.Errorf("distribute %s: %w", table.name, err)
			}
		}
	}
}

type distributedTable struct{ name, beside string }

func undistributed(ctx context.Context, tx pgx.Tx) ([]distributedTable, error) {
	found, err := tx.Query(ctx, sqlUndistributed)
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	var (
		tables  []distributedTable
		name    string
		isUsers bool
	)
	_, err = pgx.ForEachRow(found, []any{&name, &isUsers}, func() error {
		table := distributedTable{name: name, beside: "users"}
		if isUsers {
			table.beside = "none"
		}
		tables = append(tables, table)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list tables: %w", err)
	}
	return tables, nil
}

// workerDown reports whether an error is that of a server that Citus cannot reach, which the coordinator tells on a
// connection that goes on. Then statements for the users of other servers still succeed.
func (s *Store) workerDown(err error) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return s.citus && ok && refused.Code != codeProtocolViolation &&
		(refused.Code[:2] == classConnection || refused.Code == codeInternal)
}

// sessionLost reports whether the session with the server, which is the coordinator of Citus, is gone, and so all that
// are as old.
func (s *Store) sessionLost(err error) bool { return lost(err) && !s.workerDown(err) }

// coded adds to an error of Citus the code of what it tells. Where a server went away in the middle of a statement it
// has the code of failures of PostgreSQL itself, or of a file that cannot be written, and whether a commit was done is
// not known then.
func (s *Store) coded(err error) error {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	if s.citus && ok && (refused.Code == codeIO ||
		refused.Code == codeInternal && strings.Contains(refused.Message, "connection")) {
		refused.Code = codeConnectionFailure
	}
	return err
}

// sqlOnShards runs a statement on each part of a table, or of two that are placed alike, and tells which succeeded. A
// %s of the statement is the part's name.
func sqlOnShards(tables []string) string {
	if len(tables) > 1 {
		return `SELECT success, result FROM run_command_on_colocated_placements('` + tables[0] + `', '` + tables[1] +
			`', $1)`
	}
	return `SELECT success, result FROM run_command_on_placements('` + tables[0] + `', $1)`
}

// onShards runs a statement that gives one text on each part of tables, and returns the texts of those parts whose
// server answers, without the empty ones. What a server answers that is up but refuses is an error.
func (s *Store) onShards(ctx context.Context, tables []string, sql string) ([]string, error) {
	var texts []string
	up := false
	b := newBatch()
	b.query(sqlOnShards(tables), func(r *row) {
		success, text := r.bool(), r.text()
		up = up || success
		if success && text != "" {
			texts = append(texts, text)
		}
	}, sql)
	if err := s.background(ctx, b); err != nil {
		return nil, err
	}
	if !up {
		return nil, errNoWorker
	}
	return texts, nil
}

var errNoWorker = errors.New("postgres: no server of Citus answers")

// dueOnShards is dueUsers for the users of those servers that answer. Of each part it takes the longest due; between
// the parts it takes turns.
func (s *Store) dueOnShards(ctx context.Context, of queue, now time.Time, limit int) ([]model.UserID, error) {
	sql := "SELECT coalesce(string_agg(d.user_id::text, ','), '') FROM (" + of.sql("q.user_id", "") + ") AS d"
	sql = strings.ReplaceAll(sql, "$1", "'"+rows.Time(now).UTC().Format("2006-01-02 15:04:05.999999-07")+"'::timestamptz")
	sql = strings.ReplaceAll(sql, "$2", strconv.Itoa(limit))
	for _, table := range of.tables {
		sql = strings.Replace(sql, " "+table+" AS ", " %s AS ", 1)
	}
	texts, err := s.onShards(ctx, of.tables, sql)
	if err != nil {
		return nil, err
	}
	lists := make([][]string, len(texts))
	for i, text := range texts {
		lists[i] = strings.Split(text, ",")
	}
	var users []model.UserID
	for turn, more := 0, true; more; turn++ {
		more = false
		for _, list := range lists {
			if turn >= len(list) || len(users) >= limit {
				continue
			}
			more = true
			user, err := userOf(list[turn])
			if err != nil {
				return nil, err
			}
			users = append(users, user)
		}
	}
	return users, nil
}

// headsOnShards returns the change numbers of those of the users whose server answers.
func (s *Store) headsOnShards(ctx context.Context, users []model.UUID, found map[model.UserID]int64) error {
	names := make([]string, len(users))
	for i, user := range users {
		names[i] = hex.EncodeToString(user[:])
	}
	texts, err := s.onShards(ctx, []string{"users"}, "SELECT coalesce(string_agg(user_id || ' ' || change_seq, ','), '') "+
		"FROM %s WHERE user_id = ANY('{"+strings.Join(names, ",")+"}'::uuid[])")
	if err != nil {
		return err
	}
	for _, text := range texts {
		for one := range strings.SplitSeq(text, ",") {
			name, number, _ := strings.Cut(one, " ")
			user, err := userOf(name)
			if err != nil {
				return err
			}
			if found[user], err = strconv.ParseInt(number, 10, 64); err != nil {
				return fmt.Errorf("postgres: a change number: %w", err)
			}
		}
	}
	return nil
}

// userOf reads a UUID as PostgreSQL writes it.
func userOf(text string) (user model.UserID, err error) {
	bytes, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err != nil || len(bytes) != len(user) {
		return user, fmt.Errorf("postgres: %q is no user's id", text)
	}
	copy(user[:], bytes)
	return user, nil
}
