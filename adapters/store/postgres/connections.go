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
	sqlConnections = `SELECT id, number, provider, account, status, scopes, stand_in, linked_at, updated_at
FROM connections WHERE user_id = $1 ORDER BY number`

	sqlCredentials = `SELECT refresh_token, access_token, access_expires_at FROM connections WHERE user_id = $1
AND id = $2`

	// sqlSaveConnection says whether the connection may be saved, whether it is new, and what of it stays as it was or was
	// given to it now.
	sqlSaveConnection = `WITH old AS (
	SELECT id, number, linked_at FROM connections WHERE user_id = $1 AND provider = $3 AND account = $4
), may AS (
	SELECT NOT EXISTS (SELECT FROM old) AS fresh, EXISTS (SELECT FROM old) OR (
		NOT EXISTS (SELECT FROM connections WHERE user_id = $1 AND id = $2)
		AND (SELECT count(*) FROM connections WHERE user_id = $1 AND provider = $3) < $13
	) AS free
), numbered AS (
	UPDATE users SET connection_number = connection_number + 1 WHERE user_id = $1 AND (SELECT fresh AND free FROM may)
	RETURNING connection_number AS number
), made AS (
	INSERT INTO connections (user_id, id, number, provider, account, status, scopes, stand_in, linked_at, updated_at,
	refresh_token, access_token, access_expires_at)
	SELECT $1, $2, number, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 FROM numbered
), changed AS (
	UPDATE connections AS c SET status = $5, scopes = $6, stand_in = $7, updated_at = $9, refresh_token = $10,
	access_token = $11, access_expires_at = $12
	FROM old WHERE c.user_id = $1 AND c.id = old.id
)
SELECT may.free, may.fresh, coalesce(old.id, $2), coalesce(old.number, numbered.number), coalesce(old.linked_at, $8)
FROM may LEFT JOIN old ON true LEFT JOIN numbered ON true`

	sqlSaveCredentials = `UPDATE connections SET refresh_token = $3, access_token = $4, access_expires_at = $5
WHERE user_id = $1 AND id = $2`

	sqlSetStatus = `WITH old AS (
	SELECT status FROM connections WHERE user_id = $1 AND id = $2
), done AS (
	UPDATE connections SET status = $3, updated_at = $4 WHERE user_id = $1 AND id = $2 AND status <> $3
)
SELECT status <> $3 FROM old`

	sqlDeleteConnection = `DELETE FROM connections WHERE user_id = $1 AND id = $2`
)

// Connections returns all of the user's connections, by number.
func (d reader) Connections(ctx context.Context, user model.UserID) ([]model.Connection, error) {
	var connections []model.Connection
	b := newBatch()
	b.query(sqlConnections, func(r *row) {
		connections = append(connections, model.Connection{
			ID: r.uuid(), User: user, Number: int(r.int32()), Provider: model.Provider(r.text()), Account: r.text(),
			Status: model.ConnectionStatus(r.text()),
			Scopes: rows.WordsOf(r.text()), StandIn: r.bool(), LinkedAt: r.time(), UpdatedAt: r.time(),
		})
	}, userArg(user))
	if err := d.run(ctx, "read connections", b); err != nil {
		return nil, err
	}
	return connections, nil
}

// Credentials returns a connection's secrets.
func (d reader) Credentials(ctx context.Context, user model.UserID, connection model.UUID) (model.Credentials, error) {
	credentials, found := model.Credentials{Connection: connection}, false
	b := newBatch()
	b.query(sqlCredentials, func(r *row) {
		found = true
		credentials.Refresh, credentials.Access, credentials.AccessExpires = r.bytes(), r.bytes(), r.time()
	}, userArg(user), uuidArg(connection))
	if err := d.run(ctx, "read credentials", b); err != nil {
		return model.Credentials{}, err
	}
	if !found {
		return model.Credentials{}, fmt.Errorf("postgres: read credentials: %w", store.ErrNotFound)
	}
	return credentials, nil
}

// SaveConnection adds a connection or replaces the one of the same account.
func (t tx) SaveConnection(ctx context.Context, connection model.Connection,
	credentials model.Credentials) (model.Connection, error) {
	saved, scopes, err := rows.Connection(t.level.tx.user, connection)
	if err != nil {
		return model.Connection{}, fmt.Errorf("postgres: save a connection: %w", err)
	}
	free, operation := false, model.OperationUpdated
	b := newBatch()
	b.query(sqlSaveConnection, func(r *row) {
		free = r.bool()
		if r.bool() {
			operation = model.OperationCreated
		}
		saved.ID, saved.Number, saved.LinkedAt = r.uuid(), int(r.int32()), r.time()
	}, t.user(), uuidArg(saved.ID), string(saved.Provider), saved.Account, string(saved.Status), scopes, saved.StandIn,
		instantArg(saved.LinkedAt), instantArg(saved.UpdatedAt),
		bytesArg(credentials.Refresh), bytesArg(credentials.Access), timeArg(credentials.AccessExpires),
		int64(model.MaxConnections))
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
	b := newBatch()
	b.exec(sqlSaveCredentials, all(1, store.ErrNotFound),
		t.user(), uuidArg(credentials.Connection), bytesArg(credentials.Refresh), bytesArg(credentials.Access),
		timeArg(credentials.AccessExpires))
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

// DeleteConnection erases a connection with its secrets and sync states.
func (t tx) DeleteConnection(ctx context.Context, connection model.UUID) error {
	b := newBatch()
	b.exec(sqlDeleteConnection, all(1, store.ErrNotFound), t.user(), uuidArg(connection))
	return t.write(ctx, "delete a connection", b, changesOf(model.ChangeConnection, model.OperationDeleted, connection))
}
