package agent

import (
	"context"
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// The verbs of other domains that sentences use. Errors are *model.Error, or hidden; what the caller can mend stands in
// payloads. Confirmations that they make are bound to the sentence.
type (
	// Tasks are the verbs of tasks.
	Tasks interface {
		CreateTask(ctx context.Context, in graph.CreateTaskInput) (*graph.CreateTaskPayload, error)
		CreateTasks(ctx context.Context, in graph.CreateTasksInput) (*graph.CreateTasksPayload, error)
		UpdateTask(ctx context.Context, in graph.UpdateTaskInput) (*graph.UpdateTaskPayload, error)
		CompleteTask(ctx context.Context, in graph.CompleteTaskInput) (*graph.CompleteTaskPayload, error)
		DeleteTask(ctx context.Context, in graph.DeleteTaskInput) (*graph.DeleteTaskPayload, error)
		// FindTasks returns the first tasks that are wanted, soonest due first, and how many there are.
		FindTasks(ctx context.Context, v *core.Viewer, wanted struct {
			From, To           time.Time
			Overdue, Completed bool
			Category, Search   string
		}, most int) ([]model.Task, int, error)
	}
	// Lists are the verbs of lists.
	Lists interface {
		CreateList(ctx context.Context, in graph.CreateListInput) (*graph.CreateListPayload, error)
		UpdateListItems(ctx context.Context, in graph.UpdateListItemsInput) (*graph.UpdateListItemsPayload, error)
		DeleteList(ctx context.Context, in graph.DeleteListInput) (*graph.DeleteListPayload, error)
		// FindLists returns the lists that a name may mean, one when it is clear; without a name the first of all, without
		// their items.
		FindLists(ctx context.Context, v *core.Viewer, name string, most int) ([]model.List, error)
	}
	// Memories are the verbs of memories.
	Memories interface {
		StoreMemory(ctx context.Context, in graph.StoreMemoryInput) (*graph.StoreMemoryPayload, error)
		DeleteMemories(ctx context.Context, in graph.DeleteMemoriesInput) (*graph.DeleteMemoriesPayload, error)
		// Find returns the memories that a query finds best, best first.
		Find(ctx context.Context, v *core.Viewer, query string, most int) ([]model.Memory, error)
	}
	// Mail are the verbs of e-mails: a sentence only reads them.
	Mail interface {
		// Find returns the newest e-mails that a filter finds, with their headers; more reports that there are others.
		Find(ctx context.Context, v *core.Viewer, filter graph.EmailFilter, most int) (found []model.Email, more bool,
			err error)
	}
	// Actions are the verbs of what was done.
	Actions interface {
		// Last returns the newest action that can be undone; false when there is none.
		Last(ctx context.Context, v *core.Viewer) (model.Action, bool, error)
		UndoAction(ctx context.Context, in graph.UndoActionInput) (*graph.UndoActionPayload, error)
	}
)

// Domains are what sentences are about beside the calendar.
type Domains struct {
	Tasks    Tasks
	Lists    Lists
	Memories Memories
	Mail     Mail
	Actions  Actions
}
