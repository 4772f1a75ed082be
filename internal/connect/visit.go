package connect

import (
	"crypto/sha256"
	_ "embed" // the style of the pages
	"encoding/base64"
	"errors"
	"net/http"
	"strings"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/internal/markup"
	"almanac/projections/when"
)

// failure is a reason why a page cannot do what it is for. Each has a sentence in every language.
type failure string

// The failures.
const (
	failTicket        failure = "ticket"
	failLate          failure = "late"
	failNoTicket      failure = "noTicket"
	failBrowser       failure = "browser"
	failUsed          failure = "used"
	failCode          failure = "code"
	failIdentity      failure = "identity"
	failLasting       failure = "lasting"
	failRejected      failure = "rejected"
	failUnavailable   failure = "unavailable"
	failOperator      failure = "operator"
	failFull          failure = "full"
	failNotConfigured failure = "notConfigured"
	failMethod        failure = "method"
	failPath          failure = "path"
	failInternal      failure = "internal"
)

// Error names the failure.
func (f failure) Error() string { return "connect: " + string(f) }

// status returns the code and the HTTP status of a failure.
func (f failure) status() (model.ErrorCode, int) {
	switch f {
	case failTicket, failLate, failUsed, failCode:
		return model.CodeConfirmationInvalid, http.StatusBadRequest
	case failBrowser:
		return model.CodeConfirmationInvalid, http.StatusForbidden
	case failNoTicket:
		return model.CodeUnauthenticated, http.StatusForbidden
	case failIdentity, failLasting, failRejected:
		return model.CodeUpstreamRejected, http.StatusBadGateway
	case failUnavailable:
		return model.CodeUpstreamUnavailable, http.StatusServiceUnavailable
	case failOperator:
		return model.CodeNotConfigured, http.StatusServiceUnavailable
	case failFull:
		return model.CodeConflict, http.StatusConflict
	case failNotConfigured:
		return model.CodeNotConfigured, http.StatusNotFound
	case failMethod:
		return model.CodeBadUserInput, http.StatusMethodNotAllowed
	case failPath:
		return model.CodeNotFound, http.StatusNotFound
	default:
		return model.CodeInternal, http.StatusInternalServerError
	}
}

// failureOf tells what an error of linking means to the person at the browser.
func failureOf(err error) failure {
	if own, ok := errors.AsType[failure](err); ok {
		return own
	}
	switch {
	case errors.Is(err, errNoLastingAccess):
		return failLasting
	case errors.Is(err, store.ErrConflict):
		return failFull
	}
	switch model.CodeOf(err) {
	case model.CodeUpstreamUnavailable, model.CodeUpstreamRateLimited, model.CodeTimeout:
		return failUnavailable
	case model.CodeNotConfigured:
		return failOperator
	case model.CodeUpstreamRejected, model.CodeNotConnected, model.CodeNotFound, model.CodeConflict:
		return failRejected
	default:
		return failInternal
	}
}

//go:embed page.css
var pageStyle string

// page is what a page shows. Texts may hold what others wrote.
type page struct {
	Title      string
	Paragraphs []string
	ListTitle  string
	List       []string
	Warning    string
	// Token and Button make the form that goes on to Google.
	Token, Button string
	// Retry is where the attempt can be begun anew.
	Retry string
	// Code is the error's; empty on pages of success.
	Code model.ErrorCode
}

// visit is one request with the words for its answer.
type visit struct {
	linker *Linker
	w      http.ResponseWriter
	r      *http.Request
	texts  *texts
	// attempt is what the request has proved to belong to, nil before that.
	attempt *attempt
}

func (l *Linker) visit(w http.ResponseWriter, r *http.Request) *visit {
	locale, _ := when.ParseLocale(strings.Join(r.Header.Values("Accept-Language"), ", "))
	return &visit{linker: l, w: w, r: r, texts: textsOf(locale)}
}

// from returns the visit as part of an attempt, so that its pages can offer to begin it anew.
func (v *visit) from(a attempt) *visit {
	known := *v
	known.attempt = &a
	return &known
}

func (v *visit) allowed(methods ...string) bool {
	for _, method := range methods {
		if v.r.Method == method {
			return true
		}
	}
	v.w.Header().Set("Allow", strings.Join(methods, ", "))
	v.fail(failMethod)
	return false
}

// failWith answers an error, and logs its cause when it is not the visitor's doing.
func (v *visit) failWith(err error) {
	if errors.Is(err, errNothingGranted) {
		v.show(http.StatusOK,
			page{Title: v.texts.nothingTitle, Paragraphs: []string{v.texts.nothingGranted}, Retry: v.retry()})
		return
	}
	f := failureOf(err)
	switch f {
	case failInternal, failOperator:
		v.linker.logger().ErrorContext(v.r.Context(), "a Google account could not be linked", "failure", string(f),
			"requestId", edge.RequestID(v.r.Context()), "cause", causeOf(err))
	case failTicket:
	default:
		v.linker.logger().WarnContext(v.r.Context(), "a Google account was not linked", "failure", string(f), "reason",
			google.Reason(err), "requestId", edge.RequestID(v.r.Context()), "cause", causeOf(err))
	}
	v.fail(f)
}

// causeOf returns the cause of an error that is made for a client.
func causeOf(err error) string {
	if shown, ok := errors.AsType[*model.Error](err); ok && shown.Cause != nil {
		return shown.Cause.Error()
	}
	return err.Error()
}

// fail answers a failure: a sentence, the code, and the ways back.
func (v *visit) fail(f failure) {
	code, status := f.status()
	v.show(status, page{Title: v.texts.failTitle, Paragraphs: v.sentences(f), Code: code, Retry: v.retry()})
}

// sentences are what went wrong and, when the visitor cannot begin anew from here, where to get a new link.
func (v *visit) sentences(f failure) []string {
	sentence := v.texts.failures[f]
	switch f {
	case failNotConfigured, failOperator, failMethod, failPath, failNoTicket, failFull:
		return []string{sentence}
	}
	if v.retry() == "" {
		return []string{sentence, v.texts.newLink}
	}
	return []string{sentence}
}

func (v *visit) retry() string {
	if v.attempt == nil {
		return ""
	}
	return v.linker.retry(*v.attempt)
}

// headers forbids everything that the answer does not need: no scripts, no frames, nothing kept, nothing told to the
// next site.
func (v *visit) headers() { safeHeaders(v.w.Header()) }

func safeHeaders(head http.Header) {
	head.Set("Cache-Control", "no-store")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("X-Frame-Options", "DENY")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
}

// policy is the Content-Security-Policy of a page. A page with the form lets it go on to https addresses: browsers hold
// form-action against every redirect after it, and Google may pass on to the sign-in of a company.
func policy(form bool) string {
	sum := sha256.Sum256([]byte(pageStyle))
	action := "'none'"
	if form {
		action = "'self' https:"
	}
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; form-action " +
		action + "; frame-ancestors 'none'; base-uri 'none'"
}

// show writes a page.
func (v *visit) show(status int, p page) {
	v.headers()
	head := v.w.Header()
	head.Set("Content-Security-Policy", policy(p.Token != ""))
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Language", v.texts.lang)
	head.Add("Vary", "Accept-Language")
	v.w.WriteHeader(status)
	_, _ = v.w.Write(v.html(p)) // nobody is left to hear that it cannot be written
}

// html writes out a page in the visitor's language.
func (v *visit) html(p page) []byte {
	t := v.texts
	m := markup.New(t.lang, t.dir, p.Title+" · Almanac", pageStyle)
	m.Add("<p class=\"brand\">Almanac</p>\n<h1>%s</h1>\n", p.Title)
	for _, text := range p.Paragraphs {
		m.Add("<p>%s</p>\n", text)
	}
	if len(p.List) > 0 {
		m.Add("<p>%s</p>\n<ul>\n", p.ListTitle)
		for _, text := range p.List {
			m.Add("<li>%s</li>\n", text)
		}
		m.Add("</ul>\n")
	}
	if p.Warning != "" {
		m.Add("<p class=\"warning\">%s</p>\n", p.Warning)
	}
	if p.Token != "" {
		m.Add(`<form method="post" action="%s">
<input type="hidden" name="form" value="%s">
<button type="submit">%s</button>
</form>
`, v.linker.path(PathStart), p.Token, p.Button)
	}
	if p.Retry != "" {
		m.Add("<p><a class=\"button\" href=\"%s\">%s</a></p>\n", p.Retry, t.retry)
	}
	if p.Code != "" {
		m.Add(`<p class="code">%s <code dir="ltr">%s</code>`, t.code, string(p.Code))
		if id := edge.RequestID(v.r.Context()); id != "" {
			m.Add(` · <code dir="ltr">%s</code>`, id)
		}
		m.Add("</p>\n")
	}
	m.Add("<p><a href=\"%s\">%s</a></p>\n", v.linker.path("/"), t.home)
	return m.Bytes()
}
