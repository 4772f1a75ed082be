//go:build bench

package history

import (
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/anishathalye/porcupine"
)

// Kind is what an operation does.
type Kind string

// The operations on tasks, and those on a list's items.
const (
	Create   Kind = "create"
	Update   Kind = "update"
	UpdateIf Kind = "updateIf"
	Complete Kind = "complete"
	Delete   Kind = "delete"
	// ReadOne reads a task by its id, ReadAll a page of all tasks, or the list.
	ReadOne Kind = "readOne"
	ReadAll Kind = "readAll"
	// Items changes a list's items, all steps at once.
	Items Kind = "items"
)

// Task is a task as clients see it. Names are unique and do not change; each text is used once.
type Task struct {
	Name, Text string
	Done       bool
}

// Item is an item of a list.
type Item struct {
	Name    string
	Checked bool
}

// Action is one step of Items, in the order in which the server does them.
type Action string

// The actions.
const (
	Add     Action = "add"
	Check   Action = "check"
	Uncheck Action = "uncheck"
	Remove  Action = "remove"
	Move    Action = "move"
)

// Step is one action with an item. To is where an item is added or moved; beyond the end means the end.
type Step struct {
	Action Action
	Name   string
	To     int
}

// Input is an operation. Name is the task's, Text its new text; Seen is the task whose version UpdateIf wants.
type Input struct {
	Kind       Kind
	Name, Text string
	Seen       Task
	Steps      []Step
}

// String is the operation in words.
func (in Input) String() string {
	switch in.Kind {
	case Items:
		return fmt.Sprintf("items%v", in.Steps)
	case UpdateIf:
		return fmt.Sprintf("updateIf(%s %q, seen %v)", in.Name, in.Text, in.Seen)
	default:
		return fmt.Sprintf("%s(%s %s)", in.Kind, in.Name, in.Text)
	}
}

// Result is what a mutation said.
type Result string

// The results. For a read it is OK.
const (
	// Unknown: there was no answer, so it may have been done, or may be done later.
	Unknown Result = "unknown"
	OK      Result = "ok"
	// Missing: there is no such task.
	Missing Result = "missing"
	// Conflict: the task has another version, or is completed already.
	Conflict Result = "conflict"
)

// Output is what a client was told: the tasks or items of a read, and for Items the status of each step, "DONE",
// "UNCHANGED" or "FAILED".
type Output struct {
	Result   Result
	Tasks    []Task
	Items    []Item
	Statuses []string
}

// String is the answer in words.
func (out Output) String() string {
	return fmt.Sprintf("%s %v%v%v", out.Result, out.Tasks, out.Items, out.Statuses)
}

var seed = maphash.MakeSeed()

var models = map[Object]porcupine.Model{Tasks: modelOf(stepTasks), List: modelOf(stepItems)}

// modelOf is the model whose states are slices, which step changes.
func modelOf[T comparable](step func(state []T, in Input, out Output) (bool, []T)) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return []T(nil) },
		Step: func(state, in, out any) (bool, any) {
			return step(as[[]T](state), as[Input](in), as[Output](out))
		},
		Equal:             func(a, b any) bool { return slices.Equal(as[[]T](a), as[[]T](b)) },
		Hash:              func(state any) uint64 { return hashed(as[[]T](state)) },
		DescribeOperation: describe,
	}
}

// as is the value as what it is known to be.
func as[T any](value any) T {
	known, ok := value.(T)
	if !ok {
		panic(fmt.Sprintf("history: %T is no %T", value, known))
	}
	return known
}

// hashed is a hash of a state of records that can be compared.
func hashed[T comparable](state []T) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, one := range state {
		maphash.WriteComparable(&h, one)
	}
	return h.Sum64()
}

// byName compares tasks as the state is ordered.
func byName(t Task, name string) int {
	switch {
	case t.Name < name:
		return -1
	case t.Name > name:
		return 1
	default:
		return 0
	}
}

// stepTasks reports whether the operation may say this of tasks in this state, and the state afterwards.
func stepTasks(state []Task, in Input, out Output) (bool, []Task) {
	at, found := slices.BinarySearchFunc(state, in.Name, byName)
	switch in.Kind {
	case ReadAll:
		return slices.Equal(state, out.Tasks), state
	case ReadOne:
		if !found {
			return len(out.Tasks) == 0, state
		}
		return len(out.Tasks) == 1 && out.Tasks[0] == state[at], state
	case Create:
		if found {
			return out.Result == Unknown, state
		}
		return out.Result == OK || out.Result == Unknown,
			slices.Insert(slices.Clone(state), at, Task{Name: in.Name, Text: in.Text})
	}
	if !found {
		return out.Result == Missing || out.Result == Unknown, state
	}
	next, applies := state[at], true
	switch in.Kind {
	case Update:
		next.Text = in.Text
	case UpdateIf:
		next.Text, applies = in.Text, state[at] == in.Seen
	case Complete:
		next.Done, applies = true, !state[at].Done
	}
	if !applies {
		return out.Result == Conflict || out.Result == Unknown, state
	}
	if out.Result != OK && out.Result != Unknown {
		return false, state
	}
	after := slices.Clone(state)
	if in.Kind == Delete {
		return true, slices.Delete(after, at, at+1)
	}
	after[at] = next
	return true, after
}

// stepItems is the same of a list's items.
func stepItems(state []Item, in Input, out Output) (bool, []Item) {
	if in.Kind == ReadAll {
		return slices.Equal(state, out.Items), state
	}
	after := slices.Clone(state)
	for i, step := range in.Steps {
		var status string
		after, status = act(after, step)
		if out.Result == Unknown {
			continue
		}
		if out.Statuses[i] != status {
			return false, state
		}
	}
	return true, after
}

// act does one step and returns its status.
func act(items []Item, step Step) (after []Item, status string) {
	at := slices.IndexFunc(items, func(item Item) bool { return item.Name == step.Name })
	if step.Action == Add {
		to := min(max(step.To, 0), len(items))
		return slices.Insert(items, to, Item{Name: step.Name}), "DONE"
	}
	if at < 0 {
		return items, "FAILED"
	}
	switch step.Action {
	case Check, Uncheck:
		if items[at].Checked == (step.Action == Check) {
			return items, "UNCHANGED"
		}
		items[at].Checked = step.Action == Check
		return items, "DONE"
	case Remove:
		return slices.Delete(items, at, at+1), "DONE"
	}
	moved := items[at]
	items = slices.Delete(items, at, at+1)
	to := min(max(step.To, 0), len(items))
	if to == at {
		return slices.Insert(items, at, moved), "UNCHANGED"
	}
	return slices.Insert(items, to, moved), "DONE"
}
