package icalendar

import (
	"cmp"
	"context"
	"errors"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections"
	"almanac/projections/summary"
	"almanac/resolvers/core"
)

// PublishCalendar publishes a calendar at a new secret address.
func (r *Resolver) PublishCalendar(ctx context.Context,
	in graph.PublishCalendarInput) (*graph.PublishCalendarPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.PublishCalendarPayload{UserErrors: []model.UserError{}}
	calendar, err := r.calendar(ctx, v, "input.id", &in.ID)
	if err = cmp.Or(err, writable("input.id", calendar)); err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	var secret string
	var link model.CalendarLink
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) (err error) {
		if secret, link, err = r.Files.Publish(ctx, tx, v.User, calendar.Number, in.Form); err != nil {
			return err
		}
		return r.touched(ctx, tx, calendar, func() string { return summary.Published(link.Kind, calendar.Name, v.Locale) })
	})
	if err != nil {
		return out, err
	}
	view := projections.PublishedCalendarOf(calendar, link, v.Moment)
	out.Publication = &view
	if !dryrun.Is(ctx) { // else nothing is at the address
		url := r.Links.Published(secret)
		out.URL = &url
	}
	return out, nil
}

// touched tells the change log that something about a calendar is another, and keeps what was done, as say says it, as
// an action.
func (r *Resolver) touched(ctx context.Context, tx store.Tx, calendar model.KeptCalendar, say func() string) error {
	if _, err := tx.UpdateCalendar(ctx, calendar); err != nil {
		return err
	}
	if act := core.ActFrom(ctx); act != nil {
		act.Say = say
	}
	return did(ctx, tx, calendar, false)
}

// UnpublishCalendar ends addresses of a calendar.
func (r *Resolver) UnpublishCalendar(ctx context.Context,
	in graph.UnpublishCalendarInput) (*graph.UnpublishCalendarPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UnpublishCalendarPayload{UserErrors: []model.UserError{}}
	calendar, err := r.calendar(ctx, v, "input.id", &in.ID)
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	kinds := []model.CalendarLinkKind{model.LinkFull, model.LinkBusy}
	if in.Form != nil {
		kinds = []model.CalendarLinkKind{model.CalendarLinkKind(*in.Form)}
	}
	err = r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		var ended []model.CalendarLinkKind
		for _, kind := range kinds {
			err := tx.DeleteCalendarLink(ctx, calendar.Number, kind)
			switch {
			case err == nil:
				ended = append(ended, kind)
			case !errors.Is(err, store.ErrNotFound):
				return err
			}
		}
		if out.Unpublished = int32(len(ended)); len(ended) == 0 {
			return nil
		}
		return r.touched(ctx, tx, calendar, func() string { return summary.Unpublished(ended, calendar.Name, v.Locale) })
	})
	return out, err
}

// PublishedCalendars returns the publications of the viewer's calendars.
func (r *Resolver) PublishedCalendars(ctx context.Context) ([]projections.PublishedCalendar, error) {
	out := []projections.PublishedCalendar{}
	err := r.eachLink(ctx, func(v *core.Viewer, calendar model.KeptCalendar, link model.CalendarLink) error {
		if link.Kind != model.LinkFeed {
			out = append(out, projections.PublishedCalendarOf(calendar, link, v.Moment))
		}
		return nil
	})
	return out, err
}

// eachLink calls fn for each link of the viewer's calendars.
func (r *Resolver) eachLink(ctx context.Context,
	fn func(v *core.Viewer, calendar model.KeptCalendar, link model.CalendarLink) error) error {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return err
	}
	calendars, err := r.Store.KeptCalendars(ctx, v.User)
	if err != nil {
		return err
	}
	links, err := r.Store.CalendarLinks(ctx, v.User)
	if err != nil {
		return err
	}
	byNumber := make(map[int]model.KeptCalendar, len(calendars))
	for _, calendar := range calendars {
		byNumber[calendar.Number] = calendar
	}
	for _, link := range links {
		if calendar, there := byNumber[link.Calendar]; there {
			if err := fn(v, calendar, link); err != nil {
				return err
			}
		}
	}
	return nil
}
