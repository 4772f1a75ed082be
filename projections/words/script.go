package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/projections/fold"
)

// class is what a character is to a word.
type class uint8

const (
	// separator ends a word, unless it is one of the few that join (see scanner.joint).
	separator class = iota
	latin           // the letters of every script that is written in words, but Hebrew
	hebrew
	digit
	// dense are the scripts that leave no spaces between words.
	dense
	// symbol is a picture, a word of its own.
	symbol
)

// normalise returns the text as words are cut from it: folded, with the digits of all scripts as ASCII ones.
func normalise(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x660 || !unicode.Is(unicode.Nd, r) {
			return r
		}
		return '0' + digitValue(r)
	}, fold.Text(text))
}

// digitValue is the value of a decimal digit. Unicode keeps the ten of a script in a row, and Go's table joins rows
// only where they follow each other, so the distance to the start of the range decides it.
func digitValue(r rune) rune {
	for _, part := range unicode.Nd.R16 {
		if r <= rune(part.Hi) {
			return (r - rune(part.Lo)) % 10
		}
	}
	for _, part := range unicode.Nd.R32 {
		if r <= rune(part.Hi) {
			return (r - rune(part.Lo)) % 10
		}
	}
	return 0
}

// classOf returns what a folded character is.
func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		switch {
		case 'a' <= r && r <= 'z':
			return latin
		case '0' <= r && r <= '9':
			return digit
		}
		return separator
	case 'א' <= r && r <= 'ת':
		return hebrew
	case unicode.IsLetter(r):
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
			unicode.Myanmar, unicode.Tibetan) ||
			r == 'ー' { // the long vowel of both kana
			return dense
		}
		return latin
	case unicode.IsNumber(r):
		return latin
	case unicode.IsMark(r): // seldom first in a word; elsewhere it belongs to what is before it
		return latin
	case unicode.Is(unicode.So, r):
		return symbol
	}
	return separator
}
