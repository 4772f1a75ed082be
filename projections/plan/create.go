package plan

import (
	"errors"
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
)

// creating builds the plan of a new event.
func (p *parser) creating(in intent) error {
	p.use(in.from, in.to)
	if !in.verbless {
		p.note(SlotTool, in.from, in.to)
	}
	made := &Create{}
	p.out.Tool, p.out.Create = ToolCreate, made
	p.namedWeekend()
	t, err := p.collect()
	if err != nil {
		return err
	}
	if i := p.conditional(); i >= 0 {
		return p.refusal(Unread, "", condition, i, i+1)
	}
	for i := range p.tokens {
		if p.used[i] || !p.is(i, "recurring", "repeating", "standing", "קבועה", "מחזורי", "מחזורית") {
			continue
		}
		if t.repeat == nil && p.is(i, "standing") {
			continue
		}
		if t.repeat == nil {
			return p.refusal(Missing, SlotRecurrence, noRepeat, i, i+1)
		}
		p.use(i, i+1)
	}
	for i := range p.tokens {
		_, with, day := p.look(i, weekdayWords)
		listed := day && p.hebrewAt(i) && (with == "וב" || with == "ו" && !p.is(i, "ושני"))
		if !p.used[i] && (listed || p.dayOfSeveral(i)) {
			return p.refusal(Unread, SlotDate, severalDaysSaid, i, i+1)
		}
	}
	if i := p.dayBeforeName(); i >= 0 {
		return p.refusal(Unread, SlotDate, unreadPart, i, i+1)
	}
	if i := p.holiday(t); i >= 0 {
		return p.refusal(Unread, SlotDate, unreadPart, i, i+1)
	}
	parts, err := p.words(in)
	if refusal, ok := errors.AsType[*Refusal](err); ok && in.verbless && refusal.Slot == SlotTitle &&
		stray[p.lastWord()] { // it says what becomes of something
		return p.refusal(NotAnInstruction, "", noInstruction, 0, 0)
	}
	if err != nil {
		return err
	}
	made.Title, made.Location, made.People = parts.title, parts.location, parts.people
	p.out.Verbless, p.out.Definite = in.verbless, p.definite(in)
	if in.verbless && p.orders() {
		return p.refusal(Unread, "", unreadPart, 0, len(p.tokens))
	}
	if in.verbless && (made.Title == "" || !p.speaks(t, parts)) {
		return p.refusal(NotAnInstruction, "", noInstruction, 0, 0)
	}
	if in.verbless && t.day == nil && t.now == nil && t.repeat == nil && t.period == nil && t.hour != nil &&
		!p.beginsAsEvent() {
		return p.refusal(Missing, SlotDate, noDaySaid, t.hour.from, t.hour.to)
	}
	if in.verbless && p.asksWithin() || p.summarizes() {
		return p.refusal(NotAnInstruction, "", noInstruction, 0, 0)
	}
	if it := p.weeklyOn(t); it != nil {
		return p.refusal(Unread, SlotRecurrence, onceOrWeekly, it.from, it.to)
	}
	if i := p.clause(); i >= 0 {
		return p.refusal(Unread, SlotTitle, unreadPart, i, i+1)
	}
	if t.day != nil && in.verbless && t.day.role == by { // what is to be done by a time is no event
		return p.refusal(Unread, SlotStart, unreadPart, t.day.from, t.day.to)
	}
	if it := p.toDay(); it != nil && in.verbless { // it moves what is there
		return p.refusal(Unread, SlotStart, unreadPart, it.from, it.to)
	}
	if i := p.startsAnew(t); in.verbless && i != nil { // "from 8 December the lesson is at 16:30" is about one that is
		return p.refusal(Unread, SlotStart, unreadPart, i.from, i.to)
	}
	if i := p.besideDoing(); i >= 0 && t.hour == nil && t.now == nil {
		return p.refusal(Missing, SlotStart, noStart, i, min(i+2, len(p.tokens)))
	}
	if made.Title == "" && t.empty() && p.is(in.from, "schedule") && in.to == len(p.tokens) {
		return p.refusal(Missing, SlotWindow, noAskedTime, in.from, in.to)
	}
	if made.Title == "" && t.empty() {
		return p.refusal(Missing, SlotTitle, noWhat, in.from, in.to)
	}
	if made.Title == "" && p.something() { // "something", "an event": it has no name
		return p.refusal(Missing, SlotTitle, noName, in.from, in.to)
	}
	if made.Title == "" && !in.block() {
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

// lastWord is the last word that no time has.
func (p *parser) lastWord() string {
	for i := len(p.tokens) - 1; i >= 0; i-- {
		if !p.used[i] && p.tokens[i].kind == word {
			return p.tokens[i].text
		}
	}
	return ""
}

// namedWeekend leaves a weekend to the title where the days themselves are said: "long weekend in Rome, 31 December to
// 2 January".
func (p *parser) namedWeekend() {
	days := slices.ContainsFunc(p.items, func(it item) bool { return it.sort == someDays && it.day.absolute })
	p.items = slices.DeleteFunc(p.items, func(it item) bool {
		if !days || it.sort != aPeriod || !it.period.weekend || it.to-it.from > 1 {
			return false
		}
		p.used[it.from] = false
		return true
	})
}

// asksWithin reports whether words that no verb commands hold one of a question, or are of any events: "meetings at
// 10".
func (p *parser) asksWithin() bool {
	first := true
	for i, t := range p.tokens {
		timed := slices.ContainsFunc(p.items, func(it item) bool { return it.from <= i && i < it.to })
		if timed || t.kind != word || t.prefix != "" {
			continue
		}
		if within[t.text] || p.has(i, freeish) || p.isCalendar(i) {
			return true
		}
		if value, _, ok := p.look(i, generalNouns); first && (ok && value == 2 || p.is(i, "כל", "all") ||
			p.has(i, freeWords) || p.has(i, freeish) || p.is(i, "תנ", "תני", "סיכומ", "מצב")) {
			return true
		}
		first = false
	}
	return false
}

// summarizes reports whether what is to be made is a view of a time: "make a summary of tomorrow", "תעשה סיכום של מחר".
func (p *parser) summarizes() bool {
	for i := range p.tokens {
		if p.is(i, "summary", "overview", "rundown", "digest", "recap", "סיכומ", "תקציר", "סדר", "תמצית") &&
			(p.isUsed(i+1) || p.is(i+1, "of", "for", "on", "של", "על")) {
			return true
		}
	}
	return false
}

// isCalendar reports whether the calendar itself stands at i, not as the place of something.
func (p *parser) isCalendar(i int) bool {
	_, prefix, ok := p.look(i, calendarWords)
	return ok && (prefix == "" || prefix == "ה") || p.is(i, "calendar", "schedule", "agenda", "לוח") && !p.used[i]
}

// within are words of questions, wherever they stand.
var within = setOfWords("מה ומה מתי ומתי איפה היכנ כמה איזה איזו אילו האמ what when where which whether whose")

// clause finds a Hebrew clause instead of a title: "שאני בחופש"; -1 when there is none.
func (p *parser) clause() int {
	for i := range p.tokens {
		if p.is(i, "שאני", "שאנחנו", "שהוא", "שהיא", "שהמ", "שיש", "שאינ", "שלא", "שזה") {
			return i
		}
		if t := p.tokens[i]; t.hebrew && !p.used[i] && t.prefix == "" && strings.HasPrefix(t.text, "שה") && len(t.text) > 8 &&
			(i == 0 || p.isUsed(i-1) || p.has(i-1, stressing)) && !ownShin[t.text] {
			return i // "תעשי שהדמו יתחיל ב-12"
		}
	}
	return -1
}

// stressing are Hebrew verbs whose object is a clause.
var stressing = setOf("תדאג תדאגי תוודא תוודאי תעשה תעשי תשנה תשני תסדר תסדרי")

// inOffice reports whether a kind of event is named that hardly begins late in the evening.
func (p *parser) inOffice() bool {
	for i := range p.tokens {
		if _, ok := p.exact(i, officeNouns, ""); ok {
			return true
		}
	}
	return false
}

var officeNouns = setOf("meeting interview standup appointment workshop review פגישה פגישת ישיבה ישיבת ראיון סדנה סדנת")

// besideDoing finds a time that is told by what is done then, of which no hour is known: "after work", "אחרי העבודה";
// -1 when there is none.
func (p *parser) besideDoing() int {
	for i := range p.tokens {
		if p.is(i, "before", "after", "during", "לפני", "אחרי") &&
			(p.is(i+1, "work", "school", "class", "classes", "kindergarten", "daycare", "lunch", "dinner", "breakfast",
				"practice", "training", "bedtime", "sunset", "sunrise", "dark") ||
				p.has(i+1, hebrewDoings) && p.hebrewAt(i+1)) {
			return i
		}
	}
	return -1
}

var hebrewDoings = setOf("עבודה לימודים גן צהרון ארוחה ארוחת אימון שקיעה זריחה בית_ספר בית")

// something reports whether a word stands for any event: "schedule something tomorrow at 3pm", "new event Monday 4pm",
// "משהו".
func (p *parser) something() bool {
	for i := range p.tokens {
		if p.is(i, "something", "event", "entry", "משהו", "אירוע") {
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
	if it := t.day; it != nil && date.Before(p.today()) && t.repeat == nil && !it.day.said &&
		(!in.verbless || it.day.ofWeek) {
		return p.refusal(Contradiction, SlotStart, hasPassed, it.from, it.to)
	}
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
	if t.day != nil && date == p.today() && it.hour.vague && of == noPart && (meal == morning || p.inOffice()) &&
		p.choose(it.hour, model.Date{}, of, meal).minute <= p.now.Hour()*60+p.now.Minute() {
		return p.refusal(Contradiction, SlotStart, hasPassed, it.from, it.to)
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
	} else if end.vague && t.lastDay != nil && h.minute >= 15*60 && model.DateOf(start).AddDays(1) == date {
		minute = end.minute % (12 * 60) // "Friday 22:00 till Saturday 6:00": over night
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
		if t.kind != quote && (p.is(i, "birthday", "bday", "anniversary", "holiday", "הולדת", "ההולדת", "נישואימ",
			"נישואינ", "הנישואימ", "הנישואינ", "הולדתו", "הולדתה", "חג")) &&
			!p.is(i+1, "party", "dinner", "lunch", "brunch", "drinks", "cake", "call", "מסיבת") &&
			!p.is(i-2, "מסיבת", "ארוחת", "עוגת") {
			return true
		}
		if t.kind != quote && (p.is(i, "off") && p.is(i-1, "day", "days", "morning") || p.is(i, "vacation", "חופשה") ||
			p.is(i, "חופש", "מחלה", "בחירה") && p.is(i-1, "יומ")) {
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
		said := t.day
		if said == nil {
			said = t.part
		}
		made.Start.At, made.End.At = p.instant(date, from*60, zone, said.from, said.to),
			p.instant(date, to*60, zone, said.from, said.to)
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
