package auth

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"almanac/graph/model"
)

var proofsStart = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// counted is a verifier of HS256 tokens that counts how often it is asked for keys, with the token it accepts.
func counted(t *testing.T, expires time.Time) (v *jwtVerifier, token string, verified *int) {
	t.Helper()
	secret := []byte("a secret of more than thirty-two bytes")
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256,
		jwt.MapClaims{"sub": "dana", "exp": expires.Unix()}).SignedString(secret)
	if err != nil {
		t.Fatal(err)
	}
	v, verified = newSecretVerifier(Options{JWTSecret: secret}), new(int)
	find := v.keys
	v.keys = func(ctx context.Context, alg, keyID string) ([]jwt.VerificationKey, error) {
		*verified++
		return find(ctx, alg, keyID)
	}
	return v, token, verified
}

// A proof is kept for a minute, and no longer than its token.
func TestProofsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		expires, kept time.Duration
	}{
		"a minute":         {time.Hour, time.Minute},
		"the token's time": {30 * time.Second, 30 * time.Second},
	} {
		v, token, verified := counted(t, proofsStart.Add(c.expires))
		for _, at := range []time.Duration{0, time.Second, c.kept - time.Nanosecond} {
			caller, err := v.caller(t.Context(), token, proofsStart.Add(at))
			if err != nil || caller.Subject != "dana" || *verified != 1 {
				t.Errorf("%s, after %v: %+v, %v, verified %d times", name, at, caller, err, *verified)
			}
		}
		_, err := v.caller(t.Context(), token, proofsStart.Add(c.kept))
		if expired := c.expires == c.kept; expired != (err != nil) || !expired && *verified != 2 {
			t.Errorf("%s, at its end: %v, verified %d times", name, err, *verified)
		}
	}
}

// A clock that is set back proves again, since nbf and iat are held against it.
func TestProofsDoNotCountBefore(t *testing.T) {
	v, token, verified := counted(t, proofsStart.Add(time.Hour))
	for _, at := range []time.Duration{0, -time.Second} {
		if _, err := v.caller(t.Context(), token, proofsStart.Add(at)); err != nil {
			t.Fatal(err)
		}
	}
	if *verified != 2 {
		t.Errorf("verified %d times, want 2", *verified)
	}
}

func TestProofsEndWithTheirKeys(t *testing.T) {
	v, token, verified := counted(t, proofsStart.Add(time.Hour))
	var version uint64
	v.version = func() uint64 { return version }
	for want := 1; want < 4; want++ {
		for range 2 {
			if _, err := v.caller(t.Context(), token, proofsStart); err != nil || *verified != want {
				t.Errorf("keys %d: %v, verified %d times", version, err, *verified)
			}
		}
		version++
	}
	find := v.keys
	v.keys = func(ctx context.Context, alg, keyID string) ([]jwt.VerificationKey, error) {
		version++ // the keys change while the token is verified
		return find(ctx, alg, keyID)
	}
	for want := 4; want < 6; want++ {
		if _, err := v.caller(t.Context(), token, proofsStart); err != nil || *verified != want {
			t.Errorf("keys that change: %v, verified %d times, want %d", err, *verified, want)
		}
	}
}

// Nothing but a proof is kept, and a token that differs in one byte proves nothing.
func TestRefusalsAreNotKept(t *testing.T) {
	v, token, verified := counted(t, proofsStart.Add(time.Hour))
	if _, err := v.caller(t.Context(), token, proofsStart); err != nil {
		t.Fatal(err)
	}
	forged := token[:len(token)-2] + "AA"
	for range 2 {
		if caller, err := v.caller(t.Context(), forged, proofsStart); err == nil {
			t.Errorf("a forged token proves %+v", caller)
		}
	}
	if *verified != 3 || v.proofs.byToken.Len() != 1 {
		t.Errorf("verified %d times, %d kept", *verified, v.proofs.byToken.Len())
	}
}

func TestProofsAreBounded(t *testing.T) {
	p := newProofs()
	caller := model.Caller{Subject: "dana", ExpiresAt: proofsStart.Add(time.Hour)}
	key := func(i int) [sha256.Size]byte {
		return sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(i)))
	}
	for i := range maxProofs + 1 {
		p.keep(key(i), 0, proofsStart, caller)
	}
	_, oldest := p.find(key(0), 0, proofsStart)
	_, newest := p.find(key(maxProofs), 0, proofsStart)
	if p.byToken.Len() != maxProofs || oldest || !newest {
		t.Errorf("%d kept, the oldest %t, the newest %t", p.byToken.Len(), oldest, newest)
	}
}

// The scopes of a proof are shared; the one allocation is the bytes of the token, to be hashed.
func TestProofsAllocateOnce(t *testing.T) {
	v, token, _ := counted(t, proofsStart.Add(time.Hour))
	first, err := v.caller(t.Context(), token, proofsStart)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	var caller model.Caller
	allocated := testing.AllocsPerRun(100, func() { caller, err = v.caller(ctx, token, proofsStart) })
	if err != nil || allocated > 1 || !slices.Equal(first.Scopes, caller.Scopes) {
		t.Errorf("%v, %v allocations, %+v", err, allocated, caller)
	}
}
