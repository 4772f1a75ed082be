package plan

import (
	"strings"
	"unicode/utf8"

	"almanac/projections/fold"
)

// table returns words their value. Its keys are folded, so niqqud, final letters and case make no difference.
type table map[string]int

// tableOf reads lines of words, one value a line: the words of line i have the value first+i. A word of several parts
// is written with _.
func tableOf(first int, lines ...string) table {
	t := table{}
	for i, line := range lines {
		for text := range strings.FieldsSeq(line) {
			t[fold.Text(strings.ReplaceAll(text, "_", " "))] = first + i
		}
	}
	return t
}

// setOf is a table whose words all mean the same.
func setOf(lines ...string) table { return tableOf(1, strings.Join(lines, " ")) }

// setOfWords is a set of words for looking up whole words, folded.
func setOfWords(words string) map[string]bool {
	set := map[string]bool{}
	for text := range strings.FieldsSeq(words) {
		set[fold.Text(strings.ReplaceAll(text, "_", " "))] = true
	}
	return set
}

// Words of dates and times in both languages.
var (
	weekdayWords = tableOf(0,
		"sunday ראשון", "monday שני", "tuesday tues tue שלישי", "wednesday weds wed רביעי", "thursday thurs thur thu חמישי",
		"friday fri שישי ששי", "saturday שבת")
	// shortWeekdays are words of their own too, so they count only where a day is expected.
	shortWeekdays  = tableOf(0, "sun", "mon", "-", "-", "-", "-", "sat")
	weekdayPlurals = tableOf(0, "sundays", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays שבתות")
	weekdayLetters = tableOf(0, "א א'", "ב ב'", "ג ג'", "ד ד'", "ה ה'", "ו ו'", "ש'")
	monthWords     = tableOf(1,
		"january jan ינואר", "february feb פברואר", "march mar מרץ מרס", "april apr אפריל", "may מאי", "june jun יוני",
		"july jul יולי",
		"august aug אוגוסט", "september sept sep ספטמבר", "october oct אוקטובר", "november nov נובמבר", "december dec דצמבר")
	dayWords = tableOf(-2, "שלשום", "yesterday אתמול", "today היום", "tomorrow tmrw tmw מחר", "overmorrow מחרתיים")

	// The Hebrew numerals are those of both genders; from 11 on they are two words.
	numerals = tableOf(1,
		"one אחת אחד", "two שתיים שתים שתי שניים שנים שני", "three שלוש שלושה שלושת", "four ארבע ארבעה ארבעת",
		"five חמש חמישה חמשת חמישה", "six שש שישה ששה ששת שישה שישת",
		"seven שבע שבעה שבעת", "eight שמונה שמונת", "nine תשע תשעה תשעת", "ten עשר עשרה עשרת", "eleven", "twelve", "thirteen",
		"fourteen", "fifteen",
		"sixteen", "seventeen", "eighteen", "nineteen", "twenty עשרים")
	teens = setOf("עשרה עשר")
	tens  = table{"thirty": 30, "forty": 40, "fifty": 50, fold.Text("שלושים"): 30, fold.Text("ארבעים"): 40,
		fold.Text("חמישים"): 50}
	ordinals = tableOf(1, "first ראשון ראשונה", "second שני שנייה שניה", "third שלישי שלישית", "fourth רביעי רביעית",
		"fifth חמישי", "sixth שישי", "seventh שביעי", "eighth שמיני", "ninth תשיעי", "tenth עשירי",
		"eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
		"eighteenth", "nineteenth", "twentieth")

	unitWords = tableOf(int(minutes), "minute minutes min mins דקה דקות דק'", "hour hours hr hrs h שעה שעות",
		"day days יום ימים", "week weeks wk wks שבוע שבועות",
		"month months חודש חודשים", "year years שנה שנים")
	duals = tableOf(int(hours), "שעתיים", "יומיים", "שבועיים", "חודשיים", "שנתיים")

	// Parts of the day.
	partWords = tableOf(int(morning), "morning mornings בוקר", "noon midday צהריים צהרים", "afternoon afternoons אחה\"צ",
		"evening evenings ערב", "night nights לילה")
)

// unit is what an amount counts.
type unit int

const (
	minutes unit = iota + 1
	hours
	days
	weeks
	months
	years
)

// part is a part of the day; its hours are in part.hours and part.hour.
type part int

const (
	noPart part = iota
	morning
	noon
	afternoon
	evening
	night
)

// hour is when something starts of which only the part of the day is said.
func (p part) hour() int { return [...]int{10, 9, 12, 14, 18, 21}[p] }

// window returns the hours of a part, from inclusive, to exclusive.
func (p part) window() (from, to int) {
	w := [...][2]int{{0, 24}, {6, 12}, {12, 14}, {12, 18}, {18, 22}, {21, 24}}[p]
	return w[0], w[1]
}

// is reports whether token i is one of the words.
func (p *parser) is(i int, words ...string) bool {
	if i < 0 || i >= len(p.tokens) {
		return false
	}
	t := p.tokens[i]
	if t.kind != word && t.kind != mark || t.prefix != "" {
		return false
	}
	for _, w := range words {
		if t.text == w {
			return true
		}
	}
	return false
}

// are reports whether the tokens from i on are the words.
func (p *parser) are(i int, words ...string) bool {
	for k, w := range words {
		if !p.is(i+k, w) {
			return false
		}
	}
	return true
}

// look finds token i in a table, as it is or without Hebrew prefixes, and returns the prefixes.
func (p *parser) look(i int, t table) (value int, prefix string, ok bool) {
	p.steps++
	if i < 0 || i >= len(p.tokens) || p.tokens[i].kind != word {
		return 0, "", false
	}
	return p.tokens[i].look(t)
}

func (t token) look(in table) (value int, prefix string, ok bool) {
	if value, ok = in[t.text]; ok {
		return value, t.prefix, true
	}
	if !t.hebrew {
		return 0, "", false
	}
	for end := 0; end < len(t.text); {
		r, size := utf8.DecodeRuneInString(t.text[end:])
		if !strings.ContainsRune(prefixLetters, r) || end >= 3*2 {
			return 0, "", false
		}
		end += size
		if value, ok = in[t.text[end:]]; ok && utf8.RuneCountInString(t.text[end:]) > 1 {
			return value, t.prefix + t.text[:end], true
		}
	}
	return 0, "", false
}

// exact finds token i in a table with none but the given prefixes allowed, each letter of them.
func (p *parser) exact(i int, t table, allowed string) (int, bool) {
	value, prefix, ok := p.look(i, t)
	return value, ok && strings.Trim(prefix, allowed) == ""
}

// has reports whether token i is in a table, with any prefix.
func (p *parser) has(i int, t table) bool {
	_, _, ok := p.look(i, t)
	return ok
}

// number reads a number in digits or words that begins at i, 0 to 9999, and returns its prefix and where it ends.
func (p *parser) number(i int) (n int, prefix string, next int, ok bool) {
	if i >= len(p.tokens) {
		return 0, "", i, false
	}
	if t := p.tokens[i]; t.kind == number {
		return t.n(), t.prefix, i + 1, t.n() >= 0 && t.n() < 10000 && !t.ordinal
	}
	if n, prefix, ok = p.look(i, tens); ok {
		if ones, with, more := p.look(i+1, numerals); more && ones < 10 && (with == "ו" || with == "") && !p.has(i+1, tens) {
			if with == "ו" || !p.tokens[i].hebrew {
				return n + ones, prefix, i + 2, true
			}
		}
		if p.is(i+1, "-") && !p.tokens[i].hebrew {
			if ones, _, more := p.look(i+2, numerals); more && ones < 10 {
				return n + ones, prefix, i + 3, true
			}
		}
		return n, prefix, i + 1, true
	}
	n, prefix, ok = p.look(i, numerals)
	if !ok {
		return 0, "", i, false
	}
	if p.tokens[i].hebrew && n < 10 {
		if with, more := p.exact(i+1, teens, ""); more && with == 1 {
			return n + 10, prefix, i + 2, true
		}
	}
	if n == 20 {
		if ones, with, more := p.look(i+1, numerals); more && ones < 10 && (with == "ו" || !p.tokens[i].hebrew) {
			return n + ones, prefix, i + 2, true
		}
	}
	return n, prefix, i + 1, true
}
