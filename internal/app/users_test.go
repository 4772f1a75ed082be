package app_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/golang-jwt/jwt/v5"

	"almanac/internal/clock"
	standingraphiti "almanac/internal/standin/graphiti"
)

// The life of a user, on a server that runs all the while beside the commands, with Graphiti beside it: added, let in,
// disabled, enabled, deleted with everything, while somebody else notices nothing.
func TestLifeOfAUser(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			graphiti := standingraphiti.New(standingraphiti.Options{Now: clock.System{}.Now, Eager: true})
			front := httptest.NewServer(graphiti)
			t.Cleanup(func() { graphiti.Close(); front.Close() })
			url := "--graphiti-url=" + front.URL + standingraphiti.Path
			p := spawn(t, []string{"ALMANAC_JWT_SECRET=" + jwtSecret}, append([]string{url}, flags...)...).await()
			user := func(words ...string) string {
				t.Helper()
				return mustRun(t, append(append([]string{"user"}, words...), append([]string{url}, flags...)...)...)
			}
			refused := func(words ...string) string {
				t.Helper()
				s := runCommand(t, nil, append(append([]string{"user"}, words...), flags...)...)
				if s.code == 0 {
					t.Errorf("user %v is taken: %s", words, s.out)
				}
				return s.err
			}
			user("add", "alice")
			user("add", "--user", "bob")
			if said := refused("add", "alice"); !strings.Contains(said, "already") {
				t.Errorf("a second alice: %s", said)
			}
			if said := refused("add", "carol", "--user", "carol"); !strings.Contains(said, "twice") {
				t.Errorf("two names: %s", said)
			}
			if said := refused("disable"); !strings.Contains(said, "almanac user disable NAME") {
				t.Errorf("no name: %s", said)
			}
			list := user("list")
			for _, want := range []string{"alice", "bob", "enabled", "user_"} {
				if !strings.Contains(list, want) {
					t.Errorf("user list does not show %s:\n%s", want, list)
				}
			}
			token, _ := apiToken(t, flags, "--user", "alice", "--name", "phone")
			bobs, _ := apiToken(t, flags, "--user", "bob", "--name", "phone")
			login := signed(t, jwt.SigningMethodHS256, []byte(jwtSecret), jwt.MapClaims{"sub": "alice", "exp": soon()})
			write := func(token, text string) {
				t.Helper()
				const list = `mutation ($text: String!) { createList(input: { name: $text }) { userErrors { code } } }`
				if r, a := p.post(list, map[string]any{"text": text}, bearer(token)...); a.code() != "" {
					t.Fatalf("%s", r.body)
				}
			}
			write(token, "the platypus of alice")
			write(bobs, "the platypus of bob")
			const episode = `mutation ($text: String!) { addEpisode(input: { name: "note", content: $text }) {
				userErrors { message } } }`
			for _, who := range []string{token, bobs} {
				if r, a := p.post(episode, map[string]any{"text": "the wombat"}, bearer(who)...); a.code() != "" {
					t.Fatalf("%s", r.body)
				}
			}
			graphs := func(token string) string {
				t.Helper()
				_, a := p.post(`{ knowledge { episodes(first: 5) { nodes { content } } } }`, nil, bearer(token)...)
				return string(a.Data)
			}
			eventually(t, "both have an episode", func() bool {
				return strings.Contains(graphs(token), "wombat") && strings.Contains(graphs(bobs), "wombat")
			})

			sockets := map[string]*socket{"an API token": p.mustDial(token), "a JWT": p.mustDial(login)}
			user("disable", "alice")
			if list := user("list"); !strings.Contains(list, "disabled 2") {
				t.Errorf("user list does not tell:\n%s", list)
			}
			if id, _ := p.viewerOf(token); id != "" {
				t.Error("the API token of a disabled user opens")
			}
			// Who proves who they are by themselves is known to the server, which looks for other processes' writes.
			eventually(t, "the JWT of a disabled user to be refused", func() bool {
				id, _ := p.viewerOf(login)
				return id == ""
			})
			for what, open := range sockets {
				if err := open.subscribe("1", askViewer, nil); err != nil {
					t.Fatal(err)
				}
				f, err := open.read()
				for ; err == nil; f, err = open.read() {
					if f.Type == "next" {
						t.Errorf("an open socket with %s still answers: %s", what, f.Payload)
					}
				}
				if code := websocket.CloseStatus(err); code != 4403 {
					t.Errorf("the socket with %s was closed with %d", what, code)
				}
			}
			user("enable", "--user", "alice")
			if id, _ := p.viewerOf(token); id == "" {
				t.Error("an enabled user is refused")
			}

			if said := user("delete", "--user", "alice"); !strings.Contains(said, "Nothing was done") {
				t.Errorf("user delete without --yes says %q", said)
			}
			if id, _ := p.viewerOf(token); id == "" {
				t.Error("without --yes the user was deleted")
			}
			if said := user("delete", "alice", "--yes"); !strings.Contains(said, "deleted alice") ||
				!strings.Contains(said, "Graphiti") || !strings.Contains(said, "one entry of the audit log left") {
				t.Errorf("user delete says %q", said)
			}
			if id, _ := p.viewerOf(token); id != "" {
				t.Error("the token of a deleted user opens")
			}
			kept := everything(t, name, flags)
			if strings.Contains(kept, "platypus of alice") || !strings.Contains(kept, "platypus of bob") {
				t.Error("something of alice is in the database, or nothing of bob")
			}
			if !strings.Contains(graphs(bobs), "wombat") {
				t.Error("somebody else's graph is gone")
			}
			// Whoever signs in by the same name is somebody new.
			if text := graphs(login); strings.Contains(text, "wombat") {
				t.Errorf("the graph is still there: %s", text)
			}
			var entry struct{ Kind, Outcome, Source string }
			lines := strings.Split(strings.TrimSpace(mustRun(t, append([]string{"audit", "export", "--user", "alice"},
				flags...)...)), "\n")
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &entry); err != nil || entry.Kind != "USER_DELETED" ||
				entry.Source != "COMMAND" || entry.Outcome != "OK" || len(lines) != 1 {
				t.Errorf("the audit log has %v: %v", lines, err)
			}
			refused("delete", "--user", "nobody at all", "--yes")
			refused("disable", "--user", "nobody at all")
		})
	}
}
