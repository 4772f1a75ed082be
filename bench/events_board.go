//go:build bench

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// dashboardEvent are the fields of an event on a dashboard.
const dashboardEvent = `id summary location meetingUrl allDay whenFormatted start { dateTime date }
	end { dateTime date } itemContext { isToday isNow isPast isRecurring }`

// The parts of a dashboard.
const (
	partEvents    = `events(first: 50) { nodes { ` + dashboardEvent + ` } }`
	partTasks     = `tasks(first: 50) { nodes { ` + listed + ` } }`
	partFreeBusy  = `freeBusy { isFree busy { start end } }`
	partCalendars = `calendars { id summary account primary writable backgroundColor }`
)

// boardLatencies are how long Google takes in the measurement of the dashboard.
func boardLatencies() map[string]time.Duration {
	return map[string]time.Duration{
		"calendar.events.list": 120 * time.Millisecond, "calendar.freebusy.query": 80 * time.Millisecond,
		"calendar.calendarList.list": 60 * time.Millisecond,
	}
}

// writeBoard measures one request with all the parts against each of them alone, and against the slowest question to
// Google by itself.
func writeBoard(ctx context.Context, w io.Writer, v *visitors, o options, progress io.Writer) error {
	v.remote.slow(boardLatencies())
	defer v.remote.slow(nil)
	const whole = "{ " + partEvents + " " + partTasks + " " + partFreeBusy + " " + partCalendars + " }"
	upstream := func(ctx context.Context) error {
		_, err := v.bare.Events.List("primary").SingleEvents(true).OrderBy("startTime").MaxResults(51).TimeMin(
			v.first.Format(time.RFC3339)).
			Fields("nextPageToken", "timeZone", "accessRole",
				"items(id,etag,status,eventType,recurringEventId,originalStartTime,summary,location,start,end,hangoutLink)").
			Context(ctx).Do()
		return err
	}
	twice := func(ctx context.Context) error {
		both, ctx := errgroup.WithContext(ctx)
		both.Go(func() error { return upstream(ctx) })
		both.Go(func() error { return upstream(ctx) })
		return both.Wait()
	}
	cases := []struct {
		name string
		ask  func(context.Context) error
	}{
		{"Google's list of 50 events, by the bare client: the slowest upstream", upstream},
		{"the dashboard, one account", v.calm.once(whole, nil)},
		{"… events alone", v.calm.once("{ "+partEvents+" }", nil)},
		{"… freeBusy alone", v.calm.once("{ "+partFreeBusy+" }", nil)},
		{"… calendars alone", v.calm.once("{ "+partCalendars+" }", nil)},
		{"… tasks alone", v.calm.once("{ "+partTasks+" }", nil)},
		{"two such lists at once, by the bare client", twice},
		{"the dashboard, two accounts", v.double.once(whole, nil)},
		{"… events alone", v.double.once("{ "+partEvents+" }", nil)},
	}
	const firstOfTwo = 6 // of the cases with two accounts
	millis, fastest := make([][]float64, len(cases)), make([][]float64, len(cases))
	for round := range o.rounds {
		fmt.Fprintf(progress, "dashboard, round %d of %d, load average %s\n", round+1, o.rounds, loadAverage())
		times := make([][]float64, len(cases))
		for range max(5/o.hurry, 1) {
			for _, i := range rand.Perm(len(cases)) { //nolint:gosec // an order of measuring
				nanos, err := took(ctx, cases[i].ask)
				if err != nil {
					return fmt.Errorf("%s: %w", cases[i].name, err)
				}
				times[i] = append(times[i], nanos/1e6)
			}
		}
		for i := range cases {
			millis[i] = append(millis[i], median(times[i]))
			fastest[i] = append(fastest[i], slices.Min(times[i]))
		}
	}
	fmt.Fprintf(w,
		"\n### Dashboard\n\n`%s`, over the whole server and a socket; Google takes 120 ms for events, 80 for free/busy, 60 "+
			"for calendars. Medians of %d rounds of %d requests each, in an order of chance; "+
			"× is against the bare client, round by round. The fastest request of each round is the one that neighbours on the "+
			"machine have disturbed least.\n\n"+
			"| what | ms | × | fastest ms | × |\n|---|--:|--:|--:|--:|\n",
		"{ events(first: 50) tasks(first: 50) freeBusy calendars }", o.rounds, max(5/o.hurry, 1))
	same := func(v float64) float64 { return v }
	for i, c := range cases {
		against := 0
		if i >= firstOfTwo {
			against = firstOfTwo
		}
		fmt.Fprintf(w, "| %s | %.1f | %s | %.1f | %s |\n", c.name, median(millis[i]),
			thirds(ratios(millis[i], millis[against], same)),
			median(fastest[i]), thirds(ratios(fastest[i], fastest[against], same)))
	}
	return nil
}

// thirds is spread with a digit more, for ratios near to 1.
func thirds(values []float64) string {
	low, high := bounds(values)
	return fmt.Sprintf("%.3f (%.3f–%.3f)", median(values), low, high)
}
