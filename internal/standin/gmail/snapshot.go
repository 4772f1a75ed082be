package gmail

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Snapshot writes everything that is kept as one JSON object. The same state gives the same bytes.
func (s *Service) Snapshot(w io.Writer) error {
	s.mu.RLock()
	raw, err := json.Marshal(s.state)
	s.mu.RUnlock()
	if err != nil {
		return fmt.Errorf("write the mailboxes: %w", err)
	}
	if _, err := w.Write(append(raw, '\n')); err != nil {
		return fmt.Errorf("write the mailboxes: %w", err)
	}
	return nil
}

// Restore replaces everything by what a snapshot holds; after an error all is as it was.
func (s *Service) Restore(r io.Reader) error {
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	var fresh state
	if err := decoder.Decode(&fresh); err != nil {
		return fmt.Errorf("read the mailboxes: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("read the mailboxes: something follows them")
	}
	if fresh.Version != snapshotVersion {
		return fmt.Errorf("read the mailboxes: the snapshot is of version %d, this is version %d", fresh.Version,
			snapshotVersion)
	}
	if err := fresh.complete(); err != nil {
		return fmt.Errorf("read the mailboxes: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = fresh
	return nil
}

// complete checks a state from outside and builds what is derived.
func (s *state) complete() error {
	if s.Accounts == nil {
		return errors.New("the accounts are missing")
	}
	for email, box := range s.Accounts {
		if box == nil || box.Email != email || box.Messages == nil || box.Drafts == nil || box.Labels == nil {
			return fmt.Errorf("account %q is incomplete", email)
		}
		if err := box.complete(); err != nil {
			return fmt.Errorf("account %q: %w", email, err)
		}
		for _, m := range box.Messages {
			s.bytes += int64(len(m.Raw))
		}
		box.derive()
	}
	return nil
}

func (a *account) complete() error {
	for id, l := range a.Labels {
		if l == nil || l.ID != id || l.isSystem() || l.Name == "" {
			return fmt.Errorf("label %q is incomplete", id)
		}
	}
	for id, m := range a.Messages {
		if m == nil || m.ID != id || !isID(id) || len(id) != 16 || !isID(m.Thread) || m.History > a.HistoryID ||
			len(m.Raw) > MaxMessage || !slices.IsSorted(m.Labels) {
			return fmt.Errorf("message %q is incomplete", id)
		}
		for _, l := range m.Labels {
			if _, known := a.label(l); !known {
				return fmt.Errorf("message %q has a label that is not there", id)
			}
		}
	}
	for id, m := range a.Drafts {
		if a.Messages[m] == nil || !a.Messages[m].has(labelDraft) {
			return fmt.Errorf("draft %q has no message", id)
		}
	}
	last := a.HistoryFloor
	for _, step := range a.History {
		if step.ID <= last || step.ID > a.HistoryID {
			return errors.New("the history is out of order")
		}
		last = step.ID
	}
	return nil
}
