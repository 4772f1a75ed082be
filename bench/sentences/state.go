//go:build bench

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
)

// state is everything that a user has, as GraphQL shows it.
type state struct {
	tasks    map[string]task
	lists    map[string]list
	memories map[string]memory
	// events are single events and occurrences; series are series themselves, by their ids.
	events, series map[string]event
	mails          map[string]mail
	// cursor is the place in the log of changes.
	cursor string
}

// task, list and so on hold texts of GraphQL; times are those of the user's zone, to the minute.
type task struct {
	ID, Text, Category, DueDate, NextReminderAt string
	Completed                                   bool
	Recurrence                                  *recurrence
	Completions                                 []completion
	Subtasks                                    []subtask
}

// due is when it is due: of one that repeats, its next occurrence.
func (t task) due() string {
	if t.DueDate == "" && t.Recurrence != nil {
		return minute(t.NextReminderAt)
	}
	return minute(t.DueDate)
}

type recurrence struct {
	Type, Time, Until, Interval string
	Days                        []string
	DayOfMonth                  int
}

type completion struct{ CompletedAt, Occurrence string }

type subtask struct {
	ID, Text  string
	Completed bool
}

type list struct {
	ID, Name string
	Items    []item
}

type item struct {
	ID, Text string
	Checked  bool
}

type memory struct {
	ID, Content, Summary string
	Tags                 []string
	Metadata             json.RawMessage
}

type event struct {
	ID, Summary, Location, Description, RecurringEventID, Status string
	Start, End                                                   eventTime
	Recurrence                                                   []string
	Attendees                                                    []attendee
}

type eventTime struct{ Date, DateTime string }

type attendee struct{ Email, DisplayName string }

type mail struct {
	ID, Subject string
	Unread      bool
	Starred     bool
	Labels      []string
	From        attendee
}

// String returns a day, or an hour of the user's zone.
func (t eventTime) String() string {
	if t.Date != "" {
		return t.Date
	}
	return minute(t.DateTime)
}

// last is an end as the sets have it: inclusive where it is a day.
func (t eventTime) last() string {
	if day, err := time.Parse(time.DateOnly, t.Date); err == nil {
		return day.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	return minute(t.DateTime)
}

// minute cuts an instant of the user's zone to what sets have of it.
func minute(instant string) string { return instant[:min(len(instant), len(localForm))] }

const (
	eventFields = `id summary location description status recurrence recurringEventId start { date dateTime }
	end { date dateTime } attendees { email displayName }`
	eventsQuery = `query($filter: EventFilter!, $after: String) { events(filter: $filter, first: 100, after: $after) {
	nodes { ` + eventFields + ` } pageInfo { hasNextPage endCursor } } }`
	seriesQuery = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on Event { ` + eventFields + ` } } }`
	recordQuery = `{
	tasks(filter: { completed: null }, first: 100) { nodes { id text category dueDate nextReminderAt completed
		recurrence { type time until interval days dayOfMonth } completions(first: 3) { completedAt occurrence }
		subtasks { id text completed } } }
	lists(first: 100) { nodes { id name items { id text checked } } }
	memories(first: 100) { nodes { id content summary tags metadata } }
	emails(first: 100) { nodes { id subject unread starred labels from { displayName: name email } } }
	changes(first: 1) { latestCursor }
}`
)

// window is a time of which all events are read, without those whose titles contain any of the texts.
type window struct {
	from, to string
	without  []string
}

// windows are what is read of the calendar: five weeks around now as a whole, and the time around without the series of
// the world, whose occurrences in these weeks, and whose rules, say enough of them.
func windows(w *world) []window {
	return []window{{"2026-11-15", "2026-12-20", nil}, {"2025-11-01", "2026-11-15", w.series()},
		{"2026-12-20", "2028-06-01", w.series()}}
}

// read returns the user's state.
func (c *client) read(ctx context.Context, w *world, known []string) (*state, error) {
	var out struct {
		Tasks    struct{ Nodes []task }
		Lists    struct{ Nodes []list }
		Memories struct{ Nodes []memory }
		Emails   struct{ Nodes []mail }
		Changes  struct{ LatestCursor string }
	}
	if err := c.whole(ctx, &out, recordQuery, nil); err != nil {
		return nil, fmt.Errorf("read records: %w", err)
	}
	now := &state{tasks: byID(out.Tasks.Nodes, func(t task) string { return t.ID }),
		lists:    byID(out.Lists.Nodes, func(l list) string { return l.ID }),
		memories: byID(out.Memories.Nodes, func(m memory) string { return m.ID }),
		mails:    byID(out.Emails.Nodes, func(m mail) string { return m.ID }),
		events:   map[string]event{}, series: map[string]event{}, cursor: out.Changes.LatestCursor}
	for _, at := range windows(w) {
		if err := c.readEvents(ctx, at, now); err != nil {
			return nil, err
		}
	}
	return now, c.readSeries(ctx, known, now)
}

// whole is ask where no field may fail.
func (c *client) whole(ctx context.Context, out any, query string, variables map[string]any) error {
	problems, err := c.ask(ctx, out, query, variables)
	switch {
	case len(problems) > 0 && problems[0].Extensions.Code == string(model.CodeTimeout):
		return errLate
	case err == nil && len(problems) > 0:
		return fmt.Errorf("%v", problems)
	}
	return err
}

func byID[T any](all []T, id func(T) string) map[string]T {
	out := make(map[string]T, len(all))
	for _, one := range all {
		out[id(one)] = one
	}
	return out
}

func (c *client) readEvents(ctx context.Context, at window, into *state) error {
	filter := map[string]any{"timeMin": at.from + "T00:00", "timeMax": at.to + "T00:00",
		"excludeSummaries": at.without}
	for after := any(nil); ; {
		var out struct {
			Events struct {
				Nodes    []event
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
			}
		}
		if err := c.whole(ctx, &out, eventsQuery, map[string]any{"filter": filter, "after": after}); err != nil {
			return fmt.Errorf("read events: %w", err)
		}
		for _, event := range out.Events.Nodes {
			into.events[event.ID] = event
		}
		if after = out.Events.PageInfo.EndCursor; !out.Events.PageInfo.HasNextPage {
			return nil
		}
	}
}

// readSeries reads the series of all occurrences, and those that were known before; one that is gone is left out.
func (c *client) readSeries(ctx context.Context, known []string, into *state) error {
	ids := map[string]bool{}
	for _, id := range known {
		ids[id] = true
	}
	for _, event := range into.events {
		if event.RecurringEventID != "" {
			ids[event.RecurringEventID] = true
		}
	}
	var out struct{ Nodes []*event }
	_, err := c.ask(ctx, &out, seriesQuery, map[string]any{"ids": slices.Sorted(maps.Keys(ids))})
	for _, one := range out.Nodes {
		if one != nil && one.Status != "CANCELLED" {
			into.series[one.ID] = *one
		}
	}
	return err
}

// change is what differs between two states of one kind of records.
type change[T any] struct {
	made, gone []T
	// was and is are what has changed, each at the same place.
	was, is []T
}

func (c *change[T]) none() bool { return len(c.made)+len(c.gone)+len(c.was) == 0 }

// changed compares two states of one kind; what is is in order of the sort key.
func changed[T any](before, after map[string]T) (out change[T]) {
	for _, id := range slices.Sorted(maps.Keys(before)) {
		if now, there := after[id]; !there {
			out.gone = append(out.gone, before[id])
		} else if written(before[id]) != written(now) {
			out.was, out.is = append(out.was, before[id]), append(out.is, now)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(after)) {
		if _, there := before[id]; !there {
			out.made = append(out.made, after[id])
		}
	}
	return out
}

// written is a record as text, to compare and to show.
func written(record any) string {
	text, _ := json.Marshal(record)
	return string(text)
}

// lineage is a series with the one that continues it after it was split: what it had, and what it has now.
type lineage struct {
	title         string
	before, after []event
	// was and is are the rules; is is nil when the series is gone.
	was event
	is  *event
}

// difference is what a sentence has done.
type difference struct {
	tasks    change[task]
	lists    change[list]
	memories change[memory]
	mails    change[mail]
	// events are those of no series, and new series as their masters.
	events change[event]
	series []lineage
	// other: the log of changes has grown, although nothing of the above has changed.
	other bool
}

func (d *difference) none() bool {
	return !d.other && d.tasks.none() && d.lists.none() && d.memories.none() && d.mails.none() && d.events.none() &&
		len(d.series) == 0
}

// compare finds what has changed.
func compare(before, after *state) *difference {
	d := &difference{tasks: changed(before.tasks, after.tasks), lists: changed(before.lists, after.lists),
		memories: changed(before.memories, after.memories), mails: changed(before.mails, after.mails),
		events: changed(singles(before.events), singles(after.events))}
	var fresh []event
	for _, id := range slices.Sorted(maps.Keys(after.series)) {
		if _, there := before.series[id]; !there {
			fresh = append(fresh, after.series[id])
		}
	}
	for _, id := range slices.Sorted(maps.Keys(before.series)) {
		line := lineage{title: before.series[id].Summary, was: before.series[id],
			before: occurrences(before.events, id), after: occurrences(after.events, id)}
		if now, there := after.series[id]; there {
			line.is = &now
		}
		if written(line.before) == written(line.after) && line.is != nil && written(line.was) == written(*line.is) {
			continue
		}
		fresh = slices.DeleteFunc(fresh, func(next event) bool { // a series that is split has another one after it
			if next.Summary != line.title {
				return false
			}
			line.after = append(line.after, occurrences(after.events, next.ID)...)
			return true
		})
		d.series = append(d.series, line)
	}
	d.events.made = append(d.events.made, fresh...)
	d.other = d.none() && before.cursor != after.cursor
	return d
}

// singles are the events that are of no series.
func singles(all map[string]event) map[string]event {
	out := map[string]event{}
	for id, event := range all {
		if event.RecurringEventID == "" {
			out[id] = event
		}
	}
	return out
}

// occurrences are those of a series in the first window, by start.
func occurrences(all map[string]event, series string) []event {
	var out []event
	for _, event := range all {
		if event.RecurringEventID == series && event.Status != "CANCELLED" {
			out = append(out, event)
		}
	}
	slices.SortFunc(out, func(a, b event) int { return strings.Compare(a.Start.String(), b.Start.String()) })
	return out
}

// String is what was done, for lists of failures.
func (d *difference) String() string {
	var parts []string
	say := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	describe(say, "task", d.tasks)
	describe(say, "list", d.lists)
	describe(say, "memory", d.memories)
	describe(say, "mail", d.mails)
	describe(say, "event", d.events)
	for _, line := range d.series {
		gone, made := moved(line)
		say("series %s: gone %v, made %v", line.title, gone, made)
	}
	if d.other {
		say("something else was changed")
	}
	return strings.Join(parts, "; ")
}

func describe[T any](say func(string, ...any), kind string, c change[T]) {
	for _, one := range c.made {
		say("made %s %s", kind, written(one))
	}
	for _, one := range c.gone {
		say("deleted %s %s", kind, written(one))
	}
	for i := range c.was {
		say("changed %s %s to %s", kind, written(c.was[i]), written(c.is[i]))
	}
}
