package graphtext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"almanac/graph/model"
	"almanac/projections/fold"
)

// maxWritten is how long a relation may be as it is written, in bytes; what is longer has more than model.MaxRelation
// letters, or is no relation.
const maxWritten = 64 * model.MaxRelation

// Relation returns the one form of all ways to write a relation: its letters and digits, of any script, in upper case,
// words joined by one underscore. "works at", "works-at", "worksAt" and "WORKS_AT" all are WORKS_AT; Hebrew, which has
// no case, stays as it is, without points: "עובד ב" is עובד_ב. An apostrophe or gershayim within a word go. The form of
// a form is the form again. ok is false when nothing is left, or more than model.MaxRelation characters are.
func Relation(text string) (relation string, ok bool) {
	if len(text) > maxWritten {
		return "", false
	}
	plain := []rune(norm.NFC.String(fold.Unmarked(norm.NFKC.String(strings.ToValidUTF8(text, " ")))))
	var out strings.Builder
	joint := false // something stood between the last letter and this one
	for i, r := range plain {
		switch {
		case isInner(plain, i):
			continue
		case !isWordy(r):
			joint = true
			continue
		}
		if out.Len() > 0 && (joint || beginsWord(plain, i)) {
			out.WriteByte('_')
		}
		joint = false
		out.WriteRune(r)
	}
	relation = norm.NFC.String(cases.Upper(language.Und).String(out.String()))
	if n := utf8.RuneCountInString(relation); n == 0 || n > model.MaxRelation {
		return "", false
	}
	return relation, true
}

// isWordy reports whether a character is part of a word. Marks that fold.Unmarked leaves spell sounds, such as the
// vowels of Indic scripts.
func isWordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) }

// isInner reports whether an apostrophe, a geresh or gershayim stands within a word: CEO's, צה״ל.
func isInner(text []rune, i int) bool {
	return strings.ContainsRune("'\"’‘”“׳״", text[i]) && i > 0 && i+1 < len(text) && isWordy(text[i-1]) &&
		isWordy(text[i+1])
}

// beginsWord reports whether the letter before this one ends another word: worksAt, HTTPServer.
func beginsWord(text []rune, i int) bool {
	if i == 0 || !unicode.IsUpper(text[i]) {
		return false
	}
	before := text[i-1]
	// A small letter that has no capital stays small in the form, and must not divide it the next time.
	if unicode.IsLower(before) && strings.ToUpper(string(before)) != string(before) ||
		unicode.IsDigit(before) && i+1 < len(text) && isSmall(text[i+1]) {
		return true
	}
	return unicode.IsUpper(before) && i+1 < len(text) && isSmall(text[i+1])
}

func isSmall(r rune) bool { return unicode.IsLower(r) && unicode.ToUpper(r) != r }

// spoken is a relation in words: "works at" of WORKS_AT.
func spoken(relation string) string { return strings.ToLower(strings.ReplaceAll(relation, "_", " ")) }
