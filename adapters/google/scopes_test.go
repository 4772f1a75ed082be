package google_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"almanac/adapters/google"
)

const auth = "https://www.googleapis.com/auth/"

func TestMissing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name                     string
		granted, wanted, missing []string
	}{
		{"nothing wanted", nil, nil, nil},
		{"nothing granted", nil, []string{google.ScopeFreeBusy, google.ScopeCalendarEvents},
			[]string{google.ScopeFreeBusy, google.ScopeCalendarEvents}},
		{"all granted", []string{google.ScopeFreeBusy, google.ScopeCalendarEvents},
			[]string{google.ScopeCalendarEvents, google.ScopeFreeBusy}, nil},
		{"one unticked", []string{google.ScopeCalendarEvents}, []string{google.ScopeCalendarEvents, google.ScopeFreeBusy},
			[]string{google.ScopeFreeBusy}},
		{"a wider one", []string{auth + "calendar"},
			[]string{google.ScopeCalendarEvents, google.ScopeFreeBusy, google.ScopeCalendarList}, nil},
		{"a narrower one", []string{auth + "calendar.events.readonly"}, []string{google.ScopeCalendarEvents},
			[]string{google.ScopeCalendarEvents}},
		{"of another API", []string{"https://mail.google.com/"}, []string{google.ScopeGmailSend, google.ScopeFreeBusy},
			[]string{google.ScopeFreeBusy}},
		{"twice", nil, []string{google.ScopeFreeBusy, google.ScopeFreeBusy}, []string{google.ScopeFreeBusy}},
		{"unknown ones", []string{"x"}, []string{"x", "y"}, []string{"y"}},
	} {
		if got := google.Missing(test.granted, test.wanted); !slices.Equal(got, test.missing) {
			t.Errorf("%s: %v, not %v", test.name, got, test.missing)
		}
	}
}

// What covers what is computed from Google's own descriptions: a wider scope allows every method that the narrower
// does.
func TestWiderScopesAllowAsMuch(t *testing.T) {
	t.Parallel()
	allowed := methodsByScope(t)
	own := []string{
		google.ScopeCalendarEvents, google.ScopeCalendarList, google.ScopeFreeBusy, google.ScopeGmailReadonly,
		google.ScopeGmailSend,
		google.ScopeGmailCompose, google.ScopeGmailModify, google.ScopeGmailLabels,
	}
	covered := 0
	for _, narrow := range own {
		if len(allowed[narrow]) == 0 {
			t.Errorf("%s is in no description", narrow)
		}
		for wide, methods := range allowed {
			if wide == narrow || len(google.Missing([]string{wide}, []string{narrow})) > 0 {
				continue
			}
			covered++
			for _, method := range allowed[narrow] {
				if !slices.Contains(methods, method) {
					t.Errorf("%s is said to cover %s, and does not allow %s", wide, narrow, method)
				}
			}
		}
	}
	if covered < 15 {
		t.Errorf("only %d pairs were looked at", covered)
	}
}

func methodsByScope(t *testing.T) map[string][]string {
	t.Helper()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "google.golang.org/api").Output()
	if err != nil {
		t.Fatalf("where the descriptions are: %v", err)
	}
	type resource struct {
		Methods map[string]struct {
			ID     string
			Scopes []string
		}
		Resources map[string]json.RawMessage
	}
	allowed := map[string][]string{}
	var walk func(raw []byte)
	walk = func(raw []byte) {
		var r resource
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatal(err)
		}
		for _, method := range r.Methods {
			for _, scope := range method.Scopes {
				allowed[scope] = append(allowed[scope], method.ID)
			}
		}
		for _, inner := range r.Resources {
			walk(inner)
		}
	}
	for _, name := range []string{"calendar/v3/calendar-api.json", "gmail/v1/gmail-api.json"} {
		raw, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), name))
		if err != nil {
			t.Fatal(err)
		}
		walk(raw)
	}
	return allowed
}
