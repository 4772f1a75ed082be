package plan

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// The corpora hold a sentence and its plan a line, "sentence => plan"; lines that begin with # are comments. The plan
// is written as short as it can be read:
//
//	create "Title" 11-22 14:00-15:00 rrule=… loc="…" with=Name,address,Name<address> tz=…
//	  all-day: 11-22..11-23, the end exclusive
//	read · schedule 11-22..11-23 · schedule 11-22 14:00..11-22 16:00 · search "words" 11-22..11-23
//	update "title" in 11-22..11-23 day=MONDAY at=15:00 -> date=… start=… end=… len=45m longer=30m days=2
//	  shift=-60m allday title="…" loc="…" add=… remove=… scope=…
//	delete "title" all in … except="…" scope=…
//	!not !unsupported !missing !unread !contradiction
//
// The year is written when it is not 2026.

// said is the moment of the corpora: Saturday, 21 November 2026, 12:00 in Jerusalem.
func said(t testing.TB, locale string) when.Moment {
	t.Helper()
	zone, err := when.LoadZone("Asia/Jerusalem")
	if err != nil {
		t.Fatal(err)
	}
	return when.Moment{Now: time.Date(2026, 11, 21, 12, 0, 0, 0, zone), Zone: zone, Locale: locale,
		WeekStart: model.Sunday}
}

type sentence struct {
	line       int
	text, want string
}

func corpus(t testing.TB, name string) []sentence {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var out []sentence
	lines := bufio.NewScanner(file)
	for n := 1; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "#") || lines.Text() == "" {
			continue
		}
		text, want, ok := strings.Cut(lines.Text(), " => ")
		if !ok {
			t.Fatalf("%s:%d: no plan", name, n)
		}
		out = append(out, sentence{line: n, text: text, want: want})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCorpora holds the planner to what people say: at least 95 of 100 sentences right, at most 5 of 1,000 wrong
// without a refusal. A refusal of another kind than the expected one counts as not right.
func TestCorpora(t *testing.T) {
	for _, c := range []struct {
		locale string
		files  []string
		least  int
	}{
		{"en", []string{"english.txt", "english_heldout.txt"}, 380},
		{"he", []string{"hebrew.txt", "hebrew_heldout.txt"}, 380},
	} {
		t.Run(c.locale, func(t *testing.T) {
			total, right, wrong := 0, 0, 0
			for _, name := range c.files {
				all, fine, silent := 0, 0, 0
				for _, s := range corpus(t, name) {
					all++
					got, refused := outcome(s.text, said(t, c.locale))
					switch {
					case got == s.want:
						fine++
						continue
					case !refused:
						silent++
					}
					t.Logf("%s:%d: %s\n    got  %s\n    want %s", name, s.line, s.text, got, s.want)
				}
				t.Logf("%s: %d sentences, %d right, %d refused, %d silently wrong", name, all, fine, all-fine-silent, silent)
				total, right, wrong = total+all, right+fine, wrong+silent
			}
			if total < c.least {
				t.Errorf("%d sentences, want at least %d", total, c.least)
			}
			if right*100 < total*95 {
				t.Errorf("%d of %d sentences are right, want 95 %%", right, total)
			}
			if wrong*1000 > total*5 {
				t.Errorf("%d of %d sentences are silently wrong, want at most 0.5 %%", wrong, total)
			}
		})
	}
}

// TestTried keeps readings that were judged after they were seen; they say nothing about how often the planner is
// right.
func TestTried(t *testing.T) {
	for _, c := range []struct{ locale, name string }{{"en", "english_tried.txt"}, {"he", "hebrew_tried.txt"}} {
		for _, s := range corpus(t, c.name) {
			if got, _ := outcome(s.text, said(t, c.locale)); got != s.want {
				t.Errorf("%s:%d: %s\n    got  %s\n    want %s", c.name, s.line, s.text, got, s.want)
			}
		}
	}
}

// outcome is the plan of a text in the form of the corpora, and whether it was refused.
func outcome(text string, at when.Moment) (string, bool) {
	plan, err := Read(text, at)
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		return map[Kind]string{NotAnInstruction: "!not", Unsupported: "!unsupported", Missing: "!missing", Unread: "!unread",
			Contradiction: "!contradiction"}[refusal.Kind], true
	case err != nil:
		return err.Error(), true
	}
	return short(plan), false
}

func short(p Plan) string {
	out := []string{string(p.Tool)}
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	switch p.Tool {
	case ToolCreate:
		c := p.Create
		add(`"%s"`, c.Title)
		if c.Start.AllDay() {
			add("%s..%s", shortDate(c.Start.Date), shortDate(c.End.Date))
		} else {
			add("%s-%s", shortTime(c.Start.At), shortEnd(c.Start.At, c.End.At))
		}
		if c.Recurrence != "" {
			add("rrule=%s", strings.TrimPrefix(c.Recurrence, "RRULE:"))
		}
		if c.Location != "" {
			add(`loc="%s"`, c.Location)
		}
		if len(c.People) > 0 {
			add("with=%s", shortPeople(c.People))
		}
		if c.TimeZone != "" {
			add("tz=%s", c.TimeZone)
		}
	case ToolSchedule:
		add("%s", shortWindow(p.Schedule))
	case ToolSearch:
		add(`"%s"`, p.Search.Query)
		if p.Search.Window != nil {
			add("%s", shortWindow(p.Search.Window))
		}
	case ToolUpdate:
		out = append(out, shortTarget(p.Update.Target, true)...)
		out = append(out, "->")
		out = append(out, shortChange(p.Update.Change)...)
		if p.Update.Scope != "" {
			add("scope=%s", p.Update.Scope)
		}
	case ToolDelete:
		out = append(out, shortTarget(p.Delete.Target, false)...)
		if p.Delete.Scope != "" {
			add("scope=%s", p.Delete.Scope)
		}
	}
	return strings.Join(out, " ")
}

func shortTarget(t Target, always bool) (out []string) {
	if t.Title != "" || !t.All || always {
		out = append(out, `"`+t.Title+`"`)
	}
	if t.All {
		out = append(out, "all")
	}
	if t.Window != nil {
		out = append(out, "in "+shortWindow(t.Window))
	}
	if t.DayOfWeek != "" {
		out = append(out, "day="+string(t.DayOfWeek))
	}
	if t.StartTime != "" {
		out = append(out, "at="+t.StartTime)
	}
	if len(t.Except) > 0 {
		out = append(out, `except="`+strings.Join(t.Except, `","`)+`"`)
	}
	return out
}

func shortChange(c Change) (out []string) {
	add := func(is bool, format string, args ...any) {
		if is {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(!c.Date.IsZero(), "date=%s", shortDate(c.Date))
	add(!c.EndDate.IsZero(), "enddate=%s", shortDate(c.EndDate))
	add(c.Start != nil, "start=%s", shortClock(c.Start))
	add(c.End != nil, "end=%s", shortClock(c.End))
	add(c.Duration != 0, "len=%dm", int(c.Duration.Minutes()))
	add(c.Lengthen != 0, "longer=%dm", int(c.Lengthen.Minutes()))
	add(c.ShiftDays != 0, "days=%d", c.ShiftDays)
	add(c.Shift != 0, "shift=%dm", int(c.Shift.Minutes()))
	add(c.AllDay, "allday")
	add(c.Title != "", `title="%s"`, c.Title)
	add(c.Location != "", `loc="%s"`, c.Location)
	add(len(c.AddPeople) > 0, "add=%s", shortPeople(c.AddPeople))
	add(len(c.RemovePeople) > 0, "remove=%s", shortPeople(c.RemovePeople))
	return out
}

func shortClock(c *Clock) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%02d:%02d", c.Hour, c.Minute)
}

func shortDate(d model.Date) string { return strings.TrimPrefix(d.String(), "2026-") }

func shortTime(t time.Time) string {
	return shortDate(model.DateOf(t)) + t.Format(" 15:04")
}

func shortEnd(start, end time.Time) string {
	if model.DateOf(start) == model.DateOf(end) {
		return end.Format("15:04")
	}
	return shortTime(end)
}

func shortWindow(w *Window) string {
	one := func(t, other time.Time) string {
		if t.Hour() == 0 && t.Minute() == 0 && other.Hour() == 0 && other.Minute() == 0 {
			return shortDate(model.DateOf(t))
		}
		return shortTime(t)
	}
	from, to := one(w.From, w.To), one(w.To, w.From)
	if w.From.Hour() == 12 && w.From.Equal(time.Date(2026, 11, 21, 12, 0, 0, 0, w.From.Location())) && w.To.Hour() == 0 {
		to = shortDate(model.DateOf(w.To)) // from now to the end of a day
	}
	return from + ".." + to
}

func shortPeople(list []Person) string {
	var out []string
	for _, p := range list {
		switch {
		case p.Email == "":
			out = append(out, p.Name)
		case p.Name == "":
			out = append(out, p.Email)
		default:
			out = append(out, p.Name+"<"+p.Email+">")
		}
	}
	return strings.Join(out, ",")
}
