//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"almanac/bench/load"
)

// client is somebody who sends requests to the server over a connection that is kept.
type client struct {
	conn  *load.Conn
	asker *person
}

// ask sends a document and returns what came, or an error for an answer that has any in it.
func (c *client) ask(query string, variables any) (content any, err error) {
	status, body, err := c.send(query, variables)
	if err != nil {
		return nil, err
	}
	return graphql.content(status, body)
}

func (c *client) send(query string, variables any) (status int, body []byte, err error) {
	raw, err := graphql.raw(question{asker: c.asker, query: query, variables: variables})
	if err != nil {
		return 0, nil, err
	}
	return c.conn.Do(raw)
}

// once makes a document something that is measured.
func (c *client) once(query string, variables any) func(context.Context) error {
	return func(context.Context) error {
		status, body, err := c.send(query, variables)
		if err == nil && (status != 200 || strings.HasPrefix(string(body), `{"errors"`)) {
			err = fmt.Errorf("status %d: %.300s", status, body)
		}
		return err
	}
}

// masked are the documents that show what crosses the wire for what is asked.
func masked() []struct{ name, fields string } {
	const times = "start { dateTime date } end { dateTime date }"
	const guests = " attendees { email displayName responseStatus }"
	return []struct{ name, fields string }{
		{"`id summary`, start and end", "id summary " + times},
		{"the same and location, meetingUrl, whenFormatted, the 7 flags",
			"id summary location meetingUrl whenFormatted itemContext { isRecurring isRecurringSeries isToday " +
				"isTomorrowOrLater isPast isNow isAllDay } " + times},
		{"`id summary`, times, attendees", "id summary " + times + guests},
		{"every field of an event", everyField},
	}
}

const everyField = `id sourceId account calendarId summary description location start { dateTime date timeZone }
 end { dateTime date timeZone } whenFormatted allDay duration
 attendees { email displayName responseStatus optional organizer self resource comment } attendeesOmitted
 organizer { email displayName self } creator { email displayName self } response
 reminders { useDefault overrides { method minutes } } recurrence recurrenceFormatted recurringEventId
 originalStart { dateTime date } htmlLink meetingUrl transparent visibility colorId
 status eventType iCalUID version created updated itemContext { isRecurring isToday isPast }`

// writeMasks writes how many bytes of Google's a page of 50 events costs.
func writeMasks(ctx context.Context, w io.Writer, v *visitors) error {
	count := func(name string, ask func(ctx context.Context) error) error {
		before := v.remote.tape.traffic()
		if err := ask(ctx); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		crossed := v.remote.tape.traffic().since(before)
		fmt.Fprintf(w, "| %s | %d | %.1f | %.1f |\n", name, crossed.requests, float64(crossed.packed)/1000,
			float64(crossed.plain)/1000)
		return nil
	}
	fmt.Fprintln(w,
		"\n### Bytes for a page of 50 events\n\nAnswers of the stand-in; the events have a description, twelve guests and a "+
			"meeting link.\n\n| asked of the API | requests | packed KB | unpacked KB |\n|---|--:|--:|--:|")
	for _, m := range masked() {
		query := fmt.Sprintf(
			"query($from: DateTime!, $to: DateTime!) { events(first: 50, filter: {timeMin: $from, timeMax: $to}) { nodes { %s "+
				"} } }", m.fields)
		if err := count(m.name, v.calm.once(query, v.window(30))); err != nil {
			return err
		}
	}
	return count("the bare client, without a mask", func(ctx context.Context) error {
		_, err := v.bare.Events.List("primary").SingleEvents(true).OrderBy("startTime").MaxResults(50).TimeMin(
			v.first.Format(time.RFC3339)).Context(ctx).Do()
		return err
	})
}

// writeCrowded writes what pages of a calendar with very many events cost, against one with few. Answers are given
// again from memory, so that only the API's own work is measured, and what it asks for is counted.
func writeCrowded(ctx context.Context, w io.Writer, v *visitors, o options, progress io.Writer) error {
	const week = `query($from: DateTime!, $to: DateTime!, $after: String) {
 events(first: 50, after: $after, filter: {timeMin: $from, timeMax: $to}) {
nodes { ` + dashboardEvent + ` } pageInfo { endCursor hasNextPage } } }`
	const total = `query($from: DateTime!, $to: DateTime!) { events(first: 50, filter: {timeMin: $from, timeMax: $to}) {
		totalCount nodes { ` + dashboardEvent + ` } } }`
	const last = `query($from: DateTime!, $to: DateTime!) { events(last: 50, filter: {timeMin: $from, timeMax: $to}) {
		nodes { ` + dashboardEvent + ` } } }`
	const titled = `query($from: DateTime!, $to: DateTime!) { events(first: 50, filter: {timeMin: $from, timeMax: $to,
		summary: "number 42"}) { nodes { ` + dashboardEvent + ` } } }`
	first, err := v.crowded.ask(week, v.window(7))
	if err != nil {
		return err
	}
	cursor, _ := dig(dig(dig(first, "events"), "pageInfo"), "endCursor").(string)
	if cursor == "" {
		return errors.New("the first page of the week has no cursor")
	}
	after := v.window(7)
	after["after"] = cursor
	ahead := v.window(o.crowded)
	onward := v.window(o.crowded)
	onward["after"] = cursor
	cases := []struct {
		name string
		ask  func(context.Context) error
	}{
		{"a week's first page, few events", v.calm.once(week, v.window(7))},
		{"a week's first page", v.crowded.once(week, v.window(7))},
		{"a week's second page", v.crowded.once(week, after)},
		{"a week's first page and its totalCount", v.crowded.once(total, v.window(7))},
		{"the first page of all", v.crowded.once(week, ahead)},
		{"the second page of all", v.crowded.once(week, onward)},
		{"the last page of all", v.crowded.once(last, ahead)},
		{"those of a title, among all", v.crowded.once(titled, ahead)},
	}
	type row struct {
		crossed traffic
		millis  []float64
		memory  allocation
	}
	rows := make([]row, len(cases))
	v.remote.tape.remember()
	defer v.remote.tape.forget()
	for i, c := range cases {
		before := v.remote.tape.traffic()
		if err := c.ask(ctx); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		rows[i].crossed = v.remote.tape.traffic().since(before)
	}
	v.remote.tape.replay(true)
	for round := range o.rounds {
		fmt.Fprintf(progress, "many events, round %d of %d, load average %s\n", round+1, o.rounds, loadAverage())
		for i, c := range cases {
			times := make([]float64, max(10/o.hurry, 1))
			for n := range times {
				nanos, err := took(ctx, c.ask)
				if err != nil {
					return fmt.Errorf("%s: %w", c.name, err)
				}
				times[n] = nanos / 1e6
			}
			rows[i].millis = append(rows[i].millis, median(times))
			if round == 0 {
				if rows[i].memory, err = allocates(ctx, 5, c.ask); err != nil {
					return err
				}
			}
		}
	}
	fmt.Fprintf(w,
		"\n### A calendar of %d events\n\nGoogle's answers are given again from memory. × is against the first row, round "+
			"by round. Allocated is all of the process, its client included.\n\n", o.crowded*eventsPerDay)
	fmt.Fprintln(w,
		"| page | requests | packed KB | unpacked KB | ms | × | allocations | KiB |\n|---|--:|--:|--:|--:|--:|--:|--:|")
	same := func(v float64) float64 { return v }
	for i, c := range cases {
		r := rows[i]
		fmt.Fprintf(w, "| %s | %d | %.1f | %.1f | %.2f | %s | %.0f | %.0f |\n", c.name, r.crossed.requests,
			float64(r.crossed.packed)/1000, float64(r.crossed.plain)/1000,
			median(r.millis), spread(ratios(r.millis, rows[0].millis, same)), r.memory.pieces, r.memory.bytes/1024)
	}
	return nil
}
