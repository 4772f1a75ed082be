package auth

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/sync/singleflight"

	"almanac/graph/model"
)

// How the issuer's keys are kept.
const (
	// keysFresh is how long fetched keys count without asking again, and so how long a key that the issuer has withdrawn
	// is still taken.
	keysFresh = time.Hour
	// keysUsable is how long they count when the issuer cannot be reached.
	keysUsable = 12 * time.Hour
	// fetchPause is the least time between two fetches: tokens with invented key ids must not turn this server into a
	// hammer. It is also how late a new key may be known.
	fetchPause = 10 * time.Second
	// fetchTimeout bounds one fetch: the discovery document and the keys.
	fetchTimeout = 5 * time.Second
	// maxFetched bounds each document, in bytes, and maxKeys the keys in it.
	maxFetched = 1 << 20
	maxKeys    = 100
	// maxRedirects bounds how far a document may be moved.
	maxRedirects = 3
)

// issuerAlgorithms are the signatures that are accepted (RFC 7518, 3.1; RFC 8037): those with a public key.
func issuerAlgorithms() []string {
	return []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
}

// issuerKeys are the public keys of an OpenID Connect issuer. They are fetched when the first token asks for one, kept,
// and fetched again when they are old or a token names a key that is not among them, which is how an issuer changes its
// keys (OpenID Connect Core 1.0, 10.1.1).
type issuerKeys struct {
	issuer string
	// loopback: the issuer is this machine, so plain http is right.
	loopback bool
	client   *http.Client
	now      func() time.Time
	logger   *slog.Logger

	flight singleflight.Group
	mu     sync.Mutex
	// keys, their time, what else the issuer says of itself, and the time and outcome of the last fetch, are guarded by
	// mu.
	keys      []jose.JSONWebKey
	described description
	fetchedAt time.Time
	triedAt   time.Time
	failure   error
	// version counts the fetches that have brought keys, which may be others.
	version atomic.Uint64
}

func newIssuerKeys(o Options) (*issuerKeys, error) {
	u, err := url.Parse(o.OIDCIssuer)
	if err != nil || u.Host == "" {
		return nil, errors.New("auth: the OIDC issuer is not an address")
	}
	k := &issuerKeys{issuer: o.OIDCIssuer, loopback: isLoopback(u.Hostname()), now: o.Now, logger: o.Logger}
	if k.logger == nil {
		k.logger = slog.New(slog.DiscardHandler)
	}
	if !k.allowed(u) {
		return nil, errors.New("auth: the OIDC issuer must be https; http only on a loopback host")
	}
	transport := o.Transport
	if transport == nil {
		transport = newTransport()
	}
	k.client = &http.Client{Transport: transport, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects || !k.allowed(r.URL) {
			return errors.New("redirected too often, or to an address that is not https")
		}
		return nil
	}}
	return k, nil
}

// newTransport keeps no connections: it is used once in an hour.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: fetchTimeout}).DialContext,
		TLSHandshakeTimeout:    fetchTimeout,
		ResponseHeaderTimeout:  fetchTimeout,
		MaxResponseHeaderBytes: 64 << 10,
		DisableKeepAlives:      true,
		ForceAttemptHTTP2:      true,
	}
}

// allowed reports whether keys may come from an address: what is fetched decides who is let in.
func (k *issuerKeys) allowed(u *url.URL) bool {
	return u.Scheme == "https" || (u.Scheme == "http" && k.loopback && isLoopback(u.Hostname()))
}

func isLoopback(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}

// find returns the keys that may have signed a token with that algorithm and key id; none is no error. The error is a
// *model.Error UPSTREAM_UNAVAILABLE when the keys cannot be had, or the context's.
func (k *issuerKeys) find(ctx context.Context, algorithm, keyID string) ([]jwt.VerificationKey, error) {
	keys, err := k.current(ctx)
	if err != nil {
		return nil, err
	}
	if found := matching(keys, algorithm, keyID); len(found) > 0 {
		return found, nil
	}
	if err := k.fetch(ctx); err != nil {
		return nil, k.unavailable(ctx, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return matching(k.keys, algorithm, keyID), nil
}

// current returns the keys, fetched anew when they are old. When that fails, old ones are used for a while.
func (k *issuerKeys) current(ctx context.Context) ([]jose.JSONWebKey, error) {
	k.mu.Lock()
	keys, age := k.keys, k.now().Sub(k.fetchedAt)
	k.mu.Unlock()
	if keys != nil && age < keysFresh {
		return keys, nil
	}
	if err := k.fetch(ctx); err != nil {
		if keys != nil && age < keysUsable && ctx.Err() == nil {
			return keys, nil
		}
		return nil, k.unavailable(ctx, err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.keys, nil
}

func (k *issuerKeys) unavailable(ctx context.Context, cause error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("wait for the issuer's keys: %w", err)
	}
	e := model.Errorf(model.CodeUpstreamUnavailable,
		"The login service cannot be asked now, so the token could not be checked. Try again.")
	e.Cause = cause
	return e
}

// fetch gets the keys, once for all who wait. Within fetchPause of the last time it returns that one's outcome.
func (k *issuerKeys) fetch(ctx context.Context) error {
	k.mu.Lock()
	sinceLast, failure := k.now().Sub(k.triedAt), k.failure
	k.mu.Unlock()
	if sinceLast >= 0 && sinceLast < fetchPause {
		return failure
	}
	// The fetch outlives the request that began it: others wait for it too.
	done := k.flight.DoChan("", func() (any, error) {
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
		defer cancel()
		keys, described, err := k.download(limited)
		if err != nil {
			k.logger.WarnContext(ctx, "the issuer's keys cannot be fetched", "issuer", k.issuer, "error", err)
		}
		k.mu.Lock()
		defer k.mu.Unlock()
		k.triedAt, k.failure = k.now(), err
		if err == nil {
			k.keys, k.described, k.fetchedAt = keys, described, k.triedAt
			k.version.Add(1)
		}
		return nil, err
	})
	select {
	case outcome := <-done:
		return outcome.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// description is what the issuer says of itself (OpenID Connect Discovery 1.0, 3).
type description struct {
	Issuer        string `json:"issuer"`
	Keys          string `json:"jwks_uri"`
	Authorization string `json:"authorization_endpoint"`
	Token         string `json:"token_endpoint"`
}

// download asks for the discovery document and for the keys it points to (OpenID Connect Discovery 1.0, 4).
func (k *issuerKeys) download(ctx context.Context) ([]jose.JSONWebKey, description, error) {
	var said description
	if err := k.getJSON(ctx, strings.TrimSuffix(k.issuer, "/")+"/.well-known/openid-configuration",
		&said); err != nil {
		return nil, said, fmt.Errorf("discovery document: %w", err)
	}
	if said.Issuer != k.issuer {
		return nil, said, fmt.Errorf("discovery document: it names the issuer %q", clip(said.Issuer))
	}
	keys, err := k.downloadKeys(ctx, said.Keys)
	return keys, said, err
}

func (k *issuerKeys) downloadKeys(ctx context.Context, address string) ([]jose.JSONWebKey, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := k.getJSON(ctx, address, &set); err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	if len(set.Keys) > maxKeys {
		return nil, fmt.Errorf("keys: there are more than %d", maxKeys)
	}
	keys := []jose.JSONWebKey{}
	for _, raw := range set.Keys {
		// A key that is not understood is passed over (RFC 7517, 5); an issuer may have kinds that came later.
		var key jose.JSONWebKey
		if json.Unmarshal(raw, &key) == nil && isSigningKey(key) {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("keys: there is none that signs")
	}
	return keys, nil
}

// check refuses an address from which nothing may be fetched.
func (k *issuerKeys) check(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || !k.allowed(u) {
		return errors.New("its address is not https")
	}
	return nil
}

func (k *issuerKeys) getJSON(ctx context.Context, address string, into any) error {
	if err := k.check(address); err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json")
	response, err := k.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // it was only read
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the answer was %d", response.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxFetched+1))
	if err != nil {
		return err
	}
	if len(body) > maxFetched {
		return errors.New("the answer is larger than 1 MiB")
	}
	if err := json.Unmarshal(body, into); err != nil {
		return errors.New("the answer is not the JSON that was expected")
	}
	return nil
}

// isSigningKey reports whether a key is public, strong enough and meant for signatures. Shared secrets and private
// keys, which have no place in a key set, are not.
func isSigningKey(key jose.JSONWebKey) bool {
	if (key.Use != "" && key.Use != "sig") || !key.Valid() {
		return false
	}
	switch public := key.Key.(type) {
	case *rsa.PublicKey:
		// Weaker is not accepted (RFC 7518, 3.3); larger only costs time.
		return public.N.BitLen() >= 2048 && public.N.BitLen() <= 8192
	case *ecdsa.PublicKey, ed25519.PublicKey:
		return true
	}
	return false
}

// matching returns the keys of that id that fit the algorithm. A token without a key id must leave no choice (OpenID
// Connect Core 1.0, 10.1), so nobody can make the server try a hundred keys.
func matching(keys []jose.JSONWebKey, algorithm, keyID string) []jwt.VerificationKey {
	const most = 4
	var found []jwt.VerificationKey
	for _, key := range keys {
		if (keyID == "" || key.KeyID == keyID) && (key.Algorithm == "" || key.Algorithm == algorithm) &&
			fits(key, algorithm) {
			found = append(found, key.Key)
		}
	}
	if (keyID == "" && len(found) > 1) || len(found) > most {
		return nil
	}
	return found
}

// fits reports whether a key is of the kind that the algorithm needs.
func fits(key jose.JSONWebKey, algorithm string) bool {
	switch public := key.Key.(type) {
	case *rsa.PublicKey:
		return strings.HasPrefix(algorithm, "RS") || strings.HasPrefix(algorithm, "PS")
	case *ecdsa.PublicKey:
		switch algorithm {
		case "ES256":
			return public.Curve.Params().BitSize == 256
		case "ES384":
			return public.Curve.Params().BitSize == 384
		case "ES512":
			return public.Curve.Params().BitSize == 521
		}
	case ed25519.PublicKey:
		return algorithm == "EdDSA"
	}
	return false
}
