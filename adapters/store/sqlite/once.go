package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// readKey returns the record of an idempotency key; nil when there is none, or its term has ended.
func readKey(q *session, user model.UserID, key string, now time.Time) (record *rows.KeyRecord, err error) {
	err = q.readSQL(
		`SELECT fingerprint, answer, seed, held_until, notes, erased FROM idempotency WHERE user_id = ? AND key = ?
AND expires_at > ?`, func(stmt *sqlite.Stmt) error {
			record = &rows.KeyRecord{
				Fingerprint: columnBytes(stmt, 0), Answered: !stmt.ColumnIsNull(1), Answer: columnBytes(stmt, 1),
				Seed: columnID(stmt, 2), HeldUntil: columnTime(stmt, 3),
				Notes: columnBytes(stmt, 4), Erased: stmt.ColumnInt(5) != 0,
			}
			return nil
		}, userArg(user), textArg(key), instantArg(now))
	return record, err
}

// sqlSaveKey replaces whatever is under the key: a record whose term has ended, or that of a claim which nobody holds.
// Notes are kept for those who take the same claim, whose seed is the same.
const sqlSaveKey = `INSERT INTO idempotency (user_id, key, fingerprint, expires_at, answer, seed, holder, held_until)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (user_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at,
answer = excluded.answer,
seed = excluded.seed, holder = excluded.holder, held_until = excluded.held_until, erased = 0,
notes = CASE WHEN excluded.seed = idempotency.seed THEN idempotency.notes END`

// Once: see store.Transactor.
func (s *Store) Once(ctx context.Context, user model.UserID, call model.IdempotentCall,
	fn func(ctx context.Context) ([]byte, error)) (answer []byte, replayed bool, err error) {
	err = s.within(ctx, user, func(ctx context.Context, f *frame) error {
		var record *rows.KeyRecord
		err := f.read(ctx, func(q *session) (err error) {
			record, err = readKey(q, user, call.Key, f.at)
			return err
		})
		if err != nil {
			return err
		}
		if replayed, err = record.Once(call, f.at); err != nil {
			return err
		}
		if replayed {
			answer = record.Answer
			return nil
		}
		if answer, err = fn(ctx); err != nil {
			return err
		}
		return f.do(ctx, func(q *session) error {
			_, err := q.write(sqlSaveKey, userArg(user), textArg(call.Key), bytesArg(call.Fingerprint[:]),
				instantArg(f.at.Add(rows.KeyTerm)), bytesArg(answer), arg{}, arg{}, arg{})
			return err
		})
	})
	if err != nil {
		return nil, false, err
	}
	return answer, replayed, nil
}

// Claim: see store.Claimer.
func (s *Store) Claim(ctx context.Context, user model.UserID, call model.IdempotentCall, now time.Time,
	lease time.Duration) (claim store.Claim, err error) {
	if err := rows.Text(call.Key); err != nil {
		return store.Claim{}, err
	}
	err = s.within(ctx, user, func(ctx context.Context, f *frame) error {
		return f.do(ctx, func(q *session) error {
			record, err := readKey(q, user, call.Key, now)
			if err != nil {
				return err
			}
			if claim, err = record.Claim(call, now); err != nil || claim.State != store.ClaimTaken {
				return err
			}
			_, err = q.write(sqlSaveKey, userArg(user), textArg(call.Key), bytesArg(call.Fingerprint[:]),
				instantArg(now.Add(rows.KeyTerm)), arg{},
				idArg(claim.Seed), idArg(claim.Holder), instantArg(now.Add(lease)))
			return err
		})
	})
	if err != nil {
		return store.Claim{}, wrap("claim", err)
	}
	return claim, nil
}

// Note: see store.Claimer.
func (s *Store) Note(ctx context.Context, user model.UserID, claim store.Claim, notes []byte) error {
	err := s.within(ctx, user, func(ctx context.Context, f *frame) error {
		return f.do(ctx, func(q *session) error {
			found, err := q.write(
				`UPDATE idempotency SET notes = ? WHERE user_id = ? AND key = ? AND holder = ? AND answer IS NULL AND erased = 0`,
				bytesOrNull(notes), userArg(user), textArg(claim.Key), idArg(claim.Holder))
			if err == nil && found == 0 {
				err = store.ErrNotFound
			}
			return err
		})
	})
	return wrap("note", err)
}

// Settle: see store.Claimer. With the answer nobody needs the notes any more. What was erased meanwhile does not come
// back with a late answer.
func (s *Store) Settle(ctx context.Context, user model.UserID, claim store.Claim, answer []byte) error {
	err := s.within(ctx, user, func(ctx context.Context, f *frame) error {
		return f.do(ctx, func(q *session) error {
			found, err := q.write(
				`UPDATE idempotency SET answer = CASE erased WHEN 0 THEN coalesce(answer, ?) END, held_until = NULL, notes = NULL,
expires_at = ? WHERE user_id = ? AND key = ? AND holder = ?`,
				bytesArg(answer), instantArg(f.at.Add(rows.KeyTerm)), userArg(user), textArg(claim.Key), idArg(claim.Holder))
			if err == nil && found == 0 {
				err = store.ErrNotFound
			}
			return err
		})
	})
	return wrap("settle", err)
}

// Release: see store.Claimer.
func (s *Store) Release(ctx context.Context, user model.UserID, claim store.Claim) error {
	err := s.within(ctx, user, func(ctx context.Context, f *frame) error {
		return f.do(ctx, func(q *session) error {
			_, err := q.write(
				`UPDATE idempotency SET holder = NULL, held_until = NULL WHERE user_id = ? AND key = ? AND holder = ?
AND answer IS NULL`,
				userArg(user), textArg(claim.Key), idArg(claim.Holder))
			return err
		})
	})
	return wrap("release", err)
}
