package sqlite

import (
	"context"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
)

// listColumn is one column of a list.
type listColumn struct {
	wanted store.ListColumns
	name   string
	read   func(stmt *sqlite.Stmt, column int, list *model.List)
}

// listColumns are all columns of a list beside its id.
var listColumns = [...]listColumn{
	{store.ListName, "name", func(s *sqlite.Stmt, c int, l *model.List) { l.Name = s.ColumnText(c) }},
	{store.ListIsChecklist, "is_checklist",
		func(s *sqlite.Stmt, c int, l *model.List) { l.IsChecklist = s.ColumnBool(c) }},
	{store.ListCreatedAt, "created_at", func(s *sqlite.Stmt, c int, l *model.List) { l.CreatedAt = columnTime(s, c) }},
	{store.ListUpdatedAt, "updated_at", func(s *sqlite.Stmt, c int, l *model.List) { l.UpdatedAt = columnTime(s, c) }},
}

// listSelection is which columns a statement gives, the id first.
type listSelection []*listColumn

func selectList(want store.ListColumns) listSelection {
	var s listSelection
	for i := range listColumns {
		if want.Has(listColumns[i].wanted) {
			s = append(s, &listColumns[i])
		}
	}
	return s
}

func (s listSelection) write(b *statement) {
	b.add("id")
	for _, column := range s {
		b.add(", " + column.name)
	}
}

func (s listSelection) read(stmt *sqlite.Stmt, list *model.List) {
	list.ID = columnID(stmt, 0)
	for i, column := range s {
		column.read(stmt, i+1, list)
	}
}

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
func (s *Store) Lists(ctx context.Context, user model.UserID, query store.ListQuery) (store.ListPage, error) {
	var page store.ListPage
	if err := rows.Text(query.Search); err != nil {
		return page, err
	}
	search := fold.Text(query.Search)
	moment := inOneMoment(query.Total || query.Columns.Has(store.ListItems))
	err := s.reading(ctx, moment, func(q *session) error {
		if query.Page != nil {
			if err := readListPage(q, user, search, &query, &page); err != nil {
				return err
			}
		}
		if query.Total {
			var b statement
			b.add("SELECT count(*) FROM lists WHERE user_id = ?", userArg(user))
			if search != "" {
				contains(&b, search, "name_key")
			}
			return q.read(&b, func(stmt *sqlite.Stmt) error { page.Total = stmt.ColumnInt(0); return nil })
		}
		return nil
	})
	if err != nil {
		return store.ListPage{}, wrap("lists", err)
	}
	return page, nil
}

// readListPage reads the rows of a page and one more, which tells whether there are more.
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

	selection := selectList(query.Columns)
	var b statement
	b.add("SELECT ")
	selection.write(&b)
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

	type row struct {
		list  model.List
		place store.ListPlace
	}
	var read []row
	err := q.read(&b, func(stmt *sqlite.Stmt) error {
		var r row
		selection.read(stmt, &r.list)
		r.place.ID = r.list.ID
		switch query.Order.Field {
		case model.ListOrderUpdatedAt:
			r.place.At = columnTime(stmt, 1+len(selection))
		case model.ListOrderName:
			r.place.Name = stmt.ColumnText(1 + len(selection))
		}
		read = append(read, r)
		return nil
	})
	if err != nil {
		return err
	}
	read, page.HasNext, page.HasPrevious = rows.Page(read, limit,
		rows.Edges{Backward: window.Backward, After: window.After != nil, Before: window.Before != nil})
	page.Lists, page.Places = make([]model.List, len(read)), make([]store.ListPlace, len(read))
	for i := range read {
		page.Lists[i], page.Places[i] = read[i].list, read[i].place
	}
	return readItems(q, user, page.Lists, query.Columns)
}

// ListsByID: see store.ListReader.
func (s *Store) ListsByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.ListColumns) ([]model.List, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	var lists []model.List
	moment := inOneMoment(want.Has(store.ListItems) || len(ids) > maxIDs)
	err := s.reading(ctx, moment, func(q *session) error {
		selection := selectList(want)
		for some := range slices.Chunk(ids, maxIDs) {
			var b statement
			b.add("SELECT ")
			selection.write(&b)
			b.add(" FROM lists WHERE user_id = ? AND ", userArg(user))
			b.in("id", some)
			if err := q.read(&b, func(stmt *sqlite.Stmt) error {
				lists = append(lists, model.List{})
				selection.read(stmt, &lists[len(lists)-1])
				return nil
			}); err != nil {
				return err
			}
		}
		return readItems(q, user, lists, want)
	})
	if err != nil {
		return nil, wrap("lists by id", err)
	}
	return lists, nil
}

// ListNames: see store.ListReader.
func (s *Store) ListNames(ctx context.Context, user model.UserID) ([]model.List, error) {
	var lists []model.List
	err := s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(`SELECT id, name FROM lists NOT INDEXED WHERE user_id = ? ORDER BY id DESC LIMIT ?`,
			func(stmt *sqlite.Stmt) error {
				lists = append(lists, model.List{ID: columnID(stmt, 0), Name: stmt.ColumnText(1)})
				return nil
			}, userArg(user), intArg(model.MaxLists))
	})
	if err != nil {
		return nil, wrap("names of lists", err)
	}
	return lists, nil
}

// ListByName: see store.ListReader.
func (s *Store) ListByName(ctx context.Context, user model.UserID, name string,
	want store.ListColumns) (model.List, error) {
	if err := rows.Text(name); err != nil {
		return model.List{}, err
	}
	var lists []model.List
	err := s.reading(ctx, inOneMoment(want.Has(store.ListItems)), func(q *session) error {
		selection := selectList(want)
		var b statement
		b.add("SELECT ")
		selection.write(&b)
		b.add(" FROM lists INDEXED BY lists_name WHERE user_id = ? AND name_key = ?", userArg(user), textArg(fold.Text(name)))
		if err := q.read(&b, func(stmt *sqlite.Stmt) error {
			lists = append(lists, model.List{})
			selection.read(stmt, &lists[0])
			return nil
		}); err != nil {
			return err
		}
		return readItems(q, user, lists, want)
	})
	if err == nil && len(lists) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return model.List{}, wrap("list by name", err)
	}
	return lists[0], nil
}

const itemColumns = "SELECT list_id, id, position, text, checked, added_at FROM list_items"

func readItem(stmt *sqlite.Stmt) model.ListItem {
	return model.ListItem{
		ListID: columnID(stmt, 0), ID: columnID(stmt, 1), Position: stmt.ColumnInt64(2), Text: stmt.ColumnText(3),
		Checked: stmt.ColumnBool(4), AddedAt: columnTime(stmt, 5),
	}
}

// ListItemsByID: see store.ListReader.
func (s *Store) ListItemsByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.ListItem, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	var items []model.ListItem
	err := s.reading(ctx, inOneMoment(len(ids) > maxIDs), func(q *session) error {
		for some := range slices.Chunk(ids, maxIDs) {
			var b statement
			b.add(itemColumns+" INDEXED BY list_items_id WHERE user_id = ? AND ", userArg(user))
			b.in("id", some)
			if err := q.read(&b,
				func(stmt *sqlite.Stmt) error { items = append(items, readItem(stmt)); return nil }); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, wrap("list items by id", err)
	}
	return items, nil
}

// readItems fills the items of lists.
func readItems(q *session, user model.UserID, lists []model.List, want store.ListColumns) error {
	if len(lists) == 0 || !want.Has(store.ListItems) {
		return nil
	}
	at := make(map[model.UUID]*model.List, len(lists))
	ids := make([]model.UUID, len(lists))
	for i := range lists {
		at[lists[i].ID], ids[i] = &lists[i], lists[i].ID
	}
	for some := range slices.Chunk(ids, maxIDs) {
		var b statement
		b.add(itemColumns+" NOT INDEXED WHERE user_id = ? AND ", userArg(user))
		b.in("list_id", some)
		b.add(" ORDER BY list_id, position, id")
		if err := q.read(&b, func(stmt *sqlite.Stmt) error {
			item := readItem(stmt)
			list := at[item.ListID]
			list.Items = append(list.Items, item)
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}
