package discovery_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/internal/standin/discovery"
)

// TestDataIsOfTheModule holds the committed data against what the generator makes of the module in go.mod.
func TestDataIsOfTheModule(t *testing.T) {
	t.Parallel()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "google.golang.org/api").Output()
	if err != nil {
		t.Fatalf("find the client's module: %v", err)
	}
	for committed, source := range map[string]string{
		"calendar.json": "calendar/v3/calendar-api.json",
		"gmail.json":    "gmail/v1/gmail-api.json",
	} {
		full, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), source))
		if err != nil {
			t.Fatal(err)
		}
		first, err := discovery.Trim(full)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		have, err := os.ReadFile(committed)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, have) {
			t.Errorf("%s is not what the generator makes of %s; run make generate", committed, source)
		}
		second, err := discovery.Trim(full)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s: the generator does not always write the same bytes (%v)", source, err)
		}
		if bytes.Contains(have, []byte(`"description":"`)) {
			t.Errorf("%s holds prose", committed)
		}
	}
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		doc              *discovery.Document
		host, batch      string
		methods, schemas int
		uploads          int
	}{
		{doc: discovery.Calendar(), host: "www.googleapis.com", batch: "batch/calendar/v3", methods: 38, schemas: 39},
		{doc: discovery.Gmail(), host: "gmail.googleapis.com", batch: "batch", methods: 79, schemas: 56, uploads: 12},
	} {
		uploads := 0
		for _, m := range c.doc.Methods {
			uploads += len(m.UploadPaths)
		}
		if c.doc.Host() != c.host || c.doc.BatchPath != c.batch {
			t.Errorf("%s is at %s, batches at %s", c.doc.Name, c.doc.Host(), c.doc.BatchPath)
		}
		if len(c.doc.Methods) != c.methods || len(c.doc.Schemas) != c.schemas || uploads != c.uploads {
			t.Errorf("%s has %d methods, %d schemas and %d paths for uploads; want %d, %d and %d",
				c.doc.Name, len(c.doc.Methods), len(c.doc.Schemas), uploads, c.methods, c.schemas, c.uploads)
		}
	}
}

func TestReadRefusesBrokenData(t *testing.T) {
	t.Parallel()
	const method = `"methods":{"a.b":{"id":"a.b","httpMethod":"GET","path":"b","response":"B"}}`
	for name, data := range map[string]string{
		"not JSON":                   `{`,
		"no methods":                 `{"name":"a"}`,
		"an unknown key":             `{"prose":"a"}`,
		"something after it":         `{` + method + `,"schemas":{"B":{"type":"object"}}}{}`,
		"a response without schema":  `{` + method + `}`,
		"a reference to nothing":     `{` + method + `,"schemas":{"B":{"$ref":"C"}}}`,
		"a reference to a reference": `{` + method + `,"schemas":{"B":{"$ref":"C"},"C":{"$ref":"B"}}}`,
		"items of nothing":           `{` + method + `,"schemas":{"B":{"type":"array","items":{"$ref":"C"}}}}`,
		"a null schema":              `{` + method + `,"schemas":{"B":null}}`,
		"a null method":              `{"methods":{"a.b":null}}`,
		"a method of another id":     `{"methods":{"a.c":{"id":"a.b","httpMethod":"GET","path":"b"}}}`,
		"an undeclared path part":    `{"methods":{"a.b":{"id":"a.b","httpMethod":"GET","path":"{c}"}}}`,
		"the same route twice": `{"methods":{"a.b":{"id":"a.b","httpMethod":"GET","path":"b"},
			"a.c":{"id":"a.c","httpMethod":"GET","path":"b"}}}`,
	} {
		if _, err := discovery.Read([]byte(data)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		doc        *discovery.Document
		verb, path string
		id         string
		params     map[string]string
		upload     bool
	}{
		{discovery.Calendar(), "GET", "/calendar/v3/calendars/primary/events", "calendar.events.list",
			map[string]string{"calendarId": "primary"}, false},
		{
			discovery.Calendar(), "GET",
			"/calendar/v3/calendars/en.israeli%23holiday%40group.v.calendar.google.com/events/a%2Fb%20c",
			"calendar.events.get",
			map[string]string{"calendarId": "en.israeli#holiday@group.v.calendar.google.com", "eventId": "a/b c"}, false,
		},
		{discovery.Calendar(), "POST", "/calendar/v3/calendars/%D7%99%D7%95%D7%9E%D7%9F/events", "calendar.events.insert",
			map[string]string{"calendarId": "יומן"}, false},
		// The longest literal wins, but only among methods of the same verb.
		{
			discovery.Calendar(), "POST", "/calendar/v3/calendars/a@b.c/events/quickAdd", "calendar.events.quickAdd",
			map[string]string{"calendarId": "a@b.c"}, false,
		},
		{
			discovery.Calendar(), "GET", "/calendar/v3/calendars/a@b.c/events/quickAdd", "calendar.events.get",
			map[string]string{"calendarId": "a@b.c", "eventId": "quickAdd"}, false,
		},
		{discovery.Calendar(), "POST", "/calendar/v3/freeBusy", "calendar.freebusy.query", map[string]string{}, false},
		{discovery.Gmail(), "GET", "/gmail/v1/users/me/messages/17", "gmail.users.messages.get",
			map[string]string{"userId": "me", "id": "17"}, false},
		{discovery.Gmail(), "POST", "/gmail/v1/users/me/messages/send", "gmail.users.messages.send",
			map[string]string{"userId": "me"}, false},
		{discovery.Gmail(), "POST", "/upload/gmail/v1/users/me/messages/send", "gmail.users.messages.send",
			map[string]string{"userId": "me"}, true},
		{discovery.Gmail(), "POST", "/resumable/upload/gmail/v1/users/me/drafts", "gmail.users.drafts.create",
			map[string]string{"userId": "me"}, true},
		{
			discovery.Gmail(), "POST", "/gmail/v1/users/me/settings/cse/keypairs/k1:disable",
			"gmail.users.settings.cse.keypairs.disable",
			map[string]string{"userId": "me", "keyPairId": "k1"}, false,
		},
		{doc: discovery.Calendar(), verb: "GET", path: "/calendar/v3/calendars//events"},
		{doc: discovery.Calendar(), verb: "GET", path: "/calendar/v3/calendars/a/events/"},
		{doc: discovery.Calendar(), verb: "GET", path: "/calendars/a/events"},
		{doc: discovery.Calendar(), verb: "GET", path: "/calendar/v3/calendars/%zz/events"},
		{doc: discovery.Calendar(), verb: "PUT", path: "/calendar/v3/freeBusy"},
		{doc: discovery.Gmail(), verb: "POST", path: "/gmail/v1/users/me/drafts/d1/send"}, // no path of Google's
	} {
		m, params, ok := c.doc.Match(c.verb, c.path)
		if !ok {
			if c.id != "" {
				t.Errorf("%s %s: no method", c.verb, c.path)
			}
			continue
		}
		if m.ID != c.id || m.Upload != c.upload || !maps.Equal(params, c.params) {
			t.Errorf("%s %s: %s, upload %t, %v", c.verb, c.path, m.ID, m.Upload, params)
		}
	}
	if got := discovery.Calendar().Verbs("/calendar/v3/calendars/a/events/b"); !slices.Equal(got,
		[]string{"DELETE", "GET", "PATCH", "PUT"}) {
		t.Errorf("an event knows the verbs %v", got)
	}
	if got := discovery.Calendar().Verbs("/calendar/v3/nothing"); got != nil {
		t.Errorf("a path of nothing knows the verbs %v", got)
	}
}

func TestScopes(t *testing.T) {
	t.Parallel()
	const root = "https://www.googleapis.com/auth/"
	d := discovery.Calendar()
	for _, c := range []struct {
		method string
		scopes []string
		want   bool
	}{
		{"calendar.events.insert", []string{root + "calendar.events"}, true},
		{"calendar.events.insert", []string{root + "calendar.readonly"}, false},
		{"calendar.events.list", []string{"openid", root + "calendar.readonly"}, true},
		{"calendar.freebusy.query", []string{root + "calendar.events"}, false},
		{"calendar.freebusy.query", []string{root + "calendar.freebusy"}, true},
		{"calendar.calendarList.list", []string{root + "calendar.calendarlist.readonly"}, true},
		{"calendar.events.list", nil, false},
	} {
		if got := d.Allows(d.Methods[c.method], c.scopes); got != c.want {
			t.Errorf("%s with %v: %t", c.method, c.scopes, got)
		}
	}
	m := d.Methods["calendar.events.list"]
	d.Scopes(m)[0] = "changed"
	if m.Scopes[0] == "changed" {
		t.Error("the caller of Scopes can change the document")
	}
}

func BenchmarkCheckRequest(b *testing.B) {
	d := discovery.Calendar()
	m, _, _ := d.Match("GET", "/calendar/v3/calendars/primary/events")
	query := map[string][]string{"timeMin": {"2026-11-21T00:00:00Z"}, "singleEvents": {"true"}, "alt": {"json"}}
	for b.Loop() {
		if found := d.CheckRequest(m, query, nil); found != nil {
			b.Fatal(found)
		}
	}
}
