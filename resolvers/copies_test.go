package resolvers_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	standin "almanac/internal/standin/google"
)

// keptHarness is one whose linked calendar is kept, with a few events.
func keptHarness(t *testing.T, open harnessKind) *harness {
	t.Helper()
	open.kept = true
	h := open.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
	for _, line := range []string{
		`link alice alice@example.com`,
		`event alice@example.com {"id": "lunch00", "summary": "Lunch", "start": {"dateTime": "2026-11-23T12:00:00+02:00"}, "end": {"dateTime": "2026-11-23T13:00:00+02:00"}}`,
		`event alice@example.com {"id": "standup00", "summary": "Standup", "start": {"dateTime": "2026-11-02T09:00:00+02:00", "timeZone": "Asia/Jerusalem"}, "end": {"dateTime": "2026-11-02T09:15:00+02:00", "timeZone": "Asia/Jerusalem"}, "recurrence": ["RRULE:FREQ=WEEKLY;BYDAY=MO,TU"]}`,
		`event alice@example.com {"id": "fair00", "summary": "Fair", "start": {"date": "2026-11-24"}, "end": {"date": "2026-11-26"}}`,
	} {
		if err := h.google.do(t.Context(), line); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.google.sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *harness) answers(t *testing.T, query string) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	h.google.server.Reset()
	return string(h.post(t, "alice", nil, map[string]string{"X-Time-Zone": "Asia/Jerusalem"}, body))
}

// readings are the queries that copies answer, by what their answers must have in them.
func readings() map[string]string {
	return map[string]string{
		`{ events(first: 50) { nodes { id summary version start { dateTime date } end { dateTime date } attendees { email } } } }`:                           "Standup",
		`{ events(filter: { search: "lunch" }) { totalCount nodes { summary } } }`:                                                                           `"totalCount":1`,
		`{ eventConflicts(candidate: { start: "2026-11-23T12:30:00+02:00", end: "2026-11-23T12:45:00+02:00" }) { count conflicts { event1 { summary } } } }`: "Lunch",
		`{ freeBusy(timeMin: "2026-11-23T00:00+02:00", timeMax: "2026-11-24T00:00+02:00") { busy { start end } free { start } } }`:                           "2026-11-23T13:00",
		`{ event(id: "STANDUP") { summary location htmlLink recurrence instances(first: 3) { nodes { start { dateTime } } } } }`:                             "2026-11-24T09:00",
		`{ eventInstances(id: "STANDUP", first: 5) { nodes { summary } } }`:                                                                                  "Standup",
		`{ agenda(kinds: [EVENT]) { counts { events } entries { title } } }`:                                                                                 "Standup",
	}
}

// What is kept is read without a request to Google, so also while it is away or hangs.
func TestQueriesAskGoogleNothing(t *testing.T) {
	for _, open := range harnesses() {
		t.Run(open.name, func(t *testing.T) {
			h := keptHarness(t, open)
			before := map[string]string{}
			standup := standupID()
			for query, want := range readings() {
				query = strings.ReplaceAll(query, "STANDUP", standup)
				before[query] = h.answers(t, query)
				if got := before[query]; !strings.Contains(got, want) || strings.Contains(got, `"errors"`) {
					t.Errorf("%s answers %s", query, got)
				}
				if n := len(h.google.server.Requests()); n > 0 {
					t.Errorf("%s asked Google %d times: %v", query, n, h.google.asked())
				}
			}
			h.google.server.Inject(standin.Fault{Method: "*", Status: 503})
			for query, was := range before {
				if now := h.answers(t, query); now != was {
					t.Errorf("with Google away, %s answers %s, not %s", query, now, was)
				}
			}
		})
	}
}

// Of what an agenda or a dashboard reads, only e-mails are asked for: which there are is not kept. Other queries and
// an agenda of events and tasks ask for nothing, also when the circuit breaker lets a request through after its pause.
func TestOnlyMailIsAskedFor(t *testing.T) {
	for _, open := range harnesses() {
		t.Run(open.name, func(t *testing.T) {
			h := keptHarness(t, open)
			h.google.server.Inject(standin.Fault{Method: "*", Status: 503})
			for range 3 { // each later than a breaker is open
				h.clock.Advance(time.Minute)
				got := h.answers(t, `{ agenda { counts { events } notes { kind code } } }`)
				asked := h.google.server.Requests()
				if !strings.Contains(got, `"events":`) || strings.Contains(got, `"events":null`) ||
					!strings.Contains(got, `"kind":"EMAIL"`) || len(asked) == 0 {
					t.Errorf("it asked %v and answers %s", asked, got)
				}
				for _, request := range asked {
					if !strings.HasPrefix(request.Method, "gmail.") {
						t.Errorf("the agenda asked %s", request.Method)
					}
				}
				h.answers(t, `{ agenda(kinds: [EVENT, TASK]) { counts { events } notes { kind code } }
					events(first: 50) { nodes { summary } } eventConflicts { count }
					freeBusy(timeMin: "2026-11-23T00:00+02:00", timeMax: "2026-11-24T00:00+02:00") { busy { start } } }`)
				if asked := h.google.asked(); len(asked) > 0 {
					t.Errorf("what is kept asked %v", asked)
				}
			}
		})
	}
}

// A mutation's event is in every later query, and what has an unknown outcome is what Google says.
func TestWritesAreInEveryLaterQuery(t *testing.T) {
	for _, open := range harnesses() {
		t.Run(open.name, func(t *testing.T) {
			h := keptHarness(t, open)
			const list = `{ events(first: 50) { nodes { summary } } }`
			made := h.answers(t, `mutation { createEvent(input: { summary: "Made", start: { dateTime: "2026-11-25T10:00" } }) `+
				`{ event { id } userErrors { message } } }`)
			if got := h.answers(t, list); !strings.Contains(got, "Made") || len(h.google.server.Requests()) > 0 {
				t.Errorf("after %s: %s, with %d requests", made, got, len(h.google.server.Requests()))
			}
			// The answer is lost, and Google cannot be asked afterwards: the copy is not read until it can.
			h.google.server.Inject(standin.Fault{Method: "calendar.events.insert", LoseAnswer: true})
			h.google.server.Inject(standin.Fault{Method: "calendar.events.get", Status: 503})
			h.google.server.Inject(standin.Fault{Method: "calendar.events.list", Status: 503})
			lost := h.answers(t, `mutation { createEvent(input: { summary: "Lost", start: { dateTime: "2026-11-26T10:00" } }) `+
				`{ event { id } userErrors { message } } }`)
			if got := h.answers(t, list); !strings.Contains(got, "UPSTREAM_UNAVAILABLE") {
				t.Errorf("after %s: %s", lost, got)
			}
			h.google.server.Clear()
			if got := h.answers(t, list); !strings.Contains(got, "Lost") || len(h.google.server.Requests()) == 0 {
				t.Errorf("when Google is back: %s", got)
			}
			if err := h.google.sync(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := h.answers(t, list); !strings.Contains(got, "Lost") || len(h.google.server.Requests()) > 0 {
				t.Errorf("after the next sync: %s", got)
			}
			log := h.answers(t, `{ changes(first: 100) { nodes { type operation nodeId } } }`)
			if n := strings.Count(log, `"operation":"CREATED"`); n != 5 { // account, calendar, the action of the first, two events
				t.Errorf("the log has %s", log)
			}
		})
	}
}

// A write that was refused has changed nothing, so what is kept stays in use: where the write finds the grant to have
// ended, and where Google names a conflict. Of a lost answer nobody knows, so Google is asked until it was synced.
func TestWritesThatFail(t *testing.T) {
	const list = `{ events(first: 50) { nodes { summary } context { notes { code } } } }`
	lunch := model.EventRef{Connection: 1, Event: "lunch00"}.ID().String()
	patch := `mutation { updateEvent(input: { id: "` + lunch + `", set: { summary: "Dinner" } }) { event { summary } ` +
		`userErrors { code } } }`
	insert := `mutation { createEvent(input: { summary: "New", start: { dateTime: "2026-11-25T10:00" } }) { event { id } ` +
		`userErrors { code } } }`
	for _, open := range harnesses() {
		t.Run(open.name, func(t *testing.T) {
			stale := standin.Fault{Method: "calendar.events.insert", Status: 401, Times: 1}
			for name, c := range map[string]struct {
				faults         []standin.Fault
				mutation, says string
				// has is what the list has then, without a request.
				has string
			}{
				// Everything before the write finds the token good, and the write finds that it cannot be renewed.
				"the grant has ended": {[]standin.Fault{stale, {Method: "oauth.token", Status: 400, Reason: "invalid_grant"}},
					insert, "NOT_CONNECTED", "Lunch"},
				"412": {[]standin.Fault{{Method: "calendar.events.patch", Status: 412}}, patch, "CONFLICT", "Lunch"},
				"409": {[]standin.Fault{{Method: "calendar.events.insert", Status: 409}}, insert, "CONFLICT", "Lunch"},
				"lost": {[]standin.Fault{{Method: "calendar.events.insert", LoseAnswer: true},
					{Method: "calendar.events.get", Status: 503}}, insert, "UPSTREAM_UNAVAILABLE", "New"},
			} {
				t.Run(name, func(t *testing.T) {
					h := keptHarness(t, open)
					for _, fault := range c.faults {
						h.google.server.Inject(fault)
					}
					if got := h.answers(t, c.mutation); !strings.Contains(got, c.says) {
						t.Errorf("the mutation answers %s", got)
					}
					got := h.answers(t, list)
					if n := len(h.google.server.Requests()); !strings.Contains(got, c.has) || strings.Contains(got, `"errors"`) ||
						n > 0 {
						t.Errorf("the list asks %d times and answers %s", n, got)
					}
				})
				if name == "the grant has ended" {
					continue
				}
				t.Run(name+", and Google is away then", func(t *testing.T) {
					h := keptHarness(t, open)
					for _, fault := range c.faults {
						h.google.server.Inject(fault)
					}
					h.google.server.Inject(standin.Fault{Method: "calendar.events.list", Status: 503})
					h.answers(t, c.mutation)
					got := h.answers(t, list)
					asked := len(h.google.server.Requests()) > 0
					if name == "lost" {
						if !asked || !strings.Contains(got, "UPSTREAM_UNAVAILABLE") {
							t.Errorf("the list asks: %v, and answers %s", asked, got)
						}
					} else if asked || !strings.Contains(got, "Lunch") {
						t.Errorf("the list asks: %v, and answers %s", asked, got)
					}
				})
			}
		})
	}
}

// An account that must be linked again is read from what is kept of it, where no account is named, without an error and
// without a request, also by the ids of its calendars and events: a note says how old it is, and where to link it. What
// names the account, changes something, or is not kept, is NOT_CONNECTED, and of an account of which nothing is kept
// nobody knows when it is free.
func TestExpiredAccountsAreReadFromCopies(t *testing.T) {
	const query = `{
		events(first: 50, freshness: HOW) { nodes { summary } context { asOf notes { code account message connectUrl } } }
		eventConflicts(candidate: { start: "2026-11-23T12:30:00+02:00", end: "2026-11-23T12:45:00+02:00" }, freshness: HOW) {
			count context { asOf notes { code account message connectUrl } } }
		freeBusy(timeMin: "2026-11-23T00:00+02:00", timeMax: "2026-11-24T00:00+02:00", freshness: HOW) {
			busy { start } free { start } context { asOf notes { code account message connectUrl } } }
		agenda(kinds: [EVENT], freshness: HOW) { counts { events } asOf notes { code account message connectUrl } }
	}`
	const list = `{ events(first: 50) { nodes { summary } } }`
	for _, open := range harnesses() {
		t.Run(open.name, func(t *testing.T) {
			h := keptHarness(t, open)
			h.clock.Advance(time.Hour)
			google := func(line string) {
				t.Helper()
				if err := h.google.do(t.Context(), line); err != nil {
					t.Fatal(err)
				}
			}
			google(`revoke alice@example.com`)
			was := h.answers(t, list)
			if !strings.Contains(was, "Lunch") {
				t.Fatal(was)
			}
			// Whoever waits for the sync that finds it out is told as well; from then on nothing is asked.
			for i, how := range []string{"CHECKED", "CHECKED", "KEPT"} {
				got := h.answers(t, strings.ReplaceAll(query, "HOW", how))
				if strings.Contains(got, `"errors"`) || !strings.Contains(got, "Standup") || !strings.Contains(got, `"count":1`) ||
					!strings.Contains(got, `"start":"2026-11-23T13:00:00+02:00"`) || strings.Contains(got, `"events":0`) ||
					strings.Count(got, `"asOf":"2026-11-22T10:00:00+02:00"`) != 4 ||
					strings.Count(got, `"code":"NOT_CONNECTED"`) != 4 ||
					strings.Count(got, `"connectUrl":"https://almanac.example/connect/google?account=alice%40example.com"`) != 4 ||
					strings.Count(got, "it is shown as it was at 2026-11-22 10:00") != 4 {
					t.Errorf("%s answers %s", how, got)
				}
				if n := len(h.google.server.Requests()); i > 0 && n > 0 {
					t.Errorf("%s asked Google %d times", how, n)
				}
			}
			if got := h.answers(t, list); got != was {
				t.Errorf("the list is %s, and was %s", got, was)
			}
			primary := model.CalendarRef{Connection: 1}.ID().String()
			for byID, notes := range map[string]int{
				`{ events(filter: { calendarIds: ["` + primary + `"] }) { nodes { summary asOf } context { notes { code } } } }`:   1,
				`{ events(filter: { calendarIds: ["alice@example.com"] }) { nodes { summary asOf } context { notes { code } } } }`: 1,
				`{ eventInstances(id: "` + standupID() + `") { nodes { summary asOf } context { notes { code } } } }`:              1,
				`{ event(id: "` + standupID() + `") { summary asOf instances { context { notes { code } } } } }`:                   1,
				`{ nodes(ids: ["` + standupID() + `"]) { ... on Event { summary asOf } } }`:                                        0,
				`{ event(id: "` + standupID() + `", freshness: CHECKED) { summary asOf } }`:                                        1,
				`{ freeBusy(calendarIds: ["` + primary + `"], timeMin: "2026-11-23T00:00+02:00", timeMax: "2026-11-24T00:00+02:00") {
					busy { start } context { asOf notes { code message } } } events { nodes { summary } } }`: 1,
			} {
				got := h.answers(t, byID)
				if strings.Count(got, "NOT_CONNECTED") != notes || !strings.Contains(got, "Standup") ||
					!strings.Contains(got, `"asOf":"2026-11-22T10:00:00+02:00"`) || len(h.google.server.Requests()) > 0 {
					t.Errorf("%s asks %d times and answers %s", byID, len(h.google.server.Requests()), got)
				}
			}
			for _, named := range []string{
				`{ events(filter: { account: "alice@example.com" }) { nodes { summary } } }`,
				`{ events(filter: { account: "alice@example.com", calendarIds: ["primary"] }) { nodes { summary } } }`,
				`{ events(filter: { calendarIds: ["team@example.com"] }) { nodes { summary } } }`,
				`{ event(id: "` + model.EventRef{Connection: 1, Event: "never00"}.ID().String() + `") { summary } }`,
				`mutation { updateEvent(input: { id: "` + standupID() + `", set: { summary: "New" } }) ` +
					`{ event { id } userErrors { code } } }`,
				`mutation { createEvent(input: { summary: "New", start: { dateTime: "2026-11-25T10:00" } }) ` +
					`{ event { id } userErrors { code } } }`,
			} {
				if got := h.answers(t, named); !strings.Contains(got, "NOT_CONNECTED") || strings.Contains(got, "Standup") {
					t.Errorf("%s answers %s", named, got)
				}
			}

			// Of the second account nothing is kept.
			google(`link alice second@example.com`)
			if err := h.store.Write(t.Context(), model.UserIDOf("alice"), func(ctx context.Context, tx store.Tx) error {
				return tx.SetConnectionStatus(ctx, h.google.linked[1].ID, model.ConnectionExpired, h.clock.Now())
			}); err != nil {
				t.Fatal(err)
			}
			if got := h.answers(t, list); !strings.Contains(got, "Lunch") || strings.Count(got, `"code":"NOT_CONNECTED"`) != 1 ||
				!strings.Contains(got, "second@example.com") {
				t.Errorf("with one that is not kept: %s", got)
			}
			got := h.answers(t, `{ freeBusy(timeMin: "2026-11-23T00:00+02:00", timeMax: "2026-11-24T00:00+02:00") { busy { start } free { start } isFree } }`)
			if !strings.Contains(got, `"free":[],"isFree":null`) || !strings.Contains(got, "2026-11-23T12:00") {
				t.Errorf("it is free: %s", got)
			}
			if got := h.answers(t, `{ agenda(kinds: [EVENT]) { counts { events } notes { account code } } }`); strings.Contains(got,
				`"events":0`) || strings.Count(got, "NOT_CONNECTED") != 2 {
				t.Errorf("the agenda: %s", got)
			}
		})
	}
}

// standupID is the public id of the series of keptHarness.
func standupID() string { return model.EventRef{Connection: 1, Event: "standup00"}.ID().String() }
