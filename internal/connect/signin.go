package connect

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/httpapi/edge"
	"almanac/internal/markup"
	"almanac/internal/seal"
	"almanac/projections/fold"
	"almanac/projections/when"
)

// The addresses of signing in with a browser. The callback is what is registered at the issuer.
const (
	PathSignIn         = "/signin"
	PathSignInCallback = "/signin/callback"
	PathSignOut        = "/signout"
)

// signInTime is how long somebody may take to sign in at the issuer.
const signInTime = 10 * time.Minute

// stepSignIn is the place of what the browser keeps meanwhile.
const stepSignIn = "sign in"

// maxReturn bounds the path that is opened after signing in, in bytes.
const maxReturn = 1_000

// IdentityProvider is the OpenID Connect issuer; the contract is that of auth.Provider.
type IdentityProvider interface {
	Endpoints(ctx context.Context) (authorization, token string, err error)
	Verify(ctx context.Context, idToken, nonce string) (auth.Person, error)
}

// SessionKeeper begins and ends sessions; the contract is that of auth.Sessions.
type SessionKeeper interface {
	Begin(ctx context.Context, who auth.Person, from auth.Visit) (token string, ends time.Time, err error)
	End(ctx context.Context, token string, from auth.Visit) error
}

// SignIn signs people in with a browser, by the authorization code flow of OpenID Connect Core 1.0 (3.1) with PKCE (RFC
// 7636), and out. The session's token is given to the browser in a cookie that pages cannot read. Its fields are set
// before the first use.
type SignIn struct {
	Provider IdentityProvider
	Sessions SessionKeeper
	Box      *seal.Box
	// Base is where browsers reach the server.
	Base *url.URL
	// ClientID and ClientSecret are the server's client at the issuer; a public client has no secret.
	ClientID, ClientSecret string
	// HTTP asks the issuer's token endpoint; it must have bounds of time.
	HTTP   *http.Client
	Now    func() time.Time
	Logger *slog.Logger
}

// SessionCookie is the name of the cookie with the session's token. Over https it has the prefix that keeps neighbours
// from planting it (RFC 6265bis, 4.1.3.2).
func SessionCookie(base *url.URL) string { return cookiePrefix(base) + "almanac-session" }

// signedInMark is a cookie without a secret, by which the page knows that it can sign out.
const signedInMark = "almanac-signed-in"

func cookiePrefix(base *url.URL) string {
	if base.Scheme == "https" {
		return "__Host-"
	}
	return ""
}

// waiting is what a browser keeps between the two requests, encrypted.
type waiting struct {
	State    string `json:"s"`
	Nonce    string `json:"n"`
	Verifier string `json:"v"`
	Return   string `json:"r"`
	Ends     int64  `json:"e"`
}

// ServeHTTP serves the three addresses.
func (s *SignIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	locale, _ := when.ParseLocale(strings.Join(r.Header.Values("Accept-Language"), ", "))
	v := signInVisit{SignIn: s, w: w, r: r, texts: signInTextsOf(locale)}
	safeHeaders(w.Header()) // of redirects too
	method := http.MethodGet
	if r.URL.Path == PathSignOut {
		method = http.MethodPost
	}
	switch {
	case r.Method != method:
		w.Header().Set("Allow", method)
		v.fail(http.StatusMethodNotAllowed, v.texts.method)
	case r.URL.Path == PathSignIn:
		v.begin()
	case r.URL.Path == PathSignInCallback:
		v.finish()
	default:
		v.signOut()
	}
}

// signInVisit is one request with the words for its answer.
type signInVisit struct {
	*SignIn
	w     http.ResponseWriter
	r     *http.Request
	texts signInTexts
}

func (v signInVisit) config() (*oauth2.Config, error) {
	authorization, token, err := v.Provider.Endpoints(v.r.Context())
	if err != nil {
		return nil, err
	}
	style := oauth2.AuthStyleAutoDetect
	if v.ClientSecret == "" {
		style = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{
		ClientID: v.ClientID, ClientSecret: v.ClientSecret, Scopes: []string{"openid", "email"},
		RedirectURL: v.Base.JoinPath(PathSignInCallback).String(),
		Endpoint:    oauth2.Endpoint{AuthURL: authorization, TokenURL: token, AuthStyle: style},
	}, nil
}

// begin sends the browser to the issuer.
func (v signInVisit) begin() {
	config, err := v.config()
	if err != nil {
		v.failWith(err)
		return
	}
	w := waiting{State: rand.Text(), Nonce: rand.Text(), Verifier: oauth2.GenerateVerifier(),
		Return: v.localPath(v.r.URL.Query().Get("return")), Ends: v.Now().Add(signInTime).Unix()}
	kept, err := json.Marshal(w)
	if err != nil {
		v.failWith(err)
		return
	}
	v.setCookie(v.waitingCookie(), v.Box.SealText(seal.Place{Column: stepSignIn}, kept), signInTime, true)
	http.Redirect(v.w, v.r, config.AuthCodeURL(w.State, oauth2.SetAuthURLParam("nonce", w.Nonce),
		oauth2.S256ChallengeOption(w.Verifier)), http.StatusSeeOther)
}

// errForeign: the answer is not one to a question of this browser.
var errForeign = errors.New("not asked by this browser, or too long ago")

// finish takes the issuer's answer, and sets the cookie of the browser's session.
func (v signInVisit) finish() {
	w, err := v.waited()
	query := v.r.URL.Query()
	if err != nil || subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(w.State)) != 1 {
		v.fail(http.StatusBadRequest, v.texts.foreign)
		return
	}
	v.setCookie(v.waitingCookie(), "", -1, true) // good for one answer
	if refused := query.Get("error"); refused != "" {
		v.Logger.InfoContext(v.r.Context(), "the issuer has signed nobody in", "requestId", edge.RequestID(v.r.Context()),
			"reason", refused) // a word, or redacted
		v.fail(http.StatusForbidden, v.texts.refused)
		return
	}
	who, err := v.person(w, query.Get("code"))
	if err != nil {
		v.failWith(err)
		return
	}
	token, ends, err := v.Sessions.Begin(v.r.Context(), who, v.from())
	if err != nil {
		v.failWith(err)
		return
	}
	v.setCookie(SessionCookie(v.Base), token, ends.Sub(v.Now()), true)
	v.setCookie(signedInMark, "1", ends.Sub(v.Now()), false)
	http.Redirect(v.w, v.r, w.Return, http.StatusSeeOther)
}

// person exchanges the code for an ID token, and returns whom that is about.
func (v signInVisit) person(w waiting, code string) (auth.Person, error) {
	config, err := v.config()
	if err != nil {
		return auth.Person{}, err
	}
	ctx := context.WithValue(v.r.Context(), oauth2.HTTPClient, v.HTTP)
	tokens, err := config.Exchange(ctx, code, oauth2.VerifierOption(w.Verifier))
	if err != nil {
		return auth.Person{}, exchangeFailed(err)
	}
	idToken, _ := tokens.Extra("id_token").(string)
	return v.Provider.Verify(v.r.Context(), idToken, w.Nonce)
}

// exchangeFailed tells a code that the issuer refuses from an issuer that cannot answer. What the issuer wrote stays
// out of the log, since it may repeat what it was sent.
func exchangeFailed(err error) error {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok && refused.Response != nil &&
		refused.Response.StatusCode < http.StatusInternalServerError {
		e := model.Errorf(model.CodeUnauthenticated, "the issuer refuses the code")
		e.Cause = fmt.Errorf("token endpoint: %d", refused.Response.StatusCode)
		return e
	}
	e := model.Errorf(model.CodeUpstreamUnavailable, "the issuer cannot be asked")
	e.Cause = errors.New("token endpoint: no answer, or one that is not understood")
	return e
}

// signOut ends the session of the browser. Only the server's own page may ask for it.
func (v signInVisit) signOut() {
	if ofOtherPage(v.r) {
		v.fail(http.StatusForbidden, v.texts.foreign)
		return
	}
	if cookie, err := v.r.Cookie(SessionCookie(v.Base)); err == nil {
		if err := v.Sessions.End(v.r.Context(), cookie.Value, v.from()); err != nil {
			v.failWith(err)
			return
		}
	}
	v.setCookie(SessionCookie(v.Base), "", -1, true)
	v.setCookie(signedInMark, "", -1, false)
	v.w.WriteHeader(http.StatusNoContent)
}

// waited reads what the browser has kept.
func (v signInVisit) waited() (w waiting, err error) {
	cookie, err := v.r.Cookie(v.waitingCookie())
	if err != nil {
		return w, errForeign
	}
	raw, err := v.Box.OpenText(seal.Place{Column: stepSignIn}, cookie.Value)
	if err != nil || json.Unmarshal(raw, &w) != nil || w.State == "" || !v.Now().Before(time.Unix(w.Ends, 0)) {
		return waiting{}, errForeign
	}
	return w, nil
}

func (v signInVisit) waitingCookie() string { return cookiePrefix(v.Base) + "almanac-signin" }

// setCookie sets a cookie, or with a negative time takes it away. It is Lax, since the issuer's answer comes from
// another site.
func (v signInVisit) setCookie(name, value string, lasts time.Duration, hidden bool) {
	age := int(lasts / time.Second)
	if lasts < 0 {
		age = -1
	}
	http.SetCookie(v.w, &http.Cookie{ //nolint:gosec // G124: Secure is set for https; the mark holds no secret
		Name: name, Value: value, Path: "/", MaxAge: age, HttpOnly: hidden,
		Secure: v.Base.Scheme == "https", SameSite: http.SameSiteLaxMode,
	})
}

// from is what the audit log keeps of a visit.
func (v signInVisit) from() auth.Visit {
	hints := edge.HintsFrom(v.r)
	return auth.Visit{Client: fold.Head(fold.Clean(hints.Client), model.MaxClientName), Address: hints.Address}
}

// localPath returns a path of this origin, the home page's for everything else: "//example.com" and "/\\example.com"
// lead elsewhere.
func (s *SignIn) localPath(path string) string {
	u, err := url.Parse(path)
	if err != nil || len(path) > maxReturn || u.Scheme != "" || u.Host != "" || u.Opaque != "" ||
		!strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t") {
		return s.Base.JoinPath("/").Path
	}
	return path
}

// failWith answers an error; the cause of one that is the server's or the issuer's is logged.
func (v signInVisit) failWith(err error) {
	switch model.CodeOf(err) {
	case model.CodeUnauthenticated:
		v.Logger.InfoContext(v.r.Context(), "somebody could not be signed in", "requestId", edge.RequestID(v.r.Context()),
			"cause", causeOf(err))
		v.fail(http.StatusForbidden, v.texts.refused)
	default:
		v.Logger.ErrorContext(v.r.Context(), "nobody can sign in", "requestId", edge.RequestID(v.r.Context()), "cause",
			causeOf(err))
		v.w.Header().Set("Retry-After", "10")
		v.fail(http.StatusServiceUnavailable, v.texts.bad)
	}
}

// fail writes a page that says what went wrong and leads to another try.
func (v signInVisit) fail(status int, sentence string) {
	t := v.texts
	showPage(v.w, v.r, status, heading{t.lang, t.dir, t.failTitle}, policy(false), func(m *markup.Page) {
		m.Add("<p>%s</p>\n<p><a class=\"button\" href=\"%s\">%s</a></p>\n", sentence,
			v.Base.JoinPath(PathSignIn).String(), t.again)
	})
}

// signInTexts are the words of the page in one language.
type signInTexts struct {
	lang, dir                                       string
	failTitle, foreign, refused, bad, again, method string
}

func signInTextsOf(locale string) signInTexts {
	if locale == "he" {
		return signInTexts{lang: "he", dir: "rtl", failTitle: "הכניסה לא הצליחה",
			foreign: "התשובה הזאת אינה שייכת לכניסה שנפתחה בדפדפן הזה, או שעבר זמן רב מדי.",
			refused: "שירות הכניסה לא אישר אתכם, או שהגישה שלכם לשרת הזה הופסקה.",
			bad:     "אי אפשר לפנות אל שירות הכניסה כרגע. כדאי לנסות שוב בעוד רגע.",
			again:   "ניסיון נוסף", method: "אי אפשר להשתמש בכתובת הזאת בדרך הזאת."}
	}
	return signInTexts{lang: "en", dir: "ltr", failTitle: "Signing in did not work",
		foreign: "This answer does not belong to a sign-in that was begun in this browser, or it came too late.",
		refused: "The login service has not let you in, or your access to this server has been switched off.",
		bad:     "The login service cannot be asked at the moment. Try again in a moment.",
		again:   "Try again", method: "This address cannot be used in this way."}
}
