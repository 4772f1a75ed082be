//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/sync/errgroup"
	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"

	"almanac/bench/load"
	inbox "almanac/internal/standin/gmail"
)

const (
	// mailsEach is how many e-mails a mailbox has, listedMails how many a list gives.
	mailsEach   = 120
	listedMails = 50
	// lookAgain is after how long the mailbox's history is asked about once more.
	lookAgain = 2500 * time.Millisecond

	partEmails = `emails(first: 50) { nodes { id subject snippet dateFormatted unread starred from { name email } } }`
)

// mailLatencies are how long Google takes in the measurement of mail.
func mailLatencies() map[string]time.Duration {
	all := boardLatencies()
	all["gmail.users.messages.list"] = 100 * time.Millisecond
	all["gmail.users.messages.get"] = 60 * time.Millisecond
	all["gmail.users.history.list"] = 50 * time.Millisecond
	all["gmail.users.getProfile"] = 50 * time.Millisecond
	return all
}

// postOffice is a server with users who have mail.
type postOffice struct {
	remote   *remoteServer
	instance *instance
	address  string
	closing  []func() error
	number   int
}

// measureMail measures a list of e-mails, the first time and again, and a dashboard with mail.
func measureMail(ctx context.Context, o options, d database, out, progress io.Writer) (err error) {
	remote, err := newRemote()
	if err != nil {
		return err
	}
	h, err := newInstance(ctx, d, remote)
	if err != nil {
		return err
	}
	office := &postOffice{remote: remote, instance: h, closing: []func() error{h.Close}}
	defer func() {
		for _, shut := range slices.Backward(office.closing) {
			err = errors.Join(err, shut())
		}
	}()
	handler, err := h.almanac()
	if err != nil {
		return err
	}
	server := httptest.NewServer(handler)
	office.closing = append(office.closing, func() error { server.Close(); return nil })
	office.address = strings.TrimPrefix(server.URL, "http://")
	remote.slow(mailLatencies())
	if err := office.writeLists(ctx, o, out, progress); err != nil {
		return err
	}
	return office.writeBoard(ctx, o, out, progress)
}

// reader is somebody with a mailbox that nobody has read yet.
type reader struct {
	*client
	email string
	bare  *gmail.Service
}

func (p *postOffice) enter(ctx context.Context) (r *reader, err error) {
	p.number++
	r = &reader{client: &client{}, email: fmt.Sprintf("reader%d@example.com", p.number)}
	now := time.Now()
	if r.asker, err = newPerson(now, r.email); err != nil {
		return nil, err
	}
	if err := fillOne(ctx, p.instance.store, r.asker, now, perPerson); err != nil {
		return nil, err
	}
	if _, err := p.remote.link(ctx, r.asker, r.email); err != nil {
		return nil, err
	}
	if err := p.remote.fillCalendar(r.email, now.Truncate(24*time.Hour), calmDays, eventsPerDay); err != nil {
		return nil, err
	}
	for n := range mailsEach {
		if _, err := p.remote.inbox.Deliver(r.email, letter(n, r.email),
			now.Add(time.Duration(n-mailsEach)*time.Hour)); err != nil {
			return nil, fmt.Errorf("deliver: %w", err)
		}
	}
	if r.conn, err = load.Dial(ctx, p.address); err != nil {
		return nil, err
	}
	p.closing = append(p.closing, r.conn.Close)
	granted, err := p.remote.server.Grant(r.email, scopes())
	if err != nil {
		return nil, err
	}
	source := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: granted.Access})
	r.bare, err = gmail.NewService(ctx, option.WithHTTPClient(
		&http.Client{Transport: &oauth2.Transport{Source: source, Base: p.remote.tape}}))
	if err != nil {
		return nil, err
	}
	r.bare.UserAgent = "bench (gzip)" // Google packs answers only for clients that say so here
	return r, nil
}

// letter is an e-mail as people at work get them: text and HTML, of which no two have the same words.
func letter(number int, to string) []byte {
	random := rand.New(rand.NewPCG(2, uint64(number))) //nolint:gosec // it chooses words
	var text strings.Builder
	for range 200 {
		text.WriteString(agendaWords[random.IntN(len(agendaWords))] + " ")
	}
	given, family := givenNames[random.IntN(len(givenNames))], familyNames[random.IntN(len(familyNames))]
	return inbox.Letter{
		From: fmt.Sprintf("%s %s <%s.%s@example.com>", given, family, strings.ToLower(given), strings.ToLower(family)),
		To:   to, Subject: textOf(number),
		MessageID: fmt.Sprintf("bench-%d@example.com", number), Text: text.String(),
		HTML: "<html><body><p>" + text.String() + "</p></body></html>",
	}.Bytes()
}

// list is what the bare client does for a list of 50: it names them, and gets each by the same mask as the adapter, so
// many at once.
func (r *reader) list(atOnce int) func(context.Context) error {
	return func(ctx context.Context) error {
		found, err := r.bare.Users.Messages.List("me").MaxResults(listedMails).Fields("messages(id,threadId)",
			"nextPageToken").Context(ctx).Do()
		if err != nil {
			return err
		}
		if len(found.Messages) != listedMails {
			return fmt.Errorf("%d e-mails instead of %d", len(found.Messages), listedMails)
		}
		group, ctx := errgroup.WithContext(ctx)
		group.SetLimit(atOnce)
		for _, one := range found.Messages {
			group.Go(func() error {
				_, err := r.bare.Users.Messages.Get("me", one.Id).Format("metadata").MetadataHeaders("From", "Subject").
					Fields("id", "threadId", "labelIds", "snippet", "internalDate", "payload/headers").Context(ctx).Do()
				return err
			})
		}
		return group.Wait()
	}
}

// upstream is the slowest question that a dashboard asks Google: a list of 50 events, as the adapter asks for it.
func upstream(api *calendar.Service, from time.Time) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := api.Events.List("primary").SingleEvents(true).OrderBy("startTime").MaxResults(51).TimeMin(
			from.Format(time.RFC3339)).
			Fields("nextPageToken", "timeZone", "accessRole",
				"items(id,etag,status,eventType,recurringEventId,originalStartTime,summary,location,start,end,hangoutLink)").
			Context(ctx).Do()
		return err
	}
}

// mailFigures are what one way of listing comes to.
type mailFigures struct {
	name    string
	crossed traffic
	units   int
	millis  []float64
}

func (p *postOffice) measure(ctx context.Context, r *reader, into *mailFigures, ask func(context.Context) error) error {
	before, spent := p.remote.tape.traffic(), p.remote.server.Used("gmail", r.email).Total
	nanos, err := took(ctx, ask)
	if err != nil {
		return fmt.Errorf("%s: %w", into.name, err)
	}
	into.crossed, into.units = p.remote.tape.traffic().since(before), p.remote.server.Used("gmail", r.email).Total-spent
	into.millis = append(into.millis, nanos/1e6)
	return nil
}

// writeLists writes what a list of 50 costs: for somebody whose mail nobody has read, and for the same again.
func (p *postOffice) writeLists(ctx context.Context, o options, w io.Writer, progress io.Writer) error {
	rows := []*mailFigures{
		{name: "bare client, one after another"}, {name: "bare client, six at once"}, {name: "Almanac, the first time"},
		{name: "Almanac, at once again"}, {name: "Almanac, again after 2.5 s"},
	}
	for round := range o.rounds {
		fmt.Fprintf(progress, "lists of mail, round %d of %d, load average %s\n", round+1, o.rounds, loadAverage())
		r, err := p.enter(ctx)
		if err != nil {
			return err
		}
		ask := r.once("{ "+partEmails+" }", nil)
		for i, how := range []func(context.Context) error{r.list(1), r.list(6), ask, ask, ask} {
			if i == len(rows)-1 {
				time.Sleep(lookAgain)
			}
			if err := p.measure(ctx, r, rows[i], how); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(w,
		"\n### A list of %d e-mails\n\n`{ %s }`, over the whole server and a socket. Google takes 100 ms for a list, 60 for "+
			"a message, 50 for the history. Medians of %d rounds, each with a mailbox that nobody has read; "+
			"× is against the bare client, six at once. Requests, units and bytes are the same in every round.\n\n| what | "+
			"requests | units | packed KB | unpacked KB | ms | × |\n|---|--:|--:|--:|--:|--:|--:|\n", listedMails, partEmails,
		o.rounds)
	same := func(v float64) float64 { return v }
	for _, row := range rows {
		fmt.Fprintf(w, "| %s | %d | %d | %.1f | %.1f | %.1f | %s |\n", row.name, row.crossed.requests, row.units,
			float64(row.crossed.packed)/1000, float64(row.crossed.plain)/1000,
			median(row.millis), thirds(ratios(row.millis, rows[1].millis, same)))
	}
	return nil
}

// writeBoard measures one request with mail and everything else against each part alone, and against the slowest
// question to Google.
func (p *postOffice) writeBoard(ctx context.Context, o options, w io.Writer, progress io.Writer) error {
	r, err := p.enter(ctx)
	if err != nil {
		return err
	}
	events, err := p.remote.bare(ctx, r.email)
	if err != nil {
		return err
	}
	cases := []*mailFigures{
		{name: "Google's list of 50 events, by the bare client: the slowest upstream"}, {name: "the dashboard with mail"},
		{name: "… emails alone"}, {name: "… events alone"}, {name: "… tasks alone"},
	}
	asks := []func(context.Context) error{
		upstream(events, time.Now().Truncate(24*time.Hour)),
		r.once("{ "+partEmails+" "+partEvents+" "+partTasks+" "+partFreeBusy+" "+partCalendars+" }", nil),
		r.once("{ "+partEmails+" }", nil),
		r.once("{ "+partEvents+" }", nil), r.once("{ "+partTasks+" }", nil),
	}
	if err := asks[2](ctx); err != nil { // the first time is measured above
		return err
	}
	for round := range o.rounds {
		fmt.Fprintf(progress, "dashboard with mail, round %d of %d, load average %s\n", round+1, o.rounds, loadAverage())
		for i := range cases {
			if i > 0 && i < 3 {
				time.Sleep(lookAgain) // so that the history is asked about
			}
			if err := p.measure(ctx, r, cases[i], asks[i]); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(w,
		"\n### Dashboard with mail\n\n`{ emails(first: 50) events(first: 50) tasks(first: 50) freeBusy calendars }`; the "+
			"e-mails are kept from before, and the mailbox's history is asked about each time. "+
			"Medians of %d rounds; × is against the first row, round by round.\n\n| what | requests | ms | × |\n"+
			"|---|--:|--:|--:|\n", o.rounds)
	same := func(v float64) float64 { return v }
	for _, row := range cases {
		fmt.Fprintf(w, "| %s | %d | %.1f | %s |\n", row.name, row.crossed.requests, median(row.millis),
			thirds(ratios(row.millis, cases[0].millis, same)))
	}
	return nil
}
