package events

import (
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
)

// Likeness looks at the beginning of long titles only: two hundred of them at one time must not keep a processor busy
// for seconds. What is equal to the end is the same all the same.
func TestLongTitlesAreComparedByTheirBeginning(t *testing.T) {
	at := model.EventTime{At: time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)}
	titled := func(title string) newEvent {
		var e newEvent
		e.insert.Event = model.Event{Summary: title, Start: at, End: model.EventTime{At: at.At.Add(time.Hour)}}
		return e
	}
	long := strings.Repeat("סדנה ", 200)
	for name, c := range map[string]struct {
		a, b string
		want bool
	}{
		"equal":                        {long, long, true},
		"equal but for case":           {strings.Repeat("Team ", 200), strings.Repeat("tEAM ", 200), true},
		"alike at the beginning":       {long + "א", long + "ב", true},
		"different from the beginning": {"פגישה " + long, "אימון ערב " + strings.Repeat("ריצה ", 200), false},
		"short":                        {"Dentist", "Dentist!", true},
		"short, others":                {"Dentist", "Gym", false},
	} {
		if got := titled(c.a).twins(titled(c.b)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if cut := beginning(long); len(cut) > comparedTitle || !strings.HasPrefix(long, cut) ||
		strings.ContainsRune(cut, '\uFFFD') {
		t.Errorf("%q", cut)
	}
}
