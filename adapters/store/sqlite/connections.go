package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// Connections: see store.ConnectionReader.
func (r reader) Connections(ctx context.Context, user model.UserID) ([]model.Connection, error) {
	return answer(ctx, r, "connections", oneStatement, func(q *session) (connections []model.Connection, err error) {
		err = q.readSQL(sqlConnections, into(&connections, func(stmt *sqlite.Stmt, c *model.Connection) error {
			*c = model.Connection{
				ID: columnID(stmt, 0), User: user, Number: stmt.ColumnInt(1), Provider: model.Provider(stmt.ColumnText(2)),
				Account: stmt.ColumnText(3), Status: model.ConnectionStatus(stmt.ColumnText(4)),
				Scopes: rows.WordsOf(stmt.ColumnText(5)), StandIn: stmt.ColumnBool(6),
				LinkedAt: columnTime(stmt, 7), UpdatedAt: columnTime(stmt, 8),
			}
			return nil
		}), userArg(user))
		return connections, err
	})
}

const (
	sqlConnections = `SELECT id, number, provider, account, status, scopes, stand_in, linked_at, updated_at
FROM connections WHERE user_id = ? ORDER BY number`
	sqlCredentials = `SELECT refresh_token, access_token, access_expires_at FROM connections WHERE user_id = ? AND id = ?`
)

// Credentials: see store.ConnectionReader.
func (r reader) Credentials(ctx context.Context, user model.UserID,
	connection model.UUID) (model.Credentials, error) {
	return answer(ctx, r, "credentials", oneStatement, func(q *session) (model.Credentials, error) {
		var found []model.Credentials
		err := q.readSQL(sqlCredentials, into(&found, func(stmt *sqlite.Stmt, c *model.Credentials) error {
			*c = model.Credentials{Connection: connection, Refresh: columnBytes(stmt, 0), Access: columnBytes(stmt, 1),
				AccessExpires: columnTime(stmt, 2)}
			return nil
		}), userArg(user), idArg(connection))
		return theOne(found, err)
	})
}

// SaveConnection: see store.ConnectionWriter.
func (f *frame) SaveConnection(ctx context.Context, connection model.Connection,
	credentials model.Credentials) (model.Connection, error) {
	saved, scopes, err := rows.Connection(f.user, connection)
	if err != nil {
		return model.Connection{}, wrap("save connection", err)
	}
	err = f.atomically(ctx, func(q *session) error {
		there := false
		if err := q.readSQL(
			`SELECT id, number, linked_at FROM connections WHERE user_id = ? AND provider = ? AND account = ?`,
			func(stmt *sqlite.Stmt) error {
				there = true
				saved.ID, saved.Number, saved.LinkedAt = columnID(stmt, 0), stmt.ColumnInt(1), columnTime(stmt, 2)
				return nil
			}, userArg(f.user), textArg(string(saved.Provider)), textArg(saved.Account)); err != nil {
			return err
		}
		operation := model.OperationUpdated
		if !there {
			operation = model.OperationCreated
			if err := f.addConnection(q, &saved); err != nil {
				return err
			}
		}
		if _, err := q.write(
			`UPDATE connections SET status = ?, scopes = ?, stand_in = ?, updated_at = ?, refresh_token = ?, access_token = ?,
access_expires_at = ? WHERE user_id = ? AND id = ?`,
			textArg(string(saved.Status)), textArg(scopes), boolArg(saved.StandIn), instantArg(saved.UpdatedAt),
			bytesOrNull(credentials.Refresh), bytesOrNull(credentials.Access), timeArg(credentials.AccessExpires),
			userArg(f.user), idArg(saved.ID)); err != nil {
			return err
		}
		return f.log(q, model.ChangeConnection, operation, saved.ID)
	})
	if err != nil {
		return model.Connection{}, wrap("save connection", err)
	}
	return saved, nil
}

// addConnection returns a connection its number and inserts as much of it as never changes.
func (f *frame) addConnection(q *session, connection *model.Connection) error {
	others := 0
	if err := q.readSQL(`SELECT count(*) FROM connections WHERE user_id = ? AND provider = ?`,
		func(stmt *sqlite.Stmt) error {
			others = stmt.ColumnInt(0)
			return nil
		}, userArg(f.user), textArg(string(connection.Provider))); err != nil {
		return err
	}
	if others >= model.MaxConnections {
		return store.ErrConflict
	}
	if _, err := q.writeReturning(
		`UPDATE users SET connection_number = connection_number + 1 WHERE user_id = ? RETURNING connection_number`,
		func(stmt *sqlite.Stmt) error {
			connection.Number = stmt.ColumnInt(0)
			return nil
		}, userArg(f.user)); err != nil {
		return err
	}
	_, err := q.write(
		`INSERT INTO connections (user_id, id, number, provider, account, status, scopes, stand_in, linked_at, updated_at)
VALUES (?, ?, ?, ?, ?, '', '', 0, ?, 0)`,
		userArg(f.user), idArg(connection.ID), intArg(connection.Number), textArg(string(connection.Provider)),
		textArg(connection.Account), instantArg(connection.LinkedAt))
	return err
}

// SaveCredentials: see store.ConnectionWriter.
func (f *frame) SaveCredentials(ctx context.Context, credentials model.Credentials) error {
	err := f.do(ctx, func(q *session) error {
		found, err := q.write(
			`UPDATE connections SET refresh_token = ?, access_token = ?, access_expires_at = ? WHERE user_id = ? AND id = ?`,
			bytesOrNull(credentials.Refresh), bytesOrNull(credentials.Access), timeArg(credentials.AccessExpires),
			userArg(f.user), idArg(credentials.Connection))
		if err == nil && found == 0 {
			err = store.ErrNotFound
		}
		return err
	})
	return wrap("save credentials", err)
}

// SetConnectionStatus: see store.ConnectionWriter.
func (f *frame) SetConnectionStatus(ctx context.Context, connection model.UUID, status model.ConnectionStatus,
	at time.Time) error {
	err := f.atomically(ctx, func(q *session) error {
		if err := rows.Text(string(status)); err != nil {
			return err
		}
		found, same := false, false
		if err := q.readSQL(`SELECT status FROM connections WHERE user_id = ? AND id = ?`, func(stmt *sqlite.Stmt) error {
			found, same = true, stmt.ColumnText(0) == string(status)
			return nil
		}, userArg(f.user), idArg(connection)); err != nil {
			return err
		}
		if !found {
			return store.ErrNotFound
		}
		if same {
			return nil
		}
		if _, err := q.write(`UPDATE connections SET status = ?, updated_at = ? WHERE user_id = ? AND id = ?`,
			textArg(string(status)), instantArg(at), userArg(f.user), idArg(connection)); err != nil {
			return err
		}
		return f.log(q, model.ChangeConnection, model.OperationUpdated, connection)
	})
	return wrap("set connection status", err)
}

// DeleteConnection: see store.ConnectionWriter.
func (f *frame) DeleteConnection(ctx context.Context, connection model.UUID) error {
	err := f.atomically(ctx, func(q *session) error {
		found, err := q.write(`DELETE FROM connections WHERE user_id = ? AND id = ?`, userArg(f.user), idArg(connection))
		if err != nil {
			return err
		}
		if found == 0 {
			return store.ErrNotFound
		}
		return f.log(q, model.ChangeConnection, model.OperationDeleted, connection)
	})
	return wrap("delete connection", err)
}
