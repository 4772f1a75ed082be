package sqlite

import (
	"context"
	"strings"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Changes: see store.ChangeReader.
func (s *Store) Changes(ctx context.Context, user model.UserID, after int64, types []model.ChangeType, limit int) ([]model.Change, error) {
	var changes []model.Change
	err := s.reading(ctx, oneTransaction, func(q *session) error {
		pruned := int64(0)
		if err := q.readSQL(`SELECT pruned_seq FROM users WHERE user_id = ?`, func(stmt *sqlite.Stmt) error {
			pruned = stmt.ColumnInt64(0)
			return nil
		}, userArg(user)); err != nil {
			return err
		}
		if after >= 0 && after < pruned {
			return store.ErrCursorExpired
		}
		var b statement
		b.add(`SELECT seq, type, id, operation, at FROM changes WHERE user_id = ? AND seq > ?`, userArg(user), intArg(after))
		if len(types) > 0 {
			b.add(" AND type IN (?" + strings.Repeat(",?", len(types)-1) + ")")
			for _, kind := range types {
				b.args = append(b.args, textArg(string(kind)))
			}
		}
		b.add(" ORDER BY seq LIMIT ?", intArg(max(limit, 0)))
		return q.read(&b, func(stmt *sqlite.Stmt) error {
			changes = append(changes, model.Change{
				Seq: stmt.ColumnInt64(0), Type: model.ChangeType(stmt.ColumnText(1)), ID: columnID(stmt, 2), Operation: model.Operation(stmt.ColumnText(3)), At: columnTime(stmt, 4),
			})
			return nil
		})
	})
	if err != nil {
		return nil, wrap("changes", err)
	}
	return changes, nil
}

// ChangeHead: see store.ChangeReader.
func (s *Store) ChangeHead(ctx context.Context, user model.UserID) (head int64, err error) {
	err = s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(`SELECT change_seq FROM users WHERE user_id = ?`, func(stmt *sqlite.Stmt) error { head = stmt.ColumnInt64(0); return nil }, userArg(user))
	})
	return head, wrap("last change", err)
}
