package resolvers_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/projections/compact"
	"almanac/resolvers/agent"
)

// TestAgentIsBounded asks every tool about more than an answer may hold, in both languages: no answer passes the tokens
// that are allowed, and what is read can be read to its end.
func TestAgentIsBounded(t *testing.T) {
	h := agentHarness(t, agent.Grammar{})
	begin := sunday.AddDate(0, 0, 7).Truncate(24 * time.Hour)
	for i := range 205 {
		at := begin.Add(time.Duration(i) * 30 * time.Minute)
		h.google1(t, fmt.Sprintf(
			`event alice@example.com {"id": "bound%03d", "summary": "Meeting number %d about the move to the `+
				`new office", "start": {"dateTime": %q}, "end": {"dateTime": %q}}`, i, i, at.Format(time.RFC3339),
			at.Add(30*time.Minute).Format(time.RFC3339)))
	}
	for i := range 120 {
		h.asks(t, `mutation($t: String!) { createTask(input: { text: $t, allowDuplicate: true }) { task { id } } }`,
			map[string]any{"t": fmt.Sprintf("לסדר את ארון הנעליים מספר %d שבמסדרון", i)})
	}
	items := make([]string, 150)
	for i := range items {
		items[i] = fmt.Sprintf("a thing that is needed for the journey, number %d", i)
	}
	h.asks(t, `mutation($i: [String!]) { createList(input: { name: "Packing", items: $i }) { list { id } } }`,
		map[string]any{"i": items})
	h.asks(t, `mutation($t: String!) { storeMemory(input: { type: NOTE, content: $t }) { memory { id } } }`,
		map[string]any{"t": "The boiler " + strings.Repeat("is serviced by a man who comes with a ladder. ", 150)})

	type result struct {
		Count  int
		More   int
		Next   string
		Events []struct {
			EventID string `json:"event_id"`
		}
	}
	say := func(input map[string]any, most int) (chatAnswer, result) {
		t.Helper()
		body, err := json.Marshal(input)
		if err != nil {
			t.Fatal(err)
		}
		w := h.chat(t, "alice", nil, string(body))
		got := chatAnswerOf(t, w)
		if n := compact.Tokens(w.Body.String()); n > most {
			t.Errorf("%v: the answer has %d tokens, more than %d:\n%s", input, n, most, w.Body)
		}
		var inside result
		_ = json.Unmarshal(got.Result, &inside)
		return got, inside
	}
	for _, most := range []int{500, 1000, 4000} {
		for _, text := range []string{"what's on my calendar next week", "find meetings about the move", "what is coming up",
			"מה יש לי בשבוע הבא", "how many meetings do I have next week", "clear next week",
			"cancel the meeting about the move",
			"what are my tasks", "מה המשימות שלי", "what's on the packing list", "show my lists",
			"what do I know about the boiler",
			"forget the boiler", "delete the task לסדר את ארון הנעליים", "any mail", "undo that", "hello there",
			"add " + strings.Repeat("milk and ", 200) + "eggs to the packing list",
			"remember that " + strings.Repeat("the roof leaks ", 300),
			"schedule " + strings.Repeat("planning ", 100) + "tomorrow at 15:00",
			"remind me to " + strings.Repeat("לצבוע את הגדר ", 100) + " tomorrow at 15:00"} {
			got, _ := say(map[string]any{"text": text, "maxTokens": most}, most)
			if made := strings.HasPrefix(text, "schedule") || strings.HasPrefix(text, "rem"); made != (made && got.Success) {
				t.Errorf("%.40q with %d tokens: %+v", text, most, got)
			}
		}
	}
	seen, next := map[string]bool{}, ""
	for page := 0; page == 0 || next != ""; page++ {
		input := map[string]any{"text": "what's on my calendar next week"}
		if page > 0 {
			input["after"] = next
		}
		got, inside := say(input, 1000)
		if !got.Success || inside.Count != 205 || len(inside.Events) == 0 || page > 60 {
			t.Fatalf("page %d: %+v", page, got)
		}
		if page == 0 && !strings.Contains(got.Summary, "Found 205 events:") {
			t.Errorf("the first line does not say how many: %s", got.Summary)
		}
		for _, event := range inside.Events {
			if seen[event.EventID] {
				t.Errorf("page %d shows %s again", page, event.EventID)
			}
			seen[event.EventID] = true
		}
		if len(seen)+inside.More != 205 {
			t.Errorf("page %d: %d shown so far and %d left", page, len(seen), inside.More)
		}
		next = inside.Next
	}
	if len(seen) != 205 {
		t.Errorf("%d of 205 events were shown", len(seen))
	}
}
