package events

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/occur"
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
	if found, err := gather(t.Context(), v, calendars(model.MaxCalendarIDs, maxGathered/model.MaxCalendarIDs),
		gcal.Query{}); err != nil || len(found.events) != maxGathered {
		t.Errorf("at the bound: %d events, %v", len(found.events), err)
	}
	read.Store(0)
	found, err := gather(t.Context(), v, calendars(model.MaxCalendarIDs, maxGathered), gcal.Query{})
	if model.CodeOf(err) != model.CodeBadUserInput || found.events != nil {
		t.Errorf("beyond it: %d events, %v", len(found.events), err)
	}
	if n := read.Load(); n > core.AskedAtOnce+2 {
		t.Errorf("%d calendars were read", n)
	}
}

// keptReader has the events of calendars by their names, each in order, and answers as adapters do.
type keptReader struct {
	Reader
	byCalendar map[string][]model.Event
	zones      map[string]string
}

func (k *keptReader) Events(_ context.Context, account model.Connection, calendar string,
	q gcal.Query) (out gcal.Listing, err error) {
	out.Zone, out.Role = k.zones[calendar], model.RoleOwner
	if account.Number == 2 {
		out.Role = model.RoleReader
	}
	for _, e := range k.byCalendar[calendar] {
		start, end := instantOf(e.Start, e, time.UTC), instantOf(e.End, e, time.UTC)
		switch {
		case !start.Before(q.To), !end.After(q.From), q.Keep != nil && !q.Keep(e):
		case q.Limit > 0 && len(out.Events) == q.Limit:
			out.More = true
			return out, nil
		default:
			out.Events = append(out.Events, e)
		}
	}
	return out, nil
}

// Whatever several calendars have in common, and however small the pages are, the pages together have each event once,
// the copies with the least standing, forward and backward.
func TestPagesHaveWhatSeveralCalendarsHaveOnce(t *testing.T) {
	now := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	v := &core.Viewer{Moment: projections.NewMoment(when.Moment{Now: now, Zone: time.UTC, Locale: "en",
		WeekStart: model.Sunday})}
	copies := 0
	for round := range 400 {
		random := rand.New(rand.NewPCG(20, uint64(round)))
		reader := &keptReader{byCalendar: map[string][]model.Event{}, zones: map[string]string{}}
		places := []place{{model.Connection{Number: 1}, ""}, {model.Connection{Number: 2}, "shared"},
			{model.Connection{}, "1"}, {model.Connection{}, "2"}}
		for _, p := range places {
			zone := []string{"UTC", "Asia/Jerusalem", "Pacific/Kiritimati", "Pacific/Pago_Pago"}[random.IntN(1+round%4)]
			reader.zones[p.calendar] = zone
			var events []model.Event
			for uid := range 12 {
				if random.IntN(2) == 0 {
					continue
				}
				e := model.Event{Ref: p.ref().Event(fmt.Sprintf("%d%d", random.IntN(90), uid)), ICalUID: fmt.Sprint(uid),
					CalendarZone: zone}
				day := model.DateOf(now).AddDays(uid % 3)
				if uid%4 == 0 {
					e.Start.Date, e.End.Date = day, day.AddDays(1+uid%2)
				} else {
					e.Start.At = day.Midnight().Add(time.Duration(uid%2+random.IntN(8)/7) * time.Hour)
					e.End.At = e.Start.At.Add(time.Duration(1+uid%3) * 30 * time.Minute)
				}
				events = append(events, e)
			}
			slices.SortFunc(events, func(a, b model.Event) int {
				return sortedOf(a, time.UTC).compare(sortedOf(b, time.UTC).place())
			})
			reader.byCalendar[p.calendar] = events
		}
		r := &Resolver{reader: reader}
		list := listed{sources: r.sources(places), query: gcal.Query{From: now.Add(-48 * time.Hour),
			To: now.Add(7 * 24 * time.Hour)}}
		whole, _, err := r.eventPage(t.Context(), v, list, pageOf{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{} // the least standing by what the event is
		all := 0
		for _, p := range places {
			role := model.RoleOwner
			if p.account.Number == 2 {
				role = model.RoleReader
			}
			for _, e := range reader.byCalendar[p.calendar] {
				all++
				is := e.ICalUID + " " + e.Start.At.String() + e.Start.Date.String()
				standing := occur.Standing(p.account.Number, role)
				if there, known := want[is]; !known || standing < there {
					want[is] = standing
				}
			}
		}
		copies += all - len(want)
		for _, s := range whole {
			is := s.Event.ICalUID + " " + s.Event.Start.At.String() + s.Event.Start.Date.String()
			if standing, known := want[is]; !known || standing != s.standing {
				t.Fatalf("round %d: %s stands %d, not %d", round, is, s.standing, standing)
			}
			delete(want, is)
		}
		if len(want) > 0 {
			t.Fatalf("round %d: %v are missing", round, want)
		}
		for _, backward := range []bool{false, true} {
			limit := 1 + random.IntN(4)
			var got []model.EventRef
			page := pageOf{limit: limit, backward: backward}
			for more := true; more; {
				var items []sorted
				if items, more, err = r.eventPage(t.Context(), v, list, page, 0); err != nil {
					t.Fatal(err)
				}
				if more && len(items) != limit {
					t.Fatalf("round %d: a page of %d has %d, and more is to come", round, limit, len(items))
				}
				refs := make([]model.EventRef, len(items))
				for i, item := range items {
					refs[i] = item.Event.Ref
				}
				if len(items) == 0 {
					break
				}
				first, last := items[0].place(), items[len(items)-1].place()
				if page.after = &last; backward {
					page.after, page.before = nil, &first
					got = slices.Concat(refs, got)
				} else {
					got = append(got, refs...)
				}
			}
			refs := make([]model.EventRef, len(whole))
			for i, item := range whole {
				refs[i] = item.Event.Ref
			}
			if !slices.Equal(got, refs) {
				t.Fatalf("round %d, pages of %d, backward %v:\n%v\nthe whole:\n%v", round, limit, backward, got, refs)
			}
		}
	}
	if copies < 1000 {
		t.Errorf("there were %d copies", copies)
	}
}
