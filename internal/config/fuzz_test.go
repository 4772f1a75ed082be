package config

import (
	"strings"
	"testing"
)

// Whatever is set, loading ends, and what was meant as a secret shows in no message.
func FuzzLoad(f *testing.F) {
	f.Add("addr", "127.0.0.1:8080", "--demo")
	f.Add("database-url", "postgres://u:\x00@h", "--")
	f.Add("token-key", ",,,", "--token-key")
	f.Add("oidc-issuer", "https://[::1%25x]:1", "-=x")
	f.Add("time-zone", "../../x", "---")
	f.Add("data-dir", "~/\x00", "--help=")
	f.Fuzz(func(t *testing.T, name, value, arg string) {
		secret := "Sq7" + value + "Vz9"
		variables := []string{variableOf(name) + "=" + value, "ALMANAC_TOKEN_KEY=" + secret, "ALMANAC_DATABASE_URL=" + secret,
			"ALMANAC_JWT_SECRET=" + secret}
		config, err := loadTest([]string{arg}, variables...)
		text := strings.Join(config.Warnings, "\n")
		if err != nil {
			text += err.Error()
		}
		if strings.Contains(text, "Sq7") || strings.Contains(text, "Vz9") {
			t.Errorf("%q %q %q: the secret shows: %s", name, value, arg, text)
		}
		if err == nil && config.LocalUser && !loopbackAddr(config.Addr) {
			t.Errorf("%q %q %q: a local user on %s", name, value, arg, config.Addr)
		}
	})
}
