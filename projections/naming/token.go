package naming

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// role is what a word does in a text.
type role uint8

const (
	// content words say something; they must be explained.
	content role = iota
	// handle words say only of what kind the thing is, category words of what sort.
	handle
	category
	// function words hold a text together.
	function
)

// word is a word of a text.
type word struct {
	// text is folded, without quotation marks and apostrophes.
	text string
	role role
	// place is the word's number among all words of the text, function words too; direct says that the word before is
	// written right before it, with nothing but space or a hyphen between.
	place  int
	direct bool
	// relation is what prepositions before it say; article that an article or a preposition stands right before it, so
	// that the word before that is not part of one expression with it.
	relation relation
	// infinitive: behind English "to".
	infinitive bool
	// possessor: 's, or behind של; possessed: a possessor stands before it, or של behind it.
	possessor, possessed bool
	// owner is whose it is where "my" stands before it, or שלי behind it.
	owner                     owner
	negation, reversal, honor bool
}

// maxWords is how many words of a text are looked at; nobody names a thing by more.
const maxWords = 256

// raw is a word as it was cut out of a text.
type raw struct {
	text             string
	possessor        bool
	direct           bool // follows the one before without punctuation
	latin, prefixing bool // prefixing: a Hebrew prefix cut from Latin letters or digits
	ordinal          bool // a Hebrew letter that counts: ב'
}

// split cuts a folded text at all but letters, digits, and apostrophes and quotation marks inside a word.
func split(text string, out []raw) []raw {
	joined := false
	for i := 0; i < len(text) && len(out) < maxWords; {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isLetter(r) {
			joined = joined && (r == ' ' || r == '-' || r == '\'' || r == '"')
			i += size
			continue
		}
		end, marked := wordEnd(text, i)
		one := raw{text: text[i:end], direct: joined, latin: r < 0x590}
		if strings.HasPrefix(text[end:], "'") {
			one.possessor = strings.HasSuffix(one.text, "s") && !strings.HasSuffix(text[:i], "'") // parents'
			one.ordinal = len(one.text) == hebrewSize && isHebrew(one.text)
		}
		if marked {
			if bare, ok := strings.CutSuffix(one.text, "'s"); ok {
				one.text, one.possessor = bare, true
			}
			one.text = unpointed(one.text)
		}
		if rest := text[end:]; one.text == "w" && strings.HasPrefix(rest, "/") { // w/, w/o
			one.text = "with"
			if strings.HasPrefix(rest, "/o ") {
				one.text, end = "without", end+len("/o")
			}
		}
		i, joined = end, true
		if !one.ordinal && isPrefixes(one.text) && strings.HasPrefix(text[end:], "-") { // ה-standup
			next, _ := utf8.DecodeRuneInString(text[end+1:])
			one.prefixing = isLetter(next) && next < 0x590
		}
		if first, second, ok := twoOf(one.text); ok {
			out = append(out, raw{text: first, direct: one.direct})
			one.text, one.direct = second, true
		}
		if n := hebrewBeforeOthers(one.text); n > 0 {
			out = append(out, raw{text: one.text[:n], direct: one.direct, prefixing: true})
			one.text, one.direct, one.latin = one.text[n:], true, true
		}
		if one.text != "" {
			out = append(out, one)
		}
	}
	return out
}

func isLetter(r rune) bool {
	switch {
	case r < 0x80:
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z'
	case 'א' <= r && r <= 'ת':
		return true
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// wordEnd returns the end of the word that begins at i, and whether apostrophes or quotation marks stand in it.
func wordEnd(text string, i int) (end int, marked bool) {
	for end = i; end < len(text); {
		r, size := utf8.DecodeRuneInString(text[end:])
		if r == '\'' || r == '"' {
			next, _ := utf8.DecodeRuneInString(text[end+1:])
			if !isLetter(next) || r == '"' && next < 0x590 {
				return end, marked
			}
			marked = true
		} else if !isLetter(r) {
			return end, marked
		}
		end += size
	}
	return end, marked
}

// isPrefixes reports whether a word is nothing but Hebrew prefixes.
func isPrefixes(text string) bool {
	return len(text) <= 3*hebrewSize && strings.IndexFunc(text, func(r rune) bool { return !isPrefixLetter(r) }) < 0
}

// twoOf returns the two words that a word is also written as.
func twoOf(text string) (first, second string, ok bool) {
	var room [maxBases]base
	for _, b := range bases(text, &room) {
		if two, found := apart[b.text]; found {
			first, second, _ = strings.Cut(two, "+")
			return text[:len(text)-len(b.text)] + first, second, true
		}
	}
	return "", "", false
}

// hebrewBeforeOthers returns how many bytes of Hebrew prefixes stand before Latin letters or digits in one word.
func hebrewBeforeOthers(text string) int {
	n := 0
	for n < len(text) && n < 3*hebrewSize {
		r, size := utf8.DecodeRuneInString(text[n:])
		if r < 0x80 {
			return n
		}
		if !isPrefixLetter(r) {
			return 0
		}
		n += size
	}
	return 0
}

// classify says of each word what it does, and leaves only those that may have to be explained, or speak against an
// explanation.
func classify(all []raw, kind Kind, out []word) []word {
	c := classifier{kind: kind, all: all}
	for i := range all {
		if w, ok := c.word(i); ok {
			out = append(out, w)
		}
	}
	c.behind(out)
	return out
}

// classifier keeps what function words say of the words behind them.
type classifier struct {
	kind     Kind
	all      []raw
	relation relation // of the prepositions since the last word
	previous relation // of the last word
	apart    bool     // function words stand between
	joint    bool
	to       bool
	owner    owner
	of       bool // של
}

func (c *classifier) word(i int) (w word, ok bool) {
	one := c.all[i]
	last := i == len(c.all)-1
	text := one.text
	r, isRelation := relations[text]
	switch {
	case one.ordinal:
	case owners[text] != nobody && (!last || !one.latin):
		if one.latin {
			c.owner = owners[text]
		}
		return w, false
	case (articles[text] || pronouns[text]) && !last, fillers[text] && len(c.all) > 1:
		c.apart = c.apart || articles[text]
		return w, false
	case joints[text] && !last:
		c.joint, c.apart = true, true
		return w, false
	case one.prefixing, prepositions[text] && (!last || !particles[text]):
		c.apart, c.of = true, text == "של"
		c.to = text == "to"
		if isRelation {
			c.relation |= r
		} else if one.prefixing {
			c.relation |= relations[lastLetter(text)]
		}
		return w, false
	}
	direct := i > 0 && !c.apart && (one.direct || honorifics[c.all[i-1].text]) // Dr. Cohen
	w = word{text: text, place: i, direct: direct, relation: c.relation, infinitive: c.to,
		possessor: one.possessor || c.of, owner: c.owner}
	w.negation = negations[text] && !(i+1 < len(c.all) && forgotten[c.all[i+1].text])
	if text == "no" && i+1 < len(c.all) && hasDigit(c.all[i+1].text) {
		w.text, w.negation = "number", false
	}
	w.reversal, w.honor = reversals[text], honorifics[text]
	if c.joint && w.relation == 0 {
		w.relation = c.previous
	}
	switch {
	case handles[c.kind][text]:
		w.role = handle
	case c.kind.isCategory(text):
		w.role = category
	}
	c.previous = w.relation
	c.relation, c.apart, c.joint, c.to, c.owner, c.of = 0, false, false, false, nobody, false
	return w, true
}

// behind notes what Hebrew says behind a word: שלי, and של with a name; and which word a possessor stands before.
func (c *classifier) behind(out []word) {
	for i, w := range out {
		if i > 0 && out[i-1].possessor && w.place == out[i-1].place+1 && c.all[out[i-1].place].possessor {
			out[i].possessed = true
		}
		if next := w.place + 1; next < len(c.all) {
			switch text := c.all[next].text; {
			case owners[text] != nobody && !c.all[next].latin:
				out[i].owner = owners[text]
			case text == "של":
				out[i].possessed = true
			}
		}
	}
}

// pictures are the symbols of a folded text, such as emoji.
func pictures(key string) []word {
	var out []word
	for _, r := range key {
		if !unicode.IsSpace(r) && !isLetter(r) && len(out) < maxWords {
			out = append(out, word{text: string(r), place: len(out)})
		}
	}
	return out
}

// hasDigit reports whether a word holds a digit; then only an equal one explains it.
func hasDigit(text string) bool {
	return strings.IndexFunc(text, unicode.IsDigit) >= 0
}

func lastLetter(text string) string {
	_, size := utf8.DecodeLastRuneInString(text)
	return text[len(text)-size:]
}
