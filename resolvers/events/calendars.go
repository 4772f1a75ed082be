package events

import (
	"context"
	"slices"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// LoadCalendars reads the calendars of the accounts that the ids lead to, each account once.
func (r *Resolver) LoadCalendars(ctx context.Context, v *core.Viewer, ids []model.ID,
	found map[model.ID]model.Node) error {
	all, err := r.Connections(ctx, v)
	if err != nil {
		return err
	}
	for _, account := range all {
		leads := func(id model.ID) bool {
			ref, err := model.CalendarRefOf(id)
			return err == nil && ref.Connection == account.Number
		}
		if !slices.ContainsFunc(ids, leads) {
			continue
		}
		if err := r.Usable(v, account); err != nil {
			core.AddError(ctx, err)
			continue
		}
		calendars, err := r.CalendarReader.Calendars(ctx, account)
		if err != nil {
			core.AddError(ctx, err)
			continue
		}
		for _, noun := range calendars {
			if view := projections.CalendarOf(noun); slices.Contains(ids, view.ID()) {
				found[view.ID()] = view
			}
		}
	}
	return nil
}
