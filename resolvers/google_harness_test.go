package resolvers_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/gmail"
	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/calsync"
	"almanac/internal/outbox"
	"almanac/internal/standin/calendar"
	"almanac/internal/standin/discovery"
	mailbox "almanac/internal/standin/gmail"
	standin "almanac/internal/standin/google"
	"almanac/internal/standin/wire"
	"almanac/resolvers"
)

// wantedScopes are what the whole of Almanac needs of an account.
var wantedScopes = []string{google.ScopeCalendarEvents, google.ScopeCalendarList, google.ScopeFreeBusy,
	google.ScopeGmailModify}

// googleHarness is Google next door: the stand-in, what links accounts to it, and the adapter over the real client
// library. Every request and every answer is held against Google's own description of its API.
type googleHarness struct {
	server   *standin.Server
	calendar *calendar.Service
	mailbox  *mailbox.Service
	store    store.Store
	now      func() time.Time

	gmail  *gmail.Client
	outbox *outbox.Outbox
	// wait, if set, is how Google lets the time of a slow answer pass, which is none without it.
	wait func(ctx context.Context) error
	// follower keeps copies of calendars when a script asks for it; linked are the accounts that it follows.
	follower *calsync.Worker
	linked   []model.Connection
	// delivered are the ids of the letters that a script has delivered, in order.
	delivered []string

	mu     sync.Mutex
	tokens map[model.UUID]google.Token
}

// oauthClient is the application that the stand-in knows.
var oauthClient = standin.OAuthClient{ID: "almanac", Secret: "secret",
	RedirectURIs: []string{"https://almanac.example/connect/google/callback"}}

func newGoogleHarness(t testing.TB, s store.Store, now func() time.Time) *googleHarness {
	t.Helper()
	g := &googleHarness{store: s, now: now, tokens: map[model.UUID]google.Token{}}
	g.calendar = calendar.New(calendar.Options{Now: now, Seed: 1})
	g.mailbox = mailbox.New(mailbox.Options{Now: now, Seed: 1})
	var err error
	g.server, err = standin.New(standin.Options{
		Now: now, Services: []wire.Service{g.calendar, g.mailbox}, Client: oauthClient, Seed: 1, StrictParameters: true,
		Report: func(v discovery.Violation) { t.Errorf("against Google's description: %v", v) },
		Wait: func(ctx context.Context, _ time.Duration) error {
			if g.wait != nil {
				return g.wait(ctx)
			}
			return ctx.Err()
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// wired are the resolvers' own views of the adapter.
func (g *googleHarness) wired() resolvers.Google {
	clients := &google.Clients{
		OAuth: google.OAuth{ClientID: oauthClient.ID, ClientSecret: oauthClient.Secret},
		Vault: g, Base: g.server.Transport(), Now: g.now,
		Jitter:     func() float64 { return 0 },
		Wait:       func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		ConnectURL: func(a google.Account, _ []string) string { return connectURL(a.Email) },
		Limits:     google.Limits{Failures: 1 << 20}, // the breaker has tests of its own; it goes by the machine's clock
	}
	client := &gcal.Client{Google: clients, Now: g.now}
	all := resolvers.Google{
		Events: client, Calendars: client, Writer: client, Series: client, Linker: g, Scopes: wantedScopes,
		Mail: g.mail(clients),
	}
	if g.follower != nil {
		g.follower.Calendar = client
		all.Follower, all.ReadsCopies = g.follower, true
	}
	return all
}

// sync has the follower read everything that is followed, as its own syncs would by and by.
func (g *googleHarness) sync(ctx context.Context) error {
	if g.follower == nil {
		return nil
	}
	for _, c := range g.linked {
		all, err := g.store.SyncStates(ctx, c.User, c.ID)
		if err != nil {
			return err
		}
		for _, state := range all {
			// What cannot be read now is noticed by the queries.
			if err := g.follower.Refresh(ctx, c, state.Calendar); err != nil && model.CodeOf(err) == model.CodeInternal {
				return err
			}
		}
	}
	return nil
}

func connectURL(account string) string {
	return "https://almanac.example/connect/google?account=" + url.QueryEscape(account)
}

// URL is core.Linker's.
func (g *googleHarness) URL(_ model.UserID, _ []string, account string) string {
	return connectURL(account)
}

// Status is core.Linker's.
func (g *googleHarness) Status(c model.Connection) model.ConnectionStatus { return c.Status }

// Disconnect is core.Linker's.
func (g *googleHarness) Disconnect(ctx context.Context, c model.Connection) (bool, error) {
	g.server.RevokeGrant(c.Account)
	return true, g.store.Write(ctx, c.User, func(ctx context.Context, tx store.Tx) error {
		return tx.DeleteConnection(ctx, c.ID)
	})
}

// Token is google.Vault's.
func (g *googleHarness) Token(_ context.Context, a google.Account) (google.Token, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	token, ok := g.tokens[a.Connection]
	if !ok {
		return token, &model.Error{Code: model.CodeNotConnected, Message: "The Google account must be linked again.",
			ConnectURL: connectURL(a.Email)}
	}
	return token, nil
}

// SaveToken is google.Vault's.
func (g *googleHarness) SaveToken(_ context.Context, a google.Account, token google.Token) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.tokens[a.Connection] = token
	return nil
}

// Expire is google.Vault's.
func (g *googleHarness) Expire(ctx context.Context, a google.Account, _ string) error {
	g.mu.Lock()
	delete(g.tokens, a.Connection)
	g.mu.Unlock()
	return g.store.Write(context.WithoutCancel(ctx), a.User, func(ctx context.Context, tx store.Tx) error {
		return tx.SetConnectionStatus(ctx, a.Connection, model.ConnectionExpired, g.now())
	})
}

// account makes a person at Google, once.
func (g *googleHarness) account(email, zone string) error {
	if slices.Contains(g.calendar.Accounts(), email) {
		return nil
	}
	name := strings.ToUpper(email[:1]) + email[1:strings.IndexByte(email, '@')]
	if err := g.calendar.AddAccount(calendar.Account{Email: email, Name: name, TimeZone: zone}); err != nil {
		return err
	}
	if err := g.mailbox.AddAccount(mailbox.Account{Email: email, Name: name}); err != nil {
		return err
	}
	return g.server.AddAccount(standin.Account{Email: email})
}

// link links an account to a user, as the consent page would.
func (g *googleHarness) link(ctx context.Context, user model.UserID, email, zone string) error {
	return g.linkFor(ctx, user, email, zone, wantedScopes)
}

func (g *googleHarness) linkFor(ctx context.Context, user model.UserID, email, zone string, scopes []string) error {
	if err := g.account(email, zone); err != nil {
		return err
	}
	granted, err := g.server.Grant(email, scopes)
	if err != nil {
		return err
	}
	var saved model.Connection
	err = g.store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		saved, err = tx.SaveConnection(ctx, model.Connection{
			ID: model.RemoteID(model.KindConnection, user.String()+email).UUID, User: user, Provider: model.ProviderGoogle,
			Account: email, Status: model.ConnectionConnected,
			Scopes: slices.Sorted(slices.Values(scopes)), LinkedAt: g.now(), UpdatedAt: g.now(),
		}, model.Credentials{})
		return err
	})
	if err != nil {
		return err
	}
	err = g.SaveToken(ctx, google.Account{User: user, Connection: saved.ID}, google.Token{
		Access: granted.Access, Refresh: granted.Refresh, Expiry: granted.Expiry, Scopes: granted.Scopes,
	})
	if err != nil || g.follower == nil {
		return err
	}
	g.linked = append(g.linked, saved)
	return g.follower.Follow(ctx, saved)
}

// serve calls the calendar as an account would from elsewhere, past the front.
func (g *googleHarness) serve(method, account string, path map[string]string, query url.Values,
	body map[string]any) (map[string]any, error) {
	reply, err := g.calendar.Serve(wire.Call{Method: "calendar." + method, Account: account, Path: path, Query: query,
		Body: body, Now: g.now()})
	return reply.Body, err
}

// do runs one line of a script's google section.
func (g *googleHarness) do(ctx context.Context, line string) error {
	words, body, _ := strings.Cut(line, "{")
	args := strings.Fields(words)
	if body != "" {
		body = "{" + body
	}
	object := func() map[string]any {
		var out map[string]any
		decoder := json.NewDecoder(strings.NewReader(body))
		decoder.UseNumber()
		if err := decoder.Decode(&out); err != nil {
			panic(fmt.Sprintf("google: %s: %v", line, err))
		}
		return out
	}
	into := func(out any) error { return json.Unmarshal([]byte(body), out) }
	args = append(args, "", "", "")
	switch args[0] {
	case "link":
		return g.link(ctx, model.UserIDOf(args[1]), args[2], orElse(args[3], "Asia/Jerusalem"))
	case "account":
		return g.account(args[1], orElse(args[2], "Asia/Jerusalem"))
	case "calendar":
		var given calendar.Calendar
		if err := into(&given); err != nil {
			return err
		}
		_, err := g.calendar.AddCalendar(args[1], given)
		return err
	case "share":
		return g.calendar.Share(args[1], args[2], args[3])
	case "event":
		_, err := g.calendar.Insert(args[1], orElse(args[2], "primary"), object())
		return err
	case "patch":
		_, err := g.serve("events.patch", args[1], map[string]string{"calendarId": args[2], "eventId": args[3]}, nil,
			object())
		return err
	case "delete":
		_, err := g.serve("events.delete", args[1], map[string]string{"calendarId": args[2], "eventId": args[3]}, nil, nil)
		return err
	case "fault":
		var fault struct {
			standin.Fault
			RetryAfterSeconds int
		}
		if err := into(&fault); err != nil {
			return err
		}
		fault.RetryAfter = time.Duration(fault.RetryAfterSeconds) * time.Second
		if fault.Method = strings.Replace(fault.Method, "events.", "calendar.events.", 1); !strings.HasPrefix(fault.Method,
			"calendar.") && fault.Method != "*" {
			fault.Method = "gmail.users." + fault.Method
		}
		g.server.Inject(fault.Fault)
	case "clear":
		g.server.Clear()
	case "revoke":
		g.server.RevokeGrant(args[1])
	case "expire":
		g.server.ExpireAccessTokens(args[1])
	case "switches":
		var switches calendar.Switches
		if err := into(&switches); err != nil {
			return err
		}
		g.calendar.SetSwitches(switches)
	default:
		return g.doMail(ctx, args, body)
	}
	return nil
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// content is what a calendar truly holds, one event a line: series and single events, and the exceptions of series.
func (g *googleHarness) content(account, calendarID string) (string, error) {
	reply, err := g.serve("events.list", account, map[string]string{"calendarId": orElse(calendarID, "primary")},
		url.Values{"maxResults": {"2500"}}, nil)
	if err != nil {
		return "", err
	}
	items, _ := reply["items"].([]any)
	lines := make([]string, 0, len(items))
	for _, item := range items {
		lines = append(lines, contentLine(item.(map[string]any)))
	}
	slices.SortFunc(lines, func(a, b string) int { // ids are not the same in every run
		idA, restA, _ := strings.Cut(a, " ")
		idB, restB, _ := strings.Cut(b, " ")
		return cmp.Or(strings.Compare(restA, restB), strings.Compare(idA, idB))
	})
	return strings.Join(lines, ""), nil
}

// contentFields are shown of an event when it has them.
var contentFields = []string{"summary", "status", "start", "end", "recurrence", "location", "description", "attendees",
	"reminders", "transparency", "visibility", "colorId"}

func contentLine(event map[string]any) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s", event["id"])
	for _, name := range contentFields {
		value, ok := event[name]
		if !ok || name == "status" && value == "confirmed" ||
			name == "reminders" && fmt.Sprint(value) == "map[useDefault:true]" {
			continue
		}
		fmt.Fprintf(&out, " %s=%s", name, plain(value))
	}
	return out.String() + "\n"
}

// plain writes a value of an event as short as can be read.
func plain(value any) string {
	if times, ok := value.(map[string]any); ok && (times["date"] != nil || times["dateTime"] != nil) {
		if times["date"] != nil {
			return fmt.Sprint(times["date"])
		}
		if times["timeZone"] != nil {
			return fmt.Sprintf("%v[%v]", times["dateTime"], times["timeZone"])
		}
		return fmt.Sprint(times["dateTime"])
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// asked are the requests of Google's since the last document was sent, one a line: method, what it is about, query,
// condition, body, status.
func (g *googleHarness) asked() []string {
	var lines []string
	for _, r := range g.server.Requests() {
		if strings.HasPrefix(r.Method, "gmail.") {
			lines = append(lines, askedOfGmail(r))
			continue
		}
		if !strings.HasPrefix(r.Method, "calendar.") {
			lines = append(lines, fmt.Sprintf("%s %d\n", r.Method, r.Status))
			continue
		}
		at, err := url.Parse(r.URL)
		if err != nil {
			panic(err)
		}
		_, path, _ := strings.Cut(at.Path, "/calendar/v3/")
		var line strings.Builder
		fmt.Fprintf(&line, "%s %s", strings.TrimPrefix(r.Method, "calendar."), strings.TrimPrefix(path, "calendars/"))
		query := at.Query()
		for _, name := range slices.Sorted(maps.Keys(query)) {
			if name != "alt" && name != "prettyPrint" {
				fmt.Fprintf(&line, " %s=%s", name, strings.Join(query[name], "&"))
			}
		}
		if version := r.Header.Get("If-Match"); version != "" {
			fmt.Fprintf(&line, " If-Match=%s", version)
		}
		if len(r.Body) > 0 {
			fmt.Fprintf(&line, " %s", strings.TrimSpace(string(r.Body)))
		}
		lines = append(lines, fmt.Sprintf("%s -> %d\n", line.String(), r.Status))
	}
	return lines
}
