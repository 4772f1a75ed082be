// Package calfiles brings calendars of the store and iCalendar files together: it imports and exports files, keeps the
// copies of feeds, and knows the secret addresses of published calendars.
//
// It promises that
//
//   - every entry of a file comes to one Entry that says what was done with it, or why nothing was;
//   - importing a file again changes nothing, and neither does importing what was exported;
//   - no transaction writes more than a few dozen events, so that no other write of the user waits for long;
//   - a file never replaces what was changed here after its state, and a feed's copy is replaced by whole files alone.
package calfiles
