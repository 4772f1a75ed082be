package publish

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"almanac/adapters/calfiles"
	"almanac/graph/model"
	"almanac/projections/ical"
)

// Prefix and Suffix are around the secret in an address.
const (
	Prefix = "/feeds/"
	Suffix = ".ics"
)

// Refresh is how often programs are asked to look for what is new.
const Refresh = 15 * time.Minute

// Publication is a calendar that is published.
type Publication struct {
	User model.UserID
	// Calendar is its number.
	Calendar int
	Form     model.CalendarForm
	// Version changes whenever anything may have changed that Render shows; empty when that is not known.
	Version string
}

// Source is where publications are kept.
type Source interface {
	// Publication returns what a secret opens, or NOT_FOUND. Secrets are compared by their hashes, in constant time.
	Publication(ctx context.Context, secret string) (Publication, error)
	// Render returns the calendar's heading and all its events; the heading's Form and Refresh are set by the handler.
	Render(ctx context.Context, p Publication) (ical.Heading, []ical.Event, error)
}

// Handler serves the addresses of publications. Its fields are set before the first use; it is safe for goroutines and
// must not be copied.
type Handler struct {
	Source Source
	// Spend counts a reading of a user's publications, and refuses it when there are too many; nil for no bound.
	Spend  func(user model.UserID) *model.Error
	Logger *slog.Logger

	once sync.Once
	// tags are the entity tags of what was served lately, by publication without its version.
	tags *lru.Cache[Publication, served]
}

// served is what was served of a publication.
type served struct{ version, tag string }

// maxTags is how many publications are remembered.
const maxTags = 10_000

// ServeHTTP answers with the calendar, with 304 when the client has it, and with 404 for any other address.
func (h *Handler) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	header := out.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Robots-Tag", "noindex")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(out, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	secret, ok := secretOf(r.URL.Path)
	if !ok {
		notFound(out)
		return
	}
	h.once.Do(func() { h.tags, _ = lru.New[Publication, served](maxTags) }) // fails for no size alone
	p, err := h.Source.Publication(r.Context(), secret)
	switch {
	case model.CodeOf(err) == model.CodeNotFound:
		notFound(out)
	case err != nil:
		h.failed(out, r, err)
	default:
		h.serve(out, r, p)
	}
}

// secretOf returns what an address has for a secret.
func secretOf(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, Prefix)
	secret, hasSuffix := strings.CutSuffix(rest, Suffix)
	return secret, ok && hasSuffix && len(secret) == calfiles.SecretLength
}

func (h *Handler) serve(out http.ResponseWriter, r *http.Request, p Publication) {
	header := out.Header()
	header.Set("Cache-Control", "private, no-cache") // to be kept by the reader alone, and asked for each time
	if h.Spend != nil {
		if busy := h.Spend(p.User); busy != nil {
			header.Set("Cache-Control", "no-store")
			header.Set("Retry-After", strconv.Itoa(int(busy.RetryAfter/time.Second)+1))
			http.Error(out, "this calendar is read too often", http.StatusTooManyRequests)
			return
		}
	}
	key := p
	key.Version = ""
	if known, ok := h.tags.Get(key); ok && p.Version != "" && known.version == p.Version &&
		h.unchanged(out, r, known.tag) {
		return
	}
	heading, events, err := h.Source.Render(r.Context(), p)
	if err != nil {
		h.failed(out, r, err)
		return
	}
	if heading.Form, heading.Refresh = ical.Full, Refresh; p.Form == model.CalendarBusy {
		heading.Form, heading.Description = ical.Busy, ""
	}
	text := ical.Write(heading, events)
	tag := tagOf(text)
	h.tags.Add(key, served{p.Version, tag})
	if h.unchanged(out, r, tag) {
		return
	}
	header.Set("Content-Type", "text/calendar; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(text)))
	header.Set("Content-Disposition", `inline; filename="calendar.ics"`)
	out.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		_, _ = out.Write(text) //nolint:gosec // text/calendar with nosniff: no browser runs it
	}
}

// tagOf makes an entity tag.
func tagOf(of []byte) string {
	sum := sha256.Sum256(of)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
}

// unchanged sets the tag, and answers with 304 when the client has it (RFC 9110, 13.1.2).
func (h *Handler) unchanged(out http.ResponseWriter, r *http.Request, tag string) bool {
	out.Header().Set("ETag", tag)
	for given := range strings.SplitSeq(strings.Join(r.Header.Values("If-None-Match"), ","), ",") {
		given = strings.TrimPrefix(strings.TrimSpace(given), "W/")
		if given == tag || given == "*" {
			out.WriteHeader(http.StatusNotModified)
			return true
		}
	}
	return false
}

func notFound(out http.ResponseWriter) {
	out.Header().Set("Cache-Control", "no-store")
	http.Error(out, "there is no calendar at this address", http.StatusNotFound)
}

// failed answers that the calendar cannot be had now. A program that follows it keeps what it has.
func (h *Handler) failed(out http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) {
		return // nobody is left to hear it
	}
	h.Logger.ErrorContext(r.Context(), "a published calendar could not be read", slog.String("error", model.CauseOf(err)))
	out.Header().Set("Cache-Control", "no-store")
	out.Header().Set("Retry-After", "60")
	http.Error(out, "the calendar cannot be read now", http.StatusServiceUnavailable)
}
