package match_test

import (
	"testing"

	"almanac/projections/match"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, name    string
		names, shares bool
	}{
		{"dentist", "Orthodontist", false, false},
		{"periodontist", "Orthodontist", false, false},
		{"dentist", "Dentist", true, true},
		{"dana", "One-on-one with Dana", true, true},
		{"call dana", "Call with Dana", true, true},
		{"review call", "Review", false, true},
		{"הרופא", "רופא שיניים", true, true},
		{"רופא", "הרופא", true, true},
		{"האירוע פגישה", "פגישה", true, true},
		{"פְּגִישָׁה", "פגישה עם דנה", true, true},
		{"xylophone", "One-on-one with Dana", false, false},
		{"sync with everybody", "Call with Bob", false, false},
		{"פגישה עם יוסי", "שיחה עם דנה", false, false},
		{"", "Dentist", false, false},
		{"!!", "Dentist", false, false},
	} {
		if got := match.Names(c.text, c.name, match.Events(false).Prefixes); got != c.names {
			t.Errorf("%q names %q: %t", c.text, c.name, got)
		}
		if got := match.Shares(c.text, c.name); got != c.shares {
			t.Errorf("%q shares a word with %q: %t", c.text, c.name, got)
		}
	}
}
