//go:build bench

// Command locks measures how long the transactions of what goes in chunks hold their lock: importing, a feed, and
// erasing an own calendar of 20,000 events. A lock is held from when a transaction begins its work until it has ended.
//
//	go run -tags bench ./bench/owncalendars/locks
//	tools/postgres.sh run go run -tags bench ./bench/owncalendars/locks -postgres
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/adapters/calfiles"
	"almanac/adapters/owncal"
	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/clock"
	"almanac/projections/occur"
)

// perFile is how many events one file has: an import takes no more.
const perFile = calfiles.MaxImported

var user = model.UserIDOf("bench")

func main() {
	onPostgres := flag.Bool("postgres", false, "measure PostgreSQL, at ALMANAC_TEST_DATABASE_URL, instead of SQLite")
	flag.Parse()
	if err := run(context.Background(), *onPostgres); err != nil {
		fmt.Fprintln(os.Stderr, "locks:", err)
		os.Exit(1)
	}
}

type opened interface {
	store.Store
	Migrate(ctx context.Context) error
	Close() error
}

func run(ctx context.Context, onPostgres bool) (err error) {
	dir, err := os.MkdirTemp("", "locks")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	var s opened
	if onPostgres {
		address, drop, err := newDatabase(ctx)
		if err != nil {
			return err
		}
		defer drop()
		s, err = postgres.Open(ctx, postgres.Options{URL: address})
		if err != nil {
			return err
		}
	} else if s, err = sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(dir, "almanac.db")}); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Migrate(ctx); err != nil {
		return err
	}
	return measure(ctx, &watched{Store: s})
}

// newDatabase makes an empty database; drop takes it away.
func newDatabase(ctx context.Context) (address string, drop func(), err error) {
	server := os.Getenv("ALMANAC_TEST_DATABASE_URL")
	name := "locks_" + strings.ToLower(rand.Text())
	do := func(ctx context.Context, statement string) error {
		c, err := pgx.Connect(ctx, server)
		if err != nil {
			return err
		}
		_, err = c.Exec(ctx, statement)
		return errors.Join(err, c.Close(ctx))
	}
	if err := do(ctx, "CREATE DATABASE "+name); err != nil {
		return "", nil, err
	}
	to, err := url.Parse(server)
	if err != nil {
		return "", nil, err
	}
	to.Path = "/" + name
	return to.String(), func() {
		if err := do(context.WithoutCancel(ctx), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			fmt.Fprintln(os.Stderr, "locks:", err)
		}
	}, nil
}

// watched is a store that notes how long its transactions hold their locks, and how much processor time this process
// spends meanwhile: where others are busy on the machine, the first says less than the second.
type watched struct {
	store.Store
	held, spent []time.Duration
}

// begin starts the clocks of one transaction; the function that it returns stops them.
func (w *watched) begin() func() {
	begun, before := time.Now(), processor()
	return func() {
		w.held, w.spent = append(w.held, time.Since(begun)), append(w.spent, processor()-before)
	}
}

// processor is the processor time of this process.
func processor() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Write implements store.Store.
func (w *watched) Write(ctx context.Context, of model.UserID, fn func(context.Context, store.Tx) error) error {
	end := func() {}
	err := w.Store.Write(ctx, of, func(ctx context.Context, tx store.Tx) error {
		end = w.begin()
		return fn(ctx, tx)
	})
	end()
	return err
}

// EraseEvents implements store.Store.
func (w *watched) EraseEvents(ctx context.Context, of model.UserID, limit int) (bool, error) {
	end := w.begin()
	more, err := w.Store.EraseEvents(ctx, of, limit)
	end()
	return more, err
}

// say prints what was noted since it was asked last.
func (w *watched) say(what string) {
	slices.Sort(w.held)
	slices.Sort(w.spent)
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	n := len(w.held)
	fmt.Printf("%-30s %4d transactions: p50 %5.1f ms, p99 %5.1f ms, longest %5.1f ms; "+
		"processor p50 %5.1f ms, most %5.1f ms\n",
		what, n, ms(w.held[n/2]), ms(w.held[n*99/100]), ms(w.held[n-1]), ms(w.spent[n/2]), ms(w.spent[n-1]))
	w.held, w.spent = nil, nil
}

func measure(ctx context.Context, s *watched) error {
	if _, err := s.EnsureUser(ctx, model.User{ID: user, Subject: "bench", CreatedAt: time.Now(),
		Settings: model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Sunday}}); err != nil {
		return err
	}
	rules := occur.NewRules(occur.DefaultRules)
	own := &owncal.Client{Store: s, Rules: rules, Now: time.Now}
	files := &calfiles.Files{Store: s, Rules: rules, Now: time.Now, NewID: clock.NewIDs(time.Now, rand.Reader).New}
	calendar, err := own.CreateCalendar(ctx, user, owncal.NewCalendar{Summary: "Bench", TimeZone: "Asia/Jerusalem"})
	if err != nil {
		return err
	}
	s.held, s.spent = nil, nil
	for from := 0; from < 20_000; from += perFile {
		plan, err := files.Plan(ctx, user, calendar, file(from, "Event"))
		if err != nil {
			return err
		}
		if err := plan.Apply(ctx, func(context.Context, store.Tx, int64) error { return nil }); err != nil {
			return err
		}
		if n := plan.Count(model.ImportCreated); n != perFile {
			return fmt.Errorf("%d events were imported", n)
		}
	}
	s.say("import 20,000")
	followed, err := files.Follow(ctx, calfiles.NewFeed{User: user, Address: "https://example.com/a.ics",
		Host: "example.com", Sealed: []byte{1}, OtherwiseZone: "UTC", Text: file(0, "Event"), DueAt: time.Now()},
		func(context.Context, store.Tx, model.KeptCalendar) error { return nil })
	if err != nil {
		return err
	}
	s.say("a feed of 10,000")
	if _, err := files.Refill(ctx, followed.Link, file(0, "Changed")); err != nil {
		return err
	}
	s.say("its next reading, all changed")
	if _, err := own.DeleteCalendar(ctx, user, calendar.Ref()); err != nil {
		return err
	}
	for more := true; more; {
		if more, err = s.EraseEvents(ctx, user, store.ErasedAtOnce); err != nil {
			return err
		}
	}
	s.say("deleteCalendar of 20,000")
	load, err := os.ReadFile("/proc/loadavg")
	fmt.Printf("load %s", load)
	return err
}

// file has events from a number on, every twentieth a series.
func file(from int, title string) []byte {
	var text strings.Builder
	text.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
	for i := from; i < from+perFile; i++ {
		at := time.Date(2020, 1, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(i) * 3 * time.Hour)
		fmt.Fprintf(&text, "BEGIN:VEVENT\r\nUID:%d@example.com\r\nDTSTAMP:20261101T000000Z\r\nSUMMARY:%s %d\r\n"+
			"DESCRIPTION:What it is about\\, in a sentence.\r\nDTSTART:%s\r\nDURATION:PT1H\r\n", i, title, i,
			at.Format("20060102T150405Z"))
		if i%20 == 0 {
			text.WriteString("RRULE:FREQ=WEEKLY;COUNT=50\r\n")
		}
		text.WriteString("END:VEVENT\r\n")
	}
	text.WriteString("END:VCALENDAR\r\n")
	return []byte(text.String())
}
