package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testConnections(t *testing.T, open Open) {
	h := newFixture(t, open)
	t.Run("what is saved comes back", func(t *testing.T) { connectionsKept(h.in(t)) })
	t.Run("the same account again", func(t *testing.T) { connectionsAgain(h.in(t)) })
	t.Run("numbers are not given twice", func(t *testing.T) { connectionsNumbered(h.in(t)) })
	t.Run("so many of one provider", func(t *testing.T) { connectionsBounded(h.in(t)) })
	t.Run("an id that is taken", func(t *testing.T) { connectionsTakenID(h.in(t)) })
	t.Run("secrets", func(t *testing.T) { connectionsSecrets(h.in(t)) })
	t.Run("status", func(t *testing.T) { connectionsStatus(h.in(t)) })
	t.Run("deleting", func(t *testing.T) { connectionsDeleted(h.in(t)) })
	t.Run("in the log among own records", func(t *testing.T) { connectionsInLog(h.in(t)) })
	t.Run("a failing write leaves nothing", func(t *testing.T) { connectionsRolledBack(h.in(t)) })
	t.Run("many linked at once", func(t *testing.T) { connectionsParallel(h.in(t)) })
	t.Run("texts", func(t *testing.T) { connectionsTexts(h.in(t)) })
}

// account makes a connection of the fixture's user that is not saved yet.
func (h *fixture) account(name string) model.Connection {
	now := h.clock.Now()
	return model.Connection{
		ID: h.ids.next(), User: h.user, Provider: model.ProviderGoogle, Account: name, Status: model.ConnectionConnected,
		Scopes: []string{"https://www.googleapis.com/auth/calendar.events", "openid"}, LinkedAt: now, UpdatedAt: now,
	}
}

// save saves a connection and returns the outcome.
func (h *fixture) save(connection model.Connection, credentials model.Credentials) (saved model.Connection, err error) {
	err = h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) (err error) {
		saved, err = tx.SaveConnection(ctx, connection, credentials)
		return err
	})
	return saved, err
}

// link saves a connection and returns it as it is kept.
func (h *fixture) link(connection model.Connection) model.Connection {
	h.Helper()
	return must(h, func() (model.Connection, error) { return h.save(connection, model.Credentials{}) })
}

// unlink deletes a connection.
func (h *fixture) unlink(connection model.UUID) {
	h.Helper()
	h.write(func(ctx context.Context, tx store.Tx) error { return tx.DeleteConnection(ctx, connection) })
}

func (h *fixture) connections() []model.Connection {
	h.Helper()
	return must(h, func() ([]model.Connection, error) { return h.Connections(h.ctx, h.user) })
}

func (h *fixture) credentials(connection model.UUID) model.Credentials {
	h.Helper()
	return must(h, func() (model.Credentials, error) { return h.Credentials(h.ctx, h.user, connection) })
}

func connectionsKept(h *fixture) {
	h = h.as("links")
	h.same("before", len(h.connections()), 0)
	east := time.FixedZone("east", 7200)
	full := h.account("dana@example.com")
	full.StandIn, full.Scopes = true, []string{"b", "a", "קריאה"}
	full.LinkedAt, full.UpdatedAt = noon.Add(123_456_789).In(east), noon.Add(time.Hour+999).In(east)
	secrets := model.Credentials{Refresh: []byte("\x00sealed\xff"), Access: []byte{1, 2, 3},
		AccessExpires: noon.Add(time.Hour + 1234).In(east)}
	want := full
	want.Number, want.LinkedAt, want.UpdatedAt = 1, noon.Add(123_456_000), noon.Add(time.Hour)
	got := must(h, func() (model.Connection, error) { return h.save(full, secrets) })
	h.same("as it now is", got, want)
	bare := model.Connection{ID: h.ids.next(), Provider: model.ProviderGoogle, Account: "דנה@example.com",
		Status: model.ConnectionExpired, LinkedAt: noon, UpdatedAt: noon}
	bareWant := bare
	bareWant.User, bareWant.Number = h.user, 2
	bare.Number = 77 // is not looked at
	h.same("with nothing that may be left out", h.link(bare), bareWant)
	h.same("both, by number", h.connections(), []model.Connection{want, bareWant})
	h.same("secrets", h.credentials(full.ID), model.Credentials{
		Connection: full.ID, Refresh: []byte("\x00sealed\xff"), Access: []byte{1, 2, 3},
		AccessExpires: noon.Add(time.Hour + 1000),
	})
	h.same("no secrets", h.credentials(bare.ID), model.Credentials{Connection: bare.ID})
}

func connectionsAgain(h *fixture) {
	h = h.as("links again")
	other, first := h.link(h.account("other@example.com")), h.link(h.account("again@example.com"))
	head := h.head()
	h.clock.advance(time.Hour)
	again := h.account("again@example.com") // with an id and a time of its own
	again.Status, again.Scopes, again.StandIn = model.ConnectionExpired, []string{"less"}, true
	saved := must(h, func() (model.Connection, error) {
		return h.save(again, model.Credentials{Connection: again.ID, Refresh: []byte("new")})
	})
	want := again
	want.ID, want.Number, want.LinkedAt = first.ID, first.Number, first.LinkedAt
	h.same("id, number and LinkedAt stay", saved, want)
	h.same("all", h.connections(), []model.Connection{other, want})
	h.same("secrets are replaced", h.credentials(first.ID),
		model.Credentials{Connection: first.ID, Refresh: []byte("new")})
	h.link(again)
	h.same("and with none, erased", h.credentials(first.ID), model.Credentials{Connection: first.ID})
	_, err := h.Credentials(h.ctx, h.user, again.ID)
	h.fails("the id that was not taken", err, store.ErrNotFound)
	h.same("log", h.log(head), lines(model.OperationUpdated, first.ID, first.ID))
	upper := h.account("AGAIN@example.com")
	upper.Provider = "ANOTHER"
	same := h.account(first.Account)
	same.Provider = "ANOTHER"
	h.same("an account is told apart by its exact name and its provider", []int{h.link(upper).Number, h.link(same).Number},
		[]int{3, 4})
}

func connectionsNumbered(h *fixture) {
	h = h.as("numbered")
	number := func(name string) int {
		h.Helper()
		return h.link(h.account(name)).Number
	}
	h.same("from 1 on", []int{number("a"), number("b"), number("c")}, []int{1, 2, 3})
	all := h.connections()
	h.unlink(all[2].ID) // the last one
	h.same("after the last was unlinked, for another account and for the same", []int{number("d"), number("c")},
		[]int{4, 5})
	for _, one := range h.connections() {
		h.unlink(one.ID)
	}
	h.same("after all were", []int{number("a"), number("a")}, []int{6, 6})
	h.same("another user counts alone", h.as("numbered too").link(h.account("a")).Number, 1)
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.SaveConnection(ctx, h.account("undone"), model.Credentials{})
		return errors.Join(err, errFailed)
	})
	h.fails("a failing write", err, errFailed)
	h.same("what was never given is given", number("e"), 7)
}

func connectionsBounded(h *fixture) {
	h = h.as("links many")
	for i := range model.MaxConnections {
		h.link(h.account(fmt.Sprint(i)))
	}
	head, before := h.head(), h.connections()
	_, err := h.save(h.account("one more"), model.Credentials{})
	h.fails("one more", err, store.ErrConflict)
	h.same("connections", h.connections(), before)
	// A refusal does not spoil the transaction.
	task := h.task("beside a refusal")
	h.write(func(ctx context.Context, tx store.Tx) error {
		_, err := tx.SaveConnection(ctx, h.account("one more"), model.Credentials{})
		h.fails("one more", err, store.ErrConflict)
		return tx.InsertTasks(ctx, []model.Task{task})
	})
	h.same("log", h.log(head), lines(model.OperationCreated, task.ID))
	again := h.account("3")
	h.same("one of them again", h.link(again).ID, before[3].ID)
	elsewhere := h.account("one more")
	elsewhere.Provider = "ANOTHER"
	h.same("of another provider; refusals take no number", h.link(elsewhere).Number, model.MaxConnections+1)
	h.unlink(before[0].ID)
	h.same("in the place of one that is gone", h.link(h.account("one more")).Number, model.MaxConnections+2)
}

func connectionsTakenID(h *fixture) {
	h = h.as("takes an id")
	first := h.link(h.account("first"))
	second := h.account("second")
	second.ID = first.ID
	head := h.head()
	h.write(func(ctx context.Context, tx store.Tx) error {
		_, err := tx.SaveConnection(ctx, second, model.Credentials{Refresh: []byte("stolen")})
		h.fails("another account with the id", err, store.ErrConflict)
		return nil
	})
	h.same("connections", h.connections(), []model.Connection{first})
	h.same("secrets", h.credentials(first.ID), model.Credentials{Connection: first.ID})
	h.same("log", h.log(head), []string{})
	second.ID = h.ids.next()
	h.same("no number was spent", h.link(second).Number, 2)
}

func connectionsSecrets(h *fixture) {
	h = h.as("secretive")
	one, other := h.link(h.account("one")), h.link(h.account("other"))
	head := h.head()
	secrets := model.Credentials{Connection: one.ID, Refresh: []byte("refresh"), Access: make([]byte, 5000),
		AccessExpires: noon.Add(time.Hour)}
	save := func(credentials model.Credentials) error {
		return h.Write(h.ctx, h.user,
			func(ctx context.Context, tx store.Tx) error { return tx.SaveCredentials(ctx, credentials) })
	}
	if err := save(secrets); err != nil {
		h.Fatal(err)
	}
	h.same("saved", h.credentials(one.ID), secrets)
	h.same("the other's", h.credentials(other.ID), model.Credentials{Connection: other.ID})
	h.same("the connection is as it was", h.connections()[0], one)
	h.write(func(ctx context.Context, tx store.Tx) error {
		fresh := model.Credentials{Connection: one.ID, Access: []byte("inside")}
		if err := tx.SaveCredentials(ctx, fresh); err != nil {
			return err
		}
		h.same("in the transaction",
			must(h, func() (model.Credentials, error) { return tx.Credentials(ctx, h.user, one.ID) }), fresh)
		h.same("by the store with its context",
			must(h, func() (model.Credentials, error) { return h.Credentials(ctx, h.user, one.ID) }), fresh)
		h.same("outside", h.credentials(one.ID), secrets)
		h.same("connections in the transaction",
			len(must(h, func() ([]model.Connection, error) { return tx.Connections(ctx, h.user) })), 2)
		return nil
	})
	if err := save(model.Credentials{Connection: one.ID, Refresh: []byte{}}); err != nil {
		h.Fatal(err)
	}
	h.same("erased", h.credentials(one.ID), model.Credentials{Connection: one.ID})
	secrets.Connection = h.ids.next()
	h.fails("of no connection", save(secrets), store.ErrNotFound)
	_, err := h.Credentials(h.ctx, h.user, secrets.Connection)
	h.fails("reading them", err, store.ErrNotFound)
	h.same("log", h.log(head), []string{})
}

func connectionsStatus(h *fixture) {
	h = h.as("expires")
	one, other := h.link(h.account("one")), h.link(h.account("other"))
	head := h.head()
	set := func(id model.UUID, status model.ConnectionStatus, at time.Time) error {
		return h.Write(h.ctx, h.user, func(ctx context.Context,
			tx store.Tx) error {
			return tx.SetConnectionStatus(ctx, id, status, at)
		})
	}
	later := noon.Add(time.Hour)
	if err := errors.Join(set(one.ID, model.ConnectionConnected, later), set(one.ID, model.ConnectionExpired,
		later.Add(1)), set(one.ID, model.ConnectionExpired, later.Add(time.Hour))); err != nil {
		h.Fatal(err)
	}
	want := one
	want.Status, want.UpdatedAt = model.ConnectionExpired, later
	h.same("changed once", h.connections(), []model.Connection{want, other})
	h.same("log", h.log(head), lines(model.OperationUpdated, one.ID))
	h.fails("of no connection", set(h.ids.next(), model.ConnectionExpired, later), store.ErrNotFound)
}

func connectionsDeleted(h *fixture) {
	h = h.as("unlinks")
	one, other := h.link(h.account("one")), h.link(h.account("other"))
	for _, id := range []model.UUID{one.ID, other.ID} {
		h.saveSync(store.SyncState{User: h.user, Connection: id, NextAt: noon})
	}
	head := h.head()
	h.unlink(one.ID)
	h.same("left", h.connections(), []model.Connection{other})
	_, err := h.Credentials(h.ctx, h.user, one.ID)
	h.fails("its secrets", err, store.ErrNotFound)
	h.same("its sync states, and the other's", []int{len(h.syncs(one.ID)), len(h.syncs(other.ID))}, []int{0, 1})
	h.same("log", h.log(head), lines(model.OperationDeleted, one.ID))
	for what, id := range map[string]model.UUID{"again": one.ID, "what never was": h.ids.next()} {
		h.fails(what, h.Write(h.ctx, h.user, func(ctx context.Context,
			tx store.Tx) error {
			return tx.DeleteConnection(ctx, id)
		}), store.ErrNotFound)
	}
	// A refusal does not spoil the transaction.
	h.write(func(ctx context.Context, tx store.Tx) error {
		for _, err := range []error{
			tx.DeleteConnection(ctx, one.ID), tx.SaveCredentials(ctx, model.Credentials{Connection: one.ID}),
			tx.SetConnectionStatus(ctx, one.ID, model.ConnectionExpired, noon),
			h.SaveSyncState(ctx, store.SyncState{User: h.user, Connection: one.ID}),
		} {
			h.fails("of what is gone", err, store.ErrNotFound)
		}
		return tx.DeleteConnection(ctx, other.ID)
	})
	h.same("left", len(h.connections()), 0)
}

func connectionsInLog(h *fixture) {
	h = h.as("logs links")
	task, connection := h.task("before"), h.account("one")
	h.clock.advance(time.Minute)
	at := h.clock.Now()
	signals, stop := h.Watch(h.user)
	defer stop()
	h.write(func(ctx context.Context, tx store.Tx) error {
		if err := tx.InsertTasks(ctx, []model.Task{task}); err != nil {
			return err
		}
		_, err := tx.SaveConnection(ctx, connection, model.Credentials{})
		return errors.Join(err, tx.UpdateTasks(ctx, model.OperationUpdated, []model.Task{task}),
			tx.SetConnectionStatus(ctx, connection.ID, model.ConnectionExpired, at), tx.DeleteConnection(ctx, connection.ID))
	})
	h.awaits("a connection came and went", signals)
	got := must(h, func() ([]model.Change, error) { return h.Changes(h.ctx, h.user, 0, nil, 100) })
	h.same("changes", got, []model.Change{
		{Seq: 1, Type: model.ChangeTask, ID: task.ID, Operation: model.OperationCreated, At: at},
		{Seq: 2, Type: model.ChangeConnection, ID: connection.ID, Operation: model.OperationCreated, At: at},
		{Seq: 3, Type: model.ChangeTask, ID: task.ID, Operation: model.OperationUpdated, At: at},
		{Seq: 4, Type: model.ChangeConnection, ID: connection.ID, Operation: model.OperationUpdated, At: at},
		{Seq: 5, Type: model.ChangeConnection, ID: connection.ID, Operation: model.OperationDeleted, At: at},
	})
	only := must(h, func() ([]model.Change, error) {
		return h.Changes(h.ctx, h.user, 2, []model.ChangeType{model.ChangeConnection}, 100)
	})
	h.same("of this type", seqs(only), []int64{4, 5})
}

func connectionsRolledBack(h *fixture) {
	h = h.as("links in vain")
	kept := h.link(h.account("kept"))
	head := h.head()
	err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.SaveConnection(ctx, h.account("gone"), model.Credentials{Refresh: []byte("x")})
		return errors.Join(err, tx.SaveCredentials(ctx, model.Credentials{Connection: kept.ID, Access: []byte("x")}),
			tx.DeleteConnection(ctx, kept.ID), errFailed)
	})
	h.fails("Write", err, errFailed)
	h.write(func(ctx context.Context, tx store.Tx) error {
		err := h.Write(ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return errors.Join(tx.DeleteConnection(ctx, kept.ID), errFailed)
		})
		h.fails("a nested one", err, errFailed)
		return nil
	})
	h.same("connections", h.connections(), []model.Connection{kept})
	h.same("secrets", h.credentials(kept.ID), model.Credentials{Connection: kept.ID})
	h.same("log", h.log(head), []string{})
}

func connectionsParallel(h *fixture) {
	h = h.as("links at once")
	const accounts, times = 5, 4
	var wait sync.WaitGroup
	for i := range accounts * times {
		connection := h.account(fmt.Sprint(i % accounts))
		wait.Go(func() {
			saved, err := h.save(connection, model.Credentials{Refresh: []byte(connection.Account)})
			if err != nil || saved.Account != connection.Account {
				h.Errorf("saved %+v, %v", saved, err)
			}
		})
	}
	wait.Wait()
	all := h.connections()
	numbers := map[int]bool{}
	for _, one := range all {
		numbers[one.Number] = true
		h.same("secrets of "+one.Account, string(h.credentials(one.ID).Refresh), one.Account)
	}
	h.same("accounts, numbers, changes", []int{len(all), len(numbers), len(h.log(0))},
		[]int{accounts, accounts, accounts * times})
	for n := range accounts {
		h.same(fmt.Sprint("number ", n+1, " was given"), numbers[n+1], true)
	}
}

func connectionsTexts(h *fixture) {
	h = h.as("spoils links")
	kept := h.link(h.account("kept"))
	head := h.head()
	refused := func(what string, change func(*model.Connection)) {
		h.Helper()
		connection := h.account("fine")
		change(&connection)
		if _, err := h.save(connection, model.Credentials{}); model.CodeOf(err) != model.CodeBadUserInput {
			h.Errorf("%s: got %v, want BAD_USER_INPUT", what, err)
		}
	}
	for _, bad := range []string{"a\x00b", "a\xffb"} {
		refused("the provider", func(c *model.Connection) { c.Provider = model.Provider(bad) })
		refused("the account", func(c *model.Connection) { c.Account = bad })
		refused("the status", func(c *model.Connection) { c.Status = model.ConnectionStatus(bad) })
		refused("a scope", func(c *model.Connection) { c.Scopes = []string{"fine", bad} })
		err := h.Write(h.ctx, h.user, func(ctx context.Context, tx store.Tx) error {
			return tx.SetConnectionStatus(ctx, kept.ID, model.ConnectionStatus(bad), noon)
		})
		if model.CodeOf(err) != model.CodeBadUserInput {
			h.Errorf("SetConnectionStatus: got %v", err)
		}
	}
	for _, bad := range []string{"", "two words", "a\tb"} {
		refused("a scope", func(c *model.Connection) { c.Scopes = []string{"fine", bad} })
	}
	h.same("connections", h.connections(), []model.Connection{kept})
	h.same("log", h.log(head), []string{})
}
