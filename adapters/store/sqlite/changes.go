package sqlite

import (
	"context"
	"strings"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const changeColumns = `seq, type, id, operation, at, remote, version`

func readChange(stmt *sqlite.Stmt) model.Change {
	return model.Change{
		Seq: stmt.ColumnInt64(0), Type: model.ChangeType(stmt.ColumnText(1)), ID: columnID(stmt, 2),
		Operation: model.Operation(stmt.ColumnText(3)), At: columnTime(stmt, 4),
		Remote: string(columnBytes(stmt, 5)), Version: stmt.ColumnText(6),
	}
}

// sqlNoPlace reports whether a place is no place of the log: before what is kept, beyond its end, or of a history that
// ended when a backup was restored, behind the last number that the backup has.
const sqlNoPlace = `SELECT ?2 < pruned_seq OR ?2 > change_seq OR ?2 > pruned_seq AND ?2 / ?3 <> change_seq / ?3
AND NOT EXISTS (SELECT 1 FROM changes AS c WHERE c.user_id = ?1 AND c.seq >= ?2 AND c.seq < (?2 / ?3 + 1) * ?3)
FROM users WHERE user_id = ?1`

// Changes: see store.ChangeReader.
func (s *Store) Changes(ctx context.Context, user model.UserID, after int64, types []model.ChangeType,
	limit int) ([]model.Change, error) {
	var changes []model.Change
	err := s.reading(ctx, oneTransaction, func(q *session) error {
		if err := q.readSQL(sqlNoPlace, func(stmt *sqlite.Stmt) error {
			if after >= 0 && stmt.ColumnBool(0) {
				return store.ErrCursorExpired
			}
			return nil
		}, userArg(user), intArg(after), intArg(store.LogSpan)); err != nil {
			return err
		}
		var b statement
		b.add(`SELECT `+changeColumns+` FROM changes WHERE user_id = ? AND seq > ?`, userArg(user), intArg(after))
		if len(types) > 0 {
			b.add(" AND type IN (?" + strings.Repeat(",?", len(types)-1) + ")")
			for _, kind := range types {
				b.args = append(b.args, textArg(string(kind)))
			}
		}
		b.add(" ORDER BY seq LIMIT ?", intArg(max(limit, 0)))
		return q.read(&b, func(stmt *sqlite.Stmt) error {
			changes = append(changes, readChange(stmt))
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
		return q.readSQL(`SELECT change_seq FROM users WHERE user_id = ?`,
			func(stmt *sqlite.Stmt) error { head = stmt.ColumnInt64(0); return nil }, userArg(user))
	})
	return head, wrap("last change", err)
}

// number takes the next n numbers of the user's log and returns the first.
func (f *frame) number(q *session, n int) (first int64, err error) {
	var last int64
	if _, err := q.writeReturning(`UPDATE users SET change_seq = change_seq + ? WHERE user_id = ? RETURNING change_seq`,
		func(stmt *sqlite.Stmt) error {
			last = stmt.ColumnInt64(0)
			return nil
		}, intArg(n), userArg(f.user)); err != nil {
		return 0, err
	}
	if last == 0 {
		return 0, errOtherUser // the store's own transactions have no log
	}
	f.changed = true
	return last - int64(n) + 1, nil
}

// log appends changes of own records to the user's log.
func (f *frame) log(q *session, kind model.ChangeType, operation model.Operation, ids ...model.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	first, err := f.number(q, len(ids))
	if err != nil {
		return err
	}
	f.settings = f.settings || kind == model.ChangeSettings
	for i, id := range ids {
		if _, err := q.write(`INSERT INTO changes (user_id, seq, type, id, operation, at) VALUES (?, ?, ?, ?, ?, ?)`,
			userArg(f.user), intArg(first+int64(i)), textArg(string(kind)), idArg(id), textArg(string(operation)),
			instantArg(f.at)); err != nil {
			return err
		}
	}
	return nil
}

// LogRemote: see store.RemoteLog.
func (f *frame) LogRemote(ctx context.Context, changes []model.Change) error {
	if err := rows.Remote(changes); err != nil {
		return wrap("log remote changes", err)
	}
	return wrap("log remote changes", f.atomically(ctx, func(q *session) error { return f.logRemote(q, changes) }))
}

// logRemote appends changes of records with a reference to the user's log.
func (f *frame) logRemote(q *session, changes []model.Change) error {
	if len(changes) == 0 {
		return nil
	}
	first, err := f.number(q, len(changes))
	if err != nil {
		return err
	}
	for i := range changes {
		change := &changes[i]
		if _, err := q.write(
			`INSERT INTO changes (user_id, seq, type, id, operation, at, remote, version) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			userArg(f.user), intArg(first+int64(i)), textArg(string(change.Type)), idArg(change.ID),
			textArg(string(change.Operation)), instantArg(f.at),
			bytesArg([]byte(change.Remote)), textOrNull(change.Version)); err != nil {
			return err
		}
	}
	return nil
}

// lastRemote reads the last change of a remote record; nil when there is none.
func (f *frame) lastRemote(q *session, id model.UUID) (last *model.Change, err error) {
	// Left alone, SQLite would go back through the whole log, for the sake of the order.
	err = q.readSQL(`SELECT `+changeColumns+
		` FROM changes INDEXED BY changes_remote WHERE user_id = ? AND id = ? AND remote IS NOT NULL ORDER BY seq DESC
LIMIT 1`, func(stmt *sqlite.Stmt) error {
		change := readChange(stmt)
		last = &change
		return nil
	}, userArg(f.user), idArg(id))
	return last, err
}

// LastRemote: see store.RemoteLog.
func (f *frame) LastRemote(ctx context.Context, ids []model.UUID) (map[model.UUID]model.Change, error) {
	last := make(map[model.UUID]model.Change)
	err := f.read(ctx, func(q *session) error {
		for _, id := range rows.Distinct(ids) {
			change, err := f.lastRemote(q, id)
			if err != nil {
				return err
			}
			if change != nil {
				last[id] = *change
			}
		}
		return nil
	})
	if err != nil {
		return nil, wrap("last remote changes", err)
	}
	return last, nil
}
