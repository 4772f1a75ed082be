package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/graph/model"
)

// heldNotes are notes in memory.
type heldNotes struct {
	mu   sync.Mutex
	held map[string][]byte
}

func (n *heldNotes) Recall(name string) ([]byte, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	what, ok := n.held[name]
	return what, ok
}

func (n *heldNotes) Note(_ context.Context, name string, what []byte) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, twice := n.held[name]; twice {
		return errors.New("noted twice")
	}
	n.held[name] = bytes.Clone(what)
	return nil
}

// changing are what differs between an answer and its repetition with good reason.
var changing = regexp.MustCompile(`"(version|updatedAt|token|expiresAt)":"(?:[^"\\]|\\.)*"`)

// A mutation whose answer was lost, and that is sent again under its Idempotency-Key, answers as it did and changes
// nothing more: it does not move again what it has moved, nor delete the next one.
func TestARepetitionDoesNothingMore(t *testing.T) {
	const world = `
		event alice@example.com {"id": "one00", "summary": "Lunch", "start": {"dateTime": "2026-11-23T12:00:00Z", "timeZone": "UTC"}, "end": {"dateTime": "2026-11-23T13:00:00Z", "timeZone": "UTC"}}
		event alice@example.com {"id": "one01", "summary": "Lunch", "start": {"dateTime": "2026-11-24T12:00:00Z", "timeZone": "UTC"}, "end": {"dateTime": "2026-11-24T13:00:00Z", "timeZone": "UTC"}}
		event alice@example.com {"id": "dai00", "summary": "Daily", "start": {"dateTime": "2026-11-20T09:00:00Z", "timeZone": "UTC"}, "end": {"dateTime": "2026-11-20T10:00:00Z", "timeZone": "UTC"}, "recurrence": ["RRULE:FREQ=DAILY;COUNT=20"]}
		patch alice@example.com primary dai00_20261201T090000Z {"summary": "Special"}
		event alice@example.com {"id": "all00", "summary": "Days", "start": {"date": "2026-11-25"}, "end": {"date": "2026-11-26"}, "recurrence": ["RRULE:FREQ=WEEKLY"]}`
	const ids = `"event@dai00_20261125T090000Z"`
	for name, mutation := range map[string]string{
		"createEvent":           `createEvent(input: { summary: "New", start: { dateTime: "2026-11-23T12:00" }, onDuplicate: REFUSE }) { event { id sourceId summary } duplicates { id } userErrors { code } }`,
		"createEvents":          `createEvents(input: { events: [{ summary: "New", start: { dateTime: "2026-11-23T12:00" } }, { summary: "Newer", start: { date: "2026-11-23" } }] }) { created events { id } errors { code } }`,
		"createRecurringEvent":  `createRecurringEvent(input: { summary: "New", startTime: "08:30" }) { event { id start { dateTime } } duplicates { id } userErrors { code } }`,
		"createRecurringEvents": `createRecurringEvents(input: { events: [{ summary: "New", startTime: "08:30" }] }) { created events { id start { dateTime } } errors { code message } }`,
		"patched":               `updateEvent(input: { id: "event@one00", set: { start: { dateTime: "2026-11-23T15:00" }, summary: "Late" } }) { event { id summary start { dateTime } end { dateTime } } userErrors { code message } }`,
		"patched by title":      `updateEvent(input: { target: { match: { summary: "lunch" } }, set: { start: { dateTime: "2026-12-23T15:00" } } }) { event { id start { dateTime } } userErrors { code message } }`,
		"patched by version":    `updateEvent(input: { id: "event@one00", ifVersion: "VERSION", set: { summary: "Late" } }) { event { id summary } userErrors { code message } }`,
		"occurrence": `updateEvent(input: { id: ` + ids +
			`, scope: THIS, set: { start: { dateTime: "2026-11-25T10:00" } } }) { event { id start { dateTime } } userErrors { code message } }`,
		"following": `updateEvent(input: { id: ` + ids +
			`, scope: FOLLOWING, set: { start: { dateTime: "2026-11-25T10:00" } } }) { event { id sourceId recurrence start { dateTime } } before { id recurrence } userErrors { code message } }`,
		"series": `updateEvent(input: { id: ` + ids +
			`, scope: SERIES, set: { start: { dateTime: "2026-11-25T10:00" } } }) { event { id start { dateTime } } isRecurringSeries userErrors { code message } }`,
		"window":           `updateEventsInWindow(input: { timeMin: "2026-11-23T00:00", timeMax: "2026-11-25T00:00", set: { shiftMinutes: 90 } }) { updated success events { id start { dateTime } } errors { code message } userErrors { code } }`,
		"deleted":          `deleteEvent(input: { id: "event@one00" }) { deleted event { id summary } userErrors { code message } }`,
		"deleted by title": `deleteEvent(input: { target: { match: { summary: "daily" } }, scope: THIS }) { deleted event { id } userErrors { code message } }`,
		"deleted following": `deleteEvent(input: { id: ` + ids +
			`, scope: FOLLOWING }) { deleted event { id } before { id recurrence } isRecurringSeries userErrors { code message } }`,
		"deleted from the first": `deleteEvent(input: { id: "event@dai00_20261120T090000Z", scope: FOLLOWING }) { deleted event { id } before { id } isRecurringSeries userErrors { code message } }`,
		"deleted series": `deleteEvent(input: { id: ` + ids +
			`, scope: SERIES }) { deleted event { id summary } isRecurringSeries userErrors { code message } }`,
		"deleted window":         `deleteEventsInWindow(input: { timeMin: "2026-11-23T00:00", timeMax: "2026-11-25T00:00" }) { deleted success events { id summary } eventIds summaries errors { code message } userErrors { code } }`,
		"deleted titles":         `deleteEventsBySummary(input: { summary: "lunch" }) { deleted success eventIds userErrors { code message } }`,
		"deleted titles' rest":   `deleteEventsBySummary(input: { summary: "daily", scope: FOLLOWING }) { deleted success eventIds errors { code message } userErrors { code message } }`,
		"deleted titles' series": `deleteEventsBySummary(input: { summary: "daily", scope: SERIES }) { deleted success eventIds isRecurringSeries errors { code message } userErrors { code message } }`,
		"ended":                  `truncateRecurringEvent(input: { id: "event@dai00", until: { date: "2026-11-26" } }) { event { id recurrence } userErrors { code message } }`,
		"ended by title":         `truncateRecurringEvent(input: { target: { match: { summary: "days" } }, until: { date: "2026-12-26" } }) { event { id recurrence } userErrors { code message } }`,
	} {
		t.Run(name, func(t *testing.T) {
			h := harnesses()[0].build(t, start)
			if err := h.google.link(t.Context(), model.UserIDOf("alice"), "alice@example.com", "UTC"); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(world) {
				if line = strings.TrimSpace(line); line != "" {
					if err := h.google.do(t.Context(), line); err != nil {
						t.Fatal(err)
					}
				}
			}
			document := newNames().real("mutation { m: " + mutation + " }")
			document = strings.ReplaceAll(document, `"VERSION"`, version(t, h))
			h.notes = &heldNotes{held: map[string][]byte{}}
			first := string(h.say(t, "alice", nil, document, nil))
			was := contentOf(t, h)
			if strings.Contains(first, `"errors":[{`) || strings.Contains(first, `"userErrors":[{`) {
				t.Fatalf("the first try failed: %s", first)
			}
			h.clock.Advance(2 * time.Hour) // an hour that was to come has passed
			second := string(h.say(t, "alice", nil, document, nil))
			if a, b := changing.ReplaceAllString(first, ""), changing.ReplaceAllString(second, ""); a != b {
				t.Errorf("the repetition answers otherwise\n first %s\nsecond %s", a, b)
			}
			if now := contentOf(t, h); now != was {
				t.Errorf("the repetition changed something\n was %s\n is %s", was, now)
			}
		})
	}
}

func contentOf(t *testing.T, h *harness) string {
	t.Helper()
	content, err := h.google.content("alice@example.com", "")
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// version is that of event one00, as a GraphQL string.
func version(t *testing.T, h *harness) string {
	t.Helper()
	var answer struct {
		Data struct{ Event struct{ Version string } }
	}
	raw := h.say(t, "alice", nil, newNames().real(`{ event(id: "event@one00") { version } }`), nil)
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(answer.Data.Event.Version)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What an earlier try has noted may have been done by halves: what is not done yet, the repetition does.
func TestARepetitionDoesTheRest(t *testing.T) {
	h := harnesses()[0].build(t, start)
	for _, line := range []string{
		"link alice alice@example.com UTC",
		`event alice@example.com {"id": "one00", "summary": "One", "start": {"dateTime": "2026-11-23T10:00:00Z", "timeZone": "UTC"}, "end": {"dateTime": "2026-11-23T11:00:00Z", "timeZone": "UTC"}}`,
		`event alice@example.com {"id": "one01", "summary": "Two", "start": {"dateTime": "2026-11-23T12:00:00Z", "timeZone": "UTC"}, "end": {"dateTime": "2026-11-23T13:00:00Z", "timeZone": "UTC"}}`,
		`fault {"Method": "events.patch", "Times": 4, "Status": 503}`,
	} {
		if err := h.google.do(t.Context(), line); err != nil {
			t.Fatal(err)
		}
	}
	h.notes = &heldNotes{held: map[string][]byte{}}
	const document = `mutation { updateEventsInWindow(input: { timeMin: "2026-11-23T00:00", timeMax: "2026-11-24T00:00", set: { shiftMinutes: 30 } }) { updated errors { code } } }`
	h.say(t, "alice", nil, document, nil)
	if err := h.google.do(t.Context(), "clear"); err != nil {
		t.Fatal(err)
	}
	if answer := string(h.say(t, "alice", nil, document, nil)); !strings.Contains(answer, `"updated":2`) {
		t.Error(answer)
	}
	for _, want := range []string{"10:30:00", "12:30:00"} {
		if content := contentOf(t, h); !strings.Contains(content, "start=2026-11-23T"+want) {
			t.Errorf("nothing begins at %s: %s", want, content)
		}
	}
}
