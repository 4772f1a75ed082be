package plan

import (
	"slices"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
)

// repeating settles a recurrence: its line, and its first occurrence from now on.
func (p *parser) repeating(made *Create, t times, zone *time.Location, meal part) error {
	rep := t.repeat.repeat
	bad := p.refusal(Contradiction, SlotRecurrence, badRepeat, t.repeat.from, t.repeat.to)
	if t.now != nil || t.period != nil && t.period.role != starting && t.period.role != from {
		it := t.now
		if it == nil {
			it = t.period
		}
		return p.refusal(Unread, SlotStart, unreadPart, it.from, it.to)
	}
	if t.count != nil {
		rep.count = t.count.count
	}
	if t.day != nil && t.day.sort == someDays && t.until == nil { // "from December 6 until January 31"
		first, last := *t.day, *t.day
		first.sort, first.role = aDay, starting
		last.sort, last.day = aDay, t.day.last
		t.day, t.until = &first, &last
	}
	from := p.today()
	if t.period != nil && from.Before(t.period.period.first) { // "starting next week"
		from = t.period.period.first
	}
	if t.day != nil {
		if t.day.sort != aDay || !p.startsOn(&rep, t.day) {
			return p.refusal(Contradiction, SlotDate, twoTimes, t.day.from, t.day.to)
		}
		from = t.day.day.date
	} else if rep.freq == rrule.Weekly && len(rep.days) == 0 ||
		rep.freq == rrule.Monthly && rep.monthDay == 0 && rep.nth == 0 || rep.freq == rrule.Yearly {
		return p.refusal(Missing, SlotDate, noStart, t.repeat.from, t.repeat.to)
	}
	if t.until != nil {
		rep.until = t.until.day.date
		switch last := t.until; {
		case last.sort != aPeriod:
		case p.is(last.from, "through", "thru"): // that is over with the period
			rep.until = last.period.end.AddDays(-1)
		default:
			rep.until = last.period.first.AddDays(-1)
			p.doubts(p.doubt(DoubtUntil, last.from, last.to, rep.until.String(), last.period.end.AddDays(-1).String()))
		}
	}
	length := t.length
	if length != nil && length.amount.calendar() && t.allDay == nil { // "every Monday for ten weeks"
		if rep.count != 0 || !rep.until.IsZero() {
			return p.refusal(Contradiction, SlotRecurrence, twoTimes, length.from, length.to)
		}
		if rep.freq == rrule.Weekly && rep.interval == 1 && len(rep.days) == 1 && length.amount.months == 0 &&
			length.amount.days%7 == 0 { // "every Thursday for 6 weeks"
			rep.count = length.amount.days / 7
		}
		rep.until = plusMonths(from, length.amount.months).AddDays(length.amount.days - 1)
		if rep.count > 0 {
			rep.until = model.Date{}
		}
		length = nil
	}
	if !rep.until.IsZero() && rep.until.Before(from) {
		return p.refusal(Contradiction, SlotRecurrence, endBefore, t.repeat.from, t.until.to)
	}
	whole := t.allDay != nil
	text, err := rep.line(whole, zone)
	if err != nil {
		return bad
	}
	made.Recurrence = text
	if whole {
		if t.hour != nil {
			return p.refusal(Contradiction, SlotStart, twoTimes, t.allDay.from, t.allDay.to)
		}
		first, ok := p.first(rep, rrule.Start{At: from.Midnight(), AllDay: true}, from.Midnight().Add(-time.Second))
		if !ok {
			return bad
		}
		made.Start.Date = model.DateOf(first)
		made.End.Date = made.Start.Date.AddDays(1)
		return nil
	}
	return p.firstHours(made, t, rep, from, zone, meal, length)
}

// firstHours settles the hours of a recurrence and its first occurrence.
func (p *parser) firstHours(made *Create, t times, rep repeat, from model.Date, zone *time.Location, meal part,
	length *item) error {
	of := rep.part
	if t.part != nil {
		of = t.part.part
	}
	start, end := of.hour()*60, 0
	switch {
	case t.hour == nil:
		if of == noPart {
			of, start = meal, meal.hour()*60
		}
		if of == noPart && p.birthday() {
			made.Start.Date, made.End.Date = from, from.AddDays(1)
			text, err := rep.line(true, zone)
			made.Recurrence = text
			return err
		}
		if of == noPart {
			return p.refusal(Missing, SlotStart, noHour, 0, 0)
		}
		p.defaulted(SlotStart)
	case t.hour.sort == twoHours:
		var err error
		if start, end, err = p.chooseTwo(t.hour, model.Date{}, of, meal); err != nil {
			return err
		}
	default:
		h := p.choose(t.hour.hour, model.Date{}, of, meal)
		start = h.minute
		if t.endHour != nil {
			end = t.endHour.hour.minute
			for end <= start {
				end += 12 * 60
			}
		}
	}
	if start >= 24*60 { // midnight is the first minute of a repeating day
		start, end = start-24*60, max(0, end-24*60)
	}
	from, to := from, t.repeat.to
	began := wall(from, start, zone)
	notBefore := began.Add(-time.Second)
	if notBefore.Before(p.now) {
		notBefore = p.now
	}
	first, ok := p.first(rep, rrule.Start{At: began, Zone: zone}, notBefore)
	if !ok {
		return p.refusal(Contradiction, SlotRecurrence, badRepeat, t.repeat.from, to)
	}
	date := model.DateOf(first.In(zone))
	at := p.instant(date, start, zone, t.repeat.from, to)
	if end > start {
		made.Start.At, made.End.At = at, p.instant(date, end, zone, t.repeat.from, to)
		return nil
	}
	return p.timedIn(made, at, length, zone)
}

// startsOn brings a day said beside a recurrence together with it: "weekly on Tuesday", "monthly on the 5th", "daily
// from tomorrow". False when the recurrence never falls on it.
func (p *parser) startsOn(rep *repeat, d *item) bool {
	date := d.day.date
	weekday := model.WeekdayOf(date.Midnight().Weekday())
	switch {
	case rep.freq == rrule.Weekly && len(rep.days) == 0:
		rep.days = []model.Weekday{weekday}
	case rep.freq == rrule.Monthly && rep.monthDay == 0 && rep.nth == 0:
		rep.monthDay = date.Day
	case d.role == starting || d.role == from:
	case rep.freq == rrule.Monthly && rep.nth == 0:
		return date.Day == rep.monthDay || slices.Contains(rep.also, date.Day)
	case rep.freq == rrule.Weekly && len(rep.days) > 0:
		for _, day := range rep.days {
			if day == weekday {
				return true
			}
		}
		return false
	}
	return true
}

// first returns the first occurrence of a recurrence after an instant. Every other week counts from it, so until then
// every week does.
func (p *parser) first(rep repeat, start rrule.Start, after time.Time) (time.Time, bool) {
	rep.interval, rep.count = 1, 0
	text, err := rep.line(start.AllDay, start.Zone)
	if err != nil {
		return time.Time{}, false
	}
	set, err := rrule.Parse([]string{text}, start)
	if err != nil {
		return time.Time{}, false
	}
	found, ok := set.Next(after)
	return found.Start, ok
}
