package postgres

import (
	"context"
	"fmt"
	"time"

	"almanac/adapters/store"
)

const (
	sqlMoveLogs = `UPDATE users SET change_seq = (change_seq / $1 + 1) * $1`
	sqlHold     = `INSERT INTO secrets (name, value) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET value = excluded.value`
	sqlEndHold = `DELETE FROM secrets WHERE name = $1`
)

// MarkRestored: see store.Restorer.
func (s *Store) MarkRestored(ctx context.Context, at time.Time) error {
	b := newBatch()
	b.exec(sqlMoveLogs, nil, int64(store.LogSpan))
	b.exec(sqlHold, nil, store.HeldSecret, []byte(at.UTC().Format(time.RFC3339Nano)))
	if err := s.write(ctx, b); err != nil {
		return fmt.Errorf("postgres: mark restored: %w", err)
	}
	return nil
}

// Held: see store.Restorer.
func (s *Store) Held(ctx context.Context) (since time.Time, err error) {
	var text []byte
	b := newBatch()
	b.query(sqlSecret, func(r *row) { text = r.bytes() }, store.HeldSecret)
	if err := s.run(ctx, b); err != nil {
		return since, fmt.Errorf("postgres: held: %w", err)
	}
	if text == nil {
		return since, nil
	}
	if since, err = time.Parse(time.RFC3339Nano, string(text)); err != nil {
		return since, fmt.Errorf("postgres: held: %w", err)
	}
	return since, nil
}

// EndHold: see store.Restorer.
func (s *Store) EndHold(ctx context.Context) error {
	b := newBatch()
	b.exec(sqlEndHold, nil, store.HeldSecret)
	if err := s.write(ctx, b); err != nil {
		return fmt.Errorf("postgres: end hold: %w", err)
	}
	return nil
}
