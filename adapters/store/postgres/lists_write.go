package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// The columns of lists are parameters from $2 on, those of the items come behind what the statement needs of the list.
var (
	listNames      = store.Names(store.ListTable.All())
	itemNames      = strings.Join(itemColumns.names(), ", ")
	itemParameters = parametersOf(itemColumns)

	sqlInsertList = filled(`WITH i AS (
	{items}
), may AS MATERIALIZED (
	SELECT NOT EXISTS (SELECT FROM lists WHERE user_id = $1 AND (id = {id} OR name_key = {key}))
		AND NOT EXISTS (SELECT FROM list_items WHERE user_id = $1 AND id = ANY({ids})) AS free
), made AS (
	INSERT INTO lists (user_id, {names}) SELECT o.user_id, {values} FROM `+ofUser+` WHERE (SELECT free FROM may)
), filled AS (
	INSERT INTO list_items (user_id, list_id, {itemNames})
	SELECT o.user_id, {id}, {itemNames} FROM `+ofUser+`, i WHERE (SELECT free FROM may)
)
SELECT free FROM may`, "{items}", given(2+len(listNames), itemParameters), "{ids}", numbered(2+len(listNames), 1),
		"{id}", placeOf("id", listNames), "{key}", placeOf("name_key", listNames),
		"{names}", strings.Join(listNames, ", "), "{values}", numbered(2, len(listNames)), "{itemNames}", itemNames)

	replacedOfList = store.Names(store.ListTable.Replaced())

	sqlUpdateList = filled(`WITH may AS MATERIALIZED (
	SELECT EXISTS (SELECT FROM lists WHERE user_id = $1 AND id = $2) AS found,
		NOT EXISTS (SELECT FROM lists WHERE user_id = $1 AND name_key = {key} AND id <> $2) AS free
), done AS (
	UPDATE lists SET ({names}) = ROW({values}) WHERE user_id = $1 AND id = $2 AND (SELECT free FROM may)
)
SELECT found, free FROM may`, "{key}", placeOf("name_key", append([]string{"id"}, replacedOfList...)),
		"{names}", strings.Join(replacedOfList, ", "), "{values}", numbered(3, len(replacedOfList)))

	sqlSaveItems = filled(`WITH i AS (
	{items}
), may AS MATERIALIZED (
	SELECT EXISTS (SELECT FROM lists WHERE user_id = $1 AND id = $2) AS found,
		NOT EXISTS (SELECT FROM list_items WHERE user_id = $1 AND id = ANY($5) AND list_id <> $2) AS free
), touched AS (
	UPDATE lists SET updated_at = $3 WHERE user_id = $1 AND id = $2 AND (SELECT found AND free FROM may)
), gone AS (
	DELETE FROM list_items WHERE user_id = $1 AND list_id = $2 AND id = ANY($4) AND (SELECT found AND free FROM may)
), saved AS (
	INSERT INTO list_items (user_id, list_id, {names})
	SELECT o.user_id, $2, {names} FROM `+ofUser+`, i WHERE (SELECT found AND free FROM may)
	ON CONFLICT (user_id, id) DO UPDATE SET {replaced}
)
SELECT found, free FROM may`, "{items}", given(5, itemParameters), "{names}", itemNames,
		"{replaced}", excluded(store.Names(store.ListItemTable.Replaced())...))
)

const sqlDeleteLists = `DELETE FROM lists WHERE user_id = $1 AND id = ANY($2) RETURNING id`

// placeOf returns the parameter of a column, when the columns begin at $2.
func placeOf(name string, names []string) string { return numbered(2+slices.Index(names, name), 1) }

func itemID(item model.ListItem) model.UUID { return item.ID }

// InsertList adds a list with its items.
func (t tx) InsertList(ctx context.Context, list model.List) error {
	args, err := values(t.user(), store.ListTable.All(), list)
	if err != nil {
		return err
	}
	items, err := arrays(nil, itemColumns, list.Items)
	if err != nil {
		return err
	}
	if ids := idsOf(list.Items, itemID); len(rows.Distinct(ids)) != len(ids) {
		return fmt.Errorf("postgres: insert a list: an item's id is given twice: %w", store.ErrConflict)
	}
	free := false
	b := newBatch()
	b.query(sqlInsertList, func(r *row) { free = r.bool() }, append(args, items[1:]...)...)
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
	args, err := values(uuidArg(list.ID), store.ListTable.Replaced(), list)
	if err != nil {
		return err
	}
	var found, free, done bool
	b := newBatch()
	b.query(sqlUpdateList, func(r *row) {
		found, free = r.bool(), r.bool()
		done = found && free
	}, append([]any{t.user()}, args...)...)
	err = t.write(ctx, "update a list", b, when(&done, model.OperationUpdated, list.ID))
	return refused(err, "update a list", found, free)
}

// DeleteLists deletes lists with their items, and returns the ids that were there, in the order given.
func (t tx) DeleteLists(ctx context.Context, ids []model.UUID) ([]model.UUID, error) {
	return t.delete(ctx, "delete lists", sqlDeleteLists, model.ChangeList, ids)
}

// SaveListItems inserts or replaces items of one list, deletes others, and sets the list's update time. An item that is
// named for both is saved.
func (t tx) SaveListItems(ctx context.Context, list model.UUID, updatedAt time.Time, save []model.ListItem,
	remove []model.UUID) error {
	save = lastOf(save, itemID)
	items, err := arrays(nil, itemColumns, save)
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
	}, append([]any{t.user(), uuidArg(list), instantArg(updatedAt), uuidArgs(gone)}, items[1:]...)...)
	err = t.write(ctx, "save list items", b, when(&done, model.OperationUpdated, list))
	return refused(err, "save list items", found, free)
}
