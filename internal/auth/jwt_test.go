package auth_test

import (
	"context"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
)

// emptyKeyToken is {"alg":"HS256"}.{"sub":"dana","exp":9999999999} under an HMAC with no key at all.
const emptyKeyToken = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkYW5hIiwiZXhwIjo5OTk5OTk5OTk5fQ." +
	"XmwD92nXMQvQ5pPWrPgLJ6C7NmYuKIUituvvFpl3F_Y"

func hs256() jwt.SigningMethod { return jwt.SigningMethodHS256 }

// raw makes a token of a header and claims as they are written, signed with the secret.
func raw(t testing.TB, header, claims string) string {
	t.Helper()
	body := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." +
		base64.RawURLEncoding.EncodeToString([]byte(claims))
	signature, err := jwt.SigningMethodHS256.Sign(body, secret)
	if err != nil {
		t.Fatal(err)
	}
	return body + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func TestJWT(t *testing.T) {
	a := mustNew(t, auth.Options{JWTSecret: secret})
	claims := goodClaims()
	claims["email"] = "dana@example.com"
	caller, err := a.Authenticate(context.Background(), sign(t, hs256(), secret, claims))
	want := model.Caller{UserID: model.UserIDOf("dana"), Subject: "dana", Email: "dana@example.com",
		Scopes: []model.Scope{"READ", "WRITE"}, ExpiresAt: start.Add(time.Hour)}
	if err != nil || !reflect.DeepEqual(caller, want) {
		t.Errorf("got  %+v, %v\nwant %+v", caller, err, want)
	}
}

func TestJWTsThatPass(t *testing.T) {
	a := mustNew(t, auth.Options{JWTSecret: secret})
	for name, token := range map[string]string{
		"nbf within the leeway": sign(t, hs256(), secret, with("nbf", start.Add(time.Minute).Unix())),
		"iat within the leeway": sign(t, hs256(), secret, with("iat", start.Add(time.Minute).Unix())),
		"no iat":                sign(t, hs256(), secret, without("iat")),
		"exp with a fraction":   sign(t, hs256(), secret, with("exp", float64(start.Unix())+0.5)),
		"sub in Hebrew":         sign(t, hs256(), secret, with("sub", "דנה כהן")),
		"the longest sub":       sign(t, hs256(), secret, with("sub", strings.Repeat("x", 255))),
		"typ JWT":               sign(t, hs256(), secret, goodClaims(), "typ", "jwt"),
		"typ at+jwt":            sign(t, hs256(), secret, goodClaims(), "typ", "application/at+jwt"),
		"no typ":                raw(t, `{"alg":"HS256"}`, `{"sub":"dana","exp":1800000000}`),
		"a kid":                 sign(t, hs256(), secret, goodClaims(), "kid", "../../etc/passwd"),
		"any issuer":            sign(t, hs256(), secret, with("iss", "somebody")),
		"any audience":          sign(t, hs256(), secret, with("aud", []string{"a", "b"})),
	} {
		if caller, err := a.Authenticate(context.Background(), token); err != nil || caller.Subject == "" {
			t.Errorf("%s: %+v, %v, %v", name, caller, err, unwrap(err))
		}
	}
}

func unwrap(err error) error {
	if shown, ok := err.(*model.Error); ok { //nolint:errorlint // only to print it
		return shown.Cause
	}
	return nil
}

// spareBit changes one of the two bits that 43 characters have more than 32 bytes.
func spareBit(c byte) string {
	const symbols = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	return string(symbols[strings.IndexByte(symbols, c)^1])
}

func TestHostileJWTs(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	good := sign(t, hs256(), secret, goodClaims())
	parts := strings.Split(good, ".")
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`))
	object := `{"sub":"dana","exp":1800000000}`
	a := mustNew(t, auth.Options{JWTSecret: secret})
	for name, token := range map[string]string{
		"alg none":                  none + "." + parts[1] + ".",
		"alg none with a signature": none + "." + parts[1] + "." + parts[2],
		"alg None": base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"None"}`)) + "." + parts[1] +
			".",
		"alg none by the library":       sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, goodClaims()),
		"alg as a list":                 raw(t, `{"alg":["HS256"]}`, object),
		"no alg":                        raw(t, `{}`, object),
		"alg hs256":                     raw(t, `{"alg":"hs256"}`, object),
		"HS384 with the right secret":   sign(t, jwt.SigningMethodHS384, secret, goodClaims()),
		"HS512 with the right secret":   sign(t, jwt.SigningMethodHS512, secret, goodClaims()),
		"RS256":                         sign(t, jwt.SigningMethodRS256, rsaKey, goodClaims()),
		"RS256 that is signed by HS256": raw(t, `{"alg":"RS256"}`, object),
		"wrong secret":                  sign(t, hs256(), []byte("another secret of the same length......"), goodClaims()),
		"empty secret":                  emptyKeyToken,
		"no signature":                  parts[0] + "." + parts[1] + ".",
		"half a signature":              good[:len(good)-20],
		"signature of another token": strings.Join(strings.Split(sign(t, hs256(), secret, with("sub", "mallory")),
			".")[:2], ".") + "." + parts[2],
		"padded signature":            good + "=",
		"spare bits in the signature": good[:len(good)-1] + spareBit(good[len(good)-1]),
		"four parts":                  good + ".x",
		"two parts":                   parts[0] + "." + parts[1],
		"dots":                        "..",
		"many dots":                   strings.Repeat(".", 10_000),
		"not base64":                  "!!." + parts[1] + "." + parts[2],
		"JSON serialisation": `{"payload":"` + parts[1] + `","protected":"` + parts[0] + `","signature":"` +
			parts[2] + `"}`,
		"huge": sign(t, hs256(), secret, with("padding", strings.Repeat("x", 20_000))),
		"deep": raw(t, `{"alg":"HS256"}`,
			`{"a":`+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+`}`),
		"crit":                           raw(t, `{"alg":"HS256","crit":["b64"],"b64":false}`, object),
		"empty crit":                     raw(t, `{"alg":"HS256","crit":[]}`, object),
		"a logout token":                 sign(t, hs256(), secret, goodClaims(), "typ", "logout+jwt"),
		"typ of another type":            raw(t, `{"alg":"HS256","typ":7}`, object),
		"header is no object":            raw(t, `[]`, object),
		"claims are null":                raw(t, `{"alg":"HS256"}`, `null`),
		"claims are a list":              raw(t, `{"alg":"HS256"}`, `[]`),
		"claims are not JSON":            raw(t, `{"alg":"HS256"}`, `{"sub":"dana"`),
		"bytes after the claims":         raw(t, `{"alg":"HS256"}`, object+`{}`),
		"expired just now":               sign(t, hs256(), secret, with("exp", start.Unix())),
		"expired within the leeway":      sign(t, hs256(), secret, with("exp", start.Add(-time.Second).Unix())),
		"no exp":                         sign(t, hs256(), secret, without("exp")),
		"exp null":                       sign(t, hs256(), secret, with("exp", nil)),
		"exp a text":                     sign(t, hs256(), secret, with("exp", "9999999999")),
		"exp negative":                   sign(t, hs256(), secret, with("exp", -1)),
		"exp beyond time":                raw(t, `{"alg":"HS256"}`, `{"sub":"dana","exp":1e300}`),
		"exp beyond numbers":             raw(t, `{"alg":"HS256"}`, `{"sub":"dana","exp":1e999}`),
		"exp under another name":         raw(t, `{"alg":"HS256"}`, `{"sub":"dana","EXP":1800000000}`),
		"not yet valid":                  sign(t, hs256(), secret, with("nbf", start.Add(61*time.Second).Unix())),
		"issued in the future":           sign(t, hs256(), secret, with("iat", start.Add(61*time.Second).Unix())),
		"no sub":                         sign(t, hs256(), secret, without("sub")),
		"empty sub":                      sign(t, hs256(), secret, with("sub", "")),
		"sub a number":                   sign(t, hs256(), secret, with("sub", 7)),
		"sub a list":                     sign(t, hs256(), secret, with("sub", []string{"dana"})),
		"sub too long":                   sign(t, hs256(), secret, with("sub", strings.Repeat("x", 256))),
		"sub with NUL":                   sign(t, hs256(), secret, with("sub", "dana\x00")),
		"sub with a line end":            sign(t, hs256(), secret, with("sub", "dana\n")),
		"sub with a bidi mark":           sign(t, hs256(), secret, with("sub", "dana\u202e")),
		"sub with spaces around":         sign(t, hs256(), secret, with("sub", " dana")),
		"sub of the local user":          sign(t, hs256(), secret, with("sub", "local")),
		"sub under another name":         raw(t, `{"alg":"HS256"}`, `{"Sub":"dana","exp":1800000000}`),
		"scope of the wrong type":        sign(t, hs256(), secret, with("scope", 7)),
		"aud of the wrong type":          sign(t, hs256(), secret, with("aud", 7)),
		"the secret itself":              string(secret),
		"an API token's prefix on a JWT": "almanac_" + good,
	} {
		caller, err := a.Authenticate(context.Background(), token)
		wantRefused(t, name, caller, err)
		if cause := unwrap(err); cause == nil || len(cause.Error()) > 400 || strings.Contains(cause.Error(), parts[2][:20]) {
			t.Errorf("%s: the cause for the log is %v", name, cause)
		}
	}
}

// The classic confusion: the issuer's public key, which everybody has, taken for a shared secret.
func TestPublicKeyIsNoSecret(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(rsaKey.Public())
	if err != nil {
		t.Fatal(err)
	}
	asPEM := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	server := newTestIssuer(t, signer{"one", jwt.SigningMethodRS256, rsaKey})
	a := mustNew(t, auth.Options{OIDCIssuer: server.issuer(), Transport: server.transport()})
	for name, key := range map[string][]byte{"PEM": asPEM, "DER": der, "modulus": rsaKey.N.Bytes()} {
		claims := with("iss", server.issuer())
		caller, err := a.Authenticate(context.Background(), sign(t, hs256(), key, claims, "kid", "one"))
		wantRefused(t, name, caller, err)
	}
	var _ crypto.PublicKey = rsaKey.Public()
}

// A claim that a person may choose must not replace one that only the issuer sets.
func TestNamesOfClaimsAreExact(t *testing.T) {
	a := mustNew(t, auth.Options{JWTSecret: secret})
	token := raw(t, `{"alg":"HS256"}`,
		`{"sub":"dana","exp":1800000000,"Sub":"mallory","SUB":"mallory","Scope":"read write send"}`)
	caller, err := a.Authenticate(context.Background(), token)
	if err != nil || caller.Subject != "dana" || caller.May(model.ScopeSend) {
		t.Errorf("got %+v, %v", caller, err)
	}
}

func TestIssuerAndAudienceOfHS256(t *testing.T) {
	a := mustNew(t, auth.Options{JWTSecret: secret, JWTIssuer: "https://login.example", JWTAudience: "almanac"})
	token := func(issuer, audience any) string {
		claims := with("iss", issuer)
		claims["aud"] = audience
		return sign(t, hs256(), secret, claims)
	}
	for name, text := range map[string]string{"one": token("https://login.example", "almanac"),
		"among several": token("https://login.example", []string{"x", "almanac"})} {
		if _, err := a.Authenticate(context.Background(), text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string]string{
		"wrong issuer":   token("https://login.example/", "almanac"),
		"wrong audience": token("https://login.example", []string{"x", "almanac2"}),
		"empty list":     token("https://login.example", []string{}), "case": token("https://login.example", "Almanac"),
		"neither": sign(t, hs256(), secret, goodClaims()),
	} {
		caller, err := a.Authenticate(context.Background(), text)
		wantRefused(t, name, caller, err)
	}
}

func TestScopesOfJWTs(t *testing.T) {
	a := mustNew(t, auth.Options{JWTSecret: secret})
	for _, c := range []struct {
		name   string
		claims map[string]any
		want   string
	}{
		{"nothing said", nil, "READ WRITE"},
		{"only OpenID's own", map[string]any{"scope": "openid profile email offline_access"}, "READ WRITE"},
		{"read", map[string]any{"scope": "read"}, "READ"},
		{"ours among OpenID's", map[string]any{"scope": "openid read"}, "READ"},
		{"all, in any case", map[string]any{"scope": "Send WRITE read"}, "READ WRITE SEND"},
		{"with a prefix", map[string]any{"scope": "almanac:read almanac.send"}, "READ SEND"},
		{"a list under scp", map[string]any{"scp": []string{"read", "send"}}, "READ SEND"},
		{"a text under scp", map[string]any{"scp": "write"}, "WRITE"},
		{"a list under scopes", map[string]any{"scopes": []string{"READ"}}, "READ"},
		{"scope goes before scp and scopes", map[string]any{"scope": "read", "scp": "write", "scopes": []string{"send"}},
			"READ"},
		{"said, but empty", map[string]any{"scope": ""}, ""},
		{"said, but an empty list", map[string]any{"scopes": []string{}}, ""},
		{"for something else", map[string]any{"scope": "calendar.readonly"}, ""},
		{"for something else, beside OpenID's", map[string]any{"scope": "openid calendar.readonly"}, ""},
		{"almost ours", map[string]any{"scope": "reader read:all xread"}, ""},
	} {
		claims := goodClaims()
		for name, value := range c.claims {
			claims[name] = value
		}
		caller, err := a.Authenticate(context.Background(), sign(t, hs256(), secret, claims))
		var got []string
		for _, scope := range caller.Scopes {
			got = append(got, string(scope))
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestEmailOfJWTs(t *testing.T) {
	a := mustNew(t, auth.Options{JWTSecret: secret})
	for _, c := range []struct {
		email, verified any
		want            string
	}{
		{"dana@example.com", nil, "dana@example.com"},
		{"dana@example.com", true, "dana@example.com"},
		{"dana@example.com", "true", "dana@example.com"},
		{"dana@example.com", false, ""},
		{"dana@example.com", "false", ""},
		{7, nil, ""},
		{"dana", nil, ""},
		{"@example.com", nil, ""},
		{"Dana <dana@example.com>", nil, ""},
		{"dana@example.com\r\nBcc: x@y", nil, ""},
		{strings.Repeat("x", 250) + "@example.com", nil, ""},
	} {
		claims := with("email", c.email)
		if c.verified != nil {
			claims["email_verified"] = c.verified
		}
		if caller, err := a.Authenticate(context.Background(), sign(t, hs256(), secret, claims)); err != nil ||
			caller.Email != c.want {
			t.Errorf("%v, verified %v: got %q, %v; want %q", c.email, c.verified, caller.Email, err, c.want)
		}
	}
}

func TestJWTsEndByTheInjectedClock(t *testing.T) {
	c := clock.NewManual(start)
	a := mustNew(t, auth.Options{JWTSecret: secret, Now: c.Now})
	token := sign(t, hs256(), secret, goodClaims())
	for _, step := range []struct {
		at time.Duration
		ok bool
	}{{time.Hour - time.Second, true}, {time.Hour, false}, {-59 * time.Second, true}, {-61 * time.Second, false}} {
		c.Set(start.Add(step.at))
		if _, err := a.Authenticate(context.Background(), token); step.ok != (err == nil) {
			t.Errorf("at %v: %v", step.at, err)
		}
	}
}
