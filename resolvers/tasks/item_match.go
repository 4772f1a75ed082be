package tasks

import (
	"slices"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/naming"
	"almanac/resolvers/core"
)

// affordable refuses steps whose texts would take too long to match.
func (w *workbench) affordable(in graph.UpdateListItemsInput) error {
	lookedFor, lookedAt := 0, 0
	refs := slices.Concat(in.Check, in.Uncheck, in.Remove)
	for _, step := range in.Move {
		refs = append(refs, *step.Item)
	}
	for _, ref := range refs {
		if ref.Text != nil {
			lookedFor += len(*ref.Text)
		}
	}
	for _, item := range w.items {
		lookedAt += len(item.Text)
	}
	for _, step := range in.Add {
		lookedAt += len(step.Text)
	}
	return core.Affordable("input", lookedFor, lookedAt)
}

// match gives the indexes of the items that a text means: those that read the same, in the list's order. The rules are
// those for tasks; a text that fits several different items is refused with them, since the other steps must not wait
// for an answer.
func (w *workbench) match(text string) ([]int, error) {
	clean, err := core.CleanText("", text, model.MaxItemText)
	if err != nil {
		return nil, err
	}
	list := make([]naming.Candidate[int], len(w.items))
	for i, item := range w.items {
		list[i] = naming.Candidate[int]{ID: i, Name: item.Text, Same: fold.Text(item.Text)}
	}
	decision := naming.Decide(naming.New(clean, naming.Item), list, naming.Rules{})
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
