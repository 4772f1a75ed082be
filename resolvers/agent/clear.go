package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/match"
	"almanac/projections/plan"
	"almanac/resolvers/core"
	"almanac/resolvers/events"
)

// agentClearShown is how many of the events to be deleted a question shows; the others it counts.
const agentClearShown = 20

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

// approvalText asks whether what was understood shall be done to the event found.
func (t *turn) approvalText(found events.EventTarget) string {
	say := agentPhrasesIn(t.v.Locale)
	label := model.Clip(events.EventLabel(found.Event, t.v))
	one, rest, series := say.deleteOne, say.deleteRest, say.deleteSeries
	args := []any{label}
	if t.planned.Update != nil {
		one, rest, series = say.change, say.changeRest, say.changeSeries
		args = append(args, t.describe(t.planned.Update.Change))
	}
	switch {
	case found.Scope == model.ScopeFollowing:
		one = rest
	case found.Scope == model.ScopeSeries && (found.Event.IsOccurrence() || found.Event.IsSeries()):
		one = series
	}
	return fmt.Sprintf(one, args...)
}

// clear deletes everything that is meant, which always needs a confirmation: the question shows what would go, and the
// answer may choose among it.
func (t *turn) clear(ctx context.Context, meant plan.Target) {
	var cleared clearing
	acted := false
	defer func() { t.Unless(ctx, &acted, t.v, cleared.ticket) }()
	err := t.decideClearing(ctx, meant, &cleared)
	switch {
	case errors.Is(err, core.ErrAsked):
		t.asks(ctx, cleared.confirmation)
		t.out.Context = projections.EventContextOf(nil, true, cleared.asked)
		return
	case err != nil:
		t.fail(ctx, err)
		return
	}
	done := t.events.DoEach(ctx, t.v, cleared.found,
		t.events.Deleting(t.v, gcal.ChangeOptions{SendUpdates: model.SendUpdatesNone}))
	acted = done.Done
	t.clearedAnswer(done, cleared.asked)
}

// clearing is what a sentence clears.
type clearing struct {
	found        []events.Placed
	asked        projections.EventsAsked
	ticket       *core.Ticket
	confirmation *projections.Confirmation
}

// decideClearing finds what is to go, or asks: then the error is errAsked.
func (t *turn) decideClearing(ctx context.Context, meant plan.Target, out *clearing) error {
	window := plan.Window{From: t.v.StartOfDay(), To: t.dayAt(events.DaysOfTargets)}
	if meant.Window != nil {
		window = *meant.Window
	}
	out.asked = projections.EventsAsked{Summary: meant.Title, From: window.From, To: window.To, At: t.v.Moment}
	noted, again, err := core.DecidedAs(ctx, "clear", func() (events.Decision, error) {
		var picked []string
		if t.confirm != nil {
			given, chosen, _, err := t.events.AnsweredTitle(ctx, t.v, *t.confirm)
			if err != nil {
				return events.Decision{}, err
			}
			out.ticket, picked = given, chosen
		}
		places, err := t.events.Places(ctx, t.v, "", nil, nil)
		if err != nil {
			return events.Decision{}, err
		}
		wants := t.clearable(meant, window)
		out.found, err = t.events.ReadAll(ctx, t.v, places, gcal.Query{
			From: window.From, To: window.To, Fields: (events.PayloadFields(ctx) | events.CandidateFields(ctx) |
				events.MatchFields) &^ gcal.FieldAttendees, Keep: wants,
		})
		if err != nil {
			return events.Decision{}, err
		}
		return t.settleClearing(ctx, out, picked)
	})
	if err == nil && again {
		out.found, err = noted.Placed(ctx, t.Resolver.events, t.v)
	}
	return err
}

// settleClearing asks about what was found, or leaves of it what was chosen.
func (t *turn) settleClearing(ctx context.Context, out *clearing, picked []string) (events.Decision, error) {
	if out.ticket != nil {
		out.found = slices.DeleteFunc(out.found,
			func(p events.Placed) bool { return !slices.Contains(picked, events.ReferenceOf(p.Event.Ref)) })
	}
	switch n := len(out.found); {
	case n == 0:
		return events.Decision{}, model.NotFound("input.text", "%s", eventNotFound)
	case n > events.MaxHeld:
		return events.Decision{}, model.BadInput("input.text",
			"%d events are meant; one sentence deletes at most %d, so nothing was done; name a shorter time", n, events.MaxHeld)
	case out.ticket != nil:
		return events.DecisionOf(out.found, ""), nil
	}
	say := agentPhrasesIn(t.v.Locale)
	q := core.Question{Kind: model.Approval, Text: fmt.Sprintf(say.clearMany, len(out.found))}
	if len(out.found) == 1 {
		q.Text = fmt.Sprintf(say.clearOne, model.Clip(events.EventLabel(out.found[0].Event, t.v)))
	}
	for i, one := range out.found {
		if i >= agentClearShown {
			q.Held = append(q.Held, events.ReferenceOf(one.Event.Ref))
			continue
		}
		q.Texts = append(q.Texts, events.ReferenceOf(one.Event.Ref))
		q.Candidates = append(q.Candidates, projections.Candidate{
			ID: one.Event.Ref.ID().String(), Label: events.EventLabel(one.Event, t.v), Score: 1,
			Node: projections.EventAt(one.Event, t.v.Moment),
		})
	}
	var err error
	if out.confirmation, err = t.Ask(ctx, t.v, q); err == nil {
		err = core.ErrAsked
	}
	return events.Decision{}, err
}

// clearable tells which events of a window go: timed ones that touch it, and days that lie in it as a whole, so that a
// holiday of two weeks does not go with a Friday.
func (t *turn) clearable(meant plan.Target, window plan.Window) func(model.Event) bool {
	search := events.EventSearch{Excluded: foldedAll(meant.Except)}
	minutes, hasHour := minutesOf(meant.StartTime)
	var like *match.Title
	if meant.Title != "" && !isGeneral(meant.Title) {
		rules := match.Events(true)
		title := match.NewTitle(meant.Title, rules.Prefixes, rules.MinScore)
		like = &title
	}
	return func(event model.Event) bool {
		start, end := t.v.Instant(event.Start), t.v.Instant(event.End)
		local := start.In(t.v.Zone)
		switch {
		case event.Start.IsZero(), isOther(event), !search.Wants(event), like != nil && !like.Like(event.Summary):
			return false
		case event.Start.AllDay() && (start.Before(window.From) || end.After(window.To) || hasHour):
			return false
		case meant.DayOfWeek != "" && local.Weekday() != meant.DayOfWeek.Time():
			return false
		}
		return !hasHour || local.Hour()*60+local.Minute() == minutes
	}
}

// clearedAnswer tells what went.
func (t *turn) clearedAnswer(done events.Deeds, asked projections.EventsAsked) {
	if len(done.Events) == 1 && len(done.Errors) == 0 {
		t.deleted(events.Removed{Event: &done.Events[0]}, asked)
		return
	}
	if len(done.Events) == 0 {
		sentence := eventNotFound
		if len(done.Errors) > 0 {
			sentence = done.Errors[0].Message
		}
		t.failed("Failed to delete event: "+sentence, sentence)
		t.out.Context = projections.EventContextOf(nil, true, asked)
		return
	}
	message := fmt.Sprintf("Deleted %d events", len(done.Events))
	var summary strings.Builder
	summary.WriteString(message + ":" + eventLines(done.Events, t.atStart))
	if n := len(done.Errors); n > 0 {
		fmt.Fprintf(&summary, "\nFailed to delete %d events: %s", n, done.Errors[0].Message)
	}
	t.done(summary.String(), jsonOf(agentCleared{Status: agentDone, Count: len(done.Events),
		Events: t.eventsOf(done.Events), Message: message}), asked, done.Events...)
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
