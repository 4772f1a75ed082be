package tagger

import (
	"strings"
	"unicode"

	"almanac/projections/fold"
)

// Tokens returns the words and the punctuation of a text, folded as package fold does. Marks inside a word stay in it:
// "10:30", "doctor's", "מוצ\"ש".
func Tokens(text string) []string {
	runes := []rune(strings.ReplaceAll(strings.ToLower(fold.Clean(text)), "w/", "with"))
	var out []string
	for i := 0; i < len(runes); {
		switch r := runes[i]; {
		case unicode.IsSpace(r):
			i++
		case !wordly(r):
			out = append(out, string(r))
			i++
		default:
			from := i
			for i < len(runes) && (wordly(runes[i]) || joins(runes[i]) && i+1 < len(runes) && wordly(runes[i+1])) {
				i++
			}
			if folded := fold.Text(string(runes[from:i])); folded != "" {
				out = append(out, folded)
			}
		}
	}
	return out
}

func wordly(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// joins reports whether a mark between two letters or digits is a part of the word.
func joins(r rune) bool { return strings.ContainsRune("'’׳\"״.:/-", r) }

// isWord reports whether a token is a word and no punctuation.
func isWord(token string) bool {
	for _, r := range token {
		return wordly(r)
	}
	return false
}

// shape is a token with every digit as 9, since no number says more than another.
func shape(token string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '9'
		}
		return r
	}, token)
}

// head and tail are the first and the last letters of a token.
func head(token string, most int) string {
	for i := range token {
		if most == 0 {
			return token[:i]
		}
		most--
	}
	return token
}

func tail(token string, most int) string {
	runes := []rune(token)
	return string(runes[max(0, len(runes)-most):])
}
