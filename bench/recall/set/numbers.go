//go:build bench

package set

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// numbers makes the values of the slots that are no words. The other form of each is how a person may write it
// otherwise.
func numbers(r *random) map[string]value {
	phone, otherPhone := phone(r)
	date, otherEnglish, otherHebrew := date(r)
	long := r.digits(8)
	pin, price := r.digits(4), r.digits(2)+"0"
	moment := fmt.Sprintf("%d:%02d", 8+r.below(12), 15*r.below(4))
	return map[string]value{
		"phone": {phone, phone, otherPhone, otherPhone},
		"date":  {date, date, otherEnglish, otherHebrew},
		"long":  {long, long, long[:4] + "-" + long[4:], long[:4] + " " + long[4:]},
		"pin":   {pin, pin, pin, pin},
		"price": {price, price, price, price},
		"time":  {moment, moment, moment, moment},
	}
}

// phone returns a number in two of the ways in which people write one.
func phone(r *random) (one, other string) {
	operator, number := "5"+string("023458"[r.below(6)]), r.digits(7)
	ways := []string{
		"0" + operator + "-" + number, "0" + operator + number, "+972-" + operator + "-" + number[:3] + "-" + number[3:],
		"+972 " + operator + " " + number[:3] + " " + number[3:], "0" + operator + "-" + number[:3] + "-" + number[3:],
		"00972" + operator + number,
	}
	first := r.below(len(ways))
	return ways[first], ways[(first+1+r.below(len(ways)-1))%len(ways)]
}

// date returns a day in digits, and the same day in words of each language.
func date(r *random) (digits, english, hebrew string) {
	day, month, year := 1+r.below(28), r.below(12), 2023+r.below(3)
	digits = fmt.Sprintf("%d.%d.%d", day, month+1, year)
	if r.below(3) == 0 {
		digits = fmt.Sprintf("%d-%02d-%02d", year, month+1, day)
	}
	months := [...][2]string{
		{"January", "ינואר"}, {"February", "פברואר"}, {"March", "מרץ"}, {"April", "אפריל"}, {"May", "מאי"}, {"June", "יוני"},
		{"July", "יולי"}, {"August", "אוגוסט"}, {"September", "ספטמבר"}, {"October", "אוקטובר"}, {"November", "נובמבר"},
		{"December", "דצמבר"},
	}
	name := months[month]
	return digits, fmt.Sprintf("%s %d, %d", name[0], day, year), fmt.Sprintf("%d ב%s %d", day, name[1], year)
}

// asked fills a query: numbers and days are mostly asked for in another form than the memory has them.
func (it instance) asked(l line, r *random) string {
	text := l.text
	if r.below(4) > 0 {
		for _, name := range []string{"phone", "date", "long"} {
			text = strings.ReplaceAll(text, "{"+name+"}", "{"+name+"+}")
		}
	}
	return it.fill(text, l.language, r)
}

// misspell makes one slip: two letters swapped, one left out, doubled, or another in its place. The first letter stays,
// as it mostly does.
func misspell(text string, r *random) string {
	letters := []rune(text)
	if len(letters) < 3 {
		return text
	}
	at := 1 + r.below(len(letters)-2)
	for range 10 { // not at a space
		if letters[at] != ' ' && letters[at+1] != ' ' {
			break
		}
		at = 1 + r.below(len(letters)-2)
	}
	slip := string(letters[:at])
	switch r.below(4) {
	case 0:
		slip += string(letters[at+1]) + string(letters[at]) + string(letters[min(at+2, len(letters)):])
	case 1:
		slip += string(letters[at+1:])
	case 2:
		slip += string(letters[at]) + string(letters[at:])
	default:
		other := "aeiotnrs"
		if c, _ := utf8.DecodeRuneInString(text); c >= 'א' {
			other = "אהויתנרש"
		}
		options := []rune(other)
		slip += string(options[r.below(len(options))]) + string(letters[at+1:])
	}
	return slip
}
