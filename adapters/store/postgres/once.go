package postgres

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// idempotencyTerm is how long an answer is kept for a call that comes again.
const idempotencyTerm = 24 * time.Hour

const (
	sqlRecorded = `SELECT fingerprint, answer FROM idempotency WHERE user_id = $1 AND key = $2 AND expires_at > $3`

	sqlRecord = `INSERT INTO idempotency (user_id, key, fingerprint, answer, expires_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (user_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at`
)

// Once runs fn at most once per user and key; see the contract. The record is looked for under the user's lock, so a call waits for the one
// that came before it; looking and recording cost no round trip beyond those of the transaction.
func (s *Store) Once(
	ctx context.Context, user model.UserID, call model.IdempotentCall, fn func(ctx context.Context) (answer []byte, err error),
) (answer []byte, replayed bool, err error) {
	if err := rows.Text(call.Key); err != nil {
		return nil, false, err
	}
	now := s.now()
	var (
		recorded    bool
		fingerprint []byte
	)
	look := statement{sql: sqlRecorded, args: []any{userArg(user), call.Key, timeArg(now)}, read: func(r *row) {
		recorded, fingerprint, answer = true, r.bytes(), r.bytes()
	}}
	err = s.within(ctx, user, &look, func(ctx context.Context, l *level) error {
		if recorded {
			replayed = bytes.Equal(fingerprint, call.Fingerprint[:])
			if !replayed {
				return model.Errorf(model.CodeIdempotencyConflict, "this Idempotency-Key was used for another request; use a new key for a new request")
			}
			return nil
		}
		fresh, err := fn(ctx)
		if err != nil {
			return err
		}
		answer = fresh
		if fresh == nil {
			fresh = []byte{}
		}
		record := statement{sql: sqlRecord, args: []any{userArg(user), call.Key, call.Fingerprint[:], fresh, timeArg(now.Add(idempotencyTerm))}}
		if err := l.atCommit(ctx, record); err != nil {
			return fmt.Errorf("postgres: record the answer: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return answer, replayed, nil
}
