package plan

import (
	"strings"

	"almanac/graph/model"
)

// dayOfMonth reads "the 3rd", "the last day of the month", "end of the month", "ה-30 לחודש", "סוף החודש".
func (p *parser) dayOfMonth(i int) (d day, prefix string, ok bool) {
	if date, next, with, found := p.monthEnd(i); found {
		return day{date: date, absolute: true, to: next}, with, true
	}
	if n, with, found := p.look(i, ordinals); found && p.hebrewAt(i) && p.is(i+1, "לחודש") && !p.is(i-1, "כל", "בכל") {
		d = p.ofMonth(i, i+2+btoi(p.is(i+2, "הבא")), n, p.is(i+2, "הבא"))
		return d, with, true
	}
	if n, next, found := p.dayNumber(i); found && p.is(i, "twenty", "thirty") && p.is(i-1, "the") &&
		!p.is(next, "birthday", "anniversary", "floor", "street", "century", "of") { // "on the twenty second"
		return p.ofMonth(i, next, n, false), "", true
	}
	if n, next, found := p.dayNumber(i); found && p.tokens[i].kind == word && !p.tokens[i].hebrew && p.is(i-1, "the") &&
		p.is(i-2, "on", "for", "to", "until", "by", "from") && (p.ends(next) || p.is(next, ",", "at", "from",
		"in")) { // "on the seventh"
		return p.ofMonth(i, next, n, false), "", true
	}
	if i >= len(p.tokens) || p.tokens[i].kind != number {
		return d, "", false
	}
	t := p.tokens[i]
	next := i + 1
	if p.is(next, "לחודש") && p.is(next+1, "הבא") {
		return p.ofMonth(i, next+2, t.n(), true), t.prefix, true
	}
	hebrew := p.is(next, "לחודש", "בחודש")
	article := strings.HasSuffix(t.prefix, "ה") && t.digits[0] <= 2
	if !t.ordinal && !hebrew && !article || t.n() < 1 {
		return d, "", false
	}
	if hebrew || p.are(next, "of", "the", "month") {
		next++
		if !hebrew {
			next += 2
		}
	}
	if p.is(next, "of", "floor", "street", "st", "avenue", "ave", "grade", "anniversary", "birthday", "quarter", "round",
		"session", "edition", "day", "class") {
		return d, "", false
	}
	return p.ofMonth(i, next, t.n(), false), t.prefix, true
}

// ofMonth returns the next day of a month with a number, or that of the month after this one.
func (p *parser) ofMonth(from, to, n int, following bool) day {
	today := p.today()
	date := today
	if following {
		date = plusMonths(model.Date{Year: date.Year, Month: date.Month, Day: 1}, 1)
	}
	if p.past && !following && n >= 1 { // "what did we have on the 19th": the latest that has been
		for date.Day = n; n > lastDay(date.Year, date.Month) || today.Before(date); date.Day = n {
			if n > 31 {
				break
			}
			date = plusMonths(model.Date{Year: date.Year, Month: date.Month, Day: 1}, -1)
		}
		if n <= 31 {
			return day{date: date, absolute: true, to: to}
		}
	}
	for range 13 {
		if n >= 1 && n <= lastDay(date.Year, date.Month) && (date.Month != today.Month || n >= today.Day) {
			date.Day = n
			return day{date: date, absolute: true, to: to}
		}
		if following {
			break
		}
		date = plusMonths(model.Date{Year: date.Year, Month: date.Month, Day: 1}, 1)
	}
	p.fail(Contradiction, SlotDate, noSuchDay, from, to)
	return day{date: today, absolute: true, to: to}
}

// endsInName reports whether the end of a time is a part of a name, without article or preposition: "end of year
// party",
// "מסיבת סוף שנה".
func (p *parser) endsInName(i, next int) bool {
	before := i - 1
	if p.is(i, "end") {
		last := next + 1
		if p.is(before, "the") {
			before--
		}
		return p.is(next, "year", "month", "week", "term", "season") && !p.is(before, "by", "until", "till", "before", "at",
			"from", "after", "around") && last < len(p.tokens) && p.tokens[last].kind == word &&
			p.prepositionless(last) && !p.is(last, "please", "is", "remind") && !p.has(last, dayWords) &&
			!p.has(last, weekdayWords) && !p.has(last, monthWords)
	}
	return p.is(i, "סופ") && p.is(next, "שנה", "קורס", "סמסטר", "עונה") && p.hebrewAt(before) &&
		p.tokens[before].prefix == "" && p.prepositionless(before)
}

// monthEnd reads "end of the month", "the end of June", "end of the week", "סוף השנה" and returns that day.
func (p *parser) monthEnd(i int) (date model.Date, next int, prefix string, ok bool) {
	next = i
	switch {
	case p.are(i, "last", "day", "of"):
		next += 3
	case p.are(i, "end", "of"):
		next += 2
	default:
		_, with, found := p.look(i, endWord)
		if !found {
			return date, i, "", false
		}
		prefix = with
		next++
	}
	if p.endsInName(i, next) {
		return date, i, "", false
	}
	w := this
	if p.is(next, "the") {
		next++
	}
	if value, found := whichBefore[p.wordAt(next)]; found {
		w = which(value)
		next++
	}
	of, with, found := p.look(next, spans)
	if week := of == weekSpan && p.is(i, "end"); found && (of == monthSpan || of == yearSpan || week) &&
		(with == "ה" || with == "") {
		next++
		if value, _, found := p.look(next, whichAfter); found {
			w = which(value)
			next++
		}
		return p.spanOf(of, w).end.AddDays(-1), next, prefix, true
	}
	if found, with, end, ok := p.monthAlone(next); ok && with == "" {
		return found.end.AddDays(-1), end, prefix, true
	}
	return date, i, "", false
}
