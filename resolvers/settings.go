package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
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
	chosen, err := r.chosenCalendar(ctx, v, in.DefaultCalendar)
	if err != nil {
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
		if chosen != nil {
			settings.DefaultCalendar = *chosen
		}
		out.Settings = &settings
		return tx.SaveSettings(ctx, settings)
	})
	if err != nil {
		return nil, err
	}
	r.Settings.Forget(v.User)
	if !dryrun.Is(ctx) { // what the same request adds after this goes there; zone and language are those of its beginning
		v.DefaultCalendar = out.Settings.DefaultCalendar
	}
	return out, nil
}

// chosenCalendar reads the default calendar: nil leaves it as it is, the empty text is none. NOT_FOUND, BAD_USER_INPUT,
// and what Google says where a calendar of a linked account is not its primary one.
func (r *Resolver) chosenCalendar(ctx context.Context, v *core.Viewer,
	said graphql.Omittable[*string]) (*string, error) {
	text := said.Value()
	switch {
	case !said.IsSet():
		return nil, nil //nolint:nilnil // nothing was said, and nothing is wrong
	case text == nil:
		return new(string), nil
	}
	ref, err := r.events.CalendarFor(ctx, v, "input.defaultCalendar", *text)
	if err != nil {
		return nil, err
	}
	id := ref.ID().String()
	return &id, nil
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
