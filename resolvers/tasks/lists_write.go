package tasks

import (
	"context"
	"errors"
	"strconv"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/resolvers/core"
)

// itemGap lies between the positions of two neighbours, so that an item can move without moving the others.
const itemGap = 1 << 20

// wholeList is what a list must be read with to be written back and shown.
const wholeList = store.ListRow | store.ListItems

func oneList(list model.List, at *projections.Moment) *projections.List {
	view := projections.ListAt(list, at)
	return &view
}

// noList is the response context of a payload in which no list is concerned.
func noList() *projections.ListContext { return &projections.ListContext{IsEmpty: true} }

// CreateList adds a list unless one has the same name.
func (r *Resolver) CreateList(ctx context.Context, in graph.CreateListInput) (*graph.CreateListPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateListPayload{Context: noList(), UserErrors: []model.UserError{}}
	list, err := r.newList(v, in)
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		existing, err := nameIsFree(ctx, tx, v.User, list)
		if existing != nil {
			out.ExistingList = oneList(*existing, v.Moment)
		}
		if err != nil {
			return err
		}
		return tx.InsertList(ctx, list)
	})
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	out.List, out.Context = oneList(list, v.Moment), &projections.ListContext{}
	return out, nil
}

func (r *Resolver) newList(v *core.Viewer, in graph.CreateListInput) (model.List, error) {
	name, err := cleanName("input.name", in.Name)
	if err != nil {
		return model.List{}, err
	}
	if len(in.Items) > model.MaxListItems {
		return model.List{}, model.BadInput("input.items", "a list has at most %d items, not %d", model.MaxListItems,
			len(in.Items))
	}
	list := model.List{ID: r.NewID(), Name: name, IsChecklist: in.IsChecklist, CreatedAt: v.Now, UpdatedAt: v.Now}
	for i, text := range in.Items {
		clean, err := core.CleanText("input.items."+strconv.Itoa(i), text, model.MaxItemText)
		if err != nil {
			return model.List{}, err
		}
		list.Items = append(list.Items, model.ListItem{
			ID: r.NewID(), ListID: list.ID, Position: int64(i+1) * itemGap, Text: clean, AddedAt: v.Now,
		})
	}
	return list, nil
}

// nameIsFree refuses a name that another list has, with that list.
func nameIsFree(ctx context.Context, tx store.Tx, user model.UserID, list model.List) (*model.List, error) {
	existing, err := tx.ListByName(ctx, user, fold.Text(list.Name), wholeList)
	if errors.Is(err, store.ErrNotFound) || err == nil && existing.ID == list.ID {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	e := model.Errorf(model.CodeConflict, "you have a list of this name already: %s",
		model.ID{Kind: model.KindList, UUID: existing.ID})
	e.Field = model.FieldPath("input.name")
	return &existing, e
}

// UpdateList renames a list or changes its kind.
func (r *Resolver) UpdateList(ctx context.Context, in graph.UpdateListInput) (*graph.UpdateListPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateListPayload{Context: noList(), UserErrors: []model.UserError{}}
	if declined, err := r.Declined(ctx, v, in.Confirm); declined || err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	if in.Set.Name == nil && in.Set.IsChecklist == nil {
		return out, core.Refuse(&out.UserErrors, model.BadInput("input.set", "set is empty; say what to change"))
	}
	who := listReference(in.ID, in.Target, in.Confirm)
	var after model.List
	err = writeMatched(ctx, r, v, who.match(v), func(ctx context.Context, tx store.Tx, named meaning) error {
		var found model.List
		found, out.Confirmation, err = r.listTarget(ctx, tx, v, who, named)
		if err != nil || out.Confirmation != nil {
			return err
		}
		if in.Set.Name != nil {
			if found.Name, err = cleanName("input.set.name", *in.Set.Name); err != nil {
				return err
			}
			existing, err := nameIsFree(ctx, tx, v.User, found)
			if existing != nil {
				out.ExistingList = oneList(*existing, v.Moment)
			}
			if err != nil {
				return core.Below(core.WithoutField(err), "input.set.name")
			}
		}
		if in.Set.IsChecklist != nil {
			found.IsChecklist = *in.Set.IsChecklist
		}
		found.UpdatedAt = v.Now
		after = found
		return tx.UpdateList(ctx, found)
	})
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	if out.Confirmation == nil {
		out.List, out.Context = oneList(after, v.Moment), &projections.ListContext{}
	}
	return out, nil
}

// DeleteList deletes a list with its items.
func (r *Resolver) DeleteList(ctx context.Context, in graph.DeleteListInput) (*graph.DeleteListPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteListPayload{Context: noList(), UserErrors: []model.UserError{}}
	if declined, err := r.Declined(ctx, v, in.Confirm); declined || err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	who := listReference(in.ID, in.Target, in.Confirm)
	var found model.List
	err = writeMatched(ctx, r, v, who.match(v), func(ctx context.Context, tx store.Tx, named meaning) error {
		found, out.Confirmation, err = r.listTarget(ctx, tx, v, who, named)
		if err != nil || out.Confirmation != nil {
			return err
		}
		_, err = tx.DeleteLists(ctx, []model.UUID{found.ID})
		return err
	})
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	if out.Confirmation == nil {
		out.Deleted, out.DeletedID = 1, core.DeletedID(model.KindList, found.ID)
		out.List, out.Context = oneList(found, v.Moment), &projections.ListContext{}
	}
	return out, nil
}
