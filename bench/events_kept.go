//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"time"

	"almanac/bench/load"
	"almanac/graph/model"
	"almanac/internal/calsync"
	front "almanac/internal/standin/google"
)

const (
	// keptEvents is how many events the calendar has whose copy is read; keptSeries of them are series that go on.
	keptEvents, keptSeries = 5_000, 300
	// keptYears is over how many years before and after now the single ones are spread.
	keptYears = 5
	// keptPatience bounds the first reading of the calendar.
	keptPatience = 5 * time.Minute
	// keptPace is the collector's pace that the program sets itself.
	keptPace = 300
)

// keptRules are those of the series.
var keptRules = [...]string{"FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY", "FREQ=MONTHLY",
	"FREQ=WEEKLY", "FREQ=WEEKLY;INTERVAL=2", "FREQ=YEARLY", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=WEEKLY",
	"FREQ=WEEKLY;BYDAY=SU,TU"}

// measureKept measures queries that read the kept copy of a linked calendar, over the whole server, with Google as it
// may be: at once, slow, and away. It counts what Google is asked meanwhile.
func measureKept(ctx context.Context, o options, d database, out, progress io.Writer) error {
	c := &client{}
	var err error
	if c.asker, err = newPerson(time.Now(), "kept"); err != nil {
		return err
	}
	fmt.Fprintln(progress, "filling and reading a calendar of", keptEvents, "events")
	if err := layKept(ctx, d, c.asker); err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(keptPace))
	// Another instance is measured, with a Google that has no events: they would be the collector's work as well.
	remote, h, err := following(ctx, d)
	if err != nil {
		return err
	}
	defer h.Close() //nolint:errcheck // what was measured stands
	handler, err := h.almanac()
	if err != nil {
		return err
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	if c.conn, err = load.Dial(ctx, strings.TrimPrefix(server.URL, "http://")); err != nil {
		return err
	}
	defer c.conn.Close() //nolint:errcheck // the same
	stop, err := profiled(o.keptProfile)
	if err != nil {
		return err
	}
	return errors.Join(writeKept(ctx, out, remote, c, o, progress), stop())
}

// profiled writes a CPU profile of this process to a file until it is stopped; without a file it does nothing.
func profiled(path string) (stop func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return file.Close()
	}, nil
}

// following opens the database with a Google whose calendars are kept.
func following(ctx context.Context, d database) (*remoteServer, *instance, error) {
	remote, err := newRemote()
	if err != nil {
		return nil, nil, err
	}
	remote.follows = true
	h, err := newInstance(ctx, d, remote)
	return remote, h, err
}

// layKept makes a calendar of Google's, and the copy of it.
func layKept(ctx context.Context, d database, p *person) (err error) {
	remote, h, err := following(ctx, d)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	now := time.Now()
	if err := fillOne(ctx, h.store, p, now, perPerson); err != nil {
		return err
	}
	account, err := remote.link(ctx, p, "kept@example.com")
	if err != nil {
		return err
	}
	if err := remote.fillYears(account.Account, now); err != nil {
		return err
	}
	return readKept(ctx, h, remote.follower, account)
}

// fillYears makes the events of the calendar.
func (c *remoteServer) fillYears(email string, now time.Time) error {
	first := now.AddDate(-keptYears, 0, 0)
	step := now.AddDate(keptYears, 0, 0).Sub(first) / (keptEvents - keptSeries)
	for i := range keptEvents {
		start := first.Add(time.Duration(i) * step).Truncate(15 * time.Minute)
		event := map[string]any{}
		if i < keptSeries {
			start = now.AddDate(0, 0, -i).Truncate(15 * time.Minute)
			event["recurrence"] = []any{"RRULE:" + keptRules[i%len(keptRules)]}
		}
		for key, value := range meeting(i, start, email) {
			event[key] = value
		}
		if _, err := c.service.Insert(email, "primary", event); err != nil {
			return err
		}
	}
	return nil
}

// readKept has the calendar read until its copy is kept.
func readKept(ctx context.Context, h *instance, follower *calsync.Worker, account model.Connection) error {
	if err := follower.Follow(ctx, account); err != nil {
		return err
	}
	reading, stop := context.WithTimeout(ctx, keptPatience)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = follower.Run(reading) // it ends because it is told to
	}()
	defer func() { stop(); <-done }()
	for {
		all, err := h.store.KeptCalendars(ctx, account.User)
		if err != nil {
			return err
		}
		for _, calendar := range all {
			if calendar.State == model.CalendarKept && calendar.Connection == account.Number {
				return nil
			}
		}
		select {
		case <-reading.Done():
			return fmt.Errorf("the calendar was not read within %v", keptPatience)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// writeKept asks and writes the table.
func writeKept(ctx context.Context, w io.Writer, remote *remoteServer, c *client, o options,
	progress io.Writer) error {
	from, to := time.Now().UTC(), time.Now().UTC().AddDate(0, 1, 0)
	window := object{"from": from.Format(time.RFC3339), "to": to.Format(time.RFC3339)}
	cases := []struct{ name, query string }{
		{"a window of 50", `query($from: DateTime!, $to: DateTime!) { events(filter: { timeMin: $from, timeMax: $to },
			first: 50) { context { asOf notes { code } } nodes { ` + dashboardEvent + ` } } }`},
		{"freeBusy of a month", `query($from: DateTime!, $to: DateTime!) { freeBusy(timeMin: $from, timeMax: $to) {
			isFree busy { start end } } }`},
		{"agenda of a week", `query { agenda(kinds: [EVENT, TASK]) { asOf notes { code }
			entries { kind title atFormatted } } }`},
	}
	states := []struct {
		name  string
		fault *front.Fault
	}{
		{"answers at once", nil},
		{"takes 300 ms", &front.Fault{Method: "*", Latency: 300 * time.Millisecond}},
		{"takes 5 s", &front.Fault{Method: "*", Latency: 5 * time.Second}},
		{"is away", &front.Fault{Method: "*", Status: http.StatusServiceUnavailable}},
	}
	fmt.Fprintf(w, "\n### Copies of a linked calendar\n\n%d events over %d years, of which %d are series that go on; one "+
		"client over the whole server. The first page after the copy was read is not counted. Processor time and "+
		"allocations are those of one question, with its client and the collector, whose pace is the program's own.\n\n"+
		"| what | Google | p50 ms | p95 ms | processor ms | allocations | KiB | requests to Google |\n"+
		"|---|---|--:|--:|--:|--:|--:|--:|\n", keptEvents, 2*keptYears, keptSeries)
	for _, asked := range cases {
		ask := c.once(asked.query, window)
		if err := ask(ctx); err != nil {
			return fmt.Errorf("%s: %w", asked.name, err)
		}
		for _, state := range states {
			remote.server.Clear()
			if state.fault != nil {
				remote.server.Inject(*state.fault)
			}
			fmt.Fprintf(progress, "%s, Google %s, load average %s\n", asked.name, state.name, loadAverage())
			before := remote.tape.traffic()
			figures, err := askedOften(ctx, ask, max(o.rounds*40/o.hurry, 20))
			if err != nil {
				return fmt.Errorf("%s: %w", asked.name, err)
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %.0f | %.0f | %d |\n", asked.name, state.name,
				inMillis(percentile(figures.times, 50)), inMillis(percentile(figures.times, 95)), inMillis(figures.processor),
				figures.allocated.pieces, figures.allocated.bytes/1024, remote.tape.traffic().since(before).requests)
		}
	}
	remote.server.Clear()
	return nil
}

// askedFigures are the times of a question that is asked often, and what one of them costs this process.
type askedFigures struct {
	times     []time.Duration
	processor time.Duration
	allocated allocation
}

// askedOften asks a question so many times, one after another.
func askedOften(ctx context.Context, ask func(context.Context) error, count int) (out askedFigures, err error) {
	before := processCPU(os.Getpid())
	out.allocated, err = allocates(ctx, count, func(ctx context.Context) error {
		nanos, err := took(ctx, ask)
		out.times = append(out.times, time.Duration(nanos))
		return err
	})
	out.processor = (processCPU(os.Getpid()) - before) / time.Duration(count)
	return out, err
}
