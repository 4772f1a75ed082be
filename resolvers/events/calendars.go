package events

import (
	"context"
	"fmt"
	"strconv"

	"almanac/adapters/owncal"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// CreateCalendar makes an own calendar.
func (r *Resolver) CreateCalendar(ctx context.Context, in graph.CreateCalendarInput) (*graph.CreateCalendarPayload,
	error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateCalendarPayload{UserErrors: []model.UserError{}}
	wanted := owncal.NewCalendar{Summary: in.Summary, TimeZone: v.Zone.String()}
	if in.Description != nil {
		wanted.Description = *in.Description
	}
	if in.TimeZone != nil {
		wanted.TimeZone = *in.TimeZone
	}
	if wanted.Reminders, err = calendarReminders("input.defaultReminders", in.DefaultReminders); err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	var made model.KeptCalendar
	err = r.changeCalendar(ctx, v, func(ctx context.Context) (before, after *model.KeptCalendar, err error) {
		made, err = r.own.CreateCalendar(ctx, v.User, wanted)
		return nil, &made, err
	})
	if err != nil {
		return out, core.Refuse(&out.UserErrors, core.Below(err, "input"))
	}
	view := projections.CalendarOf(owncal.CalendarOf(made))
	out.Calendar = &view
	return out, nil
}

// UpdateCalendar changes an own calendar.
func (r *Resolver) UpdateCalendar(ctx context.Context, in graph.UpdateCalendarInput) (*graph.UpdateCalendarPayload,
	error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateCalendarPayload{UserErrors: []model.UserError{}}
	ref, err := ownCalendar(in.ID)
	patch := owncal.CalendarPatch{Summary: in.Set.Summary.Value(), Description: in.Set.Description.Value(),
		TimeZone: in.Set.TimeZone.Value(), Followed: in.Set.Selected.Value()}
	if said := in.Set.DefaultReminders.Value(); err == nil && said != nil {
		var reminders []model.Reminder
		reminders, err = calendarReminders("input.set.defaultReminders", said)
		patch.Reminders = &reminders
	}
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	var before, after model.KeptCalendar
	err = r.changeCalendar(ctx, v, func(ctx context.Context) (*model.KeptCalendar, *model.KeptCalendar, error) {
		var err error
		before, after, err = r.own.UpdateCalendar(ctx, v.User, ref, patch)
		return &before, &after, err
	})
	switch {
	case model.CodeOf(err) == model.CodeNotFound:
		return out, core.Refuse(&out.UserErrors, core.AtField(err, "input.id"))
	case err != nil:
		return out, core.Refuse(&out.UserErrors, core.Below(err, "input.set"))
	}
	view := projections.CalendarOf(owncal.CalendarOf(after))
	out.Calendar = &view
	return out, nil
}

// DeleteCalendar deletes an own calendar with its events, once it was approved where it has any.
func (r *Resolver) DeleteCalendar(ctx context.Context, in graph.DeleteCalendarInput) (*graph.DeleteCalendarPayload,
	error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteCalendarPayload{UserErrors: []model.UserError{}}
	if declined, err := r.Declined(ctx, v, in.Confirm); declined || err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	ref, err := ownCalendar(in.ID)
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	_, done, err := core.Earlier[bool](ctx, r.Base, v)
	if err == nil && !done {
		if in.Confirm == nil && in.Expect == nil {
			out.Confirmation, err = r.askDeletion(ctx, v, ref)
		}
		if err == nil && out.Confirmation == nil {
			err = r.deleteCalendar(ctx, v, ref, in)
		}
	}
	switch {
	case model.CodeOf(err) == model.CodeNotFound:
		return out, core.Refuse(&out.UserErrors, core.AtField(err, "input.id"))
	case err != nil:
		return out, core.Refuse(&out.UserErrors, err)
	case out.Confirmation == nil:
		id := ref.ID().String()
		out.Deleted, out.DeletedID = 1, &id
		r.eraseDeleted(ctx, v)
	}
	return out, nil
}

// askDeletion asks whether a calendar shall be deleted; nil when it has no events.
func (r *Resolver) askDeletion(ctx context.Context, v *core.Viewer,
	ref model.CalendarRef) (*projections.Confirmation, error) {
	calendar, events, err := r.own.CountEvents(ctx, v.User, ref)
	if err != nil || events == 0 {
		return nil, err
	}
	one, many := `Delete the calendar "%s" with its one event for good? It cannot be restored.`,
		`Delete the calendar "%s" with its %d events for good? It cannot be restored.`
	if v.Locale == "he" {
		one, many = `למחוק לצמיתות את היומן "%s" עם האירוע האחד שבו? אי אפשר לשחזר.`,
			`למחוק לצמיתות את היומן "%s" עם %d האירועים שבו? אי אפשר לשחזר.`
	}
	text := fmt.Sprintf(one, model.Clip(calendar.Name))
	if events > 1 {
		text = fmt.Sprintf(many, model.Clip(calendar.Name), events)
	}
	return r.Ask(ctx, v, core.Question{Kind: model.Approval, Text: text, Held: []string{strconv.Itoa(events)},
		Candidates: []projections.Candidate{}})
}

// deleteCalendar deletes a calendar that has as many events as was expected, or no more than was approved.
func (r *Resolver) deleteCalendar(ctx context.Context, v *core.Viewer, ref model.CalendarRef,
	in graph.DeleteCalendarInput) error {
	_, err := core.Once(ctx, r.Base, v, func(ctx context.Context, tx store.Tx) (bool, error) {
		_, events, err := r.own.CountEvents(ctx, v.User, ref)
		if err != nil {
			return false, err
		}
		approved := 0 // without an answer there must be none, since nothing was asked
		switch {
		case in.Confirm != nil:
			if approved, err = r.approvedEvents(ctx, tx, v, *in.Confirm); err != nil {
				return false, err
			}
		case in.Expect != nil && int(*in.Expect) != events:
			e := model.Errorf(model.CodeConflict, "the calendar's events are %d, not %d; nothing was done", events, *in.Expect)
			e.Field = model.FieldPath("input.expect")
			return false, e
		case in.Expect != nil:
			approved = events
		}
		if events > approved {
			return false, core.InvalidConfirmation("there is more than the question said; ask again without confirm")
		}
		deleted, err := r.own.DeleteCalendar(ctx, v.User, ref)
		if err != nil {
			return false, err
		}
		return true, core.ActFrom(ctx).Did(ctx, tx, core.Did{Changes: []model.Difference{
			{ID: deleted.Ref().ID(), Before: &deleted}}})
	})
	return err
}

// approvedEvents reads the answer to the question and uses it up: how many events may be deleted.
func (r *Resolver) approvedEvents(ctx context.Context, tx store.Tx, v *core.Viewer,
	confirm graph.ConfirmInput) (int, error) {
	t, err := r.OpenTicket(ctx, v, confirm.Token)
	switch {
	case err != nil:
		return 0, err
	case len(confirm.Choose) > 0:
		return 0, model.BadInput("input.confirm.choose",
			"there is nothing to choose; to delete the calendar answer with all: true")
	case confirm.All == nil || !*confirm.All:
		return 0, model.BadInput("input.confirm.all", "to delete the calendar answer with all: true")
	case len(t.Held) != 1:
		return 0, core.InvalidConfirmation("this confirmation is about something else")
	}
	events, err := strconv.Atoi(t.Held[0])
	if err != nil {
		return 0, core.InvalidConfirmation("this confirmation is about something else")
	}
	return events, core.Use(ctx, tx, t)
}

// eraseDeleted erases the events of deleted calendars, some at a time, so that nobody waits long for the lock. Nobody
// sees them any more, and what is left when this fails is erased by the next sweep.
func (r *Resolver) eraseDeleted(ctx context.Context, v *core.Viewer) {
	if r.Store.InTransaction(ctx) {
		return
	}
	for more := true; more; {
		var err error
		if more, err = r.Store.EraseEvents(ctx, v.User, store.ErasedAtOnce); err != nil {
			return
		}
	}
}

// changeCalendar runs a change of an own calendar and keeps what it has done as an action, in one transaction.
func (r *Resolver) changeCalendar(ctx context.Context, v *core.Viewer,
	change func(ctx context.Context) (before, after *model.KeptCalendar, err error)) error {
	return r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		before, after, err := change(ctx)
		if err != nil {
			return err
		}
		var difference model.Difference
		if before != nil {
			difference.ID, difference.Before = before.Ref().ID(), before
		}
		if after != nil {
			difference.ID, difference.After = after.Ref().ID(), after
		}
		return core.ActFrom(ctx).Did(ctx, tx, core.Did{Changes: []model.Difference{difference}})
	})
}

// ownCalendar reads the id of an own calendar.
func ownCalendar(text string) (model.CalendarRef, error) {
	if id, err := model.ParseID(text); err == nil && id.Kind == model.KindCalendar {
		if ref, err := model.CalendarRefOf(id); err == nil && ref.Connection == 0 {
			return ref, nil
		}
	}
	return model.CalendarRef{}, model.BadInput("input.id",
		"%q is not the id of a calendar of your own; calendars of linked accounts are changed where they are kept",
		model.Clip(text))
}

// calendarReminders reads the default reminders of a calendar.
func calendarReminders(field string, in []graph.EventReminderInput) (out []model.Reminder, err error) {
	for i, one := range in {
		reminder, err := eventReminder(field+"."+strconv.Itoa(i)+".minutes", one)
		if err != nil {
			return nil, err
		}
		out = append(out, reminder)
	}
	return out, nil
}
