package fold

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Unmarked returns the text without accents, Hebrew points and cantillation, and hidden characters; case, letters and
// white space stay. It is for measuring how alike two texts are, where a final letter counts as a letter of its own.
func Unmarked(s string) string {
	if isBare(s) {
		return s
	}
	return compose(strings.Map(func(r rune) rune {
		if isMark(r) || isHidden(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, norm.NFD.String(s)))
}

// isBare reports, without a table, whether there is nothing to remove: only visible ASCII, white space and Hebrew
// letters.
func isBare(s string) bool {
	for _, r := range s {
		visible := ' ' <= r && r < 0x7f || r == '\n' || r == '\t'
		if !visible && (r < 'א' || r > 'ת') {
			return false
		}
	}
	return true
}

// isMark reports whether r is a mark that a person leaves out when writing plainly.
func isMark(r rune) bool {
	switch {
	case r < 0x0300:
		return false
	case r <= 0x036f: // combining diacritical marks
		return true
	// Hebrew points and cantillation, between which maqaf, paseq, sof pasuq and nun hafukha stand
	case 0x0591 <= r && r <= 0x05c7:
		return r != 0x05be && r != 0x05c0 && r != 0x05c3 && r != 0x05c6
	case 0x064b <= r && r <= 0x065f, r == 0x0670: // Arabic vowel signs
		return true
	case 0x1ab0 <= r && r <= 0x1aff, 0x1dc0 <= r && r <= 0x1dff, 0x20d0 <= r && r <= 0x20ff, 0xfe20 <= r && r <= 0xfe2f:
		return true
	}
	return r == 0xfb1e // Hebrew point varika
}

// isHidden reports whether r cannot be seen: control and format characters, variation selectors and fillers.
func isHidden(r rune) bool {
	if r < 0x80 {
		return r < ' ' || r == 0x7f
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
