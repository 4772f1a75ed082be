package gcal

import (
	"context"

	"golang.org/x/sync/errgroup"
	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"almanac/graph/model"
)

// Event returns one event, occurrence or series. With FieldZone the calendar's zone is asked for beside it. NOT_FOUND
// also for a cancelled one.
func (c *Client) Event(ctx context.Context, connection model.Connection, ref model.EventRef,
	fields Fields) (model.Event, error) {
	s, err := c.session(ctx, connection)
	if err != nil {
		return model.Event{}, err
	}
	return s.read(ctx, ref, fields)
}

// read is Event.
func (s *session) read(ctx context.Context, ref model.EventRef, fields Fields) (model.Event, error) {
	e, err := s.readAny(ctx, ref, fields)
	if err == nil && e.Status == model.EventCancelled {
		return model.Event{}, noEvent()
	}
	return e, err
}

// readAny is read, and returns cancelled events too.
func (s *session) readAny(ctx context.Context, ref model.EventRef, fields Fields) (model.Event, error) {
	var raw *calendar.Event
	var zone string
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		raw, err = s.get(ctx, ref.Calendar, ref.Event, single(fields))
		return err
	})
	if fields.Has(FieldZone) {
		both.Go(func() (err error) {
			zone, err = s.calendarZone(ctx, ref.Calendar)
			return err
		})
	}
	if err := both.Wait(); err != nil {
		return model.Event{}, err
	}
	return s.event(s.calendarID(ref.Calendar), zone, raw)
}

// get is the bare call; it returns cancelled events too. An empty mask asks for everything.
func (s *session) get(ctx context.Context, calendarID, id string, mask googleapi.Field) (*calendar.Event, error) {
	call := s.api.Events.Get(s.sentID(calendarID), id).Context(reading(ctx, "events.get"))
	if mask != "" {
		call.Fields(mask)
	}
	e, err := call.Do()
	if err != nil {
		return nil, classify(err, missingEvent)
	}
	return e, nil
}

// calendarZone asks for a calendar's zone. Lists say it, and need no more than the scope for events.
func (s *session) calendarZone(ctx context.Context, calendarID string) (string, error) {
	page, err := s.api.Events.List(s.sentID(calendarID)).Context(reading(ctx,
		"events.list")).MaxResults(1).Fields("timeZone").Do()
	if err != nil {
		return "", classify(err, missingCalendar)
	}
	return page.TimeZone, nil
}
