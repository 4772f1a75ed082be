package app_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/golang-jwt/jwt/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"almanac/internal/app"
	"almanac/internal/pgtest"
)

const (
	jwtSecret  = "an HS256 secret that is long enough for the test"
	askViewer  = `{ viewer { id scopes } }`
	createTask = `mutation ($text: String!) { createTask(input: { text: $text }) { task { id } userErrors { code } } }`
)

var (
	tokenText = regexp.MustCompile(`almanac_[0-9a-hjkmnp-tv-z]{52}_[0-9a-hjkmnp-tv-z]{59}`)
	tokenID   = regexp.MustCompile(`--id ([0-9a-z]{26})`)
)

// apiToken makes a token on the command line and returns its text and its id.
func apiToken(t *testing.T, flags []string, more ...string) (text, id string) {
	t.Helper()
	out := mustRun(t, append(append([]string{"token", "create"}, flags...), more...)...)
	text = tokenText.FindString(out)
	found := tokenID.FindStringSubmatch(out)
	if text == "" || found == nil {
		t.Fatalf("no token in %q", out)
	}
	return text, found[1]
}

// signed is a JWT of the test's own.
func signed(t *testing.T, method jwt.SigningMethod, key any, claims jwt.MapClaims) string {
	t.Helper()
	text, err := jwt.NewWithClaims(method, claims).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func soon() int64 { return time.Now().Add(time.Hour).Unix() }

// viewerOf asks who a token stands for; "" when it is refused.
func (p *process) viewerOf(token string) (id string, scopes []string) {
	p.t.Helper()
	r, a := p.post(askViewer, nil, bearer(token)...)
	if r.status == http.StatusUnauthorized {
		return "", nil
	}
	var data struct {
		Viewer struct {
			ID     string
			Scopes []string
		}
	}
	if err := json.Unmarshal(a.Data, &data); err != nil || len(a.Errors) > 0 {
		p.t.Fatalf("%v %s", err, r.body)
	}
	return data.Viewer.ID, data.Viewer.Scopes
}

// The life of an API token, on a server that runs all the while beside the commands: it is shown once, opens what its
// scopes say, for its own user, and ends at once when it is revoked, on open connections too.
func TestLifeOfAToken(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := spawn(t, []string{"ALMANAC_JWT_SECRET=" + jwtSecret}, flags...).await()

			t.Run("no token, no answer", func(t *testing.T) {
				p := p.in(t)
				for what, header := range map[string][]string{
					"none": nil, "of another kind": {"Authorization", "Basic YTpi"}, "nonsense": bearer("nonsense"),
					"well-formed, never given": bearer("almanac_" + strings.Repeat("0", 52) + "_" + strings.Repeat("0", 59)),
				} {
					r, a := p.post(askViewer, nil, header...)
					if r.status != http.StatusUnauthorized || a.code() != "UNAUTHENTICATED" || a.Data != nil ||
						!strings.HasPrefix(r.header.Get("WWW-Authenticate"), "Bearer") {
						t.Errorf("%s: %d %s, WWW-Authenticate %q", what, r.status, r.body, r.header.Get("WWW-Authenticate"))
					}
				}
				if _, err := p.listen(watchTasks, nil, ""); err == nil || !strings.Contains(err.Error(), "status 401") {
					t.Errorf("an event stream without a token: %v", err)
				}
				if _, err := p.dial(""); websocket.CloseStatus(err) != 4403 {
					t.Errorf("a socket without a token: %v", err)
				}
			})

			all, allID := apiToken(t, flags, "--user", "alice", "--name", "phone", "--scopes", "READ,WRITE")
			reader, _ := apiToken(t, flags, "--user", "alice", "--name", "clock", "--scopes", "read")
			writer, _ := apiToken(t, flags, "--user", "alice", "--name", "doorbell", "--scopes", "WRITE")
			other, _ := apiToken(t, flags, "--user", "בוב", "--name", "מחשב")

			t.Run("it is shown once", func(t *testing.T) {
				list := mustRun(t, append([]string{"token", "list", "--user", "alice"}, flags...)...)
				for _, want := range []string{"phone", "[READ WRITE]", "clock", "[READ]", "doorbell", "valid", allID} {
					if !strings.Contains(list, want) {
						t.Errorf("token list does not show %s:\n%s", want, list)
					}
				}
				secret := all[len(all)-59 : len(all)-7]
				if strings.Contains(list, secret) || strings.Contains(list, "מחשב") {
					t.Errorf("token list shows too much:\n%s", list)
				}
				if kept := everything(t, name, flags); !strings.Contains(kept, "doorbell") || strings.Contains(kept, secret) {
					t.Error("the database holds the secret itself, or was not looked at")
				}
			})

			t.Run("it is its user and its scopes", func(t *testing.T) {
				p := p.in(t)
				id, scopes := p.viewerOf(all)
				if id == "" || strings.Join(scopes, " ") != "READ WRITE" {
					t.Errorf("the token stands for %q with %v", id, scopes)
				}
				if same, _ := p.viewerOf(signed(t, jwt.SigningMethodHS256, []byte(jwtSecret),
					jwt.MapClaims{"sub": "alice", "exp": soon()})); same != id {
					t.Errorf("a JWT of alice stands for %q, her API token for %q", same, id)
				}
				if bob, _ := p.viewerOf(other); bob == id || bob == "" {
					t.Errorf("two users are one: %q", bob)
				}
				r, a := p.post(createTask, map[string]any{"text": "not allowed"}, bearer(reader)...)
				if r.status != http.StatusForbidden || a.code() != "FORBIDDEN" {
					t.Errorf("READ writes: %d %s", r.status, r.body)
				}
				if r, a = p.post(askViewer, nil, bearer(writer)...); r.status != http.StatusForbidden || a.code() != "FORBIDDEN" {
					t.Errorf("WRITE reads: %d %s", r.status, r.body)
				}
				_, a = p.post(createTask, map[string]any{"text": "only hers"}, bearer(all)...)
				var made struct {
					CreateTask struct{ Task struct{ ID string } }
				}
				if err := json.Unmarshal(a.Data, &made); err != nil || made.CreateTask.Task.ID == "" {
					t.Fatalf("%v %s", err, a.Data)
				}
				const ask = `query ($id: ID!) { task(id: $id) { text } }`
				_, foreign := p.post(ask, map[string]any{"id": made.CreateTask.Task.ID}, bearer(other)...)
				_, never := p.post(ask, map[string]any{"id": "task_01h455vb4pex5vsknk084sn02q"}, bearer(other)...)
				if foreign.code() != "NOT_FOUND" || strings.ReplaceAll(foreign.Errors[0].Message, made.CreateTask.Task.ID,
					"") != strings.ReplaceAll(never.Errors[0].Message, "task_01h455vb4pex5vsknk084sn02q", "") {
					t.Errorf("another user's task: %+v; one that never was: %+v", foreign.Errors, never.Errors)
				}
			})

			t.Run("revoked, it ends at once", func(t *testing.T) {
				p := p.in(t)
				asking := p.mustDial(all)
				out := mustRun(t, append([]string{"token", "revoke", "--user", "alice", "--id", allID}, flags...)...)
				if !strings.Contains(out, "revoked "+allID) {
					t.Errorf("token revoke says %q", out)
				}
				if id, _ := p.viewerOf(all); id != "" {
					t.Error("it still opens")
				}
				if err := asking.subscribe("1", askViewer, nil); err != nil {
					t.Fatal(err)
				}
				f, err := asking.read()
				for ; err == nil; f, err = asking.read() {
					if f.Type == "next" {
						t.Errorf("an open socket still answers: %s", f.Payload)
					}
				}
				if code := websocket.CloseStatus(err); code != 4403 {
					t.Errorf("the asking socket was closed with %d", code)
				}
				if id, _ := p.viewerOf(reader); id == "" {
					t.Error("another token of hers has ended too")
				}
				if list := mustRun(t, append([]string{"token", "list", "--user", "alice"}, flags...)...); !strings.Contains(list,
					"revoked "+time.Now().UTC().Format("2006-")) {
					t.Errorf("token list does not tell:\n%s", list)
				}
			})

			t.Run("the export still names its users", func(t *testing.T) {
				for _, subject := range []string{"alice", "בוב"} {
					if out := mustRun(t, append([]string{"export", "--user", subject}, flags...)...); !strings.Contains(out,
						`"subject":"`+subject+`"`) {
						t.Errorf("%s became %s", subject, out)
					}
				}
			})
		})
	}
}

// What is changed after a token was revoked is not told to those who listen under it, on sockets and streams alike.
func TestARevokedTokenHearsNothing(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := spawn(t, []string{"ALMANAC_JWT_SECRET=" + jwtSecret}, flags...).await()
			alice := bearer(signed(t, jwt.SigningMethodHS256, []byte(jwtSecret), jwt.MapClaims{"sub": "alice", "exp": soon()}))
			write := func(text string) {
				t.Helper()
				if r, a := p.post(createTask, map[string]any{"text": text}, alice...); a.code() != "" {
					t.Fatalf("%s", r.body)
				}
			}
			for round := range 3 {
				token, id := apiToken(t, flags, "--user", "alice", "--name", "phone")
				var head struct{ Changes struct{ LatestCursor string } }
				if _, a := p.post(`{ changes { latestCursor } }`, nil, alice...); json.Unmarshal(a.Data, &head) != nil {
					t.Fatalf("%s", a.Data)
				}
				after := map[string]any{"after": head.Changes.LatestCursor}
				listening, stream := p.mustDial(token), p.mustListen(watchTasks, after, "", bearer(token)...)
				if err := listening.subscribe("1", watchTasks, after); err != nil {
					t.Fatal(err)
				}
				write(fmt.Sprint("heard ", round))
				if err := listening.next(new(json.RawMessage)); err != nil {
					t.Fatal(err)
				}
				if _, err := stream.read(); err != nil {
					t.Fatal(err)
				}
				mustRun(t, append([]string{"token", "revoke", "--user", "alice", "--id", id}, flags...)...)
				write(fmt.Sprint("not heard ", round))
				var err error
				for f := (frame{}); err == nil; f, err = listening.read() {
					if f.Type == "next" {
						t.Errorf("the socket was told %s", f.Payload)
					}
				}
				if code := websocket.CloseStatus(err); code != 4403 {
					t.Errorf("the socket was closed with %d: %v", code, err)
				}
				for h, err := stream.read(); err == nil; h, err = stream.read() {
					t.Errorf("the stream was told %+v", h)
				}
			}
		})
	}
}

// Open connections on which nobody asks anything find out at their next keep-alive.
func TestRevokedTokenEndsIdleConnections(t *testing.T) {
	t.Parallel()
	var group sync.WaitGroup
	for name, flags := range databases(t) {
		p := spawn(t, []string{"ALMANAC_JWT_SECRET=" + jwtSecret}, flags...).await()
		token, id := apiToken(t, flags, "--user", "alice", "--name", "phone")
		idle, stream := p.mustDial(token), p.mustListen(watchTasks, nil, "", bearer(token)...)
		if err := idle.subscribe("1", watchTasks, nil); err != nil {
			t.Fatal(err)
		}
		mustRun(t, append([]string{"token", "revoke", "--user", "alice", "--id", id}, flags...)...)
		group.Go(func() {
			if code := idle.closed(); code != 4403 {
				t.Errorf("%s: the socket was closed with %d", name, code)
			}
		})
		group.Go(func() {
			if h, err := stream.read(); !errors.Is(err, io.EOF) {
				t.Errorf("%s: the stream gave %v and %v", name, h, err)
			}
		})
	}
	group.Wait()
}

// everything is all that a database holds, as far as text goes.
func everything(t *testing.T, name string, flags []string) string {
	t.Helper()
	if name == "postgres" {
		var text string
		err := dialPostgres(t, strings.TrimPrefix(flags[0], "--database-url=")).QueryRow(t.Context(),
			`SELECT database_to_xml(true, false, '')::text`).Scan(&text)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	folder := strings.TrimPrefix(flags[0], "--data-dir=")
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, file := range files {
		content, err := os.ReadFile(filepath.Join(folder, file.Name())) //nolint:gosec // the test's own folder
		if err != nil {
			t.Fatal(err)
		}
		text.Write(content)
	}
	return text.String()
}

// A token with an end is refused from then on. The test moves the end and not the clock.
func TestTokenExpires(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	flags := []string{"--data-dir=" + folder}
	p := spawn(t, []string{"ALMANAC_JWT_SECRET=" + jwtSecret}, flags...).await()
	token, _ := apiToken(t, flags, "--user", "alice", "--name", "guest", "--expires", "720h")
	if id, _ := p.viewerOf(token); id == "" {
		t.Fatal("it does not open")
	}
	if list := mustRun(t, append([]string{"token", "list", "--user", "alice"}, flags...)...); !strings.Contains(list,
		"valid until "+time.Now().UTC().Add(720*time.Hour).Format("2006-01")) {
		t.Errorf("token list does not tell its end:\n%s", list)
	}
	inSQLite(t, folder, `UPDATE api_tokens SET expires_at = created_at`)
	if id, _ := p.viewerOf(token); id != "" {
		t.Error("it opens after its end")
	}
	if list := mustRun(t, append([]string{"token", "list", "--user", "alice"}, flags...)...); !strings.Contains(list,
		"expired ") {
		t.Errorf("token list does not tell that it ended:\n%s", list)
	}
}

// inSQLite runs one statement on the embedded database, as any program on the machine could.
func inSQLite(t *testing.T, folder, statement string) {
	t.Helper()
	conn, err := sqlite.OpenConn(filepath.Join(folder, app.DatabaseFile), sqlite.OpenReadWrite|sqlite.OpenWAL)
	if err != nil {
		t.Fatal(err)
	}
	conn.SetBusyTimeout(patience)
	if err := sqlitex.ExecuteTransient(conn, statement, nil); err != nil {
		t.Error(err)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
}

func TestJWTs(t *testing.T) {
	t.Parallel()
	p := spawn(t, []string{"ALMANAC_JWT_SECRET=" + jwtSecret, "ALMANAC_JWT_AUDIENCE=almanac"},
		"--database-url="+pgtest.URL(t)).await()
	claims := func(more jwt.MapClaims) jwt.MapClaims {
		all := jwt.MapClaims{"sub": "alice", "aud": "almanac", "exp": soon()}
		for name, value := range more {
			all[name] = value
		}
		return all
	}
	key := []byte(jwtSecret)
	if id, scopes := p.viewerOf(signed(t, jwt.SigningMethodHS256, key, claims(nil))); id == "" || len(scopes) == 0 {
		t.Error("a good token is refused")
	}
	for what, token := range map[string]string{
		"another secret":    signed(t, jwt.SigningMethodHS256, []byte(jwtSecret+"?"), claims(nil)),
		"another algorithm": signed(t, jwt.SigningMethodHS512, key, claims(nil)),
		"no signature":      signed(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, claims(nil)),
		"expired": signed(t, jwt.SigningMethodHS256, key,
			claims(jwt.MapClaims{"exp": time.Now().Add(-time.Hour).Unix()})),
		"not yet valid":       signed(t, jwt.SigningMethodHS256, key, claims(jwt.MapClaims{"nbf": soon()})),
		"another audience":    signed(t, jwt.SigningMethodHS256, key, claims(jwt.MapClaims{"aud": "elsewhere"})),
		"nobody":              signed(t, jwt.SigningMethodHS256, key, claims(jwt.MapClaims{"sub": ""})),
		"the local user's":    signed(t, jwt.SigningMethodHS256, key, claims(jwt.MapClaims{"sub": "local"})),
		"cut off at its end":  strings.TrimRight(signed(t, jwt.SigningMethodHS256, key, claims(nil)), "=")[:80],
		"a subject of no use": signed(t, jwt.SigningMethodHS256, key, claims(jwt.MapClaims{"sub": 7})),
	} {
		if id, _ := p.viewerOf(token); id != "" {
			t.Errorf("%s: it opens as %s", what, id)
		}
	}
}
