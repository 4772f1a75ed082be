package store

import "almanac/graph/model"

// ActionColumns says what of an action is wanted beside what is always read.
type ActionColumns uint32

// ActionInverse asks for what undoing needs.
const ActionInverse ActionColumns = 1

// ActionTable has the columns of actions.
var ActionTable = Table[model.Action, ActionColumns]{Name: "actions", Columns: []Column[model.Action, ActionColumns]{
	{Name: "id", Field: func(a *model.Action) any { return &a.ID }},
	{Name: "at", Once: true, Field: func(a *model.Action) any { return &a.At }},
	{Name: "kind", Once: true, Field: func(a *model.Action) any { return &a.Kind }},
	{Name: "source", Once: true, Field: func(a *model.Action) any { return (*string)(&a.Source) }},
	{Name: "token", Once: true, Field: func(a *model.Action) any { return &a.Token }},
	{Name: "client", Once: true, Field: func(a *model.Action) any { return &a.Client }},
	{Name: "summary", Field: func(a *model.Action) any { return &a.Summary }},
	{Name: "touched", Kind: Words, Field: func(a *model.Action) any { return &a.Touched }},
	{Name: "undo_until", Kind: Optional, Field: func(a *model.Action) any { return &a.UndoUntil }},
	{Name: "undone_by", Kind: Optional, Field: func(a *model.Action) any { return &a.UndoneBy }},
	{Name: "undoes", Kind: Optional, Once: true, Field: func(a *model.Action) any { return &a.Undoes }},
	{Name: "forget_at", Once: true, Field: func(a *model.Action) any { return &a.ForgetAt }},
	{Name: "inverse", Want: ActionInverse, Kind: Optional, Field: func(a *model.Action) any { return &a.Inverse }},
}}
