package exa

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/adapters/remote"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/internal/seal"
)

// ConnectorStore is what linking needs of the store.
type ConnectorStore interface {
	store.ConnectionReader
	Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error
}

// Connector opens accounts: that of the user's own key, or else that of the server's key, which its users share, or
// else one of the stand-in. A user has one key at a time. Its fields are set before the first use and not changed after
// it. It is safe for goroutines and must not be copied.
type Connector struct {
	Client *Client
	Store  ConnectorStore
	// Box seals keys that users link, Seal makes the marks of those who share the server's key.
	Box  *seal.Box
	Seal *seal.Sealer
	// Server is the server's key; empty for none. Local is the user who has the whole of its account: the local one, to
	// whom the server belongs. Zero for none.
	Server string
	Local  model.UserID
	// StandIn: Client speaks with the stand-in, where every user has a key, and so an account, of their own. Keys of the
	// stand-in never reach Exa, nor the other way round.
	StandIn bool

	NewID func() model.UUID
	Now   func() time.Time
	// Logger gets what was linked and what failed; nil gets nothing.
	Logger *slog.Logger

	mu sync.Mutex
	// keys are those that were opened, by connection and by what tells one key from another.
	keys map[opened]string
}

// opened names a key of a connection.
type opened struct {
	connection model.UUID
	account    string
}

// maxOpened bounds how many keys are held in memory.
const maxOpened = 1024

// columnKey is where a key is kept, as sealing names it: the refresh token of a connection.
const columnKey = "connections.refresh"

// StandInKey is the key of a user at the stand-in.
func StandInKey(user model.UserID) string {
	sum := sha256.Sum256([]byte("almanac exa stand-in\x00" + string(user[:])))
	return "standin-" + hex.EncodeToString(sum[:12])
}

// accountOf names a key without telling it: by 48 bits of its hash.
func accountOf(key string) string {
	sum := sha256.Sum256([]byte("almanac exa key\x00" + key))
	return "exa:" + hex.EncodeToString(sum[:6])
}

// For returns the account that serves a user. The user's connection is read each time, so that a key that was erased,
// by whichever process, serves nobody any more. NOT_CONNECTED when Exa has refused the key that is linked;
// NOT_CONFIGURED when there is none at all.
func (c *Connector) For(ctx context.Context, user model.UserID) (*Account, error) {
	connection, linked, err := c.linked(ctx, user)
	switch {
	case err != nil:
		return nil, err
	case linked && connection.Status != model.ConnectionConnected:
		return nil, model.Errorf(model.CodeNotConnected,
			"Exa no longer accepts the key that is linked; link another one, or disconnect it.")
	case linked:
		return c.own(ctx, connection)
	case c.StandIn:
		return &Account{Client: c.Client, Key: StandInKey(user)}, nil
	case c.Server == "":
		return nil, model.Errorf(model.CodeNotConfigured,
			"There is no Exa key: link one of your own, or have whoever runs this server set ALMANAC_EXA_API_KEY.")
	case user == c.Local && c.Local != model.UserID{}:
		return &Account{Client: c.Client, Key: c.Server, Owner: Owner{Seal: c.Seal, User: user, All: true}}, nil
	case c.Seal == nil:
		return nil, errors.New("exa: nothing tells the users of the server's key apart")
	default:
		return &Account{Client: c.Client, Key: c.Server, Owner: Owner{Seal: c.Seal, User: user}}, nil
	}
}

// linked returns the user's connection that is of use here, if there is one.
func (c *Connector) linked(ctx context.Context, user model.UserID) (model.Connection, bool, error) {
	all, err := c.Store.Connections(ctx, user)
	if err != nil {
		return model.Connection{}, false, fmt.Errorf("exa: read the connections: %w", err)
	}
	i := slices.IndexFunc(all, func(one model.Connection) bool {
		return one.Provider == model.ProviderExa &&
			one.StandIn == c.StandIn
	})
	if i < 0 {
		return model.Connection{}, false, nil
	}
	return all[i], true, nil
}

// own opens the account of a user's own key.
func (c *Connector) own(ctx context.Context, connection model.Connection) (*Account, error) {
	name := opened{connection.ID, connection.Account}
	c.mu.Lock()
	key, known := c.keys[name]
	c.mu.Unlock()
	if !known {
		secrets, err := c.Store.Credentials(ctx, connection.User, connection.ID)
		if errors.Is(err, store.ErrNotFound) { // disconnected in between
			return nil, model.Errorf(model.CodeNotConnected, "The Exa key was disconnected.")
		}
		if err != nil {
			return nil, fmt.Errorf("exa: read the key: %w", err)
		}
		plain, err := c.Box.Open(seal.Place{User: connection.User, Row: connection.ID, Column: columnKey}, secrets.Refresh)
		if err != nil {
			// The status stays: with the right key, which another process may have, the connection works.
			c.logger().ErrorContext(ctx, "an Exa key cannot be decrypted; is a key missing in ALMANAC_TOKEN_KEY?", "user",
				connection.User.String(), "cause", err.Error())
			return nil, &model.Error{Code: model.CodeNotConnected,
				Message: "The Exa key that is linked cannot be read; link it again.", Cause: err}
		}
		key = string(plain)
		if accountOf(key) != connection.Account { // another was linked in between; the next reading has both anew
			return nil, model.Errorf(model.CodeConflict, "Another Exa key was linked at this moment; try again.")
		}
		c.remember(name, key)
	}
	return &Account{Client: c.Client, Key: key, Own: true,
		Refused: func(ctx context.Context) { c.expire(ctx, connection) }}, nil
}

func (c *Connector) remember(name opened, key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.keys == nil {
		c.keys = map[opened]string{}
	}
	if len(c.keys) >= maxOpened {
		for other := range c.keys {
			delete(c.keys, other)
			break
		}
	}
	c.keys[name] = key
}

func (c *Connector) forget(connection model.UUID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name := range c.keys {
		if name.connection == connection {
			delete(c.keys, name)
		}
	}
}

// isKey tells what is worth trying as a key: Exa's are 36 characters long.
func isKey(text string) bool {
	const least, most = 8, 200
	return len(text) >= least && len(text) <= most &&
		!strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// Connect tries a key out and keeps it, sealed, in place of the user's earlier one. BAD_USER_INPUT on input.apiKey for
// one that Exa refuses; when Exa cannot be asked, nothing is kept and the error says so.
func (c *Connector) Connect(ctx context.Context, user model.UserID, key string) (model.Connection, error) {
	key = strings.TrimSpace(key)
	if !isKey(key) {
		return model.Connection{}, model.BadInput("input.apiKey", "this is no key of Exa's")
	}
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.Connection{}, err
	}
	if err := c.try(ctx, key); err != nil {
		return model.Connection{}, err
	}
	connection := model.Connection{Provider: model.ProviderExa, Account: accountOf(key)}
	err := c.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		all, err := tx.Connections(ctx, user)
		if err != nil {
			return err
		}
		now := c.Now()
		next := model.Connection{
			ID: c.NewID(), User: user, Provider: model.ProviderExa, Account: accountOf(key), Status: model.ConnectionConnected,
			StandIn: c.StandIn, LinkedAt: now, UpdatedAt: now,
		}
		for _, other := range all {
			switch {
			case other.Provider != model.ProviderExa:
			case other.Account == next.Account:
				next.ID = other.ID
			default:
				if err := tx.DeleteConnection(ctx, other.ID); err != nil {
					return err
				}
				c.forget(other.ID)
			}
		}
		sealed := c.Box.Seal(seal.Place{User: user, Row: next.ID, Column: columnKey}, []byte(key))
		connection, err = tx.SaveConnection(ctx, next, model.Credentials{Connection: next.ID, Refresh: sealed})
		return err
	})
	if err != nil {
		return model.Connection{}, fmt.Errorf("exa: keep a key: %w", err)
	}
	if !dryrun.Is(ctx) {
		c.logger().InfoContext(ctx, "an Exa key was linked", "user", user.String(), "connection", connection.Number,
			"standIn", connection.StandIn)
	}
	return connection, nil
}

// try asks for the shortest list, which costs nothing.
func (c *Connector) try(ctx context.Context, key string) error {
	probe := &Account{Client: c.Client, Key: key}
	_, lost := probe.send(ctx, ask{
		operation: "websets.list", method: http.MethodGet, path: websets("websets"), query: url.Values{"limit": {"1"}},
		again: true,
	})
	switch {
	case lost == nil:
		return nil
	case lost.Kind == remote.KindDenied:
		return refusedKey("Exa does not accept this key.", lost)
	case lost.Kind == remote.KindRejected && lost.Status == http.StatusForbidden && lost.Code+lost.Message != "":
		return refusedKey("Exa accepts this key, but not for Websets.", lost)
	default:
		return shown(lost)
	}
}

func refusedKey(message string, cause error) error {
	e := model.BadInput("input.apiKey", "%s", message)
	e.Cause = cause
	return e
}

// Disconnect erases a user's key. NOT_FOUND when it is gone.
func (c *Connector) Disconnect(ctx context.Context, connection model.Connection) error {
	if connection.Provider != model.ProviderExa {
		return model.Errorf(model.CodeNotFound, "This is no connection of Exa's.")
	}
	err := c.Store.Write(ctx, connection.User,
		func(ctx context.Context, tx store.Tx) error { return tx.DeleteConnection(ctx, connection.ID) })
	c.forget(connection.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return &model.Error{Code: model.CodeNotFound, Message: "No such Exa key is linked.", Cause: err}
	case err != nil:
		return fmt.Errorf("exa: erase a key: %w", err)
	}
	c.logger().InfoContext(ctx, "an Exa key was disconnected", "user", connection.User.String(), "connection",
		connection.Number)
	return nil
}

// expireTimeout bounds the noting of a refusal, which goes on when the caller is gone.
const expireTimeout = 5 * time.Second

// expire notes that Exa no longer accepts a connection's key, unless another was linked meanwhile.
func (c *Connector) expire(ctx context.Context, connection model.Connection) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), expireTimeout)
	defer cancel()
	expired := false
	err := c.Store.Write(ctx, connection.User, func(ctx context.Context, tx store.Tx) error {
		all, err := tx.Connections(ctx, connection.User)
		if err != nil {
			return err
		}
		for _, now := range all {
			// One that was linked again since then may be accepted again.
			if now.ID == connection.ID && now.Account == connection.Account && now.Status == model.ConnectionConnected &&
				now.UpdatedAt.Equal(connection.UpdatedAt) {
				expired = true
				return tx.SetConnectionStatus(ctx, now.ID, model.ConnectionExpired, c.Now())
			}
		}
		return nil
	})
	switch {
	case err != nil:
		c.logger().WarnContext(ctx, "an Exa key that is refused was not marked", "user", connection.User.String(), "cause",
			err.Error())
	case expired:
		c.forget(connection.ID)
		c.logger().WarnContext(ctx, "an Exa key has to be linked again", "user", connection.User.String(), "connection",
			connection.Number)
	}
}

// Status is how Exa serves users who have linked no key of their own.
func (c *Connector) Status() (status model.ConnectionStatus, standIn bool) {
	if c.StandIn || c.Server != "" {
		return model.ConnectionConnected, c.StandIn
	}
	return model.ConnectionNotConnected, false
}

func (c *Connector) logger() *slog.Logger {
	if c.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return c.Logger
}
