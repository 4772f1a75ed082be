package mail

import (
	"unicode"
	"unicode/utf8"
)

// Cut returns the first characters (code points) of a text, at most that many, and reports whether something is left
// out. It never cuts within what a reader takes for one character: a letter and its marks, an emoji with its colour or
// its family, a flag (UAX #29, 3.1, without Indic conjuncts). Such a cluster of more than 64 characters is cut all the
// same.
func Cut(text string, most int) (head string, cut bool) {
	if len(text) <= most {
		return text, false
	}
	end, n := 0, 0
	for end < len(text) {
		if n == most {
			return text[:clusterStart(text, end)], true
		}
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
		n++
	}
	return text, false
}

// maxCluster is how many characters a cluster has at most; more is no writing of people.
const maxCluster = 64

// clusterStart returns the last place up to at where a cluster begins; at itself when the one around it is too long.
func clusterStart(text string, at int) int {
	start := at
	for range maxCluster {
		if start == 0 || boundary(text, start) {
			return start
		}
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	return at
}

const joiner = '\u200d' // joins emoji to one

// boundary reports whether a cluster may end before at.
func boundary(text string, at int) bool {
	if at <= 0 || at >= len(text) {
		return true
	}
	after, _ := utf8.DecodeRuneInString(text[at:])
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	switch {
	case before == '\r' && after == '\n':
		return false
	case unicode.IsControl(before), unicode.IsControl(after):
		return true
	case extends(after):
		return false
	case before == joiner:
		return false
	case isRegional(before) && isRegional(after):
		return regionalsBefore(text, at)%2 == 0
	case isJamo(before) && isJamo(after):
		return false
	}
	return true
}

// extends reports whether a character stands on or behind the one before it.
func extends(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case r == joiner, r == '\u200c', 0x1f3fb <= r && r <= 0x1f3ff, 0xe0020 <= r && r <= 0xe007f:
		return true
	}
	return unicode.Is(unicode.M, r) || unicode.Is(unicode.Variation_Selector, r)
}

func isRegional(r rune) bool { return 0x1f1e6 <= r && r <= 0x1f1ff }

// isJamo reports whether r is a part of which Hangul syllables are made; syllables may take a last part.
func isJamo(r rune) bool {
	return 0x1100 <= r && r <= 0x11ff || 0xa960 <= r && r <= 0xa97c || 0xd7b0 <= r && r <= 0xd7fb
}

// regionalsBefore counts the letters of flags directly before at, as many as matter.
func regionalsBefore(text string, at int) (n int) {
	for at > 0 && n < maxCluster {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		if !isRegional(r) {
			break
		}
		at -= size
		n++
	}
	return n
}
