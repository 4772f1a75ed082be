package storetest

import (
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

func testTokens(t *testing.T, open Open) {
	h := newFixture(t, open)
	head := h.head()
	east := time.FixedZone("east", 7200)
	forever := model.APIToken{UserID: h.user, ID: h.ids.next(), Name: "phone", SecretHash: [32]byte{1, 31: 255},
		Scopes: []model.Scope{model.ScopeRead}, CreatedAt: noon}
	ending := model.APIToken{
		UserID: h.user, ID: h.ids.next(), Name: "מחשב נייד", SecretHash: [32]byte{2},
		Scopes:     []model.Scope{model.ScopeRead, model.ScopeWrite, model.ScopeSend},
		Recipients: []string{"boss@example.com", "@example.org"}, PaidPerHour: model.PaidNone,
		CreatedAt: noon.Add(time.Hour).In(east), ExpiresAt: noon.Add(48*time.Hour + 123*time.Nanosecond).In(east),
	}
	none := must(h, func() ([]model.APIToken, error) { return h.Tokens(h.ctx, h.user) })
	h.same("before", len(none), 0)
	for _, token := range []model.APIToken{forever, ending} {
		if err := h.InsertToken(h.ctx, token); err != nil {
			h.Fatal(err)
		}
	}
	want := ending
	want.CreatedAt, want.ExpiresAt = noon.Add(time.Hour), noon.Add(48*time.Hour)
	got := must(h, func() (model.APIToken, error) { return h.Token(h.ctx, h.user, ending.ID) })
	h.same("token", got, want)
	all := must(h, func() ([]model.APIToken, error) { return h.Tokens(h.ctx, h.user) })
	h.same("newest first", all, []model.APIToken{want, forever})
	h.fails("a taken id", h.InsertToken(h.ctx, forever), store.ErrConflict)
	_, err := h.Token(h.ctx, h.user, h.ids.next())
	h.fails("no such token", err, store.ErrNotFound)

	h.fails("revoking none", h.RevokeToken(h.ctx, h.user, h.ids.next(), noon), store.ErrNotFound)
	revoked := noon.Add(3 * time.Hour)
	for i := range 2 {
		if err := h.RevokeToken(h.ctx, h.user, forever.ID, revoked.Add(time.Duration(i)*time.Hour)); err != nil {
			h.Fatal(err)
		}
	}
	want = forever
	want.RevokedAt = revoked
	got = must(h, func() (model.APIToken, error) { return h.Token(h.ctx, h.user, forever.ID) })
	h.same("revoked once, at the first time", got, want)
	h.same("log", h.log(head), []string{})

	want.LastUsedAt = noon.Add(4 * time.Hour)
	for _, id := range []model.UUID{forever.ID, h.ids.next()} {
		if err := h.TouchToken(h.ctx, h.user, id, want.LastUsedAt); err != nil {
			h.Fatal(err)
		}
	}
	got = must(h, func() (model.APIToken, error) { return h.Token(h.ctx, h.user, forever.ID) })
	h.same("used", got, want)

	other := h.as("another holder")
	mine := forever
	mine.UserID = other.user
	if err := h.InsertToken(h.ctx, mine); err != nil {
		h.Errorf("the same id of another user: %v", err)
	}
	got = must(h, func() (model.APIToken, error) { return h.Token(h.ctx, other.user, mine.ID) })
	h.same("the other's", got, mine)
}
