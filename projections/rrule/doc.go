// Package rrule is the recurrence of calendar events, in the lines of RFC 5545 that Google Calendar keeps: RRULE, RDATE
// and EXDATE. It reads them, says when they occur, ends a series before an occurrence or splits it there, and says them
// for people.
//
// It promises that a series keeps its clock time in its own zone when clocks change; that ending or splitting a series
// moves, adds and loses no occurrence before the cut; and that any input, however hostile, takes bounded time and
// memory. It reads no clock.
//
// The rules are expanded by github.com/teambition/rrule-go, which is given dates without zone and a subset that it gets
// right (expand.go says which); lines, zones, COUNT, UNTIL and exceptions are read here.
//
// # What is decided
//
//   - The first occurrence of a rule is the first that the rule generates from the start of the event on. A start that
//     does not match the rule is no occurrence and does not use up COUNT: RFC 5545 leaves this undefined, and it is
//     what rrule-go and its model dateutil do. A recurrence without any RRULE has its start as an occurrence, beside
//     its RDATEs.
//   - Nothing occurs before the start of the event, not even an RDATE.
//   - A clock time that the zone skips is taken with the offset before the skip, and of one that comes twice the first
//     (RFC 5545, 3.3.5 with erratum 4271), as when.Instant has it. The start itself is the instant it is, also when it
//     is the second.
//   - UNTIL is inclusive. A date on a timed series means that whole day in the event's zone; a time on an all-day
//     series means its date.
//   - Occurrences end with the year 2399. A series without end is endless for people all the same.
package rrule
