package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Erasure is how a user is deleted.
type Erasure struct {
	// Despite erases what is kept here although a remote system could not be told; what it still has is said.
	Despite bool
	// Say is told what was done, one sentence at a time.
	Say func(sentence string)
}

// maxErasures is how often the rows of a user are erased until none come back: what was running when the user was
// disabled may still write for as long as a request runs.
const maxErasures = 5

// EraseUser deletes a user: refuses them from now on, ends at the remote systems what this server has made for them
// (grants, push channels, its own webhooks, their group in Graphiti), erases every row, and looks through every table
// of the database's catalogue for what is left. The user's mail, calendars and websets stay where they are. What stays
// here is one entry of the audit log.
func (s *Server) EraseUser(ctx context.Context, user model.UserID, how Erasure) error {
	err := s.store.DisableUser(ctx, user, s.clock.Now())
	if err != nil && !errors.Is(err, store.ErrNotFound) { // rows may be left of an erasure that was cut off
		return err
	}
	if err := s.eraseRemotely(ctx, user, how); err != nil {
		if !how.Despite {
			return fmt.Errorf("%w\nNothing of the user's own data is erased yet, and the user is disabled. Try again, or "+
				"erase what is here all the same with --despite-remotes", err)
		}
		how.Say("not done: " + strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	before, err := s.store.RowsOf(ctx, user)
	if err != nil {
		return err
	}
	left := before
	for range maxErasures {
		now := s.clock.Now()
		if err := s.store.EraseUser(ctx, model.AuditEntry{UserID: user, ID: s.ids.New(), At: now,
			Kind: model.AuditUserDeleted, Outcome: model.AuditOK, Source: model.SourceCommand,
			ForgetAt: now.Add(s.settings.AuditRetention)}); err != nil {
			return err
		}
		if left, err = s.store.RowsOf(ctx, user); err != nil {
			return err
		}
		if maps.Equal(left, map[string]int{store.AuditTable.Name: 1}) {
			how.Say(fmt.Sprintf("erased %d rows in %d tables; of the user there is one entry of the audit log left",
				total(before), len(before)))
			return nil
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return fmt.Errorf("rows came back while they were erased, in %s: somebody still writes for the user; end what does, "+
		"and try again", strings.Join(slices.Sorted(maps.Keys(left)), ", "))
}

func total(rows map[string]int) (sum int) {
	for _, n := range rows {
		sum += n
	}
	return sum
}

// eraseRemotely ends at the remote systems what this server has made for the user. It goes on after a failure.
func (s *Server) eraseRemotely(ctx context.Context, user model.UserID, how Erasure) error {
	connections, err := s.store.Connections(ctx, user)
	if err != nil {
		return err
	}
	failed := []error{s.eraseHooks(ctx, user, how)} // before the key that opens them goes
	for _, connection := range connections {
		failed = append(failed, s.unlink(ctx, connection, how))
	}
	if hasGraphiti(s.settings) {
		if _, err := s.graph.Clear(ctx, user); err != nil {
			failed = append(failed, fmt.Errorf("the user's group in Graphiti is not erased: %w", err))
		} else {
			how.Say("erased the user's group in Graphiti")
		}
	}
	return errors.Join(failed...)
}

// eraseHooks deletes the webhooks at Exa that call this server.
func (s *Server) eraseHooks(ctx context.Context, user model.UserID, how Erasure) error {
	hooks, err := s.store.WebsetHooks(ctx, user)
	if err != nil {
		return err
	}
	var failed []error
	for _, hook := range hooks {
		if !hook.Receives || hook.Remote == "" {
			continue
		}
		account, err := s.exa.connector.For(ctx, user)
		if err == nil {
			_, err = account.DeleteWebhook(ctx, hook.Remote)
		}
		if err != nil && model.CodeOf(err) != model.CodeNotFound {
			failed = append(failed, fmt.Errorf("the webhook %s at Exa is not deleted: %w", hook.Remote, err))
			continue
		}
		how.Say("deleted the webhook " + hook.Remote + " at Exa")
	}
	return errors.Join(failed...)
}

// unlink ends one linked account. Its secrets are erased also when the provider does not answer.
func (s *Server) unlink(ctx context.Context, connection model.Connection, how Erasure) error {
	if connection.Provider == model.ProviderExa {
		if err := s.exa.connector.Disconnect(ctx, connection); err != nil {
			return err
		}
		how.Say("erased the key for Exa; revoke it there if nobody else uses it")
		return nil
	}
	revoked, err := linking{s.google.linker}.Disconnect(ctx, connection)
	if err != nil {
		return err
	}
	if !revoked {
		return fmt.Errorf("google has not confirmed that the grant of %s is revoked; its secrets are erased here: see "+
			"https://myaccount.google.com/permissions", connection.Account)
	}
	how.Say("revoked the grant of " + connection.Account + " and closed its push channels")
	return nil
}
