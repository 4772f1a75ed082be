package compact

import (
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/projections/mail"
)

// document is a text before it is bounded.
type document struct {
	// title begins the text; it names the query when it is given one.
	title func(query string) string
	// head are lines between the title and the rows.
	head []string
	// n is how many rows there are.
	n int
	// row returns the lines of a row: one, and up to extra more where there is room. A line that must be two, though it
	// counts as one, has a line feed in it.
	row func(i, extra int) []string
	// roomy: rows have more than one line to show.
	roomy bool
	// fenced: what others wrote is among the rows.
	fenced bool
	// left counts what is not shown; nil: the rows that are not.
	left func(shown int) int
	// open: more follow that are not here.
	open bool
	// foot are lines after the rows; they are kept before any row is.
	foot []string
	// raw is what the rows shown are as JSON.
	raw func(shown int) any
	// say is the language of what is added.
	say *phrases
}

// write bounds a document. A document that is not done in time is JSON.
func (d *document) write(o Options) Result {
	o = o.bounds()
	b := bounded{document: d, Options: o}
	lines, inTime := b.lines()
	var result Result
	if !inTime {
		result = fallback(encoded(d.raw(d.n)), o, ErrorTimeUp)
		result.Shown = d.n
		if result.Output == "" || strings.Contains(result.Output, cutNote) {
			result.Shown = 0
		}
	} else {
		result.Shown, result.Output = b.shown, cutTo(strings.Join(lines, "\n"), o.MaxTokens)
	}
	if o.CollectMetrics {
		raw := encoded(d.raw(result.Shown))
		result.RawBytes, result.RawTokens = len(raw), Tokens(string(raw))
	}
	result.Elapsed = o.Watch.Elapsed()
	return result
}

// bounded is a document while it is being bounded.
type bounded struct {
	*document
	Options
	// shown is how many rows are.
	shown int
	// room is what the rows may have, in quarters of a token; reserve is what of it the line about the rest may need.
	room, reserve int
}

// unbounded is more than any text has.
const unbounded = int(^uint(0)>>1) / 2

// lines returns the text's lines, false when time was up.
func (b *bounded) lines() ([]string, bool) {
	query := quoted(b.Query)
	head := b.above(query)
	opening, closing := b.fences()
	limit := unbounded
	if b.MaxTokens > 0 {
		limit = 4 * b.MaxTokens
	}
	foot := b.clipped(b.foot)
	b.reserve = quarters(b.say.more(b.n+999, true)) + 1
	fixed := func() int { return cost(head) + cost(opening) + cost(closing) + cost(foot) }
	if b.n > 0 && limit-fixed()-b.reserve < limit/2 { // what matters least goes first
		opening = b.plainOpening()
		head = b.above("")
	}
	b.room = limit - fixed()
	if b.n == 0 || b.room < b.reserve+quarters(closing1)+1 {
		return b.without(head, foot, limit), true
	}
	rows, inTime := b.rows()
	if !inTime {
		return nil, false
	}
	lines := head
	if b.fenced && len(rows) > 0 {
		token := tokenFor(rows, strings.Join(head, "\n")+"\n"+strings.Join(foot, "\n"))
		lines = append(lines, strings.Replace(opening[0], tokenPlace, token, 1))
		lines = append(append(lines, rows...), closingFence(token))
	} else {
		lines = append(lines, rows...)
	}
	left := b.n - b.shown
	if b.left != nil {
		left = b.left(b.shown)
	}
	if left > 0 || b.open {
		lines = append(lines, clip(b.say.more(left, b.open), b.MaxLineLength))
	}
	return append(lines, foot...), true
}

// without returns the text of a document with no rows, or with no room for any.
func (b *bounded) without(head, foot []string, limit int) []string {
	lines := slices.Concat(head, foot)
	for len(lines) > 1 && cost(lines) > limit {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// above returns the lines before the rows.
func (b *bounded) above(query string) []string {
	lines := make([]string, 0, b.MaxLines+len(b.head)+4)
	if b.title != nil {
		lines = append(lines, clip(b.title(query), b.MaxLineLength))
	}
	return append(lines, b.clipped(b.head)...)
}

func (b *bounded) clipped(lines []string) []string {
	out := make([]string, 0, len(lines))
	for _, line := range lines {
		out = append(out, clip(line, b.MaxLineLength))
	}
	return out
}

// closing1 is a closing fence as long as any.
const (
	tokenPlace = "000000"
	closing1   = "untrusted " + tokenPlace + closingMark
)

// fences returns the fences with a place for the token; the opening one says what it is for, where there is room.
func (b *bounded) fences() (opening, closing []string) {
	if !b.fenced {
		return nil, nil
	}
	note := openingMark + tokenPlace + b.say.note
	if utf8.RuneCountInString(note) <= b.MaxLineLength {
		return []string{note}, []string{closing1}
	}
	return b.plainOpening(), []string{closing1}
}

func (b *bounded) plainOpening() []string {
	if !b.fenced {
		return nil
	}
	return []string{openingMark + tokenPlace}
}

// rows returns the lines of the rows that fit, false when time was up.
func (b *bounded) rows() (lines []string, inTime bool) {
	extra := 0
	if shown := min(b.n, b.MaxLines); b.roomy {
		extra = (b.MaxLines - shown) / shown
	}
	for {
		lines, inTime = b.rowsWith(extra)
		if !inTime || extra == 0 || b.shown == b.n || b.MaxTokens == 0 {
			return lines, inTime
		}
		extra /= 2 // tokens have left out rows: first all of them, then more of each
	}
}

// rowsWith returns the lines of the rows that fit when each has up to so many more.
func (b *bounded) rowsWith(extra int) (lines []string, inTime bool) {
	room, used, taken := b.room-b.reserve, 0, 0
	lines = make([]string, 0, min(b.n, b.MaxLines)*(1+extra))
	for b.shown = 0; b.shown < b.n && taken < b.MaxLines; b.shown++ {
		if b.Watch.Over() {
			return nil, false
		}
		parts := b.row(b.shown, extra)
		parts = parts[:min(len(parts), b.MaxLines-taken)]
		row := b.parted(parts)
		needs := cost(row)
		fits := used+needs <= room
		if b.shown == b.n-1 && !b.open {
			fits = used+needs <= room+b.reserve
		}
		switch {
		case fits:
			used, taken, lines = used+needs, taken+len(parts), append(lines, row...)
			continue
		case b.shown > 0:
			return lines, true
		}
		// A row must be shown, or nobody gets any further.
		if row[0] = cutQuarters(row[0], room-1); row[0] == "" {
			return nil, true
		}
		b.shown = 1
		return row[:1], true
	}
	return lines, true
}

// parted returns the lines of a row, bounded. A line that holds a line feed stands on two, which count as one.
func (b *bounded) parted(parts []string) []string {
	row := make([]string, 0, len(parts)+1)
	for _, part := range parts {
		for line := range strings.SplitSeq(part, "\n") {
			if b.fenced {
				line = guarded(line)
			}
			row = append(row, clip(line, b.MaxLineLength))
		}
	}
	return row
}

// cost is what lines need with the ends of them, in quarters of a token.
func cost(lines []string) int {
	n := 0
	for _, line := range lines {
		n += quarters(line) + 1
	}
	return n
}

// cutQuarters cuts a line to so many quarters of a token, and says so with its last character.
func cutQuarters(line string, most int) string {
	if quarters(line) <= most {
		return line
	}
	const ellipsisCost = 2
	end, n := 0, ellipsisCost
	for i, r := range line {
		size := 2
		if r < utf8.RuneSelf {
			size = 1
		}
		if n += size; n > most {
			break
		}
		end = i + utf8.RuneLen(r)
	}
	head, _ := mail.Cut(line, utf8.RuneCountInString(line[:end]))
	if head == "" {
		return ""
	}
	return strings.TrimRight(head, " ") + "\u2026"
}

// cutTo cuts a text to so many tokens, whatever becomes of it; 0 for no bound. Texts that were bounded before are never
// cut here, unless the bound is below what any text needs.
func cutTo(text string, tokens int) string {
	if tokens <= 0 || Tokens(text) <= tokens {
		return text
	}
	return cutQuarters(text, 4*tokens)
}
