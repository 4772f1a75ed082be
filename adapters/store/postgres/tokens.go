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
	tokenColumns = `id, name, secret_hash, scopes, created_at, expires_at, revoked_at`

	sqlInsertToken = `INSERT INTO api_tokens (user_id, ` + tokenColumns +
		`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (user_id, id) DO NOTHING`
	sqlToken       = `SELECT ` + tokenColumns + ` FROM api_tokens WHERE user_id = $1 AND id = $2`
	sqlTokens      = `SELECT ` + tokenColumns + ` FROM api_tokens WHERE user_id = $1 ORDER BY id DESC`
	sqlRevokeToken = `UPDATE api_tokens SET revoked_at = coalesce(revoked_at, $3) WHERE user_id = $1 AND id = $2`
)

// InsertToken adds a token. ErrConflict when its id is taken.
func (s *Store) InsertToken(ctx context.Context, token model.APIToken) error {
	scopes := rows.Scopes(token.Scopes)
	if err := rows.Text(token.Name, scopes); err != nil {
		return err
	}
	return s.within(ctx, token.UserID, nil, func(ctx context.Context, l *level) error {
		b := newBatch()
		b.exec(sqlInsertToken, all(1, store.ErrConflict), userArg(token.UserID), uuidArg(token.ID), token.Name,
			token.SecretHash[:], scopes,
			instantArg(token.CreatedAt), timeArg(token.ExpiresAt), timeArg(token.RevokedAt))
		if err := l.write(ctx, b, nil); err != nil {
			return fmt.Errorf("postgres: insert a token: %w", err)
		}
		return nil
	})
}

// Token returns a token.
func (s *Store) Token(ctx context.Context, user model.UserID, id model.UUID) (model.APIToken, error) {
	tokens, err := s.tokens(ctx, sqlToken, user, userArg(user), uuidArg(id))
	if err != nil {
		return model.APIToken{}, err
	}
	if len(tokens) == 0 {
		return model.APIToken{}, store.ErrNotFound
	}
	return tokens[0], nil
}

// Tokens returns all of the user's tokens, newest first.
func (s *Store) Tokens(ctx context.Context, user model.UserID) ([]model.APIToken, error) {
	return s.tokens(ctx, sqlTokens, user, userArg(user))
}

func (s *Store) tokens(ctx context.Context, sql string, user model.UserID, args ...any) ([]model.APIToken, error) {
	var tokens []model.APIToken
	b := newBatch()
	b.query(sql, func(r *row) {
		token := model.APIToken{UserID: user, ID: r.uuid(), Name: r.text()}
		copy(token.SecretHash[:], r.fixed(len(token.SecretHash)))
		token.Scopes = rows.ScopesOf(r.text())
		token.CreatedAt, token.ExpiresAt, token.RevokedAt = r.time(), r.time(), r.time()
		tokens = append(tokens, token)
	}, args...)
	if err := s.run(ctx, b); err != nil {
		return nil, fmt.Errorf("postgres: read tokens: %w", err)
	}
	return tokens, nil
}

// RevokeToken sets RevokedAt, once.
func (s *Store) RevokeToken(ctx context.Context, user model.UserID, id model.UUID, at time.Time) error {
	return s.within(ctx, user, nil, func(ctx context.Context, l *level) error {
		b := newBatch()
		b.exec(sqlRevokeToken, all(1, store.ErrNotFound), userArg(user), uuidArg(id), instantArg(at))
		if err := l.write(ctx, b, nil); err != nil {
			return fmt.Errorf("postgres: revoke a token: %w", err)
		}
		return nil
	})
}
