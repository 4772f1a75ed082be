package projections

import (
	"almanac/graph/model"
	"almanac/projections/compact"
)

// List is a list as seen at a moment.
type List struct{ node[model.List] }

// ListAt returns the list's view.
func ListAt(record model.List, at *Moment) List { return List{nodeAt(record, at)} }

// ListsAt returns the lists' views; never nil.
func ListsAt(records []model.List, at *Moment) []List {
	return viewsOf(records, at, ListAt)
}

// ID is the public id.
func (l List) ID() model.ID { return model.ID{Kind: model.KindList, UUID: l.record.ID} }

// Name is the name.
func (l List) Name() string { return l.record.Name }

// IsChecklist reports whether its items can be ticked.
func (l List) IsChecklist() bool { return l.record.IsChecklist }

// Items are its items in their order.
func (l List) Items() []ListItem { return ItemsAt(l.record.Items, l.at) }

// CreatedAt is when it was added.
func (l List) CreatedAt() model.DateTime { return l.at.DateTime(l.record.CreatedAt) }

// UpdatedAt is when it or its items were last changed.
func (l List) UpdatedAt() model.DateTime { return l.at.DateTime(l.record.UpdatedAt) }

// Row is the list for compact text.
func (l List) Row() compact.List {
	row := compact.List{ID: l.ID().String(), Name: l.record.Name, IsChecklist: l.record.IsChecklist,
		Items: make([]compact.ListItem, len(l.record.Items))}
	for i, item := range l.record.Items {
		row.Items[i] = ItemAt(item, l.at).Row().ListItem
	}
	return row
}

// ListItem is one line of a list as seen at a moment.
type ListItem struct{ node[model.ListItem] }

// ItemAt returns the item's view.
func ItemAt(record model.ListItem, at *Moment) ListItem { return ListItem{nodeAt(record, at)} }

// ItemsAt returns the items' views; never nil.
func ItemsAt(records []model.ListItem, at *Moment) []ListItem {
	return viewsOf(records, at, ItemAt)
}

// ID is the public id.
func (i ListItem) ID() model.ID { return model.ID{Kind: model.KindListItem, UUID: i.record.ID} }

// Text is what it says.
func (i ListItem) Text() string { return i.record.Text }

// Checked reports whether it is ticked.
func (i ListItem) Checked() bool { return i.record.Checked }

// AddedAt is when it was added.
func (i ListItem) AddedAt() model.DateTime { return i.at.DateTime(i.record.AddedAt) }

// Row is the item for compact text.
func (i ListItem) Row() compact.Item {
	return compact.Item{ListItem: compact.ListItem{ID: i.ID().String(), Text: i.record.Text, Checked: i.record.Checked}}
}

// ListEdge is a list in a page.
type ListEdge = Edge[List]

// ListConnection is a page of lists.
type ListConnection struct {
	Page[List]
}

// Context is the response context of a listing.
func (c *ListConnection) Context() ListContext {
	return ListContext{IsListing: true, IsEmpty: c.IsEmpty()}
}

// ListContext is the response context of the seed, for lists.
type ListContext struct {
	answered
	IsListing bool
	IsEmpty   bool
}
