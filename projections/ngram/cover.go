package ngram

import (
	"math"
	"strings"

	"almanac/projections/fold"
	"almanac/projections/ngram/meanings"
)

// mostSensed is how many words of a text are compared with a query, and mostAsked how many a query has at most: the
// first ones.
const mostSensed, mostAsked = 160, 24

// leastAlike is up to which cosine two words have nothing to do with each other, and surelyAlike from which one is as
// good as the other. otherLanguage is the factor for words of two languages that are not each other's translation: the
// directions of Hebrew words come from English ones, so they are less exact. They were chosen on the development sets
// of bench/recall.
const leastAlike, surelyAlike, otherLanguage = 0.15, 0.9, 0.7

// translated is what a translation is worth beside the word itself. foreign is how much less a text of the other
// language counts that has no word of the query and no translation of one: who asks in a language mostly wrote in it.
const translated, foreign = 0.95, 0.1

// alsoHad is what a word is worth that the index finds in a text and the reading does not.
const alsoHad = 0.7

// A word of the query counts by the logarithm of its rank: ranks below common count little, those from rarest on fully.
// A word that says little counts unsaid of that.
const common, rarest, unsaid = 30, 100_000, 0.02

// sense is a word as it is compared: by its stem, and by its direction when it has one.
type sense struct {
	stem uint64
	// other is the stem of a Hebrew word without what may be a prefix; 0 for none.
	other   uint64
	meaning meanings.Meaning
	known   bool
	hebrew  bool
	// text is the word; empty for a number.
	text string
	// written is the word or number before what may be a prefix is taken off.
	written string
}

// Asked is a query whose words are compared with those of texts, one by one. It is for one goroutine at a time.
type Asked struct {
	words  []askedWord
	all    float64
	hebrew bool
	// wants is what kinds of answers are asked for; none when that is not clear.
	wants kinds
	// text is what was read last; its space is used again.
	text senses
}

type askedWord struct {
	sense
	weight float64
	// directions are those of the word itself and of the expressions that it is a part of.
	directions   []meanings.Direction
	translations meanings.Translations
}

// Ask reads a query.
func Ask(query string) *Asked {
	var a Asked
	read := senses{}
	read.read(clip(fold.Text(clip(query, 2*maxText)), maxText), mostAsked)
	for i, s := range read.words {
		w := askedWord{sense: s, weight: 1}
		if s.known {
			w.weight = rarity(s.meaning)
			w.directions = append(w.directions, s.meaning.Direction())
			w.translations = s.meaning.Translations()
		}
		if read.faint[i] {
			w.weight *= unsaid
		}
		a.words = append(a.words, w)
		a.all += w.weight
	}
	for _, e := range read.expressions {
		direction := e.meaning.Direction()
		for at := e.from; at < e.to; at++ {
			a.words[at].directions = append(a.words[at].directions, direction)
		}
	}
	a.hebrew = read.mostlyHebrew()
	a.wants = read.wants()
	return &a
}

// Words returns the words and numbers of the query that are compared, folded, as they are written.
func (a *Asked) Words() []string {
	words := make([]string, len(a.words))
	for i := range a.words {
		words[i] = a.words[i].written
	}
	return words
}

// Cover returns how much of the query a text says in the same words or in words that mean nearly the same, 0–1: the
// mean over the words of the query, in which each counts by how much it says; less when only words of another language
// are near. had is, for each of Words, how much the text is known to have of it, for a name that sounds like it or a
// word that only begins like it; nil when nothing is known. answers is whether the text has what the query asks for: a
// day, a number, a place.
func (a *Asked) Cover(text string, had []float64) (covered float64, answers bool) {
	if a.all == 0 {
		return 0, false
	}
	a.text.read(clip(fold.Text(clip(text, 2*maxText)), maxText), mostSensed)
	own := a.hebrew == a.text.mostlyHebrew()
	for i := range a.words {
		best := a.words[i].best(&a.text)
		if i < len(had) {
			best = max(best, float64(alsoHad*had[i]))
		}
		own = own || best >= translated && a.words[i].weight > unsaid
		// Each step is rounded on its own, so that no machine fuses two of them.
		covered += float64(a.words[i].weight * best)
	}
	covered /= a.all
	if !own {
		covered = max(covered-foreign, 0)
	}
	return covered, a.wants&a.text.says != 0
}

// best is how much the nearest word of a text says of the word asked for: 1 when it is the same, or a form of it.
func (w *askedWord) best(text *senses) float64 {
	var own, other int64 // the greatest inner products with words of its language, and with the others
	same, slip, translation := false, false, false
	nearest := func(m meanings.Meaning, hebrew bool) {
		for i := range w.directions {
			if dot := w.directions[i].Dot(m); hebrew == w.hebrew {
				own = max(own, dot)
			} else {
				other = max(other, dot)
			}
		}
	}
	for i := range text.words {
		s := &text.words[i]
		if w.is(s) && !w.differs(s) {
			return 1
		}
		switch {
		case !s.known || !w.known:
			slip = slip || isSlip(w.text, s.text)
		case w.meaning.Same(s.meaning):
			same = true
		case s.hebrew != w.hebrew && !translation:
			translation = w.translations.Has(s.meaning)
		}
		if s.known && !text.faint[i] {
			nearest(s.meaning, s.hebrew)
		}
	}
	switch {
	case same:
		return 1
	case translation:
		return translated
	case slip:
		return slipped
	}
	for _, e := range text.expressions {
		nearest(e.meaning, text.words[e.from].hebrew)
	}
	cosine := max(float64(own), float64(otherLanguage*float64(other))) / (meanings.Length * meanings.Length)
	return min(max((cosine-leastAlike)/(surelyAlike-leastAlike), 0), 1)
}

// rarity is how much a word of the query counts, 0–1. The weight of the table is a/(a+p) by Zipf's law, so it tells the
// rank of the word.
func rarity(m meanings.Meaning) float64 {
	const first = 200 // the rank of half the weight
	weight := float64(m.Weight())
	rank := float64(first*weight) / float64(meanings.MostWeight+0.5-weight)
	return math.Log(1+rank/common) / math.Log(1+rarest/common)
}

// is reports whether two words may be the same.
func (s *sense) is(other *sense) bool {
	return s.stem == other.stem || s.other != 0 && (s.other == other.stem || s.other == other.other) ||
		other.other == s.stem
}

// differs reports whether two words are known to be other words, though they share a stem.
func (s *sense) differs(other *sense) bool {
	return s.known && other.known && s.hebrew && other.hebrew && !s.meaning.Same(other.meaning)
}

// senses are the words of a text.
type senses struct {
	words []sense
	faint []bool
	// expressions are those of two words that mean something of their own.
	expressions []expressionAt
	// says is what kinds of answers there are.
	says kinds
}

// mostlyHebrew reports whether more than half of the words are Hebrew.
func (s *senses) mostlyHebrew() bool {
	words, hebrew := 0, 0
	for i := range s.words {
		if s.words[i].text != "" {
			words++
		}
		if s.words[i].hebrew {
			hebrew++
		}
	}
	return 2*hebrew > words
}

type expressionAt struct {
	from, to int
	meaning  meanings.Meaning
}

// read reads the first words of a folded text, at most so many.
func (s *senses) read(text string, most int) {
	l := dictionary()
	if s.words == nil {
		s.words, s.faint = make([]sense, 0, 32), make([]bool, 0, 32)
	}
	s.words, s.faint, s.expressions, s.says = s.words[:0], s.faint[:0], s.expressions[:0], 0
	for len(s.words) < most {
		p, rest, ok := scan(text)
		if !ok {
			return
		}
		text = rest
		one := sense{hebrew: p.kind == hebrew}
		faint := false
		switch p.kind {
		case number, dense:
			one.written = clip(p.text, maxWord)
			one.stem = familyNumber.hash(one.written)
			s.says |= numberSays(p.text)
		default:
			word := clip(unquoted(strings.TrimSuffix(p.text, "'s")), maxWord)
			one.written = word
			faint = l.faint[word]
			if p.kind == hebrew && !faint {
				var other string
				word, other = l.divide(word)
				if faint = l.faint[word]; other != "" {
					one.other = familyStem.hash(stemHebrew(other))
				}
			}
			one.text = word
			one.stem = familyStem.hash(stemOf(word))
			one.meaning, one.known = meaningOf(word, one.stem)
			s.says |= l.says(&one)
		}
		at := len(s.words)
		s.words, s.faint = append(s.words, one), append(s.faint, faint)
		if at > 0 && p.kind != number && p.kind != dense {
			if m, ok := meanings.Of(meaningKey(join(s.words[at-1].stem, one.stem))); ok {
				s.expressions = append(s.expressions, expressionAt{at - 1, at + 1, m})
			}
		}
	}
}
