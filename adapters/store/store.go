// Package store is the contract between Almanac and its databases.
//
// It promises that every row belongs to a user, that every write appends to the user's change log in its own
// transaction, and that both plugs, sqlite and postgres, behave alike: storetest holds them to the text here.
// Times are kept to the microsecond in UTC, ids as their 16 bytes; the zero time and the empty string stand for "none".
//
// Every method takes part in the transaction that its context carries: the contexts that Write and Once hand to their
// functions carry one. A method called with any other context runs by itself. One context's methods may be called from
// several goroutines.
package store

import (
	"context"
	"errors"
	"time"

	"almanac/graph/model"
)

// Sentinel errors. Plugs wrap them; callers ask with errors.Is.
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

// Faults of the database that a client may be told of, since it can do something about them: they carry their code, so no
// room between here and the edge has to translate them.
var (
	// ErrUnavailable: the database cannot be reached now; nothing was done.
	ErrUnavailable error = &model.Error{
		Code:    model.CodeUpstreamUnavailable,
		Message: "The database cannot be reached at the moment; nothing was changed. Try again.",
	}
	// ErrOutcomeUnknown: the connection was lost while a commit was under way, so the write is either done whole or not
	// done at all. It wraps ErrUnavailable too; ask for this one first.
	ErrOutcomeUnknown error = &model.Error{
		Code:    model.CodeUpstreamUnavailable,
		Message: "The connection to the database was lost while the change was being saved, so it may or may not have been. Repeat the request with the same Idempotency-Key to be sure.",
	}
)

// Store is everything a plug does.
type Store interface {
	TaskReader
	ListReader
	UserStore
	ChangeReader
	TokenStore
	Transactor
	Maintainer
}

// Transactor runs writes.
type Transactor interface {
	// Write runs fn in one transaction of the user and commits it when fn gives nil; any error, and a panic, rolls
	// back everything. It must make sure the user's row exists and hold it locked from the start, so that writes of
	// one user happen one after another, in the order of their change numbers. A Write inside another Write or Once of
	// the same user joins it as a savepoint: its error undoes its own part only. fn may be run only once.
	Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx Tx) error) error

	// Once runs fn at most once per user and key within 24 hours and gives its answer. fn runs in one transaction, as in
	// Write, in which its answer is recorded. A later call with the same key and fingerprint must give the recorded
	// answer with replayed true, without running fn; with another fingerprint, a *model.Error with
	// CodeIdempotencyConflict. A call that comes while the first one runs must wait for it. When fn fails, nothing is
	// recorded and nothing done.
	Once(ctx context.Context, user model.UserID, call model.IdempotentCall, fn func(ctx context.Context) (answer []byte, err error)) (answer []byte, replayed bool, err error)
}

// Tx is what can be written within a transaction of one user. Each method appends its changes to the log.
type Tx interface {
	TaskReader
	ListReader
	TaskWriter
	ListWriter
	UserWriter
}

// TaskReader reads tasks.
type TaskReader interface {
	// Tasks gives one page and whatever else the query wants, from one moment of the database, in one statement or one batch.
	// It must read no column that the query does not name or need.
	Tasks(ctx context.Context, user model.UserID, query TaskQuery) (TaskPage, error)
	// TasksByID gives the tasks that exist among ids, in any order, each once.
	TasksByID(ctx context.Context, user model.UserID, ids []model.UUID, want TaskColumns) ([]model.Task, error)
	// TaskTexts gives id, text, category, due date and recurrence type of the user's open tasks, newest first, at most
	// model.MaxOpenTasks. It feeds matching by text.
	TaskTexts(ctx context.Context, user model.UserID) ([]model.Task, error)
	// TaskByText gives the newest open task whose folded text equals the folded text given. ErrNotFound when there is none.
	TaskByText(ctx context.Context, user model.UserID, text string, want TaskColumns) (model.Task, error)
	// SubtasksByID gives the subtasks that exist among ids, in any order, each once.
	SubtasksByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.Subtask, error)
}

// TaskWriter writes tasks. Tasks are written whole; their Subtasks and Completions are not looked at.
type TaskWriter interface {
	// InsertTasks adds tasks, which must have ids of their own. Change: CREATED each, in order.
	InsertTasks(ctx context.Context, tasks []model.Task) error
	// UpdateTasks replaces tasks by id. ErrNotFound, and nothing is done, when one of them is not there. Change: operation each, in order.
	UpdateTasks(ctx context.Context, operation model.Operation, tasks []model.Task) error
	// DeleteTasks deletes tasks with their subtasks and history and gives the ids that were there. Change: DELETED each.
	DeleteTasks(ctx context.Context, ids []model.UUID) (deleted []model.UUID, err error)
	// AddCompletions appends to tasks' histories. No change of its own.
	AddCompletions(ctx context.Context, completions []model.TaskCompletion) error
	// SaveSubtasks inserts or replaces subtasks by id, deletes the others named, and sets the update time of the tasks
	// concerned. Change: UPDATED for each task concerned, once.
	SaveSubtasks(ctx context.Context, updatedAt time.Time, save []model.Subtask, remove []model.Subtask) error
}

// ListReader reads lists.
type ListReader interface {
	// Lists gives one page and whatever else the query wants, in one statement or one batch.
	Lists(ctx context.Context, user model.UserID, query ListQuery) (ListPage, error)
	// ListsByID gives the lists that exist among ids, in any order, each once.
	ListsByID(ctx context.Context, user model.UserID, ids []model.UUID, want ListColumns) ([]model.List, error)
	// ListNames gives id and name of all the user's lists, newest first, at most model.MaxLists. It feeds matching by name.
	ListNames(ctx context.Context, user model.UserID) ([]model.List, error)
	// ListByName gives the list whose folded name equals the folded name given. ErrNotFound when there is none.
	ListByName(ctx context.Context, user model.UserID, name string, want ListColumns) (model.List, error)
	// ListItemsByID gives the items that exist among ids, in any order, each once.
	ListItemsByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.ListItem, error)
}

// ListWriter writes lists.
type ListWriter interface {
	// InsertList adds a list with its items. ErrConflict when the folded name is taken. Change: CREATED.
	InsertList(ctx context.Context, list model.List) error
	// UpdateList replaces name, kind and update time. ErrNotFound; ErrConflict when the folded name is taken. Change: UPDATED.
	UpdateList(ctx context.Context, list model.List) error
	// DeleteLists deletes lists with their items and gives the ids that were there. Change: DELETED each.
	DeleteLists(ctx context.Context, ids []model.UUID) (deleted []model.UUID, err error)
	// SaveListItems inserts or replaces items of one list by id, deletes the others named, and sets the list's update
	// time. ErrNotFound when the list is not there. Change: UPDATED for the list.
	SaveListItems(ctx context.Context, list model.UUID, updatedAt time.Time, save []model.ListItem, remove []model.UUID) error
}

// UserStore knows the users.
type UserStore interface {
	// EnsureUser gives the user's row, made from the given one when there is none. It writes only when it has to.
	EnsureUser(ctx context.Context, fresh model.User) (model.User, error)
	// User gives the user's row. ErrNotFound.
	User(ctx context.Context, user model.UserID) (model.User, error)
}

// UserWriter writes what belongs to the user itself.
type UserWriter interface {
	// SaveSettings replaces the user's settings. Change: UPDATED, of type SETTINGS, with the user's id.
	SaveSettings(ctx context.Context, settings model.Settings) error
	// UseConfirmation records that a confirmation was used; ErrConflict when it had been already. It is forgotten after expires.
	UseConfirmation(ctx context.Context, id model.UUID, expires time.Time) error
}

// ChangeReader reads the change log.
type ChangeReader interface {
	// Changes gives the changes after a place, oldest first, at most limit, of the types named (all when none is). A negative
	// place means from the oldest change that is kept.
	// ErrCursorExpired when changes after that place have been pruned. In what it gives, no committed change with a
	// smaller number may appear later.
	Changes(ctx context.Context, user model.UserID, after int64, types []model.ChangeType, limit int) ([]model.Change, error)
	// ChangeHead gives the number of the user's last change; 0 when there is none.
	ChangeHead(ctx context.Context, user model.UserID) (int64, error)
	// Watch gives a channel that receives soon after any transaction with changes of the user has been committed, by this process or,
	// where Facts().Replicas, by any other. Signals may be folded into one; none may be lost. stop must be called.
	Watch(user model.UserID) (signals <-chan struct{}, stop func())
}

// TokenStore keeps API tokens. They are not part of the change log.
type TokenStore interface {
	// InsertToken adds a token.
	InsertToken(ctx context.Context, token model.APIToken) error
	// Token gives a token. ErrNotFound.
	Token(ctx context.Context, user model.UserID, id model.UUID) (model.APIToken, error)
	// Tokens gives all of the user's tokens, newest first.
	Tokens(ctx context.Context, user model.UserID) ([]model.APIToken, error)
	// RevokeToken sets RevokedAt, once; revoking again changes nothing. ErrNotFound.
	RevokeToken(ctx context.Context, user model.UserID, id model.UUID, at time.Time) error
}

// Maintainer is what a process needs of its database.
type Maintainer interface {
	// Ready tells whether the database answers and its schema is this program's. ErrUnavailable, ErrNewerSchema, or an older schema's error.
	Ready(ctx context.Context) error
	// DueReminders gives up to limit tasks of any users whose NextReminderAt is not after now, the longest due first.
	DueReminders(ctx context.Context, now time.Time, limit int) ([]DueReminder, error)
	// Sweep forgets idempotency records and confirmations that ended before now, and changes older than keepChanges.
	Sweep(ctx context.Context, now time.Time, keepChanges time.Duration) error
	// Secret gives the server's secret of that name; the first call ever stores fresh, and all processes see that one.
	Secret(ctx context.Context, name string, fresh []byte) ([]byte, error)
	// Facts tells what the plug is like.
	Facts() Facts
}

// Facts are properties of a plug that callers and tests may ask for.
type Facts struct {
	// Name is "sqlite" or "postgres".
	Name string
	// TimePrecision is the smallest difference between two times that the plug keeps.
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
