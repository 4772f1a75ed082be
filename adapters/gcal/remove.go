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
	var version string
	var kind model.EventType
	if o.Known != nil {
		version, kind = o.Known.Version, o.Known.Type
	} else {
		there, err := s.get(ctx, ref.Calendar, ref.Event, alwaysRead)
		if err != nil {
			return false, err
		}
		if statusOf(there.Status) == model.EventCancelled {
			return true, nil
		}
		version, kind = there.Etag, typeOf(there.EventType)
	}
	if kind != model.EventDefault {
		return false, readOnly(kind)
	}
	if o.IfVersion != "" && version != "" && version != o.IfVersion {
		return false, changedMeanwhile(nil)
	}
	return s.sendDelete(ctx, ref, o)
}

func (s *session) sendDelete(ctx context.Context, ref model.EventRef, o ChangeOptions) (already bool, err error) {
	unknown, err := changing(ctx, "events.delete", func(ctx context.Context) error {
		call := s.api.Events.Delete(s.sentID(ref.Calendar),
			ref.Event).Context(ctx).SendUpdates(sendUpdatesBody(o.SendUpdates))
		if o.IfVersion != "" {
			call.Header().Set("If-Match", o.IfVersion)
		}
		return call.Do()
	})
	switch {
	case err == nil:
		return false, nil
	case google.IsGone(err):
		return true, nil
	case unknown && google.Status(err) == http.StatusNotFound:
		return true, nil
	case unknown:
		switch _, readErr := s.read(ctx, ref, 0); {
		case model.CodeOf(readErr) == model.CodeNotFound:
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
