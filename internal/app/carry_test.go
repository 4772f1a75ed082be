package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// questions are asked before and after data was carried into another database. What tells how long ago something was
// is left out, as is what stands in linked accounts.
var questions = []string{
	`{ viewer { settings { timeZone locale weekStart } } }`,
	`{ tasks(filter: { completed: null }, first: 100, orderBy: { field: CREATED_AT }) { totalCount edges { node {
		id text category dueDate reminder nextReminderAt nudgeCount completed completedAt createdAt updatedAt version
		recurrence { type time days dayOfMonth interval } subtasks { id text completed }
		completions { completedAt occurrence } itemContext { isRecurring } } } } }`,
	`{ tasks(filter: { completed: true }) { totalCount } }`,
	`{ lists(first: 50) { totalCount nodes { id name isChecklist createdAt updatedAt
		items { id text checked addedAt } } } }`,
	`{ memories(first: 50) { totalCount nodes { id type content summary tags metadata createdAt updatedAt expiresAt version
		history(first: 20) { version type content summary tags metadata writtenAt replacedAt reason } } } }`,
	`{ events(filter: { timeMin: "2020-01-01T00:00:00Z", timeMax: "2020-02-01T00:00:00Z", calendarIds: %s }, first: 50) {
		nodes { id calendarId recurringEventId summary description location start { dateTime date timeZone }
			end { dateTime date timeZone } attendees { email responseStatus } recurrence status version
			itemContext { isRecurring isRecurringSeries isPast } } } }`,
	`{ knowledge {
		nodes(first: 100) { totalCount nodes { id name type summary aliases attributes createdAt updatedAt version } }
		facts(first: 100, includeInvalidated: true) { totalCount nodes { id relation fact validAt invalidAt createdAt
			expiredAt confidence attributes replacedBy episodeIds source { id name } target { id name } } }
		episodes(first: 100) { totalCount nodes { id name content sourceType sourceDescription referenceTime createdAt
			extraction problem } } } }`,
}

// carried is a server with something of every kind that an export has, and what it answers to the questions.
func carried(t *testing.T, flags []string) (calendars string, answers [][]byte) {
	t.Helper()
	p := start(t, append(flags, "--demo", "--feeds-allow-private")...)
	p.mustAsk(`mutation { updateSettings(input: { timeZone: "America/New_York", weekStart: MONDAY, locale: "he" }) {
		userErrors { code } } }`, nil, &struct{}{})
	p.mustAsk(`mutation { createTask(input: { text: "steps <&> \u2028 שורה", subtasks: ["one", "two"],
		dueDate: "2100-01-01T10:00:00Z", reminder: "P1DT2H" }) { task { id } userErrors { message } } }`, nil, &struct{}{})
	var found struct {
		SearchMemories struct{ Nodes []struct{ ID string } }
	}
	p.mustAsk(`{ searchMemories(query: "wifi password", first: 1) { nodes { id } } }`, nil, &found)
	p.mustAsk(`mutation ($id: ID!) { updateMemory(input: { id: $id, set: { content: "blackbird-43" } }) {
		memory { id } } }`, map[string]any{"id": found.SearchMemories.Nodes[0].ID}, &struct{}{})
	p.mustAsk(`mutation { addEpisode(input: { name: "note", content: "Dana moved to Haifa" }) { userErrors { message } } }`,
		nil, &struct{}{})
	keepEvents(t, p)
	calendars = ownCalendars(p)
	answers = askAll(t, p, calendars)
	if err := p.term(); err != nil {
		t.Fatal(err)
	}
	return calendars, answers
}

// ownCalendars are the ids of own calendars, as an argument.
func ownCalendars(p *process) string {
	var all struct {
		Calendars []struct{ ID, Source string }
	}
	p.mustAsk(`{ calendars { id source } }`, nil, &all)
	var ids []string
	for _, calendar := range all.Calendars {
		if calendar.Source == "OWN" {
			ids = append(ids, calendar.ID)
		}
	}
	return strings.ReplaceAll(fmt.Sprintf("%q", ids), " ", ", ")
}

func askAll(t *testing.T, p *process, calendars string) (answers [][]byte) {
	t.Helper()
	for _, question := range questions {
		if strings.Contains(question, "%s") {
			question = fmt.Sprintf(question, calendars)
		}
		r, a := p.post(question, nil)
		if a.code() != "" || len(a.Data) < 20 {
			t.Fatalf("%s\n%s", question, r.body)
		}
		answers = append(answers, a.Data)
	}
	return answers
}

// comparable is an export without what is documented not to be carried: what was done, whether accounts are linked,
// at what addresses calendars are published, calendars of others, and the count of lines.
func comparable(export string) string {
	published := regexp.MustCompile(`,"published":\[[^]]*\]`)
	var out strings.Builder
	for line := range strings.Lines(export) {
		switch {
		case strings.HasPrefix(line, `{"kind":"action"`), strings.HasPrefix(line, `{"kind":"end"`),
			strings.Contains(line, `"source":"FEED"`):
			continue
		case strings.HasPrefix(line, `{"kind":"connection"`):
			line = strings.Replace(line, `"CONNECTED"`, `"EXPIRED"`, 1)
		case strings.HasPrefix(line, `{"kind":"calendar"`):
			line = published.ReplaceAllString(line, "")
		}
		out.WriteString(line)
	}
	return out.String()
}

func writeFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "almanac.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Everything a user has is carried from one kind of database into the other and back, with ids, times, versions and
// order; the answers are the same; and doing it again changes nothing.
func TestEverythingIsCarriedBetweenDatabases(t *testing.T) {
	t.Parallel()
	for from, to := range map[string]string{"sqlite": "postgres", "postgres": "sqlite"} {
		t.Run(from+" to "+to, func(t *testing.T) {
			t.Parallel()
			source, target, back := databases(t)[from], databases(t)[to], databases(t)[from]
			calendars, before := carried(t, source)
			exported := mustRun(t, append([]string{"export"}, source...)...)
			for _, kind := range []string{"user", "task", "list", "memory", "calendar", "event", "entity", "fact", "episode",
				"connection", "action", "end"} {
				if !strings.Contains(exported, `{"kind":"`+kind+`"`) {
					t.Fatalf("the export has no %s", kind)
				}
			}
			for _, part := range []string{`"subtasks":[`, `"completions":[`, `"recurrence":`, `"history":[`, `"mentions":[`,
				`"DROPPED"`, `"CHANGED"`, `"published":[`, `"FEED"`} {
				if !strings.Contains(exported, part) {
					t.Errorf("the export has no %s, so nothing shows that it is carried", part)
				}
			}
			file := writeFile(t, exported)
			for i, flags := range [][]string{target, back} {
				mustRun(t, append([]string{"migrate"}, flags...)...)
				out := mustRun(t, append([]string{"import", file}, flags...)...)
				said := []string{"settings: taken over", "link again: "}
				if i == 0 { // what the first import leaves out is not there to be left out again
					said = append(said, "actions", "publish it again")
				}
				for _, want := range said {
					if !strings.Contains(out, want) {
						t.Errorf("import does not say %q:\n%s", want, out)
					}
				}
				again := mustRun(t, append([]string{"import", file}, flags...)...)
				if found := regexp.MustCompile(`[1-9]\d* (added|changed)|taken over|link again`).FindString(again); found != "" {
					t.Errorf("the second import says %q:\n%s", found, again)
				}
				got := mustRun(t, append([]string{"export"}, flags...)...)
				sameLines(t, comparable(got), comparable(exported))
				if !regexp.MustCompile(`"kind":"connection".*"EXPIRED"`).MatchString(got) {
					t.Error("an account that has to be linked again is not EXPIRED")
				}
				file = writeFile(t, got)
			}
			p := start(t, target...)
			if got := ownCalendars(p); got != calendars {
				t.Errorf("own calendars are %s, and were %s", got, calendars)
			}
			for i, got := range askAll(t, p, calendars) {
				if !bytes.Equal(got, before[i]) {
					t.Errorf("%s\nbefore\n%s\nafter\n%s", questions[i], before[i], got)
				}
			}
			changesGoOn(t, p, calendars)
		})
	}
}

// changesGoOn: what was carried can be changed, and its version becomes another one.
func changesGoOn(t *testing.T, p *process, calendars string) {
	t.Helper()
	var changed struct {
		UpdateEvent struct {
			Event      struct{ Version, Location string }
			UserErrors []struct{ Message string }
		}
	}
	var event struct {
		Events struct {
			Nodes []struct{ ID, Version string }
		}
	}
	p.mustAsk(fmt.Sprintf(`{ events(filter: { timeMin: "2020-01-01T00:00:00Z", timeMax: "2020-01-04T00:00:00Z",
		calendarIds: %s }) { nodes { id version } } }`, calendars), nil, &event)
	p.mustAsk(`mutation ($id: ID!) { updateEvent(input: { target: { id: $id }, set: { location: "Lyon" } }) {
		event { version location } userErrors { message } } }`, map[string]any{"id": event.Events.Nodes[0].ID}, &changed)
	if got := changed.UpdateEvent; got.Event.Location != "Lyon" || got.Event.Version == event.Events.Nodes[0].Version {
		t.Errorf("the event was changed to %+v", got)
	}
}

func sameLines(t *testing.T, got, want string) {
	t.Helper()
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	if len(a) != len(b) {
		t.Errorf("%d lines, not %d", len(a), len(b))
	}
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Errorf("line %d\n%s\nnot\n%s", i+1, a[i], b[i])
		}
	}
}

// A file that cannot be taken in whole is not taken in at all, and every wrong line of it is named.
func TestImportsThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mustRun(t, append([]string{"migrate"}, flags...)...)
			mustRun(t, append([]string{"seed"}, flags...)...)
			exported := mustRun(t, append([]string{"export"}, flags...)...)
			lines := slices.Collect(strings.Lines(exported))
			at := func(kind string) int {
				return slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, `{"kind":"`+kind+`"`) })
			}
			with := func(i int, line string) string {
				changed := slices.Clone(lines)
				changed[i] = line + "\n"
				return strings.Join(changed, "")
			}
			task, fact := at("task"), at("fact")
			last := len(lines) - 1
			for text, want := range map[string]string{
				with(task, `{"kind":"task","data":{}}`):                                                       fmt.Sprintf("line %d: id", task+1),
				with(task, strings.Replace(lines[task], `"text":"`, `"text":"`+strings.Repeat("x", 3000), 1)): "characters",
				with(task, strings.Replace(lines[task], `"text":`, `"words":`, 1)):                            "unknown field",
				with(task, `not json`):                                             fmt.Sprintf("line %d: not a JSON", task+1),
				with(task, `{"kind":"dream","data":{}}`):                           `no records of the kind "dream"`,
				with(0, strings.Replace(lines[0], `"format":1`, `"format":2`, 1)):  "another format",
				strings.Join(lines[1:], ""):                                        "begins with the line of its user",
				strings.Join(lines[:last], ""):                                     "ends in the middle",
				strings.Join(slices.Delete(slices.Clone(lines), fact, fact+1), ""): "lines before this one",
				exported + lines[task]:                                             "more after the last line",
			} {
				s := runCommand(t, nil, append([]string{"import", writeFile(t, text), "--user", "nobody"}, flags...)...)
				if s.code != 1 || s.out != "" || !strings.Contains(s.err, want) {
					t.Errorf("%q is not said: %+v", want, s)
				}
			}
			if list := mustRun(t, append([]string{"user", "list"}, flags...)...); strings.Contains(list, "nobody") {
				t.Errorf("a refused import has made a user:\n%s", list)
			}
			// Under another user ids are the same, each in its own user's data; the first one's stay as they are.
			out := mustRun(t, append([]string{"import", writeFile(t, exported), "--user", "alice"}, flags...)...)
			if !strings.Contains(out, "tasks: ") || strings.Contains(out, "tasks: 0 added") {
				t.Errorf("alice: %s", out)
			}
			hers := strings.SplitAfterN(mustRun(t, append([]string{"export", "--user", "alice"}, flags...)...), "\n", 2)
			sameLines(t, hers[1], strings.Join(lines[1:], ""))
			if again := mustRun(t, append([]string{"export"}, flags...)...); again != exported {
				t.Error("the import for alice has changed somebody else's data")
			}
			listsOfOneName(t, flags, lines[at("list")], lines[0])
		})
	}
}

// listsOfOneName: a list whose name another one has is taken in under another name, once.
func listsOfOneName(t *testing.T, flags []string, list, user string) {
	t.Helper()
	var line struct {
		Data struct{ ID, Name string }
	}
	if err := json.Unmarshal([]byte(list), &line); err != nil {
		t.Fatal(err)
	}
	list = regexp.MustCompile(`"items":\[[^]]*\]`).ReplaceAllString(list, `"items":[]`)
	list = strings.Replace(list, line.Data.ID, line.Data.ID[:len(line.Data.ID)-3]+"000", 1)
	file := writeFile(t, user+list+`{"kind":"end","data":{"lines":2}}`)
	for _, want := range []string{"lists: 1 added", "lists: 0 added, 1 there already"} {
		if out := mustRun(t, append([]string{"import", file, "--user", "alice"}, flags...)...); !strings.Contains(out, want) {
			t.Errorf("%q is not said: %s", want, out)
		}
	}
	if out := mustRun(t, append([]string{"export", "--user", "alice"}, flags...)...); !strings.Contains(out,
		line.Data.Name+" (2)") {
		t.Errorf("there is no list %s (2)", line.Data.Name)
	}
}
