// Package store is the contract between Almanac and its databases.
//
// It promises that every row belongs to a user, that every write appends to the user's change log in its own
// transaction, and that both drivers, sqlite and postgres, behave alike: storetest holds them to the text here.
// Times are kept to the microsecond in UTC, ids as their 16 bytes; the zero time and the empty string stand for "none".
//
// Every method takes part in the transaction that its context carries: the contexts that Write and Once hand to their
// functions carry one. A method called with any other context runs by itself. One context's methods may be called from
// several goroutines.
package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"almanac/graph/model"
)

// Sentinel errors. Drivers wrap them; callers ask with errors.Is.
var (
	// ErrNotFound: the user has no such row. It must not tell whether another user has one.
	ErrNotFound = errors.New("not found")
	// ErrConflict: a unique value (the name of a list, a used confirmation) is taken.
	ErrConflict = errors.New("conflict")
	// ErrCursorExpired: the change log no longer reaches back to the place asked for.
	ErrCursorExpired = errors.New("change log pruned beyond this place")
	// ErrNewerSchema: the database was migrated by a newer Almanac; this one refuses to touch it.
	ErrNewerSchema = errors.New("database schema is newer than this program")
)

// Faults of the database that a client may be told of, since it can do something about them: they carry their code, so
// no package between here and the edge has to translate them.
var (
	// ErrUnavailable: the database cannot be reached now; nothing was done.
	ErrUnavailable error = &model.Error{
		Code:    model.CodeUpstreamUnavailable,
		Message: "The database cannot be reached at the moment; nothing was changed. Try again.",
	}
	// ErrDiskFull: the disk of the database is full; nothing was done, and reading goes on. Drivers wrap ErrUnavailable
	// beside it; ask for this one first.
	ErrDiskFull error = &model.Error{
		Code: model.CodeUpstreamUnavailable,
		Message: "The disk of the database is full, so nothing was changed. Reading goes on; writing works again when " +
			"there is room.",
	}
	// ErrFileReplaced: the file of the database was removed or replaced while it was open, so what would be written to it
	// would be lost. Drivers wrap ErrUnavailable beside it; ask for this one first.
	ErrFileReplaced error = &model.Error{
		Code: model.CodeUpstreamUnavailable,
		Message: "The file of the database was removed or replaced while the server was running, so nothing can be saved " +
			"until it is back in its place or the server is restarted.",
	}
	// ErrFileOverwritten: the file of the database was written to by something else than the database while it was open,
	// so what it has is neither read nor added to. Drivers wrap ErrFileReplaced and ErrUnavailable beside it.
	ErrFileOverwritten error = &model.Error{
		Code: model.CodeUpstreamUnavailable,
		Message: "The file of the database was removed or replaced while the server was running, and what is in its place " +
			"now is not what the server has saved, so nothing can be read or saved until the server is restarted.",
	}
	// ErrOutcomeUnknown: the connection was lost while a commit was under way, so the write is either done whole or not
	// done at all. It wraps ErrUnavailable too; ask for this one first.
	ErrOutcomeUnknown error = &model.Error{
		Code: model.CodeUpstreamUnavailable,
		Message: "The connection to the database was lost while the change was being saved, so it may or may not have " +
			"been. Repeat the request with the same Idempotency-Key to be sure.",
	}
	// ErrFileReplacedAmid: the file of the database was removed or replaced while a write was under way. Drivers wrap
	// ErrOutcomeUnknown and ErrFileReplaced beside it, since the write is there if that file is put back.
	ErrFileReplacedAmid error = &model.Error{
		Code: model.CodeUpstreamUnavailable,
		Message: "The file of the database was removed or replaced while the change was being saved, so it may or may not " +
			"have been. Repeat the request with the same Idempotency-Key when the file is back in its place or the server is " +
			"restarted.",
	}
)

// Store is everything a driver does.
type Store interface {
	TaskReader
	ListReader
	MemoryReader
	ActionReader
	PartsReader
	IDReader
	EventReader
	EventEraser
	CalendarLinkReader
	FeedQueue
	ChannelReader
	ChannelQueue
	VectorStore
	KnowledgeReader
	KnowledgeVectors
	EpisodeQueue
	MailCache
	OutboxReader
	OutboxKeeper
	UserStore
	UserKeeper
	AuditReader
	AuditWriter
	ChangeReader
	TokenStore
	ConnectionReader
	SyncStore
	WebsetHookReader
	WebsetFeeds
	Claimer
	Transactor
	Maintainer
	Restorer
}

// Transactor runs writes.
type Transactor interface {
	// Write runs fn in one transaction of the user and commits it when fn returns nil; any error, and a panic, rolls
	// back everything. It must make sure the user's row exists and hold it locked before anything is read or written in
	// the transaction, so that writes of one user happen one after another, in the order of their change numbers. A Write
	// inside another Write or Once of the same user joins it as a savepoint: its error undoes its own part only. fn may be
	// run only once, and is run by Recorded.
	Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx Tx) error) error

	// InTransaction reports whether the context carries a transaction, so that what is read by it may never be committed.
	InTransaction(ctx context.Context) bool

	// Once runs fn at most once per user and key within 24 hours and returns its answer. fn runs in one transaction, as in
	// Write, in which its answer is recorded. A later call with the same key and fingerprint must give the recorded answer
	// with replayed true, without running fn; with another fingerprint, a *model.Error with CodeIdempotencyConflict. A
	// call that comes while the first one runs must wait for it. When fn fails, nothing is recorded and nothing done. What
	// a Claim of the same key has settled is replayed alike; while a claim holds the key, which may take longer than a
	// transaction should wait, Once returns a *model.Error with CodeConflict and runs nothing.
	Once(ctx context.Context, user model.UserID, call model.IdempotentCall,
		fn func(ctx context.Context) (answer []byte, err error)) (answer []byte, replayed bool, err error)
}

// Tx is what can be written within a transaction of one user. Each method appends its changes to the log.
type Tx interface {
	TaskReader
	ListReader
	MemoryReader
	ActionReader
	PartsReader
	EventReader
	EventWriter
	CalendarLinkReader
	CalendarLinkWriter
	ChannelReader
	ChannelWriter
	TaskWriter
	ListWriter
	MemoryWriter
	ActionWriter
	PartsWriter
	KnowledgeReader
	KnowledgeWriter
	OutboxReader
	OutboxWriter
	UserWriter
	ConnectionReader
	ConnectionWriter
	WebsetHookReader
	WebsetHookWriter
	RemoteLog
}

// Claimer makes mutations of remote systems happen once. They cannot join a transaction: what a remote has done is not
// rolled back. So a key is claimed before the remote is asked, and settled with the answer afterwards.
type Claimer interface {
	// Claim takes the key for the caller until the lease ends, or tells why it cannot. A settled key returns its recorded
	// answer with ClaimSettled. A key that another call holds returns ClaimHeld: come again. A key that is new, was
	// released, or whose lease has ended returns ClaimTaken and a seed, the same for every call with this key, from which
	// the mutation derives the ids of what it makes: so a repetition after a crash makes the same thing and not another.
	// The same key with another fingerprint is a *model.Error with CodeIdempotencyConflict. Keys are those of Once: one
	// used there is known here, and the other way round. The lease ends at now plus lease, when the next call may take the
	// key. Without an answer the key, and its seed, are forgotten 24 hours after it was taken last; so a lease must be
	// shorter. A Claim must be committed before the remote is asked: call it outside of Write.
	Claim(ctx context.Context, user model.UserID, call model.IdempotentCall, now time.Time, lease time.Duration) (Claim,
		error)
	// Note replaces what is noted with a claim that is held; Claim hands it to later holders of the key. ErrNotFound
	// when the claim is held by another call by now, or is settled.
	Note(ctx context.Context, user model.UserID, claim Claim, notes []byte) error
	// Settle records the answer of a claim that was taken, also after its lease has ended; it is kept for 24 hours.
	// Settling again is harmless: the first answer stays. ErrNotFound when the claim is another call's by now, was
	// released, or is forgotten.
	Settle(ctx context.Context, user model.UserID, claim Claim, answer []byte) error
	// Release ends a claim without an answer, so that a retry does the work again, with the same seed. Nothing
	// happens when it was settled, or is another call's by now.
	Release(ctx context.Context, user model.UserID, claim Claim) error
}

// ClaimState is what came of a claim.
type ClaimState int

// The states.
const (
	ClaimTaken ClaimState = iota
	ClaimHeld
	ClaimSettled
)

// Claim is what Claim returns.
type Claim struct {
	State ClaimState
	Key   string
	// Holder tells one holder of the key from the next; of a taken claim only.
	Holder model.UUID
	// Seed is the same for all calls with this key. It is random, and zero for a key that Once has recorded.
	Seed model.UUID
	// Notes are what earlier holders of the key have noted, of a taken claim; empty for nothing.
	Notes []byte
	// Answer is the recorded one, of a settled claim.
	Answer []byte
	// HeldUntil is when the lease of the call that holds it ends, of a held claim.
	HeldUntil time.Time
}

// ConnectionReader reads the accounts that users have linked.
type ConnectionReader interface {
	// Connections returns all of the user's connections, by number.
	Connections(ctx context.Context, user model.UserID) ([]model.Connection, error)
	// Credentials returns a connection's secrets. ErrNotFound.
	Credentials(ctx context.Context, user model.UserID, connection model.UUID) (model.Credentials, error)
}

// ConnectionWriter writes them.
type ConnectionWriter interface {
	// SaveConnection adds a connection or replaces the one of the same provider and account, which keeps its id, number
	// and LinkedAt; it returns the row as it now is. A new one needs an id and gets the next number, never one that was
	// given before; the User and Number given are not looked at, nor is the id in the credentials. Change: CREATED or
	// UPDATED, of type CONNECTION. ErrConflict beyond model.MaxConnections of one provider, and when another account's
	// connection has the id.
	SaveConnection(ctx context.Context, connection model.Connection, credentials model.Credentials) (model.Connection,
		error)
	// SaveCredentials replaces a connection's secrets. No change of its own. ErrNotFound.
	SaveCredentials(ctx context.Context, credentials model.Credentials) error
	// SetConnectionStatus changes the status; UPDATED, unless it is so already. ErrNotFound.
	SetConnectionStatus(ctx context.Context, connection model.UUID, status model.ConnectionStatus, at time.Time) error
	// DeleteConnection erases a connection with its secrets and sync states, and the texts of the actions about it, and
	// takes its kept calendars out of everyone's sight, as DeleteCalendar does, without changes of their own: EraseEvents
	// erases them. Its number is not given again. Change: DELETED. ErrNotFound.
	DeleteConnection(ctx context.Context, connection model.UUID) error
}

// SyncState is how far one calendar of a connection has been followed.
type SyncState struct {
	User       model.UserID
	Connection model.UUID
	// Calendar is as in model.CalendarRef: empty for the primary one. model.MailFeed is the account's mailbox and
	// model.CalendarListFeed its list of calendars, which are followed alike.
	Calendar string
	// Token is the remote's sync token, of a mailbox its history number; empty before the first sync and after one was
	// refused.
	Token string
	// Seen is when the last sync began or, of a reading from the start that goes on over several syncs, the first of them.
	Seen time.Time
	// NextAt is when to sync next, zero for never; Failures counts syncs that failed since the last good one.
	NextAt   time.Time
	Failures int
	// Channel, Resource and ChannelEnds name the push channel, if there is one
	// (https://developers.google.com/workspace/calendar/api/guides/push).
	Channel, Resource string
	ChannelEnds       time.Time
	// List, of the feed of that name, is the account's list of calendars as it was at Seen, as package mirror writes it;
	// empty before the first sync.
	List string
}

// StateOf finds the state of a calendar among those of one connection.
func StateOf(states []SyncState, calendar string) (state SyncState, found bool) {
	i := slices.IndexFunc(states, func(s SyncState) bool { return s.Calendar == calendar })
	if i < 0 {
		return state, false
	}
	return states[i], true
}

// FollowLag is how old what is known of the calendars of all users is. Mailboxes and lists of calendars do not count.
type FollowLag struct {
	// Calendars is how many are followed and were synced once; Total is the sum of the times since then.
	Calendars int
	Total     time.Duration
	// Oldest are those that were synced the longest ago, by that time; of each Connection, Calendar and Seen alone.
	Oldest []SyncState
}

// SyncStore keeps sync states. They are not part of the change log.
type SyncStore interface {
	// FollowLag returns how old what is known of calendars is at a time, with at most limit of the oldest. It reads the
	// states of all users, so it is for who asks seldom.
	FollowLag(ctx context.Context, now time.Time, limit int) (FollowLag, error)
	// SyncStates returns the states of one connection, by calendar.
	SyncStates(ctx context.Context, user model.UserID, connection model.UUID) ([]SyncState, error)
	// SaveSyncState inserts or replaces the state of a calendar. ErrNotFound when the connection is gone.
	SaveSyncState(ctx context.Context, state SyncState) error
	// ForgetSyncState erases the state of a calendar; nothing happens when there is none.
	ForgetSyncState(ctx context.Context, user model.UserID, connection model.UUID, calendar string) error
	// ClaimSyncs returns up to limit states of any users whose NextAt is not after now, the longest due first, and sets
	// their NextAt to until in the same transaction, so that no other process takes them meanwhile. What it returns holds
	// the new NextAt. It may give fewer than there are due while others claim, and what is lost on the way to the caller
	// is due again at until.
	ClaimSyncs(ctx context.Context, now, until time.Time, limit int) ([]SyncState, error)
}

// RemoteLog appends what happened to remote records to the user's change log.
type RemoteLog interface {
	// LogRemote appends the changes in order. Seq and At are given by the store: the log's times go with its numbers.
	// Remote must be set, and may be any bytes.
	LogRemote(ctx context.Context, changes []model.Change) error
	// LastRemote returns, of each of the remote records whose last change is still in the log, that change. Those of the
	// running transaction are among them.
	LastRemote(ctx context.Context, ids []model.UUID) (map[model.UUID]model.Change, error)
}

// IDReader finds records by the end of their ids.
type IDReader interface {
	// IDsEnding returns the ids of the user's tasks, subtasks, lists, items, memories, entities, facts, episodes and
	// actions that end in these bytes, at most so many, in any order.
	IDsEnding(ctx context.Context, user model.UserID, end [5]byte, most int) ([]model.ID, error)
}

// TaskReader reads tasks.
type TaskReader interface {
	// Tasks returns one page and whatever else the query wants, from one moment of the database, in one statement or one
	// batch. It must read no column that the query does not name or need.
	Tasks(ctx context.Context, user model.UserID, query TaskQuery) (TaskPage, error)
	// TasksByID returns the tasks that exist among ids, in any order, each once.
	TasksByID(ctx context.Context, user model.UserID, ids []model.UUID, want TaskColumns) ([]model.Task, error)
	// TaskTexts returns id, text, category, due date and recurrence type of the user's open tasks, newest first, at most
	// model.MaxOpenTasks. It feeds matching by text.
	TaskTexts(ctx context.Context, user model.UserID) ([]model.Task, error)
	// TaskByText returns the newest open task whose folded text equals the folded text given. ErrNotFound when there is
	// none.
	TaskByText(ctx context.Context, user model.UserID, text string, want TaskColumns) (model.Task, error)
	// TasksByText returns, of each of at most model.MaxBulk folded texts, the newest open task whose folded text equals
	// it, by that text; what has none is not in the map. In one statement or one batch. Folding is the caller's: a text
	// that is not folded has no task, nor has the empty one.
	TasksByText(ctx context.Context, user model.UserID, texts []string, want TaskColumns) (map[string]model.Task, error)
	// TaskCategories returns the categories of the user's open tasks, each with their number, those of the most first
	// and then by the folded category, at most limit. Categories are one when they are equal folded; the name is that of
	// the newest open task. From the counts that are kept, so that many tasks take no longer than few.
	TaskCategories(ctx context.Context, user model.UserID, limit int) ([]model.TaskCategory, error)
	// SubtasksByID returns the subtasks that exist among ids, in any order, each once.
	SubtasksByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.Subtask, error)
}

// TaskWriter writes tasks. Tasks are written whole; their Subtasks and Completions are not looked at.
type TaskWriter interface {
	// InsertTasks adds tasks, which must have ids of their own. Change: CREATED each, in order.
	InsertTasks(ctx context.Context, tasks []model.Task) error
	// AddTasks is InsertTasks for ids that no task has: the write fails, and nothing of it is done, if one has. It may be
	// done as late as with the next call of the Tx that reads or writes, or with the end of the transaction, and fail
	// there.
	AddTasks(ctx context.Context, tasks []model.Task) error
	// UpdateTasks replaces tasks by id. ErrNotFound, and nothing is done, when one of them is not there. Change: operation
	// each, in order.
	UpdateTasks(ctx context.Context, operation model.Operation, tasks []model.Task) error
	// DeleteTasks deletes tasks with their subtasks and history and returns the ids that were there. Change: DELETED each.
	DeleteTasks(ctx context.Context, ids []model.UUID) (deleted []model.UUID, err error)
	// AddCompletions appends to tasks' histories. No change of its own.
	AddCompletions(ctx context.Context, completions []model.TaskCompletion) error
	// DeleteCompletions takes from tasks' histories, of each task at most one, the newest entry of that time. What is not
	// there is passed over. No change of its own.
	DeleteCompletions(ctx context.Context, completions []model.TaskCompletion) error
	// SaveSubtasks inserts or replaces subtasks by id, deletes the others named, and sets the update time of the tasks
	// concerned. Change: UPDATED for each task concerned, once.
	SaveSubtasks(ctx context.Context, updatedAt time.Time, save []model.Subtask, remove []model.Subtask) error
}

// ListReader reads lists.
type ListReader interface {
	// Lists returns one page and whatever else the query wants, in one statement or one batch.
	Lists(ctx context.Context, user model.UserID, query ListQuery) (ListPage, error)
	// ListsByID returns the lists that exist among ids, in any order, each once.
	ListsByID(ctx context.Context, user model.UserID, ids []model.UUID, want ListColumns) ([]model.List, error)
	// ListNames returns id and name of all the user's lists, newest first, at most model.MaxLists. It feeds matching by
	// name.
	ListNames(ctx context.Context, user model.UserID) ([]model.List, error)
	// ListByName returns the list whose folded name equals the folded name given. ErrNotFound when there is none.
	ListByName(ctx context.Context, user model.UserID, name string, want ListColumns) (model.List, error)
	// ListItemsByID returns the items that exist among ids, in any order, each once.
	ListItemsByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.ListItem, error)
}

// ListWriter writes lists.
type ListWriter interface {
	// InsertList adds a list with its items. ErrConflict when the folded name is taken. Change: CREATED.
	InsertList(ctx context.Context, list model.List) error
	// UpdateList replaces name, kind and update time. ErrNotFound; ErrConflict when the folded name is taken. Change:
	// UPDATED.
	UpdateList(ctx context.Context, list model.List) error
	// DeleteLists deletes lists with their items and returns the ids that were there. Change: DELETED each.
	DeleteLists(ctx context.Context, ids []model.UUID) (deleted []model.UUID, err error)
	// SaveListItems inserts or replaces items of one list by id, deletes the others named, and sets the list's update
	// time. ErrNotFound when the list is not there. Change: UPDATED for the list.
	SaveListItems(ctx context.Context, list model.UUID, updatedAt time.Time, save []model.ListItem,
		remove []model.UUID) error
}

// UserWriter writes what belongs to the user itself.
type UserWriter interface {
	// SaveSettings replaces the user's settings. Change: UPDATED, of type SETTINGS, with the user's id.
	SaveSettings(ctx context.Context, settings model.Settings) error
	// SkipNumbers makes the numbers that calendars, connections and versions of events get from now on greater than those
	// given, so that what is taken in from another database keeps its own. Numbers are never lowered.
	SkipNumbers(ctx context.Context, upTo Numbers) error
	// UseConfirmation records that a confirmation was used; ErrConflict when it had been already. It is forgotten after
	// expires.
	UseConfirmation(ctx context.Context, id model.UUID, expires time.Time) error
	// ReturnConfirmation makes a used confirmation usable again: what it allowed was not done. Nothing happens when it was
	// not used.
	ReturnConfirmation(ctx context.Context, id model.UUID) error
}

// Numbers are the greatest that were given to things of a user; 0 for none.
type Numbers struct {
	// Calendars are those of model.KeptCalendar, Connections of model.Connection, Events the versions of own events and
	// calendars.
	Calendars, Connections, Events int64
}

// ChangeReader reads the change log.
type ChangeReader interface {
	// Changes returns the changes after a place, oldest first, at most limit, of the types named (all when none is). A
	// negative place means from the oldest change that is kept. ErrCursorExpired when changes after that place have been
	// pruned, or the log has never been there: see Restorer. In what it returns, no committed change with a smaller number
	// may appear later.
	Changes(ctx context.Context, user model.UserID, after int64, types []model.ChangeType, limit int) ([]model.Change,
		error)
	// ChangeHead returns the number of the user's last change; 0 when there is none.
	ChangeHead(ctx context.Context, user model.UserID) (int64, error)
	// Watch returns a channel that receives soon after any transaction with changes of the user has been committed, by
	// this process or, where Facts().Replicas, by any other. Signals may be folded into one; none may be lost. stop must
	// be called.
	Watch(user model.UserID) (signals <-chan struct{}, stop func())
	// WatchSettings is Watch for those who remember nothing of the user but the settings: it is signalled after each
	// commit that changed them. It may signal without a cause, where nobody knows what another process has changed, and
	// must not miss one.
	WatchSettings(user model.UserID) (signals <-chan struct{}, stop func())
}

// TokenStore keeps API tokens. They are not part of the change log.
type TokenStore interface {
	// InsertToken adds a token.
	InsertToken(ctx context.Context, token model.APIToken) error
	// Token returns a token. ErrNotFound.
	Token(ctx context.Context, user model.UserID, id model.UUID) (model.APIToken, error)
	// Tokens returns all of the user's tokens, newest first.
	Tokens(ctx context.Context, user model.UserID) ([]model.APIToken, error)
	// RevokeToken sets RevokedAt, once; revoking again changes nothing. ErrNotFound.
	RevokeToken(ctx context.Context, user model.UserID, id model.UUID, at time.Time) error
	// TouchToken sets LastUsedAt; nothing happens when there is no such token.
	TouchToken(ctx context.Context, user model.UserID, id model.UUID, at time.Time) error
}

// Maintainer is what a process needs of its database.
type Maintainer interface {
	// Ready reports whether the database answers, its schema is this program's, and writing is possible as far as the last
	// write tells: after one that met a full disk it tries another. ErrUnavailable, ErrDiskFull, ErrFileReplaced,
	// ErrNewerSchema, or an older schema's error.
	Ready(ctx context.Context) error
	// DueReminders returns up to limit tasks of any users whose NextReminderAt is not after now, the longest due first.
	DueReminders(ctx context.Context, now time.Time, limit int) ([]DueReminder, error)
	// DueEventReminders returns up to limit own calendars of any users whose EventReminders.NextAt is not after now, the
	// longest due first.
	DueEventReminders(ctx context.Context, now time.Time, limit int) ([]DueEventReminders, error)
	// Sweep forgets idempotency records, claims and confirmations that ended before now, changes older than keepChanges,
	// e-mails of the outbox that can no longer be sent, or were sent, for model.KeepOutgoing, events of websets that were
	// taken more than WebsetEventsKept before now, what EraseEvents has left, entries of the audit
	// log whose ForgetAt has come, inverses of actions that cannot be undone
	// any more, and actions whose ForgetAt has come.
	Sweep(ctx context.Context, now time.Time, keepChanges time.Duration) error
	// Secret returns the server's secret of that name; the first call ever stores fresh, and all processes see that one.
	Secret(ctx context.Context, name string, fresh []byte) ([]byte, error)
	// Facts tells what the driver is like.
	Facts() Facts
	// Load tells what the driver has to do now.
	Load() Load
}

// Load is what a driver has to do at a moment, in this process.
type Load struct {
	// Connections are those that may be open at once, Busy those in use.
	Connections, Busy int
	// Writing is how many writes wait for their turn: of all users where there is one writer, else behind other writes of
	// their user.
	Writing int
}

// Facts are properties of a driver that callers and tests may ask for.
type Facts struct {
	// Name is "sqlite" or "postgres".
	Name string
	// TimePrecision is the smallest difference between two times that the driver keeps.
	TimePrecision time.Duration
	// Replicas: several processes may serve the same database, and Watch hears all of them.
	Replicas bool
}

// DueReminder names a task whose reminder is due.
type DueReminder struct {
	User model.UserID
	Task model.UUID
	At   time.Time
}
