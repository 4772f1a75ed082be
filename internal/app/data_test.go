package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/cli"
	"almanac/internal/demo"
)

// board is what a person sees of the sample.
type board struct {
	Tasks struct {
		TotalCount  int
		Categorized struct {
			Counts                                         map[string]int
			Overdue, Today, Upcoming, Recurring, NoDueDate []struct{ ID, Text string }
		}
	}
	Lists struct {
		Nodes []struct {
			ID, Name string
			Items    []struct{ Text string }
		}
	}
}

const askBoard = `{
	tasks { totalCount categorized {
		counts { overdue today upcoming recurring noDueDate }
		overdue { id text } today { id text } upcoming { id text } recurring { id text } noDueDate { id text } } }
	lists { nodes { id name items { text } } }
}`

// What "make run" promises: a living board at the first start, nothing lost and nothing laid twice at the next one, and
// what was deleted stays away.
func TestDemoIsLaidOnce(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags = append(flags, "--demo")
			p := start(t, flags...)
			for _, want := range []string{"Almanac " + cli.Version(""), "your day  " + p.address + "/\n",
				"explorer  " + p.address + "/explorer/\n", "endpoint  " + p.address + "/graphql\n"} {
				if !strings.Contains(p.greeting, want) {
					t.Errorf("the greeting has no %q:\n%s", want, p.greeting)
				}
			}
			if strings.Contains(p.greeting, "@") {
				t.Errorf("the greeting has the database's password:\n%s", p.greeting)
			}
			if page := p.mustSend("GET", "/", nil); page.status != 200 ||
				!strings.Contains(string(page.body), "<title>Almanac</title>") {
				t.Errorf("the home page is not there: %d %.200s", page.status, page.body)
			}
			var first, second, third board
			p.mustAsk(askBoard, nil, &first)
			for _, bucket := range []string{"overdue", "upcoming", "recurring", "noDueDate"} {
				if first.Tasks.Categorized.Counts[bucket] == 0 {
					t.Errorf("nothing is %s", bucket)
				}
			}
			if all := fmt.Sprint(first); !strings.ContainsAny(all, "אבגדה") || len(first.Lists.Nodes) == 0 {
				t.Error("the sample has no Hebrew, or no lists")
			}
			const own = "written by the user, של המשתמש"
			p.mustAsk(createTask, map[string]any{"text": own}, &struct{}{})
			if err := p.term(); err != nil {
				t.Fatal(err)
			}

			p = start(t, flags...)
			p.mustAsk(askBoard, nil, &second)
			if second.Tasks.TotalCount != first.Tasks.TotalCount+1 || len(second.Lists.Nodes) != len(first.Lists.Nodes) ||
				!strings.Contains(fmt.Sprint(second), own) {
				t.Errorf("after a restart there are %d tasks and %d lists; there were %d and one more, and %d",
					second.Tasks.TotalCount, len(second.Lists.Nodes), first.Tasks.TotalCount, len(first.Lists.Nodes))
			}
			var deleted struct{ DeleteTasks struct{ Deleted int } }
			p.mustAsk(`mutation ($ids: [ID!]) { deleteTasks(input: { ids: $ids }) { deleted } }`,
				map[string]any{"ids": slices.Collect(maps.Keys(countTasks(p)))}, &deleted)
			if deleted.DeleteTasks.Deleted != second.Tasks.TotalCount {
				t.Errorf("%d of %d deleted", deleted.DeleteTasks.Deleted, second.Tasks.TotalCount)
			}
			for _, list := range second.Lists.Nodes {
				p.mustAsk(`mutation ($id: ID!) { deleteList(input: { id: $id }) { deleted } }`, map[string]any{"id": list.ID},
					&struct{}{})
			}
			p.kill()

			p = start(t, flags...)
			p.mustAsk(askBoard, nil, &third)
			if third.Tasks.TotalCount != 0 || len(third.Lists.Nodes) != 0 {
				t.Errorf("what was deleted is back: %d tasks, %d lists", third.Tasks.TotalCount, len(third.Lists.Nodes))
			}
		})
	}
}

// Several servers that start at once on a database without a schema migrate it once and lay the sample once.
func TestServersThatStartAtOnce(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var servers []*process
			for range 3 {
				servers = append(servers, spawn(t, nil, append(flags, "--demo")...))
			}
			totals := map[int]bool{}
			for _, p := range servers {
				var b board
				p.await().mustAsk(askBoard, nil, &b)
				totals[b.Tasks.TotalCount] = true
			}
			if len(totals) != 1 || totals[0] {
				t.Errorf("the servers count %v tasks", slices.Collect(maps.Keys(totals)))
			}
			texts := map[string]int{}
			var b board
			servers[0].mustAsk(askBoard, nil, &b)
			in := b.Tasks.Categorized
			for _, bucket := range [][]struct{ ID, Text string }{in.Overdue, in.Today, in.Upcoming, in.Recurring,
				in.NoDueDate} {
				for _, task := range bucket {
					if texts[task.Text]++; texts[task.Text] > 1 {
						t.Errorf("%s was laid twice", task.Text)
					}
				}
			}
			// What one writes the others see, settings included.
			servers[0].mustAsk(`mutation { updateSettings(input: { timeZone: "Pacific/Apia" }) { settings { timeZone } } }`, nil,
				&struct{}{})
			for _, p := range servers {
				eventually(t, "the settings to reach every server", func() bool {
					var data struct {
						Viewer struct{ Settings struct{ TimeZone string } }
					}
					p.mustAsk(`{ viewer { settings { timeZone } } }`, nil, &data)
					return data.Viewer.Settings.TimeZone == "Pacific/Apia"
				})
			}
		})
	}
}

// A database that a newer program has migrated is refused, by the server and by every command, with what to do.
func TestNewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 2 {
				if out := mustRun(t, append([]string{"migrate"}, flags...)...); !strings.HasPrefix(out, "up to date: ") ||
					strings.Contains(out, "@") {
					t.Errorf("migrate says %q", out)
				}
			}
			p := start(t, flags...)
			if name == "sqlite" {
				inSQLite(t, strings.TrimPrefix(flags[0], "--data-dir="),
					`INSERT INTO schema_migrations SELECT max(number) + 1, 'from_the_future', 0 FROM schema_migrations`)
			} else if _, err := dialPostgres(t, strings.TrimPrefix(flags[0], "--database-url=")).Exec(t.Context(),
				`INSERT INTO schema_migrations SELECT max(number) + 1, 'from_the_future', now() FROM schema_migrations`); err != nil {
				t.Fatal(err)
			}
			// A server that runs already says that it cannot serve this database any more.
			if r := p.mustSend("GET", "/readyz", nil); r.status != 503 {
				t.Errorf("/readyz: %d %s", r.status, r.body)
			}
			for _, args := range [][]string{{"serve", "--addr=127.0.0.1:0"}, {"migrate"}, {"export"},
				{"import", "--in=/dev/null"}, {"seed"}, {"token", "list"}} {
				s := runCommand(t, nil, append(args, flags...)...)
				if s.code != 1 || s.out != "" || !strings.Contains(s.err, "is newer than this program") ||
					!strings.Contains(s.err, "restore a backup") {
					t.Errorf("almanac %v: %+v", args, s)
				}
			}
		})
	}
}

// seed lays the sample for a user who has nothing, once.
func TestSeedRefusesTwice(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seed := append([]string{"seed", "--user", "alice"}, flags...)
			mustRun(t, append([]string{"migrate"}, flags...)...)
			mustRun(t, seed...)
			if s := runCommand(t, nil, seed...); s.code != 1 || !strings.Contains(s.err, "alice has data already") {
				t.Errorf("%+v", s)
			}
			if lines := strings.Count(mustRun(t, append([]string{"export", "--user", "alice"}, flags...)...), "\n"); lines < 20 {
				t.Errorf("%d lines are there", lines)
			}
		})
	}
}

// exported is one line of an export.
type exported struct {
	Kind string
	Data map[string]any
}

// An export has everything that the API shows of a user, each thing once, as JSON Lines, and nothing of anybody else.
func TestExportIsComplete(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, append(flags, "--demo", "--feeds-allow-private")...)
			const bulk = 620 // more than one page of the export
			for from := 0; from < bulk; from += 155 {
				var inputs []map[string]any
				for i := range 155 {
					inputs = append(inputs, map[string]any{"text": fmt.Sprintf("bulk %d <&> \"מספר\" \\ \u2028 😀", from+i)})
				}
				p.mustAsk(`mutation ($tasks: [CreateTaskInput!]!) { createTasks(input: { tasks: $tasks }) { created } }`,
					map[string]any{"tasks": inputs}, &struct{}{})
			}
			p.mustAsk(`mutation { createCalendar(input: { summary: "Sport", timeZone: "Europe/Paris",
				defaultReminders: [{ minutes: 10 }] }) { calendar { id } } }`, nil, &struct{}{})
			address := keepEvents(t, p)
			mustRun(t, append([]string{"seed", "--user", "somebody else"}, flags...)...)
			file := filepath.Join(t.TempDir(), "almanac.jsonl")
			mustRun(t, append([]string{"export", "--out", file}, flags...)...)
			text, err := os.ReadFile(file) //nolint:gosec // the test's own file
			if err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("others can read it: %v %v", info.Mode(), err)
			}
			if again := mustRun(t, append([]string{"export"}, flags...)...); again != string(text) {
				t.Error("two exports of the same data differ")
			}
			if _, secret, _ := strings.Cut(address, "/feeds/"); secret == "" ||
				strings.Contains(string(text), strings.TrimSuffix(secret, ".ics")) || strings.Contains(string(text), address) {
				t.Errorf("the export tells the secret of %q", address)
			}
			lines := map[string]exported{}
			kinds := map[string]int{}
			for line := range strings.Lines(string(text)) {
				var e exported
				if err := json.Unmarshal([]byte(line), &e); err != nil {
					t.Fatalf("%v: %s", err, line)
				}
				if e.Kind == "end" {
					continue
				}
				id, _ := e.Data["id"].(string)
				if _, twice := lines[id]; twice || id == "" {
					t.Errorf("%q stands there twice or not at all", id)
				}
				lines[id] = e
				kinds[e.Kind]++
			}
			if kinds["user"] != 1 || !strings.HasPrefix(string(text), `{"kind":"user"`) {
				t.Errorf("it does not begin with its one user: %v", kinds)
			}
			shown := compareTasks(t, p, lines) + compareLists(t, p, lines) + compareMemories(t, p, lines) +
				compareKnowledge(t, p, lines) + compareConnections(t, p, lines) + compareCalendars(t, p, lines)
			shown += compareActions(t, p, lines)
			if shown+1 != len(lines) || shown < bulk+20 {
				t.Errorf("the API shows %d things, the export has %d lines: %v", shown, len(lines), kinds)
			}

			// An export that fails leaves no file that looks like one, and one that exists is not written over.
			empty := filepath.Join(t.TempDir(), "nobody.jsonl")
			if s := runCommand(t, nil,
				append([]string{"export", "--user", "nobody", "--out", empty}, flags...)...); s.code != 1 {
				t.Errorf("%+v", s)
			}
			if _, err := os.Stat(empty); !os.IsNotExist(err) {
				t.Errorf("a failed export leaves a file: %v", err)
			}
			if s := runCommand(t, nil, append([]string{"export", "--out", file}, flags...)...); s.code != 1 ||
				!strings.Contains(s.err, "exists") {
				t.Errorf("%+v", s)
			}
		})
	}
}

// compareTasks holds every task that the API shows to its line and counts them.
func compareTasks(t *testing.T, p *process, lines map[string]exported) int {
	t.Helper()
	const ask = `query ($after: String) { tasks(filter: { completed: null }, first: 100, after: $after) {
		nodes { id text category dueDate reminder nextReminderAt nudgeCount completedAt createdAt updatedAt
			recurrence { type time days dayOfMonth interval }
			subtasks { id text completed } completions { completedAt occurrence } }
		pageInfo { hasNextPage endCursor } } }`
	count := 0
	var after *string
	for {
		var data struct {
			Tasks struct {
				Nodes    []map[string]any
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}
		p.mustAsk(ask, map[string]any{"after": after}, &data)
		for _, task := range data.Tasks.Nodes {
			count++
			line := lines[task["id"].(string)]
			if line.Kind != "task" {
				t.Errorf("%v is not exported", task["text"])
				continue
			}
			if why := covers(line.Data, task); why != "" {
				t.Errorf("%v: %s", task["text"], why)
			}
		}
		if !data.Tasks.PageInfo.HasNextPage {
			return count
		}
		after = data.Tasks.PageInfo.EndCursor
	}
}

func compareLists(t *testing.T, p *process, lines map[string]exported) int {
	t.Helper()
	var data struct {
		Lists struct{ Nodes []map[string]any }
	}
	p.mustAsk(
		`{ lists(first: 100) { nodes { id name isChecklist createdAt updatedAt items { id text checked addedAt } } } }`, nil,
		&data)
	for _, list := range data.Lists.Nodes {
		if why := covers(lines[list["id"].(string)].Data, list); why != "" {
			t.Errorf("%v: %s", list["name"], why)
		}
	}
	return len(data.Lists.Nodes)
}

func compareMemories(t *testing.T, p *process, lines map[string]exported) int {
	t.Helper()
	var data struct {
		Memories struct{ Nodes []map[string]any }
	}
	p.mustAsk(
		`{ memories(first: 50) { nodes { id type content summary tags metadata createdAt updatedAt expiresAt version overridden: itemContext { isOverride }
		history(first: 5) { version type content summary tags metadata expiresAt writtenAt replacedAt reason } } } }`, nil, &data)
	for _, memory := range data.Memories.Nodes {
		context, _ := memory["overridden"].(map[string]any)
		memory["overridden"] = context["isOverride"]
		line := lines[memory["id"].(string)]
		if line.Kind != "memory" {
			t.Errorf("%v is not exported", memory["content"])
			continue
		}
		if why := covers(line.Data, memory); why != "" {
			t.Errorf("%v: %s", memory["content"], why)
		}
	}
	return len(data.Memories.Nodes)
}

func compareKnowledge(t *testing.T, p *process, lines map[string]exported) int {
	t.Helper()
	type nodes struct{ Nodes []map[string]any }
	var data struct {
		Knowledge struct{ Nodes, Facts, Episodes nodes }
	}
	p.mustAsk(`{ knowledge {
		nodes(first: 100) { nodes { id name type summary aliases attributes createdAt updatedAt version } }
		facts(first: 100, includeInvalidated: true) { nodes {
			id relation fact validAt invalidAt createdAt expiredAt confidence attributes replacedBy
			episodes: episodeIds source { id } target { id } } }
		episodes(first: 100) { nodes { id name content source: sourceType sourceDescription referenceTime createdAt state: extraction problem } }
	} }`, nil, &data)
	graph := &data.Knowledge
	for _, fact := range graph.Facts.Nodes {
		for _, end := range []string{"source", "target"} {
			entity, _ := fact[end].(map[string]any)
			fact[end] = entity["id"]
		}
	}
	for kind, all := range map[string][]map[string]any{"entity": graph.Nodes.Nodes, "fact": graph.Facts.Nodes,
		"episode": graph.Episodes.Nodes} {
		if len(all) == 0 {
			t.Errorf("the sample has no %s", kind)
		}
		for _, thing := range all {
			line := lines[thing["id"].(string)]
			if line.Kind != kind {
				t.Errorf("%v is not exported", thing)
				continue
			}
			if why := covers(line.Data, thing); why != "" {
				t.Errorf("%v: %s", thing, why)
			}
		}
	}
	return len(graph.Nodes.Nodes) + len(graph.Facts.Nodes) + len(graph.Episodes.Nodes)
}

// compareActions holds what the API says was done against the export, and returns how many actions there are.
func compareActions(t *testing.T, p *process, lines map[string]exported) int {
	t.Helper()
	var data struct {
		Actions struct{ Nodes []map[string]any }
	}
	p.mustAsk(`{ actions(first: 100) { nodes { id summary } } }`, nil, &data)
	for _, action := range data.Actions.Nodes {
		id, _ := action["id"].(string)
		if line := lines[id]; line.Kind != "action" || line.Data["summary"] != action["summary"] {
			t.Errorf("the action %q is exported as %v", action["summary"], line)
		}
	}
	return len(data.Actions.Nodes)
}

func compareConnections(t *testing.T, p *process, lines map[string]exported) int {
	t.Helper()
	var data struct {
		Viewer struct{ Connections []map[string]any }
	}
	p.mustAsk(`{ viewer { connections { id provider account status scopes standIn linkedAt } } }`, nil, &data)
	compared := 0
	for _, connection := range data.Viewer.Connections {
		id, _ := connection["id"].(string)
		if connection["account"] == nil { // the entry of a provider with whom no account is linked
			continue
		}
		compared++
		line := lines[id]
		if line.Kind != "connection" {
			t.Errorf("%v is not exported", connection["account"])
			continue
		}
		if why := covers(line.Data, connection); why != "" {
			t.Errorf("%v: %s", connection["account"], why)
		}
	}
	return compared
}

// keepEvents gives the user an own calendar with a single event and a series with two exceptions, which is published at
// the address that is returned, and a calendar that follows that address.
func keepEvents(t *testing.T, p *process) (address string) {
	t.Helper()
	var made struct {
		CreateCalendar struct{ Calendar struct{ ID string } }
	}
	p.mustAsk(`mutation { createCalendar(input: { summary: "Sport", description: "All of it", timeZone: "Europe/Paris",
		defaultReminders: [{ minutes: 10 }] }) { calendar { id } } }`, nil, &made)
	p.mustAsk(`mutation ($calendar: ID!) {
		createEvent(input: { summary: "Race", description: "42 km", location: "Paris", start: { date: "2020-01-02" },
			attendees: [{ email: "dana@example.com" }], calendarId: $calendar }) { event { id } }
		createRecurringEvent(input: { summary: "Swim", startTime: "18:00", days: [MONDAY], from: "2020-01-06",
			count: 3, calendarId: $calendar }) { event { id } userErrors { message } }
		updateEvent(input: { target: { match: { summary: "Swim", timeMin: "2020-01-13T00:00:00Z",
			timeMax: "2020-01-14T00:00:00Z" } }, scope: THIS, set: { location: "Lake" } }) { event { id } userErrors { message } }
		deleteEvent(input: { target: { match: { summary: "Swim", timeMin: "2020-01-20T00:00:00Z",
			timeMax: "2020-01-21T00:00:00Z" } }, scope: THIS }) { deleted userErrors { message } } }`,
		map[string]any{"calendar": made.CreateCalendar.Calendar.ID}, &struct{}{})
	var published struct{ PublishCalendar struct{ URL string } }
	p.mustAsk(`mutation ($calendar: ID!) { publishCalendar(input: { id: $calendar }) { url } }`,
		map[string]any{"calendar": made.CreateCalendar.Calendar.ID}, &published)
	var followed struct{ SubscribeToFeed struct{ Events int } }
	p.mustAsk(`mutation ($url: String!) { subscribeToFeed(input: { url: $url, summary: "Copy" }) { events } }`,
		map[string]any{"url": published.PublishCalendar.URL}, &followed)
	if followed.SubscribeToFeed.Events == 0 {
		t.Error("the feed is empty")
	}
	return published.PublishCalendar.URL
}

// compareCalendars holds own calendars and their events, with a series of which one occurrence is changed and one is
// left out, against what the API shows.
func compareCalendars(t *testing.T, p *process, lines map[string]exported) int {
	t.Helper()
	var data struct {
		Calendars, CalendarFeeds, PublishedCalendars []map[string]any
		Events                                       struct{ Nodes []map[string]any }
	}
	p.mustAsk(`{ calendars { id source account summary description timeZone selected defaultReminders { method minutes } }
		calendarFeeds { calendarId host asOf nextAt failures } publishedCalendars { calendarId form createdAt }
		events(filter: { timeMin: "2020-01-01T00:00:00Z", timeMax: "2020-02-01T00:00:00Z" }, first: 50) {
			nodes { id recurringEventId calendarId summary description location start { dateTime date } end { dateTime date }
				version attendees { email } } } }`, nil, &data)
	compared := 0
	compare := func(kind string, shown map[string]any) {
		compared++
		id, _ := shown["id"].(string)
		line := lines[id]
		if line.Kind != kind {
			t.Errorf("%v is not exported", shown)
			return
		}
		if why := covers(line.Data, shown); why != "" {
			t.Errorf("%v: %s", shown, why)
		}
	}
	sources := map[any]int{}
	for _, calendar := range data.Calendars {
		sources[calendar["source"]]++
		if calendar["account"] == nil {
			delete(calendar, "account")
			for _, feed := range data.CalendarFeeds {
				if feed["calendarId"] == calendar["id"] {
					delete(feed, "calendarId")
					calendar["feed"] = feed
				}
			}
			for _, publication := range data.PublishedCalendars {
				if publication["calendarId"] == calendar["id"] {
					delete(publication, "calendarId")
					calendar["published"] = []any{publication}
				}
			}
			compare("calendar", calendar)
		}
	}
	if sources["OWN"] < 2 || sources["FEED"] != 1 || len(data.CalendarFeeds) != 1 || len(data.PublishedCalendars) != 1 {
		t.Errorf("calendars: %v, feeds %v, published %v", sources, data.CalendarFeeds, data.PublishedCalendars)
	}
	for _, event := range data.Events.Nodes {
		if lines[event["id"].(string)].Kind == "event" || event["recurringEventId"] == nil {
			compare("event", event)
		}
	}
	kinds := map[any]int{}
	sample := 0 // of the sample's calendar, most of which the window above does not show
	for _, line := range lines {
		if in, _ := line.Data["calendarId"].(string); line.Kind == "event" && lines[in].Data["summary"] == demo.FamilyName {
			sample++
		} else if line.Kind == "event" {
			kinds[line.Data["kind"]]++
		}
	}
	if kinds["SINGLE"] != 1 || kinds["SERIES"] != 1 || kinds["CHANGED"] != 1 || kinds["DROPPED"] != 1 {
		t.Errorf("of own events there are %v", kinds)
	}
	return compared + sample + kinds["SERIES"] + kinds["DROPPED"] // which no listing shows
}

// covers says where an exported value differs from the one that the API shows. What is empty is left out of an export;
// times are the same moments, and a version that counts is kept as a number.
func covers(kept, shown any) string {
	switch shown := shown.(type) {
	case map[string]any:
		object, _ := kept.(map[string]any)
		for name, value := range shown {
			if number, counts := object[name].(float64); counts && name == "version" {
				object[name] = fmt.Sprint(number)
			}
			if why := covers(object[name], value); why != "" {
				return name + ": " + why
			}
		}
		return ""
	case []any:
		list, _ := kept.([]any)
		if len(list) != len(shown) {
			return fmt.Sprintf("%d items kept, %d shown", len(list), len(shown))
		}
		for i := range shown {
			if why := covers(list[i], shown[i]); why != "" {
				return fmt.Sprintf("%d: %s", i, why)
			}
		}
		return ""
	case string:
		text, _ := kept.(string)
		one, errOne := time.Parse(time.RFC3339Nano, text)
		other, errOther := time.Parse(time.RFC3339Nano, shown)
		if text == shown || errOne == nil && errOther == nil && one.Equal(other) {
			return ""
		}
	case nil:
		if kept == nil {
			return ""
		}
	default:
		if kept == shown || kept == nil && reflect.ValueOf(shown).IsZero() {
			return ""
		}
	}
	return fmt.Sprintf("%v kept, %v shown", kept, shown)
}
