package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
)

const (
	sqlInsertList = `WITH i AS (
	SELECT * FROM unnest($8::uuid[], $9::bigint[], $10::text[], $11::boolean[], $12::timestamptz[]) AS i (id, position, text, checked, added_at)
), may AS (
	SELECT NOT EXISTS (SELECT FROM lists WHERE user_id = $1 AND (id = $2 OR name_key = $4))
		AND NOT EXISTS (SELECT FROM list_items WHERE user_id = $1 AND id = ANY($8)) AS free
), made AS (
	INSERT INTO lists (user_id, id, name, name_key, is_checklist, created_at, updated_at)
	SELECT $1, $2, $3, $4, $5, $6, $7 WHERE (SELECT free FROM may)
), filled AS (
	INSERT INTO list_items (user_id, list_id, id, position, text, checked, added_at)
	SELECT $1, $2, i.* FROM i WHERE (SELECT free FROM may)
)
SELECT free FROM may`

	sqlUpdateList = `WITH may AS (
	SELECT EXISTS (SELECT FROM lists WHERE user_id = $1 AND id = $2) AS found,
		NOT EXISTS (SELECT FROM lists WHERE user_id = $1 AND name_key = $4 AND id <> $2) AS free
), done AS (
	UPDATE lists SET name = $3, name_key = $4, is_checklist = $5, updated_at = $6 WHERE user_id = $1 AND id = $2 AND (SELECT free FROM may)
)
SELECT found, free FROM may`

	sqlDeleteLists = `DELETE FROM lists WHERE user_id = $1 AND id = ANY($2) RETURNING id`

	sqlSaveItems = `WITH i AS (
	SELECT * FROM unnest($4::uuid[], $5::bigint[], $6::text[], $7::boolean[], $8::timestamptz[]) AS i (id, position, text, checked, added_at)
), may AS (
	SELECT EXISTS (SELECT FROM lists WHERE user_id = $1 AND id = $2) AS found,
		NOT EXISTS (SELECT FROM list_items WHERE user_id = $1 AND id = ANY($4) AND list_id <> $2) AS free
), touched AS (
	UPDATE lists SET updated_at = $3 WHERE user_id = $1 AND id = $2 AND (SELECT found AND free FROM may)
), gone AS (
	DELETE FROM list_items WHERE user_id = $1 AND list_id = $2 AND id = ANY($9) AND (SELECT found AND free FROM may)
), saved AS (
	INSERT INTO list_items (user_id, list_id, id, position, text, checked, added_at)
	SELECT $1, $2, i.* FROM i WHERE (SELECT found AND free FROM may)
	ON CONFLICT (user_id, id) DO UPDATE SET position = excluded.position, text = excluded.text, checked = excluded.checked, added_at = excluded.added_at
)
SELECT found, free FROM may`
)

// itemRows are items as parameters, one array for each column.
type itemRows struct {
	ids       []pgtype.UUID
	positions []int64
	texts     []string
	checked   []bool
	added     []pgtype.Timestamptz
}

func itemRowsOf(items []model.ListItem) (*itemRows, error) {
	c := &itemRows{ids: make([]pgtype.UUID, 0, len(items)), positions: []int64{}, texts: []string{}, checked: []bool{},
		added: []pgtype.Timestamptz{}}
	for _, item := range items {
		if err := rows.Text(item.Text); err != nil {
			return nil, err
		}
		c.ids = append(c.ids, uuidArg(item.ID))
		c.positions = append(c.positions, item.Position)
		c.texts = append(c.texts, item.Text)
		c.checked = append(c.checked, item.Checked)
		c.added = append(c.added, instantArg(item.AddedAt))
	}
	return c, nil
}

func itemID(item model.ListItem) model.UUID { return item.ID }

// InsertList adds a list with its items.
func (t tx) InsertList(ctx context.Context, list model.List) error {
	if err := rows.Text(list.Name); err != nil {
		return err
	}
	items, err := itemRowsOf(list.Items)
	if err != nil {
		return err
	}
	if ids := idsOf(list.Items, itemID); len(rows.Distinct(ids)) != len(ids) {
		return fmt.Errorf("postgres: insert a list: an item's id is given twice: %w", store.ErrConflict)
	}
	free := false
	b := newBatch()
	b.query(sqlInsertList, func(r *row) { free = r.bool() },
		t.user(), uuidArg(list.ID), list.Name, fold.Text(list.Name), list.IsChecklist, instantArg(list.CreatedAt),
		instantArg(list.UpdatedAt),
		items.ids, items.positions, items.texts, items.checked, items.added)
	err = t.write(ctx, "insert a list", b, when(&free, model.OperationCreated, list.ID))
	return refused(err, "insert a list", true, free)
}

// when logs a change of a list if what it points to has become true.
func when(done *bool, operation model.Operation, list model.UUID) func() []change {
	return func() []change {
		if !*done {
			return nil
		}
		return []change{{kind: model.ChangeList, operation: operation, id: list}}
	}
}

// UpdateList replaces name, kind and update time.
func (t tx) UpdateList(ctx context.Context, list model.List) error {
	if err := rows.Text(list.Name); err != nil {
		return err
	}
	var found, free, done bool
	b := newBatch()
	b.query(sqlUpdateList, func(r *row) {
		found, free = r.bool(), r.bool()
		done = found && free
	}, t.user(), uuidArg(list.ID), list.Name, fold.Text(list.Name), list.IsChecklist, instantArg(list.UpdatedAt))
	err := t.write(ctx, "update a list", b, when(&done, model.OperationUpdated, list.ID))
	return refused(err, "update a list", found, free)
}

// DeleteLists deletes lists with their items, and gives the ids that were there, in the order given.
func (t tx) DeleteLists(ctx context.Context, ids []model.UUID) ([]model.UUID, error) {
	return t.delete(ctx, "delete lists", sqlDeleteLists, model.ChangeList, ids)
}

// SaveListItems inserts or replaces items of one list, deletes others, and sets the list's update time. An item that is
// named for both is saved.
func (t tx) SaveListItems(ctx context.Context, list model.UUID, updatedAt time.Time, save []model.ListItem,
	remove []model.UUID) error {
	save = lastOf(save, itemID)
	items, err := itemRowsOf(save)
	if err != nil {
		return err
	}
	saved := make(map[model.UUID]struct{}, len(save))
	for _, item := range save {
		saved[item.ID] = struct{}{}
	}
	gone := make([]model.UUID, 0, len(remove))
	for _, id := range remove {
		if _, both := saved[id]; !both {
			gone = append(gone, id)
		}
	}
	var found, free, done bool
	b := newBatch()
	b.query(sqlSaveItems, func(r *row) {
		found, free = r.bool(), r.bool()
		done = found && free
	}, t.user(), uuidArg(list), instantArg(updatedAt), items.ids, items.positions, items.texts, items.checked, items.added,
		uuidArgs(gone))
	err = t.write(ctx, "save list items", b, when(&done, model.OperationUpdated, list))
	return refused(err, "save list items", found, free)
}
