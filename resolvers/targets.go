package resolvers

import (
	"context"
	"fmt"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/match"
	"almanac/projections/when"
)

// taskRef is how a mutation names the one task it is about.
type taskRef struct {
	id      *string
	target  *graph.TaskTargetInput
	confirm *graph.ConfirmInput
}

// taskTarget finds the one task that is meant, or the question to ask. NOT_FOUND, BAD_USER_INPUT, CONFIRMATION_INVALID.
func (r *Resolver) taskTarget(ctx context.Context, tx store.Tx, v *viewer, who taskRef, columns store.TaskColumns) (model.Task, *projections.Confirmation, error) {
	if who.confirm != nil {
		picked, _, err := r.chosen(ctx, tx, v, model.KindTask, *who.confirm)
		if err != nil {
			return model.Task{}, nil, err
		}
		task, err := taskByID(ctx, tx, v, "input.confirm.choose", picked[0], columns)
		return task, nil, err
	}
	id, text, err := theTarget(who.id, who.target)
	if err != nil {
		return model.Task{}, nil, err
	}
	if id != nil {
		uuid, err := ownID(id.field, id.text, model.KindTask)
		if err != nil {
			return model.Task{}, nil, err
		}
		task, err := taskByID(ctx, tx, v, id.field, uuid, columns)
		return task, nil, err
	}
	candidates, err := taskCandidates(ctx, tx, v)
	if err != nil {
		return model.Task{}, nil, err
	}
	decision := match.Decide(text, candidates.list, match.Tasks(false))
	switch decision.Outcome {
	case match.Found, match.Many: // alike tasks cannot be told apart; the newest stands first
		task, err := taskByID(ctx, tx, v, "input.target.match.text", decision.Matches[0].ID, columns)
		return task, nil, err
	case match.Ask, match.Confirm:
		q := candidates.question(v, []string{text}, []match.Decision[model.UUID]{decision}, nil)
		confirmation, err := r.ask(ctx, v, q)
		return model.Task{}, confirmation, err
	default:
		return model.Task{}, nil, model.NotFound("input.target.match.text", "you have no open task like %q", model.Clip(text))
	}
}

// namedID is an id as it was given, with the path at which it was.
type namedID struct{ field, text string }

// theTarget reads `id` and `target`, of which exactly one must be given: either an id or a text comes back.
func theTarget(id *string, target *graph.TaskTargetInput) (*namedID, string, error) {
	switch {
	case (id == nil) == (target == nil):
		return nil, "", model.BadInput("input.target", "give either id or target")
	case id != nil:
		return &namedID{"input.id", *id}, "", nil
	case target.ID != nil:
		return &namedID{"input.target.id", *target.ID}, "", nil
	default:
		text, err := cleanText("input.target.match.text", target.Match.Text, model.MaxTaskText)
		return nil, text, err
	}
}

func taskByID(ctx context.Context, tx store.Tx, v *viewer, field string, id model.UUID, columns store.TaskColumns) (model.Task, error) {
	found, err := tx.TasksByID(ctx, v.user, []model.UUID{id}, columns)
	if err != nil {
		return model.Task{}, err
	}
	if len(found) == 0 {
		return model.Task{}, model.NotFound(field, "you have no task %s", model.ID{Kind: model.KindTask, UUID: id})
	}
	return found[0], nil
}

// candidates are the things that a text may mean, ready for matching and for showing.
type candidates struct {
	kind  model.Kind
	list  []match.Candidate[model.UUID]
	label func(index int) string
}

// taskCandidates are the viewer's open tasks, newest first.
func taskCandidates(ctx context.Context, tx store.Tx, v *viewer) (candidates, error) {
	tasks, err := tx.TaskTexts(ctx, v.user)
	if err != nil {
		return candidates{}, err
	}
	list := make([]match.Candidate[model.UUID], len(tasks))
	for i, task := range tasks {
		list[i] = match.Candidate[model.UUID]{ID: task.ID, Fields: []string{task.Text, task.Category}, Same: sameness(task)}
	}
	return candidates{
		kind:  model.KindTask,
		list:  list,
		label: func(i int) string { return taskLabel(tasks[i], v) },
	}, nil
}

// sameness is equal for tasks that a person could not tell apart.
func sameness(task model.Task) string {
	var kind model.RecurrenceType
	if task.Recurrence != nil {
		kind = task.Recurrence.Type
	}
	return fmt.Sprintf("%s\x00%s\x00%s\x00%t", fold.Text(task.Text), kind, fold.Text(task.Category), task.DueAt.IsZero())
}

// taskLabel calls a task by its text and, where it has them, its due date and category.
func taskLabel(task model.Task, v *viewer) string {
	label := task.Text
	if task.Category != "" {
		label += " · " + task.Category
	}
	if !task.DueAt.IsZero() {
		label += " (" + when.Format(task.DueAt, v.Moment.Moment) + ")"
	}
	return label
}

// listCandidates are the viewer's lists, newest first.
func listCandidates(ctx context.Context, tx store.Tx, v *viewer) (candidates, error) {
	lists, err := tx.ListNames(ctx, v.user)
	if err != nil {
		return candidates{}, err
	}
	list := make([]match.Candidate[model.UUID], len(lists))
	for i, one := range lists {
		list[i] = match.Candidate[model.UUID]{ID: one.ID, Fields: []string{one.Name}, Same: string(one.ID[:])}
	}
	return candidates{kind: model.KindList, list: list, label: func(i int) string { return lists[i].Name }}, nil
}

// listTarget finds the one list that is meant, whole, or the question to ask.
func (r *Resolver) listTarget(ctx context.Context, tx store.Tx, v *viewer, id *string, target *graph.ListTargetInput, confirm *graph.ConfirmInput) (model.List, *projections.Confirmation, error) {
	if confirm != nil {
		picked, _, err := r.chosen(ctx, tx, v, model.KindList, *confirm)
		if err != nil {
			return model.List{}, nil, err
		}
		list, err := listByID(ctx, tx, v, "input.confirm.choose", picked[0])
		return list, nil, err
	}
	var given *namedID
	switch {
	case (id == nil) == (target == nil):
		return model.List{}, nil, model.BadInput("input.target", "give either id or target")
	case id != nil:
		given = &namedID{"input.id", *id}
	case target.ID != nil:
		given = &namedID{"input.target.id", *target.ID}
	}
	if given != nil {
		uuid, err := ownID(given.field, given.text, model.KindList)
		if err != nil {
			return model.List{}, nil, err
		}
		list, err := listByID(ctx, tx, v, given.field, uuid)
		return list, nil, err
	}
	name, err := cleanText("input.target.match.name", target.Match.Name, model.MaxListName)
	if err != nil {
		return model.List{}, nil, err
	}
	candidates, err := listCandidates(ctx, tx, v)
	if err != nil {
		return model.List{}, nil, err
	}
	decision := match.Decide(name, candidates.list, match.Lists(false))
	switch decision.Outcome {
	case match.Found, match.Many:
		list, err := listByID(ctx, tx, v, "input.target.match.name", decision.Matches[0].ID)
		return list, nil, err
	case match.Ask, match.Confirm:
		confirmation, err := r.ask(ctx, v, candidates.question(v, []string{name}, []match.Decision[model.UUID]{decision}, nil))
		return model.List{}, confirmation, err
	default:
		return model.List{}, nil, model.NotFound("input.target.match.name", "you have no list like %q", model.Clip(name))
	}
}

func listByID(ctx context.Context, tx store.Tx, v *viewer, field string, id model.UUID) (model.List, error) {
	found, err := tx.ListsByID(ctx, v.user, []model.UUID{id}, wholeList)
	if err != nil {
		return model.List{}, err
	}
	if len(found) == 0 {
		return model.List{}, model.NotFound(field, "you have no list %s", model.ID{Kind: model.KindList, UUID: id})
	}
	return found[0], nil
}
