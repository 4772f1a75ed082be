package calsync_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/gmail"
	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/calsync"
	"almanac/internal/clock"
	"almanac/internal/standin/calendar"
	"almanac/internal/standin/discovery"
	inbox "almanac/internal/standin/gmail"
	standin "almanac/internal/standin/google"
	"almanac/internal/standin/wire"
	"almanac/internal/teststore"
)

// stores opens the same database as often as asked, as that many processes would; SQLite is opened once for all.
type stores func(t *testing.T, n int) []store.Store

func sqliteStores(t *testing.T, n int) []store.Store {
	t.Helper()
	one, err := sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := one.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := one.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return slices.Repeat([]store.Store{one}, n)
}

func postgresStores(t *testing.T, n int) []store.Store {
	t.Helper()
	database := teststore.Postgres(t)
	all := make([]store.Store, n)
	for i := range all {
		one, err := postgres.Open(t.Context(), postgres.Options{URL: database})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := one.Close(); err != nil {
				t.Error(err)
			}
		})
		if err := one.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		all[i] = one
	}
	return all
}

func eachPlug(t *testing.T, test func(t *testing.T, open stores)) {
	t.Run("sqlite", func(t *testing.T) { test(t, sqliteStores) })
	t.Run("postgres", func(t *testing.T) { test(t, postgresStores) })
}

// googleFixture is the worker before the stand-in for Google, through the real client library, and a real store.
type googleFixture struct {
	*testing.T
	clock    *clock.Manual
	store    store.Store
	server   *standin.Server
	calendar *calendar.Service
	client   *gcal.Client
	inbox    *inbox.Service
	mail     *gmail.Client
	reports  chan calsync.Report
	// lists has a value when the list of an account's calendars has been read.
	lists chan struct{}
	// scopes are what accounts are linked with; those of the calendar when nil.
	scopes []string

	mu     sync.Mutex
	tokens map[model.UUID]google.Token
	notify func(calendar.Notification)
}

func newGoogle(t *testing.T, s store.Store) *googleFixture {
	t.Helper()
	h := &googleFixture{T: t, clock: clock.NewManual(time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)), store: s,
		reports: make(chan calsync.Report, 1000), lists: make(chan struct{}, 1), tokens: map[model.UUID]google.Token{}}
	h.calendar = calendar.New(calendar.Options{Now: h.clock.Now, Seed: 1, Notify: func(n calendar.Notification) {
		h.mu.Lock()
		notify := h.notify
		h.mu.Unlock()
		if notify != nil {
			notify(n)
		}
	}})
	h.inbox = inbox.New(inbox.Options{Now: h.clock.Now, Seed: 1})
	var err error
	h.server, err = standin.New(standin.Options{
		Now: h.clock.Now, Services: []wire.Service{h.calendar, h.inbox},
		Client: standin.OAuthClient{ID: "almanac", Secret: "secret"}, Seed: 1, StrictParameters: true,
		Report: func(v discovery.Violation) { t.Errorf("against Google's description: %v", v) },
	})
	if err != nil {
		t.Fatal(err)
	}
	skip := func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	clients := &google.Clients{
		OAuth: google.OAuth{ClientID: "almanac", ClientSecret: "secret"}, Vault: h, Base: h.server.Transport(),
		Now:    h.clock.Now,
		Jitter: func() float64 { return 0 }, Wait: skip, Limits: google.Limits{Failures: 1 << 20},
	}
	h.client = &gcal.Client{Now: h.clock.Now, PageSize: 100, Google: clients}
	h.mail = &gmail.Client{Now: h.clock.Now, Google: clients, Cache: s, Box: newBox(t, 1)}
	return h
}

// Token is google.Vault's.
func (h *googleFixture) Token(_ context.Context, a google.Account) (google.Token, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	token, ok := h.tokens[a.Connection]
	if !ok {
		return token, &model.Error{Code: model.CodeNotConnected, Message: "Link the account again."}
	}
	return token, nil
}

// SaveToken is google.Vault's.
func (h *googleFixture) SaveToken(_ context.Context, a google.Account, token google.Token) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tokens[a.Connection] = token
	return nil
}

// Expire is google.Vault's.
func (h *googleFixture) Expire(ctx context.Context, a google.Account, _ string) error {
	h.mu.Lock()
	delete(h.tokens, a.Connection)
	h.mu.Unlock()
	return h.store.Write(context.WithoutCancel(ctx), a.User, func(ctx context.Context, tx store.Tx) error {
		return tx.SetConnectionStatus(ctx, a.Connection, model.ConnectionExpired, h.clock.Now())
	})
}

func (h *googleFixture) worker(s store.Store) *calsync.Worker {
	return &calsync.Worker{Store: s, Calendar: h.client, Now: h.clock.Now, Interval: time.Hour,
		Observe: func(l calsync.Report) {
			if !l.List { // which has tests of its own
				h.reports <- l
				return
			}
			select {
			case h.lists <- struct{}{}:
			default: // nobody waits for a second one
			}
		}}
}

func (h *googleFixture) run(w *calsync.Worker) {
	h.Helper()
	ctx, cancel := context.WithCancel(h.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := w.Run(ctx); err != nil {
			h.Error(err)
		}
	})
	h.Cleanup(func() {
		cancel()
		running.Wait()
	})
}

// sync waits for the next sync, which must end so.
func (h *googleFixture) sync(want calsync.Outcome) calsync.Report {
	h.Helper()
	got := <-h.reports
	if got.Outcome != want {
		h.Fatalf("a sync came to %+v, want %s", got, want)
	}
	return got
}

// syncs makes the calendar be synced, an hour later.
func (h *googleFixture) syncs(w *calsync.Worker, c model.Connection, want calsync.Outcome) calsync.Report {
	h.Helper()
	h.clock.Advance(10 * time.Minute)
	if err := w.Notify(h.Context(), c.User, c.ID, ""); err != nil {
		h.Fatal(err)
	}
	return h.sync(want)
}

// link links an account of the stand-in, as the consent page does, and follows it in the same transaction.
func (h *googleFixture) link(w *calsync.Worker, user, email string) (linked model.Connection) {
	h.Helper()
	if !slices.Contains(h.calendar.Accounts(), email) {
		if err := errors.Join(h.calendar.AddAccount(calendar.Account{Email: email, TimeZone: "Asia/Jerusalem"}),
			h.server.AddAccount(standin.Account{Email: email})); err != nil {
			h.Fatal(err)
		}
	}
	scopes := h.scopes
	if scopes == nil {
		scopes = []string{google.ScopeCalendarEvents, google.ScopeCalendarList, google.ScopeFreeBusy}
	}
	granted, err := h.server.Grant(email, scopes)
	if err != nil {
		h.Fatal(err)
	}
	id := model.UserIDOf(user)
	err = h.store.Write(h.Context(), id, func(ctx context.Context, tx store.Tx) error {
		linked, err = tx.SaveConnection(ctx, model.Connection{
			ID: model.RemoteID(model.KindConnection, user+email).UUID, User: id, Provider: model.ProviderGoogle, Account: email,
			Status: model.ConnectionConnected,
			Scopes: scopes, LinkedAt: h.clock.Now(), UpdatedAt: h.clock.Now(),
		}, model.Credentials{Refresh: []byte("sealed"), Access: []byte("sealed")})
		if err != nil {
			return err
		}
		h.mu.Lock()
		h.tokens[linked.ID] = google.Token{Access: granted.Access, Refresh: granted.Refresh, Expiry: granted.Expiry,
			Scopes: granted.Scopes}
		h.mu.Unlock()
		return w.Follow(ctx, linked)
	})
	if err != nil {
		h.Fatal(err)
	}
	return linked
}

// others makes an event as somebody else does, and returns its id.
func (h *googleFixture) others(email, summary string) string {
	h.Helper()
	made, err := h.calendar.Insert(email, "primary", map[string]any{
		"summary": summary, "start": map[string]any{"dateTime": "2026-11-23T10:00:00+02:00"},
		"end": map[string]any{"dateTime": "2026-11-23T11:00:00+02:00"},
	})
	if err != nil {
		h.Fatal(err)
	}
	return made["id"].(string)
}

func (h *googleFixture) serve(method, email, event string, body map[string]any) {
	h.Helper()
	_, err := h.calendar.Serve(wire.Call{Method: "calendar.events." + method, Account: email,
		Path: map[string]string{"calendarId": "primary", "eventId": event}, Body: body, Now: h.clock.Now()})
	if err != nil {
		h.Fatal(err)
	}
}

// told are the lines of the log after the first, which is the account's linking.
func (h *googleFixture) told(c model.Connection) (lines []string) {
	h.Helper()
	log, err := h.store.Changes(h.Context(), c.User, 1, nil, 10_000)
	if err != nil {
		h.Fatal(err)
	}
	for _, line := range log {
		if line.Type == model.ChangeCalendar {
			continue
		}
		name := string(line.Type)
		if line.Type == model.ChangeEmail {
			ref, err := model.EmailRefOf(model.RemoteID(model.KindEmail, line.Remote))
			if err != nil || ref.Connection != c.Number {
				h.Errorf("the line %+v names %+v, %v", line, ref, err)
			}
			name = ref.Message
		}
		if line.Type == model.ChangeEvent {
			ref, err := model.EventRefOf(model.RemoteID(model.KindEvent, line.Remote))
			if err != nil || ref.CalendarRef() != (model.CalendarRef{Connection: c.Number}) {
				h.Errorf("the line %+v names %+v, %v", line, ref, err)
			}
			name = ref.Event
		}
		lines = append(lines, fmt.Sprintf("%s %s", line.Operation, name))
	}
	return lines
}

func (h *googleFixture) wantTold(c model.Connection, want ...string) {
	h.Helper()
	if got := h.told(c); !slices.Equal(got, want) {
		h.Errorf("told %q, want %q", got, want)
	}
}

// The way of a calendar's life, from the link to the unlinking.
func TestFollowingTheStandIn(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		h := newGoogle(t, open(t, 1)[0])
		w := h.worker(h.store)
		const email = "dana@example.com"
		c := h.link(w, "dana", email)
		h.others(email, "from before")
		h.run(w)
		h.sync(calsync.OutcomeBegun)
		want := []string{"UPDATED CONNECTION"} // what has changed while it was read is not known
		h.wantTold(c, want...)

		// What somebody else does is told once.
		id := h.others(email, "פגישה")
		if got := h.syncs(w, c, calsync.OutcomeRead); got.Changes != 1 {
			t.Errorf("%+v", got)
		}
		want = append(want, "CREATED "+id)
		h.wantTold(c, want...)
		h.syncs(w, c, calsync.OutcomeRead)
		h.serve("patch", email, id, map[string]any{"summary": "another name"})
		h.syncs(w, c, calsync.OutcomeRead)
		want = append(want, "UPDATED "+id)
		h.wantTold(c, want...)

		// What we do is told when it is done, and not by the calendar.
		made, _, err := h.client.Insert(t.Context(), c, "", gcal.NewEvent{SourceID: "almanac0001", Event: model.Event{
			Summary: "ours", Start: model.EventTime{At: h.clock.Now(), Zone: "Asia/Jerusalem"},
			End:        model.EventTime{At: h.clock.Now().Add(time.Hour), Zone: "Asia/Jerusalem"},
			Recurrence: []string{"RRULE:FREQ=DAILY;COUNT=5"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		h.logOwn(c, made.Ref, model.OperationCreated, made.Version)
		want = append(want, "CREATED almanac0001")
		if got := h.syncs(w, c, calsync.OutcomeRead); got.Echoes != 1 {
			t.Errorf("%+v", got)
		}
		h.wantTold(c, want...)
		// An occurrence that somebody leaves out has an id of its own; the series is as it was.
		instances, err := h.client.Instances(t.Context(), c, made.Ref,
			gcal.Query{From: h.clock.Now().AddDate(0, 0, -1), To: h.clock.Now().AddDate(0, 1, 0)})
		if err != nil || len(instances.Events) != 5 {
			t.Fatalf("%d occurrences, %v", len(instances.Events), err)
		}
		third := instances.Events[2].Ref.Event
		h.serve("delete", email, third, nil)
		h.syncs(w, c, calsync.OutcomeRead)
		want = append(want, "DELETED "+third)
		h.wantTold(c, want...)
		if _, err := h.client.Delete(t.Context(), c, model.EventRef{Connection: c.Number, Event: id},
			gcal.ChangeOptions{}); err != nil {
			t.Fatal(err)
		}
		h.logOwn(c, model.EventRef{Connection: c.Number, Event: id}, model.OperationDeleted, "")
		want = append(want, "DELETED "+id)
		if got := h.syncs(w, c, calsync.OutcomeRead); got.Echoes == 0 || got.Changes != 0 {
			t.Errorf("%+v", got)
		}
		h.wantTold(c, want...)

		// Google forgets where we were.
		lost := h.others(email, "lost")
		h.serve("delete", email, "almanac0001", nil)
		h.calendar.ExpireSyncTokens(email)
		h.syncs(w, c, calsync.OutcomeReset)
		// All is read anew and held against the copy. The series goes with its dropped occurrence, which was told.
		want = append(want, "CREATED "+lost, "DELETED almanac0001")
		h.wantTold(c, want...)
		if secrets, err := h.store.Credentials(t.Context(), c.User, c.ID); err != nil ||
			string(secrets.Refresh) != "sealed" || string(secrets.Access) != "sealed" {
			t.Errorf("the tokens are %q and %q, %v", secrets.Refresh, secrets.Access, err)
		}

		// Faults that pass.
		h.server.Inject(standin.Fault{Method: "calendar.events.list", HTML: true})
		if got := h.syncs(w, c, calsync.OutcomeFailed); got.Code != model.CodeUpstreamUnavailable {
			t.Errorf("%+v", got)
		}
		h.server.Clear()
		for _, fault := range []standin.Fault{{Status: http.StatusForbidden, Reason: "userRateLimitExceeded",
			RetryAfter: time.Second}, {Reset: true}, {LoseAnswer: true}, {EmptyPage: true}, {Truncate: true}} {
			fault.Method, fault.Times = "calendar.events.list", 1
			h.server.Inject(fault)
			id := h.others(email, "meanwhile")
			if err := w.Follow(t.Context(), c); err != nil { // it backs off, and a notice waits for that
				t.Fatal(err)
			}
			h.syncs(w, c, calsync.OutcomeRead)
			want = append(want, "CREATED "+id)
			h.wantTold(c, want...)
		}

		// The grant is taken back, and given again.
		h.server.RevokeGrant(email)
		h.syncs(w, c, calsync.OutcomeParked)
		want = append(want, "UPDATED CONNECTION") // by the vault
		h.wantTold(c, want...)
		id = h.others(email, "while nobody listens")
		h.link(w, "dana", email)
		h.syncs(w, c, calsync.OutcomeRead)
		h.wantTold(c, append(want, "UPDATED CONNECTION", "CREATED "+id)...)

		// Unlinked.
		err = h.store.Write(t.Context(), c.User,
			func(ctx context.Context, tx store.Tx) error { return tx.DeleteConnection(ctx, c.ID) })
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Notify(t.Context(), c.User, c.ID, ""); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("notified: %v", err)
		}
	})
}

// logOwn logs a write of our own, as the resolvers do.
func (h *googleFixture) logOwn(c model.Connection, ref model.EventRef, operation model.Operation, version string) {
	h.Helper()
	id := ref.ID()
	err := h.store.Write(h.Context(), c.User, func(ctx context.Context, tx store.Tx) error {
		return tx.LogRemote(ctx, []model.Change{
			{Type: model.ChangeEvent, ID: id.UUID, Remote: id.Remote, Operation: operation, Version: version}})
	})
	if err != nil {
		h.Fatal(err)
	}
}

// Google's notices come to the handler, and what has changed to the log.
func TestNoticesOfTheStandIn(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		h := newGoogle(t, open(t, 1)[0])
		w := h.worker(h.store)
		w.Push = &calsync.PushOptions{Address: address, Box: newBox(t, 1), NewID: clock.NewIDs(h.clock.Now, rand.Reader).New}
		const email = "dana@example.com"
		h.notify = func(n calendar.Notification) {
			r := httptest.NewRequest(http.MethodPost, n.Address, http.NoBody)
			r.Header = n.Header
			answer := httptest.NewRecorder()
			w.ServeHTTP(answer, r)
			if answer.Code != http.StatusNoContent {
				h.Errorf("a notice got %d: %v", answer.Code, n.Header)
			}
		}
		c := h.link(w, "dana", email)
		h.run(w)
		h.sync(calsync.OutcomeBegun)
		h.clock.Advance(time.Minute)
		id := h.others(email, "pushed")
		h.sync(calsync.OutcomeRead)
		h.wantTold(c, "UPDATED CONNECTION", "CREATED "+id)
		if err := w.Stop(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		h.mu.Lock()
		h.notify = func(calendar.Notification) { h.Error("a notice after Stop") }
		h.mu.Unlock()
		h.others(email, "not pushed")
	})
}

// Two processes, each with several syncs at once and notified all the time, tell each change once between them.
func TestReplicasTellEachChangeOnce(t *testing.T) {
	eachPlug(t, func(t *testing.T, open stores) {
		const accounts, rounds, each = 3, 3, 80
		both := open(t, 2)
		h := newGoogle(t, both[0])
		workers := []*calsync.Worker{h.worker(both[0]), h.worker(both[1])}
		var all []model.Connection
		for n := range accounts {
			all = append(all, h.link(workers[0], fmt.Sprint("user", n), fmt.Sprintf("user%d@example.com", n)))
		}
		for _, w := range workers {
			w.Observe = func(calsync.Report) {}
			h.run(w)
		}
		// settled notifies until every calendar was read to its end and all of that is told.
		settled := func(events int) {
			for {
				done := true
				for _, c := range all {
					states, err := both[1].SyncStates(t.Context(), c.User, c.ID)
					if err != nil || len(states) != 2 {
						t.Fatalf("%d states, %v", len(states), err)
					}
					for _, w := range workers {
						if err := w.Notify(t.Context(), c.User, c.ID, ""); err != nil {
							t.Fatal(err)
						}
					}
					done = done && states[0].Token != "" && len(h.told(c)) > events
				}
				if done {
					return
				}
				h.clock.Advance(time.Millisecond)
			}
		}
		settled(0)
		want := map[model.UUID][]string{}
		for round := range rounds {
			for i := range each {
				for n, c := range all {
					want[c.ID] = append(want[c.ID], "CREATED "+h.others(fmt.Sprintf("user%d@example.com", n), fmt.Sprint(round, i)))
					if i%40 == 0 {
						if err := workers[i/40%2].Notify(t.Context(), c.User, c.ID, ""); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			settled((round + 1) * each)
		}
		for range 20 {
			settled(rounds * each)
		}
		for _, c := range all {
			got := h.told(c)
			want[c.ID] = append(want[c.ID], "UPDATED CONNECTION") // when it had been read first
			slices.Sort(got)
			slices.Sort(want[c.ID])
			if !slices.Equal(got, want[c.ID]) {
				t.Errorf("told %d changes, want each of %d once", len(got), len(want[c.ID]))
			}
		}
	})
}
