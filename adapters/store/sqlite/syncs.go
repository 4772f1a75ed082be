package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

var (
	syncColumns = wholeOf(&store.SyncTable)
	sqlSaveSync = upsertSQL(&store.SyncTable, "user_id, connection_id, calendar")
	sqlSyncs    = "SELECT s.user_id, " + syncColumns.names("s")
)

// readSync reads a row of sqlSyncs.
func readSync(stmt *sqlite.Stmt, state *store.SyncState) error {
	state.User = model.UserID(columnID(stmt, 0))
	return syncColumns.read(stmt, 1, state)
}

// SyncStates: see store.SyncStore.
func (s *Store) SyncStates(ctx context.Context, user model.UserID, connection model.UUID) ([]store.SyncState, error) {
	return answer(ctx, s.reader, "sync states", oneStatement, func(q *session) (states []store.SyncState, err error) {
		err = q.readSQL(sqlSyncs+` FROM sync_states s WHERE s.user_id = ? AND s.connection_id = ? ORDER BY s.calendar`,
			into(&states, readSync), userArg(user), idArg(connection))
		return states, err
	})
}

// SaveSyncState: see store.SyncStore. That the connection is gone is what the foreign key says.
func (s *Store) SaveSyncState(ctx context.Context, state store.SyncState) error {
	args, err := argsOf(state.User, &store.SyncTable, &state)
	if err != nil {
		return err
	}
	err = s.writing(ctx, state.User, func(q *session) error {
		_, err := q.write(sqlSaveSync, args...)
		return err
	})
	return wrap("save sync state", err)
}

// ForgetSyncState: see store.SyncStore.
func (s *Store) ForgetSyncState(ctx context.Context, user model.UserID, connection model.UUID, calendar string) error {
	err := s.writing(ctx, user, func(q *session) error {
		_, err := q.write(`DELETE FROM sync_states WHERE user_id = ? AND connection_id = ? AND calendar = ?`, userArg(user),
			idArg(connection), textArg(calendar))
		return err
	})
	return wrap("forget sync state", err)
}

// writing runs fn with the right to write rows of one user that need no row in users.
func (s *Store) writing(ctx context.Context, user model.UserID, fn func(q *session) error) error {
	if f := s.frameOf(ctx); f != nil && f.user != user {
		return errOtherUser
	}
	return s.exclusively(ctx, fn)
}

var sqlDueSyncs = sqlSyncs + ` FROM sync_states s INDEXED BY sync_states_due
WHERE s.next_at IS NOT NULL AND s.next_at <= ? ORDER BY s.next_at, s.user_id, s.connection_id, s.calendar LIMIT ?`

// ClaimSyncs: see store.SyncStore.
func (s *Store) ClaimSyncs(ctx context.Context, now, until time.Time, limit int) ([]store.SyncState, error) {
	return claim(ctx, s, "claim syncs", func(q *session) (due []store.SyncState, err error) {
		err = q.readSQL(sqlDueSyncs, into(&due, readSync), instantArg(now), intArg(max(limit, 0)))
		return due, err
	}, func(q *session, state *store.SyncState) error {
		state.NextAt = rows.Time(until)
		_, err := q.write(`UPDATE sync_states SET next_at = ? WHERE user_id = ? AND connection_id = ? AND calendar = ?`,
			timeArg(until), userArg(state.User), idArg(state.Connection), textArg(state.Calendar))
		return err
	})
}

const (
	sqlFollowedOnes = ` FROM sync_states WHERE next_at IS NOT NULL AND seen_at IS NOT NULL AND calendar NOT IN ('` +
		model.MailFeed + `', '` + model.CalendarListFeed + `')`
	sqlFollowLag = `SELECT count(*), coalesce(sum(?1 - seen_at), 0)` + sqlFollowedOnes
	sqlLagging   = `SELECT connection_id, calendar, seen_at` + sqlFollowedOnes +
		` ORDER BY seen_at, user_id, connection_id, calendar LIMIT ?1`
)

// FollowLag: see store.SyncStore.
func (s *Store) FollowLag(ctx context.Context, now time.Time, limit int) (lag store.FollowLag, err error) {
	err = s.reading(ctx, oneTransaction, func(q *session) error {
		lag = store.FollowLag{}
		err := q.readSQL(sqlFollowLag, func(stmt *sqlite.Stmt) error {
			lag.Calendars = stmt.ColumnInt(0)
			lag.Total = time.Duration(stmt.ColumnInt64(1)) * time.Microsecond
			return nil
		}, instantArg(now))
		if err != nil {
			return err
		}
		return q.readSQL(sqlLagging, func(stmt *sqlite.Stmt) error {
			lag.Oldest = append(lag.Oldest, store.SyncState{Connection: columnID(stmt, 0), Calendar: stmt.ColumnText(1),
				Seen: columnTime(stmt, 2)})
			return nil
		}, intArg(limit))
	})
	return lag, wrap("lag of calendars", err)
}
