package match

import (
	"math"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// MaxQuery is the length of the longest query that is scored, in UTF-16 code units. A longer one matches only texts
// equal to it: the work is a multiple of the query's length, and nobody retypes a whole page to name it.
const MaxQuery = 320

// Pattern is a query made ready for scoring many texts. It may be used from several goroutines.
type Pattern struct {
	lower  string
	chunks []*chunk
	least  float64
}

// NewPattern makes a query ready. least is the lowest score that counts as a match, above 0 and at most 1; it bounds
// each field by itself too, so the same candidate may score lower when least is lower.
func NewPattern(query string, least float64) *Pattern {
	p := &Pattern{lower: lower(query), least: least}
	if !isBlank(p.lower) {
		p.chunks = chunksOf(p.lower)
	}
	return p
}

// Score returns how alike the query and a candidate's fields are, from 0 to 1; false when that is below the pattern's
// least.
//
// Both are compared in lower case, by UTF-16 code units. A field's distance is the least number of insertions,
// deletions and substitutions that turn the query into any part of the field, divided by the query's length; near-zero
// when the field is the query. A field matches when its distance is at most 1 − least and two neighbouring characters
// of it occur in the query. The distances of the matching fields are raised to 1/√words (a hit in a short field counts
// more) and multiplied.
func (p *Pattern) Score(fields ...string) (float64, bool) {
	c := comparison{}
	for _, field := range fields {
		if text, ok := newText(field); ok {
			c = append(c, p.measure(text))
		}
	}
	return c.score(p.least)
}

// text is a field made ready for being compared with several patterns.
type text struct {
	lower string
	norm  float64
}

// newText makes a field ready; false for a blank one, which nothing matches.
func newText(field string) (text, bool) {
	if isBlank(field) {
		return text{}, false
	}
	return text{lower: lower(field), norm: lengthNorm(field)}, true
}

// comparison holds what was measured between a pattern and each field of a candidate.
type comparison []measure

type measure struct {
	norm   float64
	equal  bool
	chunks [MaxQuery / chunkSize]struct {
		edits, length int
		neighbours    bool
	}
	count int // of chunks
}

func (p *Pattern) measure(t text) measure {
	m := measure{norm: t.norm, equal: t.lower == p.lower}
	if m.equal {
		return m
	}
	m.count = len(p.chunks)
	for i, c := range p.chunks {
		m.chunks[i].length = c.length
		m.chunks[i].edits, m.chunks[i].neighbours = c.search(t.lower)
	}
	return m
}

func (c comparison) score(least float64) (float64, bool) {
	total, matched := 1.0, false
	for i := range c {
		if distance, ok := c[i].distance(1 - least); ok {
			matched = true
			total *= math.Pow(distance, c[i].norm)
		}
	}
	score := 1 - total
	return score, matched && score >= least
}

// Distances that stand for 0, which no power would tell apart from another.
const (
	equalDistance     = 0x1p-52 // of a field that is the query
	containedDistance = 0.001   // of a field that contains it
)

func (m *measure) distance(threshold float64) (float64, bool) {
	if m.equal {
		return equalDistance, true
	}
	total, matched := 0.0, false
	for _, c := range m.chunks[:m.count] {
		distance := float64(c.edits) / float64(c.length)
		switch {
		case distance > threshold || c.edits == c.length:
			distance = 1
		case c.neighbours:
			matched = true
		}
		total += max(containedDistance, distance)
	}
	return total / float64(m.count), matched
}

// lengthNorm is 1/√words to three decimals; words are what spaces separate.
func lengthNorm(field string) float64 {
	words, inWord := 0, false
	for i := range len(field) {
		space := field[i] == ' '
		if !space && !inWord {
			words++
		}
		inWord = !space
	}
	return math.Round(1000/math.Sqrt(float64(words))) / 1000
}

// lower is ECMAScript's toLowerCase. It differs from the standard library's for two letters only.
func lower(s string) string {
	changes := false
	for i := range len(s) {
		switch c := s[i]; {
		case 'A' <= c && c <= 'Z':
			changes = true
		case c >= 0xc0 && c != 0xd6 && c != 0xd7: // begins a letter beyond ASCII and the Hebrew block, which has no case
			if strings.ContainsAny(s, "İΣ") {
				return cases.Lower(language.Und).String(s)
			}
			return strings.ToLower(s)
		}
	}
	if !changes {
		return s
	}
	lowered := []byte(s)
	for i, c := range lowered {
		if 'A' <= c && c <= 'Z' {
			lowered[i] = c + 'a' - 'A'
		}
	}
	return string(lowered)
}

// isBlank is ECMAScript's trim().length == 0.
func isBlank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool {
		return r != '\ufeff' && (r == '\u0085' || !unicode.IsSpace(r))
	}) < 0
}
