package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/resolvers/memories"
)

// How a list stands in an export, and how it is read and written again.

type exportedList struct {
	ID          string         `json:"id"`
	Name        string         `json:"name"`
	IsChecklist bool           `json:"isChecklist"`
	Items       []exportedItem `json:"items"`
	CreatedAt   time.Time      `json:"createdAt"`
	UpdatedAt   time.Time      `json:"updatedAt"`
}

type exportedItem struct {
	ID      string    `json:"id"`
	Text    string    `json:"text"`
	Checked bool      `json:"checked"`
	AddedAt time.Time `json:"addedAt"`
}

func listOut(list model.List) exportedList {
	out := exportedList{
		ID: publicID(model.KindList, list.ID), Name: list.Name, IsChecklist: list.IsChecklist, Items: []exportedItem{},
		CreatedAt: list.CreatedAt, UpdatedAt: list.UpdatedAt,
	}
	for _, item := range list.Items {
		out.Items = append(out.Items,
			exportedItem{publicID(model.KindListItem, item.ID), item.Text, item.Checked, item.AddedAt})
	}
	return out
}

func readList(data []byte) (list model.List, err error) {
	var in exportedList
	if err := decode(data, &in); err != nil {
		return list, err
	}
	var c checks
	list = model.List{ID: c.id(model.KindList, "id", in.ID), Name: in.Name, IsChecklist: in.IsChecklist,
		CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt}
	c.text("name", in.Name, model.MaxListName)
	c.at("createdAt", in.CreatedAt)
	c.at("updatedAt", in.UpdatedAt)
	c.most("items", len(in.Items), model.MaxListItems)
	for i, item := range in.Items {
		c.text("items.text", item.Text, model.MaxItemText)
		c.at("items.addedAt", item.AddedAt)
		list.Items = append(list.Items, model.ListItem{ID: c.id(model.KindListItem, "items.id", item.ID), ListID: list.ID,
			Position: int64(i + 1), Text: item.Text, Checked: item.Checked, AddedAt: item.AddedAt})
	}
	return list, c.err
}

func (w *intake) writeLists(ctx context.Context, tx store.Tx, lists []model.List) ([]memories.ImportedAs, error) {
	id := func(l model.List) model.UUID { return l.ID }
	return addNew(lists, id, func(ids []model.UUID) ([]model.UUID, error) {
		found, err := tx.ListsByID(ctx, w.user, ids, store.ListName)
		return idsOf(found, id, err)
	}, func(fresh []model.List) error {
		for _, list := range fresh {
			name, err := w.freeName(ctx, tx, list.Name)
			if err != nil {
				return err
			}
			if name != list.Name {
				w.note("the list %q is called %q here, since there is another of its name", list.Name, name)
				list.Name = name
			}
			if err := tx.InsertList(ctx, list); err != nil {
				return err
			}
		}
		return nil
	})
}

// freeName is a list's name, with a number behind it where another list has it.
func (w *intake) freeName(ctx context.Context, tx store.Tx, name string) (string, error) {
	free := name
	for n := 2; ; n++ {
		_, err := tx.ListByName(ctx, w.user, fold.Text(free), store.ListName)
		if errors.Is(err, store.ErrNotFound) {
			return free, nil
		}
		if err != nil {
			return "", err
		}
		free = fmt.Sprintf("%s (%d)", fold.Head(name, model.MaxListName-len(" (9999)")), n)
	}
}
