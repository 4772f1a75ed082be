package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/graph/model"
)

var (
	tokenColumns   = wholeOf(&store.TokenTable)
	sqlInsertToken = insertSQL(&store.TokenTable)
	sqlTokens      = "SELECT " + tokenColumns.names("") + `, (SELECT u.disabled_at IS NOT NULL FROM users u
WHERE u.user_id = api_tokens.user_id) FROM api_tokens WHERE user_id = ?`
)

// InsertToken: see store.TokenStore.
func (s *Store) InsertToken(ctx context.Context, token model.APIToken) error {
	args, err := argsOf(token.UserID, &store.TokenTable, &token)
	if err != nil {
		return err
	}
	err = s.exclusively(ctx, func(q *session) error {
		_, err := q.write(sqlInsertToken, args...)
		return err
	})
	return wrap("insert token", err)
}

// readTokens reads those of the user's tokens that the end of the statement asks for.
func (s *Store) readTokens(ctx context.Context, user model.UserID, end string, args ...arg) ([]model.APIToken, error) {
	return answer(ctx, s.reader, "tokens", oneStatement, func(q *session) (tokens []model.APIToken, err error) {
		err = q.readSQL(sqlTokens+end, into(&tokens, func(stmt *sqlite.Stmt, token *model.APIToken) error {
			token.UserID, token.UserDisabled = user, stmt.ColumnBool(len(tokenColumns))
			return tokenColumns.readRow(stmt, token)
		}), append([]arg{userArg(user)}, args...)...)
		return tokens, err
	})
}

// Token: see store.TokenStore.
func (s *Store) Token(ctx context.Context, user model.UserID, id model.UUID) (model.APIToken, error) {
	return theOne(s.readTokens(ctx, user, ` AND id = ?`, idArg(id)))
}

// Tokens: see store.TokenStore.
func (s *Store) Tokens(ctx context.Context, user model.UserID) ([]model.APIToken, error) {
	return s.readTokens(ctx, user, ` ORDER BY id DESC`)
}

// RevokeToken: see store.TokenStore.
func (s *Store) RevokeToken(ctx context.Context, user model.UserID, id model.UUID, at time.Time) error {
	err := s.exclusively(ctx, func(q *session) error {
		return q.writeOne(`UPDATE api_tokens SET revoked_at = coalesce(revoked_at, ?) WHERE user_id = ? AND id = ?`,
			instantArg(at), userArg(user), idArg(id))
	})
	return wrap("revoke token", err)
}

// TouchToken: see store.TokenStore.
func (s *Store) TouchToken(ctx context.Context, user model.UserID, id model.UUID, at time.Time) error {
	err := s.exclusively(ctx, func(q *session) error {
		_, err := q.write(`UPDATE api_tokens SET last_used_at = ? WHERE user_id = ? AND id = ?`, instantArg(at),
			userArg(user),
			idArg(id))
		return err
	})
	return wrap("touch token", err)
}
