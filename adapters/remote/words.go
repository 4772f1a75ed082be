package remote

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// LaterBy ends a sentence with when to come again, in whole seconds, rounded up.
func LaterBy(wait time.Duration) string {
	if wait <= 0 {
		return "; try again later."
	}
	seconds := int64(math.Ceil(wait.Seconds()))
	if seconds == 1 {
		return "; try again in 1 second."
	}
	return fmt.Sprintf("; try again in %d seconds.", seconds)
}

// Quoted passes a remote's words on as the remote's, behind a sentence; empty for none.
func Quoted(message string) string {
	if message == "" {
		return ""
	}
	return " It says: “" + message + "”"
}

// OneLine makes one line of a text from outside: no control characters, none that turn the direction of writing or
// cannot be seen, at most so many characters. What is private in it becomes "…"; nil looks for nothing.
func OneLine(text string, most int, private *regexp.Regexp) string {
	const widest = 4
	text = strings.ToValidUTF8(text[:min(len(text), 2*widest*most)], "") // so that it costs no more than what is kept
	if private != nil {
		text = private.ReplaceAllString(text, "…")
	}
	text = strings.Join(strings.Fields(strings.Map(visible, text)), " ")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:most-1])) + "…"
}

func visible(r rune) rune {
	switch {
	case unicode.IsSpace(r), unicode.IsControl(r):
		return ' '
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), r == unicode.ReplacementChar:
		return -1
	default:
		return r
	}
}

// Identifier returns a name if it has the form of a code and does not hold the secret, and nothing otherwise: it goes
// into log lines and answers as it is.
func Identifier(name, secret string) string {
	const most = 60
	if len(name) > most || secret != "" && strings.Contains(name, secret) || strings.HasPrefix(name, "sk-") {
		return ""
	}
	for i := range len(name) {
		c := name[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' && c != '.' {
			return ""
		}
	}
	return name
}

// Text is a JSON string's text; empty for anything else.
func Text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
