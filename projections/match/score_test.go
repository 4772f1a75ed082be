package match

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestScoreVectors(t *testing.T) {
	for _, c := range []struct {
		query, text string
		min, want   float64 // want 0: no match
	}{
		{"team meeting", "team meeting", 0.6, 1.0},
		{"team meeting", "team meetings", 0.6, 0.9924},
		{"team meeting", "Weekly team meeting", 0.6, 0.9814},
		{"team meeting", "Team Meeting with Dana", 0.6, 0.9684},
		{"team meeting", "Team sync|the weekly team meeting of the platform group", 0.6, 0.9133},
		{"team meeting", "tem meeting", 0.6, 0.8274},
		{"tem meeting", "team meeting", 0.6, 0.8165},
		{"team meeting", "Meeting", 0.6, 0},
		{"team meeting", "Meeting", 0.1, 0.5833},
		{"meeting", "Meeting with Dana tomorrow at noon", 0.6, 0.9403},
		{"meeting", "greeting card", 0.6, 0.7474},
		{"meeting", "eating", 0.6, 0.7143},
		{"אימון", "אימון איגרוף", 0.6, 0.9924},
		{"אימון", "אימונים", 0.6, 0.8},
		{"אימון", "אמון", 0.6, 0.8},
		{"חתונה", "קניות לפני החתונה של דנה", 0.6, 0.9544},
		{"פגישה", "פגישת צוות", 0.6, 0.6795},
		{"dentist", "Dentist appointment", 0.6, 0.9924},
		{"dentist", "dentis", 0.6, 0.8571},
		{"dentist", "dntist appt", 0.6, 0.7474},
		{"buy milk", "buy milk and bread", 0.6, 0.9684},
		{"a", "a", 0.6, 1},
		{"a", "abc", 0.6, 0},
		{"", "anything", 0.1, 0},
		{" ", "a  b", 0.1, 0},
		{"buy", "", 0.1, 0},
		{"buy", "   ", 0.1, 0},
	} {
		got, ok := NewPattern(c.query, c.min).Score(strings.Split(c.text, "|")...)
		if ok != (c.want > 0) || ok && math.Abs(got-c.want) > 0.00005 {
			t.Errorf("%q in %q at %v scores %.4f (%v), want %.4f", c.query, c.text, c.min, got, ok, c.want)
		}
	}
}

// TestScoresOfFuse compares with scores that the JavaScript library Fuse.js 7.1.0 gave to the same queries, long ones
// among them, with the options threshold 1-min, ignoreLocation, minMatchCharLength 2.
func TestScoresOfFuse(t *testing.T) {
	text, err := os.ReadFile("testdata/fuse.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Query  string
		Fields []string
		Min    float64
		Score  *float64
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 200 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		got, ok := NewPattern(c.Query, c.Min).Score(c.Fields...)
		if ok != (c.Score != nil) || ok && math.Abs(got-*c.Score) > 1e-12 {
			t.Errorf("%q in %q at %v scores %v (%v)", c.Query, c.Fields, c.Min, got, ok)
		}
	}
}

// plainScore is the definition, written out: a whole matrix, no bits, no early end.
func plainScore(query string, min float64, fields ...string) (float64, bool) {
	pattern := utf16.Encode([]rune(lower(query)))
	total, matched := 1.0, false
	for _, field := range fields {
		text := utf16.Encode([]rune(lower(field)))
		if isBlank(field) || isBlank(query) {
			continue
		}
		distance, ok := equalDistance, true
		if lower(query) != lower(field) {
			distance, ok = plainDistance(pattern, text, 1-min)
		}
		if ok {
			words := 0
			for _, word := range strings.Split(field, " ") {
				if word != "" {
					words++
				}
			}
			matched = true
			total *= math.Pow(distance, math.Round(1/math.Sqrt(float64(words))*1000)/1000)
		}
	}
	return 1 - total, matched && 1-total >= min
}

func plainDistance(pattern, text []uint16, threshold float64) (float64, bool) {
	if len(pattern) > MaxQuery {
		return 0, false
	}
	var pieces [][]uint16
	for rest := pattern; len(rest) > 0; {
		n := min(32, len(rest))
		if n < 32 && len(pattern) > 32 {
			pieces = append(pieces, pattern[len(pattern)-32:])
			break
		}
		pieces, rest = append(pieces, rest[:n]), rest[n:]
	}
	sum, matched := 0.0, false
	for _, piece := range pieces {
		raw := float64(plainEdits(piece, text)) / float64(len(piece))
		if raw > threshold || raw == 1 {
			sum++
			continue
		}
		sum += max(0.001, raw)
		for i := 1; i < len(text); i++ {
			if has(piece, text[i-1]) && has(piece, text[i]) {
				matched = true
			}
		}
	}
	return sum / float64(len(pieces)), matched
}

func has(units []uint16, unit uint16) bool {
	for _, u := range units {
		if u == unit {
			return true
		}
	}
	return false
}

func plainEdits(pattern, text []uint16) int {
	above := make([]int, len(text)+1) // a match may begin anywhere: the top row is zero
	for i := range pattern {
		row := make([]int, len(text)+1)
		row[0] = i + 1
		for j := range text {
			substitute := above[j]
			if pattern[i] != text[j] {
				substitute++
			}
			row[j+1] = min(substitute, above[j+1]+1, row[j]+1)
		}
		above = row
	}
	least := len(pattern)
	for _, edits := range above {
		least = min(least, edits)
	}
	return least
}

func FuzzScore(f *testing.F) {
	f.Add("team meeting", "Weekly team meetings", "work", uint8(60))
	f.Add("אימון", "אימונים", "", uint8(10))
	f.Add("ΟΔΟΣ 😀😀", "İ 😀 οδος", "\xff", uint8(85))
	f.Add(strings.Repeat("long query ", 9), strings.Repeat("lung query ", 9), "x", uint8(50))
	f.Add(strings.Repeat("ab", MaxQuery), "abab", "ab", uint8(50))
	f.Fuzz(func(t *testing.T, query, one, two string, percent uint8) {
		if len(query) > 400 || len(one) > 400 || len(two) > 400 || percent < 1 || percent > 100 {
			return
		}
		least := float64(percent) / 100
		got, ok := NewPattern(query, least).Score(one, two)
		want, wantOK := plainScore(query, least, one, two)
		if ok != wantOK || ok && math.Abs(got-want) > 1e-12 {
			t.Errorf("%q in %q and %q at %v scores %v (%v), want %v (%v)", query, one, two, least, got, ok, want, wantOK)
		}
		if ok && (got < least || got > 1) {
			t.Errorf("score %v", got)
		}
	})
}

func BenchmarkRank(b *testing.B) {
	for _, query := range []string{"dentist appointment", "תור לרופא השיניים",
		strings.Repeat("a rather long query ", 15)} {
		var candidates []Candidate[int]
		for i := range 50_000 {
			candidates = append(candidates, Candidate[int]{ID: i,
				Fields: []string{fmt.Sprintf("Call the office about item %d לפני סוף השבוע", i), "work"}})
		}
		b.Run(fmt.Sprint(len(query)), func(b *testing.B) {
			for b.Loop() {
				_ = Rank(query, candidates, 0.6)
			}
		})
	}
}
