package compact_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"almanac/projections/compact"
)

func TestRelativeTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 18, 14, 0, 0, 0, time.UTC)
	for _, c := range []struct{ then, want string }{
		// the contract's
		{"2026-01-18T12:00:00Z", "2h ago"}, {"2026-01-17T12:00:00Z", "1d ago"}, {"2025-12-18T12:00:00Z", "1mo ago"},
		{"2026-01-18T13:59:01Z", "just now"}, {"2026-01-18T13:59:00Z", "1m ago"}, {"2026-01-18T13:00:01Z", "59m ago"},
		{"2026-01-17T14:00:01Z", "23h ago"}, {"2025-12-20T14:00:00Z", "29d ago"},
		{"2025-12-19T14:00:00Z", "1mo ago"}, {"2025-01-18T14:00:01Z", "12mo ago"}, {"2025-01-18T14:00:00Z", "1y ago"},
		{"2020-01-18T14:00:00Z", "6y ago"}, {"2026-01-18T15:00:00Z", "just now"}, {"2030-01-18T15:00:00Z", "just now"},
	} {
		then, err := time.Parse(time.RFC3339, c.then)
		if err != nil {
			t.Fatal(err)
		}
		if got := compact.RelativeTime(then, now); got != c.want {
			t.Errorf("%s: %s, want %s", c.then, got, c.want)
		}
	}
}

func TestTruncateUUID(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"550e8400-e29b-41d4-a716-446655440000": "...55440000", "1234567": "1234567",
		"12345678": "...12345678", "": "", "\u202e123456789": "...23456789"} {
		if got := compact.TruncateUUID(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestTruncateText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		most int
		want string
	}{
		{"This is a long text that needs truncation", 25, "This is a long text..."}, // the contract's
		{"short", 5, "short"}, {"shorter", 5, "sh..."}, {"ab cd", 4, "a..."}, {"abcdef", 3, "abc"}, {"abcdef", 0, ""},
		{"abcdef", -1, ""}, {" a\n b ", 20, "a b"},
		{"שלום לכולם ולכל העולם", 14, "שלום לכולם..."}, {"\u202eabc\u202c def", 20, "abc def"},
		{"\u2067שלום\u2069 עולם גדול", 10, "שלום..."},
		{"👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 10, "👩‍👩‍👧..."}, {"e\u0301e\u0301e\u0301", 5, "e\u0301..."},
	} {
		got := compact.TruncateText(c.in, c.most)
		if got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.in, c.most, got, c.want)
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "שלום": 2, "של": 1, "aש": 1, "aaשל": 2,
		"👋": 1, "\n\n\n\n\n": 2} {
		if got := compact.Tokens(in); got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
	}
}

func FuzzTruncateText(f *testing.F) {
	f.Add("This is a long text", 10)
	f.Add("👩‍👩‍👧 שלום\u202e", 4)
	f.Add(strings.Repeat("\u0301", 99), 7)
	f.Fuzz(func(t *testing.T, text string, most int) {
		got := compact.TruncateText(text, most%1_000)
		if n := utf8.RuneCountInString(got); n > max(most%1_000, 0) || !utf8.ValidString(got) {
			t.Errorf("%d characters at %d: %q", n, most%1_000, got)
		}
		hold(t, compact.Options{MaxLines: 1, MaxLineLength: 1_000},
			compact.Result{Output: strings.NewReplacer("<", "", ">", "").Replace(got)})
	})
}
