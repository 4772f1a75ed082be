package calsync_test

import (
	"context"
	"testing"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/calsync"
	standin "almanac/internal/standin/google"
)

// lateAuditor has something happen after the calendar was listed.
type lateAuditor struct {
	calsync.Auditor
	then func()
}

func (l *lateAuditor) Events(ctx context.Context, c model.Connection, calendar string,
	q gcal.Query) (gcal.Listing, error) {
	listing, err := l.Auditor.Events(ctx, c, calendar, q)
	if l.then != nil {
		l.then()
	}
	return listing, err
}

// falsify changes a row of a copy behind the back of all, under the same version.
func (h *googleFixture) falsify(c model.Connection, id string, change func(row *model.EventRow)) {
	h.Helper()
	err := h.store.Write(h.Context(), c.User, func(ctx context.Context, tx store.Tx) error {
		rows, err := tx.EventsByKey(ctx, c.User, []model.EventKey{{Calendar: 1, ID: id}}, store.EventBodies|store.EventFolded)
		if err != nil || len(rows) != 1 {
			h.Fatalf("%d rows of %s, %v", len(rows), id, err)
		}
		change(&rows[0])
		_, err = tx.SaveEvents(ctx, rows)
		return err
	})
	if err != nil {
		h.Fatal(err)
	}
}

// row is a row of a copy.
func (h *googleFixture) row(c model.Connection, id string) model.EventRow {
	h.Helper()
	rows, err := h.store.EventsByKey(h.Context(), c.User, []model.EventKey{{Calendar: 1, ID: id}}, 0)
	if err != nil || len(rows) != 1 {
		h.Fatalf("%d rows of %s, %v", len(rows), id, err)
	}
	return rows[0]
}

// Once a day a week of the copy is held against what the remote lists, by its own expansion: a falsified row is found
// and mended, without a word in the log, since nothing has happened there; and what changes meanwhile is no difference.
func TestACopyIsAudited(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		h := newGoogle(t, open(t, 1)[0])
		w := h.worker(h.store)
		late := &lateAuditor{Auditor: h.client}
		w.Auditor = late
		const email = "dana@example.com"
		c := h.link(w, "dana", email)
		add := func(body map[string]any) string {
			made, err := h.calendar.Insert(email, "primary", body)
			if err != nil {
				t.Fatal(err)
			}
			return made["id"].(string)
		}
		at := func(day, hour int) map[string]any {
			return map[string]any{"timeZone": "Asia/Jerusalem",
				"dateTime": time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC).Format(time.RFC3339)}
		}
		single := add(map[string]any{"summary": "dentist", "start": at(24, 9), "end": at(24, 10)})
		series := add(map[string]any{"summary": "standup", "start": at(1, 7), "end": at(1, 8),
			"recurrence": []any{"RRULE:FREQ=DAILY"}})
		add(map[string]any{"summary": "conference", "start": map[string]any{"date": "2026-11-22"},
			"end": map[string]any{"date": "2026-11-26"}})
		add(map[string]any{"summary": "rent", "start": map[string]any{"date": "2026-10-25"},
			"end": map[string]any{"date": "2026-10-26"}, "recurrence": []any{"RRULE:FREQ=MONTHLY"}})
		h.serve("patch", email, series+"_20261123T070000Z", map[string]any{"start": at(23, 12), "end": at(23, 13)})
		h.serve("delete", email, series+"_20261124T070000Z", nil)
		h.run(w)
		h.sync(calsync.OutcomeBegun)

		// theNextDay syncs until a day has gone by, and returns what the audit came to.
		theNextDay := func() (found calsync.Report) {
			t.Helper()
			for range 24 * 6 {
				if got := h.syncs(w, c, calsync.OutcomeRead); got.Audit != "" {
					return got
				}
			}
			t.Fatal("nothing was compared for a day")
			return found
		}
		if got := theNextDay(); got.Audit != calsync.AuditSame || got.Differences != 0 {
			t.Fatalf("the first audit came to %+v", got)
		}
		told := h.told(c)

		h.falsify(c, single, func(row *model.EventRow) { row.Summary = "plumber" })
		h.falsify(c, series, func(row *model.EventRow) { row.Recurrence = []string{"RRULE:FREQ=DAILY;INTERVAL=2"} })
		if got := theNextDay(); got.Audit != calsync.AuditDifferent || got.Differences < 3 {
			t.Errorf("the audit of falsified rows came to %+v", got)
		}
		h.sync(calsync.OutcomeReset)
		if got := h.row(c, single).Summary; got != "dentist" {
			t.Errorf("the row says %q", got)
		}
		if got := h.row(c, series).Recurrence; len(got) != 1 || got[0] != "RRULE:FREQ=DAILY" {
			t.Errorf("the series is %q", got)
		}
		h.wantTold(c, told...)

		late.then = func() { h.serve("patch", email, single, map[string]any{"summary": "surgeon"}) }
		if got := theNextDay(); got.Audit != calsync.AuditUnsure || got.Differences != 0 {
			t.Errorf("an audit while the calendar was changed came to %+v", got)
		}
		late.then = func() {
			h.server.Inject(standin.Fault{Method: "calendar.events.list", HTML: true})
		}
		if got := theNextDay(); got.Audit != calsync.AuditFailed {
			t.Errorf("an audit with Google away came to %+v", got)
		}
		h.server.Clear()
		late.then = nil
		if got := theNextDay(); got.Audit != calsync.AuditSame || got.Age != 10*time.Minute {
			t.Errorf("the last audit came to %+v", got)
		}
	})
}

// An audit that finds the copy unconfirmed when it is due, or while it compares, is made up for by the first sync that
// leaves it in use; it does not wait for the next day. Who waits for a sync does not wait for an audit.
func TestACopyIsAuditedOnceItIsConfirmed(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		h := newGoogle(t, open(t, 1)[0])
		w := h.worker(h.store)
		late := &lateAuditor{Auditor: h.client}
		w.Auditor = late
		c := h.link(w, "dana", dana)
		const id = "dentist0"
		h.insert(dana, "primary", and(times(27, 9), map[string]any{"id": id, "summary": "dentist"}))
		h.run(w)
		h.sync(calsync.OutcomeBegun)
		doubt := func() {
			t.Helper()
			if _, err := w.BeginWrite(t.Context(), c, ""); err != nil {
				t.Fatal(err)
			}
		}
		// comesDue lets a day go by without a sync.
		comesDue := func() {
			t.Helper()
			h.clock.Advance(25 * time.Hour)
			h.falsify(c, id, func(row *model.EventRow) { row.Summary = "plumber" })
			doubt()
		}
		wantAudit := func(sync calsync.Report, want calsync.Audit) {
			t.Helper()
			if sync.Audit != want || sync.Unconfirmed {
				t.Errorf("the sync came to %+v, and the audit should be %q", sync, want)
			}
		}
		wantMended := func() {
			t.Helper()
			h.sync(calsync.OutcomeReset)
			if got := h.row(c, id).Summary; got != "dentist" {
				t.Errorf("the row says %q", got)
			}
		}

		comesDue()
		if err := w.Refresh(t.Context(), c, ""); err != nil { // as after a mutation
			t.Fatal(err)
		}
		wantAudit(h.sync(calsync.OutcomeRead), "")
		wantAudit(h.syncs(w, c, calsync.OutcomeRead), calsync.AuditDifferent)
		wantMended()

		// Unconfirmed when the sync begins: what it reads is compared all the same.
		comesDue()
		wantAudit(h.syncs(w, c, calsync.OutcomeRead), calsync.AuditDifferent)
		wantMended()

		// Written to while the remote lists, and again.
		comesDue()
		late.then = doubt
		for range 2 {
			wantAudit(h.syncs(w, c, calsync.OutcomeRead), calsync.AuditUnsure)
		}
		late.then = nil
		wantAudit(h.syncs(w, c, calsync.OutcomeRead), calsync.AuditDifferent)
		wantMended()
		wantAudit(h.syncs(w, c, calsync.OutcomeRead), "")
		h.wantTold(c, "UPDATED CONNECTION")
	})
}
