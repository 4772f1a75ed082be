package agent

import (
	"context"
	"time"

	"almanac/graph/model"
	"almanac/projections/naming"
	"almanac/projections/plan"
	"almanac/projections/when"
)

// besideEvents finds out when tasks are due that are counted from an event. Where no event is named beyond doubt, or
// the time has passed, it says so and asks; then it returns false.
func (t *turn) besideEvents(ctx context.Context, all []plan.NewTask) bool {
	for i := range all {
		beside := all[i].Beside
		if beside == nil {
			continue
		}
		event, ok := t.namedEvent(ctx, beside.Event, beside.Window)
		for _, other := range beside.Or {
			if ok {
				break
			}
			if event, ok = t.namedEvent(ctx, other.Beside.Event, other.Beside.Window); ok {
				all[i].Text, beside = other.Text, other.Beside
			}
		}
		if !ok {
			t.asksInstead(t.say(
				"Which event is meant by %s? None or several are called so. At which time shall the reminder be?",
				"לאיזה אירוע הכוונה ב%s? אין אירוע כזה, או שיש כמה. באיזו שעה להזכיר?", quote(beside.Event)))
			return false
		}
		if all[i].Text == "" {
			all[i].Text = titleOf(event, beside.Event)
		}
		all[i].Due = t.besideTime(event, *beside)
		if !all[i].Due.After(t.v.Now) {
			t.asksInstead(t.say("%s has passed already. At which time shall the reminder be?",
				"%s כבר עבר. באיזו שעה להזכיר?", t.dated(all[i].Due)))
			return false
		}
	}
	return true
}

// asksInstead answers with a sentence that asks for what is missing.
func (t *turn) asksInstead(sentence string) {
	t.out.UserErrors = append(t.out.UserErrors, agentUserError(model.BadInput("input.text", "%s", sentence)))
	t.failed(sentence, sentence)
}

// besideTime is the instant at a distance from an event.
func (t *turn) besideTime(event model.Event, beside plan.Beside) time.Time {
	of := event.Start
	if beside.End && !event.End.IsZero() {
		of = event.End
	}
	zone := t.v.Zone
	day, minutes := t.dayOf(of), 9*60
	if of.AllDay() && beside.End {
		day = day.AddDays(-1)
	}
	if !of.AllDay() {
		local := of.At.In(zone)
		minutes = local.Hour()*60 + local.Minute()
	}
	if beside.Hour > 0 {
		minutes = beside.Hour * 60
	}
	wall := day.AddDays(beside.Days).Midnight().Add(time.Duration(minutes) * time.Minute)
	return when.Instant(wall, zone).Add(beside.Length)
}

// namedEvent finds the one coming event, or the next of one series, that a name means; in a window where one was said.
func (t *turn) namedEvent(ctx context.Context, name string, window *plan.Window) (model.Event, bool) {
	from, to := t.v.Now, t.dayAt(knownDays)
	if window != nil {
		from, to = window.From, window.To
	}
	events, err := t.events.List(ctx, t.v, from, to, "", agentReadMost, t.fields)
	if err != nil {
		return model.Event{}, false
	}
	if other, ok := t.inOtherScript(ctx, name); ok {
		name = other
	}
	var candidates []naming.Candidate[int]
	seen := map[string]bool{}
	for i, event := range events {
		if key := event.Summary + event.RecurringEventID; !seen[key] || event.RecurringEventID == "" {
			candidates = append(candidates, naming.Candidate[int]{ID: i, Name: event.Summary, Same: event.Summary})
			seen[key] = true
		}
	}
	decided := naming.Decide(naming.New(name, naming.Event), candidates, naming.Rules{})
	if decided.Outcome == naming.Found {
		return events[decided.Matches[0].ID], true
	}
	words, found := searchWords(name), -1
	for _, one := range candidates { // all words, in any form
		if wordsIn(words, searchWords(one.Name)) == len(words) {
			if found >= 0 {
				return model.Event{}, false
			}
			found = one.ID
		}
	}
	if found < 0 || isGeneral(name) {
		return model.Event{}, false
	}
	return events[found], true
}
