package when

import (
	"strconv"
	"strings"
	"time"

	"almanac/graph/model"
)

// StartOfDate returns the first instant of a calendar day in the zone; see Moment for what a day is.
func StartOfDate(date model.Date, zone *time.Location) time.Time {
	return startOf(date.Midnight(), zone)
}

// FormatSpan says when an event is, for people; the empty text when there is no start.
//
//	en  Today at 10:00–11:00                      he  היום ב-10:00–11:00
//	    Tuesday, January 20, 22:00 – Wednesday, January 21, 01:00
//	    Tomorrow, all day                             מחר, כל היום
//	    Tuesday, January 20 – Thursday, January 22    (all-day; the last day is the one before the exclusive end)
//
// Days and clock are the moment's. An end that is missing, or is the start, is not said.
func FormatSpan(start, end model.EventTime, m Moment) string {
	switch {
	case start.IsZero():
		return ""
	case start.AllDay():
		return formatDays(start.Date, end.Date, m)
	}
	from, to := start.At.In(m.zone()), end.At.In(m.zone())
	text := Format(start.At, m)
	switch {
	case end.At.IsZero() || !end.At.After(start.At):
		return text
	case m.day(start.At).Equal(m.day(end.At)):
		return text + "–" + to.Format("15:04")
	case to.Hour() == 0 && to.Minute() == 0 && to.Sub(from) < 24*time.Hour:
		return text + "–24:00" // it ends with its day
	}
	return text + " – " + Format(end.At, m)
}

// FormatDate says a day for people: "Today", "Tuesday, January 20", "יום שלישי, 20 בינואר"; see Format for the year.
// The empty text for no day.
func FormatDate(date model.Date, m Moment) string {
	if date.IsZero() {
		return ""
	}
	return formatDate(date, m.words(), m)
}

func formatDays(first, end model.Date, m Moment) string {
	words := m.words()
	last := end.AddDays(-1)
	if end.IsZero() || last.Before(first) {
		last = first
	}
	if first == last {
		return formatDate(first, words, m) + words.allDay
	}
	return formatDate(first, words, m) + " – " + formatDate(last, words, m)
}

func formatDate(date model.Date, words *vocabulary, m Moment) string {
	today := model.DateOf(m.day(m.now()))
	switch today.DaysUntil(date) {
	case 0:
		return words.onToday
	case 1:
		return words.onTomorrow
	case -1:
		return words.onYesterday
	}
	return string(words.appendDate(nil, date.Year, date.Month, date.Day, date.Midnight().Weekday(),
		date.Year != today.Year))
}

// Hours are the minutes of the day, from inclusive and to exclusive, that count; to may be 24*60.
type Hours struct{ From, To int }

// WholeDay are all the hours of a day.
func WholeDay() Hours { return Hours{From: 0, To: MinutesOfDay} }

// MinutesOfDay is how many minutes clocks show on a day.
const MinutesOfDay = 24 * 60

// FormatClock writes minutes after midnight as "15:04".
func FormatClock(minutes int) string {
	return time.Time{}.Add(time.Duration(minutes) * time.Minute).Format("15:04")
}

// ParseClock reads "HH:mm" as minutes after midnight. BAD_USER_INPUT.
func ParseClock(argument, text string) (int, error) {
	hours, minutes, found := strings.Cut(text, ":")
	h, errH := strconv.Atoi(hours)
	m, errM := strconv.Atoi(minutes)
	if !found || errH != nil || errM != nil || len(hours) > 2 || len(minutes) != 2 || h < 0 || h > 23 || m < 0 || m > 59 ||
		hours[0] == '+' || minutes[0] == '+' {
		return 0, model.BadInput(argument, "%q is not a time of day; write HH:mm, from 00:00 to 23:59", model.Clip(text))
	}
	return h*60 + m, nil
}

// ParseHours reads the bounds of a day; nil leaves a side open. BAD_USER_INPUT when they are none, or leave nothing.
func ParseHours(from, to *string) (Hours, error) {
	hours := WholeDay()
	var err error
	if from != nil {
		if hours.From, err = ParseClock("dayStart", *from); err != nil {
			return hours, err
		}
	}
	if to != nil && *to != "24:00" {
		if hours.To, err = ParseClock("dayEnd", *to); err != nil {
			return hours, err
		}
	}
	if hours.To <= hours.From {
		return hours, model.BadInput("dayEnd", "dayEnd must be later than dayStart; write 24:00 for midnight")
	}
	return hours, nil
}

// Slot is a stretch of time, half-open.
type Slot struct{ From, To time.Time }

// FreeSlots returns the stretches of the window outside of the busy ones, which must be merged and in order, within the
// hours of each day of the zone, of at least a length, at most so many. Stretches that touch, such as the two sides of
// midnight, are one.
func FreeSlots(busy []model.BusyPeriod, window Slot, hours Hours, zone *time.Location, least time.Duration,
	limit int) []model.BusyPeriod {
	var pieces []model.BusyPeriod
	for day := (Moment{Now: window.From, Zone: zone}); day.StartOfDay().Before(window.To); day.Now = day.Tomorrow() {
		from, to := day.hours(hours)
		if from, to = later(from, window.From), earlier(to, window.To); from.Before(to) {
			pieces = append(pieces, model.BusyPeriod{Start: from, End: to})
		}
	}
	free := []model.BusyPeriod{}
	next := 0
	for _, piece := range joined(pieces) {
		from := piece.Start
		for next < len(busy) && !busy[next].End.After(from) {
			next++
		}
		for at := next; ; at++ {
			inTheWay := at < len(busy) && busy[at].Start.Before(piece.End)
			to := piece.End
			if inTheWay {
				to = busy[at].Start
			}
			if length := to.Sub(from); length > 0 && length >= least {
				free = append(free, model.BusyPeriod{Start: from, End: to})
			}
			if !inTheWay || len(free) >= limit {
				break
			}
			from = busy[at].End
		}
		if len(free) >= limit {
			break
		}
	}
	return free[:min(limit, len(free))]
}

// hours returns the instants between which the hours of the moment's day lie.
func (m Moment) hours(h Hours) (from, to time.Time) {
	from, to = m.StartOfDay(), m.Tomorrow()
	date := m.day(m.now())
	if h.From > 0 {
		from = Instant(date.Add(time.Duration(h.From)*time.Minute), m.zone())
	}
	if h.To < 24*60 {
		to = Instant(date.Add(time.Duration(h.To)*time.Minute), m.zone())
	}
	return from, to
}

// joined puts stretches together that touch: a night between two days of whole hours is one stretch.
func joined(slots []model.BusyPeriod) []model.BusyPeriod {
	out := slots[:0:0]
	for _, s := range slots {
		if n := len(out); n > 0 && out[n-1].End.Equal(s.Start) {
			out[n-1].End = s.End
			continue
		}
		out = append(out, s)
	}
	return out
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// DaysOf returns the first day that an event touches by the clocks of a zone, and the day after the last.
func DaysOf(start, end model.EventTime, zone *time.Location) (first, after model.Date) {
	if start.AllDay() {
		return start.Date, end.Date
	}
	return model.DateOf(start.At.In(zone)), DayAfter(start.At, end.At, zone)
}

// DayAfter returns the day after the last one that a stretch of time touches. What ends with its day does not touch the
// next.
func DayAfter(from, to time.Time, zone *time.Location) model.Date {
	day := model.DateOf(to.In(zone))
	if to.After(from) && !StartOfDate(day, zone).Before(to) {
		return day
	}
	return day.AddDays(1)
}
