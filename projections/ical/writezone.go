package ical

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// shift is one change of a zone's clocks.
type shift struct {
	at       time.Time
	from, to int // offsets from UTC, in seconds
	name     string
	daylight bool
}

// wall is what clocks show at the change, before it.
func (s shift) wall() time.Time { return s.at.UTC().Add(time.Duration(s.from) * time.Second) }

// Zones follow a rule from some year on. ruleFrom is a year in which all do that have one, and a cycle of weekdays and
// leap years is 28 years long.
const (
	ruleFrom  = 2040
	ruleYears = 28
	// irregular is for how many years the changes are written of a zone that follows no rule.
	irregular = 60
)

// timezone writes a VTIMEZONE for times from one year to another: the changes that follow no rule one by one, then
// those that do as rules.
func (w *writer) timezone(name string, of years) {
	zone := zoneNamed(name)
	w.line("BEGIN:VTIMEZONE")
	w.line("TZID:" + name)
	first := of.first - 1 // what is in force when the first year begins may have begun in the one before
	rules, ruled := rulesOf(zone)
	last := max(ruleFrom, first) - 1
	if !ruled {
		last = max(of.first+irregular, min(of.last, of.first+2*irregular))
	}
	begins := max(ruleFrom, first)
	for ruled && begins > first && rules.hold(shiftsOf(zone, begins-1, begins-1), begins-1) {
		begins--
	}
	var listed []shift
	for _, s := range shiftsOf(zone, first, last) {
		if !ruled || s.at.Year() < begins {
			listed = append(listed, s)
		}
	}
	if len(rules) == 0 || begins > first {
		w.observance(base(zone, first), nil, "")
	}
	for len(listed) > 0 {
		same, others := []shift{listed[0]}, []shift(nil)
		for _, s := range listed[1:] {
			if s.from == same[0].from && s.to == same[0].to && s.name == same[0].name && s.daylight == same[0].daylight {
				same = append(same, s)
			} else {
				others = append(others, s)
			}
		}
		w.observance(same[0], same[1:], "")
		listed = others
	}
	for _, rule := range rules {
		w.observance(rule.in(begins), nil, rule.text)
	}
	w.line("END:VTIMEZONE")
}

// base is the offset in force when a year begins, as a change from itself.
func base(zone *time.Location, year int) shift {
	at := time.Date(year, time.January, 1, 0, 0, 0, 0, zone)
	name, offset := at.Zone()
	return shift{at: at, from: offset, to: offset, name: name, daylight: at.IsDST()}
}

func (w *writer) observance(s shift, also []shift, rule string) {
	kind := "STANDARD"
	if s.daylight {
		kind = "DAYLIGHT"
	}
	w.line("BEGIN:" + kind)
	w.line("DTSTART:" + s.wall().Format(floatForm))
	w.line("TZOFFSETFROM:" + offsetText(s.from))
	w.line("TZOFFSETTO:" + offsetText(s.to))
	w.text("TZNAME", s.name)
	if rule != "" {
		w.line("RRULE:" + rule)
	}
	if len(also) > 0 { // the first among them: where there are RDATEs, libical and ical.js look at those alone
		for _, each := range append([]shift{s}, also...) {
			w.line("RDATE:" + each.wall().Format(floatForm))
		}
	}
	w.line("END:" + kind)
}

func offsetText(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	text := fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		text += fmt.Sprintf("%02d", seconds%60)
	}
	return text
}

// shiftsOf finds the changes of some years, both inclusive in UTC. It looks at each day, since time.Time.ZoneBounds
// goes wrong behind the last change that a zone's data write out.
func shiftsOf(zone *time.Location, first, last int) []shift {
	const day = 24 * time.Hour
	var all []shift
	at := time.Date(first, time.January, 1, 0, 0, 0, 0, time.UTC)
	end := time.Date(last+1, time.January, 1, 0, 0, 0, 0, time.UTC)
	for before := clockAt(zone, at); at.Before(end); at = at.Add(day) {
		after := clockAt(zone, at.Add(day))
		if after == before {
			continue
		}
		low, high := at, at.Add(day)
		for high.Sub(low) > time.Second {
			if middle := low.Add(high.Sub(low) / 2).Truncate(time.Second); clockAt(zone, middle) == before {
				low = middle
			} else {
				high = middle
			}
		}
		to := clockAt(zone, high)
		all = append(all, shift{at: high, from: before.offset, to: to.offset, name: to.name,
			daylight: high.In(zone).IsDST()})
		before = after
	}
	return all
}

// clock is how a zone's clocks go.
type clock struct {
	name   string
	offset int
}

func clockAt(zone *time.Location, at time.Time) (c clock) {
	c.name, c.offset = at.In(zone).Zone()
	return c
}

// yearly is a change that comes each year on a weekday of a month, the first on or after a day.
type yearly struct {
	text    string // as RRULE
	month   time.Month
	weekday time.Weekday
	day     int // the earliest of the month
	like    shift
}

type rules []yearly

// in is the change in a year.
func (r yearly) in(year int) shift {
	clock := r.like.wall()
	wall := time.Date(year, r.month, r.day, clock.Hour(), clock.Minute(), clock.Second(), 0, time.UTC)
	wall = wall.AddDate(0, 0, (int(r.weekday)-int(wall.Weekday())+7)%7)
	s := r.like
	s.at = wall.Add(-time.Duration(s.from) * time.Second)
	return s
}

// hold reports whether the changes of a year are those of the rules.
func (all rules) hold(shifts []shift, year int) bool {
	if len(shifts) != len(all) {
		return false
	}
	for i, s := range shifts {
		want := all[i].in(year)
		if !s.at.Equal(want.at) || s.from != want.from || s.to != want.to || s.name != want.name ||
			s.daylight != want.daylight {
			return false
		}
	}
	return true
}

// rulesOf finds the rules of a zone; none of one that has no more changes, and false for one that follows none.
func rulesOf(zone *time.Location) (rules, bool) {
	shifts := shiftsOf(zone, ruleFrom, ruleFrom+ruleYears-1)
	each := len(shifts) / ruleYears
	if len(shifts)%ruleYears != 0 {
		return nil, false
	}
	var all rules
	for i := range each {
		first := shifts[i].wall()
		r := yearly{month: first.Month(), weekday: first.Weekday(), day: first.Day(), like: shifts[i]}
		for year := range ruleYears {
			wall := shifts[year*each+i].wall()
			r.day = min(r.day, wall.Day())
			if wall.Month() != r.month || wall.Weekday() != r.weekday {
				return nil, false
			}
		}
		r.text = r.rule()
		all = append(all, r)
	}
	for year := range ruleYears {
		if !all.hold(shifts[year*each:(year+1)*each], ruleFrom+year) {
			return nil, false
		}
	}
	return all, true
}

func (r yearly) rule() string {
	day := strings.ToUpper(r.weekday.String()[:2])
	text := fmt.Sprintf("FREQ=YEARLY;BYMONTH=%d;BYDAY=", r.month)
	length := time.Date(2001, r.month+1, 0, 0, 0, 0, 0, time.UTC).Day()
	switch {
	case r.day == length-6 && r.month != time.February:
		return text + "-1" + day
	case r.day%7 == 1:
		return text + strconv.Itoa(r.day/7+1) + day
	}
	days := make([]string, 7)
	for i := range days {
		days[i] = strconv.Itoa(r.day + i)
	}
	return text + day + ";BYMONTHDAY=" + strings.Join(days, ",")
}
