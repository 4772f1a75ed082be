package projections

import (
	"sync"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// Moment is one request's "now" with the bounds of its day computed once, since every item of an answer asks for them.
type Moment struct {
	when.Moment
	day when.Day
	// formatter is made for the first date that is said for people.
	once      sync.Once
	formatter *when.Formatter
}

// NewMoment computes the bounds of the moment's day.
func NewMoment(m when.Moment) *Moment {
	return &Moment{Moment: m, day: m.Day()}
}

// Format says an instant for people, in the viewer's language and zone.
func (m *Moment) Format(t time.Time) string {
	m.once.Do(func() { m.formatter = when.FormatterOf(m.Moment) })
	return m.formatter.Format(t)
}

// DateTime returns an instant as the viewer's clock shows it.
func (m *Moment) DateTime(t time.Time) model.DateTime {
	return model.DateTime{Time: t.In(m.Zone)}
}

// OptionalDateTime is DateTime for a time that may be missing, which the zero time stands for.
func (m *Moment) OptionalDateTime(t time.Time) model.OptionalDateTime {
	if t.IsZero() {
		return model.OptionalDateTime{}
	}
	return model.OptionalDateTime{DateTime: m.DateTime(t)}
}

// optional returns nil for the empty text.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
