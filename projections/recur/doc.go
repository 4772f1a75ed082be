// Package recur is the calendar of tasks: when a rule of repetition occurs next, when a task reminds, and what
// completing it, reopening it or reminding of it changes.
//
// It promises pure functions from a task and a time to a task, safe to repeat: none of them reads a clock, writes
// UpdatedAt, or ever moves a reminder back; whatever was missed while nobody looked is made up for once. Occurrences
// are wall-clock times in the rule's own zone, so they stay at 08:00 when clocks change, and obey when.Instant where
// clocks skip or repeat an hour. Times that go out are UTC, to the microsecond.
package recur
