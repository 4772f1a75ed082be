package resolvers_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// rowsOf is all that a user has in the own store, without what tells only when and how often something was written.
type rowsOf struct {
	Tasks    []model.Task
	Lists    []model.List
	Memories []model.Memory
	Entities []model.Entity
	Links    map[model.UUID]store.EntityLinks
	Facts    []model.Fact
	Episodes []model.Episode
	Settings model.Settings
}

// dump reads all rows of alice.
func (h *harness) rows(t *testing.T) (all rowsOf) {
	t.Helper()
	user := model.UserIDOf("alice")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	tasks, err := h.store.Tasks(t.Context(), user, store.TaskQuery{
		Order:   model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Ascending},
		Columns: store.TaskRow | store.TaskSubtasks | store.TaskCompletions,
		Page:    &store.Window[store.TaskPlace]{Limit: 1000},
	})
	must(err)
	all.Tasks = tasks.Tasks
	for i := range all.Tasks {
		all.Tasks[i].UpdatedAt = time.Time{}
	}
	lists, err := h.store.Lists(t.Context(), user, store.ListQuery{
		Order:   model.ListOrder{Field: model.ListOrderCreatedAt, Direction: model.Ascending},
		Columns: store.ListRow | store.ListItems, Page: &store.Window[store.ListPlace]{Limit: 1000},
	})
	must(err)
	all.Lists = lists.Lists
	for i := range all.Lists {
		all.Lists[i].UpdatedAt = time.Time{}
	}
	h.dumpKnown(t, user, &all)
	person, err := h.store.User(t.Context(), user)
	must(err)
	all.Settings = person.Settings
	return all
}

// dumpKnown reads the memories and the knowledge graph.
func (h *harness) dumpKnown(t *testing.T, user model.UserID, all *rowsOf) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	memories, err := h.store.Memories(t.Context(), user, store.MemoryQuery{Now: h.clock.Now(),
		Order:   model.MemoryOrder{Field: model.MemoryOrderCreatedAt, Direction: model.Ascending},
		Columns: store.MemoryRow, Page: &store.Window[store.MemoryPlace]{Limit: 1000}})
	must(err)
	all.Memories = memories.Memories
	for i := range all.Memories {
		all.Memories[i].UpdatedAt, all.Memories[i].Version = time.Time{}, 0
	}
	entities, err := h.store.ListEntities(t.Context(), user, store.EntityQuery{Columns: store.EntityRow,
		Page: &store.Window[store.EntityPlace]{Limit: 1000}})
	must(err)
	all.Entities = entities.Entities
	var ids []model.UUID
	for i := range all.Entities {
		all.Entities[i].UpdatedAt, all.Entities[i].Version = time.Time{}, 0
		ids = append(ids, all.Entities[i].ID.UUID)
	}
	all.Links, err = h.store.EntityLinks(t.Context(), user, ids)
	must(err)
	facts, err := h.store.ListFacts(t.Context(), user, store.FactQuery{
		Want: store.FactWant{Fact: store.FactRow | store.FactEpisodes}, Page: &store.Window[store.TimePlace]{Limit: 1000}})
	must(err)
	all.Facts = facts.Facts
	for i := range all.Facts {
		all.Facts[i].Version = 0
	}
	episodes, err := h.store.ListEpisodes(t.Context(), user, store.EpisodeQuery{Columns: store.EpisodeRow,
		Page: &store.Window[store.TimePlace]{Limit: 1000}})
	must(err)
	all.Episodes = episodes.Episodes
}

// doings does random mutations on what a user has.
type doings struct {
	*rand.Rand
	harness *harness
	t       *testing.T
	words   int
}

// word is a text that nothing else has.
func (s *doings) word() string {
	s.words++
	return fmt.Sprintf("%s %d", []string{"milk", "לחם", "Call mom", "x\"y"}[s.IntN(4)], s.words)
}

// id is the id of one of some things; one of nobody's when there is none.
func (s *doings) id(kind model.Kind, ids ...model.UUID) string {
	if len(ids) == 0 {
		return model.ID{Kind: kind, UUID: model.UUID{1}}.String()
	}
	return model.ID{Kind: kind, UUID: ids[s.IntN(len(ids))]}.String()
}

func (s *doings) due() any {
	if s.IntN(3) == 0 {
		return nil
	}
	return s.harness.clock.Now().Add(time.Duration(s.IntN(200)-50) * time.Hour).Format(time.RFC3339)
}

func (s *doings) newTask() map[string]any {
	task := map[string]any{"text": s.word(), "allowDuplicate": true}
	switch s.IntN(3) {
	case 0:
		task["dueDate"] = s.due()
	case 1:
		task["recurrence"] = []map[string]any{{"type": "DAILY"}, {"type": "WEEKLY"}, {"type": "NUDGE", "interval": "PT30M"},
			{"type": "MONTHLY", "dayOfMonth": 31}}[s.IntN(4)]
	default:
		task["subtasks"], task["category"] = []string{s.word(), s.word()}, "home"
	}
	return task
}

// mutation is one random mutation: its name and its input.
func (s *doings) mutation(all rowsOf) (name string, input map[string]any) {
	var tasks, steps, lists []model.UUID
	for _, task := range all.Tasks {
		tasks = append(tasks, task.ID)
		for _, step := range task.Subtasks {
			steps = append(steps, step.ID)
		}
	}
	for _, list := range all.Lists {
		lists = append(lists, list.ID)
	}
	task := s.id(model.KindTask, tasks...)
	if s.IntN(2) == 0 {
		return s.known(all)
	}
	switch s.IntN(16) {
	case 0, 1:
		return "createTask", s.newTask()
	case 2:
		return "createTasks", map[string]any{"tasks": []any{s.newTask(), s.newTask(), s.newTask()}}
	case 3:
		return "updateTask", map[string]any{"id": task, "set": map[string]any{"text": s.word(), "dueDate": s.due()}}
	case 4:
		return "updateTask", map[string]any{"id": task, "set": map[string]any{"completed": s.IntN(2) == 0}}
	case 5:
		return "updateTasks", map[string]any{"ids": []string{task, s.id(model.KindTask, tasks...)},
			"set": map[string]any{"category": s.word()}}
	case 6, 7:
		return "completeTask", map[string]any{"id": task}
	case 8:
		return "deleteTask", map[string]any{"id": task}
	case 9:
		return "deleteTasks", map[string]any{"ids": []string{task, s.id(model.KindTask, tasks...)}}
	case 10:
		return "addSubtask", map[string]any{"taskId": task, "text": s.word()}
	case 11:
		step := s.id(model.KindSubtask, steps...)
		if s.IntN(2) == 0 {
			return "deleteSubtask", map[string]any{"id": step}
		}
		return "updateSubtask", map[string]any{"id": step, "completed": s.IntN(2) == 0, "text": s.word()}
	case 12:
		return "createList", map[string]any{"name": s.word(), "items": []string{s.word(), s.word(), s.word()}}
	case 13:
		return "updateList", map[string]any{"id": s.id(model.KindList, lists...), "set": map[string]any{"name": s.word()}}
	case 14:
		return "deleteList", map[string]any{"id": s.id(model.KindList, lists...)}
	default:
		return s.listItems(all)
	}
}

// known is one random mutation of memories, the knowledge graph or the settings.
func (s *doings) known(all rowsOf) (name string, input map[string]any) {
	var memories, entities, facts []model.UUID
	for _, memory := range all.Memories {
		memories = append(memories, memory.ID)
	}
	for _, entity := range all.Entities {
		entities = append(entities, entity.ID.UUID)
	}
	for _, fact := range all.Facts {
		facts = append(facts, fact.ID.UUID)
	}
	memory, entity := s.id(model.KindMemory, memories...), s.id(model.KindEntity, entities...)
	end := func() map[string]any {
		if len(entities) > 0 && s.IntN(2) == 0 {
			return map[string]any{"id": s.id(model.KindEntity, entities...)}
		}
		return map[string]any{"name": []string{"Noa", "Dan", "Acme", "Ruth", "גל"}[s.IntN(5)], "type": "PERSON"}
	}
	fact := func() map[string]any {
		return map[string]any{"source": end(), "relation": []string{"works at", "knows"}[s.IntN(2)], "target": end(),
			"exclusive": s.IntN(3) == 0}
	}
	switch s.IntN(12) {
	case 0:
		return "storeMemory", map[string]any{"content": s.word(), "onConflict": "KEEP_BOTH", "tags": []string{"a"}}
	case 1:
		return "storeMemories", map[string]any{"memories": []any{map[string]any{"content": s.word()},
			map[string]any{"content": s.word(), "metadata": map[string]any{"n": 1}}}}
	case 2:
		return "updateMemory", map[string]any{"id": memory, "set": map[string]any{"content": s.word(), "summary": s.word()}}
	case 3:
		return "restoreMemory", map[string]any{"id": memory, "version": strconv.Itoa(1 + s.IntN(3))}
	case 4, 5:
		return "addFacts", map[string]any{"facts": []any{fact(), fact()}}
	case 6:
		return "addEpisode", map[string]any{"content": s.word()}
	case 7:
		return "invalidateFacts", map[string]any{"ids": []string{s.id(model.KindFact, facts...)}}
	case 8:
		return "updateEntity", map[string]any{"id": entity,
			"set": map[string]any{"name": s.word(), "aliases": []string{s.word()}}}
	case 9, 10:
		other := s.id(model.KindEntity, entities...)
		if other == entity {
			return "updateEntity", map[string]any{"id": entity, "set": map[string]any{"summary": s.word()}}
		}
		return "mergeEntities", map[string]any{"into": entity, "entities": []string{other}}
	default:
		return "updateSettings", map[string]any{"locale": []string{"en", "he"}[s.IntN(2)],
			"timeZone": []string{"UTC", "Asia/Jerusalem"}[s.IntN(2)]}
	}
}

func (s *doings) listItems(all rowsOf) (string, map[string]any) {
	if len(all.Lists) == 0 {
		return "createList", map[string]any{"name": s.word()}
	}
	list := all.Lists[s.IntN(len(all.Lists))]
	in := map[string]any{"id": model.ID{Kind: model.KindList, UUID: list.ID}.String()}
	item := func() map[string]any {
		if len(list.Items) == 0 {
			return map[string]any{"text": "none"}
		}
		return map[string]any{"id": model.ID{Kind: model.KindListItem, UUID: list.Items[s.IntN(len(list.Items))].ID}.String()}
	}
	for _, step := range []string{"add", "check", "remove", "move"} {
		if s.IntN(2) == 0 {
			continue
		}
		switch step {
		case "add":
			in[step] = []any{map[string]any{"text": s.word(), "position": s.IntN(3)}}
		case "move":
			in[step] = []any{map[string]any{"item": item(), "to": s.IntN(3)}}
		default:
			in[step] = []any{item()}
		}
	}
	return "updateListItems", in
}

// do runs a mutation and returns the id of its action; empty when nothing was done.
func (s *doings) do(name string, input map[string]any) string {
	s.t.Helper()
	kind := strings.ToUpper(name[:1]) + name[1:]
	body, err := json.Marshal(map[string]any{
		"query":     fmt.Sprintf(`mutation($input: %sInput!) { m: %s(input: $input) { action { id summary } } }`, kind, name),
		"variables": map[string]any{"input": input},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	answer := s.harness.post(s.t, "alice", nil, nil, body)
	var read struct {
		Data struct {
			M *struct {
				Action *struct{ ID, Summary string }
			}
		}
		Errors []any
	}
	if err := json.Unmarshal(answer, &read); err != nil || len(read.Errors) > 0 || read.Data.M == nil {
		s.t.Fatalf("%s %v: %s", name, input, answer)
	}
	if read.Data.M.Action == nil {
		return ""
	}
	if read.Data.M.Action.Summary == "" {
		s.t.Errorf("%s %v says nothing", name, input)
	}
	return read.Data.M.Action.ID
}

// TestUndoingRandomStories: what is done and undone is as before, and what is done again is as after, whatever the
// mutation and whatever there was; and a whole story can be undone from its end to its beginning.
func TestUndoingRandomStories(t *testing.T) {
	t.Parallel()
	const steps = 200
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			s := &doings{Rand: rand.New(rand.NewPCG(*seed, 15)), harness: h, t: t}
			h.asks(t, "{ viewer { id } }", nil) // makes the user's row
			undo := func(action string) string { return s.do("undoAction", map[string]any{"id": action}) }
			same := func(what, name string, got, want rowsOf) {
				t.Helper()
				is, was := reflect.ValueOf(tidied(got)), reflect.ValueOf(tidied(want))
				for i := range is.NumField() {
					if is, was := is.Field(i).Interface(), was.Field(i).Interface(); !reflect.DeepEqual(is, was) {
						t.Fatalf("%s of %s: %s\n got %+v\nwant %+v", what, name, reflect.TypeFor[rowsOf]().Field(i).Name, is, was)
					}
				}
			}
			begin := h.rows(t)
			var done []string
			kinds := map[string]int{}
			for range steps {
				h.clock.Advance(time.Duration(s.IntN(600)) * time.Second)
				before := h.rows(t)
				name, input := s.mutation(before)
				action := s.do(name, input)
				after := h.rows(t)
				if action == "" {
					same("nothing is said", name, after, before)
					continue
				}
				kinds[name]++
				undone := undo(action)
				same("undoing", name, h.rows(t), before)
				redone := undo(undone)
				same("doing again", name, h.rows(t), after)
				again := undo(redone)
				same("undoing again", name, h.rows(t), before)
				undo(again)
				same("doing once more", name, h.rows(t), after)
				done = append(done, action)
			}
			for _, action := range slices.Backward(done) {
				if undo(action) == "" {
					t.Fatalf("%s is not undone", action)
				}
			}
			same("undoing all", "the story", h.rows(t), begin)
			for _, name := range []string{"createTask", "createTasks", "updateTask", "updateTasks", "completeTask", "deleteTask",
				"deleteTasks", "addSubtask", "updateSubtask", "deleteSubtask", "createList", "updateList", "deleteList",
				"updateListItems", "storeMemory", "storeMemories", "updateMemory", "restoreMemory", "addFacts", "addEpisode",
				"invalidateFacts", "updateEntity", "mergeEntities", "updateSettings"} {
				if kinds[name] == 0 && *seed == 1 {
					t.Errorf("the story has no %s", name)
				}
			}
		})
	}
}

// tidied has nil in place of lists without elements.
func tidied(all rowsOf) rowsOf {
	for i := range all.Tasks {
		task := &all.Tasks[i]
		if len(task.Subtasks) == 0 {
			task.Subtasks = nil
		}
		if len(task.Completions) == 0 {
			task.Completions = nil
		}
	}
	for i := range all.Lists {
		if len(all.Lists[i].Items) == 0 {
			all.Lists[i].Items = nil
		}
	}
	if len(all.Links) == 0 {
		all.Links = nil
	}
	if len(all.Memories) == 0 {
		all.Memories = nil
	}
	if len(all.Entities) == 0 {
		all.Entities = nil
	}
	if len(all.Facts) == 0 {
		all.Facts = nil
	}
	if len(all.Episodes) == 0 {
		all.Episodes = nil
	}
	if len(all.Tasks) == 0 {
		all.Tasks = nil
	}
	if len(all.Lists) == 0 {
		all.Lists = nil
	}
	return all
}
