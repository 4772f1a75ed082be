package gcal

import (
	"testing"

	"almanac/graph/model"
)

// TestSeriesSplitOnGooglesScreen acts on instances of a series that Google's own screen split off. Their ids begin with
// the id of the series that was split: recorded are the instance x_20230515T083000Z of the series x_R20230324T093000.
func TestSeriesSplitOnGooglesScreen(t *testing.T) {
	const late, early, mark = "_20230515T083000Z", "_20230320T093000Z", "_R20230324T093000"
	split := func(t *testing.T) (h *harness, base, rest model.EventRef) {
		h = newHarness(t, builder{})
		e := h.event("Standup", "RRULE:FREQ=DAILY;COUNT=100")
		e.Start, e.End = timed(t, "2023-03-01T09:30:00Z", "Europe/London"), timed(t, "2023-03-01T09:45:00Z", "Europe/London")
		base = h.make(e).Ref
		made, err := h.service.SplitOnScreen(me, "primary", base.Event+mark[:1]+"20230324T093000Z",
			map[string]any{"summary": "Late standup"})
		if err != nil {
			t.Fatal(err)
		}
		rest = base.CalendarRef().Event(base.Event + mark)
		if made["id"] != rest.Event {
			t.Fatalf("the split made %v", made["id"])
		}
		return h, base, rest
	}
	t.Run("an instance names its series", func(t *testing.T) {
		h, base, rest := split(t)
		for suffix, want := range map[string]model.EventRef{late: rest, early: base} {
			ref := base.CalendarRef().Event(base.Event + suffix)
			e, err := h.Event(t.Context(), h.connection, ref, FieldSummary)
			if err != nil || e.RecurringEventID != want.Event || e.Ref != ref {
				t.Errorf("%s is %+v, %v", suffix, e, err)
			}
			got, err := h.Instances(t.Context(), h.connection, ref, Query{Fields: FieldSummary})
			if n := map[model.EventRef]int{base: 23, rest: 77}[want]; err != nil || len(got.Events) != n {
				t.Fatalf("the series of %s has %d instances, want %d: %v", suffix, len(got.Events), n, err)
			}
			for _, one := range got.Events {
				if one.RecurringEventID != want.Event {
					t.Fatalf("%s is listed with %s", one.Ref.Event, suffix)
				}
			}
		}
	})
	t.Run("also where the window does not hold it", func(t *testing.T) {
		h, base, rest := split(t)
		got, err := h.Instances(t.Context(), h.connection, base.CalendarRef().Event(base.Event+late),
			Query{From: at(t, "2023-04-01T00:00:00Z"), To: at(t, "2023-04-03T00:00:00Z")})
		if err != nil || len(got.Events) != 2 || got.Events[0].RecurringEventID != rest.Event {
			t.Errorf("got %+v, %v", got.Events, err)
		}
	})
	t.Run("truncating ends the series that was split off", func(t *testing.T) {
		for _, versioned := range []bool{false, true} {
			h, base, rest := split(t)
			ref := base.CalendarRef().Event(base.Event + late)
			var o ChangeOptions
			if versioned {
				e, err := h.Event(t.Context(), h.connection, ref, 0)
				if err != nil {
					t.Fatal(err)
				}
				o.IfVersion = e.Version
			}
			got, err := h.Truncate(t.Context(), h.connection, ref, timed(t, "2023-05-15T08:30:00Z", ""), o)
			if err != nil || got.Before == nil || got.Before.Ref != rest {
				t.Fatalf("got %+v, %v", got.Before, err)
			}
			if before, after := len(h.instances(base.Event)), len(h.instances(rest.Event)); before != 23 || after != 52 {
				t.Errorf("%d and %d instances are left, want 23 and 52", before, after)
			}
		}
	})
	t.Run("changing the following ones splits it again", func(t *testing.T) {
		h, base, rest := split(t)
		got, err := h.PatchFollowing(t.Context(), h.connection, base.CalendarRef().Event(base.Event+late),
			Patch{Location: ptr("Hall")}, ChangeOptions{NewSourceID: "split00001", Fields: FieldSummary})
		if err != nil || got.Before == nil || got.Before.Ref != rest || got.After.Summary != "Late standup" {
			t.Fatalf("got %+v, %v", got, err)
		}
		if n := len(h.instances(got.After.Ref.Event)); n != 25 {
			t.Errorf("%d instances follow, want 25", n)
		}
	})
	t.Run("all-day", func(t *testing.T) {
		h := newHarness(t, builder{zone: "Pacific/Pago_Pago"})
		e := h.event("Trip", "RRULE:FREQ=WEEKLY")
		e.Start, e.End = day(t, "2026-11-23"), day(t, "2026-11-24")
		base := h.make(e).Ref
		if _, err := h.service.SplitOnScreen(me, "primary", base.Event+"_20261207", nil); err != nil {
			t.Fatal(err)
		}
		got, err := h.Instances(t.Context(), h.connection, base.CalendarRef().Event(base.Event+"_20261214"),
			Query{To: at(t, "2026-12-30T00:00:00Z")})
		if err != nil || len(got.Events) != 4 || got.Events[0].RecurringEventID != base.Event+"_R20261207" {
			t.Errorf("got %+v, %v", got.Events, err)
		}
	})
}
