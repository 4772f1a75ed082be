//go:build bench

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
)

// operation is one mutation of a writer: its request, and what its acknowledgement means for the book.
type operation struct {
	key  string
	body []byte
	// enter reads the data of the answer and enters it into the book. An error says that the answer is not the one that
	// was to come.
	enter func(data json.RawMessage) error
}

// script chooses what a writer does next, and knows what it has.
type script struct {
	book *book
	name string
	next int
	// open are its plain tasks that are not completed, recurring those that come again.
	open, recurring []string
	list            string
	random          *rand.Rand
}

const (
	maxOpen  = 50
	maxItems = 150
	bulkSize = 5
)

// step returns the next operation. Every text holds the operation's key, so whatever was done twice is there twice.
func (s *script) step() operation {
	s.next++
	key := fmt.Sprintf("%s-%d", s.name, s.next)
	switch dice := s.random.IntN(100); {
	case len(s.recurring) < 2:
		return s.createRecurring(key)
	case s.list == "" || len(s.book.lists[s.list].items) >= maxItems:
		return s.createList(key)
	case len(s.open) > maxOpen:
		return s.remove(key)
	case dice < 40:
		return s.create(key)
	case dice < 48:
		return s.createMany(key)
	case dice < 58 && len(s.open) > 0:
		return s.complete(key)
	case dice < 66 && len(s.open) > 0:
		return s.remove(key)
	case dice < 74:
		return s.advance(key)
	default:
		return s.changeItems(key)
	}
}

func (s *script) operation(key, query string, variables any, enter func(data json.RawMessage) error) operation {
	body, err := json.Marshal(struct {
		Query     string `json:"query"`
		Variables any    `json:"variables"`
	}{query, variables})
	if err != nil {
		panic(err) // plain strings and structs
	}
	return operation{key: key, body: body, enter: enter}
}

// textFor mixes alphabets, since a text is more than its bytes.
func textFor(key string) string { return key + " לקנות חלב" }

type thing struct{ ID string }

// input is the variable of every operation here.
type input struct {
	Input any `json:"input"`
}

type newTask struct {
	Text           string      `json:"text"`
	AllowDuplicate bool        `json:"allowDuplicate"`
	Recurrence     *recurrence `json:"recurrence,omitempty"`
}

type recurrence struct {
	Type string `json:"type"`
	Time string `json:"time"`
}

type byID struct {
	ID string `json:"id"`
}

var errNothing = errors.New("the answer holds nothing")

func (s *script) create(key string) operation {
	return s.createOne(key, nil, func(id string) { s.open = append(s.open, id) })
}

// createRecurring makes a daily task; at which time of the day does not matter, since no reminder comes due during a
// run.
func (s *script) createRecurring(key string) operation {
	return s.createOne(key, &recurrence{Type: "DAILY", Time: "03:00"},
		func(id string) { s.recurring = append(s.recurring, id) })
}

func (s *script) createOne(key string, again *recurrence, keep func(id string)) operation {
	// Duplicates are allowed, or the rule against equal texts would hide a write that was done twice.
	task := newTask{Text: textFor(key), AllowDuplicate: true, Recurrence: again}
	return s.operation(key,
		`mutation ($input: CreateTaskInput!) { createTask(input: $input) { task { id } userErrors { code message } } }`,
		input{task},
		func(data json.RawMessage) error {
			var got struct{ CreateTask struct{ Task *thing } }
			if err := json.Unmarshal(data, &got); err != nil {
				return err
			}
			if got.CreateTask.Task == nil {
				return errNothing
			}
			s.book.created(got.CreateTask.Task.ID, task.Text)
			keep(got.CreateTask.Task.ID)
			return nil
		})
}

func (s *script) createMany(key string) operation {
	var tasks []newTask
	for i := range bulkSize {
		tasks = append(tasks, newTask{Text: textFor(fmt.Sprintf("%s/%d", key, i)), AllowDuplicate: true})
	}
	request := struct {
		Tasks  []newTask `json:"tasks"`
		Atomic bool      `json:"atomic"`
	}{tasks, s.random.IntN(2) == 0}
	return s.operation(key,
		`mutation ($input: CreateTasksInput!) { createTasks(input: $input) { created tasks { id }
			errors { index code message } userErrors { code message } } }`,
		input{request}, func(data json.RawMessage) error {
			var got struct{ CreateTasks struct{ Tasks []thing } }
			if err := json.Unmarshal(data, &got); err != nil {
				return err
			}
			if len(got.CreateTasks.Tasks) != bulkSize {
				return fmt.Errorf("%d tasks of %d", len(got.CreateTasks.Tasks), bulkSize)
			}
			for i, task := range got.CreateTasks.Tasks {
				s.book.created(task.ID, tasks[i].Text)
				s.open = append(s.open, task.ID)
			}
			return nil
		})
}

// takeOpen takes an open task away from those that are left to be completed or deleted.
func (s *script) takeOpen() string {
	i := s.random.IntN(len(s.open))
	id := s.open[i]
	s.open[i] = s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	return id
}

func (s *script) complete(key string) operation { return s.completeOne(key, s.takeOpen(), true) }

func (s *script) advance(key string) operation {
	return s.completeOne(key, s.recurring[s.random.IntN(len(s.recurring))], false)
}

func (s *script) completeOne(key, id string, forGood bool) operation {
	return s.operation(key,
		`mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { task { id completed }
			userErrors { code message } } }`, input{byID{id}},
		func(data json.RawMessage) error {
			var got struct {
				CompleteTask struct {
					Task *struct{ Completed bool }
				}
			}
			if err := json.Unmarshal(data, &got); err != nil {
				return err
			}
			if got.CompleteTask.Task == nil || got.CompleteTask.Task.Completed != forGood {
				return errNothing
			}
			s.book.completedOnce(id, forGood)
			return nil
		})
}

func (s *script) remove(key string) operation {
	id := s.takeOpen()
	return s.operation(key,
		`mutation ($input: DeleteTaskInput!) { deleteTask(input: $input) { deleted userErrors { code message } } }`,
		input{byID{id}},
		func(data json.RawMessage) error {
			var got struct{ DeleteTask struct{ Deleted int } }
			if err := json.Unmarshal(data, &got); err != nil {
				return err
			}
			if got.DeleteTask.Deleted != 1 {
				return errNothing
			}
			s.book.deleted(id)
			return nil
		})
}

func (s *script) createList(key string) operation {
	name := textFor(key)
	return s.operation(key,
		`mutation ($input: CreateListInput!) { createList(input: $input) { list { id } userErrors { code message } } }`,
		input{struct {
			Name string `json:"name"`
		}{name}}, func(data json.RawMessage) error {
			var got struct{ CreateList struct{ List *thing } }
			if err := json.Unmarshal(data, &got); err != nil {
				return err
			}
			if got.CreateList.List == nil {
				return errNothing
			}
			s.list = got.CreateList.List.ID
			s.book.listed(s.list, name)
			return nil
		})
}
