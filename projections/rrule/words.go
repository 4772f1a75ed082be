package rrule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// vocabulary is what one language says of a recurrence. Names are those of the Unicode CLDR, wide form.
type vocabulary struct {
	hebrew   bool
	periods  map[Frequency][3]string // one, two, more; %d is the number
	weekdays [7]string
	months   [12]string
	ordinals map[int]string

	until, except, and string
}

var (
	english = vocabulary{
		periods: map[Frequency][3]string{
			Daily:   {"Every day", "Every 2 days", "Every %d days"},
			Weekly:  {"Every week", "Every 2 weeks", "Every %d weeks"},
			Monthly: {"Every month", "Every 2 months", "Every %d months"},
			Yearly:  {"Every year", "Every 2 years", "Every %d years"},
		},
		weekdays: [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
		months: [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
			"November", "December"},
		ordinals: map[int]string{1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", -1: "last"},
		until:    " until ", except: ", except on ", and: " and ",
	}
	hebrew = vocabulary{
		hebrew: true,
		periods: map[Frequency][3]string{
			Daily:   {"כל יום", "כל יומיים", "כל %d ימים"},
			Weekly:  {"כל שבוע", "כל שבועיים", "כל %d שבועות"},
			Monthly: {"כל חודש", "כל חודשיים", "כל %d חודשים"},
			Yearly:  {"כל שנה", "כל שנתיים", "כל %d שנים"},
		},
		weekdays: [7]string{"ראשון", "שני", "שלישי", "רביעי", "חמישי", "שישי", "שבת"},
		months: [12]string{"ינואר", "פברואר", "מרץ", "אפריל", "מאי", "יוני", "יולי", "אוגוסט", "ספטמבר", "אוקטובר",
			"נובמבר", "דצמבר"},
		ordinals: map[int]string{1: "הראשון", 2: "השני", 3: "השלישי", 4: "הרביעי", 5: "החמישי", -1: "האחרון"},
		until:    " עד ", except: ", מלבד ", and: " ו",
	}
)

// every says the period; a weekly rule of the whole week is said as a daily one.
func (v *vocabulary) every(r *rule, daily bool) string {
	frequency := r.frequency
	if daily {
		frequency = Daily
	}
	forms := v.periods[frequency]
	switch r.interval {
	case 1, 2:
		return forms[r.interval-1]
	}
	return fmt.Sprintf(forms[2], r.interval)
}

// list joins: "a, b and c". The Hebrew "and" is a prefix, with a hyphen before digits.
func (v *vocabulary) list(items []string) string {
	last := len(items) - 1
	if last == 0 {
		return items[0]
	}
	and := v.and
	if first := items[last][0]; v.hebrew && first >= '0' && first <= '9' {
		and += "-"
	}
	return strings.Join(items[:last], ", ") + and + items[last]
}

func (v *vocabulary) date(date time.Time) string {
	if v.hebrew {
		return fmt.Sprintf("%d ב%s %d", date.Day(), v.months[date.Month()-1], date.Year())
	}
	return fmt.Sprintf("%s %d, %d", v.months[date.Month()-1], date.Day(), date.Year())
}

// monthDay says a date of every year, with its preposition.
func (v *vocabulary) monthDay(month, day int) string {
	switch {
	case v.hebrew && day == -1:
		return "ביום האחרון של " + v.months[month-1]
	case v.hebrew:
		return fmt.Sprintf("ב-%d ב%s", day, v.months[month-1])
	case day == -1:
		return "on the last day of " + v.months[month-1]
	}
	return fmt.Sprintf("on %s %d", v.months[month-1], day)
}

// dayOfMonth says a date of every month, with its preposition.
func (v *vocabulary) dayOfMonth(day int) string {
	switch {
	case v.hebrew && day == -1:
		return "ביום האחרון של החודש"
	case v.hebrew:
		return fmt.Sprintf("ב-%d בחודש", day)
	case day == -1:
		return "on the last day"
	}
	return "on the " + englishOrdinal(day)
}

func englishOrdinal(n int) string {
	suffix := "th"
	if n/10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// onWeekdays says days of the week, Sunday first.
func (v *vocabulary) onWeekdays(days []weekdayNumber) string {
	var names []string
	for day, name := range v.weekdays {
		if slices.Contains(days, weekdayNumber{day: time.Weekday(day)}) {
			names = append(names, name)
		}
	}
	switch {
	case !v.hebrew:
		return " on " + v.list(names)
	case len(names) == 1:
		return " ביום " + names[0]
	}
	return " בימים " + v.list(names)
}

// onDates says days of the month, or of the year when the rule has months; only the last day is said from the end.
func (v *vocabulary) onDates(r *rule) (string, bool) {
	if r.frequency == Monthly && len(r.months) > 0 || slices.Min(r.monthDays) < -1 {
		return "", false
	}
	if r.frequency == Yearly && len(r.months) == 0 || max(1, len(r.months))*len(r.monthDays) > maxSaid {
		return "", false
	}
	days := slices.Clone(r.monthDays)
	slices.SortFunc(days, func(a, b int) int { return (a+32)%32 - (b+32)%32 }) // the last day last
	var texts []string
	if r.frequency == Monthly {
		for _, day := range days {
			texts = append(texts, v.dayOfMonth(day))
		}
	} else {
		for _, month := range slices.Sorted(slices.Values(r.months)) {
			for _, day := range days {
				texts = append(texts, v.monthDay(month, day))
			}
		}
	}
	return " " + v.list(texts), true
}

// onNumbered says weekdays by their number in the month: the second Tuesday, the last Friday of March. BYSETPOS with
// one weekday is such a number too.
func (v *vocabulary) onNumbered(r *rule) (string, bool) {
	days := r.days
	if len(r.positions) == 1 && len(days) == 1 && days[0].ordinal == 0 && len(r.months) <= 1 {
		days = []weekdayNumber{{ordinal: r.positions[0], day: days[0].day}}
	} else if len(r.positions) > 0 {
		return "", false
	}
	var of string
	switch {
	case r.frequency == Monthly && len(r.months) == 0 && v.hebrew:
		of = " של החודש"
	case r.frequency == Monthly && len(r.months) == 0:
	case r.frequency == Yearly && len(r.months) == 1 && v.hebrew:
		of = " של " + v.months[r.months[0]-1]
	case r.frequency == Yearly && len(r.months) == 1:
		of = " of " + v.months[r.months[0]-1]
	default:
		return "", false
	}
	var texts []string
	for _, d := range days {
		ordinal, ok := v.ordinals[d.ordinal]
		if !ok {
			return "", false
		}
		if v.hebrew {
			texts = append(texts, "ביום "+v.weekdays[d.day]+" "+ordinal+of)
		} else {
			texts = append(texts, "on the "+ordinal+" "+v.weekdays[d.day]+of)
		}
	}
	if len(texts) == 0 || len(texts) > maxSaid {
		return "", false
	}
	return " " + v.list(texts), true
}

// times says a COUNT.
func (v *vocabulary) times(count int) string {
	switch {
	case v.hebrew && count == 1:
		return ", פעם אחת"
	case v.hebrew && count == 2:
		return ", פעמיים"
	case v.hebrew:
		return fmt.Sprintf(", %d פעמים", count)
	case count == 1:
		return ", once"
	case count == 2:
		return ", twice"
	}
	return fmt.Sprintf(", %d times", count)
}
