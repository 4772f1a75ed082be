package agent

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/plan"
	"almanac/projections/when"
	"almanac/resolvers/events/decision"
)

// agentTimeDays is how far ahead an event is looked for of which only the hour is known.
const agentTimeDays = 7

// oneDay is the longest stretch of time, with a change of clocks, that names a single day.
const oneDay = 25 * time.Hour

// decide says what is to be done with the one event that is meant, by the recipe that all mutations find theirs by.
// When it is not sure, or what a model has read needs a confirmation, it leaves the question in the answer; when there
// is none, the failure: then it returns false.
func (t *turn) decide(ctx context.Context, meant plan.Target, who decision.One,
	set func(model.Event) (*graph.EventPatch, error)) (decision.Decision, bool) {
	who.Confirm, who.Fields = t.confirm, t.fields
	switch {
	case t.confirm != nil:
	case t.planned.ByModel || t.approve || t.planned.Proposed:
		who.Approve = t.approvalText
	case isGeneral(meant.Title) && meant.StartTime == "" && t.fitSeveral(ctx, meant):
		who.Approve = t.approvalText
	case t.among: // it is shown with the others before it is done
	case t.planned.Delete != nil && meant.Window == nil && meant.StartTime == "" && meant.DayOfWeek == "" &&
		len(searchWords(meant.Title)) == 1:
		who.Approve = func(event model.Event, scope model.EventScope) string {
			if !isGeneral(meant.Title) && saysMost(meant.Title, event.Summary) && !t.rivals(ctx, meant, event) {
				return ""
			}
			return t.approvalText(event, scope)
		}
	case meant.Window != nil && meant.Window.To.Sub(meant.Window.From) > oneDay && !meant.All:
		who.Approve = func(event model.Event, scope model.EventScope) string { // "this week's lesson", of one on Sunday
			if t.v.Instant(event.End).After(t.v.Now) {
				return ""
			}
			return t.approvalText(event, scope)
		}
	case meant.Title != "" && meant.Window == nil && meant.StartTime == "":
		who.Approve = func(event model.Event, scope model.EventScope) string {
			if !t.rivals(ctx, meant, event) {
				return ""
			}
			return t.approvalText(event, scope)
		}
	}
	switch {
	case t.confirm != nil:
		who.Target = &graph.EventTargetInput{} // the answer says which
	case meant.Title == "":
		who.Within = t.atTime(meant, false)
	default:
		who.Target = &graph.EventTargetInput{Match: matchOf(meant)}
	}
	decided, err := t.events.DecideOne(ctx, t.v, who, set)
	if t.namedOtherwise(ctx, &meant.Title, err) {
		who.Target = &graph.EventTargetInput{Match: matchOf(meant)}
		decided, err = t.events.DecideOne(ctx, t.v, who, set)
	}
	if model.CodeOf(err) == model.CodeNotFound || decided.Question != nil {
		var change *plan.Change
		if t.planned.Update != nil {
			change = &t.planned.Update.Change
		}
		if t.taskInstead(ctx, meant, change, decided.Question) {
			return decided, false
		}
	}
	if model.CodeOf(err) == model.CodeNotFound && who.Target != nil && who.Target.Match != nil && isGeneral(meant.Title) {
		if meant.StartTime == "" && meant.Window == nil {
			decided, err = decision.Decision{}, model.NotFound("input.text", "%s", eventNotFound)
		} else { // it was called by a general word that is in no title: by its time, if one was said
			who.Target, who.Within = nil, t.atTime(meant, meant.StartTime == "")
			decided, err = t.events.DecideOne(ctx, t.v, who, set)
		}
	}
	switch {
	case err != nil:
		t.fail(ctx, err)
	case decided.Question != nil:
		t.asks(ctx, decided.Question)
	default:
		return decided, true
	}
	t.out.Context = projections.EventContextOf(nil, false, decided.Asked)
	return decided, false
}

// fitSeveral reports whether a general word may mean more than one single event: of the time that was said, or of the
// days to come where none was. "Delete the appointment on Sunday" does not say which, whatever the titles are.
func (t *turn) fitSeveral(ctx context.Context, meant plan.Target) bool {
	from, to := t.v.StartOfDay(), t.dayAt(agentTimeDays)
	if meant.Window != nil {
		from, to = meant.Window.From, meant.Window.To
	}
	events, err := t.events.List(ctx, t.v, from, to, "", agentReadMost, t.fields)
	n := 0
	for _, event := range events {
		if !isOther(event) && (meant.DayOfWeek == "" || t.v.Instant(event.Start).In(t.v.Zone).Weekday() ==
			meant.DayOfWeek.Time()) {
			n++
		}
	}
	return err != nil || n > 1
}

// saysMost reports whether a name has at least half of the words of a title: "dentist" of "Dentist appointment", but
// not "Roni" of "Buy a present for Roni". What has less is not deleted unasked.
func saysMost(name, title string) bool {
	words := searchWords(title)
	return 2*wordsIn(words, searchWords(name)) >= len(words)
}

// rivals reports whether a name of an event may as well be that of an open task: it makes no more than half of the
// event's title, and a task has all of it. "Move Athens to Friday", where there are a flight to Athens and a hotel in
// Athens to be booked.
func (t *turn) rivals(ctx context.Context, meant plan.Target, event model.Event) bool {
	words := searchWords(event.Summary)
	if 2*wordsIn(words, searchWords(meant.Title)) > len(words) {
		return false
	}
	name := slices.DeleteFunc(searchWords(meant.Title), func(word string) bool {
		return word == "thing" || word == "one" || word == fold.Text("העניין") || word == fold.Text("הקטע")
	})
	if len(name) == 0 {
		return false
	}
	found, err := t.tasksWith(ctx, name, true)
	return err == nil && len(found) > 0
}

// matchOf names an event by its title and what else was said of it.
func matchOf(meant plan.Target) *graph.EventMatchInput {
	in := &graph.EventMatchInput{Summary: meant.Title}
	if meant.Window != nil {
		in.TimeMin, in.TimeMax = instantInput(meant.Window.From), instantInput(meant.Window.To)
	}
	if meant.DayOfWeek != "" {
		in.DayOfWeek = &meant.DayOfWeek
	}
	if minutes, ok := minutesOf(meant.StartTime); ok {
		in.StartTime = &meant.StartTime
		if minutes+1 < when.MinutesOfDay {
			before := when.FormatClock(minutes + 1)
			in.EndTime = &before
		}
	}
	return in
}

func instantInput(at time.Time) *model.DateTimeInput {
	return &model.DateTimeInput{Wall: at, HasOffset: true}
}

// minutesOf reads "15:04" as minutes of the day; false for no hour.
func minutesOf(clock string) (int, bool) {
	hour, minute, ok := strings.Cut(clock, ":")
	h, errHour := strconv.Atoi(hour)
	m, errMinute := strconv.Atoi(minute)
	return h*60 + m, ok && errHour == nil && errMinute == nil && h >= 0 && h < 24 && m >= 0 && m < 60
}

// isGeneral reports whether a title is a word for any event, which need not stand in any.
func isGeneral(title string) bool {
	switch fold.Text(title) {
	case "meeting", "meetings", "event", "events", "appointment", "appointments", "session", "thing", "slot",
		fold.Text("פגישה"), fold.Text("הפגישה"), fold.Text("פגישות"), fold.Text("הפגישות"), fold.Text("אירוע"),
		fold.Text("האירוע"), fold.Text("אירועים"), fold.Text("האירועים"), fold.Text("תור"), fold.Text("התור"):
		return true
	}
	return false
}

// atTime names the one event that starts at the hour said, in the window said or else within a week. One that is today
// counts alone. With ask it is asked also when there is one.
func (t *turn) atTime(meant plan.Target, ask bool) *decision.Within {
	out := &decision.Within{
		From: t.v.StartOfDay(), To: t.dayAt(agentTimeDays), Before: t.dayAt(1), Ask: ask, Text: t.text,
		None: model.NotFound("input.text", "%s", eventNotFound),
	}
	if meant.Window != nil {
		out.From, out.To, out.Before = meant.Window.From, meant.Window.To, time.Time{}
	}
	minutes, hasHour := minutesOf(meant.StartTime)
	out.Keep = func(event model.Event) bool {
		if event.Start.AllDay() && hasHour || isOther(event) {
			return false
		}
		local := t.v.Instant(event.Start).In(t.v.Zone)
		return !local.Before(out.From) && (!hasHour || local.Hour()*60+local.Minute() == minutes) &&
			(meant.DayOfWeek == "" || local.Weekday() == meant.DayOfWeek.Time())
	}
	return out
}

// isOther reports whether an event is of a kind that is not changed from here: birthdays and the like.
func isOther(event model.Event) bool { return event.Type != "" && event.Type != model.EventDefault }
