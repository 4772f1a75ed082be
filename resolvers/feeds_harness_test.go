package resolvers_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"almanac/adapters/calfiles"
	"almanac/adapters/feeds"
	"almanac/graph/model"
	"almanac/resolvers/icalendar"
)

// feedServer answers for every host with the same few files.
type feedServer struct{}

const feedText = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Example//EN
X-WR-CALNAME:Holidays
X-WR-TIMEZONE:Europe/Berlin
BEGIN:VEVENT
UID:new-year@example.com
DTSTAMP:20261101T000000Z
DTSTART;VALUE=DATE:20270101
SUMMARY:New Year
RRULE:FREQ=YEARLY
END:VEVENT
BEGIN:VEVENT
UID:broken@example.com
SUMMARY:No start
END:VEVENT
END:VCALENDAR
`

// RoundTrip implements http.RoundTripper.
func (feedServer) RoundTrip(r *http.Request) (*http.Response, error) {
	status, text := http.StatusOK, feedText
	switch r.URL.Path {
	case "/holidays.ics":
	case "/page.html":
		text = "<!DOCTYPE html><p>Sign in"
	case "/cut.ics":
		text = feedText[:200]
	default:
		status, text = http.StatusNotFound, "gone"
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(text)),
		ContentLength: int64(len(text)), Request: r}, nil
}

// calendarLinks are addresses of files as a server makes them.
func calendarLinks(now func() time.Time) icalendar.Links {
	return icalendar.Links{
		Download: func(model.UserID, int, calfiles.Window, model.CalendarForm) string {
			return "https://almanac.example.com/exports/token.ics"
		},
		Published: func(secret string) string { return "https://almanac.example.com/feeds/" + secret + ".ics" },
		Feeds: &feeds.Client{Base: feedServer{}, Now: now,
			Wait: func(context.Context, time.Duration) error { return nil }},
		Seal: func(_ model.UserID, address string) []byte { return []byte("sealed " + address) },
	}
}
