package gmail

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	api "google.golang.org/api/gmail/v1"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// shelf is a store.MailCache in memory, of one connection, with the contract in as few lines as it takes. It fails when
// it is told to.
type shelf struct {
	mu     sync.Mutex
	at     store.Mailbox
	mails  map[string]store.CachedMail
	broken bool
	// readOnly fails writes alone.
	readOnly bool
	saves    int
	// before is called before each write, without the lock.
	before func()
}

var errShelf = errors.New("the shelf is broken")

func newShelf() *shelf { return &shelf{mails: map[string]store.CachedMail{}} }

func (s *shelf) enter(write bool) (leave func(), err error) {
	if write && s.before != nil {
		s.before()
	}
	s.mu.Lock()
	if s.broken || s.readOnly && write {
		s.mu.Unlock()
		return nil, errShelf
	}
	return s.mu.Unlock, nil
}

func (s *shelf) Mailbox(context.Context, model.UserID, model.UUID) (store.Mailbox, error) {
	leave, err := s.enter(false)
	if err != nil {
		return store.Mailbox{}, err
	}
	defer leave()
	return s.at, nil
}

func (s *shelf) CachedMails(_ context.Context, _ model.UserID, _ model.UUID, ids []string,
	_ time.Time) (map[string]store.CachedMail, error) {
	leave, err := s.enter(false)
	if err != nil {
		return nil, err
	}
	defer leave()
	found := map[string]store.CachedMail{}
	for _, id := range ids {
		if mail, ok := s.mails[id]; ok {
			found[id] = mail
		}
	}
	return found, nil
}

func (s *shelf) SaveMails(_ context.Context, _ model.UserID, _ model.UUID, history string,
	mails []store.CachedMail) error {
	leave, err := s.enter(true)
	if err != nil {
		return err
	}
	defer leave()
	for _, mail := range mails {
		s.saves++
		mail.Labels = slices.Clone(mail.Labels)
		mail.Stale = mail.Stale || history == "" || history != s.at.History
		if old, ok := s.mails[mail.ID]; ok && old.Depth > mail.Depth {
			mail.Depth, mail.Sealed = old.Depth, old.Sealed
		}
		s.mails[mail.ID] = mail
	}
	return nil
}

func (s *shelf) AdvanceMailbox(_ context.Context, _ model.UserID, _ model.UUID, from string, to store.Mailbox,
	changes []store.MailChange) (bool, error) {
	leave, err := s.enter(true)
	if err != nil {
		return false, err
	}
	defer leave()
	if from == "" {
		for id, mail := range s.mails {
			mail.Stale = true
			s.mails[id] = mail
		}
		s.at = to
		return true, nil
	}
	if s.at.History != from {
		return false, nil
	}
	s.at = to
	for _, change := range changes {
		mail, ok := s.mails[change.ID]
		switch {
		case change.Gone:
			delete(s.mails, change.ID)
		case ok:
			mail.Labels, mail.Stale = slices.Clone(change.Labels), false
			s.mails[change.ID] = mail
		}
	}
	return true, nil
}

func modifyRequest(add, remove []string) *api.ModifyMessageRequest {
	return &api.ModifyMessageRequest{AddLabelIds: add, RemoveLabelIds: remove}
}

// newClientOf is a client of the same harness that keeps nothing.
func newClientOf(h *harness) *Client { return &Client{Now: h.clock, Google: h.clients(builder{})} }

func statusOf(err error) int { return google.Status(err) }
