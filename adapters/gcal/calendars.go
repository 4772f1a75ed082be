package gcal

import (
	"cmp"
	"context"
	"slices"
	"time"

	"google.golang.org/api/calendar/v3"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// Calendars returns all calendars on the account's list, hidden ones too: the primary one first, then in Google's
// order.
func (c *Client) Calendars(ctx context.Context, connection model.Connection) ([]model.Calendar, error) {
	s, err := c.session(ctx, connection)
	if err != nil {
		return nil, err
	}
	ctx = google.WithScopes(google.WithOperation(ctx, "calendar.calendarList.list"), google.ScopeCalendarList)
	var found []model.Calendar
	var at paging
	for {
		call := s.api.CalendarList.List().Context(ctx).MaxResults(250).ShowHidden(true).Fields("nextPageToken",
			"items(id,summary,summaryOverride,description,timeZone,primary,selected,hidden,deleted,accessRole,"+
				"backgroundColor,foregroundColor,defaultReminders)")
		if at.token != "" {
			call.PageToken(at.token)
		}
		page, err := call.Do()
		if err != nil {
			return nil, google.Classify(err)
		}
		for _, entry := range page.Items {
			if !entry.Deleted {
				found = append(found, s.calendar(entry))
			}
		}
		more, err := at.turn(page.NextPageToken)
		if err != nil {
			return nil, err
		}
		if !more {
			slices.SortStableFunc(found, func(a, b model.Calendar) int { return cmp.Compare(rank(a), rank(b)) })
			return found, nil
		}
	}
}

func rank(c model.Calendar) int {
	if c.Primary {
		return 0
	}
	return 1
}

func (s *session) calendar(entry *calendar.CalendarListEntry) model.Calendar {
	id := s.calendarID(entry.Id)
	if entry.Primary {
		id = "" // the account may have been linked under another of its addresses
	}
	return model.Calendar{
		Ref:              model.CalendarRef{Connection: s.connection.Number, Calendar: id},
		Account:          s.connection.Account,
		Summary:          cmp.Or(entry.SummaryOverride, entry.Summary),
		Description:      entry.Description,
		TimeZone:         entry.TimeZone,
		Primary:          entry.Primary,
		Selected:         entry.Selected,
		Hidden:           entry.Hidden,
		AccessRole:       roleOf(entry.AccessRole),
		BackgroundColor:  entry.BackgroundColor,
		ForegroundColor:  entry.ForegroundColor,
		DefaultReminders: reminderList(entry.DefaultReminders),
	}
}

// maxBusyCalendars is how many calendars Google takes in one question.
const maxBusyCalendars = 50

// FreeBusy returns when each of the calendars is busy from from to to, ascending. Every calendar is a key of exactly
// one of the two maps, as it was given: of one that Google said nothing of, or may not say anything of, it is not known
// whether it is free, so it has an error.
func (c *Client) FreeBusy(ctx context.Context, connection model.Connection, calendars []string, from,
	to time.Time) (map[string][]model.BusyPeriod, map[string]error, error) {
	s, err := c.session(ctx, connection)
	if err != nil {
		return nil, nil, err
	}
	if !to.After(from) {
		return nil, nil, model.BadInput("", "the window ends before it begins")
	}
	ctx = google.WithRepeat(google.WithScopes(google.WithOperation(ctx, "calendar.freebusy.query"), google.ScopeFreeBusy),
		google.RepeatAlways)
	ctx = google.WithReads(ctx) // though it is a POST
	busy, problems := map[string][]model.BusyPeriod{}, map[string]error{}
	calendars = slices.Compact(slices.Sorted(slices.Values(calendars)))
	for some := range slices.Chunk(calendars, maxBusyCalendars) {
		question := &calendar.FreeBusyRequest{
			TimeMin: from.UTC().Format(time.RFC3339Nano), TimeMax: to.UTC().Format(time.RFC3339Nano), TimeZone: "UTC",
		}
		for _, id := range some {
			question.Items = append(question.Items, &calendar.FreeBusyRequestItem{Id: s.sentID(id)})
		}
		answer, err := s.api.Freebusy.Query(question).Context(ctx).Fields("calendars").Do()
		if err != nil {
			return nil, nil, google.Classify(err)
		}
		for _, id := range some {
			if busy[id], err = s.busy(answer, id); err != nil {
				delete(busy, id)
				problems[id] = err
			}
		}
	}
	return busy, problems, nil
}

func (s *session) busy(answer *calendar.FreeBusyResponse, id string) ([]model.BusyPeriod, error) {
	said, ok := answer.Calendars[s.sentID(id)]
	if !ok {
		said, ok = answer.Calendars[s.realID(id)] // the primary one comes back under its real name
	}
	if !ok {
		return nil, model.Errorf(model.CodeUpstreamUnavailable, "Google did not say whether this calendar is free")
	}
	if len(said.Errors) > 0 {
		return nil, busyProblem(said.Errors[0].Reason)
	}
	periods := []model.BusyPeriod{}
	for _, p := range said.Busy {
		start, err := time.Parse(time.RFC3339, p.Start)
		if err != nil {
			return nil, unreadable(err)
		}
		end, err := time.Parse(time.RFC3339, p.End)
		if err != nil {
			return nil, unreadable(err)
		}
		periods = append(periods, model.BusyPeriod{Start: start.UTC(), End: end.UTC()})
	}
	slices.SortStableFunc(periods, func(a, b model.BusyPeriod) int { return a.Start.Compare(b.Start) })
	return periods, nil
}

func busyProblem(reason string) error {
	switch reason {
	case "notFound":
		return model.Errorf(model.CodeNotFound, "%s", missingCalendar)
	case "internalError", "backendError":
		return model.Errorf(model.CodeUpstreamUnavailable, "Google could not say whether this calendar is free")
	default:
		return &model.Error{Code: model.CodeUpstreamRejected, Message: "Google does not say whether this calendar is free",
			Reason: reason}
	}
}
