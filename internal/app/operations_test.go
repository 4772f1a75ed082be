package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/golang-jwt/jwt/v5"
	"github.com/jackc/pgx/v5"

	"almanac/internal/pgtest"
)

func TestHealthMetricsAndRequestIDs(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir(), "--demo")
	for path, want := range map[string]string{"/healthz": `{"status":"ok"}`, "/readyz": `{"status":"ready"}`} {
		if r := p.mustSend(http.MethodGet, path, nil); r.status != http.StatusOK || string(r.body) != want ||
			r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
		if r := p.mustSend(http.MethodPost, path, nil); r.status != http.StatusMethodNotAllowed ||
			r.header.Get("Allow") == "" {
			t.Errorf("POST %s: %d %s", path, r.status, r.body)
		}
	}
	if r := p.mustSend(http.MethodGet, "/no/such/page", nil); r.status != http.StatusNotFound ||
		!strings.Contains(string(r.body), `"NOT_FOUND"`) {
		t.Errorf("a page that is not there: %d %s", r.status, r.body)
	}

	if r, _ := p.post(askViewer, nil, "X-Request-Id",
		"the-callers-own_7.1"); r.header.Get("X-Request-Id") != "the-callers-own_7.1" {
		t.Errorf("the request's id came back as %q", r.header.Get("X-Request-Id"))
	}
	made := map[string]bool{}
	for _, given := range []string{"", "with spaces and \"quotes\"", strings.Repeat("x", 5000)} {
		r, _ := p.post(askViewer, nil, "X-Request-Id", given)
		id := r.header.Get("X-Request-Id")
		if id == "" || id == given || made[id] {
			t.Errorf("for the id %.20q it gave %.40q", given, id)
		}
		made[id] = true
	}

	p.post(`query Board { tasks { totalCount } }`, nil)
	p.post(createTask, map[string]any{"text": "counted"})
	p.post(`{ nothing }`, nil)
	p.post(`{ tasks(first: 100000) { nodes { id } } }`, nil)
	r := p.mustSend(http.MethodGet, "/metrics", nil)
	if media := r.header.Get("Content-Type"); r.status != http.StatusOK || !strings.HasPrefix(media, "text/plain") {
		t.Errorf("/metrics: %d %s", r.status, media)
	}
	for _, want := range []string{
		`almanac_http_requests_total{route="/graphql",status="2xx"}`,
		`almanac_http_requests_total{route="/graphql",status="4xx"}`,
		`almanac_operations_total{kind="query",outcome="ok"}`, `almanac_operations_total{kind="mutation",outcome="ok"} 1`,
		`almanac_operation_duration_seconds_count{kind="query"}`,
		`almanac_refused_total{reason="validation"} 1`, `almanac_refused_total{reason="cost"} 1`, `almanac_http_in_flight 1`,
		`almanac_operation_uses_total{client="none",operation="Board",version="none"} 1`, "go_goroutines ",
		"process_resident_memory_bytes ",
	} {
		if !strings.Contains(string(r.body), want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
	for _, private := range []string{"counted", "nothing", "the-callers-own"} {
		if strings.Contains(string(r.body), private) {
			t.Errorf("/metrics has %q", private)
		}
	}
}

// What comes in through a proxy is not from this machine: it needs a token for the metrics too.
func TestMetricsAreNotForEverybody(t *testing.T) {
	t.Parallel()
	p := spawn(t, []string{"ALMANAC_JWT_SECRET=" + jwtSecret}, "--data-dir="+t.TempDir()).await()
	if r := p.mustSend(http.MethodGet, "/metrics", nil, "X-Forwarded-For",
		"203.0.113.7"); r.status != http.StatusUnauthorized || r.header.Get("WWW-Authenticate") == "" {
		t.Errorf("from afar: %d %.80s", r.status, r.body)
	}
	token := signed(t, jwt.SigningMethodHS256, []byte(jwtSecret), jwt.MapClaims{"sub": "operator", "exp": soon()})
	if r := p.mustSend(http.MethodGet, "/metrics", nil,
		append(bearer(token), "X-Forwarded-For", "203.0.113.7")...); r.status != http.StatusOK {
		t.Errorf("from afar with a token: %d %.80s", r.status, r.body)
	}
	if r := p.mustSend(http.MethodGet, "/healthz", nil, "X-Forwarded-For", "203.0.113.7"); r.status != http.StatusOK {
		t.Errorf("/healthz needs no token: %d %s", r.status, r.body)
	}
}

// While its database is away the server says so, answers with coded errors that leak nothing, and works again when it
// is back.
func TestReadinessFollowsTheDatabase(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	p := start(t, "--database-url="+url)
	if r, a := p.post(createTask, map[string]any{"text": "before"}); len(a.Errors) > 0 {
		t.Fatalf("%s", r.body)
	}
	parsed, err := pgx.ParseConfig(url)
	if err != nil {
		t.Fatal(err)
	}
	name := parsed.Database
	other := *parsed
	other.Database = "postgres"
	admin, err := pgx.ConnectConfig(t.Context(), &other)
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(t.Context()) //nolint:errcheck // the test is over
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := admin.Exec(t.Context(), sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	exec(`ALTER DATABASE ` + pgx.Identifier{name}.Sanitize() + ` WITH ALLOW_CONNECTIONS false`)
	exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, name)
	eventually(t, "/readyz to tell that the database is away", func() bool {
		r := p.mustSend(http.MethodGet, "/readyz", nil)
		return r.status == http.StatusServiceUnavailable && string(r.body) == `{"status":"unavailable"}`
	})
	if r := p.mustSend(http.MethodGet, "/healthz", nil); r.status != http.StatusOK {
		t.Errorf("/healthz: the process lives: %d", r.status)
	}
	r, a := p.post(`{ tasks { totalCount } }`, nil)
	if len(a.Errors) != 1 || a.code() != "INTERNAL" {
		t.Errorf("a query without a database: %d %s", r.status, r.body)
	}
	for _, leak := range []string{name, "almanac_test", "postgres", "SQLSTATE", "127.0.0.1", "connect"} {
		if strings.Contains(string(r.body), leak) {
			t.Errorf("the answer tells %q: %s", leak, r.body)
		}
	}
	trace, _ := a.Errors[0].Extensions["traceId"].(string)
	if trace == "" {
		t.Errorf("there is no trace id: %s", r.body)
	}
	eventually(t, "the trace id to come through the log's pipe",
		func() bool { return strings.Contains(p.log.String(), trace) })
	exec(`ALTER DATABASE ` + pgx.Identifier{name}.Sanitize() + ` WITH ALLOW_CONNECTIONS true`)
	eventually(t, "/readyz to tell that the database is back", func() bool {
		return p.mustSend(http.MethodGet, "/readyz", nil).status == http.StatusOK
	})
	eventually(t, "a write", func() bool {
		_, a := p.post(createTask, map[string]any{"text": "after"})
		return len(a.Errors) == 0
	})
	if n := len(countTasks(p)); n != 2 {
		t.Errorf("%d tasks, want the one before and the one after", n)
	}
	if strings.Contains(p.log.String(), parsed.Password) {
		t.Error("the log has the database's password")
	}
}

// The log of a session at its most talkative has nothing of what the user wrote, asked or proved.
func TestLogsHaveNoPrivateContent(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := spawn(t, []string{"ALMANAC_JWT_SECRET=" + jwtSecret},
				append(flags, "--log-level=debug", "--reminder-interval=1s")...).await()
			token, _ := apiToken(t, flags, "--user", "secretive-subject", "--name", "secretive-name")
			as := bearer(token)
			const (
				text, hebrew = "buy secretiveflowers", "סודי ביותר"
				comment      = "# secretivecomment\n"
			)
			var made struct {
				CreateTask struct{ Task struct{ ID string } }
			}
			_, a := p.post(comment+
				`mutation Written($text: String!) { createTask(input: { text: $text, category: "secretivelabel" }) { task { id } } }`, map[string]any{"text": text}, append(as, "Idempotency-Key", "secretivekey")...)
			if err := json.Unmarshal(a.Data, &made); err != nil || made.CreateTask.Task.ID == "" {
				t.Fatalf("%v %s", err, a.Data)
			}
			for query, variables := range map[string]any{
				comment +
					`{ secretivealias: tasks(filter: { search: "secretiveflowers" }) { nodes { text } } }`: nil,
				`mutation { createTask(input: { text: "` + text +
					`" }) { userErrors { message } } }`: nil, // CONFLICT
				`mutation { createList(input: { name: "` + hebrew + `", items: ["` + hebrew +
					`"] }) { list { id } } }`: nil,
				`mutation { completeTask(input: { target: { match: { text: "secretiveflow" } } }) { userErrors { message } } }`: nil,
				`{ secretivefield }`:                     nil,
				`{ tasks(filter: { secretiveinput: 1 })`: nil, // does not parse
				`query ($when: DateTime) { tasks(filter: { dueAfter: $when }) { totalCount } }`: map[string]any{
					"when": "secretivetime"},
				`{ task(id: "task_secretiveid") { id } }`:              nil,
				`{ tasks(after: "secretivecursor") { nodes { id } } }`: nil,
			} {
				p.post(query, variables, as...)
			}
			p.post(askViewer, nil, bearer(token[:len(token)-1]+"0")...)
			p.post(askViewer, nil, append(as, "X-Time-Zone", "Secretive/Zone", "Accept-Language", "secretivetongue",
				"User-Agent", "secretiveagent", "Cookie", "a=secretivecookie")...)
			p.mustSend(http.MethodPost, "/graphql", []byte(`{"query": "secretivejson`),
				append([]string{"Content-Type", "application/json"}, as...)...)
			p.mustSend(http.MethodGet, "/secretivepath?secretivequery=1", nil)

			s := p.mustDial(token)
			e := p.mustListen(`subscription { secretivealias: taskChanged { cursor task { text } } }`, nil, "", as...)
			if err := s.subscribe("secretiveoperation", `subscription { secretivealias: taskChanged { cursor task { text } } }`,
				nil); err != nil {
				t.Fatal(err)
			}
			if err := s.subscribe("secretivetwin", `{ secretivefield }`, nil); err != nil {
				t.Fatal(err)
			}
			if f, err := s.read(); err != nil || f.Type != "error" {
				t.Errorf("%v %v", f, err)
			}
			remind := time.Now().Add(time.Minute + time.Second).UTC().Format(time.RFC3339Nano)
			_, a = p.post(
				`mutation ($id: ID!, $when: DateTime!) { updateTask(input: { id: $id, set: { completed: false, dueDate: $when, reminder: "PT1M" } }) { task { id } userErrors { message } } }`,
				map[string]any{"id": made.CreateTask.Task.ID, "when": remind}, as...)
			if !strings.Contains(string(a.Data), `"userErrors":[]`) {
				t.Errorf("%s %v", a.Data, a.Errors)
			}
			for _, next := range []func(any) error{s.next, func(into any) error { _, err := e.next(into); return err }} {
				var data struct{ SecretiveAlias struct{ Cursor string } }
				if err := next(&data); err != nil || data.SecretiveAlias.Cursor == "" {
					t.Errorf("the change did not come: %v", err)
				}
			}
			eventually(t, "the reminder to fire", func() bool {
				_, a := p.post(`{ changes(first: 100) { nodes { operation } } }`, nil, as...)
				return strings.Contains(string(a.Data), "REMINDED")
			})
			bad := p.mustDial(token)
			if err := bad.conn.Write(t.Context(), websocket.MessageText, []byte(`{"type":"secretivetype"`)); err != nil {
				t.Error(err)
			}
			bad.closed()
			_ = s.conn.CloseNow()
			e.end()
			if err := p.term(); err != nil {
				t.Errorf("%v\n%s", err, p.log)
			}

			log := p.log.String()
			messages := map[string]int{}
			for line := range strings.Lines(log) {
				var entry struct {
					Time       time.Time
					Level, Msg string
					RequestID  string
				}
				if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Time.IsZero() || entry.Level == "" ||
					entry.Msg == "" {
					t.Errorf("no log line: %v %s", err, line)
				}
				if entry.Msg == "request" && entry.RequestID == "" {
					t.Errorf("no request id: %s", line)
				}
				messages[entry.Msg]++
			}
			if messages["request"] < 15 {
				t.Errorf("the log is not at its most talkative: %v", messages)
			}
			private := []string{
				"secretive", hebrew, token, token[len(token)-59:], jwtSecret, made.CreateTask.Task.ID, "taskChanged", "createTask(",
				"INSERT INTO", "SELECT ",
			}
			for line := range strings.Lines(log) {
				for _, word := range private {
					if strings.Contains(strings.ToLower(line), strings.ToLower(word)) {
						t.Errorf("the log has %q: %s", word, line)
					}
				}
			}
			if !strings.Contains(log, `"name":"Written"`) {
				t.Error("the log does not name the operation")
			}
			t.Log(slices.Sorted(maps.Keys(messages)))
		})
	}
}

// More than may run and wait is refused with 503 and when to come again, and what runs is answered.
func TestOverloadIsRefused(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	p := start(t, "--database-url="+url, "--max-in-flight=1")
	changeHead(p)
	waiting, release := heldUp(t, url)
	defer release()
	answered := make(chan error, 1)
	go func() {
		_, err := p.createWith(http.DefaultClient, "the-one-that-runs")
		answered <- err
	}()
	eventually(t, "the write to wait", func() bool { return waiting() == 1 })
	r, a := p.post(askViewer, nil)
	if r.status != http.StatusServiceUnavailable || a.code() != "RATE_LIMITED" || r.header.Get("Retry-After") == "" ||
		fmt.Sprint(a.Errors[0].Extensions["retryAfterMs"]) == "<nil>" {
		t.Errorf("%d %s, Retry-After %q", r.status, r.body, r.header.Get("Retry-After"))
	}
	for _, path := range []string{"/healthz", "/readyz", "/metrics", "/"} {
		if r := p.mustSend(http.MethodGet, path, nil); r.status != http.StatusOK {
			t.Errorf("%s of a busy server: %d", path, r.status)
		}
	}
	release()
	if err := <-answered; err != nil {
		t.Errorf("the one that ran: %v", err)
	}
	if r, _ := p.post(askViewer, nil); r.status != http.StatusOK {
		t.Errorf("afterwards: %d %s", r.status, r.body)
	}
}
