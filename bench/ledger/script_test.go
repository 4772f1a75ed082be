//go:build bench

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// pretender answers as the server would, from a state of its own that it keeps by the words of the schema.
type pretender struct {
	t     *testing.T
	next  int
	tasks map[string]*taskRow
	lists map[string]*listRow
}

func (p *pretender) id(kind string) string {
	p.next++
	return fmt.Sprintf("%s_%d", kind, p.next)
}

func (p *pretender) answer(body []byte) json.RawMessage {
	var request struct {
		Query     string
		Variables struct {
			Input struct {
				ID    string `json:"id"`
				Text  string
				Name  string
				Tasks []newTask
				itemSteps
			}
		}
	}
	if err := json.Unmarshal(body, &request); err != nil {
		p.t.Fatal(err)
	}
	in := request.Variables.Input
	field := strings.TrimSpace(strings.SplitN(strings.SplitN(request.Query, "{", 2)[1], "(", 2)[0])
	var payload any
	switch field {
	case "createTask":
		id := p.id("task")
		p.tasks[id] = &taskRow{text: in.Text}
		payload = map[string]any{"task": thing{id}}
	case "createTasks":
		var made []thing
		for _, task := range in.Tasks {
			id := p.id("task")
			p.tasks[id] = &taskRow{text: task.Text}
			made = append(made, thing{id})
		}
		payload = map[string]any{"tasks": made}
	case "completeTask":
		task := p.tasks[in.ID]
		task.completions++
		task.completed = !strings.Contains(task.text, "daily")
		payload = map[string]any{"task": map[string]any{"completed": task.completed}}
	case "deleteTask":
		delete(p.tasks, in.ID)
		payload = map[string]any{"deleted": 1}
	case "createList":
		id := p.id("list")
		p.lists[id] = &listRow{name: in.Name}
		payload = map[string]any{"list": thing{id}}
	case "updateListItems":
		payload = map[string]any{"outcomes": p.change(p.lists[in.ID], in.itemSteps)}
	default:
		p.t.Fatalf("a field that is not known: %q", field)
	}
	data, err := json.Marshal(map[string]any{field: payload})
	if err != nil {
		p.t.Fatal(err)
	}
	return data
}

// change does the steps as the schema tells: add, check, remove, move; a move counts without the item itself.
func (p *pretender) change(list *listRow, steps itemSteps) (outcomes []map[string]any) {
	done := func(id string) { outcomes = append(outcomes, map[string]any{"status": "DONE", "item": thing{id}}) }
	find := func(id string) int {
		i := slices.IndexFunc(list.items, func(e itemEntry) bool { return e.id == id })
		if i < 0 {
			p.t.Fatalf("a step names %q, which the list does not have", id)
		}
		return i
	}
	for _, add := range steps.Add {
		list.items = append(list.items, itemEntry{id: p.id("item"), text: add.Text})
		done(list.items[len(list.items)-1].id)
	}
	for _, check := range steps.Check {
		list.items[find(check.ID)].checked = true
		done(check.ID)
	}
	for _, remove := range steps.Remove {
		i := find(remove.ID)
		list.items = slices.Delete(list.items, i, i+1)
		done(remove.ID)
	}
	for _, move := range steps.Move {
		i := find(move.Item.ID)
		item := list.items[i]
		list.items = slices.Insert(slices.Delete(list.items, i, i+1), move.To, item)
		done(item.id)
	}
	return outcomes
}

// The book that a script keeps from the answers is the state that a server keeps from the requests.
func TestBookIsWhatTheServerHas(t *testing.T) {
	t.Parallel()
	s := &script{book: newBook(0), name: "w", random: rand.New(rand.NewPCG(1, 2))} //nolint:gosec // to repeat
	p := &pretender{t: t, tasks: map[string]*taskRow{}, lists: map[string]*listRow{}}
	fields := map[string]int{}
	for range 5000 {
		op := s.step()
		if strings.Contains(string(op.body), "DAILY") {
			op.body = []byte(strings.Replace(string(op.body), "חלב", "daily", 1))
		}
		if !strings.Contains(string(op.body), op.key) && !strings.Contains(string(op.body), `{"id":"`) {
			t.Fatalf("nothing in the request tells its key %s: %s", op.key, op.body)
		}
		data := p.answer(op.body)
		if err := op.enter(data); err != nil {
			t.Fatal(err)
		}
		fields[strings.Split(string(data), `"`)[1]]++
	}
	if len(fields) < 6 {
		t.Errorf("only these were done: %v", fields)
	}
	for id, entry := range s.book.tasks {
		row := p.tasks[id]
		if (row == nil) != entry.deleted {
			t.Fatalf("%s: the book says deleted %v, there %v", id, entry.deleted, row != nil)
		}
		if row != nil && (row.completions != entry.completions || row.completed != entry.completed) {
			t.Errorf("%s: %+v, the book says %+v", id, row, entry)
		}
	}
	for id, entry := range s.book.lists {
		if !slices.Equal(entry.items, p.lists[id].items) {
			t.Fatalf("%s: the book says %v, there is %v", id, entry.items, p.lists[id].items)
		}
	}
	if len(s.book.tasks) == 0 || len(s.book.lists) < 2 {
		t.Errorf("%d tasks and %d lists are too few to have tested anything", len(s.book.tasks), len(s.book.lists))
	}
}

// An answer that does not fit the request is not entered.
func TestAnswersThatCannotBeRight(t *testing.T) {
	t.Parallel()
	s := &script{book: newBook(0), random: rand.New(rand.NewPCG(1, 2)), open: []string{"task_1"},
		recurring: []string{"task_2"}, list: "list_1"} //nolint:gosec // to repeat
	s.book.lists["list_1"] = &listEntry{}
	for name, op := range map[string]operation{
		"create": s.create("k"), "createMany": s.createMany("k"), "advance": s.advance("k"), "createList": s.createList("k"),
		"changeItems": s.changeItems("k"), "remove": s.remove("k"),
	} {
		for _, data := range []string{`{}`, `null`, `[]`} {
			if err := op.enter(json.RawMessage(data)); err == nil {
				t.Errorf("%s took %s for an answer", name, data)
			}
		}
	}
	if len(s.book.changes) != 0 {
		t.Errorf("the book has %v", s.book.changes)
	}
}
