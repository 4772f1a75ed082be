package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Users: see store.UserKeeper.
func (s *Store) Users(ctx context.Context, after model.UserID, limit int) ([]model.User, error) {
	return answer(ctx, s.reader, "users", oneTransaction, func(q *session) (users []model.User, err error) {
		var ids []model.UUID
		if ids, err = readIDs(q, `SELECT user_id FROM users WHERE user_id > ? AND created_at IS NOT NULL
ORDER BY user_id LIMIT ?`, userArg(after), intArg(max(limit, 0))); err != nil {
			return nil, err
		}
		for _, id := range ids {
			user, _, _, err := readUser(q, model.UserID(id))
			if err != nil {
				return nil, err
			}
			users = append(users, user)
		}
		return users, nil
	})
}

// DisableUser: see store.UserKeeper.
func (s *Store) DisableUser(ctx context.Context, user model.UserID, at time.Time) error {
	err := s.within(ctx, user, func(ctx context.Context, f *frame) error {
		return f.atomically(ctx, func(q *session) error {
			disabled := arg{}
			if !at.IsZero() {
				disabled = instantArg(at)
			}
			if err := q.writeOne(`UPDATE users SET disabled_at = ? WHERE user_id = ? AND created_at IS NOT NULL`, disabled,
				userArg(user)); err != nil {
				return err
			}
			return f.log(q, model.ChangeSettings, model.OperationUpdated, model.UUID(user))
		})
	})
	return wrap("disable user", err)
}

// tablesOfUsers returns the tables that have rows of users, as the database's own catalogue lists them.
func tablesOfUsers(q *session) (tables []string, err error) {
	err = q.readSQL(`SELECT m.name FROM sqlite_schema m WHERE m.type = 'table'
AND EXISTS (SELECT 1 FROM pragma_table_info(m.name) c WHERE c.name = 'user_id') ORDER BY m.name`,
		func(stmt *sqlite.Stmt) error { tables = append(tables, stmt.ColumnText(0)); return nil })
	return tables, err
}

// EraseUser: see store.UserKeeper. The file is scrubbed afterwards; while somebody reads what its log has, the next
// Sweep does that.
func (s *Store) EraseUser(ctx context.Context, last model.AuditEntry) error {
	err := s.within(ctx, last.UserID, func(ctx context.Context, f *frame) error {
		return f.atomically(ctx, func(q *session) error { return f.eraseUser(q, last) })
	})
	if err == nil && s.frameOf(ctx) == nil {
		err = s.scrub(ctx)
	}
	return wrap("erase user", err)
}

func (f *frame) eraseUser(q *session, last model.AuditEntry) error {
	// Facts refer to entities, and all of them go.
	if err := script(q.Conn, "PRAGMA defer_foreign_keys = ON;"); err != nil {
		return err
	}
	// The index of searches has no user_id; what a row of it says stays in the index until it is merged.
	found, err := q.write(`DELETE FROM task_grams WHERE rowid IN (
	SELECT n FROM tasks WHERE user_id = ?1 AND n IS NOT NULL UNION ALL SELECT n FROM task_stale WHERE user_id = ?1)`,
		userArg(f.user))
	if err != nil {
		return err
	}
	if found > 0 {
		if _, err := q.write(`INSERT INTO task_grams (task_grams) VALUES ('optimize')`); err != nil {
			return err
		}
	}
	tables, err := tablesOfUsers(q)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if _, err := q.write(`DELETE FROM "`+table+`" WHERE user_id = ?`, userArg(f.user)); err != nil {
			return err
		}
	}
	if err := addAudit(q, last); err != nil {
		return err
	}
	f.s.library.forget(f.user, &memoryPopulation, &entityPopulation, &factPopulation)
	f.changed, f.settings = true, true // all who remember something of the user look again
	return noteErasure(q)
}

// RowsOf: see store.UserKeeper.
func (s *Store) RowsOf(ctx context.Context, user model.UserID) (map[string]int, error) {
	return answer(ctx, s.reader, "rows of a user", oneTransaction, func(q *session) (map[string]int, error) {
		tables, err := tablesOfUsers(q)
		if err != nil {
			return nil, err
		}
		rows := map[string]int{}
		for _, table := range tables {
			n, _, err := q.number(`SELECT count(*) FROM "`+table+`" WHERE user_id = ?`, userArg(user))
			if err != nil {
				return nil, err
			}
			if n > 0 {
				rows[table] = int(n)
			}
		}
		return rows, nil
	})
}

var (
	auditColumns = wholeOf(&store.AuditTable)
	sqlAddAudit  = insertSQL(&store.AuditTable) + " ON CONFLICT DO NOTHING"
)

const sqlForgetAudit = `DELETE FROM audit_log WHERE (user_id, id) IN (SELECT user_id, id
FROM audit_log INDEXED BY audit_log_forget WHERE forget_at <= ? LIMIT ?)`

func addAudit(q *session, entry model.AuditEntry) error {
	args, err := argsOf(entry.UserID, &store.AuditTable, &entry)
	if err == nil {
		_, err = q.write(sqlAddAudit, args...)
	}
	return err
}

// AddAudit: see store.AuditWriter.
func (s *Store) AddAudit(ctx context.Context, entry model.AuditEntry) error {
	return wrap("add to the audit log",
		s.exclusively(ctx, func(q *session) error { return addAudit(q, entry) }))
}

// Audit: see store.AuditReader.
func (s *Store) Audit(ctx context.Context, user model.UserID, after model.UUID, limit int) ([]model.AuditEntry, error) {
	return answer(ctx, s.reader, "audit log", oneStatement, func(q *session) (entries []model.AuditEntry, err error) {
		sql, args := "SELECT "+auditColumns.names("")+" FROM audit_log WHERE user_id = ?", []arg{userArg(user)}
		if after != (model.UUID{}) {
			sql, args = sql+" AND id < ?", append(args, idArg(after))
		}
		err = q.readSQL(sql+" ORDER BY id DESC LIMIT ?", into(&entries,
			func(stmt *sqlite.Stmt, entry *model.AuditEntry) error {
				entry.UserID = user
				return auditColumns.readRow(stmt, entry)
			}), append(args, intArg(max(limit, 0)))...)
		return entries, err
	})
}
