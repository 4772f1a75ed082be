package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean returns a user's text as it is kept: without invalid UTF-8, without control characters other than newline and
// tab (NUL above all, which PostgreSQL cannot hold), with newlines for carriage returns, and without white space at the
// ends. All else, also what cannot be seen, is the user's and stays. Cleaning a clean text changes nothing.
func Clean(s string) string {
	if !isClean(s) {
		s = strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\r\n", "\n")
		s = strings.Map(func(r rune) rune {
			switch {
			case r == '\r' || r == '\u0085':
				return '\n'
			case r == '\n' || r == '\t' || !unicode.IsControl(r):
				return r
			}
			return -1
		}, s)
	}
	return strings.TrimSpace(s)
}

func isClean(s string) bool {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return false
			}
		}
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return false
		}
	}
	return true
}

// Head returns at most the first characters (code points) of a text.
func Head(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for i := range s {
		if most == 0 {
			return s[:i]
		}
		most--
	}
	return s
}
