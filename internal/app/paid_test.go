package app_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// A token that may spend puts its questions to Exa and no more, one that may not puts none, and neither makes another
// that may: their user goes on.
func TestATokenSpendsWhatItMay(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, append(flags, "--demo")...)
			issue := func(paid string, header ...string) (reply, string) {
				var made struct {
					CreateToken struct{ Secret string }
				}
				r, a := p.post(`mutation { createToken(input: {
					name: "t", scopes: [WEBSETS_READ, ACCOUNT_WRITE]`+paid+`}) { secret } }`, nil, header...)
				if err := json.Unmarshal(a.Data, &made); err != nil && a.code() == "" {
					t.Fatalf("%s: %v", r.body, err)
				}
				return r, made.CreateToken.Secret
			}
			const search = `{ webSearch(query: "water", first: 1) { url } }`
			ask := func(code string, header ...string) {
				t.Helper()
				r, a := p.post(search, nil, header...)
				if a.code() != code || code == "" && !strings.Contains(string(r.body), "http") {
					t.Errorf("%d %s, want %q", r.status, r.body, code)
				}
			}
			_, two := issue(", paidPerHour: 2")
			ask("", bearer(two)...)
			ask("", bearer(two)...)
			ask("RATE_LIMITED", bearer(two)...)
			_, none := issue(", paidPerHour: 0")
			ask("FORBIDDEN", bearer(none)...)
			r, secret := issue(", paidPerHour: 1", bearer(two)...)
			if secret != "" || !strings.Contains(string(r.body), "FORBIDDEN") {
				t.Errorf("a token with a bound made one that spends: %s", r.body)
			}
			_, child := issue("", bearer(two)...)
			ask("FORBIDDEN", bearer(child)...)
			ask("")
		})
	}
}
