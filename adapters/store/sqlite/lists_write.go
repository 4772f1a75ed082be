package sqlite

import (
	"context"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
)

// Lists: see store.ListReader.
func (f *frame) Lists(ctx context.Context, user model.UserID, query store.ListQuery) (store.ListPage, error) {
	return f.s.Lists(f.own(ctx), user, query)
}

// ListsByID: see store.ListReader.
func (f *frame) ListsByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.ListColumns) ([]model.List, error) {
	return f.s.ListsByID(f.own(ctx), user, ids, want)
}

// ListNames: see store.ListReader.
func (f *frame) ListNames(ctx context.Context, user model.UserID) ([]model.List, error) {
	return f.s.ListNames(f.own(ctx), user)
}

// ListByName: see store.ListReader.
func (f *frame) ListByName(ctx context.Context, user model.UserID, name string,
	want store.ListColumns) (model.List, error) {
	return f.s.ListByName(f.own(ctx), user, name, want)
}

// ListItemsByID: see store.ListReader.
func (f *frame) ListItemsByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.ListItem, error) {
	return f.s.ListItemsByID(f.own(ctx), user, ids)
}

// InsertList: see store.ListWriter.
func (f *frame) InsertList(ctx context.Context, list model.List) error {
	err := f.atomically(ctx, func(q *session) error {
		if err := rows.Text(list.Name); err != nil {
			return err
		}
		if _, err := q.write(
			`INSERT INTO lists (user_id, id, name, name_key, is_checklist, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			userArg(f.user), idArg(list.ID), textArg(list.Name), textArg(fold.Text(list.Name)), boolArg(list.IsChecklist),
			instantArg(list.CreatedAt), instantArg(list.UpdatedAt)); err != nil {
			return err
		}
		if err := saveItems(q, f.user, list.ID, list.Items); err != nil {
			return err
		}
		return f.log(q, model.ChangeList, model.OperationCreated, list.ID)
	})
	return wrap("insert list", err)
}

// UpdateList: see store.ListWriter.
func (f *frame) UpdateList(ctx context.Context, list model.List) error {
	err := f.atomically(ctx, func(q *session) error {
		if err := rows.Text(list.Name); err != nil {
			return err
		}
		found, err := q.write(
			`UPDATE lists SET name = ?, name_key = ?, is_checklist = ?, updated_at = ? WHERE user_id = ? AND id = ?`,
			textArg(list.Name), textArg(fold.Text(list.Name)), boolArg(list.IsChecklist), instantArg(list.UpdatedAt),
			userArg(f.user), idArg(list.ID))
		if err != nil {
			return err
		}
		if found == 0 {
			return store.ErrNotFound
		}
		return f.log(q, model.ChangeList, model.OperationUpdated, list.ID)
	})
	return wrap("update list", err)
}

// DeleteLists: see store.ListWriter.
func (f *frame) DeleteLists(ctx context.Context, ids []model.UUID) (deleted []model.UUID, err error) {
	deleted, err = f.deleteRows(ctx, model.ChangeList, `DELETE FROM lists WHERE user_id = ? AND id = ?`, ids)
	return deleted, wrap("delete lists", err)
}

// SaveListItems: see store.ListWriter.
func (f *frame) SaveListItems(ctx context.Context, list model.UUID, updatedAt time.Time, save []model.ListItem,
	remove []model.UUID) error {
	err := f.atomically(ctx, func(q *session) error {
		found, err := q.write(`UPDATE lists SET updated_at = ? WHERE user_id = ? AND id = ?`, instantArg(updatedAt),
			userArg(f.user), idArg(list))
		if err != nil {
			return err
		}
		if found == 0 {
			return store.ErrNotFound
		}
		for _, id := range remove {
			if _, err := q.write(`DELETE FROM list_items WHERE user_id = ? AND id = ? AND list_id = ?`, userArg(f.user),
				idArg(id), idArg(list)); err != nil {
				return err
			}
		}
		if err := saveItems(q, f.user, list, save); err != nil {
			return err
		}
		return f.log(q, model.ChangeList, model.OperationUpdated, list)
	})
	return wrap("save list items", err)
}

// saveItems inserts or replaces items of one list. ErrConflict when an id is another list's.
func saveItems(q *session, user model.UserID, list model.UUID, items []model.ListItem) error {
	for i := range items {
		item := &items[i]
		if err := rows.Text(item.Text); err != nil {
			return err
		}
		saved, err := q.write(
			`INSERT INTO list_items (user_id, list_id, position, id, text, checked, added_at) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET position = excluded.position, text = excluded.text, checked = excluded.checked, added_at = excluded.added_at WHERE list_id = excluded.list_id`,
			userArg(user), idArg(list), intArg(item.Position), idArg(item.ID), textArg(item.Text), boolArg(item.Checked),
			instantArg(item.AddedAt))
		if err != nil {
			return err
		}
		if saved == 0 {
			return store.ErrConflict
		}
	}
	return nil
}
