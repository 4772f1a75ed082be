package projections

import (
	"almanac/graph/model"
	"almanac/projections/compact"
	"almanac/projections/summary"
)

// Action is what a mutation has done, as seen at a moment.
type Action struct{ node[model.Action] }

// ActionAt returns the action's view.
func ActionAt(record model.Action, at *Moment) Action { return Action{nodeAt(record, at)} }

// ActionsAt returns the actions' views; never nil.
func ActionsAt(records []model.Action, at *Moment) []Action { return viewsOf(records, at, ActionAt) }

// ID is the public id.
func (a Action) ID() model.ID { return model.ID{Kind: model.KindAction, UUID: a.record.ID} }

// Kind is the mutation's name.
func (a Action) Kind() string { return a.record.Kind }

// At is when it was done.
func (a Action) At() model.DateTime { return a.at.DateTime(a.record.At) }

// Via is the way in which the mutation came.
func (a Action) Via() model.ActionSource { return a.record.Source }

// Token is the name of the API token, nil for none.
func (a Action) Token() *string { return optional(a.record.Token) }

// Client is what the client calls itself, nil for nothing.
func (a Action) Client() *string { return optional(a.record.Client) }

// Summary says what was done to what.
func (a Action) Summary() string {
	if a.record.Summary == "" {
		return summary.Erased(a.at.Locale)
	}
	return a.record.Summary
}

// Touched are the ids of the records concerned; never nil.
func (a Action) Touched() []string { return present(a.record.Touched) }

// Undoable reports whether it can be undone now.
func (a Action) Undoable() bool { return a.record.Undoable(a.at.Now) }

// UndoUntil is until when it can be undone, nil when it cannot.
func (a Action) UndoUntil() model.OptionalDateTime { return a.at.OptionalDateTime(a.record.UndoUntil) }

// Undone reports whether it was undone.
func (a Action) Undone() bool { return a.record.UndoneBy != (model.UUID{}) }

// ActionEdge is an action in a page.
type ActionEdge = Edge[Action]

// ActionConnection is a page of actions.
type ActionConnection struct{ Page[Action] }

// Row is the action for compact text.
func (a Action) Row() compact.Action {
	return compact.Action{ID: a.ID().String(), Kind: a.record.Kind, Summary: a.Summary(),
		At:       rowTime(a.at.OptionalDateTime(a.record.At)),
		Undoable: a.Undoable(), Undone: a.Undone()}
}
