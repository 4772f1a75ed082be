package agent

import (
	"context"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/plan"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// How many events an answer has at most.
const (
	agentReadMost     = 250
	agentScheduleMost = 500
)

// agentSearchDays is how far words are looked for when no time is said: ahead first and, where nothing is, back.
const agentSearchDays = 365

// found is the answer of a tool that has looked for events.
func (t *turn) found(summary string, events []model.Event, asked projections.EventsAsked) {
	t.answerAbout(events, plan.Window{From: asked.From, To: asked.To})
	if t.out.Answer != nil {
		summary += "\n" + *t.out.Answer
	}
	t.done(t.readBack(summary, false),
		jsonOf(agentFound{Status: agentDone, Count: len(events), Events: t.eventsOf(events)}), asked,
		events...)
	t.out.Context = (&projections.EventConnection{Asked: asked, None: len(events) == 0}).Context()
}

// list reads the events of a window in all calendars that the events query reads, by start.
func (t *turn) list(ctx context.Context, window plan.Window, words string,
	most int) ([]model.Event, projections.EventsAsked, error) {
	asked := projections.EventsAsked{Search: words != "", From: window.From, To: window.To, At: t.v.Moment}
	fields := t.fields
	if ask := t.planned.Ask; ask != nil && (ask.What == plan.AskFree || ask.What == plan.AskGap) {
		fields |= gcal.FieldTransparency
	}
	found, err := t.events.List(ctx, t.v, window.From, window.To, words, most, fields)
	if t.planned.Ask != nil && t.planned.Ask.What == plan.AskNext {
		found = slices.DeleteFunc(found, func(event model.Event) bool { return !t.v.Instant(event.Start).After(t.v.Now) })
		found = found[:min(len(found), 1)]
	}
	return found, asked, err
}

// read answers what is coming.
func (t *turn) read(ctx context.Context, window plan.Window) {
	events, asked, err := t.list(ctx, window, "", agentReadMost)
	if err != nil {
		t.fail(ctx, err)
		return
	}
	summary := "No events found."
	if len(events) > 0 {
		summary = fmt.Sprintf("Found %d events:", len(events)) + eventLines(events, t.atStart)
	}
	t.found(summary, events, asked)
}

// schedule answers what stands in a range of time.
func (t *turn) schedule(ctx context.Context, window plan.Window) {
	events, asked, err := t.list(ctx, window, "", agentScheduleMost)
	if err != nil {
		t.fail(ctx, err)
		return
	}
	from, to := t.clock(window.From), t.clock(lastShown(window, t.v.Zone))
	summary := fmt.Sprintf("No events found in the date range from %s to %s.", from, to)
	if len(events) > 0 {
		summary = fmt.Sprintf("Schedule from %s to %s:\nFound %d events:", from, to, len(events)) +
			eventLines(events, t.untilEnd)
	}
	t.found(summary, events, asked)
}

// lastShown is how people call the end of a window: a day ends with its last second.
func lastShown(window plan.Window, zone *time.Location) time.Time {
	if when.StartOfDate(model.DateOf(window.To.In(zone)), zone).Equal(window.To) {
		return window.To.Add(-time.Second)
	}
	return window.To
}

// search answers which events have words.
func (t *turn) search(ctx context.Context, s plan.Search) {
	window := plan.Window{From: t.v.StartOfDay(), To: t.dayAt(agentSearchDays)}
	if s.Window != nil {
		window = *s.Window
	}
	events, asked, err := t.list(ctx, window, s.Query, agentReadMost)
	if err == nil && len(events) == 0 && s.Window == nil {
		window.From, window.To = t.dayAt(-agentSearchDays), window.From
		events, asked, err = t.list(ctx, window, s.Query, agentReadMost)
		asked.To = t.dayAt(agentSearchDays)
	}
	if err != nil {
		t.fail(ctx, err)
		return
	}
	query := core.OneLine(s.Query)
	summary := fmt.Sprintf("No events found matching '%s'", query)
	if len(events) > 0 {
		summary = fmt.Sprintf("Found %d events matching '%s':", len(events), query) + eventLines(events, t.atStart)
	}
	t.found(summary, events, asked)
}

// dayAt is the start of a day, so many days from today.
func (t *turn) dayAt(days int) time.Time {
	return when.StartOfDate(model.DateOf(t.v.Now.In(t.v.Zone)).AddDays(days), t.v.Zone)
}
