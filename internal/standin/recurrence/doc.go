// Package recurrence says when a series of events occurs, for the stand-in of Google Calendar: by walking day after day
// and asking of each whether RFC 5545, 3.3.10, lets it be one. It is plain and slow on purpose, and shares nothing with
// the expansion that the server itself has, which it judges; layout_test.go holds that.
//
// Where RFC 5545 leaves something undefined, it promises: a start that does not match the rules is no occurrence and
// does not use up COUNT; without a rule the start is an occurrence; nothing occurs before the start; with BYWEEKNO the
// years of a rule are those in which weeks are numbered; a clock reading that the zone skips is taken with the offset
// before, of one that comes twice the first. Rules for parts of days are refused.
package recurrence
