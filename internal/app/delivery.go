package app

import (
	"context"
	"crypto/ecdh"
	"encoding/json"
	"sync"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/owncal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/delivery"
	"almanac/projections"
	"almanac/projections/occur"
	"almanac/resolvers/core"
)

// newDelivery makes what tells webhooks and browsers of changes.
func (s *Server) newDelivery() *delivery.Manager {
	transport := delivery.NewTransport(s.settings.DeliverPrivate)
	s.onClose(func() error { transport.CloseIdleConnections(); return nil })
	webhooks := &delivery.Webhooks{Transport: transport, Now: s.clock.Now}
	key := &serverKey{make: func(ctx context.Context) (*ecdh.PrivateKey, error) {
		return delivery.ServerKey(ctx, s.store, s.box)
	}}
	contact := s.base.String()
	if s.base.Scheme != "https" {
		contact = "postmaster@" + s.base.Hostname() // which a push service takes where it cannot have an address
	}
	push := &delivery.Push{Transport: transport, Now: s.clock.Now, Key: key.get, Contact: contact}
	cursors := &core.Base{Sealer: s.sealer}
	titles := &titles{store: s.store, now: s.clock.Now,
		own: &owncal.Client{Store: s.store, Rules: occur.NewRules(occur.DefaultRules), Now: s.clock.Now}}
	worker := &delivery.Worker{Store: s.store, Box: s.box, Webhooks: webhooks, Push: push, Now: s.clock.Now,
		Cursor: cursors.ChangeCursor, Titles: titles.of, Logger: s.log, Observe: s.metrics.deliveries(s.store, s.clock.Now)}
	s.workers = append(s.workers, worker.Run)
	return &delivery.Manager{Box: s.box, Private: s.settings.DeliverPrivate, Webhooks: webhooks, Push: push, Key: key.get,
		NewID: s.ids.New, Now: s.clock.Now}
}

// serverKey is the key of Web Push, which is made when it is first needed.
type serverKey struct {
	make func(ctx context.Context) (*ecdh.PrivateKey, error)
	mu   sync.Mutex
	key  *ecdh.PrivateKey
}

func (k *serverKey) get(ctx context.Context) (*ecdh.PrivateKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.key != nil {
		return k.key, nil
	}
	key, err := k.make(ctx)
	k.key = key
	return key, err
}

// titles finds what the records of changes are called.
type titles struct {
	store Store
	own   *owncal.Client
	now   func() time.Time
}

// of returns the titles of tasks, lists, memories and own events, and of webhooks that were turned off since they
// failed. What is gone or has no title is missing.
func (t *titles) of(ctx context.Context, user model.UserID, changes []model.Change) (map[model.UUID]string, error) {
	found := map[model.UUID]string{}
	if ids := core.IdsOf(changes, model.ChangeTask); len(ids) > 0 {
		tasks, err := t.store.TasksByID(ctx, user, ids, store.TaskText)
		if err != nil {
			return nil, err
		}
		for _, task := range tasks {
			found[task.ID] = task.Text
		}
	}
	if ids := core.IdsOf(changes, model.ChangeList); len(ids) > 0 {
		lists, err := t.store.ListsByID(ctx, user, ids, store.ListName)
		if err != nil {
			return nil, err
		}
		for _, list := range lists {
			found[list.ID] = list.Name
		}
	}
	if ids := core.IdsOf(changes, model.ChangeMemory); len(ids) > 0 {
		memories, err := t.store.MemoriesByID(ctx, user, ids, t.now(), store.MemorySummary)
		if err != nil {
			return nil, err
		}
		for _, memory := range memories {
			found[memory.ID] = memory.Summary
		}
	}
	for _, change := range changes {
		if change.Type != model.ChangeEvent {
			continue
		}
		ref, err := model.EventRefOf(projections.ChangedID(change))
		if err != nil || ref.Connection != 0 {
			continue
		}
		switch event, err := t.own.Event(ctx, owncal.Connection(user), ref, gcal.FieldSummary); {
		case err == nil:
			found[change.ID] = event.Summary
		case model.CodeOf(err) != model.CodeNotFound:
			return nil, err
		}
	}
	return found, t.hooks(ctx, user, changes, found)
}

// hooks adds the webhooks that were turned off since they failed.
func (t *titles) hooks(ctx context.Context, user model.UserID, changes []model.Change,
	found map[model.UUID]string) error {
	ids := core.IdsOf(changes, model.ChangeHook)
	if len(ids) == 0 {
		return nil
	}
	all, err := t.store.Channels(ctx, user)
	for _, one := range all {
		var state model.ChannelState
		if json.Unmarshal([]byte(one.State), &state) == nil && !state.DisabledAt.IsZero() && state.Failures > 0 {
			found[one.ID] = "⚠ " + state.Host + ": " + state.Problem
		}
	}
	return err
}

// deliveries registers what deliveries come to and what waits, and returns the observer that counts attempts.
func (m metrics) deliveries(queue store.ChannelQueue, now func() time.Time) func(delivery.Attempt) {
	attempts := m.counter("almanac_deliveries_total",
		"Attempts to deliver to webhooks and browsers, by kind of channel and by what came of them.", "kind", "result")
	took := m.histogram("almanac_delivery_seconds", "How long an attempt took, by kind of channel.", firstBucket, 14,
		"kind")
	late := m.histogram("almanac_delivery_lateness_seconds",
		"How long after the change it was delivered, by kind of channel.", 0.05, 20, "kind")
	ended := m.counter("almanac_channels_ended_total",
		"Webhooks and browsers that were turned off since they failed for too long or are gone, by kind.", "kind")
	load := func() (behind int, lag time.Duration) {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		at := now()
		behind, due, err := queue.ChannelLoad(ctx, at)
		if err != nil || due.IsZero() {
			return behind, 0
		}
		return behind, at.Sub(due)
	}
	m.gaugeOf("almanac_channels_behind", "Webhooks and browsers with something to deliver that nobody delivers now.",
		func() float64 { behind, _ := load(); return float64(behind) })
	m.gaugeOf("almanac_channels_lag_seconds", "How long the one of them that has waited longest has.",
		func() float64 { _, lag := load(); return lag.Seconds() })
	for _, kind := range []model.ChannelKind{model.ChannelWebhook, model.ChannelPush} {
		attempts.WithLabelValues(string(kind), delivery.Delivered)
		ended.WithLabelValues(string(kind))
	}
	return func(a delivery.Attempt) {
		if a.Ended {
			ended.WithLabelValues(string(a.Kind)).Inc()
			return
		}
		attempts.WithLabelValues(string(a.Kind), a.Result).Inc()
		took.WithLabelValues(string(a.Kind)).Observe(a.Took.Seconds())
		if a.Result == delivery.Delivered {
			late.WithLabelValues(string(a.Kind)).Observe(a.Late.Seconds())
		}
	}
}
