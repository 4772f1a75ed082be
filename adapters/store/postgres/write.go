package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// tx is the Tx of one level of a transaction.
//
// A refusal (ErrNotFound, ErrConflict) must leave the transaction usable, and an error of the server would spoil it. So
// each statement that writes has its own condition, which nobody can make untrue meanwhile because the user is locked;
// it does all or nothing.
type tx struct{ reader }

var _ store.Tx = tx{}

// Write runs fn in one transaction of the user; see the contract.
func (s *Store) Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error {
	return s.within(ctx, user, nil, func(ctx context.Context, l *level) error {
		return store.Recorded(ctx, tx{reader{store: s, level: l}}, fn)
	})
}

func (t tx) user() any { return userArg(t.level.tx.user) }

// write runs one batch and logs what record returns; its error says what was being done.
func (t tx) write(ctx context.Context, what string, b *batch, record func() []change) error {
	if err := t.level.write(ctx, b, record); err != nil {
		return fmt.Errorf("postgres: %s: %w", what, err)
	}
	return nil
}

// changesOf returns one change for each id.
func changesOf(kind model.ChangeType, operation model.Operation, ids ...model.UUID) func() []change {
	return func() []change {
		changes := make([]change, len(ids))
		for i, id := range ids {
			changes[i] = change{kind: kind, operation: operation, id: id}
		}
		return changes
	}
}

// all asks that a statement has changed so many rows; anything less means that its condition did not hold.
func all(expected int, otherwise error) func(tag pgconn.CommandTag) error {
	return func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() != int64(expected) {
			return otherwise
		}
		return nil
	}
}

// present returns those of ids that are in the set, in their order, each once.
func present(ids []model.UUID, set map[model.UUID]struct{}) []model.UUID {
	found := make([]model.UUID, 0, len(set))
	for _, id := range rows.Distinct(ids) {
		if _, ok := set[id]; ok {
			found = append(found, id)
		}
	}
	return found
}

// lastOf returns the items in the order of their ids' first appearance, each as it was given last.
func lastOf[T any](items []T, id func(T) model.UUID) []T {
	at := make(map[model.UUID]int, len(items))
	out := make([]T, 0, len(items))
	for _, item := range items {
		if i, again := at[id(item)]; again {
			out[i] = item
			continue
		}
		at[id(item)] = len(out)
		out = append(out, item)
	}
	return out
}

const sqlSaveSettings = `UPDATE users SET time_zone = $2, locale = $3, week_start = $4, default_calendar = $5
WHERE user_id = $1`

// SaveSettings replaces the user's settings.
func (t tx) SaveSettings(ctx context.Context, settings model.Settings) error {
	if err := rows.Text(settings.TimeZone, settings.Locale, string(settings.WeekStart),
		settings.DefaultCalendar); err != nil {
		return err
	}
	b := newBatch()
	b.exec(sqlSaveSettings, all(1, store.ErrNotFound), t.user(), settings.TimeZone, settings.Locale,
		string(settings.WeekStart), settings.DefaultCalendar)
	return t.write(ctx, "save settings", b,
		changesOf(model.ChangeSettings, model.OperationUpdated, model.UUID(t.level.tx.user)))
}

const sqlSkipNumbers = `UPDATE users SET calendar_number = greatest(calendar_number, $2::integer),
connection_number = greatest(connection_number, $3::integer), event_number = greatest(event_number, $4::bigint)
WHERE user_id = $1`

// SkipNumbers keeps numbers from being given.
func (t tx) SkipNumbers(ctx context.Context, upTo store.Numbers) error {
	b := newBatch()
	b.exec(sqlSkipNumbers, all(1, store.ErrNotFound), t.user(), upTo.Calendars, upTo.Connections, upTo.Events)
	return t.write(ctx, "skip numbers", b, nil)
}

const sqlUseConfirmation = `INSERT INTO confirmations (user_id, id, expires_at) VALUES ($1, $2, $3)
ON CONFLICT (user_id, id) DO NOTHING`

// UseConfirmation records that a confirmation was used.
func (t tx) UseConfirmation(ctx context.Context, id model.UUID, expires time.Time) error {
	b := newBatch()
	b.exec(sqlUseConfirmation, all(1, store.ErrConflict), t.user(), uuidArg(id), instantArg(expires))
	return t.write(ctx, "use a confirmation", b, nil)
}

const sqlReturnConfirmation = `DELETE FROM confirmations WHERE user_id = $1 AND id = $2`

// ReturnConfirmation makes a used confirmation usable again.
func (t tx) ReturnConfirmation(ctx context.Context, id model.UUID) error {
	b := newBatch()
	b.exec(sqlReturnConfirmation, nil, t.user(), uuidArg(id))
	return t.write(ctx, "return a confirmation", b, nil)
}
