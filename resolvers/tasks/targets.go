package tasks

import (
	"context"
	"strconv"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/naming"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// reference is how a mutation names the one thing it is about: by an id, by a text, or by the answer to the question
// it asked before.
type reference struct {
	kind model.Kind
	// id is the input's own field, targetID and text those of its target; at most one of the last two is set.
	id, targetID, text *string
	hasTarget          bool
	// textField is the path of the text, and most its length, for messages.
	textField string
	most      int
	confirm   *graph.ConfirmInput
}

func taskReference(id *string, target *graph.TaskTargetInput, confirm *graph.ConfirmInput) reference {
	ref := reference{
		kind: model.KindTask, id: id, hasTarget: target != nil, confirm: confirm,
		textField: "input.target.match.text", most: model.MaxTaskText,
	}
	if target != nil {
		ref.targetID = target.ID
		if target.Match != nil {
			ref.text = &target.Match.Text
		}
	}
	return ref
}

func listReference(id *string, target *graph.ListTargetInput, confirm *graph.ConfirmInput) reference {
	ref := reference{
		kind: model.KindList, id: id, hasTarget: target != nil, confirm: confirm,
		textField: "input.target.match.name", most: model.MaxListName,
	}
	if target != nil {
		ref.targetID = target.ID
		if target.Match != nil {
			ref.text = &target.Match.Name
		}
	}
	return ref
}

// found is the id of the one thing that is meant, with the path at which it was named.
type found struct {
	id    model.UUID
	field string
}

// meaning is what the text of a reference means; nothing for a reference that has none.
type meaning struct {
	of       candidates
	text     string
	decision naming.Decision[model.UUID]
}

// match decides what the text means among the names that there are; it is nil for a reference without one.
func (ref reference) match(v *core.Viewer) func(context.Context, namesReader) (meaning, error) {
	if ref.text == nil || ref.confirm != nil || ref.id != nil || ref.targetID != nil {
		return nil
	}
	return func(ctx context.Context, names namesReader) (out meaning, err error) {
		if out.text, err = core.CleanText(ref.textField, *ref.text, ref.most); err != nil {
			return out, err
		}
		read, kind := taskCandidates, naming.Task
		if ref.kind == model.KindList {
			read, kind = listCandidates, naming.List
		}
		if out.of, err = read(ctx, names, v); err != nil {
			return out, err
		}
		out.decision = out.of.decide(naming.New(out.text, kind), naming.Rules{Spend: v.Matching(ctx)})
		return out, v.MatchingError(ctx, ref.textField)
	}
}

// theOne finds the one thing that is meant, or the question to ask. Whether it exists is for the caller to see, except
// for a text, which is NOT_FOUND when nothing shares a word with it. BAD_USER_INPUT, CONFIRMATION_INVALID.
func (r *Resolver) theOne(ctx context.Context, tx store.Tx, v *core.Viewer, ref reference,
	named meaning) (found, *projections.Confirmation, error) {
	switch {
	case ref.confirm != nil:
		picked, _, err := r.Chosen(ctx, tx, v, ref.kind, *ref.confirm)
		if err != nil {
			return found{}, nil, err
		}
		return found{picked[0], "input.confirm.choose"}, nil, nil
	case (ref.id == nil) == !ref.hasTarget:
		return found{}, nil, model.BadInput("input.target", "give either id or target")
	case ref.id != nil:
		id, err := core.OwnID("input.id", *ref.id, ref.kind)
		return found{id, "input.id"}, nil, err
	case ref.targetID != nil:
		id, err := core.OwnID("input.target.id", *ref.targetID, ref.kind)
		return found{id, "input.target.id"}, nil, err
	}
	switch named.decision.Outcome {
	case naming.Found, naming.Many: // what a person cannot tell apart is interchangeable; the newest stands first
		return found{named.decision.Matches[0].ID, ref.textField}, nil, nil
	case naming.Ask:
		confirmation, err := r.Ask(ctx, v,
			named.of.question(v, []string{named.text}, []naming.Decision[model.UUID]{named.decision}, nil))
		return found{}, confirmation, err
	default:
		return found{}, nil, model.NotFound(ref.textField, "you have no %s called %q", openNames[ref.kind],
			model.Clip(named.text))
	}
}

// openNames say what a text is looked for among.
var openNames = map[model.Kind]string{model.KindTask: "open task", model.KindList: "list"}

// taskTarget finds the one task that is meant, or the question to ask.
func (r *Resolver) taskTarget(ctx context.Context, tx store.Tx, v *core.Viewer, ref reference,
	named meaning, columns store.TaskColumns) (model.Task, *projections.Confirmation, error) {
	one, confirmation, err := r.theOne(ctx, tx, v, ref, named)
	if err != nil || confirmation != nil {
		return model.Task{}, confirmation, err
	}
	tasks, err := tx.TasksByID(ctx, v.User, []model.UUID{one.id}, columns)
	if err != nil {
		return model.Task{}, nil, err
	}
	if len(tasks) == 0 {
		return model.Task{}, nil,
			model.NotFound(one.field, "you have no task %s", model.ID{Kind: model.KindTask, UUID: one.id})
	}
	return tasks[0], nil, nil
}

// listTarget finds the one list that is meant, whole, or the question to ask.
func (r *Resolver) listTarget(ctx context.Context, tx store.Tx, v *core.Viewer, ref reference,
	named meaning) (model.List, *projections.Confirmation, error) {
	one, confirmation, err := r.theOne(ctx, tx, v, ref, named)
	if err != nil || confirmation != nil {
		return model.List{}, confirmation, err
	}
	lists, err := tx.ListsByID(ctx, v.User, []model.UUID{one.id}, wholeList)
	if err != nil {
		return model.List{}, nil, err
	}
	if len(lists) == 0 {
		return model.List{}, nil,
			model.NotFound(one.field, "you have no list %s", model.ID{Kind: model.KindList, UUID: one.id})
	}
	return lists[0], nil, nil
}

// candidates are the things that a text may mean, ready for matching and for showing.
type candidates struct {
	kind model.Kind
	// Of lists, all; of tasks, tasks.
	list  []naming.Candidate[model.UUID]
	tasks taskNames
	label func(index int) string
}

// decide says which of the candidates a text means. Tasks that share no word with it are asked about by their category,
// which names none of them.
func (c candidates) decide(q *naming.Query, rules naming.Rules) naming.Decision[model.UUID] {
	if c.kind != model.KindTask {
		return naming.Decide(q, c.list, rules)
	}
	decision := c.decideBy(q, rules, func(task *model.Task) string { return task.Text })
	if decision.Outcome != naming.None {
		return decision
	}
	decision = c.decideBy(q, naming.Rules{Several: rules.Several, Spend: rules.Spend},
		func(task *model.Task) string { return task.Category })
	if decision.Outcome == naming.Found || decision.Outcome == naming.Many {
		decision.Outcome, decision.Kind = naming.Ask, model.PickOne
		if rules.Several {
			decision.Kind = model.PickMany
		}
		decision.Matches = decision.Matches[:min(len(decision.Matches), naming.MaxCandidates)]
	}
	return decision
}

// decideBy decides among the tasks by one of their texts. Most share no word with what is looked for, and are no more
// than looked at.
func (c candidates) decideBy(q *naming.Query, rules naming.Rules,
	name func(*model.Task) string) naming.Decision[model.UUID] {
	var list []naming.Candidate[model.UUID]
	var places []int
	for place, task := range c.tasks.All() {
		text := name(task)
		if rules.Spend != nil && !rules.Spend(naming.LookCost(text)) {
			break
		}
		if q.MaySay(text) {
			list = append(list, naming.Candidate[model.UUID]{ID: task.ID, Name: text, Same: sameness(*task)})
			places = append(places, place)
		}
	}
	decision := naming.Decide(q, list, rules)
	for i := range decision.Matches {
		decision.Matches[i].Index = places[decision.Matches[i].Index]
	}
	return decision
}

// taskCandidates are the viewer's open tasks, newest first.
func taskCandidates(ctx context.Context, names namesReader, v *core.Viewer) (candidates, error) {
	tasks, err := names.taskNames(ctx, v.User)
	if err != nil {
		return candidates{}, err
	}
	return candidates{kind: model.KindTask, tasks: tasks,
		label: func(i int) string { return taskLabel(*tasks.At(i), v) }}, nil
}

// sameness is equal for tasks that a person could not tell apart.
func sameness(task model.Task) string {
	var kind model.RecurrenceType
	if task.Recurrence != nil {
		kind = task.Recurrence.Type
	}
	due := int64(0)
	if !task.DueAt.IsZero() {
		due = task.DueAt.Unix()
	}
	return fold.Text(task.Text) + "\x00" + string(kind) + "\x00" + fold.Text(task.Category) + "\x00" +
		strconv.FormatInt(due, 36)
}

// taskLabel calls a task by its text and, where it has them, its due date and category.
func taskLabel(task model.Task, v *core.Viewer) string {
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
func listCandidates(ctx context.Context, names namesReader, v *core.Viewer) (candidates, error) {
	lists, err := names.listNames(ctx, v.User)
	if err != nil {
		return candidates{}, err
	}
	list := make([]naming.Candidate[model.UUID], len(lists))
	for i, one := range lists {
		list[i] = naming.Candidate[model.UUID]{ID: one.ID, Name: one.Name, Same: string(one.ID[:])}
	}
	return candidates{kind: model.KindList, list: list, label: func(i int) string { return lists[i].Name }}, nil
}
