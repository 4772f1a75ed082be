// Package events answers the fields of events and calendars. It reads and changes them through the linked accounts; the
// store keeps what was claimed, noted and logged of each change.
package events

import "almanac/resolvers/core"

// Resolver answers the fields of events and calendars.
type Resolver struct {
	*core.Base
	Reader         EventReader
	CalendarReader CalendarReader
	Writer         EventWriter
	Series         SeriesWriter
}

// New makes the resolvers of events. What is written tells guests by mail only where the caller's token allows it.
func New(base *core.Base, reader EventReader, calendars CalendarReader, writer EventWriter,
	series SeriesWriter) *Resolver {
	guarded := sending{EventWriter: writer, SeriesWriter: series}
	return &Resolver{Base: base, Reader: reader, CalendarReader: calendars, Writer: guarded, Series: guarded}
}
