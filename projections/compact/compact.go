// Package compact writes things as text for language models.
//
// It promises that no line and no number of lines is exceeded; that what others wrote stands between fences that nothing inside of
// them can forge; and that something always comes out, as indented JSON if need be.
package compact

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/projections/mail"
)

// Options say how long a text may be.
type Options struct {
	// MaxLines and MaxLineLength bound the text; a line's length is counted in characters. Fewer than one line counts as one, shorter lines than 20 as 20.
	MaxLines, MaxLineLength int
	// CollectMetrics asks for the result's RawBytes.
	CollectMetrics bool
	// Over tells that the time is up; nil when it never is. It is asked before each row.
	Over func() bool
	// Query is what was asked for, to be named in the text; empty for nothing.
	Query string
}

// Email is an e-mail as the formatter sees it. ID and When are our own words; all else was written by others.
type Email struct {
	ID          string   `json:"id"`
	From        string   `json:"from"`
	Subject     string   `json:"subject"`
	When        string   `json:"date"`
	Unread      bool     `json:"unread"`
	Attachments []string `json:"attachments,omitempty"`
	Snippet     string   `json:"snippet,omitempty"`
	// Body is shown instead of the snippet when it is there, on as many lines as there is room for.
	Body string `json:"body,omitempty"`
}

// Result is a text and how it came about.
type Result struct {
	Output string
	// UsedFallback tells that the output is indented JSON, in which what others wrote is data within its strings. MaxLines and MaxLineLength do not hold for it: it is all there is.
	UsedFallback bool
	// Error is empty when nothing went wrong.
	Error string
	// RawBytes is the size of the rows as compact JSON; 0 unless metrics were asked for.
	RawBytes int
}

// Metrics is what a text saves.
type Metrics struct {
	RawBytes, CompactBytes int
	// SavingsPercent is how much smaller the text is than the rows as JSON; below 0 when it is larger, 0 for JSON itself.
	SavingsPercent float64
}

// Metrics compares the text with its rows.
func (r Result) Metrics() Metrics {
	m := Metrics{RawBytes: r.RawBytes, CompactBytes: len(r.Output)}
	if r.RawBytes > 0 && !r.UsedFallback {
		m.SavingsPercent = 100 * float64(r.RawBytes-len(r.Output)) / float64(r.RawBytes)
	}
	return m
}

// The least that a text may be bounded to: a fence must fit into a line.
const (
	minLineLength = 20
	// frame is the lines around the rows: the title and two fences.
	frame = 3
)

// Emails writes e-mails: a title, and between two fences a numbered line for each with its id, when it came, whether it is unread, who it is from, what it is about, its files and
// how it begins. Where there is room, more lines of it follow, indented, so that no line of a body can be taken for another e-mail. What does not fit is counted in a last line. Locale is "he"
// for Hebrew, anything else for English.
func Emails(emails []Email, options Options, locale string) Result {
	var result Result
	if options.CollectMetrics {
		result.RawBytes = len(asJSON(emails, ""))
	}
	lines, inTime := emailLines(emails, options, wordsOf(locale))
	if !inTime {
		result.UsedFallback, result.Error = true, "the text was not done in time"
		result.Output = string(asJSON(emails, "  "))
		return result
	}
	result.Output = strings.Join(lines, "\n")
	return result
}

func emailLines(emails []Email, options Options, words phrases) (lines []string, inTime bool) {
	most, width := max(options.MaxLines, 1), max(options.MaxLineLength, minLineLength)
	query := quoted(options.Query)
	lines = append(lines, clip(words.title(len(emails), query), width))
	room := most - frame
	if len(emails) == 0 || room < 1 {
		return lines, true
	}
	shown := len(emails)
	if shown > room {
		shown = max(room-1, 1)
	}
	rest := len(emails) - shown
	extra := (room - shown - min(rest, 1)) / shown
	rows := make([]string, 0, room)
	for i := range emails[:shown] {
		if options.Over != nil && options.Over() {
			return nil, false
		}
		rows = append(rows, emailRows(&emails[i], i+1, extra, width, words)...)
	}
	token := tokenFor(rows, query)
	opening := openingMark + token
	if note := opening + words.note; utf8.RuneCountInString(note) <= width {
		opening = note
	}
	lines = append(lines, opening)
	lines = append(lines, rows...)
	lines = append(lines, closingFence(token))
	if rest > 0 && len(lines) < most {
		lines = append(lines, clip(words.more(rest), width))
	}
	return lines, true
}

// emailRows gives an e-mail's line, and up to extra more of its body.
func emailRows(e *Email, number, extra, width int, words phrases) []string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(number) + ". " + e.ID)
	if e.When != "" {
		b.WriteString(" " + e.When)
	}
	if e.Unread {
		b.WriteString(" " + words.unread)
	}
	for _, text := range [...]string{e.From, e.Subject} {
		if text = Line(text, width); text != "" {
			b.WriteString(" | " + text)
		}
	}
	if len(e.Attachments) > 0 {
		b.WriteString(" | " + words.files(len(e.Attachments)))
		for i, name := range e.Attachments {
			if i == maxNamed {
				b.WriteString(", \u2026")
				break
			}
			b.WriteString([...]string{": ", ", "}[min(i, 1)] + Line(name, width))
		}
	}
	body := bodyLines(e, extra, width)
	if extra == 0 && len(body) > 0 {
		b.WriteString(" | " + body[0])
		body = nil
	}
	rows := []string{clip(guarded(b.String()), width)}
	for i, line := range body {
		if i == extra {
			last := len(rows) - 1
			rows[last] = ellipsis(rows[last], width)
			break
		}
		rows = append(rows, clip(indent+guarded(line), width))
	}
	return rows
}

const (
	// maxNamed is how many files are named.
	maxNamed = 5
	// indent stands before the lines of a body: only e-mails begin with a number.
	indent = "   "
)

// bodyLines gives the lines of what an e-mail says that are not empty, one more than are shown at most, so that one can tell that there are more.
func bodyLines(e *Email, extra, width int) []string {
	text := e.Body
	if strings.TrimSpace(text) == "" {
		text = e.Snippet
	}
	var lines []string
	for len(lines) <= extra && text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		for len(lines) <= extra && line != "" {
			head, cut := mail.Cut(line, 4*width)
			if !cut {
				head, line = line, ""
			} else {
				line = line[len(head):]
			}
			shown := Line(head, 4*width)
			for len(lines) <= extra && shown != "" {
				if extra == 0 {
					lines, shown = append(lines, shown), ""
					continue
				}
				var first string
				first, shown = wrap(shown, width-len(indent))
				lines = append(lines, first)
			}
		}
	}
	return lines
}

// asJSON writes e-mails as JSON; it cannot fail. Each says that it is not to be trusted.
func asJSON(emails []Email, indentation string) []byte {
	type row struct {
		Untrusted bool `json:"untrusted,omitempty"`
		Email
	}
	rows := make([]row, len(emails))
	for i := range emails {
		rows[i] = row{indentation != "", emails[i]}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indentation)
	if err := encoder.Encode(rows); err != nil {
		return nil // texts and booleans can always be written
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}
