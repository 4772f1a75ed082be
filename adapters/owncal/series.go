package owncal

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/rrule"
)

// series is a series with what is needed to change it.
type series struct {
	*handle
	row model.EventRow
	set *rrule.Set
	// exceptions are the occurrences that were changed or dropped.
	exceptions []model.EventRow
}

// seriesOf reads a series, named by itself or by an occurrence, and compares the version of what is named.
// BAD_USER_INPUT for a single event.
func (d *handle) seriesOf(ctx context.Context, id, version string) (*series, error) {
	row, err := d.one(ctx, id, false)
	switch {
	case err != nil:
		return nil, err
	case version != "" && row.Version != version:
		return nil, changedMeanwhile()
	case row.Series != "":
		var found bool
		if row, found, err = d.kept(ctx, row.Series); err != nil {
			return nil, err
		} else if !found {
			return nil, noEvent()
		}
	}
	return d.seriesFrom(ctx, row)
}

// seriesFrom is seriesOf of a row that was read.
func (d *handle) seriesFrom(ctx context.Context, row model.EventRow) (m *series, err error) {
	if row.Kind != model.EventSeries {
		return nil, doesNotRepeat()
	}
	m = &series{handle: d, row: row}
	if m.set, err = d.client.Rules.Set(&row, d.zone); err != nil {
		return nil, err
	}
	m.exceptions, err = d.ExceptionsOf(ctx, d.user, []model.EventKey{row.Key()}, store.EventBodies)
	slices.SortFunc(m.exceptions, func(a, b model.EventRow) int { return cmp.Compare(a.ID, b.ID) })
	for i := range m.exceptions {
		if m.exceptions[i].Body == nil {
			m.exceptions[i].Body = new(model.EventBody)
		}
	}
	return m, err
}

// from returns the exceptions whose original starts are not before a cut, and the ids of the changed ones.
func (m *series) from(cut time.Time) (rows []model.EventRow, changed []string) {
	for _, e := range m.exceptions {
		if e.OriginalAt.Before(cut) {
			continue
		}
		rows = append(rows, e)
		if e.Kind == model.EventChanged {
			changed = append(changed, e.ID)
		}
	}
	return rows, changed
}

// leaves reports whether anything is left of the series before the cut: occurrences that are all dropped are nothing.
func (m *series) leaves(cut time.Time) bool {
	dropped := map[int64]bool{}
	for _, e := range m.exceptions {
		if e.Kind == model.EventDropped {
			dropped[e.OriginalAt.Unix()] = true
		}
	}
	before, more := m.set.Between(m.row.StartsAt, cut, len(dropped)+1)
	return more || slices.ContainsFunc(before, func(o rrule.Occurrence) bool { return !dropped[o.Start.Unix()] })
}

// end writes to the series the lines that are left of it, and lets the exceptions from the cut on go.
func (m *series) end(ctx context.Context, lines []string, cut time.Time) (model.Event, error) {
	beyond, _ := m.from(cut)
	if len(lines) == 0 { // the first occurrence alone is left, as a single event
		beyond = m.exceptions
	}
	if err := m.remove(ctx, idsOf(beyond)...); err != nil {
		return model.Event{}, err
	}
	now := m.event(m.row)
	now.Recurrence = lines
	row := m.row
	m.put(&row, now)
	return m.save(ctx, row)
}

func idsOf(rows []model.EventRow) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	return ids
}

// Truncate ends a series, named by itself or by an occurrence, before cut. What lies before is not touched; where
// nothing is left, the series is deleted and Before is nil.
func (c *Client) Truncate(ctx context.Context, account model.Connection, ref model.EventRef, cut model.EventTime,
	o gcal.ChangeOptions) (done gcal.Following, err error) {
	if cut.IsZero() {
		return done, model.BadInput("", "a cut needs the original start of an occurrence")
	}
	if err := tellsNobody(o.SendUpdates); err != nil {
		return done, err
	}
	err = c.write(ctx, account.User, ref.Calendar, func(ctx context.Context, d *handle) error {
		m, err := d.seriesOf(ctx, ref.Event, o.IfVersion)
		if err != nil {
			return err
		}
		if cut.AllDay() != m.row.AllDay {
			return model.BadInput("", "an all-day series is cut at a date, any other at a time")
		}
		at := place(cut)
		_, dropped := m.from(at)
		if _, later := m.set.Next(at.Add(-1)); !later && len(dropped) == 0 {
			before := m.event(m.row)
			done.Before = &before
			return nil
		}
		lines, kept, err := m.set.Truncate(at)
		if err != nil {
			return err
		}
		if done.Dropped = dropped; !kept || !m.leaves(at) {
			return m.remove(ctx, m.row.ID)
		}
		before, err := m.end(ctx, lines, at)
		done.Before = &before
		return err
	})
	if err != nil {
		return gcal.Following{}, err
	}
	return done, nil
}

// PatchSeries changes a whole series. What was changed on its own goes over to the occurrence that takes its place, as
// gcal.Client.PatchSeries has it.
func (c *Client) PatchSeries(ctx context.Context, account model.Connection, ref model.EventRef, p gcal.Patch,
	o gcal.ChangeOptions) (done gcal.Following, err error) {
	if err := refused(p, o); err != nil {
		return done, err
	}
	err = c.write(ctx, account.User, ref.Calendar, func(ctx context.Context, d *handle) error {
		m, err := d.seriesOf(ctx, ref.Event, o.IfVersion)
		if err != nil {
			return err
		}
		done, err = m.patch(ctx, p)
		return err
	})
	return done, err
}

// patch is PatchSeries of a series that was read.
func (m *series) patch(ctx context.Context, p gcal.Patch) (done gcal.Following, err error) {
	was := m.event(m.row)
	now := patched(was, p)
	if reflect.DeepEqual(was, now) {
		done.After = &was
		return done, nil
	}
	row := m.row
	m.put(&row, now)
	if row.Kind != model.EventSeries { // its exceptions go with the recurrence
		if err := m.remove(ctx, idsOf(m.exceptions)...); err != nil {
			return done, err
		}
		after, err := m.save(ctx, row)
		done.After = &after
		return done, err
	}
	moved := carrying{series: m, to: row, shift: p.Shift}
	if p.Shift != nil {
		moved.named = p.Shift.Named()
	}
	if err := moved.all(m.exceptions); err != nil {
		return done, err
	}
	if err := m.remove(ctx, moved.gone...); err != nil {
		return done, err
	}
	after, err := m.save(ctx, append([]model.EventRow{row}, moved.rows...)...)
	done.After, done.Dropped, done.Replaced = &after, moved.dropped, moved.replaced
	return done, err
}

// PatchFollowing changes an occurrence and those that follow it, and no earlier one, as gcal.Client.PatchFollowing has
// it; both series and the exceptions are written at once.
func (c *Client) PatchFollowing(ctx context.Context, account model.Connection, ref model.EventRef, p gcal.Patch,
	o gcal.ChangeOptions) (done gcal.Following, err error) {
	if err := refused(p, o); err != nil {
		return done, err
	}
	err = c.write(ctx, account.User, ref.Calendar, func(ctx context.Context, d *handle) error {
		m, err := d.seriesOf(ctx, ref.Event, o.IfVersion)
		if err != nil {
			return err
		}
		row, err := d.one(ctx, ref.Event, false)
		if err != nil {
			return err
		}
		begin := d.event(row).OriginalStart
		if begin.IsZero() { // the series itself: its first occurrence
			begin = d.event(row).Start
		}
		if p.Named.IsZero() {
			p.Named = begin
		}
		if m.leaves(place(begin)) {
			done, err = m.split(ctx, begin, p, o)
			return err
		}
		if p, err = m.shifted(p); err == nil {
			done, err = m.patch(ctx, p)
		}
		return err
	})
	return done, err
}

// shifted is a patch said of an occurrence as one of the whole series.
func (m *series) shifted(p gcal.Patch) (gcal.Patch, error) {
	if p.Start == nil || p.Recurrence != nil { // a rule of its own begins at the occurrence
		return p, nil
	}
	moved, err := arithmetic.ShiftSeries(m.event(m.row), model.Event{OriginalStart: p.Named}, *p.Start, *p.End,
		p.MonthDays)
	if err != nil {
		return p, err
	}
	p.Start, p.End, p.Recurrence, p.Shift = moved.Start, moved.End, moved.Recurrence, moved.Shift
	return p, nil
}

// split ends the series before an original start and goes on from there in a new one.
func (m *series) split(ctx context.Context, begin model.EventTime, p gcal.Patch,
	o gcal.ChangeOptions) (done gcal.Following, err error) {
	cut := place(begin)
	head, tail, err := m.set.Split(cut)
	switch {
	case err != nil:
		return done, err
	case tail == nil:
		return done, model.BadInput("", "this occurrence is not where its series has it; change the series itself")
	case o.NewSourceID == "":
		return done, model.Errorf(model.CodeInternal, "a split needs an id for the new series")
	}
	said := p
	next := m.event(occurrence(m.row, cut))
	next.RecurringEventID, next.OriginalStart, next.Recurrence = "", model.EventTime{}, tail
	if p.Start != nil {
		old := model.Event{Start: next.Start, CalendarZone: next.CalendarZone, Recurrence: tail}
		if p.Recurrence != nil {
			old.Recurrence = nil // it is said anew, so the old one need not follow
		}
		moved, err := arithmetic.ShiftSeries(old, model.Event{OriginalStart: p.Named}, *p.Start, *p.End, p.MonthDays)
		if err != nil {
			return done, err
		}
		p.Start, p.End, p.Shift = moved.Start, moved.End, moved.Shift
		if p.Recurrence == nil {
			p.Recurrence = moved.Recurrence
		}
		for i := range next.Attendees { // their answers were to another time
			next.Attendees[i].Status = model.NeedsAction
		}
	}
	next = patched(next, p)
	next.CreatedAt = m.client.Now()
	row := model.EventRow{Calendar: m.calendar.Number, ID: o.NewSourceID, UID: uid(o.NewSourceID)}
	m.put(&row, next)
	beyond, _ := m.from(cut)
	moved := carrying{series: m, to: row, shift: p.Shift, named: p.Named}
	if row.Kind == model.EventSeries {
		if said.Recurrence != nil { // what was dropped was dropped of the old rule
			beyond = slices.DeleteFunc(beyond, func(e model.EventRow) bool { return e.Kind == model.EventDropped })
		}
		if err := moved.all(beyond); err != nil {
			return done, err
		}
	}
	before, err := m.end(ctx, head, cut)
	if err != nil {
		return done, err
	}
	after, err := m.save(ctx, append([]model.EventRow{row}, moved.rows...)...)
	return gcal.Following{Before: &before, After: &after, Dropped: moved.dropped, Replaced: moved.replaced}, err
}

// ShiftSeries works out a whole series from where one of its occurrences is to be.
func (c *Client) ShiftSeries(of, occurrence model.Event, start, end model.EventTime,
	days gcal.MonthDays) (gcal.Patch, error) {
	return arithmetic.ShiftSeries(of, occurrence, start, end, days)
}

// LeftOut returns no lines: a dropped occurrence moves with its series.
func (c *Client) LeftOut(context.Context, model.Connection, model.Event) ([]string, error) {
	return nil, nil
}
