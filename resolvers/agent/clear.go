package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/naming"
	"almanac/projections/plan"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// agentPhrases are the sentences of the agent's own questions in one language.
type agentPhrases struct {
	clearOne, clearMany                      string // title; how many
	deleteOne, deleteRest, deleteSeries      string // title and time
	change, changeRest, changeSeries         string // title and time, and what
	title, location, date, start, end        string
	length, days, shift, allDay, add, remove string
}

func agentPhrasesIn(locale string) agentPhrases {
	if locale == "he" {
		return agentPhrases{
			clearOne: "למחוק את %s?", clearMany: "למחוק %d אירועים?",
			deleteOne: "למחוק את %s?", deleteRest: "למחוק את %s ואת כל הבאים אחריו?", deleteSeries: "למחוק את כל הסדרה של %s?",
			change: "לשנות את %s? %s", changeRest: "לשנות את %s ואת כל הבאים אחריו? %s",
			changeSeries: "לשנות את כל הסדרה של %s? %s",
			title:        "כותרת", location: "מקום", date: "תאריך", start: "התחלה", end: "סיום",
			length: "משך", days: "ימים", shift: "הזזה", allDay: "כל היום", add: "להזמין", remove: "להסיר",
		}
	}
	return agentPhrases{
		clearOne: "Delete %s?", clearMany: "Delete %d events?",
		deleteOne: "Delete %s?", deleteRest: "Delete %s and all that follow it?",
		deleteSeries: "Delete the whole series of %s?",
		change:       "Change %s? %s", changeRest: "Change %s and all that follow it? %s",
		changeSeries: "Change the whole series of %s? %s",
		title:        "title", location: "place", date: "date", start: "start", end: "end",
		length: "length", days: "days", shift: "moved by", allDay: "all day", add: "invite", remove: "remove",
	}
}

// approvalText asks whether what was understood shall be done to the event found: nobody but a person says so of what a
// model has read.
func (t *turn) approvalText(event model.Event, scope model.EventScope) string {
	say := agentPhrasesIn(t.v.Locale)
	one, rest, series := say.deleteOne, say.deleteRest, say.deleteSeries
	args := []any{model.Clip(projections.EventLabel(event, t.v.Moment))}
	if t.planned.Update != nil {
		one, rest, series = say.change, say.changeRest, say.changeSeries
		args = append(args, t.describe(t.planned.Update.Change))
	}
	switch {
	case scope == model.ScopeFollowing:
		one = rest
	case scope == model.ScopeSeries && (event.IsOccurrence() || event.IsSeries()):
		one = series
	}
	return fmt.Sprintf(one, args...)
}

// clear deletes everything that is meant, which always needs a confirmation: the question shows what would go, and the
// answer may choose among it.
func (t *turn) clear(ctx context.Context, meant plan.Target) {
	window := plan.Window{From: t.v.StartOfDay(), To: t.dayAt(decision.DaysAhead)}
	if meant.Window != nil {
		window = *meant.Window
	}
	decided, err := t.events.DecideAll(ctx, t.v, decision.All{
		From: window.From, To: window.To, Keep: t.clearable(meant, window), Summary: meant.Title, Fields: t.fields,
		Confirm: t.confirm, Fits: fits, Approve: t.clearText,
	})
	switch {
	case err != nil:
		t.fail(ctx, err)
	case decided.Question != nil:
		t.asks(ctx, decided.Question)
		t.out.Context = projections.EventContextOf(nil, true, decided.Asked)
	default:
		t.cleared(ctx, t.events.Apply(ctx, t.v, decided), decided.Asked)
	}
}

// fits refuses to delete nothing, and more than a question may be about.
func fits(n int) error {
	switch {
	case n == 0:
		return model.NotFound("input.text", "%s", eventNotFound)
	case n > decision.MaxHeld:
		return model.BadInput("input.text",
			"%d events are meant; one sentence deletes at most %d, so nothing was done; name a shorter time", n,
			decision.MaxHeld)
	}
	return nil
}

func (t *turn) clearText(found []model.Event) string {
	say := agentPhrasesIn(t.v.Locale)
	if len(found) == 1 {
		return fmt.Sprintf(say.clearOne, model.Clip(projections.EventLabel(found[0], t.v.Moment)))
	}
	return fmt.Sprintf(say.clearMany, len(found))
}

// clearable tells which events of a window go: timed ones that touch it, and days that lie in it as a whole, so that a
// holiday of two weeks does not go with a Friday.
func (t *turn) clearable(meant plan.Target, window plan.Window) func(model.Event) bool {
	except := foldedAll(meant.Except)
	isExcept := func(title string) bool {
		title = fold.Text(title)
		return slices.ContainsFunc(except, func(part string) bool { return strings.Contains(title, part) })
	}
	minutes, hasHour := minutesOf(meant.StartTime)
	var named *naming.Query
	if meant.Title != "" && !isGeneral(meant.Title) {
		named = naming.New(meant.Title, naming.Event)
	}
	return func(event model.Event) bool {
		start, end := t.v.Instant(event.Start), t.v.Instant(event.End)
		local := start.In(t.v.Zone)
		switch {
		case event.Start.IsZero(), isOther(event), isExcept(event.Summary), named != nil && !named.Names(event.Summary):
			return false
		case event.Start.AllDay() && (start.Before(window.From) || end.After(window.To) || hasHour):
			return false
		case meant.DayOfWeek != "" && local.Weekday() != meant.DayOfWeek.Time():
			return false
		}
		return !hasHour || local.Hour()*60+local.Minute() == minutes
	}
}

// cleared tells what went.
func (t *turn) cleared(ctx context.Context, done []decision.Done, asked projections.EventsAsked) {
	var gone []model.Event
	var failures []error
	for _, one := range done {
		if one.Err != nil {
			failures = append(failures, one.Err)
			continue
		}
		gone = append(gone, *one.Event)
	}
	core.AddRelinkError(ctx, failures)
	because := eventNotFound
	if len(failures) > 0 {
		because = core.BulkErrorOf(0, nil, failures[0]).Message
	}
	switch {
	case len(gone) == 1 && len(failures) == 0:
		t.deleted(decision.Done{Event: &gone[0]}, asked)
		return
	case len(gone) == 0:
		t.failed("Failed to delete event: "+because, because)
		t.out.Context = projections.EventContextOf(nil, true, asked)
		return
	}
	message := fmt.Sprintf("Deleted %d events", len(gone))
	summary := message + ":" + eventLines(gone, t.atStart)
	if n := len(failures); n > 0 {
		summary += fmt.Sprintf("\nFailed to delete %d events: %s", n, because)
	}
	t.done(t.readBack(summary, true), jsonOf(agentCleared{Status: agentDone, Count: len(gone), Events: t.eventsOf(gone),
		Message: message}), asked, gone...)
	t.out.Context = projections.EventContextOf(t.out.Events, true, asked)
}

func foldedAll(texts []string) []string {
	var out []string
	for _, text := range texts {
		if key := fold.Text(text); key != "" {
			out = append(out, key)
		}
	}
	return out
}
