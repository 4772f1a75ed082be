package google_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"almanac/internal/standin/google"
)

// newServer serves the rig over TCP until the test ends.
func newServer(t testing.TB, r *rig) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(r.Handler())
	t.Cleanup(server.Close)
	return server
}

func refreshOf(tokens google.Tokens) *oauth2.Token {
	return &oauth2.Token{RefreshToken: tokens.Refresh}
}

func snapshotOf(t testing.TB, r *rig) string {
	t.Helper()
	var out bytes.Buffer
	if err := r.Snapshot(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestSnapshot(t *testing.T) {
	t.Parallel()
	old := newRig(t, func(o *google.Options) { o.RefreshTokenLife = 48 * time.Hour })
	tokens := old.grant(t, dana, events)
	old.calendar.names, old.gmail.names = []string{"פגישה", "<b>"}, []string{"מכתב"}
	saved := snapshotOf(t, old)
	for _, secret := range []string{tokens.Access, tokens.Refresh} {
		if strings.Contains(saved, secret) {
			t.Errorf("the snapshot holds a token")
		}
	}
	if again := snapshotOf(t, old); again != saved {
		t.Error("two snapshots of the same differ")
	}

	restored := newRig(t, func(o *google.Options) { o.Seed = 8 })
	stranger := restored.grant(t, noam, events)
	restored.calendar.names = []string{"another"}
	if err := restored.Restore(strings.NewReader(saved)); err != nil {
		t.Fatal(err)
	}
	if got := snapshotOf(t, restored); got != saved {
		t.Errorf("the round trip gives\n%s\nnot\n%s", got, saved)
	}
	if !slices.Equal(restored.calendar.names, []string{"פגישה", "<b>"}) ||
		!slices.Equal(restored.gmail.names, []string{"מכתב"}) {
		t.Errorf("the services have %v and %v", restored.calendar.names, restored.gmail.names)
	}
	if _, err := restored.serviceWith(t, restored.client(tokens.Access)).Events.List("primary").Do(); err != nil {
		t.Errorf("a token from before: %v", err)
	}
	if _, err := config().TokenSource(restored.ctx(t), refreshOf(tokens)).Token(); err != nil {
		t.Errorf("a refresh token from before: %v", err)
	}
	if response, _ := get(t, restored.client(stranger.Access),
		calendarV3+"colors"); response.StatusCode != http.StatusUnauthorized {
		t.Errorf("a token that the snapshot does not know: %d", response.StatusCode)
	}
	restored.clock.pass(48 * time.Hour)
	if _, err := config().TokenSource(restored.ctx(t), refreshOf(tokens)).Token(); err == nil {
		t.Error("the refresh token does not end after a restart")
	}
}

func TestBrokenSnapshots(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.grant(t, dana, events)
	r.calendar.names = []string{"kept"}
	before := snapshotOf(t, r)
	digest := strings.Repeat("ab", 32)
	for name, text := range map[string]string{
		"empty":                    ``,
		"half":                     before[:len(before)/2],
		"another version":          strings.Replace(before, `"version":1`, `"version":2`, 1),
		"no version":               `{}`,
		"an account without name":  `{"version":1,"accounts":[{}]}`,
		"an account twice":         `{"version":1,"accounts":[{"email":"a@b.c"},{"email":"a@b.c"}]}`,
		"a token of nobody":        `{"version":1,"access":[{"digest":"` + digest + `","email":"a@b.c"}]}`,
		"a digest of another size": `{"version":1,"accounts":[{"email":"a@b.c","refresh":[{"digest":"abcd"}]}]}`,
		"a digest of no digits": `{"version":1,"accounts":[{"email":"a@b.c","refresh":[{"digest":"` +
			strings.Repeat("xy", 32) + `"}]}]}`,
		"a broken first service":  `{"version":1,"services":{"calendar":{}}}`,
		"a refusing last service": `{"version":1,"services":{"calendar":["new"],"gmail":["refused"]}}`,
	} {
		if err := r.Restore(strings.NewReader(text)); err == nil {
			t.Errorf("%s: it is restored", name)
		}
		if after := snapshotOf(t, r); after != before {
			t.Fatalf("%s changed the stand-in from\n%s\nto\n%s", name, before, after)
		}
	}
	if err := r.Restore(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("a reader that fails gives %v", err)
	}
	if err := r.Snapshot(broken{}); !errors.Is(err, errBroken) {
		t.Errorf("a writer that fails gives %v", err)
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errBroken }
func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestRemoveAccount(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.calendar.names = []string{dana, noam}
	r.RemoveAccount("Dana@Example.com")
	if !slices.Equal(r.calendar.names, []string{noam}) {
		t.Errorf("the service keeps %v", r.calendar.names)
	}
}

// FuzzRestore: no text makes Restore panic, and none that it refuses changes anything.
func FuzzRestore(f *testing.F) {
	for _, seed := range []string{
		`{"version":1}`, `{"version":1,"accounts":[{"email":"a@b.c","granted":null}],"services":{"calendar":[]}}`, `[]`,
		`{"version":1,"access":[null]}`,
		`{"version":1,"accounts":[null],"services":{"gmail":null}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := newRig(t)
		before := snapshotOf(t, r)
		err := r.Restore(strings.NewReader(text))
		if after := snapshotOf(t, r); err != nil && after != before {
			t.Errorf("%q was refused and changed the stand-in", text)
		}
	})
}
