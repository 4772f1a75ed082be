package postgres

import (
	"context"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
	"almanac/projections/fold"
)

// Lists gives one page and whatever else the query wants; see the contract. One statement where one will do, else one
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
		read  []placedList
		b     = newBatch()
		order = listOrder(query.Order)
		key   = fold.Text(query.Search)
	)
	if query.Page != nil {
		queueListPage(b, user, key, order, query, &read)
	}
	if query.Total {
		q := newQuery(userArg(user))
		q.add("SELECT count(*) FROM lists AS t")
		writeListWhere(q, key)
		q.into(b, func(r *row) { page.Total = int(r.int64()) })
	}
	if len(b.statements) == 0 {
		return page, nil
	}
	if err := d.run(ctx, "read lists", b); err != nil {
		return store.ListPage{}, err
	}
	if query.Page != nil {
		var cut []placedList
		cut, page.HasNext, page.HasPrevious = rows.Page(read, query.Page.Limit, rows.Edges{
			Backward: query.Page.Backward, After: query.Page.After != nil, Before: query.Page.Before != nil,
		})
		page.Lists, page.Places = make([]model.List, len(cut)), make([]store.ListPlace, len(cut))
		for i := range cut {
			page.Lists[i], page.Places[i] = cut[i].list, cut[i].place
		}
	}
	return page, nil
}

// placedList is a list with its place.
type placedList struct {
	list  model.List
	place store.ListPlace
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

// listShape is what is read of a list, in order: the id, the columns wanted, the column ordered by unless it is among
// them, and the items.
type listShape struct {
	want  store.ListColumns
	order ordering
}

var listColumns = [...]struct {
	flag store.ListColumns
	name string
}{
	{store.ListName, "name"},
	{store.ListIsChecklist, "is_checklist"},
	{store.ListCreatedAt, "created_at"},
	{store.ListUpdatedAt, "updated_at"},
}

func (s listShape) columns() []string {
	names := make([]string, 1, len(listColumns)+2)
	names[0] = "id"
	for _, column := range listColumns {
		if s.want.Has(column.flag) {
			names = append(names, column.name)
		}
	}
	if s.ownKey() {
		names = append(names, s.order.column)
	}
	return names
}

// ownKey tells whether the column ordered by is read on its own.
func (s listShape) ownKey() bool {
	return s.order.column == "name_key" || s.order.column == "updated_at" && !s.want.Has(store.ListUpdatedAt)
}

const joinItems = ` LEFT JOIN LATERAL (SELECT array_agg(i.id) AS ids, array_agg(i.position) AS positions, array_agg(i.text) AS texts,
array_agg(i.checked) AS flags, array_agg(i.added_at) AS times
FROM (SELECT id, position, text, checked, added_at FROM list_items WHERE user_id = $1 AND list_id = t.id ORDER BY position, id) AS i) AS items ON true`

func (s listShape) list() string {
	list := qualified(s.columns())
	if s.want.Has(store.ListItems) {
		list += ", items.ids, items.positions, items.texts, items.flags, items.times"
	}
	return list
}

func (s listShape) joins() string {
	if s.want.Has(store.ListItems) {
		return joinItems
	}
	return ""
}

// read takes one row apart.
func (s listShape) read(r *row) (found placedList) {
	list, place := &found.list, &found.place
	list.ID = r.uuid()
	place.ID = list.ID
	if s.want.Has(store.ListName) {
		list.Name = r.text()
	}
	if s.want.Has(store.ListIsChecklist) {
		list.IsChecklist = r.bool()
	}
	if s.want.Has(store.ListCreatedAt) {
		list.CreatedAt = r.time()
	}
	if s.want.Has(store.ListUpdatedAt) {
		list.UpdatedAt = r.time()
	}
	switch {
	case s.order.column == "name_key":
		place.Name = r.text()
	case s.ownKey():
		place.At = r.time()
	case s.order.column == "updated_at":
		place.At = list.UpdatedAt
	}
	if s.want.Has(store.ListItems) {
		list.Items = r.items(list.ID)
	}
	return found
}

func (r *row) items(list model.UUID) []model.ListItem {
	ids, positions, texts, flags, times := r.array(), r.array(), r.array(), r.array(), r.array()
	if ids.left == 0 {
		return nil
	}
	items := make([]model.ListItem, ids.left)
	for i := range items {
		items[i] = model.ListItem{
			ID: uuidOf(ids.element()), ListID: list, Position: int64Of(positions.element()), Text: string(texts.element()),
			Checked: isTrue(flags.element()), AddedAt: timeOf(times.element()),
		}
	}
	return items
}

// queueListPage adds the statement that reads the page, and one row more to know whether there are more.
func queueListPage(b *batch, user model.UserID, key string, order ordering, question store.ListQuery,
	read *[]placedList) {
	window := question.Page
	shape := listShape{want: question.Columns, order: order}
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
	q.into(b, func(r *row) { *read = append(*read, shape.read(r)) })
}

// ListsByID gives the lists that exist among ids.
func (d reader) ListsByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.ListColumns) ([]model.List, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, nil
	}
	shape := listShape{want: want}
	q := newQuery(userArg(user))
	q.add("SELECT ", shape.list(), " FROM lists AS t", shape.joins(), " WHERE t.user_id = $1 AND ", oneOf(q, "t.id", ids))
	return d.lists(ctx, "read lists by id", q, shape)
}

func (d reader) lists(ctx context.Context, what string, q *query, shape listShape) ([]model.List, error) {
	var lists []model.List
	b := newBatch()
	q.into(b, func(r *row) { lists = append(lists, shape.read(r).list) })
	if err := d.run(ctx, what, b); err != nil {
		return nil, err
	}
	return lists, nil
}

const sqlListNames = `SELECT id, name FROM lists WHERE user_id = $1 ORDER BY id DESC LIMIT $2`

// ListNames gives what matching by name needs, newest first.
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

// ListByName gives the list of that name.
func (d reader) ListByName(ctx context.Context, user model.UserID, name string,
	want store.ListColumns) (model.List, error) {
	if err := rows.Text(name); err != nil {
		return model.List{}, err
	}
	shape := listShape{want: want}
	q := newQuery(userArg(user))
	q.add("SELECT ", shape.list(), " FROM lists AS t", shape.joins(), " WHERE t.user_id = $1 AND t.name_key = ",
		q.param(fold.Text(name)))
	lists, err := d.lists(ctx, "read a list by its name", q, shape)
	if err != nil {
		return model.List{}, err
	}
	if len(lists) == 0 {
		return model.List{}, store.ErrNotFound
	}
	return lists[0], nil
}

// ListItemsByID gives the items that exist among ids.
func (d reader) ListItemsByID(ctx context.Context, user model.UserID, ids []model.UUID) ([]model.ListItem, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, nil
	}
	q := newQuery(userArg(user))
	q.add("SELECT id, list_id, position, text, checked, added_at FROM list_items WHERE user_id = $1 AND ",
		oneOf(q, "id", ids))
	items := make([]model.ListItem, 0, min(len(ids), 256))
	b := newBatch()
	q.into(b, func(r *row) {
		items = append(items, model.ListItem{ID: r.uuid(), ListID: r.uuid(), Position: r.int64(), Text: r.text(),
			Checked: r.bool(), AddedAt: r.time()})
	})
	if err := d.run(ctx, "read list items by id", b); err != nil {
		return nil, err
	}
	return items, nil
}
