package projections

import (
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// EventEdge is an event in a page.
type EventEdge = Edge[Event]

// EventConnection is a page of events.
type EventConnection struct {
	Page[Event]
	// Asked is what was looked for.
	Asked EventsAsked
	// None: the filter finds no event at all.
	None bool
}

// IsEmpty reports whether the filter finds no event at all.
func (c *EventConnection) IsEmpty() bool { return c.None }

// Context is the response context of a listing.
func (c *EventConnection) Context() *EventContext {
	out := &EventContext{IsListing: true, IsEmpty: c.None}
	c.Asked.into(out)
	return out
}

// EventsAsked is what an answer about events was asked by.
type EventsAsked struct {
	// Summary is the title that was looked for; empty for none.
	Summary string
	// Search: words were looked for.
	Search bool
	// From and To are the window; zero for none.
	From, To time.Time
	At       *Moment
	// Fresh is how fresh it is.
	Fresh FreshnessContext
}

func (a EventsAsked) into(out *EventContext) {
	out.SearchCriteria = optional(a.Summary)
	out.IsFindEvent = a.Summary != "" || a.Search
	out.AsOf = a.Fresh.AsOf
	out.Note(a.Fresh.Notes...)
	if a.At != nil && !a.From.IsZero() {
		out.TimeWindow = &EventWindow{Start: a.At.DateTime(a.From), End: a.At.DateTime(a.To)}
	}
}

// EventWindow is a stretch of time.
type EventWindow struct{ Start, End model.DateTime }

// WindowsAt returns stretches of time as the viewer's clock shows them; never nil.
func WindowsAt(periods []model.BusyPeriod, at *Moment) []EventWindow {
	out := make([]EventWindow, len(periods))
	for i, p := range periods {
		out[i] = EventWindow{Start: at.DateTime(p.Start), End: at.DateTime(p.End)}
	}
	return out
}

// EventContext is the response context of the seed, for events.
type EventContext struct {
	answered
	IsListing         bool
	IsFindEvent       bool
	IsEmpty           bool
	IsRecurring       bool
	IsRecurringSeries bool
	IsToday           bool
	IsTomorrowOrLater bool
	IsBulkOperation   bool
	SearchCriteria    *string
	TimeWindow        *EventWindow
	// AsOf is since when what was read may have changed unseen; nil when it is the server's own, or of a mutation.
	AsOf  *model.DateTime
	noted []EventNote
}

// EventNote is something to know beside events.
type EventNote struct {
	Code       model.ErrorCode
	Message    string
	CalendarID *string
	// Account and ConnectURL are those of a linked account, RetryAfterMs is in milliseconds; nil for none.
	Account, ConnectURL *string
	RetryAfterMs        *int32
}

// FreshnessContext is how fresh what was read of linked accounts is.
type FreshnessContext struct {
	// AsOf is since when it may have changed unseen; nil when nothing of theirs was read.
	AsOf *model.DateTime
	// Notes are what could not be looked at; never nil.
	Notes []EventNote
}

// Notes is what the caller should know beside the events; never nil.
func (c *EventContext) Notes() []EventNote { return append([]EventNote{}, c.noted...) }

// Note adds what the caller should know.
func (c *EventContext) Note(notes ...EventNote) { c.noted = append(c.noted, notes...) }

// EventContextOf is the response context of a mutation: each flag says whether any of the events has it. bulk says that
// the mutation is one of several events.
func EventContextOf(events []Event, bulk bool, asked EventsAsked) *EventContext {
	all := &EventContext{IsEmpty: len(events) == 0, IsBulkOperation: bulk || len(events) > 1}
	for _, event := range events {
		one := event.ItemContext()
		all.IsRecurring = all.IsRecurring || one.IsRecurring
		all.IsRecurringSeries = all.IsRecurringSeries || one.IsRecurringSeries
		all.IsToday = all.IsToday || one.IsToday
		all.IsTomorrowOrLater = all.IsTomorrowOrLater || one.IsTomorrowOrLater
	}
	asked.into(all)
	return all
}

// EventConflicts is what overlaps.
type EventConflicts struct {
	Conflicts []EventConflict
	Count     int
	// IsFree is nil without a candidate.
	IsFree *bool
	// Context is how fresh it is.
	Context FreshnessContext
}

// IsEmpty reports whether nothing overlaps.
func (c *EventConflicts) IsEmpty() bool { return c.Count == 0 }

// EventConflict is two events that overlap; Event2 is nil when it is the candidate.
type EventConflict struct {
	Event1     Event
	Event2     *Event
	Start, End model.DateTime
}

// FreeBusy is when calendars are busy.
type FreeBusy struct {
	// Each is each calendar by itself.
	Each []CalendarBusy
	// Merged is when any of them is.
	Merged []model.BusyPeriod
	// From and To are the window.
	From, To time.Time
	// Unknown: some calendar cannot be read, so nobody knows when all are free.
	Unknown bool
	At      *Moment
	// Context is how fresh it is.
	Context FreshnessContext
}

// Calendars is each calendar by itself.
func (f *FreeBusy) Calendars() []CalendarBusy { return f.Each }

// Busy is when any of them is busy.
func (f *FreeBusy) Busy() []EventWindow { return WindowsAt(f.Merged, f.At) }

// Free is when all of them are free: only stretches of at least a length, only within some hours of each day.
func (f *FreeBusy) Free(atLeast *model.Duration, dayStart, dayEnd *string, first *int32) ([]EventWindow, error) {
	limit, err := PageSize("first", first, model.DefaultPageSize)
	if err != nil {
		return nil, err
	}
	hours, err := when.ParseHours(dayStart, dayEnd)
	if err != nil {
		return nil, err
	}
	if f.Unknown {
		return []EventWindow{}, nil
	}
	least := time.Duration(0)
	if atLeast != nil {
		least = atLeast.Duration
	}
	return WindowsAt(when.FreeSlots(f.Merged, when.Slot{From: f.From, To: f.To}, hours, f.At.Zone, least, limit), f.At),
		nil
}

// IsFree reports whether nothing at all is in the window; nil when nobody knows.
func (f *FreeBusy) IsFree() *bool {
	if f.Unknown {
		return nil
	}
	free := len(f.Merged) == 0
	return &free
}

// CalendarBusy is when one calendar is busy.
type CalendarBusy struct {
	CalendarID string
	// Account is nil for an own calendar.
	Account *string
	Periods []model.BusyPeriod
	Error   *model.ErrorCode
	At      *Moment
}

// Busy is when it is busy.
func (c CalendarBusy) Busy() []EventWindow { return WindowsAt(c.Periods, c.At) }
