package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const sqlUser = `SELECT subject, email, time_zone, locale, week_start, created_at, default_calendar, disabled_at
FROM users WHERE user_id = ?`

// readUser reads a user's row. It is known when somebody has said who the user is.
func readUser(q *session, id model.UserID) (user model.User, found, known bool, err error) {
	err = q.readSQL(sqlUser, func(stmt *sqlite.Stmt) error {
		found, known = true, !stmt.ColumnIsNull(5)
		user = model.User{
			ID: id, Subject: stmt.ColumnText(0), Email: stmt.ColumnText(1), CreatedAt: columnTime(stmt, 5),
			Settings: model.Settings{TimeZone: stmt.ColumnText(2), Locale: stmt.ColumnText(3),
				WeekStart: model.Weekday(stmt.ColumnText(4)), DefaultCalendar: stmt.ColumnText(6)},
			DisabledAt: columnTime(stmt, 7),
		}
		return nil
	}, userArg(id))
	return user, found, known, err
}

// User: see store.UserStore.
func (s *Store) User(ctx context.Context, id model.UserID) (user model.User, err error) {
	found := false
	err = s.reading(ctx, oneStatement, func(q *session) (err error) {
		user, found, _, err = readUser(q, id)
		return err
	})
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return user, wrap("user", err)
}

// EnsureUser: see store.UserStore.
func (s *Store) EnsureUser(ctx context.Context, fresh model.User) (user model.User, err error) {
	if err := rows.Text(fresh.Subject, fresh.Email, fresh.Settings.TimeZone, fresh.Settings.Locale,
		string(fresh.Settings.WeekStart)); err != nil {
		return model.User{}, err
	}
	known := false
	err = s.reading(ctx, oneStatement, func(q *session) (err error) {
		user, _, known, err = readUser(q, fresh.ID)
		return err
	})
	if err == nil && !known {
		created := fresh.CreatedAt
		if created.IsZero() {
			created = s.now()
		}
		err = s.exclusively(ctx, func(q *session) (err error) {
			if err = makeUser(q, fresh, created); err == nil {
				user, _, _, err = readUser(q, fresh.ID)
			}
			return err
		})
	}
	return user, wrap("ensure user", err)
}

// makeUser inserts the user, or fills in the row that a write has made. Settings that were saved meanwhile stay.
func makeUser(q *session, fresh model.User, created time.Time) error {
	_, err := q.write(
		`INSERT INTO users (user_id, subject, email, time_zone, locale, week_start, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (user_id) DO UPDATE SET subject = excluded.subject, email = excluded.email,
created_at = excluded.created_at,
time_zone = CASE time_zone WHEN '' THEN excluded.time_zone ELSE time_zone END,
locale = CASE locale WHEN '' THEN excluded.locale ELSE locale END,
week_start = CASE week_start WHEN '' THEN excluded.week_start ELSE week_start END
WHERE users.created_at IS NULL`,
		userArg(fresh.ID), textArg(fresh.Subject), textArg(fresh.Email),
		textArg(fresh.Settings.TimeZone), textArg(fresh.Settings.Locale), textArg(string(fresh.Settings.WeekStart)),
		instantArg(created))
	return err
}

// SaveSettings: see store.UserWriter.
func (f *frame) SaveSettings(ctx context.Context, settings model.Settings) error {
	err := f.atomically(ctx, func(q *session) error {
		if err := rows.Text(settings.TimeZone, settings.Locale, string(settings.WeekStart),
			settings.DefaultCalendar); err != nil {
			return err
		}
		if _, err := q.write(`UPDATE users SET time_zone = ?, locale = ?, week_start = ?, default_calendar = ?
WHERE user_id = ?`,
			textArg(settings.TimeZone), textArg(settings.Locale), textArg(string(settings.WeekStart)),
			textArg(settings.DefaultCalendar),
			userArg(f.user)); err != nil {
			return err
		}
		return f.log(q, model.ChangeSettings, model.OperationUpdated, model.UUID(f.user))
	})
	return wrap("save settings", err)
}

// SkipNumbers: see store.UserWriter.
func (f *frame) SkipNumbers(ctx context.Context, upTo store.Numbers) error {
	err := f.do(ctx, func(q *session) error {
		return q.writeOne(`UPDATE users SET calendar_number = max(calendar_number, ?),
connection_number = max(connection_number, ?), event_number = max(event_number, ?) WHERE user_id = ?`,
			intArg(upTo.Calendars), intArg(upTo.Connections), intArg(upTo.Events), userArg(f.user))
	})
	return wrap("skip numbers", err)
}

// UseConfirmation: see store.UserWriter.
func (f *frame) UseConfirmation(ctx context.Context, id model.UUID, expires time.Time) error {
	err := f.do(ctx, func(q *session) error {
		_, err := q.write(`INSERT INTO confirmations (user_id, id, expires_at) VALUES (?, ?, ?)`, userArg(f.user), idArg(id),
			instantArg(expires))
		return err
	})
	return wrap("use confirmation", err)
}

// ReturnConfirmation: see store.UserWriter.
func (f *frame) ReturnConfirmation(ctx context.Context, id model.UUID) error {
	err := f.do(ctx, func(q *session) error {
		_, err := q.write(`DELETE FROM confirmations WHERE user_id = ? AND id = ?`, userArg(f.user), idArg(id))
		return err
	})
	return wrap("return confirmation", err)
}
