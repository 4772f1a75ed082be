package record

import (
	"cmp"
	"context"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// lists are lists with their items.
type lists struct{}

func (lists) read(ctx context.Context, in scope, ids []model.UUID) (map[model.UUID]any, error) {
	found, err := in.tx.ListsByID(ctx, in.user, ids, store.ListRow|store.ListItems)
	if err != nil {
		return nil, err
	}
	records := make(map[model.UUID]any, len(found))
	for i := range found {
		records[found[i].ID] = &found[i]
	}
	return records, nil
}

func (lists) layout() layout {
	return layout{lists: map[string]string{"Items": "ID"}, fixed: []string{"ID", "CreatedAt", "UpdatedAt"}}
}

func (lists) join(parts Parts) (any, error) {
	list, err := joined[model.List](parts)
	if err == nil {
		slices.SortStableFunc(list.Items, func(a, b model.ListItem) int { return cmp.Compare(a.Position, b.Position) })
	}
	return list, err
}

func (lists) about(any) []model.ID { return nil }

func (lists) put(ctx context.Context, in scope, changes []change) error {
	var gone []model.UUID
	for _, c := range changes {
		if c.want == nil {
			gone = append(gone, c.id.UUID)
		}
	}
	if _, err := in.tx.DeleteLists(ctx, gone); err != nil {
		return err
	}
	for _, c := range changes {
		want, _ := c.want.(*model.List)
		if want == nil {
			continue
		}
		want.UpdatedAt = in.now
		now, there := c.now.(*model.List)
		if !there {
			if err := in.tx.InsertList(ctx, *want); err != nil {
				return err
			}
			continue
		}
		if now.Name != want.Name || now.IsChecklist != want.IsChecklist {
			if err := in.tx.UpdateList(ctx, *want); err != nil {
				return err
			}
		}
		save, removed := beside(now.Items, want.Items, func(i model.ListItem) model.UUID { return i.ID })
		var remove []model.UUID
		for _, item := range removed {
			remove = append(remove, item.ID)
		}
		if len(save)+len(remove) == 0 {
			continue
		}
		if err := in.tx.SaveListItems(ctx, want.ID, in.now, save, remove); err != nil {
			return err
		}
	}
	return nil
}

// InsertList records and writes.
func (t *recording) InsertList(ctx context.Context, list model.List) error {
	t.creating(model.KindList, list.ID)
	return t.Tx.InsertList(ctx, list)
}

// UpdateList records and writes.
func (t *recording) UpdateList(ctx context.Context, list model.List) error {
	if err := t.before(ctx, model.KindList, list.ID); err != nil {
		return err
	}
	return t.Tx.UpdateList(ctx, list)
}

// DeleteLists records and writes.
func (t *recording) DeleteLists(ctx context.Context, ids []model.UUID) ([]model.UUID, error) {
	if err := t.before(ctx, model.KindList, ids...); err != nil {
		return nil, err
	}
	return t.Tx.DeleteLists(ctx, ids)
}

// SaveListItems records and writes.
func (t *recording) SaveListItems(ctx context.Context, list model.UUID, updatedAt time.Time, save []model.ListItem,
	remove []model.UUID) error {
	if err := t.before(ctx, model.KindList, list); err != nil {
		return err
	}
	return t.Tx.SaveListItems(ctx, list, updatedAt, save, remove)
}
