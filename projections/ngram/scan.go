package ngram

import (
	"unicode"
	"unicode/utf8"
)

// kind says how a piece of text is read.
type kind uint8

const (
	latin  kind = iota // a word in an alphabet, other than Hebrew
	hebrew             // a word in Hebrew letters
	dense              // letters of a script that is written without spaces
	number             // digits, with what holds them together
)

// piece is a word or a number of a folded text.
type piece struct {
	kind kind
	text string
}

// scan cuts the next piece off a folded text; ok is false at its end. Quotation marks within a word belong to it, a
// hyphen parts words, and digits keep the points, commas, colons, slashes, hyphens, brackets and spaces between them
// when these may hold a number together.
func scan(text string) (p piece, rest string, ok bool) {
	for i, r := range text {
		switch k := kindOf(r); {
		case k == number:
			end := i + numberEnd(text[i:])
			return piece{number, text[i:end]}, text[end:], true
		case r == '+' && i+1 < len(text) && isDigit(text[i+1]):
			end := i + 1 + numberEnd(text[i+1:])
			return piece{number, text[i:end]}, text[end:], true
		case r == '(' && i+1 < len(text) && isDigit(text[i+1]):
			end := i + 1 + numberEnd(text[i+1:])
			return piece{number, text[i+1 : end]}, text[end:], true
		case k != none:
			end := i + wordEnd(text[i:], k)
			return piece{k, text[i:end]}, text[end:], true
		}
	}
	return piece{}, "", false
}

// none is no kind: what stands between pieces.
const none kind = 0xff

func kindOf(r rune) kind {
	switch {
	case 'a' <= r && r <= 'z':
		return latin
	case '0' <= r && r <= '9':
		return number
	case r < utf8.RuneSelf:
		return none
	case 'א' <= r && r <= 'ת':
		return hebrew
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar):
		return dense
	case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r):
		return latin
	}
	return none
}

// wordEnd is where the word of a kind at the beginning of a text ends.
func wordEnd(text string, k kind) int {
	end := 0
	for i, r := range text {
		switch {
		case kindOf(r) == k:
			end = i + utf8.RuneLen(r)
		case (r == '\'' || r == '"') && i == end:
		default:
			return end
		}
	}
	return end
}

// numberEnd is where the number at the beginning of a text ends. Between two digits stands at most one joint, or two
// when one is a bracket.
func numberEnd(text string) int {
	end, brackets := 0, 0
	for i := range len(text) {
		c := text[i]
		switch {
		case isDigit(c):
			end, brackets = i+1, 0
			continue
		case !isJoint(c):
			return end
		case c == '(' || c == ')':
			brackets++
		}
		if i-end > min(brackets, 1) {
			return end
		}
	}
	return end
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isJoint names what may stand between the digits of one number.
func isJoint(c byte) bool {
	switch c {
	case '.', ',', ':', '/', '-', ' ', '(', ')':
		return true
	}
	return false
}
