package when

import (
	"strconv"
	"time"

	"almanac/graph/model"
)

// FormatShort says an instant for people as it stays true: by day and month, never as today or tomorrow. The empty text
// for the zero time. The year is said only when it is not the moment's.
//
//	en  Tue 24 Nov 16:00       he  יום ג׳ 24 בנוב׳ 16:00
//	    Tue 24 Nov 2026 16:00      יום ג׳ 24 בנוב׳ 2026 16:00
func FormatShort(t time.Time, m Moment) string {
	if t.IsZero() {
		return ""
	}
	local := t.In(m.zone())
	return shortDay(local, m) + local.Format(" 15:04")
}

// FormatShortDate is FormatShort of a day.
func FormatShortDate(date model.Date, m Moment) string { return shortDay(date.Midnight(), m) }

// shortDay says the day of a local time.
func shortDay(local time.Time, m Moment) string {
	weekday, month := local.Weekday().String()[:3], local.Month().String()[:3]
	if m.Locale == "he" {
		weekday, month = hebrewDays[local.Weekday()], hebrewMonths[local.Month()-1]
	}
	date := weekday + " " + strconv.Itoa(local.Day()) + " " + month
	if year := local.Year(); year != m.Now.In(m.zone()).Year() {
		date += " " + strconv.Itoa(year)
	}
	return date
}

// The names are those of the Unicode CLDR, abbreviated form.
var (
	hebrewDays   = [...]string{"יום א׳", "יום ב׳", "יום ג׳", "יום ד׳", "יום ה׳", "יום ו׳", "שבת"}
	hebrewMonths = [...]string{"בינו׳", "בפבר׳", "במרץ", "באפר׳", "במאי", "ביוני", "ביולי", "באוג׳", "בספט׳", "באוק׳",
		"בנוב׳",
		"בדצמ׳"}
)
