package model

import (
	"encoding/json"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Duration is a length of time between one minute and ten years. It goes out as an ISO 8601 duration (PT30M, P1DT2H,
// P7D) and comes in as one, as a number of minutes, or as a number and a unit in English or Hebrew ("30 minutes", "2
// שעות"). Days have 24 hours, months 30 days and years 365 days.
type Duration struct{ time.Duration }

// MinDuration and MaxDuration bound what a client may ask for.
const (
	MinDuration = time.Minute
	MaxDuration = 10 * 365 * 24 * time.Hour
)

const (
	day   = 24 * time.Hour
	week  = 7 * day
	month = 30 * day
	year  = 365 * day
)

var durationUnits = map[string]time.Duration{
	"s": time.Second, "sec": time.Second, "secs": time.Second, "second": time.Second, "seconds": time.Second,
	"שניה": time.Second, "שנייה": time.Second, "שניות": time.Second,
	"m": time.Minute, "min": time.Minute, "mins": time.Minute, "minute": time.Minute, "minutes": time.Minute,
	"דקה": time.Minute, "דקות": time.Minute,
	"h": time.Hour, "hr": time.Hour, "hrs": time.Hour, "hour": time.Hour, "hours": time.Hour, "שעה": time.Hour,
	"שעות": time.Hour,
	"d":    day, "day": day, "days": day, "יום": day, "ימים": day,
	"w": week, "week": week, "weeks": week, "שבוע": week, "שבועות": week,
	"month": month, "months": month, "חודש": month, "חודשים": month,
	"year": year, "years": year, "שנה": year, "שנים": year,
}

var (
	isoDuration = regexp.MustCompile(
		`^P(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$`)
	isoUnits = [...]time.Duration{year, month, week, day, time.Hour, time.Minute, time.Second}
	// spokenNumbers is made when it is first needed: the table of all letters takes most of a millisecond and a megabyte.
	spokenNumbers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d{1,9})\s*(\p{L}*)$`) })
)

// ParseDuration reads any of the forms a client may write. BAD_USER_INPUT when it is none, or is out of bounds.
func ParseDuration(text string) (Duration, error) {
	total, ok := parseISODuration(strings.ToUpper(strings.TrimSpace(text)))
	if !ok {
		total, ok = parseSpokenDuration(strings.ToLower(strings.TrimSpace(text)))
	}
	if !ok {
		return Duration{}, BadInput("", "%q is not a duration; write PT30M, P1D, or \"30 minutes\"", Clip(text))
	}
	if total < MinDuration || total > MaxDuration {
		return Duration{}, BadInput("", "a duration is between one minute and ten years, not %q", Clip(text))
	}
	return Duration{total}, nil
}

func parseISODuration(text string) (time.Duration, bool) {
	parts := isoDuration.FindStringSubmatch(text)
	if parts == nil || text == "P" || strings.HasSuffix(text, "T") {
		return 0, false
	}
	var total float64
	for i, digits := range parts[1:] {
		if digits == "" {
			continue
		}
		n, err := strconv.Atoi(digits)
		if err != nil {
			return 0, false
		}
		total += float64(n) * float64(isoUnits[i])
	}
	if total > math.MaxInt64/2 {
		return math.MaxInt64 / 2, true
	}
	return time.Duration(total), true
}

func parseSpokenDuration(text string) (time.Duration, bool) {
	parts := spokenNumbers().FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	n, err := strconv.Atoi(parts[1])
	if err != nil {
		return 0, false
	}
	unit := time.Minute
	if parts[2] != "" {
		var known bool
		if unit, known = durationUnits[parts[2]]; !known {
			return 0, false
		}
	}
	if total := float64(n) * float64(unit); total > math.MaxInt64/2 {
		return math.MaxInt64 / 2, true
	}
	return time.Duration(n) * unit, true
}

// ISO returns the shortest ISO 8601 form in days, hours, minutes and seconds: PT30M, P1DT2H.
func (d Duration) ISO() string { return string(d.appendISO(nil)) }

func (d Duration) appendISO(b []byte) []byte {
	if d.Duration < time.Second {
		return append(b, "PT0S"...)
	}
	b = append(b, 'P')
	rest := d.Duration
	for _, part := range [...]struct {
		unit time.Duration
		name byte
	}{{day, 'D'}, {time.Hour, 'H'}, {time.Minute, 'M'}, {time.Second, 'S'}} {
		n := rest / part.unit
		if n > 0 {
			b = append(strconv.AppendInt(b, int64(n), 10), part.name)
			rest -= n * part.unit
		}
		if part.unit == day && rest >= time.Second {
			b = append(b, 'T')
		}
	}
	return b
}

// MarshalGQL writes the ISO 8601 form as a JSON string.
func (d Duration) MarshalGQL(w io.Writer) { _, _ = w.Write(d.AppendGQL(nil)) }

// AppendGQL appends the ISO 8601 form as a JSON string.
func (d Duration) AppendGQL(b []byte) []byte { return append(d.appendISO(append(b, '"')), '"') }

// UnmarshalGQL reads a text or a number of minutes.
func (d *Duration) UnmarshalGQL(v any) error {
	var text string
	switch value := v.(type) {
	case string:
		text = value
	case json.Number:
		text = value.String()
	case int64:
		text = strconv.FormatInt(value, 10)
	case int:
		text = strconv.Itoa(value)
	default:
		return BadInput("", "a duration is a text such as PT30M or a number of minutes")
	}
	parsed, err := ParseDuration(text)
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}
