package rows

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"almanac/graph/model"
)

func TestTimeIsUTCAndExactToTheMicrosecond(t *testing.T) {
	east := time.FixedZone("east", 7200)
	for _, c := range []struct{ in, want time.Time }{
		{time.Time{}, time.Time{}},
		{time.Date(2026, 1, 2, 3, 4, 5, 678_901_999, east), time.Date(2026, 1, 2, 1, 4, 5, 678_901_000, time.UTC)},
		{time.Unix(0, 0), time.Unix(0, 0).UTC()},
		{time.Date(1969, 12, 31, 23, 59, 59, 999_999_999, time.UTC),
			time.Date(1969, 12, 31, 23, 59, 59, 999_999_000, time.UTC)},
	} {
		if got := Time(c.in); !reflect.DeepEqual(got, c.want) {
			t.Errorf("Time(%v) = %v, want %v", c.in, got, c.want)
		}
		if back := TimeOf(Micros(c.in)); !c.in.IsZero() && !reflect.DeepEqual(back, c.want) {
			t.Errorf("%v came back as %v", c.in, back)
		}
	}
}

func TestTextRefusesWhatCannotBeStored(t *testing.T) {
	for _, bad := range []string{"\x00", "a\x00b", "\xff", "a\xc3", "\xed\xa0\x80"} {
		if err := Text("fine", bad); model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if err := Text("", "שָׁלוֹם", "line\n\t", "\ufffd", "\u0001", "🥛"); err != nil {
		t.Error(err)
	}
}

func TestRecurrenceComesBack(t *testing.T) {
	for _, rule := range []*model.Recurrence{
		nil,
		{Type: model.Daily, Time: "08:00", TimeZone: "Asia/Jerusalem"},
		{Type: model.Weekly, Time: "23:59", Days: []model.Weekday{model.Sunday, model.Friday}, TimeZone: "UTC",
			Until: time.Date(2030, 1, 2, 3, 4, 5, 6000, time.UTC)},
		{Type: model.Monthly, Time: "09:00", DayOfMonth: 31, TimeZone: "America/New_York"},
		{Type: model.Nudge, Interval: 10 * time.Minute},
	} {
		kind, text, err := Recurrence(rule)
		if err != nil {
			t.Fatal(err)
		}
		got, err := RecurrenceOf(text)
		if err != nil || !reflect.DeepEqual(got, rule) {
			t.Errorf("%+v came back as %+v (%v)", rule, got, err)
		}
		if rule != nil && kind != string(rule.Type) || rule == nil && kind+text != "" {
			t.Errorf("%+v has type %q", rule, kind)
		}
	}
	local := &model.Recurrence{Type: model.Daily,
		Until: time.Date(2030, 1, 1, 0, 0, 0, 1999, time.FixedZone("east", 3600))}
	_, text, err := Recurrence(local)
	if err != nil {
		t.Fatal(err)
	}
	got, err := RecurrenceOf(text)
	if want := time.Date(2029, 12, 31, 23, 0, 0, 1000, time.UTC); err != nil || got.Until != want {
		t.Errorf("until came back as %v, want %v (%v)", got.Until, want, err)
	}
	if _, err := RecurrenceOf("{"); err == nil {
		t.Error("broken JSON is no error")
	}
}

func TestPage(t *testing.T) {
	for _, c := range []struct {
		name              string
		read              []int
		limit             int
		edges             Edges
		page              []int
		next, hasPrevious bool
	}{
		{"all there is", []int{1, 2}, 2, Edges{}, []int{1, 2}, false, false},
		{"one more", []int{1, 2, 3}, 2, Edges{}, []int{1, 2}, true, false},
		{"after a place", []int{3}, 2, Edges{After: true}, []int{3}, false, true},
		{"before a place", []int{3}, 2, Edges{Before: true}, []int{3}, true, false},
		{"the last", []int{9, 8, 7}, 2, Edges{Backward: true}, []int{8, 9}, false, true},
		{"the last before a place", []int{5, 4}, 2, Edges{Backward: true, Before: true}, []int{4, 5}, true, false},
		{"the last after a place", []int{5}, 2, Edges{Backward: true, After: true}, []int{5}, false, true},
		{"nothing wanted", []int{1}, 0, Edges{}, []int{}, true, false},
		{"nothing there", nil, 3, Edges{}, nil, false, false},
	} {
		page, next, previous := Page(slices.Clone(c.read), c.limit, c.edges)
		if !slices.Equal(page, c.page) || next != c.next || previous != c.hasPrevious {
			t.Errorf("%s: %v %v %v, want %v %v %v", c.name, page, next, previous, c.page, c.next, c.hasPrevious)
		}
	}
}

func TestScopesComeBack(t *testing.T) {
	for _, scopes := range [][]model.Scope{nil, {model.ScopeRead}, {model.ScopeSend, model.ScopeRead, model.ScopeWrite}} {
		if got := ScopesOf(Scopes(scopes)); !slices.Equal(got, scopes) {
			t.Errorf("%v came back as %v", scopes, got)
		}
	}
}

func TestWordsComeBack(t *testing.T) {
	for _, words := range [][]string{nil, {"a"}, {"https://www.googleapis.com/auth/calendar.events", "openid", "קריאה"}} {
		text, err := Words(words)
		if got := WordsOf(text); err != nil || !slices.Equal(got, words) {
			t.Errorf("%q came back as %q (%v)", words, got, err)
		}
	}
	for _, bad := range []string{"", " ", "a b", " a", "a\t", "a\u00a0b", "a\u2003", "a\x00", "a\xff"} {
		if _, err := Words([]string{"fine", bad}); model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestDistinctKeepsTheFirst(t *testing.T) {
	a, b, c := model.UUID{1}, model.UUID{2}, model.UUID{3}
	if got := Distinct([]model.UUID{b, a, b, c, a}); !slices.Equal(got, []model.UUID{b, a, c}) {
		t.Errorf("got %v", got)
	}
}
