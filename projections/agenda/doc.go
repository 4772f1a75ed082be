// Package agenda puts events, tasks and mail that waits for an answer into one order.
//
// It promises that what lies in a window is in it once, whatever the zone of the viewer, of the calendar and of the day
// on which clocks change: a date is a day where the viewer is; and that the order is total, so that a place in it can
// be gone on from. It asks nobody and reads no clock.
package agenda
