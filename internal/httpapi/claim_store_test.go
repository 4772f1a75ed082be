package httpapi_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/sqlite"
	"almanac/graph/model"
	"almanac/internal/httpapi"
	"almanac/internal/teststore"
)

// watched is a store that tells when a claim first met a held key.
type watched struct {
	store.Store
	held func()
}

func (s watched) Claim(ctx context.Context, user model.UserID, call model.IdempotentCall, now time.Time,
	lease time.Duration) (store.Claim, error) {
	claim, err := s.Store.Claim(ctx, user, call, now, lease)
	if err == nil && claim.State == store.ClaimHeld {
		s.held()
	}
	return claim, err
}

// Both stores keep the promises that the ledger of the other tests plays.
func TestClaimsInRealStores(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) (store.Store, func(context.Context) error, func() error, error){
		"sqlite": func(t *testing.T) (store.Store, func(context.Context) error, func() error, error) {
			s, err := sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t)})
			return s, s.Migrate, s.Close, err
		},
		"postgres": func(t *testing.T) (store.Store, func(context.Context) error, func() error, error) {
			s, err := postgres.Open(t.Context(), postgres.Options{URL: teststore.Postgres(t), MaxConns: 4})
			return s, s.Migrate, s.Close, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, migrate, stop, err := open(t)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := stop(); err != nil {
					t.Error(err)
				}
			}()
			if err := migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			holdClaims(t, s)
			holdNotes(t, s)
		})
	}
}

func holdClaims(t *testing.T, s store.Store) {
	held := make(chan struct{})
	d := newFront(t, func(cfg *httpapi.Config) {
		cfg.Idempotency = watched{s, sync.OnceFunc(func() { close(held) })}
	})
	system := &remote{next: func(ctx context.Context) error {
		select {
		case <-held: // another call has come meanwhile
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
	d.resolver.Remote = system.send
	const requests = 8
	var replays atomic.Int64
	var group sync.WaitGroup
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

	system.next = func(context.Context) error { return model.Errorf(model.CodeUpstreamUnavailable, "gone") }
	d.withKey("k2", "", sendHello)
	system.next = nil
	if w, replayed := d.withKey("k2", "", sendHello); w.Body.String() != helloSent || replayed != "" {
		t.Errorf("after a failure: %d %s", w.Code, w.Body)
	}
	if seeds := system.asked(); len(seeds) != 3 || seeds[1] == (model.UUID{}) || seeds[1] != seeds[2] ||
		seeds[1] == seeds[0] {
		t.Errorf("the seeds: %v", seeds)
	}
	for key, body := range map[string]string{"k": mutation("mutation{increment}", ""),
		"k2": `{"query":"mutation{send(text:\"other\")}"}`} {
		if w, _ := d.withKey(key, "", body); read(t, w).code() != "IDEMPOTENCY_CONFLICT" {
			t.Errorf("%s: %s", key, w.Body)
		}
	}
}
