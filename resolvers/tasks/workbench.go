package tasks

import (
	"errors"
	"slices"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// workbench holds the items of one list while steps are taken on them; difference says what to write in the end.
type workbench struct {
	before map[model.UUID]model.ListItem
	items  []model.ListItem
	// folded are the keys of the items' texts. spend bounds matching.
	folded map[model.UUID]string
	spend  func(steps int) bool
}

func newWorkbench(items []model.ListItem, spend func(steps int) bool) *workbench {
	before := make(map[model.UUID]model.ListItem, len(items))
	for _, item := range items {
		before[item.ID] = item
	}
	return &workbench{before: before, items: slices.Clone(items), folded: map[model.UUID]string{}, spend: spend}
}

// atTheEnd is a place beyond every list's end.
const atTheEnd = model.MaxListItems

// add puts an item at a place, or at the end when the place is beyond it.
func (w *workbench) add(item model.ListItem, place int) (*model.ListItem, error) {
	if len(w.items) >= model.MaxListItems {
		return nil, model.BadInput("", "a list has at most %d items", model.MaxListItems)
	}
	if place > len(w.items) {
		place = len(w.items)
	}
	w.items = slices.Insert(w.items, place, item)
	w.position(place)
	return &w.items[place], nil
}

func (w *workbench) check(ref graph.ListItemRefInput, checked bool) (*model.ListItem, bool, error) {
	at, err := w.find(ref, func(item model.ListItem) bool { return item.Checked != checked })
	if err != nil {
		return nil, false, err
	}
	item := &w.items[at]
	changed := item.Checked != checked
	item.Checked = checked
	copied := *item
	return &copied, changed, nil
}

func (w *workbench) remove(ref graph.ListItemRefInput) (*model.ListItem, error) {
	at, err := w.find(ref, nil)
	if err != nil {
		return nil, err
	}
	item := w.items[at]
	w.items = slices.Delete(w.items, at, at+1)
	return &item, nil
}

// move takes an item out and puts it at a place counted without it.
func (w *workbench) move(ref graph.ListItemRefInput, to int) (*model.ListItem, bool, error) {
	if to < 0 {
		return nil, false, model.BadInput("", "a place is counted from 0; %d is before the start", to)
	}
	at, err := w.find(ref, nil)
	if err != nil {
		return nil, false, err
	}
	item := w.items[at]
	to = min(to, len(w.items)-1)
	if to == at {
		return &item, false, nil
	}
	w.items = slices.Insert(slices.Delete(w.items, at, at+1), to, item)
	w.position(to)
	moved := w.items[to]
	return &moved, true, nil
}

// position sets for the item at a place a position between its neighbours'; when there is no room left, all are spaced
// anew.
func (w *workbench) position(place int) {
	low := int64(0)
	if place > 0 {
		low = w.items[place-1].Position
	}
	high := low + 2*itemGap
	if place+1 < len(w.items) {
		high = w.items[place+1].Position
	}
	if middle := low + (high-low)/2; middle > low && middle < high {
		w.items[place].Position = middle
		return
	}
	for i := range w.items {
		w.items[i].Position = int64(i+1) * itemGap
	}
}

// difference returns the items that are new or not as they were, and the ids of those that are gone.
func (w *workbench) difference() (save []model.ListItem, remove []model.UUID) {
	left := make(map[model.UUID]bool, len(w.items))
	for _, item := range w.items {
		left[item.ID] = true
		if was, known := w.before[item.ID]; !known || was != item {
			save = append(save, item)
		}
	}
	for id := range w.before {
		if !left[id] {
			remove = append(remove, id)
		}
	}
	return save, remove
}

// ambiguous is the refusal of a text that fits several items, with the items.
type ambiguous struct {
	refusal *model.Error
	items   []model.ListItem
}

func (a *ambiguous) Error() string { return a.refusal.Error() }

func (a *ambiguous) Unwrap() error { return a.refusal }

func errorsAsAmbiguous(err error) (*ambiguous, bool) {
	var several *ambiguous
	ok := errors.As(err, &several)
	return several, ok
}

// find returns the index of the item that a reference names. Of items that read the same, the first that wanted accepts
// is meant (checking "milk" twice ticks two lines of milk), else the first.
func (w *workbench) find(ref graph.ListItemRefInput, wanted func(model.ListItem) bool) (int, error) {
	if ref.ID != nil {
		id, err := core.OwnID("", *ref.ID, model.KindListItem)
		if err != nil {
			return 0, err
		}
		for i, item := range w.items {
			if item.ID == id {
				return i, nil
			}
		}
		return 0, model.NotFound("", "the list has no item %s", *ref.ID)
	}
	hits, err := w.match(*ref.Text)
	if err != nil {
		return 0, err
	}
	if wanted != nil {
		for _, i := range hits {
			if wanted(w.items[i]) {
				return i, nil
			}
		}
	}
	return hits[0], nil
}
