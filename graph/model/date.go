package model

import (
	"fmt"
	"io"
	"time"
)

// Date is a day of the calendar without a time or a zone, as all-day events have it (RFC 3339, full-date).
// The zero value stands for none.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// dateLayout is RFC 3339's full-date.
const dateLayout = "2006-01-02"

// ParseDate reads "2026-11-22". BAD_USER_INPUT for anything else, for days that the month has not, and for years
// outside 2–9999.
func ParseDate(text string) (Date, error) {
	t, err := time.Parse(dateLayout, text)
	if err != nil || t.Year() < 2 {
		return Date{}, BadInput("", "%q is not a Date; write 2026-11-22", Clip(text))
	}
	return DateOf(t), nil
}

// DateOf returns the day that the clock of t's location shows.
func DateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{Year: year, Month: month, Day: day}
}

// IsZero reports whether there is no date.
func (d Date) IsZero() bool { return d == Date{} }

// Midnight is the date's midnight in UTC, which stands for the date wherever only an instant can be compared.
func (d Date) Midnight() time.Time { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC) }

// AddDays returns the date so many days later; earlier for a negative number.
func (d Date) AddDays(n int) Date { return DateOf(d.Midnight().AddDate(0, 0, n)) }

// DaysUntil is how many days lie between d and the other; negative when the other is earlier.
func (d Date) DaysUntil(other Date) int {
	return int(other.Midnight().Sub(d.Midnight()) / (24 * time.Hour))
}

// Before reports whether d is an earlier day than the other.
func (d Date) Before(other Date) bool { return d.Midnight().Before(other.Midnight()) }

// String returns "2026-11-22".
func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// MarshalGQL writes the date as a JSON string.
func (d Date) MarshalGQL(w io.Writer) { _, _ = w.Write(d.AppendGQL(nil)) }

// AppendGQL appends the date as a JSON string.
func (d Date) AppendGQL(b []byte) []byte {
	return fmt.Appendf(b, `"%04d-%02d-%02d"`, d.Year, d.Month, d.Day)
}

// UnmarshalGQL reads the date from a variable or literal.
func (d *Date) UnmarshalGQL(v any) error {
	text, ok := v.(string)
	if !ok {
		return BadInput("", "a Date is a string such as 2026-11-22")
	}
	parsed, err := ParseDate(text)
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}
