// Package numerals reads numbers and days that are written in words, in English and Hebrew.
package numerals

import "strings"

// Number is a number at the beginning of words.
type Number struct {
	Value int
	// Words is how many words it takes.
	Words int
	// Ordinal says that it names a place (third, שלישי) and not how many there are.
	Ordinal bool
}

// most is the largest number that is read.
const most = 999_999_999

// Read reads a number in words at the beginning of folded words; false when there is none. Digits are no number in
// words, but they may have thousands or millions behind them.
func Read(words []string) (Number, bool) {
	var n Number
	total, part := 0, -1
	for n.Words < len(words) {
		word := words[n.Words]
		if part >= 0 && word == "and" && n.Words+1 < len(words) && joins(words[n.Words+1:]) {
			n.Words++
			continue
		}
		v, known := valueOf(word, n.Words == 0)
		if !known {
			break
		}
		switch {
		case n.Ordinal:
			known = false
		case v.scale > 1:
			if part < 0 {
				part = 1
			}
			total, part = total+part*v.scale, -1
			total += v.plus
		case v.hundred:
			if known = part < 10; known {
				part = max(part, 1) * 100
			}
		case part < 0:
			part = v.value
		default:
			if known = fits(part, v); known {
				part += v.value
			}
		}
		if !known || total > most {
			break
		}
		n.Ordinal = n.Ordinal || v.ordinal
		n.Words++
	}
	if n.Words == 0 {
		return Number{}, false
	}
	n.Value = total + max(part, 0)
	return n, true
}

// fits reports whether a number may be said behind a part of one: twenty three, a hundred and five, שלוש עשרה.
func fits(part int, v value) bool {
	switch {
	case part == 0 || v.value == 0:
		return false
	case part%100 == 0 && v.value < 100:
		return true
	case v.teen:
		return part < 10
	case v.value < 10:
		return part%10 == 0 && part%100 >= 20
	}
	return v.value < part && part%1000 == 0
}

// joins reports whether a number goes on.
func joins(words []string) bool {
	v, known := valueOf(words[0], false)
	return known && v.scale == 0 && !v.hundred
}

// value is what a word of a number says.
type value struct {
	value int
	// scale is what it multiplies, plus what it adds to that: אלפיימ is two thousand.
	scale, plus int
	hundred     bool
	ordinal     bool
	// teen is the Hebrew ten that follows a unit.
	teen bool
}

// valueOf reads one word. At the beginning of a number a Hebrew one may have prefixes, within it an and.
func valueOf(word string, first bool) (value, bool) {
	if v, known := values[word]; known {
		return v, true
	}
	if ten, unit, both := strings.Cut(word, "-"); both {
		a, known := values[ten]
		b, also := values[unit]
		if known && also && a.value >= 20 && b.value < 10 {
			return value{value: a.value + b.value, ordinal: b.ordinal}, true
		}
	}
	prefixes := []string{"ו"}
	if first {
		prefixes = []string{"ו", "ה", "ב", "ל", "מ", "בה", "לה"}
	}
	for _, prefix := range prefixes {
		if rest, found := strings.CutPrefix(word, prefix); found {
			if v, known := values[rest]; known {
				return v, true
			}
		}
	}
	return value{}, false
}

// values are the words of numbers, folded.
var values = table()

func table() map[string]value {
	all := make(map[string]value)
	put := func(list string, from, step int, ordinal bool) {
		for i, words := range strings.Split(list, ",") {
			for word := range strings.FieldsSeq(words) {
				all[word] = value{value: from + i*step, ordinal: ordinal}
			}
		}
	}
	put("one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve,thirteen,fourteen,fifteen,sixteen,seventeen,"+
		"eighteen,nineteen", 1, 1, false)
	put("twenty,thirty,forty,fifty,sixty,seventy,eighty,ninety", 20, 10, false)
	put("first,second,third,fourth,fifth,sixth,seventh,eighth,ninth,tenth,eleventh,twelfth,thirteenth,fourteenth,"+
		"fifteenth,sixteenth,seventeenth,eighteenth,nineteenth", 1, 1, true)
	put("twentieth,thirtieth", 20, 10, true)
	put("אחד אחת,שתיימ שניימ שתי שני,שלוש שלושה שלושת,ארבע ארבעה ארבעת,חמש חמישה חמשת,שש שישה ששת,שבע שבעה שבעת,"+
		"שמונה שמונת,תשע תשעה תשעת,עשר עשרה עשרת", 1, 1, false)
	put("עשרימ,שלושימ,ארבעימ,חמישימ,שישימ,שבעימ,שמונימ,תשעימ", 20, 10, false)
	put("ראשונ ראשונה,שנייה שניה,שלישי שלישית,רביעי רביעית,חמישי חמישית,שישי שישית,שביעי שביעית,שמיני שמינית,"+
		"תשיעי תשיעית,עשירי עשירית", 1, 1, true)
	for _, ten := range []string{"עשר", "עשרה"} {
		all[ten] = value{value: 10, teen: true}
	}
	all["hundred"], all["מאות"] = value{hundred: true}, value{hundred: true}
	all["מאה"], all["מאתיימ"] = value{value: 100}, value{value: 200}
	for word, scale := range map[string]int{"thousand": 1_000, "אלפ": 1_000, "אלפימ": 1_000, "million": 1_000_000,
		"מיליונ": 1_000_000} {
		all[word] = value{scale: scale}
	}
	all["אלפיימ"] = value{scale: 1_000, plus: 1_000}
	return all
}

// Day is a day of a year, or of any.
type Day struct {
	Day, Month int
	// Year is 0 where none is said.
	Year int
	// Words is how many words it takes.
	Words int
}

// ReadDay reads a day with its month in words at the beginning of folded words, such as "17 june 2026", "june the
// seventeenth" and "חמישה במאי"; false when there is none.
func ReadDay(words []string) (Day, bool) {
	var d Day
	if d.Month = monthOf(words[0]); d.Month > 0 {
		d.Words = 1
		if len(words) > 2 && words[1] == "the" {
			d.Words++
		}
		if len(words) == d.Words {
			return Day{}, false
		}
		n, ok := dayAt(words[d.Words:])
		d.Day, d.Words = n.Value, d.Words+n.Words
		if !ok {
			return Day{}, false
		}
	} else {
		n, ok := dayAt(words)
		if !ok {
			return Day{}, false
		}
		d.Day, d.Words = n.Value, n.Words
		if len(words) > d.Words+1 && (words[d.Words] == "of" || words[d.Words] == "לחודש") {
			d.Words++
		}
		if len(words) == d.Words {
			return Day{}, false
		}
		if d.Month = monthOf(words[d.Words]); d.Month == 0 {
			return Day{}, false
		}
		d.Words++
	}
	if d.Day < 1 || d.Day > 31 {
		return Day{}, false
	}
	if len(words) > d.Words {
		if year := digits(words[d.Words]); len(words[d.Words]) == 4 && year >= 1900 && year < 2200 {
			d.Year = year
			d.Words++
		}
	}
	return d, true
}

// dayAt reads the number of a day, in digits or in words.
func dayAt(words []string) (Number, bool) {
	word := words[0]
	if len(word) > 2 {
		for _, ending := range []string{"st", "nd", "rd", "th"} {
			if rest, found := strings.CutSuffix(word, ending); found && digits(rest) > 0 {
				word = rest
				break
			}
		}
	}
	if n := digits(word); n > 0 && len(word) <= 2 {
		return Number{Value: n, Words: 1}, true
	}
	return Read(words)
}

// digits is the number that a word of a few digits makes, else 0.
func digits(word string) int {
	n := 0
	if len(word) > 4 {
		return 0
	}
	for i := range len(word) {
		if word[i] < '0' || word[i] > '9' {
			return 0
		}
		n = n*10 + int(word[i]-'0')
	}
	return n
}

// monthOf is the number of a month by its name, with Hebrew prefixes or without; 0 for any other word.
func monthOf(word string) int {
	if m, known := months[word]; known {
		return m
	}
	for _, prefix := range []string{"ב", "ל", "מ", "ה", "של"} {
		if rest, found := strings.CutPrefix(word, prefix); found && months[rest] > 0 {
			return months[rest]
		}
	}
	return 0
}

var months = func() map[string]int {
	all := make(map[string]int)
	for i, names := range []string{
		"january jan ינואר", "february feb פברואר", "march mar מרצ מרס", "april apr אפריל", "may מאי", "june jun יוני",
		"july jul יולי", "august aug אוגוסט", "september sept sep ספטמבר", "october oct אוקטובר", "november nov נובמבר",
		"december dec דצמבר",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = i + 1
		}
	}
	return all
}()
