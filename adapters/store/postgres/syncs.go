package postgres

import (
	"context"
	"fmt"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const (
	syncColumns = `user_id, connection_id, calendar, token, seen_at, next_at, failures, channel, resource, channel_ends_at`

	sqlSyncStates = `SELECT ` + syncColumns +
		` FROM sync_states WHERE user_id = $1 AND connection_id = $2 ORDER BY calendar`

	// sqlSaveSync keeps the connection from going away before the state is there, so the foreign key always holds: its
	// violation would spoil the transaction.
	sqlSaveSync = `INSERT INTO sync_states (` + syncColumns + `)
SELECT user_id, id, $3, $4, $5, $6, $7, $8, $9, $10 FROM connections WHERE user_id = $1 AND id = $2 FOR KEY SHARE
ON CONFLICT (user_id, connection_id, calendar) DO UPDATE
SET token = excluded.token, seen_at = excluded.seen_at, next_at = excluded.next_at,
failures = excluded.failures, channel = excluded.channel, resource = excluded.resource,
channel_ends_at = excluded.channel_ends_at`

	sqlForgetSync = `DELETE FROM sync_states WHERE user_id = $1 AND connection_id = $2 AND calendar = $3`

	// sqlClaimSyncs passes over the rows that another process is about to claim, and looks again at those that it has to
	// lock: a row that was claimed meanwhile is not due any more.
	sqlClaimSyncs = `WITH due AS (
	SELECT user_id, connection_id, calendar, next_at AS was FROM sync_states WHERE next_at <= $1
	ORDER BY next_at, user_id, connection_id, calendar LIMIT $3 FOR UPDATE SKIP LOCKED
), taken AS (
	UPDATE sync_states AS s SET next_at = $2 FROM due
	WHERE s.user_id = due.user_id AND s.connection_id = due.connection_id AND s.calendar = due.calendar
	RETURNING s.*, due.was
)
SELECT ` + syncColumns + ` FROM taken ORDER BY was, user_id, connection_id, calendar`
)

func syncOf(r *row) store.SyncState {
	return store.SyncState{
		User: model.UserID(r.uuid()), Connection: r.uuid(), Calendar: r.text(), Token: r.text(), Seen: r.time(),
		NextAt: r.time(), Failures: int(r.int32()),
		Channel: r.text(), Resource: r.text(), ChannelEnds: r.time(),
	}
}

// SyncStates returns the states of one connection, by calendar.
func (s *Store) SyncStates(ctx context.Context, user model.UserID, connection model.UUID) ([]store.SyncState, error) {
	var states []store.SyncState
	b := newBatch()
	b.query(sqlSyncStates, func(r *row) { states = append(states, syncOf(r)) }, userArg(user), uuidArg(connection))
	if err := s.run(ctx, b); err != nil {
		return nil, fmt.Errorf("postgres: read sync states: %w", err)
	}
	return states, nil
}

// SaveSyncState inserts or replaces the state of a calendar.
func (s *Store) SaveSyncState(ctx context.Context, state store.SyncState) error {
	if err := rows.Text(state.Calendar, state.Token, state.Channel, state.Resource); err != nil {
		return err
	}
	b := newBatch()
	b.exec(sqlSaveSync, all(1, store.ErrNotFound), userArg(state.User), uuidArg(state.Connection), state.Calendar,
		state.Token, timeArg(state.Seen), timeArg(state.NextAt),
		int32(state.Failures), state.Channel, state.Resource, timeArg(state.ChannelEnds))
	return s.writeOf(ctx, state.User, "save a sync state", b)
}

// ForgetSyncState erases the state of a calendar, if there is one.
func (s *Store) ForgetSyncState(ctx context.Context, user model.UserID, connection model.UUID, calendar string) error {
	b := newBatch()
	b.exec(sqlForgetSync, nil, userArg(user), uuidArg(connection), calendar)
	return s.writeOf(ctx, user, "forget a sync state", b)
}

// writeOf is write for what belongs to one user but not to the log, so that it need not wait for the user's lock.
func (s *Store) writeOf(ctx context.Context, user model.UserID, what string, b *batch) error {
	err := errOtherUser
	if l := s.levelOf(ctx); l == nil || l.tx.user == user {
		err = s.write(ctx, b)
	}
	if err != nil {
		return fmt.Errorf("postgres: %s: %w", what, err)
	}
	return nil
}

// ClaimSyncs returns states that are due and sets when they are due next.
func (s *Store) ClaimSyncs(ctx context.Context, now, until time.Time, limit int) ([]store.SyncState, error) {
	var due []store.SyncState
	b := newBatch()
	b.query(sqlClaimSyncs, func(r *row) { due = append(due, syncOf(r)) }, instantArg(now), timeArg(until),
		int64(max(limit, 0)))
	if err := s.write(ctx, b); err != nil {
		return nil, fmt.Errorf("postgres: claim syncs: %w", err)
	}
	return due, nil
}
