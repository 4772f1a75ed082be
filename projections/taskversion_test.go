package projections_test

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
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

// hashed is what a version is, by encoding/json. Clients keep versions, so their text stays.
func hashed(t *testing.T, task model.Task) string {
	t.Helper()
	micros := func(at time.Time) int64 {
		if at.IsZero() {
			return 0
		}
		return at.UnixMicro()
	}
	said := struct {
		Text, Category          string
		Due, Completed, Updated int64
		Reminder                time.Duration
		Recurrence              model.Recurrence
		Until                   int64
	}{
		Text: task.Text, Category: task.Category, Due: micros(task.DueAt), Completed: micros(task.CompletedAt),
		Updated: micros(task.UpdatedAt), Reminder: task.Reminder,
	}
	if task.Recurrence != nil {
		said.Recurrence, said.Until = *task.Recurrence, micros(task.Recurrence.Until)
		said.Recurrence.Until = time.Time{}
	}
	text, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	return base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:8])
}

func FuzzTaskVersion(f *testing.F) {
	for _, text := range []string{"", "Water", "שלום 🙂", `"quoted" \`, "<b>&amp;", "\u2028\u2029", "\xff", "\x00\x7f\n"} {
		f.Add(text, text, int64(1_795_000_000_123_456), int64(-5), int64(time.Hour), true)
		f.Add(text, "", int64(0), int64(0), int64(0), false)
	}
	f.Fuzz(func(t *testing.T, text, category string, due, until, reminder int64, repeats bool) {
		task := model.Task{Text: text, Category: category, Reminder: time.Duration(reminder)}
		if due != 0 {
			task.DueAt, task.UpdatedAt = time.UnixMicro(due), time.UnixMicro(due+1)
		}
		if repeats {
			task.Recurrence = &model.Recurrence{Type: model.RecurrenceType(category), Time: text, Until: time.UnixMicro(until)}
		}
		if got, want := projections.TaskVersion(task), hashed(t, task); got != want {
			t.Errorf("%q %q: %s, want %s", text, category, got, want)
		}
	})
}
