// Package sounds brings together names in Latin and in Hebrew letters.
//
// It promises that a name has a sound in common with itself in the other script, whatever vowels are written, for the
// usual ways to write it. Names that differ may have a sound in common, the more often the shorter they are.
package sounds

import (
	"strings"
	"unicode/utf8"
)

// A sound is the consonants of a word, in classes that the writing of English and Hebrew tells apart: b, v and w are
// one, so are p and f; s, sh, z and ts; k, q and hard c; g and j; t and th. Of a word with fewer than two consonants it
// is these with the vowels, behind a mark.

// Most is how many sounds a word has at most, and MaxSound how many letters of one are kept.
const (
	Most     = 4
	MaxSound = 12
	// longest is how many bytes of a word are looked at.
	longest = 64
)

// Sound is one way a word sounds. Short is whether it is that of many words.
type Sound struct {
	Text  string
	Short bool
}

// choice is where writing leaves two ways to say a letter.
type choice uint8

const (
	// second takes the other way of each letter that has one: ch as h, j as y, ו as v.
	second choice = 1 << iota
	// silent leaves a Hebrew י at the beginning out, and takes a Latin ch as in Charlie.
	silent
)

// Of returns the ways a folded word sounds, each once; none of a word in other letters than Latin or Hebrew ones.
func Of(word string) []Sound {
	if len(word) > longest || word == "" {
		return nil
	}
	hear := latin
	if r, _ := utf8.DecodeRuneInString(word); r >= utf8.RuneSelf {
		hear = hebrew
	}
	var all []Sound
	for c := choice(0); c < Most; c++ {
		heard, vowels, ok := hear(word, c)
		if !ok {
			return nil
		}
		s := Sound{Text: heard, Short: len(heard) < 3}
		if len(heard) < 2 {
			if s.Text = "-" + vowels; len(vowels) < 2 {
				continue
			}
		}
		known := false
		for _, other := range all {
			known = known || other == s
		}
		if !known {
			all = append(all, s)
		}
	}
	return all
}

// ear is a word as it is heard, letter by letter.
type ear struct {
	heard, vowels [MaxSound]byte
	n, v          int
}

func (e *ear) consonant(c byte) {
	if e.n < MaxSound && (e.n == 0 || e.heard[e.n-1] != c) {
		e.heard[e.n] = c
		e.n++
	}
	e.vowel(c)
}

func (e *ear) vowel(c byte) {
	if e.v < MaxSound && (e.v == 0 || e.vowels[e.v-1] != c) {
		e.vowels[e.v] = c
		e.v++
	}
}

func (e *ear) said() (heard, vowels string, ok bool) {
	return string(e.heard[:e.n]), string(e.vowels[:e.v]), true
}

// latin hears a word in Latin letters.
func latin(word string, c choice) (heard, vowels string, ok bool) {
	var e ear
	for i := 0; i < len(word); i++ {
		next := byte(0)
		if i+1 < len(word) {
			next = word[i+1]
		}
		switch l := word[i]; l {
		case 'b', 'v':
			e.consonant('b')
		case 'w':
			if i == 0 || isVowel(next) {
				e.consonant('b')
			}
		case 'c':
			i += e.c(next, c)
		case 'd':
			if next != 'g' {
				e.consonant('d')
			}
		case 'f':
			e.consonant('p')
		case 'p':
			e.consonant('p')
			i += followedByH(next)
		case 'g':
			e.consonant('g')
		case 'j':
			switch {
			case c&second == 0:
				e.consonant('g')
			case i == 0:
				e.consonant('y')
			}
		case 'h':
			if isVowel(next) {
				e.consonant('h')
			}
		case 'k', 'q':
			if next == 'h' && c&second != 0 {
				e.consonant('h')
			} else {
				e.consonant('k')
			}
			i += followedByH(next)
		case 'l', 'm', 'n', 'r':
			e.consonant(l)
		case 's':
			e.consonant('s')
			i += followedByH(next)
		case 't':
			if next == 's' || next == 'z' {
				e.consonant('s')
				i++
				continue
			}
			e.consonant('t')
			i += followedByH(next)
		case 'x':
			e.consonant('k')
			e.consonant('s')
		case 'y':
			if i == 0 && isVowel(next) {
				e.consonant('y')
			} else {
				e.vowel('i')
			}
		case 'z':
			e.consonant('s')
		case 'i':
			e.vowel('i')
		case 'o', 'u':
			e.vowel('o')
		case 'a':
			e.vowel('a')
		case 'e', '\'', '"':
		default:
			return "", "", false
		}
	}
	return e.said()
}

// c hears a c, and returns how many letters more it has taken.
func (e *ear) c(next byte, c choice) int {
	switch next {
	case 'h':
		switch {
		case c&silent != 0:
			e.consonant('s')
		case c&second != 0:
			e.consonant('h')
		default:
			e.consonant('k')
		}
		return 1
	case 'e', 'i', 'y':
		e.consonant('s')
	case 'k':
	default:
		e.consonant('k')
	}
	return 0
}

func isVowel(c byte) bool { return c != 0 && strings.IndexByte("aeiouy", c) >= 0 }

func followedByH(next byte) int {
	if next == 'h' {
		return 1
	}
	return 0
}

// hebrew hears a word in folded Hebrew letters.
func hebrew(word string, c choice) (heard, vowels string, ok bool) {
	var e ear
	const letter = 2
	last, previous := len(word)-letter, rune(0)
	for i, l := range word {
		switch l {
		case 'ב':
			e.consonant('b')
		case 'ו':
			if i == 0 || previous == 'ו' || c&second != 0 {
				e.consonant('b')
			} else {
				e.vowel('o')
			}
		case 'ג':
			e.consonant('g')
		case 'ד':
			e.consonant('d')
		case 'ה':
			if i != last {
				e.consonant('h')
			} else {
				e.vowel('a')
			}
		case 'ז', 'צ', 'ס', 'ש':
			e.consonant('s')
		case 'ח':
			e.consonant('h')
		case 'ט', 'ת':
			e.consonant('t')
		case 'י':
			if i == 0 && c&silent == 0 {
				e.consonant('y')
			} else {
				e.vowel('i')
			}
		case 'כ', 'ק':
			e.consonant('k')
		case 'ל':
			e.consonant('l')
		case 'מ':
			e.consonant('m')
		case 'נ':
			e.consonant('n')
		case 'פ':
			e.consonant('p')
		case 'ר':
			e.consonant('r')
		case 'א', 'ע':
			if i == last {
				e.vowel('a')
			}
		case '\'', '"':
		default:
			return "", "", false
		}
		previous = l
	}
	return e.said()
}
