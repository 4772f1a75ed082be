package resolvers_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	standin "almanac/internal/standin/google"
)

// The window that the tests of written copies look at.
const (
	appliedFrom = "2026-11-20T00:00:00Z"
	appliedTo   = "2027-02-20T00:00:00Z"
)

// shownByCopy is the window as queries show it, one event a line.
func (h *harness) shownByCopy(t *testing.T) (lines []string) {
	t.Helper()
	for after := "null"; ; {
		answer := h.answers(t, `{ events(first: 100, after: `+after+`, filter: { timeMin: "`+appliedFrom+`", timeMax: "`+
			appliedTo+`" }) { nodes { sourceId summary description location start { dateTime date } end { dateTime date } `+
			`attendees { email responseStatus } transparent } pageInfo { hasNextPage endCursor } } }`)
		var said struct {
			Data struct {
				Events struct {
					Nodes []struct {
						SourceID, Summary string
						Description       *string
						Location          *string
						Start, End        struct {
							DateTime *time.Time
							Date     *string
						}
						Attendees   []struct{ Email, ResponseStatus string }
						Transparent bool
					}
					PageInfo struct {
						HasNextPage bool
						EndCursor   string
					}
				}
			}
			Errors []any
		}
		if err := json.Unmarshal([]byte(answer), &said); err != nil || len(said.Errors) > 0 {
			t.Fatal(answer, err)
		}
		for _, e := range said.Data.Events.Nodes {
			at := func(instant *time.Time, day *string) string {
				if instant == nil {
					return orEmpty(day)
				}
				return instant.UTC().Format(time.RFC3339)
			}
			line := fmt.Sprintf("%s %q %s – %s %q %q %v", e.SourceID, e.Summary, at(e.Start.DateTime, e.Start.Date),
				at(e.End.DateTime, e.End.Date), orEmpty(e.Location), orEmpty(e.Description), e.Transparent)
			for _, guest := range e.Attendees {
				line += " " + guest.Email
			}
			lines = append(lines, line)
		}
		if !said.Data.Events.PageInfo.HasNextPage {
			slices.Sort(lines)
			return lines
		}
		after = `"` + said.Data.Events.PageInfo.EndCursor + `"`
	}
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// shownByGoogle is the window as the stand-in itself expands it.
func (h *harness) shownByGoogle(t *testing.T) (lines []string) {
	t.Helper()
	reply, err := h.google.serve("events.list", "alice@example.com", map[string]string{"calendarId": "primary"},
		url.Values{"singleEvents": {"true"}, "timeMin": {appliedFrom}, "timeMax": {appliedTo}, "maxResults": {"2500"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	items, _ := reply["items"].([]any)
	for _, item := range items {
		e, _ := item.(map[string]any)
		at := func(of any) string {
			times, _ := of.(map[string]any)
			if day, ok := times["date"].(string); ok {
				return day
			}
			text, _ := times["dateTime"].(string)
			instant, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			return instant.UTC().Format(time.RFC3339)
		}
		text := func(name string) string {
			value, _ := e[name].(string)
			return value
		}
		line := fmt.Sprintf("%s %q %s – %s %q %q %v", e["id"], text("summary"), at(e["start"]), at(e["end"]),
			text("location"), text("description"), e["transparency"] == "transparent")
		guests, _ := e["attendees"].([]any)
		for _, guest := range guests {
			line += fmt.Sprint(" ", guest.(map[string]any)["email"])
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// wantShown: the copy shows what Google has, and nothing is asked for it.
func (h *harness) wantShown(t *testing.T, after string) {
	t.Helper()
	got, want := h.shownByCopy(t), h.shownByGoogle(t)
	if n := len(h.google.server.Requests()); n > 0 {
		t.Errorf("%s: the window asks for %v", after, h.google.asked())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s: the copy shows\n%s\nand Google\n%s", after, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// rows are the copy's rows of alice's primary calendar, without what a sync writes of its own.
func (h *harness) copyRows(t *testing.T) map[string]model.EventRow {
	t.Helper()
	user := model.UserIDOf("alice")
	calendars, err := h.store.KeptCalendars(t.Context(), user)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(calendars, func(c model.KeptCalendar) bool { return c.Primary })
	rows, err := h.store.AllEvents(t.Context(), user, calendars[i].Number, "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]model.EventRow{}
	for _, row := range rows {
		row.Applied, row.Generation = 0, 0
		if row.Kind == model.EventDropped || row.Kind == model.EventTombstone { // a bare deletion has less, or more
			row = model.EventRow{Kind: row.Kind, Series: row.Series, OriginalAt: row.OriginalAt}
		}
		all[row.ID] = row
	}
	delete(all, "")
	return all
}

// syncsAsked are the requests for what has changed, among those since the last document.
func (h *harness) syncsAsked(t *testing.T) (n int) {
	t.Helper()
	for _, request := range h.google.server.Requests() {
		at, err := url.Parse(request.URL)
		if err != nil {
			t.Fatal(err)
		}
		query := at.Query()
		if request.Method == "calendar.events.list" && !query.Has("timeMin") && !query.Has("iCalUID") &&
			!query.Has("fields") || query.Has("syncToken") {
			n++
		}
	}
	return n
}

// methodsAsked are the methods of the requests since the last document.
func (h *harness) methodsAsked() string {
	var all []string
	for _, request := range h.google.server.Requests() {
		all = append(all, strings.TrimPrefix(request.Method, "calendar.events."))
	}
	return strings.Join(all, " ")
}

func occurrenceID(series, original string) string {
	return model.EventRef{Connection: 1, Event: series + "_" + original}.ID().String()
}

// appliedWrite is a mutation, the requests that it makes, and how many syncs are among them.
type appliedWrite struct {
	mutation, asks string
	syncs          int
}

func appliedWrites() []appliedWrite {
	const outcome = ` { event { id } userErrors { code message } } }`
	lunch := model.EventRef{Connection: 1, Event: "lunch00"}.ID().String()
	return []appliedWrite{
		{`mutation { createEvent(input: { summary: "Made", start: { dateTime: "2026-11-25T10:00" }, location: "Room 1", ` +
			`attendees: [{ email: "dana@example.com" }], onDuplicate: ALLOW })` + outcome, "insert", 0},
		{`mutation { createRecurringEvent(input: { summary: "Class", startTime: "17:00", endTime: "18:00", ` +
			`days: [WEDNESDAY], count: 6, onDuplicate: ALLOW })` + outcome, "insert", 0},
		{`mutation { updateEvent(input: { target: { id: "` + lunch + `" }, set: { summary: "Dinner", location: "Home" } })` +
			outcome, "get get patch", 0},
		{`mutation { updateEvent(input: { target: { id: "` + occurrenceID("standup00", "20261124T070000Z") +
			`" }, scope: THIS, set: { summary: "Long standup" } })` + outcome, "get get patch", 0},
		{`mutation { deleteEvent(input: { target: { id: "` + occurrenceID("standup00", "20261130T070000Z") +
			`" }, scope: THIS }) { deleted userErrors { code message } } }`, "get get delete", 0},
		{`mutation { truncateRecurringEvent(input: { target: { id: "` + standupID() +
			`" }, until: { date: "2027-01-15" } })` + outcome, "get get list get list patch get list", 0},
		// The occurrence that was changed shows the location of its series, which no answer says.
		{`mutation { updateEvent(input: { target: { id: "` + standupID() +
			`" }, scope: SERIES, set: { location: "Room 2" } })` + outcome, "get get list patch get list list", 1},
		{`mutation { updateEvent(input: { target: { id: "` + occurrenceID("standup00", "20261201T070000Z") +
			`" }, scope: FOLLOWING, set: { summary: "Daily" } })` + outcome, "", 0},
		{`mutation { updateEventsInWindow(input: { timeMin: "2026-11-23T00:00", timeMax: "2026-11-24T23:00", ` +
			`set: { description: "moved on" }, expect: 4 }) { updated errors { code message } userErrors { code message } } }`,
			"", 0},
		{`mutation { deleteEventsInWindow(input: { timeMin: "2026-11-25T00:00", timeMax: "2026-11-25T23:00" }) ` +
			`{ deleted errors { code message } userErrors { code message } } }`, "", 0},
		{`mutation { deleteEventsBySummary(input: { summary: "Class", scope: SERIES, expect: 5 }) ` +
			`{ deleted errors { code message } userErrors { code message } } }`, "", 0},
		{`mutation { deleteEvent(input: { target: { id: "` + standupID() +
			`" }, scope: SERIES }) { deleted userErrors { code message } } }`, "", 0},
		{"undo", "", 1}, // a series that is there again has its exceptions again, which no answer says
		{"undo", "", 0}, // of the undoing
		{"undo", "", 1},
	}
}

// What a write has left, as Google answers it, is in the copy when the mutation answers: no request is made for it, nor
// by the next query, and the next sync changes no row and tells nothing.
func TestAnswersAreApplied(t *testing.T) {
	for _, open := range harnesses() {
		t.Run(open.name, func(t *testing.T) {
			h := keptHarness(t, open)
			for i, write := range appliedWrites() {
				h.clock.Advance(time.Second)
				mutation := write.mutation
				if mutation == "undo" {
					mutation = h.undoLatest(t)
				}
				got := h.answers(t, mutation)
				asked := h.methodsAsked()
				if strings.Contains(got, `"errors":[{`) || strings.Contains(got, `"code"`) {
					t.Errorf("%s answers %s", mutation, got)
				}
				if write.asks != "" && asked != write.asks {
					t.Errorf("%s asks %q, want %q", mutation, asked, write.asks)
				}
				if n := h.syncsAsked(t); n != write.syncs {
					t.Errorf("%s syncs %d times, want %d: %v", mutation, n, write.syncs, h.google.asked())
				}
				h.wantShown(t, mutation)
				if i%3 == 0 {
					h.wantQuietSync(t, mutation)
				}
			}
			h.wantQuietSync(t, "all")
			h.wantEachToldOnce(t)
		})
	}
}

// A write that meets what somebody else has changed is CONFLICT, and what that is, is in the copy then: it was read to
// say so.
func TestWhatAWriteMeetsIsApplied(t *testing.T) {
	for _, open := range harnesses() {
		t.Run(open.name, func(t *testing.T) {
			h := keptHarness(t, open)
			lunch := model.EventRef{Connection: 1, Event: "lunch00"}.ID().String()
			h.clock.Advance(time.Second)
			h.google.server.Inject(standin.Fault{Method: "calendar.events.patch", Status: 412, Times: 3})
			if err := h.google.do(t.Context(), `patch alice@example.com primary lunch00 {"summary": "Theirs"}`); err != nil {
				t.Fatal(err)
			}
			got := h.answers(t, `mutation { updateEvent(input: { id: "`+lunch+`", set: { summary: "Ours" } }) { event { id } `+
				`userErrors { code } } }`)
			if !strings.Contains(got, "CONFLICT") || h.syncsAsked(t) != 0 {
				t.Errorf("%s, asking %v", got, h.methodsAsked())
			}
			h.wantShown(t, "412")
			h.wantQuietSync(t, "412")
			if lines := h.linesOfEvents(t); len(lines) != 1 || lines[0].Operation != model.OperationUpdated {
				t.Errorf("told %+v", lines)
			}
		})
	}
}

// undoLatest is the mutation that undoes what was done last and was not undone.
func (h *harness) undoLatest(t *testing.T) string {
	t.Helper()
	var said struct {
		Data struct {
			Actions struct {
				Nodes []struct {
					ID       string
					Undoable bool
				}
			}
		}
	}
	answer := h.answers(t, `{ actions(first: 20) { nodes { id undoable summary } } }`)
	if err := json.Unmarshal([]byte(answer), &said); err != nil {
		t.Fatal(answer, err)
	}
	for _, action := range said.Data.Actions.Nodes {
		if action.Undoable {
			return `mutation { undoAction(input: { id: "` + action.ID + `" }) { undone { id } userErrors { code message } } }`
		}
	}
	t.Fatal(answer)
	return ""
}

// wantQuietSync: another sync changes no row and tells nothing.
func (h *harness) wantQuietSync(t *testing.T, after string) {
	t.Helper()
	before, told := h.copyRows(t), h.linesOfEvents(t)
	if err := h.google.sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := h.linesOfEvents(t); len(again) != len(told) {
		t.Errorf("%s: the sync tells %+v", after, again[len(told):])
	}
	now := h.copyRows(t)
	for id, row := range now {
		if was, known := before[id]; !known || !reflect.DeepEqual(was, row) {
			t.Errorf("%s: the row of %s is\n%s, and was\n%s", after, id, rowText(row), rowText(was))
		}
	}
}

func rowText(row model.EventRow) string {
	text, err := json.Marshal(row)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// linesOfEvents are the lines of the log about events, without a sync.
func (h *harness) linesOfEvents(t *testing.T) (lines []model.Change) {
	t.Helper()
	all, err := h.store.Changes(t.Context(), model.UserIDOf("alice"), 0, nil, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(c model.Change) bool { return c.Type != model.ChangeEvent })
}
