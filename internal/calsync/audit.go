package calsync

import (
	"context"
	"encoding/binary"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/occur"
	"almanac/projections/when"
)

// Auditor lists a calendar as the remote itself expands its series; the contract is that of gcal.Client.
type Auditor interface {
	Events(ctx context.Context, connection model.Connection, calendar string, query gcal.Query) (gcal.Listing, error)
}

// Audit is what came of holding a copy against the remote's own listing.
type Audit string

// The results.
const (
	AuditSame      Audit = "same"
	AuditDifferent Audit = "different" // the calendar is read anew, from the start, at once
	AuditUnsure    Audit = "unsure"    // the calendar was changed meanwhile; it is tried again by the next sync
	AuditFailed    Audit = "failed"    // the remote did not answer; it is tried again the next day
)

// audited is how much of a calendar is compared.
const audited = 7 * 24 * time.Hour

// audit compares, once a day, what takes place in the coming week by the copy and by the remote. It is for the end of a
// sync that has read what has changed: nothing but a mistake can make a difference then.
func (v *visit) audit(ctx context.Context) {
	if v.Auditor == nil || v.report.Outcome != OutcomeRead || !v.auditDue() || !v.audits() {
		return
	}
	err := v.compare(ctx)
	if err != nil {
		v.report.Audit = AuditFailed
	}
	if err != nil && ctx.Err() == nil {
		v.Logger.WarnContext(ctx, "a calendar was not compared with its copy", "user", v.claimed.User.String(),
			"connection", v.account.Number, "code", string(model.CodeOf(err)), "cause", model.CauseOf(err))
	}
}

// audits reports whether this sync may compare: nobody waits for it, and it has left the copy in use. One that may not
// leaves an audit that is due to the next sync.
func (v *visit) audits() bool { return v.before == nil && !v.report.Unconfirmed }

// auditDue reports whether the last sync that could compare was before the calendar's day, which begins at another time
// for each.
func (v *visit) auditDue() bool {
	name := digest(v.claimed.Calendar + string(v.claimed.Connection[:]))
	begins := time.Duration(binary.BigEndian.Uint32(name[:])) * time.Second % (24 * time.Hour)
	day := func(t time.Time) time.Time { return t.Add(-begins).Truncate(24 * time.Hour) }
	return day(v.claimed.Seen).Before(day(v.Now()))
}

// compare asks for the remote's listing and then whether anything has changed since the sync. If nothing has, the copy
// must say the same, and is read anew where it does not.
func (v *visit) compare(ctx context.Context) error {
	from := v.Now()
	to := from.Add(audited)
	listing, err := v.Auditor.Events(ctx, v.account, v.claimed.Calendar,
		gcal.Query{From: from, To: to, Fields: gcal.FieldSummary})
	if err != nil {
		return err
	}
	since, err := v.Calendar.Sync(ctx, v.account, v.claimed.Calendar, gcal.SyncPlace{Token: v.reached})
	if err != nil {
		return err
	}
	if since.Gone || since.Next != "" || len(since.Events) > 0 {
		v.report.Audit = AuditUnsure
		return v.updateState(ctx, func(_ context.Context, _ store.Tx, state *store.SyncState) error {
			v.auditAgain(state)
			return nil
		})
	}
	var result Audit
	var differences int
	err = v.updateState(ctx, func(ctx context.Context, tx store.Tx, state *store.SyncState) error {
		result, differences = AuditUnsure, 0
		all, err := tx.KeptCalendars(ctx, v.claimed.User)
		if err != nil {
			return err
		}
		calendar := v.copyOf(all)
		if state.Token != v.reached || calendar.State != model.CalendarKept || calendar.AsOf.IsZero() {
			v.auditAgain(state) // another worker has gone on, or something is being written
			return nil
		}
		kept, err := tx.EventsBetween(ctx, v.claimed.User, store.EventWindow{Calendars: []int{calendar.Number},
			From: from.Add(-occur.Slack), To: to.Add(occur.Slack)})
		if err != nil {
			return err
		}
		result = AuditSame
		if differences = v.differences(calendar, kept.Events, listing.Events, from, to); differences > 0 {
			result, state.Token = AuditDifferent, ""
			if !state.NextAt.IsZero() {
				state.NextAt = v.Now()
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	v.report.Audit, v.report.Differences = result, differences
	if differences > 0 {
		v.wake()
	}
	return nil
}

// auditAgain leaves the audit to the next sync.
func (v *visit) auditAgain(state *store.SyncState) {
	if state.Token != "" { // else it says when a reading from the start has begun
		state.Seen = v.claimed.Seen
	}
}

// occurrence names what takes place: an event, or an occurrence by its series and original start.
type occurrence struct {
	id, series string
	original   int64
	isDay      bool
}

// taken is what a listing says of it.
type taken struct {
	start, end int64
	allDay     bool
	summary    string
}

// differences counts what only one of the copy's rows and the remote's events have in a window, or have otherwise.
// Series that package rrule does not read are left out.
func (v *visit) differences(calendar model.KeptCalendar, rows []model.EventRow, events []model.Event, from,
	to time.Time) (n int) {
	zone := when.ZoneOr(time.UTC, calendar.Zone)
	list := v.Rules.List(rows, occur.Query{From: from, To: to, Zone: func(int) *time.Location { return zone }})
	unread := map[string]bool{}
	for _, key := range list.Refused() {
		unread[key.ID] = true
	}
	said := map[occurrence]taken{}
	for _, e := range events {
		if !unread[e.RecurringEventID] {
			said[occurrenceOf(e)] = taken{instantIn(e.Start, zone), instantIn(e.End, zone), e.Start.AllDay(), e.Summary}
		}
	}
	for item, ok := list.Next(); ok; item, ok = list.Next() {
		row := item.Row
		if unread[row.Series] {
			continue
		}
		at := occurrence{id: row.ID}
		switch {
		case item.Occurrence:
			at = occurrence{series: row.ID, original: item.Original.Unix(), isDay: row.AllDay}
		case row.Series != "":
			at = occurrence{series: row.Series, original: row.OriginalAt.Unix(), isDay: row.OriginalIsDay}
		}
		if there, known := said[at]; !known ||
			there != (taken{item.Start.Unix(), item.End.Unix(), row.AllDay, row.Summary}) {
			n++
		}
		delete(said, at)
	}
	return n + len(said)
}

func occurrenceOf(e model.Event) occurrence {
	if e.RecurringEventID == "" {
		return occurrence{id: e.Ref.Event}
	}
	return occurrence{series: e.RecurringEventID, original: instantIn(e.OriginalStart, time.UTC),
		isDay: e.OriginalStart.AllDay()}
}

// instantIn is a time in Unix seconds; a day begins at its midnight in the zone.
func instantIn(t model.EventTime, zone *time.Location) int64 {
	if t.AllDay() {
		return when.StartOfDate(t.Date, zone).Unix()
	}
	return t.At.Unix()
}
