package tasks

import (
	"slices"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/naming"
	"almanac/resolvers/core"
)

// hasTexts reports whether a step names an item by its text.
func hasTexts(in graph.UpdateListItemsInput) bool {
	refs := slices.Concat(in.Check, in.Uncheck, in.Remove)
	for _, step := range in.Move {
		refs = append(refs, *step.Item)
	}
	return slices.ContainsFunc(refs, func(ref graph.ListItemRefInput) bool { return ref.Text != nil })
}

// sameness is equal for items that read the same. Each text is folded once.
func (w *workbench) sameness(item model.ListItem) string {
	key, known := w.folded[item.ID]
	if !known {
		key = fold.Text(item.Text)
		w.folded[item.ID] = key
	}
	return key
}

// match returns the indexes of the items that a text means: those that read the same, in the list's order. The rules
// are those for tasks; a text that fits several different items is refused with them, since the other steps must not
// wait for an answer.
func (w *workbench) match(text string) ([]int, error) {
	clean, err := core.CleanText("", text, model.MaxItemText)
	if err != nil {
		return nil, err
	}
	if !w.spend(len(w.items)) {
		return nil, model.NotFound("", "the list has no item called %q", model.Clip(clean)) // the whole input is refused
	}
	list := make([]naming.Candidate[int], len(w.items))
	for i, item := range w.items {
		list[i] = naming.Candidate[int]{ID: i, Name: item.Text, Same: w.sameness(item)}
	}
	decision := naming.Decide(naming.New(clean, naming.Item), list, naming.Rules{Spend: w.spend})
	hits := make([]int, len(decision.Matches))
	items := make([]model.ListItem, len(decision.Matches))
	for i, hit := range decision.Matches {
		hits[i], items[i] = hit.ID, w.items[hit.ID]
	}
	switch {
	case decision.Outcome == naming.Many && len(hits) > maxUnasked:
		return nil, model.Errorf(model.CodeConflict, "%d items are called %q; name them by their ids", len(hits),
			model.Clip(clean))
	case decision.Outcome == naming.Found, decision.Outcome == naming.Many:
		return hits, nil
	case len(items) > 1:
		return nil, &ambiguous{
			refusal: model.Errorf(model.CodeConflict, "several items may be meant by %q; name one by its id",
				model.Clip(clean)), items: items}
	case len(items) == 1:
		return nil, &ambiguous{refusal: model.Errorf(model.CodeNotFound, "the list has no item %q; the nearest is %q",
			model.Clip(clean), model.Clip(items[0].Text)), items: items}
	default:
		return nil, model.NotFound("", "the list has no item called %q", model.Clip(clean))
	}
}
