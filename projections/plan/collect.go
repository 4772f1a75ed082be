package plan

import (
	"slices"
	"time"

	"almanac/graph/model"
)

// times are the time expressions of a sentence, or of one side of it, sorted by what they say. Each is nil when it was
// not said.
type times struct {
	day, period, hour, part, length, now, shift, allDay, zone *item
	// lastDay and endHour are ends said apart from their starts: "on Monday at 9 until 11".
	lastDay, endHour *item
	repeat           *item
	// until ends a recurrence, or a stretch: a day or a period.
	until *item
	count *item
}

func (t times) empty() bool { return t == times{} }

// collect sorts all time expressions. In a sentence that makes or shows events each may be said once; what is said
// twice must agree.
func (p *parser) collect() (times, error) {
	return p.collectFrom(p.items)
}

func (p *parser) collectFrom(items []item) (t times, err error) {
	for _, it := range items {
		p.doubts(it.doubts...)
		if it.sort == aDay || it.sort == someDays {
			p.doubts(it.day.doubts...)
			p.doubts(it.last.doubts...)
		}
	}
	items = p.withoutNames(items)
	for i := range items {
		if err := p.sortIn(&t, &items[i]); err != nil {
			return t, err
		}
	}
	if t.day != nil && t.day.day.named != nil && t.hour == nil {
		named := item{sort: anHour, from: t.day.from, to: t.day.to, hour: *t.day.day.named}
		if t.day.sort == someDays && t.day.last.named != nil && t.day.last.date == t.day.day.date {
			named.sort, named.end = twoHours, *t.day.last.named
			single := *t.day
			single.sort = aDay
			t.day = &single
		}
		t.hour = &named
	}
	if t.repeat != nil && t.until == nil && t.lastDay != nil {
		t.until, t.lastDay = t.lastDay, nil
	}
	return t, nil
}

// withoutNames returns "yearly" back to the title where "every year" says the same: "Yearly review every year on
// December 1".
func (p *parser) withoutNames(items []item) []item {
	return slices.DeleteFunc(slices.Clone(items), func(it item) bool {
		if it.sort != aRepeat || it.to-it.from != 1 || !p.has(it.from, adverbs) {
			return false
		}
		for _, other := range items {
			if other.sort == aRepeat && other.from >= it.to && other.repeat.freq == it.repeat.freq &&
				len(other.repeat.days) == 0 && (p.is(other.from, "every", "each", "מדי") || p.has(other.from, allWord)) {
				p.used[it.from] = false
				return true
			}
		}
		return false
	})
}

func (p *parser) sortIn(t *times, it *item) error {
	slot := func(place **item) error {
		if *place != nil {
			return p.twice(*place, it)
		}
		*place = it
		return nil
	}
	switch it.sort {
	case aDay:
		return p.sortDay(t, it)
	case someDays:
		if t.day != nil {
			return p.twice(t.day, it)
		}
		t.day = it
		if of := t.period; of != nil && of.role != starting && of.role != from {
			t.period = nil
			return p.daysInPeriod(it, of)
		}
	case aPeriod:
		if it.role == until {
			return slot(&t.until)
		}
		if t.day != nil && t.day.sort == aDay {
			return p.dayInPeriod(t.day, it)
		}
		if t.day != nil && it.role != starting && it.role != from {
			return p.daysInPeriod(t.day, it)
		}
		return slot(&t.period)
	case anHour:
		if t.hour != nil && t.hour.sort == anHour && (it.role == until || t.lastDay != nil && it.from >= t.lastDay.from) {
			return slot(&t.endHour)
		}
		return slot(&t.hour)
	case twoHours:
		return slot(&t.hour)
	case aPart:
		return slot(&t.part)
	case aLength:
		return slot(&t.length)
	case aShift:
		return slot(&t.shift)
	case fromNow:
		return slot(&t.now)
	case aRepeat:
		if t.repeat != nil {
			joined := t.repeat.repeat
			if !joined.join(it.repeat) {
				return p.twice(t.repeat, it)
			}
			both := *t.repeat
			both.repeat, both.to = joined, it.to
			t.repeat = &both
			return nil
		}
		t.repeat = it
	case aCount:
		return slot(&t.count)
	case allDay:
		return slot(&t.allDay)
	case aZone:
		return slot(&t.zone)
	}
	return nil
}

// sortDay places a day: the day, the end of a stretch or of a recurrence, or a second name of the same day.
func (p *parser) sortDay(t *times, it *item) error {
	switch {
	case it.role == until && (t.repeat != nil || t.day != nil):
		if t.lastDay != nil {
			return p.twice(t.lastDay, it)
		}
		t.lastDay = it
		return nil
	case it.role == until && t.until == nil && t.day == nil && t.hour == nil:
		t.until = it
		return nil
	case t.day == nil:
		t.day = it
		if t.period != nil && t.period.role != starting && t.period.role != from { // "next week on Thursday"
			of := t.period
			t.period = nil
			return p.dayInPeriod(it, of)
		}
		return nil
	case t.day.sort == aDay && it.role == to && t.lastDay == nil && t.hour != nil &&
		(t.day.role == from || p.is(it.from, "to")):
		t.lastDay = it
		return nil
	case t.day.sort != aDay:
		return p.twice(t.day, it)
	case p.joinedByOr(t.day, it):
		return p.refusal(Unread, SlotDate, whichOf, t.day.from, it.to)
	case p.joinedByAnd(t.day, it):
		return p.refusal(Unread, SlotDate, unreadPart, t.day.from, it.to)
	case t.day.day.weekday && it.day.absolute:
		if t.day.day.date.Midnight().Weekday() != it.day.date.Midnight().Weekday() {
			return p.twice(t.day, it)
		}
		if it.day.part == noPart {
			it.day.part = t.day.day.part
		}
		t.day = it
		return nil
	case it.day.weekday && t.day.day.absolute:
		if t.day.day.date.Midnight().Weekday() != it.day.date.Midnight().Weekday() {
			return p.twice(t.day, it)
		}
		return nil
	case t.day.day.date != it.day.date:
		return p.twice(t.day, it)
	}
	return nil
}

// dayInPeriod checks "Monday next week" and the like: the weekday of that week, which must be the only one in it.
func (p *parser) dayInPeriod(d, in *item) error {
	if !d.day.weekday || in.period.first.DaysUntil(in.period.end) != 7 {
		if !d.day.date.Before(in.period.first) && d.day.date.Before(in.period.end) {
			return nil
		}
		return p.twice(d, in)
	}
	for date := in.period.first; date.Before(in.period.end); date = date.AddDays(1) {
		if date.Midnight().Weekday() == d.day.date.Midnight().Weekday() {
			d.day.date, d.day.weekday, d.day.ofWeek = date, false, true
			span := p.span("", d.from, d.to)
			p.out.Ambiguous = slices.DeleteFunc(p.out.Ambiguous, func(a Ambiguity) bool { // the week says which one
				return a.What == DoubtSameWeekday && a.Span.From >= span.From && a.Span.To <= span.To
			})
		}
	}
	return nil
}

// daysInPeriod is dayInPeriod for a range: both of "from Thursday to Saturday next week" are days of that week.
func (p *parser) daysInPeriod(d, in *item) error {
	first := item{sort: aDay, from: d.from, to: d.to, day: d.day}
	last := item{sort: aDay, from: d.from, to: d.to, day: d.last}
	if err := p.dayInPeriod(&first, in); err != nil {
		return err
	}
	if err := p.dayInPeriod(&last, in); err != nil {
		return err
	}
	if last.day.date.Before(first.day.date) {
		return p.refusal(Contradiction, SlotEnd, endBefore, d.from, d.to)
	}
	d.day, d.last = first.day, last.day
	return nil
}

func (p *parser) joinedByAnd(a, b *item) bool {
	for i := a.to; i < b.to && i < len(p.tokens); i++ {
		if p.is(i, "and", "or", "או", "&") {
			return true
		}
	}
	return false
}

// joinedByOr reports whether one of two times is meant, which is not said: "on Monday or Tuesday".
func (p *parser) joinedByOr(a, b *item) bool {
	for i := a.to; i < b.to && i < len(p.tokens); i++ {
		if p.is(i, "or", "או") {
			return true
		}
	}
	return false
}

// twice refuses what was said twice: a choice when "or" stands between, else a contradiction.
func (p *parser) twice(a, b *item) error {
	if p.joinedByOr(a, b) && a.sort == b.sort {
		return p.refusal(Unread, SlotStart, whichOf, a.from, b.to)
	}
	for i := a.to; i < b.from && i < len(p.tokens); i++ {
		if p.is(i, "and", "&") {
			return p.refusal(Unread, SlotStart, condition, a.from, b.to)
		}
	}
	return p.refusal(Contradiction, SlotStart, twoTimes, b.from, b.to)
}

// choose settles which half of the day an hour means on a day: by the part of the day said, by the meal, by what is
// still to come, else the working day.
func (p *parser) choose(h hour, on model.Date, of part, meal part) hour {
	if !h.vague {
		if of == night && h.minute < 6*60 && !h.written {
			h.set(inPart, of)
		}
		return h
	}
	half := 12 * 60
	other := func(m int) int {
		if m < half {
			return m + half
		}
		return m - half
	}
	if of != noPart {
		h.set(inPart, of)
		return h
	}
	h.vague = false
	m := h.minute
	switch {
	case meal == evening && m >= 4*60 && m < half, meal == noon && m < 6*60,
		meal == noPart && m >= 60 && m < 7*60 && !(h.written && (m > 6*60 || p.travels())):
		h.minute = m + half
	case meal == morning || meal == noon:
		h.minute = m
	}
	date := on
	if date == p.today() && !p.past {
		passed := p.now.Hour()*60 + p.now.Minute()
		if h.minute <= passed && other(h.minute) > passed {
			h.minute = other(h.minute)
		}
	}
	p.doubts(p.doubt(DoubtHalfOfDay, h.from, h.to, clockText(h.minute), clockText(other(h.minute))))
	return h
}

// travels reports whether the text is about a journey, whose hour is that of a timetable: 5:55 is in the morning.
func (p *parser) travels() bool {
	return slices.ContainsFunc(p.tokens, func(t token) bool {
		_, _, ok := t.look(journeys)
		return ok && t.kind == word
	})
}

var journeys = setOf("flight flights train bus ferry takes lands departs boarding boards plane",
	"טיסה טיסת רכבת אוטובוס מעבורת ממריא ממריאה ממריאים נוחת נוחתת נוחתים מטוס")

func clockText(minute int) string {
	return time.Date(2000, 1, 1, 0, minute, 0, 0, time.UTC).Format("15:04")
}

// chooseTwo settles both hours of a range.
func (p *parser) chooseTwo(it *item, on model.Date, of, meal part) (start, end int, err error) {
	first, second := it.hour, it.end
	if first.vague && second.vague && of != noPart {
		second.set(inPart, of)
		first.set(inPart, of)
	}
	vague := second.vague
	both := vague && first.vague && of == noPart && meal == noPart
	first = p.choose(first, on, of, meal)
	start, end = first.minute, second.minute
	if vague {
		for end <= start {
			end += 12 * 60
		}
		if both && end > 24*60 { // "from 5 to 3": no half of the day was said, and midnight would lie between
			return 0, 0, p.refusal(Contradiction, SlotEnd, endBefore, it.from, it.to)
		}
	}
	if end <= start {
		if start >= 17*60 && end <= 8*60 {
			return start, end + 24*60, nil
		}
		return 0, 0, p.refusal(Contradiction, SlotEnd, endBefore, it.from, it.to)
	}
	return start, end, nil
}

// instant returns the instant of a reading of clocks, and says when clocks skip it or show it twice.
func (p *parser) instant(date model.Date, minute int, zone *time.Location, from, to int) time.Time {
	found := wall(date, minute, zone)
	here := p.now.Location()
	said := date.Midnight().Add(time.Duration(minute) * time.Minute)
	shown := func(t time.Time) bool {
		local := t.In(zone)
		return local.Hour() == said.Hour() && local.Minute() == said.Minute() && local.Day() == said.Day()
	}
	if !shown(found) {
		_, before := found.Add(-3 * time.Hour).In(zone).Zone()
		_, after := found.In(zone).Zone()
		other := found.Add(-time.Duration(after-before) * time.Second)
		p.doubts(p.doubt(DoubtClockChange, from, to, found.In(zone).Format(time.RFC3339),
			other.In(zone).Format(time.RFC3339)))
		return found.In(here)
	}
	for _, later := range []time.Duration{30 * time.Minute, time.Hour, 2 * time.Hour} {
		if second := found.Add(later); shown(second) {
			p.doubts(p.doubt(DoubtClockChange, from, to, found.In(zone).Format(time.RFC3339),
				second.In(zone).Format(time.RFC3339)))
			break
		}
	}
	return found.In(here)
}
