package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

var (
	syncColumns = wholeOf(&store.SyncTable)
	syncNames   = "user_id, " + strings.Join(syncColumns.names(), ", ")

	sqlSyncStates = `SELECT ` + syncNames + ` FROM sync_states WHERE user_id = $1 AND connection_id = $2 ORDER BY calendar`

	// sqlSaveSync keeps the connection from going away before the state is there, so the foreign key always holds: its
	// violation would spoil the transaction.
	sqlSaveSync = `INSERT INTO sync_states (` + syncNames + `)
SELECT user_id, id, ` + numbered(3, len(syncColumns)-1) + `
FROM connections WHERE user_id = $1 AND id = $2 FOR KEY SHARE
ON CONFLICT (user_id, connection_id, calendar) DO UPDATE SET ` + excluded(store.Names(store.SyncTable.Replaced())...)

	dueSyncs      = queueOf("sync_states", "q.next_at <= $1", "q.next_at, q.user_id, q.connection_id, q.calendar")
	sqlClaimSyncs = sqlTaking("sync_states", "next_at", []string{"connection_id", "calendar"}, "q.next_at <= $1", "",
		syncNames)
)

const sqlForgetSync = `DELETE FROM sync_states WHERE user_id = $1 AND connection_id = $2 AND calendar = $3`

// readSync reads what syncNames names.
func readSync(r *row, state *store.SyncState) {
	state.User = model.UserID(r.uuid())
	syncColumns.read(r, state)
}

// SyncStates returns the states of one connection, by calendar.
func (s *Store) SyncStates(ctx context.Context, user model.UserID, connection model.UUID) ([]store.SyncState, error) {
	q := newQuery(userArg(user))
	q.param(uuidArg(connection))
	q.add(sqlSyncStates)
	return records(ctx, s.reader, "read sync states", q, 0, readSync)
}

// SaveSyncState inserts or replaces the state of a calendar.
func (s *Store) SaveSyncState(ctx context.Context, state store.SyncState) error {
	args, err := values(userArg(state.User), syncColumns, state)
	if err != nil {
		return err
	}
	b := newBatch()
	b.exec(sqlSaveSync, all(1, store.ErrNotFound), args...)
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
	return claim(ctx, s, "claim syncs", dueSyncs, sqlClaimSyncs, readSync, now, until, limit)
}

const (
	sqlFollowedOnes = ` FROM sync_states WHERE next_at IS NOT NULL AND seen_at IS NOT NULL AND calendar NOT IN ('` +
		model.MailFeed + `', '` + model.CalendarListFeed + `')`
	sqlFollowLag = `SELECT count(*), coalesce(sum(extract(epoch FROM $1::timestamptz - seen_at)) * 1000000, 0)::bigint` +
		sqlFollowedOnes
	sqlLagging = `SELECT connection_id, calendar, seen_at` + sqlFollowedOnes +
		` ORDER BY seen_at, user_id, connection_id, calendar LIMIT $1`
)

// FollowLag returns how old what is known of calendars is.
func (s *Store) FollowLag(ctx context.Context, now time.Time, limit int) (lag store.FollowLag, err error) {
	b := newBatch()
	b.query(sqlFollowLag, func(r *row) {
		lag.Calendars, lag.Total = int(r.int64()), time.Duration(r.int64())*time.Microsecond
	}, instantArg(now))
	b.query(sqlLagging, func(r *row) {
		lag.Oldest = append(lag.Oldest, store.SyncState{Connection: r.uuid(), Calendar: r.text(), Seen: r.time()})
	}, limit)
	if err := s.write(ctx, b); err != nil {
		return store.FollowLag{}, fmt.Errorf("postgres: lag of calendars: %w", err)
	}
	return lag, nil
}
