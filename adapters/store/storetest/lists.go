package storetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/fold"
)

func testLists(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("insert and read back", func(t *testing.T) { listRoundTrip(h.in(t)) })
	t.Run("names are unique, folded", func(t *testing.T) { listNames(h.in(t)) })
	t.Run("update", func(t *testing.T) { listUpdate(h.in(t)) })
	t.Run("delete", func(t *testing.T) { listDelete(h.in(t)) })
	t.Run("items", func(t *testing.T) { listItems(h.in(t)) })
	t.Run("walking in every order", func(t *testing.T) { listWalk(h.in(t)) })
}

func listRoundTrip(h *fixture) {
	list := h.list("Groceries  קניות", "milk", "לֶחֶם", "eggs 🥚")
	list.CreatedAt = time.Date(2026, 1, 2, 3, 4, 5, 678_901_234, time.FixedZone("east", 7200))
	list.Items[1].Checked = true
	// Items come by position, whatever their ids.
	list.Items[0].Position, list.Items[1].Position, list.Items[2].Position = 30, -10, 20
	head := h.head()
	h.addList(list)
	want := list
	want.CreatedAt = list.CreatedAt.UTC().Truncate(h.Facts().TimePrecision)
	want.Items = []model.ListItem{list.Items[1], list.Items[2], list.Items[0]}
	got, _ := h.listByID(list.ID)
	h.same("list", got, want)
	h.same("log", h.log(head), lines(model.OperationCreated, list.ID))
	items := must(h, func() ([]model.ListItem, error) {
		return h.ListItemsByID(h.ctx, h.user,
			[]model.UUID{list.Items[0].ID, h.ids.next(), list.Items[2].ID, list.Items[0].ID})
	})
	slices.SortFunc(items, func(a, b model.ListItem) int { return compareIDs(a.ID, b.ID) })
	h.same("items by id", items, []model.ListItem{list.Items[0], list.Items[2]})
	none := must(h, func() ([]model.List, error) {
		return h.ListsByID(h.ctx, h.user, []model.UUID{h.ids.next(), list.Items[0].ID}, store.ListRow)
	})
	h.same("ids that are no lists", len(none), 0)
}

func listNames(h *fixture) {
	h = h.as("names")
	first := h.list("Shopping", "milk")
	hebrew := h.list("קְנִיּוֹת")
	h.addList(first)
	h.addList(hebrew)
	head := h.head()
	for _, name := range []string{"Shopping", "sHOPPING", "  shopping ", "קניות"} {
		second := h.list(name, "x")
		err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			err := tx.InsertList(ctx, second)
			return errors.Join(swallow(&err, store.ErrConflict), err)
		})
		if err != nil {
			h.Errorf("a second list called %q: %v", name, err)
		}
		if _, there := h.listByID(second.ID); there {
			h.Errorf("a second list called %q is there", name)
		}
	}
	h.same("log", h.log(head), []string{})
	same := first
	same.Name = "Another"
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error { return tx.InsertList(ctx, same) })
	h.fails("a taken id", err, store.ErrConflict)
	got := must(h, func() (model.List, error) {
		return h.ListByName(h.ctx, h.user, " SHOPPING", store.ListRow|store.ListItems)
	})
	h.same("by name", got, first)
	_, err = h.ListByName(h.ctx, h.user, "shop", store.ListRow)
	h.fails("part of a name", err, store.ErrNotFound)
	_, err = h.ListByName(h.ctx, h.user, "shop%", store.ListRow)
	h.fails("a wildcard", err, store.ErrNotFound)
	names := must(h, func() ([]model.List, error) { return h.ListNames(h.ctx, h.user) })
	h.same("names, newest first", names,
		[]model.List{{ID: hebrew.ID, Name: hebrew.Name}, {ID: first.ID, Name: "Shopping"}})
	// Another user may use the name.
	h.as("names of another").addList(h.list("Shopping"))
}

func listUpdate(h *fixture) {
	h = h.as("updates")
	a, b := h.list("A", "one"), h.list("B")
	h.addList(a)
	h.addList(b)
	head := h.head()
	changed := a
	changed.Name, changed.IsChecklist, changed.UpdatedAt, changed.CreatedAt, changed.Items = "a renamed", false,
		noon.Add(time.Hour), noon.Add(time.Hour), nil
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.UpdateList(ctx, changed) })
	want := a
	want.Name, want.IsChecklist, want.UpdatedAt = changed.Name, false, changed.UpdatedAt
	got, _ := h.listByID(a.ID)
	h.same("updated", got, want)
	h.same("log", h.log(head), lines(model.OperationUpdated, a.ID))
	// A list may keep its name, or only change its spelling.
	changed.Name = "A RENAMED"
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.UpdateList(ctx, changed) })
	head = h.head()
	taken := changed
	taken.Name = " b "
	h.write(func(ctx context.Context, tx store.Tx) error {
		err := tx.UpdateList(ctx, taken)
		return errors.Join(swallow(&err, store.ErrConflict), err)
	})
	err := h.Write(h.ctx, h.user,
		func(ctx context.Context, tx store.Tx) error { return tx.UpdateList(ctx, h.list("lost")) })
	h.fails("a list that is not there", err, store.ErrNotFound)
	got, _ = h.listByID(a.ID)
	h.same("after the refusals", got.Name, "A RENAMED")
	h.same("log", h.log(head), []string{})
}

func listDelete(h *fixture) {
	h = h.as("deletes")
	a, b := h.list("A", "one", "two"), h.list("B", "three")
	h.addList(a)
	h.addList(b)
	head := h.head()
	var deleted []model.UUID
	h.write(func(ctx context.Context, tx store.Tx) (err error) {
		deleted, err = tx.DeleteLists(ctx, []model.UUID{h.ids.next(), a.ID, a.ID})
		if err == nil {
			var none []model.UUID
			none, err = tx.DeleteLists(ctx, nil)
			h.same("nothing deleted", len(none), 0)
		}
		return err
	})
	h.same("deleted", deleted, []model.UUID{a.ID})
	h.same("log", h.log(head), lines(model.OperationDeleted, a.ID))
	items := must(h, func() ([]model.ListItem, error) {
		return h.ListItemsByID(h.ctx, h.user, []model.UUID{a.Items[0].ID, a.Items[1].ID, b.Items[0].ID})
	})
	h.same("items left", items, b.Items)
	again := h.list("a")
	h.addList(again) // the name is free again
}

func listItems(h *fixture) {
	h = h.as("items")
	list, other := h.list("A", "one", "two", "three"), h.list("B", "elsewhere")
	h.addList(list)
	h.addList(other)
	head := h.head()
	one, two, three := list.Items[0], list.Items[1], list.Items[2]
	one.Text, one.Checked, one.Position = "ONE", true, 99
	four := model.ListItem{ID: h.ids.next(), ListID: list.ID, Position: 1, Text: "four", AddedAt: noon.Add(time.Minute)}
	updated := noon.Add(2 * time.Hour)
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.SaveListItems(ctx, list.ID, updated, []model.ListItem{one, four}, []model.UUID{two.ID, h.ids.next()})
	})
	want := list
	want.UpdatedAt, want.Items = updated, []model.ListItem{four, three, one}
	got, _ := h.listByID(list.ID)
	h.same("saved", got, want)
	h.same("log", h.log(head), lines(model.OperationUpdated, list.ID))

	// Two items may change places.
	three.Position, one.Position = one.Position, three.Position
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.SaveListItems(ctx, list.ID, updated, []model.ListItem{one, three}, nil)
	})
	want.Items = []model.ListItem{four, one, three}
	got, _ = h.listByID(list.ID)
	h.same("changed places", got, want)

	head = h.head()
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		lost := four
		lost.ID = h.ids.next()
		return tx.SaveListItems(ctx, h.ids.next(), updated, []model.ListItem{lost}, nil)
	})
	h.fails("a list that is not there", err, store.ErrNotFound)
	h.write(func(ctx context.Context, tx store.Tx) error {
		stolen := other.Items[0]
		stolen.ListID = list.ID
		err := tx.SaveListItems(ctx, list.ID, updated.Add(time.Hour), []model.ListItem{four, stolen}, []model.UUID{one.ID})
		return errors.Join(swallow(&err, store.ErrConflict), err)
	})
	// The items of another list are not removed by this one.
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.SaveListItems(ctx, list.ID, updated, nil, []model.UUID{other.Items[0].ID})
	})
	got, _ = h.listByID(list.ID)
	h.same("after the refusals", got, want)
	got, _ = h.listByID(other.ID)
	h.same("the other list", got, other)
	h.same("log", h.log(head), lines(model.OperationUpdated, list.ID))

	// As many items as a list may have.
	many := make([]model.ListItem, model.MaxListItems)
	for i := range many {
		many[i] = model.ListItem{ID: h.ids.next(), ListID: other.ID, Position: int64(len(many) - i), Text: fmt.Sprint(i),
			AddedAt: noon}
	}
	h.write(func(ctx context.Context, tx store.Tx) error {
		return tx.SaveListItems(ctx, other.ID, updated, many, []model.UUID{other.Items[0].ID})
	})
	slices.Reverse(many)
	got, _ = h.listByID(other.ID)
	h.same("many items", got.Items, many)
}

func listWalk(h *fixture) {
	h = h.as("walk")
	random := dice(60)
	var all []model.List
	for i := range 90 {
		list := h.list(fmt.Sprintf("%s %d", pick(random, words...), i), pick(random, words...))
		list.UpdatedAt = noon.Add(time.Duration(random.IntN(20)) * time.Hour)
		all = append(all, list)
		h.addList(list)
	}
	for _, field := range []model.ListOrderField{model.ListOrderCreatedAt, model.ListOrderUpdatedAt, model.ListOrderName} {
		for _, direction := range []model.Direction{model.Ascending, model.Descending} {
			sorted := slices.Clone(all)
			slices.SortFunc(sorted, func(a, b model.List) int {
				if direction == model.Descending {
					a, b = b, a
				}
				by := 0
				switch field {
				case model.ListOrderUpdatedAt:
					by = a.UpdatedAt.Compare(b.UpdatedAt)
				case model.ListOrderName:
					by = cmp.Compare(fold.Text(a.Name), fold.Text(b.Name))
				}
				return cmp.Or(by, compareIDs(a.ID, b.ID))
			})
			for _, backward := range []bool{false, true} {
				size := 1 + random.IntN(40)
				window := store.Window[store.ListPlace]{Limit: size, Backward: backward}
				var got []model.List
				for range len(all) + 1 {
					page := must(h, func() (store.ListPage, error) {
						return h.Lists(h.ctx, h.user, store.ListQuery{Order: model.ListOrder{Field: field, Direction: direction},
							Columns: store.ListRow | store.ListItems, Page: &window, Total: true})
					})
					h.same("total", page.Total, len(all))
					more := page.HasNext
					if backward {
						got, more = append(page.Lists, got...), page.HasPrevious
						window.Before = &page.Places[0]
					} else {
						got = append(got, page.Lists...)
						window.After = &page.Places[len(page.Places)-1]
					}
					if !more {
						break
					}
				}
				h.same(fmt.Sprintf("%v %v backward=%v", field, direction, backward), listIDs(got), listIDs(sorted))
				equalLists(h, "rows", got, sorted)
			}
		}
	}
	empty := must(h, func() (store.ListPage, error) {
		return h.Lists(h.ctx, h.as("without lists").user,
			store.ListQuery{Order: model.ListOrder{Field: model.ListOrderName, Direction: model.Ascending},
				Page: &store.Window[store.ListPlace]{Limit: 5}, Total: true})
	})
	h.same("no lists", []any{len(empty.Lists), empty.Total, empty.HasNext, empty.HasPrevious}, []any{0, 0, false, false})
}
