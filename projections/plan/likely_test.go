package plan

import (
	"strings"
	"testing"

	"almanac/bench/sentences/framed"
)

// Sentences of no set, which the grammar refuses or takes for others, and what the statistical reader makes of them.
func TestLikely(t *testing.T) {
	for _, one := range []struct {
		text string
		tool Tool
		want string // of the plan; empty where there is none
	}{
		{"kindly scrap the pottery class on Tuesday, my knee hurts", ToolDelete, "pottery class"},
		{"got a trombone concert Thursday 20:00 so put that down for me", ToolCreate, "Trombone concert"},
		{"does anything collide on Thursday", ToolSchedule, ""},
		{"תבטלי בבקשה את שיעור הקדרות ביום רביעי הברך שלי כואבת", ToolDelete, "שיעור הקדרות"},
		// whom a meeting is with is not left out
		{"תבטלי בבקשה את השיעור עם זורייקה ביום רביעי הברך שלי כואבת", ToolDelete, "השיעור עם זורייקה"},
		{"kindly scrap the session with Zorbas on Tuesday, my knee hurts", ToolDelete, "Zorbas"},
		// a time that is moved to another one, and what tasks do not have
		{"move the pottery class to the following Tuesday, will you", "", ""},
		{"the pottery homework task is high priority", "", ""},
		// which way an hour counts is said by the verb
		{"שימי לב להקדים לי את חוג הקדרות בשעה", "", ""},
		// a name that all of a time would leave out, and what is told before something is looked up
		{"am I meeting anybody called Zorbas this year", "", ""},
		{"someone rang to cancel the plumber, not me. check that it is still there", "", ""},
		{"יש לי כדורת השבוע?", "", ""},
		// too long for the reader, and quoted
		{"kindly scrap the pottery class on Tuesday, my knee hurts" + strings.Repeat(" and hurts", 20), "", ""},
		{"kindly scrap “pottery class” on Tuesday, my knee hurts", "", ""},
		{"", "", ""},
	} {
		got, ok := Likely(one.text, said(t, "en"))
		if ok != (one.tool != "") || got.Tool != one.tool {
			t.Errorf("%q: %q, want %q", one.text, got.Tool, one.tool)
			continue
		}
		name := ""
		switch {
		case got.Create != nil:
			if name = got.Create.Title; !got.Doubted {
				t.Errorf("%q would be made without being shown", one.text)
			}
		case got.Update != nil:
			name = got.Update.Target.Title
		case got.Delete != nil:
			name = got.Delete.Target.Title
		}
		if name != one.want {
			t.Errorf("%q is about %q, want %q", one.text, name, one.want)
		}
	}
}

// No question of the frames becomes a plan that changes anything.
func TestLikelyNeverWritesForQuestions(t *testing.T) {
	questions, err := framed.Read("../../bench/sentences/dev/frames.txt", 100)
	if err != nil {
		t.Fatal(err)
	}
	at := said(t, "en")
	read := 0
	for _, q := range questions {
		for _, text := range []string{q.Text, strings.TrimSuffix(q.Text, "?") + "?"} {
			out, ok := Likely(text, at)
			if ok && !out.Tool.Reads() {
				t.Errorf("%q: %s", text, everyday(out))
			}
			read += btoi(ok)
		}
	}
	if read < len(questions)/4 {
		t.Errorf("only %d of %d questions are read", read, 2*len(questions))
	}
}

func TestTidyNames(t *testing.T) {
	for said, want := range map[string]string{
		"גם שיננית": "שיננית", "משמרת גם": "משמרת", "גם": "גם", "יום הולדת גיא": "יומולדת גיא",
		"Dentist  visit": "Dentist  visit",
	} {
		if got := tidyName(said, "יומולדת גיא, גם"); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}
