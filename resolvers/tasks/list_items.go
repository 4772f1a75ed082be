package tasks

import (
	"context"
	"strconv"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/naming"
	"almanac/resolvers/core"
)

// UpdateListItems takes all steps on the list as it stands, then writes what became of it once.
func (r *Resolver) UpdateListItems(ctx context.Context,
	in graph.UpdateListItemsInput) (*graph.UpdateListItemsPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateListItemsPayload{
		Outcomes: []projections.ListItemOutcome{}, Context: noList(), UserErrors: []model.UserError{},
	}
	if declined, err := r.Declined(ctx, v, in.Confirm); declined || err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	if err := core.AtMost("input", len(in.Add)+len(in.Check)+len(in.Uncheck)+len(in.Remove)+len(in.Move)); err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	who := listReference(in.ID, in.Target, in.Confirm)
	err = writeMatched(ctx, r, v, r.stepsAhead(v, who, in), func(ctx context.Context, tx store.Tx,
		taken steps) error {
		var found model.List
		found, out.Confirmation, err = r.listTarget(ctx, tx, v, who, taken.named)
		if err != nil || out.Confirmation != nil {
			return err
		}
		if taken.bench == nil || taken.list != found.ID {
			if err := r.take(ctx, v, found, in, &taken); err != nil {
				return err
			}
		}
		bench := taken.bench
		out.Outcomes = taken.outcomes
		save, remove := bench.difference()
		if len(save)+len(remove) > 0 {
			found.UpdatedAt = v.Now
			if err := tx.SaveListItems(ctx, found.ID, v.Now, save, remove); err != nil {
				return err
			}
		}
		found.Items = bench.items
		out.List, out.Context = oneList(found, v.Moment), &projections.ListContext{}
		return nil
	})
	if err != nil {
		out.Outcomes = []projections.ListItemOutcome{}
		return out, core.Refuse(&out.UserErrors, err)
	}
	return out, nil
}

// steps are what came of the steps of an input on a list, before it is written.
type steps struct {
	named    meaning
	list     model.UUID
	bench    *workbench
	outcomes []projections.ListItemOutcome
}

func (r *Resolver) take(ctx context.Context, v *core.Viewer, list model.List, in graph.UpdateListItemsInput,
	out *steps) error {
	out.list, out.bench = list.ID, newWorkbench(list.Items, v.Matching(ctx))
	out.outcomes = r.takeSteps(v, out.bench, list, in)
	return v.MatchingError(ctx, "input")
}

// stepsAhead takes the steps on the list as it is before the transaction, so that nobody waits while their texts are
// matched; nil when there are none. What cannot be found out yet is left to the transaction.
func (r *Resolver) stepsAhead(v *core.Viewer, who reference,
	in graph.UpdateListItemsInput) func(context.Context, namesReader) (steps, error) {
	match := who.match(v)
	if match == nil && !hasTexts(in) {
		return nil
	}
	return func(ctx context.Context, names namesReader) (out steps, err error) {
		if match != nil {
			if out.named, err = match(ctx, names); err != nil {
				return out, err
			}
		}
		id, known := r.listAhead(ctx, v, who, out.named)
		if !known || !hasTexts(in) {
			return out, nil
		}
		lists, err := r.Store.ListsByID(ctx, v.User, []model.UUID{id}, wholeList)
		if err != nil || len(lists) == 0 {
			return out, err
		}
		err = r.take(ctx, v, lists[0], in, &out)
		return out, err
	}
}

// listAhead returns the list that a reference means, where that is clear before the transaction.
func (r *Resolver) listAhead(ctx context.Context, v *core.Viewer, who reference, named meaning) (model.UUID, bool) {
	if who.confirm != nil {
		ticket, err := r.OpenTicket(ctx, v, who.confirm.Token)
		if err != nil {
			return model.UUID{}, false
		}
		picked, err := ticket.Pick(who.kind, *who.confirm)
		return first(picked), err == nil && len(picked) > 0
	}
	for _, given := range []*string{who.id, who.targetID} {
		if given != nil {
			id, err := core.OwnID("", *given, who.kind)
			return id, err == nil
		}
	}
	if hits := named.decision.Matches; len(hits) > 0 && named.decision.Outcome != naming.Ask {
		return hits[0].ID, true
	}
	return model.UUID{}, false
}

func first(ids []model.UUID) (id model.UUID) {
	if len(ids) > 0 {
		id = ids[0]
	}
	return id
}

// takeSteps takes the steps in their order and says what came of each.
func (r *Resolver) takeSteps(v *core.Viewer, bench *workbench, list model.List,
	in graph.UpdateListItemsInput) []projections.ListItemOutcome {
	outcomes := []projections.ListItemOutcome{}
	report := func(action model.ListItemAction, index int, item *model.ListItem, changed bool, err error) {
		outcomes = append(outcomes, outcome(v, action, index, item, changed, err))
	}
	for i, step := range in.Add {
		text, err := core.CleanText("input.add."+strconv.Itoa(i)+".text", step.Text, model.MaxItemText)
		if err != nil {
			report(model.ItemAdd, i, nil, false, err)
			continue
		}
		place := atTheEnd
		if step.Position != nil {
			place = int(*step.Position)
		}
		if step.Position != nil && place < 0 {
			report(model.ItemAdd, i, nil, false, model.BadInput("", "a place is counted from 0; %d is before the start", place))
			continue
		}
		fresh := model.ListItem{ID: r.NewID(), ListID: list.ID, Text: text, Checked: step.Checked, AddedAt: v.Now}
		item, err := bench.add(fresh, place)
		report(model.ItemAdd, i, item, true, err)
	}
	for i, ref := range in.Check {
		item, changed, err := bench.check(ref, true)
		report(model.ItemCheck, i, item, changed, err)
	}
	for i, ref := range in.Uncheck {
		item, changed, err := bench.check(ref, false)
		report(model.ItemUncheck, i, item, changed, err)
	}
	for i, ref := range in.Remove {
		item, err := bench.remove(ref)
		report(model.ItemRemove, i, item, true, err)
	}
	for i, step := range in.Move {
		item, changed, err := bench.move(*step.Item, int(step.To))
		report(model.ItemMove, i, item, changed, err)
	}
	return outcomes
}

// outcome is what came of one step, for the payload.
func outcome(v *core.Viewer, action model.ListItemAction, index int, item *model.ListItem, changed bool,
	err error) projections.ListItemOutcome {
	out := projections.ListItemOutcome{Action: action, Index: index, Status: model.ItemDone,
		Candidates: []projections.ListItem{}}
	if item != nil {
		view := projections.ItemAt(*item, v.Moment)
		out.Item = &view
	}
	if err == nil {
		if !changed {
			out.Status = model.ItemUnchanged
		}
		return out
	}
	out.Status = model.ItemFailed
	code, message := model.CodeOf(err), err.Error()
	if several, ok := errorsAsAmbiguous(err); ok {
		out.Candidates = projections.ItemsAt(several.items, v.Moment)
	}
	if shown, ok := model.Mendable(err); ok {
		message = shown.Message
	}
	out.Code, out.Message = &code, &message
	return out
}
