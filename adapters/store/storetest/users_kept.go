package storetest

import (
	"maps"
	"slices"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// entry makes an entry of the audit log.
func (h *fixture) entry(user model.UserID, kind string) model.AuditEntry {
	return model.AuditEntry{UserID: user, ID: h.ids.next(), At: noon, Kind: kind, Outcome: model.AuditOK,
		Source: model.SourceCommand, Token: "phone", Client: "לקוח", Address: "192.0.2.1", ForgetAt: noon.Add(time.Hour)}
}

func usersListed(h *fixture) {
	want := []model.User{}
	for _, name := range []string{"one", "two", "שלוש", "four"} {
		want = append(want, must(h, func() (model.User, error) { return h.EnsureUser(h.ctx, person(name)) }))
	}
	slices.SortFunc(want, func(a, b model.User) int { return slices.Compare(a.ID[:], b.ID[:]) })
	listed := func() (all []model.User) {
		after := model.UserID{}
		for {
			some := must(h, func() ([]model.User, error) { return h.Users(h.ctx, after, 3) })
			for _, user := range some {
				after = user.ID
				if slices.ContainsFunc(want, func(u model.User) bool { return u.ID == user.ID }) {
					all = append(all, user)
				}
			}
			if len(some) < 3 {
				return all
			}
		}
	}
	h.same("in the order of their ids, over pages", listed(), want)

	at, ids := noon.Add(time.Minute), &want[1]
	token := model.APIToken{UserID: ids.ID, ID: h.ids.next(), Name: "phone", Scopes: []model.Scope{model.ScopeRead},
		CreatedAt: noon}
	if err := h.InsertToken(h.ctx, token); err != nil {
		h.Fatal(err)
	}
	refused := func() bool {
		return must(h, func() (model.APIToken, error) { return h.Token(h.ctx, token.UserID, token.ID) }).UserDisabled
	}
	signals, stop := h.WatchSettings(ids.ID)
	defer stop()
	h.same("before", refused(), false)
	for _, at := range []time.Time{at, {}, at} {
		if err := h.DisableUser(h.ctx, ids.ID, at); err != nil {
			h.Fatal(err)
		}
		ids.DisabledAt = at
		h.same("disabled", refused(), !at.IsZero())
		h.same("listed", listed(), want)
		select {
		case <-signals:
		case <-time.After(10 * time.Second):
			h.Fatal("nobody is told that the user was disabled")
		}
	}
	h.fails("nobody", h.DisableUser(h.ctx, model.UserIDOf("nobody at all"), at), store.ErrNotFound)
	_, err := h.User(h.ctx, model.UserIDOf("nobody at all"))
	h.fails("still nobody", err, store.ErrNotFound)
}

func auditLog(h *fixture) {
	other := model.UserIDOf("somebody else")
	var all []model.AuditEntry
	for _, kind := range []string{"createTask", "SIGN_IN", "deleteTask"} {
		all = append(all, h.entry(h.user, kind))
	}
	all[1].ForgetAt = noon.Add(24 * time.Hour)
	for _, entry := range append(slices.Clone(all), all[0], h.entry(other, "createTask")) {
		if err := h.AddAudit(h.ctx, entry); err != nil {
			h.Fatal(err)
		}
	}
	read := func(after model.UUID, limit int) []model.AuditEntry {
		return must(h, func() ([]model.AuditEntry, error) { return h.Audit(h.ctx, h.user, after, limit) })
	}
	h.same("newest first, each once", read(model.UUID{}, 10), []model.AuditEntry{all[2], all[1], all[0]})
	h.same("a page", read(all[2].ID, 1), []model.AuditEntry{all[1]})
	_, err := h.User(h.ctx, other)
	h.fails("no user is made of it", err, store.ErrNotFound)
	if err := h.Sweep(h.ctx, noon.Add(time.Hour), 24*time.Hour); err != nil {
		h.Fatal(err)
	}
	h.same("after a sweep", read(model.UUID{}, 10), []model.AuditEntry{all[1]})
}

// ErasedUser proves that nothing is left of a user who is erased but one entry of the audit log. fill puts a row of the
// user into every table that the database's own catalogue lists with a column user_id, and returns those tables.
func ErasedUser(t *testing.T, s store.Store, fill func(t *testing.T, user model.UserID) []string) {
	t.Helper()
	h := &fixture{T: t, Store: s, ctx: t.Context(), clock: &clock{at: noon}, ids: &ids{}, trace: &trace{}}
	rows := func(user model.UserID) map[string]int {
		t.Helper()
		return must(h, func() (map[string]int, error) { return s.RowsOf(h.ctx, user) })
	}
	gone, stays := model.UserIDOf("to be erased"), model.UserIDOf("to stay")
	for _, user := range []model.UserID{gone, stays} {
		tables := slices.Sorted(slices.Values(fill(t, user)))
		for _, table := range owned {
			if !slices.Contains(tables, table) {
				t.Errorf("no row was put into %s", table)
			}
		}
		h.same("tables with rows", slices.Sorted(maps.Keys(rows(user))), tables)
	}
	before := rows(stays)
	last := h.entry(gone, model.AuditUserDeleted)
	for range 2 { // also when it was erased before
		if err := s.EraseUser(h.ctx, last); err != nil {
			t.Fatal(err)
		}
		h.same("what is left", rows(gone), map[string]int{"audit_log": 1})
		h.same("the entry that stays", must(h, func() ([]model.AuditEntry, error) {
			return s.Audit(h.ctx, gone, model.UUID{}, 10)
		}), []model.AuditEntry{last})
	}
	h.same("somebody else's", rows(stays), before)
}
