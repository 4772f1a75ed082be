package gcal

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"almanac/graph/model"
	"almanac/projections/rrule"
)

// series is a series with what is needed to cut it.
type series struct {
	*session
	ref  model.EventRef
	raw  *calendar.Event
	as   model.Event
	zone *time.Location
	set  *rrule.Set
	// changed and cancelled are the occurrences that are not as the rule has them, by their original starts.
	changed, cancelled []exception
}

// exception is an occurrence that was changed on its own.
type exception struct {
	id string
	// start is its original start, original the instant that stands for it.
	start    model.EventTime
	original time.Time
	// raw is what was read of it: all with wholeExceptions.
	raw *calendar.Event
	// plain: it has nothing of its own.
	plain bool
}

// of is what names an exception of a series.
func (e exception) of(series model.EventRef) model.Event {
	return model.Event{Ref: series.CalendarRef().Event(e.id), RecurringEventID: series.Event, OriginalStart: e.start,
		Type: model.EventDefault}
}

func (e exception) isCancelled() bool { return statusOf(e.raw.Status) == model.EventCancelled }

// readSeries reads a series whole, its exceptions with it.
func (s *session) readSeries(ctx context.Context, ref model.EventRef) (*series, error) {
	raw, err := s.get(ctx, ref.Calendar, ref.Event, "")
	if err != nil {
		return nil, err
	}
	return s.seriesFrom(ctx, ref, raw)
}

// seriesFrom is readSeries of a series that was read.
func (s *session) seriesFrom(ctx context.Context, ref model.EventRef, raw *calendar.Event) (*series, error) {
	m := &series{session: s, ref: ref, raw: raw}
	var err error
	if m.as, err = s.event(s.calendarID(ref.Calendar), "", m.raw); err != nil {
		return nil, err
	}
	switch {
	case m.as.Status == model.EventCancelled:
		return nil, noEvent()
	case m.as.Type != model.EventDefault:
		return nil, readOnly(m.as.Type)
	case !m.as.IsSeries():
		return nil, doesNotRepeat()
	case m.as.Start.IsZero() || m.as.End.IsZero():
		return nil, unreadable(errNoStart)
	case m.as.Organizer != nil && !m.as.Organizer.Self:
		return nil, notOurs()
	case rules(m.as.Recurrence) > 1:
		return nil, model.BadInput("",
			"this series has several rules and cannot be cut; change it whole, or in Google Calendar")
	}
	if err := m.parse(ctx); err != nil {
		return nil, err
	}
	if err := m.readExceptions(ctx, whichExceptions); err != nil {
		return nil, err
	}
	return m, nil
}

func rules(lines []string) int {
	count := 0
	for _, line := range lines {
		if strings.HasPrefix(strings.ToUpper(line), "RRULE") {
			count++
		}
	}
	return count
}

// parse works out when the series occurs.
func (m *series) parse(ctx context.Context) (err error) {
	if m.as.Start.Zone == "" {
		if m.as.CalendarZone, err = m.calendarZone(ctx, m.ref.Calendar); err != nil {
			return err
		}
	}
	// A zone that we do not know would put the cut into the wrong place.
	if m.zone, err = m.client.zone(cmp.Or(m.as.Start.Zone, m.as.CalendarZone)); err != nil {
		return err
	}
	m.set, err = rrule.Parse(m.as.Recurrence, ruleStart(m.as.Start, m.zone))
	return err
}

// Masks of exceptions: which they are, and everything.
const (
	whichExceptions googleapi.Field = "nextPageToken,items(id,status,recurringEventId,originalStartTime)"
	wholeExceptions googleapi.Field = "nextPageToken,items"
)

// readExceptions reads the occurrences that were changed or cancelled; they share the series' UID.
func (m *series) readExceptions(ctx context.Context, mask googleapi.Field) error {
	ctx = reading(ctx, "events.list")
	m.changed, m.cancelled = nil, nil
	var at paging
	seen := 0
	for {
		call := m.api.Events.List(m.sentID(m.ref.Calendar)).Context(ctx).ICalUID(m.as.ICalUID).ShowDeleted(true).
			MaxResults(largestPage).Fields(mask)
		if at.token != "" {
			call.PageToken(at.token)
		}
		page, err := call.Do()
		if err != nil {
			return classify(err, missingCalendar)
		}
		if seen += len(page.Items); seen > MaxEvents {
			return tooMany()
		}
		for _, item := range page.Items {
			if err := m.addException(item); err != nil {
				return err
			}
		}
		if more, err := at.turn(page.NextPageToken); !more {
			return err
		}
	}
}

func (m *series) addException(item *calendar.Event) error {
	if item.RecurringEventId != m.ref.Event {
		return nil
	}
	t, err := readTime(item.OriginalStartTime)
	if err != nil || t.IsZero() {
		return unreadable(errNoStart)
	}
	e := exception{id: item.Id, start: t, original: place(t), raw: item}
	if e.isCancelled() {
		m.cancelled = append(m.cancelled, e)
	} else {
		m.changed = append(m.changed, e)
	}
	return nil
}

// place is the instant that stands for an occurrence in the arithmetic of rules: of an all-day one, midnight UTC of the
// date.
func place(t model.EventTime) time.Time {
	if t.AllDay() {
		return t.Date.Midnight()
	}
	return t.At
}

// leaves reports whether anything that people see is left of the series before the cut: occurrences that are all
// cancelled are nothing.
func (m *series) leaves(cut time.Time) bool {
	gone := make(map[int64]bool, len(m.cancelled))
	for _, e := range m.cancelled {
		gone[e.original.Unix()] = true
	}
	before, more := m.set.Between(place(m.as.Start), cut, len(gone)+1)
	if more {
		return true
	}
	for _, o := range before {
		if !gone[o.Start.Unix()] {
			return true
		}
	}
	return false
}

// beyond returns the changed occurrences at the cut and after it.
func (m *series) beyond(cut time.Time) []exception {
	return slices.DeleteFunc(slices.Clone(m.changed), func(e exception) bool { return e.original.Before(cut) })
}

func idsOf(exceptions []exception) []string {
	ids := make([]string, len(exceptions))
	for i, e := range exceptions {
		ids[i] = e.id
	}
	return ids
}

// LeftOut returns EXDATE lines for the occurrences of a series that were cancelled by themselves. Google knows a
// cancelled occurrence by its original start, so a series that moves would have it again; with these lines among those
// that move, it does not. Of the series its reference, start and recurrence are looked at.
func (c *Client) LeftOut(ctx context.Context, connection model.Connection, of model.Event) ([]string, error) {
	s, err := c.session(ctx, connection)
	if err != nil {
		return nil, err
	}
	m := &series{session: s, ref: of.Ref, as: of}
	if m.as.ICalUID == "" {
		now, err := s.read(ctx, of.Ref, FieldICalUID)
		if err != nil {
			return nil, err
		}
		m.as.ICalUID = now.ICalUID
	}
	if err := m.parse(ctx); err != nil {
		return nil, err
	}
	if err := m.readExceptions(ctx, whichExceptions); err != nil {
		return nil, err
	}
	return m.leftOut(place(of.Start)), nil
}

// leftOut is LeftOut from a place on.
func (m *series) leftOut(from time.Time) []string {
	name, form := "EXDATE:", lineInstant
	if m.as.Start.AllDay() {
		name, form = "EXDATE;VALUE=DATE:", lineDate
	}
	var values []string
	for _, e := range m.cancelled {
		if !e.original.Before(from) && m.set.Contains(e.original) {
			values = append(values, e.original.UTC().Format(form))
		}
	}
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	return []string{name + strings.Join(values, ",")}
}
