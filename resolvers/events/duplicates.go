package events

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/match"
)

// duplicateScore is from which likeness on two titles at the same time are nearly the same.
const duplicateScore = 0.9

// sameSpan reports whether two events are at the same time.
func sameSpan(a, b span) bool {
	return a.Start.Date == b.Start.Date && a.End.Date == b.End.Date && a.Start.At.Equal(b.Start.At) &&
		a.End.At.Equal(b.End.At)
}

// alike reports whether two titles are nearly the same, whichever of them is looked for in the other.
func alike(a, b string) bool {
	if fold.Text(a) == fold.Text(b) {
		return true
	}
	return scores(a, b) || scores(b, a)
}

func scores(query, title string) bool {
	_, ok := match.NewPattern(beginning(fold.Unmarked(query)), duplicateScore).Score(beginning(fold.Unmarked(title)))
	return ok
}

// comparedTitle is how much of a title likeness looks at, in bytes: the work grows with the square of it, for each pair
// of a request's events.
const comparedTitle = 120

func beginning(title string) string {
	if len(title) <= comparedTitle {
		return title
	}
	end := comparedTitle
	for !utf8.RuneStart(title[end]) {
		end--
	}
	return title[:end]
}

// duplicates reports whether another event stands where this one is to stand.
func (e newEvent) duplicates(other model.Event) bool {
	return !e.isOwn(other) && sameSpan(e.span(), span{other.Start, other.End}) &&
		alike(e.insert.Event.Summary, other.Summary)
}

// twins reports whether two events of one request are duplicates of each other.
func (e newEvent) twins(other newEvent) bool {
	return e.place.ref() == other.place.ref() && sameSpan(e.span(), other.span()) &&
		alike(e.insert.Event.Summary, other.insert.Event.Summary)
}

// maxDuplicates is how many duplicates are reported of one event.
const maxDuplicates = 10

// dateReach is how far a date may begin before and after its midnight in UTC, wherever its calendar is.
const dateReach = 14 * time.Hour

// stretch is the part of a calendar in which a duplicate of an event begins; half-open.
func (e newEvent) stretch() (from, to time.Time) {
	start := e.insert.Event.Start
	if start.AllDay() {
		return start.Date.Midnight().Add(-dateReach), start.Date.Midnight().Add(dateReach)
	}
	return start.At, start.At.Add(time.Second)
}

// findDuplicates looks for what stands where the event is to stand, with one small request.
func (r *Resolver) findDuplicates(ctx context.Context, e newEvent, fields gcal.Fields) ([]model.Event, error) {
	from, to := e.stretch()
	listing, err := r.reader.Events(ctx, e.place.account, e.place.calendar, gcal.Query{
		From: from, To: to, Fields: fields | gcal.FieldSummary | gcal.FieldTimes, Limit: maxDuplicates, Keep: e.duplicates,
	})
	return listing.Events, err
}

// looked is what a look for duplicates came to.
type looked struct {
	found []model.Event
	err   error
}

// looksAtOnce is how many looks for duplicates are under way at a time, as other changes of the mutation would be.
const looksAtOnce = 4

// gap is how much of a calendar that nobody asked about is read so as to spare a request.
const gap = 7 * 24 * time.Hour

// findAllDuplicates looks for duplicates of many events with as few requests as the times allow: what lies near
// together in one calendar is read at once. Events that need no look have an empty answer.
func (r *Resolver) findAllDuplicates(ctx context.Context, events []newEvent, needs func(int) bool,
	fields gcal.Fields) []looked {
	out := make([]looked, len(events))
	byPlace := make(map[model.CalendarRef][]int)
	var order []model.CalendarRef
	for i := range events {
		if !needs(i) {
			continue
		}
		ref := events[i].place.ref()
		if len(byPlace[ref]) == 0 {
			order = append(order, ref)
		}
		byPlace[ref] = append(byPlace[ref], i)
	}
	var group errgroup.Group
	group.SetLimit(looksAtOnce)
	for _, ref := range order {
		for _, near := range neighbours(events, byPlace[ref]) {
			group.Go(func() error {
				r.lookAmong(ctx, events, near, fields, out)
				return nil
			})
		}
	}
	_ = group.Wait() // each error stands with its events
	return out
}

// neighbours groups events of one calendar that lie near together.
func neighbours(events []newEvent, members []int) [][]int {
	slices.SortStableFunc(members, func(a, b int) int {
		x, _ := events[a].stretch()
		y, _ := events[b].stretch()
		return x.Compare(y)
	})
	var groups [][]int
	var end time.Time
	for _, i := range members {
		from, to := events[i].stretch()
		if len(groups) == 0 || from.Sub(end) > gap {
			groups, end = append(groups, nil), to
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], i)
		if to.After(end) {
			end = to
		}
	}
	return groups
}

// lookAmong reads one stretch of a calendar for several events of it.
func (r *Resolver) lookAmong(ctx context.Context, events []newEvent, near []int, fields gcal.Fields, out []looked) {
	from, to := events[near[0]].stretch()
	for _, i := range near {
		if _, end := events[i].stretch(); end.After(to) {
			to = end
		}
	}
	p := events[near[0]].place
	listing, err := r.reader.Events(ctx, p.account, p.calendar, gcal.Query{
		From: from, To: to, Fields: fields | gcal.FieldSummary | gcal.FieldTimes,
		Keep: func(there model.Event) bool {
			return slices.ContainsFunc(near, func(i int) bool { return events[i].duplicates(there) })
		},
	})
	for _, i := range near {
		out[i].err = err
		for _, there := range listing.Events {
			if len(out[i].found) < maxDuplicates && events[i].duplicates(there) {
				out[i].found = append(out[i].found, there)
			}
		}
	}
}

// twinsOf returns, for each event, the first earlier one of the request that is its duplicate; -1 for none.
func twinsOf(events []newEvent, failures []error) []int {
	out := make([]int, len(events))
	for i := range events {
		out[i] = -1
		for j := range i {
			if failures[i] == nil && failures[j] == nil && events[i].twins(events[j]) {
				out[i] = j
				break
			}
		}
	}
	return out
}
