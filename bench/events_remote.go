//go:build bench

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"google.golang.org/api/calendar/v3"
	"google.golang.org/api/option"

	"almanac/adapters/gcal"
	"almanac/adapters/gmail"
	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/calsync"
	"almanac/internal/connect"
	"almanac/internal/seal"
	standin "almanac/internal/standin/calendar"
	inbox "almanac/internal/standin/gmail"
	front "almanac/internal/standin/google"
	"almanac/internal/standin/wire"
	"almanac/resolvers"
	"almanac/resolvers/emails"
)

// remoteServer is the Google of a instance: the stand-in, and what the program has between it and the resolvers. Only
// requests for tokens are never made: those of a run last longer than it.
type remoteServer struct {
	service *standin.Service
	server  *front.Server
	tape    *tape
	linker  *connect.Linker
	vault   *connect.Vault
	client  *gcal.Client
	inbox   *inbox.Service
	mail    *gmail.Client
	// follows: copies of calendars are kept by follower, and queries read them.
	follows  bool
	follower *calsync.Worker
}

func newRemote() (*remoteServer, error) {
	remote := &remoteServer{service: standin.New(standin.Options{Now: time.Now, Seed: 1}),
		inbox: inbox.New(inbox.Options{Now: time.Now, Seed: 1})}
	var err error
	remote.server, err = front.New(front.Options{
		Now: time.Now, Services: []wire.Service{remote.service, remote.inbox}, StrictParameters: true,
		Client: front.OAuthClient{ID: "almanac", Secret: "stand-in"},
		Quotas: map[string]front.Quota{"gmail": {Cost: front.GmailCosts()}},
	})
	if err != nil {
		return nil, err
	}
	remote.tape = &tape{inner: remote.server.Transport()}
	return remote, nil
}

// wire connects the remote with a store, and returns the resolvers' views of it.
func (c *remoteServer) wire(s store.Store, key []byte) (resolvers.Google, error) {
	box, err := seal.NewBox(key)
	if err != nil {
		return resolvers.Google{}, err
	}
	oauth := google.OAuth{ClientID: "almanac", ClientSecret: "stand-in", Base: c.tape}
	c.linker = &connect.Linker{Store: s, Box: box, Base: &url.URL{Scheme: "http", Host: "127.0.0.1"}, OAuth: oauth,
		Now: time.Now}
	c.vault = &connect.Vault{Linker: c.linker}
	clients := &google.Clients{OAuth: oauth, Vault: c.vault, Base: c.tape, Now: time.Now, ConnectURL: c.linker.ConnectURL}
	c.client = &gcal.Client{Google: clients, Now: time.Now}
	// what Google allows in a minute would be what is measured
	c.mail = &gmail.Client{Google: clients, Cache: s, Box: box, Now: time.Now, Units: 1 << 30}
	all := resolvers.Google{
		Events: c.client, Calendars: c.client, Writer: c.client, Series: c.client, Linker: linked{c.linker}, Scopes: scopes(),
		Mail: emails.Mail{Reader: c.mail, Marker: c.mail,
			AttachmentURL: func(model.UserID, model.EmailRef, string) string { return "" }},
	}
	if c.follows {
		c.follower = &calsync.Worker{Store: s, Calendar: c.client, Auditor: c.client, Now: time.Now, Interval: time.Hour}
		all.Follower, all.ReadsCopies = c.follower, true
	}
	return all, nil
}

// scopes are what accounts are linked with.
func scopes() []string { return append(connect.CalendarScopes(false), connect.MailScopes(false)...) }

// linked is the linker as resolvers see it.
type linked struct{ *connect.Linker }

// Disconnect implements core.Linker; nobody does it here.
func (l linked) Disconnect(ctx context.Context, c model.Connection) (bool, error) {
	_, err := l.Linker.Disconnect(ctx, c.User, c.Provider, c.Account)
	return err == nil, err
}

// link makes an account and links it to a person, whose row must exist.
func (c *remoteServer) link(ctx context.Context, p *person, email string) (model.Connection, error) {
	if err := c.service.AddAccount(standin.Account{Email: email, Name: "Dana Levi", TimeZone: zone}); err != nil {
		return model.Connection{}, err
	}
	if err := c.server.AddAccount(front.Account{Email: email, Name: "Dana Levi"}); err != nil {
		return model.Connection{}, err
	}
	if err := c.inbox.AddAccount(inbox.Account{Email: email, Name: "Dana Levi"}); err != nil {
		return model.Connection{}, err
	}
	granted, err := c.server.Grant(email, scopes())
	if err != nil {
		return model.Connection{}, err
	}
	var saved model.Connection
	err = c.linker.Store.Write(ctx, p.user, func(ctx context.Context, tx store.Tx) error {
		saved, err = tx.SaveConnection(ctx, model.Connection{
			ID: model.RemoteID(model.KindConnection, email).UUID, User: p.user, Provider: model.ProviderGoogle, Account: email,
			Status: model.ConnectionConnected, Scopes: granted.Scopes, LinkedAt: time.Now(), UpdatedAt: time.Now(),
		}, model.Credentials{})
		return err
	})
	if err != nil {
		return saved, fmt.Errorf("link %s: %w", email, err)
	}
	return saved, c.vault.SaveToken(ctx, google.Account{User: p.user, Connection: saved.ID, Email: email}, google.Token{
		Access: granted.Access, Refresh: granted.Refresh, Expiry: granted.Expiry, Scopes: granted.Scopes,
	})
}

// bare is Google's client library as its documentation shows it, made once.
func (c *remoteServer) bare(ctx context.Context, email string) (*calendar.Service, error) {
	granted, err := c.server.Grant(email, connect.CalendarScopes(false))
	if err != nil {
		return nil, err
	}
	source := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: granted.Access})
	api, err := calendar.NewService(ctx,
		option.WithHTTPClient(&http.Client{Transport: &oauth2.Transport{Source: source, Base: c.tape}}))
	if err != nil {
		return nil, err
	}
	api.UserAgent = "bench (gzip)" // Google packs answers only for clients that say so here
	return api, nil
}

// slow makes the stand-in as slow as said, method by method, and as fast as it can be in all others.
func (c *remoteServer) slow(latencies map[string]time.Duration) {
	c.server.Clear()
	for method, latency := range latencies {
		c.server.Inject(front.Fault{Method: method, Latency: latency})
	}
}

// meeting is an event as calendars at work have them: a description, twelve guests and a link to meet at. No two have
// the same words, or packing would make nothing of them.
func meeting(number int, start time.Time, owner string) map[string]any {
	random := rand.New(rand.NewPCG(1, uint64(number))) //nolint:gosec // it chooses words
	guests := []any{map[string]any{"email": owner, "displayName": "Dana Levi", "responseStatus": "accepted"}}
	for _, i := range random.Perm(len(givenNames))[:11] {
		family := familyNames[random.IntN(len(familyNames))]
		guests = append(guests, map[string]any{
			"email":          strings.ToLower(fmt.Sprintf("%s.%s%d@example.com", givenNames[i], family, random.IntN(90))),
			"displayName":    givenNames[i] + " " + family,
			"responseStatus": []string{"accepted", "needsAction", "tentative", "declined"}[random.IntN(4)],
		})
	}
	var agenda strings.Builder
	for range 80 {
		agenda.WriteString(agendaWords[random.IntN(len(agendaWords))] + " ")
	}
	fmt.Fprintf(&agenda, "<br>https://example.com/documents/%x/edit", random.Uint64())
	return map[string]any{
		"id": fmt.Sprintf("meeting%06d", number), "summary": textOf(number), "description": agenda.String(),
		"location":  fmt.Sprintf("Rothschild %d, Tel Aviv, floor %d", 1+random.IntN(150), random.IntN(30)),
		"start":     map[string]any{"dateTime": start.Format(time.RFC3339), "timeZone": zone},
		"end":       map[string]any{"dateTime": start.Add(45 * time.Minute).Format(time.RFC3339), "timeZone": zone},
		"attendees": guests,
		"conferenceData": map[string]any{"createRequest": map[string]any{
			"requestId": fmt.Sprintf("request-%d", number), "conferenceSolutionKey": map[string]any{"type": "hangoutsMeet"},
		}},
	}
}

var (
	givenNames = [...]string{"Avi", "Noa", "Maya", "Yoav", "Omer", "Tamar", "Lior", "Ido", "Shira", "Gil", "Eitan",
		"Michal", "Roni", "Yael", "Amit", "Hila", "Uri", "Dafna"}
	familyNames = [...]string{"Cohen", "Friedman", "Ben-David", "Shahar", "Katz", "Alon", "Mizrahi", "Rosen", "Golan",
		"Barak", "Peretz", "Azulay", "Segal", "Harel"}
	agendaWords = [...]string{
		"plan", "quarter", "review", "customers", "launch", "budget", "risk", "design", "questions", "before", "after",
		"noon", "release", "metrics", "hiring", "who", "does", "what", "until",
		"next", "week", "<b>agenda</b>", "<br>", "minutes", "decision", "owner", "late", "follow-up", "demo", "feedback",
		"roadmap", "support", "contract", "open", "closed", "1.", "2.", "3.",
		"סיכום", "הפגישה", "הקודמת", "תאריך", "השקה", "לקוחות", "תקציב", "משימות", "להגיע", "מוכנים", "שאלות", "החלטה", "לוח",
		"זמנים", "עדכון", "צוות",
	}
)

// fillCalendar adds meetings from first on, some each day from 8:00, an hour apart.
func (c *remoteServer) fillCalendar(email string, first time.Time, days, perDay int) error {
	for day := range days {
		for n := range perDay {
			start := first.AddDate(0, 0, day).Add(time.Duration(8+n) * time.Hour)
			if _, err := c.service.Insert(email, "primary", meeting(day*perDay+n, start, email)); err != nil {
				return fmt.Errorf("add a meeting: %w", err)
			}
		}
	}
	return nil
}
