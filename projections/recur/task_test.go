package recur

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"almanac/graph/model"
)

func TestPlan(t *testing.T) {
	now := instant(t, "2026-11-21T10:00:00Z")
	rule := func(r model.Recurrence) *model.Recurrence { return &r }
	ended := func(r model.Recurrence, at string) *model.Recurrence { r.Until = instant(t, at); return &r }
	due := func(at string) time.Time { return instant(t, at) }
	for _, c := range []struct {
		name     string
		task     model.Task
		occasion Occasion
		next     string // "" for never
		reminder time.Duration
		field    string // of the refusal
	}{
		{"nothing set", model.Task{}, Creating, "", 0, ""},
		{"due, new: reminds half an hour before", model.Task{DueAt: due("2026-11-22T18:00:00Z")}, Creating,
			"2026-11-22T17:30:00Z", 30 * time.Minute, ""},
		{"due, changed: no reminder", model.Task{DueAt: due("2026-11-22T18:00:00Z")}, Updating, "", 0, ""},
		{"due with a reminder", model.Task{DueAt: due("2026-11-22T18:00:00Z"), Reminder: 2 * time.Hour}, Creating,
			"2026-11-22T16:00:00Z", 2 * time.Hour, ""},
		{"due soon: reminds when due", model.Task{DueAt: due("2026-11-21T10:20:00Z")}, Creating, "2026-11-21T10:20:00Z",
			30 * time.Minute, ""},
		{"reminder due this instant: reminds when due", model.Task{DueAt: due("2026-11-21T10:30:00Z")}, Creating,
			"2026-11-21T10:30:00Z", 30 * time.Minute, ""},
		{"due already", model.Task{DueAt: due("2026-11-21T09:00:00Z")}, Creating, "", 30 * time.Minute, ""},
		{"due this instant", model.Task{DueAt: now}, Creating, "", 30 * time.Minute, ""},
		{"nudge", model.Task{Recurrence: rule(nudge(10 * time.Minute))}, Creating, "2026-11-21T10:10:00Z", 0, ""},
		{"nudge after the due date", model.Task{DueAt: due("2026-11-21T12:00:00Z"), Recurrence: rule(nudge(time.Hour))},
			Creating, "2026-11-21T13:00:00Z", 0, ""},
		{"nudge, due a little ago", model.Task{DueAt: due("2026-11-21T09:30:00Z"), Recurrence: rule(nudge(time.Hour))},
			Creating, "2026-11-21T10:30:00Z", 0, ""},
		{"nudge, due long ago", model.Task{DueAt: due("2026-11-20T09:30:00Z"), Recurrence: rule(nudge(time.Hour))}, Creating,
			"2026-11-21T11:00:00Z", 0, ""},
		{"daily", model.Task{Recurrence: rule(daily("08:00", jerusalem))}, Creating, "2026-11-22T06:00:00Z", 0, ""},
		{"weekly", model.Task{Recurrence: rule(weekly("18:00", jerusalem, model.Saturday))}, Updating, "2026-11-21T16:00:00Z",
			0, ""},
		{"monthly", model.Task{Recurrence: rule(monthly("09:00", jerusalem, 31))}, Creating, "2026-11-30T07:00:00Z", 0, ""},
		{"completed", model.Task{Recurrence: rule(daily("08:00", jerusalem)), CompletedAt: now}, Updating, "", 0, ""},
		{"completed, with a due date", model.Task{DueAt: due("2026-11-22T18:00:00Z"), Reminder: time.Hour, CompletedAt: now},
			Updating, "", time.Hour, ""},

		{"reminder and recurrence", model.Task{Reminder: time.Hour, Recurrence: rule(daily("08:00", jerusalem))}, Creating,
			"", 0, "reminder"},
		{"reminder and nudge with a due date", model.Task{DueAt: due("2026-11-22T18:00:00Z"), Reminder: time.Hour,
			Recurrence: rule(nudge(time.Hour))}, Creating, "", 0, "reminder"},
		{"due date and daily", model.Task{DueAt: due("2026-11-22T18:00:00Z"), Recurrence: rule(daily("08:00", jerusalem))},
			Creating, "", 0, "dueDate"},
		{"reminder without due date", model.Task{Reminder: time.Hour}, Updating, "", 0, "reminder"},
		{"reminder too short", model.Task{DueAt: due("2026-11-22T18:00:00Z"), Reminder: time.Second}, Creating, "", 0,
			"reminder"},
		{"reminder negative", model.Task{DueAt: due("2026-11-22T18:00:00Z"), Reminder: -time.Hour}, Creating, "", 0,
			"reminder"},
		{"due before the years", model.Task{DueAt: due("1899-12-31T23:59:59Z")}, Creating, "", 0, "dueDate"},
		{"due beyond the years", model.Task{DueAt: due("9999-12-31T00:00:00Z")}, Creating, "", 0, "dueDate"},
		{"rule over before now", model.Task{Recurrence: ended(daily("08:00", jerusalem), "2026-11-21T11:00:00Z")}, Updating,
			"", 0, "recurrence.until"},
		{"nudge over before the due date", model.Task{DueAt: due("2026-11-22T18:00:00Z"),
			Recurrence: ended(nudge(time.Hour), "2026-11-22T18:30:00Z")}, Creating, "", 0, "recurrence.until"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.task.RemindedAt, c.task.NudgeCount, c.task.NextReminderAt = now.Add(-time.Hour), 7, now.Add(-time.Minute)
			got, err := Plan(c.task, now, c.occasion)
			if c.field != "" {
				refused(t, err, c.field)
				return
			}
			want := c.task
			want.RemindedAt, want.NudgeCount, want.NextReminderAt, want.Reminder = time.Time{}, 0, instant(t, c.next), c.reminder
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v (%v), want %+v", got, err, want)
			}
		})
	}
}

func TestComplete(t *testing.T) {
	id := model.UUID{1}
	rule := func(r model.Recurrence) *model.Recurrence { return &r }
	ended := func(r model.Recurrence, at string) *model.Recurrence { r.Until = instant(t, at); return &r }
	for _, c := range []struct {
		name                   string
		recurrence             *model.Recurrence
		due, reminded, next    string
		now                    string
		occurrence, thenNext   string
		forGood, keepsReminded bool
	}{
		{name: "plain", now: "2026-11-21T10:00:00Z", forGood: true},
		{name: "due, before its reminder", due: "2026-11-22T18:00:00Z", next: "2026-11-22T17:30:00Z",
			now: "2026-11-21T10:00:00Z", forGood: true},
		{name: "nudge", recurrence: rule(nudge(time.Hour)), reminded: "2026-11-21T09:30:00Z", next: "2026-11-21T10:30:00Z",
			now: "2026-11-21T10:00:00Z", forGood: true},
		{name: "daily, reminded today", recurrence: rule(daily("08:00", "UTC")), reminded: "2026-11-21T08:00:00Z",
			next: "2026-11-22T08:00:00Z", now: "2026-11-21T10:00:00Z",
			occurrence: "2026-11-21T08:00:00Z", thenNext: "2026-11-22T08:00:00Z"},
		{name: "daily, before its time", recurrence: rule(daily("08:00", "UTC")), next: "2026-11-22T08:00:00Z",
			now:        "2026-11-21T10:00:00Z",
			occurrence: "2026-11-22T08:00:00Z", thenNext: "2026-11-23T08:00:00Z"},
		{name: "daily, due but the worker has not come by", recurrence: rule(daily("08:00", "UTC")),
			next: "2026-11-21T08:00:00Z", now: "2026-11-21T08:00:05Z",
			occurrence: "2026-11-21T08:00:00Z", thenNext: "2026-11-22T08:00:00Z"},
		{name: "daily, the worker was away for days", recurrence: rule(daily("08:00", "UTC")),
			reminded: "2026-11-17T08:00:00Z", next: "2026-11-18T08:00:00Z", now: "2026-11-21T10:00:00Z",
			occurrence: "2026-11-21T08:00:00Z", thenNext: "2026-11-22T08:00:00Z"},
		{name: "weekly, the day after", recurrence: rule(weekly("08:00", jerusalem, model.Friday)),
			reminded: "2026-11-20T06:00:00Z", next: "2026-11-27T06:00:00Z", now: "2026-11-21T10:00:00Z",
			occurrence: "2026-11-20T06:00:00Z", thenNext: "2026-11-27T06:00:00Z"},
		{name: "monthly, early, over a month's end", recurrence: rule(monthly("09:00", "UTC", 31)),
			next: "2027-01-31T09:00:00Z", now: "2027-01-30T10:00:00Z",
			occurrence: "2027-01-31T09:00:00Z", thenNext: "2027-02-28T09:00:00Z"},
		{name: "last occurrence, reminded", recurrence: ended(daily("08:00", "UTC"), "2026-11-21T08:00:00Z"),
			reminded: "2026-11-21T08:00:00Z", now: "2026-11-21T10:00:00Z",
			occurrence: "2026-11-21T08:00:00Z", forGood: true},
		{name: "last occurrence, early", recurrence: ended(daily("08:00", "UTC"), "2026-11-22T08:00:00Z"),
			next: "2026-11-22T08:00:00Z", now: "2026-11-21T10:00:00Z",
			occurrence: "2026-11-22T08:00:00Z", forGood: true},
		{name: "last but one, reminded", recurrence: ended(daily("08:00", "UTC"), "2026-11-22T08:00:00Z"),
			reminded: "2026-11-21T08:00:00Z", next: "2026-11-22T08:00:00Z", now: "2026-11-21T10:00:00Z",
			occurrence: "2026-11-21T08:00:00Z", thenNext: "2026-11-22T08:00:00Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := instant(t, c.now)
			before := model.Task{ID: id, Text: "x", DueAt: instant(t, c.due), Recurrence: c.recurrence,
				RemindedAt: instant(t, c.reminded), NextReminderAt: instant(t, c.next), NudgeCount: 3}
			after, line := Complete(before, now)
			want := before
			want.RemindedAt, want.NextReminderAt = time.Time{}, instant(t, c.thenNext)
			if c.forGood {
				want.CompletedAt = now
			}
			if !reflect.DeepEqual(after, want) {
				t.Errorf("got %+v, want %+v", after, want)
			}
			if wantLine := (model.TaskCompletion{TaskID: id, CompletedAt: now,
				Occurrence: instant(t, c.occurrence)}); line != wantLine {
				t.Errorf("history has %+v, want %+v", line, wantLine)
			}
			if !c.forGood {
				return
			}
			again, none := Complete(after, now.Add(time.Hour))
			if !reflect.DeepEqual(again, after) || none != (model.TaskCompletion{}) {
				t.Errorf("completing again gives %+v and %+v", again, none)
			}
		})
	}
}

func TestRemind(t *testing.T) {
	rule := func(r model.Recurrence) *model.Recurrence { return &r }
	ended := func(r model.Recurrence, at string) *model.Recurrence { r.Until = instant(t, at); return &r }
	for _, c := range []struct {
		name                 string
		recurrence           *model.Recurrence
		nudges               int
		next, now            string
		reminded, thenNext   string
		thenNudges           int
		completed, unchanged bool
	}{
		{name: "no reminder", now: "2026-11-21T10:00:00Z", unchanged: true},
		{name: "not due yet", next: "2026-11-21T10:00:01Z", now: "2026-11-21T10:00:00Z", unchanged: true},
		{name: "completed", next: "2026-11-21T09:00:00Z", now: "2026-11-21T10:00:00Z", completed: true, unchanged: true},
		{name: "plain, this instant", next: "2026-11-21T10:00:00Z", now: "2026-11-21T10:00:00Z",
			reminded: "2026-11-21T10:00:00Z"},
		{name: "plain, missed for days", next: "2026-11-18T10:00:00Z", now: "2026-11-21T10:00:00Z",
			reminded: "2026-11-18T10:00:00Z"},
		{name: "daily", recurrence: rule(daily("08:00", "UTC")), next: "2026-11-21T08:00:00Z", now: "2026-11-21T08:00:20Z",
			reminded: "2026-11-21T08:00:00Z", thenNext: "2026-11-22T08:00:00Z"},
		{name: "daily, missed for days, once for the latest", recurrence: rule(daily("08:00", "UTC")),
			next: "2026-11-10T08:00:00Z", now: "2026-11-21T07:59:00Z", reminded: "2026-11-20T08:00:00Z",
			thenNext: "2026-11-21T08:00:00Z"},
		{name: "monthly, missed for a year", recurrence: rule(monthly("09:00", "UTC", 31)), next: "2025-10-31T09:00:00Z",
			now: "2026-11-21T07:59:00Z", reminded: "2026-10-31T09:00:00Z", thenNext: "2026-11-30T09:00:00Z"},
		{name: "weekly over the change of clocks", recurrence: rule(weekly("08:00", jerusalem, model.Sunday)),
			next: "2026-10-18T05:00:00Z", now: "2026-10-18T05:00:01Z", reminded: "2026-10-18T05:00:00Z",
			thenNext: "2026-10-25T06:00:00Z"},
		{name: "the last", recurrence: ended(daily("08:00", "UTC"), "2026-11-21T08:00:00Z"), next: "2026-11-21T08:00:00Z",
			now: "2026-11-21T08:00:20Z", reminded: "2026-11-21T08:00:00Z"},
		{name: "the last, missed for days", recurrence: ended(daily("08:00", "UTC"), "2026-11-15T23:00:00Z"),
			next: "2026-11-10T08:00:00Z", now: "2026-11-21T08:00:20Z", reminded: "2026-11-15T08:00:00Z"},
		{name: "nudge keeps its beat", recurrence: rule(nudge(10 * time.Minute)), nudges: 2, next: "2026-11-21T10:00:00Z",
			now: "2026-11-21T10:00:40Z", reminded: "2026-11-21T10:00:00Z", thenNext: "2026-11-21T10:10:00Z", thenNudges: 3},
		{name: "nudge half an interval late", recurrence: rule(nudge(10 * time.Minute)), next: "2026-11-21T10:00:00Z",
			now: "2026-11-21T10:05:00Z", reminded: "2026-11-21T10:00:00Z", thenNext: "2026-11-21T10:10:00Z", thenNudges: 1},
		{name: "nudge later than that", recurrence: rule(nudge(10 * time.Minute)), next: "2026-11-21T10:00:00Z",
			now: "2026-11-21T10:05:01Z", reminded: "2026-11-21T10:00:00Z", thenNext: "2026-11-21T10:15:01Z", thenNudges: 1},
		{name: "nudge, missed for days, counts once", recurrence: rule(nudge(10 * time.Minute)), next: "2026-11-18T10:00:00Z",
			now: "2026-11-21T10:00:00Z", reminded: "2026-11-18T10:00:00Z", thenNext: "2026-11-21T10:10:00Z", thenNudges: 1},
		{name: "the last nudge but one", recurrence: rule(nudge(10 * time.Minute)), nudges: 13, next: "2026-11-21T10:00:00Z",
			now: "2026-11-21T10:00:00Z", reminded: "2026-11-21T10:00:00Z", thenNext: "2026-11-21T10:10:00Z", thenNudges: 14},
		{name: "the last nudge", recurrence: rule(nudge(10 * time.Minute)), nudges: 14, next: "2026-11-21T10:00:00Z",
			now: "2026-11-21T10:00:00Z", reminded: "2026-11-21T10:00:00Z", thenNudges: 15},
		{name: "nudge until", recurrence: ended(nudge(10*time.Minute), "2026-11-21T10:09:00Z"), next: "2026-11-21T10:00:00Z",
			now: "2026-11-21T10:00:00Z", reminded: "2026-11-21T10:00:00Z", thenNudges: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := model.Task{Text: "x", Recurrence: c.recurrence, NudgeCount: c.nudges, NextReminderAt: instant(t, c.next)}
			now := instant(t, c.now)
			if c.completed {
				before.CompletedAt = now
			}
			want := before
			if !c.unchanged {
				want.RemindedAt, want.NextReminderAt, want.NudgeCount = instant(t, c.reminded), instant(t, c.thenNext), c.thenNudges
			}
			got := Remind(before, now)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if again := Remind(got, now); !reflect.DeepEqual(again, got) {
				t.Errorf("reminding again gives %+v", again)
			}
		})
	}
}

func TestReopen(t *testing.T) {
	now := instant(t, "2026-11-21T10:00:00Z")
	rule := func(r model.Recurrence) *model.Recurrence { return &r }
	past := daily("08:00", "UTC")
	past.Until = now.Add(-time.Hour)
	for _, c := range []struct {
		name string
		task model.Task
		next string
	}{
		{"plain", model.Task{}, ""},
		{"due tomorrow with its reminder", model.Task{DueAt: now.Add(24 * time.Hour), Reminder: time.Hour},
			"2026-11-22T09:00:00Z"},
		{"due tomorrow without", model.Task{DueAt: now.Add(24 * time.Hour)}, ""},
		{"due yesterday", model.Task{DueAt: now.Add(-24 * time.Hour), Reminder: time.Hour}, ""},
		{"nudge begins anew", model.Task{Recurrence: rule(nudge(time.Hour)), NudgeCount: 15}, "2026-11-21T11:00:00Z"},
		{"daily", model.Task{Recurrence: rule(daily("08:00", "UTC"))}, "2026-11-22T08:00:00Z"},
		{"daily, its rule over", model.Task{Recurrence: &past}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := c.task
			want.NudgeCount, want.NextReminderAt = 0, instant(t, c.next)
			c.task.CompletedAt = now.Add(-time.Minute)
			if got, taken := Reopen(c.task, now); !reflect.DeepEqual(got, want) || taken != nil {
				t.Errorf("got %+v and %v, want %+v", got, taken, want)
			}
		})
	}
	open := model.Task{NudgeCount: 4, RemindedAt: now, Recurrence: rule(nudge(time.Hour)),
		NextReminderAt: now.Add(time.Minute)}
	if got, taken := Reopen(open, now); !reflect.DeepEqual(got, open) || taken != nil {
		t.Errorf("an open task becomes %+v, its history loses %v", got, taken)
	}
}

// TestReopenTakesATickBack completes an occurrence, takes that back, and completes again: it must be the same one.
func TestReopenTakesATickBack(t *testing.T) {
	ended := func(r model.Recurrence, at string) model.Recurrence { r.Until = instant(t, at); return r }
	for name, c := range map[string]struct {
		rule                 model.Recurrence
		set, ticked, back    string
		occurrence, thenNext string // thenNext is the next reminder after it was taken back
	}{
		"due today": {daily("08:00", "UTC"), "2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z", "2026-11-21T10:01:00Z",
			"2026-11-21T08:00:00Z", "2026-11-22T08:00:00Z"},
		"early": {daily("08:00", "UTC"), "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z", "2026-11-21T12:00:00Z",
			"2026-11-22T08:00:00Z", "2026-11-22T08:00:00Z"},
		"early, and taken back when it is due": {daily("08:00", "UTC"), "2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z",
			"2026-11-22T09:00:00Z", "2026-11-22T08:00:00Z", "2026-11-23T08:00:00Z"},
		"at midnight, the night that clocks go back": {daily("00:00", jerusalem), "2026-10-24T10:00:00Z",
			"2026-10-24T21:00:00Z", "2026-10-25T21:59:00Z", "2026-10-24T21:00:00Z", "2026-10-25T22:00:00Z"},
		"in the hour that clocks skip": {daily("02:30", jerusalem), "2026-03-26T10:00:00Z", "2026-03-27T01:00:00Z",
			"2026-03-27T20:00:00Z", "2026-03-27T00:30:00Z", "2026-03-27T23:30:00Z"},
		"UTC+14": {daily("00:00", "Pacific/Kiritimati"), "2026-11-20T12:00:00Z", "2026-11-21T10:00:00Z",
			"2026-11-22T09:59:58Z", "2026-11-21T10:00:00Z", "2026-11-22T10:00:00Z"},
		"UTC-11, the last of the month": {monthly("23:00", "Pacific/Pago_Pago", 31), "2026-02-01T12:00:00Z",
			"2026-03-01T10:00:00Z", "2026-03-02T10:00:00Z", "2026-03-01T10:00:00Z", "2026-04-01T10:00:00Z"},
		"weekly": {weekly("08:00", jerusalem, model.Friday), "2026-11-18T10:00:00Z", "2026-11-21T10:00:00Z",
			"2026-11-26T10:00:00Z", "2026-11-20T06:00:00Z", "2026-11-27T06:00:00Z"},
		"the last one, completed for good": {ended(daily("08:00", "UTC"), "2026-11-21T08:00:00Z"), "2026-11-20T10:00:00Z",
			"2026-11-21T10:00:00Z", "2026-11-25T10:00:00Z", "2026-11-21T08:00:00Z", ""},
		"the last one, early": {ended(daily("08:00", "UTC"), "2026-11-21T08:00:00Z"), "2026-11-20T10:00:00Z",
			"2026-11-20T11:00:00Z", "2026-11-20T12:00:00Z", "2026-11-21T08:00:00Z", "2026-11-21T08:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			task, err := Plan(model.Task{Recurrence: &c.rule}, instant(t, c.set), Creating)
			if err != nil {
				t.Fatal(err)
			}
			done, line := Complete(task, instant(t, c.ticked))
			if !line.Occurrence.Equal(instant(t, c.occurrence)) {
				t.Fatalf("completed %v", line.Occurrence)
			}
			done.Completions = []model.TaskCompletion{line}
			open, taken := Reopen(done, instant(t, c.back))
			if taken == nil || *taken != line || !open.CompletedAt.IsZero() ||
				!open.NextReminderAt.Equal(instant(t, c.thenNext)) {
				t.Fatalf("taken back %v, left %+v", taken, open)
			}
			open.Completions = nil
			again, second := Complete(open, instant(t, c.back).Add(time.Second))
			if second.Occurrence != line.Occurrence || again.CompletedAt.IsZero() != done.CompletedAt.IsZero() {
				t.Errorf("the second time it completes %v and leaves %+v", second, again)
			}
		})
	}
	rule := daily("08:00", "UTC")
	task, err := Plan(model.Task{Recurrence: &rule}, instant(t, "2026-11-20T10:00:00Z"), Creating)
	if err != nil {
		t.Fatal(err)
	}
	task, line := Complete(task, instant(t, "2026-11-21T10:00:00Z"))
	task.Completions = []model.TaskCompletion{line}
	other := weekly("09:00", "UTC", model.Monday)
	for name, c := range map[string]struct {
		task model.Task
		now  string
	}{
		"the next one is due":   {task, "2026-11-22T08:00:00Z"},
		"the next one reminded": {Remind(task, instant(t, "2026-11-22T08:00:00Z")), "2026-11-22T09:00:00Z"},
		"its rule has that one no more": {model.Task{Recurrence: &other, Completions: task.Completions},
			"2026-11-21T11:00:00Z"},
		"it did not repeat at that time": {model.Task{Recurrence: &rule, Completions: []model.TaskCompletion{{}}},
			"2026-11-21T11:00:00Z"},
		"nothing was ever completed":      {model.Task{Recurrence: &rule}, "2026-11-21T11:00:00Z"},
		"completed once, and repeats not": {model.Task{Completions: task.Completions}, "2026-11-21T11:00:00Z"},
	} {
		if got, taken := Reopen(c.task, instant(t, c.now)); taken != nil || !reflect.DeepEqual(got, c.task) {
			t.Errorf("%s: taken back %v, left %+v", name, taken, got)
		}
	}
}

// TestTasksNeverGoBackwards lets random tasks live: workers come by late, people complete early and late. Reminders and
// the history only ever move forward, no occurrence is completed twice, and every life ends where its rule does.
func TestTasksNeverGoBackwards(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 18))
	for range 400 {
		rule := randomRule(random)
		if random.IntN(4) == 0 {
			rule = nudge(time.Duration(1+random.IntN(300)) * time.Minute)
		}
		now := time.Unix(1700000000+random.Int64N(2e8), random.Int64N(1e9)).UTC()
		if random.IntN(3) == 0 {
			rule.Until = now.Add(time.Duration(random.Int64N(120*86400)) * time.Second)
		}
		task, err := Plan(model.Task{Recurrence: &rule}, now, Creating)
		if err != nil {
			if _, ok := Next(rule, now); ok {
				t.Fatalf("%+v at %v is refused: %v", rule, now, err)
			}
			continue
		}
		last := time.Time{}
		for range 60 {
			now = now.Add(time.Duration(random.Int64N(5*86400)) * time.Second)
			before := task
			if random.IntN(2) == 0 {
				task = Remind(task, now)
				if !task.NextReminderAt.IsZero() && !task.NextReminderAt.After(now) {
					t.Fatalf("%+v reminds at %v although it is %v", rule, task.NextReminderAt, now)
				}
				if task.NudgeCount > NudgeLimit || task.NudgeCount < before.NudgeCount {
					t.Fatalf("%d nudges", task.NudgeCount)
				}
			} else {
				var line model.TaskCompletion
				task, line = Complete(task, now)
				if rule.Type != model.Nudge {
					if !line.Occurrence.After(last) || !rule.Until.IsZero() && line.Occurrence.After(rule.Until) {
						t.Fatalf("%+v: %v is completed after %v", rule, line.Occurrence, last)
					}
					last = line.Occurrence
				}
			}
			if !task.NextReminderAt.IsZero() && task.NextReminderAt.Before(before.NextReminderAt) || task.RemindedAt.After(now) {
				t.Fatalf("%+v goes from %+v to %+v", rule, before, task)
			}
			if !task.RemindedAt.IsZero() && task.RemindedAt.Before(before.RemindedAt) {
				t.Fatalf("%+v: reminded of %v after %v", rule, task.RemindedAt, before.RemindedAt)
			}
			if !task.CompletedAt.IsZero() {
				if !task.NextReminderAt.IsZero() || !task.RemindedAt.IsZero() {
					t.Fatalf("completed, but %+v", task)
				}
				if rule.Type != model.Nudge && rule.Until.IsZero() {
					t.Fatalf("%+v without end was completed for good", rule)
				}
				break
			}
		}
	}
}
