package gcal

import (
	"context"
	"errors"
	"fmt"

	"almanac/graph/model"
)

// ErrHalfDone is in the chain of an error after which a change in several steps is made in part; the message says which
// part.
var ErrHalfDone = errors.New("gcal: a part of the change was made")

func halfDone(message string, err error) error {
	told := &model.Error{Code: model.CodeUpstreamUnavailable}
	var shown *model.Error
	if errors.As(err, &shown) {
		*told = *shown
	}
	told.Message = joined(message, told.Message)
	told.Cause = fmt.Errorf("%w: %w", ErrHalfDone, err)
	return told
}

// Truncate ends a series before an occurrence, which is named by its original start: that one and all later ones go,
// also those that were moved to before it; none before it changes. What was changed on its own beyond the cut is
// deleted by name, and listed in Dropped. When nothing is left before the cut, the series is deleted whole and Before
// is nil. When nothing is beyond it, nothing is sent.
//
// The reference is that of the series, or of an occurrence that is there, then IfVersion is the occurrence's. Errors
// are as for Patch; BAD_USER_INPUT also for an event that does not repeat and for a series with several rules,
// UPSTREAM_REJECTED for a series that somebody else organizes.
func (c *Client) Truncate(ctx context.Context, connection model.Connection, ref model.EventRef, cut model.EventTime,
	o ChangeOptions) (Following, error) {
	if cut.IsZero() {
		return Following{}, model.BadInput("", "a cut needs the original start of an occurrence")
	}
	s, err := c.session(ctx, connection)
	if err != nil {
		return Following{}, err
	}
	for round := 1; ; round++ {
		m, err := s.seriesOf(ctx, ref, o.IfVersion)
		if err != nil {
			return Following{}, err
		}
		if cut.AllDay() != m.as.Start.AllDay() {
			return Following{}, model.BadInput("", "an all-day series is cut at a date, any other at a time")
		}
		done, err := m.truncate(ctx, cut, o)
		if model.CodeOf(err) != model.CodeConflict || errors.Is(err, ErrHalfDone) || o.IfVersion != "" || round == rounds {
			return done, err
		}
	}
}

// seriesOf reads the series that a reference means, and compares the version of what it names with the caller's.
func (s *session) seriesOf(ctx context.Context, ref model.EventRef, version string) (*series, error) {
	named, err := s.get(ctx, ref.Calendar, ref.Event, "")
	switch {
	case err != nil:
		return nil, err
	case statusOf(named.Status) == model.EventCancelled:
		return nil, noEvent()
	case version != "" && named.Etag != version:
		return nil, changedMeanwhile(nil)
	case named.RecurringEventId != "":
		return s.readSeries(ctx, ref.CalendarRef().Event(named.RecurringEventId))
	}
	return s.seriesFrom(ctx, ref, named)
}

func (m *series) truncate(ctx context.Context, cut model.EventTime, o ChangeOptions) (Following, error) {
	at := place(cut)
	dropped := m.beyond(at)
	if _, later := m.set.Next(at.Add(-1)); !later && len(dropped) == 0 {
		before, err := m.read(ctx, m.ref, o.Fields)
		if err != nil {
			return Following{}, err
		}
		return Following{Before: &before}, nil
	}
	lines, kept, err := m.set.Truncate(at)
	if err != nil {
		return Following{}, err
	}
	if !kept || !m.leaves(at) {
		if _, err := m.remove(ctx, m.ref, m.options(o)); err != nil {
			return Following{}, err
		}
		return Following{Dropped: idsOf(dropped)}, nil
	}
	return m.end(ctx, lines, dropped, o)
}

// options makes a change of the series depend on the version that was reckoned with.
func (m *series) options(o ChangeOptions) ChangeOptions {
	return ChangeOptions{IfVersion: m.as.Version, SendUpdates: o.SendUpdates, Fields: o.Fields, Known: &m.as}
}

// end writes to the series the lines that are left of it and deletes what was changed on its own beyond. The lines go
// first: if somebody else was faster, nothing has happened yet.
func (m *series) end(ctx context.Context, lines []string, dropped []exception, o ChangeOptions) (Following, error) {
	before, err := m.patch(ctx, m.ref, Patch{Recurrence: &lines}, m.options(o))
	if err != nil {
		return Following{}, err
	}
	done := Following{Before: &before}
	for _, e := range dropped {
		// Google may have dropped it with the series' end already.
		_, err := m.sendDelete(ctx, e.of(m.ref), ChangeOptions{SendUpdates: o.SendUpdates})
		if err != nil && model.CodeOf(err) != model.CodeNotFound {
			return done, halfDone("the series was ended, but an occurrence that was changed on its own could not be deleted",
				err)
		}
		done.Dropped = append(done.Dropped, e.id)
	}
	return done, nil
}
