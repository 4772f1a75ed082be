package calendar

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"almanac/projections/when"
)

// Snapshot writes everything that is kept as one JSON object. The same state gives the same bytes.
func (s *Service) Snapshot(w io.Writer) error {
	s.mu.RLock()
	raw, err := json.Marshal(s.state)
	s.mu.RUnlock()
	if err != nil {
		return fmt.Errorf("write the calendars: %w", err)
	}
	if _, err := w.Write(append(raw, '\n')); err != nil {
		return fmt.Errorf("write the calendars: %w", err)
	}
	return nil
}

// Restore replaces everything by what a snapshot holds; after an error all is as it was.
func (s *Service) Restore(r io.Reader) error {
	decoder := json.NewDecoder(r)
	decoder.UseNumber()
	decoder.DisallowUnknownFields()
	var fresh state
	if err := decoder.Decode(&fresh); err != nil {
		return fmt.Errorf("read the calendars: %w", err)
	}
	if fresh.Version != snapshotVersion {
		return fmt.Errorf("read the calendars: the snapshot is of version %d, this is version %d", fresh.Version,
			snapshotVersion)
	}
	if err := fresh.complete(); err != nil {
		return fmt.Errorf("read the calendars: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = fresh
	return nil
}

// complete checks a state from outside and builds what is derived.
func (s *state) complete() error {
	if s.Accounts == nil || s.Calendars == nil || s.Channels == nil {
		return errors.New("accounts, calendars or channels are missing")
	}
	for email, person := range s.Accounts {
		if person == nil || person.Email != email || person.Entries == nil || person.Settings == nil ||
			s.Calendars[email] == nil {
			return fmt.Errorf("account %q is incomplete", email)
		}
		for id, line := range person.Entries {
			if line == nil || line.Calendar != id {
				return fmt.Errorf("the list of account %q is incomplete", email)
			}
		}
	}
	for id, c := range s.Calendars {
		if c == nil || c.ID != id || c.Rights == nil || c.Events == nil {
			return fmt.Errorf("calendar %q is incomplete", id)
		}
		for eventID, e := range c.Events {
			if e == nil || e.ID != eventID || (e.Series != "" && e.Original == nil) {
				return fmt.Errorf("event %q of calendar %q is incomplete", eventID, id)
			}
			for _, own := range e.Reminders {
				if own == nil {
					return fmt.Errorf("event %q of calendar %q is incomplete", eventID, id)
				}
			}
		}
		if _, err := when.LoadZone(c.TimeZone); err != nil {
			return fmt.Errorf("calendar %q: %w", id, err)
		}
		if err := c.derive(); err != nil {
			return fmt.Errorf("calendar %q: %w", id, err)
		}
	}
	for id, ch := range s.Channels {
		if ch == nil || ch.ID != id {
			return fmt.Errorf("channel %q is incomplete", id)
		}
	}
	return nil
}
