package gcal

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"google.golang.org/api/calendar/v3"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// Bounds of one reading.
const (
	// MaxEvents is how many events a window may hold.
	MaxEvents = 10_000
	// fewLeftOut is how many events more than wanted a page asks for where Keep leaves out a few.
	fewLeftOut = 20
	// largestPage is Google's own bound.
	largestPage = 2_500
)

// Events returns the events and occurrences of a window of one calendar, by start, then by id; an all-day event starts
// at midnight of the calendar's zone. Their times always come, whatever fields are wanted, since the order needs them.
//
// NOT_FOUND when there is no such calendar; BAD_USER_INPUT when the window is empty or holds more than MaxEvents.
func (c *Client) Events(ctx context.Context, connection model.Connection, calendarID string, q Query) (Listing, error) {
	s, err := c.session(ctx, connection)
	if err != nil {
		return Listing{}, err
	}
	ctx = reading(ctx, "events.list")
	return s.list(calendarID, q, q.Limit, func(r request) (*calendar.Events, error) {
		call := s.api.Events.List(s.sentID(calendarID)).Context(ctx).SingleEvents(true).OrderBy("startTime").
			MaxResults(r.size).Fields(listed(r.fields))
		if q.Search != "" {
			call.Q(q.Search)
		}
		if r.from != "" {
			call.TimeMin(r.from)
		}
		if r.to != "" {
			call.TimeMax(r.to)
		}
		if r.attendees > 0 {
			call.MaxAttendees(r.attendees)
		}
		if r.token != "" {
			call.PageToken(r.token)
		}
		return call.Do()
	}, missingCalendar)
}

// Instances returns the occurrences of a series, or of the series that the occurrence named belongs to, like Events.
// Google shows some two years of an endless series.
//
// NOT_FOUND when there is no such event; BAD_USER_INPUT when it does not repeat, and for a search.
func (c *Client) Instances(ctx context.Context, connection model.Connection, ref model.EventRef,
	q Query) (Listing, error) {
	if q.Search != "" {
		return Listing{}, model.BadInput("", "the occurrences of a series cannot be searched")
	}
	s, err := c.session(ctx, connection)
	if err != nil {
		return Listing{}, err
	}
	listing, err := s.instances(ctx, ref, q)
	if err == nil && len(listing.Events) > 0 && listing.Events[0].RecurringEventID == ref.Event {
		return listing, nil
	}
	if err != nil && google.Status(err) != http.StatusBadRequest {
		return Listing{}, err
	}
	// Of an occurrence Google lists that one alone, if it is in the window.
	series, problem := s.seriesNamed(ctx, ref)
	switch {
	case problem != nil:
		return Listing{}, problem
	case series == ref:
		return listing, err
	}
	return s.instances(ctx, series, q)
}

// instances lists what Google calls the instances of an event.
func (s *session) instances(ctx context.Context, ref model.EventRef, q Query) (Listing, error) {
	// they come in no promised order
	return s.list(ref.Calendar, q, 0, func(r request) (*calendar.Events, error) {
		call := s.api.Events.Instances(s.sentID(ref.Calendar), ref.Event).Context(reading(ctx, "events.instances")).
			MaxResults(r.size).Fields(listed(r.fields))
		if r.from != "" {
			call.TimeMin(r.from)
		}
		if r.to != "" {
			call.TimeMax(r.to)
		}
		if r.attendees > 0 {
			call.MaxAttendees(r.attendees)
		}
		if r.token != "" {
			call.PageToken(r.token)
		}
		return call.Do()
	}, missingEvent)
}

func doesNotRepeat() error { return model.BadInput("", "this event does not repeat") }

// seriesNamed finds out which series a reference means: its own, or the one that the occurrence belongs to. An id says
// nothing of it: the occurrences of a series that was split on Google's own screen have ids that begin with the id of
// another series.
func (s *session) seriesNamed(ctx context.Context, ref model.EventRef) (model.EventRef, error) {
	e, err := s.get(ctx, ref.Calendar, ref.Event, single(FieldRecurrence))
	switch {
	case err != nil:
		return ref, err
	case e.RecurringEventId != "":
		return ref.CalendarRef().Event(e.RecurringEventId), nil
	case len(e.Recurrence) == 0:
		return ref, doesNotRepeat()
	}
	return ref, nil
}

// request is one page to be asked for.
type request struct {
	fields    Fields
	size      int64
	attendees int64
	from, to  string
	token     string
}

// list reads the pages of a window. In an answer ordered by start, inOrder is how many events are enough.
func (s *session) list(calendarID string, q Query, inOrder int, page func(request) (*calendar.Events, error),
	about missing) (Listing, error) {
	if !q.From.IsZero() && !q.To.IsZero() && !q.To.After(q.From) {
		return Listing{}, model.BadInput("", "the window ends before it begins")
	}
	r := request{fields: q.Fields | FieldTimes, size: s.pageSize(q, inOrder)}
	if q.Fields.Has(FieldAttendees) && q.MaxAttendees > 0 {
		r.attendees = int64(q.MaxAttendees)
	}
	// Google knows whole seconds and leaves out what ends at the bound; so a second more is asked for, and looked through
	// here.
	if !q.From.IsZero() {
		r.from = q.From.UTC().Truncate(time.Second).Add(-time.Second).Format(time.RFC3339)
	}
	if !q.To.IsZero() {
		r.to = q.To.UTC().Add(time.Second - 1).Truncate(time.Second).Format(time.RFC3339)
	}
	reader := &lister{session: s, calendarID: s.calendarID(calendarID), query: q, enough: inOrder}
	var at paging
	for {
		r.token = at.token
		answer, err := page(r)
		if err != nil {
			return Listing{}, classify(err, about)
		}
		done, err := reader.add(answer)
		if err != nil {
			return Listing{}, err
		}
		if done {
			return reader.listing(), nil
		}
		more, err := at.turn(answer.NextPageToken)
		if err != nil {
			return Listing{}, err
		}
		if !more {
			return reader.listing(), nil
		}
	}
}

func tooMany() error {
	return model.BadInput("", "the window holds more than %d events; ask for a shorter one", MaxEvents)
}

func (s *session) pageSize(q Query, inOrder int) int64 {
	size := s.client.PageSize
	if size <= 0 {
		size = largestPage
	}
	switch {
	case inOrder > 0 && q.Keep == nil:
		size = min(size, inOrder+1) // one more tells whether there are others
	case inOrder > 0 && q.MostKept:
		size = min(size, inOrder+fewLeftOut)
	}
	return int64(size)
}

// lister gathers the events of an answer's pages.
type lister struct {
	session    *session
	calendarID string
	query      Query
	enough     int
	seen       int
	location   *time.Location
	found      []placed
	answer     Listing
}

// placed is an event with the instant it is ordered by.
type placed struct {
	start time.Time
	event model.Event
}

// add takes a page in; done tells that no later page can change the answer.
func (l *lister) add(page *calendar.Events) (done bool, err error) {
	if l.location == nil || l.answer.Zone == "" {
		l.answer.Zone = page.TimeZone
		l.location = l.session.client.zoneOr(page.TimeZone)
		l.answer.Role = roleOf(page.AccessRole)
		l.answer.DefaultReminders = reminderList(page.DefaultReminders)
	}
	if l.seen += len(page.Items); l.seen > MaxEvents {
		return false, tooMany()
	}
	for _, item := range page.Items {
		e, err := l.session.event(l.calendarID, l.answer.Zone, item)
		if err != nil {
			return false, err
		}
		start := startsAt(e.Start, l.location)
		// Events that start together may come in any order, so what starts with the last one wanted is read to its end.
		done = l.enough > 0 && len(l.found) > l.enough && start.After(l.found[l.enough-1].start)
		if e.Status == model.EventCancelled || e.Start.IsZero() || !l.inWindow(e, start) ||
			(l.query.Keep != nil && !l.query.Keep(e)) {
			continue
		}
		l.found = append(l.found, placed{start: start, event: e})
		done = l.enough > 0 && len(l.found) > l.enough && start.After(l.found[l.enough-1].start)
	}
	return done, nil
}

// inWindow holds the event against the window to the nanosecond.
func (l *lister) inWindow(e model.Event, start time.Time) bool {
	if !l.query.To.IsZero() && !start.Before(l.query.To) {
		return false
	}
	if l.query.From.IsZero() || e.End.IsZero() {
		return true
	}
	end := startsAt(e.End, l.location)
	return end.After(l.query.From) || (end.Equal(start) && start.Equal(l.query.From))
}

func (l *lister) listing() Listing {
	slices.SortStableFunc(l.found, func(a, b placed) int {
		if order := a.start.Compare(b.start); order != 0 {
			return order
		}
		return strings.Compare(a.event.Ref.Event, b.event.Ref.Event)
	})
	if limit := l.query.Limit; limit > 0 && len(l.found) > limit {
		l.found, l.answer.More = l.found[:limit], true
	}
	l.answer.Events = make([]model.Event, 0, len(l.found))
	for _, p := range l.found {
		l.answer.Events = append(l.answer.Events, p.event)
	}
	return l.answer
}
