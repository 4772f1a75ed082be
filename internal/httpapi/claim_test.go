package httpapi_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/httpapi"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/internal/testschema"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// held is the claim of a key in a ledger: who has it, until when; nobody when holder is zero.
type held struct {
	seed, holder model.UUID
	until        time.Time
	notes        []byte
}

func (l *ledger) Claim(ctx context.Context, user model.UserID, call model.IdempotentCall, now time.Time,
	lease time.Duration) (store.Claim, error) {
	if err := asked(ctx, l.claim); err != nil {
		return store.Claim{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	id := user.String() + call.Key
	if before, ok := l.kept[id]; ok && before.Fingerprint != call.Fingerprint {
		return store.Claim{}, model.Errorf(model.CodeIdempotencyConflict, "The key was used for another request.")
	}
	l.kept[id] = call
	c := l.claims[id]
	if c == nil {
		c = &held{seed: idOf(id)}
		l.claims[id] = c
	}
	if answer, ok := l.answers[id]; ok {
		return store.Claim{State: store.ClaimSettled, Key: call.Key, Seed: c.seed, Answer: answer}, nil
	}
	if c.holder != (model.UUID{}) && c.until.After(now) {
		return store.Claim{State: store.ClaimHeld, Key: call.Key, Seed: c.seed, HeldUntil: c.until}, nil
	}
	c.until = now.Add(lease)
	c.holder = idOf(id + c.until.String())
	return store.Claim{State: store.ClaimTaken, Key: call.Key, Holder: c.holder, Seed: c.seed, Notes: c.notes}, nil
}

func idOf(text string) model.UUID {
	sum := sha256.Sum256([]byte(text))
	return model.UUID(sum[:16])
}

func (l *ledger) Settle(ctx context.Context, user model.UserID, claim store.Claim, answer []byte) error {
	if err := asked(ctx, l.settle); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	id := user.String() + claim.Key
	if c := l.claims[id]; c == nil || c.holder != claim.Holder {
		return fmt.Errorf("settle: %w", store.ErrNotFound)
	}
	l.answers[id] = answer
	return nil
}

func (l *ledger) Release(ctx context.Context, user model.UserID, claim store.Claim) error {
	if err := asked(ctx, l.release); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.claims[user.String()+claim.Key]; c != nil && c.holder == claim.Holder {
		c.holder = model.UUID{}
	}
	return nil
}

// asked fails as a database does when the context is done, or as the test says.
func asked(ctx context.Context, hook func(context.Context) error) error {
	if _, bounded := ctx.Deadline(); !bounded {
		return errors.New("the call has no deadline")
	}
	if hook != nil {
		if err := hook(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// remote is a remote system that makes one thing for each seed, however often it is asked.
type remote struct {
	mu    sync.Mutex
	seeds []model.UUID
	// next, when set, is what the system does instead of answering.
	next func(ctx context.Context) error
}

func (s *remote) send(ctx context.Context, text string) (string, error) {
	if ctx.Value(transactionKey{}) != nil {
		return "", errors.New("a remote is asked within a transaction")
	}
	seed, _ := model.SeedFrom(ctx)
	s.mu.Lock()
	s.seeds = append(s.seeds, seed)
	next := s.next
	s.mu.Unlock()
	if next != nil {
		if err := next(ctx); err != nil {
			return "", err
		}
	}
	return text + " was sent", nil
}

// asked returns the seeds of the calls so far.
func (s *remote) asked() []model.UUID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seeds
}

func newRemoteFront(t *testing.T) (front, *ledger, *remote) {
	d, l := newLedgerFront(t)
	system := &remote{}
	d.resolver.Remote = system.send
	return d, l, system
}

const (
	sendHello = `{"query":"mutation{send(text:\"hello\")}"}`
	helloSent = `{"data":{"send":"hello was sent"}}`
)

// withKey sends a body under a key and returns the answer and its replay header.
func (d front) withKey(key, token, body string) (*httptest.ResponseRecorder, string) {
	header := map[string]string{"Idempotency-Key": key}
	if token != "" {
		header["Authorization"] = "Bearer " + token
	}
	w := d.do(call{body: body, header: header})
	return w, w.Result().Header.Get("Idempotency-Replayed")
}

func TestAKeyGivesARemoteMutationOneEffect(t *testing.T) {
	d, _, system := newRemoteFront(t)
	for i := range 4 {
		w, replayed := d.withKey("k", "ruth", sendHello)
		read(t, w)
		if w.Code != 200 || w.Body.String() != helloSent || (replayed == "true") != (i > 0) {
			t.Errorf("call %d: %d %s %q", i, w.Code, w.Body, replayed)
		}
	}
	if w, _ := d.withKey("k", "naomi", sendHello); w.Body.String() != helloSent {
		t.Errorf("another user's key: %s", w.Body)
	}
	if w, _ := d.withKey("k2", "ruth", sendHello); w.Body.String() != helloSent {
		t.Errorf("another key: %s", w.Body)
	}
	if w := d.do(call{body: sendHello}); w.Body.String() != helloSent {
		t.Errorf("without a key: %s", w.Body)
	}
	seeds := system.asked()
	if len(seeds) != 4 || seeds[0] == (model.UUID{}) || seeds[1] == seeds[0] || seeds[2] == seeds[0] ||
		seeds[3] != (model.UUID{}) {
		t.Errorf("the seeds: %v", seeds)
	}
}

func TestAKeyIsForOneRequestWhereverItsEffectsLie(t *testing.T) {
	d, l, system := newRemoteFront(t)
	d.withKey("remote", "", sendHello)
	d.withKey("own", "", mutation("mutation{increment}", ""))
	for key, body := range map[string]string{
		"remote": `{"query":"mutation{send(text:\"other\")}"}`,
		"own":    sendHello,
	} {
		for media, status := range map[string]int{"application/json": 200, "application/graphql-response+json": 422} {
			w := d.do(call{body: body, header: map[string]string{"Idempotency-Key": key, "Accept": media}})
			if answer := read(t, w); w.Code != status || answer.code() != "IDEMPOTENCY_CONFLICT" || answer.Data != nil ||
				w.Result().Header.Get("Retry-After") != "" {
				t.Errorf("%s, %s: %d %s", key, media, w.Code, w.Body)
			}
		}
	}
	w, _ := d.withKey("remote", "", mutation("mutation{increment}", ""))
	if read(t, w).code() != "IDEMPOTENCY_CONFLICT" {
		t.Errorf("the key of a remote mutation for an own one: %s", w.Body)
	}
	if len(system.asked()) != 1 || d.resolver.Counter.Load() != 1 || l.balance != 1 {
		t.Errorf("%d sent, counter %d, balance %d", len(system.asked()), d.resolver.Counter.Load(), l.balance)
	}
}

func TestEqualRequestsAtOnceRunOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _, system := newRemoteFront(t)
		system.next = func(context.Context) error { time.Sleep(7 * time.Second); return nil }
		const requests = 20
		var replays atomic.Int64
		var group sync.WaitGroup
		began := time.Now()
		for range requests {
			group.Go(func() {
				w, replayed := d.withKey("k", "", sendHello)
				if w.Code != 200 || w.Body.String() != helloSent {
					t.Errorf("%d %s", w.Code, w.Body)
				}
				if replayed == "true" {
					replays.Add(1)
				}
			})
		}
		group.Wait()
		if len(system.asked()) != 1 || replays.Load() != requests-1 {
			t.Errorf("ran %d times, replayed %d times", len(system.asked()), replays.Load())
		}
		if took := time.Since(began); took > 8*time.Second {
			t.Errorf("the last answer came %v after the first call ended", took-7*time.Second)
		}
	})
}

func TestPausesWhileAKeyIsHeldGrow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, l, system := newRemoteFront(t)
		system.next = func(context.Context) error { time.Sleep(20 * time.Second); return nil }
		var looks []time.Time
		go d.withKey("k", "", sendHello)
		synctest.Wait()
		l.claim = func(context.Context) error { looks = append(looks, time.Now()); return nil }
		if w, replayed := d.withKey("k", "", sendHello); replayed != "true" {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if len(looks) < 20 || len(looks) > 30 {
			t.Errorf("%d looks in 20 seconds", len(looks))
		}
		if soon := looks[4].Sub(looks[0]); soon > time.Second {
			t.Errorf("four pauses took %v; most mutations end sooner", soon)
		}
		for i := 2; i < len(looks); i++ {
			if now, before := looks[i].Sub(looks[i-1]),
				looks[i-1].Sub(looks[i-2]); now < before || now > time.Second || before < 10*time.Millisecond {
				t.Errorf("a pause of %v after one of %v", now, before)
			}
		}
	})
}

// A server that dies with a claim leaves its key held. Retries wait, are told when to come again, and repeat the
// mutation with the same seed once the lease has ended.
func TestAClaimThatNobodyEndsRunsOut(t *testing.T) {
	for _, media := range []string{"application/json", "application/graphql-response+json"} {
		synctest.Test(t, func(t *testing.T) {
			d, l, system := newRemoteFront(t)
			retry := call{body: sendHello, header: map[string]string{"Idempotency-Key": "k", "Accept": media}}
			var died store.Claim
			l.settle = func(context.Context) error { return errors.New("the process is dead") }
			if w := d.do(retry); w.Body.String() != helloSent {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
			l.settle = nil
			for _, c := range l.claims {
				died = store.Claim{Key: "k", Holder: c.holder, Seed: c.seed}
			}
			began := time.Now()
			w := d.do(retry)
			answer := read(t, w)
			if waited := time.Since(began); w.Code != 409 || answer.code() != "CONFLICT" || answer.Data != nil ||
				waited != engine.RequestDeadline {
				t.Errorf("after %v: %d %s", waited, w.Code, w.Body)
			}
			if after, ms := w.Result().Header.Get("Retry-After"),
				answer.Errors[0].Extensions["retryAfterMs"]; after != "10" || ms != 10_000.0 {
				t.Errorf("come again after %s s, %v ms", after, ms)
			}
			if len(system.asked()) != 1 {
				t.Fatalf("a held key did not keep %d calls away", len(system.asked())-1)
			}
			time.Sleep(10 * time.Second)
			began = time.Now()
			if w := d.do(retry); w.Body.String() != helloSent || w.Result().Header.Get("Idempotency-Replayed") != "" ||
				time.Since(began) != 0 {
				t.Errorf("after the lease: %d %s", w.Code, w.Body)
			}
			if seeds := system.asked(); len(seeds) != 2 || seeds[0] != died.Seed || seeds[1] != died.Seed {
				t.Errorf("the seeds: %v", seeds)
			}
			if err := l.Settle(t.Context(), model.UserIDOf("local"), died, nil); err == nil {
				t.Error("the fake ledger lets the dead settle")
			}
		})
	}
}

func TestRemoteAnswersThatARetryMayMendAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			name string
			err  func() error
			code model.ErrorCode
			// kept: a retry gets the same answer. pause: how long it waits for it otherwise.
			kept  bool
			pause time.Duration
		}{
			{"upstream", func() error { return testschema.FailWith(testschema.FailureUpstream) }, model.CodeUpstreamUnavailable,
				false, 0},
			{"rejected", func() error { return &model.Error{Code: model.CodeUpstreamRejected, Message: "no", Reason: "quota"} },
				model.CodeUpstreamRejected, false, 0},
			{"limited", func() error { return &model.Error{Code: model.CodeUpstreamRateLimited, Message: "slowly"} },
				model.CodeUpstreamRateLimited, false, 0},
			{"plain", func() error { return testschema.FailWith(testschema.FailurePlain) }, model.CodeInternal, false, 0},
			{"panic", func() error { return testschema.FailWith(testschema.FailurePanic) }, model.CodeInternal, false, 0},
			{"what the caller did wrong", func() error { return testschema.FailWith(testschema.FailureNotFound) },
				model.CodeNotFound, true, 0},
			// Nobody knows whether the remote has stopped, so the retry keeps away until the lease has ended.
			{"too late", func() error { return testschema.FailWith(testschema.FailureDeadline) }, model.CodeTimeout, false,
				40 * time.Second},
		} {
			d, _, system := newRemoteFront(t)
			body := `{"query":"mutation{a:send(text:\"a\") b:send(text:\"b\")}"}`
			system.next = func(context.Context) error {
				if len(system.asked())%2 == 0 { // b, since mutations run one after another
					return c.err()
				}
				return nil
			}
			w, _ := d.withKey("k", "", body)
			first := read(t, w)
			if w.Code != 200 || first.code() != string(c.code) || string(first.Data) != `{"a":"a was sent","b":null}` {
				t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
			}
			system.mu.Lock()
			system.next = nil
			system.mu.Unlock()
			time.Sleep(c.pause / 2)
			began := time.Now()
			again, replayed := d.withKey("k", "", body)
			waited := time.Since(began)
			seeds := system.asked()
			if c.kept {
				if again.Body.String() != w.Body.String() || replayed != "true" || len(seeds) != 2 {
					t.Errorf("%s: again %s, %d calls", c.name, again.Body, len(seeds))
				}
				continue
			}
			if again.Body.String() != `{"data":{"a":"a was sent","b":"b was sent"}}` || replayed != "" || len(seeds) != 4 ||
				seeds[2] != seeds[0] || seeds[3] != seeds[0] {
				t.Errorf("%s: again %s, seeds %v", c.name, again.Body, seeds)
			}
			if waited < c.pause/2 || waited > c.pause/2+time.Second {
				t.Errorf("%s: the retry waited %v", c.name, waited)
			}
			if third, replayed := d.withKey("k", "", body); third.Body.String() != again.Body.String() || replayed != "true" {
				t.Errorf("%s: the third %s", c.name, third.Body)
			}
		}
	})
}

func TestARemoteMutationOutlivesItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _, system := newRemoteFront(t)
		system.next = func(ctx context.Context) error {
			select {
			case <-time.After(5 * time.Second):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		ctx, hangUp := context.WithCancel(t.Context())
		r := call{body: sendHello, header: map[string]string{"Idempotency-Key": "k"}}.request().WithContext(ctx)
		go newRecorder(d, r)
		synctest.Wait()
		hangUp()
		if w, replayed := d.withKey("k", "", sendHello); w.Body.String() != helloSent || replayed != "true" {
			t.Errorf("the retry: %d %s %q", w.Code, w.Body, replayed)
		}

		// The deadline still holds.
		system.mu.Lock()
		system.next = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		system.mu.Unlock()
		began := time.Now()
		w, _ := d.withKey("k2", "", sendHello)
		if took := time.Since(began); read(t, w).code() != "TIMEOUT" || took != engine.RequestDeadline {
			t.Errorf("after %v: %s", took, w.Body)
		}
	})
}

func TestAClientThatHangsUpBeforeLeavesTheKeyFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, l, system := newRemoteFront(t)
		request := func(ctx context.Context) func() {
			r := call{body: sendHello, header: map[string]string{"Idempotency-Key": "k"}}.request().WithContext(ctx)
			return func() { newRecorder(d, r) }
		}
		// While the key is being taken: the store is not cut short, and the key given back at once.
		ctx, hangUp := context.WithCancel(t.Context())
		l.claim = func(context.Context) error { hangUp(); return nil }
		request(ctx)()
		l.claim = nil
		if len(system.asked()) != 0 || len(l.claims) != 1 {
			t.Errorf("%d calls, %d claims", len(system.asked()), len(l.claims))
		}

		// While another call holds it.
		system.next = func(context.Context) error { time.Sleep(5 * time.Second); return nil }
		began := time.Now()
		go request(t.Context())()
		synctest.Wait()
		ctx, hangUp = context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { request(ctx)(); close(done) }()
		synctest.Wait()
		hangUp()
		<-done
		if took := time.Since(began); took != 0 {
			t.Errorf("a waiting request went on for %v", took)
		}
		if w, replayed := d.withKey("k", "", sendHello); w.Body.String() != helloSent || replayed != "true" ||
			len(system.asked()) != 1 {
			t.Errorf("the last: %d %s %q, %d calls", w.Code, w.Body, replayed, len(system.asked()))
		}
		if log := d.log.String(); strings.Contains(log, `"level":"ERROR"`) || strings.Contains(log, `"level":"WARN"`) {
			t.Errorf("a client that hangs up makes noise: %s", log)
		}
	})
}

func TestTheStoresFaultsDoNotCostAnAnswer(t *testing.T) {
	const secret = "disk full at /secret/path"
	for name, c := range map[string]struct {
		arrange func(*ledger, *remote)
		answer  string
		level   string
	}{
		"settle fails": {func(l *ledger, _ *remote) { l.settle = func(context.Context) error { return errors.New(secret) } },
			helloSent, "ERROR"},
		"the lease is over": {func(l *ledger, _ *remote) {
			l.settle = func(context.Context) error { return fmt.Errorf("settle: %w", store.ErrNotFound) }
		}, helloSent, "WARN"},
		"release fails": {func(l *ledger, s *remote) {
			l.release = func(context.Context) error { return errors.New(secret) }
			s.next = func(context.Context) error { return model.Errorf(model.CodeUpstreamUnavailable, "gone") }
		},
			`{"errors":[{"message":"gone","path":["send"],"locations":[{"line":1,"column":10}],` +
				`"extensions":{"code":"UPSTREAM_UNAVAILABLE"}}],"data":{"send":null}}`, "WARN"},
	} {
		d, l, system := newRemoteFront(t)
		c.arrange(l, system)
		w, replayed := d.withKey("private-key", "", sendHello)
		log := d.log.String()
		if w.Code != 200 || w.Body.String() != c.answer || replayed != "" {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if !strings.Contains(log, `"level":"`+c.level+`"`) || strings.Contains(log, "private-key") ||
			strings.Contains(log, "hello") {
			t.Errorf("%s: the log: %s", name, log)
		}
	}

	d, l, system := newRemoteFront(t)
	for cause, want := range map[error]struct {
		status int
		code   string
	}{
		errors.New(secret):   {500, "INTERNAL"},
		store.ErrUnavailable: {503, "UPSTREAM_UNAVAILABLE"},
		store.ErrDiskFull:    {507, "UPSTREAM_UNAVAILABLE"},
	} {
		l.claim = func(context.Context) error { return cause }
		w, _ := d.withKey("k", "", sendHello)
		if answer := read(t, w); w.Code != want.status || answer.code() != want.code ||
			strings.Contains(w.Body.String(), "secret") || (w.Code == 503) != (w.Result().Header.Get("Retry-After") != "") {
			t.Errorf("%v: %d %v %s", cause, w.Code, w.Result().Header, w.Body)
		}
	}
	if len(system.asked()) != 0 {
		t.Error("a mutation ran without a claim")
	}
	// Once meets a held key only when a mutation has changed its place between two versions of the schema.
	l.commit = model.Errorf(model.CodeConflict, "The same request is under way.")
	w, _ := d.withKey("k", "", mutation("mutation{increment}", ""))
	if read(t, w).code() != "CONFLICT" || w.Code != 409 || w.Result().Header.Get("Retry-After") != "1" {
		t.Errorf("Once with a held key: %d %s", w.Code, w.Body)
	}
}

// panicking is an engine whose mutations panic as long as the test wants.
type panicking struct {
	engine.Preparer
	on *atomic.Bool
}

type panickingOperation struct {
	engine.Operation
	on *atomic.Bool
}

func (p panicking) Prepare(ctx context.Context, r engine.Request) (engine.Operation, gqlerror.List) {
	op, errs := p.Preparer.Prepare(ctx, r)
	return panickingOperation{op, p.on}, errs
}

func (o panickingOperation) Execute(ctx context.Context) *graphql.Response {
	if o.on.Load() {
		panic("private panic")
	}
	return o.Operation.Execute(ctx)
}

func TestAPanicGivesTheKeyBack(t *testing.T) {
	l := &ledger{kept: map[string]model.IdempotentCall{}, answers: map[string][]byte{}, claims: map[string]*held{}}
	var on atomic.Bool
	d := newFront(t, func(cfg *httpapi.Config) {
		cfg.Idempotency = l
		cfg.Engine = panicking{cfg.Engine, &on}
	})
	on.Store(true)
	if w, _ := d.withKey("k", "", sendHello); w.Code != 500 || read(t, w).code() != "INTERNAL" ||
		strings.Contains(w.Body.String(), "private") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	on.Store(false)
	if w, replayed := d.withKey("k", "", sendHello); w.Body.String() != `{"data":{"send":"hello"}}` || replayed != "" {
		t.Errorf("the retry: %d %s", w.Code, w.Body)
	}
}

func TestOwnAndRemoteMutationsAreNotMixedUnderAKey(t *testing.T) {
	const fragments = ` fragment Own on Mutation{increment} fragment Far on Mutation{send(text:"x")}`
	for query, mixed := range map[string]bool{
		`mutation{increment send(text:"x")}`:                                                                 true,
		`mutation{send(text:"x") increment}`:                                                                 true,
		`mutation{increment ...on Mutation{send(text:"x")}}`:                                                 true,
		`mutation{...Both} fragment Both on Mutation{...Own ...Far}` + fragments:                             true,
		`mutation{...Own ...Far}` + fragments:                                                                true,
		`mutation M($w:Boolean=true){increment send(text:"x")@include(if:$w)}`:                               true,
		`mutation M($w:Boolean=false){increment send(text:"x")@include(if:$w)}`:                              false,
		`mutation M($w:Boolean=true){send(text:"x") ...@skip(if:$w){increment}}`:                             false,
		`mutation M($w:Boolean=true){send(text:"x") ...Own@skip(if:$w)} fragment Own on Mutation{increment}`: false,
		`mutation{__typename send(text:"x")}`:                                                                false,
		`mutation{__typename increment}`:                                                                     false,
		`mutation{a:send(text:"x") b:send(text:"y")}`:                                                        false,
	} {
		d, l, system := newRemoteFront(t)
		text, err := json.Marshal(map[string]string{"query": query})
		if err != nil {
			t.Fatal(err)
		}
		for media, status := range map[string]int{"application/json": 200, "application/graphql-response+json": 400} {
			w := d.do(call{body: string(text), header: map[string]string{"Idempotency-Key": "k", "Accept": media}})
			answer := read(t, w)
			ran := len(system.asked()) + int(d.resolver.Counter.Load())
			if !mixed {
				if w.Code != 200 || len(answer.Errors) > 0 || ran == 0 {
					t.Errorf("%s: %d %s", query, w.Code, w.Body)
				}
				continue
			}
			if w.Code != status || answer.code() != "BAD_USER_INPUT" || answer.Data != nil ||
				!strings.Contains(w.Body.String(), "send them as separate requests") ||
				ran != 0 || len(l.kept) != 0 {
				t.Errorf("%s: %d %s, %d ran, %d keys", query, w.Code, w.Body, ran, len(l.kept))
			}
		}
		if mixed {
			d.do(call{body: string(text)})
			if len(system.asked()) != 1 {
				t.Errorf("%s: refused without a key", query)
			}
		}
	}
}
