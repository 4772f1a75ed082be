package edge

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"almanac/graph/model"
)

// originsSetting is the setting that lets pages of other origins in.
const originsSetting = "ALMANAC_ALLOWED_ORIGINS"

// maxOrigin bounds an origin that is told: a host name has at most 253 characters (RFC 1035, section 2.3.4).
const maxOrigin = 280

// RefuseForeign returns the refusal of a request that a page of another site has caused. It names the page's origin and
// the setting that lets it in, and so does the log, since a browser hides the answer from the page and its developer
// looks there.
func RefuseForeign(ctx context.Context, log *slog.Logger, r *http.Request) *model.Error {
	origin := originOf(r)
	if origin == "" {
		return model.Errorf(model.CodeForbidden, "Requests that a page of another site causes are not served.")
	}
	log.WarnContext(ctx, "a page of another origin was refused", "requestId", RequestID(ctx), "origin", origin, "setting",
		originsSetting)
	return model.Errorf(model.CodeForbidden,
		"A page of %s has caused this request, and such pages are not let in. Whoever runs this server can let them in with "+
			"%s=%s.",
		origin, originsSetting, origin)
}

// originOf is the origin of the page that has caused a request, as the setting has it ("https://app.example.com"); ""
// when the request does not say it, or says one that cannot be let in.
func originOf(r *http.Request) string {
	address := r.Header.Get("Origin")
	if address == "" {
		address = r.Header.Get("Referer")
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return ""
	}
	origin := strings.ToLower(parsed.Scheme + "://" + parsed.Host)
	for _, c := range origin {
		if c != '-' && (c < '.' || c > ':') && (c < 'a' || c > 'z') && c != '[' && c != ']' {
			return ""
		}
	}
	if len(origin) > maxOrigin || len(r.Header.Values("Origin")) > 1 {
		return ""
	}
	return origin
}
