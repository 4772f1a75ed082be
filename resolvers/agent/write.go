package agent

import (
	"cmp"
	"context"
	"strings"
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/plan"
	"almanac/projections/when"
	"almanac/resolvers/core"
	"almanac/resolvers/events/decision"
)

// create adds an event by the recipe of createEvent. Guests are put on it and nobody is written to: what a sentence
// says must not send mail. The same sentence said twice makes two events; an Idempotency-Key tells a repetition from a
// second wish.
func (t *turn) create(ctx context.Context, c plan.Create) {
	if t.alreadyThere(ctx, c) {
		return
	}
	if !t.agreed(ctx, t.say("Add this event?", "להוסיף את האירוע הזה?"), t.newEventLine(cmp.Or(c.Title, titleOfNew), c)) {
		return
	}
	policy := graph.EventDuplicatePolicyAllow
	in := graph.CreateEventInput{
		Summary: cmp.Or(c.Title, titleOfNew), Start: timeInput(c.Start), End: timeInput(c.End),
		TimeZone: core.TextOrNil(c.TimeZone), Location: core.TextOrNil(c.Location),
		Attendees: guestsOf(c.People), OnDuplicate: &policy,
	}
	if c.Recurrence != "" {
		in.Recurrence = []string{c.Recurrence}
	}
	made, err := t.events.Create(ctx, t.v, in, t.fields)
	if err != nil {
		t.fail(ctx, err)
		return
	}
	title := titleOf(made, titleOfNew)
	summary := t.readBack("Created event: "+title+" at "+t.timeOf(made.Start)+"\n"+t.spanOf(made), true)
	t.done(summary, t.written(made, title), projections.EventsAsked{}, made)
}

// timeInput is a time as an input would bring it; nil for none.
func timeInput(at model.EventTime) *graph.EventTimeInput {
	switch {
	case at.IsZero():
		return nil
	case at.AllDay():
		return &graph.EventTimeInput{Date: &at.Date}
	}
	return &graph.EventTimeInput{DateTime: &model.DateTimeInput{Wall: at.At, HasOffset: true}}
}

// guestsOf are the people who can be invited: those with an address.
func guestsOf(people []plan.Person) []graph.EventAttendeeInput {
	var out []graph.EventAttendeeInput
	for _, person := range people {
		if person.Email != "" {
			out = append(out, graph.EventAttendeeInput{Email: person.Email, DisplayName: core.TextOrNil(person.Name)})
		}
	}
	return out
}

// update changes the event that is meant by the recipe of updateEvent.
func (t *turn) update(ctx context.Context, u plan.Update) {
	decided, ok := t.decide(ctx, u.Target, decision.One{Scope: t.scopeOf(ctx, u.Scope, u.Target)},
		func(event model.Event) (*graph.EventPatch, error) { return t.patchOf(event, u.Change) })
	if !ok {
		return
	}
	done := t.events.Apply(ctx, t.v, decided)[0]
	switch {
	case done.Err != nil:
		t.fail(ctx, done.Err)
		return
	case done.Event == nil:
		t.fail(ctx, model.NotFound("input.text", "%s", eventNotFound))
		return
	}
	title := titleOf(*done.Event, titleOfRead)
	summary := "Updated event: " + title + "\n" + t.spanOf(*done.Event)
	if was := t.before; was != nil && t.spanOf(*was) != t.spanOf(*done.Event) {
		summary = "Updated event: " + title + "\n" + t.spanOf(*was) + " → " + t.spanOf(*done.Event)
	}
	t.doneOne(t.readBack(summary, true), t.written(*done.Event, title), done, decided.Asked)
}

// delete deletes the event that is meant by the recipe of deleteEvent.
func (t *turn) delete(ctx context.Context, d plan.Delete) {
	decided, ok := t.decide(ctx, d.Target, decision.One{Scope: t.scopeOf(ctx, d.Scope, d.Target)}, nil)
	if !ok {
		return
	}
	if done := t.events.Apply(ctx, t.v, decided)[0]; done.Err != nil {
		t.fail(ctx, done.Err)
	} else {
		t.deleted(done, decided.Asked)
	}
}

// scopeOf is which occurrences are meant: those said or, where the day or the week of the event was, or a month in
// which it is once, that one; nil where it is to be asked.
func (t *turn) scopeOf(ctx context.Context, scope model.EventScope, of plan.Target) *model.EventScope {
	week := of.Window != nil && of.DayOfWeek == "" && of.Window.To.Sub(of.Window.From) <= 8*24*time.Hour
	if scope == "" && (week || t.onceIn(ctx, of)) {
		scope = model.ScopeThis
	}
	if scope == "" {
		return nil
	}
	return &scope
}

// onceIn reports whether the month that was said has one event alone with any word of the name.
func (t *turn) onceIn(ctx context.Context, of plan.Target) bool {
	if of.Window == nil || of.DayOfWeek != "" || of.All || of.Title == "" ||
		of.Window.To.Sub(of.Window.From) > 32*24*time.Hour {
		return false
	}
	events, err := t.events.List(ctx, t.v, of.Window.From, of.Window.To, "", agentReadMost, t.fields)
	n := 0
	for _, event := range events {
		n += min(wordsIn(searchWords(of.Title), searchWords(event.Summary)), 1)
	}
	return err == nil && n == 1 && len(events) < agentReadMost
}

func (t *turn) deleted(gone decision.Done, asked projections.EventsAsked) {
	title := titleOf(*gone.Event, titleOfDeleted)
	message := "Deleted event: " + title
	t.doneOne(t.readBack(message+"\n"+t.spanOf(*gone.Event), true), jsonOf(agentDeleted{
		Status: agentDone, EventID: t.changedID(*gone.Event), Summary: title, Message: message,
	}), gone, asked)
}

// spanOf says when and where an event is.
func (t *turn) spanOf(event model.Event) string {
	if event.Start.IsZero() {
		return t.say("without a time", "בלי מועד")
	}
	out := t.eventTime(event.Start)
	switch {
	case event.Start.AllDay():
		if last := event.End.Date.AddDays(-1); !event.End.IsZero() && event.Start.Date.Before(last) {
			out += " – " + t.eventTime(model.EventTime{Date: last})
		} else {
			out += t.say(", all day", ", כל היום")
		}
	case !event.End.IsZero():
		end := event.End.At.In(t.v.Zone)
		if model.DateOf(end) == model.DateOf(event.Start.At.In(t.v.Zone)) {
			out += "–" + end.Format("15:04")
		} else {
			out += " – " + t.dated(end)
		}
	}
	if event.Location != "" {
		out += " · " + core.OneLine(event.Location)
	}
	return out
}

// doneOne is the answer of a tool that has done its work on one event, or on its whole series.
func (t *turn) doneOne(summary string, result *model.JSON, one decision.Done, asked projections.EventsAsked) {
	t.done(summary, result, asked, *one.Event)
	if one.Series {
		t.out.Context = projections.EventContextOf([]projections.Event{t.out.Events[0].AsSeries()}, false, asked)
	}
}

// describe says of a change what would be done, in the order in which people ask.
func (t *turn) describe(c plan.Change) string {
	say := agentPhrasesIn(t.v.Locale)
	var parts []string
	add := func(what, value string) {
		if value != "" {
			parts = append(parts, what+": "+model.Clip(value)) // each for itself, so that a long one hides no other
		}
	}
	add(say.title, c.Title)
	add(say.location, c.Location)
	if !c.Date.IsZero() {
		add(say.date, c.Date.String())
	}
	if c.Start != nil {
		add(say.start, when.FormatClock(c.Start.Hour*60+c.Start.Minute))
	}
	if c.End != nil {
		add(say.end, when.FormatClock(c.End.Hour*60+c.End.Minute))
	}
	if c.Duration != 0 {
		add(say.length, model.Duration{Duration: c.Duration}.String())
	}
	if c.Lengthen != 0 {
		add(say.length, signed(c.Lengthen))
	}
	if c.ShiftDays != 0 {
		add(say.days, signedNumber(c.ShiftDays))
	}
	if c.Shift != 0 {
		add(say.shift, signed(c.Shift))
	}
	if c.AllDay {
		parts = append(parts, say.allDay)
	}
	add(say.add, strings.Join(peopleOf(c.AddPeople), ", "))
	add(say.remove, strings.Join(peopleOf(c.RemovePeople), ", "))
	return strings.Join(parts, "; ")
}
