// Package fold turns texts into the keys under which they are compared and searched, and cleans what users write
// before it is kept.
//
// It promises that two texts a person would call the same have the same key: case, accents, Hebrew points and
// cantillation, final letters, kinds of quotation marks and hyphens, hidden characters and runs of white space make no
// difference. Keys are for comparing, never for showing. Both stores keep them, so a change of a key is a migration.
package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// IsBlank reports whether the key of a text is empty: whether it has nothing but spaces, marks and what cannot be seen.
func IsBlank(s string) bool {
	for i := range len(s) {
		if ' ' < s[i] && s[i] < 0x7f {
			return false
		}
	}
	return Text(s) == ""
}

// Text returns the key of a text. Folding a key gives the key again. The key is empty when nothing of the text can be
// seen, so it also answers whether a text is blank.
//
// The steps: invalid UTF-8 dropped; compatibility decomposition (Unicode Standard Annex 15) and full case folding;
// accents, Hebrew points and accents, Arabic vowel signs, control, format (bidi, zero-width) and ignorable characters
// removed; Hebrew final letters to regular ones, Yiddish digraphs to two letters, geresh, gershayim and curly quotation
// marks to ' and ", maqaf and the other hyphens and dashes to -; every run of white space to one space, none at the
// ends; canonical composition. Marks that spell sounds in other scripts, such as Indic vowels and kana voicing, stay.
func Text(s string) string {
	if isKey(s) {
		return s
	}
	if key, ok := quickKey(s); ok {
		return key
	}
	// The iota subscript is a mark like the others, but case folding would make it a letter.
	s = strings.ReplaceAll(norm.NFKD.String(strings.ToValidUTF8(s, "")), "\u0345", "")
	// Folding may give letters that decompose again (U+1E9E gives ss, U+0130 gives i and a dot).
	s = norm.NFKD.String(cases.Fold().String(s))
	key := make([]byte, 0, len(s))
	space := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if isMark(r) || isHidden(r) {
			continue
		}
		if space && len(key) > 0 {
			key = append(key, ' ')
		}
		space = false
		key = appendPlain(key, r)
	}
	return compose(string(key))
}

// compose is canonical composition without the joiners (U+034F) that the normaliser puts into endless runs of marks:
// they are hidden characters, which no key has.
func compose(s string) string {
	return strings.ReplaceAll(norm.NFC.String(s), "\u034f", "")
}

// plain is the character that stands for r in a key.
func plain(r rune) rune {
	switch r {
	case 'ך':
		return 'כ'
	case 'ם':
		return 'מ'
	case 'ן':
		return 'נ'
	case 'ף':
		return 'פ'
	case 'ץ':
		return 'צ'
	case '\u05f3', '\u2018', '\u2019', '\u201b': // geresh, single quotation marks
		return '\''
	case '\u05f4', '\u201c', '\u201d', '\u201e', '\u201f': // gershayim, double quotation marks
		return '"'
	case '\u05be', '\u2010', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212': // maqaf, hyphen, dashes, minus
		return '-'
	}
	switch { // The tables of x/text fold Cherokee both ways; Unicode folds its small letters to the old, capital ones.
	case 0xab70 <= r && r <= 0xabbf:
		return r - 0xab70 + 0x13a0
	case 0x13f8 <= r && r <= 0x13fd:
		return r - 8
	}
	return r
}

// appendPlain appends what stands for r in a key: two letters for the Yiddish digraphs, which Unicode does not
// decompose, one character for all others.
func appendPlain(key []byte, r rune) []byte {
	switch r {
	case 'װ':
		return append(key, "וו"...)
	case 'ױ':
		return append(key, "וי"...)
	case 'ײ':
		return append(key, "יי"...)
	}
	return utf8.AppendRune(key, plain(r))
}
