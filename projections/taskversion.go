package projections

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"time"

	"almanac/graph/model"
)

// Version is different after each change of the task that a user makes; what reminders keep of it does not count. It is
// 13 characters.
func (t Task) Version() string { return TaskVersion(t.record) }

// TaskVersion is the version of a task that was read with its row, or is about to be written: instants count in
// microseconds, as the stores keep them, and in any zone.
func TaskVersion(task model.Task) string {
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
		panic(fmt.Sprintf("the version of a task: %v", err)) // all of it are plain values
	}
	const bytes = 8
	sum := sha256.Sum256(text)
	return base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:bytes])
}

func micros(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMicro()
}
