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
	connectionColumns = wholeOf(&store.ConnectionTable)
	secretColumns     = wholeOf(&store.CredentialsTable)
	secretNames       = store.Names(store.CredentialsTable.Replaced())

	sqlInsertConnection = insertSQL(&store.ConnectionTable, secretNames...)
	sqlUpdateConnection = updateSQL(&store.ConnectionTable, secretNames...)
	sqlUpdateSecrets    = updateSQL(&store.CredentialsTable)
)

// Connections: see store.ConnectionReader.
func (r reader) Connections(ctx context.Context, user model.UserID) ([]model.Connection, error) {
	return answer(ctx, r, "connections", oneStatement, func(q *session) (connections []model.Connection, err error) {
		err = q.readSQL("SELECT "+connectionColumns.names("")+" FROM connections WHERE user_id = ? ORDER BY number",
			into(&connections, func(stmt *sqlite.Stmt, connection *model.Connection) error {
				connection.User = user
				return connectionColumns.readRow(stmt, connection)
			}), userArg(user))
		return connections, err
	})
}

// Credentials: see store.ConnectionReader.
func (r reader) Credentials(ctx context.Context, user model.UserID,
	connection model.UUID) (model.Credentials, error) {
	return answer(ctx, r, "credentials", oneStatement, func(q *session) (model.Credentials, error) {
		var found []model.Credentials
		err := q.readSQL("SELECT "+secretColumns.names("")+" FROM connections WHERE user_id = ? AND id = ?",
			into(&found, secretColumns.readRow), userArg(user), idArg(connection))
		return theOne(found, err)
	})
}

// SaveConnection: see store.ConnectionWriter.
func (f *frame) SaveConnection(ctx context.Context, connection model.Connection,
	credentials model.Credentials) (model.Connection, error) {
	saved, _, err := rows.Connection(f.user, connection)
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
		sql, operation := sqlUpdateConnection, model.OperationUpdated
		if !there {
			sql, operation = sqlInsertConnection, model.OperationCreated
			if err := f.numberConnection(q, &saved); err != nil {
				return err
			}
		}
		secrets, err := argsOf(f.user, &store.CredentialsTable, &credentials)
		if err != nil {
			return err
		}
		args, err := argsOf(f.user, &store.ConnectionTable, &saved, secrets[2:]...) // without the user and the id
		if err != nil {
			return err
		}
		if _, err := q.write(sql, args...); err != nil {
			return err
		}
		return f.log(q, model.ChangeConnection, operation, saved.ID)
	})
	if err != nil {
		return model.Connection{}, wrap("save connection", err)
	}
	return saved, nil
}

// numberConnection numbers a new connection.
func (f *frame) numberConnection(q *session, connection *model.Connection) error {
	others, _, err := q.number(`SELECT count(*) FROM connections WHERE user_id = ? AND provider = ?`, userArg(f.user),
		textArg(string(connection.Provider)))
	if err != nil {
		return err
	}
	if others >= model.MaxConnections {
		return store.ErrConflict
	}
	_, err = q.writeReturning(
		`UPDATE users SET connection_number = connection_number + 1 WHERE user_id = ? RETURNING connection_number`,
		func(stmt *sqlite.Stmt) error {
			connection.Number = stmt.ColumnInt(0)
			return nil
		}, userArg(f.user))
	return err
}

// SaveCredentials: see store.ConnectionWriter.
func (f *frame) SaveCredentials(ctx context.Context, credentials model.Credentials) error {
	err := f.do(ctx, func(q *session) error {
		args, err := argsOf(f.user, &store.CredentialsTable, &credentials)
		if err == nil {
			err = q.writeOne(sqlUpdateSecrets, args...)
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
		number := 0
		there, err := q.writeReturning(`DELETE FROM connections WHERE user_id = ? AND id = ? RETURNING number`,
			func(stmt *sqlite.Stmt) error { number = stmt.ColumnInt(0); return nil }, userArg(f.user), idArg(connection))
		if err != nil {
			return err
		}
		if there == 0 {
			return store.ErrNotFound
		}
		if _, err := q.write(`UPDATE calendars INDEXED BY calendars_remote SET state = 'DELETED', updated_at = ?
WHERE user_id = ? AND connection = ? AND connection > 0 AND state <> 'DELETED'`, instantArg(f.at), userArg(f.user),
			intArg(number)); err != nil {
			return err
		}
		if err := f.eraseActions(q, []model.UUID{connection}); err != nil {
			return err
		}
		return f.log(q, model.ChangeConnection, model.OperationDeleted, connection)
	})
	return wrap("delete connection", err)
}
