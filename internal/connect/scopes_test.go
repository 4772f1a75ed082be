package connect

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"almanac/adapters/google"
)

// Mail is asked for with one scope, which covers reading, labels, drafts and sending, and deletes nothing for good.
func TestScopesOfMail(t *testing.T) {
	t.Parallel()
	if got := MailScopes(false); !slices.Equal(got, []string{"https://www.googleapis.com/auth/gmail.modify"}) {
		t.Errorf("mail asks for %q", got)
	}
	both := append(CalendarScopes(false), MailScopes(false)...)
	slices.Sort(both)
	if len(slices.Compact(slices.Clone(both))) != len(both) {
		t.Errorf("a scope is asked for twice: %q", both)
	}
	if missing := google.Missing(CalendarScopes(false), both); !slices.Equal(missing, MailScopes(false)) {
		t.Errorf("who has the calendar's scopes lacks %q for mail", missing)
	}
}

// An account that was linked for calendars alone is asked for the scope of mail as well, and keeps what it has.
func TestLinkingAgainForMail(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	all := append(CalendarScopes(false), MailScopes(false)...)
	link, err := url.Parse(h.URL(alice, all, ""))
	if err != nil {
		t.Fatal(err)
	}
	if text := link.String(); text == "" || len(text) > 2000 || strings.Contains(text, "gmail.modify") {
		t.Errorf("the address to link at: %q", text)
	}
	first := h.mustLink(alice, yael)
	if done := h.linkWith(newBrowser(t), h.URL(alice, all, yael), yael); done.status != http.StatusOK {
		t.Fatalf("linking for mail: %d", done.status)
	}
	if second := h.connection(alice, yael); second.ID != first.ID || google.Missing(second.Scopes, all) != nil {
		t.Errorf("linked as %s with %q, before as %s", second.ID, second.Scopes, first.ID)
	}
}
