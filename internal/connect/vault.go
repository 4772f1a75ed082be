package connect

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/seal"
)

// The columns that ciphertexts are bound to.
const (
	columnRefresh = "connections.refresh"
	columnAccess  = "connections.access"
)

// Vault keeps the tokens of linked accounts in the store, encrypted. It remembers no token, so that what another
// process disconnects or links anew is seen at once. One process has one Vault, used by one google.Clients; it must not
// be copied.
type Vault struct {
	Linker *Linker

	mu sync.Mutex
	// handed is the fingerprint of the refresh token that was last given for a connection: if another one is stored when
	// an answer of Google comes in, the account was linked anew meanwhile, and the answer is about the old grant.
	handed map[model.UUID][sha256.Size]byte
}

var _ google.Vault = (*Vault)(nil)

// maxHanded bounds what is remembered. For a connection that was forgotten, answers count as being about what is
// stored.
const maxHanded = 4096

// Token returns a connection's tokens. NOT_CONNECTED, with an address at which to link it, when there is no such
// connection any more, when it has expired, and when no key opens its tokens; NOT_CONFIGURED without a Google client.
func (v *Vault) Token(ctx context.Context, account google.Account) (google.Token, error) {
	l := v.Linker
	if !l.Configured() {
		return google.Token{}, errNotConfigured()
	}
	var secrets model.Credentials
	var unread error
	var group errgroup.Group // both at once, since every call of a remote waits for them
	group.Go(func() error {
		secrets, unread = l.Store.Credentials(ctx, account.User, account.Connection)
		return nil
	})
	all, err := l.Store.Connections(ctx, account.User)
	_ = group.Wait() // it returns none
	if err != nil {
		return google.Token{}, fmt.Errorf("connect: read the connection: %w", err)
	}
	i := slices.IndexFunc(all, func(c model.Connection) bool { return c.ID == account.Connection })
	if i < 0 || l.Status(all[i]) != model.ConnectionConnected {
		return google.Token{}, l.notConnected(account, nil)
	}
	if errors.Is(unread, store.ErrNotFound) { // disconnected in between
		return google.Token{}, l.notConnected(account, nil)
	}
	if unread != nil {
		return google.Token{}, fmt.Errorf("connect: read the tokens: %w", unread)
	}
	token, err := l.unseal(account.User, secrets)
	if err != nil {
		// The status stays: with the right key, which another process may have, the connection works.
		l.logger().ErrorContext(ctx,
			"the tokens of a Google account cannot be decrypted; is a key missing in ALMANAC_TOKEN_KEY?", "user",
			account.User.String(), "connection", all[i].Number, "cause", err.Error())
		return google.Token{}, l.notConnected(account, err)
	}
	token.Scopes = slices.Clone(all[i].Scopes)
	v.remember(account.Connection, token.Refresh)
	if l.stale(secrets) {
		v.reseal(ctx, account)
	}
	return token, nil
}

// SaveToken stores renewed tokens, encrypted with the first key. NOT_CONNECTED when the connection is gone. When the
// account was linked anew meanwhile, what is stored is newer, and stays.
func (v *Vault) SaveToken(ctx context.Context, account google.Account, token google.Token) error {
	l := v.Linker
	err := l.Store.Write(ctx, account.User, func(ctx context.Context, tx store.Tx) error {
		secrets, err := tx.Credentials(ctx, account.User, account.Connection)
		if err != nil {
			return err
		}
		if v.replaced(account, secrets) {
			return nil
		}
		return tx.SaveCredentials(ctx, l.seal(account.User, account.Connection, token))
	})
	if errors.Is(err, store.ErrNotFound) {
		return l.notConnected(account, err)
	}
	if err != nil {
		return fmt.Errorf("connect: save the tokens: %w", err)
	}
	v.remember(account.Connection, token.Refresh)
	return nil
}

// Expire marks a connection as one whose grant Google has ended. Nothing happens when the account was linked anew
// meanwhile, or is gone.
func (v *Vault) Expire(ctx context.Context, account google.Account, reason string) error {
	l := v.Linker
	expired := false
	err := l.Store.Write(ctx, account.User, func(ctx context.Context, tx store.Tx) error {
		secrets, err := tx.Credentials(ctx, account.User, account.Connection)
		if err != nil {
			return err
		}
		if v.replaced(account, secrets) {
			return nil
		}
		expired = true
		return tx.SetConnectionStatus(ctx, account.Connection, model.ConnectionExpired, l.Now())
	})
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil:
		return fmt.Errorf("connect: mark a connection as expired: %w", err)
	case expired:
		l.logger().WarnContext(ctx, "a Google account has to be linked again", "user", account.User.String(), "reason",
			reason)
	}
	return nil
}

// reseal encrypts stored tokens with the first key. It is tried at each use, so a failure is only logged.
func (v *Vault) reseal(ctx context.Context, account google.Account) {
	l := v.Linker
	err := l.Store.Write(ctx, account.User, func(ctx context.Context, tx store.Tx) error {
		secrets, err := tx.Credentials(ctx, account.User, account.Connection)
		if err != nil || !l.stale(secrets) {
			return err
		}
		token, err := l.unseal(account.User, secrets)
		if err != nil {
			return err
		}
		return tx.SaveCredentials(ctx, l.seal(account.User, account.Connection, token))
	})
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		l.logger().WarnContext(ctx, "the tokens of a Google account were not encrypted with the new key", "user",
			account.User.String(), "cause", err.Error())
	}
}

func (v *Vault) remember(connection model.UUID, refresh string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.handed == nil {
		v.handed = make(map[model.UUID][sha256.Size]byte)
	}
	if _, known := v.handed[connection]; !known && len(v.handed) >= maxHanded {
		for other := range v.handed {
			delete(v.handed, other)
			break
		}
	}
	v.handed[connection] = sha256.Sum256([]byte(refresh))
}

// replaced reports whether another refresh token is stored than the one last given out. One that cannot be read is not.
func (v *Vault) replaced(account google.Account, secrets model.Credentials) bool {
	token, err := v.Linker.unseal(account.User, secrets)
	if err != nil {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	given, known := v.handed[account.Connection]
	return known && given != sha256.Sum256([]byte(token.Refresh))
}

func (l *Linker) notConnected(account google.Account, cause error) *model.Error {
	e := model.Errorf(model.CodeNotConnected,
		"The Google account is not linked, or has to be linked again; open connectUrl.")
	e.ConnectURL, e.Cause = l.ConnectURL(account, nil), cause
	return e
}

// ConnectURL is URL for a connection, as google.Clients asks for it: for its account, with the scopes named in addition
// to the usual ones.
func (l *Linker) ConnectURL(account google.Account, scopes []string) string {
	usual := l.wanted(nil)
	return l.URL(account.User, append(usual, google.Missing(usual, scopes)...), account.Email)
}

// seal encrypts tokens for their connection.
func (l *Linker) seal(user model.UserID, connection model.UUID, token google.Token) model.Credentials {
	secrets := model.Credentials{Connection: connection, AccessExpires: token.Expiry}
	if token.Refresh != "" {
		secrets.Refresh = l.Box.Seal(seal.Place{User: user, Row: connection, Column: columnRefresh}, []byte(token.Refresh))
	}
	if token.Access != "" {
		secrets.Access = l.Box.Seal(seal.Place{User: user, Row: connection, Column: columnAccess}, []byte(token.Access))
	}
	return secrets
}

// unseal decrypts what seal gave. An access token alone that cannot be read is left out: a new one comes with the next
// renewal.
func (l *Linker) unseal(user model.UserID, secrets model.Credentials) (google.Token, error) {
	refresh, err := l.open(user, secrets.Connection, columnRefresh, secrets.Refresh)
	if err != nil {
		return google.Token{}, err
	}
	token := google.Token{Refresh: refresh}
	if token.Access, err = l.open(user, secrets.Connection, columnAccess, secrets.Access); err != nil {
		return token, nil //nolint:nilerr // said above
	}
	token.Expiry = secrets.AccessExpires
	return token, nil
}

func (l *Linker) open(user model.UserID, connection model.UUID, column string, sealed []byte) (string, error) {
	if len(sealed) == 0 {
		return "", nil
	}
	secret, err := l.Box.Open(seal.Place{User: user, Row: connection, Column: column}, sealed)
	if err != nil {
		return "", fmt.Errorf("connect: %s: %w", column, err)
	}
	return string(secret), nil
}

// stale reports whether a token is encrypted with another key than the first.
func (l *Linker) stale(secrets model.Credentials) bool {
	return len(secrets.Refresh) > 0 && l.Box.Stale(secrets.Refresh) ||
		len(secrets.Access) > 0 && l.Box.Stale(secrets.Access)
}

// keptRefresh returns the refresh token that is stored; "" when there is none or no key opens it.
func (l *Linker) keptRefresh(ctx context.Context, tx store.Tx, c model.Connection) (string, error) {
	secrets, err := tx.Credentials(ctx, c.User, c.ID)
	if err != nil {
		return "", err
	}
	token, err := l.unseal(c.User, secrets)
	if err != nil {
		return "", nil //nolint:nilerr // it has to be linked as if there were none
	}
	return token.Refresh, nil
}
