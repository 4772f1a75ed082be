package resolvers_test

import (
	"bytes"
	"strings"
	"testing"

	"almanac/bench/sentences/framed"
	"almanac/resolvers/agent"
)

// TestAgentQuestionsWriteNothing says more than 3,000 questions to a user who has something of everything, and holds
// that the log of changes, Google's calendar and the list of actions are what they were.
func TestAgentQuestionsWriteNothing(t *testing.T) {
	h := agentHarness(t, agent.Grammar{})
	for _, title := range []string{"Dentist", "Budget review", "הופעה", "אינסטלטור"} {
		h.asks(t, `mutation($t: String!) { agentChat(input: { text: $t }) { success } }`,
			map[string]any{"t": "schedule \"" + title + "\" on 2024-01-18 at 15:00"})
	}
	h.asks(t, `mutation { createTask(input: { text: "Call the landlord" }) { task { id } }
		l: createList(input: { name: "Shopping", items: ["bread", "olive oil"] }) { list { id } }
		k: createList(input: { name: "קניות", items: ["לחם"] }) { list { id } }
		storeMemory(input: { type: NOTE, content: "The locker code is 4417" }) { memory { id } } }`, nil)
	const state = `{ changes(first: 100) { nodes { id } } actions(first: 100) { nodes { id } }
		events(filter: { timeMin: "2023-01-01T00:00:00Z", timeMax: "2025-12-31T00:00:00Z" }, first: 100) {
			nodes { id summary version } }
		tasks(first: 100) { nodes { id text completed dueDate } } lists { nodes { id items { id text checked } } }
		memories(first: 100) { nodes { id content } } }`
	before := h.asks(t, state, nil)
	for _, there := range []string{"Dentist", "אינסטלטור", "landlord", "olive oil", "locker"} {
		if !bytes.Contains(before, []byte(there)) {
			t.Fatalf("there is no %s to be changed: %s", there, before)
		}
	}
	questions, err := framed.Read("../bench/sentences/dev/frames.txt", 14)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, q := range questions {
		for _, text := range []string{q.Text, strings.TrimSuffix(q.Text, "?") + "?"} {
			n++
			h.asks(t, `mutation($t: String!) { agentChat(input: { text: $t }) { success } }`, map[string]any{"t": text})
		}
	}
	if n < 3000 {
		t.Errorf("%d questions, want 3,000", n)
	}
	if after := h.asks(t, state, nil); !bytes.Equal(after, before) {
		t.Errorf("something was changed:\n%s\nwas\n%s", after, before)
	}
}
