package discovery_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"almanac/internal/standin/discovery"
)

func TestMaskApply(t *testing.T) {
	t.Parallel()
	const body = `{"etag":"e","items":[{"attendees":[{"email":"a"},{"email":"b","self":true}],` +
		`"id":"1","start":{"date":"2026-11-21","timeZone":"UTC"}},` +
		`{"summary":"ללא מזהה"}],"kind":"calendar#events","nextPageToken":"n"}`
	for _, c := range []struct{ fields, want string }{
		{"nextPageToken", `{"nextPageToken":"n"}`},
		{"kind,etag", `{"etag":"e","kind":"calendar#events"}`},
		{"items/id", `{"items":[{"id":"1"},{}]}`},
		{"items(id,summary),etag", `{"etag":"e","items":[{"id":"1"},{"summary":"ללא מזהה"}]}`},
		{"items(start/date,attendees(self))",
			`{"items":[{"attendees":[{},{"self":true}],"start":{"date":"2026-11-21"}},{}]}`},
		{"items/start/date,items/start", `{"items":[{"start":{"date":"2026-11-21","timeZone":"UTC"}},{}]}`}, // the wider wins
		{"items/start,items/start/date", `{"items":[{"start":{"date":"2026-11-21","timeZone":"UTC"}},{}]}`},
		{"items/start/date,items/id", `{"items":[{"id":"1","start":{"date":"2026-11-21"}},{}]}`},
		{"items/*/email", `{"items":[{"attendees":[{"email":"a"},{"email":"b"}],"start":{}},{}]}`},
		{"items(*/date,start/timeZone)",
			`{"items":[{"attendees":[{},{}],"start":{"date":"2026-11-21","timeZone":"UTC"}},{}]}`},
		{"items(start/timeZone,*)", itemsOf(body)},
		{"*", body},
		{"description", `{}`},
	} {
		mask, err := discovery.ParseMask(c.fields)
		if err != nil {
			t.Errorf("%s: %v", c.fields, err)
			continue
		}
		given, _ := parse(t, body).(map[string]any)
		got, err := json.Marshal(mask.Apply(given))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s; want %s (%v)", c.fields, got, c.want, err)
		}
		if still, _ := json.Marshal(given); string(still) != body {
			t.Errorf("%s: the body itself was changed to %s", c.fields, still)
		}
	}
	var none *discovery.Mask
	if got := none.Apply(map[string]any{"a": "b"}); got["a"] != "b" {
		t.Errorf("no mask gives %v", got)
	}
}

// itemsOf is a body with its items alone.
func itemsOf(body string) string {
	_, rest, _ := strings.Cut(body, `"items":`)
	items, _, _ := strings.Cut(rest, `,"kind"`)
	return `{"items":` + items + `}`
}

func TestMaskSyntax(t *testing.T) {
	t.Parallel()
	for text, selection := range map[string]string{
		"":             "",
		",":            ",",
		"a,":           "",
		"a//b":         "/b",
		"a/":           "",
		"a(":           "",
		"a()":          ")",
		"a(b":          "b",
		"a)":           ")",
		"a(b))":        ")",
		"a(b)/c":       "/c",
		"a(b)(c)":      "(c)",
		"items, id":    " id",
		"items(id, x)": " x)",
	} {
		_, err := discovery.ParseMask(text)
		var wrong *discovery.SelectionError
		if !errors.As(err, &wrong) || wrong.Selection != selection {
			t.Errorf("%q: %v (%+v); want the selection %q", text, err, wrong, selection)
		}
	}
	for name, text := range map[string]string{
		"deep":             strings.Repeat("a/", 60) + "a",
		"deep in brackets": strings.Repeat("a(", 60) + "a" + strings.Repeat(")", 60),
		"long":             strings.Repeat("a,", 5000) + "a",
	} {
		if _, err := discovery.ParseMask(text); err == nil {
			t.Errorf("a %s mask is accepted", name)
		}
	}
}

func TestCheckMask(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, fields string
		place          string
	}{
		{"calendar.events.list", "items(id,start/dateTime,attendees/email),nextPageToken", ""},
		{"calendar.events.list", "items/extendedProperties/private/any-name", ""},
		{"calendar.events.list", "*", ""},
		{"calendar.events.list", "items/*", ""},
		{"calendar.events.list", "items/*/dateTime", ""},
		{"calendar.freebusy.query", "calendars/a@example.com/busy", ""},
		{"calendar.freebusy.query", "calendars/*/busy(start,end)", ""},
		{"gmail.users.messages.get", "payload/parts/parts/parts/body/size", ""},
		{"calendar.events.delete", "anything", ""},
		{"calendar.events.list", "items/ID", "items/ID"},
		{"calendar.events.list", "id", "id"},
		{"calendar.events.list", "items(id,start(date,time))", "items/start/time"},
		{"calendar.events.list", "etag/inside", "etag/inside"},
		{"calendar.events.list", "etag/*", "etag/*"},
		{"calendar.events.list", "items/*/nothing", "items/*"},
		{"calendar.freebusy.query", "calendars/*/bus", "calendars/*"},
	} {
		d, m := method(t, c.method)
		mask, err := discovery.ParseMask(c.fields)
		if err != nil {
			t.Fatal(err)
		}
		found := d.CheckMask(m, mask)
		if c.place == "" {
			expect(t, c.fields, found, "", "")
			continue
		}
		if len(found) != 1 || found[0].Rule != discovery.RuleUnknown {
			t.Errorf("%s %s: %v", c.method, c.fields, found)
		} else if found[0].Path != c.place {
			t.Errorf("%s %s: the fault is at %s, want %s", c.method, c.fields, found[0].Path, c.place)
		}
	}
}

// FuzzMask: any text is refused or selects, in bounded time, and what it selects passes the judge.
func FuzzMask(f *testing.F) {
	for _, seed := range []string{"items(id,summary),nextPageToken", "*", "items/*/email", "a(b,c/d(e))", "א/ב", "((",
		"items(*(*),start(*),*(date))", "kind,*"} {
		f.Add(seed)
	}
	d := discovery.Calendar()
	m := d.Methods["calendar.events.list"]
	f.Fuzz(func(t *testing.T, text string) {
		mask, err := discovery.ParseMask(text)
		if err != nil {
			return
		}
		body := map[string]any{
			"kind": "calendar#events", "etag": "e",
			"items": []any{map[string]any{"id": "1", "start": map[string]any{"date": "2026-11-21"},
				"attendees": []any{map[string]any{"email": "a"}}}},
		}
		if len(d.CheckMask(m, mask)) > 0 {
			return
		}
		if found := d.CheckResponse(m, mask.Apply(body), mask); found != nil {
			t.Errorf("%q selects what the judge refuses: %v", text, found)
		}
	})
}
