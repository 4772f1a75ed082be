//go:build bench

package history

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// store is a server in memory that does operations one after another, with one fault or none.
type store struct {
	mu    sync.Mutex
	tasks []Task
	items []Item
	// stale is what the last read of all tasks had said.
	stale []Task
	fault string
	done  int
}

// do does one operation. With a fault every 20th is done wrong.
func (s *store) do(object Object, in Input) Output {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done++
	wrong := s.done%20 == 0
	if object == List {
		if in.Kind == ReadAll {
			return Output{Result: OK, Items: slices.Clone(s.items)}
		}
		out := Output{Result: OK}
		for _, step := range in.Steps {
			var status string
			s.items, status = act(slices.Clone(s.items), step)
			if s.fault == "doubled" && wrong {
				s.items, _ = act(slices.Clone(s.items), step)
			}
			out.Statuses = append(out.Statuses, status)
		}
		return out
	}
	switch in.Kind {
	case ReadAll:
		told := s.tasks
		if s.fault == "stale" && wrong {
			told = s.stale
		}
		s.stale = s.tasks
		return Output{Result: OK, Tasks: slices.Clone(told)}
	case ReadOne:
		if at, found := slices.BinarySearchFunc(s.tasks, in.Name, byName); found {
			return Output{Result: OK, Tasks: []Task{s.tasks[at]}}
		}
		return Output{Result: OK}
	}
	for _, result := range []Result{OK, Missing, Conflict} {
		if legal, after := stepTasks(s.tasks, in, Output{Result: result}); legal {
			if s.fault != "lost" || !wrong {
				s.tasks = after
			}
			return Output{Result: result}
		}
	}
	panic("an operation without a result")
}

// played is a history of four clients that work on a store at the same time; every tenth answer gets lost.
func played(t *testing.T, fault string) Verdict {
	t.Helper()
	s, r, began := &store{fault: fault}, NewRecorder(), time.Now()
	var group sync.WaitGroup
	for client := range 4 {
		random := rand.New(rand.NewPCG(7, uint64(client))) //nolint:gosec // no secret
		group.Go(func() {
			for n := range 60 {
				object, in := chosen(random, client, n)
				call := time.Since(began)
				out := s.do(object, in)
				if in.Kind != ReadAll && in.Kind != ReadOne && random.IntN(10) == 0 && r.Unknown() < 5 {
					out = Output{Result: Unknown}
				}
				r.Add(object, client, in, out, call, time.Since(began))
			}
		})
	}
	group.Wait()
	for _, object := range []Object{Tasks, List} {
		call := time.Since(began)
		r.Add(object, 0, Input{Kind: ReadAll}, s.do(object, Input{Kind: ReadAll}), call, time.Since(began))
	}
	return r.Check(20 * time.Second)
}

func chosen(random *rand.Rand, client, n int) (Object, Input) {
	name := strconv.Itoa(random.IntN(8))
	fresh := strconv.Itoa(client) + "." + strconv.Itoa(n)
	switch random.IntN(9) {
	case 0, 1:
		return Tasks, Input{Kind: Create, Name: fresh, Text: fresh}
	case 2:
		return Tasks, Input{Kind: Update, Name: strconv.Itoa(client) + "." + name, Text: fresh}
	case 3:
		return Tasks, Input{Kind: Complete, Name: strconv.Itoa(client) + "." + name}
	case 4:
		return Tasks, Input{Kind: Delete, Name: strconv.Itoa(client) + "." + name}
	case 5:
		return Tasks, Input{Kind: ReadAll}
	case 6:
		return List, Input{Kind: Items, Steps: []Step{{Action: Add, Name: fresh, To: random.IntN(4)}}}
	case 7:
		return List, Input{Kind: Items, Steps: []Step{
			{Action: Check, Name: "0." + name}, {Action: Move, Name: "1." + name, To: random.IntN(6)}}}
	default:
		return List, Input{Kind: ReadAll}
	}
}

func TestAHistoryOfAServerWithoutFaultsHasAnOrder(t *testing.T) {
	t.Parallel()
	v := played(t, "")
	if len(v.Violations)+len(v.Undecided) > 0 || v.Operations != 242 || v.Unknown == 0 {
		t.Errorf("%+v", v)
	}
}

func TestPlantedFaultsAreFound(t *testing.T) {
	t.Parallel()
	// What a client reads after a fault depends on how the clients take turns; in one play it may be nothing.
	const plays = 6
	for _, fault := range []string{"lost", "doubled", "stale"} {
		var v Verdict
		for n := 0; n < plays && len(v.Violations) == 0; n++ {
			v = played(t, fault)
		}
		if len(v.Violations) == 0 {
			t.Errorf("%s: %+v", fault, v)
		}
		t.Log(fault, v.Violations)
	}
}

// An operation without an answer may stand late, or nowhere; one with an answer may not.
func TestAnUnknownOutcomeMayComeLate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		create Result
		read   [2][]Task
		legal  bool
	}{
		"done late":              {Unknown, [2][]Task{nil, {{Name: "a", Text: "x"}}}, true},
		"never done":             {Unknown, [2][]Task{nil, nil}, true},
		"done and gone":          {Unknown, [2][]Task{{{Name: "a", Text: "x"}}, nil}, false},
		"acknowledged and late":  {OK, [2][]Task{nil, {{Name: "a", Text: "x"}}}, false},
		"acknowledged and there": {OK, [2][]Task{{{Name: "a", Text: "x"}}, {{Name: "a", Text: "x"}}}, true},
		"there twice": {OK, [2][]Task{{{Name: "a", Text: "x"}},
			{{Name: "a", Text: "x"}, {Name: "a", Text: "x"}}}, false},
	} {
		r := NewRecorder()
		r.Add(Tasks, 0, Input{Kind: Create, Name: "a", Text: "x"}, Output{Result: c.create}, 1, 2)
		for i, tasks := range c.read {
			at := time.Duration(10 * (i + 1))
			r.Add(Tasks, 1, Input{Kind: ReadAll}, Output{Result: OK, Tasks: tasks}, at, at+1)
		}
		if v := r.Check(time.Second); (len(v.Violations) == 0) != c.legal {
			t.Errorf("%s: %+v", name, v)
		}
	}
}
