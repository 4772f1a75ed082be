package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"almanac/adapters/exa"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/seal"
	standinexa "almanac/internal/standin/exa"
	"almanac/internal/standin/loopback"
	"almanac/internal/websets"
	exasets "almanac/resolvers/websets"
)

// exaRoom is everything of this process that has to do with Exa.
type exaRoom struct {
	connector *exa.Connector
	hooks     *websets.Hooks
	// receiver and repair are nil where Exa is turned off.
	receiver *websets.Receiver
	repair   *websets.Repair
	// standIn is nil where the real Exa is, or nothing; tells is how it calls this server's webhooks.
	standIn *standinexa.Server
	tells   *ownDoor
	// transports are the connections that the room holds open.
	transports []*http.Transport
}

// exaParts is what the room is made of.
type exaParts struct {
	settings config.Config
	store    openStore
	box      *seal.Box
	sealer   *seal.Sealer
	ids      *clock.IDs
	clock    clock.Clock
	log      *slog.Logger
	registry prometheus.Registerer
	// base is where Exa reaches this server.
	base *url.URL
}

// newExaRoom furnishes the room: with the real Exa, with the stand-in for the local user for whom nothing was chosen,
// or with nothing but a door that says so.
func newExaRoom(parts exaParts) (*exaRoom, error) {
	s := parts.settings
	client := &exa.Client{URL: s.ExaURL, Now: parts.clock.Now, Logger: parts.log, Observe: countExa(parts.registry)}
	room := &exaRoom{connector: &exa.Connector{
		Client: client, Store: parts.store, Box: parts.box, Seal: parts.sealer, Server: s.ExaAPIKey.Reveal(),
		StandIn: s.ExaStandIn, NewID: parts.ids.New, Now: parts.clock.Now, Logger: parts.log,
	}}
	if s.LocalUser {
		room.connector.Local = model.UserIDOf(auth.LocalSubject)
	}
	room.hooks = &websets.Hooks{Base: parts.base, Box: parts.box, Account: room.hookAccount}
	if s.ExaOff {
		return room, nil
	}
	if s.ExaStandIn {
		if err := room.standInside(client, parts); err != nil {
			return nil, err
		}
	} else {
		asks, uploads := exa.NewTransport(), exa.NewUploadTransport()
		client.Base, client.Uploads = asks, uploads
		room.transports = append(room.transports, asks, uploads)
	}
	if err := client.Check(); err != nil {
		return nil, err
	}
	room.repair = &websets.Repair{
		Store: parts.store, Account: func(ctx context.Context, user model.UserID) (websets.Events, error) {
			return room.connector.For(ctx, user)
		},
		Now: parts.clock.Now, Interval: s.ExaRepair, Logger: parts.log, Observe: countRepairs(parts.registry),
	}
	room.receiver = &websets.Receiver{
		Hooks: room.hooks, Store: parts.store, Now: parts.clock.Now, Ring: room.repair.Ring, Logger: parts.log,
		Observe: countDeliveries(parts.registry),
	}
	return room, nil
}

// standInside puts the stand-in in Exa's place. It lives in this process and is kept in memory: each server has its
// own, and it is gone with it.
func (e *exaRoom) standInside(client *exa.Client, parts exaParts) error {
	e.tells = &ownDoor{base: parts.base}
	e.standIn = standinexa.New(standinexa.Options{Now: parts.clock.Now, Seed: uint64(parts.clock.Now().UnixNano()),
		Open: true, Transport: e.tells, BaseURL: parts.base.JoinPath(standInExa).String()})
	client.AllowHTTP = true // files for imports go to this process, by whatever scheme it is reached
	client.Base = e.standIn.Transport()
	// JoinPath would leave out the first slash where the base has no path
	prefix := strings.TrimSuffix(parts.base.Path, "/") + standInExa
	client.Uploads = loopback.Transport(http.StripPrefix(prefix, e.standIn))
	// Exa's own pace would have a page of websets wait for nothing
	client.Limits = exa.Limits{Websets: standInPace, Web: standInPace}
	if !parts.settings.Demo {
		return nil
	}
	return e.standIn.Seed(exa.StandInKey(model.UserIDOf(auth.LocalSubject)))
}

// hookAccount tells the webhooks about the account that serves a user.
func (e *exaRoom) hookAccount(ctx context.Context, user model.UserID) (websets.HookAccount, error) {
	account, err := e.connector.For(ctx, user)
	if err != nil {
		return websets.HookAccount{}, err
	}
	return websets.HookAccount{Shared: account.Owner.Seal != nil && !account.Owner.All,
		Near: e.standIn != nil || isLoopback(account.Client.URL)}, nil
}

// isLoopback tells whether an address is of this machine.
func isLoopback(address *url.URL) bool {
	if address == nil {
		return false
	}
	ip := net.ParseIP(address.Hostname())
	return address.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// standInExa is where files for the stand-in's imports go, on this server.
const standInExa = "/standin/exa"

// standInPace is how many requests a second the stand-in is asked.
const standInPace = 1_000

// tellEvery is how often the stand-in looks which webhooks are to be told.
const tellEvery = time.Second

// run reads the events of accounts, and lets the stand-in call its webhooks, until the context is done.
func (e *exaRoom) run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	if e.standIn != nil {
		group.Go(func() error { e.standIn.Run(ctx, tellEvery); return nil })
	}
	if e.repair != nil {
		group.Go(func() error { return e.repair.Run(ctx) })
	}
	return group.Wait()
}

// opened tells the room that the front door stands, so that the stand-in comes in by it.
func (e *exaRoom) opened(front http.Handler) {
	if e.tells != nil {
		e.tells.front = loopback.Transport(front)
	}
}

// Close lets go of the connections that the room holds open.
func (e *exaRoom) Close() {
	if e == nil {
		return
	}
	for _, transport := range e.transports {
		transport.CloseIdleConnections()
	}
}

// wired gives the resolvers their view of the room.
func (e *exaRoom) wired() exasets.Exa {
	if e.receiver == nil {
		return exaOff{exaDoor{e.connector}}
	}
	return exaDoor{e.connector}
}

// pages are what Exa calls.
func (e *exaRoom) pages() map[string]http.Handler {
	if e.receiver == nil {
		return nil
	}
	pages := map[string]http.Handler{websets.PathHooks: e.receiver}
	if e.standIn != nil { // nothing else of it is to be seen: it knows no tokens of this server
		pages[standInExa+"/uploads/"] = http.StripPrefix(standInExa, e.standIn)
	}
	return pages
}

// exaDoor is the connector as the resolvers see it.
type exaDoor struct{ *exa.Connector }

// For implements exasets.Exa.
func (d exaDoor) For(ctx context.Context, user model.UserID) (exasets.ExaAccount, error) {
	account, err := d.Connector.For(ctx, user)
	if err != nil {
		return nil, err // and no account of a nil kind
	}
	return account, nil
}

// exaOff is the door of a server that has no websets. Keys that were linked before can still be erased.
type exaOff struct{ exaDoor }

func errExaOff() error {
	return model.Errorf(model.CodeNotConfigured,
		"This server has no websets: whoever runs it has turned them off (ALMANAC_EXA_URL).")
}

// For implements exasets.Exa.
func (exaOff) For(context.Context, model.UserID) (exasets.ExaAccount, error) {
	return nil, errExaOff()
}

// Connect implements exasets.Exa.
func (exaOff) Connect(context.Context, model.UserID, string) (model.Connection, error) {
	return model.Connection{}, errExaOff()
}

// Status implements exasets.Exa.
func (exaOff) Status() (status model.ConnectionStatus, standIn bool) {
	return model.ConnectionNotConnected, false
}

// ownDoor is how the stand-in calls webhooks: by this server's front door, and nobody else's. So trying things out
// sends nothing anywhere.
type ownDoor struct {
	base  *url.URL
	front http.RoundTripper
}

var errElsewhere = errors.New("the stand-in for Exa calls webhooks of its own server only")

// RoundTrip implements http.RoundTripper.
func (d *ownDoor) RoundTrip(r *http.Request) (*http.Response, error) {
	path, ours := strings.CutPrefix(r.URL.Path, d.base.Path)
	if d.front == nil || !ours || r.URL.Host != d.base.Host || r.URL.Scheme != d.base.Scheme ||
		!strings.HasPrefix(path, websets.PathHooks) {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, errElsewhere
	}
	inside := r.Clone(r.Context())
	inside.URL.Path, inside.URL.RawPath = path, "" // as a proxy before this server would hand it on
	return d.front.RoundTrip(inside)
}

// searchedBy tells the person who started the server who serves websets.
func searchedBy(settings config.Config) string {
	switch {
	case settings.ExaOff:
		return "off"
	case settings.ExaStandIn:
		return "a stand-in for Exa, in memory; ALMANAC_EXA_API_KEY has the real one"
	case settings.ExaAPIKey.IsSet():
		return "Exa, at " + settings.ExaURL.Host
	default:
		return "Exa, at " + settings.ExaURL.Host + ", with keys that people link"
	}
}

// countExa registers what is asked of Exa and gives the observer that counts it.
func countExa(registry prometheus.Registerer) func(exa.Attempt) {
	attempts := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_exa_attempts_total", Help: "Requests to Exa, by operation and by what came of them.",
	}, []string{"operation", "result"})
	latency := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "almanac_exa_attempt_seconds", Help: "How long Exa took, by operation.",
		Buckets: prometheus.ExponentialBuckets(0.005, 2, 14),
	}, []string{"operation"})
	registry.MustRegister(attempts, latency)
	return func(a exa.Attempt) {
		attempts.WithLabelValues(a.Operation, a.Result).Inc()
		if a.Result != exa.ResultLeftAlone {
			latency.WithLabelValues(a.Operation).Observe(a.Latency.Seconds())
		}
	}
}

// countDeliveries registers what webhooks of websets are told and gives the observer that counts it.
func countDeliveries(registry prometheus.Registerer) func(websets.Delivery) {
	deliveries := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_webset_deliveries_total",
		Help: "Calls of webhooks of websets, by what came of them: told, known (told before), silent (nothing to tell), " +
			"rung (looked for in a shared account), unknown, unsigned, refused, failed.",
	}, []string{"outcome"})
	latency := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "almanac_webset_delivery_seconds", Help: "How long Exa waited for the answer of a webhook of websets.",
		Buckets: prometheus.ExponentialBuckets(0.0005, 2, 14),
	})
	registry.MustRegister(deliveries, latency)
	return func(d websets.Delivery) {
		deliveries.WithLabelValues(string(d.Outcome)).Inc()
		latency.Observe(d.Took.Seconds())
	}
}

// countRepairs registers what looking for missed events of websets comes to and gives the observer that counts it.
func countRepairs(registry prometheus.Registerer) func(websets.Look) {
	looks := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_webset_looks_total",
		Help: "Looks at the events of each account of websets, by outcome; failed and parked ones also by the error's code.",
	}, []string{"outcome", "code"})
	events := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "almanac_webset_events_total",
		Help: "Events found by looking: told ones, which no webhook had told, and known ones.",
	}, []string{"kind"})
	latency := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "almanac_webset_look_seconds", Help: "How long a look at the events of an account of websets took.",
		Buckets: prometheus.ExponentialBuckets(0.005, 2, 14),
	})
	registry.MustRegister(looks, events, latency)
	return func(l websets.Look) {
		looks.WithLabelValues(string(l.Outcome), string(l.Code)).Inc()
		events.WithLabelValues("told").Add(float64(l.Changes))
		events.WithLabelValues("known").Add(float64(l.Known))
		latency.Observe(l.Took.Seconds())
	}
}
