//go:build bench

// Package history records what concurrent clients of one user asked and were told, and checks that it could have
// happened one after another.
//
// It promises that a history passes only if there is an order of its operations in which each stands between its call
// and its answer and in which every answer is what the models in model.go say (linearizability; Herlihy and Wing,
// 1990). A call without an answer may stand anywhere after its call, or nowhere.
package history

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
)

// Object is what an operation is about. A history is linearizable if that of each object is, so each is checked alone.
type Object string

// The objects of a user.
const (
	// Tasks are all tasks together, since a page shows many at once.
	Tasks Object = "tasks"
	// List is the one list that a user has here, with its items.
	List Object = "list"
)

// never is when an operation returns that was not answered.
const never = math.MaxInt64

// Recorder keeps the history of one user. It is safe for goroutines.
type Recorder struct {
	mu      sync.Mutex
	objects map[Object][]porcupine.Operation
	unknown int
}

// NewRecorder returns an empty history.
func NewRecorder() *Recorder { return &Recorder{objects: map[Object][]porcupine.Operation{}} }

// Add records an operation of a client with the times of its call and of its answer, which are of one monotonic clock.
// With an Unknown output its end is not known, whatever returned says. Clients are numbered from 0; a client that goes
// on after an operation without an answer is another client to porcupine, which does not matter to the check.
func (r *Recorder) Add(object Object, client int, in Input, out Output, call, returned time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	end := int64(returned)
	if out.Result == Unknown {
		end = never
		r.unknown++
	}
	r.objects[object] = append(r.objects[object],
		porcupine.Operation{ClientId: client, Input: in, Output: out, Call: int64(call), Return: end})
}

// Unknown is how many operations had no answer so far.
func (r *Recorder) Unknown() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unknown
}

// Verdict is what came of checking a history.
type Verdict struct {
	// Operations are those checked, Unknown those of them without an answer.
	Operations, Unknown int
	// Violations say which objects have no order, and which operation fits none.
	Violations []string
	// Undecided are objects whose check took too long.
	Undecided []Object
}

// Check looks for an order of each object's operations, for so long at most.
func (r *Recorder) Check(patience time.Duration) Verdict {
	r.mu.Lock()
	defer r.mu.Unlock()
	v := Verdict{Unknown: r.unknown}
	for object, operations := range r.objects {
		v.Operations += len(operations)
		result, info := porcupine.CheckOperationsVerbose(models[object], operations, patience)
		switch result {
		case porcupine.Unknown:
			v.Undecided = append(v.Undecided, object)
		case porcupine.Illegal:
			v.Violations = append(v.Violations, fmt.Sprintf("%s: %s", object, misfit(operations, info)))
		}
	}
	return v
}

// misfit names the operation that ended first of those that the longest order does not hold, and what stands last in
// that order.
func misfit(operations []porcupine.Operation, info porcupine.LinearizationInfo) string {
	var longest []int
	for _, partition := range info.PartialLinearizations() {
		for _, one := range partition {
			if len(one) > len(longest) {
				longest = one
			}
		}
	}
	first := -1
	for i, one := range operations {
		if !slices.Contains(longest, i) && (first < 0 || one.Return < operations[first].Return) {
			first = i
		}
	}
	if first < 0 {
		return "no order"
	}
	var before []string
	for _, i := range longest[max(len(longest)-6, 0):] {
		before = append(before, describe(operations[i].Input, operations[i].Output))
	}
	return fmt.Sprintf("%d of %d operations have an order; %s (client %d, %v to %v) fits nowhere after %s", len(longest),
		len(operations), describe(operations[first].Input, operations[first].Output), operations[first].ClientId,
		time.Duration(operations[first].Call).Round(time.Millisecond),
		time.Duration(operations[first].Return).Round(time.Millisecond), strings.Join(before, "; "))
}

// describe says an operation in at most so many bytes: the pages of all tasks are long.
func describe(in, out any) string {
	const most = 400
	text := fmt.Sprintf("%v = %v", in, out)
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}
