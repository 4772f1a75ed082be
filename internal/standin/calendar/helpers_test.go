package calendar

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/standin/wire"
)

// world is a service with accounts and a clock that a test sets. Every request and every response is held against the
// discovery document.
type world struct {
	t       testing.TB
	s       *Service
	now     time.Time
	notices []Notification
	// lenient lets requests pass that the document forbids, for tests of how they are refused.
	lenient bool
}

const (
	ada   = "ada@example.com"
	ben   = "ben@example.com"
	clara = "clara@elsewhere.org"
)

// newWorld returns ada and ben, in Jerusalem, and clara, in New York.
func newWorld(t testing.TB, switches ...Switches) *world {
	t.Helper()
	w := &world{t: t, now: time.Date(2026, 3, 2, 9, 30, 15, 123_456_789, time.UTC)}
	options := Options{
		Now: func() time.Time { return w.now }, Seed: 7,
		Notify: func(n Notification) { w.notices = append(w.notices, n) },
	}
	if len(switches) > 0 {
		options.Switches = switches[0]
	}
	w.s = New(options)
	for _, a := range []Account{
		{Email: ada, Name: "Ada", TimeZone: "Asia/Jerusalem"},
		{Email: ben, Name: "Ben", TimeZone: "Asia/Jerusalem"},
		{Email: clara, Name: "Clara", TimeZone: "America/New_York"},
	} {
		if err := w.s.AddAccount(a); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// tick moves the clock on.
func (w *world) tick(d time.Duration) { w.now = w.now.Add(d) }

// request is one call of a test; the account is ada and the calendar primary when nothing else is said.
type asked struct {
	as      string
	cal     string
	id      string
	query   string
	body    object
	match   string
	noneOf  string
	setting string
}

func (w *world) try(method string, a asked) (wire.Reply, *wire.Problem) {
	w.t.Helper()
	if a.as == "" {
		a.as = ada
	}
	if a.cal == "" {
		a.cal = "primary"
	}
	query, err := url.ParseQuery(a.query)
	if err != nil {
		w.t.Fatal(err)
	}
	call := wire.Call{
		Method: "calendar." + method, Account: a.as,
		Path:  map[string]string{"calendarId": a.cal, "eventId": a.id, "setting": a.setting},
		Query: query, Header: http.Header{}, Now: w.now,
	}
	if a.match != "" {
		call.Header.Set("If-Match", a.match)
	}
	if a.noneOf != "" {
		call.Header.Set("If-None-Match", a.noneOf)
	}
	if a.body != nil {
		call.Body = overWire(w.t, a.body)
	}
	m := w.s.Document().Methods[call.Method]
	if m == nil {
		w.t.Fatalf("%s is no method", call.Method)
	}
	if !w.lenient {
		var body any
		if call.Body != nil {
			body = call.Body
		}
		for _, v := range w.s.Document().CheckRequest(m, query, body) {
			w.t.Errorf("request of %s: %v", method, v)
		}
	}
	reply, err := w.s.Serve(call)
	if err != nil {
		var p *wire.Problem
		if !errors.As(err, &p) {
			w.t.Fatalf("%s: %v is no problem", method, err)
		}
		return reply, p
	}
	if reply.Body != nil {
		body := overWire(w.t, reply.Body)
		for _, v := range w.s.Document().CheckResponse(m, any(body), nil) {
			w.t.Errorf("response of %s: %v", method, v)
		}
		reply.Body = body
	}
	return reply, nil
}

// overWire returns what is left of values when they have been JSON.
func overWire(t testing.TB, body object) object {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	var out object
	if err := decoder.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// do wants a call to succeed.
func (w *world) do(method string, a asked) object {
	w.t.Helper()
	reply, p := w.try(method, a)
	if p != nil {
		w.t.Fatalf("%s: %v", method, p)
	}
	return reply.Body
}

// refused wants a call to fail with a status, "400 global/required", and returns the problem.
func (w *world) refused(method string, a asked, want string) *wire.Problem {
	w.t.Helper()
	lenient := w.lenient
	w.lenient = true
	_, p := w.try(method, a)
	w.lenient = lenient
	if p == nil {
		w.t.Errorf("%s %+v: passed, want %s", method, a, want)
		return &wire.Problem{}
	}
	if got := itoa(p.Status) + " " + p.Domain + "/" + p.Reason; got != want {
		w.t.Errorf("%s %+v: %s (%s), want %s", method, a, got, p.Message, want)
	}
	return p
}

func timed(start, end, zone string) object {
	return object{"start": object{"dateTime": start, "timeZone": zone}, "end": object{"dateTime": end, "timeZone": zone}}
}

func allDay(start, end string) object {
	return object{"start": object{"date": start}, "end": object{"date": end}}
}

func with(base object, more object) object { return merge(base, more) }

// insert makes an event of ada's.
func (w *world) insert(body object) object {
	w.t.Helper()
	return w.do("events.insert", asked{body: body})
}

// weekly makes a series of Mondays, 9:00 to 10:00 in Jerusalem, from 2 March 2026 on.
func (w *world) weekly(more object) object {
	w.t.Helper()
	return w.insert(with(with(timed("2026-03-02T09:00:00", "2026-03-02T10:00:00", "Asia/Jerusalem"), object{
		"summary": "Standup", "recurrence": []string{"RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=6"},
	}), more))
}

func (w *world) list(query string) []object {
	w.t.Helper()
	return objectsOf(w.do("events.list", asked{query: query}), "items")
}

func ids(items []object) []string {
	list := make([]string, len(items))
	for i, item := range items {
		list[i] = textOf(item, "id")
	}
	return list
}

func summaries(items []object) []string {
	list := make([]string, len(items))
	for i, item := range items {
		list[i] = textOf(item, "summary")
	}
	return list
}

// starts returns when items start, as written.
func starts(items []object) []string {
	list := make([]string, len(items))
	for i, item := range items {
		start := objectOf(item, "start")
		list[i] = textOf(start, "dateTime") + textOf(start, "date")
	}
	return list
}

func same[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// absent wants properties not to be there.
func absent(t testing.TB, o object, names ...string) {
	t.Helper()
	for _, name := range names {
		if value, has := o[name]; has {
			t.Errorf("%s is there: %v", name, value)
		}
	}
}

func toText(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}
