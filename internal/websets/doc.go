// Package websets hears what happens in users' websets and tells the change log of it: by webhooks that Exa calls, and
// by reading Exa's list of events for those that no webhook has told.
//
// It promises that an event is told once, whichever of the two ways it comes by, how often and in whatever order, with
// any number of processes, over restarts and kills at any moment: that it is told, and the line in the log, are one
// transaction. Nothing that was not signed with the webhook's own secret, byte for byte and within five minutes, has
// any effect. No remote is asked while Exa waits for an answer. An account that several users share tells none of them
// what is another's: there a webhook only makes the account's events be read, of which the account gives each user
// their own.
//
// What is told of a record, by its id:
//
//	WEBSET          the webset itself, its searches and its enrichments
//	WEBSET_ITEM     an item
//	WEBSET_MONITOR  a monitor and its runs
//	WEBSET_IMPORT   an import
//
// CREATED and DELETED are what the event says of the record itself; anything else is UPDATED, also what happens to a
// search or a run. What is no news is not told: that a record was made, or is gone, when the log has said so, be it by
// another event, which came first, or by what was done through this server; nor what came before its end. So nothing
// that is gone comes back because of an event that comes late. Events of types that are newer than this program are
// told by what they are about; those about nothing that the log has a word for (exports) are taken and not told.
//
// The line's version is the remote's time of the event, by which what comes late is known.
package websets
