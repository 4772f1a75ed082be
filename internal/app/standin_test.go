package app_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"almanac/graph/model"
	"almanac/internal/app"
	"almanac/web/browsertest"
)

// agenda is what a person sees of a calendar.
type agenda struct {
	Events struct {
		TotalCount int
		Nodes      []struct {
			ID, Summary, WhenFormatted string
			Account, RecurringEventID  *string // no account: an own calendar
			Start                      struct{ DateTime, Date *string }
		}
	}
}

const askAgenda = `query ($from: DateTime, $to: DateTime) { events(filter: { timeMin: $from, timeMax: $to }, first: 100) { totalCount nodes { id account summary whenFormatted recurringEventId start { dateTime date } } } }`

// agendaOf asks for what stands between a week ago and four weeks from now, as a set of what tells occurrences apart.
func (p *process) agendaOf() (agenda, map[string]int) {
	p.t.Helper()
	var a agenda
	now := time.Now().UTC().Truncate(24 * time.Hour)
	p.mustAsk(askAgenda, map[string]any{"from": now.AddDate(0, 0, -7).Format(time.RFC3339),
		"to": now.AddDate(0, 0, 28).Format(time.RFC3339)}, &a)
	seen := map[string]int{}
	for _, e := range a.Events.Nodes {
		at := e.Start.DateTime
		if at == nil {
			at = e.Start.Date
		}
		seen[e.Summary+" "+*at]++
	}
	return a, seen
}

// What "make run" promises of the calendar: a living one at the first start, in both languages, which answers every
// query; nothing is lost or laid twice at the next start, however the last one ended; and what was deleted stays away.
func TestSampleCalendar(t *testing.T) { //nolint:tparallel // its parts look at one server, one after another
	t.Parallel()
	flags := []string{"--data-dir=" + t.TempDir(), "--demo", "--time-zone=Asia/Jerusalem"}
	p := start(t, flags...)
	if !strings.Contains(p.greeting, "calendars in the database, and a stand-in for Google\n") {
		t.Errorf("the greeting does not say it:\n%s", p.greeting)
	}
	if c := p.connections(); len(c) != 1 || c[0].Status != "CONNECTED" || !c[0].StandIn ||
		*c[0].Account != app.StandInAccount || len(c[0].MissingScopes) > 0 {
		t.Errorf("viewer.connections says %+v", c)
	}
	first, seen := p.agendaOf()
	all := fmt.Sprint(first)
	if first.Events.TotalCount < 20 || !strings.ContainsAny(all, "אבגדה") || !strings.Contains(all, "Team meeting") {
		t.Errorf("the sample is %v", all)
	}
	for what, times := range seen {
		if times > 1 {
			t.Errorf("%s stands there %d times", what, times)
		}
	}
	t.Run("every query answers", func(t *testing.T) { everyEventQuery(t, p.in(t), first) })
	// What is kept is not asked for again; how much else is, depends on when it is.
	for _, operation := range []string{"calendar.events.list", "calendar.calendarList.list"} {
		if p.metric(`almanac_google_attempts_total{operation="`+operation+`",result="ok"}`) == "" {
			t.Errorf("/metrics does not count %s", operation)
		}
	}

	// A kill right after an answer loses nothing of what it said.
	made := p.mustCreate("written by the user, של המשתמש", "06:00", "Idempotency-Key", "mine")
	single := ""
	for _, e := range first.Events.Nodes {
		if e.RecurringEventID == nil {
			single = e.ID
		}
	}
	r, a := p.post(`mutation ($id: ID!) { deleteEvent(input: { id: $id }) { deleted } }`, map[string]any{"id": single})
	if len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"deleted":1`) {
		t.Fatalf("%s", r.body)
	}
	p.kill()
	p = start(t, flags...)
	if again := p.mustCreate("written by the user, של המשתמש", "06:00", "Idempotency-Key", "mine"); again != made {
		t.Errorf("the event was %s and is %s", made, again)
	}
	second, _ := p.agendaOf()
	if second.Events.TotalCount != first.Events.TotalCount || strings.Contains(fmt.Sprint(second), single) ||
		!strings.Contains(fmt.Sprint(second), made) {
		t.Errorf("after a kill there are %d events, want %d: one more, one less", second.Events.TotalCount,
			first.Events.TotalCount)
	}

	var gone struct{ DeleteEventsInWindow struct{ Deleted int } }
	now := time.Now().UTC().Truncate(24 * time.Hour)
	p.mustAsk(
		`mutation ($from: DateTime!, $to: DateTime!, $expect: Int!) {
			deleteEventsInWindow(input: { timeMin: $from, timeMax: $to, expect: $expect }) {
				deleted errors { message } userErrors { message } } }`,
		map[string]any{"from": now.AddDate(0, 0, -7).Format(time.RFC3339), "to": now.AddDate(0, 0, 28).Format(time.RFC3339),
			"expect": second.Events.TotalCount}, &gone)
	if gone.DeleteEventsInWindow.Deleted != second.Events.TotalCount {
		t.Errorf("%d of %d deleted", gone.DeleteEventsInWindow.Deleted, second.Events.TotalCount)
	}
	if err := p.term(); err != nil {
		t.Fatal(err)
	}
	p = start(t, flags...)
	if third, _ := p.agendaOf(); third.Events.TotalCount != 0 {
		t.Errorf("what was deleted is back: %v", third)
	}
}

// everyEventQuery asks everything that can be asked of events, and looks whether the answer means something.
func everyEventQuery(t *testing.T, p *process, known agenda) {
	t.Helper()
	series, single := "", ""
	for _, e := range known.Events.Nodes {
		switch {
		case e.Account == nil:
		case e.RecurringEventID != nil:
			series = *e.RecurringEventID
		default:
			single = e.ID
		}
	}
	for query, want := range map[string]string{
		`{ events(filter: { search: "Dana" }) { nodes { summary attendees { email responseStatus } } } }`:                              `Dana`,
		`{ events(filter: { summary: "פגישה" }) { nodes { summary whenFormatted(locale: "he") itemContext { isTomorrowOrLater } } } }`: `פגישה`,
		`{ events(filter: { excludeSummaries: ["Stand"] }, first: 1) { nodes { summary } pageInfo { hasNextPage endCursor } } }`:       `"hasNextPage":true`,
		`{ event(id: "` + single +
			`") { id htmlLink version status eventType reminders { useDefault } } }`: `"id":"` + single + `"`,
		`{ event(id: "` + series +
			`") { recurrence recurrenceFormatted(locale: "he") itemContext { isRecurringSeries } instances(first: 2) { nodes { id } } } }`: `RRULE`,
		`{ eventInstances(id: "` + series +
			`", first: 2) { nodes { recurringEventId originalStart { dateTime date } } } }`: series,
		`{ eventConflicts { conflicts { event1 { summary } event2 { summary } } } }`: `Team meeting`, // others overlap at some hours only
		`{ freeBusy { __typename } }`: `FreeBusy`,
		`{ calendars { sourceId primary writable timeZone defaultReminders { minutes } } }`: `"primary":true`,
		`{ nodes(ids: ["` + single + `"]) { __typename } }`:                                 `"Event"`,
	} {
		r, a := p.post(query, nil)
		if len(a.Errors) > 0 || !strings.Contains(string(a.Data), want) {
			t.Errorf("%s: %d %s", query, r.status, r.body)
		}
	}
	candidate := `query ($s: DateTime!, $e: DateTime!) { eventConflicts(candidate: { start: $s, end: $e }) { count isFree } }`
	if r, a := p.post(candidate, map[string]any{"s": "2031-01-01T01:00:00Z",
		"e": "2031-01-01T02:00:00Z"}); !strings.Contains(string(a.Data), `"count":0,"isFree":true`) {
		t.Errorf("a slot far away: %s", r.body)
	}
}

// Without the sample there is an empty calendar that works, and the sample comes when it is asked for, unless the
// calendar is in use.
func TestEmptyCalendar(t *testing.T) {
	t.Parallel()
	for _, used := range []bool{false, true} {
		t.Run(fmt.Sprint("used ", used), func(t *testing.T) {
			t.Parallel()
			folder := "--data-dir=" + t.TempDir()
			p := start(t, folder)
			if empty, _ := p.agendaOf(); empty.Events.TotalCount != 0 {
				t.Errorf("there is %v", empty)
			}
			if c := p.connections(); len(c) != 1 || c[0].Status != "CONNECTED" || !c[0].StandIn {
				t.Errorf("viewer.connections says %+v", c)
			}
			want := 20
			if used {
				p.mustCreate("the only one", "10:00")
				want = 1
			}
			p.kill()
			p = start(t, folder, "--demo")
			if later, _ := p.agendaOf(); later.Events.TotalCount < want || used && later.Events.TotalCount > want {
				t.Errorf("with the sample there are %d events", later.Events.TotalCount)
			}
		})
	}
}

// A sample that was laid halfway is finished by the next start, and nothing of it stands there twice.
func TestSampleIsFinished(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := start(t, "--data-dir="+folder, "--demo")
	_, whole := p.agendaOf()
	p.kill()
	conn, err := sqlite.OpenConn(filepath.Join(folder, app.StandInFileName), sqlite.OpenReadWrite|sqlite.OpenWAL)
	if err != nil {
		t.Fatal(err)
	}
	err = sqlitex.ExecuteTransient(conn, `UPDATE standin SET sample = 'begun'`, nil)
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	p = start(t, "--data-dir="+folder, "--demo")
	if _, again := p.agendaOf(); !maps.Equal(again, whole) {
		t.Errorf("there were %d and are %d: %v", len(whole), len(again), again)
	}
}

// A file of the stand-in that cannot be read is put aside; the server starts, and the demo account works.
func TestUnreadableStandIn(t *testing.T) {
	t.Parallel()
	for name, content := range map[string][]byte{"garbage": []byte(strings.Repeat("this is no database. ", 500)),
		"empty": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			start(t, "--data-dir="+folder).kill()
			for _, file := range mustGlob(t, folder, app.StandInFileName+"*") {
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(folder, app.StandInFileName), content, 0o600); err != nil {
				t.Fatal(err)
			}
			p := start(t, "--data-dir="+folder)
			p.mustCreate("works", "10:00")
			aside := mustGlob(t, folder, "*.broken")
			if want := min(len(content), 1); len(aside) != want {
				t.Errorf("put aside are %v: %s", aside, p.log)
			}
			if err := p.term(); err != nil || strings.Contains(p.log.String(), "starts empty") != (len(content) > 0) {
				t.Errorf("%v, and the log says %s", err, p.log)
			}
		})
	}
}

func mustGlob(t *testing.T, folder, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Servers on one data folder, or on one database, have a demo account that works in each of them. On one folder they
// see one calendar.
func TestServersShareTheStandIn(t *testing.T) {
	t.Parallel()
	twoServers(t, func(t *testing.T, one, other *process) {
		servers := []*process{one, other}
		const each = 10
		var group sync.WaitGroup
		for i, p := range servers {
			group.Go(func() {
				for n := range each {
					if r, a := p.post(createEvent, tomorrowAt(fmt.Sprintf("server %d, event %d", i, n),
						fmt.Sprintf("%02d:%02d", n, 30*i))); madeEvent(a.Data) == "" || len(a.Errors) > 0 {
						t.Errorf("server %d, event %d: %s", i, n, r.body)
					}
				}
			})
		}
		group.Wait()
		shared := strings.Contains(strings.Join(one.command.Args, " "), "--data-dir=")
		want := each
		if shared {
			want = len(servers) * each
		} else if !strings.Contains(one.greeting, "in memory; --data-dir keeps it") {
			t.Errorf("the greeting does not say that the calendar is in memory:\n%s", one.greeting)
		}
		for i, p := range servers {
			if seen, _ := p.agendaOf(); seen.Events.TotalCount != want {
				t.Errorf("server %d sees %d events, want %d", i, seen.Events.TotalCount, want)
			}
			if c := p.connections(); len(c) != 1 || c[0].Status != "CONNECTED" {
				t.Errorf("server %d says %+v", i, c)
			}
		}
		log := one.eventChanges()
		if len(log) != len(servers)*each {
			t.Errorf("%d changes are told, want %d", len(log), len(servers)*each)
		}
		one.kill()
		again := start(t, one.command.Args[4:]...)
		if r, a := again.post(askTitles, nil); len(a.Errors) > 0 {
			t.Errorf("after a new start: %s", r.body)
		}
		if r, a := other.post(askTitles, nil); len(a.Errors) > 0 {
			t.Errorf("the other after a new start: %s", r.body)
		}
	})
}

// A client that sends one request ten times at once under one key makes one event, and gets one answer, which says that
// it is one it had.
func TestEventKeyAtOnce(t *testing.T) {
	t.Parallel()
	twoServers(t, func(t *testing.T, one, other *process) {
		const retries = 10
		replies := make([]reply, retries)
		var group sync.WaitGroup
		for i := range retries {
			p := one
			if strings.Contains(strings.Join(one.command.Args, " "), "--data-dir=") {
				p = []*process{one, other}[i%2]
			}
			group.Go(func() {
				replies[i], _ = p.post(createEvent, tomorrowAt("once", "10:00"), "Idempotency-Key", "ten-at-once")
			})
		}
		group.Wait()
		answers, replayed := map[string]int{}, 0
		for _, r := range replies {
			answers[string(r.body)]++
			if r.header.Get("Idempotency-Replayed") == "true" {
				replayed++
			}
		}
		if len(answers) != 1 || replayed != retries-1 {
			t.Errorf("%d answers, %d of %d are replays: %v", len(answers), replayed, retries, answers)
		}
		if seen, _ := one.agendaOf(); seen.Events.TotalCount != 1 {
			t.Errorf("there are %d events", seen.Events.TotalCount)
		}
		if r, a := one.post(createEvent, tomorrowAt("another", "10:00"), "Idempotency-Key",
			"ten-at-once"); a.code() != string(model.CodeIdempotencyConflict) {
			t.Errorf("another request under a used key: %s", r.body)
		}
	})
}

// The questions that changing and deleting events ask, answered as a client does.
func TestEventQuestions(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir(), "--demo", "--time-zone=Asia/Jerusalem")
	type question struct {
		Kind, Token string
		Candidates  []struct{ ID, Label string }
	}
	type payload map[string]struct {
		Deleted           int
		Event             *struct{ ID, Summary string }
		IsRecurringSeries bool
		Confirmation      *question
		UserErrors        []struct{ Code, Message string }
	}
	ask := func(name, kind, fields string, input map[string]any) (out payload) {
		t.Helper()
		p.mustAsk(`mutation ($input: `+kind+`!) { `+name+`(input: $input) { `+fields+
			` isRecurringSeries confirmation { kind token candidates { id: key label } } userErrors { code message } } }`,
			map[string]any{"input": input}, &out)
		return out
	}
	_, before := p.agendaOf()

	// A title that belongs to a series asks which occurrences are meant.
	input := map[string]any{"summary": "training"}
	asked := ask("deleteEventsBySummary", "DeleteEventsBySummaryInput", "deleted", input)["deleteEventsBySummary"]
	if asked.Confirmation == nil || asked.Deleted != 0 {
		t.Fatalf("it does not ask: %+v", asked)
	}
	if _, now := p.agendaOf(); !maps.Equal(now, before) {
		t.Error("asking has changed something")
	}
	for round := 0; asked.Confirmation != nil; round++ {
		if round > 2 {
			t.Fatalf("it keeps asking: %+v", asked.Confirmation)
		}
		choose := asked.Confirmation.Candidates[len(asked.Confirmation.Candidates)-1].ID
		input["confirm"] = map[string]any{"token": asked.Confirmation.Token, "choose": []string{choose}}
		asked = ask("deleteEventsBySummary", "DeleteEventsBySummaryInput", "deleted", input)["deleteEventsBySummary"]
	}
	if asked.Deleted == 0 || len(asked.UserErrors) > 0 {
		t.Errorf("the answer was not taken: %+v", asked)
	}
	again := ask("deleteEventsBySummary", "DeleteEventsBySummaryInput", "deleted", input)["deleteEventsBySummary"]
	if again.Deleted != 0 || len(again.UserErrors) != 1 ||
		again.UserErrors[0].Code != string(model.CodeConfirmationInvalid) {
		t.Errorf("the answer once more: %+v", again)
	}

	// A series that is named asks too; THIS changes one occurrence.
	change := map[string]any{"target": map[string]any{"match": map[string]any{"summary": "Stand-up"}},
		"set": map[string]any{"location": "חדר 4"}}
	moved := ask("updateEvent", "UpdateEventInput", "event { id summary }", change)["updateEvent"]
	if moved.Confirmation == nil || moved.Confirmation.Kind != "RECURRING_SCOPE" || moved.Event != nil {
		t.Fatalf("it does not ask: %+v", moved)
	}
	change["confirm"] = map[string]any{"token": moved.Confirmation.Token, "choose": []string{"THIS"}}
	moved = ask("updateEvent", "UpdateEventInput", "event { id summary }", change)["updateEvent"]
	if moved.Event == nil || moved.IsRecurringSeries {
		t.Fatalf("the answer was not taken: %+v", moved)
	}
	var found struct {
		Events struct{ Nodes []struct{ Location *string } }
	}
	p.mustAsk(`{ events(filter: { summary: "Stand-up" }) { nodes { location } } }`, nil, &found)
	changed := 0
	for _, e := range found.Events.Nodes {
		if e.Location != nil && *e.Location == "חדר 4" {
			changed++
		}
	}
	if changed != 1 || len(found.Events.Nodes) < 10 {
		t.Errorf("%d of %d occurrences are changed", changed, len(found.Events.Nodes))
	}

	dentist := ask("deleteEvent", "DeleteEventInput", "deleted event { id summary }",
		map[string]any{"target": map[string]any{"match": map[string]any{"summary": "dentist"}}})["deleteEvent"]
	if dentist.Deleted != 1 || dentist.Event == nil || dentist.Event.Summary != "Dentist" || dentist.Confirmation != nil {
		t.Errorf("the dentist: %+v", dentist)
	}
}

// Nobody but their owner can read the stand-in's files, and no token is in them.
func TestStandInKeepsNoSecrets(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := start(t, "--data-dir="+folder, "--demo", "--log-level=debug")
	p.mustCreate("secretivetitle", "10:00")
	p.kill()
	kept := everything(t, "sqlite", []string{"--data-dir=" + folder})
	if !strings.Contains(kept, "secretivetitle") || !strings.Contains(kept, app.StandInAccount) {
		t.Error("the files were not looked at")
	}
	for _, pattern := range []string{`ya29\.[\w-]+`, `1//[\w-]+`, `4/0A[\w-]+`} {
		if found := regexp.MustCompile(pattern).FindString(kept + p.log.String()); found != "" {
			t.Errorf("%s is kept or logged", found)
		}
	}
	if strings.Contains(p.log.String(), "secretive") || strings.Contains(p.log.String(), app.StandInAccount) ||
		!strings.Contains(p.log.String(), "called Google") {
		t.Error("the log tells what was written, or was not looked at")
	}
	for _, file := range mustGlob(t, folder, "*") {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", file, info.Mode(), err)
		}
	}
}

// The demo account that somebody has unlinked stays so over new starts, and can be linked again in a browser, in both
// languages.
func TestDemoAccountIsLinkedAgain(t *testing.T) {
	t.Parallel()
	flags := []string{"--data-dir=" + t.TempDir(), "--demo"}
	p := start(t, flags...)
	before, _ := p.agendaOf()
	var gone struct {
		Disconnect struct {
			Disconnected int
			Connections  []linked
		}
	}
	p.mustAsk(
		`mutation { disconnect(input: { provider: GOOGLE }) { disconnected connections { provider status connectUrl } userErrors { message } } }`, nil, &gone)
	if d := gone.Disconnect; d.Disconnected != 1 || len(d.Connections) != 2 || d.Connections[0].Provider != "GOOGLE" ||
		d.Connections[0].Status != "NOT_CONNECTED" || d.Connections[0].ConnectURL == nil {
		t.Fatalf("%+v", d)
	}
	for range 2 {
		p.kill()
		p = start(t, flags...)
		if c := p.connections(); len(c) != 1 || c[0].Status != "NOT_CONNECTED" || c[0].ConnectURL == nil {
			t.Fatalf("after a new start there is %+v", c)
		}
		if r, a := p.post(`{ events(filter: { account: "`+app.StandInAccount+`" }) { nodes { id } } tasks { totalCount } }`,
			nil); a.code() != string(model.CodeNotConnected) || !strings.Contains(string(a.Data), `"tasks":{`) {
			t.Errorf("%s", r.body)
		}
	}
	browsertest.RunConsentSuite(t, func() string { return *p.connections()[0].ConnectURL }, app.StandInAccount,
		func(t *testing.T) {
			t.Helper()
			p := p.in(t)
			if c := p.connections(); len(c) != 1 || c[0].Status != "CONNECTED" || !c[0].StandIn || len(c[0].MissingScopes) > 0 {
				t.Errorf("viewer.connections says %+v", c)
			}
			if again, _ := p.agendaOf(); again.Events.TotalCount != before.Events.TotalCount {
				t.Errorf("there were %d events and are %d", before.Events.TotalCount, again.Events.TotalCount)
			}
		})
	p.kill()
	p = start(t, flags...)
	if c := p.connections(); len(c) != 1 || c[0].Status != "CONNECTED" {
		t.Errorf("after a new start there is %+v", c)
	}
}
