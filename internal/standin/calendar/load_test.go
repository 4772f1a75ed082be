package calendar

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"almanac/internal/standin/wire"
)

func TestConcurrentCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.weekly(object{"id": "standup", "attendees": []object{{"email": ben}, {"email": clara}}})
	people := []string{ada, ben, clara}
	serve := func(method, as, id string, body object) error {
		_, err := w.s.Serve(wire.Call{
			Method: "calendar." + method, Account: as, Path: map[string]string{"calendarId": "primary", "eventId": id},
			Query: map[string][]string{"sendUpdates": {"all"}}, Body: body, Now: w.now,
		})
		return err
	}
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			as := people[i%3]
			for n := range 6 {
				id := "abc" + strconv.FormatInt(int64(1<<20+i*1000+n), 32)
				if err := serve("events.insert", as, "", with(allDay("2026-03-10", "2026-03-11"),
					object{"id": id, "attendees": []any{object{"email": ben}}})); err != nil {
					t.Error(err)
				}
				for _, err := range []error{
					serve("events.list", as, "", nil), serve("events.patch", as, id, object{"summary": id}),
					serve("events.get", as, "standup", nil),
					serve("events.instances", as, "standup", nil),
					serve("events.patch", as, "standup_20260309T070000Z", object{"colorId": "3"}),
				} {
					if err != nil {
						t.Error(err)
					}
				}
				w.s.Notifications()
				if n%3 == 0 {
					w.snapshotQuietly()
				}
			}
		})
	}
	wg.Wait()
	same(t, "ada's events", len(w.list("maxResults=2500&iCalUID=standup@google.com")) > 0, true)
	counted := 0
	for _, e := range w.list("maxResults=2500") {
		if textOf(objectOf(e, "organizer"), "email") == ada && textOf(e, "recurringEventId") == "" {
			counted++
		}
	}
	same(t, "nothing was lost", counted, 4*6+1)
}

func (w *world) snapshotQuietly() {
	var n counter
	if err := w.s.Snapshot(&n); err != nil {
		w.t.Error(err)
	}
}

type counter int

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}

func TestConcurrentInsertsOfOneID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	won := make(chan bool, 20)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			_, err := w.s.Insert(ada, "primary", with(allDay("2026-03-10", "2026-03-11"), object{"id": "chosen"}))
			won <- err == nil
		})
	}
	wg.Wait()
	close(won)
	wins := 0
	for one := range won {
		if one {
			wins++
		}
	}
	same(t, "one wins", wins, 1)
}

// crowded returns a calendar with so many events, 200 of them endless series.
func crowded(t testing.TB, events int) *world {
	t.Helper()
	w := newWorld(t)
	begin := time.Date(2020, 1, 1, 8, 0, 0, 0, time.UTC)
	for i := range events {
		start := begin.Add(time.Duration(i) * 7 * time.Hour)
		body := timed(start.Format(time.RFC3339), start.Add(time.Hour).Format(time.RFC3339), "Asia/Jerusalem")
		if i < 200 {
			body["recurrence"] = []string{[]string{"RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE", "RRULE:FREQ=MONTHLY",
				"RRULE:FREQ=YEARLY"}[i%4]}
		}
		if _, err := w.s.Insert(ada, "primary", body); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func TestCrowdedCalendar(t *testing.T) {
	t.Parallel()
	w := crowded(t, 1500)
	items := w.list(
		"singleEvents=true&orderBy=startTime&maxResults=2500&timeMin=2026-03-09T00:00:00Z&timeMax=2026-03-16T00:00:00Z")
	if len(items) < 50*7+50*2 {
		t.Errorf("%d rows", len(items))
	}
	for i := 1; i < len(items); i++ {
		if starts(items)[i] < starts(items)[i-1] {
			t.Fatal("out of order")
		}
	}
}

func BenchmarkWeekOfACrowdedCalendar(b *testing.B) {
	w := crowded(b, 10_000)
	call := wire.Call{
		Method: "calendar.events.list", Account: ada, Path: map[string]string{"calendarId": "primary"}, Now: w.now,
		Query: map[string][]string{
			"singleEvents": {"true"}, "orderBy": {"startTime"}, "timeMin": {"2026-03-09T00:00:00Z"},
			"timeMax": {"2026-03-16T00:00:00Z"},
		},
	}
	for b.Loop() {
		if _, err := w.s.Serve(call); err != nil {
			b.Fatal(err)
		}
	}
}
