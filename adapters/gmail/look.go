package gmail

import (
	"context"
	"slices"
	"time"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	// labelsHold is how long labels are taken for true after a look at the history.
	labelsHold = 2 * time.Second
	// lookAtLeast is how long a mailbox goes without a look at most before messages are kept under its number: from a
	// number that is too old Google tells nothing any more.
	lookAtLeast = time.Hour
	// maxLooks bounds how often a look is made anew because another process was faster.
	maxLooks = 5
)

// keptAs returns how far the cache follows the mailbox; ok is false when there is none to be used.
func (s *session) keptAs(ctx context.Context) (at store.Mailbox, ok bool) {
	if s.client.Cache == nil {
		return store.Mailbox{}, false
	}
	at, err := s.client.Cache.Mailbox(ctx, s.connection.User, s.connection.ID)
	if err != nil {
		s.warn(ctx, "reading how far it goes", err)
	}
	return at, err == nil
}

// since is how long ago the remote said that labels are as of this number; ok is false when it is not known, or a
// change was made from here after it.
func (s *session) since(at store.Mailbox) (ago time.Duration, ok bool) {
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	if at.History == "" || s.box.seen < s.box.written {
		return 0, false
	}
	checked := at.CheckedAt
	if s.box.checkedAs == at.History && s.box.checked.After(checked) {
		checked = s.box.checked
	}
	ago = s.client.Now().Sub(checked)
	return ago, ago > -labelsHold // another process may have another clock, a little
}

func (s *session) holds(at store.Mailbox) bool {
	ago, ok := s.since(at)
	return ok && ago < labelsHold
}

// look makes what is kept of labels that of just now: it asks the history what has happened since the cache's number,
// and begins anew when there is none or it is too old. Of several who need a look one makes it. It returns the number
// that the cache is at then.
func (s *session) look(ctx context.Context) (store.Mailbox, error) {
	select {
	case s.box.looking <- struct{}{}:
		defer func() { <-s.box.looking }()
	case <-ctx.Done():
		return store.Mailbox{}, google.Classify(ctx.Err())
	}
	for range maxLooks {
		at, ok := s.keptAs(ctx)
		if !ok || s.holds(at) {
			return at, nil
		}
		if at.History == "" {
			return s.begin(ctx)
		}
		changes, now := s.box.changes(), s.client.Now()
		happened, err := s.history(ctx, at.History)
		if err != nil {
			return store.Mailbox{}, err
		}
		if happened.Lost {
			return s.begin(ctx)
		}
		to := store.Mailbox{History: happened.At, CheckedAt: now}
		if to.History != at.History {
			advanced, err := s.client.Cache.AdvanceMailbox(ctx, s.connection.User, s.connection.ID, at.History, to,
				happened.changes())
			if err != nil {
				s.warn(ctx, "following the history", err)
				return store.Mailbox{}, nil
			}
			if !advanced {
				continue // another process has gone on meanwhile
			}
		}
		s.box.looked(changes, to.History, now)
		return to, nil
	}
	return s.begin(ctx)
}

// begin takes the mailbox's present number for that of the cache, whose labels are not known any more after that.
func (s *session) begin(ctx context.Context) (store.Mailbox, error) {
	changes, to := s.box.changes(), store.Mailbox{CheckedAt: s.client.Now()}
	var err error
	if _, to.History, err = s.profile(ctx); err != nil {
		return store.Mailbox{}, err
	}
	if _, err := s.client.Cache.AdvanceMailbox(ctx, s.connection.User, s.connection.ID, "", to, nil); err != nil {
		s.warn(ctx, "beginning anew", err)
		return store.Mailbox{}, nil
	}
	s.box.looked(changes, to.History, to.CheckedAt)
	return to, nil
}

// changes are what the history means for what is kept.
func (h History) changes() []store.MailChange {
	changes := make([]store.MailChange, 0, len(h.Added)+len(h.Labelled)+len(h.Deleted))
	for _, added := range h.Added {
		changes = append(changes, store.MailChange{ID: added.Message, Labels: added.Labels})
	}
	for _, labelled := range h.Labelled {
		changes = append(changes, store.MailChange{ID: labelled.Message, Labels: labelled.Labels})
	}
	for _, deleted := range h.Deleted {
		changes = append(changes, store.MailChange{ID: deleted, Gone: true})
	}
	return changes
}

// forget erases messages that are gone from what is kept.
func (s *session) forget(ctx context.Context, at store.Mailbox, ids []string) {
	if at.History == "" || len(ids) == 0 {
		return
	}
	changes := make([]store.MailChange, len(ids))
	for i, id := range ids {
		changes[i] = store.MailChange{ID: id, Gone: true}
	}
	s.patch(ctx, at, changes)
}

// patch changes what is kept, unless the cache has gone on meanwhile: then the history has told it, or will.
func (s *session) patch(ctx context.Context, at store.Mailbox, changes []store.MailChange) {
	if _, err := s.client.Cache.AdvanceMailbox(ctx, s.connection.User, s.connection.ID, at.History, at,
		changes); err != nil {
		s.warn(ctx, "changing labels", err)
	}
}

// relabel brings a change of our own to what is kept, as of the number that the cache had before the change. Has it
// gone on since, the change may be in it already, and another's after it; then only the history knows what the labels
// are. Either way the next reading looks.
func (s *session) relabel(ctx context.Context, before store.Mailbox, ids, add, remove []string) {
	if before.History == "" {
		return
	}
	kept, err := s.client.Cache.CachedMails(ctx, s.connection.User, s.connection.ID, ids, s.client.Now())
	if err != nil {
		s.warn(ctx, "reading messages", err)
		return
	}
	changes := make([]store.MailChange, 0, len(kept))
	for _, id := range ids {
		if mail, ok := kept[id]; ok && !mail.Stale {
			changes = append(changes, store.MailChange{ID: id, Labels: relabelled(mail.Labels, add, remove)})
		}
	}
	before.CheckedAt = time.Time{} // so that other processes look, too
	s.patch(ctx, before, changes)
}

// relabelled are labels after a change.
func relabelled(labels, add, remove []string) []string {
	var left []string
	for _, label := range slices.Compact(sorted(slices.Concat(labels, add))) {
		if !slices.Contains(remove, label) {
			left = append(left, label)
		}
	}
	return left
}

// unlessGone returns an error that is none when it says that a message is not there.
func unlessGone(err error) (gone bool, left error) {
	if model.CodeOf(err) == model.CodeNotFound {
		return true, nil
	}
	return false, err
}
