package gcal

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// rounds is how often a change is tried on the version that is there, while others change it.
const rounds = 3

// Patch changes an event, an occurrence alone, or a series whole, and only the parts that the patch names. It changes
// the version that the caller named or, without one, whatever version is there: then what others change at the same
// time is kept. Attendees who stay keep what the patch does not say of them. Of an empty patch nothing is sent.
//
// CONFLICT when the version is another; NOT_FOUND when the event is gone; BAD_USER_INPUT for an event that is no
// ordinary one, for attendees that Google does not show whole, for an answer of somebody who is not invited, and as for
// Insert.
func (c *Client) Patch(ctx context.Context, connection model.Connection, ref model.EventRef, p Patch,
	o ChangeOptions) (model.Event, error) {
	if err := p.Check(); err != nil {
		return model.Event{}, err
	}
	s, err := c.session(ctx, connection)
	if err != nil {
		return model.Event{}, err
	}
	return s.patch(ctx, ref, p, o)
}

func (s *session) patch(ctx context.Context, ref model.EventRef, p Patch, o ChangeOptions) (model.Event, error) {
	if p.fields() == 0 {
		return s.unchanged(ctx, ref, o)
	}
	for round := 1; ; round++ {
		there, err := s.present(ctx, ref, p, o)
		if err != nil {
			return model.Event{}, err
		}
		o.Known = nil // true for one round only
		body := s.client.patchBody(p)
		if err := s.patchAttendees(body, p, there); err != nil {
			return model.Event{}, err
		}
		e, lost, err := s.sendPatch(ctx, ref, p, o, body, cmp.Or(o.IfVersion, there.Etag))
		if !lost || o.IfVersion != "" || round == rounds {
			return e, err
		}
	}
}

// unchanged answers a patch that says nothing.
func (s *session) unchanged(ctx context.Context, ref model.EventRef, o ChangeOptions) (model.Event, error) {
	e, err := s.read(ctx, ref, o.Fields)
	if err == nil && o.IfVersion != "" && e.Version != o.IfVersion {
		return model.Event{}, changedMeanwhile(nil)
	}
	return e, err
}

// present returns what a patch must know of the event as it is: from the caller, who may have read it just now, or from
// Google.
func (s *session) present(ctx context.Context, ref model.EventRef, p Patch, o ChangeOptions) (*calendar.Event, error) {
	var there *calendar.Event
	var kind model.EventType
	needsRows := p.Attendees != nil || p.Answer != nil
	if o.Known != nil && !needsRows {
		there, kind = &calendar.Event{Etag: o.Known.Version}, o.Known.Type
	} else {
		mask := alwaysRead
		if needsRows {
			mask += ",attendees,attendeesOmitted"
		}
		var err error
		if there, err = s.get(ctx, ref.Calendar, ref.Event, googleapi.Field(mask)); err != nil {
			return nil, err
		}
		if statusOf(there.Status) == model.EventCancelled {
			return nil, noEvent()
		}
		kind = typeOf(there.EventType)
	}
	if kind != model.EventDefault {
		return nil, readOnly(kind)
	}
	if o.IfVersion != "" && there.Etag != "" && there.Etag != o.IfVersion {
		return nil, changedMeanwhile(nil)
	}
	return there, nil
}

// patchAttendees puts the whole list into the body: Google replaces it, so what is not sent is lost.
func (s *session) patchAttendees(body *calendar.Event, p Patch, there *calendar.Event) error {
	if p.Attendees == nil && p.Answer == nil {
		return nil
	}
	if there.AttendeesOmitted {
		return omitted()
	}
	rows := there.Attendees
	if p.Attendees != nil {
		rows = mergeAttendees(*p.Attendees, there.Attendees)
	}
	if p.Answer != nil {
		own := s.ownRow(rows)
		if own < 0 {
			return model.BadInput("", "%s is not among the attendees, so there is nothing to answer", s.connection.Account)
		}
		answered := *rows[own]
		answered.ResponseStatus = responseBody(*p.Answer)
		rows = slices.Clone(rows)
		rows[own] = &answered
	}
	body.Attendees = rows
	return nil
}

// ownRow finds the account among the attendees; -1 when it is not there.
func (s *session) ownRow(rows []*calendar.EventAttendee) int {
	if own := slices.IndexFunc(rows, func(a *calendar.EventAttendee) bool { return a.Self }); own >= 0 {
		return own
	}
	return slices.IndexFunc(rows,
		func(a *calendar.EventAttendee) bool { return strings.EqualFold(a.Email, s.connection.Account) })
}

// sendPatch sends the patch under a condition. Lost tells that somebody else changed the event first, so nothing was
// changed by us.
func (s *session) sendPatch(ctx context.Context, ref model.EventRef, p Patch, o ChangeOptions, body *calendar.Event,
	version string) (e model.Event, lost bool, err error) {
	var answer *calendar.Event
	unknown, err := changing(ctx, "events.patch", func(ctx context.Context) error {
		call := s.api.Events.Patch(s.sentID(ref.Calendar), ref.Event, body).Context(ctx).
			SendUpdates(sendUpdatesBody(o.SendUpdates)).Fields(single(wanted(ctx, o.Fields)))
		if version != "" {
			call.Header().Set("If-Match", version)
		}
		answer, err = call.Do()
		return err
	})
	if err == nil {
		switch e, err = s.answered(ctx, ref.Calendar, answer, false); {
		case err != nil:
			return model.Event{}, false, unknownOutcome(err)
		case e.Status == model.EventCancelled:
			return model.Event{}, false, noEvent()
		}
		return e, false, nil
	}
	if unknown {
		// Either the change was made and its answer lost, and a repeat met the version that it had made itself, or it was not
		// made.
		now, readErr := s.read(ctx, ref, wanted(ctx, (o.Fields|p.fields())&^FieldZone))
		switch {
		case readErr != nil && model.CodeOf(readErr) != model.CodeNotFound:
			return model.Event{}, false, unknownOutcome(err)
		case readErr != nil:
			return model.Event{}, false, readErr
		case p.isIn(now, s.connection.Account):
			noted(ctx, Answer{Event: now}, true)
			return now, false, nil
		}
	}
	if google.IsPrecondition(err) {
		return model.Event{}, true, changedMeanwhile(err)
	}
	return model.Event{}, false, classify(err, missingEvent)
}
