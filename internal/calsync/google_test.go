package calsync_test

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/internal/calsync"
	"almanac/internal/clock"
	"almanac/internal/standin/calendar"
	standin "almanac/internal/standin/google"
	"almanac/internal/standin/wire"
)

// copied are the rows of a copy that stand for something, as "id version title", by the calendar's remote id.
func (h *googleFixture) copied(c model.Connection, remote string) (all []string) {
	h.Helper()
	calendars, err := h.store.KeptCalendars(h.Context(), c.User)
	if err != nil {
		h.Fatal(err)
	}
	i := slices.IndexFunc(calendars, func(one model.KeptCalendar) bool { return one.RemoteID == remote })
	if i < 0 {
		return nil
	}
	for after := ""; ; {
		rows, err := h.store.AllEvents(h.Context(), c.User, calendars[i].Number, after, 1_000)
		if err != nil {
			h.Fatal(err)
		}
		if len(rows) == 0 {
			slices.Sort(all)
			return all
		}
		for _, row := range rows {
			after = row.ID
			if row.Kind != model.EventDropped {
				all = append(all, fmt.Sprint(row.ID, " ", row.Version, " ", row.Summary))
			}
		}
	}
}

// said is what the stand-in has of a calendar, past everything that is tested.
func (h *googleFixture) said(email, remote string) (all []string) {
	h.Helper()
	for page := ""; ; {
		reply, err := h.calendar.Serve(wire.Call{Method: "calendar.events.list", Account: email, Now: h.clock.Now(),
			Path: map[string]string{"calendarId": remote}, Query: url.Values{"maxResults": {"2500"}, "pageToken": {page}}})
		if err != nil {
			h.Fatal(err)
		}
		items, _ := reply.Body["items"].([]any)
		for _, item := range items {
			e, _ := item.(map[string]any)
			if e["status"] == "cancelled" {
				continue
			}
			title, _ := e["summary"].(string)
			all = append(all, fmt.Sprint(e["id"], " ", e["etag"], " ", title))
		}
		if page, _ = reply.Body["nextPageToken"].(string); page == "" {
			slices.Sort(all)
			return all
		}
	}
}

// wantSame: the copy is what the stand-in has.
func (h *googleFixture) wantSame(c model.Connection, email, remote string) {
	h.Helper()
	if got, want := h.copied(c, remote), h.said(email, remote); !slices.Equal(got, want) {
		h.Errorf("the copy of %s has %d rows\n%.2000s\nand the calendar %d\n%.2000s", remote, len(got),
			strings.Join(got, "\n"), len(want), strings.Join(want, "\n"))
	}
}

// noam is somebody else.
const noam = "noam@example.com"

// newFollower is a googleFixture in which dana's calendar was read.
func newFollower(t *testing.T, open stores) (*googleFixture, *calsync.Worker, model.Connection) {
	t.Helper()
	h := newGoogle(t, open(t, 1)[0])
	w := h.worker(h.store)
	c := h.link(w, "dana", dana)
	h.run(w)
	h.sync(calsync.OutcomeBegun)
	<-h.lists // so that no request for it comes later
	return h, w, c
}

// times are a start and an end, an hour apart.
func times(day, hour int) map[string]any {
	at := time.Date(2026, 11, day, hour, 0, 0, 0, time.UTC)
	return map[string]any{
		"start": map[string]any{"dateTime": at.Format(time.RFC3339), "timeZone": "UTC"},
		"end":   map[string]any{"dateTime": at.Add(time.Hour).Format(time.RFC3339), "timeZone": "UTC"}}
}

func and(body, more map[string]any) map[string]any {
	body = maps.Clone(body)
	maps.Copy(body, more)
	return body
}

func (h *googleFixture) insert(email, remote string, body map[string]any) {
	h.Helper()
	if _, err := h.calendar.Insert(email, remote, body); err != nil {
		h.Fatal(err)
	}
}

// A series that Google's own screen has split keeps the ids of its instances; whose they are is said beside them.
func TestASeriesSplitOnGooglesScreen(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		h, w, c := newFollower(t, open)
		h.insert(dana, "primary", and(times(22, 9), map[string]any{"id": "standup", "summary": "standup",
			"recurrence": []any{"RRULE:FREQ=DAILY;COUNT=8"}}))
		h.serve("patch", dana, "standup_20261126T090000Z", map[string]any{"summary": "special"})
		h.syncs(w, c, calsync.OutcomeRead)
		want := []string{"UPDATED CONNECTION", "CREATED standup", "UPDATED standup_20261126T090000Z"}
		h.wantTold(c, want...)
		if _, err := h.calendar.SplitOnScreen(dana, "primary", "standup_20261125T090000Z",
			map[string]any{"summary": "later"}); err != nil {
			t.Fatal(err)
		}
		h.syncs(w, c, calsync.OutcomeRead)
		want = append(want, "UPDATED standup", "UPDATED standup_20261126T090000Z", "CREATED standup_R20261125T090000")
		h.wantTold(c, want...)
		h.wantSame(c, dana, dana)
		if got := h.row(c, "standup_20261126T090000Z"); got.Series != "standup_R20261125T090000" {
			t.Errorf("the exception is of series %q", got.Series)
		}

		// The second half goes with what was changed of it; the first stays.
		h.serve("delete", dana, "standup_R20261125T090000", nil)
		h.syncs(w, c, calsync.OutcomeRead)
		want = append(want, "DELETED standup_20261126T090000Z", "DELETED standup_R20261125T090000")
		h.wantToldInAnyOrder(c, want...)
		h.syncs(w, c, calsync.OutcomeRead)
		h.wantToldInAnyOrder(c, want...)
		h.wantSame(c, dana, dana)
	})
}

// wantToldInAnyOrder is wantTold for what one sync tells in the order in which Google lists it.
func (h *googleFixture) wantToldInAnyOrder(c model.Connection, want ...string) {
	h.Helper()
	if got := h.told(c); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		h.Errorf("told %q, want %q", got, want)
	}
}

// Somebody is invited to one date of a series only, and later to all of it: the date was there before the series is. It
// is told as something new, and from then on by its changes.
func TestAnExceptionWithoutItsSeries(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		h, w, c := newFollower(t, open)
		h.calendar.SetSwitches(calendar.Switches{SeriesLast: true})
		if err := h.calendar.AddAccount(calendar.Account{Email: noam, TimeZone: "UTC"}); err != nil {
			t.Fatal(err)
		}
		h.insert(noam, "primary", and(times(22, 9), map[string]any{"id": "board", "summary": "board",
			"recurrence": []any{"RRULE:FREQ=DAILY;COUNT=5"}}))
		invited := map[string]any{"attendees": []any{map[string]any{"email": dana}}}
		h.serve("patch", noam, "board_20261124T090000Z", invited)
		h.syncs(w, c, calsync.OutcomeRead)
		h.wantSame(c, dana, dana)
		told := []string{"UPDATED CONNECTION", "CREATED board_20261124T090000Z"} // nothing was there that could be updated
		h.wantTold(c, told...)
		if got := h.row(c, "board_20261124T090000Z"); got.Kind != model.EventChanged || got.Series != "board" {
			t.Errorf("the row is %+v", got)
		}
		h.client.PageSize = 1 // the exception is on an earlier page than its series
		h.serve("patch", noam, "board", and(invited, map[string]any{"summary": "the board"}))
		h.syncs(w, c, calsync.OutcomeRead)
		h.wantSame(c, dana, dana)
		h.wantToldInAnyOrder(c, append(told, "CREATED board", "UPDATED board_20261124T090000Z")...)
		h.calendar.ExpireSyncTokens(dana)
		h.syncs(w, c, calsync.OutcomeReset)
		h.wantSame(c, dana, dana)
		h.wantToldInAnyOrder(c, append(told, "CREATED board", "UPDATED board_20261124T090000Z")...)
	})
}

// A change of reminders moves an event's etag alone; it is a change like another.
func TestAnEtagWithoutUpdated(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		h, w, c := newFollower(t, open)
		id := h.others(dana, "dentist")
		h.syncs(w, c, calsync.OutcomeRead)
		before := h.row(c, id)
		h.serve("patch", dana, id, map[string]any{"reminders": map[string]any{"useDefault": false,
			"overrides": []any{map[string]any{"method": "popup", "minutes": 45}}}})
		for range 2 {
			h.syncs(w, c, calsync.OutcomeRead)
		}
		if now := h.row(c, id); now.Version == before.Version || !now.UpdatedAt.Equal(before.UpdatedAt) {
			t.Errorf("before %+v, now %+v", before, now)
		}
		h.wantSame(c, dana, dana)
		h.wantTold(c, "UPDATED CONNECTION", "CREATED "+id, "UPDATED "+id)
	})
}

// In each of the ways in which Google ends a place, what has happened meanwhile is told, once, and nothing else.
func TestPlacesThatEnd(t *testing.T) {
	for name, end := range map[string]func(h *googleFixture) error{
		"by age": func(h *googleFixture) error {
			h.clock.Advance(31 * 24 * time.Hour)
			return nil
		},
		"by a change of rights": func(h *googleFixture) error { return h.calendar.Share(dana, dana, "owner") },
		"on demand": func(h *googleFixture) error {
			h.calendar.ExpireSyncTokens(dana)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			eachPlug(t, func(t *testing.T, open stores) {
				h := newGoogle(t, open(t, 1)[0])
				w := h.worker(h.store)
				c := h.link(w, "dana", dana)
				ids := []string{h.others(dana, "stays"), h.others(dana, "changes"), h.others(dana, "goes")}
				h.run(w)
				h.sync(calsync.OutcomeBegun)
				h.serve("patch", dana, ids[1], map[string]any{"summary": "changed"})
				h.serve("delete", dana, ids[2], nil)
				made := h.others(dana, "new")
				if err := end(h); err != nil {
					t.Fatal(err)
				}
				h.client.PageSize = 2
				h.syncs(w, c, calsync.OutcomeReset)
				want := []string{"UPDATED CONNECTION", "UPDATED " + ids[1], "CREATED " + made, "DELETED " + ids[2]}
				h.wantToldInAnyOrder(c, want...)
				h.syncs(w, c, calsync.OutcomeRead)
				h.wantToldInAnyOrder(c, want...)
				h.wantSame(c, dana, dana)
			})
		})
	}
}

// betweenPages has something happen once, when another page is to be read.
type betweenPages struct {
	calsync.Calendar
	happens func()
}

func (b *betweenPages) Sync(ctx context.Context, c model.Connection, remote string,
	place gcal.SyncPlace) (gcal.SyncPage, error) {
	page, err := b.Calendar.Sync(ctx, c, remote, place)
	if page.Next != "" && b.happens != nil {
		b.happens()
		b.happens = nil
	}
	return page, err
}

// A page that dies in the middle, of a reading from the start or of what has changed, by 400 or by 410, costs another
// reading; nothing is lost, and nothing told twice.
func TestPagesThatDie(t *testing.T) {
	for _, gone := range []bool{false, true} {
		for _, first := range []bool{false, true} {
			t.Run(fmt.Sprintf("gone %v, first %v", gone, first), func(t *testing.T) {
				eachPlug(t, func(t *testing.T, open stores) {
					h := newGoogle(t, open(t, 1)[0])
					h.calendar.SetSwitches(calendar.Switches{DeadPagesAreGone: gone, PageBeforeFilter: true})
					h.client.PageSize = 2
					w := h.worker(h.store)
					between := &betweenPages{Calendar: h.client}
					w.Calendar = between
					c := h.link(w, "dana", dana)
					var ids []string
					for i := range 5 {
						ids = append(ids, h.others(dana, fmt.Sprint("event ", i)))
					}
					dies := func() {
						h.calendar.ExpirePageTokens(dana)
						h.serve("patch", dana, ids[0], map[string]any{"summary": "between the pages"})
					}
					if first {
						between.happens = dies
					}
					h.run(w)
					h.sync(calsync.OutcomeBegun)
					want := []string{"UPDATED CONNECTION"}
					if !first {
						for _, id := range ids {
							h.serve("patch", dana, id, map[string]any{"summary": "another name"})
							want = append(want, "UPDATED "+id)
						}
						want = append(want, "UPDATED "+ids[0])
						between.happens = dies
						h.syncs(w, c, calsync.OutcomeReset)
					}
					for range 2 {
						h.syncs(w, c, calsync.OutcomeRead)
					}
					if between.happens != nil {
						t.Error("there was one page only")
					}
					h.wantSame(c, dana, dana)
					h.wantToldInAnyOrder(c, want...)
				})
			})
		}
	}
}

// Of holidays Google does not tell; they are asked for, and the account's own calendar has its channel.
func TestHolidaysHaveNoPush(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		h := newGoogle(t, open(t, 1)[0])
		if err := errors.Join(h.calendar.AddAccount(calendar.Account{Email: dana, TimeZone: "UTC"}),
			h.server.AddAccount(standin.Account{Email: dana})); err != nil {
			t.Fatal(err)
		}
		holidays, err := h.calendar.AddCalendar(dana, calendar.Calendar{Summary: "Holidays", AccessRole: "reader",
			WithoutPush: true, Selected: true})
		if err != nil {
			t.Fatal(err)
		}
		h.insert(dana, holidays, and(times(23, 9), map[string]any{"summary": "hanukkah"}))
		w := h.worker(h.store)
		w.Push = &calsync.PushOptions{Address: address, Box: newBox(t, 1), NewID: clock.NewIDs(h.clock.Now, rand.Reader).New}
		c := h.link(w, "dana", dana)
		h.run(w)
		for range 2 {
			h.sync(calsync.OutcomeBegun)
		}
		channels := func() (all []string) {
			states, err := h.store.SyncStates(t.Context(), c.User, c.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, state := range states {
				if len(state.Channel) > 1 {
					all = append(all, state.Calendar)
				}
			}
			return all
		}
		if got := channels(); !slices.Equal(got, []string{""}) {
			t.Errorf("channels are open for %q", got)
		}
		h.insert(dana, holidays, and(times(24, 9), map[string]any{"summary": "purim"}))
		h.clock.Advance(10 * time.Minute)
		if err := w.Notify(t.Context(), c.User, c.ID, holidays); err != nil {
			t.Fatal(err)
		}
		if got := h.sync(calsync.OutcomeRead); got.Changes != 1 {
			t.Errorf("%+v", got)
		}
		h.wantSame(c, dana, dana)
		h.wantSame(c, dana, holidays)
	})
}

// Who may only see when a calendar is busy keeps nothing of it, whichever is noticed first: the new rights in the list
// of calendars, or in the calendar's own answer. When the details may be seen again, they are read again.
func TestDetailsThatMayNotBeSeenAnyMore(t *testing.T) {
	for _, listFirst := range []bool{false, true} {
		t.Run(fmt.Sprint("list first ", listFirst), func(t *testing.T) {
			eachPlug(t, func(t *testing.T, open stores) {
				h := newGoogle(t, open(t, 1)[0])
				if err := errors.Join(h.calendar.AddAccount(calendar.Account{Email: dana, TimeZone: "UTC"}),
					h.calendar.AddAccount(calendar.Account{Email: noam, TimeZone: "UTC"}),
					h.server.AddAccount(standin.Account{Email: dana}), h.calendar.Share(noam, dana, "reader")); err != nil {
					t.Fatal(err)
				}
				h.insert(noam, "primary", and(times(23, 9), map[string]any{"id": "secret0", "summary": "secret",
					"recurrence": []any{"RRULE:FREQ=DAILY;COUNT=5"}}))
				h.insert(noam, "primary", and(times(24, 9), map[string]any{"id": "secret1", "summary": "secret"}))
				w := h.worker(h.store)
				lists := make(chan calsync.Report, 100)
				w.Observe = func(l calsync.Report) {
					if l.List {
						lists <- l
					} else {
						h.reports <- l
					}
				}
				c := h.link(w, "dana", dana)
				h.run(w)
				<-lists
				for range 2 {
					h.sync(calsync.OutcomeBegun)
				}
				h.wantSame(c, dana, noam)
				told := h.told(c)
				notify := func(feed string) {
					t.Helper()
					h.clock.Advance(10 * time.Minute)
					if err := w.Notify(t.Context(), c.User, c.ID, feed); err != nil {
						t.Fatal(err)
					}
				}
				if err := h.calendar.Share(noam, dana, "freeBusyReader"); err != nil {
					t.Fatal(err)
				}
				if !listFirst {
					notify(noam)
					h.sync(calsync.OutcomeGone)
					if got := h.copied(c, noam); len(got) != 0 {
						t.Errorf("the copy has %q", got)
					}
				}
				if got := h.said(dana, noam); len(got) != 2 || strings.Contains(strings.Join(got, " "), "secret ") {
					t.Errorf("the stand-in says %q", got)
				}
				notify(model.CalendarListFeed)
				<-lists
				if got := h.copied(c, noam); len(got) != 0 {
					t.Errorf("the copy has %q", got)
				}
				if more, err := h.store.EraseEvents(t.Context(), c.User, 1); more || err != nil {
					t.Errorf("events are left to be erased, %v", err)
				}
				h.wantTold(c, told...)
				if err := h.calendar.Share(noam, dana, "reader"); err != nil {
					t.Fatal(err)
				}
				notify(model.CalendarListFeed)
				<-lists
				h.sync(calsync.OutcomeBegun)
				h.wantSame(c, dana, noam)
				h.wantTold(c, append(told, "UPDATED CONNECTION")...)
			})
		})
	}
}

// An answer to a write of our own that is lost, and one to a sync: what was done is told once.
func TestLostAnswers(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		h, w, c := newFollower(t, open)
		h.server.Inject(standin.Fault{Method: "calendar.events.insert", LoseAnswer: true, Times: 1})
		at := h.clock.Now()
		add := func() (model.Event, error) {
			made, _, err := h.client.Insert(t.Context(), c, "", gcal.NewEvent{SourceID: "almanac0001", Event: model.Event{
				Summary: "ours", Start: model.EventTime{At: at, Zone: "UTC"},
				End: model.EventTime{At: at.Add(time.Hour), Zone: "UTC"}}})
			return made, err
		}
		made, err := add()
		if err == nil { // it was asked again, and found
			h.logOwn(c, made.Ref, model.OperationCreated, made.Version)
		} else if !errors.Is(err, gcal.ErrUnknownOutcome) {
			t.Fatal(err)
		}
		h.server.Inject(standin.Fault{Method: "calendar.events.list", LoseAnswer: true, Times: 1})
		h.server.Inject(standin.Fault{Method: "calendar.events.list", Status: http.StatusServiceUnavailable, Times: 1})
		h.syncs(w, c, calsync.OutcomeRead)
		if made, err = add(); err != nil || made.Ref.Event != "almanac0001" {
			t.Fatalf("repeated: %+v, %v", made.Ref, err)
		}
		h.syncs(w, c, calsync.OutcomeRead)
		h.wantSame(c, dana, dana)
		h.wantTold(c, "UPDATED CONNECTION", "CREATED almanac0001")
	})
}

// Of an expired account each sync says so, also one that comes when another has found it out and lets the calendar
// rest.
func TestSyncsOfAnExpiredAccountSaySo(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		h, w, c := newFollower(t, open)
		if err := w.Refresh(t.Context(), c, ""); err != nil {
			t.Fatal(err)
		}
		h.server.RevokeGrant(dana)
		for i := range 3 {
			if err := w.Refresh(t.Context(), c, ""); model.CodeOf(err) != model.CodeNotConnected {
				t.Errorf("sync %d: %v", i, err)
			}
		}
		unknown := c
		unknown.ID = model.UUID{1}
		if err := w.Refresh(t.Context(), unknown, ""); model.CodeOf(err) != model.CodeNotFound {
			t.Errorf("of no account: %v", err)
		}
	})
}

// many is how many events a large calendar has. They are read in eight pages, as 20,000 are with Google's 2,500 a page.
// So many take the race detector too long; `-run TestALargeCalendarOfGoogle -many 20000` reads them.
var many = flag.Int("many", 2_000, "how many events the large calendar has")

// A calendar of very many events, a hundredth of them series, is read in pages, and read anew without a word but for
// what has changed. It is judged by all that the stand-in has, and by the stand-in's own expansion of a week.
func TestALargeCalendarOfGoogle(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		h := newGoogle(t, open(t, 1)[0])
		h.client.PageSize = *many / 8
		w := h.worker(h.store)
		w.Auditor = h.client
		c := h.link(w, "dana", dana)
		for i := range *many {
			event := and(times(1+i%28, i%24), map[string]any{"id": fmt.Sprintf("event%05d", i),
				"summary": fmt.Sprint("event ", i)})
			if i%100 == 50 {
				event["recurrence"] = []any{"RRULE:FREQ=WEEKLY;COUNT=30"}
			}
			h.insert(dana, "primary", event)
		}
		began := time.Now()
		h.run(w)
		h.sync(calsync.OutcomeBegun)
		t.Logf("%d events were read from the start in %v", *many, time.Since(began))
		h.wantSame(c, dana, dana)
		h.serve("delete", dana, "event00000", nil)
		last := fmt.Sprintf("event%05d", *many-1)
		h.serve("patch", dana, last, map[string]any{"summary": "the last"})
		h.calendar.ExpireSyncTokens(dana)
		began = time.Now()
		h.syncs(w, c, calsync.OutcomeReset)
		t.Logf("and anew in %v", time.Since(began))
		h.wantSame(c, dana, dana)
		h.wantToldInAnyOrder(c, "UPDATED CONNECTION", "UPDATED "+last, "DELETED event00000")
		h.clock.Advance(24 * time.Hour)
		if got := h.syncs(w, c, calsync.OutcomeRead); got.Audit != calsync.AuditSame || got.Differences != 0 {
			t.Errorf("held against Google's listing of a week: %+v", got)
		}
	})
}
