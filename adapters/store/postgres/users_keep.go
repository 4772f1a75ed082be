package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	sqlUsers = `SELECT user_id, subject, email, time_zone, locale, week_start, default_calendar, created_at, disabled_at
FROM users WHERE user_id > $1 AND created_at IS NOT NULL ORDER BY user_id LIMIT $2`
	sqlDisableUser = `UPDATE users SET disabled_at = $2 WHERE user_id = $1 AND created_at IS NOT NULL`
	// sqlTablesOfUsers lists what has rows of users; of a divided table, the whole.
	sqlTablesOfUsers = `SELECT c.relname::text FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = current_schema()::regnamespace
AND a.attname = 'user_id' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1`
)

// Users: see store.UserKeeper.
func (s *Store) Users(ctx context.Context, after model.UserID, limit int) ([]model.User, error) {
	var users []model.User
	b := newBatch()
	b.query(sqlUsers, func(r *row) {
		users = append(users, model.User{ID: model.UserID(r.uuid()), Subject: r.text(), Email: r.text(),
			Settings: model.Settings{TimeZone: r.text(), Locale: r.text(), WeekStart: model.Weekday(r.text()),
				DefaultCalendar: r.text()}, CreatedAt: r.time(), DisabledAt: r.time()})
	}, userArg(after), int64(max(limit, 0)))
	if err := s.run(ctx, b); err != nil {
		return nil, fmt.Errorf("postgres: read users: %w", err)
	}
	return users, nil
}

// DisableUser: see store.UserKeeper.
func (s *Store) DisableUser(ctx context.Context, user model.UserID, at time.Time) error {
	return s.within(ctx, user, nil, func(ctx context.Context, l *level) error {
		b := newBatch()
		b.exec(sqlDisableUser, all(1, store.ErrNotFound), userArg(user), timeArg(at))
		err := l.write(ctx, b, changesOf(model.ChangeSettings, model.OperationUpdated, model.UUID(user)))
		if err != nil {
			return fmt.Errorf("postgres: disable a user: %w", err)
		}
		return nil
	})
}

func (s *Store) tablesOfUsers(ctx context.Context) (tables []string, err error) {
	b := newBatch()
	b.query(sqlTablesOfUsers, func(r *row) { tables = append(tables, r.text()) })
	return tables, s.run(ctx, b)
}

// EraseUser: see store.UserKeeper. What the server keeps of rows that are gone goes when it is vacuumed.
func (s *Store) EraseUser(ctx context.Context, last model.AuditEntry) error {
	err := s.within(ctx, last.UserID, nil, func(ctx context.Context, l *level) error {
		tables, err := s.tablesOfUsers(ctx)
		if err != nil {
			return err
		}
		b := newBatch()
		for _, table := range tables {
			b.exec(`DELETE FROM `+pgx.Identifier{table}.Sanitize()+` WHERE user_id = $1`, nil, userArg(last.UserID))
		}
		if err := queueAudit(b, last); err != nil {
			return err
		}
		return l.write(ctx, b, nil)
	})
	if err != nil {
		return fmt.Errorf("postgres: erase a user: %w", err)
	}
	// All who remember something of the user look again.
	s.watchers.signal(last.UserID, true)
	s.notices.add(last.UserID, true)
	return nil
}

// RowsOf: see store.UserKeeper.
func (s *Store) RowsOf(ctx context.Context, user model.UserID) (map[string]int, error) {
	tables, err := s.tablesOfUsers(ctx)
	if err != nil {
		return nil, fmt.Errorf("postgres: list tables: %w", err)
	}
	rows := map[string]int{}
	b := newBatch()
	for _, table := range tables {
		b.query(`SELECT count(*) FROM `+pgx.Identifier{table}.Sanitize()+` WHERE user_id = $1`, func(r *row) {
			if n := int(r.int64()); n > 0 {
				rows[table] = n
			}
		}, userArg(user))
	}
	if err := s.run(ctx, b); err != nil {
		return nil, fmt.Errorf("postgres: count rows of a user: %w", err)
	}
	return rows, nil
}

var (
	auditColumns = wholeOf(&store.AuditTable)
	auditNames   = strings.Join(auditColumns.names(), ", ")
	sqlAddAudit  = `INSERT INTO audit_log (user_id, ` + auditNames + `) VALUES ($1, ` +
		numbered(2, len(auditColumns)) + `) ON CONFLICT (user_id, id) DO NOTHING`
	sqlAudit = `SELECT ` + auditNames + ` FROM audit_log WHERE user_id = $1`
)

func queueAudit(b *batch, entry model.AuditEntry) error {
	args, err := values(userArg(entry.UserID), auditColumns, entry)
	if err == nil {
		b.exec(sqlAddAudit, nil, args...)
	}
	return err
}

// AddAudit: see store.AuditWriter. In a transaction it goes with the commit.
func (s *Store) AddAudit(ctx context.Context, entry model.AuditEntry) error {
	b := newBatch()
	err := queueAudit(b, entry)
	switch l := s.levelOf(ctx); {
	case err != nil:
		return err
	case l != nil:
		err = l.atCommit(ctx, b.statements[0])
	default:
		err = s.write(ctx, b)
	}
	if err != nil {
		return fmt.Errorf("postgres: add to the audit log: %w", err)
	}
	return nil
}

// Audit: see store.AuditReader.
func (s *Store) Audit(ctx context.Context, user model.UserID, after model.UUID, limit int) ([]model.AuditEntry, error) {
	q := newQuery(userArg(user))
	q.add(sqlAudit)
	if after != (model.UUID{}) {
		q.add(" AND id < ", q.param(uuidArg(after)))
	}
	q.add(" ORDER BY id DESC LIMIT ", q.param(int64(max(limit, 0))))
	return records(ctx, s.reader, "read the audit log", q, limit, func(r *row, entry *model.AuditEntry) {
		entry.UserID = user
		auditColumns.read(r, entry)
	})
}
