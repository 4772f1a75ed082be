package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	ics "github.com/arran4/golang-ical"
)

// upload sends a file to a mutation and returns the status and the answer.
func (p *process) upload(query, text string) (int, []byte) {
	p.t.Helper()
	address := p.address + "/graphql/upload?" + url.Values{"query": {query}, "variable": {"text"}}.Encode()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodPost, address, strings.NewReader(text))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "text/calendar")
	return p.whole(r)
}

func (p *process) whole(r *http.Request) (int, []byte) {
	p.t.Helper()
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }() // it was read to its end
	body, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response.StatusCode, body
}

// get reads an address of the server, if the client does not have it by its tag.
func (p *process) get(address, tag string) (status int, body, newTag string) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		p.t.Fatal(err)
	}
	if tag != "" {
		r.Header.Set("If-None-Match", tag)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }() // it was read to its end
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response.StatusCode, string(text), response.Header.Get("ETag")
}

type imported struct {
	Data struct {
		ImportEvents struct {
			Created, Unchanged, Refused int
			Errors                      []struct{ Message string }
			UserErrors                  []struct{ Message string }
		}
	}
	Errors []struct{ Message string }
}

const importing = `mutation($text: String!) { importEvents(input: { text: $text }) {
	created unchanged refused errors { message } userErrors { message } } }`

func (p *process) imports(text string) imported {
	p.t.Helper()
	status, body := p.upload(importing, text)
	var got imported
	if err := json.Unmarshal(body, &got); err != nil || status != http.StatusOK || len(got.Errors) > 0 {
		p.t.Fatalf("%d %v: %.500s", status, err, body)
	}
	return got
}

// TestCalendarsAsFiles takes a large file in by the upload address, and lets it out by each of the ways there are.
func TestCalendarsAsFiles(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, append(flags, "--feeds-allow-private")...)
			file := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Old\r\n"
			for i := range 1500 {
				file += fmt.Sprintf("BEGIN:VEVENT\r\nUID:%d@example.com\r\nDTSTAMP:20261101T000000Z\r\n"+
					"DTSTART;TZID=W. Europe Standard Time:2026%02d%02dT090000\r\nDURATION:PT1H\r\nSUMMARY:Event %d\r\n"+
					"DESCRIPTION:%s\r\nEND:VEVENT\r\n", i, 1+i%12, 1+i%28, i, strings.Repeat("x", 700))
			}
			file += "END:VCALENDAR\r\n"
			if len(file) < 1<<20 {
				t.Fatalf("the file has %d bytes, which a request takes", len(file))
			}
			for _, want := range []string{"{1500 0 0 [] []}", "{0 1500 0 [] []}"} {
				if got := fmt.Sprint(p.imports(file).Data.ImportEvents); got != want {
					t.Errorf("imported %s, want %s", got, want)
				}
			}
			var exported struct {
				ExportEvents struct {
					URL    string
					Events int
				}
			}
			p.mustAsk(`{ exportEvents(timeMin: "2026-03-01T00:00", timeMax: "2026-06-01T00:00") { url events } }`, nil,
				&exported)
			status, text, _ := p.get(exported.ExportEvents.URL, "")
			read, err := ics.ParseCalendar(strings.NewReader(text))
			if status != http.StatusOK || err != nil || len(read.Events()) != exported.ExportEvents.Events ||
				len(read.Events()) != 375 {
				t.Errorf("downloaded %d, %v: %d of %d", status, err, len(read.Events()), exported.ExportEvents.Events)
			}
			if status, _, _ := p.get(strings.Replace(exported.ExportEvents.URL, ".ics", "x.ics", 1),
				""); status != http.StatusNotFound {
				t.Errorf("a made up address is %d", status)
			}
			p.published()
			p.mustAlive()
		})
	}
}

// TestUploadAsTheDocsSay runs the command with which docs/icalendar.md uploads a file, as it is printed.
func TestUploadAsTheDocsSay(t *testing.T) {
	t.Parallel()
	commands := fenced(t, "docs/icalendar.md", "sh")
	if len(commands) != 1 {
		t.Fatalf("docs/icalendar.md has %d commands", len(commands))
	}
	folder := t.TempDir()
	file := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTAMP:20261101T000000Z\r\n" +
		"DTSTART:20261202T090000Z\r\nSUMMARY:100%25 & +1\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	if err := os.WriteFile(filepath.Join(folder, "calendar.ics"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, "--data-dir="+t.TempDir())
	var made struct{ CreateToken struct{ Secret string } }
	p.mustAsk(`mutation { createToken(input: { name: "curl", scopes: [READ, WRITE] }) { secret } }`, nil, &made)
	command := exec.CommandContext(t.Context(), "sh", "-c", commands[0]) //nolint:gosec // our own page
	command.Dir = folder
	command.Env = append(os.Environ(), "ALMANAC="+p.address, "TOKEN="+made.CreateToken.Secret)
	answer, err := command.Output()
	if err != nil {
		t.Fatalf("%v (curl 7.87 or newer is needed: apt-get install curl)", err)
	}
	if got, want := string(answer), `{"data":{"importEvents":{"created":1,"unchanged":0,"refused":0}}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if listed := p.answerTo(`{ events(filter: { timeMin: "2026-12-02T00:00", timeMax: "2026-12-03T00:00" }) {
		nodes { summary } } }`); !strings.Contains(listed, `"100%25 \u0026 +1"`) && !strings.Contains(listed, `"100%25 & +1"`) {
		t.Errorf("it lists %s", listed)
	}
}

// published publishes the calendar, follows the address, and ends it.
func (p *process) published() {
	t := p.t
	t.Helper()
	var calendars struct{ Calendars []struct{ ID string } }
	p.mustAsk(`{ calendars { id } }`, nil, &calendars)
	id := calendars.Calendars[len(calendars.Calendars)-1].ID
	publish := func(form string) string {
		var made struct{ PublishCalendar struct{ URL string } }
		p.mustAsk(`mutation($id: ID!, $form: CalendarForm!) { publishCalendar(input: { id: $id, form: $form }) { url } }`,
			map[string]any{"id": id, "form": form}, &made)
		return made.PublishCalendar.URL
	}
	full, busy := publish("FULL"), publish("BUSY")
	status, text, tag := p.get(full, "")
	if status != http.StatusOK || !strings.Contains(text, "SUMMARY:Event 7\r\n") || tag == "" {
		t.Errorf("published: %d %s %.300s", status, tag, text)
	}
	if status, _, _ := p.get(full, tag); status != http.StatusNotModified {
		t.Errorf("unchanged it is %d", status)
	}
	if _, text, _ := p.get(busy, ""); strings.Contains(text, "Event 7") || !strings.Contains(text, "SUMMARY:Busy\r\n") {
		t.Errorf("busy is %.300s", text)
	}
	p.mustAsk(`mutation($id: ID!) { createEvent(input: { calendarId: $id, summary: "Late", onDuplicate: ALLOW,
		start: { dateTime: "2026-12-24T10:00" } }) { event { id } } }`, map[string]any{"id": id}, &struct{}{})
	if status, text, _ := p.get(full, tag); status != http.StatusOK || !strings.Contains(text, "SUMMARY:Late\r\n") {
		t.Errorf("changed it is %d", status)
	}
	var followed struct {
		SubscribeToFeed struct {
			Calendar   struct{ ID, Summary string }
			Events     int
			UserErrors []struct{ Message string }
		}
	}
	p.mustAsk(`mutation($url: String!) { subscribeToFeed(input: { url: $url, summary: "Copy" }) {
		calendar { id summary } events userErrors { message } } }`, map[string]any{"url": full}, &followed)
	if got := fmt.Sprint(followed.SubscribeToFeed.Events, followed.SubscribeToFeed.UserErrors); got != "1501 []" {
		t.Errorf("followed: %s", got)
	}
	p.mustAsk(`mutation($id: ID!) { unpublishCalendar(input: { id: $id, form: FULL }) { unpublished } }`,
		map[string]any{"id": id}, &struct{}{})
	if status, _, _ := p.get(full, tag); status != http.StatusNotFound {
		t.Errorf("unpublished it is %d", status)
	}
	if status, _, _ := p.get(busy, ""); status != http.StatusOK {
		t.Errorf("the other form is %d", status)
	}
}

// mustAlive asks for something small.
func (p *process) mustAlive() {
	p.t.Helper()
	p.mustAsk(`{ viewer { id } }`, nil, &struct{}{})
}

// TestHostileFilesAreRefused sends the largest files that nobody means well with; each has an answer that says what is
// wrong with what, and the server goes on.
func TestHostileFilesAreRefused(t *testing.T) {
	t.Parallel()
	// Under the race detector, on a busy machine, a file of 5 MB takes longer than requests may.
	p := start(t, "--data-dir="+t.TempDir(), "--request-timeout=4m")
	const most = 5 << 20
	fill := func(unit string) string { return strings.Repeat(unit, most/len(unit)) }
	for name, c := range map[string]struct{ text, says string }{
		"binary":          {string(bytes.Repeat([]byte{0, 1, 254, 10, 200}, most/10)), "no iCalendar file"},
		"nesting":         {fill("BEGIN:VEVENT\r\n"), "does not end"},
		"deep":            {"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n" + fill("BEGIN:X\r\n")[:most-40], "cut off"},
		"one folded line": {"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x\r\n" + fill(" x\r\n")[:most-60], "cut off"},
		"endless rules": {
			fill("BEGIN:VEVENT\r\nUID:x\r\nDTSTART:20260101T000000Z\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT\r\n"), "with one UID"},
		"rules never occur": {
			fill("BEGIN:VEVENT\r\nDTSTART:20260101\r\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\r\nEND:VEVENT\r\n"), "recurs"},
		"one of each number": {numbered(most), "as many as one import takes"},
	} {
		got := p.imports(c.text).Data.ImportEvents
		said := fmt.Sprint(got.Errors, got.UserErrors)
		if !strings.Contains(said, c.says) || got.Refused+len(got.UserErrors) == 0 || len(got.Errors) > 100 {
			t.Errorf("%s: created %d, refused %d: %.300s", name, got.Created, got.Refused, said)
		}
	}
	if status, body := p.upload(importing, fill("x")+"xxxxx"); status != http.StatusRequestEntityTooLarge {
		t.Errorf("too large: %d %s", status, body)
	}
	var refused struct {
		SubscribeToFeed struct{ UserErrors []struct{ Message string } }
	}
	for _, address := range []string{p.address + "/feeds/x.ics", "http://169.254.169.254/latest", "http://[::1]/x",
		"http://10.0.0.1/x"} {
		p.mustAsk(`mutation($url: String!) { subscribeToFeed(input: { url: $url }) { userErrors { message } } }`,
			map[string]any{"url": address}, &refused)
		if said := fmt.Sprint(refused); !strings.Contains(said, "does not lead to a public server") {
			t.Errorf("%s: %s", address, said)
		}
	}
	p.mustAlive()
}

// numbered are as many small events as fit.
func numbered(most int) string {
	var out strings.Builder
	for i := 0; out.Len() < most-100; i++ {
		fmt.Fprintf(&out, "BEGIN:VEVENT\nUID:%d\nDTSTART:20260101T000000Z\nEND:VEVENT\n", i)
	}
	return out.String()
}
