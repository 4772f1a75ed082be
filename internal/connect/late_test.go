package connect

import (
	"net/http"
	"net/url"
	"testing"
	"time"
)

// A form that is late while its ticket is not: the way back holds a ticket, and is for the browser of the form alone.
func TestLateForm(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	a := attempt{User: alice, Scopes: h.wanted(nil), Ticket: h.clock.Now().Add(time.Minute).Unix(),
		Ends: h.clock.Now().Unix(), Flow: "flow", Browser: browserOf("secret")}
	form := h.write(stepForm, a)
	for cookie, offered := range map[string]bool{"": false, h.cookieName("flow") + "=other": false,
		h.cookieName("flow") + "=secret": true} {
		got := h.serve(http.MethodPost, PathStart, func(r *http.Request) {
			setForm(r, url.Values{"form": {form}})
			r.Header.Set("Cookie", cookie)
		})
		if got.status != http.StatusBadRequest || (got.link() != "") != offered {
			t.Errorf("with the cookie %q: %d, the way back %q", cookie, got.status, got.link())
		}
	}
}
