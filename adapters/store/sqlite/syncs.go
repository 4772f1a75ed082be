package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

const syncColumns = `s.user_id, s.connection_id, s.calendar, s.token, s.seen_at, s.next_at, s.failures, s.channel,
s.resource, s.channel_ends_at`

func readSync(stmt *sqlite.Stmt) store.SyncState {
	return store.SyncState{
		User: model.UserID(columnID(stmt, 0)), Connection: columnID(stmt, 1), Calendar: stmt.ColumnText(2),
		Token: stmt.ColumnText(3),
		Seen:  columnTime(stmt, 4), NextAt: columnTime(stmt, 5), Failures: stmt.ColumnInt(6),
		Channel: stmt.ColumnText(7), Resource: stmt.ColumnText(8), ChannelEnds: columnTime(stmt, 9),
	}
}

// SyncStates: see store.SyncStore.
func (s *Store) SyncStates(ctx context.Context, user model.UserID, connection model.UUID) ([]store.SyncState, error) {
	var states []store.SyncState
	err := s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(`SELECT `+syncColumns+
			` FROM sync_states s WHERE s.user_id = ? AND s.connection_id = ? ORDER BY s.calendar`,
			func(stmt *sqlite.Stmt) error {
				states = append(states, readSync(stmt))
				return nil
			}, userArg(user), idArg(connection))
	})
	if err != nil {
		return nil, wrap("sync states", err)
	}
	return states, nil
}

// SaveSyncState: see store.SyncStore. That the connection is gone is what the foreign key says.
func (s *Store) SaveSyncState(ctx context.Context, state store.SyncState) error {
	if err := rows.Text(state.Calendar, state.Token, state.Channel, state.Resource); err != nil {
		return err
	}
	err := s.writing(ctx, state.User, func(q *session) error {
		_, err := q.write(
			`INSERT INTO sync_states (user_id, connection_id, calendar, token, seen_at, next_at, failures, channel, resource,
channel_ends_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (user_id, connection_id, calendar) DO UPDATE
SET token = excluded.token, seen_at = excluded.seen_at, next_at = excluded.next_at, failures = excluded.failures,
channel = excluded.channel, resource = excluded.resource, channel_ends_at = excluded.channel_ends_at`,
			userArg(state.User), idArg(state.Connection), textArg(state.Calendar), textArg(state.Token), timeArg(state.Seen),
			timeArg(state.NextAt), intArg(state.Failures),
			textArg(state.Channel), textArg(state.Resource), timeArg(state.ChannelEnds))
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

// sqlDueSyncs looks at the states of each connection: it costs what there are connections and due states, however many
// are to come.
const sqlDueSyncs = `SELECT ` + syncColumns +
	` FROM connections c INDEXED BY connections_number CROSS JOIN sync_states s INDEXED BY sync_states_due
ON s.user_id = c.user_id AND s.connection_id = c.id AND s.next_at IS NOT NULL AND s.next_at <= ?
ORDER BY s.next_at, s.user_id, s.connection_id, s.calendar LIMIT ?`

// ClaimSyncs: see store.SyncStore. It looks by reading first, so that nothing due costs the writers nothing.
func (s *Store) ClaimSyncs(ctx context.Context, now, until time.Time, limit int) ([]store.SyncState, error) {
	var due []store.SyncState
	look := func(q *session) error {
		due = nil
		return q.readSQL(sqlDueSyncs, func(stmt *sqlite.Stmt) error {
			due = append(due, readSync(stmt))
			return nil
		}, instantArg(now), intArg(max(limit, 0)))
	}
	if err := s.reading(ctx, oneStatement, look); err != nil || len(due) == 0 {
		return nil, wrap("claim syncs", err)
	}
	err := s.exclusively(ctx, func(q *session) error {
		if err := look(q); err != nil { // another may have claimed them since
			return err
		}
		for i := range due {
			due[i].NextAt = rows.Time(until)
			if _, err := q.write(`UPDATE sync_states SET next_at = ? WHERE user_id = ? AND connection_id = ? AND calendar = ?`,
				timeArg(until), userArg(due[i].User), idArg(due[i].Connection), textArg(due[i].Calendar)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, wrap("claim syncs", err)
	}
	return due, nil
}
