//go:build bench

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
)

// small is a world of one of each.
var small = world{
	Lang: "en", Now: "2026-11-25T10:00", Zone: "Asia/Jerusalem",
	Events: []worldEvent{
		{Title: "Dentist", Start: "2026-11-30T11:00", End: "2026-11-30T11:45"},
		{Title: "Offsite", Start: "2026-12-16", End: "2026-12-17", AllDay: true},
		{Title: "Piano lesson", Start: "2026-09-01T16:00", End: "2026-09-01T16:45", Recurrence: "FREQ=WEEKLY;BYDAY=TU"},
	},
	Tasks:    []worldTask{{Title: "Call the landlord", Due: "2026-11-25"}, {Title: "Renew passport", Due: "2026-12-15"}},
	Lists:    map[string][]string{"Shopping": {"bread", "yogurt"}},
	Memories: []string{"Locker code: 4417"},
	Mail:     []worldMail{{From: "Dana Katz", Subject: "Lease draft", Date: "2026-11-24T17:12", Unread: true}},
}

// fake is an assistant that does something of its own.
type fake func(ctx context.Context, c *client) (*answer, error)

func (f fake) chat(ctx context.Context, c *client, text string) (*answer, error) {
	if text == primers["en"].text {
		return does(`mutation { createEvent(input: { summary: "Rehearsal", start: { dateTime: "2026-12-18T18:00" } }) {
			event { id } } }`)(ctx, c)
	}
	return f(ctx, c)
}

// does is an assistant that runs documents, whose %[1]s are ids of the first record that is named by a query.
func does(documents ...string) fake {
	return func(ctx context.Context, c *client) (*answer, error) {
		for _, document := range documents {
			var out json.RawMessage
			if problems, err := c.ask(ctx, &out, document, nil); err != nil || len(problems) > 0 {
				return nil, fmt.Errorf("%s: %w %v", document, err, problems)
			}
		}
		return &answer{Tool: "done", Success: true, Summary: "Done."}, nil
	}
}

// says is an assistant that only answers.
func says(payload string) fake {
	return func(context.Context, *client) (*answer, error) {
		said := &answer{all: payload}
		return said, json.Unmarshal([]byte(payload), said)
	}
}

// occurrence changes one lesson of the world, or it and those after it.
func occurrence(day, mutation string) fake {
	return func(ctx context.Context, c *client) (*answer, error) {
		var out struct{ Events struct{ Nodes []event } }
		_, err := c.ask(ctx, &out,
			`query($day: DateTime!) { events(filter: { timeMin: $day, summary: "Piano lesson" }, first: 1) {
			nodes { id } } }`, map[string]any{"day": day + "T00:00"})
		if err != nil || len(out.Events.Nodes) == 0 {
			return nil, fmt.Errorf("no lesson: %w", err)
		}
		return does(fmt.Sprintf(mutation, out.Events.Nodes[0].ID))(ctx, c)
	}
}

const (
	task1   = `mutation { createTask(input: { text: %q, dueDate: %q }) { task { id } } }`
	deleteL = `mutation { deleteEvent(input: { id: "%s", scope: THIS }) { deleted } }`
	deleteF = `mutation { deleteEvent(input: { id: "%s", scope: FOLLOWING }) { deleted } }`
	moveF   = `mutation { updateEvent(input: { id: "%s", scope: FOLLOWING, set: { start: { dateTime: "2026-12-08T16:30" } } }) {
		event { id } } }`
	moveS = `mutation { updateEvent(input: { id: "%s", scope: SERIES, set: { start: { dateTime: "2026-12-08T16:30" } } }) {
		event { id } } }`
	event1 = `mutation { createEvent(input: { summary: "Choir", start: { dateTime: "2026-11-26T20:00" } }) { event { id } } }`
	series = `mutation { createEvent(input: { summary: "Choir", start: { dateTime: "2026-11-26T20:00" },
		recurrence: ["RRULE:FREQ=WEEKLY;UNTIL=20270131T215959Z"] }) { event { id } } }`
	undo = `query { actions(first: 1) { nodes { id } } }`
)

// undoes takes back the newest action.
func undoes(ctx context.Context, c *client) (*answer, error) {
	var out struct {
		Actions struct{ Nodes []struct{ ID string } }
	}
	if _, err := c.ask(ctx, &out, undo, nil); err != nil {
		return nil, err
	}
	return does(fmt.Sprintf(`mutation { undoAction(input: { id: %q }) { action { id } } }`, out.Actions.Nodes[0].ID))(ctx,
		c)
}

// TestVerdicts has a fake assistant come to every verdict, with a whole server behind it.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	s, closeAll, err := newStage(t.Context(), &small)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := closeAll(); err != nil {
			t.Error(err)
		}
	})
	const (
		bank   = `{"domain": "tasks", "effect": "create", "accept": ["create", "ask"], "title": "call the bank", "when": "2026-11-26"}`
		weekly = `{"domain": "tasks", "effect": "create", "title": "water the tree", "when": "2026-11-29",
			"recurrence": "FREQ=WEEKLY;BYDAY=SU"}`
		passport = `{"domain": "tasks", "effect": "complete", "accept": ["complete", "ask"], "title": "Renew passport"}`
		choir    = `{"domain": "calendar", "effect": "create", "title": "the choir", "when": "2026-11-26T20:00"}`
		choirs   = `{"domain": "calendar", "effect": "create", "title": "choir", "when": "2026-11-26T20:00",
			"recurrence": "FREQ=WEEKLY;BYDAY=TH;UNTIL=20270131"}`
		monday  = `{"domain": "calendar", "effect": "read", "when": "2026-11-30"}`
		dentist = `{"domain": "calendar", "effect": "read", "title": "Dentist"}`
		lesson  = `{"domain": "calendar", "effect": "delete", "title": "Piano lesson", "when": "2026-12-01T16:00", "scope": "this"}`
		lessons = `{"domain": "calendar", "effect": "delete", "title": "Piano lesson", "scope": "following", "scopeAccept": ["all"]}`
		later   = `{"domain": "calendar", "effect": "update", "title": "Piano lesson", "when": "2026-12-08T16:30", "scope": "following"}`
		milk    = `{"domain": "lists", "effect": "create", "list": "Shopping", "items": ["milk", "an egg"]}`
		bread   = `{"domain": "lists", "effect": "complete", "list": "Shopping", "items": ["bread"]}`
		gate    = `{"domain": "memories", "effect": "create", "title": "gate code 2580"}`
		hint    = `{"domain": "memories", "effect": "create", "query": "gate code"}`
		mail    = `{"domain": "mail", "effect": "read", "person": "Dana"}`
		none    = `{"domain": "none", "effect": "refuse"}`
		asking  = `{"domain": "calendar", "effect": "ask", "title": "hearing test"}`
		back    = `{"domain": "undo", "effect": "undo"}`
	)
	refuses := says(`{"tool": "read", "success": false, "summary": "Error: not of the calendar."}`)
	asksBack := says(
		`{"tool": "create", "success": false, "summary": "Which one?", "confirmation": {"question": "Which?"}}`)
	shows := func(title, start, end string) fake {
		return says(fmt.Sprintf(`{"tool": "schedule", "success": true, "result": {"count": 1}, "events": [{"summary": %q,
			"start": {"dateTime": "%s:00+02:00"}, "end": {"dateTime": "%s:00+02:00"}}]}`, title, start, end))
	}
	found := says(`{"tool": "search", "success": true, "summary": "No events matching 'dentist'", "result": {"count": 0}}`)
	items := `mutation { updateListItems(input: { target: { match: { name: "Shopping" } }, %s }) { list { id } } }`
	for _, test := range []struct {
		name, expect string
		assistant    fake
		want         judgement
	}{
		{"a task", bank, does(fmt.Sprintf(task1, "Call the bank", "2026-11-26T09:00")), judgement{verdict: right}},
		{"another task", bank, does(fmt.Sprintf(task1, "Call the landlord's bank", "2026-11-26T09:00")),
			judgement{verdict: wrong}},
		{"another day", bank, does(fmt.Sprintf(task1, "Call the bank", "2026-11-27T09:00")), judgement{verdict: wrong}},
		{"an event for a task", bank, does(event1), judgement{verdict: wrong}},
		{"one too many", bank, does(fmt.Sprintf(task1, "Call the bank", "2026-11-26T09:00"), event1),
			judgement{verdict: wrong}},
		{"a task that repeats", weekly, does(`mutation { createTask(input: { text: "Water the tree", recurrence: {
			type: WEEKLY, days: [SUNDAY] } }) { task { id } } }`), judgement{verdict: right}},
		{"every day instead", weekly, does(`mutation { createTask(input: { text: "Water the tree", recurrence: {
			type: DAILY } }) { task { id } } }`), judgement{verdict: wrong}},
		{"a question about another", passport, says(`{"tool": "update_task", "success": false, "confirmation": {
			"question": "Which?", "candidates": [{"label": "Call the landlord"}]}}`), judgement{verdict: asked}},
		{"a question about it", passport, says(`{"tool": "update_task", "success": false, "confirmation": {
			"question": "Which?", "candidates": [{"label": "Renew passport"}]}}`), judgement{verdict: asked, accepted: true}},
		{"completed", passport, does(`mutation { completeTask(input: { target: { match: { text: "Renew passport" } } }) {
			task { id } } }`), judgement{verdict: right}},
		{"deleted instead", passport, does(`mutation { deleteTask(input: { target: { match: { text: "Renew passport" } } }) {
			deleted } }`), judgement{verdict: wrong}},
		{"a question", bank, asksBack, judgement{verdict: asked, accepted: true}},
		{"a question that is not accepted", choir, asksBack, judgement{verdict: asked}},
		{"a refusal", bank, refuses, judgement{verdict: refused}},
		{"an answer without an effect", bank, found, judgement{verdict: wrong}},
		{"a question that is wanted", asking, asksBack, judgement{verdict: right}},
		{"done instead of asked", asking, does(event1), judgement{verdict: wrong}},
		{"a refusal that is wanted", none, refuses, judgement{verdict: right}},
		{"an event", choir, does(event1), judgement{verdict: right}},
		{"a series instead", choir, does(series), judgement{verdict: wrong}},
		{"a series", choirs, does(series), judgement{verdict: right}},
		{"reading that writes", monday, does(event1), judgement{verdict: wrong, wrote: true}},
		{"reading that marks mail", mail,
			does(`mutation { markEmails(input: { target: { match: { text: "Lease draft" } }, read: true }) {
			userErrors { message } } }`), judgement{verdict: wrong, wrote: true}},
		{"a day", monday, shows("Dentist", "2026-11-30T11:00", "2026-11-30T11:45"), judgement{verdict: right}},
		{"another day's", monday, shows("Piano lesson", "2026-12-01T16:00", "2026-12-01T16:45"), judgement{verdict: wrong}},
		{"nothing where there is something", monday, found, judgement{verdict: wrong}},
		{"words of the question", dentist, found, judgement{verdict: wrong}},
		{"mail among events", mail, found, judgement{verdict: wrong}},
		{"mail", mail, says(`{"tool": "mail", "success": true, "summary": "Lease draft, from Dana Katz"}`),
			judgement{verdict: right}},
		{"one lesson", lesson, occurrence("2026-12-01", deleteL), judgement{verdict: right}},
		{"another lesson", lesson, occurrence("2026-12-08", deleteL), judgement{verdict: wrong}},
		{"all lessons instead of one", lesson, occurrence("2026-12-01", deleteF), judgement{verdict: wrong}},
		{"all lessons from now", lessons, occurrence("2026-12-01", deleteF), judgement{verdict: right}},
		{"only later lessons", lessons, occurrence("2026-12-08", deleteF), judgement{verdict: wrong}},
		{"later from a day", later, occurrence("2026-12-08", moveF), judgement{verdict: right}},
		{"later always", later, occurrence("2026-12-08", moveS), judgement{verdict: wrong}},
		{"items", milk, does(fmt.Sprintf(items, `add: [{ text: "Milk" }, { text: "egg" }]`)), judgement{verdict: right}},
		{"an item less", milk, does(fmt.Sprintf(items, `add: [{ text: "milk" }]`)), judgement{verdict: wrong}},
		{"checked", bread, does(fmt.Sprintf(items, `check: [{ text: "bread" }]`)), judgement{verdict: right}},
		{"removed instead", bread, does(fmt.Sprintf(items, `remove: [{ text: "bread" }]`)), judgement{verdict: wrong}},
		{"a memory", gate, does(`mutation { storeMemory(input: { content: "The gate code: 2580" }) { memory { id } } }`),
			judgement{verdict: right}},
		{"another memory", gate, does(`mutation { storeMemory(input: { content: "Gate is open" }) { memory { id } } }`),
			judgement{verdict: wrong}},
		{"a memory by its hint", hint, does(`mutation { storeMemory(input: { content: "The code is 2580, of the gate" }) {
			memory { id } } }`), judgement{verdict: right}},
		{"a memory of something else", hint, does(`mutation { storeMemory(input: { content: "The key is with Dana" }) {
			memory { id } } }`), judgement{verdict: wrong}},
		{"undone", back, undoes, judgement{verdict: right}},
		{"something else undone", back, does(`mutation { deleteEvent(input: { target: { match: { summary: "Dentist" } } }) {
			deleted } }`), judgement{verdict: wrong}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			one := sentence{ID: test.name, Lang: "en", Text: test.name}
			if err := json.Unmarshal([]byte(test.expect), &one.Expect); err != nil {
				t.Fatal(err)
			}
			_, got, err := s.try(t.Context(), nil, test.assistant, &one)
			if err != nil {
				t.Fatal(err)
			}
			if got.verdict != test.want.verdict || got.accepted != test.want.accepted || got.wrote != test.want.wrote {
				t.Errorf("%v, accepted %t, wrote %t (%s), not %+v\n%s", got.verdict, got.accepted, got.wrote, got.why, test.want,
					got.got)
			}
		})
	}
}

func TestTitles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		got, want, place string
		calendar, same   bool
	}{
		{"The meeting with Noam", "meeting with Noam", "", true, true},
		{"Add choir", "choir", "", true, true},
		{"Meeting with Ruth", "Ruth", "the museum", true, true},
		{"Dinner", "dinner at Hila's", "Hila's", true, true},
		{"המטוס שלי נוחת", "מטוס", "", true, true},
		{"Zoom with investors with Tal", "zoom with investors", "", true, true},
		{"כנס", "כנס בברלין", "ברלין", true, true},
		{"זום עם המשקיעים עם טל", "זום עם המשקיעים", "", true, true},
		{"Dentist at noon", "dentist", "", true, false},
		{"Dentist at 5", "dentist", "", true, false},
		{"Down chess club", "chess club", "", true, false},
		{"buy stamps", "stamps", "", false, false},
		{"Book hotel", "hotel", "", false, false},
		{"לתקן ברז", "לתקן את הברז", "", false, true},
	} {
		if got := sameTitle(test.got, test.want, test.place, test.calendar); got != test.same {
			t.Errorf("%q and %q: %t", test.got, test.want, got)
		}
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		expect, got string
		isTask, fit bool
	}{
		{`{"when": "2026-11-26T13:00"}`, "2026-11-26T13:00", false, true},
		{`{"when": "2026-11-26T13:00"}`, "2026-11-26T13:30", false, false},
		{`{"when": "2026-11-26T13:00", "whenAccept": ["2026-11-27T13:00"]}`, "2026-11-27T13:00", false, true},
		{`{"when": "2026-11-26"}`, "2026-11-26", false, true},
		{`{"when": "2026-11-26"}`, "2026-11-26T10:00", false, false}, // an invented hour
		{`{"when": "2026-11-26"}`, "2026-11-26T10:00", true, true},
		{`{"when": "2026-11-26", "part": "evening"}`, "2026-11-26T18:00", false, true},
		{`{"when": "2026-11-26", "part": "evening"}`, "2026-11-26T09:00", true, false},
		{`{"when": null}`, "", true, true},
		{`{"when": null}`, "2026-11-26T10:00", true, false},
		{`{"whenRange": ["2026-11-29", "2026-12-05"]}`, "2026-12-05T09:00", true, true},
		{`{"whenRange": ["2026-11-29", "2026-12-05"]}`, "2026-12-06T09:00", true, false},
		{`{"when": "2027-03-14", "recurrence": "FREQ=YEARLY"}`, "2026-03-14", false, true},
		{`{}`, "2026-12-06T09:00", true, true},
	} {
		var e expect
		if err := json.Unmarshal([]byte(test.expect), &e); err != nil {
			t.Fatal(err)
		}
		if got := e.fitsTime(test.got, test.isTask); got != test.fit {
			t.Errorf("%s and %s: %t", test.expect, test.got, got)
		}
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	const monday = "2026-11-30"
	for _, test := range []struct {
		a, b  string
		equal bool
	}{
		{"RRULE:FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO", true},
		{"FREQ=WEEKLY;BYDAY=WE,MO;INTERVAL=1;WKST=SU", "FREQ=WEEKLY;BYDAY=MO,WE", true},
		{"FREQ=WEEKLY;INTERVAL=2", "FREQ=WEEKLY", false},
		{"FREQ=MONTHLY;BYDAY=SU;BYSETPOS=1", "FREQ=MONTHLY;BYDAY=1SU", true},
		{"FREQ=DAILY;UNTIL=20270131T215959Z", "FREQ=DAILY;UNTIL=20270131", true},
		{"FREQ=DAILY;COUNT=10", "FREQ=DAILY", false},
	} {
		if got := ruleOf(test.a, monday) == ruleOf(test.b, monday); got != test.equal {
			t.Errorf("%s and %s: %t", test.a, test.b, got)
		}
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b    string
		related bool
	}{
		{"dana", "daniel", false},
		{"tomato", "tomatoes", true},
		{"בית", "הבית", true},
		{"קמפינג", "לקמפינג", true},
		{"room", "road", false},
		{"2", "4", false},
	} {
		if got := related(test.a, test.b); got != test.related {
			t.Errorf("%s and %s: %t", test.a, test.b, got)
		}
	}
}
