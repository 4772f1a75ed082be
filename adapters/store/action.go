package store

import (
	"context"
	"time"

	"almanac/graph/model"
)

// ActionWhere is a filter; all parts are ANDed, the zero value of a part asks nothing.
type ActionWhere struct {
	// Kinds and Sources: one of these.
	Kinds   []string
	Sources []model.ActionSource
	// Touched is a record that the action has made, changed or deleted, or whose texts it may hold.
	Touched model.UUID
	// From is inclusive, To exclusive.
	From, To time.Time
	// Undoable: those that can be undone at Now, or those that cannot; nil asks nothing.
	Undoable *bool
	Now      time.Time
}

// ActionReader reads actions.
type ActionReader interface {
	// Actions returns at most limit actions without their inverses, the newest (by id) first, those after an id only
	// unless it is zero.
	Actions(ctx context.Context, user model.UserID, where ActionWhere, after model.UUID, limit int) ([]model.Action, error)
	// ActionsByID returns the actions that exist among ids, in any order, each once.
	ActionsByID(ctx context.Context, user model.UserID, ids []model.UUID, want ActionColumns) ([]model.Action, error)
}

// ActionWriter writes actions. What erases a record (DeleteMemories, ExpireMemories, DeleteEntities, DeleteFacts,
// DeleteEpisode, ClearKnowledge, DeleteConnection) erases, in the same transaction, summary and inverse of every action
// whose About names it, whether the record is still there or not, and these actions cannot be undone any more.
type ActionWriter interface {
	// SaveAction inserts an action or replaces it by id, with its inverse, and adds it to the audit log if it has an
	// AuditUntil. about are the records whose erasure erases its
	// texts; those of an earlier call with the same id stay. Change: CREATED or UPDATED, of type ACTION.
	SaveAction(ctx context.Context, action model.Action, about []model.ID) error
	// AddAction is SaveAction for an id that no action has: the write fails, and nothing of it is done, if one has it. It
	// may be kept with the end of the transaction, so it may not be read, nor changed, before.
	AddAction(ctx context.Context, action model.Action, about []model.ID) error
	// SetUndone notes which action has undone one; zero takes the note back. ErrNotFound. Change: UPDATED, of type ACTION.
	SetUndone(ctx context.Context, id, by model.UUID) error
}

// EntityLinks are what leads to an entity from elsewhere.
type EntityLinks struct {
	// Redirects are the ids of entities that became part of it, Mentions the episodes that mention it; both by id.
	Redirects, Mentions []model.UUID
}

// PartsReader reads of records what no other reader returns whole.
type PartsReader interface {
	// TaskHistories returns all completions of the tasks: of each task in the order in which they were added, for the same
	// moment.
	TaskHistories(ctx context.Context, user model.UserID, tasks []model.UUID) ([]model.TaskCompletion, error)
	// EntityLinks returns the links of those of the entities that have some.
	EntityLinks(ctx context.Context, user model.UserID, entities []model.UUID) (map[model.UUID]EntityLinks, error)
}

// PartsWriter puts parts of records back, and takes records back. Its methods are for undoing an action.
type PartsWriter interface {
	// SetTaskHistory replaces a task's history by the completions given, whose TaskID is not looked at. ErrNotFound. No
	// change of its own.
	SetTaskHistory(ctx context.Context, task model.UUID, completions []model.TaskCompletion) error
	// SetEntityLinks replaces what leads to an entity, which must be there (ErrNotFound). An episode that is not there is
	// left out; a redirect that leads to another entity leads to this one then. No change of its own.
	SetEntityLinks(ctx context.Context, entity model.UUID, links EntityLinks) error
	// SetFactEpisodes replaces the episodes that support a fact, which must be there (ErrNotFound). No change of its own.
	SetFactEpisodes(ctx context.Context, fact model.UUID, episodes []model.UUID) error
	// Withdraw deletes records as the methods that erase them do, facts before entities, but leaves what actions and
	// recorded answers tell of them: it is for what comes back when the undoing is undone, and for facts that another one
	// says too. What is not there is left out. ErrConflict, and nothing is done, when an entity has facts left. Change:
	// DELETED each.
	Withdraw(ctx context.Context, ids []model.ID) error
}

// Recorder is told of what a transaction writes. It runs fn with a Tx that it may have wrapped, and may read and write
// by tx before and after it.
type Recorder interface {
	Record(ctx context.Context, tx Tx, fn func(ctx context.Context, tx Tx) error) error
}

type recorderKey struct{}

// WithRecorder returns a context whose transactions tell the recorder of what they write: Transactor.Write runs its
// function by Recorded.
func WithRecorder(ctx context.Context, recorder Recorder) context.Context {
	return context.WithValue(ctx, recorderKey{}, recorder)
}

// RecorderFrom returns the context's recorder; nil when there is none.
func RecorderFrom(ctx context.Context) Recorder {
	recorder, _ := ctx.Value(recorderKey{}).(Recorder)
	return recorder
}

// Recorded runs the function of a Write by the context's recorder, or as it is when there is none.
func Recorded(ctx context.Context, tx Tx, fn func(ctx context.Context, tx Tx) error) error {
	if recorder := RecorderFrom(ctx); recorder != nil {
		return recorder.Record(ctx, tx, fn)
	}
	return fn(ctx, tx)
}
