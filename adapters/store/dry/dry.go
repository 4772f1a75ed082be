// Package dry makes a store keep nothing of what a dry run writes (see package internal/dryrun).
//
// It promises that in such a context every transaction runs as usual, so that its reads, limits and conflicts are those
// of a real run, and is then rolled back, with success; that nothing else is written; and that the change log, its
// watchers and whatever is kept under an Idempotency-Key never hear of it. What one transaction of a dry run has
// written is not seen by the next.
package dry

import (
	"context"
	"errors"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// Store is a store whose dry runs write nothing. In any other context it is the store below.
type Store struct{ store.Store }

// errUndo rolls back the transaction of a dry run that has come to its end.
var errUndo = errors.New("a dry run is rolled back")

// within marks the contexts that carry the transaction of a dry run.
type within struct{}

// Write implements store.Transactor.
func (s Store) Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error {
	if !dryrun.Is(ctx) || ctx.Value(within{}) != nil {
		return s.Store.Write(ctx, user, fn)
	}
	// The recorder is told inside: for it, a transaction that is rolled back to the end has done nothing.
	outside := store.WithRecorder(context.WithValue(ctx, within{}, true), nil)
	err := s.Store.Write(outside, user, func(inside context.Context, tx store.Tx) error {
		if err := store.Recorded(store.WithRecorder(inside, store.RecorderFrom(ctx)), tx, fn); err != nil {
			return err
		}
		return errUndo
	})
	if errors.Is(err, errUndo) {
		return nil
	}
	return err
}

// Once implements store.Transactor: in a dry run nothing is recorded, nor replayed.
func (s Store) Once(ctx context.Context, user model.UserID, call model.IdempotentCall,
	fn func(ctx context.Context) ([]byte, error)) (answer []byte, replayed bool, err error) {
	if !dryrun.Is(ctx) {
		return s.Store.Once(ctx, user, call, fn)
	}
	err = s.Write(ctx, user, func(ctx context.Context, _ store.Tx) (err error) {
		answer, err = fn(ctx)
		return err
	})
	return answer, false, err
}

// Claim implements store.Claimer. A dry run holds no keys, so whoever claims one in it is mistaken.
func (s Store) Claim(ctx context.Context, user model.UserID, call model.IdempotentCall, now time.Time,
	lease time.Duration) (store.Claim, error) {
	if dryrun.Is(ctx) {
		return store.Claim{}, dryrun.ErrRefused
	}
	return s.Store.Claim(ctx, user, call, now, lease)
}

// Note implements store.Claimer.
func (s Store) Note(ctx context.Context, user model.UserID, claim store.Claim, notes []byte) error {
	return unless(ctx, func() error { return s.Store.Note(ctx, user, claim, notes) })
}

// Settle implements store.Claimer.
func (s Store) Settle(ctx context.Context, user model.UserID, claim store.Claim, answer []byte) error {
	return unless(ctx, func() error { return s.Store.Settle(ctx, user, claim, answer) })
}

// Release implements store.Claimer.
func (s Store) Release(ctx context.Context, user model.UserID, claim store.Claim) error {
	return unless(ctx, func() error { return s.Store.Release(ctx, user, claim) })
}

// SaveMails implements store.MailCache: what a dry run reads of a mailbox is not kept.
func (s Store) SaveMails(ctx context.Context, user model.UserID, connection model.UUID, history string,
	mails []store.CachedMail) error {
	return unless(ctx, func() error { return s.Store.SaveMails(ctx, user, connection, history, mails) })
}

// AdvanceMailbox implements store.MailCache: in a dry run the mailbox stays where it is, as if another was quicker.
func (s Store) AdvanceMailbox(ctx context.Context, user model.UserID, connection model.UUID, from string,
	to store.Mailbox, changes []store.MailChange) (bool, error) {
	if dryrun.Is(ctx) {
		return false, nil
	}
	return s.Store.AdvanceMailbox(ctx, user, connection, from, to, changes)
}

// SaveVectors implements store.VectorStore.
func (s Store) SaveVectors(ctx context.Context, user model.UserID, vectors []store.MemoryVectorOf) (saved int,
	err error) {
	return saved, unless(ctx, func() error {
		saved, err = s.Store.SaveVectors(ctx, user, vectors)
		return err
	})
}

// SaveKnowledgeVectors implements store.KnowledgeVectors.
func (s Store) SaveKnowledgeVectors(ctx context.Context, user model.UserID,
	vectors []store.KnowledgeVectorOf) (saved int, err error) {
	return saved, unless(ctx, func() error {
		saved, err = s.Store.SaveKnowledgeVectors(ctx, user, vectors)
		return err
	})
}

// SaveSyncState implements store.SyncStore.
func (s Store) SaveSyncState(ctx context.Context, state store.SyncState) error {
	return unless(ctx, func() error { return s.Store.SaveSyncState(ctx, state) })
}

// ForgetSyncState implements store.SyncStore.
func (s Store) ForgetSyncState(ctx context.Context, user model.UserID, connection model.UUID, calendar string) error {
	return unless(ctx, func() error { return s.Store.ForgetSyncState(ctx, user, connection, calendar) })
}

// SaveWebsetFeed implements store.WebsetFeeds.
func (s Store) SaveWebsetFeed(ctx context.Context, feed store.WebsetFeed) error {
	return unless(ctx, func() error { return s.Store.SaveWebsetFeed(ctx, feed) })
}

// EraseEvents implements store.EventEraser.
func (s Store) EraseEvents(ctx context.Context, user model.UserID, limit int) (more bool, err error) {
	return more, unless(ctx, func() error {
		more, err = s.Store.EraseEvents(ctx, user, limit)
		return err
	})
}

// InsertToken implements store.TokenStore.
func (s Store) InsertToken(ctx context.Context, token model.APIToken) error {
	return unless(ctx, func() error { return s.Store.InsertToken(ctx, token) })
}

// RevokeToken implements store.TokenStore.
func (s Store) RevokeToken(ctx context.Context, user model.UserID, id model.UUID, at time.Time) error {
	return unless(ctx, func() error { return s.Store.RevokeToken(ctx, user, id, at) })
}

// AddAudit implements store.AuditWriter.
func (s Store) AddAudit(ctx context.Context, entry model.AuditEntry) error {
	return unless(ctx, func() error { return s.Store.AddAudit(ctx, entry) })
}

// unless does nothing in a dry run.
func unless(ctx context.Context, write func() error) error {
	if dryrun.Is(ctx) {
		return nil
	}
	return write()
}
