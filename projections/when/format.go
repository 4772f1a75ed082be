package when

import (
	"strconv"
	"time"
)

// Format says an instant for people, by the moment's clock and in its language; the empty text for the zero time.
// Another zone or language is asked for by changing the moment's.
//
//	en  Today at 10:00      he  היום ב-10:00
//	    Tomorrow at 10:00       מחר ב-10:00
//	    Yesterday at 10:00      אתמול ב-10:00
//	    Tuesday, January 20, 10:00        יום שלישי, 20 בינואר, 10:00
//	    Tuesday, January 20, 2026, 10:00  יום שלישי, 20 בינואר 2026, 10:00
//
// The clock has 24 hours and midnight is 00:00. The year is said only when it is not the moment's. Today, tomorrow and
// yesterday are days as Moment has them. Hebrew texts hold no bidi marks and need none: they begin with a Hebrew letter
// and hold, beside Hebrew, only digits and the punctuation between them, which both directions of a line show alike.
func Format(t time.Time, m Moment) string { return FormatterOf(m).Format(t) }

// Formatter says instants as Format does. It has worked out the days around its moment, for whoever says many.
type Formatter struct {
	zone  *time.Location
	words *vocabulary
	// The first instants of the days, and of the one behind them.
	yesterday, today, tomorrow, later time.Time
	year                              int
}

// FormatterOf returns the formatter of a moment.
func FormatterOf(m Moment) *Formatter {
	return &Formatter{
		zone: m.zone(), words: m.words(), year: m.Now.In(m.zone()).Year(), yesterday: m.Yesterday(), today: m.StartOfDay(),
		tomorrow: m.Tomorrow(), later: m.DayAfterTomorrow(),
	}
}

// Format says an instant for people; see the function Format.
func (f *Formatter) Format(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	var room [96]byte
	b, local := room[:0], t.In(f.zone)
	switch {
	case t.Before(f.yesterday), !t.Before(f.later):
		year, month, day := local.Date()
		b = f.words.appendDate(b, year, month, day, local.Weekday(), year != f.year)
		b = append(b, ", "...)
	case t.Before(f.today):
		b = append(b, f.words.yesterday...)
	case t.Before(f.tomorrow):
		b = append(b, f.words.today...)
	default:
		b = append(b, f.words.tomorrow...)
	}
	hour, minute, _ := local.Clock()
	b = append(b, byte('0'+hour/10), byte('0'+hour%10), ':', byte('0'+minute/10), byte('0'+minute%10))
	return string(b)
}

// vocabulary is what one language says.
type vocabulary struct {
	today, tomorrow, yesterday string
	// onToday and so on name whole days; allDay follows a single day.
	onToday, onTomorrow, onYesterday, allDay string
	// dayFirst: the day stands before the month.
	dayFirst   bool
	beforeYear string
	weekdays   [7]string
	months     [12]string
}

func (m Moment) words() *vocabulary {
	if m.Locale == "he" {
		return &hebrew
	}
	return &english
}

// appendDate appends "Tuesday, January 20", with ", 2026" or without.
func (v *vocabulary) appendDate(b []byte, year int, month time.Month, day int, weekday time.Weekday,
	withYear bool) []byte {
	b = append(append(b, v.weekdays[weekday]...), ", "...)
	if v.dayFirst {
		b = strconv.AppendInt(b, int64(day), 10)
		b = append(append(b, " ב"...), v.months[month-1]...)
	} else {
		b = append(append(b, v.months[month-1]...), ' ')
		b = strconv.AppendInt(b, int64(day), 10)
	}
	if withYear {
		b = strconv.AppendInt(append(b, v.beforeYear...), int64(year), 10)
	}
	return b
}

// The names are those of the Unicode CLDR, wide form.
var (
	english = vocabulary{
		today: "Today at ", tomorrow: "Tomorrow at ", yesterday: "Yesterday at ",
		onToday: "Today", onTomorrow: "Tomorrow", onYesterday: "Yesterday", allDay: ", all day",
		beforeYear: ", ",
		weekdays:   [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
		months: [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
			"November", "December"},
	}
	hebrew = vocabulary{
		today: "היום ב-", tomorrow: "מחר ב-", yesterday: "אתמול ב-",
		onToday: "היום", onTomorrow: "מחר", onYesterday: "אתמול", allDay: ", כל היום",
		dayFirst: true, beforeYear: " ",
		weekdays: [7]string{"יום ראשון", "יום שני", "יום שלישי", "יום רביעי", "יום חמישי", "יום שישי", "יום שבת"},
		months: [12]string{"ינואר", "פברואר", "מרץ", "אפריל", "מאי", "יוני", "יולי", "אוגוסט", "ספטמבר", "אוקטובר",
			"נובמבר", "דצמבר"},
	}
)
