package mcp_test

import (
	"strings"
	"testing"
)

// TestDryRun has every tool that changes something say what it would do: nothing is changed, what would need an
// approval is answered at once, what needs a choice asks, and the answer to such a question does nothing either.
func TestDryRun(t *testing.T) {
	t.Parallel()
	h := build(t)
	h.link()
	alice := h.as("alice")
	for _, text := range []string{"Call mom", "Call dad"} {
		alice.call("change_tasks", object{"action": "create", "text": text})
	}
	tasks := alice.call("find", object{"in": []string{"tasks"}}).content.Found["tasks"]
	dry := func(tool string, arguments object) got {
		t.Helper()
		arguments["dryRun"] = true
		out := alice.call(tool, arguments)
		contains(t, out.text, "Dry run, nothing was done")
		if !out.content.DryRun {
			t.Errorf("%s: %v: the content does not say that it was a dry run", tool, arguments)
		}
		return out
	}
	made := dry("change_tasks", object{"action": "create", "text": "Buy milk"})
	if len(made.content.IDs) != 1 || !strings.HasPrefix(made.content.IDs[0], "dryrun_task_") {
		t.Errorf("ids: %v", made.content.IDs)
	}
	contains(t, dry("change_tasks", object{"action": "delete", "ids": tasks}).text, "deleted 2", "dryrun_"+tasks[0])
	dry("change_events", object{"action": "create", "title": "Dentist", "start": "2026-11-23T10:00"})
	dry("remember", object{"action": "store", "content": "The wifi is in the drawer"})
	dry("mail", object{"action": "write", "to": []string{"dana@example.com"}, "subject": "Hello", "body": "Hi"})
	letter := alice.call("mail",
		object{"action": "write", "to": []string{"dana@example.com"}, "subject": "Hello", "body": "Hi"}).content.Preview
	contains(t, dry("mail", object{"action": "send", "previewId": letter.ID, "hash": letter.Hash}).text, "scheduled 1")
	asked := alice.ask("change_tasks", object{"action": "complete", "match": "call", "dryRun": true})
	answer := object{"token": asked.content.Confirmation.Token, "choose": tasks[:1]}
	contains(t, alice.call("confirm", answer).text, "Dry run, nothing was done")
	if left := alice.call("find", object{"in": []string{"tasks"}}).content.Found["tasks"]; len(left) != len(tasks) {
		t.Errorf("tasks: %v", left)
	}
	if found := alice.call("find", object{"in": []string{"memories"}}).content.Found["memories"]; len(found) != 0 {
		t.Errorf("memories: %v", found)
	}
	if events, sent := h.events(true), h.sent(); len(events) != 0 || sent != 0 {
		t.Errorf("events: %v; sent: %d", events, sent)
	}
	// A question that was asked in earnest can be answered dry, and then in earnest.
	asked = alice.ask("change_tasks", object{"action": "delete", "ids": tasks[:1]})
	dry("confirm", object{"token": asked.content.Confirmation.Token})
	alice.call("confirm", object{"token": asked.content.Confirmation.Token})
	if left := alice.call("find", object{"in": []string{"tasks"}}).content.Found["tasks"]; len(left) != 1 {
		t.Errorf("tasks after the real answer: %v", left)
	}
}

// TestUndo takes back what a tool has done, dry first, by the id that the tool told.
func TestUndo(t *testing.T) {
	t.Parallel()
	h := build(t)
	alice := h.as("alice")
	made := alice.call("change_tasks", object{"action": "create", "text": "Buy milk"})
	if len(made.content.Actions) != 1 {
		t.Fatalf("actions: %+v", made.content.Actions)
	}
	undo := object{"undo": made.content.Actions[0].ID}
	open := func() int { return len(alice.call("find", object{"in": []string{"tasks"}}).content.Found["tasks"]) }
	contains(t, alice.call("confirm", object{"undo": undo["undo"], "dryRun": true}).text, "Dry run, nothing was done")
	if open() != 1 {
		t.Error("a dry run has undone it")
	}
	alice.call("confirm", undo)
	if open() != 0 {
		t.Error("the task is still there")
	}
}
