// Package feeds reads calendars that others publish at an address (iCalendar over HTTP).
//
// It promises that
//
//   - only addresses of the public internet are connected to, at each redirect too: what is dialled is checked, not
//     what a name said before (Client.Private lifts this for who runs the server at home);
//   - an answer is a whole calendar, or unchanged, or an error: one that was cut off, is too large once unpacked, or is
//     a web page never counts as a calendar that has become empty;
//   - an address, which is often a secret, is in no error, no log record and no metric, and neither is what was read.
//
// It keeps nothing but how servers fared lately: what a feed said the last time (State) is its caller's.
package feeds
