package resolvers_test

import (
	"encoding/json"
	"testing"
	"time"

	"almanac/graph/model"
)

// A start accepts every text that a due date does, as a variable and in the document, and means the same instant.
func TestStartsAndDueDatesHaveTheSameForms(t *testing.T) {
	h := harnesses()[0].build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
	if err := h.google.link(t.Context(), model.UserIDOf("alice"), "alice@example.com", "Asia/Jerusalem"); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"2026-11-23T18:00", "2026-11-23 18:00", "2026-11-23t18:00:00z", "2026-11-23T18:00:30Z",
		"2026-11-23T18:00:00.000+02:00", "2026-11-23T18:00+05:30", "2026-11-23 18:00:00-08:00"} {
		written, err := json.Marshal(form)
		if err != nil {
			t.Fatal(err)
		}
		const fields = ` { task { dueDate } userErrors { message } }
			event: createEvent(input: { summary: "Forms", onDuplicate: ALLOW, start: { dateTime: `
		const more = ` } }) { event { start { dateTime } } userErrors { message } } }`
		for name, raw := range map[string][]byte{
			"literal": h.say(t, "alice", nil, `mutation { task: createTask(input: { text: "Forms", allowDuplicate: true, dueDate: `+
				string(written)+` })`+fields+string(written)+more, nil),
			"variable": h.say(t, "alice", nil,
				`mutation ($at: DateTime!) { task: createTask(input: { text: "Forms", allowDuplicate: true, dueDate: $at })`+fields+
					`$at`+more, map[string]any{"at": form}),
		} {
			var got struct {
				Data struct {
					Task  struct{ Task struct{ DueDate time.Time } }
					Event struct {
						Event struct{ Start struct{ DateTime time.Time } }
					}
				}
			}
			if err := json.Unmarshal(raw, &got); err != nil || got.Data.Task.Task.DueDate.IsZero() ||
				!got.Data.Task.Task.DueDate.Equal(got.Data.Event.Event.Start.DateTime) {
				t.Errorf("%s as a %s: %v %s", form, name, err, raw)
			}
		}
	}
}
