package tasks

import (
	"context"
	"slices"
	"strconv"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/naming"
	"almanac/resolvers/core"
)

// maxUnasked is how many tasks one text may name that are deleted without a question.
const maxUnasked = 20

// taskRefs is how a bulk mutation names the tasks it is about.
type taskRefs struct {
	ids     []string
	texts   []string
	confirm *graph.ConfirmInput
	// alike: a text that means several tasks which are the same to a person means all of them, not the newest.
	alike bool
	// expect is how many tasks the caller expects the texts to name; nil for any number.
	expect *int32
	// also are columns to read beside those of the payload.
	also store.TaskColumns
}

// count is how many tasks are named.
func (who taskRefs) count() int { return len(who.ids) + len(who.texts) }

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

// taskTargets finds the tasks that are meant. What is not there goes to notFound and to the bulk's errors; one question
// is asked about all texts that are not clear. An atomic bulk waits for its answer, and finds nothing before; any other
// goes on with what is clear, and the answer is about the rest alone.
func (r *Resolver) taskTargets(ctx context.Context, tx store.Tx, v *core.Viewer, who taskRefs, named meanings,
	bulk *core.BulkErrors) (foundTasks, error) {
	var out foundTasks
	if err := core.AtMost("input.ids", who.count()); err != nil {
		return out, err
	}
	columns := payloadColumns(ctx, "tasks") | who.also
	wanted := newWanted()
	if who.confirm == nil || bulk.Atomic {
		if err := wanted.byIDs(who.ids, bulk); err != nil {
			return out, err
		}
	}
	var err error
	if who.confirm != nil {
		err = r.confirmedTexts(ctx, tx, v, who, named, wanted, bulk, &out)
	} else {
		out.confirmation, err = r.matchedTexts(ctx, v, who, named, wanted, bulk, &out)
	}
	if err != nil || out.confirmation != nil && bulk.Atomic {
		return out, err
	}
	found, err := tx.TasksByID(ctx, v.User, wanted.order, columns)
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
		if err := bulk.Add(place, &given, model.NotFound("", "you have no task %s", given)); err != nil {
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

func (w *wanted) byIDs(ids []string, bulk *core.BulkErrors) error {
	for i, text := range ids {
		id, err := core.OwnID("input.ids."+strconv.Itoa(i), text, model.KindTask)
		if err != nil {
			given := text
			if err := bulk.Add(i, &given, err); err != nil {
				return err
			}
			continue
		}
		w.add(id, i)
	}
	return nil
}

// confirmedTexts takes what was chosen and, of an atomic bulk, what had been clear when the question was asked. The
// texts are matched once more to find which of them named what, and which named nothing; the ticket alone says what is
// taken.
func (r *Resolver) confirmedTexts(ctx context.Context, tx store.Tx, v *core.Viewer, who taskRefs, named meanings,
	w *wanted, bulk *core.BulkErrors, out *foundTasks) error {
	picked, settled, err := r.Chosen(ctx, tx, v, model.KindTask, *who.confirm)
	if err != nil {
		return err
	}
	taken := make(map[model.UUID]bool)
	for _, id := range slices.Concat(settled, picked) {
		taken[id] = true
	}
	decided, err := named.inPlaces(who, bulk)
	if err != nil {
		return err
	}
	for _, d := range decided {
		if len(d.decision.Matches) == 0 && bulk.Atomic {
			if err := out.nothingLike(d, bulk); err != nil {
				return err
			}
		}
		for _, hit := range d.decision.Matches {
			if taken[hit.ID] {
				w.add(hit.ID, d.place)
			}
		}
	}
	for _, id := range slices.Concat(settled, picked) { // what no text finds any more
		w.add(id, len(who.ids))
	}
	return nil
}

// decidedText is one text of a bulk with its place in the input and what it may mean.
type decidedText struct {
	raw, text string
	place     int
	decision  naming.Decision[model.UUID]
}

// meanings is what the texts of a bulk mean, matched against the same candidates.
type meanings struct {
	of candidates
	// texts are in the order of the input.
	texts []textMeaning
}

// textMeaning is what one text means; err is that of one which cannot be matched at all.
type textMeaning struct {
	clean    string
	err      error
	decision naming.Decision[model.UUID]
}

// match decides what the texts mean among the tasks that there are; it is nil when there are none, or too many.
func (who taskRefs) match(v *core.Viewer) func(context.Context, namesReader) (meanings, error) {
	if len(who.texts) == 0 || core.AtMost("input.ids", who.count()) != nil {
		return nil
	}
	return func(ctx context.Context, names namesReader) (out meanings, err error) {
		if out.of, err = taskCandidates(ctx, names, v); err != nil {
			return out, err
		}
		out.texts = make([]textMeaning, len(who.texts))
		for i, raw := range who.texts {
			one := &out.texts[i]
			if one.clean, one.err = core.CleanText("input.texts."+strconv.Itoa(i), raw, model.MaxTaskText); one.err == nil {
				one.decision = out.of.decide(naming.New(one.clean, naming.Task),
					naming.Rules{Several: true, Spend: v.Matching(ctx)})
			}
			if err := v.MatchingError(ctx, "input.texts"); err != nil {
				return out, err
			}
		}
		return out, nil
	}
}

// inPlaces returns the texts with their places. Those that cannot be matched at all go to the bulk's errors.
func (m meanings) inPlaces(who taskRefs, bulk *core.BulkErrors) (out []decidedText, err error) {
	for i, one := range m.texts {
		place := len(who.ids) + i
		if one.err != nil {
			if err := bulk.Add(place, nil, one.err); err != nil {
				return out, err
			}
			continue
		}
		out = append(out, decidedText{who.texts[i], one.clean, place, one.decision})
	}
	return out, nil
}

// nothingLike notes a text that names nothing.
func (f *foundTasks) nothingLike(d decidedText, bulk *core.BulkErrors) error {
	f.missing = append(f.missing, missing{d.place, d.raw})
	return bulk.Add(d.place, nil, model.NotFound("", "you have no open task called %q", model.Clip(d.text)))
}

// matchedTexts takes what each text means, and asks about those that are not clear. An atomic bulk that lacks something
// already has its answer, so nothing is asked.
func (r *Resolver) matchedTexts(ctx context.Context, v *core.Viewer, who taskRefs, named meanings, w *wanted,
	bulk *core.BulkErrors, out *foundTasks) (*projections.Confirmation, error) {
	decided, err := named.inPlaces(who, bulk)
	if err != nil {
		return nil, err
	}
	var settled []model.UUID
	var open []decidedText
	for _, d := range decided {
		switch d.decision.Outcome {
		case naming.Found, naming.Many:
			hits := d.decision.Matches
			if !who.alike {
				hits = hits[:1]
			}
			if who.expect == nil && len(hits) > maxUnasked {
				open = append(open, d)
				continue
			}
			for _, hit := range hits {
				w.add(hit.ID, d.place)
				settled = append(settled, hit.ID)
			}
		case naming.Ask:
			open = append(open, d)
		default:
			if err := out.nothingLike(d, bulk); err != nil {
				return nil, err
			}
		}
	}
	if n := len(settled); who.expect != nil && int(*who.expect) != n {
		e := model.Errorf(model.CodeConflict, "the texts name %d tasks, not %d; nothing was done", n, *who.expect)
		e.Field = model.FieldPath("input.expect")
		return nil, e
	}
	if !bulk.Atomic {
		open, settled = withoutTaken(open, w), nil
	}
	if len(open) == 0 || bulk.Undone() {
		return nil, nil
	}
	var unclear []string
	var decisions []naming.Decision[model.UUID]
	for _, d := range open {
		unclear, decisions = append(unclear, d.text), append(decisions, d.decision)
	}
	return r.Ask(ctx, v, named.of.question(v, unclear, decisions, settled))
}

// withoutTaken leaves out of what is to be asked what is changed anyway.
func withoutTaken(open []decidedText, w *wanted) []decidedText {
	var left []decidedText
	for _, d := range open {
		d.decision.Matches = slices.DeleteFunc(d.decision.Matches, func(hit naming.Match[model.UUID]) bool {
			_, taken := w.place[hit.ID]
			return taken
		})
		if len(d.decision.Matches) > 0 {
			left = append(left, d)
		}
	}
	return left
}
