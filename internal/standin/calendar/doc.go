// Package calendar is what the stand-in for Google knows of the Calendar API, version 3: events with their series,
// exceptions and tombstones, calendars, their lists and rights, free/busy, settings, colours and push channels.
//
// It promises to answer as Google does, also where Google is odd: README.md numbers what is imitated, says how each
// behaviour is known (from Google's own documents, measured by others, or chosen here because nothing is known), and
// names the test that pins it. It sees no HTTP, reads no clock of its own and calls nobody while it holds its lock.
// What it keeps grows only by writes; no answer expands a series beyond the window that was asked for, nor beyond a
// cap.
package calendar
