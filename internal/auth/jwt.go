package auth

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"almanac/graph/model"
)

// jwtVerifier checks JWTs of one issuer, or of one shared secret.
type jwtVerifier struct {
	// parser is pinned to the algorithms of the keys, so the token has no say in how it is checked (RFC 8725, 3.1).
	parser *jwt.Parser
	// issuer and audience are what the claims must name; empty asks nothing.
	issuer, audience string
	// keys returns what may have signed a token with that header.
	keys func(ctx context.Context, alg, keyID string) ([]jwt.VerificationKey, error)
	// version is another after each change of the keys.
	version func() uint64
	proofs  proofs
}

func newSecretVerifier(o Options) *jwtVerifier {
	secret := append([]byte(nil), o.JWTSecret...)
	return &jwtVerifier{
		parser: newParser(jwt.SigningMethodHS256.Alg()), issuer: o.JWTIssuer, audience: o.JWTAudience,
		keys: func(context.Context, string, string) ([]jwt.VerificationKey, error) {
			return []jwt.VerificationKey{secret}, nil
		},
		version: func() uint64 { return 0 }, proofs: newProofs(),
	}
}

func newIssuerVerifier(o Options, keys *issuerKeys) *jwtVerifier {
	return &jwtVerifier{parser: newParser(issuerAlgorithms()...), issuer: o.OIDCIssuer, audience: o.OIDCAudience,
		keys: keys.find, version: keys.version.Load, proofs: newProofs()}
}

// newParser leaves the claims to us: the same rules hold for every kind of JWT, and exp gets no leeway.
func newParser(algorithms ...string) *jwt.Parser {
	return jwt.NewParser(jwt.WithValidMethods(algorithms), jwt.WithStrictDecoding(), jwt.WithoutClaimsValidation())
}

// payload keeps the claims as they were signed, for parseClaims. The embedded claims stay empty; they only make it what
// the parser takes.
type payload struct {
	jwt.RegisteredClaims
	raw json.RawMessage
}

// UnmarshalJSON keeps the text.
func (p *payload) UnmarshalJSON(b []byte) error {
	p.raw = append(p.raw[:0], b...)
	return nil
}

// caller checks a token, unless its proof is kept.
func (v *jwtVerifier) caller(ctx context.Context, token string, now time.Time) (model.Caller, error) {
	sum, keys := sha256.Sum256([]byte(token)), v.version()
	if caller, ok := v.proofs.find(sum, keys, now); ok {
		return caller, nil
	}
	said, err := v.verify(ctx, token, now)
	caller := said.caller()
	if err == nil { // keys that were fetched for this token make the next one verify it again
		v.proofs.keep(sum, keys, now, caller)
		return caller, nil
	}
	return model.Caller{}, err
}

// verify checks a token. The claims are looked at before the signature, so that a token that could not pass anyway
// makes nobody fetch keys; nothing of them counts before the signature is found right.
func (v *jwtVerifier) verify(ctx context.Context, token string, now time.Time) (claims, error) {
	var said claims
	var unavailable error
	_, err := v.parser.ParseWithClaims(token, &payload{}, func(t *jwt.Token) (any, error) {
		if err := checkHeader(t.Header); err != nil {
			return nil, err
		}
		signed, ok := t.Claims.(*payload)
		if !ok {
			return nil, errors.New("claims of another type")
		}
		var err error
		if said, err = parseClaims(signed.raw); err != nil {
			return nil, err
		}
		if err := said.check(now, v.issuer, v.audience); err != nil {
			return nil, err
		}
		keyID, _ := t.Header["kid"].(string)
		keys, err := v.keys(ctx, t.Method.Alg(), keyID)
		if err != nil {
			unavailable = err
			return nil, err
		}
		return jwt.VerificationKeySet{Keys: keys}, nil
	})
	switch {
	case unavailable != nil:
		return claims{}, unavailable
	case err != nil:
		return claims{}, refuse(fmt.Errorf("JWT: %s", clipCause(err)))
	}
	return said, nil
}

// clipCause shortens a library's message, which may quote the token's header.
func clipCause(err error) string {
	const most = 200
	text := strings.ToValidUTF8(err.Error(), "\uFFFD")
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// checkHeader refuses what the parser lets pass: extensions that must be understood (RFC 7515, 4.1.11), and tokens
// that say they are of a kind that proves no caller, such as logout or event tokens (RFC 8725, 3.11).
func checkHeader(header map[string]any) error {
	if _, there := header["crit"]; there {
		return errors.New("the header has extensions that must be understood")
	}
	kind, there := header["typ"]
	if !there {
		return nil
	}
	text, _ := kind.(string)
	switch strings.TrimPrefix(strings.ToLower(text), "application/") {
	case "jwt", "at+jwt":
		return nil
	}
	return errors.New("a token of another type")
}
