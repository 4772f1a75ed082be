package tasks

import (
	"context"
	"strconv"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
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
	err = core.WriteMatched(ctx, r.Base, v, who.match(v), func(ctx context.Context, tx store.Tx, named meaning) error {
		var found model.List
		found, out.Confirmation, err = r.listTarget(ctx, tx, v, who, named)
		if err != nil || out.Confirmation != nil {
			return err
		}
		bench := newWorkbench(found.Items)
		if err := bench.affordable(in); err != nil {
			return err
		}
		out.Outcomes = r.takeSteps(v, bench, found, in)
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
