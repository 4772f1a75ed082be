package websets_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/websets"
)

// Addresses are equally long, tell nobody whose they are, and are known again by this server alone.
func TestAddresses(t *testing.T) {
	h := newScene(t, nil)
	seen, length := map[string]bool{}, 0
	for _, user := range []model.UserID{dana, noam, {}} {
		for range 20 {
			hook := h.ids.New()
			address, err := h.hooks.Address(t.Context(), user, hook)
			if err != nil {
				t.Fatal(err)
			}
			if length == 0 {
				length = len(address)
			}
			if len(address) != length || seen[address] ||
				!strings.HasPrefix(address, "https://almanac.example.com"+websets.PathHooks) {
				t.Errorf("%q, of %d characters", address, len(address))
			}
			seen[address] = true
			if got, ok := h.hooks.HookAt(user, address); !ok || got != hook {
				t.Errorf("the address is of %v, want %v", got, hook)
			}
			altered := address[:len(address)-4] + "AAAA"
			if altered == address {
				altered = address[:len(address)-4] + "BBBA"
			}
			for name, other := range map[string]string{
				"altered": altered, "cut": address[:len(address)-1], "nothing": "",
				"a folder": "https://almanac.example.com" + websets.PathHooks, "no address": "://",
			} {
				if _, ok := h.hooks.HookAt(user, other); ok {
					t.Errorf("%s: known", name)
				}
			}
			if _, ok := h.hooks.HookAt(model.UserIDOf("somebody"), address); ok {
				t.Error("another user's address is known as one's own")
			}
			id, owner := string(hook.AppendText(nil)), user.String()
			if strings.Contains(address, id) || user != (model.UserID{}) && strings.Contains(address, owner) {
				t.Errorf("%q tells whose it is", address)
			}
		}
	}
}

// A server that Exa cannot reach says so, unless Exa is on the same machine.
func TestWhereExaReaches(t *testing.T) {
	h := newScene(t, nil)
	for base, public := range map[string]bool{
		"https://almanac.example.com": true, "https://almanac.example.com:8443/below": true, "https://203.0.113.7": true,
		"http://almanac.example.com": false, "https://localhost:8080": false, "https://x.localhost": false,
		"https://127.0.0.1": false, "https://[::1]:80": false, "https://10.0.0.8": false, "https://192.168.1.2": false,
		"http://127.0.0.1:8080": false, "https://0.0.0.0": false, "https://169.254.169.254": false,
		"https://[fe80::1]": false, "https://[fd00::1]": false,
	} {
		parsed, err := url.Parse(base)
		if err != nil {
			t.Fatal(err)
		}
		hooks := *h.hooks
		hooks.Base = parsed
		for _, near := range []bool{false, true} {
			hooks.Account = func(context.Context, model.UserID) (websets.HookAccount, error) {
				return websets.HookAccount{Near: near}, nil
			}
			address, err := hooks.Address(t.Context(), dana, h.ids.New())
			switch {
			case public || near:
				if err != nil || !strings.HasPrefix(address, base+websets.PathHooks) {
					t.Errorf("%s, near %v: %q, %v", base, near, address, err)
				}
			case model.CodeOf(err) != model.CodeNotConfigured || !strings.Contains(err.Error(), "ALMANAC_PUBLIC_URL"):
				t.Errorf("%s: %v", base, err)
			}
		}
	}
	failed := errors.New("no store")
	h.hooks.Account = func(context.Context, model.UserID) (websets.HookAccount, error) {
		return websets.HookAccount{}, failed
	}
	if _, err := h.hooks.Address(t.Context(), dana, h.ids.New()); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
}

// A secret opens for its own webhook alone.
func TestSecrets(t *testing.T) {
	h := newScene(t, nil)
	id, other := h.ids.New(), h.ids.New()
	sealed, err := h.hooks.Seal(dana, id, "whsec_hush")
	if err != nil || strings.Contains(string(sealed), "hush") {
		t.Fatalf("%q, %v", sealed, err)
	}
	if secret, err := h.hooks.Open(dana, id, sealed); err != nil || secret != "whsec_hush" {
		t.Errorf("%q, %v", secret, err)
	}
	for name, open := range map[string]func() (string, error){
		"another webhook": func() (string, error) { return h.hooks.Open(dana, other, sealed) },
		"another user":    func() (string, error) { return h.hooks.Open(noam, id, sealed) },
		"nothing":         func() (string, error) { return h.hooks.Open(dana, id, nil) },
	} {
		if secret, err := open(); err == nil || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %q, %v", name, secret, err)
		}
	}
}
