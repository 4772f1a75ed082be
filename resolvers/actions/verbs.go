package actions

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// lately is how many of the newest actions are looked at for the last one that can be undone.
const lately = 20

// Last returns the newest action that can be undone and is no undoing itself; false when there is none.
func (r *Resolver) Last(ctx context.Context, v *core.Viewer) (model.Action, bool, error) {
	undoable := true
	found, err := r.Store.Actions(ctx, v.User, store.ActionWhere{Now: v.Now, Undoable: &undoable}, model.UUID{}, lately)
	if err != nil {
		return model.Action{}, false, err
	}
	for _, action := range found {
		if action.Undoes == (model.UUID{}) && action.UndoneBy == (model.UUID{}) {
			return action, true, nil
		}
	}
	return model.Action{}, false, nil
}
