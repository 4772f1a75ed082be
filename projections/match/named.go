package match

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/projections/fold"
)

// Names reports whether a text says a name and not only something like it: every word of one of the text's forms (see
// Forms) is a word of the name, with or without the Hebrew article. Where a mistake would cost something and nobody is
// asked, likeness alone is not enough: "dentist" is like "Orthodontist". Prefixes are as in Options. Nothing says a
// blank name.
func Names(text, name string, prefixes []string) bool {
	have := wordsOf(name)
	for _, form := range Forms(text, prefixes).all() {
		if words := wordsOf(form); len(words) > 0 &&
			!slices.ContainsFunc(words, func(word string) bool { return !hasWord(have, word) }) {
			return true
		}
	}
	return false
}

// Shares reports whether a text and a name have a word in common, as Names compares them; one that only joins others
// does not count.
func Shares(text, name string) bool {
	have := wordsOf(name)
	return slices.ContainsFunc(wordsOf(text), func(word string) bool { return !isJoining(word) && hasWord(have, word) })
}

func isJoining(word string) bool {
	const shortest = 3
	return utf8.RuneCountInString(word) < shortest || slices.Contains([]string{"the", "and", "for", "with", "from"}, word)
}

func hasWord(have []string, word string) bool {
	if slices.Contains(have, word) || slices.Contains(have, "ה"+word) {
		return true
	}
	bare, found := strings.CutPrefix(word, "ה")
	return found && slices.Contains(have, bare)
}

// wordsOf are the words and numbers of a text, folded.
func wordsOf(text string) []string {
	return strings.FieldsFunc(fold.Text(fold.Unmarked(text)),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
