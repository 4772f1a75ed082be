package sqlite

import (
	"context"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
)

// listSelection is which columns of lists a statement returns.
type listSelection = selection[model.List, store.ListColumns]

// listKey is the column by which lists are ordered before their id; none when the id says it all.
func listKey(field model.ListOrderField) (key, index string) {
	switch field {
	case model.ListOrderUpdatedAt:
		return "updated_at", " INDEXED BY lists_updated"
	case model.ListOrderName:
		return "name_key", " INDEXED BY lists_name"
	}
	return "", " NOT INDEXED"
}

// Lists: see store.ListReader.
func (r reader) Lists(ctx context.Context, user model.UserID, query store.ListQuery) (store.ListPage, error) {
	if err := rows.Text(query.Search); err != nil {
		return store.ListPage{}, err
	}
	search := fold.Text(query.Search)
	moment := inOneMoment(query.Total || query.Columns.Has(store.ListItems))
	return answer(ctx, r, "lists", moment, func(q *session) (page store.ListPage, err error) {
		if query.Page != nil {
			err = readListPage(q, user, search, &query, &page)
		}
		if err == nil && query.Total {
			var b statement
			b.add("SELECT count(*) FROM lists WHERE user_id = ?", userArg(user))
			if search != "" {
				contains(&b, search, "name_key")
			}
			page.Total, err = q.count(&b)
		}
		return page, err
	})
}

// readListPage reads the rows of a page and one more, which shows whether there are more.
func readListPage(q *session, user model.UserID, search string, query *store.ListQuery, page *store.ListPage) error {
	window := query.Page
	key, index := listKey(query.Order.Field)
	falling := query.Order.Direction == model.Descending
	limit := max(window.Limit, 0)
	place := func(p *store.ListPlace) arg {
		if query.Order.Field == model.ListOrderUpdatedAt {
			return instantArg(p.At)
		}
		return textArg(p.Name)
	}

	columns := listSelection(store.ListTable.Read(query.Columns))
	var b statement
	b.add("SELECT ")
	columns.write(&b, "")
	if key != "" {
		b.add(", " + key)
	}
	b.add(" FROM lists"+index+" WHERE user_id = ?", userArg(user))
	if search != "" {
		contains(&b, search, "name_key")
	}
	if window.After != nil {
		beyond(&b, key, falling, place(window.After), window.After.ID)
	}
	if window.Before != nil {
		beyond(&b, key, !falling, place(window.Before), window.Before.ID)
	}
	b.add(order(key, falling != window.Backward)+" LIMIT ?", intArg(int64(limit)+1))

	read := rows.NewReading[model.List, store.ListPlace](limit)
	if err := q.read(&b, func(stmt *sqlite.Stmt) error {
		list, place := read.Next()
		err := columns.read(stmt, 0, list)
		place.ID = list.ID
		switch query.Order.Field {
		case model.ListOrderUpdatedAt:
			place.At = columnTime(stmt, len(columns))
		case model.ListOrderName:
			place.Name = stmt.ColumnText(len(columns))
		}
		return err
	}); err != nil {
		return err
	}
	page.HasNext, page.HasPrevious = read.Cut(window)
	page.Lists, page.Places = read.Records, read.Places
	return readItems(q, user, page.Lists, query.Columns)
}

// ListsByID: see store.ListReader.
func (r reader) ListsByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.ListColumns) ([]model.List, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	moment := inOneMoment(want.Has(store.ListItems) || len(ids) > maxIDs)
	return answer(ctx, r, "lists by id", moment, func(q *session) ([]model.List, error) {
		columns := listSelection(store.ListTable.Read(want))
		lists, err := readSome(q, ids, func(b *statement, some []model.UUID) {
			b.add("SELECT ")
			columns.write(b, "")
			b.add(" FROM lists WHERE user_id = ? AND ", userArg(user))
			b.in("id", some)
		}, columns.readRow)
		if err != nil {
			return nil, err
		}
		return lists, readItems(q, user, lists, want)
	})
}

// ListNames: see store.ListReader.
func (r reader) ListNames(ctx context.Context, user model.UserID) ([]model.List, error) {
	return answer(ctx, r, "names of lists", oneStatement, func(q *session) (lists []model.List, err error) {
		err = q.readSQL(`SELECT id, name FROM lists NOT INDEXED WHERE user_id = ? ORDER BY id DESC LIMIT ?`,
			into(&lists, func(stmt *sqlite.Stmt, list *model.List) error {
				list.ID, list.Name = columnID(stmt, 0), stmt.ColumnText(1)
				return nil
			}), userArg(user), intArg(model.MaxLists))
		return lists, err
	})
}

// ListByName: see store.ListReader.
func (r reader) ListByName(ctx context.Context, user model.UserID, name string,
	want store.ListColumns) (model.List, error) {
	if err := rows.Text(name); err != nil {
		return model.List{}, err
	}
	moment := inOneMoment(want.Has(store.ListItems))
	return answer(ctx, r, "list by name", moment, func(q *session) (model.List, error) {
		var lists []model.List
		columns := listSelection(store.ListTable.Read(want))
		var b statement
		b.add("SELECT ")
		columns.write(&b, "")
		b.add(" FROM lists INDEXED BY lists_name WHERE user_id = ? AND name_key = ?", userArg(user), textArg(fold.Text(name)))
		err := q.read(&b, into(&lists, columns.readRow))
		if err == nil {
			err = readItems(q, user, lists, want)
		}
		return theOne(lists, err)
	})
}

// ListItemsByID: see store.ListReader.
func (r reader) ListItemsByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.ListItem, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	moment := inOneMoment(len(ids) > maxIDs)
	return answer(ctx, r, "list items by id", moment, func(q *session) ([]model.ListItem, error) {
		columns := wholeOf(&store.ListItemTable)
		return readSome(q, ids, func(b *statement, some []model.UUID) {
			b.add("SELECT ")
			columns.write(b, "")
			b.add(" FROM list_items INDEXED BY list_items_id WHERE user_id = ? AND ", userArg(user))
			b.in("id", some)
		}, columns.readRow)
	})
}

// readItems fills the items of lists.
func readItems(q *session, user model.UserID, lists []model.List, want store.ListColumns) error {
	if len(lists) == 0 || !want.Has(store.ListItems) {
		return nil
	}
	columns := wholeOf(&store.ListItemTable)
	return fill(q, lists, func(list *model.List) model.UUID { return list.ID }, func(b *statement, some []model.UUID) {
		b.add("SELECT list_id, ")
		columns.write(b, "")
		b.add(" FROM list_items NOT INDEXED WHERE user_id = ? AND ", userArg(user))
		b.in("list_id", some)
		b.add(" ORDER BY list_id, position, id")
	}, func(stmt *sqlite.Stmt, list *model.List) error {
		list.Items = append(list.Items, model.ListItem{})
		return columns.read(stmt, 1, &list.Items[len(list.Items)-1])
	})
}
