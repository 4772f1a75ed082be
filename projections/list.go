package projections

import "almanac/graph/model"

// List is a list as seen at a moment.
type List struct {
	noun model.List
	at   *Moment
}

// ListAt gives the list's view.
func ListAt(noun model.List, at *Moment) List { return List{noun: noun, at: at} }

// ListsAt gives the lists' views; never nil.
func ListsAt(nouns []model.List, at *Moment) []List {
	views := make([]List, len(nouns))
	for i := range nouns {
		views[i] = List{noun: nouns[i], at: at}
	}
	return views
}

// IsNode marks a list as a Node.
func (List) IsNode() {}

// Noun is the list itself.
func (l List) Noun() model.List { return l.noun }

// ID is the public id.
func (l List) ID() model.ID { return model.ID{Kind: model.KindList, UUID: l.noun.ID} }

// Name is the name.
func (l List) Name() string { return l.noun.Name }

// IsChecklist tells whether its items can be ticked.
func (l List) IsChecklist() bool { return l.noun.IsChecklist }

// Items are its items in their order.
func (l List) Items() []ListItem { return ItemsAt(l.noun.Items, l.at) }

// CreatedAt is when it was added.
func (l List) CreatedAt() model.DateTime { return l.at.DateTime(l.noun.CreatedAt) }

// UpdatedAt is when it or its items were last changed.
func (l List) UpdatedAt() model.DateTime { return l.at.DateTime(l.noun.UpdatedAt) }

// ListItem is one line of a list as seen at a moment.
type ListItem struct {
	noun model.ListItem
	at   *Moment
}

// ItemAt gives the item's view.
func ItemAt(noun model.ListItem, at *Moment) ListItem { return ListItem{noun: noun, at: at} }

// ItemsAt gives the items' views; never nil.
func ItemsAt(nouns []model.ListItem, at *Moment) []ListItem {
	views := make([]ListItem, len(nouns))
	for i, noun := range nouns {
		views[i] = ItemAt(noun, at)
	}
	return views
}

// IsNode marks an item as a Node.
func (ListItem) IsNode() {}

// ID is the public id.
func (i ListItem) ID() model.ID { return model.ID{Kind: model.KindListItem, UUID: i.noun.ID} }

// Text is what it says.
func (i ListItem) Text() string { return i.noun.Text }

// Checked tells whether it is ticked.
func (i ListItem) Checked() bool { return i.noun.Checked }

// AddedAt is when it was added.
func (i ListItem) AddedAt() model.DateTime { return i.at.DateTime(i.noun.AddedAt) }

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
	IsListing bool
	IsEmpty   bool
}
