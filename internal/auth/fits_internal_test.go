package auth

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"slices"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// Each key takes the algorithms of its kind and size, and no other one that is accepted.
func TestFits(t *testing.T) {
	for name, c := range map[string]struct {
		key  any
		want []string
	}{
		"RSA":     {&rsa.PublicKey{}, []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}},
		"P-256":   {&ecdsa.PublicKey{Curve: elliptic.P256()}, []string{"ES256"}},
		"P-384":   {&ecdsa.PublicKey{Curve: elliptic.P384()}, []string{"ES384"}},
		"P-521":   {&ecdsa.PublicKey{Curve: elliptic.P521()}, []string{"ES512"}},
		"Ed25519": {ed25519.PublicKey{}, []string{"EdDSA"}},
		"secret":  {[]byte("x"), nil},
	} {
		for _, algorithm := range issuerAlgorithms() {
			if got, want := fits(jose.JSONWebKey{Key: c.key}, algorithm), slices.Contains(c.want, algorithm); got != want {
				t.Errorf("%s and %s: %v", name, algorithm, got)
			}
		}
	}
}
