package sqlite

import (
	"context"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

var (
	sqlInsertList = insertSQL(&store.ListTable)
	sqlUpdateList = updateSQL(&store.ListTable)
	sqlUpsertItem = upsertSQL(&store.ListItemTable, "") + " WHERE list_id = excluded.list_id"
)

// InsertList: see store.ListWriter.
func (f *frame) InsertList(ctx context.Context, list model.List) error {
	err := f.atomically(ctx, func(q *session) error {
		args, err := argsOf(f.user, &store.ListTable, &list)
		if err != nil {
			return err
		}
		if _, err := q.write(sqlInsertList, args...); err != nil {
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
		args, err := argsOf(f.user, &store.ListTable, &list)
		if err != nil {
			return err
		}
		if err := q.writeOne(sqlUpdateList, args...); err != nil {
			return err
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
		if err := q.writeOne(`UPDATE lists SET updated_at = ? WHERE user_id = ? AND id = ?`, instantArg(updatedAt),
			userArg(f.user), idArg(list)); err != nil {
			return err
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
		item := items[i]
		item.ListID = list
		args, err := argsOf(user, &store.ListItemTable, &item)
		if err != nil {
			return err
		}
		saved, err := q.write(sqlUpsertItem, args...)
		if err != nil {
			return err
		}
		if saved == 0 {
			return store.ErrConflict
		}
	}
	return nil
}
