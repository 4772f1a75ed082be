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
	tokenColumns   = wholeOf(&store.TokenTable)
	tokenNames     = strings.Join(tokenColumns.names(), ", ")
	sqlInsertToken = `INSERT INTO api_tokens (user_id, ` + tokenNames + `) VALUES ($1, ` + numbered(2, len(tokenColumns)) +
		`) ON CONFLICT (user_id, id) DO NOTHING`
	sqlTokens = `SELECT ` + tokenNames + `, coalesce((SELECT u.disabled_at IS NOT NULL FROM users AS u
WHERE u.user_id = $1), false) FROM api_tokens WHERE user_id = $1`
)

const sqlTouchToken = `UPDATE api_tokens SET last_used_at = $3 WHERE user_id = $1 AND id = $2`

const sqlRevokeToken = `UPDATE api_tokens SET revoked_at = coalesce(revoked_at, $3) WHERE user_id = $1 AND id = $2`

// InsertToken adds a token. ErrConflict when its id is taken.
func (s *Store) InsertToken(ctx context.Context, token model.APIToken) error {
	args, err := values(userArg(token.UserID), tokenColumns, token)
	if err != nil {
		return err
	}
	return s.within(ctx, token.UserID, nil, func(ctx context.Context, l *level) error {
		b := newBatch()
		b.exec(sqlInsertToken, all(1, store.ErrConflict), args...)
		if err := l.write(ctx, b, nil); err != nil {
			return fmt.Errorf("postgres: insert a token: %w", err)
		}
		return nil
	})
}

// Token returns a token.
func (s *Store) Token(ctx context.Context, user model.UserID, id model.UUID) (model.APIToken, error) {
	return theOne(s.tokens(ctx, sqlTokens+` AND id = $2`, user, uuidArg(id)))
}

// Tokens returns all of the user's tokens, newest first.
func (s *Store) Tokens(ctx context.Context, user model.UserID) ([]model.APIToken, error) {
	return s.tokens(ctx, sqlTokens+` ORDER BY id DESC`, user)
}

func (s *Store) tokens(ctx context.Context, sql string, user model.UserID, args ...any) ([]model.APIToken, error) {
	q := newQuery(userArg(user))
	q.add(sql)
	q.args = append(q.args, args...)
	return records(ctx, s.reader, "read tokens", q, 0, func(r *row, token *model.APIToken) {
		token.UserID = user
		tokenColumns.read(r, token)
		token.UserDisabled = r.bool()
	})
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

// TouchToken sets LastUsedAt.
func (s *Store) TouchToken(ctx context.Context, user model.UserID, id model.UUID, at time.Time) error {
	b := newBatch()
	b.exec(sqlTouchToken, nil, userArg(user), uuidArg(id), instantArg(at))
	if err := s.write(ctx, b); err != nil {
		return fmt.Errorf("postgres: touch a token: %w", err)
	}
	return nil
}
