package auth_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"go.uber.org/goleak"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	start  = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	secret = []byte("a secret of more than thirty-two bytes")
)

// memoryTokens is a token store that counts its look-ups and can be out of order.
type memoryTokens struct {
	mu      sync.Mutex
	rows    map[model.UserID]map[model.UUID]model.APIToken
	lookups int
	failure error
	// disabled are the users who are.
	disabled map[model.UserID]bool
}

// User implements auth.UserReader: somebody who is not disabled was never here.
func (m *memoryTokens) User(_ context.Context, id model.UserID) (model.User, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.failure != nil:
		return model.User{}, m.failure
	case m.disabled[id]:
		return model.User{ID: id, DisabledAt: start}, nil
	}
	return model.User{}, fmt.Errorf("user: %w", store.ErrNotFound)
}

func (m *memoryTokens) Token(_ context.Context, user model.UserID, id model.UUID) (model.APIToken, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lookups++
	if m.failure != nil {
		return model.APIToken{}, m.failure
	}
	token, there := m.rows[user][id]
	token.UserDisabled = m.disabled[user]
	if !there {
		return model.APIToken{}, fmt.Errorf("token: %w", store.ErrNotFound)
	}
	return token, nil
}

func (m *memoryTokens) TouchToken(_ context.Context, user model.UserID, id model.UUID, at time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if token, there := m.rows[user][id]; there {
		token.LastUsedAt = at
		m.rows[user][id] = token
	}
	return nil
}

func (m *memoryTokens) InsertToken(_ context.Context, token model.APIToken) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failure != nil {
		return m.failure
	}
	if m.rows == nil {
		m.rows = map[model.UserID]map[model.UUID]model.APIToken{}
	}
	if m.rows[token.UserID] == nil {
		m.rows[token.UserID] = map[model.UUID]model.APIToken{}
	}
	m.rows[token.UserID][token.ID] = token
	return nil
}

func (m *memoryTokens) revoke(token model.APIToken, at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	token.RevokedAt = at
	m.rows[token.UserID][token.ID] = token
}

// issuerOf makes API tokens in a store, at a clock's time.
func issuerOf(tokens *memoryTokens, now func() time.Time) auth.Issuer {
	return auth.Issuer{Tokens: tokens, Now: now, NewID: clock.NewIDs(now, rand.Reader).New, Random: rand.Reader}
}

func mustNew(t testing.TB, o auth.Options) *auth.Authenticator {
	t.Helper()
	if o.Tokens == nil {
		o.Tokens = &memoryTokens{}
	}
	if o.Users == nil {
		o.Users = &memoryTokens{}
	}
	if o.Now == nil {
		o.Now = clock.Fixed(start).Now
	}
	a, err := auth.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// goodClaims are claims that pass; each test breaks one thing.
func goodClaims() jwt.MapClaims {
	return jwt.MapClaims{"sub": "dana", "exp": start.Add(time.Hour).Unix(), "iat": start.Unix()}
}

// with is goodClaims with one claim replaced.
func with(name string, value any) jwt.MapClaims {
	claims := goodClaims()
	claims[name] = value
	return claims
}

func without(name string) jwt.MapClaims {
	claims := goodClaims()
	delete(claims, name)
	return claims
}

// sign makes a JWT; header fields given are added.
func sign(t testing.TB, method jwt.SigningMethod, key any, claims jwt.Claims, header ...string) string {
	t.Helper()
	token := jwt.NewWithClaims(method, claims)
	for i := 0; i+1 < len(header); i += 2 {
		token.Header[header[i]] = header[i+1]
	}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// wantRefused checks that an error is the one refusal there is.
func wantRefused(t *testing.T, name string, caller model.Caller, err error) {
	t.Helper()
	const same = "UNAUTHENTICATED: The token is not valid: it is malformed or unknown, has expired, or was revoked."
	if err == nil || err.Error() != same {
		t.Errorf("%s: got %v, %+v; want the refusal", name, err, caller)
	}
	if caller.Subject != "" || caller.UserID != (model.UserID{}) || caller.Scopes != nil {
		t.Errorf("%s: a caller came with the refusal: %+v", name, caller)
	}
}
