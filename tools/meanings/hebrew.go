package main

import (
	"slices"
	"strings"
)

// The vowel signs of Hebrew that spelling without them depends on.
const (
	shva, hiriq, holam, qubuts, dagesh, shinDot, sinDot = 'ְ', 'ִ', 'ֹ', 'ֻ', 'ּ', 'ׁ', 'ׂ'
	holamForVav                                         = 'ֺ'
)

// pointed is a letter with its signs.
type pointed struct {
	letter rune
	signs  string
}

func (p pointed) has(sign rune) bool { return strings.ContainsRune(p.signs, sign) }

// hasVowel reports whether a vowel is under the letter.
func (p pointed) hasVowel() bool {
	return strings.Trim(p.signs, string([]rune{shva, dagesh, shinDot, sinDot})) != ""
}

func pointedLetters(text string) []pointed {
	var all []pointed
	for _, r := range text {
		if r >= 0x591 && r <= 0x5c7 && r != 0x5be {
			if len(all) > 0 {
				all[len(all)-1].signs += string(r)
			}
			continue
		}
		if r == 0x5be || r == '_' {
			r = '-'
		}
		all = append(all, pointed{letter: r})
	}
	return all
}

// spellings are the ways in which a word with vowel signs is written without them, the usual one first: with a vav for
// o and u and a yod for i where the signs alone say them, with a vav or yod that is a consonant written twice within a
// word, and the letters as they are.
func spellings(word string) []string {
	letters := pointedLetters(word)
	full := spell(letters, true)
	all := []string{full}
	for _, other := range []string{spell(letters, false), plain(letters)} {
		if !slices.Contains(all, other) {
			all = append(all, other)
		}
	}
	return all
}

func plain(letters []pointed) string {
	var b strings.Builder
	for _, p := range letters {
		b.WriteRune(p.letter)
	}
	return b.String()
}

func spell(letters []pointed, doubled bool) string {
	var b strings.Builder
	at := func(i int) pointed {
		if i < 0 || i >= len(letters) {
			return pointed{}
		}
		return letters[i]
	}
	for i, p := range letters {
		b.WriteRune(p.letter)
		next := at(i + 1)
		switch {
		case p.letter == 'ו' && p.hasVowel() && !p.has(holam) && !p.has(holamForVav) || p.letter == 'י' && p.hasVowel():
			// a consonant; beside a vowel letter it is not doubled
			inside := i > 0 && i+1 < len(letters) && isHebrew(at(i-1).letter) && isHebrew(next.letter)
			if doubled && inside && !isVowelLetter(at(i-1)) && !isVowelLetter(next) {
				b.WriteRune(p.letter)
			}
		case p.letter == 'ו' || p.letter == 'י' && !p.hasVowel():
		case p.has(qubuts):
			b.WriteRune('ו')
		case p.has(holam):
			if next.letter != 'ו' && next.letter != 'א' && (next.letter != 'ה' || i+2 < len(letters)) {
				b.WriteRune('ו')
			}
		case p.has(hiriq):
			closed := next.has(shva) && !next.has(dagesh)
			if next.letter != 'י' && next.letter != 0 && !closed && !(i == 0 && p.letter == 'ה' && at(i+2).letter == 'י' ||
				i == 0 && p.letter == 'ה' && at(i+2).has(hiriq)) {
				b.WriteRune('י')
			}
		}
	}
	return b.String()
}

// isVowelLetter reports whether a letter only says a vowel.
func isVowelLetter(p pointed) bool {
	switch p.letter {
	case 'ו':
		return p.has(holam) || p.has(dagesh) && !p.hasVowel()
	case 'י':
		return p.signs == ""
	}
	return false
}
