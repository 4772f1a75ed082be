package core

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"almanac/graph/ids"
	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/projections"
	"almanac/projections/when"
)

// Viewer is who asks, how they like their answers, and the one moment of this request.
type Viewer struct {
	Caller model.Caller
	User   model.UserID
	Hints  edge.Hints
	// DefaultCalendar is that of the settings.
	DefaultCalendar string
	// About collects what the answer tells of.
	About *model.About
	// matched is how much of MaxMatching the operation has used, matchedInside how much of MaxMatchingInside.
	matched, matchedInside atomic.Int64
	// worked is Base.Worked.
	worked func(user model.UserID, cost int64)
	*projections.Moment
}

type viewerKey struct{}

// errNoViewer is a mistake of ours: a resolver ran without Open.
var errNoViewer = errors.New("no viewer in the context")

// Open puts the viewer of one operation in the context. It is the door between the transports and the resolvers.
// BAD_USER_INPUT when the hints name no time zone.
func (r *Base) Open(ctx context.Context, caller model.Caller, hints edge.Hints) (context.Context, error) {
	v, err := r.ViewerOf(ctx, caller, hints)
	if err != nil {
		return nil, err
	}
	v.About = new(model.About)
	ctx = &opened{Context: edge.WithHints(ctx, hints), viewer: v, short: shortIDs{r, v.User}}
	return model.WithAbout(ctx, v.About), nil
}

// opened is a context with its viewer, and with what completes the viewer's short ids.
type opened struct {
	context.Context
	viewer *Viewer
	short  shortIDs
}

// Value implements context.Context.
func (o *opened) Value(key any) any {
	switch key.(type) {
	case viewerKey:
		return o.viewer
	case ids.Key:
		return &o.short
	}
	return o.Context.Value(key)
}

// ViewerOf returns the viewer for a caller: their settings, overridden by the hints of the request, at the present
// time. BAD_USER_INPUT when the hints name no time zone.
func (r *Base) ViewerOf(ctx context.Context, caller model.Caller, hints edge.Hints) (*Viewer, error) {
	settings, err := r.Settings.settings(ctx, caller, r.Defaults, r.Now())
	if err != nil {
		return nil, fmt.Errorf("settings of %v: %w", caller.UserID, err)
	}
	zone, err := when.LoadZone(settings.TimeZone)
	if err != nil {
		zone = time.UTC // the zone was dropped from the database of zones; the user can still choose another
	}
	if hints.TimeZone != "" {
		if zone, err = when.LoadZone(hints.TimeZone); err != nil {
			return nil, err
		}
	}
	locale := settings.Locale
	if asked, known := when.ParseLocale(hints.AcceptLanguage); known {
		locale = asked
	}
	moment := projections.NewMoment(when.Moment{Now: r.Now(), Zone: zone, Locale: locale, WeekStart: settings.WeekStart})
	return &Viewer{Caller: caller, User: caller.UserID, Hints: hints, Moment: moment, worked: r.Worked,
		DefaultCalendar: settings.DefaultCalendar}, nil
}

// ViewerFrom returns the context's viewer.
func ViewerFrom(ctx context.Context) (*Viewer, error) {
	v, ok := ctx.Value(viewerKey{}).(*Viewer)
	if !ok {
		return nil, errNoViewer
	}
	return v, nil
}

// InLanguage returns the context, and its viewer, for answers in a language, whatever the viewer's own is.
func InLanguage(ctx context.Context, v *Viewer, locale string) (context.Context, *Viewer) {
	if v.Locale == locale {
		return ctx, v
	}
	moment := v.Moment.Moment
	moment.Locale = locale
	other := &Viewer{Caller: v.Caller, User: v.User, Hints: v.Hints, About: v.About,
		worked: v.worked, Moment: projections.NewMoment(moment), DefaultCalendar: v.DefaultCalendar}
	other.matched.Store(v.matched.Load())
	other.matchedInside.Store(v.matchedInside.Load())
	return context.WithValue(ctx, viewerKey{}, other), other
}
