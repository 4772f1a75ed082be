package mcp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/config"
	"almanac/internal/mcp"
	mailbox "almanac/internal/standin/gmail"
	"almanac/projections/compact"
)

func TestDefinitions(t *testing.T) {
	t.Parallel()
	h := build(t)
	for token, want := range map[string][]string{
		"alice":            {"agenda", "change_events", "change_tasks", "confirm", "find", "mail", "open", "remember"},
		"alice.READ":       {"agenda", "find", "open"},
		"alice.WRITE":      {"change_events", "change_tasks", "confirm", "mail", "remember"},
		"alice.READ-WRITE": {"agenda", "change_events", "change_tasks", "confirm", "find", "mail", "open", "remember"},
	} {
		list, err := h.as(token).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
			writes := !tool.Annotations.ReadOnlyHint
			if reads := slices.Contains([]string{"agenda", "find", "open"}, tool.Name); reads == writes {
				t.Errorf("%s: readOnlyHint is %v", tool.Name, !writes)
			}
			if destroys := tool.Annotations.DestructiveHint == nil ||
				*tool.Annotations.DestructiveHint; writes && destroys != (tool.Name == "confirm") {
				t.Errorf("%s: destructiveHint is %v", tool.Name, destroys)
			}
			schema, _ := json.Marshal(tool.InputSchema)
			if sends := strings.Contains(string(schema), `"send"`); tool.Name == "mail" && sends != (token == "alice") {
				t.Errorf("%s: mail offers to send: %v", token, sends)
			}
		}
		slices.Sort(names)
		if !slices.Equal(names, want) {
			t.Errorf("%s sees %v, not %v", token, names, want)
		}
		text, err := json.Marshal(list.Tools)
		if err != nil {
			t.Fatal(err)
		}
		if tokens := compact.Tokens(string(text)); tokens > 1_800 {
			t.Errorf("%s: the definitions have %d tokens", token, tokens)
		}
	}
	all := config.MCPTools()
	slices.Sort(all)
	if list, err := h.as("alice").ListTools(t.Context(), nil); err != nil || len(list.Tools) != len(all) ||
		len(all) > mcp.MaxTools {
		t.Errorf("the settings know %v: %v", all, err)
	}
}

func TestTasks(t *testing.T) {
	t.Parallel()
	h := build(t)
	alice := h.as("alice")
	for _, c := range []struct{ text, search, match string }{
		{"Call mom about the party", "party", "call mom about the party"},
		{"להתקשר לאמא", "לאמא", "להתקשר לאמא"},
	} {
		made := alice.call("change_tasks",
			object{"action": "create", "text": c.text, "dueDate": "2026-11-22T18:00", "category": "family"})
		contains(t, made.text, c.text)
		if len(made.content.IDs) != 1 {
			t.Fatalf("ids: %v", made.content.IDs)
		}
		id := made.content.IDs[0]
		done := made.content.Actions
		if len(done) != 1 || !done[0].Undoable || unfenced(t, done[0].Summary) != "Added "+c.text+" for Sun 22 Nov 18:00" {
			t.Fatalf("actions: %+v", done)
		}
		kept, err := h.store.Actions(t.Context(), model.UserIDOf("alice"), store.ActionWhere{}, model.UUID{}, 1)
		if err != nil || len(kept) != 1 || kept[0].Source != model.SourceMCP || kept[0].Client == "" {
			t.Errorf("kept: %+v, %v", kept, err)
		}
		contains(t, alice.call("open", object{"id": done[0].ID}).text, unfenced(t, done[0].Summary))
		found := alice.call("find", object{"query": c.search, "in": []string{"tasks"}})
		contains(t, found.text, c.text, id)
		if !slices.Equal(found.content.Found["tasks"], []string{id}) {
			t.Errorf("found: %v", found.content.Found)
		}
		opened := alice.call("open", object{"id": id})
		contains(t, opened.text, "text: "+c.text, "category: family")
		if !strings.HasPrefix(opened.text, "<<untrusted") {
			t.Error("what the user wrote stands between no fences")
		}
		alice.call("change_tasks", object{"action": "update", "match": c.match, "dueDate": nil, "category": "calls"})
		if opened = alice.call("open", object{"id": id}); strings.Contains(opened.text, "dueDate") ||
			!strings.Contains(opened.text, "category: calls") {
			t.Errorf("not updated: %s", opened.text)
		}
		contains(t, alice.call("agenda", object{}).text, "")
		alice.call("change_tasks", object{"action": "complete", "match": c.match})
		if found = alice.call("find", object{"query": c.search, "in": []string{"tasks"},
			"completed": true}); !slices.Equal(found.content.Found["tasks"], []string{id}) {
			t.Errorf("not completed: %s", found.text)
		}
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	h := build(t)
	alice := h.as("alice")
	alice.call("change_tasks", object{"action": "create_list", "list": "Groceries", "items": []string{"milk", "חלב"}})
	alice.call("change_tasks", object{"action": "add_items", "list": "groceries", "items": []string{"eggs"}})
	alice.call("change_tasks", object{"action": "check_items", "list": "groceries", "items": []string{"milk", "חלב"}})
	id := alice.call("find", object{"in": []string{"lists"}}).content.Found["lists"][0]
	contains(t, alice.call("open", object{"id": id}).text, "text: milk", "text: חלב", "text: eggs", "checked: true")
	asked := alice.ask("change_tasks", object{"action": "remove_items", "list": "groceries", "items": []string{"milk"}})
	contains(t, asked.text, "Remove these items", "milk")
	contains(t, alice.call("open", object{"id": id}).text, "text: milk")
	alice.call("confirm", object{"token": asked.content.Confirmation.Token})
	if text := alice.call("open", object{"id": id}).text; strings.Contains(text, "milk") {
		t.Errorf("milk is still there: %s", text)
	}
	asked = alice.ask("change_tasks", object{"action": "delete_list", "list": "groceries"})
	alice.call("confirm", object{"token": asked.content.Confirmation.Token})
	if found := alice.call("find", object{"in": []string{"lists"}}); len(found.content.Found["lists"]) != 0 {
		t.Errorf("the list is still there: %s", found.text)
	}
}

// What the tools of events do, they do in a linked calendar and, where none is linked, in an own one.
func TestEvents(t *testing.T) {
	t.Parallel()
	for _, linked := range []bool{true, false} {
		t.Run(fmt.Sprintf("linked %v", linked), func(t *testing.T) {
			t.Parallel()
			h := build(t)
			if linked {
				h.link()
			}
			alice := h.as("alice")
			for _, title := range []string{"Design review", "פגישת צוות"} {
				made := alice.call("change_events",
					object{"action": "create", "title": title, "start": "2026-11-23T10:00", "location": "Room 4"})
				contains(t, made.text, title)
				id := made.content.IDs[0]
				contains(t, alice.call("open", object{"id": id}).text, "<<untrusted", title, "Room 4")
				contains(t, alice.call("agenda", object{"from": "2026-11-23", "to": "2026-11-24", "kinds": []string{"EVENT"}}).text,
					title)
				alice.call("change_events", object{"action": "update", "ids": []string{id}, "start": "2026-11-24T09:00",
					"end": "2026-11-24T09:30"})
				asked := alice.ask("change_events",
					object{"action": "delete", "match": title, "start": "2026-11-24", "end": "2026-11-25"})
				contains(t, asked.text, title)
				if got := h.events(linked); !slices.Equal(got, []string{title}) {
					t.Fatalf("before the answer: %v", got)
				}
				alice.call("confirm", object{"token": asked.content.Confirmation.Token})
				if got := h.events(linked); len(got) != 0 {
					t.Fatalf("after the answer: %v", got)
				}
			}
			day := alice.call("change_events", object{"action": "create", "title": "Holiday", "start": "2026-11-25"})
			contains(t, alice.call("open", object{"id": day.content.IDs[0]}).text, "date: 2026-11-25")
			alice.call("change_events", object{"action": "create", "title": "First", "start": "2026-11-26T10:00"})
			contains(t, alice.call("change_events", object{"action": "create", "title": "Second",
				"start": "2026-11-26T10:30"}).text, "overlaps with 1 events")
			free := alice.call("agenda", object{"from": "2026-11-26T08:00", "to": "2026-11-26T13:00", "freeMinutes": 60})
			contains(t, free.text, "Free:", "Thu 2026-11-26 08:00 – 10:00", "11:30 – 13:00")
			if len(free.content.Free) != 2 {
				t.Errorf("free: %v", free.content.Free)
			}
		})
	}
}

func TestSeries(t *testing.T) {
	t.Parallel()
	for _, linked := range []bool{true, false} {
		t.Run(fmt.Sprintf("linked %v", linked), func(t *testing.T) {
			t.Parallel()
			h := build(t)
			if linked {
				h.link()
			}
			alice := h.as("alice")
			alice.call("change_events", object{"action": "create", "title": "Standup", "start": "2026-11-23T09:00",
				"repeat": []string{"RRULE:FREQ=DAILY;COUNT=3"}})
			ids := alice.call("find", object{"query": "standup", "in": []string{"events"}}).content.Found["events"]
			if len(ids) != 3 {
				t.Fatalf("occurrences: %v", ids)
			}
			asked := alice.ask("change_events", object{"action": "delete", "ids": ids[1:2]})
			if kind := asked.content.Confirmation.Kind; kind != "RECURRING_SCOPE" ||
				len(asked.content.Confirmation.Candidates) != 4 {
				t.Fatalf("asked %s: %s", kind, asked.text)
			}
			if wrong, err := alice.try("confirm", object{"token": asked.content.Confirmation.Token}); err != nil ||
				!wrong.failed || wrong.content.Problems[0].Code != "BAD_USER_INPUT" {
				t.Errorf("no choice: %s %v", wrong.text, err)
			}
			alice.call("confirm", object{"token": asked.content.Confirmation.Token, "choose": []string{"THIS"}})
			ids = alice.call("find", object{"query": "standup", "in": []string{"events"}}).content.Found["events"]
			if len(ids) != 2 {
				t.Fatalf("occurrences left: %v", ids)
			}
			asked = alice.ask("change_events", object{"action": "delete", "ids": ids[:1]})
			alice.call("confirm", object{"token": asked.content.Confirmation.Token, "choose": []string{"FROM_NOW"}})
			if ids = alice.call("find",
				object{"query": "standup", "in": []string{"events"}}).content.Found["events"]; len(ids) != 0 {
				t.Errorf("occurrences left: %v", ids)
			}
		})
	}
}

func TestMail(t *testing.T) {
	t.Parallel()
	h := build(t)
	h.link()
	h.deliver(mailbox.Letter{From: "Dana <dana@example.com>", To: mailAddress, Subject: "Lunch?",
		Text: "Shall we meet on Monday?\r\n", MessageID: "1@example.com"})
	h.deliver(mailbox.Letter{From: "Noa <noa@example.com>", To: mailAddress, Subject: "ארוחת צהריים",
		Text: "ניפגש ביום שני?\r\n", MessageID: "2@example.com"})
	alice := h.as("alice")
	for i, c := range []struct{ search, subject, body string }{
		{"lunch", "Lunch?", "Shall we meet on Monday?"},
		{"צהריים", "ארוחת צהריים", "ניפגש ביום שני?"},
	} {
		found := alice.call("find", object{"query": c.search, "in": []string{"emails"}, "unread": true})
		contains(t, found.text, "<<untrusted", c.subject)
		id := found.content.Found["emails"]
		contains(t, alice.call("open", object{"id": id[0]}).text, "<<untrusted", c.body, "subject: "+c.subject)
		reply := alice.call("mail", object{"action": "reply", "ids": id, "body": "Yes — כן"})
		if reply.content.Preview.ID == "" || h.sent() != i {
			t.Fatalf("a preview: %+v, %d sent", reply.content, h.sent())
		}
		asked := alice.ask("mail", object{"action": "send", "previewId": reply.content.Preview.ID,
			"hash": reply.content.Preview.Hash})
		contains(t, asked.text, "Yes — כן", "Re: "+c.subject)
		if h.sent() != i {
			t.Fatal("it was sent before the answer")
		}
		for range 2 { // once, however often it is confirmed
			done := alice.call("confirm", object{"token": asked.content.Confirmation.Token})
			if len(done.content.Actions) != 1 || !done.content.Actions[0].Undoable {
				t.Errorf("what was done: %+v", done.content.Actions)
			}
		}
		if h.sent() != i {
			t.Fatal("it was sent while it could still be stopped")
		}
		h.sendsDue()
		if h.sent() != i+1 {
			t.Fatalf("%d sent", h.sent())
		}
		h.mailbox.Mailbox(mailAddress)
		alice.call("mail", object{"action": "mark", "ids": id, "read": true, "starred": true})
		if found := alice.call("find", object{"query": c.search, "in": []string{"emails"},
			"unread": true}); len(found.content.Found["emails"]) != 0 {
			t.Errorf("still unread: %s", found.text)
		}
		asked = alice.ask("mail", object{"action": "label", "ids": id, "add": []string{"trash"}})
		contains(t, asked.text, "trash or to spam", c.subject)
	}
	letter := alice.call("mail", object{"action": "write", "to": []string{"noa@example.com"}, "subject": "שלום",
		"body": "מה נשמע?"})
	alice.call("mail", object{"action": "discard", "previewId": letter.content.Preview.ID})
	if out, err := alice.try("mail", object{"action": "send", "previewId": letter.content.Preview.ID,
		"hash": letter.content.Preview.Hash}); err != nil || !out.failed {
		t.Errorf("a discarded preview: %s %v", out.text, err)
	}
}

func TestRemember(t *testing.T) {
	t.Parallel()
	h := build(t)
	alice := h.as("alice")
	for _, c := range []struct{ content, search string }{{"The wifi password is tulip42", "wifi"}, {"הקוד של השער הוא " +
		"4711", "השער"}} {
		kept := alice.call("remember", object{"action": "store", "content": c.content, "tags": []string{"home"}})
		id := kept.content.IDs[0]
		contains(t, alice.call("find", object{"query": c.search, "in": []string{"memories"}}).text, c.content, id)
		asked := alice.ask("remember", object{"action": "forget", "ids": []string{id}})
		contains(t, asked.text, c.content)
		alice.call("confirm", object{"token": asked.content.Confirmation.Token})
		if found := alice.call("find",
			object{"query": c.search, "in": []string{"memories"}}); len(found.content.Found["memories"]) != 0 {
			t.Errorf("not forgotten: %s", found.text)
		}
	}
	facts := alice.call("remember", object{"action": "facts",
		"facts": []object{{"source": "Dana", "relation": "works at", "target": "Acme"},
			{"source": "דנה", "relation": "גרה ב", "target": "חיפה"}}})
	if len(facts.content.IDs) != 2 {
		t.Errorf("facts: %v %s", facts.content.IDs, facts.text)
	}
	contains(t, alice.call("find", object{"query": "Acme", "in": []string{"facts", "entities"}}).text, "Dana", "Acme")
	alice.call("remember", object{"action": "episode", "content": "We met Dana at the fair."})
	contains(t, alice.call("find", object{"in": []string{"episodes"}}).text, "We met Dana")
	asked := alice.ask("remember", object{"action": "forget", "ids": facts.content.IDs})
	alice.call("confirm", object{"token": asked.content.Confirmation.Token})
	if found := alice.call("find", object{"in": []string{"facts"}}); len(found.content.Found["facts"]) != 0 {
		t.Errorf("facts left: %s", found.text)
	}
}

// The API's own question: the same person is known with another number.
func TestMemoryOverride(t *testing.T) {
	t.Parallel()
	alice := build(t).as("alice")
	contact := func(phone string) object {
		return object{"action": "store", "type": "CONTACT", "content": "Jones, " + phone,
			"metadata": object{"name": "Jones", "phone": phone, "n": 1.50}}
	}
	first := alice.call("remember", contact("050-1111111")).content.IDs[0]
	asked := alice.ask("remember", contact("050-2222222"))
	if asked.content.Confirmation.Kind != "MEMORY_OVERRIDE" {
		t.Fatalf("asked: %s", asked.text)
	}
	left := alice.call("confirm", object{"token": asked.content.Confirmation.Token, "choose": []string{"None of these"}})
	if !left.content.Declined {
		t.Errorf("none of these: %s", left.text)
	}
	contains(t, alice.call("open", object{"id": first}).text, "phone: 050-1111111")
	asked = alice.ask("remember", contact("050-2222222"))
	done := alice.call("confirm", object{"token": asked.content.Confirmation.Token, "choose": []string{"1"}})
	contains(t, done.text, "050-2222222")
	contains(t, alice.call("open", object{"id": first}).text, "phone: 050-2222222")
}
