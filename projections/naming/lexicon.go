package naming

import (
	"slices"
	"sync"

	"almanac/projections/fold"
	"almanac/projections/ngram"
)

// lexicon is what is known of words beyond their letters.
type lexicon struct {
	// concepts are the numbers of what a word means; words with a common one may be said for each other.
	concepts map[string][]uint16
	// expressions are the second words, by the first, of Hebrew expressions of two words.
	expressions map[string]set
}

// dictionary reads the lexicon of meanings once.
var dictionary = sync.OnceValue(func() *lexicon {
	l := &lexicon{concepts: make(map[string][]uint16), expressions: make(map[string]set)}
	number := uint16(0)
	for expressions := range ngram.Concepts() {
		number++
		for _, expression := range expressions {
			words := split(fold.Text(expression), nil)
			switch {
			case len(words) == 1 && !slices.Contains(l.concepts[words[0].text], number):
				l.concepts[words[0].text] = append(l.concepts[words[0].text], number)
			case len(words) == 2 && isHebrew(words[0].text):
				first, second := words[0].text, words[1].text
				if l.expressions[first] == nil {
					l.expressions[first] = make(set)
				}
				l.expressions[first][second] = true
			}
		}
	}
	return l
})

// conceptsOf returns what a word means, with or without its prefixes.
func (l *lexicon) conceptsOf(text string) []uint16 {
	var room [maxBases]base
	for _, b := range bases(text, &room) {
		if found := l.concepts[b.text]; found != nil {
			return found
		}
	}
	return nil
}

// isExpression reports whether two words, one behind the other, are one expression.
func (l *lexicon) isExpression(first, second string) bool {
	var room [maxBases]base
	for _, b := range bases(first, &room) {
		if seconds := l.expressions[b.text]; seconds != nil {
			var other [maxBases]base
			for _, s := range bases(second, &other) {
				if s.off < 2 && seconds[s.text] {
					return true
				}
			}
		}
	}
	return false
}
