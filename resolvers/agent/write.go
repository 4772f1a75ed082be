package agent

import (
	"cmp"
	"context"
	"strings"

	"almanac/adapters/gcal"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/plan"
	"almanac/resolvers/core"
	"almanac/resolvers/events"
)

// create adds an event by the recipe of createEvent. Guests are put on it and nobody is written to: what a sentence
// says must not send mail. The same sentence said twice makes two events; an Idempotency-Key tells a repetition from a
// second wish.
func (t *turn) create(ctx context.Context, c plan.Create) {
	policy := graph.EventDuplicatePolicyAllow
	in := graph.CreateEventInput{
		Summary: cmp.Or(c.Title, titleOfNew), Start: timeInput(c.Start), End: timeInput(c.End),
		TimeZone: core.TextOrNil(c.TimeZone), Location: core.TextOrNil(c.Location),
		Attendees: guestsOf(c.People), OnDuplicate: &policy,
	}
	if c.Recurrence != "" {
		in.Recurrence = []string{c.Recurrence}
	}
	event, err := t.events.NewEvent(ctx, t.v, t.events.PlaceCache(t.v), in, "input", 0)
	var made model.Event
	if err == nil {
		made, _, err = t.events.AddOne(ctx, t.v, event)
	}
	if err != nil {
		t.fail(ctx, err)
		return
	}
	title := titleOf(made, titleOfNew)
	t.done("Created event: "+title+" at "+t.timeOf(made.Start), t.written(made, title), projections.EventsAsked{}, made)
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
	target, ok := t.target(ctx, u.Target, u.Scope, true)
	acted := false
	defer func() { t.Unless(ctx, &acted, t.v, target.Ticket) }()
	if !ok {
		return
	}
	set, err := t.patchOf(target, u.Change)
	var patch events.PatchPlan
	if err == nil {
		patch, err = events.ReadPatch(set)
	}
	options := gcal.ChangeOptions{SendUpdates: model.SendUpdatesNone, Fields: events.PayloadFields(ctx) &^ gcal.FieldZone}
	var after events.Changed
	if err == nil {
		after, err = t.events.ChangeTarget(ctx, t.v, target, patch, options)
		acted = events.MaybeDone(err)
	}
	if err = t.events.Told(ctx, target, options, err); err != nil {
		t.fail(ctx, err)
		return
	}
	if after.Event == nil {
		t.fail(ctx, model.NotFound("input.text", "%s", eventNotFound))
		return
	}
	title := titleOf(*after.Event, titleOfRead)
	t.done("Updated event: "+title, t.written(*after.Event, title), target.Asked, *after.Event)
	t.out.Context = events.ContextOf(t.out.Events[0], after.Series, target.Asked)
}

// delete deletes the event that is meant by the recipe of deleteEvent.
func (t *turn) delete(ctx context.Context, d plan.Delete) {
	target, ok := t.target(ctx, d.Target, d.Scope, false)
	acted := false
	defer func() { t.Unless(ctx, &acted, t.v, target.Ticket) }()
	if !ok {
		return
	}
	options := gcal.ChangeOptions{SendUpdates: model.SendUpdatesNone, Fields: events.PayloadFields(ctx) &^ gcal.FieldZone}
	gone, err := t.events.DeleteTarget(ctx, t.v, target, options)
	acted = events.MaybeDone(err)
	if err = t.events.Told(ctx, target, options, err); err != nil {
		t.fail(ctx, err)
		return
	}
	t.deleted(gone, target.Asked)
}

func (t *turn) deleted(gone events.Removed, asked projections.EventsAsked) {
	title := titleOf(*gone.Event, titleOfDeleted)
	summary := "Deleted event: " + title
	t.done(summary, jsonOf(agentDeleted{
		Status: agentDone, EventID: gone.Event.Ref.ID().String(), Summary: title, Message: summary,
	}), asked, *gone.Event)
	t.out.Context = events.ContextOf(t.out.Events[0], gone.Series, asked)
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
		add(say.start, events.ClockText(c.Start.Hour*60+c.Start.Minute))
	}
	if c.End != nil {
		add(say.end, events.ClockText(c.End.Hour*60+c.End.Minute))
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
