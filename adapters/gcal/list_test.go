package gcal

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/internal/standin/calendar"
	standin "almanac/internal/standin/google"
)

func summaries(events []model.Event) string {
	var all []string
	for _, e := range events {
		all = append(all, e.Summary)
	}
	return strings.Join(all, " ")
}

func TestEveryPageIsRead(t *testing.T) {
	for name, switches := range map[string]calendar.Switches{"full pages": {},
		"pages cut before they are filtered": {PageBeforeFilter: true}} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, builder{switches: switches})
			start := at(t, "2026-12-01T08:00:00Z")
			for i := range 600 {
				begin := start.Add(time.Duration(i) * time.Hour)
				body := map[string]any{
					"id": fmt.Sprintf("page%05d", i), "summary": fmt.Sprint(i),
					"start": map[string]any{"dateTime": begin.Format(time.RFC3339)},
					"end":   map[string]any{"dateTime": begin.Add(time.Hour).Format(time.RFC3339)},
				}
				if _, err := h.service.Insert(me, "primary", body); err != nil {
					t.Fatal(err)
				}
				if i%3 == 0 { // tombstones take room on pages that are cut before they are filtered
					if _, err := h.Delete(t.Context(), h.connection, model.EventRef{Connection: 1, Event: fmt.Sprintf("page%05d", i)},
						ChangeOptions{}); err != nil {
						t.Fatal(err)
					}
				}
			}
			h.PageSize = 100
			h.server.Reset()
			h.server.Inject(standin.Fault{Method: "calendar.events.list", EmptyPage: true, After: 1, Times: 2})
			got, err := h.Events(t.Context(), h.connection, "", Query{From: start, Fields: FieldSummary})
			if err != nil || len(got.Events) != 400 || got.More {
				t.Fatalf("read %d events, more: %t, %v", len(got.Events), got.More, err)
			}
			for i, e := range got.Events {
				if want := fmt.Sprint(i/2*3 + i%2 + 1); e.Summary != want {
					t.Fatalf("event %d is %s, want %s", i, e.Summary, want)
				}
			}
			if pages := len(h.requests("list")); pages < 6 {
				t.Errorf("read in %d pages", pages)
			}

			h.server.Clear()
			h.PageSize = 0
			h.server.Reset()
			few, err := h.Events(t.Context(), h.connection, "", Query{From: start, Fields: FieldSummary, Limit: 10})
			if err != nil || !few.More || !slices.EqualFunc(few.Events, got.Events[:10],
				func(a, b model.Event) bool { return a.Ref == b.Ref }) {
				t.Errorf("the first ten are %s (more: %t), %v", summaries(few.Events), few.More, err)
			}
			if size := query(t, h.requests("list")[0], "maxResults"); size != "11" {
				t.Errorf("asked for %s events to give ten", size)
			}
			even := func(e model.Event) bool { return strings.HasSuffix(e.Summary, "0") }
			kept, err := h.Events(t.Context(), h.connection, "", Query{From: start, Fields: FieldSummary, Limit: 3, Keep: even})
			if err != nil || !kept.More || summaries(kept.Events) != "10 20 40" {
				t.Errorf("kept %s (more: %t), %v", summaries(kept.Events), kept.More, err)
			}
		})
	}
}

func TestALimitCutsEqualStartsById(t *testing.T) {
	h := newHarness(t, builder{})
	// in the stand-in's order those made first come first
	for _, id := range []string{"ddddd", "aaaaa", "ccccc", "bbbbb"} {
		e := h.event(id)
		if _, _, err := h.Insert(t.Context(), h.connection, "", NewEvent{Event: e, SourceID: id}); err != nil {
			t.Fatal(err)
		}
	}
	for limit, want := range map[int]string{0: "aaaaa bbbbb ccccc ddddd", 1: "aaaaa", 2: "aaaaa bbbbb",
		4: "aaaaa bbbbb ccccc ddddd"} {
		got, err := h.Events(t.Context(), h.connection, "",
			Query{From: at(t, "2026-11-22T00:00:00Z"), Fields: FieldSummary, Limit: limit})
		if err != nil || summaries(got.Events) != want || got.More != (limit == 1 || limit == 2) {
			t.Errorf("limit %d gives %q (more: %t), %v", limit, summaries(got.Events), got.More, err)
		}
	}
}

func TestTheWindowIsExact(t *testing.T) {
	h := newHarness(t, builder{zone: "UTC"})
	put := func(summary, start, end string) {
		h.make(model.Event{Summary: summary, Start: timed(t, start, "UTC"), End: timed(t, end, "UTC")})
	}
	put("before", "2026-11-22T08:00:00Z", "2026-11-22T09:00:00Z")
	put("over", "2026-11-22T08:30:00Z", "2026-11-22T09:00:01Z")
	put("in", "2026-11-22T09:30:00Z", "2026-11-22T10:00:00Z")
	put("late", "2026-11-22T11:59:59Z", "2026-11-22T13:00:00Z")
	put("after", "2026-11-22T12:00:00Z", "2026-11-22T13:00:00Z")
	for name, c := range map[string]struct {
		from, to time.Time
		want     string
	}{
		"whole seconds":    {at(t, "2026-11-22T09:00:00Z"), at(t, "2026-11-22T12:00:00Z"), "over in late"},
		"a moment earlier": {at(t, "2026-11-22T09:00:00Z").Add(-1), at(t, "2026-11-22T12:00:00Z"), "before over in late"},
		"a moment later": {at(t, "2026-11-22T09:00:00Z").Add(1), at(t, "2026-11-22T12:00:00Z").Add(1),
			"over in late after"},
		"a second":      {at(t, "2026-11-22T09:00:01Z"), at(t, "2026-11-22T11:59:59Z"), "in"},
		"half a second": {at(t, "2026-11-22T09:00:00.5Z"), at(t, "2026-11-22T11:59:59.5Z"), "over in late"},
		"no end":        {at(t, "2026-11-22T11:00:00Z"), time.Time{}, "late after"},
		"no beginning":  {time.Time{}, at(t, "2026-11-22T09:00:00Z"), "before over"},
	} {
		got, err := h.Events(t.Context(), h.connection, "", Query{From: c.from, To: c.to, Fields: FieldSummary})
		if err != nil || summaries(got.Events) != c.want {
			t.Errorf("%s: %q, want %q (%v)", name, summaries(got.Events), c.want, err)
		}
	}
	_, err := h.Events(t.Context(), h.connection, "",
		Query{From: at(t, "2026-11-22T09:00:00Z"), To: at(t, "2026-11-22T09:00:00Z")})
	code(t, err, model.CodeBadUserInput)
}

// TestZones reads a day of the calendar in many zones: what it holds, in which order, and at which instants.
func TestZones(t *testing.T) {
	for _, c := range []struct{ name, zone, day string }{
		{"winter", "Asia/Jerusalem", "2026-11-22"},
		{"clocks go forward", "Asia/Jerusalem", "2026-03-27"},
		{"clocks go back", "Asia/Jerusalem", "2026-10-25"},
		{"forward in New York", "America/New_York", "2026-03-08"},
		{"back in New York", "America/New_York", "2026-11-01"},
		{"half an hour on Lord Howe", "Australia/Lord_Howe", "2026-04-05"},
		{"UTC+14", "Pacific/Kiritimati", "2026-11-22"},
		{"UTC-11", "Pacific/Pago_Pago", "2026-11-22"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, builder{zone: c.zone})
			zone := h.zoneOr(c.zone)
			today := day(t, c.day)
			tomorrow := model.EventTime{Date: today.Date.AddDays(1)}
			begin, end := startsAt(today, zone), startsAt(tomorrow, zone)
			clock := func(at time.Time) model.EventTime { return model.EventTime{At: at, Zone: c.zone} }
			h.make(model.Event{Summary: "last", Start: clock(end.Add(-time.Minute)), End: clock(end)})
			h.make(model.Event{Summary: "midnight", Start: clock(begin), End: clock(begin.Add(time.Minute))})
			h.make(model.Event{Summary: "all-day", Start: today, End: tomorrow})
			h.make(model.Event{Summary: "days", Start: model.EventTime{Date: today.Date.AddDays(-2)},
				End: model.EventTime{Date: today.Date.AddDays(3)}})
			h.make(model.Event{Summary: "yesterday", Start: model.EventTime{Date: today.Date.AddDays(-1)}, End: today})
			h.make(model.Event{Summary: "tomorrow", Start: tomorrow, End: model.EventTime{Date: today.Date.AddDays(2)}})
			h.make(model.Event{Summary: "until midnight", Start: clock(begin.Add(-time.Hour)), End: clock(begin)})
			h.make(model.Event{Summary: "from midnight", Start: clock(end), End: clock(end.Add(time.Hour))})
			h.make(model.Event{Summary: "over midnight", Start: clock(begin.Add(-time.Hour)),
				End: clock(begin.Add(time.Second))})
			got, err := h.Events(t.Context(), h.connection, "", Query{From: begin, To: end, Fields: FieldSummary})
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for i, e := range got.Events {
				found = append(found, e.Summary)
				if i > 0 && startsAt(e.Start, zone).Before(startsAt(got.Events[i-1].Start, zone)) {
					t.Errorf("%s comes after %s", e.Summary, found[i-1])
				}
			}
			slices.Sort(found)
			if want := "all-day days last midnight over midnight"; strings.Join(found, " ") != want {
				t.Errorf("the day holds %v, want %s", found, want)
			}
			if got.Events[0].Summary != "days" || got.Events[len(found)-1].Summary != "last" {
				t.Errorf("in order: %s", summaries(got.Events))
			}
		})
	}
}

// TestTooManyEvents answers with pages without end.
func TestTooManyEvents(t *testing.T) {
	for name, c := range map[string]struct {
		items int
		token string // of the next page; the page's number when empty
		code  model.ErrorCode
		pages int
	}{
		"full pages":               {items: 2500, code: model.CodeBadUserInput, pages: 5},
		"empty pages":              {code: model.CodeUpstreamUnavailable, pages: maxPages},
		"a page that names itself": {items: 1, token: "again", code: model.CodeUpstreamUnavailable, pages: maxSame + 2},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, builder{})
			item := `{"id":"abcde","start":{"date":"2026-11-22"},"end":{"date":"2026-11-23"}}`
			items := strings.TrimSuffix(strings.Repeat(item+",", c.items), ",")
			pages := 0
			h.base = transport(func(r *http.Request) (*http.Response, error) {
				pages++
				token := c.token
				if token == "" {
					token = fmt.Sprint(pages)
				}
				body := `{"timeZone":"UTC","nextPageToken":"` + token + `","items":[` + items + `]}`
				return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
					Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
			})
			_, err := h.Events(t.Context(), h.connection, "", Query{})
			code(t, err, c.code)
			if pages != c.pages {
				t.Errorf("read %d pages, want %d", pages, c.pages)
			}
		})
	}
}

func TestInstances(t *testing.T) {
	for name, switches := range map[string]calendar.Switches{"refused for single events": {},
		"a single event lists itself": {SingleAsInstances: true}} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, builder{switches: switches})
			series := h.make(h.event("Training", "RRULE:FREQ=WEEKLY;BYDAY=SU;COUNT=6"))
			got, err := h.Instances(t.Context(), h.connection, series.Ref, Query{Fields: FieldSummary})
			if err != nil || len(got.Events) != 6 || got.More {
				t.Fatalf("got %d, %v", len(got.Events), err)
			}
			third := got.Events[2]
			if !third.IsOccurrence() || third.RecurringEventID != series.Ref.Event ||
				!third.OriginalStart.At.Equal(at(t, "2026-12-06T16:00:00Z")) {
				t.Errorf("the third is %+v", third)
			}
			// An occurrence moved past the others keeps its identity and finds its place.
			late, lateEnd := timed(t, "2027-01-02T16:00:00Z", "Asia/Jerusalem"),
				timed(t, "2027-01-02T17:00:00Z", "Asia/Jerusalem")
			if _, err := h.Patch(t.Context(), h.connection, third.Ref, Patch{Start: &late, End: &lateEnd},
				ChangeOptions{}); err != nil {
				t.Fatal(err)
			}
			if _, err := h.Delete(t.Context(), h.connection, got.Events[1].Ref, ChangeOptions{}); err != nil {
				t.Fatal(err)
			}
			// by an occurrence's id
			after, err := h.Instances(t.Context(), h.connection, got.Events[0].Ref, Query{Fields: FieldSummary, Limit: 4})
			if err != nil || len(after.Events) != 4 || !after.More {
				t.Fatalf("got %d (more: %t), %v", len(after.Events), after.More, err)
			}
			all, err := h.Instances(t.Context(), h.connection, series.Ref, Query{})
			if err != nil || len(all.Events) != 5 || all.Events[4].Ref != third.Ref {
				t.Fatalf("got %d, %v", len(all.Events), err)
			}
			window, err := h.Instances(t.Context(), h.connection, series.Ref,
				Query{From: at(t, "2026-12-13T17:00:00Z"), To: at(t, "2026-12-27T16:00:00Z")})
			if err != nil || len(window.Events) != 1 {
				t.Errorf("the window holds %d, %v", len(window.Events), err)
			}
			none, err := h.Instances(t.Context(), h.connection, series.Ref, Query{From: at(t, "2028-12-13T17:00:00Z")})
			if err != nil || len(none.Events) != 0 {
				t.Errorf("a window beyond holds %d, %v", len(none.Events), err)
			}

			single := h.make(h.event("Once"))
			_, err = h.Instances(t.Context(), h.connection, single.Ref, Query{})
			code(t, err, model.CodeBadUserInput)
			if !strings.Contains(err.Error(), "does not repeat") {
				t.Errorf("says %v", err)
			}
			_, err = h.Instances(t.Context(), h.connection, single.Ref.CalendarRef().Event("nobody"), Query{})
			code(t, err, model.CodeNotFound)
			_, err = h.Instances(t.Context(), h.connection, series.Ref, Query{Search: "x"})
			code(t, err, model.CodeBadUserInput)
		})
	}
}

func TestCalendars(t *testing.T) {
	h := newHarness(t, builder{})
	h.add("bob@example.com", "Europe/London")
	for i := range 260 {
		if _, err := h.service.AddCalendar(me, calendar.Calendar{Summary: fmt.Sprintf("c%03d", i), AccessRole: "reader",
			Hidden: i == 7}); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.service.Share("bob@example.com", me, "freeBusyReader"); err != nil {
		t.Fatal(err)
	}
	h.server.Inject(standin.Fault{Method: "calendar.calendarList.list", EmptyPage: true, Times: 1})
	got, err := h.Calendars(t.Context(), h.connection)
	if err != nil || len(got) < 261 {
		t.Fatalf("got %d, %v", len(got), err)
	}
	first := got[0]
	if !first.Primary || first.Ref != (model.CalendarRef{Connection: 1}) || first.TimeZone != "Asia/Jerusalem" ||
		first.AccessRole != model.RoleOwner || !first.AccessRole.MayWrite() || len(first.DefaultReminders) != 1 {
		t.Errorf("the first is %+v", first)
	}
	hidden := 0
	for _, c := range got[1:] {
		if c.Hidden {
			hidden++
		}
		if c.Primary || c.Ref.Calendar == "" || c.Account != me {
			t.Errorf("got %+v", c)
		}
	}
	if hidden != 1 {
		t.Errorf("%d hidden ones", hidden)
	}
}

func TestFreeBusy(t *testing.T) {
	h := newHarness(t, builder{})
	other, err := h.service.AddCalendar(me, calendar.Calendar{Summary: "Work"})
	if err != nil {
		t.Fatal(err)
	}
	h.make(h.event("Swimming"))
	e := h.event("Meeting")
	e.Ref.Calendar = other
	h.make(e)
	ask := []string{"", other, other, "stranger@example.com"}
	for i := range 110 {
		ask = append(ask, fmt.Sprintf("nobody%d@example.com", i))
	}
	h.server.Reset()
	h.server.Inject(standin.Fault{Method: "calendar.freebusy.query", Status: 503, Times: 1})
	busy, problems, err := h.FreeBusy(t.Context(), h.connection, ask, at(t, "2026-11-22T00:00:00Z"),
		at(t, "2026-11-23T00:00:00Z"))
	if err != nil || len(busy) != 2 || len(problems) != 111 {
		t.Fatalf("%d busy, %d unknown, %v", len(busy), len(problems), err)
	}
	want := model.BusyPeriod{Start: at(t, "2026-11-22T16:00:00Z"), End: at(t, "2026-11-22T17:00:00Z")}
	for _, id := range []string{"", other} {
		if len(busy[id]) != 1 || busy[id][0] != want {
			t.Errorf("%q is busy %v", id, busy[id])
		}
	}
	code(t, problems["stranger@example.com"], model.CodeNotFound)
	if calls := len(slices.DeleteFunc(h.server.Requests(),
		func(r standin.Request) bool { return r.Method != "calendar.freebusy.query" })); calls != 4 {
		t.Errorf("%d calls, want three and a repeat", calls)
	}
	free, _, err := h.FreeBusy(t.Context(), h.connection, []string{""}, at(t, "2026-11-23T00:00:00Z"),
		at(t, "2026-11-24T00:00:00Z"))
	if periods, known := free[""]; err != nil || !known || len(periods) != 0 {
		t.Errorf("a free day is %v (known: %t), %v", periods, known, err)
	}
}

func TestASecondaryCalendar(t *testing.T) {
	h := newHarness(t, builder{})
	work, err := h.service.AddCalendar(me, calendar.Calendar{ID: "work/50%#1@group.calendar.google.com", Summary: "Work",
		TimeZone: "Europe/London"})
	if err != nil {
		t.Fatal(err)
	}
	e := h.event("Meeting")
	e.Ref.Calendar = work
	made := h.make(e)
	if made.Ref.Calendar != work || made.CalendarID != work {
		t.Errorf("made in %+v", made.Ref)
	}
	read, err := h.Event(t.Context(), h.connection, made.Ref, FieldsAll)
	if err != nil || read.CalendarZone != "Europe/London" || read.Start != e.Start {
		t.Errorf("read %+v, %v", read, err)
	}
	if already, err := h.Delete(t.Context(), h.connection, made.Ref, ChangeOptions{IfVersion: read.Version}); err != nil ||
		already {
		t.Errorf("already %t, %v", already, err)
	}
	if already, err := h.Delete(t.Context(), h.connection, made.Ref, ChangeOptions{}); err != nil || !already {
		t.Errorf("a second time: already %t, %v", already, err)
	}
	if already, err := h.Delete(t.Context(), h.connection, made.Ref, ChangeOptions{Known: &read}); err != nil || !already {
		t.Errorf("a third time, unread: already %t, %v", already, err)
	}
	_, err = h.Delete(t.Context(), h.connection, made.Ref.CalendarRef().Event("nobody"),
		ChangeOptions{Known: &model.Event{Type: model.EventDefault}})
	code(t, err, model.CodeNotFound)
}

// TestAnEventWithoutLengthAtTheBound is given, though Google's own bound would leave it out.
func TestAnEventWithoutLengthAtTheBound(t *testing.T) {
	h := newHarness(t, builder{})
	h.base = transport(func(r *http.Request) (*http.Response, error) {
		body := `{"timeZone":"UTC","items":[
			{"id":"ended","summary":"ended","start":{"dateTime":"2026-11-22T08:00:00Z"},"end":{"dateTime":"2026-11-22T09:00:00Z"}},
			{"id":"alarm","summary":"alarm","start":{"dateTime":"2026-11-22T09:00:00Z"},"end":{"dateTime":"2026-11-22T09:00:00Z"}},
			{"id":"early","summary":"early","start":{"dateTime":"2026-11-22T08:59:59.5Z"},"end":{"dateTime":"2026-11-22T08:59:59.5Z"}},
			{"id":"open","summary":"open","start":{"dateTime":"2026-11-22T09:30:00Z"}},
			{"id":"bare","status":"cancelled"}]}`
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
			Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	})
	got, err := h.Events(t.Context(), h.connection, "", Query{From: at(t, "2026-11-22T09:00:00Z"), Fields: FieldSummary})
	if err != nil || summaries(got.Events) != "alarm open" {
		t.Errorf("got %q, %v", summaries(got.Events), err)
	}
}
