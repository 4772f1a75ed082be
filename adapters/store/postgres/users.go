package postgres

import (
	"context"
	"fmt"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const (
	// A row that only a write has made has no creation time, and does not count as somebody yet.
	sqlUser = `SELECT subject, email, time_zone, locale, week_start, default_calendar, created_at, disabled_at
FROM users WHERE user_id = $1
AND created_at IS NOT NULL`

	sqlEnsureUser = `INSERT INTO users AS u (user_id, subject, email, time_zone, locale, week_start, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (user_id) DO UPDATE SET subject = excluded.subject, email = excluded.email, time_zone = excluded.time_zone,
locale = excluded.locale,
week_start = excluded.week_start, created_at = excluded.created_at WHERE u.created_at IS NULL`
)

// User returns the user's row.
func (s *Store) User(ctx context.Context, user model.UserID) (model.User, error) {
	found := model.User{ID: user}
	there := false
	b := newBatch()
	queueUser(b, &found, &there)
	if err := s.run(ctx, b); err != nil {
		return model.User{}, fmt.Errorf("postgres: read the user: %w", err)
	}
	if !there {
		return model.User{}, store.ErrNotFound
	}
	return found, nil
}

func queueUser(b *batch, found *model.User, there *bool) {
	b.query(sqlUser, func(r *row) {
		*there = true
		found.Subject, found.Email = r.text(), r.text()
		found.Settings = model.Settings{TimeZone: r.text(), Locale: r.text(), WeekStart: model.Weekday(r.text()),
			DefaultCalendar: r.text()}
		found.CreatedAt, found.DisabledAt = r.time(), r.time()
	}, userArg(found.ID))
}

// EnsureUser returns the user's row, made from the given one when there is none. It writes, and locks, only when it has
// to.
func (s *Store) EnsureUser(ctx context.Context, fresh model.User) (model.User, error) {
	settings := fresh.Settings
	if err := rows.Text(fresh.Subject, fresh.Email, settings.TimeZone, settings.Locale,
		string(settings.WeekStart)); err != nil {
		return model.User{}, err
	}
	found := model.User{ID: fresh.ID}
	there := false
	b := newBatch()
	queueUser(b, &found, &there)
	if err := s.run(ctx, b); err != nil {
		return model.User{}, fmt.Errorf("postgres: read the user: %w", err)
	}
	if there {
		return found, nil
	}
	// Whoever else ensures the same user at the same time, all get the row that came first: each statement sees what is
	// committed when it begins.
	b = newBatch()
	b.exec(sqlEnsureUser, nil, userArg(fresh.ID), fresh.Subject, fresh.Email, settings.TimeZone, settings.Locale,
		string(settings.WeekStart), instantArg(fresh.CreatedAt))
	queueUser(b, &found, &there)
	if err := s.write(ctx, b); err != nil {
		return model.User{}, fmt.Errorf("postgres: make the user: %w", err)
	}
	return found, nil
}
