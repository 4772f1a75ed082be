package plan

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/rrule"
	"almanac/projections/when"
)

// TimeKind says what a time in words is.
type TimeKind string

// The kinds of times.
const (
	TimeInstant    TimeKind = "INSTANT"    // "tomorrow at 5pm": Start is an instant
	TimeDay        TimeKind = "DAY"        // "tomorrow": Start is a date
	TimeRange      TimeKind = "RANGE"      // "next week", "9 to 11", "until Friday": what is open is not set
	TimeRecurrence TimeKind = "RECURRENCE" // "every Monday": Start is the first occurrence, if one can be told
	TimeDuration   TimeKind = "DURATION"   // "45 minutes"
)

// SaidTime is a time in words as data. It holds nothing that was not said: a day has no hour, and a start no end.
type SaidTime struct {
	Kind TimeKind
	// Start and End are instants or dates; End is exclusive. Either may not be set.
	Start, End model.EventTime
	// Length is set for a duration.
	Length time.Duration
	// Recurrence is one line of RFC 5545, "RRULE:…"; empty for what does not repeat.
	Recurrence string
	// TimeZone is the IANA name of a zone that the text names; empty for the viewer's.
	TimeZone string
	// DayAssumed says that only an hour was said, and that it is the next such hour.
	DayAssumed bool
	// Ambiguous are the places that people read in two ways, in the order of the text.
	Ambiguous []Ambiguity
}

// longestTime is how many characters of a time in words are read.
const longestTime = 1000

// ParseTime reads a time in English or Hebrew as said at a moment: an instant, a day, a range, a recurrence or a
// length. Every word of the text must belong to it. The same text at the same moment always has the same result.
//
// Every error is a *Refusal.
func ParseTime(text string, at when.Moment) (SaidTime, error) {
	p := newSentence(text, at)
	if utf8.RuneCountInString(text) > longestTime {
		return SaidTime{}, p.refusal(Unread, "", longTime, 0, 0)
	}
	p.scan()
	for _, it := range p.items {
		p.use(it.from, it.to)
	}
	for i, t := range p.tokens {
		if t.kind == mark && p.is(i, ",", ".", "!", "?") {
			p.use(i, i+1)
		}
	}
	if i := slices.Index(p.used, false); i >= 0 {
		return SaidTime{}, p.refusal(Unread, "", unreadPart, i, i+1)
	}
	if len(p.items) == 0 {
		return SaidTime{}, p.refusal(Missing, "", noTime, 0, 0)
	}
	out, err := p.saidTime()
	if p.failed != nil {
		return SaidTime{}, p.failed
	}
	if err != nil {
		return SaidTime{}, err
	}
	for _, end := range []model.EventTime{out.Start, out.End} {
		if year := yearOf(end); !end.IsZero() && (year < 1900 || year > 9998) {
			return SaidTime{}, p.refusal(Contradiction, SlotDate, noSuchDay, 0, len(p.tokens))
		}
	}
	slices.SortStableFunc(p.out.Ambiguous, func(a, b Ambiguity) int { return a.Span.From - b.Span.From })
	out.Ambiguous = p.out.Ambiguous
	return out, nil
}

func yearOf(t model.EventTime) int {
	if t.AllDay() {
		return t.Date.Year
	}
	return t.At.UTC().Year()
}

// saidTime puts the time expressions of a text together.
func (p *parser) saidTime() (out SaidTime, err error) {
	t, err := p.collect()
	if err != nil {
		return out, err
	}
	zone := p.now.Location()
	if t.zone != nil {
		zone = t.zone.zone
		out.TimeZone = zone.String()
	}
	if t.period != nil && t.day != nil { // "next week on Monday"
		if t.day.sort != aDay {
			return out, p.twice(t.period, t.day)
		}
		if err := p.dayInPeriod(t.day, t.period); err != nil {
			return out, err
		}
		t.period = nil
	}
	switch {
	case t.shift != nil:
		return out, p.refusal(Unread, SlotStart, unreadPart, t.shift.from, t.shift.to)
	case t.repeat != nil:
		return p.saidRepeat(out, t, zone)
	case t.count != nil:
		return out, p.refusal(Unread, SlotRecurrence, unreadPart, t.count.from, t.count.to)
	case t.now != nil:
		if other := t.besides(t.now, t.length); other != nil {
			return out, p.refusal(Contradiction, SlotStart, twoTimes, other.from, other.to)
		}
		return p.fromInstant(out, p.now.Add(t.now.amount.duration()).Truncate(time.Minute), t.length), nil
	case t.day != nil && !t.day.day.at.IsZero():
		if other := t.besides(t.day, t.length); other != nil {
			return out, p.refusal(Contradiction, SlotStart, twoTimes, other.from, other.to)
		}
		if t.day.sort == someDays {
			return p.between(out, t.day.day.at, t.day.last.at, t.day)
		}
		return p.fromInstant(out, t.day.day.at, t.length), nil
	case t.until != nil:
		return p.saidUntil(out, t, zone)
	case t.period != nil:
		if other := t.besides(t.period, nil); other != nil {
			return out, p.refusal(Missing, SlotDate, noDay, t.period.from, t.period.to)
		}
		return p.saidPeriod(out, t.period)
	case t.hour != nil || t.part != nil || t.day != nil && t.day.day.part != noPart:
		return p.saidHours(out, t, zone)
	case t.day != nil:
		return p.saidDays(out, t)
	case t.length != nil:
		if other := t.besides(t.length, nil); other != nil || t.length.amount.months != 0 {
			return out, p.refusal(Unread, SlotEnd, unreadPart, t.length.from, t.length.to)
		}
		out.Kind = TimeDuration
		out.Length = time.Duration(t.length.amount.days)*24*time.Hour + t.length.amount.duration()
		return out, nil
	}
	return out, p.refusal(Missing, "", noTime, 0, len(p.tokens))
}

// besides returns an expression that says when, other than these; nil for none.
func (t times) besides(these ...*item) *item {
	for _, it := range []*item{t.day, t.period, t.hour, t.part, t.length, t.now, t.allDay, t.lastDay, t.endHour, t.until,
		t.count} {
		if it != nil && !slices.Contains(these, it) {
			return it
		}
	}
	return nil
}

// fromInstant is an instant, or a range of the length that was said.
func (p *parser) fromInstant(out SaidTime, start time.Time, length *item) SaidTime {
	out.Kind, out.Start.At = TimeInstant, start
	if length != nil {
		out.Kind, out.End.At = TimeRange, length.amount.after(start)
	}
	return out
}

func (p *parser) between(out SaidTime, from, to time.Time, it *item) (SaidTime, error) {
	if !from.Before(to) {
		return out, p.refusal(Contradiction, SlotEnd, endBefore, it.from, it.to)
	}
	out.Kind, out.Start.At, out.End.At = TimeRange, from, to
	return out, nil
}

// saidUntil is a range of which the end alone is said: "until Friday", "until June", "until Friday at 5pm".
func (p *parser) saidUntil(out SaidTime, t times, zone *time.Location) (SaidTime, error) {
	out.Kind = TimeRange
	until := t.until
	if other := t.besides(until, t.hour); other != nil {
		return out, p.refusal(Unread, SlotEnd, unreadPart, other.from, other.to)
	}
	switch {
	case until.sort == aDay && t.hour == nil && until.day.part == noPart:
		out.End.Date = until.day.date.AddDays(1)
	case until.sort == aDay && t.hour != nil && t.hour.sort == anHour:
		h := p.choose(t.hour.hour, until.day.date, until.day.part, noPart)
		p.midnights(t, h, until.day.date, false)
		out.End.At = p.instant(until.day.date, h.minute, zone, t.hour.from, t.hour.to)
	case until.sort == aPeriod && t.hour == nil && until.period.since.IsZero():
		out.End.Date = until.period.first
		p.doubts(p.doubt(DoubtUntil, until.from, until.to, until.period.first.String(), until.period.end.String()))
	default:
		return out, p.refusal(Unread, SlotEnd, unreadPart, until.from, until.to)
	}
	return out, nil
}

// saidPeriod is "next week", "before June", "after the weekend".
func (p *parser) saidPeriod(out SaidTime, it *item) (SaidTime, error) {
	out.Kind = TimeRange
	in := it.period
	switch it.role {
	case before, by:
		out.End.Date = in.first
	case after:
		out.Start.Date = in.end
	case from, starting:
		out.Start.Date = in.first
	case between, until:
		return out, p.refusal(Unread, SlotWindow, unreadPart, it.from, it.to)
	default:
		if in.since.IsZero() {
			out.Start.Date, out.End.Date = in.first, in.end
			return out, nil
		}
		return p.between(out, in.since, when.StartOfDate(in.end, p.now.Location()).In(p.now.Location()), it)
	}
	if !in.since.IsZero() {
		return out, p.refusal(Unread, SlotWindow, unreadPart, it.from, it.to)
	}
	return out, nil
}

// saidDays is one day, several, or a range that is open at one side.
func (p *parser) saidDays(out SaidTime, t times) (SaidTime, error) {
	d := t.day
	if t.endHour != nil {
		return out, p.refusal(Unread, SlotEnd, unreadPart, t.endHour.from, t.endHour.to)
	}
	out.Kind, out.Start.Date = TimeDay, d.day.date
	var last model.Date
	switch {
	case d.sort == someDays:
		last = d.last.date
	case t.lastDay != nil:
		last = t.lastDay.day.date
	case t.length != nil && t.length.amount.minutes == 0:
		out.Kind = TimeRange
		out.End.Date = plusMonths(d.day.date, t.length.amount.months).AddDays(t.length.amount.days)
		return out, nil
	case t.length != nil:
		return out, p.refusal(Missing, SlotStart, noHour, t.length.from, t.length.to)
	case d.role == before || d.role == by || d.role == until:
		out.Kind, out.Start.Date, out.End.Date = TimeRange, model.Date{}, d.day.date.AddDays(btoi(d.role != before))
		return out, nil
	case d.role == after && p.is(d.from, "since"):
		return out, p.refusal(Unread, SlotDate, unreadPart, d.from, d.to)
	case d.role == after:
		out.Kind, out.Start.Date = TimeRange, d.day.date.AddDays(1)
		return out, nil
	case d.role == starting || d.role == from:
		out.Kind = TimeRange
		return out, nil
	case d.role == between:
		return out, p.refusal(Unread, SlotDate, unreadPart, d.from, d.to)
	default:
		return out, nil
	}
	if t.length != nil {
		return out, p.refusal(Contradiction, SlotEnd, twoTimes, t.length.from, t.length.to)
	}
	if last.Before(d.day.date) {
		return out, p.refusal(Contradiction, SlotEnd, endBefore, d.from, d.to)
	}
	out.Kind, out.End.Date = TimeRange, last.AddDays(1)
	return out, nil
}

// saidHours is an hour, a range of hours, or a part of a day; on the next day that has it when no day was said.
func (p *parser) saidHours(out SaidTime, t times, zone *time.Location) (SaidTime, error) {
	if t.allDay != nil {
		return out, p.refusal(Contradiction, SlotStart, twoTimes, t.allDay.from, t.allDay.to)
	}
	if t.day != nil && (t.day.sort == someDays || t.lastDay != nil && t.endHour == nil ||
		t.day.role == before || t.day.role == after || t.day.role == between) {
		return out, p.refusal(Unread, SlotDate, unreadPart, t.day.from, t.day.to)
	}
	date, of, tonight := p.dateOf(t, noPart)
	out.DayAssumed = t.day == nil
	if t.hour == nil {
		return p.saidPart(out, t, date, of, zone)
	}
	it := t.hour
	if it.sort == twoHours {
		if t.length != nil || t.endHour != nil || t.lastDay != nil {
			return out, p.refusal(Contradiction, SlotEnd, twoTimes, it.from, it.to)
		}
		start, end, err := p.chooseTwo(it, date, of, noPart)
		if err != nil {
			return out, err
		}
		return p.between(out, p.instant(date, start, zone, it.from, it.to), p.instant(date, end, zone, it.from, it.to), it)
	}
	h := p.choose(it.hour, date, of, noPart)
	p.midnights(t, h, date, tonight)
	at := p.instant(date, h.minute, zone, it.from, it.to)
	switch {
	case t.endHour != nil && t.length != nil:
		return out, p.refusal(Contradiction, SlotEnd, twoTimes, t.length.from, t.length.to)
	case t.endHour != nil:
		made := &Create{}
		err := p.untilHour(made, t, h, date, at, zone)
		out.Kind, out.Start, out.End = TimeRange, made.Start, made.End
		return out, err
	case it.role == until || it.role == before || it.role == by || it.role == to:
		if t.length != nil {
			return out, p.refusal(Unread, SlotEnd, unreadPart, it.from, it.to)
		}
		out.Kind, out.End.At = TimeRange, at
		return out, nil
	case (it.role == after || it.role == starting || it.role == from) && t.length == nil:
		out.Kind, out.Start.At = TimeRange, at
		return out, nil
	case it.role == between:
		return out, p.refusal(Unread, SlotStart, unreadPart, it.from, it.to)
	}
	out = p.fromInstant(out, at.In(zone), t.length)
	if !out.End.At.IsZero() && !out.End.At.After(at) {
		return out, p.refusal(Contradiction, SlotEnd, endBefore, it.from, it.to)
	}
	return out, nil
}

// saidPart is a part of a day, in its usual hours.
func (p *parser) saidPart(out SaidTime, t times, date model.Date, of part, zone *time.Location) (SaidTime, error) {
	it := t.part
	if it == nil {
		it = t.day
	}
	if other := t.besides(t.day, t.part); other != nil {
		return out, p.refusal(Missing, SlotStart, noHour, other.from, other.to)
	}
	switch it.role {
	case until, before, after, by, between, starting:
		return out, p.refusal(Unread, SlotWindow, unreadPart, it.from, it.to)
	}
	begin, end := of.window()
	if t.part == nil && of == evening { // "tonight"
		end = 24
	}
	return p.between(out, p.instant(date, begin*60, zone, it.from, it.to), p.instant(date, end*60, zone, it.from, it.to),
		it)
}

// saidRepeat is a recurrence with its first occurrence. Without an hour it is one of days; what repeats weekly, monthly
// or yearly from no day that was said has no start.
func (p *parser) saidRepeat(out SaidTime, t times, zone *time.Location) (SaidTime, error) {
	rep := t.repeat.repeat
	out.Kind = TimeRecurrence
	open := t.day == nil && (rep.freq == rrule.Weekly && len(rep.days) == 0 ||
		rep.freq == rrule.Monthly && rep.monthDay == 0 && rep.nth == 0 || rep.freq == rrule.Yearly)
	if open {
		if other := t.besides(); other != nil {
			return out, p.refusal(Missing, SlotDate, noStart, other.from, other.to)
		}
		line, err := rep.line(true, zone)
		if err != nil {
			return out, p.refusal(Contradiction, SlotRecurrence, badRepeat, t.repeat.from, t.repeat.to)
		}
		out.Recurrence = line
		return out, nil
	}
	of := rep.part
	if t.part != nil {
		of = t.part.part
	}
	ends := t.hour != nil && (t.hour.sort == twoHours || t.endHour != nil) ||
		t.length != nil && t.length.amount.minutes != 0
	switch {
	case t.hour != nil:
	case t.endHour != nil:
		return out, p.refusal(Missing, SlotStart, noHour, t.endHour.from, t.endHour.to)
	case of != noPart:
		begin, end := of.window()
		ends = true
		t.hour = &item{sort: twoHours, from: t.repeat.from, to: t.repeat.to, hour: hour{minute: begin * 60},
			end: hour{minute: end * 60}}
	case t.length != nil && t.length.amount.minutes != 0:
		return out, p.refusal(Missing, SlotStart, noHour, t.length.from, t.length.to)
	case t.allDay == nil && t.length != nil: // "every Monday for ten weeks"
		if rep.count != 0 || t.until != nil || t.count != nil {
			return out, p.refusal(Contradiction, SlotRecurrence, twoTimes, t.length.from, t.length.to)
		}
		from := p.today()
		if t.day != nil {
			from = t.day.day.date
		}
		last := plusMonths(from, t.length.amount.months).AddDays(t.length.amount.days - 1)
		t.until = &item{sort: aDay, from: t.length.from, to: t.length.to, day: day{date: last}}
		t.length = nil
		t.allDay = t.repeat
	default:
		t.allDay = t.repeat
	}
	made := &Create{}
	if err := p.repeating(made, t, zone, noPart); err != nil {
		return out, err
	}
	out.Recurrence, out.Start = made.Recurrence, made.Start
	if ends {
		out.End = made.End
	}
	return out, nil
}

// At returns an instant or a day that is certain: "tomorrow" is a date, "tomorrow at 17:00" an instant. Everything else
// is refused, with its readings where it has several; the words are in the language of the text.
func (s SaidTime) At(text string) (model.EventTime, error) {
	locale := "en"
	if strings.ContainsFunc(text, isHebrew) {
		locale = "he"
	}
	switch {
	case len(s.Ambiguous) > 0:
		one := s.Ambiguous[0]
		readings := s.Readings(one)
		refused := model.BadInput("", "%s %s", severalTimes.say(locale, strings.ToValidUTF8(clip(text), "")),
			strings.Join(readings, ", "))
		refused.Readings = readings
		return model.EventTime{}, refused
	case s.Kind == TimeInstant || s.Kind == TimeDay:
		return s.Start, nil
	}
	return model.EventTime{}, model.BadInput("", "%s", noInstant.say(locale, strings.ToValidUTF8(clip(text), "")))
}

// Readings are the ways to read an ambiguous place, each as the start that it makes where it changes the start alone,
// else as the ambiguity has it; the chosen one first.
func (s SaidTime) Readings(of Ambiguity) []string {
	if s.Kind != TimeInstant && s.Kind != TimeDay || len(of.Readings) < 2 {
		return of.Readings
	}
	out := make([]string, 0, len(of.Readings))
	for _, reading := range of.Readings {
		out = append(out, s.startAs(of.Readings[0], reading))
	}
	return out
}

// startAs returns the start as it would be if a date or an hour of the ambiguity were another.
func (s SaidTime) startAs(chosen, other string) string {
	for _, layout := range []string{"2006-01-02", "15:04", "2006-01-02 15:04"} {
		from, err1 := time.Parse(layout, chosen)
		to, err2 := time.Parse(layout, other)
		if err1 != nil || err2 != nil {
			continue
		}
		if s.Start.AllDay() {
			return s.Start.Date.AddDays(model.DateOf(from).DaysUntil(model.DateOf(to))).String()
		}
		zone := s.Start.At.Location()
		local := s.Start.At.In(zone)
		wallThen := time.Date(local.Year(), local.Month(), local.Day(), local.Hour(), local.Minute(), 0, 0, time.UTC).
			Add(to.Sub(from))
		return when.Instant(wallThen, zone).In(zone).Format(time.RFC3339)
	}
	return other // instants as they are
}

var (
	longTime     = reason{"A time has at most 1,000 characters.", "מועד ארוך מ-1,000 תווים."}
	noTime       = reason{"This names no time.", "לא נאמר כאן מועד."}
	severalTimes = reason{"“%s” may be one of several times; write one of these:",
		"„%s” יכול להיות אחד מכמה מועדים; יש לכתוב אחד מאלה:"}
	noInstant = reason{"“%s” is not one day or one instant.", "„%s” אינו יום אחד או רגע אחד."}
)
