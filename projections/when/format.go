package when

import (
	"fmt"
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
func Format(t time.Time, m Moment) string {
	if t.IsZero() {
		return ""
	}
	words := english
	if m.Locale == "he" {
		words = hebrew
	}
	local := t.In(m.zone())
	clock := local.Format("15:04")
	today, tomorrow := m.StartOfDay(), m.Tomorrow()
	switch {
	case !t.Before(today) && t.Before(tomorrow):
		return words.today + clock
	case !t.Before(tomorrow) && t.Before(m.DayAfterTomorrow()):
		return words.tomorrow + clock
	case t.Before(today) && !t.Before(m.Yesterday()):
		return words.yesterday + clock
	}
	layout := words.long
	if local.Year() != m.Now.In(m.zone()).Year() {
		layout = words.longWithYear
	}
	return fmt.Sprintf(layout, words.weekdays[local.Weekday()], words.months[local.Month()-1], local.Day(), clock,
		local.Year())
}

// vocabulary is what one language says. The layouts take weekday, month, day, clock and year, in this order.
type vocabulary struct {
	today, tomorrow, yesterday string
	long, longWithYear         string
	// onToday and so on name whole days; date and dateWithYear take weekday, month, day and year. allDay follows a single
	// day.
	onToday, onTomorrow, onYesterday string
	date, dateWithYear, allDay       string
	weekdays                         [7]string
	months                           [12]string
}

// The names are those of the Unicode CLDR, wide form.
var (
	english = vocabulary{
		today: "Today at ", tomorrow: "Tomorrow at ", yesterday: "Yesterday at ",
		long:         "%[1]s, %[2]s %[3]d, %[4]s",
		longWithYear: "%[1]s, %[2]s %[3]d, %[5]d, %[4]s",
		onToday:      "Today", onTomorrow: "Tomorrow", onYesterday: "Yesterday",
		date: "%[1]s, %[2]s %[3]d", dateWithYear: "%[1]s, %[2]s %[3]d, %[4]d", allDay: ", all day",
		weekdays: [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
		months: [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
			"November", "December"},
	}
	hebrew = vocabulary{
		today: "היום ב-", tomorrow: "מחר ב-", yesterday: "אתמול ב-",
		long:         "%[1]s, %[3]d ב%[2]s, %[4]s",
		longWithYear: "%[1]s, %[3]d ב%[2]s %[5]d, %[4]s",
		onToday:      "היום", onTomorrow: "מחר", onYesterday: "אתמול",
		date: "%[1]s, %[3]d ב%[2]s", dateWithYear: "%[1]s, %[3]d ב%[2]s %[4]d", allDay: ", כל היום",
		weekdays: [7]string{"יום ראשון", "יום שני", "יום שלישי", "יום רביעי", "יום חמישי", "יום שישי", "יום שבת"},
		months: [12]string{"ינואר", "פברואר", "מרץ", "אפריל", "מאי", "יוני", "יולי", "אוגוסט", "ספטמבר", "אוקטובר",
			"נובמבר", "דצמבר"},
	}
)
