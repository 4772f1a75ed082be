// Package reminders is the background worker that makes due reminders fire.
//
// It promises that a reminder fires once, whatever happens: with any number of workers in any number of processes, over
// restarts and kills at any moment, and after hours of downtime. It keeps nothing in memory that matters. A reminder is
// due because the store says so; within one write of its user, in which no other worker can be, the task is read again,
// and only if it still is due it is moved on. Events of own calendars are alike: what is due of a calendar is found and
// noted as given in one write. A firing is a change of the task's user like any other, so subscriptions
// and clients that come back later see it in the change log.
package reminders
