package connect

import (
	"context"
	"errors"
	"sync"
	"time"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// How long the parts of a disconnect may take.
const (
	eraseNotice   = 2 * time.Second
	revokeTimeout = 8 * time.Second
	// eraseTimeout is for more events than anybody has: 20,000 take a second or two.
	eraseTimeout = 30 * time.Second
)

// Disconnected is a connection that was erased.
type Disconnected struct {
	model.Connection
	// Revoked says that Google has ended the grant, or had before. If it is false the user should take the access away on
	// Google's own page (https://myaccount.google.com/connections); this server cannot use it any more either way.
	Revoked bool
}

// Disconnect erases the user's connection to an account, or to all of the provider's when address is empty, with tokens
// and sync states and all that is kept of its calendars, and returns what was erased, by number; then it asks Google to
// end the grants. Google ends a grant
// for all users of this server who have linked the same account. NOT_FOUND when no such account is linked. What was
// erased stays so when Google refuses or cannot be reached.
func (l *Linker) Disconnect(ctx context.Context, user model.UserID, provider model.Provider,
	address string) ([]Disconnected, error) {
	chosen := func(c model.Connection) bool {
		return c.Provider == provider && (address == "" || c.Account == account(address))
	}
	l.warn(ctx, user, chosen)
	var gone []Disconnected
	var tokens []google.Token
	err := l.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		all, err := tx.Connections(ctx, user)
		if err != nil {
			return err
		}
		for _, c := range all {
			if !chosen(c) {
				continue
			}
			secrets, err := tx.Credentials(ctx, user, c.ID)
			if err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
			token, err := l.unseal(user, secrets)
			if err != nil {
				token = google.Token{} // nobody can revoke what nobody can read
			}
			if err := tx.DeleteConnection(ctx, c.ID); err != nil {
				return err
			}
			gone, tokens = append(gone, Disconnected{Connection: c}), append(tokens, token)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(gone) == 0 {
		return nil, model.NotFound("input.account", "No such account is linked.")
	}
	l.revoke(ctx, gone, tokens)
	// Nobody sees their events any more. What is left here, a Sweep erases; nobody could ask for it again.
	if err := l.erase(context.WithoutCancel(ctx), user); err != nil {
		l.logger().WarnContext(ctx, "the events of a disconnected account are left to be swept", "user", user.String(),
			"cause", causeOf(err))
	}
	return gone, nil
}

// erase erases the copies that disconnected accounts have left, some events at a time, so that others can write
// meanwhile.
func (l *Linker) erase(ctx context.Context, user model.UserID) error {
	ctx, cancel := context.WithTimeout(ctx, eraseTimeout)
	defer cancel()
	for {
		more, err := l.Store.EraseEvents(ctx, user, store.ErasedAtOnce)
		if err != nil || !more {
			return err
		}
	}
}

// warn lets others use the connections for the last time.
func (l *Linker) warn(ctx context.Context, user model.UserID, chosen func(model.Connection) bool) {
	if l.BeforeErase == nil {
		return
	}
	all, err := l.Store.Connections(ctx, user)
	if err != nil {
		return // the write that follows fails with the same error, and says it
	}
	ctx, cancel := context.WithTimeout(ctx, eraseNotice)
	defer cancel()
	var each sync.WaitGroup
	for _, c := range all {
		if chosen(c) && l.Status(c) == model.ConnectionConnected {
			each.Go(func() {
				if err := l.BeforeErase(ctx, c); err != nil {
					l.logger().WarnContext(ctx, "a connection's push channels were not closed", "user", user.String(), "connection",
						c.Number, "cause", causeOf(err))
				}
			})
		}
	}
	each.Wait()
}

// revoke ends the grants, all at once. The caller may go away meanwhile: the tokens are erased, so nobody could do it
// later.
func (l *Linker) revoke(ctx context.Context, gone []Disconnected, tokens []google.Token) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), revokeTimeout)
	defer cancel()
	var each sync.WaitGroup
	for i := range gone {
		each.Go(func() {
			c := &gone[i]
			if !l.Configured() || c.StandIn != l.StandIn || tokens[i].Refresh == "" && tokens[i].Access == "" {
				l.logger().InfoContext(ctx, "a Google account was disconnected", "user", c.User.String(), "connection", c.Number,
					"revoked", false)
				return
			}
			err := l.oauth().Revoke(ctx, tokens[i])
			c.Revoked = err == nil
			if err != nil {
				l.logger().WarnContext(ctx, "a Google account was disconnected, but Google did not end the grant", "user",
					c.User.String(), "connection", c.Number, "cause", causeOf(err))
				return
			}
			l.logger().InfoContext(ctx, "a Google account was disconnected", "user", c.User.String(), "connection", c.Number,
				"revoked", true)
		})
	}
	each.Wait()
}
