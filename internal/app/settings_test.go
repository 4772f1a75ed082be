package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/cli"
)

// A start with wrong settings says everything that is wrong at once, each with what is allowed, and leaves nothing
// behind.
func TestWrongSettingsAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "not made")
	s := runCommand(t, []string{"ALMANAC_ADR=127.0.0.1:1", "ALMANAC_JWT_SECRET=hunter2",
		"ALMANAC_DATABASE_URL=mysql://root:hunter3@db/x"},
		"serve", "--data-dir="+folder, "--time-zone=Asia/Jerusalm", "--log-level=loud", "--max-in-flight=0", "--bogus",
		"extra")
	if s.code != 1 || s.out != "" {
		t.Errorf("ended with %d and %q", s.code, s.out)
	}
	for _, want := range []string{
		"ALMANAC_ADR is not a setting. Did you mean ALMANAC_ADDR?", "ALMANAC_JWT_SECRET is refused", "at least 32 bytes",
		"ALMANAC_DATABASE_URL is refused", "postgres://",
		"Asia/Jerusalm", "--log-level", "debug, info, warn, error", "--max-in-flight", "--bogus is not a flag",
		`"extra" is not expected`,
	} {
		if !strings.Contains(s.err, want) {
			t.Errorf("it does not say %q:\n%s", want, s.err)
		}
	}
	if strings.Contains(s.err, "hunter") {
		t.Errorf("a secret is shown:\n%s", s.err)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("the data folder was made: %v", err)
	}
}

// The local user, who needs no token, exists on loopback alone, and only under this machine's names.
func TestLocalUserIsLocal(t *testing.T) {
	t.Parallel()
	t.Run("on loopback", func(t *testing.T) {
		t.Parallel()
		p := start(t, "--data-dir="+t.TempDir())
		if r, a := p.post(askViewer, nil); r.status != http.StatusOK || len(a.Errors) > 0 {
			t.Errorf("%d %s", r.status, r.body)
		}
		// A page of another name that resolves to this address (DNS rebinding) is not let in.
		if r, a := p.post(askViewer, nil, "Host", "evil.example"); r.status != http.StatusForbidden ||
			a.code() != "FORBIDDEN" || a.Data != nil {
			t.Errorf("another host name: %d %s", r.status, r.body)
		}
		if r, _ := p.post(createTask, map[string]any{"text": "by another site"}, "Origin",
			"https://evil.example"); r.status != http.StatusForbidden {
			t.Errorf("another site's page: %d %s", r.status, r.body)
		}
		// What a page may send without a preflight is refused, JSON or not.
		for _, media := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
			if r := p.mustSend(http.MethodPost, "/graphql",
				[]byte(`{"query":"mutation { createTask(input: { text: \"simple\" }) { task { id } } }"}`), "Content-Type",
				media); r.status < 400 {
				t.Errorf("%s: %d %s", media, r.status, r.body)
			}
		}
		if n := len(countTasks(p)); n != 0 {
			t.Errorf("%d tasks were made by what was refused", n)
		}
	})
	t.Run("elsewhere", func(t *testing.T) {
		t.Parallel()
		folder := "--data-dir=" + t.TempDir()
		p := spawn(t, nil, "--addr=0.0.0.0:0", folder).await()
		if !strings.HasPrefix(p.address, "http://localhost:") {
			t.Errorf("it tells a person to look at %s", p.address)
		}
		if said := p.log.String(); !strings.Contains(said,
			"only API tokens open this server. Make one with `almanac token create`") {
			t.Errorf("it does not say how to get in: %s", said)
		}
		if r, a := p.post(askViewer, nil); r.status != http.StatusUnauthorized || a.code() != "UNAUTHENTICATED" {
			t.Errorf("without a token: %d %s", r.status, r.body)
		}
		token, _ := apiToken(t, []string{folder}, "--name", "phone")
		if id, _ := p.viewerOf(token); id == "" {
			t.Error("the token that it asked for does not open it")
		}
		// The schema is for whoever has a token.
		schema := mustRun(t, "schema")
		if r, a := p.post(`{ __schema { queryType { name } } }`, nil, bearer(token)...); len(a.Errors) > 0 {
			t.Errorf("introspection: %s", r.body)
		}
		if r := p.mustSend("GET", "/schema.graphql", nil, bearer(token)...); string(r.body) != schema ||
			r.header.Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("/schema.graphql: %d %.100s", r.status, r.body)
		}
		if r := p.mustSend("GET", "/schema.graphql", nil); r.status != http.StatusUnauthorized {
			t.Errorf("/schema.graphql without a token: %d %.100s", r.status, r.body)
		}
		if r := p.mustSend("POST", "/schema.graphql", nil, bearer(token)...); r.status != http.StatusMethodNotAllowed {
			t.Errorf("/schema.graphql by POST: %d", r.status)
		}
	})
	t.Run("no introspection", func(t *testing.T) {
		t.Parallel()
		p := start(t, "--data-dir="+t.TempDir(), "--introspection=off")
		if r, a := p.post(`{ __schema { queryType { name } } }`, nil); len(a.Errors) == 0 {
			t.Errorf("introspection: %s", r.body)
		}
		if r, _ := p.post(`{ viewr { id } }`, nil); strings.Contains(string(r.body), "viewer") {
			t.Errorf("a name is suggested: %s", r.body)
		}
		if r := p.mustSend("GET", "/schema.graphql", nil); r.status != http.StatusNotFound {
			t.Errorf("/schema.graphql: %d", r.status)
		}
	})
	t.Run("a taken address", func(t *testing.T) {
		t.Parallel()
		p := start(t, "--data-dir="+t.TempDir())
		folder := filepath.Join(t.TempDir(), "not made")
		s := runCommand(t, nil, "serve", "--addr="+strings.TrimPrefix(p.address, "http://"), "--data-dir="+folder)
		if s.code != 1 || !strings.Contains(s.err, "choose another with --addr") {
			t.Errorf("%+v", s)
		}
		if _, err := os.Stat(folder); !os.IsNotExist(err) {
			t.Errorf("the data folder was made: %v", err)
		}
	})
}

// Every command says what is wrong in one sentence that names the flag, and help is no failure.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	folder, none := "--data-dir="+t.TempDir(), "--data-dir="+filepath.Join(t.TempDir(), "none")
	mustRun(t, "migrate", folder)
	for _, c := range []struct {
		args []string
		code int
		want string // in what it writes
	}{
		{[]string{"version"}, 0, "almanac " + cli.Version("")},
		{[]string{"help"}, 0, "usage: almanac [command]"},
		{[]string{"--help"}, 0, "--database-url"},
		{[]string{"serve", "--help"}, 0, "--google-client-id"},
		{[]string{"seed", "--help"}, 0, "--database-url"},
		{[]string{"frobnicate"}, 1, `there is no command "frobnicate"`},
		{[]string{"token"}, 1, "token create, token list or token revoke?"},
		{[]string{"token", "--user=alice"}, 1, "token create, token list or token revoke?"},
		{[]string{"token", "mint"}, 1, `there is no command token "mint"`},
		{[]string{"token", "create", folder}, 1, "--name: a token's name has 1 to 100 printable characters"},
		{[]string{"token", "create", folder, "--name=x", "--scopes=READ,FLY"}, 1,
			`--scopes: "FLY" is not a scope; allowed are READ, WRITE, SEND, and those of domains, such as TASKS_READ`},
		{[]string{"token", "create", folder, "--name=x", "--user="}, 1, "--user must not be empty"},
		{[]string{"token", "create", folder, "--name=x", "--expires=-1h"}, 1, "--expires must not be negative"},
		{[]string{"token", "create", folder, "--name=x", "--expires=soon"}, 1, "--expires"},
		{[]string{"token", "revoke", folder, "--id=x"}, 1, `--id "x" is not the id of a token`},
		{[]string{"token", "revoke", folder, "--id=01h455vb4pex5vsknk084sn02q"}, 1,
			"has no token 01h455vb4pex5vsknk084sn02q"},
		{[]string{"export", folder, "--user=nobody"}, 1, `there is no user "nobody"`},
		{[]string{"migrate", folder, "extra"}, 1, `"extra" is not expected here`},
		{[]string{"token", "create", none, "--name=x"}, 1, "there is no database of Almanac"},
		{[]string{"token", "list", none}, 1, "almanac.env"},
		{[]string{"export", none}, 1, "there is no database of Almanac"},
		{[]string{"import", none}, 1, "there is no database of Almanac"},
		{[]string{"seed", none}, 1, "run `almanac migrate`"},
		{[]string{"health", folder, "extra"}, 1, `"extra" is not expected here`},
		{[]string{"health", folder, "--addr=127.0.0.1:0"}, 1, "name a port with --addr"},
		{[]string{"health", folder, "--addr=127.0.0.1:1"}, 1, "no answer"},
	} {
		t.Run(strings.ReplaceAll(strings.Join(c.args, " "), folder, "--data-dir"), func(t *testing.T) {
			t.Parallel()
			s := runCommand(t, nil, c.args...)
			said, silent := s.out, s.err
			if c.code != 0 {
				said, silent = s.err, s.out
			}
			silent = databaseLine.ReplaceAllString(silent, "")
			if s.code != c.code || !strings.Contains(said, c.want) || silent != "" {
				t.Errorf("ended with %d, wrote %q and complained %q", s.code, s.out, s.err)
			}
			if strings.Contains(said, "BAD_USER_INPUT") {
				t.Errorf("a code for programs is shown to a person: %s", said)
			}
		})
	}
	t.Cleanup(func() { // when all have run
		if _, err := os.Stat(strings.TrimPrefix(none, "--data-dir=")); !os.IsNotExist(err) {
			t.Errorf("a command has made a data folder: %v", err)
		}
	})
}

// A command without the server's settings says which database it means instead of making another one; with the settings
// file, which both read, it works. A PostgreSQL database without tables is no database either.
func TestCommandsUseTheServersDatabase(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "settings.env")
			flag, value, _ := strings.Cut(strings.TrimPrefix(flags[0], "--"), "=")
			variable := "ALMANAC_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
			if err := os.WriteFile(file, []byte(variable+"="+value+"\nALMANAC_JWT_SECRET='"+jwtSecret+"'\n"),
				0o600); err != nil {
				t.Fatal(err)
			}
			fromFile := "--env-file=" + file
			if s := runCommand(t, nil, "token", "create", fromFile, "--name=early"); s.code != 1 ||
				!strings.Contains(s.err, "there is no database of Almanac") {
				t.Errorf("before the server ever started: %+v", s)
			}
			p := spawn(t, []string{"ALMANAC_ENV_FILE=" + file}).await()
			if id, _ := p.viewerOf(""); id != "" {
				t.Error("the file's secret is not used")
			}
			token, _ := apiToken(t, []string{fromFile}, "--user=alice", "--name=phone")
			if id, _ := p.viewerOf(token); id == "" {
				t.Error("a token that was made with the same settings does not open the server")
			}
			s := runCommand(t, nil, "token", "list", fromFile, "--user=alice")
			if !databaseLine.MatchString(s.err) || !strings.Contains(p.greeting, strings.TrimSpace(s.err[len("database: "):])) {
				t.Errorf("the command says %q, the server %q", s.err, p.greeting)
			}
			if strings.Contains(s.err+p.greeting, jwtSecret) {
				t.Error("a secret is shown")
			}
		})
	}
}

// What an image asks of itself.
func TestHealth(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir())
	addr := "--addr=" + strings.TrimPrefix(p.address, "http://")
	for _, args := range [][]string{{"health", addr}, {"health", addr, "--live"}} {
		if s := runCommand(t, []string{"HTTP_PROXY=http://127.0.0.1:1", "http_proxy=http://127.0.0.1:1"},
			args...); s.code != 0 ||
			!strings.Contains(s.out, "status") || s.err != "" {
			t.Errorf("%v: %+v", args, s)
		}
	}
	if err := p.term(); err != nil {
		t.Fatal(err)
	}
	if s := runCommand(t, nil, "health", addr); s.code != 1 || s.out != "" {
		t.Errorf("a server that has stopped is healthy: %+v", s)
	}
}

// Where there is no local user the demo has a user of its own, whose token is shown by the first start and no other.
func TestDemoBehindAToken(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags := append([]string{"--demo", "--addr=0.0.0.0:0"}, flags...)
			p := spawn(t, nil, flags...).await()
			token := tokenText.FindString(p.greeting)
			if strings.Contains(p.log.String(), token) {
				t.Errorf("the token is in the log too: %s", p.log)
			}
			const everything = `{ viewer { id scopes } tasks { totalCount } events(first: 5) { nodes { id } }
				emails(first: 5) { nodes { id } } websets(first: 5) { nodes { id } } knowledge { facts(first: 5) { nodes { id } } } }`
			r, a := p.post(everything, nil, bearer(token)...)
			for _, want := range []string{`"totalCount":23`, `"id":"event_`, `"id":"email_`, `"id":"webset_`, `"id":"fact_`,
				`"READ","WRITE","SEND"`} {
				if len(a.Errors) > 0 || !strings.Contains(string(r.body), want) {
					t.Errorf("no %s in %s", want, r.body)
				}
			}
			if r, a := p.post(askViewer, nil); r.status != http.StatusUnauthorized || a.Data != nil {
				t.Errorf("without a token: %d %s", r.status, r.body)
			}
			if err := p.term(); err != nil {
				t.Fatal(err)
			}
			again := spawn(t, nil, flags...).await()
			if tokenText.MatchString(again.greeting) || !strings.Contains(again.greeting, "printed once") {
				t.Errorf("the second start says %s", again.greeting)
			}
			if id, _ := again.viewerOf(token); id == "" {
				t.Error("the token ended with the first start")
			}
		})
	}
}
