// Package connect links Google accounts to users and keeps what they granted.
//
// It promises that an account is linked only by somebody who was told, on a page of this server, whose Almanac it will
// be linked to; that an answer of Google counts once, in the browser that asked, for the user that asked; that tokens
// are kept encrypted, each bound to its user and connection, and are erased when the user disconnects, whatever Google
// says; and that nobody without a ticket makes the server write or call anybody. No page, log line or error shows a
// secret or a cause.
//
// The way of a link:
//
//	URL → GET page (names the user, lists what is asked) → POST → Google's consent page → GET callback → page
//
// From one step to the next goes one encrypted text (ticket, form, state), so no step leaves anything in the database
// before Google's answer has been checked.
package connect
