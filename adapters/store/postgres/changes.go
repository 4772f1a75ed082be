package postgres

import (
	"context"
	"fmt"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// sqlNoPlace reports whether the place $2 is no place of the log: before what is kept, beyond its end, or of a history
// that ended when a backup was restored, behind the last number that the backup has. $4 is store.LogSpan.
const sqlNoPlace = `$2 < u.pruned_seq OR $2 > u.change_seq OR $2 > u.pruned_seq AND $2 / $4 <> u.change_seq / $4
AND NOT EXISTS (SELECT FROM changes AS e WHERE e.user_id = $1 AND e.seq >= $2 AND e.seq < ($2 / $4 + 1) * $4)`

const (
	// The log's end and its beginning are read in one statement, so that pruning cannot come between.
	sqlChanges = `SELECT ` + sqlNoPlace + `, c.seq, c.type, c.id, c.operation, c.at, c.remote, c.version FROM users AS u
LEFT JOIN LATERAL (SELECT seq, type, id, operation, at, remote, version FROM changes WHERE user_id = $1 AND seq > $2
ORDER BY seq LIMIT $3) AS c ON true
WHERE u.user_id = $1 ORDER BY c.seq`

	sqlChangesOfTypes = `SELECT ` + sqlNoPlace + `, c.seq, c.type, c.id, c.operation, c.at, c.remote, c.version
FROM users AS u
LEFT JOIN LATERAL (SELECT seq, type, id, operation, at, remote, version FROM changes WHERE user_id = $1 AND seq > $2
AND type = ANY($5) ORDER BY seq LIMIT $3) AS c ON true
WHERE u.user_id = $1 ORDER BY c.seq`

	sqlHead = `SELECT change_seq FROM users WHERE user_id = $1`
)

// Changes returns the changes after a place; see the contract. Numbers are given out under the user's lock, which is
// held until the commit, so a smaller number never appears after a greater one.
func (s *Store) Changes(ctx context.Context, user model.UserID, after int64, types []model.ChangeType,
	limit int) ([]model.Change, error) {
	if l := s.levelOf(ctx); l != nil {
		if err := l.flush(ctx); err != nil {
			return nil, fmt.Errorf("postgres: read changes: %w", err)
		}
	}
	var (
		expired bool
		changes []model.Change
		sql     = sqlChanges
		args    = []any{userArg(user), after, int64(max(limit, 0)), int64(store.LogSpan)}
	)
	if len(types) > 0 {
		names := make([]string, len(types))
		for i, kind := range types {
			names[i] = string(kind)
		}
		sql, args = sqlChangesOfTypes, append(args, names)
	}
	b := newBatch()
	b.query(sql, func(r *row) {
		expired = r.bool()
		if r.isNull() { // no change after that place
			r.skip(7)
			return
		}
		changes = append(changes, changeOf(r))
	}, args...)
	if err := s.run(ctx, b); err != nil {
		return nil, fmt.Errorf("postgres: read changes: %w", err)
	}
	if after >= 0 && expired {
		return nil, store.ErrCursorExpired
	}
	return changes, nil
}

// changeOf reads a change's columns: seq, type, id, operation, at, remote, version.
func changeOf(r *row) model.Change {
	return model.Change{
		Seq: r.int64(), Type: model.ChangeType(r.text()), ID: r.uuid(), Operation: model.Operation(r.text()), At: r.time(),
		Remote: r.text(), Version: r.text(),
	}
}

// ChangeHead returns the number of the user's last change.
func (s *Store) ChangeHead(ctx context.Context, user model.UserID) (int64, error) {
	if l := s.levelOf(ctx); l != nil && l.tx.user == user {
		return l.head(ctx)
	}
	var head int64
	b := newBatch()
	b.query(sqlHead, func(r *row) { head = r.int64() }, userArg(user))
	if err := s.run(ctx, b); err != nil {
		return 0, fmt.Errorf("postgres: read the last change's number: %w", err)
	}
	return head, nil
}

// head is the number of the transaction's last change, which the server does not have yet.
func (l *level) head(ctx context.Context) (int64, error) {
	l.tx.mu.Lock()
	defer l.tx.mu.Unlock()
	if l.over {
		return 0, errTransactionOver
	}
	if err := l.tx.started(ctx); err != nil {
		return 0, fmt.Errorf("postgres: read the last change's number: %w", err)
	}
	return l.tx.head(), nil
}
