package model

import (
	"encoding/json"
	"io"
	"strings"
	"time"
)

// DateTime is an instant as it goes out: RFC 3339 with the offset of the zone it carries, microseconds when it has any.
type DateTime struct{ time.Time }

// MarshalGQL writes the instant as a JSON string.
func (d DateTime) MarshalGQL(w io.Writer) {
	var buf [40]byte
	_, _ = w.Write(d.AppendGQL(buf[:0]))
}

// AppendGQL appends the instant as a JSON string. A list of tasks has four instants a row, so years of four digits are
// written without package time's layouts, which took a tenth of such a list.
func (d DateTime) AppendGQL(b []byte) []byte {
	_, offset := d.Zone()
	offset -= offset % 60 // there were seconds before standard time; RFC 3339 has none in offsets
	clock := d.Unix() + int64(offset)
	if clock < firstClock || clock > lastClock {
		t := d.In(time.FixedZone("", offset)).Truncate(time.Microsecond)
		return append(t.AppendFormat(append(b, '"'), time.RFC3339Nano), '"')
	}
	return append(appendInstant(append(b, '"'), clock, d.Nanosecond()/1000, offset), '"')
}

// UnmarshalGQL reads an instant that has its offset. Inputs use DateTimeInput; this is its stricter sister.
func (d *DateTime) UnmarshalGQL(v any) error {
	var in DateTimeInput
	if err := in.UnmarshalGQL(v); err != nil {
		return err
	}
	if !in.HasOffset {
		return BadInput("", "a DateTime without an offset is no instant")
	}
	d.Time = in.Wall
	return nil
}

// OptionalDateTime is a DateTime that may be missing: the zero time goes out as null. It is a value, where a pointer
// would cost an allocation for each field of each row.
type OptionalDateTime struct{ DateTime }

// MarshalGQL writes the instant as a JSON string, or null.
func (d OptionalDateTime) MarshalGQL(w io.Writer) {
	var buf [40]byte
	_, _ = w.Write(d.AppendGQL(buf[:0]))
}

// AppendGQL appends the instant as a JSON string, or null.
func (d OptionalDateTime) AppendGQL(b []byte) []byte {
	if d.IsZero() {
		return append(b, "null"...)
	}
	return d.DateTime.AppendGQL(b)
}

// UnmarshalGQL reads an instant that has its offset; gqlgen wants it of every scalar.
func (d *OptionalDateTime) UnmarshalGQL(v any) error { return d.DateTime.UnmarshalGQL(v) }

// DateTimeInput is a DateTime as it comes in: RFC 3339, where the offset may be missing. A value without an
// offset is wall-clock time in the viewer's zone and becomes an instant only there, see projections/when.
type DateTimeInput struct {
	// Wall holds the clock reading. Its location is the offset that was given, or UTC when none was.
	Wall time.Time
	// HasOffset reports whether an offset (or Z) was given, so that Wall already is the instant.
	HasOffset bool
}

// dateTimeForms are tried in order; seconds and their fraction may be left out, as people do.
var dateTimeForms = [...]struct {
	layout    string
	hasOffset bool
}{
	{"2006-01-02T15:04:05.999999999Z07:00", true},
	{"2006-01-02T15:04Z07:00", true},
	{"2006-01-02T15:04:05.999999999", false},
	{"2006-01-02T15:04", false},
}

// ParseDateTimeInput reads RFC 3339 with or without offset, with or without seconds; a space may stand for the T.
// BAD_USER_INPUT otherwise, and for years outside 2–9999.
func ParseDateTimeInput(text string) (DateTimeInput, error) {
	candidate := text
	if len(candidate) > 10 && candidate[10] == ' ' {
		candidate = candidate[:10] + "T" + candidate[11:]
	}
	candidate = strings.ToUpper(candidate)
	for _, form := range dateTimeForms {
		t, err := time.Parse(form.layout, candidate)
		if err != nil {
			continue
		}
		if t.Year() < 2 || t.UTC().Year() < 2 || t.UTC().Year() > 9999 { // the zero time means "none"
			break
		}
		return DateTimeInput{Wall: t.Truncate(time.Microsecond), HasOffset: form.hasOffset}, nil
	}
	return DateTimeInput{}, BadInput("",
		"%q is not a DateTime; write 2026-11-22T18:00 (the viewer's zone) or 2026-11-22T18:00:00+02:00", Clip(text))
}

// UnmarshalGQL reads the value from a variable or literal.
func (d *DateTimeInput) UnmarshalGQL(v any) error {
	text, ok := v.(string)
	if !ok {
		return BadInput("", "a DateTime is a string such as 2026-11-22T18:00:00+02:00")
	}
	parsed, err := ParseDateTimeInput(text)
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// MarshalGQL writes the value as it was read; gqlgen asks for it wherever inputs are echoed.
func (d DateTimeInput) MarshalGQL(w io.Writer) {
	if d.HasOffset {
		DateTime{d.Wall}.MarshalGQL(w)
		return
	}
	_, _ = io.WriteString(w, `"`+d.Wall.Format("2006-01-02T15:04:05.999999")+`"`)
}

// DueDateInput is a DateTime as the due date of a task takes it: also as a time in words, {text: "tomorrow at 5pm"}.
type DueDateInput struct {
	DateTimeInput
	// Text is the time in words; empty when a DateTime was given.
	Text string
}

// UnmarshalGQL reads a DateTime, or an object whose one field is a text.
func (d *DueDateInput) UnmarshalGQL(v any) error {
	fields, ok := v.(map[string]any)
	if !ok {
		return d.DateTimeInput.UnmarshalGQL(v)
	}
	text, ok := fields["text"].(string)
	if !ok || len(fields) != 1 || strings.TrimSpace(text) == "" {
		return BadInput("", `a time in words is an object with a text alone: {text: "tomorrow at 5pm"}`)
	}
	d.Text = text
	return nil
}

// MarshalGQL writes the value as it was read.
func (d DueDateInput) MarshalGQL(w io.Writer) {
	if d.Text == "" {
		d.DateTimeInput.MarshalGQL(w)
		return
	}
	text, err := json.Marshal(map[string]string{"text": d.Text})
	if err == nil {
		_, _ = w.Write(text)
	}
}
