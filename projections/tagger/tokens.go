package tagger

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/projections/fold"
)

// Token is a word, a mark of punctuation, or the words that say a time.
type Token struct {
	// Text is folded as package fold does, and Time for a time.
	Text string
	// From and To are bytes of the text, To exclusive.
	From, To int
	// Role is the preposition of a time, which says what becomes of it: "to", a Hebrew ל; empty for none.
	Role string
}

// Time is the text of a token that says a time: which one is not looked at here.
const Time = "⌚"

// Thing is the text of a token that names something of which it is known that it is there.
const Thing = "☆"

// WithThing returns tokens in which those between two bytes are one that names something that is there.
func WithThing(tokens []Token, from, to int) []Token {
	var out []Token
	for _, token := range tokens {
		switch {
		case token.From >= to || token.To <= from:
			out = append(out, token)
		case len(out) == 0 || out[len(out)-1].Text != Thing:
			out = append(out, Token{Text: Thing, From: from, To: to})
		}
	}
	return out
}

// Tokens returns the tokens of a text. Times are the bytes of what says a time, from and to, in the order of the text.
// Marks inside a word stay in it: "10:30", "doctor's", "מוצ\"ש".
func Tokens(text string, times [][2]int) []Token {
	var out []Token
	at := 0
	for _, time := range times {
		out = appendTokens(out, text[:time[0]], at)
		out = append(out, Token{Time, time[0], time[1], roleOf(text[time[0]:time[1]])})
		at = time[1]
	}
	return appendTokens(out, text, at)
}

// roleOf returns the preposition with which a time begins.
func roleOf(text string) string {
	first, _, _ := strings.Cut(fold.Text(text), " ")
	switch first {
	case "to", "at", "by", "for", "from", "until", "till", "on", "in", "before", "after", fold.Text("עד"):
		return first
	}
	for _, letter := range []string{"ל", "ב", "מ"} {
		if strings.HasPrefix(first, letter) {
			return letter
		}
	}
	return ""
}

// appendTokens appends the tokens of a text from a byte on.
func appendTokens(out []Token, text string, at int) []Token {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			at += size
		case !wordly(r):
			out = append(out, Token{Text: string(r), From: at, To: at + size})
			at += size
		default:
			to := endOfWord(text, at)
			folded := fold.Text(text[at:to])
			if folded == "w" && strings.HasPrefix(text[to:], "/") || strings.HasPrefix(folded, "w/") { // "w/ Dana"
				folded, to = "with", at+len("w/")
			}
			if folded != "" {
				out = append(out, Token{Text: folded, From: at, To: to})
			}
			at = to
		}
	}
	return out
}

// endOfWord returns where the word ends that begins at a byte.
func endOfWord(text string, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		next, _ := utf8.DecodeRuneInString(text[at+size:])
		if !wordly(r) && (!joins(r) || !wordly(next)) {
			break
		}
		at += size
	}
	return at
}

// wordly reports whether a character belongs to a word; those that nobody sees do.
func wordly(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r)
}

// joins reports whether a mark between two letters or digits is a part of the word.
func joins(r rune) bool { return strings.ContainsRune("'’׳\"״.:/-", r) }

// IsWord reports whether a token is a word, and no punctuation or time.
func (t Token) IsWord() bool {
	r, _ := utf8.DecodeRuneInString(t.Text)
	return wordly(r)
}

// shapes are the tokens with every digit as 9, since no number says more than another.
func shapes(tokens []Token) []string {
	out := make([]string, len(tokens))
	for i, token := range tokens {
		out[i] = strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return '9'
			}
			return r
		}, token.Text)
	}
	return out
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
