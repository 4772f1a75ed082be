package owncal

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// Insert makes an event under the id that the caller has chosen; existed reports that an earlier try has made it.
// NOT_FOUND when there is no such calendar; BAD_USER_INPUT for mails to guests, a meeting, and what gcal.NewEvent.Check
// refuses.
func (c *Client) Insert(ctx context.Context, account model.Connection, calendar string,
	n gcal.NewEvent) (made model.Event, existed bool, err error) {
	if err := cmp.Or(n.Check(), tellsNobody(n.SendUpdates)); err != nil {
		return made, false, err
	}
	if n.Meeting {
		return made, false, model.BadInput("meeting", "an own calendar has nobody who could open a video meeting")
	}
	into := func(ctx context.Context, d *handle) error {
		row, found, err := d.kept(ctx, n.SourceID)
		if err != nil {
			return err
		}
		if found {
			made, existed = d.event(row), true
			return nil
		}
		e := n.Event
		if e.CreatedAt = c.Now(); !n.SetReminders {
			e.Reminders = model.Reminders{UseDefault: true}
		}
		e.Attendees = merged(e.Attendees, nil)
		row = model.EventRow{Calendar: d.calendar.Number, ID: n.SourceID, UID: uid(n.SourceID)}
		d.put(&row, e)
		made, err = d.save(ctx, row)
		return err
	}
	if calendar != "" {
		err = c.write(ctx, account.User, calendar, into)
		return made, existed, err
	}
	err = c.Store.Write(ctx, account.User, func(ctx context.Context, _ store.Tx) error {
		if _, err := c.Needed(ctx, account.User, n.Event.Start.Zone); err != nil {
			return err
		}
		return c.write(ctx, account.User, "", into)
	})
	return made, existed, err
}

// Needed returns the first own calendar. When there is none it is made, in the zone of its first event, or else that of
// the settings, and in their language.
func (c *Client) Needed(ctx context.Context, user model.UserID, zone string) (model.KeptCalendar, error) {
	known, err := c.Store.User(ctx, user)
	if err != nil {
		return model.KeptCalendar{}, err
	}
	name := "Calendar"
	if known.Settings.Locale == "he" {
		name = "יומן"
	}
	return c.First(ctx, user, NewCalendar{Summary: name, TimeZone: cmp.Or(zone, known.Settings.TimeZone, c.Zone, "UTC")})
}

// uid is the UID in iCalendar of an event that begins here.
func uid(id string) string { return id + "@almanac" }

// Patch changes an event, an occurrence alone, or a series whole, and only the parts that the patch names. CONFLICT
// when the version is another; NOT_FOUND; BAD_USER_INPUT as for Insert.
func (c *Client) Patch(ctx context.Context, account model.Connection, ref model.EventRef, p gcal.Patch,
	o gcal.ChangeOptions) (after model.Event, err error) {
	if err := refused(p, o); err != nil {
		return after, err
	}
	err = c.write(ctx, account.User, ref.Calendar, func(ctx context.Context, d *handle) error {
		row, err := d.one(ctx, ref.Event, false)
		switch {
		case err != nil:
			return err
		case o.IfVersion != "" && row.Version != o.IfVersion:
			return changedMeanwhile()
		case row.Kind == model.EventSeries:
			m, err := d.seriesFrom(ctx, row)
			if err != nil {
				return err
			}
			done, err := m.patch(ctx, p)
			if err == nil {
				after = *done.After
			}
			return err
		}
		was := d.event(row)
		now := patched(was, p)
		if reflect.DeepEqual(was, now) {
			after = was
			return nil
		}
		if row.Kind == model.EventChanged {
			row.Overrides = overridden(row.Overrides, p)
		}
		d.put(&row, now)
		after, err = d.save(ctx, row)
		return err
	})
	return after, err
}

// refused is why a patch is not made of own events.
func refused(p gcal.Patch, o gcal.ChangeOptions) error {
	if p.Answer != nil {
		return model.BadInput("", "you are not among the attendees of an own calendar's event, so there is nothing to answer")
	}
	return cmp.Or(p.Check(), tellsNobody(o.SendUpdates))
}

// overridden adds the fields of a patch to those that are an exception's own.
func overridden(own []string, p gcal.Patch) []string {
	own = slices.Clone(own)
	for name, says := range map[string]bool{
		model.OverridesSummary:      p.Summary != nil,
		model.OverridesDescription:  p.Description != nil,
		model.OverridesLocation:     p.Location != nil,
		model.OverridesAttendees:    p.Attendees != nil,
		model.OverridesReminders:    p.Reminders != nil,
		model.OverridesTransparency: p.Transparent != nil,
		model.OverridesVisibility:   p.Visibility != nil,
		model.OverridesColor:        p.ColorID != nil,
	} {
		if says && !slices.Contains(own, name) {
			own = append(own, name)
		}
	}
	slices.Sort(own)
	return own
}

// patched is an event with a patch applied.
func patched(e model.Event, p gcal.Patch) model.Event {
	set(&e.Summary, p.Summary)
	set(&e.Description, p.Description)
	set(&e.Location, p.Location)
	set(&e.ColorID, p.ColorID)
	set(&e.Reminders, p.Reminders)
	set(&e.Transparent, p.Transparent)
	set(&e.Visibility, p.Visibility)
	set(&e.Start, p.Start)
	set(&e.End, p.End)
	set(&e.Recurrence, p.Recurrence)
	if p.Attendees != nil {
		e.Attendees = merged(*p.Attendees, e.Attendees)
	}
	return e
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

// merged are the attendees that a patch names, who keep what it does not say of them.
func merged(named, there []model.Attendee) []model.Attendee {
	out := slices.Clone(named)
	for i := range out {
		a := &out[i]
		at := slices.IndexFunc(there, func(t model.Attendee) bool { return strings.EqualFold(t.Email, a.Email) })
		if at >= 0 {
			a.Name, a.Status = cmp.Or(a.Name, there[at].Name), cmp.Or(a.Status, there[at].Status)
			a.Comment = cmp.Or(a.Comment, there[at].Comment)
		}
		a.Status = cmp.Or(a.Status, model.NeedsAction)
	}
	return out
}

// Delete deletes an event, an occurrence alone, or a series whole. Already reports that it was deleted before.
// NOT_FOUND when there was no such event; CONFLICT when the version is not the one named.
func (c *Client) Delete(ctx context.Context, account model.Connection, ref model.EventRef,
	o gcal.ChangeOptions) (already bool, err error) {
	if err := tellsNobody(o.SendUpdates); err != nil {
		return false, err
	}
	err = c.write(ctx, account.User, ref.Calendar, func(ctx context.Context, d *handle) error {
		row, err := d.one(ctx, ref.Event, true)
		if model.CodeOf(err) == model.CodeNotFound {
			last, logErr := d.tx.LastRemote(ctx, []model.UUID{ref.ID().UUID})
			if already = last[ref.ID().UUID].Operation == model.OperationDeleted; already || logErr != nil {
				return logErr
			}
		}
		switch {
		case err != nil:
			return err
		case row.Kind == model.EventDropped:
			already = true
			return nil
		case o.IfVersion != "" && row.Version != o.IfVersion:
			return changedMeanwhile()
		case row.Kind == model.EventChanged:
			row.Kind = model.EventDropped
			_, err = d.save(ctx, row)
			return err
		}
		return d.remove(ctx, row.ID)
	})
	return already, err
}
