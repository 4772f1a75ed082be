package icalendar

import (
	"context"
	"errors"

	"almanac/adapters/calfiles"
	"almanac/adapters/feeds"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// SubscribeToFeed reads the file at an address and makes its events a calendar.
func (r *Resolver) SubscribeToFeed(ctx context.Context,
	in graph.SubscribeToFeedInput) (*graph.SubscribeToFeedPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.SubscribeToFeedPayload{UserErrors: []model.UserError{}}
	address, err := feeds.ParseAddress(in.URL)
	if err != nil {
		return out, core.Refuse(&out.UserErrors, core.AtField(err, "input.url"))
	}
	calendar, link, found, err := r.Files.Followed(ctx, v.User, address.String())
	if err != nil {
		return out, err
	}
	if found {
		return out, r.show(out, v, followed{calendar: calendar, link: link})
	}
	wanted := calfiles.NewFeed{User: v.User, Address: address.String(), Host: address.Host, OtherwiseZone: v.Zone.String()}
	if in.Summary != nil {
		wanted.Name = *in.Summary
	}
	if in.TimeZone != nil {
		if _, err := when.LoadZone(*in.TimeZone); err != nil {
			return out, core.Refuse(&out.UserErrors, model.BadInput("input.timeZone", "%q is not a time zone",
				model.Clip(*in.TimeZone)))
		}
		wanted.Zone = *in.TimeZone
	}
	answer, err := r.Links.Feeds.Read(ctx, address, feeds.State{})
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, core.AtField(asked(err), "input.url"))
		return out, nil
	}
	wanted.Text, wanted.DueAt = answer.Text, v.Now.Add(answer.Wait)
	wanted.Sealed = r.Links.Seal(v.User, address.String())
	wanted.State = model.FeedState{ETag: answer.State.ETag, Modified: answer.State.Modified, Digest: answer.State.Digest,
		AsOf: v.Now}
	done, err := r.Files.Follow(ctx, wanted,
		func(ctx context.Context, tx store.Tx, calendar model.KeptCalendar) error {
			return did(ctx, tx, calendar, true)
		})
	if err != nil {
		return out, core.Refuse(&out.UserErrors, core.AtField(err, "input.url"))
	}
	out.Events, out.Refused = int32(done.Events), int32(done.Refused)
	state := wanted.State
	state.Host = wanted.Host
	return out, r.show(out, v, followed{calendar: done.Calendar, link: done.Link, state: &state})
}

// asked is what the caller is told of a feed that cannot be read: what can be mended at the address is an error of the
// input.
func asked(err error) error {
	if shown, ok := errors.AsType[*model.Error](err); ok && shown.Code == model.CodeUpstreamRejected {
		return model.BadInput("", "%s", shown.Message)
	}
	return err
}

// followed is a feed's calendar with what is known of the feed.
type followed struct {
	calendar model.KeptCalendar
	link     model.CalendarLink
	state    *model.FeedState
}

func (r *Resolver) show(out *graph.SubscribeToFeedPayload, v *core.Viewer, c followed) error {
	if c.state == nil {
		state, err := calfiles.StateOf(c.link)
		if err != nil {
			return err
		}
		c.state = &state
	}
	out.Calendar = viewOf(c.calendar)
	feed := projections.FollowedFeedOf(c.calendar, c.link, *c.state, v.Moment)
	out.Feed = &feed
	return nil
}

// CalendarFeeds returns the feeds that the viewer follows.
func (r *Resolver) CalendarFeeds(ctx context.Context) ([]projections.FollowedFeed, error) {
	out := []projections.FollowedFeed{}
	err := r.eachLink(ctx, func(v *core.Viewer, calendar model.KeptCalendar, link model.CalendarLink) error {
		if link.Kind != model.LinkFeed {
			return nil
		}
		state, err := calfiles.StateOf(link)
		if err == nil {
			out = append(out, projections.FollowedFeedOf(calendar, link, state, v.Moment))
		}
		return err
	})
	return out, err
}
