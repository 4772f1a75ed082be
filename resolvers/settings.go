package resolvers

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// updateSettings changes the stored settings; the overrides of the request do not matter here.
func (r *Resolver) updateSettings(ctx context.Context,
	in graph.UpdateSettingsInput) (*graph.UpdateSettingsPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateSettingsPayload{UserErrors: []model.UserError{}}
	if err := checkSettings(in); err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		user, err := r.Store.User(ctx, v.User)
		if err != nil {
			return err
		}
		settings := user.Settings
		if in.TimeZone != nil {
			settings.TimeZone = *in.TimeZone
		}
		if in.Locale != nil {
			settings.Locale, _ = when.ParseLocale(*in.Locale)
		}
		if in.WeekStart != nil {
			settings.WeekStart = *in.WeekStart
		}
		out.Settings = &settings
		return tx.SaveSettings(ctx, settings)
	})
	if err != nil {
		return nil, err
	}
	r.Settings.Forget(v.User)
	return out, nil
}

func checkSettings(in graph.UpdateSettingsInput) error {
	if in.TimeZone != nil {
		if _, err := when.LoadZone(*in.TimeZone); err != nil {
			return core.Below(core.WithoutField(err), "input.timeZone")
		}
	}
	if in.Locale != nil {
		if _, known := when.ParseLocale(*in.Locale); !known {
			return model.BadInput("input.locale", "locale %q is not served; use en or he", model.Clip(*in.Locale))
		}
	}
	return nil
}
