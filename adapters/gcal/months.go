package gcal

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/rrule"
)

// MonthDays says what becomes of a series on a day of the month that moves to a day which not every month has.
type MonthDays string

// What can be said. The zero value says nothing, and such a move is refused with ShortMonths.
const (
	// LastDays: a month without the day has the occurrence on its last day.
	LastDays MonthDays = "LAST_DAY"
	// SkipMonths: a month without the day has no occurrence.
	SkipMonths MonthDays = "SKIP"
)

// ShortMonths is in the chain of the refusal of a move that needs MonthDays.
type ShortMonths struct {
	// Day is the day of the month that the series would move to.
	Day int
	// Every: LastDays means the last day of every month, not only of those without the day.
	Every bool
	// Yearly: the month is February of every year.
	Yearly bool
}

func (e *ShortMonths) Error() string { return fmt.Sprintf("not every month has a day %d", e.Day) }

func shortMonths(why ShortMonths) error {
	return &model.Error{
		Code: model.CodeBadUserInput,
		Message: fmt.Sprintf("not every month has a day %d: say the recurrence as well, with BYMONTHDAY=-1 for the last day "+
			"of each month or BYMONTHDAY=%d to leave out the others", why.Day, why.Day),
		Cause: &why,
	}
}

// monthMove moves the occurrences of a rule for one day of the month, or of the year: each to the same day of the month
// that lies as many months later.
type monthMove struct {
	months, day int
	// every: to the last day of the month, whichever it is. skip: not where there is no such day; otherwise the last day
	// stands in.
	every, skip bool
	// said: months without the day were spoken of, so the rule must say what becomes of them.
	said   bool
	yearly bool
}

// date is where an occurrence of a date goes; false for nowhere.
func (m monthMove) date(of time.Time) (time.Time, bool) {
	first := time.Date(of.Year(), of.Month()+time.Month(m.months), 1, 0, 0, 0, 0, time.UTC)
	length := daysOf(first)
	day := min(m.day, length)
	if m.every {
		day = length
	}
	return first.AddDate(0, 0, day-1), !m.skip || m.day <= length
}

// write puts the new day into the parts of a rule.
func (m monthMove) write(value map[string]string, month time.Month) {
	_, byMonth := value["BYMONTH"]
	if byMonth || m.yearly && m.said {
		value["BYMONTH"] = strconv.Itoa(int(month))
	}
	_, byMonthDay := value["BYMONTHDAY"]
	switch {
	case m.every:
		value["BYMONTHDAY"] = "-1"
	case m.said && !m.skip:
		var days []string
		for day := 28; day <= m.day; day++ {
			days = append(days, strconv.Itoa(day))
		}
		value["BYMONTHDAY"], value["BYSETPOS"] = strings.Join(days, ","), "-1"
	case m.said || byMonthDay:
		value["BYMONTHDAY"] = strconv.Itoa(m.day)
	}
}

func daysOf(month time.Time) int {
	return time.Date(month.Year(), month.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// planMonths finds out whether the series is one of a day of the month, which then moves by its months. What a rule
// leaves to its start it must leave to the day that moves.
func (m *movement) planMonths(lines []string, days MonthDays) error {
	if m.days() == 0 {
		return nil
	}
	var move *monthMove
	for _, value := range rulesOf(lines) {
		one, err := m.monthMove(value, days)
		if err != nil || one == nil || move != nil && *one != *move {
			return err
		}
		move = one
	}
	m.month = move
	return nil
}

// rulesOf are the parts of each RRULE line.
func rulesOf(lines []string) []map[string]string {
	var all []map[string]string
	for _, line := range lines {
		if name, text, _ := strings.Cut(strings.ToUpper(strings.TrimSpace(line)), ":"); name == "RRULE" {
			all = append(all, ruleParts(text))
		}
	}
	return all
}

func ruleParts(text string) map[string]string {
	value := map[string]string{}
	for part := range strings.SplitSeq(text, ";") {
		name, v, _ := strings.Cut(part, "=")
		value[name] = v
	}
	return value
}

// monthMove is how one rule moves; nil for a rule that is not for one day of the month, or of the year.
func (m *movement) monthMove(value map[string]string, days MonthDays) (*monthMove, error) {
	for name := range value {
		if !slices.Contains([]string{"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYMONTH", "BYMONTHDAY"}, name) {
			return nil, nil
		}
	}
	month, byMonth := value["BYMONTH"]
	day, byMonthDay := value["BYMONTHDAY"]
	begin := wall(m.begin, m.oldZone)
	yearly := value["FREQ"] == "YEARLY"
	switch {
	case byMonthDay && day != strconv.Itoa(m.from.Day()), !byMonthDay && begin.Day() != m.from.Day():
		return nil, nil
	case value["FREQ"] == "MONTHLY":
		if byMonth {
			return nil, nil
		}
	case !yearly, byMonth && month != strconv.Itoa(int(m.from.Month())), byMonthDay && !byMonth,
		!byMonth && begin.Month() != m.from.Month():
		return nil, nil
	}
	move := monthMove{
		months: (m.to.Year()-m.from.Year())*12 + int(m.to.Month()-m.from.Month()), day: m.to.Day(), yearly: yearly,
	}
	why := ShortMonths{Day: move.day, Yearly: yearly,
		Every: move.day == 31 || !yearly && m.from.Day() == 1 && m.days() == -1}
	if !m.loses(move, why.Every, value) {
		return &move, nil
	}
	move.said = true
	switch days {
	case LastDays:
		move.every = why.Every || yearly
	case SkipMonths:
		move.skip = true
	default:
		return nil, shortMonths(why)
	}
	return &move, nil
}

// loses reports whether a month of the rule is without the day to which it would move; with every, whether in one of
// them that is not the last day.
func (m *movement) loses(move monthMove, every bool, value map[string]string) bool {
	if move.yearly {
		return move.day == 29 && m.to.Month() == time.February
	}
	if move.months == 0 && move.day <= m.from.Day() {
		return false // it never was in a month without
	}
	const commonYear = 2026
	for i := range 12 {
		length := daysOf(time.Date(commonYear, m.to.Month()+time.Month(i*move.step(value)%12), 1, 0, 0, 0, 0, time.UTC))
		if move.day > length || every && move.day != length {
			return true
		}
	}
	return false
}

// lands is where an occurrence is to be that is there by the clock; false when it is to be nowhere.
func (m movement) lands(at time.Time) (time.Time, bool) {
	if m.month == nil {
		return m.moved(at), true
	}
	date, ok := m.month.date(at)
	clock := func(t time.Time) time.Duration { return t.Sub(model.DateOf(t).Midnight()) }
	switch {
	case m.isDay:
		return date, ok
	case m.wasDay:
		return date.Add(clock(m.to)), ok
	}
	return date.Add(clock(m.to) + clock(at) - clock(m.from)), ok
}

// first is where the series is to begin.
func (m movement) first(lines []string) (time.Time, error) {
	if m.month == nil {
		return m.moved(wall(m.begin, m.oldZone)), nil
	}
	found, err := m.occurrences(lines)
	if err != nil {
		return time.Time{}, err
	}
	for _, at := range found {
		if to, ok := m.lands(at); ok {
			return to, nil
		}
	}
	return time.Time{}, model.BadInput("",
		"none of the months of this series has a day %d, so nothing would be left of it",
		m.month.day)
}

// occurrences are when the rules among the lines occur, by the clock.
func (m movement) occurrences(lines []string) ([]time.Time, error) {
	var ruled []string
	for _, line := range lines {
		if strings.HasPrefix(strings.ToUpper(strings.TrimSpace(line)), "RRULE") {
			ruled = append(ruled, line)
		}
	}
	set, err := rrule.Parse(ruled, ruleStart(m.begin, m.oldZone))
	if err != nil {
		return nil, err
	}
	found, _ := set.Between(time.Time{}, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), rrule.MaxOccurrences)
	out := make([]time.Time, len(found))
	for i, o := range found {
		if out[i] = o.Start; !m.wasDay {
			out[i] = readingOf(o.Start, m.oldZone)
		}
	}
	return out, nil
}

// monthEnd adds to a rule that moves by months the end that it needs, so that its last month stays the last.
func (m movement) monthEnd(text string, value map[string]string) error {
	_, count := value["COUNT"]
	_, until := value["UNTIL"]
	if !until && !count {
		return nil
	}
	found, err := m.occurrences([]string{"RRULE:" + text})
	if err != nil || len(found) == 0 {
		return err
	}
	first, last := found[0], found[len(found)-1]
	if until && (m.month.said || m.month.months != 0) {
		end, _ := m.lands(last)
		value["UNTIL"] = m.stamp(end)
	}
	if !count {
		return nil
	}
	// What was left out because a month had no such day counted for nothing; now the months may all have one.
	n := ((last.Year()-first.Year())*12+int(last.Month()-first.Month()))/m.month.step(value) + 1
	if m.month.skip {
		n = 0
		for _, at := range found {
			if _, ok := m.lands(at); ok {
				n++
			}
		}
	}
	value["COUNT"] = strconv.Itoa(max(n, 1)) // the start is one
	return nil
}

// step is how many months lie between two occurrences of a rule, where each has one.
func (m monthMove) step(value map[string]string) int {
	interval, err := strconv.Atoi(value["INTERVAL"])
	if err != nil || interval < 1 {
		interval = 1
	}
	if m.yearly {
		return 12 * interval
	}
	return interval
}
