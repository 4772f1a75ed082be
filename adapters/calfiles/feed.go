package calfiles

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections/ical"
	"almanac/projections/when"
)

func isNotFound(err error) bool { return errors.Is(err, store.ErrNotFound) }

// NewFeed is a feed that is to be followed, with what its first reading has brought.
type NewFeed struct {
	User model.UserID
	// Address is the feed's, Sealed the same encrypted, Host its server.
	Address, Host string
	Sealed        []byte
	// Name and Zone are what its user wants; empty for the file's own. OtherwiseZone is where that says none.
	Name, Zone, OtherwiseZone string
	Text                      []byte
	State                     model.FeedState
	DueAt                     time.Time
}

// Followed finds the calendar of a feed's address, if it is followed.
func (f *Files) Followed(ctx context.Context, user model.UserID, address string) (calendar model.KeptCalendar,
	link model.CalendarLink, found bool, err error) {
	links, err := f.Store.CalendarLinks(ctx, user)
	if err != nil {
		return calendar, link, false, err
	}
	hash := hashOf(address)
	for _, one := range links {
		if one.Kind == model.LinkFeed && one.Hash == hash {
			calendar, err = kept(ctx, f.Store, user, one.Calendar)
			return calendar, one, err == nil, err
		}
	}
	return calendar, link, false, nil
}

// Result is what a reading of a feed has come to.
type Result struct {
	Calendar model.KeptCalendar
	Link     model.CalendarLink
	// Events are how many there are now, Changed how many of them were written or deleted, Refused how many entries could
	// not be taken in.
	Events, Changed, Refused int
	// Refresh is how often the file asks to be read; 0 when it does not say.
	Refresh time.Duration
}

// clip cuts a text to a number of bytes, between characters.
func clip(text string, most int) string {
	for len(text) > most {
		runes := []rune(text)
		text = string(runes[:len(runes)-1-(len(text)-most)/4])
	}
	return text
}

// Follow makes a feed's calendar, fills it and then has it shown. keep runs in the transaction that makes it.
// BAD_USER_INPUT for a text that is no calendar, for a zone that is none, and for too many calendars.
func (f *Files) Follow(ctx context.Context, n NewFeed,
	keep func(ctx context.Context, tx store.Tx, calendar model.KeptCalendar) error) (out Result, err error) {
	document, err := ical.Open(n.Text, ical.Options{Zone: when.ZoneOr(time.UTC, n.OtherwiseZone)})
	if err != nil {
		return out, model.BadInput("", "%s", err)
	}
	zone := cmp.Or(n.Zone, document.Zone, n.OtherwiseZone)
	if _, err := when.LoadZone(zone); err != nil {
		return out, model.BadInput("timeZone", "%q is not a time zone", model.Clip(zone))
	}
	calendar := model.KeptCalendar{Source: model.CalendarFeed, Zone: zone, Role: model.RoleReader, Followed: true,
		Selected: true, State: model.CalendarReading, CreatedAt: f.Now(), UpdatedAt: f.Now(),
		Name:        clip(cmp.Or(n.Name, document.Name, n.Host), model.MaxCalendarName),
		Description: clip(document.Description, model.MaxCalendarDescription)}
	// Until its events are there nothing is known of it, so that a process that dies meanwhile leaves it to be read whole.
	packed, err := packState(model.FeedState{Host: n.Host})
	if err != nil {
		return out, err
	}
	link := model.CalendarLink{User: n.User, Kind: model.LinkFeed, Hash: hashOf(n.Address), Sealed: n.Sealed,
		State: packed, CreatedAt: f.Now(), DueAt: f.Now().Add(firstLease)}
	err = f.Store.Write(ctx, n.User, func(ctx context.Context, tx store.Tx) error {
		if calendar, err = tx.InsertCalendar(ctx, calendar); err != nil {
			return err
		}
		link.Calendar = calendar.Number
		if err := tx.SaveCalendarLink(ctx, link); err != nil {
			return err
		}
		return keep(ctx, tx, calendar)
	})
	if errors.Is(err, store.ErrConflict) {
		return out, model.BadInput("", "you have %d calendars, and there can be no more; delete one first",
			model.MaxKeptCalendars)
	}
	if err != nil {
		return out, err
	}
	if out, err = f.fill(ctx, calendar, link, document); err != nil {
		return out, err
	}
	n.State.Host = n.Host
	out.Link.DueAt = n.DueAt
	return out, f.Settle(ctx, link, n.State, n.DueAt, nil)
}

// firstLease is how long a feed that is being made is left to who makes it.
const firstLease = 5 * time.Minute

// Refill makes a feed's calendar what a text of it says. What was written before an error stays, and the next reading
// completes it. NOT_FOUND when the calendar was deleted; BAD_USER_INPUT for a text that is no calendar.
func (f *Files) Refill(ctx context.Context, link model.CalendarLink, text []byte) (out Result, err error) {
	calendar, err := kept(ctx, f.Store, link.User, link.Calendar)
	if err != nil {
		return out, err
	}
	document, err := ical.Open(text, ical.Options{Zone: withZone(calendar).zone})
	if err != nil {
		return out, model.BadInput("", "%s", err)
	}
	return f.fill(ctx, calendar, link, document)
}

// fill writes what differs, some events in each transaction, and then deletes what the text has no more.
func (f *Files) fill(ctx context.Context, calendar model.KeptCalendar, link model.CalendarLink,
	document *ical.Document) (out Result, err error) {
	out = Result{Calendar: calendar, Link: link, Refresh: document.Refresh}
	if !document.Whole {
		return out, model.BadInput("", "the calendar does not end; it was cut off")
	}
	before, err := f.all(ctx, link.User, calendar.Number)
	if err != nil {
		return out, err
	}
	rest := make(map[string]model.EventRow, len(before))
	for _, row := range before {
		rest[row.ID] = row
	}
	var save []model.EventRow
	c := withZone(calendar)
	series := map[string]model.EventRow{}
	for e, problem := range document.Events() {
		row, ok := f.feedRow(c, &e, series)
		if problem != nil || !ok || out.Events == MaxImported {
			out.Refused++
			continue
		}
		out.Events++
		old, there := rest[row.ID]
		delete(rest, row.ID)
		if !there || !c.same(old, row) {
			save = append(save, row)
		}
	}
	var gone []model.EventKey
	for _, row := range rest {
		gone = append(gone, row.Key())
	}
	out.Changed = len(save) + len(gone)
	if dryrun.Is(ctx) { // the calendar was rolled back, so there is nothing to write into
		out.Calendar.State = model.CalendarKept
		return out, nil
	}
	if _, err := f.Save(ctx, link.User, save); err != nil {
		return out, err
	}
	if _, err := f.Delete(ctx, link.User, gone); err != nil || calendar.State == model.CalendarKept {
		return out, err
	}
	err = f.Store.Write(ctx, link.User, func(ctx context.Context, tx store.Tx) error {
		now, err := kept(ctx, tx, link.User, calendar.Number)
		if err != nil {
			return err
		}
		now.State, now.AsOf = model.CalendarKept, f.Now()
		now.Version, err = tx.UpdateCalendar(ctx, now)
		out.Calendar = now
		return err
	})
	return out, err
}

// Save saves events, some in each transaction. What was written before an error stays; written reports whether any was.
func (f *Files) Save(ctx context.Context, user model.UserID, rows []model.EventRow) (written bool, err error) {
	return inParts(ctx, f.Store, user, rows, func(ctx context.Context, tx store.Tx, some []model.EventRow) error {
		_, err := tx.SaveEvents(ctx, some)
		return err
	})
}

// Delete deletes events, some in each transaction, as Save saves them.
func (f *Files) Delete(ctx context.Context, user model.UserID, keys []model.EventKey) (written bool, err error) {
	return inParts(ctx, f.Store, user, keys, func(ctx context.Context, tx store.Tx, some []model.EventKey) error {
		_, err := tx.DeleteEvents(ctx, some)
		return err
	})
}

// inParts writes perWrite of all in each transaction.
func inParts[T any](ctx context.Context, to store.Transactor, user model.UserID, all []T,
	write func(ctx context.Context, tx store.Tx, some []T) error) (written bool, err error) {
	for some := range slices.Chunk(all, perWrite) {
		err := to.Write(ctx, user, func(ctx context.Context, tx store.Tx) error { return write(ctx, tx, some) })
		if err != nil {
			return written, err
		}
		written = true
	}
	return written, nil
}

// feedRow is an event of a feed as it is kept, under an id that follows from its names; false for one that cannot be.
func (f *Files) feedRow(c calendarOf, e *ical.Event, series map[string]model.EventRow) (model.EventRow, bool) {
	if e.ICalUID == "" {
		return model.EventRow{}, false
	}
	row := c.row(e)
	row.Body.Reminders = model.Reminders{UseDefault: true} // who publishes a calendar does not wake its readers
	of, known := series[e.ICalUID]
	switch {
	case e.OriginalStart.IsZero() && e.Status == model.EventCancelled:
		return row, false
	case !e.OriginalStart.IsZero() && known && of.AllDay == row.OriginalIsDay:
		row = c.exception(e, row, of)
	case !e.OriginalStart.IsZero() && e.Status == model.EventCancelled:
		return row, false
	default:
		key := e.Key()
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s", c.Number, key.UID, key.Original))
		row.ID = model.OwnEventID(model.UUID(sum[:16]))
	}
	if row.UpdatedAt.IsZero() {
		row.UpdatedAt = f.Now()
	}
	row.Generation = 1
	if row.Kind == model.EventSeries {
		var err error
		if row.LastsUntil, err = f.Rules.LastsUntil(row, c.zone); err != nil {
			return row, false
		}
		series[e.ICalUID] = row
	}
	return row, true
}

// Settle keeps what is known of a feed after a reading, and when it is read next. Nothing happens when the feed has
// ended meanwhile.
func (f *Files) Settle(ctx context.Context, link model.CalendarLink, state model.FeedState, due time.Time,
	seal []byte) error {
	packed, err := packState(state)
	if err != nil {
		return err
	}
	err = f.Store.Write(ctx, link.User, func(ctx context.Context, tx store.Tx) error {
		links, err := tx.CalendarLinks(ctx, link.User)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(links, func(l model.CalendarLink) bool {
			return l.Calendar == link.Calendar && l.Kind == link.Kind && l.Hash == link.Hash
		}) {
			return nil
		}
		link.State, link.DueAt = packed, due
		if seal != nil {
			link.Sealed = seal
		}
		return tx.SaveCalendarLink(ctx, link)
	})
	if isNotFound(err) {
		return nil
	}
	return err
}

func packState(state model.FeedState) (string, error) {
	packed, err := json.Marshal(state)
	if err != nil {
		return "", fmt.Errorf("the state of a feed: %w", err)
	}
	return string(packed), nil
}

// StateOf reads what is known of a feed.
func StateOf(link model.CalendarLink) (state model.FeedState, err error) {
	if err := json.Unmarshal([]byte(link.State), &state); err != nil {
		return state, fmt.Errorf("the state of a feed: %w", err)
	}
	return state, nil
}
