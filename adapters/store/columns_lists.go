package store

import "almanac/graph/model"

// ListColumns says what of a list is wanted; the id always is.
type ListColumns uint32

// The columns of a list, and its items.
const (
	ListName ListColumns = 1 << iota
	ListIsChecklist
	ListCreatedAt
	ListUpdatedAt
	ListItems // relation: all items in their order

	// ListRow is the whole row without items.
	ListRow = ListItems - 1
)

// Has reports whether all of the columns given are wanted.
func (c ListColumns) Has(other ListColumns) bool { return c&other == other }

// ListTable has the columns of lists.
var ListTable = Table[model.List, ListColumns]{Name: "lists", Columns: []Column[model.List, ListColumns]{
	{Name: "id", Field: func(l *model.List) any { return &l.ID }},
	{Name: "name", Want: ListName, Asked: "name compact", Field: func(l *model.List) any { return &l.Name }},
	{Name: "name_key", Kind: Folded, Field: func(l *model.List) any { return &l.Name }},
	{Name: "is_checklist", Want: ListIsChecklist, Asked: "isChecklist compact",
		Field: func(l *model.List) any { return &l.IsChecklist }},
	{Name: "created_at", Want: ListCreatedAt, Once: true, Asked: "createdAt",
		Field: func(l *model.List) any { return &l.CreatedAt }},
	{Name: "updated_at", Want: ListUpdatedAt, Asked: "updatedAt",
		Field: func(l *model.List) any { return &l.UpdatedAt }},
	{Name: "list_items", Want: ListItems, Kind: Relation, Asked: "items compact",
		Field: func(l *model.List) any { return &l.Items }},
}}

var listFields = ListTable.asked()

// ListColumnsFor returns what a GraphQL field of a list needs, or its compact text; 0 for nothing
// but the id.
func ListColumnsFor(field string) ListColumns { return listFields[field] }

// ListItemTable has the columns of the items of lists.
var ListItemTable = Table[model.ListItem, Whole]{Name: "list_items", Columns: []Column[model.ListItem, Whole]{
	{Name: "id", Field: func(i *model.ListItem) any { return &i.ID }},
	{Name: "list_id", Once: true, Field: func(i *model.ListItem) any { return &i.ListID }},
	{Name: "position", Field: func(i *model.ListItem) any { return &i.Position }},
	{Name: "text", Field: func(i *model.ListItem) any { return &i.Text }},
	{Name: "checked", Field: func(i *model.ListItem) any { return &i.Checked }},
	{Name: "added_at", Field: func(i *model.ListItem) any { return &i.AddedAt }},
}}
