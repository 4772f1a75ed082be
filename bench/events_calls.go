//go:build bench

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"runtime"
	"time"

	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"almanac/adapters/gcal"
	"almanac/graph/model"
)

// remoteCall is one thing that is asked of a calendar: by our adapter, and by Google's client library alone, in the
// same words.
type remoteCall struct {
	name string
	// count is how often it is made in one round.
	count int
	ours  func(ctx context.Context) error
	// bare is given the query of what ours has asked, so that it asks for the same.
	bare func(ctx context.Context, query url.Values) error
	// other says that ours asks for something else besides, so that only the whole can be compared.
	other bool
}

// calls are what is measured, at a calendar with meetings from first on.
func calls(remote *remoteServer, at model.Connection, api *calendar.Service, first time.Time) []remoteCall {
	narrow := gcal.FieldSummary | gcal.FieldTimes
	mask := func(query url.Values) googleapi.Field { return googleapi.Field(query.Get("fields")) }
	get := func(fields gcal.Fields) remoteCall {
		return remoteCall{
			count: 100,
			ours: func(ctx context.Context) error {
				_, err := remote.client.Event(ctx, at, model.EventRef{Connection: at.Number, Event: "meeting000007"}, fields)
				return err
			},
			bare: func(ctx context.Context, query url.Values) error {
				_, err := api.Events.Get("primary", "meeting000007").Fields(mask(query)).Context(ctx).Do()
				return err
			},
		}
	}
	list := func(fields gcal.Fields) remoteCall {
		return remoteCall{
			count: 30,
			ours: func(ctx context.Context) error {
				found, err := remote.client.Events(ctx, at, "",
					gcal.Query{From: first, To: first.AddDate(0, 0, 30), Limit: 50, Fields: fields})
				if err == nil && len(found.Events) != 50 {
					return fmt.Errorf("%d events instead of 50", len(found.Events))
				}
				return err
			},
			bare: func(ctx context.Context, query url.Values) error {
				found, err := api.Events.List("primary").SingleEvents(true).OrderBy("startTime").MaxResults(51).TimeMin(
					query.Get("timeMin")).
					TimeMax(query.Get("timeMax")).Fields(mask(query)).Context(ctx).Do()
				if err == nil && len(found.Items) != 51 {
					return fmt.Errorf("%d events instead of 51", len(found.Items))
				}
				return err
			},
		}
	}
	named := func(name string, c remoteCall) remoteCall { c.name = name; return c }
	return []remoteCall{
		named("get, title and times", get(narrow)), named("get, everything", get(gcal.FieldsAll&^gcal.FieldZone)),
		named("list of 50, titles and times", list(narrow)), named("list of 50, everything", list(gcal.FieldsAll)),
		named("insert", inserting(remote, at, api, first)),
		named("patch of what was just read", patching(remote, at, api, true)),
		named("patch", patching(remote, at, api, false)),
	}
}

// inserting adds a short event under an id of its own.
func inserting(remote *remoteServer, at model.Connection, api *calendar.Service, first time.Time) remoteCall {
	number := 0
	id := func() string { number++; return fmt.Sprintf("made%08d", number) }
	start := first.AddDate(1, 0, 0)
	return remoteCall{
		count: 60,
		ours: func(ctx context.Context) error {
			_, _, err := remote.client.Insert(ctx, at, "", gcal.NewEvent{
				Event: model.Event{
					Summary: textOf(1), Location: "Tel Aviv",
					Start: model.EventTime{At: start, Zone: zone}, End: model.EventTime{At: start.Add(time.Hour), Zone: zone},
				},
				SourceID: id(), SendUpdates: model.SendUpdatesNone, Fields: gcal.FieldsAll &^ gcal.FieldZone,
			})
			return err
		},
		bare: func(ctx context.Context, query url.Values) error {
			_, err := api.Events.Insert("primary", &calendar.Event{
				Id: id(), Summary: textOf(1), Location: "Tel Aviv",
				Start: &calendar.EventDateTime{DateTime: start.Format(time.RFC3339), TimeZone: zone},
				End:   &calendar.EventDateTime{DateTime: start.Add(time.Hour).Format(time.RFC3339), TimeZone: zone},
			}).SendUpdates("none").Fields(googleapi.Field(query.Get("fields"))).Context(ctx).Do()
			return err
		},
	}
}

// patching changes a title under the condition that the event is still the one that was read. Each side has an event of
// its own. When it was not read just now, the adapter reads what it changes, which the bare client does not.
func patching(remote *remoteServer, at model.Connection, api *calendar.Service, read bool) remoteCall {
	mine, theirs := "meeting000011", "meeting000013"
	if !read {
		mine, theirs = "meeting000017", "meeting000019"
	}
	var known *model.Event
	var etag string
	number := 0
	title := func() string { number++; return fmt.Sprintf("%s (%d)", textOf(1), number) }
	return remoteCall{
		count: 60, other: !read,
		ours: func(ctx context.Context) error {
			ref := model.EventRef{Connection: at.Number, Event: mine}
			if read && known == nil {
				event, err := remote.client.Event(ctx, at, ref, gcal.FieldsToChange)
				if err != nil {
					return err
				}
				known = &event
			}
			text := title()
			options := gcal.ChangeOptions{SendUpdates: model.SendUpdatesNone, Fields: gcal.FieldSummary | gcal.FieldTimes,
				Known: known}
			event, err := remote.client.Patch(ctx, at, ref, gcal.Patch{Summary: &text}, options)
			if read {
				known = &event
			}
			return err
		},
		bare: func(ctx context.Context, query url.Values) error {
			call := api.Events.Patch("primary", theirs, &calendar.Event{Summary: title()}).SendUpdates("none").
				Fields(googleapi.Field(query.Get("fields"))).Context(ctx)
			if etag != "" && read {
				call.Header().Set("If-Match", etag)
			}
			event, err := call.Do()
			if err == nil {
				etag = event.Etag
			}
			return err
		},
	}
}

// way is how what is asked reaches the calendar.
type way struct {
	name, title string
	latency     time.Duration
	replays     bool
}

func ways() []way {
	return []way{
		{name: "replay", title: "answers given again from memory: the two clients and nothing else", replays: true},
		{name: "stand-in", title: "the stand-in, in this process"},
		{name: "20 ms", title: "the stand-in, slowed down to 20 ms", latency: 20 * time.Millisecond},
	}
}

// pair is what one round says of a call: the medians of both sides, in nanoseconds.
type pair struct{ ours, bare float64 }

// callFigures are all rounds of one call on one way, and what it allocates.
type callFigures struct {
	rounds     []pair
	ours, bare allocation
}

// measureCalls makes every call on every way in each round, ours and the bare one in turn.
func measureCalls(ctx context.Context, remote *remoteServer, all []remoteCall, o options,
	progress io.Writer) (map[string]map[string]*callFigures, error) {
	figures := map[string]map[string]*callFigures{}
	for _, c := range all {
		figures[c.name] = map[string]*callFigures{}
		for _, w := range ways() {
			figures[c.name][w.name] = &callFigures{}
		}
	}
	for round := range o.rounds {
		fmt.Fprintf(progress, "calls, round %d of %d, load average %s\n", round+1, o.rounds, loadAverage())
		for _, i := range rand.Perm(len(all)) { //nolint:gosec // an order of measuring
			for _, w := range ways() {
				if err := measureCall(ctx, remote, all[i], w, figures[all[i].name][w.name], o); err != nil {
					return nil, fmt.Errorf("%s over %s: %w", all[i].name, w.name, err)
				}
			}
		}
	}
	return figures, nil
}

func measureCall(ctx context.Context, remote *remoteServer, c remoteCall, w way, into *callFigures, o options) error {
	if w.latency > 0 {
		remote.slow(map[string]time.Duration{"*": w.latency})
		defer remote.slow(nil)
	}
	// Once each, to see that they ask the same, and to have answers to give again.
	remote.tape.remember()
	defer remote.tape.forget()
	if err := c.ours(ctx); err != nil {
		return err
	}
	query := remote.tape.query()
	bare := func(ctx context.Context) error { return c.bare(ctx, query) }
	if err := bare(ctx); err != nil {
		return err
	}
	if asked := remote.tape.query(); asked.Encode() != query.Encode() {
		return fmt.Errorf("the adapter asks for %s, the bare client for %s", query.Encode(), asked.Encode())
	}
	remote.tape.replay(w.replays)
	count := max(c.count/o.hurry, 1)
	if w.latency > 0 {
		count = max(6/o.hurry, 1)
	}
	ours, theirs := make([]float64, count), make([]float64, count)
	for i := range count {
		var err error
		if ours[i], err = took(ctx, c.ours); err != nil {
			return err
		}
		if theirs[i], err = took(ctx, bare); err != nil {
			return err
		}
	}
	into.rounds = append(into.rounds, pair{median(ours), median(theirs)})
	if w.latency > 0 || len(into.rounds) > 1 {
		return nil
	}
	var err error
	if into.ours, err = allocates(ctx, count, c.ours); err != nil {
		return err
	}
	into.bare, err = allocates(ctx, count, bare)
	return err
}

// took returns the time of one call in nanoseconds.
func took(ctx context.Context, call func(context.Context) error) (float64, error) {
	began := time.Now()
	err := call(ctx)
	return float64(time.Since(began)), err
}

// allocates returns what one call allocates in this process, all goroutines included.
func allocates(ctx context.Context, count int, call func(context.Context) error) (allocation, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range count {
		if err := call(ctx); err != nil {
			return allocation{}, err
		}
	}
	runtime.ReadMemStats(&after)
	return allocation{
		pieces: float64(after.Mallocs-before.Mallocs) / float64(count),
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / float64(count),
	}, nil
}

func writeCalls(w io.Writer, all []remoteCall, figures map[string]map[string]*callFigures, rounds int) {
	fmt.Fprintf(w,
		"\n### The adapter against the bare client library\n\nMedians of %d rounds, in each of which both sides take turns; "+
			"× is the median of the rounds' ratios. Ways:\n\n", rounds)
	for _, way := range ways() {
		fmt.Fprintf(w, "- %s: %s\n", way.name, way.title)
	}
	fmt.Fprintln(w,
		"\n| call | way | bare µs | adapter µs | × | bare allocations | KiB | adapter allocations | KiB |\n"+
			"|---|---|--:|--:|--:|--:|--:|--:|--:|")
	for _, c := range all {
		for _, way := range ways() {
			f := figures[c.name][way.name]
			micros := func(figure func(pair) float64) float64 { return median(each(f.rounds, figure)) / 1000 }
			fmt.Fprintf(w, "| %s | %s | %.0f | %.0f | %s |", c.name, way.name, micros(pair.bareNanos), micros(pair.oursNanos),
				spread(each(f.rounds, func(p pair) float64 { return p.ours / p.bare })))
			if f.ours.pieces == 0 {
				fmt.Fprintln(w, " | | | |")
				continue
			}
			fmt.Fprintf(w, " %.0f | %.0f | %.0f | %.0f |\n", f.bare.pieces, f.bare.bytes/1024, f.ours.pieces, f.ours.bytes/1024)
		}
	}
}

func (p pair) oursNanos() float64 { return p.ours }
func (p pair) bareNanos() float64 { return p.bare }
