package model

import "time"

// List is a named list of items, a checklist or plain lines.
type List struct {
	ID UUID
	// Name is unique per user, compared folded (case, niqqud, spaces); 1–MaxListName characters.
	Name        string
	IsChecklist bool
	CreatedAt   time.Time
	UpdatedAt   time.Time
	// Items are in their order; filled only when asked for.
	Items []ListItem
}

// ListItem is one line of a list.
type ListItem struct {
	ID     UUID
	ListID UUID
	// Position orders the items of a list, ascending; gaps mean nothing.
	Position int64
	Text     string
	Checked  bool
	AddedAt  time.Time
}

// Limits of a list.
const (
	MaxListName  = 200
	MaxItemText  = 500
	MaxListItems = 1000
	MaxLists     = 5_000
)

// ListOrderField is what lists can be ordered by.
type ListOrderField string

// Ties are broken by id.
const (
	ListOrderCreatedAt ListOrderField = "CREATED_AT"
	ListOrderUpdatedAt ListOrderField = "UPDATED_AT"
	ListOrderName      ListOrderField = "NAME"
)

// ListOrder is the order of lists.
type ListOrder struct {
	Field     ListOrderField
	Direction Direction
}
