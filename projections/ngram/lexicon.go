package ngram

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"almanac/projections/fold"
	"almanac/projections/ngram/meanings"
)

// The lexicon: see its first lines.
//
//go:embed lexicon.txt
var lexiconText string

// The words that say little, one a line or several: see its first lines.
//
//go:embed faint.txt
var faintText string

// concept is what words of the two languages have in common, and the part of life it belongs to.
type concept struct {
	number, domain uint16
	// weak: it is said of so many things that it tells little.
	weak bool
}

// lexicon is the dictionary in the form in which it is looked up.
type lexicon struct {
	// concepts are kept under the hash of a stem, or of the stems of an expression.
	concepts map[uint64][]concept
	// faint are folded words.
	faint map[string]bool
	// slips are the known words with one letter left out, as hashes; each leads to the word's stem.
	slips map[uint64]uint64
	// months are the numbers of the months, under the hashes of their names.
	months map[uint64]int
	// asks are folded words that ask for a kind of answer, answers those that are one.
	asks, answers map[string]kinds
	// names is the part of life whose words are people's names.
	names uint16
}

// dictionary reads the two texts once.
var dictionary = sync.OnceValue(func() *lexicon {
	l := &lexicon{concepts: make(map[uint64][]concept, 4096), faint: make(map[string]bool, 512),
		slips: make(map[uint64]uint64, 16384), months: make(map[uint64]int, 48),
		asks: kindsOf(asksDay, asksNumber, asksPlace), answers: kindsOf(saysDay, "", saysPlace)}
	for line := range strings.Lines(faintText) {
		if !strings.HasPrefix(line, "#") {
			for _, word := range strings.Fields(fold.Text(line)) {
				l.faint[unquoted(word)] = true
			}
		}
	}
	var c concept
	for line := range strings.Lines(lexiconText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "= "):
			c.domain++
			if line == "= names" {
				l.names = c.domain
			}
		default:
			c.number++
			line, c.weak = strings.CutPrefix(line, "~ ")
			for expression := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ',' || r == '|' }) {
				l.teach(expression, c)
			}
		}
	}
	for i, names := range monthNames {
		for _, name := range strings.Fields(names) {
			l.months[familyStem.hash(stemOf(fold.Text(name)))] = i + 1
		}
	}
	return l
})

var monthNames = [...]string{
	"january jan ינואר", "february feb פברואר", "march mar מרץ מרס", "april apr אפריל", "may מאי", "june jun יוני",
	"july jul יולי", "august aug אוגוסט",
	"september sept sep ספטמבר", "october oct אוקטובר", "november nov נובמבר", "december dec דצמבר",
}

// Concepts yields the expressions, not folded, that mean one thing, for each concept of the lexicon.
func Concepts() iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for line := range strings.Lines(lexiconText) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "= ") {
				continue
			}
			line = strings.TrimPrefix(line, "~ ")
			if !yield(strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == '|' })) {
				return
			}
		}
	}
}

// stemOf is the stem of a folded word.
func stemOf(word string) string {
	if word != "" && word[0] >= utf8.RuneSelf {
		return stemHebrew(word)
	}
	return stemLatin(word)
}

// near returns the stem of the known word of five letters or more that differs from this one by one letter, or by two
// neighbours in the other order; 0 for none.
func (l *lexicon) near(word string) uint64 {
	var slips [maxWord + 1]uint64
	for _, h := range slips[:withoutOne(word, &slips)] {
		if stem, found := l.slips[h]; found {
			return stem
		}
	}
	return 0
}

// withoutOne returns the hashes of a word and of what is left of it without one of its letters, and how many these are;
// none of a word of less than five letters.
func withoutOne(word string, slips *[maxWord + 1]uint64) int {
	const base = 0x9e3779b97f4a7c15
	var before [maxWord + 1]uint64 // the hashes of its beginnings
	var letters [maxWord]uint64
	n := 0
	for _, c := range word {
		letters[n] = uint64(c)
		before[n+1] = before[n]*base + uint64(c)
		n++
	}
	if n < 5 {
		return 0
	}
	slips[0] = before[n]
	after, power := uint64(0), uint64(1)
	for i := n - 1; i >= 0; i-- {
		slips[n-i] = before[i]*power + after
		after += letters[i] * power
		power *= base
	}
	return n + 1
}

// teach keeps a concept under a word or an expression of up to three words.
func (l *lexicon) teach(expression string, c concept) {
	var hashes []uint64
	last, count := "", 0
	text := fold.Text(expression)
	for {
		p, rest, ok := scan(text)
		if !ok {
			break
		}
		text = rest
		word := unquoted(p.text)
		last, count = word, count+1
		if p.kind == hebrew {
			hashes = append(hashes, familyStem.hash(stemHebrew(word)))
		} else {
			hashes = append(hashes, familyStem.hash(stemLatin(word)))
		}
	}
	if len(hashes) == 0 {
		return
	}
	h := hashes[0]
	for _, part := range hashes {
		l.concepts[part] = slices.Clip(l.concepts[part])
	}
	for _, next := range hashes[1:] {
		h = join(h, next)
	}
	l.concepts[h] = append(l.concepts[h], c)
	if count == 1 {
		var slips [maxWord + 1]uint64
		for _, slip := range slips[:withoutOne(clip(last, maxWord), &slips)] {
			l.slips[slip] = h
		}
	}
}

// divide takes the prefix from a folded Hebrew word, for sure when the rest is known and the word is not; what the
// lexicon knows comes before what only the table of meanings knows, which has words with their prefixes too. When
// neither is known, other is the rest that there may be, empty when too little would be left.
func (l *lexicon) divide(word string) (base, other string) {
	if len(word) <= 2*letter || !strings.Contains(prefixLetters, word[:letter]) || l.lists(word) {
		return word, ""
	}
	if !strings.HasPrefix(word, article) && isWord(word) {
		return word, ""
	}
	meant := ""
	for _, p := range prefixes {
		rest, found := strings.CutPrefix(word, p)
		if !found || len(rest) < 2*letter {
			continue
		}
		if l.lists(rest) {
			return rest, ""
		}
		if meant == "" && hasMeaning(rest) {
			meant = rest
		}
		if len(p) == letter && len(rest) >= 3*letter {
			other = rest
		}
	}
	switch {
	case hasMeaning(word):
		return word, ""
	case meant != "":
		return meant, ""
	}
	return word, other
}

// lists reports whether a word is in the lexicon, or says little.
func (l *lexicon) lists(word string) bool {
	_, known := l.concepts[familyStem.hash(stemHebrew(word))]
	return known || l.faint[word]
}

// hasMeaning reports whether the table of meanings has a Hebrew word.
func hasMeaning(word string) bool {
	_, known := meaningOf(word, familyStem.hash(stemHebrew(word)))
	return known
}

// article is the prefix that most words have most often: what begins with it is looked for without it first.
const article = "ה"

// isWord reports whether the table of meanings has a Hebrew word as it is written, whatever its stem.
func isWord(word string) bool {
	_, known := meanings.Of(meaningKey(familyStem.hash(word)))
	return known
}

// meaningOf returns what a folded word with this stem means. A Hebrew word is looked for as it is written first, since
// words that have nothing to do with each other may share a stem.
func meaningOf(word string, stem uint64) (meanings.Meaning, bool) {
	if word != "" && word[0] >= utf8.RuneSelf {
		if m, known := meanings.Of(meaningKey(familyStem.hash(word))); known {
			return m, true
		}
	}
	return meanings.Of(meaningKey(stem))
}

// Knows reports whether it is known what a folded word means, or that it says little; sure, when it cannot well be a
// name as well. What is only known as a name is not known, and neither is what is only known as a form of a word.
func Knows(word string) (known, sure bool) {
	l := dictionary()
	if l.faint[word] {
		return true, true
	}
	stem := familyStem.hash(stemOf(word))
	for _, c := range l.concepts[stem] {
		return c.domain != l.names, c.domain != l.names
	}
	m, known := meaningOf(word, stem)
	return known && !m.Form(), false
}

// Faint reports whether a folded word says little.
func Faint(word string) bool { return dictionary().faint[word] }

// Related yields folded words that mean nearly the same as a folded word, in both languages, and how alike they are,
// from 0 to 1; of a Hebrew one with prefixes those of what is behind them. A word that says little has none.
func Related(word string) iter.Seq2[string, float64] {
	none := func(func(string, float64) bool) {}
	if dictionary().faint[word] {
		return none
	}
	if word != "" && word[0] >= utf8.RuneSelf {
		word, _ = dictionary().divide(word)
	}
	m, known := meaningOf(word, familyStem.hash(stemOf(word)))
	if !known {
		return none
	}
	return m.Related()
}

// Key returns the key under which the table of meanings has a word, or an expression of up to three words; false when
// the text is longer or has something else in it. The key of a single Hebrew word is that of the word as it is written,
// all others are those of stems.
func Key(expression string) (uint32, bool) {
	key, whole, ok := keys(expression)
	if whole != 0 {
		key = whole
	}
	return key, ok
}

// StemKey is Key, but the key of a single Hebrew word is that of its stem.
func StemKey(expression string) (uint32, bool) {
	key, _, ok := keys(expression)
	return key, ok
}

// keys returns the key of the stems of an expression, and that of a single Hebrew word as it is written, else 0.
func keys(expression string) (key, whole uint32, ok bool) {
	var h uint64
	count, text := 0, fold.Text(expression)
	for {
		p, rest, ok := scan(text)
		if !ok {
			break
		}
		if count++; count > 3 || p.kind != latin && p.kind != hebrew {
			return 0, 0, false
		}
		stem := familyStem.hash(stemOf(unquoted(p.text)))
		if text = rest; count > 1 {
			h, whole = join(h, stem), 0
			continue
		}
		if h = stem; p.kind == hebrew {
			whole = meaningKey(familyStem.hash(unquoted(p.text)))
		}
	}
	return meaningKey(h), whole, count > 0
}

// meaningKey is what the table of meanings has of the hash of a stem or an expression.
func meaningKey(h uint64) uint32 { return uint32(h >> 32) }
