package naming

import (
	"strings"
	"unicode/utf8"
)

// hebrewSize is how many bytes a Hebrew letter has.
const hebrewSize = 2

// isPrefixLetter reports whether a letter can be a word of its own before another.
func isPrefixLetter(r rune) bool { return strings.ContainsRune("משהוכלב", r) }

// isHebrew reports whether a word begins with a Hebrew letter.
func isHebrew(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return 'א' <= r && r <= 'ת'
}

// base is a word without Hebrew prefixes, and what these say.
type base struct {
	text     string
	off      int // how many letters were taken off
	relation relation
}

// maxBases is how many ways there are to take a word's prefixes off, with none at all.
const maxBases = 3

// bases returns what a word may be without its prefixes, itself first: ה, ל and ב must leave two letters, the others,
// and two prefixes, three.
func bases(text string, out *[maxBases]base) []base {
	out[0] = base{text: text}
	if !isHebrew(text) {
		return out[:1]
	}
	n, taken := 1, relation(0)
	for rest := text; n < maxBases; n++ {
		r, size := utf8.DecodeRuneInString(rest)
		if !isPrefixLetter(r) {
			break
		}
		rest = rest[size:]
		least := 3
		if n == 1 && strings.ContainsRune("הלב", r) {
			least = 2
		}
		if len(rest) < least*hebrewSize || n == 2 && !follows(text[:size], r) {
			break
		}
		taken |= prefixRelation(r)
		out[n] = base{text: rest, off: n, relation: taken}
	}
	return out[:n]
}

// follows reports whether a prefix may stand behind another: ו and ש before all, כ ל מ ב before ה only.
func follows(first string, second rune) bool {
	switch first {
	case "ו", "ש":
		return true
	case "ה":
		return false
	}
	return second == 'ה'
}

func prefixRelation(r rune) relation {
	switch r {
	case 'ל':
		return to
	case 'מ':
		return from
	}
	return 0
}

// hebrewForms returns the other spellings and numbers of a word without prefixes, to tell. construct says that it
// stands directly before another. What may as well be another word is told as a mistake.
func hebrewForms(text string, construct bool, tell func(form string, l level, t tag)) {
	for _, double := range []string{"יי", "וו"} {
		single := double[:hebrewSize]
		if strings.Contains(text, double) {
			bare := strings.Replace(text, double, single, 1)
			tell(bare, form, 0)
			hebrewNumbers(bare, construct, tell)
			continue
		}
		for i := hebrewSize; i+hebrewSize < len(text); i += hebrewSize {
			if text[i:i+hebrewSize] == single {
				tell(text[:i]+single+text[i:], form, 0)
			}
		}
	}
	hebrewNumbers(text, construct, tell)
}

// hebrewNumbers returns the plural or singular of a word, and its forms directly before a noun.
func hebrewNumbers(text string, construct bool, tell func(form string, l level, t tag)) {
	for _, ending := range []string{masculine, feminine} {
		if stem, plural := strings.CutSuffix(text, ending); plural && len(stem) >= 2*hebrewSize {
			l := stemLevel(stem)
			tell(stem, l, saidPlural)
			tell(stem+"ה", l, saidPlural)
			if ending == feminine {
				tell(stem+"ת", l, saidPlural)
			}
		}
		tell(text+ending, stemLevel(text), 0)
		if stem, found := strings.CutSuffix(text, "ה"); found {
			tell(stem+ending, stemLevel(stem), 0)
		} else if stem, found := strings.CutSuffix(text, "ת"); found && ending == feminine {
			tell(stem+ending, stemLevel(stem), 0)
		}
	}
	if stem, found := strings.CutSuffix(text, "ה"); found && len(stem) >= 2*hebrewSize {
		tell(stem+"ת", form, beforeNoun)
	}
	if stem, found := strings.CutSuffix(text, "ת"); found && construct && len(stem) >= 2*hebrewSize {
		tell(stem+"ה", form, 0)
	}
	if stem, found := strings.CutSuffix(text, masculine); found && len(stem) >= 2*hebrewSize {
		tell(stem+"י", form, beforeNoun)
	} else if stem, found := strings.CutSuffix(text, "י"); found && len(stem) >= 2*hebrewSize {
		if construct {
			tell(stem+masculine, form, 0)
		}
		tell(stem, mistake, 0)
	} else {
		tell(text+"י", mistake, beforeNoun) // a plural, or a name
	}
}

// The endings of plurals, folded.
const (
	masculine = "ימ"
	feminine  = "ות"
)

// stemLevel is how sure the plural of a stem is: it must have three letters, and one more where the first may be a
// prefix.
func stemLevel(stem string) level {
	least := 3
	if r, _ := utf8.DecodeRuneInString(stem); isPrefixLetter(r) {
		least = 4
	}
	if len(stem) < least*hebrewSize {
		return mistake
	}
	return form
}

// isInfinitive reports whether a word may be a Hebrew infinitive.
func isInfinitive(text string) bool {
	return strings.HasPrefix(text, "ל") && len(text) >= 4*hebrewSize
}

// root returns the letters that an infinitive and its verbal noun have in common, without vowel letters; empty where
// fewer than three are left. The noun's ending, and the ת that some begin with, are not part of it.
func root(text string) string {
	if !isHebrew(text) {
		return ""
	}
	if isInfinitive(text) {
		text = text[hebrewSize:]
	} else {
		for _, ending := range []string{"ות", "ה", "ת"} {
			if stem, found := strings.CutSuffix(text, ending); found && len(stem) >= 3*hebrewSize {
				text = stem
				break
			}
		}
	}
	text = strings.NewReplacer("ו", "", "י", "").Replace(text)
	if len(text) < 3*hebrewSize {
		return ""
	}
	if bare, found := strings.CutPrefix(text, "ת"); found && len(bare) >= 3*hebrewSize {
		text = bare
	}
	return text
}
