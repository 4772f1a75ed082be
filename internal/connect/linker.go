package connect

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/config"
	"almanac/internal/seal"
)

// The paths, below the server's own address.
const (
	PathStart    = "/connect/google"
	PathCallback = config.GoogleCallback
)

// Scopes that tell whose account it is. They are asked for beside every other: they need no verification by Google, and
// nothing that a calendar says of itself is sure to be its owner's address, since a primary calendar can be renamed.
const (
	ScopeOpenID = "openid"
	ScopeEmail  = "https://www.googleapis.com/auth/userinfo.email"
)

// CalendarScopes are the least that the calendar's operations need, or those that read.
func CalendarScopes(readOnly bool) []string {
	events := google.ScopeCalendarEvents
	if readOnly {
		events = google.ScopeCalendarEventsReadonly
	}
	return []string{events, google.ScopeCalendarList, google.ScopeFreeBusy}
}

// MailScopes are the least that the mailbox's operations need: one scope covers reading, labels, drafts and sending,
// and another one reading alone.
func MailScopes(readOnly bool) []string {
	if readOnly {
		return []string{google.ScopeGmailReadonly}
	}
	return []string{google.ScopeGmailModify}
}

// RedirectURI is where Google sends people back to; an operator registers it with Google.
func RedirectURI(base *url.URL) string { return base.JoinPath(PathCallback).String() }

// Store is what linking needs of the store.
type Store interface {
	store.ConnectionReader
	User(ctx context.Context, user model.UserID) (model.User, error)
	EraseEvents(ctx context.Context, user model.UserID, limit int) (more bool, err error)
	Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error
}

// Linker links accounts and unlinks them. It serves PathStart and PathCallback. It is safe for goroutines; its fields
// are set before it is used. Without OAuth.ClientID it is not configured: its pages say so, URL gives nothing, and what
// was linked before can still be disconnected.
type Linker struct {
	Store Store
	Box   *seal.Box
	// Base is the address under which browsers reach this server; a proxy that takes a path off it is fine.
	Base *url.URL
	// OAuth is the registration with Google, or with the stand-in. Its RedirectURL is RedirectURI(Base) when empty.
	OAuth google.OAuth
	// StandIn: OAuth is the stand-in's. Tokens of the stand-in never reach Google, nor the other way round.
	StandIn bool
	// Scopes are asked for when nothing else is said; those of calendars when nil.
	Scopes []string
	// LocalUser may link without a ticket, at a loopback name of this server; zero when there is none. Whoever sets it
	// answers for that only this machine can ask.
	LocalUser model.UserID
	// Demo returns tokens of the stand-in's demo account without a browser; only with StandIn.
	Demo *Demo
	// AfterLink, if there is one, is called in the transaction that links an account, or links it again, with its context:
	// what it writes there counts together with the link, and its error undoes it.
	AfterLink func(ctx context.Context, connection model.Connection) error
	// BeforeErase, if there is one, is called before a connection's tokens are erased, while they still work, with two
	// seconds of time: push channels can be closed. It may be called for several connections at once. Its error is only
	// logged.
	BeforeErase func(ctx context.Context, connection model.Connection) error

	NewID func() model.UUID
	Now   func() time.Time
	// Logger gets what was linked and what failed; nil gets nothing.
	Logger *slog.Logger
}

// Configured reports whether accounts can be linked.
func (l *Linker) Configured() bool { return l != nil && l.OAuth.ClientID != "" && l.Base != nil }

// Status is a connection's status as its user should see it: one made with the stand-in is of no use with Google
// itself, nor the other way round.
func (l *Linker) Status(connection model.Connection) model.ConnectionStatus {
	switch {
	case !l.Configured():
		return model.ConnectionNotConfigured
	case connection.StandIn != l.StandIn:
		return model.ConnectionExpired
	default:
		return connection.Status
	}
}

// Missing returns the scopes that are usually asked for and that a connection lacks, nil for none; ConnectURL asks for
// them.
func (l *Linker) Missing(connection model.Connection) []string {
	return google.Missing(connection.Scopes, useful(l.wanted(nil)))
}

// errNotConfigured is what every use of a linker that is not configured answers.
func errNotConfigured() *model.Error {
	return model.Errorf(model.CodeNotConfigured,
		"This server has no Google client, so no Google account can be linked. Its operator sets ALMANAC_GOOGLE_CLIENT_ID.")
}

// wanted returns the scopes to ask for: those named or the usual ones, and those that tell whose account it is.
func (l *Linker) wanted(scopes []string) []string {
	if len(scopes) == 0 {
		scopes = l.Scopes
	}
	if scopes == nil {
		scopes = CalendarScopes(false)
	}
	return slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(scopes), ScopeOpenID, ScopeEmail))))
}

// useful leaves out the scopes that only tell whose account it is.
func useful(scopes []string) []string {
	return slices.DeleteFunc(slices.Clone(scopes),
		func(scope string) bool { return scope == ScopeOpenID || scope == ScopeEmail })
}

func (l *Linker) oauth() google.OAuth {
	oauth := l.OAuth
	if oauth.RedirectURL == "" {
		oauth.RedirectURL = RedirectURI(l.Base)
	}
	if oauth.Now == nil {
		oauth.Now = l.Now
	}
	return oauth
}

func (l *Linker) logger() *slog.Logger {
	if l.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return l.Logger
}

// path returns one of the server's own paths as a browser must ask for it.
func (l *Linker) path(own string) string {
	if l.Base == nil {
		return own
	}
	return strings.TrimRight(l.Base.EscapedPath(), "/") + own
}

// maxForm bounds the body of a request and the texts in a query.
const maxForm = 8 << 10

// ServeHTTP answers PathStart (GET: the page that asks, POST: on to Google) and PathCallback (GET).
func (l *Linker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := l.visit(w, r)
	if len(r.URL.RawQuery) > maxForm {
		v.fail(failTicket)
		return
	}
	switch r.URL.Path {
	case PathStart:
		switch {
		case !v.allowed(http.MethodGet, http.MethodHead, http.MethodPost):
		case !l.Configured():
			v.fail(failNotConfigured)
		case r.Method == http.MethodPost:
			l.start(v)
		default:
			l.ask(v)
		}
	case PathCallback:
		switch {
		case !v.allowed(http.MethodGet): // not HEAD: a look must not use up the code
		case !l.Configured():
			v.fail(failNotConfigured)
		default:
			l.callback(v)
		}
	default:
		v.fail(failPath)
	}
}

// account brings an address into the form in which accounts are kept; "" when it is none.
func account(address string) string {
	const longest = 254 // RFC 5321, 4.5.3.1.3
	address = strings.ToLower(strings.TrimSpace(address))
	at := strings.LastIndexByte(address, '@')
	if at <= 0 || at == len(address)-1 || len(address) > longest ||
		strings.ContainsFunc(address, func(r rune) bool {
			return r == ' ' || !unicode.IsPrint(r) || r == '<' || r == '>' ||
				r == 0xFFFD
		}) {
		return ""
	}
	return address
}
