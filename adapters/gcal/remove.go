package gcal

import (
	"context"
	"net/http"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// Delete deletes an event, an occurrence alone, or a series whole. Already tells that it was gone when Google was last
// asked: deleted before, or by an attempt of this call whose answer was lost.
//
// NOT_FOUND when there never was such an event; CONFLICT when the version is not the one named; BAD_USER_INPUT for an
// event that is no ordinary one.
func (c *Client) Delete(ctx context.Context, connection model.Connection, ref model.EventRef,
	o ChangeOptions) (already bool, err error) {
	s, err := c.session(ctx, connection)
	if err != nil {
		return false, err
	}
	return s.remove(ctx, ref, o)
}

func (s *session) remove(ctx context.Context, ref model.EventRef, o ChangeOptions) (already bool, err error) {
	var doomed model.Event
	if o.Known != nil {
		doomed = *o.Known
	} else {
		there, err := s.get(ctx, ref.Calendar, ref.Event, alwaysRead)
		if err != nil {
			return false, err
		}
		if doomed, err = s.event(s.calendarID(ref.Calendar), "", there); err != nil {
			return false, err
		}
		if doomed.Status == model.EventCancelled {
			doomed.Ref = ref
			notedGone(ctx, doomed, false)
			return true, nil
		}
	}
	doomed.Ref = ref
	if doomed.Type != model.EventDefault {
		return false, readOnly(doomed.Type)
	}
	if o.IfVersion != "" && doomed.Version != "" && doomed.Version != o.IfVersion {
		return false, changedMeanwhile(nil)
	}
	return s.sendDelete(ctx, doomed, o)
}

// sendDelete deletes what was read before; of that its reference and, of an occurrence, its series and original start
// are looked at.
func (s *session) sendDelete(ctx context.Context, doomed model.Event, o ChangeOptions) (already bool, err error) {
	ref := doomed.Ref
	unknown, err := changing(ctx, "events.delete", func(ctx context.Context) error {
		call := s.api.Events.Delete(s.sentID(ref.Calendar),
			ref.Event).Context(ctx).SendUpdates(sendUpdatesBody(o.SendUpdates))
		if o.IfVersion != "" {
			call.Header().Set("If-Match", o.IfVersion)
		}
		return call.Do()
	})
	missing := google.Status(err) == http.StatusNotFound
	if err == nil || google.IsGone(err) || missing {
		notedGone(ctx, doomed, err == nil || unknown)
	}
	switch {
	case err == nil:
		return false, nil
	case google.IsGone(err):
		return true, nil
	case unknown && missing:
		return true, nil
	case unknown:
		switch _, readErr := s.read(ctx, ref, 0); {
		case model.CodeOf(readErr) == model.CodeNotFound:
			notedGone(ctx, doomed, true)
			return true, nil
		case readErr != nil:
			return false, unknownOutcome(err)
		}
	}
	if google.IsPrecondition(err) {
		return false, changedMeanwhile(err)
	}
	return false, classify(err, missingEvent)
}
