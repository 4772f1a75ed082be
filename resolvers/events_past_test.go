package resolvers_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
)

// pastStory changes random series by every mutation there is, in the ways that are about the present and the future,
// and watches the past.
type pastStory struct {
	t      *testing.T
	h      *harness
	random *rand.Rand
	now    time.Time
	// done counts what mutations came to.
	done map[string]int
}

// occurrence is one occurrence as the API shows it.
type occurrence struct {
	ID         string
	Summary    string
	Location   *string
	Start, End struct{ DateTime, Date, TimeZone *string }
}

func (o occurrence) startsAt(t *testing.T) time.Time {
	layout, text := time.DateOnly, o.Start.Date
	if text == nil {
		layout, text = time.RFC3339, o.Start.DateTime
	}
	at, err := time.Parse(layout, *text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// occurrences are all that can be seen of everything, also of series that a cut has made.
func (s *pastStory) occurrences(timeMin, timeMax time.Time) []occurrence {
	s.t.Helper()
	var answer struct {
		Data struct{ Events struct{ Nodes []occurrence } }
	}
	raw := s.h.say(s.t, "alice", nil,
		`query ($filter: EventFilter) { events(filter: $filter, first: 100) { nodes { id summary location start { dateTime date timeZone } end { dateTime date timeZone } } } }`,
		map[string]any{"filter": map[string]any{"timeMin": timeMin.Format(time.RFC3339),
			"timeMax": timeMax.Format(time.RFC3339)}})
	if err := json.Unmarshal(raw, &answer); err != nil || strings.Contains(string(raw), `"errors"`) {
		s.t.Fatalf("events: %v %s", err, raw)
	}
	return answer.Data.Events.Nodes
}

func (s *pastStory) past() []occurrence {
	var past []occurrence
	for _, one := range s.occurrences(s.now.AddDate(0, 0, -60), s.now) {
		if one.startsAt(s.t).Before(s.now) {
			past = append(past, one)
		}
	}
	return past
}

func (s *pastStory) future() []occurrence {
	var future []occurrence
	for _, one := range s.occurrences(s.now, s.now.AddDate(0, 0, 30)) {
		if !one.startsAt(s.t).Before(s.now) {
			future = append(future, one)
		}
	}
	return future
}

// mutate sends a mutation and answers its question, if it asks one, with a choice that is not the whole series.
func (s *pastStory) mutate(name string, input map[string]any) {
	s.t.Helper()
	asks, fields := " confirmation { kind token candidates { id: key } }", "userErrors { code message }"
	if strings.Contains(name, "InWindow") {
		asks, fields = "", "errors { code message } userErrors { code message }"
	}
	document := fmt.Sprintf("mutation ($input: %[1]s%[2]sInput!) { %[3]s(input: $input) { %[4]s%[5]s } }",
		strings.ToUpper(name[:1]), name[1:], name, fields, asks)
	for range 3 {
		raw := s.h.say(s.t, "alice", nil, document, map[string]any{"input": input})
		var answer struct {
			Data map[string]struct {
				UserErrors   []struct{ Code, Message string }
				Confirmation *struct {
					Kind, Token string
					Candidates  []struct{ ID string }
				}
			}
			Errors []json.RawMessage
		}
		if err := json.Unmarshal(raw, &answer); err != nil || len(answer.Errors) > 0 {
			s.t.Fatalf("%s %v: %v %s", name, input, err, raw)
		}
		got := answer.Data[name]
		switch {
		case len(got.UserErrors) > 0:
			s.done[name+" refused"]++
			if code := got.UserErrors[0].Code; code != "BAD_USER_INPUT" && code != "NOT_FOUND" {
				s.t.Fatalf("%s %v: %s", name, input, raw)
			}
			return
		case got.Confirmation == nil:
			s.done[name]++
			return
		}
		s.done["asked"]++
		choice := got.Confirmation.Candidates[s.random.IntN(len(got.Confirmation.Candidates))].ID
		if got.Confirmation.Kind == "RECURRING_SCOPE" {
			choice = []string{"THIS", "FOLLOWING"}[s.random.IntN(2)]
		}
		input["confirm"] = map[string]any{"token": got.Confirmation.Token, "choose": []any{choice}}
	}
	s.t.Fatalf("%s %v: asks and asks", name, input)
}

// step makes one random change from now on.
func (s *pastStory) step() {
	s.t.Helper()
	future := s.future()
	if len(future) == 0 {
		return
	}
	one := future[s.random.IntN(len(future))]
	scope := []any{"THIS", "FOLLOWING", nil}[s.random.IntN(3)]
	soon := func() string { return s.now.Add(time.Duration(s.random.IntN(20*24)) * time.Hour).Format(time.RFC3339) }
	from := s.now.Add(time.Duration(24+s.random.IntN(10*24)) * time.Hour)
	window := map[string]any{"timeMin": from.Format(time.RFC3339),
		"timeMax": from.Add(time.Duration(1+s.random.IntN(72)) * time.Hour).Format(time.RFC3339)}
	if !strings.Contains(one.Summary, "series") {
		s.t.Fatalf("%+v is none of the series", one)
	}
	switch s.random.IntN(8) {
	case 0, 1:
		s.mutate("updateEvent", map[string]any{"id": one.ID, "scope": scope,
			"set": map[string]any{"location": fmt.Sprint("room ", s.random.IntN(9))}})
	case 2:
		set := map[string]any{"start": map[string]any{
			"dateTime": one.startsAt(s.t).Add(time.Duration(s.random.IntN(600)) * time.Minute).Format(time.RFC3339)}}
		if one.Start.Date != nil {
			set = map[string]any{"start": map[string]any{
				"date": one.startsAt(s.t).AddDate(0, 0, s.random.IntN(3)).Format(time.DateOnly)}}
		}
		s.mutate("updateEvent", map[string]any{"id": one.ID, "scope": scope, "set": set})
	case 3:
		s.mutate("deleteEvent", map[string]any{"id": one.ID, "scope": scope})
	case 4:
		s.mutate("truncateRecurringEvent", map[string]any{"id": one.ID, "until": map[string]any{"dateTime": soon()}})
	case 5:
		window["set"] = map[string]any{"summary": "series in a window", "shiftMinutes": 1440}
		s.mutate("updateEventsInWindow", window)
	case 6:
		s.mutate("deleteEventsInWindow", window)
	case 7:
		window["summary"], window["scope"] = one.Summary, scope
		s.mutate("deleteEventsBySummary", window)
	}
}

// Nothing that is done from now on, to an occurrence, to those that follow, or to a window, changes what has been: not
// its id, title, place or time. Only a change that says SERIES is about the past too.
func TestThePastStaysAsItWas(t *testing.T) {
	zones := []string{"Asia/Jerusalem", "America/New_York", "Australia/Lord_Howe", "Pacific/Kiritimati",
		"Pacific/Pago_Pago"}
	nows := []time.Time{
		time.Date(2026, 3, 25, 9, 0, 0, 0, time.UTC), time.Date(2026, 10, 23, 9, 0, 0, 0, time.UTC), // before clocks change
		time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC),
	}
	rules := []string{"RRULE:FREQ=DAILY", "RRULE:FREQ=DAILY;COUNT=40", "RRULE:FREQ=DAILY;INTERVAL=2",
		"RRULE:FREQ=WEEKLY;BYDAY=SU,TU,TH", "RRULE:FREQ=DAILY;UNTIL=20261231"}
	done := map[string]int{}
	for story := range 12 {
		random := rand.New(rand.NewPCG(uint64(story), 7))
		now := nows[story%len(nows)]
		h := harnesses()[0].build(t, now)
		zone := zones[random.IntN(len(zones))]
		if err := h.google.link(t.Context(), model.UserIDOf("alice"), "alice@example.com", zone); err != nil {
			t.Fatal(err)
		}
		s := &pastStory{t: t, h: h, random: random, now: now, done: done}
		location, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		first := time.Date(now.Year(), now.Month(), now.Day()-14, 8+random.IntN(14), 30*random.IntN(2), 0, 0, location)
		for first.Weekday() != time.Sunday {
			first = first.AddDate(0, 0, -1)
		}
		rule := rules[random.IntN(len(rules))]
		times := fmt.Sprintf(`"start": {"dateTime": %q, "timeZone": %q}, "end": {"dateTime": %q, "timeZone": %q}`,
			first.Format(time.RFC3339), zone, first.Add(time.Hour).Format(time.RFC3339), zone)
		if random.IntN(4) == 0 {
			times = fmt.Sprintf(`"start": {"date": %q}, "end": {"date": %q}`, first.Format(time.DateOnly),
				first.AddDate(0, 0, 1).Format(time.DateOnly))
		}
		if err := h.google.do(t.Context(), fmt.Sprintf(
			`event alice@example.com {"id": "series0", "summary": "series", "location": "home", %s, "recurrence": [%q]}`, times,
			rule)); err != nil {
			t.Fatal(err)
		}
		was := s.past()
		if len(was) < 5 {
			t.Fatalf("story %d has a past of %d", story, len(was))
		}
		for step := range 12 {
			s.step()
			is := s.past()
			if a, b := fmt.Sprintf("%+v", plainOccurrences(was)), fmt.Sprintf("%+v", plainOccurrences(is)); a != b {
				t.Fatalf("story %d, step %d (%s, %s): the past changed\n was %s\n is  %s", story, step, zone, rule, a, b)
			}
		}
	}
	for _, name := range []string{"updateEvent", "deleteEvent", "truncateRecurringEvent", "updateEventsInWindow",
		"deleteEventsInWindow", "deleteEventsBySummary", "asked"} {
		if done[name] < 3 {
			t.Errorf("%s was done %d times only: %v", name, done[name], done)
		}
	}
}

// plainOccurrences are occurrences without pointers, for comparing.
func plainOccurrences(all []occurrence) []string {
	out := make([]string, len(all))
	for i, one := range all {
		text, _ := json.Marshal(one)
		out[i] = string(text)
	}
	return out
}
