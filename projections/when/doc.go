// Package when answers questions about time as a person in a place asks them: what is today, what is overdue, which
// instant does "18:00" name, how is a date said in English or Hebrew.
//
// It promises that every answer follows from a Moment, the one "now" of a request with its zone, and reads no clock;
// that days follow each other without gap or overlap in every zone, also where the clock skips midnight or shows it
// twice and where a day never was; and that all windows are half-open. Stores and views share these rules, so a filter
// in SQL and a flag on a task cannot disagree.
package when
