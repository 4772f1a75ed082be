package calsync

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/when"
)

// remnant is what ApplyWrites has left of the writes to one calendar.
type remnant struct {
	// applied: the copy has what they have left, when the transaction is committed. Else it stays out of use until it is
	// synced, unless uncertain says which events must be asked for anew.
	applied   bool
	uncertain []model.Event
	// inUse: the copy is in use, when the transaction is committed.
	inUse bool
}

// ApplyWrites writes what ended writes of one user have left into the copies, by the remote's answers, in the
// transaction that tells of it, and puts the copies in use again, as old as they were. A row that was written since the
// write began, under another version, is left as it is, since neither is known to be the newer: tell, which logs what
// was done, is not to say anything of those events. What else has changed is told by the rows. It may be called again
// when the transaction was not committed; FinishWrites must follow.
//
// A copy stays out of use where the answers do not say everything: of a write whose outcome is not known, and where the
// remote changes other events of its own accord, as the exceptions of a series show what was changed of it.
func (w *Worker) ApplyWrites(ctx context.Context, tx store.Tx, all []gcal.KeptWrite,
	tell func(uncertain map[model.UUID]bool) error) error {
	groups := groupsOf(all)
	uncertain := map[model.UUID]bool{}
	for _, g := range groups {
		if err := g.plan(ctx, tx); err != nil {
			return fmt.Errorf("calsync: apply what was written: %w", err)
		}
		for _, e := range g.left.uncertain {
			uncertain[e.Ref.ID().UUID] = true
		}
	}
	if err := tell(uncertain); err != nil {
		return err
	}
	for _, g := range groups {
		if err := g.apply(ctx, tx); err != nil {
			return fmt.Errorf("calsync: apply what was written: %w", err)
		}
	}
	return nil
}

// FinishWrites ends writes, once the transaction of ApplyWrites has ended: committed, or not. Events that ApplyWrites
// has found to be uncertain are asked for. A copy that does not have what was written stays out of use.
func (w *Worker) FinishWrites(ctx context.Context, all []gcal.KeptWrite, committed bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	for _, g := range groupsOf(all) {
		if err := g.finish(ctx, committed); err != nil && w.Logger != nil {
			w.Logger.WarnContext(ctx, "a copy that was written to stays out of use until it is synced", "user",
				g.of.user.String(), "cause", model.CauseOf(err))
		}
	}
}

// group are writes of this process to one calendar that end together.
type group struct {
	*Worker
	of      writtenTo
	account model.Connection
	under   *writes
	writes  []*Write
	// calendar is the copy, nil when there is none; rows are to be written to it.
	calendar *model.KeptCalendar
	rows     []model.EventRow
	left     remnant
}

// groupsOf are the writes that BeginWrite has begun, by calendar.
func groupsOf(all []gcal.KeptWrite) (groups []*group) {
	for _, begun := range all {
		one, ok := begun.(*Write)
		if !ok {
			continue // it is another's
		}
		i := slices.IndexFunc(groups, func(g *group) bool { return g.under == one.under })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &group{Worker: one.worker, of: one.of, account: one.account, under: one.under})
		}
		groups[i].writes = append(groups[i].writes, one)
	}
	return groups
}

// said is an event as the answers of a group have it.
type said struct {
	event  model.Event
	made   bool
	ticket int64
	// generation is the least that the copy had when one of the writes began.
	generation int64
	write      *Write
	// several: writes that may have overlapped have left it, so none is known to be the last.
	several bool
}

// said are the events of the answers, each as it was answered last.
func (g *group) said() (all []said) {
	place := map[string]int{}
	for _, write := range g.writes {
		for _, answer := range write.answers {
			i, again := place[answer.Event.Ref.Event]
			if !again {
				i = len(all)
				place[answer.Event.Ref.Event] = i
				all = append(all, said{made: answer.Made, ticket: write.ticket, generation: write.generation,
					write: write})
			}
			all[i].several = all[i].several || all[i].write != write
			all[i].event, all[i].made = answer.Event, all[i].made || answer.Made
			all[i].ticket = min(all[i].ticket, write.ticket)
			all[i].generation = min(all[i].generation, write.generation)
		}
	}
	return all
}

// plan works out what rows the answers make, and what they leave open.
func (g *group) plan(ctx context.Context, tx store.Tx) (err error) {
	g.rows, g.left = nil, remnant{}
	if g.calendar, err = keptOf(ctx, tx, g.of); err != nil || g.calendar == nil {
		return err
	}
	g.left.applied = !slices.ContainsFunc(g.writes, func(one *Write) bool { return one.changed && !one.whole })
	answers := g.said()
	if g.calendar.State == model.CalendarNew || len(answers) == 0 {
		return nil
	}
	keys := make([]model.EventKey, len(answers))
	for i, one := range answers {
		keys[i] = model.EventKey{Calendar: g.calendar.Number, ID: one.event.Ref.Event}
	}
	before, err := rowsByID(tx.EventsByKey(ctx, g.of.user, keys, store.EventBodies))
	if err != nil {
		return err
	}
	events, live, tickets := []model.Event{}, map[string]bool{}, map[string]int64{}
	for i := range answers {
		one := &answers[i]
		one.event = namedBy(one.event, before[one.event.Ref.Event])
		id := one.event.Ref.Event
		live[id], tickets[id] = one.event.Status != model.EventCancelled, one.ticket
		events = append(events, one.event)
	}
	rows, err := g.rowsOf(ctx, tx, g.of.user, *g.calendar, events, live)
	if err != nil {
		return err
	}
	if err := g.exceptionsInto(ctx, tx, rows, before); err != nil {
		return err
	}
	least := slices.MinFunc(answers, func(a, b said) int { return int(a.ticket - b.ticket) }).ticket
	series, err := g.asksForSync(ctx, tx, answers, rows, before)
	if err != nil {
		return err
	}
	for i, row := range rows {
		ticket, answered := tickets[row.ID]
		if !answered {
			ticket = least // it goes with its series
		}
		was, known := before[row.ID]
		several := i < len(answers) && answers[i].several
		// A reading from the start, which began after the write, says nothing of what was deleted before it.
		unseen := i < len(answers) && !known && answers[i].generation < g.calendar.Generation
		switch newer := known && was.Applied > ticket; {
		case newer && was.Kind.IsHidden() && was.Kind == row.Kind: // it is known to be gone
		case several, unseen, newer && (was.Kind != row.Kind || was.Version != row.Version):
			g.left.uncertain = append(g.left.uncertain, eventOf(g.calendar.Ref().Event(row.ID), was, row))
			series = series || row.Kind == model.EventSeries
		default:
			g.rows = append(g.rows, row)
		}
	}
	g.left.applied = g.left.applied && !series
	return nil
}

// exceptionsInto reads what is known of the rows that go with their series.
func (g *group) exceptionsInto(ctx context.Context, tx store.Tx, rows []model.EventRow,
	before map[string]model.EventRow) error {
	var more []model.EventKey
	for _, row := range rows {
		if _, known := before[row.ID]; !known {
			more = append(more, row.Key())
		}
	}
	if len(more) == 0 {
		return nil
	}
	others, err := rowsByID(tx.EventsByKey(ctx, g.of.user, more, 0))
	for id, row := range others {
		before[id] = row
	}
	return err
}

// asksForSync reports whether the remote has changed more than its answers say. A series that was there before, or may
// have been, has exceptions: what they do not have of their own is the series', and what its rule does not have any
// more may go.
func (g *group) asksForSync(ctx context.Context, tx store.Tx, answers []said, rows []model.EventRow,
	before map[string]model.EventRow) (bool, error) {
	changed := map[string]model.EventRow{}
	var keys []model.EventKey
	for i, one := range answers {
		row, was := rows[i], before[one.event.Ref.Event]
		switch {
		case row.Kind == model.EventSeries && was.Kind == model.EventSeries,
			row.Kind == model.EventSingle && was.Kind == model.EventSeries:
			changed[row.ID] = row
			keys = append(keys, row.Key())
		case row.Kind == model.EventSeries && was.Kind != model.EventSingle && !one.made:
			return true, nil // it was deleted, and has its exceptions again, or is not known
		}
	}
	if len(keys) == 0 {
		return false, nil
	}
	exceptions, err := tx.ExceptionsOf(ctx, g.of.user, keys, 0)
	if err != nil {
		return false, err
	}
	for _, e := range exceptions {
		if slices.ContainsFunc(answers, func(one said) bool { return one.event.Ref.Event == e.ID }) {
			continue
		}
		series := changed[e.Series]
		if series.Kind == model.EventSingle ||
			e.Kind == model.EventChanged && (showsOther(before[e.Series], series) || !g.occurs(series, e)) {
			return true, nil
		}
	}
	return false, nil
}

// showsOther reports whether exceptions of a series may show something else than before.
func showsOther(before, after model.EventRow) bool {
	alike := func(row model.EventRow) model.EventRow {
		row.Recurrence, row.LastsUntil, row.Version, row.UpdatedAt = nil, time.Time{}, "", time.Time{}
		row.Applied, row.Generation, row.Long, row.Overrides, row.Floating = 0, 0, false, nil, false
		row.StartsAt, row.EndsAt = row.StartsAt.UTC(), row.EndsAt.UTC()
		if row.Body != nil {
			body := *row.Body
			body.CreatedAt, row.Body = time.Time{}, &body
			if len(body.Attendees) == 0 {
				row.Body.Attendees = nil
			}
			if len(body.Reminders.Overrides) == 0 {
				row.Body.Reminders.Overrides = nil
			}
		}
		return row
	}
	return !reflect.DeepEqual(alike(before), alike(after))
}

// occurs reports whether a series has the occurrence that an exception stands for. Of a rule that package rrule does
// not read that is not known.
func (g *group) occurs(series, exception model.EventRow) bool {
	set, err := g.Rules.Set(&series, when.ZoneOr(time.UTC, g.calendar.Zone))
	return err == nil && set.Contains(exception.OriginalAt)
}

// apply writes the rows that were planned, and says whether the copy is in use again.
func (g *group) apply(ctx context.Context, tx store.Tx) error {
	defer func() {
		g.left.inUse = g.calendar == nil || !g.calendar.AsOf.IsZero()
		for _, one := range g.writes {
			one.left = g.left
		}
	}()
	if g.calendar == nil {
		return nil
	}
	was := *g.calendar
	if len(g.rows) > 0 {
		if _, err := tx.ApplyEvents(ctx, g.rows, math.MaxInt64); err != nil { // plan has looked at the tickets
			return err
		}
		g.calendar.UpdatedAt = g.Now()
	}
	switch {
	case g.left.applied && len(g.left.uncertain) == 0 && g.restores(g.under, len(g.writes), *g.calendar):
		g.calendar.AsOf = g.under.asOf
	case !g.left.applied:
		unconfirm(g.calendar)
	}
	if reflect.DeepEqual(was, *g.calendar) {
		return nil
	}
	return tx.SaveReading(ctx, g.calendar.Number, store.ReadingOf(*g.calendar))
}

// unconfirm takes a copy out of use until a sync that begins later.
func unconfirm(c *model.KeptCalendar) {
	c.AsOf = time.Time{}
	c.Writes++
}

// askAnew asks the remote for events that were changed while they were written, and applies them by the same rule.
func (g *group) askAnew(ctx context.Context, events []model.Event) error {
	if g.Calendar == nil {
		return model.Errorf(model.CodeInternal, "nobody can be asked")
	}
	for range maxRounds {
		ticket, err := g.Store.EventNumber(ctx, g.of.user)
		if err != nil {
			return err
		}
		if events, err = g.anew(ctx, g.account, events); err != nil {
			return err
		}
		live, known := map[string]bool{}, map[string]model.Event{}
		for _, e := range events {
			live[e.Ref.Event], known[e.Ref.Event] = e.Status != model.EventCancelled, e
		}
		var left []model.Event
		err = g.changeCopy(ctx, g.of, func(ctx context.Context, tx store.Tx, c *model.KeptCalendar) (bool, error) {
			left = nil
			rows, err := g.rowsOf(ctx, tx, g.of.user, *c, events, live)
			if err != nil {
				return false, err
			}
			done, err := tx.ApplyEvents(ctx, rows, ticket)
			for _, key := range done.Uncertain {
				e, there := known[key.ID]
				if !there { // it went with its series
					e = model.Event{Ref: c.Ref().Event(key.ID), Status: model.EventCancelled}
				}
				left = append(left, e)
			}
			return false, err
		})
		if err != nil || len(left) == 0 {
			return err
		}
		events = left
	}
	return errOvertaken
}

// finish ends the writes of a group, once the transaction that applies them has ended.
func (g *group) finish(ctx context.Context, committed bool) error {
	left := g.writes[0].left
	var done, lost bool // the copy has what they have left; it does not, and may be in use
	var failed error
	switch {
	case !committed:
		lost = slices.ContainsFunc(g.writes, func(one *Write) bool { return one.changed })
		done = !lost
	case left.applied && len(left.uncertain) > 0:
		failed = g.askAnew(ctx, left.uncertain)
		done, lost = failed == nil, failed != nil
	default: // else ApplyWrites has taken it out of use
		done = left.applied
	}
	last := false
	for range g.writes {
		last = g.closeWrite(g.of, g.under, !done)
	}
	kept := slices.ContainsFunc(g.writes, func(one *Write) bool { return one.kept })
	if !kept || !lost && (!last || committed && left.inUse) {
		return failed
	}
	err := g.changeCopy(ctx, g.of, func(_ context.Context, _ store.Tx, c *model.KeptCalendar) (bool, error) {
		switch {
		case lost:
			unconfirm(c)
		case g.restores(g.under, 0, *c):
			c.AsOf = g.under.asOf
		default:
			return false, nil
		}
		return true, nil
	})
	return errors.Join(failed, err)
}

// rowsByID are rows of one calendar by their ids.
func rowsByID(rows []model.EventRow, err error) (map[string]model.EventRow, error) {
	all := make(map[string]model.EventRow, len(rows))
	for _, row := range rows {
		all[row.ID] = row
	}
	return all, err
}

// namedBy adds to a deleted event what the row of it says of its series, where its answer does not.
func namedBy(e model.Event, row model.EventRow) model.Event {
	if e.Status == model.EventCancelled && e.RecurringEventID == "" && row.Series != "" {
		e.RecurringEventID, e.OriginalStart = row.Series, originalOf(row)
	}
	return e
}

// originalOf is the original start of an exception.
func originalOf(row model.EventRow) model.EventTime {
	if row.OriginalIsDay {
		return model.EventTime{Date: model.DateOf(row.OriginalAt.UTC())}
	}
	return model.EventTime{At: row.OriginalAt}
}

// eventOf is what asking for an event anew starts from, should there be nothing.
func eventOf(ref model.EventRef, was, row model.EventRow) model.Event {
	e := model.Event{Ref: ref, Type: row.Type, Status: model.EventCancelled}
	for _, one := range []model.EventRow{was, row} {
		if one.Series != "" {
			e.RecurringEventID, e.OriginalStart = one.Series, originalOf(one)
		}
	}
	return e
}
