package events

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// The events of many calendars are bounded together as those of one are by themselves, and the calendars after the
// bound are not read.
func TestManyCalendarsAreBoundedTogether(t *testing.T) {
	now := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	v := &core.Viewer{Moment: projections.NewMoment(when.Moment{Now: now, Zone: time.UTC, Locale: "en",
		WeekStart: model.Sunday})}
	var read atomic.Int64
	calendars := func(count, size int) []source {
		out := make([]source, count)
		for i := range out {
			name := fmt.Sprintf("c%d@example.com", i)
			out[i] = source{read: func(context.Context, gcal.Query) (gcal.Listing, error) {
				read.Add(1)
				events := make([]model.Event, size)
				for at := range events {
					events[at].Ref = model.EventRef{Connection: 1, Calendar: name, Event: fmt.Sprint(at)}
				}
				return gcal.Listing{Events: events}, nil
			}}
		}
		return out
	}
	if events, _, err := gather(t.Context(), v, calendars(model.MaxCalendarIDs, maxGathered/model.MaxCalendarIDs),
		gcal.Query{}); err != nil || len(events) != maxGathered {
		t.Errorf("at the bound: %d events, %v", len(events), err)
	}
	read.Store(0)
	events, _, err := gather(t.Context(), v, calendars(model.MaxCalendarIDs, maxGathered), gcal.Query{})
	if model.CodeOf(err) != model.CodeBadUserInput || events != nil {
		t.Errorf("beyond it: %d events, %v", len(events), err)
	}
	if n := read.Load(); n > core.AskedAtOnce+2 {
		t.Errorf("%d calendars were read", n)
	}
}
