package resolvers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
)

// hostileHarness has alice with one linked account, and bob with none.
func hostileHarness(t *testing.T) *harness {
	t.Helper()
	h := harnesses()[0].build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
	if err := h.google.link(t.Context(), model.UserIDOf("alice"), "alice@example.com", "UTC"); err != nil {
		t.Fatal(err)
	}
	return h
}

// Whoever holds a link can link an account of theirs to the user, so a token that may only read gets none, wherever one
// is shown.
func TestLinksAreForThoseWhoMayWrite(t *testing.T) {
	h := hostileHarness(t)
	ask := func(user string, scopes ...string) string {
		body, err := json.Marshal(
			map[string]any{"query": `{ viewer { connections { status connectUrl } } events { nodes { id } } }`})
		if err != nil {
			t.Fatal(err)
		}
		return string(h.post(t, user, scopes, nil, body))
	}
	for _, user := range []string{"alice", "bob"} {
		if got := ask(user, "READ", "WRITE"); !strings.Contains(got, "https://almanac.example/connect/google") {
			t.Errorf("%s, who may write, gets no link: %s", user, got)
		}
		got := ask(user, "READ")
		if strings.Contains(got, "connect/google") || !strings.Contains(got, `"connectUrl":null`) ||
			strings.Contains(got, "NOT_CONFIGURED") {
			t.Errorf("%s, who may only read: %s", user, got)
		}
	}
	if got := ask("bob", "READ"); !strings.Contains(got, "NOT_CONNECTED") ||
		!strings.Contains(got, `"status":"NOT_CONNECTED"`) {
		t.Errorf("bob is not told that nothing is linked: %s", got)
	}
	// A grant that Google has ended says so from below.
	h.google.server.RevokeGrant("alice@example.com")
	if got := ask("alice", "READ"); strings.Contains(got, "connect/google") || !strings.Contains(got, "NOT_CONNECTED") {
		t.Errorf("after the end of the grant: %s", got)
	}
}

// Ids that a client makes up lead to the caller's own calendars or nowhere, and no id leads out of a collection of
// events.
func TestIDsThatAreMadeUp(t *testing.T) {
	h := hostileHarness(t)
	if err := h.google.link(t.Context(), model.UserIDOf("carol"), "carol@example.com", "UTC"); err != nil {
		t.Fatal(err)
	}
	if err := h.google.do(t.Context(),
		`event carol@example.com {"id": "private00", "summary": "Private", "start": {"dateTime": "2026-11-22T12:00:00Z"}, "end": {"dateTime": "2026-11-22T13:00:00Z"}}`); err != nil {
		t.Fatal(err)
	}
	carols := model.EventRef{Connection: 1, Event: "private00"}.ID().String()
	told := func(user, id string) string {
		var got string
		for _, field := range []string{"event(id: $id) { summary }", "eventInstances(id: $id) { totalCount }",
			"node(id: $id) { id }", "nodes(ids: [$id]) { id }"} {
			got += string(h.say(t, user, nil, `query($id: ID!) { `+field+` }`, map[string]any{"id": id})) + "\n"
		}
		return strings.ReplaceAll(got, id, "it")
	}
	// Bob, who has no account, hears of carol's event what he hears of any other; alice is answered from her own calendar.
	if carol, none := told("bob", carols), told("bob", model.EventRef{Connection: 7,
		Event: "none00"}.ID().String()); carol != none || !strings.Contains(carol, "NOT_FOUND") {
		t.Errorf("bob can tell what is there:\n%s\n%s", carol, none)
	}
	if carol, none := told("alice", carols), told("alice", model.EventRef{Connection: 1,
		Event: "none00"}.ID().String()); carol != none || strings.Contains(carol, "Private") {
		t.Errorf("alice can tell what is there:\n%s\n%s", carol, none)
	}
	h.google.server.Reset()
	for _, ref := range []model.EventRef{
		{Connection: 1, Event: ".."}, {Connection: 1, Event: "."}, {Connection: 1, Event: ".._20261123"},
		{Connection: 1, Calendar: "..", Event: "abc"},
		{Connection: 1, Calendar: "a@b\x00", Event: "abc"}, {Connection: 1, Event: "a\r\nb"},
	} {
		id := ref.ID().String()
		got := string(h.say(t, "alice", nil,
			`mutation($id: ID!) { deleteEvent(input: { target: { id: $id }, scope: SERIES }) { deleted userErrors { code } } updateEvent(input: { target: { id: $id }, set: { summary: "x" } }) { userErrors { code } } }`, map[string]any{"id": id}))
		if !strings.Contains(got, "BAD_USER_INPUT") || strings.Contains(got, `"deleted":true`) {
			t.Errorf("%+v: %s", ref, got)
		}
		if got := told("alice", id); !strings.Contains(got, "BAD_USER_INPUT") {
			t.Errorf("%+v: %s", ref, got)
		}
	}
	for _, address := range []string{"../a@b", ".@b", "a\u202e@b.example", "a\x7f@b.example", "a\u0085@b",
		strings.Repeat("a", 400) + "@b"} {
		got := string(h.say(t, "alice", nil,
			`query($ids: [ID!]) { freeBusy(calendarIds: $ids) { busy { start } } events(filter: { calendarIds: $ids }) { totalCount } }`, map[string]any{"ids": []string{address}}))
		if !strings.Contains(got, "BAD_USER_INPUT") {
			t.Errorf("%q: %s", address, got)
		}
	}
	if asked := h.google.asked(); len(asked) > 0 {
		t.Errorf("Google was asked:\n%s", strings.Join(asked, ""))
	}
}

// One document asks Google so much and no more, whatever it selects inside of what.
func TestWhatADocumentAsksOfGoogleIsBounded(t *testing.T) {
	h := hostileHarness(t)
	// A hundred occurrences, each of which can be asked for all of its series.
	err := h.google.do(t.Context(),
		`event alice@example.com {"id": "often00", "summary": "Often", "recurrence": ["RRULE:FREQ=DAILY"], "start": {"dateTime": "2026-11-22T12:00:00Z", "timeZone": "UTC"}, "end": {"dateTime": "2026-11-22T13:00:00Z", "timeZone": "UTC"}}`)
	if err != nil {
		t.Fatal(err)
	}
	var each strings.Builder
	for i := range 10 {
		fmt.Fprintf(&each, " i%d: instances(first: 1, timeMax: \"2026-11-24T00:00\") { nodes { summary } }", i)
	}
	h.google.server.Reset()
	got := string(h.say(t, "alice", nil, `{ events(first: 100, filter: { timeMax: "2027-06-01T00:00" }) { nodes { id`+
		each.String()+` } } }`, nil))
	if asked := len(h.google.asked()); asked < engine.MaxQuestions || asked > engine.MaxQuestions+10 ||
		!strings.Contains(got, "QUERY_TOO_EXPENSIVE") {
		t.Errorf("%d requests: %.600s", asked, got)
	}
	// The same without the excess is answered whole, and so is the next document.
	got = string(h.say(t, "alice", nil,
		`{ events(first: 100, filter: { timeMax: "2027-06-01T00:00" }) { nodes { id instances(first: 1, timeMax: "2026-11-24T00:00") { nodes { summary } } } } }`, nil))
	if strings.Contains(got, `"errors"`) || strings.Count(got, `"Often"`) != 100 {
		t.Errorf("%.600s", got)
	}
}
