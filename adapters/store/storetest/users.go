package storetest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testUsers(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("made once", func(t *testing.T) { userEnsured(h.in(t)) })
	t.Run("made by a write first", func(t *testing.T) { userOfWrite(h.in(t)) })
	t.Run("made by many at once", func(t *testing.T) { userParallel(h.in(t)) })
	t.Run("listed, disabled", func(t *testing.T) { usersListed(h.in(t)) })
	t.Run("audit log", func(t *testing.T) { auditLog(h.in(t)) })
	t.Run("settings", func(t *testing.T) { userSettings(h.in(t)) })
	t.Run("skipped numbers", func(t *testing.T) { userNumbers(h.in(t)) })
	t.Run("confirmations are used once", func(t *testing.T) { userConfirmations(h.in(t)) })
	t.Run("confirmations given back", func(t *testing.T) { userConfirmationsReturned(h.in(t)) })
}

func userEnsured(h *fixture) {
	fresh := person("noa")
	fresh.Subject, fresh.Email = "נועה", "noa@example.com"
	fresh.CreatedAt = time.Date(2026, 5, 6, 7, 8, 9, 123_456_789, time.FixedZone("east", 3600))
	_, err := h.User(h.ctx, fresh.ID)
	h.fails("before", err, store.ErrNotFound)
	want := fresh
	want.CreatedAt = fresh.CreatedAt.UTC().Truncate(h.Facts().TimePrecision)
	got := must(h, func() (model.User, error) { return h.EnsureUser(h.ctx, fresh) })
	h.same("made", got, want)
	other := fresh
	other.Email, other.Settings.Locale, other.CreatedAt = "new@example.com", "en", noon
	got = must(h, func() (model.User, error) { return h.EnsureUser(h.ctx, other) })
	h.same("the second time", got, want)
	got = must(h, func() (model.User, error) { return h.User(h.ctx, fresh.ID) })
	h.same("read", got, want)
	head := must(h, func() (int64, error) { return h.ChangeHead(h.ctx, fresh.ID) })
	h.same("changes", head, int64(0))
}

func userOfWrite(h *fixture) {
	id := model.UserIDOf("written first")
	task := h.task("first")
	err := h.Write(h.ctx, id,
		func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, []model.Task{task}) })
	if err != nil {
		h.Fatal(err)
	}
	fresh := person("written first")
	got := must(h, func() (model.User, error) { return h.EnsureUser(h.ctx, fresh) })
	h.same("filled in", got, fresh)
	head := must(h, func() (int64, error) { return h.ChangeHead(h.ctx, id) })
	h.same("changes kept", head, int64(1))
	fresh.Email = "other@example.com"
	again := must(h, func() (model.User, error) { return h.EnsureUser(h.ctx, fresh) })
	h.same("filled in once", again, got)
}

func userParallel(h *fixture) {
	fresh := person("crowd")
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			got, err := h.EnsureUser(h.ctx, fresh)
			if err != nil || got != fresh {
				h.Errorf("got %+v, %v", got, err)
			}
		})
	}
	wait.Wait()
}

func userSettings(h *fixture) {
	head := h.head()
	settings := model.Settings{TimeZone: "America/New_York", Locale: "en", WeekStart: model.Monday,
		DefaultCalendar: model.OwnCalendar(3).ID().String()}
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.SaveSettings(ctx, settings) })
	got := must(h, func() (model.User, error) { return h.User(h.ctx, h.user) })
	want := person("dana")
	want.Settings = settings
	h.same("user", got, want)
	changes := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, head, nil, 10) })
	h.same("changes", changes, []model.Change{{
		Seq: head + 1, Type: model.ChangeSettings, ID: model.UUID(h.user), Operation: model.OperationUpdated,
		At: h.clock.Now(),
	}})
}

// Numbers that were skipped are not given, and skipping back changes nothing.
func userNumbers(h *fixture) {
	skip := func(upTo store.Numbers) {
		h.write(func(ctx context.Context, tx store.Tx) error { return tx.SkipNumbers(ctx, upTo) })
	}
	skip(store.Numbers{Calendars: 70, Connections: 80, Events: 900})
	skip(store.Numbers{Calendars: 7, Events: 9})
	h.write(func(ctx context.Context, tx store.Tx) error {
		made, err := tx.InsertCalendar(ctx, model.KeptCalendar{Source: model.CalendarOwn, Name: "late", Zone: "UTC",
			Role: model.RoleOwner, State: model.CalendarKept, CreatedAt: noon, UpdatedAt: noon})
		if err != nil {
			return err
		}
		h.same("calendar", []any{made.Number, made.Version}, []any{71, "901"})
		linked, err := tx.SaveConnection(ctx, model.Connection{ID: h.ids.next(), Provider: model.ProviderExa,
			Account: "late", Status: model.ConnectionExpired, LinkedAt: noon, UpdatedAt: noon}, model.Credentials{})
		h.same("connection", linked.Number, 81)
		return err
	})
}

func userConfirmations(h *fixture) {
	id := h.ids.next()
	head := h.head()
	use := func(id model.UUID) error {
		return h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return tx.UseConfirmation(ctx, id, h.clock.Now().Add(5*time.Minute))
		})
	}
	if err := use(id); err != nil {
		h.Fatal(err)
	}
	h.fails("the second time", use(id), store.ErrConflict)
	failed := h.ids.next()
	failure := errors.New("the mutation failed")
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.UseConfirmation(ctx, failed, h.clock.Now().Add(time.Minute)), failure)
	})
	h.fails("a failed use", err, failure)
	if err := use(failed); err != nil {
		h.Errorf("after a failed use: %v", err)
	}
	other := h.as("another confirmer")
	if err := other.Write(h.ctx, other.user, func(ctx context.Context, tx store.Tx) error {
		return tx.UseConfirmation(ctx, id, h.clock.Now().Add(time.Minute))
	}); err != nil {
		h.Errorf("another user's confirmation of the same id: %v", err)
	}
	h.same("log", h.log(head), []string{})
	var wait sync.WaitGroup
	raced := h.ids.next()
	results := make(chan error, 8)
	for range cap(results) {
		wait.Go(func() { results <- use(raced) })
	}
	wait.Wait()
	close(results)
	won := 0
	for err := range results {
		if err == nil {
			won++
		} else {
			h.fails("a lost race", err, store.ErrConflict)
		}
	}
	h.same("winners", won, 1)
}

func userConfirmationsReturned(h *fixture) {
	id, never := h.ids.next(), h.ids.next()
	head := h.head()
	use := func(u *fixture) error {
		return u.Write(u.ctx, u.user, func(ctx context.Context, tx store.Tx) error {
			return tx.UseConfirmation(ctx, id, u.clock.Now().Add(5*time.Minute))
		})
	}
	giveBack := func(u *fixture, id model.UUID) {
		u.Helper()
		u.write(func(ctx context.Context, tx store.Tx) error { return tx.ReturnConfirmation(ctx, id) })
	}
	giveBack(h, never) // was not used: nothing happens
	if err := use(h); err != nil {
		h.Fatal(err)
	}
	giveBack(h.as("gives back what is another's"), id)
	h.fails("after another user gave theirs back", use(h), store.ErrConflict)
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.ReturnConfirmation(ctx, id), errFailed)
	})
	h.fails("a failing write", err, errFailed)
	h.fails("after giving back was undone", use(h), store.ErrConflict)
	giveBack(h, id)
	if err := use(h); err != nil {
		h.Errorf("after it was given back: %v", err)
	}
	h.fails("used again, it is used up", use(h), store.ErrConflict)
	// Within one transaction.
	h.write(func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.ReturnConfirmation(ctx, id), tx.UseConfirmation(ctx, id, noon.Add(time.Hour)))
	})
	h.fails("given back and used in one write", use(h), store.ErrConflict)
	h.same("log", h.log(head), []string{})
}
