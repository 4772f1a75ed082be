package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// InsertToken: see store.TokenStore.
func (s *Store) InsertToken(ctx context.Context, token model.APIToken) error {
	if err := rows.Text(token.Name); err != nil {
		return err
	}
	err := s.exclusively(ctx, func(q *session) error {
		_, err := q.write(
			`INSERT INTO api_tokens (user_id, id, name, secret_hash, scopes, created_at, expires_at, revoked_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			userArg(token.UserID), idArg(token.ID), textArg(token.Name), bytesArg(token.SecretHash[:]),
			textArg(rows.Scopes(token.Scopes)),
			instantArg(token.CreatedAt), timeArg(token.ExpiresAt), timeArg(token.RevokedAt))
		return err
	})
	return wrap("insert token", err)
}

const sqlTokens = `SELECT id, name, secret_hash, scopes, created_at, expires_at, revoked_at FROM api_tokens
WHERE user_id = ?`

func readToken(stmt *sqlite.Stmt, user model.UserID) model.APIToken {
	token := model.APIToken{
		UserID: user, ID: columnID(stmt, 0), Name: stmt.ColumnText(1), Scopes: rows.ScopesOf(stmt.ColumnText(3)),
		CreatedAt: columnTime(stmt, 4), ExpiresAt: columnTime(stmt, 5), RevokedAt: columnTime(stmt, 6),
	}
	stmt.ColumnBytes(2, token.SecretHash[:])
	return token
}

// Token: see store.TokenStore.
func (s *Store) Token(ctx context.Context, user model.UserID, id model.UUID) (token model.APIToken, err error) {
	found := false
	err = s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(sqlTokens+` AND id = ?`, func(stmt *sqlite.Stmt) error {
			token, found = readToken(stmt, user), true
			return nil
		}, userArg(user), idArg(id))
	})
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return token, wrap("token", err)
}

// Tokens: see store.TokenStore.
func (s *Store) Tokens(ctx context.Context, user model.UserID) (tokens []model.APIToken, err error) {
	err = s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(sqlTokens+` ORDER BY id DESC`, func(stmt *sqlite.Stmt) error {
			tokens = append(tokens, readToken(stmt, user))
			return nil
		}, userArg(user))
	})
	return tokens, wrap("tokens", err)
}

// RevokeToken: see store.TokenStore.
func (s *Store) RevokeToken(ctx context.Context, user model.UserID, id model.UUID, at time.Time) error {
	err := s.exclusively(ctx, func(q *session) error {
		found, err := q.write(`UPDATE api_tokens SET revoked_at = coalesce(revoked_at, ?) WHERE user_id = ? AND id = ?`,
			instantArg(at), userArg(user), idArg(id))
		if err == nil && found == 0 {
			err = store.ErrNotFound
		}
		return err
	})
	return wrap("revoke token", err)
}
