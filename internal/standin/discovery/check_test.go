package discovery_test

import (
	"net/url"
	"strings"
	"testing"

	"almanac/internal/standin/discovery"
)

// parse reads JSON of a test; "" stands for no body.
func parse(t *testing.T, text string) any {
	t.Helper()
	if text == "" {
		return nil
	}
	value, err := discovery.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

func method(t *testing.T, id string) (*discovery.Document, *discovery.Method) {
	t.Helper()
	for _, d := range []*discovery.Document{discovery.Calendar(), discovery.Gmail()} {
		if m := d.Methods[id]; m != nil {
			return d, m
		}
	}
	t.Fatalf("there is no method %s", id)
	return nil, nil
}

// expect wants exactly one violation of a rule at a place, or none when the rule is "".
func expect(t *testing.T, what string, found []discovery.Violation, rule discovery.Rule, place string) {
	t.Helper()
	if rule == "" {
		if len(found) > 0 {
			t.Errorf("%s: %v", what, found)
		}
		return
	}
	if len(found) != 1 || found[0].Rule != rule || found[0].Path != place {
		t.Errorf("%s: %v; want one of rule %s at %q", what, found, rule, place)
	}
}

func TestCheckRequest(t *testing.T) {
	t.Parallel()
	const (
		list   = "calendar.events.list"
		insert = "calendar.events.insert"
		patch  = "calendar.events.patch"
		times  = `"start":{"dateTime":"2026-11-21T09:00:00+02:00"},"end":{"dateTime":"2026-11-21T10:00:00+02:00"}`
	)
	for _, c := range []struct {
		method, query, body string
		rule                discovery.Rule
		place               string
	}{
		// parameters
		{list,
			"singleEvents=true&orderBy=startTime&maxResults=1&timeMin=2026-11-21T00:00:00%2B02:00&alt=json&prettyPrint=false",
			"", "", ""},
		{list, "eventTypes=default&eventTypes=focusTime", "", "", ""},
		{list, "fields=items(id,summary),nextPageToken", "", "", ""},
		{list, "singleEvent=true", "", discovery.RuleUnknown, "singleEvent"},
		{list, "calendarId=primary", "", discovery.RuleUnknown, "calendarId"}, // of the path, not of the query
		{list, "uploadType=media", "", discovery.RuleUnknown, "uploadType"},
		{list, "q=a&q=b", "", discovery.RuleRepeated, "q"},
		{list, "singleEvents=1", "", discovery.RuleType, "singleEvents"},
		{list, "maxResults=many", "", discovery.RuleType, "maxResults"},
		{list, "maxResults=1.5", "", discovery.RuleType, "maxResults"},
		{list, "maxResults=0", "", discovery.RuleRange, "maxResults"},
		{list, "maxResults=99999999999", "", discovery.RuleRange, "maxResults"},
		{insert, "conferenceDataVersion=2", `{` + times + `}`, discovery.RuleRange, "conferenceDataVersion"},
		{list, "timeMin=2026-11-21T00:00:00", "", discovery.RuleFormat, "timeMin"},
		{list, "timeMax=2026-11-21", "", discovery.RuleFormat, "timeMax"},
		{list, "orderBy=start", "", discovery.RuleEnum, "orderBy"},
		{list, "alt=media", "", discovery.RuleEnum, "alt"},
		{list, "eventTypes=default&eventTypes=other", "", discovery.RuleEnum, "eventTypes"},
		{list, "fields=items(id", "", discovery.RuleMask, "fields"},
		{list, "fields=items/name", "", discovery.RuleUnknown, "items/name"},
		{"calendar.events.quickAdd", "", "", discovery.RuleRequired, "text"},
		{"calendar.events.move", "destination=b@example.com", "", "", ""},
		{"gmail.users.history.list", "startHistoryId=x1", "", discovery.RuleFormat, "startHistoryId"},
		{"gmail.users.history.list", "startHistoryId=-1", "", discovery.RuleFormat, "startHistoryId"},
		{"gmail.users.messages.list", "maxResults=-1", "", discovery.RuleRange, "maxResults"},
		// bodies
		{insert, "", `{` + times + `,"summary":"פגישה"}`, "", ""},
		{insert, "", ``, discovery.RuleBody, ""},
		{insert, "", `null`, discovery.RuleBody, ""},
		{list, "", `{}`, discovery.RuleBody, ""},
		{insert, "", `[]`, discovery.RuleType, ""},
		{insert, "", `{"start":{"date":"2026-11-21"}}`, discovery.RuleRequired, "end"},
		{insert, "", `{"start":null,"end":{"date":"2026-11-22"}}`, discovery.RuleRequired, "start"},
		{insert, "", `{` + times + `,"Summary":"x"}`, discovery.RuleUnknown, "Summary"},
		{patch, "", `{"start":{"datetime":"2026-11-21T09:00:00Z"}}`, discovery.RuleUnknown, "start/datetime"},
		{patch, "", `{"summary":7}`, discovery.RuleType, "summary"},
		{patch, "", `{"sequence":"7"}`, discovery.RuleType, "sequence"},
		{patch, "", `{"sequence":2147483648}`, discovery.RuleRange, "sequence"},
		{patch, "", `{"sequence":1.5}`, discovery.RuleType, "sequence"},
		{patch, "", `{"guestsCanModify":"true"}`, discovery.RuleType, "guestsCanModify"},
		{patch, "", `{"attendees":{"email":"a@example.com"}}`, discovery.RuleType, "attendees"},
		{patch, "", `{"attendees":[{"email":"a@example.com"},7]}`, discovery.RuleType, "attendees/1"},
		{patch, "", `{"attendees":[null]}`, discovery.RuleNull, "attendees/0"},
		{patch, "", `{"attendees":null,"description":null,"start":{"date":null}}`, "", ""},
		{patch, "", `{"extendedProperties":{"private":{"any name":"a value","gone":null}}}`, "", ""},
		{patch, "", `{"extendedProperties":{"private":{"n":7}}}`, discovery.RuleType, "extendedProperties/private/n"},
		{patch, "", `{"start":{"date":"2026-11-31"}}`, discovery.RuleFormat, "start/date"},
		{patch, "", `{"start":{"dateTime":"2026-11-21T09:00:00"}}`, discovery.RuleFormat, "start/dateTime"},
		{patch, "", `{"start":{"dateTime":"2026-11-21T09:00:00","timeZone":""}}`, discovery.RuleFormat, "start/dateTime"},
		{patch, "", `{"start":{"dateTime":"2026-11-21 09:00","timeZone":"Asia/Jerusalem"}}`, discovery.RuleFormat,
			"start/dateTime"},
		{patch, "", `{"start":{"dateTime":"2026-11-21T09:00:00","timeZone":"Asia/Jerusalem"}}`, "", ""},
		{patch, "", `{"kind":"calendar#events"}`, discovery.RuleKind, "kind"},
		{"calendar.events.import", "", `{` + times + `}`, discovery.RuleRequired, "iCalUID"},
		{"calendar.events.update", "", `{` + times + `}`, "", ""},
		{"calendar.events.watch", "", `{"id":"1","type":"web_hook","expiration":1790000000000}`, discovery.RuleType,
			"expiration"},
		{"calendar.events.watch", "", `{"id":"1","type":"web_hook","expiration":"1.5"}`, discovery.RuleFormat, "expiration"},
		{"calendar.calendars.insert", "", `{"timeZone":"UTC"}`, discovery.RuleRequired, "summary"},
		{"calendar.acl.insert", "", `{"role":"reader","scope":{"value":"a@example.com"}}`, discovery.RuleRequired,
			"scope/type"},
		{"calendar.freebusy.query", "", `{"timeMin":"2026-11-21T00:00:00Z","timeMax":"x","items":[{"id":"a"}]}`,
			discovery.RuleFormat, "timeMax"},
		// Gmail: what is marked as required and is not
		{"gmail.users.messages.send", "", `{"raw":"SGk"}`, "", ""},
		{"gmail.users.messages.send", "", `{"raw":"S Gk"}`, discovery.RuleFormat, "raw"},
		{"gmail.users.messages.send", "", `{"threadId":"1"}`, "", ""},
		{"gmail.users.drafts.send", "", `{"message":{"raw":"SGk"}}`, discovery.RuleRequired, "id"},
		{"gmail.users.labels.create", "", `{"name":"עבודה"}`, "", ""},
		{"gmail.users.labels.create", "", `{"messageListVisibility":"show"}`, discovery.RuleRequired, "name"},
		{"gmail.users.labels.create", "", `{"name":"a","messageListVisibility":"shown"}`, discovery.RuleEnum,
			"messageListVisibility"},
	} {
		d, m := method(t, c.method)
		query, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		expect(t, c.method+"?"+c.query+" "+c.body, d.CheckRequest(m, query, parse(t, c.body)), c.rule, c.place)
	}

	d := discovery.Gmail()
	upload, _, _ := d.Match("POST", "/upload/gmail/v1/users/me/messages/send")
	expect(t, "an upload of media alone", d.CheckRequest(upload, url.Values{"uploadType": {"media"}}, nil), "", "")
}

func TestCheckResponse(t *testing.T) {
	t.Parallel()
	const (
		event  = "calendar.events.get"
		events = "calendar.events.list"
	)
	for _, c := range []struct {
		method, fields, body string
		rule                 discovery.Rule
		place                string
	}{
		{event, "", `{"kind":"calendar#event","id":"a","start":{"dateTime":"2026-11-21T09:00:00Z","timeZone":"UTC"}}`, "",
			""},
		{event, "", `{"id":"a"}`, discovery.RuleKind, "kind"},
		{event, "", `{"kind":"calendar#events"}`, discovery.RuleKind, "kind"},
		{event, "", ``, discovery.RuleBody, ""},
		{event, "", `null`, discovery.RuleBody, ""},
		{event, "", `[]`, discovery.RuleType, ""},
		{event, "", `{"kind":"calendar#event","location":null}`, discovery.RuleNull, "location"},
		{event, "", `{"kind":"calendar#event","colour":"1"}`, discovery.RuleUnknown, "colour"},
		{event, "", `{"kind":"calendar#event","reminders":{"overrides":[{"minutes":"10"}]}}`, discovery.RuleType,
			"reminders/overrides/0/minutes"},
		// A zone beside it does not replace the offset in an answer.
		{
			event, "", `{"kind":"calendar#event","start":{"dateTime":"2026-11-21T09:00:00","timeZone":"UTC"}}`,
			discovery.RuleFormat, "start/dateTime",
		},
		{events, "", `{"kind":"calendar#events","items":[{"kind":"calendar#event"},{"kind":"event"}]}`, discovery.RuleKind,
			"items/1/kind"},
		{"calendar.events.delete", "", ``, "", ""},
		{"calendar.events.delete", "", `{}`, discovery.RuleBody, ""},
		{"gmail.users.messages.get", "", `{"internalDate":1790000000000}`, discovery.RuleType, "internalDate"},
		{"gmail.users.messages.get", "", `{"sizeEstimate":"12"}`, discovery.RuleType, "sizeEstimate"},
		{"gmail.users.messages.get", "", `{"historyId":"12","internalDate":"1790000000000","sizeEstimate":12}`, "", ""},
		{"gmail.users.messages.get", "", `{"historyId":"-12"}`, discovery.RuleFormat, "historyId"},
		// masks
		{events, "items(id)", `{"items":[{"id":"a"},{}]}`, "", ""},
		{events, "items(id)", `{"items":[{"id":"a"},{"id":"b","summary":"x"}]}`, discovery.RuleMask, "items/1/summary"},
		{events, "items(id)", `{"items":[],"etag":"x"}`, discovery.RuleMask, "etag"},
		{events, "items/start/date", `{"items":[{"start":{"date":"2026-11-21","timeZone":"UTC"}}]}`, discovery.RuleMask,
			"items/0/start/timeZone"},
		{events, "items", `{"items":[{"id":"a","start":{"date":"2026-11-21"}}]}`, "", ""},
		{events, "kind,items/id", `{"items":[]}`, discovery.RuleKind, "kind"},
		{events, "*", `{"items":[]}`, discovery.RuleKind, "kind"},
	} {
		d, m := method(t, c.method)
		var mask *discovery.Mask
		if c.fields != "" {
			var err error
			if mask, err = discovery.ParseMask(c.fields); err != nil {
				t.Fatal(err)
			}
		}
		expect(t, c.method+" "+c.fields+" "+c.body, d.CheckResponse(m, parse(t, c.body), mask), c.rule, c.place)
	}
}

// TestGoNumbers: services answer with Go's numbers, which no JSON has been through.
func TestGoNumbers(t *testing.T) {
	t.Parallel()
	d, m := method(t, "calendar.events.get")
	for _, n := range []any{1, int32(1), int64(1), 1.0, uint64(1)} {
		expect(t, "a number", d.CheckResponse(m, map[string]any{"kind": "calendar#event", "sequence": n}, nil), "", "")
	}
	expect(t, "a struct", d.CheckResponse(m, map[string]any{"kind": "calendar#event", "sequence": struct{}{}}, nil),
		discovery.RuleType, "sequence")
}

func TestViolationsAreBounded(t *testing.T) {
	t.Parallel()
	d, m := method(t, "calendar.events.patch")
	list := make([]any, 5000)
	for i := range list {
		list[i] = "wrong"
	}
	if found := d.CheckRequest(m, nil, map[string]any{"attendees": list}); len(found) != 100 {
		t.Errorf("%d violations are kept of one body", len(found))
	}
	found := d.CheckRequest(m, nil,
		map[string]any{"status": "x", "start": map[string]any{"date": strings.Repeat("א", 1000)}})
	if len(found) != 1 || len(found[0].String()) > 200 {
		t.Errorf("a violation quotes too much: %v", found)
	}
}
