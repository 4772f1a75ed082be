package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testEventWindows(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("the edges", func(t *testing.T) { windowEdges(h.in(t).as("edges")) })
	t.Run("random", func(t *testing.T) { windowsAreThoseOfAModel(h.in(t).as("random events")) })
	t.Run("in one statement", func(t *testing.T) { windowInOneStatement(h.in(t).as("one statement")) })
}

// inWindow is the contract of a window, word for word, for whoever has all rows.
func inWindow(all []model.EventRow, window store.EventWindow) []model.EventRow {
	living := map[model.EventKey]bool{}
	lies := func(e model.EventRow, end time.Time) bool {
		return e.StartsAt.Before(window.To) && (end.IsZero() || end.After(window.From))
	}
	var out []model.EventRow
	add := func(e model.EventRow) {
		if !slices.Contains(keysOf(out), keysOf([]model.EventRow{e})[0]) {
			out = append(out, e)
		}
	}
	for _, e := range all {
		if !slices.Contains(window.Calendars, e.Calendar) {
			continue
		}
		switch {
		case e.Kind == model.EventSeries && lies(e, e.LastsUntil):
			living[e.Key()] = true
			add(e)
		case e.Kind.Occurs() && (lies(e, e.EndsAt) ||
			!e.StartsAt.Before(window.From) && e.StartsAt.Before(window.To)):
			add(e)
		}
	}
	for _, e := range all {
		of := model.EventKey{Calendar: e.Calendar, ID: e.Series}
		if !e.Kind.IsException() || !slices.Contains(window.Calendars, e.Calendar) || !e.OriginalAt.Before(window.To) {
			continue
		}
		long := slices.ContainsFunc(all, func(s model.EventRow) bool {
			return s.Key() == of && living[of] && s.EndsAt.Sub(s.StartsAt) > model.LongEvent
		})
		if long || !e.OriginalAt.Before(window.From.Add(-model.LongEvent)) {
			add(e)
		}
	}
	return out
}

func windowEdges(h *fixture) {
	calendar, other := h.ownCalendar("mine").Number, h.ownCalendar("other").Number
	from, to := noon, noon.Add(10*time.Hour)
	touching := []model.EventRow{
		single(calendar, "at the beginning", from, time.Hour), single(calendar, "without length", from, 0),
		single(calendar, "before the end", to.Add(-time.Microsecond), 0),
		single(calendar, "still on", from.Add(-48*time.Hour), 48*time.Hour+time.Microsecond),
		single(calendar, "as long as may be", from.Add(-47*time.Hour), 48*time.Hour),
		single(calendar, "a year", from.AddDate(-1, 0, 0), 400*24*time.Hour),
		seriesOf(calendar, "for ever", from.AddDate(-9, 0, 0), time.Hour, time.Time{}),
		seriesOf(calendar, "ends inside", from.AddDate(-9, 0, 0), time.Hour, from.Add(time.Microsecond)),
		seriesOf(calendar, "long", from.AddDate(-1, 0, 0), 100*time.Hour, time.Time{}),
	}
	moved := exception(touching[6], from.Add(time.Hour), model.EventChanged, to.AddDate(1, 0, 0))
	moved2 := exception(touching[6], to.AddDate(1, 0, 0), model.EventChanged, from.Add(time.Hour))
	both := exception(touching[6], from.Add(2*time.Hour), model.EventChanged, from.Add(2*time.Hour))
	dropped := exception(touching[6], from.Add(-47*time.Hour), model.EventDropped, time.Time{})
	dropped.StartsAt, dropped.EndsAt = time.Time{}, time.Time{}
	farBack := exception(touching[8], from.Add(-99*time.Hour), model.EventDropped, from)
	touching = append(touching, moved, moved2, both, dropped, farBack)
	outside := []model.EventRow{
		single(calendar, "ends at the beginning", from.Add(-time.Hour), time.Hour),
		single(calendar, "begins at the end", to, time.Hour),
		single(calendar, "long ended", from.Add(-100*time.Hour), 100*time.Hour),
		seriesOf(calendar, "ended", from.AddDate(-9, 0, 0), time.Hour, from),
		seriesOf(calendar, "to come", to, time.Hour, time.Time{}), single(other, "elsewhere", from, time.Hour),
	}
	tomb := single(calendar, "buried", from, time.Hour)
	tomb.Kind = model.EventTombstone
	h.saveEvents(slices.Concat(touching, outside, []model.EventRow{tomb})...)
	window := store.EventWindow{Calendars: []int{calendar}, From: from, To: to}
	between := func(window store.EventWindow) store.EventsBetween {
		return must(h, func() (store.EventsBetween, error) { return h.EventsBetween(h.ctx, h.user, window) })
	}
	h.same("found", keysOf(between(window).Events), keysOf(touching))
	window.Calendars = []int{other, 77, calendar}
	h.same("in several calendars", keysOf(between(window).Events), keysOf(append(touching, outside[5])))
	window.Calendars = nil
	h.same("in none", between(window), store.EventsBetween{})
	window.Calendars, window.Want = []int{calendar}, store.EventBodies|store.EventFolded
	h.same("with bodies", keysOf(between(window).Events), keysOf(touching))
}

// windowsAreThoseOfAModel compares windows over random events with the contract read word for word.
func windowsAreThoseOfAModel(h *fixture) {
	random := dice(12)
	calendars := []int{h.ownCalendar("a").Number, h.ownCalendar("b").Number, h.ownCalendar("c").Number}
	var all []model.EventRow
	for i := range 300 {
		all = append(all, randomEvents(random, calendars, i)...)
	}
	h.saveEvents(all...)
	around := func() time.Time { return noon.Add(time.Duration(random.IntN(4000)-2000) * time.Hour) }
	for range 150 {
		window := store.EventWindow{From: around(), Calendars: slices.Clone(calendars[:1+random.IntN(3)])}
		window.To = window.From.Add(time.Duration(1+random.IntN(1000)) * time.Hour)
		found := must(h, func() (store.EventsBetween, error) { return h.EventsBetween(h.ctx, h.user, window) })
		want := inWindow(all, window)
		if got := keysOf(found.Events); !slices.Equal(got, keysOf(want)) || !found.Cut.IsZero() {
			h.Fatalf("%+v:\n got %v\nwant %v", window, got, keysOf(want))
		}
		window.Limit = 1 + random.IntN(20)
		some := must(h, func() (store.EventsBetween, error) { return h.EventsBetween(h.ctx, h.user, window) })
		if some.Cut.IsZero() != (keysOf(some.Events)[0] != "" && len(some.Events) == len(found.Events) &&
			some.Cut.IsZero()) {
			h.Fatalf("a limit of %d: cut %v with %d of %d", window.Limit, some.Cut, len(some.Events), len(found.Events))
		}
		for _, e := range found.Events { // before the cut, nothing is missing
			if (some.Cut.IsZero() || !e.Kind.Occurs() || e.StartsAt.Before(some.Cut)) &&
				!slices.Contains(keysOf(some.Events), keysOf([]model.EventRow{e})[0]) {
				h.Fatalf("a limit of %d, cut at %v, leaves out %s at %v", window.Limit, some.Cut, e.ID, e.StartsAt)
			}
		}
		if !some.Cut.IsZero() && len(some.Events) > len(found.Events) {
			h.Fatalf("a limit finds more: %d of %d", len(some.Events), len(found.Events))
		}
	}
}

// randomEvents makes an event, or a series with exceptions.
func randomEvents(random *rand.Rand, calendars []int, n int) []model.EventRow {
	start := noon.Add(time.Duration(random.IntN(4000)-2000) * time.Hour)
	length := time.Duration(random.IntN(60)) * time.Hour
	if random.IntN(8) == 0 {
		length *= 20
	}
	id, calendar := fmt.Sprintf("e%d", n), pick(random, calendars...)
	if random.IntN(3) > 0 {
		return []model.EventRow{single(calendar, id, start, length)}
	}
	until := time.Time{}
	if random.IntN(2) == 0 {
		until = start.Add(time.Duration(random.IntN(2000)) * time.Hour)
	}
	of := seriesOf(calendar, id, start, length, until)
	out := []model.EventRow{of}
	for range random.IntN(4) {
		original := start.Add(time.Duration(random.IntN(2000)) * time.Hour)
		kind := pick(random, model.EventChanged, model.EventDropped)
		one := exception(of, original, kind, original.Add(time.Duration(random.IntN(400)-200)*time.Hour))
		if !slices.Contains(keysOf(out), keysOf([]model.EventRow{one})[0]) {
			out = append(out, one)
		}
	}
	return out
}

func windowInOneStatement(h *fixture) {
	calendar := h.ownCalendar("mine").Number
	h.saveEvents(single(calendar, "x", noon, time.Hour))
	for want, tables := range map[store.EventColumns]bool{0: false, store.EventBodies: true, store.EventFolded: true} {
		sent := h.trace.during(func() {
			if _, err := h.EventsBetween(h.ctx, h.user, store.EventWindow{Calendars: []int{calendar}, From: noon,
				To: noon.Add(time.Hour), Want: want, Limit: 5}); err != nil {
				h.Fatal(err)
			}
		})
		h.same("statements", len(sent) == 1 && !strings.Contains(sent[0], ";\n"), true)
		h.same("bodies are read", strings.Contains(sent[0], "event_bodies"), tables)
	}
}
