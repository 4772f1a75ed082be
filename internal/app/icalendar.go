package app

import (
	"context"
	"strconv"
	"time"

	"almanac/adapters/calfiles"
	"almanac/adapters/feeds"
	"almanac/graph/model"
	"almanac/internal/calendarfiles"
	"almanac/internal/feedsync"
	"almanac/internal/httpapi/publish"
	"almanac/internal/httpapi/share"
	"almanac/projections/ical"
	"almanac/projections/occur"
	"almanac/resolvers/icalendar"
)

const (
	// readsAMinute is how often the published calendars of one user may be read in a minute, and downloads how many of
	// them may be downloaded.
	readsAMinute = 120
	downloads    = 20
)

// newICalendar makes what serves calendars as files and keeps the copies of feeds.
func (s *Server) newICalendar() icalendar.Links {
	files := &calfiles.Files{Store: s.store, Rules: occur.NewRules(occur.DefaultRules), Now: s.clock.Now, NewID: s.ids.New}
	reads := share.NewBudget(readsAMinute, time.Minute, time.Now) // waits are the process's own
	loads := share.NewBudget(downloads, time.Minute, time.Now)
	s.pages[publish.Prefix] = &publish.Handler{Source: publications{files, s.store}, Logger: s.log,
		Spend: func(user model.UserID) *model.Error { return reads.Spend(user, 1) }}
	exports := calendarfiles.New(calendarfiles.Files{Calendars: files, Box: s.box, Base: s.base, Now: s.clock.Now,
		Logger: s.log, Spend: func(user model.UserID) *model.Error { return loads.Spend(user, 1) }})
	s.pages[calendarfiles.Path] = exports
	transport := feeds.NewTransport(s.settings.FeedsAllowPrivate)
	s.onClose(func() error { transport.CloseIdleConnections(); return nil })
	observe := s.metrics.attempts("feed", "Requests to feeds of calendars, by operation and by what came of them.",
		"How long feeds took, by operation.", 12)
	client := &feeds.Client{Private: s.settings.FeedsAllowPrivate, Base: transport, Logger: s.log,
		Observe: func(a feeds.Attempt) { observe(a.Operation, a.Result, a.Latency) }}
	worker := &feedsync.Worker{Queue: s.store, Files: files, Feeds: client, Box: s.box, Now: s.clock.Now, Logger: s.log,
		Observe: s.metrics.feedReadings()}
	s.workers = append(s.workers, worker.Run)
	return icalendar.Links{
		Download: exports.URL, Feeds: client,
		Published: func(secret string) string { return s.base.JoinPath(publish.Prefix, secret+publish.Suffix).String() },
		Seal: func(user model.UserID, address string) []byte {
			return s.box.Seal(feedsync.Place(user), []byte(address))
		},
	}
}

// publications are the published calendars of the store.
type publications struct {
	files *calfiles.Files
	store Store
}

// Publication implements publish.Source. The change log's end stands for the version: whatever has changed of the user
// has moved it.
func (p publications) Publication(ctx context.Context, secret string) (publish.Publication, error) {
	link, err := p.files.Publication(ctx, secret)
	if err != nil {
		return publish.Publication{}, err
	}
	head, err := p.store.ChangeHead(ctx, link.User)
	return publish.Publication{User: link.User, Calendar: link.Calendar, Form: model.CalendarForm(link.Kind),
		Version: strconv.FormatInt(head, 10)}, err
}

// Render implements publish.Source.
func (p publications) Render(ctx context.Context, of publish.Publication) (ical.Heading, []ical.Event, error) {
	return p.files.ExportNumber(ctx, of.User, of.Calendar)
}

// feedReadings registers what reading feeds comes to and returns the observer that counts it.
func (m metrics) feedReadings() func(feedsync.Reading) {
	readings := m.counter("almanac_feed_readings_total",
		"Readings of feeds of calendars, by outcome; failed ones also by the error's code.", "outcome", "code")
	changes := m.counter("almanac_feed_changes_total", "Events that were written or deleted by readings of feeds.")
	return func(r feedsync.Reading) {
		readings.WithLabelValues(string(r.Outcome), string(r.Code)).Inc()
		changes.WithLabelValues().Add(float64(r.Changed))
	}
}
