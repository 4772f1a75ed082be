package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"almanac/adapters/gcal"
	"almanac/adapters/google"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/calsync"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/connect"
	"almanac/internal/mailfiles"
	"almanac/internal/seal"
	"almanac/resolvers"
)

// googleRoom is everything of this process that has to do with Google.
type googleRoom struct {
	linker   *connect.Linker
	calendar *gcal.Client
	mail     *mailRoom
	// follower reads what others change; nil where there is nobody but this server.
	follower *calsync.Worker
	// standIn is nil where the real Google is, or nothing.
	standIn *standIn
}

// googleParts is what the room is made of.
type googleParts struct {
	settings config.Config
	store    openStore
	box      *seal.Box
	ids      *clock.IDs
	clock    clock.Clock
	log      *slog.Logger
	registry prometheus.Registerer
	// base is where browsers reach this server.
	base *url.URL
}

// newGoogleRoom furnishes the room: with the real Google where a client id is set; with the stand-in for the local user
// where none is; and for everybody else with a linker that says that it is not configured.
func newGoogleRoom(parts googleParts) (*googleRoom, error) {
	room := &googleRoom{}
	oauth := google.OAuth{ClientID: parts.settings.GoogleClientID,
		ClientSecret: parts.settings.GoogleClientSecret.Reveal()}
	var transport http.RoundTripper = google.NewTransport()
	var demo *connect.Demo
	if oauth.ClientID == "" && parts.settings.LocalUser {
		var err error
		if room.standIn, err = newStandIn(parts); err != nil {
			return nil, err
		}
		oauth, transport, demo = room.standIn.oauth(parts.base), room.standIn, room.standIn.demo()
	}
	oauth.Base = transport
	room.linker = &connect.Linker{
		Store: parts.store, Box: parts.box, Base: parts.base, OAuth: oauth, StandIn: room.standIn != nil, Demo: demo,
		Scopes: allScopes(), NewID: parts.ids.New, Now: parts.clock.Now, Logger: parts.log,
	}
	if parts.settings.LocalUser {
		room.linker.LocalUser = model.UserIDOf(auth.LocalSubject)
	}
	clients := &google.Clients{
		OAuth: oauth, Vault: &connect.Vault{Linker: room.linker}, Base: transport, Now: parts.clock.Now, Logger: parts.log,
		Observe: countGoogle(parts.registry), ConnectURL: room.linker.ConnectURL,
	}
	room.calendar = &gcal.Client{Google: clients, Now: parts.clock.Now}
	room.mail = newMailRoom(parts, clients, room.linker.Status)
	room.follow(parts)
	return room, nil
}

// follow makes the calendars and mailboxes of linked accounts be followed. A stand-in in memory is changed by nobody
// but this process, and another process's places in it would mean nothing here.
func (g *googleRoom) follow(parts googleParts) {
	if !g.linker.Configured() || g.standIn != nil && g.standIn.file == nil {
		return
	}
	g.follower = &calsync.Worker{
		Store: parts.store, Calendar: g.calendar, Mail: g.mail.client, Now: parts.clock.Now,
		Interval: parts.settings.GooglePoll,
		Logger:   parts.log, Observe: countLooks(parts.registry),
	}
	if parts.settings.GooglePush {
		g.follower.Push = &calsync.PushOptions{Address: parts.base.JoinPath(calsync.PathNotices).String(), Box: parts.box,
			NewID: parts.ids.New}
	}
	g.linker.AfterLink, g.linker.BeforeErase = g.follower.Follow, g.follower.Stop
}

// run follows calendars and mailboxes, and looks after the outbox, until the context is done.
func (g *googleRoom) run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return g.mail.run(ctx) })
	if g.follower != nil {
		group.Go(func() error { return g.follower.Run(ctx) })
	}
	return group.Wait()
}

// allScopes are what accounts are asked for: the least for calendars and mail.
func allScopes() []string { return append(connect.CalendarScopes(), connect.MailScopes()...) }

// Close lets go of what the room holds open.
func (g *googleRoom) Close() error {
	if g == nil {
		return nil
	}
	return g.standIn.Close()
}

// wired gives the resolvers their views of the room.
func (g *googleRoom) wired() resolvers.Google {
	return resolvers.Google{
		Events: g.calendar, Calendars: g.calendar, Writer: g.calendar, Series: g.calendar,
		Linker: linking{g.linker}, Scopes: allScopes(), Mail: g.mail.wired(),
	}
}

// pages are what browsers open.
func (g *googleRoom) pages() map[string]http.Handler {
	pages := map[string]http.Handler{connect.PathStart: g.linker, connect.PathCallback: g.linker,
		mailfiles.Path: g.mail.files}
	if g.standIn != nil {
		pages[standInPrefix+"/"] = g.standIn.front.Mount(standInPrefix)
	}
	if g.follower != nil && g.follower.Push != nil {
		pages[calsync.PathNotices] = g.follower
	}
	return pages
}

// linking is the linker as the resolvers see it.
type linking struct{ *connect.Linker }

// URL implements core.Linker.
func (l linking) URL(user model.UserID, scopes []string, account string) string {
	return l.Linker.URL(user, scopes, account)
}

// Disconnect implements core.Linker. What the stand-in has granted is of no use anywhere once it is erased, also
// where the stand-in is not there any more to be told.
func (l linking) Disconnect(ctx context.Context, connection model.Connection) (revoked bool, err error) {
	erased, err := l.Linker.Disconnect(ctx, connection.User, connection.Provider, connection.Account)
	revoked = true
	for _, one := range erased {
		revoked = revoked && (one.Revoked || one.StandIn)
	}
	return revoked, err
}

// countGoogle registers what is asked of Google and gives the observer that counts it.
func countGoogle(registry prometheus.Registerer) func(google.Attempt) {
	attempts := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_google_attempts_total", Help: "Requests to Google, by operation and by what came of them.",
	}, []string{"operation", "result"})
	latency := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "almanac_google_attempt_seconds", Help: "How long Google took, by operation.",
		Buckets: prometheus.ExponentialBuckets(0.005, 2, 12),
	}, []string{"operation"})
	registry.MustRegister(attempts, latency)
	return func(a google.Attempt) {
		attempts.WithLabelValues(a.Operation, a.Result).Inc()
		latency.WithLabelValues(a.Operation).Observe(a.Latency.Seconds())
	}
}

// countLooks registers what following calendars and mailboxes comes to and gives the observer that counts it.
func countLooks(registry prometheus.Registerer) func(calsync.Look) {
	calendars, mailboxes := countLooksAt(registry, "calendar"), countLooksAt(registry, "mailbox")
	return func(l calsync.Look) {
		if l.Mail {
			mailboxes(l)
			return
		}
		calendars(l)
	}
}

func countLooksAt(registry prometheus.Registerer, what string) func(calsync.Look) {
	looks := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_" + what + "_looks_total",
		Help: "Looks at each followed " + what + ", by outcome; failed ones also by the error's code.",
	}, []string{"outcome", "code"})
	changes := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_" + what + "_changes_total",
		Help: "Changes found in each followed " + what + ": told ones, and echoes of what the change log had already.",
	}, []string{"kind"})
	latency := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "almanac_" + what + "_look_seconds", Help: "How long a look at a " + what + " took.",
		Buckets: prometheus.ExponentialBuckets(0.005, 2, 12),
	})
	registry.MustRegister(looks, changes, latency)
	return func(l calsync.Look) {
		looks.WithLabelValues(string(l.Outcome), string(l.Code)).Inc()
		changes.WithLabelValues("told").Add(float64(l.Changes))
		changes.WithLabelValues("echo").Add(float64(l.Echoes))
		latency.Observe(l.Took.Seconds())
	}
}
