package app_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/golang-jwt/jwt/v5"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"almanac/internal/pgtest"
)

// subjectBearer is the header of a user of the test's own JWTs.
func subjectBearer(t *testing.T, subject string) []string {
	t.Helper()
	return bearer(signed(t, jwt.SigningMethodHS256, []byte(jwtSecret), jwt.MapClaims{"sub": subject, "exp": soon()}))
}

// lockedFile makes every write into an SQLite file wait until release is called.
func lockedFile(t *testing.T, folder string) (release func()) {
	t.Helper()
	conn, err := sqlite.OpenConn(filepath.Join(folder, "almanac.db"), sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	if err := sqlitex.ExecuteTransient(conn, "BEGIN IMMEDIATE", nil); err != nil {
		t.Fatal(err)
	}
	return sync.OnceFunc(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
}

// One user sends 200 writes that cannot go on. They have their share of the places and of the queue, and what is beyond
// is told to come again; another user is answered all the while, on requests and on a socket.
func TestAFloodOfOneUserHoldsNobodyElse(t *testing.T) {
	t.Parallel()
	folder, url := t.TempDir(), pgtest.URL(t)
	for name, c := range map[string]struct {
		flag string
		hold func(t *testing.T) (release func())
	}{
		"sqlite": {"--data-dir=" + folder, func(t *testing.T) func() { t.Helper(); return lockedFile(t, folder) }},
		"postgres": {"--database-url=" + url, func(t *testing.T) func() {
			t.Helper()
			_, release := heldUp(t, url)
			return release
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, c.flag, "--jwt-secret="+jwtSecret, "--max-in-flight=8", "--user-in-flight=4")
			flooding, quiet := subjectBearer(t, "flooding"), subjectBearer(t, "quiet")
			for _, header := range [][]string{flooding, quiet} {
				if r, a := p.post(createTask, map[string]any{"text": "first"}, header...); a.code() != "" {
					t.Fatalf("%d %s", r.status, r.body)
				}
			}
			release := c.hold(t)
			defer release()
			var (
				group   sync.WaitGroup
				mu      sync.Mutex
				refused int
			)
			for i := range 200 {
				group.Go(func() {
					r, a := p.post(createTask, map[string]any{"text": fmt.Sprint("flood ", i)}, flooding...)
					mu.Lock()
					defer mu.Unlock()
					switch {
					case r.status == http.StatusTooManyRequests && a.code() == "RATE_LIMITED" && r.header.Get("Retry-After") != "" &&
						a.Errors[0].Extensions["retryAfterMs"] != nil:
						refused++
					case r.status != http.StatusOK:
						t.Errorf("%d %s", r.status, r.body)
					}
				})
			}
			eventually(t, "the flood to have what it may", func() bool {
				mu.Lock()
				defer mu.Unlock()
				return refused > 100
			})
			for range 20 {
				if r, a := p.post(`{ tasks { nodes { text } } }`, nil, quiet...); r.status != http.StatusOK || a.code() != "" {
					t.Fatalf("another user is answered %d %s", r.status, r.body)
				}
			}
			s := p.mustDial(strings.TrimPrefix(quiet[1], "Bearer "))
			if err := s.subscribe("1", `{ tasks { nodes { text } } }`, nil); err != nil {
				t.Fatal(err)
			}
			if err := s.next(new(struct{})); err != nil {
				t.Errorf("another user's socket: %v", err)
			}
			if shares := p.metric(`almanac_refused_total{reason="share"}`); shares == "0" || shares == "" {
				t.Errorf("%q were refused for their share", shares)
			}
			release()
			group.Wait()
			if r, a := p.post(createTask, map[string]any{"text": "last"}, flooding...); a.code() != "" {
				t.Errorf("afterwards: %d %s", r.status, r.body)
			}
		})
	}
}

// What one user may spend a minute is theirs alone: the answers say what is left, what is beyond is told when to come
// again, and nobody else notices.
func TestABudgetOfCostIsEachUsersOwn(t *testing.T) {
	t.Parallel()
	p := start(t, "--data-dir="+t.TempDir(), "--jwt-secret="+jwtSecret, "--user-cost=10000")
	spending, quiet := subjectBearer(t, "spending"), subjectBearer(t, "quiet")
	const dear = `{ tasks(first: 100) { nodes { id text subtasks { id text } } } }`
	var last reply
	for range 100 {
		r, a := p.post(dear, nil, spending...)
		if r.header.Get("RateLimit-Policy") != `"cost";q=10000;w=60;qu="cost"` ||
			!strings.HasPrefix(r.header.Get("RateLimit"), `"cost";r=`) {
			t.Fatalf("%d %v %s", r.status, r.header, r.body)
		}
		if last = r; r.status == http.StatusTooManyRequests {
			wait, err := strconv.Atoi(r.header.Get("Retry-After"))
			if a.code() != "RATE_LIMITED" || err != nil || wait < 1 || wait > 60 {
				t.Errorf("%v %s", r.header, r.body)
			}
			break
		}
	}
	if last.status != http.StatusTooManyRequests {
		t.Errorf("the last of many was answered %d %s", last.status, last.body)
	}
	if r, a := p.post(dear, nil, quiet...); r.status != http.StatusOK || a.code() != "" {
		t.Errorf("another user is answered %d %s", r.status, r.body)
	}
	if refused := p.metric(`almanac_refused_total{reason="userCost"}`); refused != "1" {
		t.Errorf("%q refusals are counted", refused)
	}
}
