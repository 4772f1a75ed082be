package mcp

import (
	"context"
	"encoding/json"
	"strings"

	"almanac/graph/model"
)

// maybe is an argument that may be left out, or null to clear something.
type maybe struct {
	set   bool
	value any
}

// UnmarshalJSON is called for null too, and not for what is left out.
func (m *maybe) UnmarshalJSON(data []byte) error {
	m.set = true
	return json.Unmarshal(data, &m.value)
}

// into puts it into an input when it was given.
func (m maybe) into(input map[string]any, name string) {
	if m.set {
		input[name] = m.value
	}
}

// taskArgs are the arguments of change_tasks.
type taskArgs struct {
	dryArgs
	Action   string   `json:"action"`
	IDs      []string `json:"ids"`
	Match    string   `json:"match"`
	Text     string   `json:"text"`
	Category maybe    `json:"category"`
	DueDate  maybe    `json:"dueDate"`
	Reminder maybe    `json:"reminder"`
	Repeat   maybe    `json:"repeat"`
	List     string   `json:"list"`
	Items    []string `json:"items"`
}

// fields are what a task shall have.
func (in taskArgs) fields() map[string]any {
	out := map[string]any{}
	if in.Text != "" {
		out["text"] = in.Text
	}
	in.Category.into(out, "category")
	in.DueDate.into(out, "dueDate")
	if due, ok := in.DueDate.value.(string); ok && dayForm.MatchString(due) {
		// A task is due at an hour; the hour of a reminder with only a date is the server's.
		out["dueDate"] = due + "T08:00"
	}
	in.Reminder.into(out, "reminder")
	in.Repeat.into(out, "recurrence")
	return out
}

// changeTasks is the tool change_tasks.
func (s *Server) changeTasks(ctx context.Context, c *call, in taskArgs) (outcome, error) {
	switch in.Action {
	case "create":
		return s.perform(ctx, c, step{Mutation: "createTask", Input: in.fields()}, "")
	case "update":
		return s.updateTasks(ctx, c, in, in.fields())
	case "complete":
		return s.updateTasks(ctx, c, in, map[string]any{"completed": true})
	case "delete":
		return s.deleteTasks(ctx, c, in)
	default:
		return s.changeList(ctx, c, in)
	}
}

// targets checks that things are named in one of the two ways.
func targets(ids []string, match string) error {
	if (len(ids) > 0) == (match != "") {
		return model.BadInput("ids", "give either ids or match")
	}
	return nil
}

func (s *Server) updateTasks(ctx context.Context, c *call, in taskArgs, set map[string]any) (outcome, error) {
	if err := targets(in.IDs, in.Match); err != nil {
		return outcome{}, err
	}
	if len(set) == 0 {
		return outcome{}, model.BadInput("action", "say what to change")
	}
	if len(in.IDs) > 1 {
		return s.approveTasks(ctx, c, in, step{Mutation: "updateTasks", Input: map[string]any{"ids": in.IDs, "set": set}})
	}
	input := map[string]any{"set": set}
	one := step{Mutation: "updateTask", Input: input}
	if in.Action == "complete" {
		delete(input, "set")
		one.Mutation = "completeTask"
	}
	if in.Match != "" {
		input["target"] = map[string]any{"match": map[string]any{"text": in.Match}}
	} else {
		input["id"] = in.IDs[0]
	}
	return s.perform(ctx, c, one, "")
}

// approveTasks asks about a change of several tasks.
func (s *Server) approveTasks(ctx context.Context, c *call, in taskArgs, one step) (outcome, error) {
	found, locale, failed, err := s.things(ctx, c, in.IDs)
	if err != nil || failed != nil {
		return failedOr(failed), err
	}
	what := sayChange
	switch in.Action {
	case "complete":
		what = sayComplete
	case "delete":
		what = sayDelete
	}
	return s.approve(ctx, c, question{
		confirmation: confirmation{Question: say(locale, what, len(found))}, about: labelsOf(found),
		plan: pending{Steps: []step{one}},
	})
}

func failedOr(failed *outcome) outcome {
	if failed == nil {
		return outcome{}
	}
	return *failed
}

// deleteTasks asks always: about these ids, or which of those that have the text.
func (s *Server) deleteTasks(ctx context.Context, c *call, in taskArgs) (outcome, error) {
	if err := targets(in.IDs, in.Match); err != nil {
		return outcome{}, err
	}
	if in.Match == "" {
		if !ofKind(in.IDs, model.KindTask) {
			return outcome{}, model.BadInput("ids", "these are not all ids of tasks")
		}
		return s.approveTasks(ctx, c, in, step{Mutation: "deleteTasks", Input: map[string]any{"ids": in.IDs}})
	}
	found, locale, failed, err := s.candidatesOf(ctx, c, "tasks", in.Match, "", "")
	if err != nil || failed != nil {
		return failedOr(failed), err
	}
	return s.approve(ctx, c, which(locale, found, true, step{Mutation: "deleteTasks", Input: map[string]any{}}, slotIDs))
}

// which asks which things shall be deleted; of one, whether.
func which(locale string, found []thing, many bool, one step, answer slot) question {
	q := question{
		confirmation: confirmation{Kind: model.PickMany, Question: say(locale, sayDeleteWhich),
			Candidates: candidatesFrom(found), AllowMultiple: true},
		plan: pending{Steps: []step{one}, Slot: answer},
	}
	if !many {
		q.Kind, q.Question, q.AllowMultiple = model.PickOne, say(locale, sayDeleteOne), false
	}
	if len(found) == 1 {
		q.Kind, q.Question = model.Approval, say(locale, sayDelete, 1)
	}
	return q
}

// changeList does what concerns a list.
func (s *Server) changeList(ctx context.Context, c *call, in taskArgs) (outcome, error) {
	if strings.TrimSpace(in.List) == "" {
		return outcome{}, model.BadInput("list", "name the list, or give its id")
	}
	if in.Action == "create_list" {
		return s.perform(ctx, c, step{Mutation: "createList",
			Input: given(map[string]any{"name": in.List, "items": listOrNil(in.Items)})}, "")
	}
	if in.Action == "delete_list" {
		return s.deleteList(ctx, c, in)
	}
	if len(in.Items) == 0 {
		return outcome{}, model.BadInput("items", "say which items")
	}
	input := listTarget(in.List)
	refs := make([]map[string]any, len(in.Items))
	for i, item := range in.Items {
		refs[i] = map[string]any{"text": item}
		if in.Action != "add_items" && strings.HasPrefix(item, string(model.KindListItem)+"_") {
			refs[i] = map[string]any{"id": item}
		}
	}
	action, _, _ := strings.Cut(in.Action, "_")
	input[action] = refs
	one := step{Mutation: "updateListItems", Input: input}
	if in.Action != "remove_items" {
		return s.perform(ctx, c, one, "")
	}
	_, locale, failed, err := s.listFor(ctx, c, in.List)
	if err != nil || failed != nil {
		return failedOr(failed), err
	}
	return s.approve(ctx, c, question{
		confirmation: confirmation{Question: say(locale, sayRemoveItems, model.Clip(in.List))}, about: in.Items,
		plan: pending{Steps: []step{one}},
	})
}

func isListID(name string) bool {
	_, err := model.ParseID(name)
	return err == nil && strings.HasPrefix(name, string(model.KindList)+"_")
}

func listTarget(list string) map[string]any {
	if isListID(list) {
		return map[string]any{"id": list}
	}
	return map[string]any{"target": map[string]any{"match": map[string]any{"name": list}}}
}

// listFor finds the lists that a name or an id may mean.
func (s *Server) listFor(ctx context.Context, c *call,
	list string) (found []thing, locale string, failed *outcome, err error) {
	if isListID(list) {
		return s.things(ctx, c, []string{list})
	}
	return s.candidatesOf(ctx, c, "lists", list, "", "")
}

func (s *Server) deleteList(ctx context.Context, c *call, in taskArgs) (outcome, error) {
	found, locale, failed, err := s.listFor(ctx, c, in.List)
	if err != nil || failed != nil {
		return failedOr(failed), err
	}
	return s.approve(ctx, c, which(locale, found, false, step{Mutation: "deleteList", Input: map[string]any{}}, slotID))
}
