package connect

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// Demo is an account of the stand-in that is linked without a browser.
type Demo struct {
	// Email is its address.
	Email string
	// Grant returns fresh tokens for the account with these scopes, as if its owner had agreed.
	Grant func(ctx context.Context, scopes []string) (google.Token, error)
}

// standInMark outlives every database: the mark that the demo account was linked must not be swept away.
const standInMark = 200 * 365 * 24 * time.Hour

// LinkStandIn links the demo account of the stand-in to the user, once: not again after the user has disconnected it.
// When it is linked and its tokens are of no use any more, since the stand-in has forgotten them or they cannot be
// decrypted, they are replaced, so that a new start mends a demo. It is for servers that have the stand-in; otherwise
// nothing happens.
func (l *Linker) LinkStandIn(ctx context.Context, user model.UserID) error {
	if !l.Configured() || !l.StandIn || l.Demo == nil {
		return nil
	}
	all, err := l.Store.Connections(ctx, user)
	if err != nil {
		return fmt.Errorf("connect: read the connections: %w", err)
	}
	address := account(l.Demo.Email)
	if i := slices.IndexFunc(all, isAccount(address)); i >= 0 {
		if !all[i].StandIn {
			return nil // somebody's real account, whatever its address
		}
		if works, err := l.works(ctx, all[i]); works || err != nil {
			return err
		}
		return l.linkDemo(ctx, user, address, nil)
	}
	sum := sha256.Sum256(append([]byte("almanac stand-in was linked\x00"), user[:]...))
	mark := model.UUID(sum[:16])
	return l.linkDemo(ctx, user, address, &mark)
}

// linkDemo saves fresh tokens of the demo account. With a mark it does so only when the mark has never been set.
func (l *Linker) linkDemo(ctx context.Context, user model.UserID, address string, mark *model.UUID) error {
	token, err := l.Demo.Grant(ctx, l.wanted(nil))
	if err != nil {
		return fmt.Errorf("connect: the stand-in grants nothing: %w", err)
	}
	err = l.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		if mark != nil {
			if err := tx.UseConfirmation(ctx, *mark, l.Now().Add(standInMark)); err != nil {
				return err
			}
		}
		_, err := l.saveIn(ctx, tx, user, address, token)
		return err
	})
	if errors.Is(err, store.ErrConflict) && mark != nil {
		return nil
	}
	return err
}

// works reports whether the tokens of a connection can be renewed. A stand-in that cannot be reached is an error.
func (l *Linker) works(ctx context.Context, c model.Connection) (bool, error) {
	if l.Status(c) != model.ConnectionConnected {
		return false, nil
	}
	secrets, err := l.Store.Credentials(ctx, c.User, c.ID)
	if err != nil {
		return false, fmt.Errorf("connect: read the tokens: %w", err)
	}
	token, err := l.unseal(c.User, secrets)
	if err != nil || token.Refresh == "" {
		return false, nil //nolint:nilerr // they are replaced
	}
	if _, err := l.oauth().Refresh(ctx, token); err != nil {
		if google.IsInvalidGrant(err) {
			return false, nil
		}
		return false, fmt.Errorf("connect: ask the stand-in: %w", err)
	}
	return true, nil
}
