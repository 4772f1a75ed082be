package connect

import (
	"testing"

	"almanac/adapters/google"
	"almanac/web/browsertest"
)

// The whole way in a real browser, whose rules for cookies, forms and policies no other test knows.
func TestLinkInABrowser(t *testing.T) {
	h := newFixture(t)
	h.google.RemoveAccount(omer) // with one account, the stand-in shows its page at once
	before := 0
	browsertest.RunConsentSuite(t, func() string { return h.URL(alice, nil, yael) }, yael, func(t *testing.T) {
		t.Helper()
		c := h.connection(alice, yael)
		if google.Missing(c.Scopes, CalendarScopes(false)) != nil || c.Number != 1 {
			t.Errorf("it is %+v", c)
		}
		if n := h.calls("oauth.token"); n <= before {
			t.Errorf("Google was asked %d times", n)
		} else {
			before = n
		}
	})
}
