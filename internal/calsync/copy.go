package calsync

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/mirror"
	"almanac/adapters/store"
	"almanac/graph/model"
)

const (
	// rowsPerWrite bounds how long one user's writes are locked.
	rowsPerWrite = 50
	// readFor is how long one sync reads a calendar from the start before it gives it back, to go on with the next one.
	readFor = 90 * time.Second
	// maxRestarts is how often one sync begins anew, since Google has forgotten the place.
	maxRestarts = 2
	// maxRounds is how often an event is asked of Google that was written here meanwhile.
	maxRounds = 3
	// remembered is how long a tombstone stays, which is longer than any request takes that may bring the event back.
	remembered = time.Hour
)

// errOvertaken: another worker has gone on from the same place.
var errOvertaken = errors.New("calsync: another worker was quicker")

// reading is where a sync of a calendar is.
type reading struct {
	// calendar is the copy as it was found, of number 0 when there is none yet.
	calendar model.KeptCalendar
	// full: everything is read, and not only what has changed.
	full bool
	// began is when Google was first asked, of a reading from the start when that was.
	began time.Time
	at    gcal.SyncPlace
	// resumed: it was begun by an earlier sync. writes are those of the copy from before Google was asked.
	resumed bool
	writes  int64
	// ticket is the event number from before Google was asked for the page.
	ticket int64
}

// followCalendar makes the copy of a calendar what Google says, and goes on from where it was left.
func (v *visit) followCalendar(ctx context.Context) error {
	// The channel comes first: what changes after the reading is told of by it.
	v.open(ctx)
	err := v.readOn(ctx)
	if errors.Is(err, errOvertaken) {
		v.report.Outcome = OutcomeOvertaken
		err = v.updateState(ctx, func(_ context.Context, _ store.Tx, state *store.SyncState) error {
			v.plan(state, v.Now()) // what this one knows beyond the other is read again, at once
			return nil
		})
		v.close(ctx, v.opened)
		return err
	}
	if err == nil {
		v.close(ctx, v.closes)
		v.audit(ctx)
	}
	return err
}

// readOn reads pages until there are no more, or time is up.
func (v *visit) readOn(ctx context.Context) error {
	unhurried, cancel := context.WithTimeout(ctx, readFor)
	defer cancel()
	r, err := v.place(ctx)
	if err != nil {
		return err
	}
	for restarts := 0; ; {
		if r.ticket, err = v.Store.EventNumber(ctx, v.claimed.User); err != nil {
			return fmt.Errorf("read the event number: %w", err)
		}
		page, err := v.Calendar.Sync(ctx, v.account, v.claimed.Calendar, r.at)
		if err != nil {
			return err
		}
		if page.Gone {
			if restarts++; restarts > maxRestarts {
				return model.Errorf(model.CodeUpstreamUnavailable, "Google forgets where the calendar was left")
			}
			if err := v.restart(ctx, r); err != nil {
				return err
			}
			continue
		}
		if page.Role == model.RoleFreeBusyReader && v.claimed.Calendar != "" {
			return v.forgo(ctx)
		}
		if err := v.take(ctx, r, page); err != nil {
			return err
		}
		if page.Next == "" {
			return nil
		}
		r.at.Page = page.Next
		if r.full && (unhurried.Err() != nil || v.before == nil && !v.quota.isOpen(v.Now())) {
			return v.giveBackUnread(ctx, r)
		}
	}
}

// place finds out where a calendar was left.
func (v *visit) place(ctx context.Context) (*reading, error) {
	all, err := v.Store.KeptCalendars(ctx, v.claimed.User)
	if err != nil {
		return nil, fmt.Errorf("read the calendars: %w", err)
	}
	r := &reading{began: v.Now()}
	r.calendar = v.copyOf(all)
	r.writes = r.calendar.Writes
	if r.calendar.State == model.CalendarKept && !r.calendar.AsOf.IsZero() {
		v.report.Age = r.began.Sub(r.calendar.AsOf)
	}
	r.full = r.calendar.State != model.CalendarKept || v.claimed.Token == "" || r.calendar.Shape != gcal.SyncShape
	switch {
	case !r.full:
		r.at.Token = v.claimed.Token
	case r.calendar.PageToken != "":
		r.at.Page, r.began, r.resumed = r.calendar.PageToken, v.claimed.Seen, true
	}
	return r, nil
}

// copyOf finds the copy of the calendar that is synced, of number 0 when there is none.
func (v *visit) copyOf(all []model.KeptCalendar) model.KeptCalendar {
	ref := model.CalendarRef{Connection: v.account.Number, Calendar: v.claimed.Calendar}
	i := slices.IndexFunc(all, func(c model.KeptCalendar) bool {
		return c.Source == model.CalendarGoogle && c.Ref() == ref
	})
	if i < 0 {
		return model.KeptCalendar{}
	}
	return all[i]
}

// step runs fn in a write of the user if the copy is still where the reading left it, and keeps what fn makes of the
// reading's place. errOvertaken when it is not.
func (v *visit) step(ctx context.Context, r *reading,
	fn func(ctx context.Context, tx store.Tx, state *store.SyncState, calendar *model.KeptCalendar) error) error {
	return v.updateState(ctx, func(ctx context.Context, tx store.Tx, state *store.SyncState) error {
		all, err := tx.KeptCalendars(ctx, v.claimed.User)
		if err != nil {
			return err
		}
		now := v.copyOf(all)
		// The sync of the list of calendars may have made the copy meanwhile.
		made := r.calendar.Number == 0 && now.State == model.CalendarNew
		if state.Token != v.claimed.Token || !made && now.Number != r.calendar.Number ||
			now.Generation != r.calendar.Generation || now.PageToken != r.calendar.PageToken {
			return errOvertaken
		}
		return fn(ctx, tx, state, &now)
	})
}

// restart begins with everything, since Google has forgotten the place. What is kept stays readable until that is
// there.
func (v *visit) restart(ctx context.Context, r *reading) error {
	fresh := *r
	err := v.step(ctx, r, func(ctx context.Context, tx store.Tx, state *store.SyncState,
		calendar *model.KeptCalendar) error {
		state.Token = ""
		calendar.PageToken = ""
		fresh = reading{calendar: *calendar, full: true, began: v.Now(), writes: calendar.Writes}
		return tx.SaveReading(ctx, calendar.Number, store.ReadingOf(*calendar))
	})
	if err == nil {
		v.claimed.Token = ""
		*r = fresh
	}
	return err
}

// take writes a page into the copy.
func (v *visit) take(ctx context.Context, r *reading, page gcal.SyncPage) error {
	if r.full && r.calendar.PageToken == "" {
		if err := v.beginReading(ctx, r, page); err != nil {
			return err
		}
	}
	finish := func(ctx context.Context, tx store.Tx, state *store.SyncState, calendar *model.KeptCalendar) error {
		return v.turn(ctx, tx, r, page, state, calendar)
	}
	swept := !r.full || page.Next != ""
	first := finish
	if !swept {
		first = nil
	}
	done, uncertain, err := v.apply(ctx, r, distinct(page.Events), r.ticket, first)
	for round := 0; err == nil && len(uncertain) > 0; round++ {
		if round == maxRounds { // nothing is lost: the next sync reads the page again
			return errOvertaken
		}
		var ticket int64
		if ticket, err = v.Store.EventNumber(ctx, v.claimed.User); err != nil {
			return err
		}
		if uncertain, err = v.anew(ctx, v.account, uncertain); err == nil {
			done, uncertain, err = v.apply(ctx, r, uncertain, ticket, first)
		}
	}
	if err == nil && !swept {
		err = v.sweep(ctx, r)
	}
	if err != nil || done {
		return err
	}
	_, _, err = v.apply(ctx, r, nil, r.ticket, finish)
	return err
}

// beginReading begins a generation: what it does not see is deleted at its end. The copy is made if there is none.
func (v *visit) beginReading(ctx context.Context, r *reading, page gcal.SyncPage) error {
	var begun model.KeptCalendar
	err := v.step(ctx, r, func(ctx context.Context, tx store.Tx, state *store.SyncState,
		calendar *model.KeptCalendar) error {
		state.Seen = r.began
		begun = *calendar
		if begun.Number == 0 {
			made, err := tx.InsertCalendar(ctx, v.newCopy(page))
			if err != nil {
				return fmt.Errorf("add a calendar: %w", err)
			}
			begun = made
			if v.claimed.Calendar == "" {
				if err := v.followList(ctx); err != nil {
					return err
				}
			}
		}
		begun.Generation++
		if begun.State != model.CalendarKept {
			begun.State = model.CalendarReading
		}
		return tx.SaveReading(ctx, begun.Number, store.ReadingOf(begun))
	})
	if err == nil {
		r.calendar = begun
	}
	return err
}

// newCopy is the copy of a calendar of which nothing is known but what its events say.
func (v *visit) newCopy(page gcal.SyncPage) model.KeptCalendar {
	primary := v.claimed.Calendar == ""
	id := v.claimed.Calendar
	if primary {
		id = v.account.Account
	}
	return model.KeptCalendar{Source: model.CalendarGoogle, Connection: v.account.Number, RemoteID: id, Name: id,
		Zone: page.Zone, Primary: primary, Selected: true, Followed: true, Role: page.Role,
		Reminders: page.DefaultReminders, State: model.CalendarNew, Shape: gcal.SyncShape, CreatedAt: v.Now(),
		UpdatedAt: v.Now()}
}

// turn goes on to the next page or, after the last one, ends the sync.
func (v *visit) turn(ctx context.Context, tx store.Tx, r *reading, page gcal.SyncPage, state *store.SyncState,
	calendar *model.KeptCalendar) error {
	if page.Next != "" {
		if !r.full {
			return nil // the whole answer is asked for again
		}
		calendar.PageToken = page.Next
		r.calendar.PageToken = page.Next
		return tx.SaveReading(ctx, calendar.Number, store.ReadingOf(*calendar))
	}
	first := calendar.State != model.CalendarKept
	v.report.Outcome = OutcomeRead
	if r.full {
		if v.report.Outcome = OutcomeReset; first {
			v.report.Outcome = OutcomeBegun
		}
	}
	if said := described(*calendar, page); !sameCalendar(said, *calendar) {
		version, err := tx.UpdateCalendar(ctx, said)
		if err != nil {
			return err
		}
		*calendar, calendar.Version = said, version
	}
	now := v.Now()
	quiet := now.Sub(calendar.UpdatedAt) > quietAfter && v.report.Changes+v.report.Echoes == 0
	if v.report.Changes+v.report.Echoes > 0 || r.full {
		calendar.UpdatedAt = now
	}
	calendar.State, calendar.PageToken, calendar.Shape = model.CalendarKept, "", gcal.SyncShape
	// What was written since Google was asked may not be in its answer.
	if r.writes == calendar.Writes && (!r.resumed || calendar.Writes == 0) {
		calendar.AsOf = r.began
	}
	v.report.Unconfirmed = calendar.AsOf.IsZero()
	if err := tx.SaveReading(ctx, calendar.Number, store.ReadingOf(*calendar)); err != nil {
		return err
	}
	if err := tx.ForgetTombstones(ctx, calendar.Number, now.Add(-remembered)); err != nil {
		return err
	}
	if first { // what has changed while it was read, nobody has told
		if err := announceReset(ctx, tx, v.account); err != nil {
			return err
		}
	}
	state.Token, state.Failures = page.Token, 0
	if r.full || v.audits() || !v.auditDue() {
		state.Seen = r.began
	}
	v.reached = page.Token
	v.hand(state)
	next := v.after(*state, quiet)
	if v.report.Unconfirmed {
		next = now
	}
	v.plan(state, next)
	return nil
}

// described is a calendar as an answer describes it.
func described(c model.KeptCalendar, page gcal.SyncPage) model.KeptCalendar {
	if page.Zone != "" {
		c.Zone = page.Zone
	}
	if page.Role != "" {
		c.Role = page.Role
	}
	c.Reminders = page.DefaultReminders
	return c
}

func sameCalendar(a, b model.KeptCalendar) bool {
	return a.Name == b.Name && a.Description == b.Description && a.Zone == b.Zone && a.Role == b.Role &&
		a.BackgroundColor == b.BackgroundColor && a.ForegroundColor == b.ForegroundColor && a.Selected == b.Selected &&
		a.Followed == b.Followed && a.Primary == b.Primary && slices.Equal(a.Reminders, b.Reminders)
}

// apply writes events in writes of bounded size, and runs finish in the last of them, unless some are uncertain: those
// it returns.
func (v *visit) apply(ctx context.Context, r *reading, events []model.Event, ticket int64,
	finish func(context.Context, store.Tx, *store.SyncState, *model.KeptCalendar) error) (done bool,
	uncertain []model.Event, err error) {
	live := map[string]bool{}
	said := map[string]model.Event{}
	for _, e := range events {
		live[e.Ref.Event] = e.Status != model.EventCancelled
		said[e.Ref.Event] = e
	}
	for from := 0; ; {
		to := min(from+rowsPerWrite, len(events))
		var applied store.AppliedEvents
		report := v.report
		err := v.step(ctx, r, func(ctx context.Context, tx store.Tx, state *store.SyncState,
			calendar *model.KeptCalendar) error {
			v.report = report
			rows, err := v.rowsOf(ctx, tx, v.claimed.User, *calendar, events[from:to], live)
			if err != nil {
				return err
			}
			if len(rows) > 0 {
				if applied, err = tx.ApplyEvents(ctx, rows, ticket); err != nil {
					return fmt.Errorf("apply events: %w", err)
				}
			}
			v.report.Changes += applied.Told
			v.report.Echoes += applied.Echoes
			if to < len(events) || finish == nil || len(uncertain)+len(applied.Uncertain) > 0 {
				return nil
			}
			done = true
			return finish(ctx, tx, state, calendar)
		})
		if err != nil {
			return false, nil, err
		}
		for _, key := range applied.Uncertain {
			e, known := said[key.ID]
			if !known { // it went with its series
				e = model.Event{Ref: r.calendar.Ref().Event(key.ID), Status: model.EventCancelled}
			}
			uncertain = append(uncertain, e)
		}
		if from = to; from == len(events) {
			return done, uncertain, nil
		}
	}
}

// rowsOf are events as rows. With a series that was deleted go its exceptions, but those that the page has as they are.
func (w *Worker) rowsOf(ctx context.Context, tx store.Tx, user model.UserID, calendar model.KeptCalendar,
	events []model.Event, live map[string]bool) (rows []model.EventRow, err error) {
	now := w.Now()
	var gone []model.EventKey
	for _, e := range events {
		row := mirror.Rows{Rules: w.Rules}.Of(calendar, e, now)
		if row.Kind == model.EventTombstone {
			gone = append(gone, row.Key())
		}
		rows = append(rows, row)
	}
	if len(gone) == 0 {
		return rows, nil
	}
	exceptions, err := tx.ExceptionsOf(ctx, user, gone, 0)
	if err != nil {
		return nil, err
	}
	for _, row := range exceptions {
		if !live[row.ID] {
			row.Version, row.Generation = "", calendar.Generation
			rows = append(rows, mirror.Tombstone(row, now))
		}
	}
	return rows, nil
}

// anew asks Google for events by their ids. One that is not there is cancelled.
func (w *Worker) anew(ctx context.Context, account model.Connection, events []model.Event) ([]model.Event, error) {
	fresh := make([]model.Event, len(events))
	for i, e := range events {
		now, err := w.Calendar.Event(ctx, account, e.Ref, gcal.FieldsAll&^gcal.FieldZone)
		switch {
		case model.CodeOf(err) == model.CodeNotFound:
			now = e
			now.Status, now.Version = model.EventCancelled, ""
		case err != nil:
			return nil, err
		}
		fresh[i] = now
	}
	return fresh, nil
}

// sweep deletes what a reading that has seen everything has not seen.
func (v *visit) sweep(ctx context.Context, r *reading) error {
	for {
		keys, err := v.Store.UnseenEvents(ctx, v.claimed.User, r.calendar.Number, r.calendar.Generation,
			store.MaxEventsRead)
		if err != nil || len(keys) == 0 {
			return err
		}
		for some := range slices.Chunk(keys, rowsPerWrite) {
			report := v.report
			err := v.step(ctx, r, func(ctx context.Context, tx store.Tx, _ *store.SyncState, _ *model.KeptCalendar) error {
				v.report = report
				rows, err := tx.EventsByKey(ctx, v.claimed.User, some, 0)
				if err != nil {
					return err
				}
				var gone []model.EventRow
				for _, row := range rows {
					if row.Kind != model.EventTombstone && row.Generation < r.calendar.Generation {
						row.Version, row.Generation = "", r.calendar.Generation
						gone = append(gone, mirror.Tombstone(row, v.Now()))
					}
				}
				done, err := tx.ApplyEvents(ctx, gone, math.MaxInt64)
				v.report.Changes += done.Told
				v.report.Echoes += done.Echoes
				return err
			})
			if err != nil {
				return err
			}
		}
	}
}

// giveBackUnread lets the reading of a large calendar go on with the next sync, which is due at once.
func (v *visit) giveBackUnread(ctx context.Context, r *reading) error {
	v.report.Outcome = OutcomeReading
	return v.step(ctx, r, func(_ context.Context, _ store.Tx, state *store.SyncState, _ *model.KeptCalendar) error {
		state.Failures = 0
		v.hand(state)
		v.plan(state, v.Now())
		return nil
	})
}

// distinct returns each event once, as it was said last; one that changes while pages are read may stand on two of
// them.
func distinct(rows []model.Event) []model.Event {
	place := make(map[model.EventRef]int, len(rows))
	once := make([]model.Event, 0, len(rows))
	for _, row := range rows {
		if row.Ref.Event == "" {
			continue // nothing could be asked about it
		}
		if i, again := place[row.Ref]; again {
			once[i] = row
			continue
		}
		place[row.Ref] = len(once)
		once = append(once, row)
	}
	return once
}
