// Package calsync follows the calendars and mailboxes of linked accounts and tells the change log what others have
// changed there.
//
// It promises that each change is told once: what is told, and how far the remote was read, are written in one
// transaction, with any number of workers in any number of processes, over restarts and kills at any moment. A write of
// our own that is in the log is known by its version and not told again. Where the remote can no longer say what has
// changed, that is told instead of kept silent. Nothing that matters is kept in memory, and nobody but the remote can
// make it sync.
//
// What it asks stays within the quota of the whole Google Cloud project, which all accounts share: it has a ceiling of
// requests a minute, and after a refusal for the project all syncs rest that nobody waits for. Both hold for one
// process; others hear refusals for themselves.
//
// Which calendars: the primary one of every account and, where the list of calendars may be read, those that are ticked
// on Google's own screen. Their events are copied into the store, whole: a reading from the start in pages, which goes
// on where it was left, and then what has changed. What is told of an event, by its id, is what changes its row:
//
//	DELETED   it is cancelled, or a reading that has seen everything has not seen it
//	CREATED   it was not there, as also an occurrence of a series to which nobody has invited the account
//	UPDATED   it has another version, or an occurrence of a series that is there was changed on its own
//
// The first reading tells nothing of events; at its end the connection is told as UPDATED, since what has changed
// meanwhile is not known. When the remote has forgotten where a calendar was left (410), everything is read anew and
// held against the copy, which stays readable, so the differences are known.
//
// Mailboxes: the one of every account that lets it be read; another's rests, without a word, until it is linked with
// that scope. Its history is read from number to number
// (https://developers.google.com/workspace/gmail/api/guides/sync), which costs two of Google's units a sync. There are
// no push channels: Gmail tells of changes through another service only. What is told of an e-mail, by its id:
//
//	CREATED   it has arrived, and is in the inbox
//	UPDATED   the labels of one in the inbox were changed, or it has entered or left the inbox
//	DELETED   one that the log knows was deleted for good
//
// What arrives elsewhere (sent mail, drafts, spam, what a filter archives), or has left the inbox before the first sync
// at it, is not told. The remote names a message's labels as they are, not as they were. So whether a message that is
// elsewhere was in the inbox before is known from its last line in the log; where there is none, it is told once, since
// too much does less harm than too little. The line's version stands for the labels: a sync that comes again, and
// labels that were changed and changed back, tell nothing. A label that is put on through this server is told by the
// sync alone, so once. When the remote has forgotten where the mailbox was left (404), or more has happened than one
// sync reads, the connection is told as UPDATED and telling begins anew.
package calsync
