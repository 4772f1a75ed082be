// Package calsync follows the calendars of linked accounts and tells the change log what others have changed there.
//
// It promises that each change is told once: what is told, and how far the calendar was read, are written in one transaction, with
// any number of workers in any number of processes, over restarts and kills at any moment. A write of our own that is in the log is
// known by its version and not told again. Where the remote can no longer say what has changed, that is told instead of kept silent.
// Nothing that matters is kept in memory, and nobody but the remote can make it look.
//
// Which calendars: the primary one of every account, the one that queries mean when they name none
// (docs/decisions/0011-linked-accounts.md). Its state is made by Follow, in the transaction that links the account, so there is
// no account without one, and it goes with the account.
//
// What is told of an event, by its id:
//
//	DELETED   it is cancelled
//	CREATED   it was made since the last look, or was deleted as far as the log knows
//	UPDATED   anything else: it may be the first that a client hears of the event, as of an old invitation that was accepted
//
// An occurrence that was changed on its own is UPDATED under its own id, since it was there before; a series is told under the
// series' id. The first look at a calendar tells nothing: it is where telling begins. When the remote has forgotten where a calendar
// was left (410), what changed meanwhile is unknown. Then the connection is told as UPDATED, and clients read its events anew.
package calsync
