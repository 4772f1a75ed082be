package tagger_test

import (
	"math"
	"strings"
	"testing"

	"almanac/projections/plan"
	"almanac/projections/tagger"
	"almanac/projections/when"
)

// None of these sentences is in a set that the model was trained on. The kind is the likeliest beside what is unclear.
func TestKindsOfRequests(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]tagger.Kind{
		"add a haircut on Monday at 9:15":            tagger.NewEvent,
		"please push the physiotherapist to Tuesday": tagger.EventChange,
		"cancel the physiotherapist on Tuesday":      tagger.EventEnd,
		"remind me to water the cactus":              tagger.NewTask,
		"add soap and sponges to the shopping list":  tagger.ListAdd,
		"remember that the cactus hates frost":       tagger.NewMemory,
		"when is the physiotherapist?":               tagger.EventReading,
		"תקבע לי פיזיותרפיה ביום שני ב-9:15":         tagger.NewEvent,
		"תדחה את הפיזיותרפיה ליום שלישי":             tagger.EventChange,
		"תבטל את הפיזיותרפיה":                        tagger.EventEnd,
		"תזכיר לי להשקות את הקקטוס":                  tagger.NewTask,
		"תוסיף סבון וספוגים לרשימת הקניות":           tagger.ListAdd,
		"תזכור שהקקטוס לא אוהב קור":                  tagger.NewMemory,
		"מתי הפיזיותרפיה?":                           tagger.EventReading,
	} {
		got := tagger.KindOf(tagger.Tokens(text, plan.TimeSpans(text, when.Moment{})))
		sum := 0.0
		for kind, chance := range got {
			if sum += chance; chance > got[want] && tagger.Kind(kind) != tagger.Unclear {
				t.Errorf("%q is kind %d (%.2f), not %d (%.2f)", text, kind, chance, want, got[want])
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%q: the chances are %g together", text, sum)
		}
	}
}

func TestNamesAreDoubted(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		text, name string
		doubted    bool
	}{
		{"physiotherapy on Monday at 9:15, we leave at 8", "Physiotherapy", false},
		{"physiotherapy on Monday at 9:15, we leave at 8", "Physiotherapy we leave", true},
		{"plumber Thursday 14:00, he'll need two hours", "Plumber", false},
		{"plumber Thursday 14:00, he'll need two hours", "Plumber he'll need", true},
		{"פיזיותרפיה ביום שני ב-9:15, צריך שעתיים", "פיזיותרפיה", false},
		{"פיזיותרפיה ביום שני ב-9:15, צריך שעתיים", "פיזיותרפיה צריך", true},
		{"", "Physiotherapy", false},
		{"physiotherapy", "", false},
	} {
		got := tagger.NameDoubt(tagger.Tokens(one.text, nil), tagger.NewEvent, one.name)
		if doubted := got.Least < 0.06 || got.Pieces > 1 && got.Least < 0.25; doubted != one.doubted {
			t.Errorf("%q of %q: %+v", one.name, one.text, got)
		}
	}
}

func TestMissingWords(t *testing.T) {
	t.Parallel()
	for _, one := range []struct {
		text, texts string
		missing     bool
	}{
		{"physiotherapy with Nitza on Monday at 9:15", "Physiotherapy with Nitza", false},
		{"physiotherapy with Nitza on Monday at 9:15", "Physiotherapy", true},
		{"coffee w Dana tomorrow at 9", "Coffee with Dana", false},
		{"פיזיותרפיה עם ניצה ביום שני ב-9:15", "פיזיותרפיה עם ניצה", false},
		{"פיזיותרפיה עם ניצה ביום שני ב-9:15", "פיזיותרפיה", true},
	} {
		most := 0.0
		for _, chance := range tagger.Missing(tagger.Tokens(one.text, plan.TimeSpans(one.text, when.Moment{})),
			tagger.NewEvent, one.texts) {
			most = max(most, chance)
		}
		if missing := most > 0.5; missing != one.missing {
			t.Errorf("%q of %q: %.2f", one.texts, one.text, most)
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Dr. Cohen's at 10:30, w/ Dana": "dr|.|cohen's|at|10:30|,|with|dana",
		"מוצ\"ש ב-21:30!":               "מוצ\"ש|ב-21:30|!",
		"lunch ⟨at noon⟩ with Dana":     "lunch|⌚|with|dana",
		"⟨מחר⟩ ⟨ב-9⟩ רופא":              "⌚|⌚|רופא",
		" \t":                           "",
	} {
		var times [][2]int
		for {
			before, rest, ok := strings.Cut(text, "⟨")
			if !ok {
				break
			}
			time, after, _ := strings.Cut(rest, "⟩")
			times = append(times, [2]int{len(before), len(before) + len(time)})
			text = before + time + after
		}
		tokens := tagger.Tokens(text, times)
		got := make([]string, len(tokens))
		for i, token := range tokens {
			if got[i] = token.Text; token.From >= token.To || token.To > len(text) || i > 0 && token.From < tokens[i-1].To {
				t.Errorf("%q: %+v", text, token)
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %s, want %s", text, strings.Join(got, "|"), want)
		}
	}
}

// Any text has chances between 0 and 1.
func FuzzReaders(f *testing.F) {
	f.Add("lunch with Dana on Friday at 12", "Lunch with Dana")
	f.Add("ארוחה עם דנה", "דנה ארוחה")
	f.Add("\xff\u200d, ,", "\u0301")
	f.Fuzz(func(t *testing.T, text, name string) {
		for _, chance := range tagger.KindOf(tagger.Tokens(text, nil)) {
			if !(chance >= 0 && chance <= 1) {
				t.Fatalf("%q: a chance of %g", text, chance)
			}
		}
		got := tagger.NameDoubt(tagger.Tokens(text, nil), tagger.NewEvent, name)
		if !(got.Least >= 0 && got.Least <= 1) || got.Pieces < 0 {
			t.Fatalf("%q of %q: %+v", name, text, got)
		}
	})
}
