package words

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"almanac/graph/model"
	"almanac/projections/ngram"
	"almanac/projections/sounds"
)

// minPlural is how many letters a Latin word has at least that may be the plural of a name: the Andersons.
const minPlural = 5

// soundsOf are the ways a word that may be a name sounds, by which it finds and is found in the other script. Words of
// which it is known what they mean are no names, but Hebrew ones may be both.
func soundsOf(word string) []sounds.Sound {
	hebrew := isHebrew(word)
	known, sure := ngram.Knows(word)
	if known && !hebrew {
		return nil
	}
	all := sounds.Of(word)
	if known && sure {
		if len(all) == 0 || all[0].Short {
			return nil
		}
		return all[:1]
	}
	if !hebrew {
		if single, found := strings.CutSuffix(word, "s"); found && len(word) >= minPlural {
			all = append(all, sounds.Of(single)...)
		}
		return all
	}
	for _, s := range stems(word) {
		known, sure := ngram.Knows(s.text)
		if s.off > 1 || s.short || known && sure {
			break
		}
		all = append(all, sounds.Of(s.text)...)
	}
	return all
}

// namesIn yields the folded words of a text that are written as names are, with one capital letter, though they are
// known as words.
func namesIn(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if len(word) < minBeginning || word[0] < 'A' || word[0] > 'Z' {
				continue
			}
			folded := strings.ToLower(word)
			if folded[1:] == word[1:] && isASCII(word) && !ngram.Faint(folded) && isKnown(folded) && !yield(folded) {
				return
			}
		}
	}
}

// nameForms are the forms by its sound of a word that is known and written as a name.
func nameForms(word string) []model.TermForm { return formsOf(longSounds(word)) }

// longSounds are the ways a word sounds that few words do.
func longSounds(word string) []sounds.Sound {
	return slices.DeleteFunc(sounds.Of(word), func(s sounds.Sound) bool { return s.Short })
}

// soundForms are the forms of a word by its sound.
func soundForms(word string) []model.TermForm { return formsOf(soundsOf(word)) }

func formsOf(all []sounds.Sound) []model.TermForm {
	forms := make([]model.TermForm, len(all))
	for i, s := range all {
		forms[i] = model.TermForm{Term: soundMark + s.Text, Weight: weightSound}
		if s.Short {
			forms[i].Weight = weightShortSound
		}
	}
	return forms
}

// isKnown reports whether it is known what a word means.
func isKnown(word string) bool {
	known, _ := ngram.Knows(word)
	return known
}
