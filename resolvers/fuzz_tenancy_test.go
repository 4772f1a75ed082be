package resolvers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	mailbox "almanac/internal/standin/gmail"
)

// What stands in every text of the two: alicesMark is never sent by bob, alicesWord is.
const (
	alicesWord = "字字字字"
	alicesMark = "ALICESSECRET"
	bobsWords  = "לוויתן"
)

// estate is what one user has, by the kinds of its ids.
type estate struct {
	task, subtask, list, item, user string
	memory                          string
	event, series, calendar         string
	ownCalendar, ownEvent, hook     string
	push, action                    string
	email, thread, preview, hash    string
	entity, other, fact, episode    string
	cursors                         map[string]string // by the operation whose argument they fit
	token                           string            // of a confirmation
	// account is the linked account's address, words are the title of its events, planted is how often some were added.
	account, words string
	planted        int
}

func (e estate) ids() []string {
	return []string{e.task, e.subtask, e.list, e.item, e.memory, e.user, e.event, e.series, e.calendar, e.ownCalendar,
		e.ownEvent, e.email, e.thread, e.preview, e.entity, e.fact, e.episode, e.action, e.hook, e.push}
}

// keep gives the user n own calendars, of which the last one has an event. Own calendars are numbered for each user, so
// one of another user is told apart by a number that this one has not reached.
func (e *estate) keep(t *testing.T, h *harness, user string, n int) {
	t.Helper()
	for range n {
		var made struct {
			Data struct {
				CreateCalendar struct{ Calendar struct{ ID string } }
			}
		}
		raw := h.say(t, user, nil, `mutation($words: String!) { createCalendar(input: { summary: $words }) {
			calendar { id } } }`, map[string]any{"words": e.words})
		if err := json.Unmarshal(raw, &made); err != nil || made.Data.CreateCalendar.Calendar.ID == "" {
			t.Fatalf("keep: %v %s", err, raw)
		}
		e.ownCalendar = made.Data.CreateCalendar.Calendar.ID
	}
	var made struct {
		Data struct {
			CreateEvent struct{ Event struct{ ID string } }
		}
	}
	raw := h.say(t, user, nil,
		`mutation($words: String!, $calendar: ID!) { createEvent(input: { summary: $words, description: $words,
		start: { dateTime: "2026-11-25T10:00:00Z" }, calendarId: $calendar }) { event { id } } }`,
		map[string]any{"words": e.words, "calendar": e.ownCalendar})
	if err := json.Unmarshal(raw, &made); err != nil || made.Data.CreateEvent.Event.ID == "" {
		t.Fatalf("keep: %v %s", err, raw)
	}
	e.ownEvent = made.Data.CreateEvent.Event.ID
	var told struct {
		Data struct {
			CreateWebhook, RegisterPush struct{ Webhook, Subscription struct{ ID string } }
		}
	}
	raw = h.say(t, user, nil, `mutation($words: String!) {
		createWebhook(input: { url: "https://hooks.example.com/x", label: $words }) { webhook { id } }
		registerPush(input: { endpoint: "https://push.example.com/x", p256dh: "k", auth: "a", label: $words }) {
			subscription { id } } }`, map[string]any{"words": e.words})
	if err := json.Unmarshal(raw, &told); err != nil || told.Data.RegisterPush.Subscription.ID == "" {
		t.Fatalf("keep: %v %s", err, raw)
	}
	e.hook, e.push = told.Data.CreateWebhook.Webhook.ID, told.Data.RegisterPush.Subscription.ID
}

// plant gives the user's linked account a single event and a series, under ids that were not used before.
func (e *estate) plant(t *testing.T, h *harness) {
	t.Helper()
	name, _, _ := strings.Cut(e.account, "@")
	event, series := fmt.Sprintf("%sa%d", name, 10+e.planted), fmt.Sprintf("%sb%d", name, 10+e.planted)
	for id, more := range map[string]string{event: "", series: `, "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=5"]`} {
		err := h.google.do(t.Context(), fmt.Sprintf(
			`event %s {"id": %q, "summary": %q, "start": {"dateTime": "2026-11-24T10:00:00Z", "timeZone": "UTC"}, "end": {"dateTime": "2026-11-24T11:00:00Z", "timeZone": "UTC"}%s}`,
			e.account, id, e.words, more))
		if err != nil {
			t.Fatal(err)
		}
	}
	primary := model.CalendarRef{Connection: 1}
	letter := mailbox.Letter{From: e.words + " <" + name + "@example.org>", To: e.account, Subject: e.words, Text: e.words,
		Date: start, MessageID: fmt.Sprintf("%s%d@example.org", name, e.planted)}
	message, err := h.google.mailbox.Deliver(e.account, letter.Bytes(), start.Add(time.Duration(e.planted)*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	e.email, e.thread = model.EmailRef{Connection: 1, Message: message}.ID().String(),
		model.ThreadRef{Connection: 1, Thread: message}.ID().String()
	e.event, e.series = primary.Event(event).ID().String(), primary.Event(series).ID().String()
}

// link links an account to the user, with a calendar beside the primary one.
func (e *estate) link(t *testing.T, h *harness, user string) {
	t.Helper()
	e.account = user + "@example.com"
	calendar := user + "@c.example"
	err := h.google.link(t.Context(), model.UserIDOf(user), e.account, "UTC")
	if err == nil {
		err = h.google.do(t.Context(), fmt.Sprintf(`calendar %s {"ID": %q, "Summary": %q}`, e.account, calendar, e.words))
	}
	if err != nil {
		t.Fatal(err)
	}
	e.calendar = model.CalendarRef{Connection: 1, Calendar: calendar}.ID().String()
	e.plant(t, h)
}

// settle gives a user one of everything. Words stand in every text; no two users have a letter in common in them.
func settle(t *testing.T, h *harness, user, words string) estate {
	t.Helper()
	var first struct {
		Data struct {
			CreateTasks struct {
				Tasks []struct {
					ID       string
					Subtasks []struct{ ID string }
				}
			}
			CreateList struct {
				Action struct{ ID string }
				List   struct {
					ID    string
					Items []struct{ ID string }
				}
			}
			DeleteTask    struct{ Confirmation struct{ Token string } }
			StoreMemories struct{ Memories []struct{ ID string } }
		}
	}
	read := func(into any, query string, variables map[string]any) {
		t.Helper()
		raw := h.say(t, user, nil, query, variables)
		if err := json.Unmarshal(raw, into); err != nil || bytes.Contains(raw, []byte(`"errors":[{`)) {
			t.Fatalf("settle %s: %v\n%s", user, err, raw)
		}
	}
	read(&first,
		`mutation($tasks: [CreateTaskInput!]!, $name: String!, $items: [String!], $match: String!, $memories: [MemoryInput!]!) {
		storeMemories(input: { memories: $memories }) { memories { id } }
		createTasks(input: { tasks: $tasks }) { tasks { id subtasks { id } } }
		createList(input: { name: $name, items: $items }) { action { id } list { id items { id } } }
		deleteTask(input: { target: { match: { text: $match } } }) { confirmation { token } } }`,
		map[string]any{
			"tasks": []any{
				map[string]any{"text": words + " 1", "subtasks": []any{words}, "category": words, "dueDate": "2026-11-23T10:00"},
				map[string]any{"text": words + " 2", "recurrence": map[string]any{"type": "DAILY"}},
			},
			"name": words, "items": []any{words}, "match": words,
			"memories": []any{
				map[string]any{"type": "CONTACT", "content": words + " 1", "summary": words, "tags": []any{words},
					"metadata": map[string]any{"name": words}},
				map[string]any{"content": words + " 2"},
			},
		})
	e := estate{
		task: first.Data.CreateTasks.Tasks[0].ID, subtask: first.Data.CreateTasks.Tasks[0].Subtasks[0].ID,
		list: first.Data.CreateList.List.ID, item: first.Data.CreateList.List.Items[0].ID,
		token:  first.Data.DeleteTask.Confirmation.Token,
		memory: first.Data.StoreMemories.Memories[0].ID, action: first.Data.CreateList.Action.ID,
	}
	e.words = words
	e.link(t, h, user)
	e.keep(t, h, user, map[string]int{"alice": 2}[user]+1)
	var third struct {
		Data struct {
			PreviewEmail struct{ Preview struct{ ID, Hash string } }
		}
	}
	read(&third,
		`mutation($words: String!) { previewEmail(input: { to: ["one@example.org"], subject: $words, body: $words }) { preview { id hash } } }`, map[string]any{"words": words})
	e.preview, e.hash = third.Data.PreviewEmail.Preview.ID, third.Data.PreviewEmail.Preview.Hash
	e.learn(t, h, user)
	var second struct {
		Data struct {
			Knowledge struct {
				Nodes, Facts, Episodes struct{ PageInfo struct{ EndCursor string } }
			}

			Emails         struct{ PageInfo struct{ EndCursor string } }
			Viewer         struct{ ID string }
			Tasks          struct{ PageInfo struct{ EndCursor string } }
			Lists          struct{ PageInfo struct{ EndCursor string } }
			Actions        struct{ PageInfo struct{ EndCursor string } }
			Events         struct{ PageInfo struct{ EndCursor string } }
			Changes        struct{ LatestCursor string }
			AuditLog       struct{ PageInfo struct{ EndCursor string } }
			Memories       struct{ PageInfo struct{ EndCursor string } }
			SearchMemories struct{ PageInfo struct{ EndCursor string } }
		}
	}
	read(&second,
		`query($words: String!) { knowledge { nodes { pageInfo { endCursor } } facts { pageInfo { endCursor } } episodes { pageInfo { endCursor } } } memories { pageInfo { endCursor } } searchMemories(query: $words) { pageInfo { endCursor } } viewer { id } tasks { pageInfo { endCursor } } lists { pageInfo { endCursor } } actions { pageInfo { endCursor } } events { pageInfo { endCursor } } emails { pageInfo { endCursor } } auditLog { pageInfo { endCursor } } changes { latestCursor } }`, map[string]any{"words": words})
	e.user = second.Data.Viewer.ID
	log := second.Data.Changes.LatestCursor
	e.cursors = map[string]string{
		"tasks": second.Data.Tasks.PageInfo.EndCursor, "lists": second.Data.Lists.PageInfo.EndCursor,
		"actions":       second.Data.Actions.PageInfo.EndCursor,
		"createWebhook": log, "auditLog": second.Data.AuditLog.PageInfo.EndCursor,
		"changes": log, "changed": log, "taskChanged": log, "listChanged": log, "eventChanged": log,
		"events": second.Data.Events.PageInfo.EndCursor, "eventInstances": second.Data.Events.PageInfo.EndCursor,
		"memories": second.Data.Memories.PageInfo.EndCursor, "exportMemories": second.Data.Memories.PageInfo.EndCursor,
		"searchMemories": second.Data.SearchMemories.PageInfo.EndCursor, "memoryChanged": log,
		"emails": second.Data.Emails.PageInfo.EndCursor, "emailReceived": log, "agenda": log,
		"nodes": second.Data.Knowledge.Nodes.PageInfo.EndCursor, "facts": second.Data.Knowledge.Facts.PageInfo.EndCursor,
		"episodes": second.Data.Knowledge.Episodes.PageInfo.EndCursor, "knowledgeChanged": log,
	}
	return e
}

// learn gives the user's graph two entities, a fact between them, and an episode.
func (e *estate) learn(t *testing.T, h *harness, user string) {
	t.Helper()
	var made struct {
		Data struct {
			AddEpisode struct{ Episode struct{ ID string } }
			AddFacts   struct {
				Facts []struct {
					ID             string
					Source, Target struct{ ID string }
				}
			}
		}
	}
	raw := h.say(t, user, nil,
		`mutation($words: String!, $end: EntityRefInput!) { addEpisode(input: { content: $words, name: $words, extract: false }) { episode { id } }
		addFacts(input: { facts: [{ source: $end, relation: "knows", target: { name: "somebody" }, fact: $words }] }) { facts { id source { id } target { id } } } }`,
		map[string]any{"words": e.words, "end": map[string]any{"name": e.words, "summary": e.words,
			"aliases": []any{e.words + "2"}, "attributes": map[string]any{"a": e.words}}})
	if err := json.Unmarshal(raw, &made); err != nil || len(made.Data.AddFacts.Facts) != 1 {
		t.Fatalf("learn: %v %s", err, raw)
	}
	fact := made.Data.AddFacts.Facts[0]
	e.entity, e.other, e.fact, e.episode = fact.Source.ID, fact.Target.ID, fact.ID, made.Data.AddEpisode.Episode.ID
}

// everything reads all that a user has, here and at Google.
func everything(t *testing.T, h *harness, user string) string {
	t.Helper()
	content, _ := h.google.content(user+"@example.com", "") // there may be no account
	return content + string(h.say(t, user, nil, `{ viewer { id email settings { timeZone locale weekStart } }
		tasks(filter: { completed: null }, first: 20) { totalCount nodes { id text category dueDate reminder nextReminderAt nudgeCount completed updatedAt recurrence { type time }
			subtasks { id text completed } completions(first: 5) { completedAt occurrence } } }
		lists(first: 20) { totalCount nodes { id name isChecklist updatedAt items { id text checked } } }
		memories(first: 20) { totalCount nodes { id type content summary tags metadata version updatedAt expiresAt history(first: 3) { version content } } }
		knowledge { nodes(first: 20) { totalCount nodes { id name summary aliases attributes version } } facts(first: 20, includeInvalidated: true) { totalCount nodes { id fact validAt invalidAt expiredAt episodeIds } } episodes(first: 20) { totalCount nodes { id name content state: extraction } } }
		emails(first: 20) { totalCount nodes { id subject labels } } emailPreviews { id state subject }
		calendars { id summary description timeZone version }
		events(filter: { timeMin: "2026-11-01T00:00:00Z", timeMax: "2027-02-01T00:00:00Z" }, first: 50) { totalCount nodes { id summary description location version } }
		actions(first: 20) { nodes { id kind summary touched undoable undone } }
		changes(first: 100) { latestCursor nodes { id: nodeId type operation at } } }`, nil))
}

// asBob are variables with which bob's own call of an operation is right, so that in a variant of it only what is
// alice's is wrong. Every operation of the schema must be here.
func asBob(bob estate) map[string]map[string]any {
	task, list := map[string]any{"id": bob.task}, map[string]any{"id": bob.list}
	input := func(input map[string]any) map[string]any { return map[string]any{"input": input} }
	event := func(title string) map[string]any {
		return map[string]any{"summary": title, "start": map[string]any{"dateTime": "2026-12-24T10:00"},
			"onDuplicate": "ALLOW"}
	}
	window := func(more map[string]any) map[string]any {
		more["timeMin"], more["timeMax"] = "2027-06-01T00:00", "2027-06-02T00:00"
		return more
	}
	return map[string]map[string]any{
		"query viewer": {}, "query node": {"id": bob.task}, "query nodes": {"ids": []any{bob.task}},
		"query tasks": {"filter": map[string]any{}, "orderBy": map[string]any{}, "first": 5}, "query task": {"id": bob.task},
		"query lists": {"filter": map[string]any{}, "orderBy": map[string]any{}, "first": 5}, "query list": {"id": bob.list},
		"query changes":            {"first": 5},
		"query actions":            {"filter": map[string]any{}, "first": 5},
		"query action":             {"id": bob.action},
		"mutation undoAction":      input(map[string]any{"id": bob.action}),
		"mutation createTask":      input(map[string]any{"text": "bob's new thing"}),
		"mutation createTasks":     input(map[string]any{"tasks": []any{map[string]any{"text": "bob's other thing"}}}),
		"mutation updateTask":      input(map[string]any{"id": task["id"], "set": map[string]any{"category": "c"}}),
		"mutation updateTasks":     input(map[string]any{"set": map[string]any{"category": "c"}}),
		"mutation completeTask":    input(clone(task).(map[string]any)),
		"mutation deleteTask":      input(clone(task).(map[string]any)),
		"mutation deleteTasks":     input(map[string]any{}),
		"mutation addSubtask":      input(map[string]any{"taskId": bob.task, "text": "bob's step"}),
		"mutation updateSubtask":   input(map[string]any{"id": bob.subtask, "completed": true}),
		"mutation deleteSubtask":   input(map[string]any{"id": bob.subtask}),
		"mutation createList":      input(map[string]any{"name": "bob's new list"}),
		"mutation updateList":      input(map[string]any{"id": list["id"], "set": map[string]any{"isChecklist": false}}),
		"mutation deleteList":      input(clone(list).(map[string]any)),
		"mutation updateListItems": input(clone(list).(map[string]any)),
		"mutation updateSettings":  input(map[string]any{"weekStart": "MONDAY"}),
		"query tokens":             {}, "query auditLog": {"first": 5},
		"mutation createToken": input(map[string]any{"name": "bob's clock", "scopes": []any{"TASKS_READ"}}),
		"mutation revokeToken": input(map[string]any{"key": "00000000000000000000000000"}),
		"mutation disconnect":  input(map[string]any{"provider": "GOOGLE", "account": "nobody@example.com"}),
		"query events":         {"filter": map[string]any{}, "first": 5}, "query event": {"id": bob.event},
		"query eventInstances": {"id": bob.series, "first": 5}, "query eventConflicts": {"first": 5}, "query calendars": {},
		"query freeBusy":          {"timeMin": "2027-06-01T00:00", "timeMax": "2027-06-02T00:00"},
		"mutation createCalendar": input(map[string]any{"summary": "bob's new calendar"}),
		"mutation updateCalendar": input(map[string]any{"id": bob.ownCalendar, "set": map[string]any{"description": "d"}}),
		"mutation deleteCalendar": input(map[string]any{"id": bob.ownCalendar}),
		"query exportEvents":      {"calendarId": bob.ownCalendar}, "query publishedCalendars": {}, "query calendarFeeds": {},
		"mutation importEvents": input(map[string]any{"calendarId": bob.ownCalendar,
			"text": "BEGIN:VEVENT\nUID:bob@example.com\nDTSTART:20270101T100000Z\nSUMMARY:bob's file\nEND:VEVENT"}),
		"mutation subscribeToFeed": input(map[string]any{"url": "https://feeds.example.com/holidays.ics"}),
		"query categories":         {}, "query webhooks": {}, "query pushSubscriptions": {}, "query pushKey": {},
		"mutation createWebhook": input(map[string]any{"url": "https://bob.example.com/hook", "label": "bob's"}),
		"mutation updateWebhook": input(map[string]any{"id": bob.hook, "label": "bob's own"}),
		"mutation deleteWebhook": input(map[string]any{"id": bob.hook}),
		"mutation testWebhook":   input(map[string]any{"id": bob.hook}),
		"mutation registerPush": input(map[string]any{"endpoint": "https://push.example.com/bob", "p256dh": "key",
			"auth": "secret"}),
		"mutation removePush":           input(map[string]any{"id": bob.push}),
		"mutation testPush":             input(map[string]any{"id": bob.push}),
		"mutation publishCalendar":      input(map[string]any{"id": bob.ownCalendar}),
		"mutation unpublishCalendar":    input(map[string]any{"id": bob.ownCalendar}),
		"mutation createEvent":          input(event("bob's new event")),
		"mutation createEvents":         input(map[string]any{"events": []any{event("bob's other event")}}),
		"mutation createRecurringEvent": input(map[string]any{"summary": "bob's new series", "startTime": "10:00"}),
		"mutation createRecurringEvents": input(map[string]any{
			"events": []any{map[string]any{"summary": "bob's other series", "startTime": "11:00"}}}),
		"mutation updateEvent":          input(map[string]any{"id": bob.event, "set": map[string]any{"location": "here"}}),
		"mutation deleteEvent":          input(map[string]any{"id": bob.event}),
		"mutation updateEventsInWindow": input(window(map[string]any{"set": map[string]any{"location": "here"}})),
		"mutation deleteEventsInWindow": input(window(map[string]any{})),
		"mutation deleteEventsBySummary": input(map[string]any{"summary": "nothing of this name",
			"timeMin": "2027-06-01T00:00", "timeMax": "2027-06-02T00:00"}),
		"mutation truncateRecurringEvent": input(map[string]any{"id": bob.series,
			"until": map[string]any{"date": "2026-12-10"}}),
		"query memories":       {"filter": map[string]any{}, "orderBy": map[string]any{}, "first": 5},
		"query memory":         {"id": bob.memory},
		"query searchMemories": {"query": "bob's words", "filter": map[string]any{}, "first": 5}, "query memoryStatus": {},
		"query exportMemories":    {"filter": map[string]any{}, "first": 5},
		"mutation storeMemory":    input(map[string]any{"content": "bob's new thought"}),
		"mutation storeMemories":  input(map[string]any{"memories": []any{map[string]any{"content": "bob's other thought"}}}),
		"mutation updateMemory":   input(map[string]any{"id": bob.memory, "set": map[string]any{"summary": "s"}}),
		"mutation restoreMemory":  input(map[string]any{"id": bob.memory, "version": "1"}),
		"mutation deleteMemories": input(map[string]any{}),
		"mutation importMemories": input(map[string]any{"jsonLines": `{"content":"bob's line"}`}),
		"query emails":            {"filter": map[string]any{}, "first": 5}, "query email": {"id": bob.email},
		"query emailThread": {"id": bob.thread}, "query emailLabels": {},
		"query emailPreviews": {"first": 5}, "query emailPreview": {"id": bob.preview},
		"mutation previewEmail":      input(map[string]any{"to": []any{"one@example.org"}, "body": "bob's news"}),
		"mutation previewReply":      input(map[string]any{"emailId": bob.email, "body": "bob's answer"}),
		"mutation sendEmail":         input(map[string]any{"previewId": bob.preview, "hash": bob.hash}),
		"mutation replyToEmail":      input(map[string]any{"emailId": bob.email, "body": "bob's answer"}),
		"mutation discardPreview":    input(map[string]any{"id": bob.preview}),
		"mutation unscheduleEmail":   input(map[string]any{"id": bob.preview}),
		"mutation markEmails":        input(map[string]any{"ids": []any{bob.email}, "read": true}),
		"mutation labelEmails":       input(map[string]any{"ids": []any{bob.email}, "add": []any{"STARRED"}}),
		"subscription emailReceived": {},
		"query formatOutput":         {"operation": "get_status", "data": map[string]any{"status": "ok", "message": "well"}},
		"query formatOperations":     {},
		"query parseTime":            {"text": "tomorrow at noon", "timeZone": "UTC"},
		"query agenda":               {"from": "2026-12-24T00:00", "to": "2026-12-26T00:00", "first": 5},
		"query formatResponse": {"capability": "database", "operation": "list tasks",
			"data": map[string]any{"tasks": []any{}}},
		"query knowledge": {}, "query knowledge.status": {},
		"query knowledge.nodes": {"filter": map[string]any{}, "first": 2}, "query knowledge.facts": {
			"filter": map[string]any{}, "first": 2}, "query knowledge.episodes": {"filter": map[string]any{}, "first": 2},
		"query knowledge.entity": {"id": bob.entity}, "query knowledge.fact": {"id": bob.fact},
		"query knowledge.episode": {"id": bob.episode}, "query knowledge.path": {"from": bob.entity, "to": bob.other},
		"mutation addEpisode":     input(map[string]any{"content": "bob's story"}),
		"mutation extractEpisode": input(map[string]any{"id": bob.episode}),
		"mutation addFacts": input(map[string]any{"facts": []any{map[string]any{
			"source": map[string]any{"id": bob.entity}, "relation": "likes", "target": map[string]any{"id": bob.other},
		}}}),
		"mutation invalidateFacts":      input(map[string]any{"ids": []any{bob.fact}}),
		"mutation updateEntity":         input(map[string]any{"id": bob.entity, "set": map[string]any{"summary": "s"}}),
		"mutation mergeEntities":        input(map[string]any{"into": bob.entity, "entities": []any{bob.other}}),
		"mutation deleteEntity":         input(map[string]any{"id": bob.entity}),
		"mutation deleteFact":           input(map[string]any{"id": bob.fact}),
		"mutation deleteEpisode":        input(map[string]any{"id": bob.episode}),
		"mutation clearKnowledge":       input(map[string]any{}),
		"subscription knowledgeChanged": {},
		"subscription memoryChanged":    {},
		"subscription changed":          {}, "subscription taskChanged": {}, "subscription listChanged": {},
		"subscription eventChanged": {},
	}
}

// Every operation, with something of alice's in every place where an id, a cursor, a token or the name of a thing can
// stand, tells bob exactly what it tells him of what never was, gives him nothing of hers, and leaves all of hers as it
// is.
func TestNobodyReachesAnothersThings(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, start)
			alice := settle(t, h, "alice", alicesWord+" "+alicesMark)
			bob := settle(t, h, "bob", bobsWords)
			schema, cases := describe(t, h), asBob(bob)
			hers, his := everything(t, h, "alice"), everything(t, h, "bob")
			places := 0
			for _, o := range schema.operations() {
				base, known := cases[o.String()]
				if !known {
					t.Errorf("%s is new: say in asBob how bob calls it", o)
					continue
				}
				delete(cases, o.String())
				for _, place := range schema.leaves(o) {
					variants := variantsOf(alice, o, place)
					for _, v := range variants {
						places++
						bob.check(t, h, schema, o, base, place, v)
					}
				}
				if now := everything(t, h, "alice"); now != hers {
					t.Fatalf("%s: alice's things changed\n was: %s\n are: %s", o, hers, now)
				}
			}
			if now := everything(t, h, "bob"); now != his {
				t.Errorf("a refused call changed what bob has\n was: %s\n is: %s", his, now)
			}
			for name := range cases {
				t.Errorf("%s is no operation of the schema any more", name)
			}
			if places < 60 {
				t.Errorf("only %d places were tried", places)
			}
		})
	}
}

// variant is something of alice's, and something of the same form that never was.
type variant struct{ hers, nobodys any }

var lastOfID = regexp.MustCompile(`_[0-9a-z]{8}`)

// neverWas gives an id of the same kind that nobody has.
func neverWas(id string) string {
	parsed, err := model.ParseID(id)
	if err != nil {
		panic(err)
	}
	primary := model.CalendarRef{Connection: 1}
	switch parsed.Kind {
	case model.KindEvent:
		if ref, err := model.EventRefOf(parsed); err == nil && ref.Connection == 0 {
			return model.CalendarRef{Calendar: ref.Calendar}.Event(ref.Event[:18] + "00000000").ID().String()
		}
		return primary.Event("never00").ID().String()
	case model.KindCalendar:
		if ref, err := model.CalendarRefOf(parsed); err == nil && ref.Connection == 0 {
			return model.CalendarRef{Calendar: "9"}.ID().String()
		}
		return model.CalendarRef{Connection: 1, Calendar: "never@c.example"}.ID().String()
	case model.KindEmail:
		return model.EmailRef{Connection: 1, Message: "1a00000000000001"}.ID().String()
	case model.KindThread:
		return model.ThreadRef{Connection: 1, Thread: "1a00000000000001"}.ID().String()
	default:
		return lastOfID.ReplaceAllString(id, "_00000000")
	}
}

func variantsOf(alice estate, o operationField, place leaf) []variant {
	wrap := func(v any) any {
		if place.kind.isList() {
			return []any{v}
		}
		return v
	}
	last := place.path[len(place.path)-1]
	var out []variant
	switch {
	case o.Name == "formatOutput", o.Name == "formatResponse": // they read nothing
	case place.kind.named().Name == "ID":
		for _, id := range alice.ids() {
			out = append(out, variant{wrap(id), wrap(neverWas(id))})
		}
		if strings.HasPrefix(last, "calendarId") {
			out = append(out, variant{wrap(alice.account), wrap("never@example.com")})
		}
	case place.kind.named().Name != "String":
	case last == "after" || last == "before":
		out = append(out, variant{alice.cursors[o.Name], "bm9uc2Vuc2U"})
	case last == "token":
		out = append(out, variant{alice.token, "bm9uc2Vuc2U"})
	case last == "search" || last == "category" && o.root == "query" || last == "query" ||
		looksForTags(place) && o.root == "query":
		out = append(out, variant{wrap(alicesWord), wrap("語語語語")})
	case last == "hash":
		out = append(out, variant{alice.hash, strings.Repeat("0", 64)})
	case o.Name == "emails" && slices.Contains([]string{"from", "to", "subject", "text", "label"}, last),
		o.Name == "labelEmails" && last == "remove":
		out = append(out, variant{wrap(alicesWord), wrap("語語語語")})
	case last == "account":
		out = append(out, variant{alice.account, "never@example.com"})
	case namesSomething(place), last == "summary" && o.Name == "deleteEventsBySummary":
		out = append(out, variant{wrap(alicesWord), wrap("語語語語")})
	}
	return out
}

// looksForTags tells whether tags say what must be there.
func looksForTags(place leaf) bool {
	last := place.path[len(place.path)-1]
	return (last == "tags" || last == "tagsAny") && !slices.Contains(place.path, "not")
}

// namesSomething tells whether a text says which thing is meant.
func namesSomething(place leaf) bool {
	last := place.path[len(place.path)-1]
	if len(place.path) == 1 {
		return last == "texts"
	}
	before := place.path[len(place.path)-2]
	if before == "0" {
		before = place.path[len(place.path)-3]
	}
	return last == "texts" || before == "match" ||
		last == "text" && slices.Contains([]string{"check", "uncheck", "remove", "item"}, before)
}

// one is what a list of one holds.
func one(given any) any {
	if list, ok := given.([]any); ok && len(list) == 1 {
		return list[0]
	}
	return given
}

// check sends the call with what is alice's and with what never was, and compares.
func (e estate) check(t *testing.T, h *harness, schema describedSchema, o operationField, base map[string]any,
	place leaf,
	v variant) {
	t.Helper()
	depth := 4
	switch { // with the instances of many events, or the neighbours of many entities, a document is too expensive
	case o.Name == "path":
		depth = 2
	case o.root == "mutation", o.within != "", o.Type.named().Name == "Node":
		depth = 3
	}
	ask := func(value any) string {
		variables := schema.withValue(o, base, place.path, value)
		if input, ok := variables["input"].(map[string]any); ok {
			// An id beside a target is refused for itself; bob's own must make room for what is tried.
			if place.path[1] == "target" {
				delete(input, "id")
			}
		}
		if o.root == "subscription" {
			return firstEvent(t, h, "bob", schema.document(o, depth), variables)
		}
		return string(h.say(t, "bob", nil, schema.document(o, depth), variables))
	}
	with, without := ask(v.hers), ask(v.nobodys)
	if strings.Contains(with, alicesMark) {
		t.Errorf("%s %s: gives bob something of alice's: %s", o, place, with)
	}
	plain := func(answer string, given any) string {
		list, ok := given.([]any)
		if !ok {
			list = []any{given}
		}
		for _, one := range list {
			answer = strings.ReplaceAll(answer, fmt.Sprint(one), "GIVEN")
			if id, err := model.ParseID(fmt.Sprint(one)); err == nil && id.Kind == model.KindCalendar {
				if ref, err := model.CalendarRefOf(id); err == nil && ref.Connection != 0 { // an answer may call it by its address
					answer = strings.ReplaceAll(answer, ref.Calendar, "GIVEN")
				}
			}
		}
		return answer
	}
	if a, b := plain(with, v.hers), plain(without, v.nobodys); a != b {
		t.Errorf("%s %s = %v: differs from what is said of what never was\n with: %s\n without: %s", o, place, v.hers, a, b)
	}
	refusals := []string{"NOT_FOUND", "BAD_USER_INPUT", "CONFIRMATION_INVALID", `"totalCount":0`, `"isEmpty":true`,
		`"count":0`, `"edges":[]`}
	if id, err := model.ParseID(fmt.Sprint(one(v.hers))); err == nil && id.Kind == model.KindEmail &&
		(o.Name == "markEmails" || o.Name == "labelEmails") {
		return // Gmail does not say which of many e-mails are not in bob's mailbox, and alice's is not
	}
	if !slices.ContainsFunc(refusals, func(code string) bool { return strings.Contains(with, code) }) {
		t.Errorf("%s %s = %v: was not refused: %s", o, place, v.hers, with)
	}
}
