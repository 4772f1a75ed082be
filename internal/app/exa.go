package app

import (
	"context"
	"net"
	"net/url"

	"almanac/adapters/exa"
	"almanac/graph/model"
	"almanac/internal/auth"
	standinexa "almanac/internal/standin/exa"
	"almanac/internal/websets"
	exasets "almanac/resolvers/websets"
)

// exaIntegration is how websets and web searches are served by Exa.
type exaIntegration struct {
	connector *exa.Connector
	hooks     *websets.Hooks
	// repair is nil where Exa is turned off.
	repair *websets.Repair
	// standIn is nil where the real Exa is, or nothing; ownServer is how it calls this server's webhooks.
	standIn   *standinexa.Server
	ownServer *ownServer
}

// newExa uses the real Exa, the stand-in for the local user for whom nothing was chosen, or nothing but accounts that
// say so.
func (s *Server) newExa() (*exaIntegration, error) {
	client := &exa.Client{URL: s.settings.ExaURL, Now: s.clock.Now, Logger: s.log, Observe: s.metrics.exa()}
	e := &exaIntegration{connector: &exa.Connector{
		Client: client, Store: s.store, Box: s.box, Seal: s.sealer, Server: s.settings.ExaAPIKey.Reveal(),
		StandIn: s.settings.ExaStandIn, NewID: s.ids.New, Now: s.clock.Now, Logger: s.log,
	}}
	if s.settings.LocalUser {
		e.connector.Local = model.UserIDOf(auth.LocalSubject)
	}
	e.hooks = &websets.Hooks{Base: s.base, Box: s.box, Account: e.hookAccount}
	if s.settings.ExaOff {
		return e, nil
	}
	if s.settings.ExaStandIn {
		if err := s.standInForExa(e); err != nil {
			return nil, err
		}
	} else {
		asks, uploads := exa.NewTransport(), exa.NewUploadTransport()
		client.Base, client.Uploads = asks, uploads
		s.onClose(func() error { asks.CloseIdleConnections(); uploads.CloseIdleConnections(); return nil })
	}
	if err := client.Check(); err != nil {
		return nil, err
	}
	e.repair = &websets.Repair{
		Store: s.store, Account: func(ctx context.Context, user model.UserID) (websets.Events, error) {
			return e.connector.For(ctx, user)
		},
		Now: s.clock.Now, Interval: s.settings.ExaRepair, Logger: s.log, Observe: s.metrics.websetLooks(),
	}
	s.workers = append(s.workers, e.repair.Run)
	s.pages[websets.PathHooks] = &websets.Receiver{
		Hooks: e.hooks, Store: s.store, Now: s.clock.Now, Ring: e.repair.Ring, Logger: s.log,
		Observe: s.metrics.websetDeliveries(),
	}
	return e, nil
}

// hookAccount is what webhooks have to know of the account that serves a user.
func (e *exaIntegration) hookAccount(ctx context.Context, user model.UserID) (websets.HookAccount, error) {
	account, err := e.connector.For(ctx, user)
	if err != nil {
		return websets.HookAccount{}, err
	}
	return websets.HookAccount{Shared: account.Owner.Seal != nil && !account.Owner.All,
		Near: e.standIn != nil || isLoopback(account.Client.URL)}, nil
}

// isLoopback reports whether an address is of this machine.
func isLoopback(address *url.URL) bool {
	if address == nil {
		return false
	}
	ip := net.ParseIP(address.Hostname())
	return address.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// forResolvers is Exa as the resolvers see it.
func (e *exaIntegration) forResolvers() exasets.Exa {
	if e.repair == nil {
		return exaOff{exaAccounts{e.connector}}
	}
	return exaAccounts{e.connector}
}

// exaAccounts is the connector as the resolvers see it.
type exaAccounts struct{ *exa.Connector }

// For implements exasets.Exa.
func (a exaAccounts) For(ctx context.Context, user model.UserID) (exasets.ExaAccount, error) {
	account, err := a.Connector.For(ctx, user)
	if err != nil {
		return nil, err // and no account of a nil kind
	}
	return account, nil
}

// exaOff is a server that has no websets. Keys that were linked before can still be erased.
type exaOff struct{ exaAccounts }

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

// exa registers what is asked of Exa and returns the observer that counts it.
func (m metrics) exa() func(exa.Attempt) {
	observe := m.attempts("exa", "Requests to Exa, by operation and by what came of them.",
		"How long Exa took, by operation.", 14)
	return func(a exa.Attempt) { observe(a.Operation, a.Result, a.Latency) }
}

// websetDeliveries registers what webhooks of websets are told and returns the observer that counts it.
func (m metrics) websetDeliveries() func(websets.Delivery) {
	deliveries := m.counter("almanac_webset_deliveries_total",
		"Calls of webhooks of websets, by what came of them: told, "+
			"known (told before), silent (nothing to tell), rung (looked for in a shared account), unknown, unsigned, refused, "+
			"failed.", "outcome")
	latency := m.histogram("almanac_webset_delivery_seconds",
		"How long Exa waited for the answer of a webhook of websets.", 0.0005, 14).WithLabelValues()
	return func(d websets.Delivery) {
		deliveries.WithLabelValues(string(d.Outcome)).Inc()
		latency.Observe(d.Took.Seconds())
	}
}

// websetLooks registers what looking for missed events of websets comes to and returns the observer that counts it.
func (m metrics) websetLooks() func(websets.Look) {
	looks := m.counter("almanac_webset_looks_total",
		"Looks at the events of each account of websets, by outcome; failed and parked ones also by the error's code.",
		"outcome", "code")
	events := m.counter("almanac_webset_events_total",
		"Events found by looking: told ones, which no webhook had told, and known ones.", "kind")
	latency := m.histogram("almanac_webset_look_seconds",
		"How long a look at the events of an account of websets took.", firstBucket, 14).WithLabelValues()
	return func(l websets.Look) {
		looks.WithLabelValues(string(l.Outcome), string(l.Code)).Inc()
		events.WithLabelValues("told").Add(float64(l.Changes))
		events.WithLabelValues("known").Add(float64(l.Known))
		latency.Observe(l.Took.Seconds())
	}
}
