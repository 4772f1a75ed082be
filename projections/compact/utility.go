package compact

import (
	"strconv"
	"strings"
	"time"

	"almanac/projections/mail"
)

// RelativeTime says how long ago a moment was, seen from another: "just now", "5m ago", "2h ago", "1d ago", "1mo ago"
// (of 30 days), "1y ago" (of 365 days). What lies ahead is "just now".
func RelativeTime(then, now time.Time) string {
	ago := now.Sub(then)
	days := int(ago / (24 * time.Hour))
	switch {
	case days >= 365:
		return strconv.Itoa(days/365) + "y ago"
	case days >= 30:
		return strconv.Itoa(days/30) + "mo ago"
	case days > 0:
		return strconv.Itoa(days) + "d ago"
	case ago >= time.Hour:
		return strconv.Itoa(int(ago/time.Hour)) + "h ago"
	case ago >= time.Minute:
		return strconv.Itoa(int(ago/time.Minute)) + "m ago"
	default:
		return "just now"
	}
}

// TruncateUUID returns the last 8 characters of an id behind three dots; a shorter one as it is.
func TruncateUUID(uuid string) string {
	const shown = 8
	runes := []rune(Line(uuid, maxWord))
	if len(runes) < shown {
		return string(runes)
	}
	return "..." + string(runes[len(runes)-shown:])
}

// TruncateText returns a text as one line of at most that many characters (code points), three dots included when it is
// cut. It is cut before a word, or within a first word that is too long, never within what a reader takes for one
// character. Direction marks and overrides are taken out, so no cut leaves one open. A limit of 3 and less leaves no
// room for dots.
func TruncateText(text string, maxLength int) string {
	const dots = "..."
	if maxLength <= 0 {
		return ""
	}
	line := Line(text, 8*maxLength) // more than is shown, and bounded
	if _, cut := mail.Cut(line, maxLength); !cut {
		return line
	}
	if maxLength <= len(dots) {
		head, _ := mail.Cut(line, maxLength)
		return head
	}
	head, _ := mail.Cut(line, maxLength-len(dots))
	if i := strings.LastIndexByte(head, ' '); i > 0 {
		head = head[:i]
	}
	return strings.TrimRight(head, " ") + dots
}

// maxWord bounds names, ids and the like, in characters.
const maxWord = 400

// parseTime reads a time as programs write it in JSON: RFC 3339, also without a zone (then UTC), with a space for the
// T, or a date alone.
func parseTime(text string) (time.Time, bool) {
	for _, layout := range [...]string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999",
		"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// Time is an instant as it stands in JSON: RFC 3339, null for none. What is no time is none.
type Time struct{ time.Time }

// MarshalJSON writes the instant.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return []byte(`"` + t.Format(time.RFC3339) + `"`), nil
}

// UnmarshalJSON reads the instant.
func (t *Time) UnmarshalJSON(data []byte) error {
	text, err := strconv.Unquote(string(data))
	if err != nil {
		*t = Time{}
		return nil //nolint:nilerr // null and what is no text are no time
	}
	t.Time, _ = parseTime(text)
	return nil
}
