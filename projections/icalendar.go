package projections

import (
	"slices"

	"almanac/graph/model"
)

// maxImportEntries is how many entries of a file one field returns.
const maxImportEntries = 100

// ImportReport is what came of the entries of a file. A file may have 300,000 of them, and few are asked for, so each
// is made when it is.
type ImportReport struct {
	// Count is how many there are.
	Count int
	// Outcome and Entry are those of one of them, by its place from 0.
	Outcome func(place int) model.ImportOutcome
	Entry   func(place int) ImportEntry
}

// Total is how many there are.
func (r ImportReport) Total() int { return r.Count }

// Entries returns some of them, in the file's order. BAD_USER_INPUT when first or skip is out of its bounds.
func (r ImportReport) Entries(outcomes []model.ImportOutcome, first, skip int32) ([]ImportEntry, error) {
	if first < 1 || first > maxImportEntries {
		return nil, model.BadInput("first", "first must be 1–%d, not %d", maxImportEntries, first)
	}
	if skip < 0 {
		return nil, model.BadInput("skip", "skip must not be negative")
	}
	out := []ImportEntry{}
	for place := 0; place < r.Count && len(out) < int(first); place++ {
		switch {
		case len(outcomes) > 0 && !slices.Contains(outcomes, r.Outcome(place)):
		case skip > 0:
			skip--
		default:
			out = append(out, r.Entry(place))
		}
	}
	return out, nil
}

// ImportEntry is what came of one entry of a file.
type ImportEntry struct {
	Outcome model.ImportOutcome
	Line    int
	UID     *string
	Summary *string
	Start   *EventTime
	Reason  *string
	Notes   []string
	EventID *string
}

// ImportEntryOf is an entry as it is seen at a moment; empty texts are null.
func ImportEntryOf(outcome model.ImportOutcome, line int, uid, summary, reason, event string, start model.EventTime,
	notes []string, at *Moment) ImportEntry {
	return ImportEntry{Outcome: outcome, Line: line, UID: optional(uid), Summary: optional(summary),
		Start: eventTime(start, at), Reason: optional(reason), Notes: notes, EventID: optional(event)}
}

// FollowedFeed is a feed that a calendar is a copy of, as seen at a moment.
type FollowedFeed struct {
	CalendarID   string
	Host         string
	AsOf, NextAt model.OptionalDateTime
	Failures     int
	Problem      *string
}

// FollowedFeedOf is the feed of a calendar.
func FollowedFeedOf(calendar model.KeptCalendar, link model.CalendarLink, state model.FeedState,
	at *Moment) FollowedFeed {
	return FollowedFeed{CalendarID: calendar.Ref().ID().String(), Host: state.Host, AsOf: at.OptionalDateTime(state.AsOf),
		NextAt: at.OptionalDateTime(link.DueAt), Failures: state.Failures, Problem: optional(state.Problem)}
}

// PublishedCalendar is an address of a calendar, as seen at a moment.
type PublishedCalendar struct {
	CalendarID string
	Form       model.CalendarForm
	CreatedAt  model.DateTime
}

// PublishedCalendarOf is one of a calendar's addresses.
func PublishedCalendarOf(calendar model.KeptCalendar, link model.CalendarLink, at *Moment) PublishedCalendar {
	return PublishedCalendar{CalendarID: calendar.Ref().ID().String(), Form: model.CalendarForm(link.Kind),
		CreatedAt: at.DateTime(link.CreatedAt)}
}
