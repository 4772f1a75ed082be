package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// A connection and its secrets, which stand in one row, are given together.
var (
	connectionColumns = wholeOf(&store.ConnectionTable)
	secretColumns     = wholeOf(&store.CredentialsTable)
	secretNames       = store.Names(store.CredentialsTable.Replaced())
	savedNames        = append(connectionColumns.names(), secretNames...)
	replacedNames     = append(store.Names(store.ConnectionTable.Replaced()), secretNames...)

	sqlConnections = `SELECT ` + connectionColumns.list("t") + `
FROM connections AS t WHERE t.user_id = $1 ORDER BY t.number`
	sqlCredentials = `SELECT ` + secretColumns.list("t") + `
FROM connections AS t WHERE t.user_id = $1 AND t.id = $2`

	// sqlSaveConnection says whether the connection may be saved, whether it is new, and what of it stays as it was or was
	// given to it now.
	sqlSaveConnection = filled(`WITH i AS (
	{given}
), old AS MATERIALIZED (
	SELECT c.id, c.number, c.linked_at FROM connections AS c, i
	WHERE c.user_id = $1 AND c.provider = i.provider AND c.account = i.account
), may AS MATERIALIZED (
	SELECT NOT EXISTS (SELECT FROM old) AS fresh, EXISTS (SELECT FROM old) OR (
		NOT EXISTS (SELECT FROM connections AS c WHERE c.user_id = $1 AND c.id = i.id)
		AND (SELECT count(*) FROM connections AS c WHERE c.user_id = $1 AND c.provider = i.provider) < {most}
	) AS free FROM i
), numbered AS (
	UPDATE users SET connection_number = connection_number + 1 WHERE user_id = $1 AND (SELECT fresh AND free FROM may)
	RETURNING connection_number AS number
), changed AS (
	UPDATE connections AS c SET ({replaced}) = ROW({new}) FROM old, i WHERE c.user_id = $1 AND c.id = old.id
), made AS (
	INSERT INTO connections (user_id, {names}) SELECT o.user_id, {values} FROM `+ofUser+`, i, numbered
)
SELECT may.free, may.fresh, coalesce(old.id, i.id), coalesce(old.number, numbered.number),
	coalesce(old.linked_at, i.linked_at)
FROM i CROSS JOIN may LEFT JOIN old ON true LEFT JOIN numbered ON true`,
		"{given}", given(2, append(parametersOf(store.ConnectionTable.All()),
			parametersOf(store.CredentialsTable.Replaced())...)),
		"{most}", numbered(2+len(savedNames), 1), "{names}", strings.Join(savedNames, ", "),
		"{values}", strings.Replace(listed("i", savedNames), "i.number", "numbered.number", 1),
		"{replaced}", strings.Join(replacedNames, ", "), "{new}", listed("i", replacedNames))

	sqlSaveCredentials = `UPDATE connections SET (` + strings.Join(secretNames, ", ") + `) = ROW(` +
		numbered(3, len(secretNames)) + `) WHERE user_id = $1 AND id = $2`
)

const (
	sqlSetStatus = `WITH old AS MATERIALIZED (
	SELECT status FROM connections WHERE user_id = $1 AND id = $2
), done AS (
	UPDATE connections SET status = $3, updated_at = $4 WHERE user_id = $1 AND id = $2 AND status <> $3
)
SELECT status <> $3 FROM old`

	sqlDeleteConnection = `DELETE FROM connections WHERE user_id = $1 AND id = $2`
)

// Connections returns all of the user's connections, by number.
func (d reader) Connections(ctx context.Context, user model.UserID) ([]model.Connection, error) {
	q := newQuery(userArg(user))
	q.add(sqlConnections)
	return records(ctx, d, "read connections", q, 0, func(r *row, connection *model.Connection) {
		connection.User = user
		connectionColumns.read(r, connection)
	})
}

// Credentials returns a connection's secrets.
func (d reader) Credentials(ctx context.Context, user model.UserID, connection model.UUID) (model.Credentials, error) {
	q := newQuery(userArg(user))
	q.param(uuidArg(connection))
	q.add(sqlCredentials)
	return theOne(records(ctx, d, "read credentials", q, 1, secretColumns.read))
}

// SaveConnection adds a connection or replaces the one of the same account.
func (t tx) SaveConnection(ctx context.Context, connection model.Connection,
	credentials model.Credentials) (model.Connection, error) {
	saved, _, err := rows.Connection(t.level.tx.user, connection)
	if err != nil {
		return model.Connection{}, fmt.Errorf("postgres: save a connection: %w", err)
	}
	args, err := arrays(t.user(), store.ConnectionTable.All(), []model.Connection{saved})
	if err != nil {
		return model.Connection{}, err
	}
	secrets, err := arrays(nil, store.CredentialsTable.Replaced(), []model.Credentials{credentials})
	if err != nil {
		return model.Connection{}, err
	}
	free, operation := false, model.OperationUpdated
	b := newBatch()
	b.query(sqlSaveConnection, func(r *row) {
		free = r.bool()
		if r.bool() {
			operation = model.OperationCreated
		}
		saved.ID, saved.Number, saved.LinkedAt = r.uuid(), int(r.int32()), r.time()
	}, append(append(args, secrets[1:]...), int64(model.MaxConnections))...)
	err = t.write(ctx, "save a connection", b, func() []change {
		if !free {
			return nil
		}
		return changesOf(model.ChangeConnection, operation, saved.ID)()
	})
	if err := refused(err, "save a connection", true, free); err != nil {
		return model.Connection{}, err
	}
	return saved, nil
}

// SaveCredentials replaces a connection's secrets.
func (t tx) SaveCredentials(ctx context.Context, credentials model.Credentials) error {
	args, err := values(t.user(), store.CredentialsTable.All(), credentials)
	if err != nil {
		return err
	}
	b := newBatch()
	b.exec(sqlSaveCredentials, all(1, store.ErrNotFound), args...)
	return t.write(ctx, "save credentials", b, nil)
}

// SetConnectionStatus changes the status, unless it is so already.
func (t tx) SetConnectionStatus(ctx context.Context, connection model.UUID, status model.ConnectionStatus,
	at time.Time) error {
	if err := rows.Text(string(status)); err != nil {
		return err
	}
	found, differs := false, false
	b := newBatch()
	b.query(sqlSetStatus, func(r *row) { found, differs = true, r.bool() }, t.user(), uuidArg(connection), string(status),
		instantArg(at))
	err := t.write(ctx, "set a connection's status", b, func() []change {
		if !differs {
			return nil
		}
		return changesOf(model.ChangeConnection, model.OperationUpdated, connection)()
	})
	return refused(err, "set a connection's status", found, true)
}

// DeleteConnection erases a connection with its secrets and sync states, and what actions tell of it.
func (t tx) DeleteConnection(ctx context.Context, connection model.UUID) error {
	b := newBatch()
	b.exec(sqlHideCalendars, nil, t.user(), uuidArg(connection), t.at()) // while its number is known
	b.exec(sqlDeleteConnection, all(1, store.ErrNotFound), t.user(), uuidArg(connection))
	b.exec(sqlEraseActionsOf, nil, t.user(), uuidArgs([]model.UUID{connection}))
	return t.write(ctx, "delete a connection", b, changesOf(model.ChangeConnection, model.OperationDeleted, connection))
}
