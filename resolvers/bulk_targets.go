package resolvers

import (
	"context"
	"slices"
	"strconv"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/match"
)

// taskRefs is how a bulk mutation names the tasks it is about.
type taskRefs struct {
	ids     []string
	texts   []string
	confirm *graph.ConfirmInput
	// alike: a text that means several tasks which are the same to a person means all of them, not the newest.
	alike bool
}

// count is how many tasks are named.
func (w taskRefs) count() int { return len(w.ids) + len(w.texts) }

// foundTasks are the tasks that are meant, each once, with the place in the input that named it first.
type foundTasks struct {
	tasks        []model.Task
	places       []int
	missing      []missing
	confirmation *projections.Confirmation
}

// missing is an id or a text that names nothing, as it was given, with its place in the input.
type missing struct {
	place int
	given string
}

// notFound are the names that name nothing, in input order; never nil.
func (f foundTasks) notFound() []string {
	slices.SortStableFunc(f.missing, func(a, b missing) int { return a.place - b.place })
	out := make([]string, len(f.missing))
	for i, m := range f.missing {
		out[i] = m.given
	}
	return out
}

// taskTargets finds the tasks that are meant. What is not there goes to notFound and to the bulk's errors; as soon as one text is
// not clear, nothing is found and the question is asked for all texts that are not clear.
func (r *Resolver) taskTargets(ctx context.Context, tx store.Tx, v *viewer, who taskRefs, bulk *bulkErrors) (foundTasks, error) {
	var out foundTasks
	if err := atMost("input.ids", who.count()); err != nil {
		return out, err
	}
	columns := payloadColumns(ctx, "tasks")
	wanted := newWanted()
	if err := wanted.byIDs(who.ids, bulk); err != nil {
		return out, err
	}
	var err error
	if who.confirm != nil {
		err = r.confirmedTexts(ctx, tx, v, who, wanted)
	} else {
		out.confirmation, err = r.matchedTexts(ctx, tx, v, who, wanted, bulk, &out)
	}
	if err != nil || out.confirmation != nil {
		return out, err
	}
	found, err := tx.TasksByID(ctx, v.user, wanted.order, columns)
	if err != nil {
		return out, err
	}
	byID := make(map[model.UUID]model.Task, len(found))
	for _, task := range found {
		byID[task.ID] = task
	}
	for _, id := range wanted.order {
		place := wanted.place[id]
		task, there := byID[id]
		if there {
			out.tasks, out.places = append(out.tasks, task), append(out.places, place)
			continue
		}
		given := model.ID{Kind: model.KindTask, UUID: id}.String()
		out.missing = append(out.missing, missing{place, given})
		if err := bulk.add(place, &given, model.NotFound("", "you have no task %s", given)); err != nil {
			return out, err
		}
	}
	return out, nil
}

// wanted gathers ids in input order, each once.
type wanted struct {
	order []model.UUID
	place map[model.UUID]int
}

func newWanted() *wanted { return &wanted{place: make(map[model.UUID]int)} }

func (w *wanted) add(id model.UUID, place int) {
	if _, again := w.place[id]; !again {
		w.place[id] = place
		w.order = append(w.order, id)
	}
}

func (w *wanted) byIDs(ids []string, bulk *bulkErrors) error {
	for i, text := range ids {
		id, err := ownID("input.ids."+strconv.Itoa(i), text, model.KindTask)
		if err != nil {
			given := text
			if err := bulk.add(i, &given, err); err != nil {
				return err
			}
			continue
		}
		w.add(id, i)
	}
	return nil
}

// confirmedTexts takes what was chosen, and what had been clear when the question was asked.
func (r *Resolver) confirmedTexts(ctx context.Context, tx store.Tx, v *viewer, who taskRefs, w *wanted) error {
	picked, settled, err := r.chosen(ctx, tx, v, model.KindTask, *who.confirm)
	if err != nil {
		return err
	}
	for _, id := range append(settled, picked...) {
		w.add(id, len(who.ids))
	}
	return nil
}

// matchedTexts takes what each text means, or gives the question about those that are not clear.
func (r *Resolver) matchedTexts(ctx context.Context, tx store.Tx, v *viewer, who taskRefs, w *wanted, bulk *bulkErrors, out *foundTasks) (*projections.Confirmation, error) {
	if len(who.texts) == 0 {
		return nil, nil
	}
	candidates, err := taskCandidates(ctx, tx, v)
	if err != nil {
		return nil, err
	}
	var settled []model.UUID
	var unclear []string
	var open []match.Decision[model.UUID]
	for i, raw := range who.texts {
		place := len(who.ids) + i
		text, err := cleanText("input.texts."+strconv.Itoa(i), raw, model.MaxTaskText)
		if err != nil {
			if err := bulk.add(place, nil, err); err != nil {
				return nil, err
			}
			continue
		}
		decision := match.Decide(text, candidates.list, match.Tasks(true))
		switch decision.Outcome {
		case match.Found, match.Many:
			hits := decision.Matches
			if !who.alike {
				hits = hits[:1]
			}
			for _, hit := range hits {
				w.add(hit.ID, place)
				settled = append(settled, hit.ID)
			}
		case match.Ask, match.Confirm:
			unclear, open = append(unclear, text), append(open, decision)
		default:
			out.missing = append(out.missing, missing{place, raw})
			if err := bulk.add(place, nil, model.NotFound("", "you have no open task like %q", model.Clip(text))); err != nil {
				return nil, err
			}
		}
	}
	if len(open) == 0 {
		return nil, nil
	}
	return r.ask(ctx, v, candidates.question(v, unclear, open, settled))
}
