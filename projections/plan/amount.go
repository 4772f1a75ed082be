package plan

import "strings"

// amountAt reads a length at i: "45 minutes", "two-hour", "an hour and a half", "שעתיים וחצי", "שלושת רבעי שעה". The
// prefix is that of its first word.
func (p *parser) amountAt(i int) (a amount, prefix string, next int, ok bool) {
	if i >= len(p.tokens) {
		return a, "", i, false
	}
	if a, prefix, next, ok = p.fraction(i); ok {
		return a, prefix, next, true
	}
	if value, with, found := p.look(i, duals); found {
		return p.withHalf(unit(value), 2, i+1, with)
	}
	if value, with, found := p.look(i, unitWords); found && p.tokens[i].hebrew {
		// "יום שני" is a day, "שעה 9" an hour of the day; neither is a length.
		if _, _, day := p.weekdayNameAt(i); day || unit(value) == days && roleOf(with) == bare ||
			strings.Contains(with, "ה") {
			return a, "", i, false
		}
		if unit(value) == hours {
			if _, _, _, clock := p.plainHour(i+1, true); clock {
				if _, and := p.exact(i+1, numerals, ""); and || p.tokens[i+1].kind != word {
					return a, "", i, false
				}
			}
		}
		if p.has(i+1, whichAfter) {
			return a, "", i, false
		}
		return p.withHalf(unit(value), 1, i+1, with)
	}
	if p.is(i, "a", "an") {
		if p.is(i+1, "couple") && p.is(i+2, "of") {
			if value, found := unitWords[p.wordAt(i+3)]; found {
				return p.withHalf(unit(value), 2, i+4, "")
			}
		}
		if p.is(i+1, "fortnight") {
			return amount{days: 14}, "", i + 2, true
		}
		if value, found := unitWords[p.wordAt(i+1)]; found && len(p.wordAt(i+1)) > 1 {
			a, prefix, next, ok = p.withHalf(unit(value), 1, i+2, "")
			return a, prefix, next + btoi(p.is(next, "long")), ok
		}
		return a, "", i, false
	}
	return p.counted(i)
}

func (p *parser) weekdayNameAt(i int) (value, next int, ok bool) {
	value, _, next, ok = p.weekdayName(i, false)
	return value, next, ok
}

// fraction reads "half an hour", "quarter of an hour", "חצי שעה", "רבע שעה", "שלושת רבעי שעה".
func (p *parser) fraction(i int) (a amount, prefix string, next int, ok bool) {
	var of int
	if p.is(i, "a") && (p.is(i+1, "half") || p.is(i+1, "quarter")) {
		i++
	}
	if _, with, found := p.look(i, halfWord); found {
		of, prefix, next = 30, with, i+1
	} else if _, with, found := p.look(i, quarter); found {
		of, prefix, next = 15, with, i+1
	} else if n, with, end, found := p.number(i); found && n == 3 && p.is(end, "רבעי") {
		of, prefix, next = 45, with, end+1
	} else {
		return a, "", i, false
	}
	if p.is(next, "-", "of") {
		next++
	}
	if p.is(next, "an") {
		next++
	}
	if value, with, found := p.look(next, unitWords); !found || unit(value) != hours || with != "" {
		return a, "", i, false
	}
	return amount{minutes: of}, prefix, next + 1, true
}

// counted reads a number and its unit.
func (p *parser) counted(i int) (a amount, prefix string, next int, ok bool) {
	if i >= len(p.tokens) {
		return a, "", i, false
	}
	if t := p.tokens[i]; t.kind == dotted && len(t.numbers) == 2 { // 1.5 hours
		if value, with, found := p.look(i+1, unitWords); found && unit(value) == hours && with == "" && t.digits[1] == 1 {
			return amount{minutes: t.numbers[0]*60 + t.numbers[1]*6}, t.prefix, i + 2, true
		}
		return a, "", i, false
	}
	n, prefix, next, ok := p.number(i)
	if !ok || n == 0 {
		return a, "", i, false
	}
	half := false
	if p.are(next, "and", "a", "half") {
		half, next = true, next+3
	}
	if p.is(next, "-") && !p.tokens[next].spaced {
		next++
	}
	value, with, found := p.look(next, unitWords)
	if !found || with != "" || p.tokens[next].text == "h" && p.tokens[next].spaced {
		return a, "", i, false
	}
	if _, _, day := p.weekdayNameAt(next); day && p.tokens[next].hebrew {
		return a, "", i, false
	}
	next++
	if p.is(next, "-") && !p.tokens[next].spaced && p.is(next+1, "long") {
		next += 2
	} else if p.is(next, "long") {
		next++
	}
	a, prefix, next, ok = p.withHalf(unit(value), n, next, prefix)
	if half {
		a = a.plusHalf(unit(value))
	}
	return a, prefix, next, ok
}

// withHalf reads what may follow a unit: "and a half", "and 20 minutes", "וחצי", "ורבע", "ועשרים דקות".
func (p *parser) withHalf(of unit, n, next int, prefix string) (amount, string, int, bool) {
	var a amount
	switch of {
	case minutes:
		a.minutes = n
	case hours:
		a.minutes = n * 60
	case days:
		a.days = n
	case weeks:
		a.days = n * 7
	case months:
		a.months = n
	case years:
		a.months = n * 12
	}
	switch {
	case p.are(next, "and", "a", "half"):
		return a.plusHalf(of), prefix, next + 3, true
	case of == hours && p.are(next, "and", "a", "quarter"):
		a.minutes += 15
		return a, prefix, next + 3, true
	case of == hours:
		after := next
		if p.is(after, "and", ",") {
			after++
		}
		if m, with, end, ok := p.number(after); ok && m < 60 && (with == "" && after > next || with == "ו") {
			if value, _, found := p.look(end, unitWords); found && unit(value) == minutes {
				a.minutes += m
				return a, prefix, end + 1, true
			}
		}
		if _, ok := p.exact(next, quarter, "ו"); ok && !p.is(next, "רבע") && p.hebrewAt(next) {
			a.minutes += 15
			return a, prefix, next + 1, true
		}
	}
	if _, ok := p.exact(next, halfWord, "ו"); ok && p.hebrewAt(next) && !p.is(next, "חצי") {
		return a.plusHalf(of), prefix, next + 1, true
	}
	return a, prefix, next, true
}

// plusHalf adds half a unit; half a week and half a month are no length in days that people agree on, and half a day is
// 12 hours.
func (a amount) plusHalf(of unit) amount {
	switch of {
	case hours:
		a.minutes += 30
	case days:
		a.minutes += 12 * 60
	case weeks:
		a.days += 3
	case months:
		a.days += 15
	case years:
		a.months += 6
	}
	return a
}
