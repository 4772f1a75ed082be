package plan

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
)

// repeat is how something repeats, as it was read.
type repeat struct {
	freq     rrule.Frequency
	interval int
	days     []model.Weekday
	// nth is which of the month's weekdays: 1 the first, -1 the last, 0 none.
	nth      int
	monthDay int
	// also are the days of the month beside monthDay, in the order said.
	also  []int
	until model.Date
	count int
	// part comes with "every Friday evening".
	part part
}

// repeatAt reads a recurrence with its preposition.
func (p *parser) repeatAt(i int) (item, bool) {
	begin := i
	if p.is(i, "on") {
		i++
	}
	if p.is(i, "the") {
		i++
	}
	it := item{sort: aRepeat, from: begin}
	for _, read := range []func(int) (repeat, int, []Ambiguity, bool){
		p.nthWeekday, p.dayOfEvery, p.every, p.pluralDays, p.adverb} {
		if rep, end, doubts, ok := read(i); ok {
			it.repeat, it.to, it.doubts = rep, end, doubts
			return it, true
		}
	}
	return it, false
}

// nthWeekday reads "every first Monday of the month", "the last Thursday of every month", "כל יום שני הראשון בחודש",
// "יום שני הראשון של כל חודש".
func (p *parser) nthWeekday(i int) (rep repeat, next int, _ []Ambiguity, ok bool) {
	every := p.is(i, "every", "each")
	begin := i
	if every {
		i++
	}
	if _, _, all := p.look(i, allWord); all {
		every = true
		begin, i = i, i+1
	}
	nth := 0
	if value, found := ordinals[p.wordAt(i)]; found && !p.tokens[i].hebrew && value <= 4 {
		nth = value
	} else if p.is(i, "last") {
		nth = -1
	} else if i < len(p.tokens) && p.tokens[i].ordinal && p.tokens[i].n() <= 4 {
		nth = p.tokens[i].n()
	}
	if nth != 0 {
		value, found := weekdayWords[p.wordAt(i+1)]
		if !found {
			return rep, begin, nil, false
		}
		next = i + 2
		if p.is(next, "of", "in") {
			next++
		}
		switch {
		case p.is(next, "every", "each", "the") && p.is(next+1, "month"):
			every = every || !p.is(next, "the")
			next += 2
		case p.is(next, "month") && every:
			next++
		default:
			if !every || nth > 1 { // "every second Tuesday" is every other one
				return rep, begin, nil, false
			}
		}
		return repeat{freq: rrule.Monthly, interval: 1, nth: nth,
			days: []model.Weekday{model.WeekdayOf(time.Weekday(value))}}, next, nil, every
	}
	value, _, end, found := p.weekdayName(i, true)
	if !found || !p.tokens[i].hebrew {
		return rep, begin, nil, false
	}
	if n, with, ordinal := p.look(end, ordinals); ordinal && with == "ה" {
		nth = n
	} else if p.is(end, "האחרונ") {
		nth = -1
	} else {
		return rep, begin, nil, false
	}
	end++
	switch {
	case p.is(end, "של", "בכל") && p.is(end+btoi(p.is(end+1, "כל"))+1, "חודש"):
		every = true
		end += btoi(p.is(end+1, "כל")) + 2
	case p.is(end, "בחודש", "לחודש"):
		end++
	default:
		return rep, begin, nil, false
	}
	return repeat{freq: rrule.Monthly, interval: 1, nth: nth, days: []model.Weekday{model.WeekdayOf(time.Weekday(value))}},
		end, nil, every
}

var allWord = setOf("כל")

// every reads "every day", "every other Tuesday", "every 3 months", "every Monday and Wednesday", "כל יום שני ורביעי",
// "מדי שבוע".
func (p *parser) every(i int) (rep repeat, next int, doubts []Ambiguity, ok bool) {
	begin := i
	rep.interval = 1
	hebrew := false
	switch {
	case p.is(i, "every", "each"):
		i++
	case p.is(i, "once") && p.is(i+1, "a", "every"):
		i += 2
	case p.is(i, "מדי"):
		hebrew = true
		i++
	case p.is(i, "פעמ", "אחת") && (p.has(i+1, unitWords) || p.has(i+1, duals)):
		value, prefix, found := p.look(i+1, duals)
		rep.interval += btoi(found)
		if !found {
			value, prefix, _ = p.look(i+1, unitWords)
		}
		if prefix != "ב" && prefix != "ל" || p.is(i, "אחת") && prefix != "ל" {
			return rep, begin, nil, false
		}
		return p.everyUnit(rep, unit(value), i+2)
	default:
		if _, prefix, all := p.look(i, allWord); !all || prefix != "" && prefix != "ב" {
			return rep, i, nil, false
		}
		hebrew = true
		i++
	}
	if !hebrew && p.is(i, "other", "second") {
		rep.interval = 2
		i++
	}
	if n, prefix, end, found := p.number(i); found && n > 1 && n < 100 && rep.interval == 1 && prefix == "" {
		if _, _, _, day := p.weekdayName(i, true); !day || p.has(end, unitWords) {
			rep.interval = n
			i = end
		}
	}
	if p.workdays(i) {
		next = i + 1 + btoi(p.is(i+1, "חול", "עבודה"))
		rep.freq = rrule.Weekly
		rep.days, doubts = p.workweek(begin, next)
		return rep, next, doubts, rep.interval == 1
	}
	if days, of, end, found := p.weekdayList(i); found {
		rep.freq, rep.days, rep.part = rrule.Weekly, days, of
		return rep, end, nil, true
	}
	if value, with, found := p.look(i, duals); found && with == "" {
		rep.interval = 2
		return p.everyUnit(rep, unit(value), i+1)
	}
	value, with, found := p.look(i, unitWords)
	if !found || with != "" && with != "ב" {
		if value, _, found := p.look(i, partWords); found && !p.tokens[i].possessive && rep.interval == 1 {
			rep.freq, rep.part = rrule.Daily, part(value)
			return rep, i + 1, nil, true
		}
		return rep, begin, nil, false
	}
	return p.everyUnit(rep, unit(value), i+1)
}

// everyUnit finishes "every week" with the weekdays or the day of the month that may follow.
func (p *parser) everyUnit(rep repeat, of unit, next int) (repeat, int, []Ambiguity, bool) {
	switch of {
	case days:
		rep.freq = rrule.Daily
		if list, end := p.weekdayRange(next); rep.interval == 1 && len(list) > 0 { // "כל יום מראשון עד חמישי"
			rep.freq, rep.days, next = rrule.Weekly, list, end
		}
	case weeks:
		rep.freq = rrule.Weekly
		rep.days, rep.part, next = p.onWeekdays(next)
	case months:
		rep.freq = rrule.Monthly
		rep.monthDay, rep.also, next = p.onMonthDays(next)
	case years:
		rep.freq = rrule.Yearly
	default:
		return rep, next, nil, false
	}
	return rep, next, nil, true
}

// weekdayRange reads "from Sunday to Thursday", "מראשון עד חמישי": the days of the week between two.
func (p *parser) weekdayRange(i int) (list []model.Weekday, next int) {
	begin := i
	i += btoi(p.is(i, ",")) // "every day, Monday to Friday"
	i += btoi(p.is(i, "from"))
	first, prefix, i, ok := p.weekdayName(i, true)
	if !ok || prefix != "" && prefix != "מ" {
		return nil, begin
	}
	joined := p.is(i, "to", "until", "till", "through", "thru", "-", "עד", "ועד")
	last, prefix, end, ok := p.weekdayName(i+btoi(joined), true)
	if !ok || !joined && prefix != "ל" || joined && prefix != "" {
		return nil, begin
	}
	for day := first; ; day = (day + 1) % 7 {
		list = append(list, model.WeekdayOf(time.Weekday(day)))
		if day == last {
			return list, end
		}
	}
}

func (p *parser) onWeekdays(i int) ([]model.Weekday, part, int) {
	begin := i
	if p.is(i, "on") {
		i++
	}
	if found, of, end, ok := p.weekdayList(i); ok {
		return found, of, end
	}
	if rep, end, _, ok := p.pluralDays(i); ok {
		return rep.days, rep.part, end
	}
	return nil, noPart, begin
}

// onMonthDay reads "on the 15th", "ב-1 לחודש".
func (p *parser) onMonthDay(i int) (n, next int) {
	begin := i
	if p.is(i, "on") {
		i++
	}
	if p.is(i, "the") {
		i++
	}
	if i >= len(p.tokens) || p.tokens[i].kind != number {
		return 0, begin
	}
	t := p.tokens[i]
	hebrew := p.is(i+1, "לחודש", "בחודש")
	if t.n() < 1 || t.n() > 31 || !t.ordinal && !hebrew {
		return 0, begin
	}
	i++
	if hebrew {
		i++
	} else if p.are(i, "of", "the", "month") || p.are(i, "of", "every", "month") || p.are(i, "of", "each", "month") {
		i += 3
	}
	return t.n(), i
}

// onMonthDays reads several days of the month: "on the 15th and 30th", "ב-1 וב-15 לחודש".
func (p *parser) onMonthDays(i int) (n int, also []int, next int) {
	n, next = p.onMonthDay(i)
	for n > 0 && (p.is(next, "and", "&") || p.is(next, ",") &&
		(p.is(next+1, "and", "the") || next+1 < len(p.tokens) && p.tokens[next+1].ordinal)) {
		after := next + 1
		after += btoi(p.is(after, "and"))
		more, end := p.onMonthDay(after)
		if more == 0 {
			break
		}
		also, next = append(also, more), end
	}
	return n, also, next
}

// dayOfEvery reads "the 15th of every month", "the 1st and 15th of each month", "ב-15 לכל חודש", "כל 15 לחודש".
func (p *parser) dayOfEvery(i int) (rep repeat, next int, _ []Ambiguity, ok bool) {
	if _, prefix, all := p.look(i, allWord); all && (prefix == "" || prefix == "ב") && i+1 < len(p.tokens) &&
		p.tokens[i+1].kind == number && p.is(i+2, "לחודש", "בחודש") {
		n := p.tokens[i+1].n()
		return repeat{freq: rrule.Monthly, interval: 1, monthDay: n}, i + 3, nil, n >= 1 && n <= 31
	}
	if i >= len(p.tokens) || p.tokens[i].kind != number {
		return rep, i, nil, false
	}
	if rep, next, ok = p.daysOfEvery(i); ok {
		return rep, next, nil, true
	}
	n := p.tokens[i].n()
	english := p.tokens[i].ordinal && p.is(i+1, "of", "in") && p.is(i+2, "every", "each") && p.is(i+3, "month")
	hebrew := p.is(i+1, "לכל", "בכל", "כל") && p.is(i+2, "חודש")
	if n < 1 || n > 31 || !english && !hebrew {
		return rep, i, nil, false
	}
	return repeat{freq: rrule.Monthly, interval: 1, monthDay: n}, i + 3 + btoi(english), nil, true
}

// daysOfEvery reads "15th and 30th of each month".
func (p *parser) daysOfEvery(i int) (rep repeat, next int, ok bool) {
	n, also, next := p.onMonthDays(i)
	if len(also) == 0 {
		return rep, i, false
	}
	ends := p.are(next-3, "of", "every", "month") || p.are(next-3, "of", "each", "month")
	if !ends && p.is(next, "in", "of", "every", "each") && (p.are(next+1, "every", "month") ||
		p.are(next+1, "each", "month") || p.is(next+1, "month") && p.is(next, "every", "each")) {
		ends, next = true, next+2+btoi(!p.is(next+1, "month"))
	}
	return repeat{freq: rrule.Monthly, interval: 1, monthDay: n, also: also}, next, ends
}

func (p *parser) workdays(i int) bool {
	return p.is(i, "weekday", "weekdays", "workday", "workdays") || p.is(i, "יומ", "ימי") && p.is(i+1, "חול", "עבודה")
}

// workweek are the working days of the viewer's country.
func (p *parser) workweek(from, to int) ([]model.Weekday, []Ambiguity) {
	sunday := []model.Weekday{model.Sunday, model.Monday, model.Tuesday, model.Wednesday, model.Thursday}
	monday := []model.Weekday{model.Monday, model.Tuesday, model.Wednesday, model.Thursday, model.Friday}
	if p.inIsrael() {
		return sunday, []Ambiguity{p.doubt(DoubtWorkdays, from, to, "SU–TH", "MO–FR")}
	}
	return monday, nil
}

// weekdayList reads "Monday", "Monday and Wednesday", "Monday, Tuesday and Friday evening", "יום שני ורביעי".
func (p *parser) weekdayList(i int) (list []model.Weekday, of part, next int, ok bool) {
	value, prefix, next, ok := p.weekdayName(i, true)
	if !ok {
		return nil, noPart, i, false
	}
	if prefix != "" && strings.Trim(prefix, "ב") != "" {
		return nil, noPart, i, false
	}
	list = append(list, model.WeekdayOf(time.Weekday(value)))
	for {
		after := next
		if p.is(after, ",") {
			after++
		}
		if p.is(after, "and", "&", "+") {
			after++
		}
		value, prefix, end, found := p.weekdayName(after, true)
		if !found && p.tokens[next-1].hebrew {
			if v, with, named := p.look(after, weekdayWords); named && (with == "ו" || with == "" && after > next) {
				value, prefix, end, found = v, "ו", after+1, true
			} else if v, with, letter := p.look(after, weekdayLetters); letter && with == "ו" {
				value, prefix, end, found = v, "ו", after+1, true
			}
		}
		if !found || after == next && !strings.HasPrefix(prefix, "ו") ||
			p.tokens[after-1].text == "," && p.tokens[after].hebrew && !strings.HasPrefix(prefix, "ו") && prefix != "" {
			break
		}
		list = append(list, model.WeekdayOf(time.Weekday(value)))
		next = end
	}
	if value, _, found := p.look(next, partWords); found && !p.tokens[next].hebrew && !p.tokens[next].possessive &&
		!p.is(next, "noon", "midday") {
		of, next = part(value), next+1
	}
	return list, of, next, true
}

// pluralDays reads "Mondays and Wednesdays", "weekdays", "בימי שני וחמישי".
func (p *parser) pluralDays(i int) (rep repeat, next int, doubts []Ambiguity, ok bool) {
	rep = repeat{freq: rrule.Weekly, interval: 1}
	if p.is(i, "weekdays", "workdays") {
		rep.days, doubts = p.workweek(i, i+1)
		return rep, i + 1, doubts, true
	}
	if _, prefix, found := p.look(i, daysOf); found && (prefix == "ב" || prefix == "") {
		if p.is(i+1, "חול", "עבודה") {
			rep.days, doubts = p.workweek(i, i+2)
			return rep, i + 2, doubts, true
		}
		value, with, named := p.look(i+1, weekdayWords)
		if !named {
			value, with, named = p.look(i+1, weekdayLetters)
		}
		if !named || with != "" {
			return rep, i, nil, false
		}
		list := []model.Weekday{model.WeekdayOf(time.Weekday(value))}
		next = i + 2
		for {
			after := next
			if p.is(after, ",") {
				after++
			}
			value, with, named := p.look(after, weekdayWords)
			if !named || with != "ו" && after == next {
				if value, with, named = p.look(after, weekdayLetters); !named || with != "ו" && after == next {
					break
				}
			}
			list = append(list, model.WeekdayOf(time.Weekday(value)))
			next = after + 1
		}
		rep.days = list
		return rep, next, nil, true
	}
	value, found := weekdayPlurals[p.wordAt(i)]
	if !found {
		return rep, i, nil, false
	}
	rep.days, next = append(rep.days, model.WeekdayOf(time.Weekday(value))), i+1
	for {
		after := next
		if p.is(after, ",") {
			after++
		}
		if p.is(after, "and", "&", "+") {
			after++
		}
		value, found := weekdayPlurals[p.wordAt(after)]
		if !found || after == next {
			return rep, next, nil, true
		}
		rep.days, next = append(rep.days, model.WeekdayOf(time.Weekday(value))), after+1
	}
}

var daysOf = setOf("ימי ימים")

// adverb reads "daily", "weekly on Mondays", "monthly on the 1st", "שבועי", "חודשית".
func (p *parser) adverb(i int) (rep repeat, next int, _ []Ambiguity, ok bool) {
	value, prefix, found := p.look(i, adverbs)
	if !found || prefix != "" || p.is(i, "annual") && p.is(i+1, "leave") {
		return rep, i, nil, false
	}
	rep.interval = 1
	of := unit(value)
	if value > 100 {
		rep.interval, of = 2, unit(value-100)
	}
	if p.tokens[i].hebrew && p.qualifies(i) && !p.has(i+1, daysOf) { // "ישיבה שבועית ביום שני": perhaps only that one
		rep.freq = map[unit]rrule.Frequency{days: rrule.Daily, weeks: rrule.Weekly, months: rrule.Monthly,
			years: rrule.Yearly}[of]
		return rep, i + 1, nil, rep.freq != ""
	}
	return p.everyUnit(rep, of, i+1)
}

var adverbs = table{
	"daily": int(days), "everyday": int(days), "weekly": int(weeks), "monthly": int(months), "yearly": int(years),
	"annually": int(years), "annual": int(years),
	"biweekly": 100 + int(weeks), "fortnightly": 100 + int(weeks), "quarterly": 0,
	"יומי": int(days), "יומית": int(days), "שבועי": int(weeks), "שבועית": int(weeks), "חודשי": int(months),
	"חודשית": int(months), "שנתי": int(years), "שנתית": int(years),
}

// line returns the RRULE line of a recurrence whose occurrences start at a wall time, on days if all-day.
func (rep repeat) line(allDay bool, zone *time.Location) (string, error) {
	rule := rrule.Rule{Frequency: rep.freq, Interval: rep.interval, Count: rep.count, AllDay: allDay}
	if rep.nth == 0 {
		rule.Days, rule.DayOfMonth = rep.days, rep.monthDay
	}
	if !rep.until.IsZero() {
		rule.Until = rep.until.Midnight()
		if !allDay {
			rule.Until = wall(rep.until, 24*60, zone).Add(-time.Second)
		}
	}
	text, err := rrule.Build(rule)
	if err != nil || rep.nth == 0 {
		for _, day := range rep.also { // BYMONTHDAY is the last part of such a line
			if day != rep.monthDay {
				text += "," + strconv.Itoa(day)
			}
		}
		return text, err
	}
	code := string(rep.days[0][:2])
	return text + ";BYDAY=" + strconv.Itoa(rep.nth) + code, nil
}

// join adds to a recurrence what a second mention of it says ("weekly … on Mondays"). False when the two do not go
// together.
func (rep *repeat) join(other repeat) bool {
	if other.nth != 0 && rep.freq == rrule.Monthly && rep.interval == 1 && rep.nth == 0 && rep.monthDay == 0 {
		*rep = other
		return true
	}
	switch {
	case rep.freq != other.freq, rep.interval != other.interval && rep.interval != 1 && other.interval != 1,
		rep.nth != 0 || other.nth != 0,
		len(rep.days) > 0 && len(other.days) > 0 && !slices.Equal(rep.days, other.days),
		rep.monthDay != 0 && other.monthDay != 0:
		return false
	}
	rep.interval = max(rep.interval, other.interval)
	if len(rep.days) == 0 {
		rep.days = other.days
	}
	rep.monthDay, rep.also = max(rep.monthDay, other.monthDay), append(rep.also, other.also...)
	rep.part = max(rep.part, other.part)
	return true
}
