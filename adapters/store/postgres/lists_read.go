package postgres

import (
	"context"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
)

// Lists returns one page and whatever else the query wants; see the contract. One statement where one will do, else one
// batch.
func (d reader) Lists(ctx context.Context, user model.UserID, query store.ListQuery) (store.ListPage, error) {
	texts := []string{query.Search}
	if window := query.Page; window != nil {
		for _, place := range [...]*store.ListPlace{window.After, window.Before} {
			if place != nil {
				texts = append(texts, place.Name)
			}
		}
	}
	if err := rows.Text(texts...); err != nil {
		return store.ListPage{}, err
	}
	var (
		page  store.ListPage
		read  *rows.Reading[model.List, store.ListPlace]
		b     = newBatch()
		order = listOrder(query.Order)
		key   = fold.Text(query.Search)
	)
	if query.Page != nil {
		read = queueListPage(b, user, key, order, query)
	}
	if query.Total {
		q := newQuery(userArg(user))
		q.add("SELECT count(*) FROM lists AS t")
		writeListWhere(q, key)
		q.count(b, &page.Total)
	}
	if len(b.statements) == 0 {
		return page, nil
	}
	if err := d.run(ctx, "read lists", b); err != nil {
		return store.ListPage{}, err
	}
	if query.Page != nil {
		page.HasNext, page.HasPrevious = read.Cut(query.Page)
		page.Lists, page.Places = read.Records, read.Places
	}
	return page, nil
}

func listOrder(order model.ListOrder) ordering {
	o := ordering{descending: order.Direction == model.Descending}
	switch order.Field {
	case model.ListOrderUpdatedAt:
		o.column = "updated_at"
	case model.ListOrderName:
		o.column = "name_key"
	case model.ListOrderCreatedAt: // ids are in that order
	}
	return o
}

func listPlaceKey(o ordering, place *store.ListPlace) any {
	if o.column == "updated_at" {
		return timeArg(place.At)
	}
	return place.Name
}

func writeListWhere(q *query, key string) {
	q.add(" WHERE t.user_id = $1")
	if key != "" {
		q.add(" AND strpos(t.name_key, ", q.param(key), ") > 0")
	}
}

// listShape is what is read of a list, in order: the columns wanted, the column ordered by unless it is among them, and
// the items.
type listShape struct {
	want  store.ListColumns
	own   shape[model.List, store.ListColumns]
	order ordering
}

func shapeOfList(want store.ListColumns, order ordering) *listShape {
	return &listShape{want, store.ListTable.Read(want), order}
}

func (s *listShape) columns() []string {
	names := s.own.names()
	if s.ownKey() {
		names = append(names, s.order.column)
	}
	return names
}

// ownKey reports whether the column ordered by is read on its own.
func (s *listShape) ownKey() bool {
	return s.order.column == "name_key" || s.order.column == "updated_at" && !s.want.Has(store.ListUpdatedAt)
}

// itemColumns are read of the items beside the list's id, which is known.
var itemColumns = shape[model.ListItem, store.Whole](without(store.ListItemTable.All(), "list_id"))

var joinItems = joinedArrays("items", itemColumns.names(),
	"list_items WHERE user_id = $1 AND list_id = t.id ORDER BY position, id")

func (s *listShape) list() string {
	list := qualified(s.columns())
	if s.want.Has(store.ListItems) {
		list += ", " + itemColumns.list("items")
	}
	return list
}

func (s *listShape) joins() string {
	if s.want.Has(store.ListItems) {
		return joinItems
	}
	return ""
}

// read takes one row apart into an empty list and, unless it is nil, its place.
func (s *listShape) read(r *row, list *model.List, place *store.ListPlace) {
	s.own.read(r, list)
	if place != nil {
		place.ID = list.ID
		switch {
		case s.order.column == "name_key":
			place.Name = r.text()
		case s.ownKey():
			place.At = r.time()
		case s.order.column == "updated_at":
			place.At = list.UpdatedAt
		}
	}
	if s.want.Has(store.ListItems) {
		list.Items = together(r, itemColumns, func(item *model.ListItem) { item.ListID = list.ID })
	}
}

// readList is read without a place.
func (s *listShape) readList(r *row, list *model.List) { s.read(r, list, nil) }

// queueListPage adds the statement that reads the page, and one row more to know whether there are more.
func queueListPage(b *batch, user model.UserID, key string, order ordering,
	question store.ListQuery) *rows.Reading[model.List, store.ListPlace] {
	window := question.Page
	shape := shapeOfList(question.Columns, order)
	q := newQuery(userArg(user))
	q.add("SELECT ", shape.list(), " FROM (SELECT ", qualified(shape.columns()), " FROM lists AS t")
	writeListWhere(q, key)
	if window.After != nil {
		q.add(" AND ", order.beyond(q, true, listPlaceKey(order, window.After), uuidArg(window.After.ID)))
	}
	if window.Before != nil {
		q.add(" AND ", order.beyond(q, false, listPlaceKey(order, window.Before), uuidArg(window.Before.ID)))
	}
	by := order.by("t", window.Backward)
	q.add(" ORDER BY ", by, q.limit(window.Limit), ") AS t", shape.joins(), " ORDER BY ", by)
	read := rows.NewReading[model.List, store.ListPlace](window.Limit)
	q.into(b, func(r *row) {
		list, place := read.Next()
		shape.read(r, list, place)
	})
	return read
}

// ListsByID returns the lists that exist among ids.
func (d reader) ListsByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.ListColumns) ([]model.List, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, nil
	}
	shape := shapeOfList(want, ordering{})
	q := newQuery(userArg(user))
	q.add("SELECT ", shape.list(), " FROM lists AS t", shape.joins(), " WHERE t.user_id = $1 AND ", oneOf(q, ids))
	return records(ctx, d, "read lists by id", q, len(ids), shape.readList)
}

const sqlListNames = `SELECT id, name FROM lists WHERE user_id = $1 ORDER BY id DESC LIMIT $2`

// ListNames returns what matching by name needs, newest first.
func (d reader) ListNames(ctx context.Context, user model.UserID) ([]model.List, error) {
	var lists []model.List
	b := newBatch()
	b.query(sqlListNames, func(r *row) { lists = append(lists, model.List{ID: r.uuid(), Name: r.text()}) }, userArg(user),
		int64(model.MaxLists))
	if err := d.run(ctx, "read the names of lists", b); err != nil {
		return nil, err
	}
	return lists, nil
}

// ListByName returns the list of that name.
func (d reader) ListByName(ctx context.Context, user model.UserID, name string,
	want store.ListColumns) (model.List, error) {
	if err := rows.Text(name); err != nil {
		return model.List{}, err
	}
	shape := shapeOfList(want, ordering{})
	q := newQuery(userArg(user))
	q.add("SELECT ", shape.list(), " FROM lists AS t", shape.joins(), " WHERE t.user_id = $1 AND t.name_key = ",
		q.param(fold.Text(name)))
	return theOne(records(ctx, d, "read a list by its name", q, 1, shape.readList))
}

// ListItemsByID returns the items that exist among ids.
func (d reader) ListItemsByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.ListItem, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, nil
	}
	columns := shape[model.ListItem, store.Whole](store.ListItemTable.All())
	q := newQuery(userArg(user))
	q.add("SELECT ", columns.list("t"), " FROM list_items AS t WHERE t.user_id = $1 AND ", oneOf(q, ids))
	return records(ctx, d, "read list items by id", q, len(ids), columns.read)
}
