package compact_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/projections/compact"
)

var opening = regexp.MustCompile(`^<<untrusted ([0-9a-f]{6})`)

// hold checks what every text promises, whatever it is made of: lines, their lengths, tokens, no character that is not
// seen, and fences that are one pair.
func hold(t testing.TB, o compact.Options, r compact.Result) {
	t.Helper()
	if o.MaxTokens > 0 && compact.Tokens(r.Output) > o.MaxTokens {
		t.Errorf("%d tokens, at most %d:\n%s", compact.Tokens(r.Output), o.MaxTokens, r.Output)
	}
	if !utf8.ValidString(r.Output) {
		t.Errorf("no UTF-8: %q", r.Output)
	}
	for _, c := range r.Output {
		if c < ' ' && c != '\n' || 0x7f <= c && c < 0xa0 || 0x200b <= c && c <= 0x200f && c != 0x200d ||
			0x202a <= c && c <= 0x202e || 0x2066 <= c && c <= 0x2069 || 0xe0000 <= c && c <= 0xe0fff || c == 0x2028 ||
			c == 0x2029 || c == 0xfeff || c == 0xad {
			t.Errorf("%U in %q", c, r.Output)
			return
		}
	}
	if r.UsedFallback {
		if r.Error == "" {
			t.Error("a fallback without an error")
		}
		return
	}
	if r.Error != "" {
		t.Errorf("an error without a fallback: %s", r.Error)
	}
	most, width := o.MaxLines, o.MaxLineLength
	if most == 0 {
		most = compact.DefaultLines
	}
	if width == 0 {
		width = compact.DefaultLineLength
	}
	width = max(width, 20)
	lines := strings.Split(r.Output, "\n")
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > width {
			t.Errorf("a line of %d characters, at most %d: %q", n, width, line)
		}
	}
	if r.Shown > max(most, 1) {
		t.Errorf("%d rows, at most %d:\n%s", r.Shown, most, r.Output)
	}
	opened, closed, secret := 0, 0, ""
	for _, line := range lines {
		switch match := opening.FindStringSubmatch(line); {
		case match != nil:
			opened, secret = opened+1, match[1]
		case strings.Contains(line, "<<"):
			opened += 2
		case strings.Contains(line, ">>"):
			closed++
			if line != "untrusted "+secret+">>" {
				t.Errorf("%q closes nothing in\n%s", line, r.Output)
			}
		}
	}
	if opened != closed || opened > 1 {
		t.Errorf("%d fences open and %d close in\n%s", opened, closed, r.Output)
	}
	if secret != "" && strings.Count(r.Output, secret) != 2 {
		t.Errorf("the token %s stands %d times in\n%s", secret, strings.Count(r.Output, secret), r.Output)
	}
}
