package resolvers_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// calendarState is what a person sees of a calendar: its series, and each event and occurrence of some months.
func (h *harness) calendarState(t *testing.T) string {
	t.Helper()
	var lines []string
	for _, single := range []string{"false", "true"} {
		reply, err := h.google.serve("events.list", "alice@example.com", map[string]string{"calendarId": "primary"},
			url.Values{"maxResults": {"2500"}, "singleEvents": {single}, "timeMin": {"2026-10-01T00:00:00Z"},
				"timeMax": {"2027-04-01T00:00:00Z"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		items, _ := reply["items"].([]any)
		for _, item := range items {
			event := item.(map[string]any)
			if single == "false" && event["recurrence"] == nil || single == "true" && event["status"] == "cancelled" {
				continue
			}
			lines = append(lines, single+" "+contentLine(event))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// mailState is what the mailbox holds.
func (h *harness) mailState(t *testing.T) string {
	t.Helper()
	return h.google.mails("alice@example.com")
}

// asked runs a query and decodes its data.
func (h *harness) asked(t *testing.T, query string, into any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	read := struct {
		Data   any
		Errors []any
	}{Data: into}
	answer := h.post(t, "alice", nil, nil, body)
	if err := json.Unmarshal(answer, &read); err != nil || len(read.Errors) > 0 {
		t.Fatalf("%s: %s", query, answer)
	}
}

// eventDoing is one random mutation of events.
func (s *doings) eventDoing() (name string, input map[string]any) {
	var all struct {
		Events struct {
			Nodes []struct {
				ID               string
				RecurringEventID *string
				Start            struct{ DateTime *time.Time }
			}
		}
	}
	s.harness.asked(s.t,
		`{ events(filter: { timeMin: "2026-11-20T00:00:00Z", timeMax: "2027-01-20T00:00:00Z" }, first: 100) {
		nodes { id recurringEventId start { dateTime } } } }`, &all)
	at := func() string {
		return time.Date(2026, 11, 23, 6, 0, 0, 0,
			time.UTC).Add(time.Duration(s.IntN(60*24)) * time.Hour).Format(time.RFC3339)
	}
	if len(all.Events.Nodes) < 6 || s.IntN(6) == 0 {
		start := time.Date(2026, 11, 23+s.IntN(7), 7+s.IntN(8), 0, 0, 0, time.UTC)
		if s.IntN(2) == 0 {
			return "createEvent", map[string]any{"summary": s.word(), "start": map[string]any{"dateTime": at()},
				"attendees": []any{map[string]any{"email": "dana@example.com"}}, "onDuplicate": "ALLOW"}
		}
		day := strings.ToUpper(start.Weekday().String()[:2])
		return "createEvent", map[string]any{"summary": s.word(),
			"start":      map[string]any{"dateTime": start.Format(time.RFC3339)},
			"recurrence": []string{fmt.Sprintf("RRULE:FREQ=WEEKLY;BYDAY=%s;COUNT=%d", day, 4+s.IntN(4))}, "onDuplicate": "ALLOW"}
	}
	one := all.Events.Nodes[s.IntN(len(all.Events.Nodes))]
	scope := "THIS"
	if one.RecurringEventID != nil {
		scope = []string{"THIS", "THIS", "FOLLOWING", "SERIES"}[s.IntN(4)]
	}
	moved := map[string]any{"location": s.word()}
	if one.Start.DateTime != nil && s.IntN(2) == 0 {
		moved = map[string]any{"start": map[string]any{
			"dateTime": one.Start.DateTime.Add(time.Duration(1+s.IntN(3)) * time.Hour).Format(time.RFC3339)}}
	}
	day := time.Date(2026, 11, 23+s.IntN(20), 0, 0, 0, 0, time.UTC)
	window := map[string]any{"timeMin": day.Format(time.RFC3339), "timeMax": day.AddDate(0, 0, 4).Format(time.RFC3339)}
	switch s.IntN(8) {
	case 0:
		return "updateEvent", map[string]any{"id": one.ID, "scope": scope, "set": map[string]any{"summary": s.word(),
			"description": s.word(), "reminderMinutesBefore": s.IntN(60), "colorId": "3"}}
	case 1, 2, 3:
		return "updateEvent", map[string]any{"id": one.ID, "scope": scope, "set": moved}
	case 4:
		window["set"] = map[string]any{"location": s.word()}
		return "updateEventsInWindow", window
	case 5:
		return "deleteEventsInWindow", window
	case 6:
		if one.RecurringEventID != nil {
			return "truncateRecurringEvent", map[string]any{"id": one.ID, "until": map[string]any{"dateTime": at()}}
		}
		fallthrough
	default:
		return "deleteEvent", map[string]any{"id": one.ID, "scope": scope}
	}
}

// mailDoing is one random mutation of e-mails.
func (s *doings) mailDoing() (name string, input map[string]any) {
	var all struct {
		Emails struct{ Nodes []struct{ ID string } }
	}
	s.harness.asked(s.t, `{ emails(first: 20) { nodes { id } } }`, &all)
	var ids []string
	for _, one := range all.Emails.Nodes {
		if s.IntN(2) == 0 || len(ids) == 0 {
			ids = append(ids, one.ID)
		}
	}
	if s.IntN(2) == 0 {
		in := map[string]any{"ids": ids}
		for _, mark := range []string{"read", "starred", "important", "archived"} {
			if s.IntN(2) == 0 {
				in[mark] = s.IntN(2) == 0
			}
		}
		if len(in) == 1 {
			in["starred"] = true
		}
		return "markEmails", in
	}
	labels := []string{"Work", "Home", "IMPORTANT"}
	s.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
	return "labelEmails", map[string]any{"ids": ids, "add": labels[:1], "remove": labels[1:]}
}

// makeWebset makes a webset with one record of each kind that can be changed.
func (s *doings) makeWebset() {
	s.harness.asked(s.t, `mutation { createWebset(input: { search: { query: "companies that work on water", count: 3 },
		enrichments: [{ description: "Number of employees", format: "number" }] }) { webset { id } } }`, nil)
	webset, _ := s.ofExa()
	s.harness.asked(s.t, fmt.Sprintf(`mutation {
		createWebsetMonitor(input: { websetId: %q, cron: "0 9 * * 1", query: "water" }) { monitor { id } }
		createWebsetImport(input: { csv: "name\nAcme\n", entity: { type: "company" }, title: "Mine" }) { import { id } }
		createWebsetWebhook(input: { url: "https://example.com/hook" }) { webhook { id } } }`, webset), nil)
}

// ofExa are the ids of the webset and of what else can be changed.
func (s *doings) ofExa() (webset string, others map[string]string) {
	type listed struct{ Nodes []struct{ ID string } }
	var all struct {
		Websets struct {
			Nodes []struct {
				ID          string
				Enrichments []struct{ ID string }
			}
		}
		WebsetMonitors, WebsetImports, WebsetWebhooks listed
	}
	s.harness.asked(s.t, `{ websets { nodes { id enrichments { id } } } websetMonitors { nodes { id } }
		websetImports { nodes { id } } websetWebhooks { nodes { id } } }`, &all)
	others = map[string]string{"updateWebsetEnrichment": all.Websets.Nodes[0].Enrichments[0].ID}
	for name, of := range map[string]listed{"updateWebsetMonitor": all.WebsetMonitors,
		"updateWebsetImport": all.WebsetImports, "updateWebsetWebhook": all.WebsetWebhooks} {
		for _, one := range of.Nodes {
			others[name] = one.ID
		}
	}
	return all.Websets.Nodes[0].ID, others
}

// websetState is what Exa holds of what can be changed.
func (h *harness) websetState(t *testing.T) string {
	t.Helper()
	var all map[string]any
	h.asked(t, `{ websets { nodes { metadata enrichments { description format metadata } } }
		websetMonitors { nodes { status nextRunAt metadata } } websetImports { nodes { title metadata } }
		websetWebhooks { nodes { url events metadata } } }`, &all)
	var lines strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text, err := json.Marshal(all[name])
		if err != nil {
			t.Fatal(err)
		}
		lines.WriteString(name + " " + string(text) + "\n")
	}
	return lines.String()
}

// websetDoing is one random change at Exa. What is made there and taken away cannot be made again, so it has a script.
func (s *doings) websetDoing() (name string, input map[string]any) {
	webset, others := s.ofExa()
	metadata := any(map[string]any{"note": s.word()})
	if s.IntN(3) == 0 {
		metadata = nil
	}
	name = []string{"updateWebset", "updateWebsetEnrichment", "updateWebsetMonitor", "updateWebsetImport",
		"updateWebsetWebhook"}[s.IntN(5)]
	input = map[string]any{"id": others[name]}
	switch name {
	case "updateWebset":
		return name, map[string]any{"id": webset, "metadata": metadata}
	case "updateWebsetEnrichment":
		input["description"] = s.word()
		if s.IntN(2) == 0 {
			input["format"] = []string{"text", "number", "date"}[s.IntN(3)]
		}
	case "updateWebsetMonitor":
		input["status"] = []string{"enabled", "disabled"}[s.IntN(2)]
		input["cron"] = fmt.Sprintf("0 %d * * %d", s.IntN(24), s.IntN(7))
	case "updateWebsetImport":
		input["title"] = s.word()
	case "updateWebsetWebhook":
		input["events"] = [][]string{{"webset.created"}, {"webset.deleted", "webset.idle"}}[s.IntN(2)]
	}
	if s.IntN(2) == 0 {
		input["metadata"] = metadata
	}
	return name, input
}

// TestUndoingRandomRemoteStories: what is done to events, e-mails and websets and undone is as before, and what is done
// again is as after, as the stand-in holds them.
func TestUndoingRandomRemoteStories(t *testing.T) {
	t.Parallel()
	const steps = 90
	for _, kind := range harnesses() {
		for _, story := range []struct {
			name  string
			state func(*harness, *testing.T) string
			next  func(*doings) (string, map[string]any)
			kinds []string
		}{
			{"events", (*harness).calendarState, (*doings).eventDoing, []string{"createEvent", "updateEvent",
				"updateEventsInWindow", "deleteEvent", "deleteEventsInWindow", "truncateRecurringEvent"}},
			{"emails", (*harness).mailState, (*doings).mailDoing, []string{"markEmails", "labelEmails"}},
			{"websets", (*harness).websetState, (*doings).websetDoing, []string{"updateWebset", "updateWebsetEnrichment",
				"updateWebsetMonitor", "updateWebsetImport", "updateWebsetWebhook"}},
		} {
			t.Run(kind.name+"/"+story.name, func(t *testing.T) {
				t.Parallel()
				h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
				s := &doings{Rand: rand.New(rand.NewPCG(15, 7)), harness: h, t: t}
				if err := h.google.link(t.Context(), model.UserIDOf("alice"), "alice@example.com", "Asia/Jerusalem"); err != nil {
					t.Fatal(err)
				}
				for i := range 6 {
					line := fmt.Sprintf(
						`letter alice@example.com {"From": "dana@example.org", "To": "alice@example.com", "Subject": "Letter %d", "Text": "x"}`, i)
					if err := h.google.do(t.Context(), line); err != nil {
						t.Fatal(err)
					}
				}
				for _, label := range []string{"Work", "Home"} {
					if err := h.google.do(t.Context(), "label alice@example.com "+label); err != nil {
						t.Fatal(err)
					}
				}
				if story.name == "websets" {
					s.makeWebset()
				}
				undo := func(action string) string { return s.do("undoAction", map[string]any{"id": action}) }
				same := func(what, name string, input any, got, want string) {
					t.Helper()
					if got != want {
						t.Fatalf("%s of %s %v:\n%s", what, name, input, differingLines(got, want))
					}
				}
				kinds := map[string]int{}
				begin, done := story.state(h, t), []string{}
				for range steps {
					h.clock.Advance(time.Duration(5+s.IntN(60)) * time.Second)
					before := story.state(h, t)
					name, input := story.next(s)
					action := s.do(name, input)
					after := story.state(h, t)
					if action == "" {
						same("nothing is said", name, input, after, before)
						continue
					}
					kinds[name]++
					undone := undo(action)
					same("undoing", name, input, story.state(h, t), before)
					redone := undo(undone)
					same("doing again", name, input, story.state(h, t), after)
					again := undo(redone)
					same("undoing again", name, input, story.state(h, t), before)
					undo(again)
					same("doing once more", name, input, story.state(h, t), after)
					done = append(done, action)
				}
				for i, action := range slices.Backward(done) {
					h.clock.Advance(15 * time.Second) // the remote's limits count by the minute
					if undo(action) == "" {
						t.Fatalf("%s, the action %d of %d, is not undone: %s", action, i, len(done), h.say(t, "alice", nil,
							fmt.Sprintf(
								`mutation { undoAction(input: { id: %q }) { confirmation { question } userErrors { message } undone { kind summary } } }`,
								action), nil))
					}
				}
				same("undoing all", "the story", nil, story.state(h, t), begin)
				for _, name := range story.kinds {
					if kinds[name] == 0 {
						t.Errorf("the story has no %s", name)
					}
				}
			})
		}
	}
}

// differingLines are the lines that only one of two texts has.
func differingLines(got, want string) string {
	var out strings.Builder
	for line := range strings.Lines(got) {
		if !strings.Contains(want, line) {
			out.WriteString("got  " + line)
		}
	}
	for line := range strings.Lines(want) {
		if !strings.Contains(got, line) {
			out.WriteString("want " + line)
		}
	}
	return out.String()
}

// TestUndoOutlivesACrash: between what the remote does and what is kept of it the process may end. A repetition under
// the same Idempotency-Key keeps it, with what undoing needs; and an undoing that was interrupted so is finished.
func TestUndoOutlivesACrash(t *testing.T) {
	for name, mutation := range map[string]string{
		"created":     `createEvent(input: { summary: "New", start: { dateTime: "2026-11-23T12:00" } })`,
		"moved":       `updateEvent(input: { id: "event@one00", set: { start: { dateTime: "2026-11-23T15:00" } } })`,
		"deleted":     `deleteEvent(input: { id: "event@one00" })`,
		"following":   `updateEvent(input: { id: "event@dai00_20261125T090000Z", scope: FOLLOWING, set: { start: { dateTime: "2026-11-25T10:00" } } })`,
		"rest gone":   `deleteEvent(input: { id: "event@dai00_20261125T090000Z", scope: FOLLOWING })`,
		"series":      `updateEvent(input: { id: "event@dai00_20261125T090000Z", scope: SERIES, set: { summary: "Other" } })`,
		"series gone": `deleteEvent(input: { id: "event@dai00_20261125T090000Z", scope: SERIES })`,
		"ended":       `truncateRecurringEvent(input: { id: "event@dai00", until: { date: "2026-11-26" } })`,
		"window":      `deleteEventsInWindow(input: { timeMin: "2026-11-23T00:00", timeMax: "2026-11-25T00:00" })`,
		"noted":       `updateWebset(input: { id: "WEBSET", metadata: { note: "new" } })`,
		"enriched":    `updateWebsetEnrichment(input: { id: "ENRICHMENT", description: "Stage", format: "text" })`,
		"marked":      `markEmails(input: { ids: ["email@1"], read: true, starred: true })`,
	} {
		t.Run(name, func(t *testing.T) {
			tired := &tiredStore{}
			kind := harnesses()[0]
			open := kind.open
			kind.open = func(t *testing.T, now func() time.Time, note func(string)) store.Store {
				tired.Store = open(t, now, note)
				return tired
			}
			h := kind.build(t, start)
			if err := h.google.link(t.Context(), model.UserIDOf("alice"), "alice@example.com", "UTC"); err != nil {
				t.Fatal(err)
			}
			for _, line := range []string{
				`event alice@example.com {"id": "one00", "summary": "Lunch", "start": {"dateTime": "2026-11-23T12:00:00Z", "timeZone": "UTC"}, "end": {"dateTime": "2026-11-23T13:00:00Z", "timeZone": "UTC"}}`,
				`event alice@example.com {"id": "dai00", "summary": "Daily", "start": {"dateTime": "2026-11-20T09:00:00Z", "timeZone": "UTC"}, "end": {"dateTime": "2026-11-20T10:00:00Z", "timeZone": "UTC"}, "recurrence": ["RRULE:FREQ=DAILY;COUNT=20"]}`,
				`patch alice@example.com primary dai00_20261201T090000Z {"summary": "Special"}`,
				`letter alice@example.com {"From": "dana@example.org", "To": "alice@example.com", "Subject": "Noon", "Text": "Shall we?"}`,
			} {
				if err := h.google.do(t.Context(), line); err != nil {
					t.Fatal(err)
				}
			}
			names := newNames()
			names.letters(h.google.delivered)
			made := &doings{Rand: rand.New(rand.NewPCG(15, 7)), harness: h, t: t}
			made.makeWebset()
			webset, others := made.ofExa()
			mutation := strings.NewReplacer("WEBSET", webset, "ENRICHMENT", others["updateWebsetEnrichment"]).Replace(mutation)
			state := func() string { return h.calendarState(t) + h.mailState(t) + h.websetState(t) }
			before := state()
			twice := func(document string) string {
				t.Helper()
				h.notes = &heldNotes{held: map[string][]byte{}}
				tired.tired.Store(true)
				h.say(t, "alice", nil, document, nil)
				tired.tired.Store(false)
				answer := h.say(t, "alice", nil, document, nil)
				var read struct {
					Data struct {
						M struct{ Action *struct{ ID, Summary string } }
					}
				}
				if err := json.Unmarshal(answer, &read); err != nil || read.Data.M.Action == nil {
					t.Fatalf("nothing is said: %s", answer)
				}
				return read.Data.M.Action.ID
			}
			action := twice(names.real("mutation { m: " + mutation + " { action { id summary } } }"))
			after := state()
			if after == before {
				t.Fatal("nothing was done")
			}
			undo := func(id string) string {
				return fmt.Sprintf(
					`mutation { m: undoAction(input: { id: %q }) { action { id summary } userErrors { code message } } }`, id)
			}
			undone := twice(undo(action))
			if got := state(); got != before {
				t.Errorf("undone:\n%s", differingLines(got, before))
			}
			twice(undo(undone))
			if got := state(); got != after {
				t.Errorf("done again:\n%s", differingLines(got, after))
			}
		})
	}
}
