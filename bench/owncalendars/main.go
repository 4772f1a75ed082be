//go:build bench

// Command owncalendars measures what a window of 50 events and a month of freeBusy cost through the API, on the
// embedded store, in own calendars of 5,000 and 20,000 events of which 300 are series that still go on, and in one of
// 5,000 that has 45,000 more which were over ten years ago, a tenth of them series: what is past should cost nothing.
//
//	go run -tags bench ./bench/owncalendars
//
// It prints the median and the 95th percentile of the time, and the processor time of one question.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/sqlite"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/engine"
	"almanac/internal/seal"
	"almanac/resolvers"
)

// now is in the middle of the calendars.
var now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// asked is how often each question is put.
const asked = 400

var questions = []struct{ name, query string }{
	{"window of 50", `{ events(filter: { timeMin: "2026-11-22T12:00:00Z", timeMax: "2026-12-22T12:00:00Z" }, first: 50) {
		nodes { id summary location start { dateTime } end { dateTime } itemContext { isToday isRecurring } } } }`},
	{"freeBusy of a month", `{ freeBusy(timeMin: "2026-11-22T12:00:00Z", timeMax: "2026-12-22T12:00:00Z") {
		busy { start end } } }`},
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "owncalendars:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	for _, has := range []calendar{{events: 5_000}, {events: 20_000}, {events: 5_000, past: 45_000}} {
		if err := measure(ctx, has); err != nil {
			return err
		}
	}
	load, err := os.ReadFile("/proc/loadavg")
	fmt.Printf("load %s", load)
	return err
}

// calendar says how many events of ten years a calendar has, and how many that were over before those.
type calendar struct{ events, past int }

func (c calendar) String() string {
	if c.past == 0 {
		return fmt.Sprintf("%d events", c.events)
	}
	return fmt.Sprintf("%d events and %d of the past", c.events, c.past)
}

func measure(ctx context.Context, has calendar) (err error) {
	dir, err := os.MkdirTemp("", "owncalendars")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(dir, "almanac.db"), Now: clock.Fixed(now).Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Migrate(ctx); err != nil {
		return err
	}
	if err := lay(ctx, s, has); err != nil {
		return err
	}
	handler, resolver, err := serve(s)
	if err != nil {
		return err
	}
	defer resolver.Close()
	for _, q := range questions {
		if err := ask(ctx, handler, fmt.Sprintf("%v, %s", has, q.name), q.query); err != nil {
			return err
		}
	}
	return nil
}

// serve is the front door over the store, with nothing linked.
func serve(s *sqlite.Store) (http.Handler, *resolvers.Root, error) {
	sealer, err := seal.New([]byte(rand.Text() + rand.Text()))
	if err != nil {
		return nil, nil, err
	}
	at := clock.Fixed(now).Now
	resolver := resolvers.New(resolvers.Config{Store: s, Now: at, NewID: clock.NewIDs(at, rand.Reader).New,
		Sealer: sealer, Keep: time.Hour,
		Defaults: model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday}})
	preparer, err := engine.New(engine.Config{Schema: graph.NewPlannedSchema(graph.Config{Resolvers: resolver}),
		Now: at, Mutate: resolver.Mutate})
	if err != nil {
		return nil, nil, err
	}
	handler, err := httpapi.New(httpapi.Config{Engine: preparer, Authenticator: everybody{}, Open: resolver.Open, Now: at})
	return handler, resolver, err
}

// everybody is the user of the benchmark.
type everybody struct{}

// Authenticate implements httpapi.Authenticator.
func (everybody) Authenticate(context.Context, string) (model.Caller, error) {
	return model.Caller{UserID: user, Subject: "bench", Scopes: []model.Scope{model.ScopeRead}}, nil
}

var user = model.UserIDOf("bench")

// ask puts a question until the time of one is known.
func ask(ctx context.Context, handler http.Handler, name, query string) error {
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		return err
	}
	var took []time.Duration
	var processor time.Duration
	for i := range asked + 20 { // the first ones fill caches
		if i == 20 {
			processor, took = spent(), nil
		}
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer bench")
		w := httptest.NewRecorder()
		begun := time.Now()
		handler.ServeHTTP(w, r)
		took = append(took, time.Since(begun))
		if w.Code != http.StatusOK || bytes.Contains(w.Body.Bytes(), []byte(`"errors"`)) || w.Body.Len() < 500 {
			return fmt.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	processor = (spent() - processor) / asked
	slices.Sort(took)
	fmt.Printf("%-58s p50 %5.2f ms, p95 %5.2f ms, processor %5.2f ms\n", name, ms(took[len(took)/2]),
		ms(took[len(took)*95/100]), ms(processor))
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// spent is the processor time of this process.
func spent() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// rules are those of the series: a tenth daily, a tenth of workdays.
var rules = []string{"FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=WEEKLY",
	"FREQ=WEEKLY;INTERVAL=2", "FREQ=YEARLY", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=SU,TU"}

// lay keeps events in one own calendar, 300 of those that are not past series.
func lay(ctx context.Context, s *sqlite.Store, has calendar) error {
	events := has.events
	return s.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		kept, err := tx.InsertCalendar(ctx, model.KeptCalendar{Source: model.CalendarOwn, State: model.CalendarKept,
			Name: "Bench", Zone: "Asia/Jerusalem", Role: model.RoleOwner, Followed: true, CreatedAt: now, UpdatedAt: now})
		if err != nil {
			return err
		}
		var all []model.EventRow
		for i := range events {
			start := now.AddDate(0, 0, -3650+i*4000/events).Add(time.Duration(i%600) * time.Minute)
			row := model.EventRow{Calendar: kept.Number, ID: fmt.Sprintf("%026d", i), Kind: model.EventSingle,
				StartsAt: start, EndsAt: start.Add(time.Hour), Summary: fmt.Sprintf("Event %d", i),
				Status: model.EventConfirmed, Type: model.EventDefault, UID: fmt.Sprintf("%d@almanac", i), UpdatedAt: now,
				Body: &model.EventBody{Description: "What it is about, in a sentence or two.", Location: "Room 5"}}
			if every := events / 300; i%every == 0 && i/every < 300 {
				row.StartsAt = now.AddDate(0, 0, -1-i*2000/events).Truncate(24 * time.Hour).
					Add(time.Duration(6*60+i%600) * time.Minute)
				row.EndsAt = row.StartsAt.Add(time.Hour)
				row.Kind, row.Recurrence = model.EventSeries, []string{"RRULE:" + rules[i/every%len(rules)]}
			}
			all = append(all, row)
		}
		for i := range has.past {
			row := all[i%events]
			row.ID, row.Kind, row.Recurrence = fmt.Sprintf("%026d", events+i), model.EventSingle, nil
			row.UID = row.ID + "@almanac"
			row.StartsAt = now.AddDate(-20, 0, i*3000/has.past).Add(time.Duration(i%600) * time.Minute)
			row.EndsAt = row.StartsAt.Add(time.Hour)
			if i%10 == 0 {
				row.Kind, row.Recurrence = model.EventSeries, []string{"RRULE:FREQ=DAILY;COUNT=5"}
				row.LastsUntil = row.EndsAt.AddDate(0, 0, 4)
			}
			all = append(all, row)
		}
		_, err = tx.SaveEvents(ctx, all)
		return err
	})
}
