package projections_test

import (
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections"
)

// A version differs with each thing that a user can change, and with nothing else.
func TestTaskVersion(t *testing.T) {
	at := time.Date(2026, 11, 22, 8, 0, 0, 123456000, time.UTC)
	whole := func() model.Task {
		return model.Task{
			ID: model.UUID{1}, Text: "Water", Category: "home", DueAt: at, Reminder: time.Hour, CompletedAt: at, UpdatedAt: at,
			Recurrence: &model.Recurrence{Type: "WEEKLY", Time: "08:00", Days: []model.Weekday{"MONDAY"}, Until: at},
		}
	}
	version := func(change func(*model.Task)) string {
		task := whole()
		change(&task)
		return projections.TaskVersion(task)
	}
	was := version(func(*model.Task) {})
	seen := map[string]string{was: "unchanged"}
	for name, change := range map[string]func(*model.Task){
		"text":       func(t *model.Task) { t.Text = "Water " },
		"category":   func(t *model.Task) { t.Category = "" },
		"due":        func(t *model.Task) { t.DueAt = t.DueAt.Add(time.Microsecond) },
		"undated":    func(t *model.Task) { t.DueAt = time.Time{} },
		"reminder":   func(t *model.Task) { t.Reminder = 0 },
		"completed":  func(t *model.Task) { t.CompletedAt = time.Time{} },
		"updated":    func(t *model.Task) { t.UpdatedAt = t.UpdatedAt.Add(time.Microsecond) },
		"recurrence": func(t *model.Task) { t.Recurrence.Time = "09:00" },
		"days":       func(t *model.Task) { t.Recurrence.Days = nil },
		"until":      func(t *model.Task) { t.Recurrence.Until = at.Add(time.Hour) },
		"once":       func(t *model.Task) { t.Recurrence = nil },
		"text moved": func(t *model.Task) { t.Text, t.Category = "", "Waterhome" },
	} {
		got := version(change)
		if other, taken := seen[got]; taken {
			t.Errorf("%s has the version of %s", name, other)
		}
		seen[got] = name
	}
	for name, change := range map[string]func(*model.Task){
		"the zone":      func(t *model.Task) { t.DueAt = at.In(time.FixedZone("", 3600)); t.Recurrence.Until = t.DueAt },
		"nanoseconds":   func(t *model.Task) { t.UpdatedAt = at.Add(999) },
		"what reminded": func(t *model.Task) { t.RemindedAt, t.NudgeCount, t.NextReminderAt = at, 3, at },
	} {
		if got := version(change); got != was {
			t.Errorf("%s makes another version", name)
		}
	}
}
