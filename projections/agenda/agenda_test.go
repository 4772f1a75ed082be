package agenda_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/agenda"
	"almanac/projections/when"
)

func zoneOf(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := when.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// timeOf reads a date, or a time as the zone's clocks show it; nothing for "".
func timeOf(t testing.TB, text string, zone *time.Location) model.EventTime {
	t.Helper()
	if text == "" {
		return model.EventTime{}
	}
	if date, err := model.ParseDate(text); err == nil {
		return model.EventTime{Date: date}
	}
	in, err := model.ParseDateTimeInput(text)
	if err != nil {
		t.Fatal(err)
	}
	return model.EventTime{At: when.Resolve(in, zone)}
}

// days is a window of days of the zone, the last exclusive.
func days(t testing.TB, from, to string, zone *time.Location) agenda.Window {
	t.Helper()
	return agenda.Window{From: when.StartOfDate(timeOf(t, from, zone).Date, zone),
		To: when.StartOfDate(timeOf(t, to, zone).Date, zone)}
}

func TestWhichEventsLieInAWindow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		zone, start, end string
		want             bool
	}{
		{"Asia/Jerusalem", "2026-01-20T00:00", "2026-01-20T01:00", true},
		{"Asia/Jerusalem", "2026-01-20T23:00", "2026-01-21T01:00", true},  // across the end
		{"Asia/Jerusalem", "2026-01-19T23:00", "2026-01-20T01:00", true},  // across the beginning
		{"Asia/Jerusalem", "2026-01-01T00:00", "2026-02-01T00:00", true},  // across both
		{"Asia/Jerusalem", "2026-01-19T23:00", "2026-01-20T00:00", false}, // touches
		{"Asia/Jerusalem", "2026-01-21T00:00", "2026-01-21T01:00", false},
		{"Asia/Jerusalem", "2026-01-20T00:00", "2026-01-20T00:00", true}, // without length
		{"Asia/Jerusalem", "2026-01-21T00:00", "2026-01-21T00:00", false},
		{"Asia/Jerusalem", "2026-01-20T10:00", "", true},
		{"Asia/Jerusalem", "2026-01-20", "2026-01-21", true},
		{"Asia/Jerusalem", "2026-01-19", "2026-01-20", false},
		{"Asia/Jerusalem", "2026-01-21", "2026-01-22", false},
		{"Asia/Jerusalem", "2026-01-18", "2026-01-25", true},
		// A date is a day where the viewer is.
		{"Pacific/Kiritimati", "2026-01-20", "2026-01-21", true},
		{"Pacific/Kiritimati", "2026-01-19", "2026-01-20", false},
		{"Pacific/Kiritimati", "2026-01-21", "2026-01-22", false},
		{"Pacific/Pago_Pago", "2026-01-20", "2026-01-21", true},
		{"Pacific/Pago_Pago", "2026-01-19", "2026-01-20", false},
		{"Pacific/Pago_Pago", "2026-01-21", "2026-01-22", false},
		{"Asia/Jerusalem", "", "", false},
	} {
		zone := zoneOf(t, c.zone)
		event := model.Event{Start: timeOf(t, c.start, zone), End: timeOf(t, c.end, zone)}
		if got := days(t, "2026-01-20", "2026-01-21", zone).Holds(event, zone); got != c.want {
			t.Errorf("%s %s–%s: %v", c.zone, c.start, c.end, got)
		}
	}
	zone := zoneOf(t, "Asia/Jerusalem")
	event := model.Event{Start: timeOf(t, "2026-01-20", zone), End: timeOf(t, "2026-01-21", zone)}
	for _, gone := range []model.Event{{Status: model.EventCancelled}, {Type: model.EventWorkingLocation}} {
		gone.Start, gone.End = event.Start, event.End
		if days(t, "2026-01-20", "2026-01-21", zone).Holds(gone, zone) {
			t.Errorf("%s %s is held", gone.Status, gone.Type)
		}
	}
}

// On days of 23, 24 and 25 hours, and where midnight is skipped, each hour of a year lies in one day, and each date in
// its own.
func TestEveryHourLiesInOneDay(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Asia/Jerusalem", "America/New_York", "Africa/Cairo", "Australia/Lord_Howe",
		"Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Beirut"} {
		zone := zoneOf(t, name)
		for _, first := range []model.Date{{Year: 2026, Month: 3, Day: 6}, {Year: 2026, Month: 3, Day: 26},
			{Year: 2026, Month: 4, Day: 3}, {Year: 2026, Month: 4, Day: 22}, {Year: 2026, Month: 10, Day: 2},
			{Year: 2026, Month: 10, Day: 23}, {Year: 2026, Month: 10, Day: 30}} {
			var windows []agenda.Window
			for day := range 4 {
				windows = append(windows, agenda.Window{From: when.StartOfDate(first.AddDays(day), zone),
					To: when.StartOfDate(first.AddDays(day+1), zone)})
			}
			for at := windows[0].From; at.Before(windows[3].To); at = at.Add(30 * time.Minute) {
				hour := model.Event{Start: model.EventTime{At: at}, End: model.EventTime{At: at.Add(30 * time.Minute)}}
				if n := held(windows, hour, zone); n != 1 {
					t.Errorf("%s %s lies in %d days", name, at.In(zone), n)
				}
			}
			for day := range 4 {
				date := model.Event{Start: model.EventTime{Date: first.AddDays(day)},
					End: model.EventTime{Date: first.AddDays(day + 1)}}
				if n := held(windows, date, zone); n != 1 || !windows[day].Holds(date, zone) {
					t.Errorf("%s %s lies in %d days", name, first.AddDays(day), n)
				}
			}
		}
	}
}

func held(windows []agenda.Window, event model.Event, zone *time.Location) int {
	n := 0
	for _, w := range windows {
		if w.Holds(event, zone) {
			n++
		}
	}
	return n
}

func momentIn(t testing.TB, now string, zone *time.Location) *projections.Moment {
	t.Helper()
	return projections.NewMoment(when.Moment{Now: timeOf(t, now, zone).At, Zone: zone, Locale: "en"})
}

func TestWhichTasksAreDue(t *testing.T) {
	t.Parallel()
	zone := zoneOf(t, "Asia/Jerusalem")
	daily := &model.Recurrence{Type: model.Daily, Time: "08:00"}
	for _, c := range []struct {
		name, now string
		task      model.Task
		overdue   bool
		want      string
	}{
		{"due in it", "2026-01-20T09:00", model.Task{DueAt: timeOf(t, "2026-01-20T10:00", zone).At}, true, "in"},
		{"due earlier today", "2026-01-20T11:00", model.Task{DueAt: timeOf(t, "2026-01-20T10:00", zone).At}, true,
			"in, overdue"},
		{"due earlier today, overdue not wanted", "2026-01-20T11:00",
			model.Task{DueAt: timeOf(t, "2026-01-20T10:00", zone).At}, false, "in, overdue"},
		{"at its first instant", "2026-01-19T09:00", model.Task{DueAt: timeOf(t, "2026-01-20T00:00", zone).At}, true, "in"},
		{"at its end", "2026-01-20T09:00", model.Task{DueAt: timeOf(t, "2026-01-21T00:00", zone).At}, true, ""},
		{"overdue", "2026-01-20T09:00", model.Task{DueAt: timeOf(t, "2026-01-10T10:00", zone).At}, true, "before, overdue"},
		{"overdue, not wanted", "2026-01-20T09:00", model.Task{DueAt: timeOf(t, "2026-01-10T10:00", zone).At}, false, ""},
		{"before the window, yet to come", "2026-01-18T09:00", model.Task{DueAt: timeOf(t, "2026-01-19T10:00", zone).At},
			true, ""},
		{"done", "2026-01-20T09:00", model.Task{DueAt: timeOf(t, "2026-01-20T10:00", zone).At, CompletedAt: time.Unix(1, 0)},
			true, ""},
		{"no date", "2026-01-20T09:00", model.Task{}, true, ""},
		{"no date, reminds", "2026-01-20T09:00", model.Task{NextReminderAt: timeOf(t, "2026-01-20T10:00", zone).At}, true,
			""},
		{"repeats", "2026-01-20T09:00", model.Task{Recurrence: daily, NextReminderAt: timeOf(t, "2026-01-20T10:00", zone).At},
			true, "in"},
		{"repeats later", "2026-01-20T09:00",
			model.Task{Recurrence: daily, NextReminderAt: timeOf(t, "2026-01-22T10:00", zone).At}, true, ""},
		{"a nudge with a date", "2026-01-20T09:00", model.Task{Recurrence: &model.Recurrence{Type: model.Nudge},
			DueAt: timeOf(t, "2026-01-20T08:00", zone).At}, true, "in, overdue"},
	} {
		got := ""
		for _, e := range days(t, "2026-01-20", "2026-01-21", zone).Tasks([]model.Task{c.task}, c.overdue,
			momentIn(t, c.now, zone)) {
			if got = "in"; e.Place().Before {
				got = "before"
			}
			if e.Overdue {
				got += ", overdue"
			}
		}
		if got != c.want {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	zone := zoneOf(t, "Asia/Jerusalem")
	at := momentIn(t, "2026-01-20T09:00", zone)
	w := days(t, "2026-01-20", "2026-01-27", zone)
	event := func(title, start, end string) model.Event {
		return model.Event{Ref: model.EventRef{Connection: 1, Event: title}, Summary: title, Start: timeOf(t, start, zone),
			End: timeOf(t, end, zone)}
	}
	task := func(n byte, text, due string) model.Task {
		return model.Task{ID: model.UUID{n}, Text: text, DueAt: timeOf(t, due, zone).At}
	}
	email := func(subject, came string) model.Email {
		return model.Email{Ref: model.EmailRef{Connection: 1, Message: subject}, Date: timeOf(t, came, zone).At,
			Headers: []model.EmailHeader{{Name: "Subject", Value: subject}}}
	}
	events := w.Events([]model.Event{
		event("ten", "2026-01-20T10:00", "2026-01-20T11:00"), event("midnight", "2026-01-20T00:00", "2026-01-20T01:00"),
		event("day", "2026-01-20", "2026-01-21"),
		event("long", "2026-01-15", "2026-02-01"), event("yesterday", "2026-01-19T23:00", "2026-01-20T01:00"),
		event("ten", "2026-01-20T10:00", "2026-01-20T11:00"),
	}, at)
	tasks := w.Tasks([]model.Task{task(1, "late", "2026-01-18T10:00"), task(2, "task at ten", "2026-01-20T10:00"),
		task(3, "task at midnight", "2026-01-20T00:00")}, true, at)
	emails := w.Emails(projections.EmailsAt([]model.Email{email("old mail", "2026-01-17T10:00"), email("mail at ten",
		"2026-01-20T10:00"), email("to come", "2026-01-27T00:00")}, &projections.MailMoment{Moment: at}))
	all := agenda.Merge(emails, tasks, events)
	var got []string
	for _, e := range all {
		got = append(got, e.Title)
	}
	want := []string{"old mail", "late", "long", "yesterday", "day", "midnight", "task at midnight", "ten", "task at ten",
		"mail at ten"}
	if !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
	for i, e := range all {
		if rest := agenda.After(all, e.Place()); len(rest) != len(all)-i-1 {
			t.Errorf("after %s: %d", e.Title, len(rest))
		}
		without := slices.Delete(slices.Clone(all), i, i+1) // it has gone since
		if rest := agenda.After(without, e.Place()); len(rest) != len(all)-i-1 {
			t.Errorf("after %s, which has gone: %d", e.Title, len(rest))
		}
	}
}

// Pages of any size, put together, are the whole.
func TestPagesAreTheWhole(t *testing.T) {
	t.Parallel()
	zone := zoneOf(t, "America/New_York")
	at := momentIn(t, "2026-03-08T09:00", zone)
	w := days(t, "2026-03-01", "2026-03-15", zone)
	random := rand.New(rand.NewPCG(1, 2))
	var events []model.Event
	for i := range 300 {
		start := w.From.Add(time.Duration(random.IntN(14*24-1)) * time.Hour)
		events = append(events, model.Event{Ref: model.EventRef{Connection: 1, Event: fmt.Sprint("e", i)},
			Start: model.EventTime{At: start}, End: model.EventTime{At: start.Add(time.Hour)}})
	}
	all := agenda.Merge(w.Events(events, at))
	if !slices.IsSortedFunc(all, func(a, b agenda.Entry) int { return a.Place().Compare(b.Place()) }) || len(all) != 300 {
		t.Fatalf("%d entries", len(all))
	}
	for _, size := range []int{1, 7, 100} {
		var got []string
		rest := all
		for len(rest) > 0 {
			page := rest[:min(size, len(rest))]
			for _, e := range page {
				got = append(got, e.Place().ID)
			}
			rest = agenda.After(all, page[len(page)-1].Place())
		}
		if len(got) != 300 || len(slices.Compact(slices.Sorted(slices.Values(got)))) != 300 {
			t.Errorf("pages of %d: %d entries", size, len(got))
		}
	}
}

func TestWhatWaitsForAnAnswer(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 20, 9, 0, 0, 0, time.UTC)
	mail := func(thread, from, to string, hours int, more ...string) model.Email {
		e := model.Email{
			Ref: model.EmailRef{Connection: 1, Message: fmt.Sprint(thread, hours)}, Thread: thread,
			Date: now.Add(time.Duration(-hours) * time.Hour), Labels: []string{"INBOX", "UNREAD"},
			Headers: []model.EmailHeader{{Name: "From", Value: from}, {Name: "To", Value: to}},
		}
		for _, header := range more {
			name, value, _ := strings.Cut(header, ": ")
			if name == "Labels" {
				e.Labels = strings.Fields(value)
				continue
			}
			e.Headers = append(e.Headers, model.EmailHeader{Name: name, Value: value})
		}
		return e
	}
	const me, dana = "Alice <alice@example.com>", "דנה לוי <dana@example.org>"
	for _, c := range []struct {
		name     string
		received []model.Email
		sent     []model.Email
		want     string
	}{
		{"a question", []model.Email{mail("a", dana, me, 5)}, nil, "a5"},
		{"answered", []model.Email{mail("a", dana, me, 5)}, []model.Email{mail("a", me, dana, 4)}, ""},
		{"asked again after the answer", []model.Email{mail("a", dana, me, 3), mail("a", dana, me, 5)},
			[]model.Email{mail("a", me, dana, 4)}, "a3"},
		{"another conversation answered", []model.Email{mail("a", dana, me, 5)}, []model.Email{mail("b", me, dana, 4)}, "a5"},
		{"begun by the viewer", []model.Email{mail("a", dana, me, 5)}, []model.Email{mail("a", me, dana, 9)}, "a5"},
		{"the newest is to others", []model.Email{mail("a", dana, "noa@example.org", 3), mail("a", dana, me, 5)}, nil, ""},
		{"in any order", []model.Email{mail("a", dana, me, 5), mail("a", dana, "noa@example.org", 3)}, nil, ""},
		{"a copy only", []model.Email{mail("a", dana, "noa@example.org", 5, "Cc: "+me)}, nil, ""},
		{"one of many", []model.Email{mail("a", dana, "noa@example.org, ALICE@Example.com", 5)}, nil, "a5"},
		{"a tagged address", []model.Email{mail("a", dana, "alice+shop@example.com", 5)}, nil, "a5"},
		{"another domain", []model.Email{mail("a", dana, "alice@example.org", 5)}, nil, ""},
		{"from the viewer", []model.Email{mail("a", "alice+x@example.com", me, 5)}, nil, ""},
		{"a list", []model.Email{mail("a", dana, me, 5, "List-Id: <news.example.org>")}, nil, ""},
		{"takes no answers", []model.Email{mail("a", "No-Reply@shop.example", me, 5),
			mail("b", "do_not_reply@shop.example", me, 5), mail("c", "orders-noreply@shop.example", me, 5),
			mail("d", "MAILER-DAEMON@example.org", me, 5)}, nil, ""},
		{"a name that only sounds so", []model.Email{mail("a", "noreen@example.org", me, 5)}, nil, "a5"},
		{"13 days old", []model.Email{mail("a", dana, me, 13*24)}, nil, "a312"},
		{"14 days old", []model.Email{mail("a", dana, me, 14*24)}, nil, "a336"},
		{"older", []model.Email{mail("a", dana, me, 14*24+1)}, nil, ""},
		{"archived since", []model.Email{mail("a", dana, me, 5, "Labels: UNREAD")}, nil, ""},
		{"thrown away since", []model.Email{mail("a", dana, me, 5, "Labels: INBOX TRASH")}, nil, ""},
		{"from nobody", []model.Email{mail("a", "", me, 5), mail("b", "not an address", me, 5)}, nil, ""},
		{"several", []model.Email{mail("b", dana, me, 2), mail("a", dana, me, 5)}, nil, "b2 a5"},
	} {
		var got []string
		for _, e := range agenda.Waiting(c.received, c.sent, "alice@example.com", now) {
			got = append(got, e.Ref.Message)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}
