//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"time"

	"google.golang.org/api/calendar/v3"

	"almanac/bench/load"
	"almanac/graph/model"
	"almanac/projections/when"
)

// eventsPerDay is how many events each day of a calendar has; the ordinary ones have calmDays of them.
const (
	eventsPerDay = 10
	calmDays     = 20
)

// visitors are the people of the measurements of events, on a server of this process that listens on loopback.
type visitors struct {
	remote *remoteServer
	// calm has one account, double two, crowded one with very many events.
	calm, double, crowded *client
	// account is calm's, bare the client library alone at it, first the day that all calendars begin with.
	account model.Connection
	bare    *calendar.Service
	first   time.Time
}

// measureEvents measures everything that has to do with Google's calendar.
func measureEvents(ctx context.Context, o options, d database, out, progress io.Writer) (err error) {
	v, leave, err := invite(ctx, d, o, progress)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leave()) }()
	all := calls(v.remote, v.account, v.bare, v.first)
	figures, err := measureCalls(ctx, v.remote, all, o, progress)
	if err != nil {
		return err
	}
	writeCalls(out, all, figures, o.rounds)
	if err := writeMasks(ctx, out, v); err != nil {
		return err
	}
	if err := writeBoard(ctx, out, v, o, progress); err != nil {
		return err
	}
	return writeCrowded(ctx, out, v, o, progress)
}

// invite starts the server and fills the calendars; leave takes it down.
func invite(ctx context.Context, d database, o options,
	progress io.Writer) (v *visitors, leave func() error, err error) {
	fmt.Fprintln(progress, "filling the calendars")
	remote, err := newRemote()
	if err != nil {
		return nil, nil, err
	}
	h, err := newInstance(ctx, d, remote)
	if err != nil {
		return nil, nil, err
	}
	closing := []func() error{h.Close}
	shut := func() error {
		var failures []error
		for i := len(closing) - 1; i >= 0; i-- {
			failures = append(failures, closing[i]())
		}
		return errors.Join(failures...)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, shut())
		}
	}()
	handler, err := h.almanac()
	if err != nil {
		return nil, nil, err
	}
	server := httptest.NewServer(handler)
	closing = append(closing, func() error { server.Close(); return nil })
	location, err := when.LoadZone(zone)
	if err != nil {
		return nil, nil, err
	}
	now := time.Now()
	v = &visitors{remote: remote, first: when.StartOfDate(model.DateOf(now.In(location)), location)}
	enter := func(subject string, days int, emails ...string) (*client, model.Connection, error) {
		c := &client{}
		var account model.Connection
		var err error
		if c.asker, err = newPerson(now, subject); err != nil {
			return nil, account, err
		}
		if err := fillOne(ctx, h.store, c.asker, now, perPerson); err != nil {
			return nil, account, err
		}
		for _, email := range emails {
			if account, err = remote.link(ctx, c.asker, email); err != nil {
				return nil, account, err
			}
			if err := remote.fillCalendar(email, v.first, days, eventsPerDay); err != nil {
				return nil, account, err
			}
		}
		if c.conn, err = load.Dial(ctx, strings.TrimPrefix(server.URL, "http://")); err != nil {
			return nil, account, err
		}
		closing = append(closing, c.conn.Close)
		return c, account, nil
	}
	if v.calm, v.account, err = enter("calm", calmDays, "calm@example.com"); err != nil {
		return nil, nil, err
	}
	if v.double, _, err = enter("double", calmDays, "double.work@example.com", "double.home@example.com"); err != nil {
		return nil, nil, err
	}
	if v.crowded, _, err = enter("crowded", o.crowded, "crowded@example.com"); err != nil {
		return nil, nil, err
	}
	v.bare, err = remote.bare(ctx, "calm@example.com")
	return v, shut, err
}

// window are the variables of a document that looks at so many days from the first on.
func (v *visitors) window(days int) object {
	return object{"from": v.first.Format(time.RFC3339), "to": v.first.AddDate(0, 0, days).Format(time.RFC3339)}
}
