package owncal

import (
	"reflect"
	"slices"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/projections/rrule"
)

// carrying moves exceptions of a series to the occurrences that take their places: of the same series, which was
// changed, or of the one that goes on in its stead.
type carrying struct {
	*series
	to    model.EventRow
	shift *gcal.Shift
	// named is the original start of the occurrence by which the change was said: its times are those of the change.
	named model.EventTime

	set *rrule.Set
	// rows are to be saved and gone to be removed, which come first. dropped are the ids of changed occurrences whose
	// place there is no more, replaced those of the ones that go on under other ids.
	rows                    []model.EventRow
	gone, dropped, replaced []string
}

func (m *carrying) all(exceptions []model.EventRow) (err error) {
	if m.set, err = m.client.Rules.Set(&m.to, m.handle.zone); err != nil {
		return err
	}
	for _, e := range exceptions {
		m.carry(e)
	}
	kept := idsOf(m.rows)
	m.gone = slices.DeleteFunc(m.gone, func(id string) bool { return slices.Contains(kept, id) })
	return nil
}

func (m *carrying) carry(e model.EventRow) {
	was := original(e, m.zone)
	at, there := was, true
	if m.shift != nil {
		at, there = m.shift.Of(was)
	}
	if there = there && at.AllDay() == m.to.AllDay && m.set.Contains(place(at)); !there {
		if m.gone = append(m.gone, e.ID); e.Kind == model.EventChanged {
			m.dropped = append(m.dropped, e.ID)
		}
		return
	}
	now := m.at(e, at)
	if reflect.DeepEqual(now, e) {
		return
	}
	m.rows = append(m.rows, now)
	if now.ID != e.ID {
		if m.gone = append(m.gone, e.ID); e.Kind == model.EventChanged {
			m.replaced = append(m.replaced, e.ID)
		}
	}
}

// at is what an exception becomes at the occurrence of an original start: it keeps its own fields, stays where it was
// moved to and as long as it was made, and follows the series in all else.
func (m *carrying) at(e model.EventRow, at model.EventTime) model.EventRow {
	now := occurrence(m.to, place(at))
	now.Kind, now.Overrides, now.Version, now.UpdatedAt = e.Kind, e.Overrides, e.Version, e.UpdatedAt
	now.Applied, now.Generation, now.Long, now.Status = e.Applied, e.Generation, e.Long, e.Status
	body := *m.to.Body
	own := func(name string) bool { return slices.Contains(e.Overrides, name) }
	for name, take := range map[string]func(){
		model.OverridesSummary:      func() { now.Summary = e.Summary },
		model.OverridesTransparency: func() { now.Transparent = e.Transparent },
		model.OverridesDescription:  func() { body.Description = e.Body.Description },
		model.OverridesLocation:     func() { body.Location = e.Body.Location },
		model.OverridesAttendees:    func() { body.Attendees = e.Body.Attendees },
		model.OverridesReminders:    func() { body.Reminders = e.Body.Reminders },
		model.OverridesVisibility:   func() { body.Visibility = e.Body.Visibility },
		model.OverridesColor:        func() { body.ColorID = e.Body.ColorID },
	} {
		if own(name) {
			take()
		}
	}
	body.CreatedAt, now.Body = e.Body.CreatedAt, &body
	length, usual := e.EndsAt.Sub(e.StartsAt), m.row.EndsAt.Sub(m.row.StartsAt)
	said := m.shift != nil && !m.named.IsZero() && sameTime(original(e, m.zone), m.named)
	switch {
	case said:
	case e.AllDay != e.OriginalIsDay || !e.StartsAt.Equal(e.OriginalAt):
		now.StartsAt, now.EndsAt, now.AllDay, now.Floating, now.Zone = e.StartsAt, e.EndsAt, e.AllDay, e.Floating, e.Zone
		body.EndZone = e.Body.EndZone
	case length != usual:
		now.EndsAt = now.StartsAt.Add(length)
	}
	return now
}
