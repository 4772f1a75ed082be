package app_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"almanac/internal/pgtest"
)

// A database that answers nothing and breaks no connection: every request is answered nevertheless, known callers' and
// new ones', with API tokens and without, reads and writes, on sockets too; /readyz says it; and once the database goes
// on, the first requests succeed, since nothing holds their places.
func TestAHungDatabaseHangsNobody(t *testing.T) {
	t.Parallel()
	database := pgtest.Private(t)
	flags := []string{"--database-url=" + database.URL}
	p := start(t, append(flags, "--jwt-secret="+jwtSecret, "--request-timeout=5s", "--max-in-flight=8",
		"--database-max-conns=4")...)
	caller := func(name string) []string {
		return bearer(signed(t, jwt.SigningMethodHS256, []byte(jwtSecret), jwt.MapClaims{"sub": name, "exp": soon()}))
	}
	text, _ := apiToken(t, flags, "--user=dana", "--name=hung")
	asks := map[string]struct {
		document string
		header   []string
	}{
		"a read":  {`{ tasks { nodes { id } } }`, caller("dana")},
		"a write": {`mutation { createTask(input: { text: "x" }) { task { id } } }`, caller("dana")},
		"a keyed write": {`mutation { createTask(input: { text: "y" }) { task { id } } }`,
			append(caller("dana"), "Idempotency-Key", "k")},
		"a new user's first": {askViewer, caller("new")},
		"an API token":       {askViewer, bearer(text)},
		"a search": {
			`{ searchMemories(query: "x") { edges { score } } knowledge { nodes(query: "x", first: 1) { nodes { id } } } }`,
			caller("dana")},
		"the linked accounts":      {`{ viewer { connections { provider status } } }`, caller("dana")},
		"lists, actions, websets":  {`{ lists { nodes { id } } actions(first: 1) { nodes { id } } }`, caller("dana")},
		"a sentence for the agent": {`mutation { agentChat(input: { text: "add task z" }) { success } }`, caller("dana")},
		"the change log":           {`{ changes { latestCursor } }`, caller("dana")},
		"a memory": {`mutation { storeMemory(input: { type: NOTE, content: "n" }) { memory { id } } }`,
			caller("dana")},
		"an episode": {`mutation { addEpisode(input: { content: "e", extract: false }) { episode { id } } }`,
			caller("dana")},
	}
	ready := func() int { return p.mustSend(http.MethodGet, "/readyz", nil).status }
	for name, ask := range asks {
		if name == "a new user's first" {
			continue
		}
		if r, a := p.post(ask.document, nil, ask.header...); r.status != http.StatusOK || a.code() != "" {
			t.Fatalf("%s before: %d %s", name, r.status, r.body)
		}
	}
	var latest struct{ Changes struct{ LatestCursor string } }
	_, log := p.post(asks["the change log"].document, nil, caller("dana")...)
	if err := json.Unmarshal(log.Data, &latest); err != nil {
		t.Fatal(err)
	}
	listener := p.mustDial(caller("dana")[1][len("Bearer "):])
	if err := listener.subscribe("1", watchTasks, map[string]any{"after": latest.Changes.LatestCursor}); err != nil {
		t.Fatal(err)
	}
	var heard struct{ TaskChanged seenChange }
	if r, a := p.post(createTask, map[string]any{"text": "heard"}, caller("dana")...); a.code() != "" {
		t.Fatalf("%d %s", r.status, r.body)
	}
	if err := listener.next(&heard); err != nil {
		t.Fatal(err)
	}

	database.Stop()
	began := time.Now()
	if status := ready(); status != http.StatusServiceUnavailable {
		t.Errorf("/readyz: %d", status)
	}
	t.Logf("/readyz said it after %v", time.Since(began).Round(time.Millisecond))
	var group sync.WaitGroup
	for range 3 { // more than may run at once
		for name, ask := range asks {
			group.Go(func() {
				r, a := p.post(ask.document, nil, ask.header...)
				codes := []string{"TIMEOUT", "UPSTREAM_UNAVAILABLE", "RATE_LIMITED"}
				if name == "a keyed write" {
					codes = append(codes, "CONFLICT")
				}
				if name == "a sentence for the agent" && string(a.Data) == `{"agentChat":{"success":false}}` {
					return // what the agent itself says of it
				}
				if !slices.Contains(codes, a.code()) {
					t.Errorf("%s: %d %s", name, r.status, r.body)
				}
			})
		}
	}
	group.Wait()
	t.Logf("the last was answered after %v", time.Since(began).Round(time.Millisecond))
	if inFlight := p.metric("almanac_http_in_flight"); inFlight != "2" { // the socket, and this one
		t.Errorf("%s requests are under way", inFlight)
	}

	database.Continue()
	began = time.Now()
	for name, ask := range asks {
		if r, a := p.post(ask.document, nil, ask.header...); r.status != http.StatusOK || a.code() != "" {
			t.Errorf("%s afterwards: %d %s", name, r.status, r.body)
		}
	}
	if status := ready(); status != http.StatusOK {
		t.Errorf("/readyz afterwards: %d", status)
	}
	t.Logf("everything was answered %v after the database went on", time.Since(began).Round(time.Millisecond))
	if r, a := p.post(createTask, map[string]any{"text": "heard again"}, caller("dana")...); a.code() != "" {
		t.Errorf("%d %s", r.status, r.body)
	}
	if err := listener.next(&heard); err != nil {
		t.Errorf("the subscription afterwards: %v", err)
	}
}
