package websets

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"

	"almanac/graph/model"
	"almanac/internal/seal"
)

// PathHooks is the folder, below the server's own address, in which webhooks are received: each has a name of its own
// in it.
const PathHooks = "/webhooks/exa/"

// columnSecret is what the ciphertext of a webhook's secret is bound to.
const columnSecret = "webset_hooks.secret"

// Hooks makes the addresses of webhooks that this server receives, and seals their secrets. Base and Box must be set.
// It is safe for goroutines.
type Hooks struct {
	// Base is where the remote reaches this server, without a slash at its end.
	Base *url.URL
	Box  *seal.Box
	// Account tells about the account that serves a user; must be set.
	Account func(ctx context.Context, user model.UserID) (HookAccount, error)
}

// HookAccount is what matters of an account to its webhooks.
type HookAccount struct {
	// Shared: others have things in it too, and its webhooks are told of those as well.
	Shared bool
	// Near: it is on this machine, so that any address of this server can be reached from there.
	Near bool
}

// hookName is what the last part of an address says.
type hookName struct {
	user model.UserID
	hook model.UUID
	// shared: the account that calls has others' things in it, as it was when the webhook was made.
	shared bool
}

// hookNameSize is how many bytes that is, and hookTextSize how many characters its ciphertext has.
const (
	hookNameSize = 16 + 16 + 1
	// a box adds 37 bytes, and base64 without padding has six bits in a character.
	hookTextSize = ((hookNameSize+37)*8 + 5) / 6
)

// namePlace is what names are sealed for. Whose they are is inside, since a call of the remote says nothing else.
func namePlace() seal.Place { return seal.Place{Column: "websets.hook"} }

// Address returns an address for a user's webhook, "https://almanac.example.com/webhooks/exa/…". All are equally long,
// none tells whose it is, and no two are alike, also for the same webhook. It is good for as long as the key is among
// the server's that it was made with. NOT_CONFIGURED when Exa could not reach this server; otherwise errors are those
// of Account.
func (h *Hooks) Address(ctx context.Context, user model.UserID, hook model.UUID) (string, error) {
	account, err := h.Account(ctx, user)
	if err != nil {
		return "", err
	}
	if !account.Near && !isPublic(h.Base) {
		return "", model.Errorf(model.CodeNotConfigured,
			"Exa tells public https addresses only, and this server has none. Set ALMANAC_PUBLIC_URL to one, or name another "+
				"address in input.url.")
	}
	name := hookName{user: user, hook: hook, shared: account.Shared}
	return h.Base.JoinPath(PathHooks, h.sealName(name)).String(), nil
}

// isPublic reports whether an address could be reached from elsewhere.
func isPublic(base *url.URL) bool {
	host := base.Hostname()
	ip := net.ParseIP(host)
	near := host == "localhost" || strings.HasSuffix(host, ".localhost") ||
		ip != nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified())
	return base.Scheme == "https" && !near
}

// HookAt returns the webhook of a user that an address is of; false for any that Address has not made for this user.
func (h *Hooks) HookAt(user model.UserID, address string) (hook model.UUID, ok bool) {
	parsed, err := url.Parse(address)
	if err != nil {
		return model.UUID{}, false
	}
	i := strings.LastIndex(parsed.Path, "/")
	name, ok := h.openName(parsed.Path[i+1:])
	if !ok || name.user != user {
		return model.UUID{}, false
	}
	return name.hook, true
}

// Seal returns the ciphertext of a webhook's secret, as the store keeps it. There is no error.
func (h *Hooks) Seal(user model.UserID, hook model.UUID, secret string) ([]byte, error) {
	return h.Box.Seal(secretPlace(user, hook), []byte(secret)), nil
}

// Open returns the secret back. An error when none of the server's keys opens it.
func (h *Hooks) Open(user model.UserID, hook model.UUID, sealed []byte) (string, error) {
	secret, err := h.Box.Open(secretPlace(user, hook), sealed)
	if err != nil {
		return "", fmt.Errorf("websets: %s: %w", columnSecret, err)
	}
	return string(secret), nil
}

func secretPlace(user model.UserID, hook model.UUID) seal.Place {
	return seal.Place{User: user, Row: hook, Column: columnSecret}
}

func (h *Hooks) sealName(name hookName) string {
	body := make([]byte, 0, hookNameSize)
	body = append(body, name.user[:]...)
	body = append(body, name.hook[:]...)
	mark := byte(0)
	if name.shared {
		mark = 1
	}
	return h.Box.SealText(namePlace(), append(body, mark))
}

// openName reads the last part of an address; false for any that sealName has not made. What it costs does not depend
// on the text.
func (h *Hooks) openName(text string) (hookName, bool) {
	if len(text) != hookTextSize {
		return hookName{}, false
	}
	body, err := h.Box.OpenText(namePlace(), text)
	if err != nil || len(body) != hookNameSize {
		return hookName{}, false
	}
	return hookName{user: model.UserID(body[:16]), hook: model.UUID(body[16:32]), shared: body[32] != 0}, true
}
