package resolvers_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// After any story of moves, new tasks, changes, deletions and undoing, the order made by hand is the one that a plain
// slice has after the same story, page by page and backwards, and orders by other fields are as they would be anyway.
func TestOrderByHandIsThatOfASlice(t *testing.T) {
	t.Parallel()
	for _, kind := range harnesses() {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s/%d", kind.name, seed), func(t *testing.T) {
				t.Parallel()
				s := &sorted{t: t, h: kind.build(t, start), random: rand.New(rand.NewPCG(seed, 21))}
				s.story(150)
			})
		}
	}
}

// sorted is a story of tasks in an order made by hand.
type sorted struct {
	t      *testing.T
	h      *harness
	random *rand.Rand
	// order is what the order by POSITION must be; made are the same tasks as they were created.
	order, made []string
	counted     int
}

// ask sends one document and reads its answer into data.
func (s *sorted) ask(data any, document string, values ...any) {
	s.t.Helper()
	answer := s.h.say(s.t, "alice", nil, fmt.Sprintf(document, values...), nil)
	var read struct {
		Data   any
		Errors []any
	}
	read.Data = data
	err := json.Unmarshal(answer, &read)
	if err != nil || len(read.Errors) > 0 || strings.Contains(string(answer), `"code"`) {
		s.t.Fatalf("%s\n%s %v", fmt.Sprintf(document, values...), answer, err)
	}
}

func (s *sorted) story(steps int) {
	for range 8 {
		s.create()
	}
	for step := range steps {
		s.h.clock.Advance(time.Duration(s.random.IntN(5)) * time.Second)
		switch what := s.random.IntN(20); {
		case what < 2:
			s.create()
		case what < 4:
			s.change()
		case what < 5 && len(s.order) > 4:
			s.remove()
		default:
			s.move(what < 8)
		}
		if step%10 == 0 || step == steps-1 {
			s.check()
		}
	}
}

func (s *sorted) any() string { return s.order[s.random.IntN(len(s.order))] }

func (s *sorted) create() {
	s.counted++
	var made struct {
		CreateTask struct{ Task struct{ ID string } }
	}
	s.ask(&made, `mutation { createTask(input: { text: "Task number %d", allowDuplicate: true }) {
		task { id } userErrors { code } } }`, s.counted)
	s.order = append(s.order, made.CreateTask.Task.ID)
	s.made = append(s.made, made.CreateTask.Task.ID)
}

// change changes everything but the place, and completes it for a while.
func (s *sorted) change() {
	s.counted++
	id := s.any()
	for _, completed := range []bool{true, false} {
		s.ask(nil, `mutation { updateTask(input: { id: %q, set: { text: "Renamed %d", category: "c%d", dueDate: %q,
			completed: %v } }) { userErrors { code } } }`, id, s.counted, s.random.IntN(3),
			fmt.Sprintf("2031-01-%02dT08:00", 1+s.random.IntN(28)), completed)
	}
}

// remove deletes a task; half of the time it is brought back to its place.
func (s *sorted) remove() {
	id := s.any()
	var gone struct {
		DeleteTask struct{ Action struct{ ID string } }
	}
	s.ask(&gone, `mutation { deleteTask(input: { id: %q }) { action { id } userErrors { code } } }`, id)
	if s.random.IntN(2) == 0 {
		s.undo(gone.DeleteTask.Action.ID)
		return
	}
	same := func(other string) bool { return other == id }
	s.order, s.made = slices.DeleteFunc(s.order, same), slices.DeleteFunc(s.made, same)
}

func (s *sorted) undo(action string) {
	s.ask(nil, `mutation { undoAction(input: { id: %q }) { action { id } userErrors { code } } }`, action)
}

// move puts a task beside another one, first only to try; undone moves leave everything where it was.
func (s *sorted) move(undone bool) {
	id, beside := s.any(), s.any()
	side := [...]string{"before", "after"}[s.random.IntN(2)]
	document := fmt.Sprintf(`{ updateTask(input: { id: %q, position: { %s: %q } }) {
		task { id } action { id } userErrors { code } } }`, id, side, beside)
	tried := s.h.say(s.t, "alice", nil, "mutation @dryRun "+document, nil)
	if !strings.Contains(string(tried), id) {
		s.t.Fatalf("tried only: %s", tried)
	}
	s.front()
	var moved struct {
		UpdateTask struct{ Action *struct{ ID string } }
	}
	s.ask(&moved, "mutation %s", document)
	if id == beside {
		return
	}
	was := slices.Clone(s.order)
	s.order = slices.DeleteFunc(s.order, func(other string) bool { return other == id })
	at := slices.Index(s.order, beside)
	if side == "after" {
		at++
	}
	s.order = slices.Insert(s.order, at, id)
	s.front()
	if action := moved.UpdateTask.Action; undone && action != nil {
		s.undo(action.ID)
		s.order = was
		s.front()
	}
}

// front compares the first three, which costs little.
func (s *sorted) front() {
	s.t.Helper()
	s.compare(s.order[:min(3, len(s.order))], s.ids(`first: 3, orderBy: { field: POSITION }`))
}

func (s *sorted) compare(want, got []string) {
	s.t.Helper()
	if !slices.Equal(got, want) {
		s.t.Fatalf("the order is\n%s\nand should be\n%s", strings.Join(got, " "), strings.Join(want, " "))
	}
}

func (s *sorted) ids(arguments string) []string {
	s.t.Helper()
	got, _ := s.page(arguments)
	return got
}

func (s *sorted) page(arguments string) (ids []string, next string) {
	s.t.Helper()
	var read struct {
		Tasks struct {
			Nodes    []struct{ ID string }
			PageInfo struct {
				HasNextPage bool
				EndCursor   string
			}
		}
	}
	s.ask(&read, `{ tasks(%s) { nodes { id } pageInfo { hasNextPage endCursor } } }`, arguments)
	for _, node := range read.Tasks.Nodes {
		ids = append(ids, node.ID)
	}
	if read.Tasks.PageInfo.HasNextPage {
		next = read.Tasks.PageInfo.EndCursor
	}
	return ids, next
}

func (s *sorted) check() {
	s.t.Helper()
	all, after := s.page(`first: 7, orderBy: { field: POSITION }`)
	for after != "" {
		var more []string
		more, after = s.page(fmt.Sprintf(`first: 7, orderBy: { field: POSITION }, after: %q`, after))
		all = append(all, more...)
	}
	s.compare(s.order, all)
	backwards := slices.Clone(s.order)
	slices.Reverse(backwards)
	s.compare(backwards, s.ids(`first: 100, orderBy: { field: POSITION, direction: DESC }`))
	s.compare(s.made, s.ids(`first: 100, orderBy: { field: CREATED_AT, direction: ASC }`))
}
