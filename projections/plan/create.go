package plan

import (
	"slices"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
)

// creating builds the plan of a new event.
func (p *parser) creating(in intent) error {
	p.use(in.from, in.to)
	if !in.verbless {
		p.note(SlotTool, in.from, in.to)
	}
	made := &Create{}
	p.out.Tool, p.out.Create = ToolCreate, made
	t, err := p.collect()
	if err != nil {
		return err
	}
	if i := p.conditional(); i >= 0 {
		return p.refusal(Unread, "", condition, i, i+1)
	}
	for i := range p.tokens {
		if p.used[i] || !p.is(i, "recurring", "repeating", "קבועה", "מחזורי", "מחזורית") {
			continue
		}
		if t.repeat == nil {
			return p.refusal(Missing, SlotRecurrence, noRepeat, i, i+1)
		}
		p.use(i, i+1)
	}
	if i := p.holiday(t); i >= 0 {
		return p.refusal(Unread, SlotDate, unreadPart, i, i+1)
	}
	parts, err := p.words(in)
	if err != nil {
		return err
	}
	made.Title, made.Location, made.People = parts.title, parts.location, parts.people
	p.out.verbless = in.verbless
	if in.verbless && p.orders() {
		return p.refusal(Unread, "", unreadPart, 0, len(p.tokens))
	}
	if in.verbless && (made.Title == "" || !p.speaks(t, parts)) {
		return p.refusal(NotAnInstruction, "", noInstruction, 0, 0)
	}
	if made.Title == "" && t.empty() && p.is(in.from, "schedule") && in.to == len(p.tokens) {
		return p.refusal(Missing, SlotWindow, noAskedTime, in.from, in.to)
	}
	if made.Title == "" && t.empty() {
		return p.refusal(Missing, SlotTitle, noWhat, in.from, in.to)
	}
	if made.Title == "" && !in.block() && !p.something() {
		if p.is(in.from, "schedule") { // "schedule from Monday to Wednesday": the noun, not the verb
			p.out.Tool, p.out.Create = "", nil
			return p.scheduling(in)
		}
		return p.refusal(Missing, SlotTitle, noWhat, in.from, in.to)
	}
	if made.Title == "" {
		p.defaulted(SlotTitle)
	}
	if i := p.vagueTime(); i >= 0 && t.hour == nil {
		return p.refusal(Missing, SlotStart, noStart, i, i+1)
	}
	if err := p.times(made, t, in, parts.meal); err != nil {
		return err
	}
	if !made.Start.At.IsZero() && !made.End.At.After(made.Start.At) {
		return p.refusal(Contradiction, SlotEnd, endBefore, 0, len(p.tokens))
	}
	return nil
}

// orders reports whether words without a verb of the tables are a command all the same: their second is an article
// ("inspect the boiler"), or the first a verb that is hardly a noun.
func (p *parser) orders() bool {
	at := -1
	for i, t := range p.tokens {
		if !p.used[i] && t.kind == word {
			at = i
			break
		}
	}
	if at < 0 || p.tokens[at].hebrew || p.tokens[at].possessive || p.has(at, eventNouns) {
		return false
	}
	return p.is(at+1, "the", "my", "our", "your", "these", "those", "all", "everyone", "them", "him", "her") ||
		doers[p.tokens[at].text]
}

// doers are English verbs of doing that are hardly a noun.
var doers = setOfWords(
	"ring inspect fix repair send buy tell ask bring fetch grab feed wash contact install replace prepare write submit " +
		"finish ensure remember forget use give try keep turn lock unlock charge print upload download")

// something reports whether a word stands for any event: "schedule something tomorrow at 3pm", "new event Monday 4pm".
func (p *parser) something() bool {
	for i := range p.tokens {
		if p.is(i, "something", "event", "משהו", "אירוע") {
			return true
		}
	}
	return false
}

// scheduling reads "schedule" with times alone as the question for what is planned then.
func (p *parser) scheduling(in intent) error {
	t, err := p.collect()
	if err != nil {
		return err
	}
	window, err := p.window(t, false)
	if err != nil {
		return err
	}
	if window == nil {
		return p.refusal(Missing, SlotWindow, noAskedTime, in.from, in.to)
	}
	p.out.Tool, p.out.Schedule = ToolSchedule, window
	return nil
}

// vagueTime finds "sometime" and "מתישהו"; -1 when they are not said.
func (p *parser) vagueTime() int {
	for i := range p.tokens {
		if p.is(i, "sometime", "someday", "somewhen", "מתישהו") {
			return i
		}
	}
	return -1
}

// speaks reports whether a title and times without a verb are meant as an event: they name an hour, a recurrence or
// some days, or the title is a kind of event. It keeps talk ("great day tomorrow") apart.
func (p *parser) speaks(t times, parts parts) bool {
	timed := t.hour != nil || t.repeat != nil || t.now != nil || t.allDay != nil || t.part != nil ||
		t.day != nil && (t.day.sort == someDays || t.day.day.absolute || !t.day.day.at.IsZero())
	return (timed || parts.kind) && !t.empty()
}

// times fills in when the event is.
func (p *parser) times(made *Create, t times, in intent, meal part) error {
	zone := p.now.Location()
	if t.zone != nil {
		zone = t.zone.zone
		made.TimeZone = zone.String()
		p.note(SlotTimeZone, t.zone.from, t.zone.to)
	}
	if t.shift != nil {
		return p.refusal(Unread, SlotStart, unreadPart, t.shift.from, t.shift.to)
	}
	for _, it := range []*item{t.day, t.hour, t.part, t.length, t.now, t.allDay, t.repeat, t.period, t.until, t.count,
		t.lastDay, t.endHour} {
		if it == nil {
			continue
		}
		p.note(slotOf(it), it.from, it.to)
		if (it.role == before || it.role == after) && it.sort != aRepeat {
			return p.refusal(Unread, SlotStart, unreadPart, it.from, it.to)
		}
	}
	if err := p.endAlone(t); err != nil {
		return err
	}
	if t.repeat != nil {
		return p.repeating(made, t, zone, meal)
	}
	if t.count != nil {
		return p.refusal(Unread, SlotRecurrence, unreadPart, t.count.from, t.count.to)
	}
	if t.until != nil {
		return p.refusal(Unread, SlotEnd, unreadPart, t.until.from, t.until.to)
	}
	switch {
	case t.now != nil:
		if t.day != nil || t.hour != nil || t.period != nil {
			return p.refusal(Contradiction, SlotStart, twoTimes, t.now.from, t.now.to)
		}
		start := p.now.Add(t.now.amount.duration()).Truncate(time.Minute)
		return p.timed(made, start, t.length)
	case t.day != nil && !t.day.day.at.IsZero():
		if t.hour != nil {
			return p.refusal(Contradiction, SlotStart, twoTimes, t.hour.from, t.hour.to)
		}
		if t.day.sort == someDays && !t.day.last.at.IsZero() {
			made.Start.At, made.End.At = t.day.day.at, t.day.last.at
			return nil
		}
		return p.timed(made, t.day.day.at, t.length)
	case t.period != nil && t.day == nil:
		if t.allDay == nil {
			return p.refusal(Missing, SlotDate, noDay, t.period.from, t.period.to)
		}
		made.Start.Date, made.End.Date = t.period.period.first, t.period.period.end
		return nil
	case t.day == nil && t.hour == nil && t.part == nil:
		return p.refusal(Missing, SlotStart, noStart, 0, 0)
	}
	return p.onDay(made, t, in, zone, meal)
}

// endAlone refuses an hour that is the end of an event whose start was not said: "until 5pm", "by 5pm", "to 5".
func (p *parser) endAlone(t times) error {
	it := t.hour
	if it == nil || it.sort != anHour {
		return nil
	}
	switch {
	case it.role == until || it.role == by:
		return p.refusal(Missing, SlotStart, noStart, it.from, it.to)
	case it.role == to && p.is(it.from, "to"):
		return p.refusal(Unread, SlotStart, unreadPart, it.from, it.to)
	}
	return nil
}

func slotOf(it *item) Slot {
	switch it.sort {
	case aRepeat, aCount:
		return SlotRecurrence
	case aLength:
		return SlotEnd
	case aDay, someDays, aPeriod:
		if it.role == until {
			return SlotEnd
		}
		return SlotDate
	}
	return SlotStart
}

// timed makes an event of a start and a length, one hour when none was said.
func (p *parser) timed(made *Create, start time.Time, length *item) error {
	made.Start.At = start
	if length == nil {
		p.defaulted(SlotEnd)
		made.End.At = start.Add(time.Hour)
		return nil
	}
	made.End.At = length.amount.after(start)
	return nil
}

// after adds a length to an instant, days and months by the calendar.
func (a amount) after(start time.Time) time.Time {
	if !a.calendar() {
		return start.Add(a.duration())
	}
	date := plusMonths(model.DateOf(start), a.months).AddDays(a.days)
	return wall(date, start.Hour()*60+start.Minute(), start.Location()).In(start.Location()).Add(a.duration())
}

// onDay settles an event on one day or several.
func (p *parser) onDay(made *Create, t times, in intent, zone *time.Location, meal part) error {
	date, of, tonight := p.dateOf(t, meal)
	days := t.day != nil && (t.day.sort == someDays || t.lastDay != nil && t.endHour == nil)
	switch {
	case days && t.hour != nil || days && t.part != nil:
		return p.refusal(Unread, SlotStart, unreadPart, t.day.from, t.day.to)
	case days:
		last := t.day.last.date
		if t.day.sort != someDays {
			last = t.lastDay.day.date
		}
		if last.Before(date) {
			return p.refusal(Contradiction, SlotEnd, endBefore, t.day.from, t.day.to)
		}
		made.Start.Date, made.End.Date = date, last.AddDays(1)
		return nil
	case in.block() && t.day != nil && t.hour == nil && of == noPart && t.length == nil: // "block Friday"
		made.Start.Date, made.End.Date = date, date.AddDays(1)
		return nil
	case t.allDay != nil || t.length != nil && t.length.amount.calendar() && t.hour == nil:
		if t.hour != nil || t.day == nil {
			return p.refusal(Contradiction, SlotStart, twoTimes, t.allDay.from, t.allDay.to)
		}
		made.Start.Date, made.End.Date = date, date.AddDays(1)
		if t.length != nil && t.length.amount.calendar() {
			made.End.Date = plusMonths(date, t.length.amount.months).AddDays(t.length.amount.days)
		}
		return nil
	case t.hour == nil:
		return p.withoutHour(made, t, in, date, of, zone, meal)
	}
	it := t.hour
	if it.sort == twoHours {
		start, end, err := p.chooseTwo(it, date, of, meal)
		if err != nil {
			return err
		}
		if t.length != nil && t.length.amount.minutes != end-start {
			if !in.block() {
				return p.refusal(Contradiction, SlotEnd, twoTimes, t.length.from, t.length.to)
			}
		}
		made.Start.At, made.End.At = p.instant(date, start, zone, it.from, it.to), p.instant(date, end, zone, it.from, it.to)
		return nil
	}
	h := p.choose(it.hour, date, of, meal)
	p.midnights(t, h, date, tonight)
	start := p.instant(date, h.minute, zone, it.from, it.to)
	if t.day != nil && date == p.today() && !start.After(p.now) {
		return p.refusal(Contradiction, SlotStart, hasPassed, it.from, it.to)
	}
	if t.endHour == nil {
		return p.timedIn(made, start, t.length, zone)
	}
	return p.untilHour(made, t, h, date, start, zone)
}

func (p *parser) timedIn(made *Create, start time.Time, length *item, zone *time.Location) error {
	if err := p.timed(made, start.In(zone), length); err != nil {
		return err
	}
	made.Start.At, made.End.At = made.Start.At.In(p.now.Location()), made.End.At.In(p.now.Location())
	return nil
}

// untilHour settles an end that was said apart from the start.
func (p *parser) untilHour(made *Create, t times, h hour, date model.Date, start time.Time, zone *time.Location) error {
	end := t.endHour.hour
	if t.lastDay != nil {
		date = t.lastDay.day.date
	}
	minute := end.minute
	if end.vague && t.lastDay == nil && minute <= h.minute {
		minute += 12 * 60
	} else if end.vague {
		minute = p.choose(end, date, noPart, noPart).minute
	}
	made.Start.At = start
	made.End.At = p.instant(date, minute, zone, t.endHour.from, t.endHour.to)
	if !made.End.At.After(start) {
		return p.refusal(Contradiction, SlotEnd, endBefore, t.hour.from, t.endHour.to)
	}
	return nil
}

// birthday reports whether the words name a day of the year that has no hour: a birthday, an anniversary, a holiday.
func (p *parser) birthday() bool {
	for i, t := range p.tokens {
		if t.kind != quote && (p.is(i, "birthday", "bday", "anniversary", "holiday", "הולדת", "הולדתו", "הולדתה", "חג")) &&
			!p.is(i+1, "party", "dinner", "lunch", "brunch", "drinks", "cake", "call", "מסיבת") &&
			!p.is(i-2, "מסיבת", "ארוחת", "עוגת") {
			return true
		}
	}
	return false
}

func (in intent) block() bool { return in.action == block }

// dateOf returns the day of an event, and the part of it that was said. Without a day it is today, or tomorrow when the
// hour has passed.
func (p *parser) dateOf(t times, meal part) (date model.Date, of part, tonight bool) {
	if t.day != nil {
		of = t.day.day.part
		date = t.day.day.date
		tonight = of == evening || of == night || date == p.today()
	}
	if t.part != nil {
		of = t.part.part
	}
	if t.day != nil {
		return date, of, tonight
	}
	p.defaulted(SlotDate)
	date = p.today()
	minute := of.hour() * 60
	if t.hour != nil {
		h := t.hour.hour
		if h.vague && of == noPart {
			h = p.choose(h, model.Date{}, of, meal)
		} else {
			h = p.choose(h, date, of, meal)
		}
		minute = h.minute
	}
	if minute <= p.now.Hour()*60+p.now.Minute() && minute < 24*60 {
		date = date.AddDays(1)
	}
	return date, of, minute >= 24*60
}

// midnights notes that people mean either end of a day by its midnight; the plan has the one after it.
func (p *parser) midnights(t times, h hour, date model.Date, tonight bool) {
	if h.minute < 24*60 || tonight {
		return
	}
	readings := []string{date.AddDays(1).String() + " " + clockText(h.minute), date.String() + " " + clockText(h.minute)}
	p.doubts(p.doubt(DoubtMidnight, t.hour.from, t.hour.to, readings...))
}

// withoutHour settles an event of which the day, or a part of it, was said, but no hour.
func (p *parser) withoutHour(made *Create, t times, in intent, date model.Date, of part, zone *time.Location,
	meal part) error {
	if t.endHour != nil {
		return p.refusal(Missing, SlotStart, noStart, t.endHour.from, t.endHour.to)
	}
	if in.block() && of != noPart && t.length == nil {
		from, to := of.window()
		made.Start.At, made.End.At = p.instant(date, from*60, zone, t.day.from, t.day.to),
			p.instant(date, to*60, zone, t.day.from, t.day.to)
		return nil
	}
	if of == noPart {
		of = meal
	}
	if of == noPart && t.day != nil && p.birthday() {
		made.Start.Date, made.End.Date = date, date.AddDays(1)
		return nil
	}
	if of == noPart {
		return p.refusal(Missing, SlotStart, noHour, 0, 0)
	}
	p.defaulted(SlotStart)
	from, to := 0, 0
	if t.day != nil {
		from, to = t.day.from, t.day.to
	}
	return p.timedIn(made, p.instant(date, of.hour()*60, zone, from, to), t.length, zone)
}

// repeating settles a recurrence: its line, and its first occurrence from now on.
func (p *parser) repeating(made *Create, t times, zone *time.Location, meal part) error {
	rep := t.repeat.repeat
	bad := p.refusal(Contradiction, SlotRecurrence, badRepeat, t.repeat.from, t.repeat.to)
	if t.now != nil || t.period != nil && t.period.role != starting {
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
		if t.until.sort == aPeriod {
			rep.until = t.until.period.first.AddDays(-1)
			p.doubts(p.doubt(DoubtUntil, t.until.from, t.until.to, rep.until.String(), t.until.period.end.AddDays(-1).String()))
		}
	}
	length := t.length
	if length != nil && length.amount.calendar() && t.allDay == nil { // "every Monday for ten weeks"
		if rep.count != 0 || !rep.until.IsZero() {
			return p.refusal(Contradiction, SlotRecurrence, twoTimes, length.from, length.to)
		}
		rep.until = plusMonths(from, length.amount.months).AddDays(length.amount.days - 1)
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
