// Package ical reads and writes calendars as text (iCalendar: RFC 5545, with parameters as RFC 6868 has them and the
// names of RFC 7986).
//
// It promises that
//
//   - every entry of a text comes to an event or to a Problem with its line and a reason; what was left out of an
//     event, or understood in another way than it is written, is one of its Notes;
//   - any input takes time and memory in proportion to its size, and none panics;
//   - what Write has written is read as the same events, to the second, whatever their zone, clock changes included;
//   - an event has the same Key each time it is read.
//
// It does no I/O and reads no clock.
//
// # What is decided
//
//   - Text in files is of many makers, so what has one plausible meaning is read: line ends of any kind, dates without
//     VALUE=DATE, an end in another zone, commas that are not escaped, names of zones with a prefix. What has none is
//     refused.
//   - A zone is known by its IANA name, by Windows' name of it (CLDR), or by the offsets of its VTIMEZONE, which have
//     to be those of an IANA zone in the year of the event and the next. Otherwise what names it is refused: an event
//     at a wrong time is worse than none.
//   - A floating time is the calendar's: of X-WR-TIMEZONE, or of Options.Zone.
//   - An exception names its occurrence in the form of its series, whatever form the file has it in. Its own RRULE,
//     RDATE and EXDATE are left out, since an occurrence does not recur.
//   - Of entries with one key the highest SEQUENCE counts, then the latest DTSTAMP, then the last one.
//   - Rules are read by projections/rrule; those that it refuses are refused with its reason.
package ical
