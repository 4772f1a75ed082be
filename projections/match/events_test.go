package match_test

import (
	"fmt"
	"testing"

	"almanac/graph/model"
	"almanac/projections/match"
)

func titles(all ...string) []match.Candidate[int] {
	out := make([]match.Candidate[int], len(all))
	for i, title := range all {
		out[i] = match.Candidate[int]{ID: i, Fields: []string{title}, Same: title}
	}
	return out
}

func TestLike(t *testing.T) {
	for name, c := range map[string]struct {
		query string
		all   []string
		want  string
	}{
		"equal titles beat those that hold them": {"team meeting",
			[]string{"Team meeting with Dana", "TEAM MEETING", "team  meeting"}, "[1 2]"},
		"those that hold it": {"training", []string{"Training camp", "Lunch", "My training plan"},
			"[0 2]"},
		"niqqud and final letters": {"רוֹפֵא שינײם", []string{"רופא שיניים"}, "[0]"},
		"a word before the name":   {"האירוע חתונה", []string{"חתונה", "חתונה של דנה"}, "[0]"},
		"nothing":                  {"zzz", []string{"Training camp"}, "[]"},
		"a blank text":             {" ", []string{"", "x"}, "[]"},
		"the first stands first among those alike": {"call", []string{"call b", "call a"}, "[0 1]"},
	} {
		ids := []int{}
		for _, hit := range match.Like(c.query, titles(c.all...), match.Events(true)) {
			ids = append(ids, hit.ID)
		}
		if got := fmt.Sprint(ids); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestTitle(t *testing.T) {
	for _, c := range []struct {
		text, title string
		want        bool
	}{
		{"lunch", "Lunch", true}, {"lunch", "Late lunch with Dana", true}, {"lunch", "Dinner", false}, {"l", "L", true},
		{"l", "lunch", false},
		{"האימון", "אימון איגרוף", true}, {"אירוע אימון", "אימון", true}, {"", "", false}, {"x", "", false},
	} {
		rules := match.Events(true)
		if got := match.NewTitle(c.text, rules.Prefixes, rules.MinScore).Like(c.title); got != c.want {
			t.Errorf("%q like %q: %t", c.text, c.title, got)
		}
	}
}

// A question shows one of each, where a person would not choose between them.
func TestAQuestionShowsOneOfEach(t *testing.T) {
	all := []match.Candidate[int]{
		{ID: 1, Fields: []string{"sync a"}, Same: "one"}, {ID: 2, Fields: []string{"sync a"}, Same: "one"},
		{ID: 3, Fields: []string{"sync b"}, Same: "two"},
	}
	decision := match.Decide("sync", all, match.Events(false))
	if decision.Outcome != match.Ask || decision.Kind != model.PickOne || len(decision.Matches) != 2 ||
		decision.Matches[0].ID != 1 || decision.Matches[1].ID != 3 {
		t.Errorf("%+v", decision)
	}
	if decision := match.Decide("sync a", all, match.Events(false)); decision.Outcome != match.Many ||
		decision.Matches[0].ID != 1 {
		t.Errorf("the same: %+v", decision)
	}
}
