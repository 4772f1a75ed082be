// Package gmail reads and writes Gmail mailboxes through the real client library.
//
// It promises that a message is read once: what cannot change of it is kept, encrypted, and what can is followed
// through the mailbox's history, so that the same list twice costs two cheap calls; that labels are wrong for no longer
// than until the next look at the history, and for who has changed them not at all; that no more crosses the wire than
// was asked for; that quota is counted before it is spent; that a draft is sent once, whatever happens, and that no
// change which may have been made is tried again unless doing it twice is doing it once; that every error is one of the
// list in graph/model with Google's own reason, and holds nothing of a message.
//
// How much is read (https://developers.google.com/workspace/gmail/api/reference/rest/v1/Format):
//
//	store.MailMinimal    format minimal: thread, labels, snippet, date, size
//	store.MailHeaders    format metadata, the headers of KnownHeaders alone; for others see DepthOfHeaders
//	store.MailStructure  format full with a mask that leaves out contents, five levels of parts deep; trees that are
//	                     deeper take a second look
//	store.MailFull       format full; texts that Gmail keeps like files are read, too
//
// A message goes this way: what is kept, with one look at the history for all messages of a question → the reading of
// another request that is under way → units of the account's minute → one of six places → adapters/google → what is
// kept. Gmail's batch endpoint is not used: its parts count as many units and as many requests at once, and each would
// need repeats and faults of its own.
package gmail

import (
	"almanac/adapters/store"
)

// Query is one question about the messages of one mailbox, newest first.
type Query struct {
	// Text is in Gmail's query language; empty asks nothing.
	Text string
	// Labels are the remote's label ids; all must be there.
	Labels           []string
	IncludeSpamTrash bool
	// Page is where to go on, as Listing.Next gave it; empty for the start. Size is how many, 1–500; it goes with the
	// page: another size is another place.
	Page string
	Size int
	// Ahead says that the messages will be read next: whether what is kept of them still holds is asked at the same time,
	// which spares a warm list one of two round trips. It costs nothing when it was asked just now.
	Ahead bool
}

// Found names a message.
type Found struct {
	Message, Thread string
}

// Listing answers a Query.
type Listing struct {
	Found []Found
	// Next is where to go on; empty at the end.
	Next string
}

// Depth is how much of messages is wanted.
type Depth = store.MailDepth

// Sent names a message that Gmail has taken.
type Sent struct {
	Message, Thread string
}

// History is what has happened in a mailbox.
type History struct {
	// At is the mailbox's number now; where to go on.
	At string
	// Lost: the remote does not remember so far back; what happened is unknown.
	Lost bool
	// Added, Deleted and Labelled name messages, each at most once in each list, in the order of what happened. Labels are
	// those that a labelled message has now.
	Added    []Arrived
	Deleted  []string
	Labelled []Arrived
}

// Arrived is a message of the history with its labels.
type Arrived struct {
	Message, Thread string
	Labels          []string
}

// File is the content of an attachment.
type File struct {
	Name, MIMEType string
	Content        []byte
}

// Outgoing is a message to be handed over.
type Outgoing struct {
	// Raw is the whole message (RFC 5322).
	Raw []byte
	// Thread is the remote's id of the conversation that it joins; empty for a new one.
	Thread string
}

// Draft names a message that was handed over to be sent later.
type Draft struct {
	ID string
	// Message and Thread are the remote's ids of it as long as it is a draft; what is sent of it is another message of the
	// same conversation.
	Message, Thread string
}

// DraftState is what has become of a draft.
type DraftState string

// The states.
const (
	// DraftWaiting: it is there, and was not sent.
	DraftWaiting DraftState = "WAITING"
	// DraftGone: it was sent, or somebody deleted it.
	DraftGone DraftState = "GONE"
)
