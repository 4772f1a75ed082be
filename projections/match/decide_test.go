package match

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/graph/model"
)

// items reads "text/category/recurrence" into candidates with the sameness key of tasks.
func items(texts ...string) []Candidate[string] {
	candidates := make([]Candidate[string], len(texts))
	for i, text := range texts {
		name, rest, _ := strings.Cut(text, "/")
		category, _, _ := strings.Cut(rest, "/")
		candidates[i] = Candidate[string]{ID: fmt.Sprint(i), Fields: []string{name, category}, Same: strings.ToLower(text)}
	}
	return candidates
}

func TestDecide(t *testing.T) {
	for _, c := range []struct {
		name    string
		query   string
		options Options
		items   []string
		outcome Outcome
		ids     string // of the matches, in order
		kind    model.ConfirmationKind
	}{
		{"nothing there", "milk", Tasks(false), nil, None, "", ""},
		{"blank query", " \u200f ", Tasks(false), []string{"milk", ""}, None, "", ""},
		{"nothing like it", "xyzzy", Tasks(false), []string{"buy milk", "call mom"}, None, "", ""},
		{"equal but for case and spaces", "BUY  milk", Tasks(false), []string{"call mom", "Buy milk"}, Found, "1", ""},
		{"equal beats containing", "milk", Tasks(false), []string{"buy milk", "milk", "milk and bread"}, Found, "1", ""},
		{"equal to the category only", "work", Tasks(false), []string{"write report/work", "buy milk/home"}, Found, "0", ""},
		{"several equal and the same", "milk", Tasks(true), []string{"milk/home", "Milk/home", "milk shake"}, Many, "0 1",
			""},
		{"several equal, different fields", "milk", Tasks(false), []string{"milk/home", "milk/work"}, Ask, "0 1",
			model.PickOne},
		{"several equal, different fields, deleting", "milk", Tasks(true), []string{"milk/home", "milk/work"}, Ask, "0 1",
			model.PickMany},
		{"one like it", "dentist", Tasks(false), []string{"Dentist appointment", "call mom"}, Found, "0", ""},
		{"one like it, misspelt", "dentst", Tasks(false), []string{"Dentist appointment", "call mom"}, Found, "0", ""},
		{"two like it, close", "meeting", Tasks(false), []string{"Team meeting", "Meeting with Dana"}, Ask, "0 1",
			model.PickOne},
		{"two like it, the first wins by the gap", "dentist", Tasks(false), []string{"dntist appt", "Dentist appointment"},
			Found, "1", ""},
		{"the same twice wins by the gap", "dentist", Tasks(true),
			[]string{"Dentist appointment", "dntist appt", "dentist appointment"}, Many, "0 2", ""},
		{"at most five", "meeting", Tasks(true), []string{"meeting 1", "meeting 2", "meeting 3", "meeting 4", "meeting 5",
			"meeting 6", "meeting 7"}, Ask, "0 1 2 3 4", model.PickMany},
		{"all like it are the same", "meting", Tasks(true), []string{"meeting", "Meeting"}, Many, "0 1", ""},
		{"did you mean", "team meeting", Tasks(false), []string{"call mom", "Meeting"}, Confirm, "1", model.PickOne},
		{"did you mean, the best only", "team meeting", Tasks(true), []string{"Meat", "Meeting"}, Confirm, "1",
			model.PickOne},
		{"did you mean, barely", "abcdefghij", Tasks(false), []string{"zzzz", "xxabxx"}, Confirm, "1", model.PickOne},
		{"too little for did you mean", "abcdefghijklmnopqrstuvwx", Tasks(false), []string{"zzabzz"}, None, "", ""},
		{"the least score for did you mean is an option", "abcdefghij",
			Options{MinScore: 0.6, LowScore: 0.3, Gap: 0.15, MaxCandidates: 5}, []string{"xxabxx"}, None, "", ""},
		{"Hebrew, equal", "לקנות חלב", Tasks(false), []string{"לקנות לחם", "לקנות חלב"}, Found, "1", ""},
		{"Hebrew, niqqud in the task", "שלום עולם", Tasks(false), []string{"שָׁלוֹם עוֹלָם", "להתקשר"}, Found, "0", ""},
		{"Hebrew, niqqud within a longer task", "שלום", Tasks(false), []string{"להגיד שָׁלוֹם לדנה", "להתקשר"}, Found, "0",
			""},
		{"Hebrew, gershayim", "מסמכים לצה\"ל", Tasks(false), []string{"מסמכים לצה״ל"}, Found, "0", ""},
		{"Hebrew, prefix word before an equal text", "המשימה לקנות חלב", Tasks(false),
			[]string{"לקנות חלב", "לקנות חלב ולחם"}, Found, "0", ""},
		{"Hebrew, prefix word before a like text", "תזכורת רופא שיניים", Tasks(false),
			[]string{"תור לרופא שיניים", "לקנות חלב"}, Found, "0", ""},
		{"Hebrew, the literal text first", "משימת בית", Tasks(false), []string{"בית", "משימת בית"}, Found, "1", ""},
		{"Hebrew, article", "החלב", Tasks(false), []string{"לקנות חלב", "לשלם"}, Found, "0", ""},
		{"Hebrew, article and two like it", "הבנק", Tasks(false), []string{"בנק", "הבנק הגדול"}, Ask, "0 1", model.PickOne},
		{"Hebrew, prefix word and article", "המשימה החלב", Tasks(false), []string{"לקנות חלב", "לשלם"}, Found, "0", ""},
		{"Hebrew, a prefix alone is a name", "תזכורת", Tasks(false), []string{"תזכורת לדנה", "לשלם"}, Found, "0", ""},
		{"list, prefix word", "רשימת קניות", Lists(false), []string{"ספרים", "קניות"}, Found, "1", ""},
		{"list, prefix word with preposition", "לרשימת הקניות", Lists(false), []string{"ספרים", "קניות"}, Found, "1", ""},
		{"list, a task's prefix is no list's", "משימת קניות", Lists(false), []string{"ספרים", "משימת קניות"}, Found, "1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Decide(c.query, items(c.items...), c.options)
			var ids []string
			for _, m := range got.Matches {
				ids = append(ids, m.ID)
				if fmt.Sprint(m.Index) != m.ID {
					t.Errorf("match %s has index %d", m.ID, m.Index)
				}
			}
			if got.Outcome != c.outcome || strings.Join(ids, " ") != c.ids || got.Kind != c.kind {
				t.Errorf("got outcome %d, ids %v, kind %q (%+v)", got.Outcome, ids, got.Kind, got.Matches)
			}
		})
	}
}

func TestDecideGivesScores(t *testing.T) {
	got := Decide("team meeting", items("Weekly team meeting", "Team Meeting with Dana"), Tasks(false))
	if got.Outcome != Ask || len(got.Matches) != 2 ||
		fmt.Sprintf("%.4f %.4f", got.Matches[0].Score, got.Matches[1].Score) != "0.9814 0.9684" {
		t.Errorf("%+v", got)
	}
	if got = Decide("Team meeting", items("team meeting"), Tasks(false)); got.Matches[0].Score != 1 {
		t.Errorf("%+v", got)
	}
	if got = Decide("team meeting", items("Meeting"), Tasks(false)); fmt.Sprintf("%.4f",
		got.Matches[0].Score) != "0.5833" {
		t.Errorf("%+v", got)
	}
}

func TestRankKeepsTheOrderOfEquals(t *testing.T) {
	ranked := Rank("milk", items("milk a", "milk", "milk b", "silk", "zzz"), FuzzyMatchMin)
	var ids []string
	for _, m := range ranked {
		ids = append(ids, m.ID)
	}
	if strings.Join(ids, " ") != "1 0 2 3" {
		t.Errorf("%+v", ranked)
	}
}

func TestALongQueryMatchesOnlyItsEqual(t *testing.T) {
	long := strings.Repeat("a long text ", 100)
	if got := Decide(long, items(long+"!", strings.ToUpper(long)), Tasks(false)); got.Outcome != Found ||
		got.Matches[0].ID != "1" {
		t.Errorf("%+v", got.Outcome)
	}
	if got := Decide(long, items(long+"!"), Tasks(false)); got.Outcome != None {
		t.Errorf("%+v", got)
	}
	limit := strings.Repeat("x", MaxQuery)
	if got := Decide(limit, items(limit+"!"), Tasks(false)); got.Outcome != Found {
		t.Errorf("at the limit: %+v", got)
	}
	if got := Decide(limit+"x", items(limit+"x!"), Tasks(false)); got.Outcome != None {
		t.Errorf("beyond the limit: %+v", got)
	}
}

func TestForms(t *testing.T) {
	prefixes := Tasks(false).Prefixes
	for _, c := range []struct {
		query string
		whole []string
		bare  string
	}{
		{"buy milk", []string{"buy milk"}, ""},
		{" המשימה  לקנות ", []string{"המשימה  לקנות", "לקנות"}, ""},
		{"תזכורת הרופא", []string{"תזכורת הרופא", "הרופא"}, "רופא"},
		{"המשימה", []string{"המשימה"}, "משימה"},
		{"משימת משימת בית", []string{"משימת משימת בית", "משימת בית"}, ""},
		{"הא", []string{"הא"}, ""},
		{"הַבַּנְק", []string{"הַבַּנְק"}, "בנק"},
		{"\u200b", nil, ""},
	} {
		got := Forms(c.query, prefixes)
		if !slices.Equal(got.Whole, c.whole) || got.Bare != c.bare {
			t.Errorf("%q: %q", c.query, got)
		}
	}
}

// FuzzDecide holds for any query and candidates: what comes out was put in, in order, within the limits.
func FuzzDecide(f *testing.F) {
	f.Add("meeting", "Team meeting\nMeeting with Dana\nmilk", true)
	f.Add("המשימה הקניות", "קניות\nקניות לשבת", false)
	f.Fuzz(func(t *testing.T, query, texts string, several bool) {
		if len(query) > 300 || len(texts) > 2000 {
			return
		}
		candidates := items(strings.Split(texts, "\n")...)
		got := Decide(query, candidates, Tasks(several))
		for i, m := range got.Matches {
			if m.ID != candidates[m.Index].ID || m.Score < LowConfidenceMin || m.Score > 1 ||
				i > 0 && m.Score > got.Matches[i-1].Score {
				t.Errorf("match %d of %q: %+v", i, query, m)
			}
			if got.Outcome != Confirm && m.Score < FuzzyMatchMin {
				t.Errorf("%q is taken at %v", query, m.Score)
			}
			if got.Outcome == Many && candidates[m.Index].Same != candidates[got.Matches[0].Index].Same {
				t.Errorf("%q takes what is not the same", query)
			}
		}
		n := len(got.Matches)
		switch got.Outcome {
		case None:
			if n != 0 {
				t.Error("none has matches")
			}
		case Found, Confirm:
			if n != 1 {
				t.Errorf("%d matches for one", n)
			}
		case Ask:
			if n < 2 || n > MaxCandidates {
				t.Errorf("asks about %d", n)
			}
		case Many:
			if n < 2 {
				t.Errorf("many are %d", n)
			}
		}
		if (got.Kind != "") != (got.Outcome == Ask || got.Outcome == Confirm) {
			t.Errorf("outcome %d is of kind %q", got.Outcome, got.Kind)
		}
	})
}
