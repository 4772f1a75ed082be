package app_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/web/browsertest"
)

// The home page in a real browser, on the real server with its sample: what a newcomer sees after "make run".
func TestHomeInABrowser(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir(), "--demo", "--time-zone="+morning(time.Now()))
	browsertest.RunHomeSuite(t, p.address)
}

// pictures is where the pictures of the README are written; empty: they are only taken.
var pictures = flag.String("pictures", "", "the folder to write the pictures of the home page to")

// The pictures of the README are taken of the program as it is: `make pictures` writes them.
func TestHomePictures(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir(), "--demo", "--time-zone="+morning(time.Now()))
	browsertest.RunHomePictures(t, p.address, func(name string, picture []byte) {
		if _, err := png.Decode(bytes.NewReader(picture)); err != nil {
			t.Errorf("%s is no picture: %v", name, err)
		}
		if *pictures == "" {
			return
		}
		file := filepath.Join(*pictures, name+".png")
		if err := os.WriteFile(file, picture, 0o644); err != nil { //nolint:gosec // it is published
			t.Fatal(err)
		}
	})
}

// How long the home page takes to be ready, by a processor of a quarter of this one's speed, and a frame of a long
// board to be drawn, by this one (go test ./internal/app -run '^$' -bench Home -benchtime 1x). The aims stand beside
// what they are for: they are for a quiet machine, so nothing fails here.
func BenchmarkHome(b *testing.B) {
	p := start(b, "--data-dir="+b.TempDir(), "--demo", "--time-zone="+morning(time.Now()))
	const tasks, slower = 2_000, 4
	for b.Loop() {
		speed := browsertest.MeasureHome(b, p.address, tasks, slower)
		b.ReportMetric(speed.Ready, "ready-ms(aim:1000)")
		b.ReportMetric(speed.Frame50, "frame-p50-ms")
		b.ReportMetric(speed.Frame95, "frame-p95-ms(aim:16.7)")
		b.ReportMetric(speed.Slow, "slow-frames-%")
		b.ReportMetric(float64(speed.Rows), "rows")
	}
	b.ReportMetric(0, "ns/op")
}

// morning returns a time zone in which it is between 10 and 11 o'clock, so that there is a day to see.
func morning(now time.Time) string {
	ahead := 10 - now.UTC().Hour()
	if ahead < -12 {
		ahead += 24
	}
	return fmt.Sprintf("Etc/GMT%+d", -ahead) // the names of these zones count westward
}

// The page goes on with what it has while the server is away, and has each change once when it is back.
func TestHomeSurvivesARestart(t *testing.T) {
	t.Parallel()
	flags := []string{"--data-dir=" + t.TempDir(), "--demo", "--time-zone=Asia/Jerusalem"}
	p := start(t, flags...)
	flags = append(flags, "--addr="+strings.TrimPrefix(p.address, "http://"))
	browsertest.RunHomeRestartSuite(t, p.address, p.kill, func() { start(t, flags...) })
}

// dearest is what a document of the home page may cost: a tenth below the limit, so that a small change of the schema
// does not take the page away.
const dearest = 9_000

// Every document of the home page is answered on the sample data, without errors and within the limit of cost, which
// counts for the answer's size before it is known.
func TestHomeDocuments(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../web/home/src/gql/persisted-documents.json")
	if err != nil {
		t.Fatal(err)
	}
	var documents map[string]string
	if err := json.Unmarshal(text, &documents); err != nil {
		t.Fatal(err)
	}
	p := start(t, "--data-dir="+t.TempDir(), "--demo", "--time-zone=Asia/Jerusalem")
	first := func(query string) string {
		t.Helper()
		_, a := p.post(query, nil)
		id := regexp.MustCompile(
			`"((?:task|event|email|thread|memory|list|entity|webset|websetitem|monitor|import)_[0-9a-z]+)"`).FindSubmatch(a.Data)
		if id == nil {
			t.Fatalf("%s: %s", query, a.Data)
		}
		return string(id[1])
	}
	task := first(`{ tasks(first: 1) { nodes { id } } }`)
	event := first(`{ events(first: 1) { nodes { id } } }`)
	mail := first(`{ emails(filter: { label: "INBOX" }, first: 1) { nodes { id } } }`)
	thread := first(`{ emails(filter: { label: "INBOX" }, first: 1) { nodes { threadId } } }`)
	memory := first(`{ memories(first: 1) { nodes { id } } }`)
	list := first(`{ lists(first: 1) { nodes { id } } }`)
	entity := first(`{ knowledge { nodes(first: 1) { nodes { id } } } }`)
	webset := first(`{ websets(first: 1) { nodes { id } } }`)
	_, websets := p.post(`{ websets(first: 5) { nodes { items(first: 1) { nodes { id } } } } }`, nil)
	monitor := first(`{ websetMonitors(first: 1) { nodes { id } } }`)
	imported := first(`{ websetImports(first: 1) { nodes { id } } }`)
	item := regexp.MustCompile(`websetitem_[0-9a-z]+`).FindString(string(websets.Data))
	day := map[string]any{"from": "2026-11-24T00:00", "to": "2026-11-25T00:00", "overdue": true}
	input := func(input map[string]any) map[string]any { return map[string]any{"input": input} }
	step := regexp.MustCompile(`"(subtask_[0-9a-z]+)"`)
	_, a := p.post(`mutation ($t: ID!) { addSubtask(input: { taskId: $t, text: "A step" }) { subtask { id } } }`,
		map[string]any{"t": task})
	subtask := string(step.FindSubmatch(a.Data)[1])
	variables := map[string]map[string]any{
		"Shell": {}, "Latest": {}, "Day": day, "Free": day, "Actions": {}, "Week": day, "Inbox": {}, "Lists": {},
		"Memories":  {},
		"FindTasks": {"q": "a"}, "FindMail": {"q": "a"}, "FindLists": {"q": "a"},
		"FindEvents": {"q": "a", "from": "2026-11-01T00:00:00Z", "to": "2026-12-01T00:00:00Z"},
		"Recall":     {"q": "password"}, "MemoryPane": {"id": memory}, "Board": {},
		"BoardPage": {"filter": map[string]any{"group": "UPCOMING"}, "order": "POSITION", "first": 100},
		"Busy":      {"from": day["from"], "to": day["to"], "calendars": []string{"demo@example.com"}}, "Calendars": {},
		"Entities": {"q": "Dana"}, "Walk": {"id": entity, "asOf": "2026-11-24T00:00"}, "FactTimes": {},
		"Websets": {}, "Webset": {"id": webset}, "WebsetItems": {"id": webset, "all": true}, "WebsetItemRaw": {"id": item},
		"PreviewWebset":  input(map[string]any{"query": "Robotics companies in Israel"}),
		"AddWebset":      input(map[string]any{"search": map[string]any{"query": "Robotics companies in Israel", "count": 5}}),
		"CancelWebset":   input(map[string]any{"id": webset}),
		"DeleteWebset":   input(map[string]any{"id": webset}),
		"WebsetMonitors": {"id": webset}, "WebsetImports": {},
		"AddMonitor":    input(map[string]any{"websetId": webset, "cron": "0 7 * * 0", "count": 5}),
		"SetMonitor":    input(map[string]any{"id": monitor, "status": "disabled"}),
		"DeleteMonitor": input(map[string]any{"id": monitor}),
		"AddImport":     input(map[string]any{"csv": "name\nAcme\n", "entity": map[string]any{"type": "company"}}),
		"DeleteImport":  input(map[string]any{"id": imported}),
		"TaskPane":      {"id": task}, "EventPane": {"id": event}, "MailPane": {"id": thread},
		"SetTask":        input(map[string]any{"id": task, "set": map[string]any{"category": "x"}}),
		"DeleteTask":     input(map[string]any{"id": task}),
		"AddTask":        input(map[string]any{"text": "Something new"}),
		"AddStep":        input(map[string]any{"taskId": task, "text": "Another step"}),
		"SetStep":        input(map[string]any{"id": subtask, "completed": true}),
		"SetEvent":       input(map[string]any{"id": event, "set": map[string]any{"response": "ACCEPTED"}}),
		"DeleteEvent":    input(map[string]any{"id": event}),
		"MarkMail":       input(map[string]any{"ids": []string{mail}, "read": true}),
		"PreviewAnswer":  input(map[string]any{"emailId": mail, "body": "Thank you."}),
		"SendMail":       input(map[string]any{"previewId": "preview_00000000000000000000000000", "hash": "x"}),
		"Say":            input(map[string]any{"text": "lunch with Noa tomorrow at 13:00"}),
		"Remember":       input(map[string]any{"content": "The code of the gate is 1234."}),
		"SetMemory":      input(map[string]any{"id": memory, "set": map[string]any{"content": "Something else."}}),
		"RestoreMemory":  input(map[string]any{"id": memory, "version": "7"}),
		"ForgetMemories": input(map[string]any{"ids": []string{memory}}),
		"AddList":        input(map[string]any{"name": "A new list"}),
		"SetItems":       input(map[string]any{"id": list, "add": []map[string]any{{"text": "A new item"}}}),
		"DeleteList":     input(map[string]any{"id": list}),
		"SetSettings":    input(map[string]any{"weekStart": "MONDAY"}),
		"Tokens":         {},
		"MakeToken":      input(map[string]any{"name": "tablet", "scopes": []string{"READ"}}),
		"EndToken":       input(map[string]any{"key": "none"}),
		"Undo":           input(map[string]any{"id": "action_00000000000000000000000000"}),
		"PushKey":        {},
		"RegisterPush":   input(map[string]any{"endpoint": "https://push.example.com/a", "p256dh": "k", "auth": "s"}),
		"RemovePush":     input(map[string]any{"id": "push_00000000000000000000000000"}),
		"TestPush":       input(map[string]any{"id": "push_00000000000000000000000000"}),
	}
	named := regexp.MustCompile(`(query|mutation|subscription) (\w+)`)
	seen := 0
	for _, document := range documents {
		operation := named.FindStringSubmatch(document)
		if operation[1] == "subscription" {
			continue // TestHomeInABrowser watches it
		}
		given, known := variables[operation[2]]
		if !known {
			t.Errorf("nobody has said with what %s is run", operation[2])
			continue
		}
		seen++
		// What a mutation would do is enough; the sample stays as it is for the others.
		r, a := p.post(strings.Replace(document, ") {", ") "+map[string]string{"mutation": "@dryRun "}[operation[1]]+"{", 1),
			given, "Almanac-Cost", "1")
		var answered struct {
			Extensions struct{ Cost struct{ Requested int } }
		}
		if err := json.Unmarshal(r.body, &answered); err != nil || len(a.Errors) > 0 {
			t.Errorf("%s: %v %s", operation[2], err, r.body)
		}
		cost := answered.Extensions.Cost.Requested
		if cost == 0 || cost > dearest {
			t.Errorf("%s costs %d, of %d at most", operation[2], cost, dearest)
		}
		t.Logf("%s costs %d, %d bytes", operation[2], cost, len(r.body))
	}
	if seen != len(variables) {
		t.Errorf("%d of %d documents were run", seen, len(variables))
	}
}
