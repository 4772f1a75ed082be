// Package events answers the fields of events and calendars. It reads and changes them through the linked accounts; the
// store keeps what was claimed, noted and logged of each change.
//
// A change goes one way: its input is read, the events that are meant are found, it is decided what is to be done with
// each of them or what must be asked first, the decision is applied, and what came of it is the answer. The files stand
// in this order in order_test.go, and each uses only those before it.
package events

import "almanac/resolvers/core"

// Resolver answers the fields of events and calendars.
type Resolver struct {
	*core.Base
	reader    Reader
	calendars CalendarReader
	writer    Writer
	series    SeriesWriter
}

// New makes the resolvers of events. What is written tells guests by mail only where the caller's token allows it.
func New(base *core.Base, reader Reader, calendars CalendarReader, writer Writer, series SeriesWriter) *Resolver {
	guarded := sending{Writer: writer, SeriesWriter: series}
	return &Resolver{Base: base, reader: reader, calendars: calendars, writer: guarded, series: guarded}
}
