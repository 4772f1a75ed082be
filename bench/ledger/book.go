//go:build bench

package main

// book is one writer's side of the ledger: what has been acknowledged to it, as the state and the changes that must
// follow from it. A writer does one thing after another and only to things of its own, so the book says exactly what
// must be there, and in which order it was done.
type book struct {
	user int
	// keys are the Idempotency-Keys of the acknowledged writes, in order.
	keys    []string
	tasks   map[string]*taskEntry
	lists   map[string]*listEntry
	changes []changeEntry
	// open are keys that were sent and never acknowledged, since the run ended first.
	open []string
}

func newBook(user int) *book {
	return &book{user: user, tasks: make(map[string]*taskEntry), lists: make(map[string]*listEntry)}
}

// taskEntry is a task by its acknowledged writes.
type taskEntry struct {
	text string
	// completed says that it was completed for good; completions counts how often it was completed, recurring ones again
	// and again.
	completed   bool
	completions int
	deleted     bool
}

// listEntry is a list by its acknowledged writes; items are in their order.
type listEntry struct {
	name  string
	items []itemEntry
}

type itemEntry struct {
	id, text string
	checked  bool
}

// changeEntry is a line of the change log: what happened to which thing.
type changeEntry struct {
	kind, operation, id string
}

func (b *book) change(kind, operation, id string) {
	b.changes = append(b.changes, changeEntry{kind, operation, id})
}

func (b *book) created(id, text string) {
	b.tasks[id] = &taskEntry{text: text}
	b.change(kindTask, "CREATED", id)
}

func (b *book) completedOnce(id string, forGood bool) {
	b.tasks[id].completions++
	b.tasks[id].completed = forGood
	b.change(kindTask, "COMPLETED", id)
}

func (b *book) deleted(id string) {
	b.tasks[id].deleted = true
	b.change(kindTask, "DELETED", id)
}

func (b *book) listed(id, name string) {
	b.lists[id] = &listEntry{name: name}
	b.change(kindList, "CREATED", id)
}

// The kinds of things in the change log.
const (
	kindTask   = "TASK"
	kindList   = "LIST"
	kindAction = "ACTION"
)
