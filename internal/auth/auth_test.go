package auth_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
)

func TestOptionsThatDoNotGoTogether(t *testing.T) {
	now := clock.Fixed(start).Now
	for name, o := range map[string]auth.Options{
		"no store":     {Now: now},
		"no clock":     {Tokens: &memoryTokens{}},
		"short secret": {Tokens: &memoryTokens{}, Users: &memoryTokens{}, Now: now, JWTSecret: secret[:31]},
		"no users":     {Tokens: &memoryTokens{}, Now: now, JWTSecret: secret},
		"two issuers": {Tokens: &memoryTokens{}, Users: &memoryTokens{}, Now: now, JWTSecret: secret,
			OIDCIssuer: "https://x.example"},
		"local user and secret": {Tokens: &memoryTokens{}, Users: &memoryTokens{}, Now: now, JWTSecret: secret,
			LocalUser: true},
		"local user and issuer": {Tokens: &memoryTokens{}, Users: &memoryTokens{}, Now: now, OIDCIssuer: "https://x.example",
			LocalUser: true},
		"http issuer": {Tokens: &memoryTokens{}, Users: &memoryTokens{}, Now: now, OIDCIssuer: "http://x.example"},
		"no address":  {Tokens: &memoryTokens{}, Users: &memoryTokens{}, Now: now, OIDCIssuer: "x.example"},
		"a file":      {Tokens: &memoryTokens{}, Users: &memoryTokens{}, Now: now, OIDCIssuer: "file:///etc/keys"},
		"loopback in name only": {Tokens: &memoryTokens{}, Users: &memoryTokens{}, Now: now,
			OIDCIssuer: "http://127.0.0.1.example.com"},
	} {
		if _, err := auth.New(o); err == nil {
			t.Errorf("%s: accepted", name)
		} else if strings.Contains(err.Error(), string(secret[:16])) {
			t.Errorf("%s: the message shows the secret", name)
		}
	}
	// An empty secret that is not nil is what an unset setting becomes; it must not open the HS256 door.
	a := mustNew(t, auth.Options{JWTSecret: []byte{}, LocalUser: true})
	caller, err := a.Authenticate(context.Background(), emptyKeyToken)
	wantRefused(t, "signed with the empty key", caller, err)
}

func TestLocalUser(t *testing.T) {
	a := mustNew(t, auth.Options{LocalUser: true})
	caller, err := a.Authenticate(context.Background(), "")
	want := model.Caller{UserID: model.UserIDOf("local"), Subject: "local", Scopes: []model.Scope{"READ", "WRITE", "SEND"}}
	if err != nil || !reflect.DeepEqual(caller, want) {
		t.Errorf("got %+v, %v; want %+v", caller, err, want)
	}
	for _, token := range []string{"x", "almanac_", "null", "undefined", "local", "a.b.c"} {
		caller, err := a.Authenticate(context.Background(), token)
		wantRefused(t, "a bad token "+token, caller, err)
	}
}

func TestNoTokenWithoutLocalUser(t *testing.T) {
	for name, o := range map[string]auth.Options{"tokens only": {}, "secret": {JWTSecret: secret}} {
		caller, err := mustNew(t, o).Authenticate(context.Background(), "")
		if model.CodeOf(err) != model.CodeUnauthenticated || caller.Subject != "" {
			t.Errorf("%s: got %+v, %v", name, caller, err)
		}
	}
}

func TestTokensWorkInEveryMode(t *testing.T) {
	for name, o := range map[string]auth.Options{"tokens only": {}, "local user": {LocalUser: true},
		"secret": {JWTSecret: secret}, "issuer": {OIDCIssuer: "https://nowhere.example"}} {
		tokens := &memoryTokens{}
		o.Tokens = tokens
		text, _, err := issuerOf(tokens, clock.Fixed(start).Now).Issue(context.Background(),
			auth.Grant{User: model.UserIDOf("dana"), Name: "phone", Scopes: []model.Scope{model.ScopeRead}})
		if err != nil {
			t.Fatal(err)
		}
		caller, err := mustNew(t, o).Authenticate(context.Background(), text)
		if err != nil || caller.UserID != model.UserIDOf("dana") {
			t.Errorf("%s: %+v, %v", name, caller, err)
		}
	}
}

func TestParseScopes(t *testing.T) {
	for text, want := range map[string][]model.Scope{
		"read":             {"READ"},
		"SEND, read,,read": {"READ", "SEND"},
		"write send read":  {"READ", "WRITE", "SEND"},
	} {
		if got, err := auth.ParseScopes(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", " ,", "admin", "read;write", "read,*", strings.Repeat("x", 9999)} {
		if got, err := auth.ParseScopes(text); model.CodeOf(err) != model.CodeBadUserInput || len(err.Error()) > 200 {
			t.Errorf("%.20q: got %v, %v", text, got, err)
		}
	}
}

func FuzzAuthenticate(f *testing.F) {
	tokens := &memoryTokens{}
	text, _, err := issuerOf(tokens, clock.Fixed(start).Now).Issue(context.Background(),
		auth.Grant{User: model.UserIDOf("dana"), Name: "phone", Scopes: []model.Scope{model.ScopeRead}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(strings.ToUpper(text))
	f.Add("eyJhbGciOiJub25lIn0.eyJzdWIiOiJkYW5hIn0.")
	f.Add("..")
	f.Add("almanac_")
	f.Add("eyJhbGciOiJIUzI1NiIsInR5cCI6e319.e30.AA")
	a := mustNew(f, auth.Options{Tokens: tokens, JWTSecret: []byte(rand32())})
	f.Fuzz(func(t *testing.T, token string) {
		caller, err := a.Authenticate(context.Background(), token)
		if err == nil && token != text {
			t.Errorf("%q was accepted as %+v", token, caller)
		}
		if err != nil && model.CodeOf(err) != model.CodeUnauthenticated {
			t.Errorf("%q: %v", token, err)
		}
	})
}

func BenchmarkAPIToken(b *testing.B) {
	tokens := &memoryTokens{}
	text, _, err := issuerOf(tokens, time.Now).Issue(context.Background(),
		auth.Grant{User: model.UserIDOf("dana"), Name: "phone", Scopes: []model.Scope{model.ScopeRead}})
	if err != nil {
		b.Fatal(err)
	}
	a := mustNew(b, auth.Options{Tokens: tokens})
	for b.Loop() {
		if _, err := a.Authenticate(context.Background(), text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJWT(b *testing.B) {
	a := mustNew(b, auth.Options{JWTSecret: secret})
	text := sign(b, hs256(), secret, goodClaims())
	for b.Loop() {
		if _, err := a.Authenticate(context.Background(), text); err != nil {
			b.Fatal(err)
		}
	}
}

// A disabled user is refused by every proof, at once, and let in again when enabled; others never notice.
func TestADisabledUser(t *testing.T) {
	tokens := &memoryTokens{disabled: map[model.UserID]bool{}}
	a := mustNew(t, auth.Options{Tokens: tokens, Users: tokens, JWTSecret: secret})
	proofs := map[string]string{"JWT": sign(t, jwt.SigningMethodHS256, secret, goodClaims())}
	text, _, err := issuerOf(tokens, clock.Fixed(start).Now).Issue(t.Context(),
		auth.Grant{User: model.UserIDOf("dana"), Name: "phone", Scopes: []model.Scope{model.ScopeRead}})
	if err != nil {
		t.Fatal(err)
	}
	proofs["API token"] = text
	other := sign(t, jwt.SigningMethodHS256, secret, with("sub", "noa"))
	for _, disabled := range []bool{false, true, false} {
		tokens.disabled[model.UserIDOf("dana")] = disabled
		for name, proof := range proofs {
			caller, err := a.Authenticate(t.Context(), proof)
			if disabled && (model.CodeOf(err) != model.CodeUnauthenticated || caller.Subject != "") {
				t.Errorf("%s of a disabled user: %+v, %v", name, caller, err)
			}
			if !disabled && err != nil {
				t.Errorf("%s of an enabled user: %v", name, err)
			}
		}
		if _, err := a.Authenticate(t.Context(), other); err != nil {
			t.Errorf("somebody else: %v", err)
		}
	}
	tokens.failure = errors.New("out of order")
	if caller, err := a.Authenticate(t.Context(), other); err == nil || caller.Subject != "" ||
		model.CodeOf(err) == model.CodeUnauthenticated {
		t.Errorf("while users cannot be read: %+v, %v", caller, err)
	}
}
