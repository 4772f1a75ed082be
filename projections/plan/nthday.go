package plan

import (
	"slices"

	"almanac/graph/model"
)

// weekdayOfMonth reads "the last Thursday of December", "first Monday in January", "the second Tuesday of next month".
func (p *parser) weekdayOfMonth(i int) (d day, prefix string, ok bool) {
	begin := i
	i += btoi(p.is(i, "the"))
	if i+3 >= len(p.tokens) {
		return d, "", false
	}
	nth, found := nths[p.tokens[i].raw]
	if !found {
		nth, found = nths[p.wordAt(i)]
	}
	of, _, is := p.look(i+1, weekdayWords)
	ends := p.is(i+1, "day") && (nth == 1 || nth < 0) // "the last day of January"
	if !found || !is && !ends || p.tokens[i+1].hebrew || !p.is(i+2, "of", "in") {
		return d, "", false
	}
	today, next := p.today(), i+3
	year, month := today.Year, today.Month
	if named, end, is := p.monthAt(next); is && !p.tokens[next].hebrew {
		month, next = named, end
		if month < today.Month {
			year++
		}
		if next < len(p.tokens) && p.tokens[next].kind == number && p.tokens[next].digits[0] == 4 {
			year, next = p.tokens[next].n(), next+1
		}
	} else {
		next += btoi(p.is(next, "the"))
		if !p.is(next, "next", "this") || !p.is(next+1, "month") {
			return d, "", false
		}
		if p.is(next, "next") {
			first := plusMonths(model.Date{Year: year, Month: month, Day: 1}, 1)
			year, month = first.Year, first.Month
		}
		next += 2
	}
	date := model.Date{Year: year, Month: month, Day: 1}
	switch {
	case ends && nth < 0:
		of = int(date.AddDays(lastDay(year, month) - 1).Midnight().Weekday())
	case ends:
		of = int(date.Midnight().Weekday())
	}
	date = date.AddDays((of-int(date.Midnight().Weekday())+7)%7 + 7*(max(nth, 1)-1))
	for nth < 0 && date.AddDays(7).Month == month {
		date = date.AddDays(7)
	}
	return day{date: date, absolute: true, said: true, to: next, from: begin}, "", true
}

// nths pick one of the days of a week in a month; -1 is the last of them.
var nths = map[string]int{"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4,
	"last": -1}

// datedBehind returns the date that stands behind the English name of its day: "Sunday the 20th of December". One on
// another day of the week is left alone, and so is refused.
func (p *parser) datedBehind(d day) (day, bool) {
	if !d.weekday || d.to >= len(p.tokens) || p.tokens[d.from].hebrew {
		return d, false
	}
	i := d.to + btoi(p.is(d.to, ","))
	i += btoi(p.is(i, "the"))
	failed := p.failed
	date, _, ok := p.monthDay(i)
	if p.failed = failed; !ok || date.date.Midnight().Weekday() != d.date.Midnight().Weekday() {
		return d, false
	}
	date.from = d.from
	return date, true
}

// clockBeside reports whether an hour with a colon stands elsewhere in the sentence, so that 15.12 is no hour.
func (p *parser) clockBeside(i int) bool {
	return slices.ContainsFunc(p.tokens, func(t token) bool { return t.kind == clock && t.from != p.tokens[i].from })
}
