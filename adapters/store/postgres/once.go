package postgres

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const (
	sqlRecorded = `SELECT fingerprint, answer, seed, held_until, notes, erased FROM idempotency WHERE user_id = $1
AND key = $2 AND expires_at > $3`

	// sqlRecord replaces whatever is under the key: a record whose term has ended, or that of a claim which nobody holds.
	// Notes are kept for those who take the same claim, whose seed is the same, and with them what they mention.
	sqlRecord = `INSERT INTO idempotency (user_id, key, fingerprint, expires_at, answer, seed, holder, held_until,
mentions) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (user_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, expires_at = excluded.expires_at,
answer = excluded.answer,
seed = excluded.seed, holder = excluded.holder, held_until = excluded.held_until,
notes = CASE WHEN excluded.seed = idempotency.seed THEN idempotency.notes END,
mentions = CASE WHEN excluded.seed = idempotency.seed THEN idempotency.mentions ELSE excluded.mentions END,
erased = false`

	sqlNote = `UPDATE idempotency SET notes = $4, mentions = $5 WHERE user_id = $1 AND key = $2 AND holder = $3
AND answer IS NULL RETURNING true`

	// sqlSettle forgets the notes: with the answer nobody needs them any more. An answer that is there already stays, with
	// what it mentions.
	sqlSettle = `UPDATE idempotency SET answer = coalesce(answer, $4),
mentions = CASE WHEN answer IS NULL THEN $6::uuid[] ELSE mentions END,
held_until = NULL, notes = NULL, expires_at = $5 WHERE user_id = $1 AND key = $2 AND holder = $3 RETURNING true`

	sqlRelease = `UPDATE idempotency SET holder = NULL, held_until = NULL WHERE user_id = $1 AND key = $2 AND holder = $3
AND answer IS NULL`
)

// Records are looked for and written under the user's lock: Once and Claim of the same key wait for each other, and
// what one has seen stays so until it commits. Looking and recording cost no round trip beyond those of the
// transaction.

// lookFor returns the statement that reads the record of a key; what it points to stays nil when there is none, or its
// term has ended.
func lookFor(record **rows.KeyRecord, user model.UserID, key string, now time.Time) *statement {
	return &statement{sql: sqlRecorded, args: []any{userArg(user), key, instantArg(now)}, read: func(r *row) {
		found := &rows.KeyRecord{Fingerprint: r.bytes(), Answered: !r.isNull()}
		found.Answer, found.Seed, found.HeldUntil, found.Notes, found.Erased = r.bytes(), r.uuid(), r.time(), r.bytes(),
			r.bool()
		*record = found
	}}
}

// mentions returns the memories, and the records of the knowledge graph, whose public ids stand in a text, as a
// parameter; NULL for none. When one of them is erased, what tells of it is found by that and not by reading all
// answers.
func mentions(text []byte) []pgtype.UUID {
	const length = 26 // of a UUID's text
	var found []model.UUID
	for _, kind := range [...]model.Kind{model.KindMemory, model.KindEntity, model.KindFact, model.KindEpisode} {
		mark := []byte(string(kind) + "_")
		for rest := text; ; {
			at := bytes.Index(rest, mark)
			if at < 0 {
				break
			}
			rest = rest[at+len(mark):]
			if id, err := model.ParseUUID(string(rest[:min(length, len(rest))])); err == nil {
				found = append(found, id)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	return uuidArgs(rows.Distinct(found))
}

// some returns bytes that are there, if only as none.
func some(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// Once runs fn at most once per user and key; see the contract.
func (s *Store) Once(
	ctx context.Context, user model.UserID, call model.IdempotentCall,
	fn func(ctx context.Context) (answer []byte, err error),
) (answer []byte, replayed bool, err error) {
	if err := rows.Text(call.Key); err != nil {
		return nil, false, err
	}
	now := s.now()
	var record *rows.KeyRecord
	err = s.within(ctx, user, lookFor(&record, user, call.Key, now), func(ctx context.Context, l *level) error {
		if replayed, err = record.Once(call, now); err != nil {
			return err
		}
		if replayed {
			answer = record.Answer
			return nil
		}
		if answer, err = fn(ctx); err != nil {
			return err
		}
		save := statement{sql: sqlRecord, args: []any{userArg(user), call.Key, call.Fingerprint[:],
			instantArg(now.Add(rows.KeyTerm)), some(answer), nil, nil, nil, mentions(answer)}}
		if err := l.atCommit(ctx, save); err != nil {
			return fmt.Errorf("postgres: record the answer: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return answer, replayed, nil
}

// Claim takes a key for the caller, or tells why it cannot; see the contract.
func (s *Store) Claim(ctx context.Context, user model.UserID, call model.IdempotentCall, now time.Time,
	lease time.Duration) (claim store.Claim, err error) {
	if err := rows.Text(call.Key); err != nil {
		return store.Claim{}, err
	}
	var record *rows.KeyRecord
	err = s.within(ctx, user, lookFor(&record, user, call.Key, now), func(ctx context.Context, l *level) error {
		if claim, err = record.Claim(call, now); err != nil || claim.State != store.ClaimTaken {
			return err
		}
		save := statement{sql: sqlRecord, args: []any{
			userArg(user), call.Key, call.Fingerprint[:], instantArg(now.Add(rows.KeyTerm)), nil, uuidArg(claim.Seed),
			uuidArg(claim.Holder), instantArg(now.Add(lease)), nil,
		}}
		if err := l.atCommit(ctx, save); err != nil {
			return fmt.Errorf("postgres: claim a key: %w", err)
		}
		return nil
	})
	if err != nil {
		return store.Claim{}, err
	}
	return claim, nil
}

// Note replaces what is noted with a claim; see the contract.
func (s *Store) Note(ctx context.Context, user model.UserID, claim store.Claim, notes []byte) error {
	noted := false
	note := statement{sql: sqlNote, args: []any{userArg(user), claim.Key, uuidArg(claim.Holder), notes, mentions(notes)},
		read: func(r *row) {
			noted = r.bool()
		}}
	return s.within(ctx, user, &note, func(context.Context, *level) error {
		if !noted {
			return fmt.Errorf("postgres: note with a claim: %w", store.ErrNotFound)
		}
		return nil
	})
}

// Settle records the answer of a claim; see the contract.
func (s *Store) Settle(ctx context.Context, user model.UserID, claim store.Claim, answer []byte) error {
	settled := false
	settle := statement{sql: sqlSettle, args: []any{userArg(user), claim.Key, uuidArg(claim.Holder), some(answer),
		instantArg(s.now().Add(rows.KeyTerm)), mentions(answer)}, read: func(r *row) {
		settled = r.bool()
	}}
	return s.within(ctx, user, &settle, func(context.Context, *level) error {
		if !settled {
			return fmt.Errorf("postgres: settle a claim: %w", store.ErrNotFound)
		}
		return nil
	})
}

// Release ends a claim without an answer.
func (s *Store) Release(ctx context.Context, user model.UserID, claim store.Claim) error {
	release := statement{sql: sqlRelease, args: []any{userArg(user), claim.Key, uuidArg(claim.Holder)}}
	return s.within(ctx, user, &release, func(context.Context, *level) error { return nil })
}
