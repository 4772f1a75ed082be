package auth_test

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/golang-jwt/jwt/v5"

	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
)

// signer is one key of an issuer.
type signer struct {
	id     string
	method jwt.SigningMethod
	key    crypto.Signer
}

func ecSigner(t testing.TB, id string) signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return signer{id, jwt.SigningMethodES256, key}
}

func (s signer) jwk() any {
	return jose.JSONWebKey{Key: s.key.Public(), KeyID: s.id, Use: "sig"}
}

// token signs goodClaims for an issuer and the audience "almanac".
func (s signer) token(t testing.TB, issuer string, change ...any) string {
	t.Helper()
	claims := with("iss", issuer)
	claims["aud"] = "almanac"
	for i := 0; i+1 < len(change); i += 2 {
		name, ok := change[i].(string)
		if !ok {
			t.Fatal("claims are changed by name and value")
		}
		claims[name] = change[i+1]
	}
	return sign(t, s.method, s.key, claims, "kid", s.id)
}

// testIssuer is an OpenID Connect issuer in this process.
type testIssuer struct {
	server *httptest.Server

	mu        sync.Mutex
	keys      []any
	documents map[string]http.HandlerFunc // replace what it answers, by path
	fetches   int                         // of the keys
}

func newTestIssuer(t testing.TB, signers ...signer) *testIssuer {
	t.Helper()
	i := &testIssuer{documents: map[string]http.HandlerFunc{}}
	i.rotate(signers...)
	i.server = httptest.NewTLSServer(i)
	t.Cleanup(i.server.Close)
	return i
}

func (i *testIssuer) issuer() string               { return i.server.URL }
func (i *testIssuer) transport() http.RoundTripper { return i.server.Client().Transport }

func (i *testIssuer) rotate(signers ...signer) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = nil
	for _, s := range signers {
		i.keys = append(i.keys, s.jwk())
	}
}

func (i *testIssuer) setKeys(keys ...any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = keys
}

// answer replaces a document; nil brings the true one back.
func (i *testIssuer) answer(path string, with http.HandlerFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if with == nil {
		delete(i.documents, path)
		return
	}
	i.documents[path] = with
}

func (i *testIssuer) fetched() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetches
}

const (
	discoveryPath = "/.well-known/openid-configuration"
	keysPath      = "/keys"
)

func (i *testIssuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	replaced, keys := i.documents[r.URL.Path], i.keys
	if r.URL.Path == keysPath {
		i.fetches++
	}
	i.mu.Unlock()
	switch {
	case replaced != nil:
		replaced(w, r)
	case r.URL.Path == discoveryPath:
		writeJSON(w, map[string]any{"issuer": i.server.URL, "jwks_uri": i.server.URL + keysPath})
	case r.URL.Path == keysPath:
		writeJSON(w, map[string]any{"keys": keys})
	default:
		http.NotFound(w, r)
	}
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}

func (i *testIssuer) authenticator(t testing.TB, now func() time.Time) *auth.Authenticator {
	t.Helper()
	return mustNew(t, auth.Options{OIDCIssuer: i.issuer(), OIDCAudience: "almanac", Transport: i.transport(), Now: now})
}

func wantUnavailable(t *testing.T, name string, err error) {
	t.Helper()
	if model.CodeOf(err) != model.CodeUpstreamUnavailable {
		t.Errorf("%s: got %v, want UPSTREAM_UNAVAILABLE", name, err)
	}
}

func TestIssuersTokensOfEveryAlgorithm(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signers := []signer{
		{"rs256", jwt.SigningMethodRS256, rsaKey}, {"rs512", jwt.SigningMethodRS512, rsaKey},
		{"ps256", jwt.SigningMethodPS256, rsaKey}, {"ed", jwt.SigningMethodEdDSA, edKey}, ecSigner(t, "es256"),
	}
	for id, c := range map[string]struct {
		curve  elliptic.Curve
		method jwt.SigningMethod
	}{"es384": {elliptic.P384(), jwt.SigningMethodES384}, "es512": {elliptic.P521(), jwt.SigningMethodES512}} {
		key, err := ecdsa.GenerateKey(c.curve, rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		signers = append(signers, signer{id, c.method, key})
	}
	server := newTestIssuer(t, signers...)
	a := server.authenticator(t, nil)
	if server.fetched() != 0 {
		t.Error("the keys were fetched before anybody needed them")
	}
	for _, s := range signers {
		caller, err := a.Authenticate(context.Background(), s.token(t, server.issuer(), "email", "dana@example.com"))
		if err != nil || caller.UserID != model.UserIDOf("dana") || caller.Email != "dana@example.com" ||
			!caller.ExpiresAt.Equal(start.Add(time.Hour)) {
			t.Errorf("%s: %+v, %v, %v", s.id, caller, err, unwrap(err))
		}
	}
	if server.fetched() != 1 {
		t.Errorf("the keys were fetched %d times, want once", server.fetched())
	}
}

func TestHostileTokensOfAnIssuer(t *testing.T) {
	real, mallory := ecSigner(t, "one"), ecSigner(t, "one")
	server := newTestIssuer(t, real)
	a := server.authenticator(t, nil)
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	embedded := sign(t, mallory.method, mallory.key,
		jwt.MapClaims{"iss": server.issuer(), "aud": "almanac", "sub": "dana", "exp": start.Add(time.Hour).Unix()}, "kid",
		"one", "jku", "https://mallory.example/keys", "x5u", "https://mallory.example")
	for name, token := range map[string]string{
		"another key under the same id": mallory.token(t, server.issuer()),
		"keys of its own (jku, x5u)":    embedded,
		"another curve":                 signer{"one", jwt.SigningMethodES384, p384}.token(t, server.issuer()),
		"HS256":                         sign(t, hs256(), secret, with("iss", server.issuer()), "kid", "one"),
		"alg none": sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType,
			with("iss", server.issuer()), "kid", "one"),
		"another issuer":      real.token(t, "https://other.example"),
		"issuer with a slash": real.token(t, server.issuer()+"/"),
		"another audience":    real.token(t, server.issuer(), "aud", "calendar"),
		"no audience":         real.token(t, server.issuer(), "aud", []string{}),
		"expired":             real.token(t, server.issuer(), "exp", start.Unix()),
		"not valid yet":       real.token(t, server.issuer(), "nbf", start.Add(2*time.Minute).Unix()),
		"the local user":      real.token(t, server.issuer(), "sub", "local"),
		"unknown key":         signer{"two", real.method, real.key}.token(t, server.issuer()),
	} {
		caller, err := a.Authenticate(context.Background(), token)
		wantRefused(t, name, caller, err)
	}
}

// Tokens that could not pass anyway, and tokens with invented key ids, must not make this server hammer the issuer.
func TestBadTokensDoNotMakeFetches(t *testing.T) {
	real := ecSigner(t, "one")
	server := newTestIssuer(t, real)
	c := clock.NewManual(start)
	a := server.authenticator(t, c.Now)
	for range 20 {
		for _, token := range []string{"x.y.z", real.token(t, "https://other.example"),
			real.token(t, server.issuer(), "exp", start.Unix()), real.token(t, server.issuer(), "aud", "x")} {
			caller, err := a.Authenticate(context.Background(), token)
			wantRefused(t, "hopeless", caller, err)
		}
	}
	if server.fetched() != 0 {
		t.Errorf("hopeless tokens made %d fetches", server.fetched())
	}
	for i := range 100 {
		caller, err := a.Authenticate(context.Background(),
			signer{fmt.Sprint("invented", i), real.method, real.key}.token(t, server.issuer()))
		wantRefused(t, "invented key id", caller, err)
	}
	if server.fetched() != 1 {
		t.Errorf("100 invented key ids made %d fetches, want 1", server.fetched())
	}
	for range 100 {
		c.Advance(time.Second)
		_, _ = a.Authenticate(context.Background(), signer{"invented", real.method, real.key}.token(t, server.issuer()))
	}
	if n := server.fetched(); n < 10 || n > 12 {
		t.Errorf("100 seconds of invented key ids made %d fetches, want one in ten seconds", n)
	}
	if _, err := a.Authenticate(context.Background(), real.token(t, server.issuer())); err != nil {
		t.Errorf("the real key meanwhile: %v", err)
	}
}

func TestKeyRotation(t *testing.T) {
	old, fresh := ecSigner(t, "old"), ecSigner(t, "new")
	server := newTestIssuer(t, old)
	c := clock.NewManual(start)
	a := server.authenticator(t, c.Now)
	check := func(name string, s signer, ok bool) {
		t.Helper()
		caller, err := a.Authenticate(context.Background(), s.token(t, server.issuer(), "exp", c.Now().Add(time.Hour).Unix()))
		if ok && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !ok {
			wantRefused(t, name, caller, err)
		}
	}
	check("the old key at first", old, true)
	check("the new key before it is published", fresh, false)
	server.rotate(old, fresh)
	c.Advance(11 * time.Second)
	check("the new key, at once", fresh, true)
	check("the old key beside it", old, true)
	server.rotate(fresh)
	check("the withdrawn key while the keys are fresh", old, true)
	c.Advance(time.Hour)
	check("the withdrawn key an hour later", old, false)
	check("the new key an hour later", fresh, true)
	// The id stays and the key changes: found out when the keys are old.
	swapped := signer{"new", jwt.SigningMethodES256, ecSigner(t, "x").key}
	server.rotate(swapped)
	c.Advance(time.Hour)
	check("a swapped key", swapped, true)
	check("the key before it", fresh, false)
}

func TestIssuerThatCannotBeAsked(t *testing.T) {
	real := ecSigner(t, "one")
	down := func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "stack trace with secrets", http.StatusInternalServerError)
	}
	t.Run("before the first keys", func(t *testing.T) {
		server := newTestIssuer(t, real)
		c := clock.NewManual(start)
		a := server.authenticator(t, c.Now)
		server.answer(keysPath, down)
		_, err := a.Authenticate(context.Background(), real.token(t, server.issuer()))
		wantUnavailable(t, "down", err)
		if strings.Contains(err.Error(), "stack") || strings.Contains(err.Error(), "127.0.0.1") ||
			strings.Contains(unwrap(err).Error(), "stack") {
			t.Errorf("the answer or its cause says too much: %v, %v", err, unwrap(err))
		}
		caller, err := a.Authenticate(context.Background(), "garbage")
		wantRefused(t, "garbage needs no issuer", caller, err)
		server.answer(keysPath, nil)
		_, err = a.Authenticate(context.Background(), real.token(t, server.issuer()))
		wantUnavailable(t, "up again, but not asked yet", err)
		c.Advance(10 * time.Second)
		if _, err = a.Authenticate(context.Background(), real.token(t, server.issuer())); err != nil {
			t.Errorf("up again: %v", err)
		}
	})
	t.Run("with old keys", func(t *testing.T) {
		server := newTestIssuer(t, real)
		c := clock.NewManual(start)
		a := server.authenticator(t, c.Now)
		token := func() string { return real.token(t, server.issuer(), "exp", c.Now().Add(time.Hour).Unix()) }
		if _, err := a.Authenticate(context.Background(), token()); err != nil {
			t.Fatal(err)
		}
		server.answer(discoveryPath, down)
		for range 11 {
			c.Advance(time.Hour)
			if _, err := a.Authenticate(context.Background(), token()); err != nil {
				t.Fatalf("%v after the last fetch: %v", c.Now().Sub(start), err)
			}
		}
		c.Advance(time.Hour)
		_, err := a.Authenticate(context.Background(), token())
		wantUnavailable(t, "after half a day", err)
		server.answer(discoveryPath, nil)
		c.Advance(time.Minute)
		if _, err := a.Authenticate(context.Background(), token()); err != nil {
			t.Errorf("up again: %v", err)
		}
	})
}

func TestDocumentsThatAreNotTrusted(t *testing.T) {
	real := ecSigner(t, "one")
	weak, err := rsa.GenerateKey(rand.Reader, 1024) //nolint:gosec // G403: that it is weak is the point
	if err != nil {
		t.Fatal(err)
	}
	for name, prepare := range map[string]func(*testIssuer){
		"another issuer's document": func(i *testIssuer) {
			i.answer(discoveryPath, func(w http.ResponseWriter, _ *http.Request) {
				writeJSON(w, map[string]any{"issuer": "https://mallory.example", "jwks_uri": i.issuer() + keysPath})
			})
		},
		"keys in a file": func(i *testIssuer) {
			i.answer(discoveryPath, func(w http.ResponseWriter, _ *http.Request) {
				writeJSON(w, map[string]any{"issuer": i.issuer(), "jwks_uri": "file:///etc/keys"})
			})
		},
		"no keys named": func(i *testIssuer) {
			i.answer(discoveryPath, func(w http.ResponseWriter, _ *http.Request) {
				writeJSON(w, map[string]any{"issuer": i.issuer()})
			})
		},
		"redirected for ever": func(i *testIssuer) {
			i.answer(keysPath, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, keysPath, http.StatusFound) })
		},
		"endless": func(i *testIssuer) {
			i.answer(keysPath, func(w http.ResponseWriter, r *http.Request) {
				chunk := []byte(strings.Repeat(" ", 64<<10))
				for r.Context().Err() == nil {
					if _, err := w.Write(chunk); err != nil {
						return
					}
				}
			})
		},
		"valid, but larger than 1 MiB": func(i *testIssuer) {
			i.answer(keysPath, func(w http.ResponseWriter, _ *http.Request) {
				writeJSON(w, map[string]any{"keys": []any{real.jwk()}})
				_, _ = w.Write([]byte(strings.Repeat(" ", 1<<20)))
			})
		},
		"only a weak key": func(i *testIssuer) { i.setKeys(jose.JSONWebKey{Key: weak.Public(), KeyID: "one", Use: "sig"}) },
		"no JSON": func(i *testIssuer) {
			i.answer(keysPath, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) })
		},
		"no key at all": func(i *testIssuer) { i.setKeys() },
		"only a shared secret": func(i *testIssuer) {
			i.setKeys(map[string]any{"kty": "oct", "kid": "one", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"})
		},
		"only for encryption": func(i *testIssuer) {
			i.setKeys(jose.JSONWebKey{Key: real.key.Public(), KeyID: "one", Use: "enc"})
		},
		"only a private key": func(i *testIssuer) { i.setKeys(jose.JSONWebKey{Key: real.key, KeyID: "one", Use: "sig"}) },
		"a hundred and one": func(i *testIssuer) {
			keys := make([]any, 101)
			for n := range keys {
				keys[n] = real.jwk()
			}
			i.setKeys(keys...)
		},
	} {
		server := newTestIssuer(t, real)
		prepare(server)
		_, err := server.authenticator(t, nil).Authenticate(context.Background(), real.token(t, server.issuer()))
		wantUnavailable(t, name, err)
	}
}

func TestKeysThatArePassedOver(t *testing.T) {
	real := ecSigner(t, "one")
	server := newTestIssuer(t)
	server.setKeys(map[string]any{"kty": "quantum", "kid": "later"},
		map[string]any{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "kid": "broken"}, 7, real.jwk())
	a := server.authenticator(t, nil)
	if _, err := a.Authenticate(context.Background(), real.token(t, server.issuer())); err != nil {
		t.Errorf("a good key among others: %v, %v", err, unwrap(err))
	}
}

func TestTokensWithoutKeyID(t *testing.T) {
	one, two := ecSigner(t, "one"), ecSigner(t, "two")
	claims := func(server *testIssuer) jwt.MapClaims {
		c := with("iss", server.issuer())
		c["aud"] = "almanac"
		return c
	}
	server := newTestIssuer(t, one)
	if _, err := server.authenticator(t, nil).Authenticate(context.Background(),
		sign(t, one.method, one.key, claims(server))); err != nil {
		t.Errorf("one key leaves no choice: %v", err)
	}
	server = newTestIssuer(t, one, two)
	caller, err := server.authenticator(t, nil).Authenticate(context.Background(),
		sign(t, one.method, one.key, claims(server)))
	wantRefused(t, "two keys leave a choice", caller, err)
}

func TestKeyWithAnAlgorithmTakesNoOther(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	server := newTestIssuer(t)
	server.setKeys(jose.JSONWebKey{Key: key.Public(), KeyID: "one", Algorithm: "PS256"})
	a := server.authenticator(t, nil)
	caller, err := a.Authenticate(context.Background(),
		signer{"one", jwt.SigningMethodRS256, key}.token(t, server.issuer()))
	wantRefused(t, "RS256 with a key for PS256", caller, err)
	if _, err := a.Authenticate(context.Background(),
		signer{"one", jwt.SigningMethodPS256, key}.token(t, server.issuer())); err != nil {
		t.Errorf("PS256: %v", err)
	}
}

// Many first requests at once make one fetch; a client that leaves does not spoil it for the others.
func TestWaitingForKeysTogether(t *testing.T) {
	real := ecSigner(t, "one")
	server := newTestIssuer(t, real)
	arrived, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	server.answer(keysPath, func(w http.ResponseWriter, _ *http.Request) {
		once.Do(func() { close(arrived) })
		<-release
		writeJSON(w, map[string]any{"keys": []any{real.jwk()}})
	})
	a := server.authenticator(t, nil)
	token := real.token(t, server.issuer())

	leaving, leave := context.WithCancel(context.Background())
	left := make(chan error, 1)
	go func() {
		_, err := a.Authenticate(leaving, token)
		left <- err
	}()
	<-arrived
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := a.Authenticate(context.Background(), token); err != nil {
				t.Errorf("a waiting request: %v", err)
			}
		})
	}
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) || model.CodeOf(err) == model.CodeUnauthenticated {
		t.Errorf("the one who left got %v", err)
	}
	close(release)
	wg.Wait()
	if server.fetched() != 1 {
		t.Errorf("%d fetches, want 1", server.fetched())
	}
}

// world is a transport for which every host on port 443 is one TLS server and every host on port 80 one plain server,
// so that a document that is asked for at the wrong place would be had there.
func world(t *testing.T, secure *httptest.Server, plain http.Handler) http.RoundTripper {
	t.Helper()
	open := httptest.NewServer(plain)
	t.Cleanup(open.Close)
	client, ok := secure.Client().Transport.(*http.Transport)
	if !ok {
		t.Fatal("another kind of transport")
	}
	transport := client.Clone()
	transport.DisableKeepAlives = true
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		target := open.Listener.Addr()
		if strings.HasSuffix(address, ":443") {
			target = secure.Listener.Addr()
		}
		return (&net.Dialer{}).DialContext(ctx, network, target.String())
	}
	return transport
}

// Whoever can answer in plain http on the way to the keys would decide who is let in.
func TestKeysOverPlainHTTPAreNotFetched(t *testing.T) {
	real := ecSigner(t, "one")
	const issuer = "https://example.com" // the name in the certificate of net/http/httptest
	for name, c := range map[string]struct {
		issuer, keys string
		ok           bool
	}{
		"https":                             {issuer, issuer + keysPath, true},
		"http keys of an https issuer":      {issuer, "http://example.com" + keysPath, false},
		"http keys on loopback":             {issuer, "http://127.0.0.1" + keysPath, false},
		"redirected to http":                {issuer, issuer + "/moved", false},
		"http issuer on loopback":           {"http://localhost", "http://localhost" + keysPath, true},
		"http keys of a loopback issuer":    {"http://localhost", "http://keys.example" + keysPath, false},
		"loopback issuer, redirected to it": {"http://localhost", "http://localhost/moved", false},
	} {
		i := &testIssuer{documents: map[string]http.HandlerFunc{}}
		i.rotate(real)
		i.answer(discoveryPath, func(w http.ResponseWriter, _ *http.Request) {
			writeJSON(w, map[string]any{"issuer": c.issuer, "jwks_uri": c.keys})
		})
		i.answer("/moved", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://mallory.example"+keysPath, http.StatusFound)
		})
		i.server = httptest.NewTLSServer(i)
		t.Cleanup(i.server.Close)
		a := mustNew(t, auth.Options{OIDCIssuer: c.issuer, Transport: world(t, i.server, i)})
		_, err := a.Authenticate(context.Background(), real.token(t, c.issuer))
		if c.ok && err != nil {
			t.Errorf("%s: %v, %v", name, err, unwrap(err))
		}
		if !c.ok {
			wantUnavailable(t, name, err)
			if i.fetched() != 0 {
				t.Errorf("%s: the keys were fetched", name)
			}
		}
	}
}

func TestPlainHTTPOnLoopbackOnly(t *testing.T) {
	real := ecSigner(t, "one")
	i := &testIssuer{documents: map[string]http.HandlerFunc{}}
	i.rotate(real)
	i.server = httptest.NewServer(i)
	t.Cleanup(i.server.Close)
	a := mustNew(t, auth.Options{OIDCIssuer: i.issuer()}) // with the transport of its own
	if _, err := a.Authenticate(context.Background(), real.token(t, i.issuer())); err != nil {
		t.Errorf("http on loopback: %v, %v", err, unwrap(err))
	}
}
