package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// A statement that stores changes notes the number of the last one too. The first change's number is $2 and one more.
const (
	sqlAddChange = `WITH numbered AS (
	UPDATE users SET change_seq = $2::bigint + 1 WHERE user_id = $1
)
INSERT INTO changes (user_id, seq, id, at, type, operation) VALUES ($1, $2::bigint + 1, $3, $4, $5, $6)`

	sqlAddChanges = sqlLogged + `operation)
	SELECT o.user_id, $2::bigint + c.n, c.id, $3, c.type, c.operation
	FROM o, unnest($4::uuid[], $5::text[], $6::text[]) WITH ORDINALITY AS c (id, type, operation, n)` + sqlNumbered

	sqlAddRemoteChanges = sqlLogged + `operation, remote, version)
	SELECT o.user_id, $2::bigint + c.n, c.id, $3, c.type, c.operation, c.remote, c.version
	FROM o, unnest($4::uuid[], $5::text[], $6::text[], $7::bytea[], $8::text[]) WITH ORDINALITY
	AS c (id, type, operation, remote, version, n)` + sqlNumbered

	sqlLogged = `WITH o AS MATERIALIZED (
	SELECT user_id FROM users WHERE user_id = $1
), logged AS (
	INSERT INTO changes (user_id, seq, id, at, type, `
	sqlNumbered = `
)
UPDATE users SET change_seq = $2::bigint + cardinality($4) WHERE user_id = $1`
)

// head is the number of the last change.
func (t *transaction) head() int64 { return t.base + int64(len(t.pending)) }

// addChanges adds the statement that stores the changes which the server does not have yet. As long as none is of a
// remote record, that is one which does not speak of such.
func (t *transaction) addChanges(b *batch) {
	fresh := t.pending[t.flushed:]
	last := t.base + int64(t.flushed)
	if len(fresh) == 0 {
		return
	}
	if one := fresh[0]; len(fresh) == 1 && one.remote == "" {
		b.exec(sqlAddChange, nil, userArg(t.user), last, uuidArg(one.id), timeArg(t.at), string(one.kind),
			string(one.operation))
		return
	}
	ids := make(arrayOf[pgtype.UUID], len(fresh))
	kinds, operations := make(arrayOf[plainText], len(fresh)), make(arrayOf[plainText], len(fresh))
	var remotes [][]byte
	var versions []pgtype.Text
	for i, one := range fresh {
		ids[i], kinds[i], operations[i] = uuidArg(one.id), plainText(one.kind), plainText(one.operation)
		if one.remote != "" {
			if remotes == nil {
				remotes, versions = make([][]byte, len(fresh)), make([]pgtype.Text, len(fresh))
			}
			remotes[i], versions[i] = []byte(one.remote), textArg(one.version)
		}
	}
	sql, args := sqlAddChanges, []any{userArg(t.user), last, timeArg(t.at), ids, kinds, operations}
	if remotes != nil {
		sql, args = sqlAddRemoteChanges, append(args, remotes, versions)
	}
	b.exec(sql, nil, args...)
}

// flush stores the changes so far, for a reader within the transaction.
func (l *level) flush(ctx context.Context) error {
	t := l.tx
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.over {
		return errTransactionOver
	}
	if t.flushed == len(t.pending) {
		return nil
	}
	if err := t.started(ctx); err != nil {
		return err
	}
	b := newBatch()
	t.addChanges(b)
	if err := t.send(ctx, b, false); err != nil {
		return err
	}
	t.flushed = len(t.pending)
	return nil
}

// LogRemote appends changes of remote records.
func (t tx) LogRemote(ctx context.Context, changes []model.Change) error {
	if err := rows.Remote(changes); err != nil {
		return fmt.Errorf("postgres: log remote changes: %w", err)
	}
	return t.write(ctx, "log remote changes", newBatch(), func() []change {
		fresh := make([]change, len(changes))
		for i, one := range changes {
			fresh[i] = remoteChange(one)
		}
		return fresh
	})
}

const sqlLastRemote = `SELECT c.seq, c.type, c.id, c.operation, c.at, c.remote, c.version FROM unnest($2::uuid[])
AS i (id)
CROSS JOIN LATERAL (SELECT * FROM changes WHERE user_id = $1 AND id = i.id AND remote IS NOT NULL ORDER BY seq DESC
LIMIT 1) AS c`

// LastRemote returns the last change of each of the remote records that has one in the log.
func (t tx) LastRemote(ctx context.Context, ids []model.UUID) (map[model.UUID]model.Change, error) {
	last := make(map[model.UUID]model.Change)
	if len(ids) == 0 {
		return last, nil
	}
	if err := t.level.flush(ctx); err != nil {
		return nil, fmt.Errorf("postgres: read the last remote changes: %w", err)
	}
	b := newBatch()
	b.query(sqlLastRemote, func(r *row) {
		one := changeOf(r)
		last[one.ID] = one
	}, t.user(), uuidArgs(rows.Distinct(ids)))
	if err := t.run(ctx, "read the last remote changes", b); err != nil {
		return nil, err
	}
	return last, nil
}
