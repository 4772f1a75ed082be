package events

import "almanac/resolvers/core"

// New makes the resolvers of events over the calendars of linked accounts, and own ones. Where follower is not nil it is
// told before and after something is written; copies are read unless they are nil, which needs a follower. What is
// written tells guests by mail only where the caller's token allows it.
func New(base *core.Base, reader Reader, calendars CalendarReader, writer Writer, series SeriesWriter,
	own OwnCalendars, copies Copies, follower Follower) *Resolver {
	google := linked{reader, calendars, writer, series}
	var remote Calendars = google
	if follower != nil {
		remote = copied{google, copies, follower}
	}
	all := both{own: own, linked: remote}
	guarded := sending{Writer: all, SeriesWriter: all}
	return &Resolver{Base: base, reader: all, calendars: all, writer: guarded, series: guarded, own: own, follower: follower}
}
