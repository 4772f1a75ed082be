package plan

// scan finds the time expressions of the text from left to right; at each place the longest kind of expression is tried
// first.
func (p *parser) scan() {
	for i := 0; i < len(p.tokens); {
		if t := p.tokens[i]; t.kind == quote || t.kind == address || p.used[i] {
			i++
			continue
		}
		it, ok := p.itemAt(i)
		if !ok {
			i++
			continue
		}
		p.items = append(p.items, it)
		i = it.to
	}
	p.leaveNames()
}

func (p *parser) itemAt(i int) (item, bool) {
	if p.is(i, "on") && p.is(i+1, "tomorrow", "today", "tonight", "yesterday") {
		return item{}, false // "turn the heating on tomorrow"
	}
	for _, read := range []func(int) (item, bool){
		p.allDayAt, p.repeatAt, p.countAt, p.daysAt, p.periodAt, p.fromNowAt, p.lengthAt} {
		if it, ok := read(i); ok {
			return it, true
		}
	}
	if it, ok := p.hoursAt(i, p.behindDay(i)); ok {
		return it, true
	}
	if it, ok := p.partAt(i); ok {
		return it, true
	}
	return p.zoneAt(i)
}

// behindDay reports whether a day, or a part of one, ends right before i, so that a bare number is an hour.
func (p *parser) behindDay(i int) bool {
	if len(p.items) == 0 {
		return false
	}
	last := p.items[len(p.items)-1]
	switch last.sort {
	case aDay, aPart, aRepeat, aZone, allDay:
	default:
		return false
	}
	return last.to == i || last.to == i-1 && p.is(i-1, ",", "-")
}

func (p *parser) allDayAt(i int) (item, bool) {
	_, begin := p.preposition(i)
	it := item{sort: allDay, from: i}
	var next int
	switch {
	case p.is(begin, "all", "full", "whole", "entire") &&
		(p.is(begin+1, "day", "days") || p.is(begin+1, "-") && p.is(begin+2, "day")):
		next = begin + 2 + btoi(p.is(begin+1, "-"))
		next += btoi(p.is(next, "long"))
	case p.are(begin, "allday"):
		next = begin + 1
	case p.is(begin, "כל", "לכל") && p.is(begin+1, "היומ"), p.is(begin, "יומ", "ליומ") && p.is(begin+1, "שלמ", "מלא"):
		next = begin + 2
	case p.is(begin, "all", "whole", "entire") && p.is(begin+1, "week") && p.laterPeriod(begin+2),
		p.is(begin, "כל") && p.is(begin+1, "השבוע") && p.laterPeriod(begin+2):
		it.timeless, next = true, begin+2
	default:
		return it, false
	}
	it.to = next
	return it, true
}

// laterPeriod reports whether a period is said right behind "all week".
func (p *parser) laterPeriod(i int) bool {
	_, ok := p.periodAt(i)
	return ok
}

func (p *parser) countAt(i int) (item, bool) {
	_, begin := p.preposition(i)
	n, _, next, ok := p.number(begin)
	if !ok || n < 1 || !p.is(next, "times", "פעמימ", "occurrences", "מופעימ", "sessions", "מפגשימ") {
		return item{}, false
	}
	return item{sort: aCount, from: i, to: next + 1, count: n}, true
}

// daysAt reads one day or a range of two at i, with its preposition.
func (p *parser) daysAt(i int) (item, bool) {
	r, begin := p.preposition(i)
	it := item{sort: aDay, from: i}
	if first, second, prefix, ok := p.dayPair(begin); ok {
		it.sort, it.day, it.last, it.to, it.joint = someDays, first, second, second.to, second.from
		it.role = merge(r, roleOf(prefix))
		return it, true
	}
	first, prefix, ok := p.dayAt(begin)
	if !ok && p.is(begin-1, "in") && begin > i { // "in 3 days"
		begin--
		first, prefix, ok = p.dayAt(begin)
	}
	if !ok {
		return it, false
	}
	it.day, it.to, it.role = first, first.to, merge(r, roleOf(prefix))
	second, linked, ok := p.secondDay(first, it.role)
	if !ok {
		return it, true
	}
	it.sort, it.last, it.to, it.linked, it.joint = someDays, second, second.to, linked, second.from
	if second.said && !first.said && first.absolute && first.date.Year != second.date.Year {
		it.day.date.Year = second.date.Year
	}
	if second.weekday && !it.day.date.Before(second.date) {
		it.last.date = second.date.AddDays(7)
	}
	return it, true
}

// dayPair reads two days of one month: "3-5 December", "Dec 20-27" is read by secondDay, "מ-20 עד 27 בדצמבר".
func (p *parser) dayPair(i int) (first, second day, prefix string, ok bool) {
	if i >= len(p.tokens) || p.tokens[i].kind != number || p.tokens[i].digits[0] > 2 {
		return first, second, "", false
	}
	n := p.tokens[i].n()
	next := i + 1
	if p.is(next, "-", "to", "and", "until", "till", "עד", "ועד") {
		next++
	} else if next >= len(p.tokens) || roleOf(p.tokens[next].prefix) != to {
		return first, second, "", false
	}
	joint := next
	if next >= len(p.tokens) || p.tokens[next].kind != number || p.tokens[next].digits[0] > 2 {
		return first, second, "", false
	}
	second, _, ok = p.monthDay(next)
	if !ok {
		return first, second, "", false
	}
	second.from = joint
	first = p.dated(i, second.to, n, second.date.Month, second.date.Year, true)
	first.from, first.to = i, i+1
	return first, second, p.tokens[i].prefix, true
}

// secondDay reads the end of a range of days behind its start.
func (p *parser) secondDay(first day, r role) (d day, linked, ok bool) {
	i := first.to
	begin := i
	switch {
	case p.is(i, "-"):
		i++
	case p.is(i, "to", "until", "till", "til", "through", "thru", "עד", "ועד"):
		linked = p.is(i, "to")
		i++
	case p.is(i, "and") && r == between:
		i++
	}
	joined := i > begin
	if p.is(i, "the") && joined {
		i++
	}
	if _, _, timed := p.hourAt(i, false); timed {
		return d, false, false
	}
	d, prefix, ok := p.dayAt(i)
	if ok && i == begin {
		joins := roleOf(prefix) == to && (r == between || r == from) || prefix == "ו" && r == between
		if !joins {
			return d, false, false
		}
		linked = r == from
	}
	if ok {
		return d, linked, true
	}
	// Dec 20-27
	if i > begin && first.absolute && p.tokens[first.to-1].kind == number && i < len(p.tokens) &&
		p.tokens[i].kind == number {
		if t := p.tokens[i]; t.digits[0] <= 2 && t.n() > 0 && p.tokens[first.to-1].digits[0] <= 2 {
			end := i + 1
			d = p.date(i, t.n(), first.date.Month, &end)
			if !d.said {
				d.date.Year = first.date.Year
			}
			d.from = i
			return d, linked, true
		}
	}
	return d, false, false
}

// fromNowAt reads "in two hours", "45 minutes from now", "בעוד חצי שעה".
func (p *parser) fromNowAt(i int) (item, bool) {
	begin := i
	inside := p.is(i, "in", "בעוד", "עוד")
	if inside {
		i++
	}
	a, _, next, ok := p.amountAt(i)
	if !ok || a.minutes == 0 || a.months != 0 {
		return item{}, false
	}
	if p.is(next, "from") && p.is(next+1, "now") {
		next += 2
	} else if !inside || p.is(next, "later", "earlier") {
		return item{}, false
	}
	return item{sort: fromNow, from: begin, to: next, amount: a}, true
}

// lengthAt reads "for 45 minutes", "30-minute", "by an hour", "an hour later", "למשך שעה", "בחצי שעה".
func (p *parser) lengthAt(i int) (item, bool) {
	r, begin := p.preposition(i)
	if p.is(i, "by") {
		r = by
	}
	if p.is(i, "at", "@", "on", "from", "between") || p.is(i-1, "at", "@", "באותה", "אותה") {
		return item{}, false
	}
	if p.is(begin, "another", "extra", "additional") {
		begin++
	}
	if _, _, _, clock := p.pastHour(begin); clock { // "five minutes to three"
		return item{}, false
	}
	a, prefix, next, ok := p.amountAt(begin)
	if !ok {
		return item{}, false
	}
	if p.is(next, "more", "נוספימ", "נוספות", "נוספת") {
		next++
	}
	it := item{sort: aLength, from: i, to: next, amount: a, role: merge(r, roleOf(prefix))}
	single := p.is(begin, "a", "an") || p.has(begin, unitWords)
	// "two days before Christmas"
	if p.is(next, "before", "after", "prior", "לפני", "אחרי") && next+1 < len(p.tokens) && p.tokens[next+1].kind == word {
		return item{}, false
	}
	switch {
	case p.is(next, "later", "after", "back", "forward", "מאוחר", "אחרי"):
		it.sort, it.to = aShift, next+1+btoi(p.is(next, "מאוחר") && p.is(next+1, "יותר"))
		it.earlier = false
		if p.is(next, "after") {
			return item{}, false
		}
	case p.is(next, "earlier", "sooner", "מוקדמ", "לפני", "קודמ"):
		it.sort, it.earlier, it.to = aShift, true, next+1+btoi(p.is(next+1, "יותר"))
	case r == by:
		it.sort = aShift
	case p.hebrewAt(begin) && it.role == at && r == bare:
		if !p.shifting {
			return item{}, false
		}
		it.sort = aShift
	case p.tokens[begin].prefix != "" && it.role == at && r == bare:
		it.sort = aShift
	case it.role == from, it.role == until, it.role == between:
		return item{}, false
	case single && a.calendar() && (it.role == bare || it.role == to && p.hebrewAt(begin)):
		return item{}, false // "a day off"
	}
	return it, true
}

// partAt reads "in the morning", "evening" behind a day, "בערב".
func (p *parser) partAt(i int) (item, bool) {
	it := item{sort: aPart, from: i}
	if h, of, next := p.halfAt(i); h == inPart {
		// before dawn is no hour that people agree on
		if _, timed := p.hoursAt(next, true); p.is(i, "לפנות") && of == morning && !timed {
			return it, false
		}
		it.part, it.to = of, next
		return it, true
	}
	r, begin := p.preposition(i)
	value, ok := partWords[p.wordAt(begin)]
	if !ok || p.tokens[begin].possessive || part(value) == noon && !p.hebrewAt(begin) || p.hebrewAt(begin) {
		return it, false
	}
	behind := len(p.items) > 0 && p.items[len(p.items)-1].to == i && begin == i &&
		(p.items[len(p.items)-1].sort <= someDays || p.items[len(p.items)-1].sort == aRepeat)
	if !behind && (r == bare || !p.is(begin-1, "the")) {
		return it, false
	}
	it.part, it.to, it.role = part(value), begin+1, r
	return it, true
}
