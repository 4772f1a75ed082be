package respond_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/respond"
)

// Where the items of an answer are, in every wrapping, and what is no wrapping.
func TestItems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ capability, operation, data, items, entity string }{
		{"calendar", "getEvents", `{"events":[{"id":"a"},{"id":"b"}],"count":2}`, `{"id":"a"} {"id":"b"}`, "event"},
		{"calendar", "getEvents", `[{"id":"a"}]`, `{"id":"a"}`, "event"},
		{"calendar", "getEvents", `{"events":{"id":"a"}}`, `{"id":"a"}`, "event"},
		{"calendar", "getEvents", `{"events":null,"id":"x"}`, `{"events":null,"id":"x"}`, "event"},
		{"calendar", "getEvents", `{"events":[],"id":"x"}`, ``, "event"},
		{"calendar", "getEvents", `{"events":0,"created":""}`, ``, "event"},
		{"calendar", "getEvents", `{"events":"one","count":1}`, `"one"`, "event"},
		{"calendar", "createMultiple", `{"created":[{"id":"a"}],"errors":[]}`, `{"id":"a"}`, "event"},
		{"calendar", "getRecurringInstances", `{"instances":[{"id":"a"}]}`, `{"id":"a"}`, "event"},
		{"calendar", "list events", `{"tasks":[{"id":"a"}]}`, ``, "event"}, // another capability's wrapper
		{"calendar", "delete", `{"summary":"Deleted"}`, `{"summary":"Deleted"}`, "event"},
		{"database", "getAll", `{"tasks":[{"id":"a"}],"lists":[{"id":"b"}]}`, `{"id":"a"}`, "task"},
		{"database", "getAll", `{"lists":[{"id":"b"}]}`, `{"id":"b"}`, "list"},
		{"database", "getAll", `[{"id":"b","list_name":"Food"}]`, `{"id":"b","list_name":"Food"}`, "list"},
		{"database", "create list", `{"id":"b"}`, `{"id":"b"}`, "list"},
		{"database", "toggleItem", `{"id":"b"}`, `{"id":"b"}`, "list"},
		{"database", "list tasks", `null`, ``, "task"},
		{"database", "list tasks", `[1,null,"x",[],{}]`, `1 null "x" [] {}`, "task"},
		{"database", "complete", `{"text":"Done"}`, `{"text":"Done"}`, "task"},
		{"database", "complete", `{"id":0,"text":""}`, ``, "task"},
		{"database", "complete", `{"success":true,"data":{"id":"a","text":"Done"}}`, `{"id":"a","text":"Done"}`, "task"},
		{"database", "list tasks", `{"success":true,"data":[{"id":"a"}]}`, `{"id":"a"}`, "task"},
		{"database", "list tasks", `{"success":false,"error":"down"}`, ``, "task"},
		{"database", "create", `{"id":"a","success":true,"data":{"id":"b"}}`, `{"id":"a","success":true,"data":{"id":"b"}}`,
			"task"},
		{"gmail", "listEmails", `{"messages":[{"messageId":"a"}]}`, `{"messageId":"a"}`, "email"},
		{"gmail", "getLatestEmail", `{"email":{"id":"a"},"count":1}`, `{"id":"a"}`, "email"},
		{"gmail", "getLatestEmail", `{"email":null,"count":0}`, ``, "email"},
		{"gmail", "sendPreview", `{"to":["a@example.com"],"preview":true}`, `{"to":["a@example.com"],"preview":true}`,
			"email"},
		{"second-brain", "searchMemory", `{"results":[{"id":"a"}]}`, `{"id":"a"}`, "memory"},
		{"second-brain", "deleteMemory", `{"deleted":1,"total":1}`, ``, "memory"},
		{"second-brain", "storeMemory", `{"content":"x"}`, `{"content":"x"}`, "memory"},
		{"second-brain", "x", `"a text"`, ``, "memory"},
		{"calendar", "x", ` 1e400 `, ``, "event"},
		{"calendar", "x", ``, ``, "event"},
		{"calendar", "getEvents", `{"eve\u006ets":[{"id":"a"}]}`, `{"id":"a"}`, "event"},
		{"calendar", "getEvents", `{"events":[{"id":"a"}],"events":[{"id":"b"}]}`, `{"id":"b"}`, "event"},
	} {
		r := format(t, c.capability, c.operation, c.data, at(t, halfPastNine, "en"))
		var items []string
		for _, item := range r.Items {
			items = append(items, string(item.Raw))
		}
		if got := strings.Join(items, " "); got != c.items || string(r.EntityType) != c.entity ||
			r.IsEmpty != (c.items == "") || r.Items == nil {
			t.Errorf("%s %s %s: %s of %s, empty %v", c.capability, c.operation, c.data, got, r.EntityType, r.IsEmpty)
		}
		if c.data != "" {
			if why := lost(c.data, r); why != "" {
				t.Errorf("%s: %s", c.data, why)
			}
		}
	}
}

// The flags of a task and its place on the board: also of what has another type than it should.
func TestTasks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ task, flags, group string }{
		{`{}`, "isTask", "noDueDate"},
		{`{"due_date":null}`, "isTask", "noDueDate"},
		{`{"due_date":""}`, "isTask", "noDueDate"},
		{`{"due_date":"2026-01-20T09:29:59+02:00"}`, "isReminder isOverdue isToday hasDueDate", "overdue"},
		{`{"due_date":"2026-01-20T09:30:00+02:00"}`, "isReminder isToday hasDueDate", "today"},
		{`{"due_date":"2026-01-20T07:30:00Z"}`, "isReminder isToday hasDueDate", "today"},
		{`{"due_date":"2026-01-20T23:59:59.999+02:00"}`, "isReminder isToday hasDueDate", "today"},
		{`{"due_date":"2026-01-20T22:00:00Z"}`, "isReminder isTomorrowOrLater hasDueDate", "upcoming"},
		{`{"due_date":"2026-01-19T22:00:00Z"}`, "isReminder isOverdue isToday hasDueDate", "overdue"},
		{`{"due_date":"2026-01-19T21:59:59Z"}`, "isReminder isOverdue hasDueDate", "overdue"},
		{`{"due_date":"2026-01-20T18:00"}`, "isReminder isToday hasDueDate", "today"}, // no offset: the viewer's zone
		{`{"due_date":"2026-01-20 18:00:00+02"}`, "isReminder isToday hasDueDate", "today"},
		{`{"due_date":"2026-01-20T18:00:00+0200"}`, "isReminder isToday hasDueDate", "today"},
		{`{"due_date":"2026-01-20"}`, "isReminder isToday hasDueDate", "today"}, // a day is late when it is over
		{`{"due_date":"2026-01-19"}`, "isReminder isOverdue hasDueDate", "overdue"},
		{`{"dueDate":"2026-01-21T08:00:00+02:00"}`, "isReminder isTomorrowOrLater hasDueDate", "upcoming"},
		{`{"due_date":null,"dueDate":"2026-01-21"}`, "isReminder isTomorrowOrLater hasDueDate", "upcoming"},
		{`{"due_date":"sometime"}`, "isReminder hasDueDate", "upcoming"},
		{`{"due_date":1768903200000}`, "isReminder hasDueDate", "upcoming"},
		{`{"due_date":[1]}`, "isReminder hasDueDate", "upcoming"},
		{`{"due_date":{"dateTime":"2026-01-20T18:00:00+02:00"}}`, "isReminder isToday hasDueDate", "today"},
		{`{"reminder_recurrence":{"type":"daily"}}`, "isTask isRecurring", "recurring"},
		{`{"reminder_recurrence":{"type":"nudge"},"due_date":"2026-01-19"}`,
			"isReminder isRecurring isNudge isOverdue hasDueDate", "recurring"},
		{`{"reminder_recurrence":"daily"}`, "isTask isRecurring", "recurring"},
		{`{"reminder_recurrence":0}`, "isTask", "noDueDate"},
		{`{"reminder_recurrence":{"type":7}}`, "isTask isRecurring", "recurring"},
		{`"text"`, "", "noDueDate"},
		{`null`, "", "noDueDate"},
	} {
		r := format(t, "database", "list tasks", `{"tasks":[`+c.task+`]}`, at(t, halfPastNine, "en"))
		flags := ""
		if f := r.Items[0].Task; f != nil {
			flags = named("isReminder", f.IsReminder, "isTask", f.IsTask, "isRecurring", f.IsRecurring, "isNudge", f.IsNudge,
				"isOverdue", f.IsOverdue, "isToday", f.IsToday, "isTomorrowOrLater", f.IsTomorrowOrLater, "hasDueDate",
				f.HasDueDate)
		}
		if group := groupsOf(r.Categorized); flags != c.flags || group != c.group {
			t.Errorf("%s: %s in %s; want %s in %s", c.task, flags, group, c.flags, c.group)
		}
	}
}

// named returns the names of flags that are true.
func named(pairs ...any) string {
	var out []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1].(bool) {
			out = append(out, pairs[i].(string))
		}
	}
	return strings.Join(out, " ")
}

// groupsOf names the group of each task.
func groupsOf(c *respond.Categorized) string {
	var out []string
	for _, group := range []struct {
		name  string
		tasks []respond.Item
	}{{"overdue", c.Overdue}, {"today", c.Today}, {"upcoming", c.Upcoming}, {"recurring", c.Recurring},
		{"noDueDate", c.NoDueDate}} {
		for range group.tasks {
			out = append(out, group.name)
		}
	}
	return strings.Join(out, " ")
}

func TestEvents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ event, flags string }{
		{`{}`, ""},
		{`{"start":"2026-01-20T09:00:00+02:00","end":"2026-01-20T10:00:00+02:00"}`, "isToday isPast isNow"},
		{`{"start":"2026-01-20T22:00:00+02:00"}`, "isToday"},
		{`{"start":"2026-01-21T00:00:00+02:00"}`, "isTomorrowOrLater"},
		{`{"start":"2026-01-19T23:00:00+02:00","end":"2026-01-20T10:00:00+02:00"}`, "isPast isNow"},
		{`{"start":"2026-01-20","end":"2026-01-21"}`, "isToday isPast isNow isAllDay"},
		{`{"start":"2026-01-21","end":"2026-01-22"}`, "isTomorrowOrLater isAllDay"},
		{`{"start":{"date":"2026-01-21"},"end":{"date":"2026-01-22"}}`, "isTomorrowOrLater isAllDay"},
		{`{"start":{"dateTime":"2026-01-20T23:00:00","timeZone":"America/New_York"}}`, "isTomorrowOrLater"},
		{`{"start":17}`, ""},
		{`{"recurrence":"weekly"}`, "isRecurring"},
		{`{"recurrence":["RRULE:FREQ=DAILY"]}`, "isRecurring"},
		{`{"recurrence":[],"days":[]}`, ""},
		{`{"days":["Monday"]}`, "isRecurring"},
		{`{"recurringEventId":"x"}`, "isRecurring"},
		{`{"recurringEventId":null,"isRecurringSeries":true}`, "isRecurringSeries"},
	} {
		f := format(t, "calendar", "list events", `{"events":[`+c.event+`]}`, at(t, halfPastNine, "en")).Items[0].Event
		flags := named("isRecurring", f.IsRecurring, "isRecurringSeries", f.IsRecurringSeries, "isToday", f.IsToday,
			"isTomorrowOrLater", f.IsTomorrowOrLater,
			"isPast", f.IsPast, "isNow", f.IsNow, "isAllDay", f.IsAllDay)
		if flags != c.flags {
			t.Errorf("%s: %s; want %s", c.event, flags, c.flags)
		}
	}
}

// A day is the viewer's, wherever that is.
func TestDaysAreTheViewers(t *testing.T) {
	t.Parallel()
	const task = `[{"due_date":"2026-01-20T10:30:00Z"}]`
	for _, c := range []struct{ moment, words string }{
		{"2026-01-20T10:00:00Z Pacific/Kiritimati", "Today at 00:30"},
		{"2026-01-20T09:59:00Z Pacific/Kiritimati", "Tomorrow at 00:30"},
		{"2026-01-20T10:00:00Z Pacific/Pago_Pago", "Yesterday at 23:30"},
		{"2026-01-20T10:00:00Z Asia/Jerusalem", "Today at 12:30"},
	} {
		moment := at(t, c.moment, "en")
		if c.words == "Yesterday at 23:30" { // UTC-11: midnight is at 11:00Z
			moment = at(t, "2026-01-20T11:00:00Z Pacific/Pago_Pago", "en")
		}
		item := format(t, "database", "list tasks", task, moment).Items[0]
		if got := item.Dates[0].Text; got != c.words || item.Task.IsToday != strings.HasPrefix(c.words, "Today") {
			t.Errorf("%s: %s, today %v; want %s", c.moment, got, item.Task.IsToday, c.words)
		}
	}
}

// Names of operations: which of them list, and what else a context says of them.
func TestContexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ capability, operation, data, want string }{
		{"database", "list tasks", `[]`, "isListing isEmpty"},
		{"DATABASE", "LIST_TASKS", `[{"id":"a"}]`, "isListing"},
		{"database", "listTasks", `[{"id":"a"}]`, "isListing"},
		{"database", "getAll", `[{"id":"a"}]`, "isListing"},
		{"database", "GETALL", `[{"id":"a"}]`, "isListing"},
		{"database", "get_all", `{"lists":[{"id":"a"}]}`, "isListing"},
		{"database", "", `[{"id":"a"}]`, "isListing"},
		{"database", "list lists", `[{"id":"a"}]`, "isListing"},
		{"database", "list tasks", `{"lists":[{"id":"a"}]}`, "isListing"},
		{"database", "list tasks", `{"success":true,"deleted":1}`, "isListing isEmpty"},
		{"database", "delete list", `{"id":"a"}`, ""},
		{"database", "update_task", `{"id":"a","due_date":"2026-01-20T09:00:00+02:00"}`,
			"isReminder hasDueDate isToday isOverdue"},
		{"database", "createMultiple", `{"created":[{"id":"a"},{"id":"b","due_date":"2026-02-20"}]}`,
			"isReminder isTask hasDueDate isTomorrowOrLater"},
		{"calendar", "list events", `{"events":[{"start":"2026-01-20"}],"searchCriteria":"x"}`, "isListing"},
		{"calendar", "getEvents", `{"events":[]}`, "isListing isEmpty"},
		{"calendar", "find event", `{"events":[{"start":"2026-01-20"}]}`, "isFindEvent isToday"},
		{"calendar", "get", `{"events":[{"recurringEventId":"x"}],"searchCriteria":{"summary":"x"}}`,
			"isFindEvent isRecurring searchCriteria"},
		{"calendar", "delete events by window", `{"deleted":3,"events":[]}`, "isBulkOperation isEmpty"},
		{"calendar", "updateByWindow", `{"updated":1,"events":[{"start":"2026-01-22"}],"timeWindow":{"start":"2026-01-20"}}`,
			"isBulkOperation isTomorrowOrLater timeWindow"},
		{"calendar", "delete event", `{"deleted":2}`, "isBulkOperation isEmpty"},
		{"calendar", "delete event", `{"deleted":1}`, "isEmpty"},
		{"calendar", "update event", `{"id":"a","isRecurringSeries":true}`, "isRecurringSeries"},
		{"calendar", "delete event", `{"deleted":1,"isRecurringSeries":true}`, "isRecurringSeries isEmpty"},
		{"gmail", "list emails", `{"emails":[]}`, "isListing isEmpty"},
		{"gmail", "send email", `{"messageId":"a"}`, "isSent"},
		{"gmail", "send email", `{"messageId":"a","preview":true}`, "isPreview"},
		{"gmail", "sendPreview", `{"messageId":"a","preview":true}`, "isPreview"},
		{"gmail", "reply", `{"messageId":"a"}`, "isSent isReply"},
		{"gmail", "replyPreview", `{"messageId":"a","preview":true}`, "isPreview isReply"},
		{"gmail", "replyConfirm", `{"messageId":"a"}`, "isSent isReply"},
		{"gmail", "sendConfirm", `null`, "isEmpty"},
		{"gmail", "markAsRead", `{"id":"a","preview":"yes"}`, ""},
		{"second-brain", "store memory", `{"id":"a","type":"kv"}`, "isStored KV"},
		{"second_brain", "storeMemory", `{"id":"a","type":"contact","overridden":true}`, "isStored isOverride CONTACT"},
		{"secondBrain", "search memory", `{"results":[{"id":"a","type":"note"}]}`, "isSearch"},
		{"Second Brain", "list memories", `{"memories":[]}`, "isListing isEmpty"},
		{"second-brain", "getAllMemory", `{"memories":[{"id":"a","type":"note"}]}`, "isListing"},
		{"second-brain", "update memory", `{"id":"a","type":"letter"}`, ""},
	} {
		if got := flagsOf(format(t, c.capability, c.operation, c.data, at(t, halfPastNine, "en")).Context); got != c.want {
			t.Errorf("%s %q %s: %q; want %q", c.capability, c.operation, c.data, got, c.want)
		}
	}
}

func flagsOf(c respond.Context) string {
	switch {
	case c.Database != nil:
		d := c.Database
		return named("isReminder", d.IsReminder, "isTask", d.IsTask, "isNudge", d.IsNudge, "isRecurring", d.IsRecurring,
			"hasDueDate", d.HasDueDate,
			"isToday", d.IsToday, "isTomorrowOrLater", d.IsTomorrowOrLater, "isOverdue", d.IsOverdue, "isListing", d.IsListing,
			"isEmpty", d.IsEmpty)
	case c.Calendar != nil:
		d := c.Calendar
		return named("isListing", d.IsListing, "isFindEvent", d.IsFindEvent, "isBulkOperation", d.IsBulkOperation,
			"isRecurring", d.IsRecurring,
			"isRecurringSeries", d.IsRecurringSeries, "isToday", d.IsToday, "isTomorrowOrLater", d.IsTomorrowOrLater, "isEmpty",
			d.IsEmpty,
			"searchCriteria", d.SearchCriteria != nil, "timeWindow", d.TimeWindow != nil)
	case c.Gmail != nil:
		d := c.Gmail
		return named("isPreview", d.IsPreview, "isSent", d.IsSent, "isReply", d.IsReply, "isListing", d.IsListing, "isEmpty",
			d.IsEmpty)
	}
	d := c.SecondBrain
	out := named("isListing", d.IsListing, "isStored", d.IsStored, "isSearch", d.IsSearch, "isOverride", d.IsOverride,
		"isEmpty", d.IsEmpty)
	if d.MemoryType != nil {
		out += " " + string(*d.MemoryType)
	}
	return out
}

func TestNamesOfItems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ item, id, label string }{
		{`{"id":"a","text":"Milk","summary":"חלב"}`, "a", "חלב"},
		{`{"subject":"Hi","messageId":"m"}`, "m", "Hi"},
		{`{"messageId":"m","id":7,"name":"","content":"x"}`, "7", "x"},
		{`{"id":{"a":1},"text":["x"]}`, "", ""},
		{`{"id":"a","id":"b"}`, "b", ""},
		{`7`, "", ""},
	} {
		item := format(t, "database", "getAll", "["+c.item+"]", at(t, halfPastNine, "en")).Items[0]
		if item.ID() != c.id || item.Label() != c.label {
			t.Errorf("%s: %q %q", c.item, item.ID(), item.Label())
		}
	}
}

func TestMetadataHasTheContractsTypes(t *testing.T) {
	t.Parallel()
	const data = `{"deleted":9223372036854775808,"updated":"2","count":1e400,"errors":0,"notFound":"x",` +
		`"summaries":[],"isRecurringSeries":null}`
	m := format(t, "calendar", "delete", data, at(t, halfPastNine, "en")).Metadata
	got := []string{said(m.Deleted), said(m.Updated), said(m.Count), said(m.Errors), said(m.NotFound), said(m.Summaries),
		said(m.IsRecurringSeries)}
	if want := []string{"9223372036854775808", "-", "1e400", "-", `"x"`, "[]", "null"}; !slices.Equal(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
	if m := format(t, "calendar", "delete", `{"success":true,"deleted":3,"calendarLink":"x"}`,
		at(t, halfPastNine, "en")).Metadata; said(m.Deleted) != "3" {
		t.Errorf("beside success: %+v", m)
	}
	if m := format(t, "calendar", "delete", `{"success":true,"data":{"deleted":3}}`,
		at(t, halfPastNine, "en")).Metadata; said(m.Deleted) != "3" {
		t.Errorf("in an envelope: %+v", m)
	}
	if m := format(t, "calendar", "delete", `[{"deleted":1}]`,
		at(t, halfPastNine, "en")).Metadata; m != (respond.Metadata{}) {
		t.Errorf("a list has metadata: %+v", m)
	}
}

func said(j *model.JSON) string {
	if j == nil {
		return "-"
	}
	return string(*j)
}

func TestFailedOperations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ data, message, he string }{
		{`{"success":false,"error":"Task not found"}`, "Task not found", "Task not found"},
		{`{"success":false,"data":{"errors":[{"error":"a"},{"text":"b"},{"id":"c"},"d"]}}`, "a; b; d", "a; b; d"},
		{`{"success":false,"data":{"notFound":["a","b"]}}`, "Tasks not found: a, b", "משימות שלא נמצאו: a, b"},
		{`{"success":false}`, "Unknown error", "שגיאה לא ידועה"},
		{`{"success":null,"error":{"code":7}}`, `{"code":7}`, `{"code":7}`},
		{`{"error":"down"}`, "down", "down"},
		{`{"deleted":0,"tasks":[],"notFound":["x"]}`, "Tasks not found: x", "משימות שלא נמצאו: x"},
		{`{"deleted":2,"tasks":[],"notFound":["x"]}`, "", ""},
		{`{"tasks":[{"id":"a"}],"errors":[{"error":"a"}]}`, "", ""},
		{`{"success":true,"data":{"notFound":["x"]}}`, "", ""},
		{`{"deleted":0,"errors":[],"notFound":[]}`, "", ""},
		{`null`, "", ""},
		{`[{"error":"x"}]`, "", ""},
	} {
		for locale, want := range map[string]string{"en": c.message, "he": c.he} {
			r := format(t, "database", "delete reminder", c.data, at(t, halfPastNine, locale))
			if r.FailedOperations == nil || (want == "") != (len(r.FailedOperations) == 0) {
				t.Errorf("%s: %+v", c.data, r.FailedOperations)
			} else if want != "" && r.FailedOperations[0].ErrorMessage != want {
				t.Errorf("%s: %s; want %s", c.data, r.FailedOperations[0].ErrorMessage, want)
			}
		}
	}
	r := format(t, "gmail", "send email",
		`{"success":false,"stepId":"step_1","searchedFor":"Dana","userRequest":"write to Dana","error":"x"}`,
		at(t, halfPastNine, "en"))
	if f := r.FailedOperations[0]; *f.StepID != "step_1" || *f.SearchedFor != "Dana" ||
		*f.UserRequest != "write to Dana" || f.Capability != respond.Gmail || f.Operation != "send email" {
		t.Errorf("%+v", f)
	}
}

// A key of ours that is there already stays, and is named.
func TestKeysInTheWayAreKept(t *testing.T) {
	t.Parallel()
	const data = `{"_isEmpty":"mine","tasks":[{"due_date":"2026-01-20","due_date_formatted":"mine",` +
		`"_itemContext":{"a/b":{"start":"2026-01-20","start_formatted":1}}}]}`
	r := format(t, "database", "list tasks", data, at(t, halfPastNine, "en"))
	if want := []string{"/_isEmpty", "/tasks/0/_itemContext/a~1b/start_formatted", "/tasks/0/due_date_formatted",
		"/tasks/0/_itemContext"}; !slices.Equal(r.Kept, want) {
		t.Errorf("%q; want %q", r.Kept, want)
	}
	if got := r.Items[0].JSON(); got != r.Items[0].Raw {
		t.Errorf("%s", got)
	}
	if !r.Items[0].Task.IsToday || r.Items[0].Dates[1].Text != "Today" {
		t.Errorf("the typed form has lost what was in the way: %+v", r.Items[0])
	}
	if why := lost(data, r); why != "" {
		t.Error(why)
	}
}

// What JSON says, formatted again, is the same: everything is there already.
func TestFormattedTwice(t *testing.T) {
	t.Parallel()
	const data = `{"tasks":[{"id":"a","due_date":"2026-01-20T18:00:00+02:00"},` +
		`{"id":"b","subtasks":[{"created_at":"2026-01-19"}]}],"count":2}`
	moment := at(t, halfPastNine, "he")
	once := format(t, "database", "list tasks", data, moment).JSON()
	if twice := format(t, "database", "list tasks", string(once), moment).JSON(); twice != once {
		t.Errorf("%s\n%s", once, twice)
	}
}

func TestDatesThatAreLeftAlone(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		`{"tasks":[{"id":"a","date":"2026-01-20T10:00:00Z","internalDate":"2026-01-20T10:00:00Z"}]}`,        // unknown keys
		`{"tasks":[{"id":"a","reminder_recurrence":{"start":"2026-01-20"},"days":[{"end":"2026-01-20"}]}]}`, // rules
		`{"tasks":[{"id":"a","due_date":"soon","start":true,"end":null,"created_at":"2026-02-30"}]}`,        // no dates
		`{"tasks":[{"id":"a","start":{"dateTime":"2026-01-20T10:00:00Z","more":"` + strings.Repeat("x", 600) + `"}}]}`,
	} {
		r := format(t, "database", "update", data, at(t, halfPastNine, "en"))
		if got := r.JSON(); strings.Contains(string(got), "_formatted") || len(r.Items[0].Dates) > 0 {
			t.Errorf("%s", got)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	many := "[" + strings.Repeat("0,", respond.MaxItems) + "0]"
	for _, c := range []struct{ capability, operation, data, field, message string }{
		{"calender", "x", "{}", "capability",
			`"calender" is not a capability; use calendar, database, gmail or second-brain; did you mean calendar?`},
		{"secnd brain", "x", "{}", "capability", `did you mean second-brain?`},
		{"", "x", "{}", "capability", `"" is not a capability; use calendar, database, gmail or second-brain`},
		{"יומן", "x", "{}", "capability", `is not a capability`},
		{strings.Repeat("x", 5000), "x", "{}", "capability", "is not a capability"},
		{"gmail", strings.Repeat("ש", 201), "{}", "operation", "operation has 201 characters; at most 200 are allowed"},
		{"gmail", "x", "{", "data", "data is not a JSON value"},
		{"gmail", "x", "{} {}", "data", "data is not a JSON value"},
		{"gmail", "x", strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001), "data", "data is not a JSON value"},
		{"gmail", "x", `"` + strings.Repeat("x", respond.MaxBytes) + `"`, "data",
			"data has 1048578 bytes; at most 1048576 are formatted at once"},
		{"gmail", "x", many, "data", "data has 10001 items; at most 10000 are formatted at once"},
	} {
		_, err := respond.Format(c.capability, c.operation, model.JSON(c.data), at(t, halfPastNine, "en"))
		var shown *model.Error
		if !errors.As(err, &shown) || shown.Code != model.CodeBadUserInput || fmt.Sprint(shown.Field) != "["+c.field+"]" ||
			!strings.Contains(shown.Message, c.message) || len(shown.Message) > 300 {
			t.Errorf("%.40s %.40s %.40s: %v", c.capability, c.operation, c.data, err)
		}
	}
}

// What is nested, or named, without measure comes through without measureless work.
func TestDeepAndWideAnswers(t *testing.T) {
	t.Parallel()
	moment := at(t, halfPastNine, "en")
	for name, data := range map[string]string{
		"deep objects": strings.Repeat(`{"start":`, 9_000) + `"2026-01-20"` + strings.Repeat("}", 9_000),
		"deep lists":   strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000),
		"long key": `{"` + strings.Repeat("k", 100_000) + `":[` + strings.Repeat(`{"start":"2026-01-20"},`, 20_000) +
			`0]}`,
		"many items": `{"tasks":[` + strings.Repeat(`{},`, 9_999) + `{}]}`,
		"many dates": `{"tasks":[` + strings.Repeat(`{"start":"2026-01-20"},`, 9_999) + `{}]}`,
		"same keys": `{` + strings.Repeat(`"start":"2026-01-20",`, 20_000) +
			strings.Repeat(`"end":"2026-01-20",`, 20_000) + `"a":1}`,
		"in the way": `{"tasks":[` + strings.Repeat(`{"_itemContext":0},`, 9_999) + `{}]}`,
	} {
		r := format(t, "database", "list tasks", data, moment)
		if got := r.JSON(); len(got) > 20<<20 || len(r.Kept) > 103 {
			t.Errorf("%s: %d bytes, %d kept", name, len(got), len(r.Kept))
		}
	}
}

// On each side of every bound a task's flags are those that this API has for its own tasks.
func TestFlagsAreThoseOfOwnTasks(t *testing.T) {
	t.Parallel()
	moment := at(t, halfPastNine, "en")
	for hours := -60; hours <= 60; hours++ {
		due := moment.Now.Add(hour(hours))
		own := projections.TaskFlags(&model.Task{DueAt: due}, moment)
		raw := format(t, "database", "update", fmt.Sprintf(`{"id":"a","due_date":%q}`,
			due.UTC().Format("2006-01-02T15:04:05Z")), moment).Items[0].Task
		if *raw != own {
			t.Errorf("%s: %+v; own %+v", due, *raw, own)
		}
	}
}
