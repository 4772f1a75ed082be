package gcal

import (
	"context"
	"fmt"

	"google.golang.org/api/calendar/v3"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// Insert makes an event. Its id is the caller's choice, so a repeated insert makes one event: existed tells that it was
// there already, as asked for, perhaps by an earlier attempt of this very call whose answer was lost. The zone of a
// time is sent beside its offset.
//
// CONFLICT when the id was used for another event, or for one deleted since; NOT_FOUND when there is no such calendar;
// BAD_USER_INPUT for what Google would change in silence: reminders beyond its bounds, a series without zone, times of
// two forms.
func (c *Client) Insert(ctx context.Context, connection model.Connection, calendarID string,
	n NewEvent) (made model.Event, existed bool, err error) {
	if err := n.Check(); err != nil {
		return model.Event{}, false, err
	}
	s, err := c.session(ctx, connection)
	if err != nil {
		return model.Event{}, false, err
	}
	return s.insert(ctx, calendarID, c.insertBody(n), asked(n.Event, n.SetReminders), n.SendUpdates, n.Fields)
}

func (s *session) insert(ctx context.Context, calendarID string, body *calendar.Event, want Patch,
	send model.SendUpdates, fields Fields) (made model.Event, existed bool, err error) {
	var answer *calendar.Event
	unknown, err := changing(ctx, "events.insert", func(ctx context.Context) error {
		call := s.api.Events.Insert(s.sentID(calendarID),
			body).Context(ctx).SendUpdates(sendUpdatesBody(send)).Fields(single(wanted(ctx, fields)))
		if body.ConferenceData != nil {
			call.ConferenceDataVersion(1) // without it Google makes no meeting and says nothing
		}
		if len(body.Attachments) > 0 {
			call.SupportsAttachments(true)
		}
		answer, err = call.Do()
		return err
	})
	switch {
	case err == nil:
		if made, err = s.answered(ctx, calendarID, answer, true); err != nil {
			return model.Event{}, false, unknownOutcome(err)
		}
		return made, false, nil
	case google.IsDuplicate(err):
		made, err = s.inserted(ctx, calendarID, body.Id, want, fields, err, unknown)
		return made, err == nil, err
	case unknown:
		made, there := s.inserted(ctx, calendarID, body.Id, want, fields, err, unknown)
		if there == nil {
			return made, true, nil
		}
		if model.CodeOf(there) == model.CodeConflict {
			return model.Event{}, false, there
		}
		if model.CodeOf(there) != model.CodeNotFound {
			return model.Event{}, false, unknownOutcome(err)
		}
	}
	return model.Event{}, false, classify(err, missingCalendar)
}

// inserted looks whether the event with the id is the one that was asked for. unknown: it may have been made just now.
func (s *session) inserted(ctx context.Context, calendarID, id string, want Patch, fields Fields, cause error,
	unknown bool) (model.Event, error) {
	ref := model.EventRef{Connection: s.connection.Number, Calendar: calendarID, Event: id}
	e, err := s.readAny(ctx, ref, wanted(ctx, (fields|want.fields())&^FieldZone))
	if err == nil {
		noted(ctx, Answer{Event: e}, unknown)
	}
	switch {
	case model.CodeOf(err) == model.CodeNotFound && google.IsDuplicate(cause):
		return model.Event{}, taken("the id of the new event is taken in another calendar", cause)
	case err != nil:
		return model.Event{}, err
	case e.Status == model.EventCancelled:
		return model.Event{}, taken("an event with this id was made before and has been deleted", cause)
	case !want.isIn(e, s.connection.Account):
		return model.Event{}, taken("there is another event with this id already", cause)
	}
	return e, nil
}

func taken(message string, cause error) error {
	return &model.Error{Code: model.CodeConflict, Message: message, Cause: fmt.Errorf("gcal: insert: %w", cause)}
}
