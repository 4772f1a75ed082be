package google

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// authorization is a request for consent (RFC 6749, 4.1.1; RFC 7636, 4.3).
type authorization struct {
	redirectURI string
	state       string
	scopes      []string
	challenge   string
	plain       bool
	offline     bool
	// consent asks the person again, and so gives a refresh token again.
	consent bool
	// silent must not show a page.
	silent bool
	// incremental adds what was granted before.
	incremental bool
	hint        string
}

// refusal is a fault of the request for which nobody may be sent back: the person is told instead (RFC 6749, 4.1.2.1).
type refusal struct {
	status int
	name   string
	text   string
}

// consent is the page on which a person lets an application in, and what becomes of the answer.
func (s *Server) consent(w *seen, r *http.Request) {
	w.method = "oauth.auth"
	if s.befall(w, r) {
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
		w.Header().Set("Allow", "GET, HEAD, POST")
		writePage(w, http.StatusMethodNotAllowed, "The request method is inappropriate for the URL.")
		return
	}
	query := r.URL.Query()
	asked, refused := s.readAuthorization(query)
	if refused != nil {
		s.showRefusal(w, r, *refused)
		return
	}
	if asked.silent { // nobody is signed in here, so a page would be needed
		sendBack(w, asked, url.Values{"error": {"interaction_required"}})
		return
	}
	if r.Method != http.MethodPost {
		s.showConsent(w, r, asked, query)
		return
	}
	if s.origin.Check(r) != nil { // a page of somebody else must not press the button
		writePage(w, http.StatusForbidden, "The form was sent from another site.")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if r.ParseForm() != nil {
		writePage(w, http.StatusBadRequest, "The form cannot be read.")
		return
	}
	s.decide(w, r, asked)
}

// readAuthorization checks the request in the order in which trust grows: the client, where it wants to be answered,
// then the rest.
func (s *Server) readAuthorization(q url.Values) (authorization, *refusal) {
	asked := authorization{
		redirectURI: q.Get("redirect_uri"), state: q.Get("state"), challenge: q.Get("code_challenge"),
		offline: q.Get("access_type") == "offline", incremental: q.Get("include_granted_scopes") == "true",
		hint:   strings.ToLower(q.Get("login_hint")),
		scopes: merge(nil, strings.Fields(q.Get("scope"))),
	}
	bad := func(name, text string) (authorization, *refusal) {
		return asked, &refusal{status: http.StatusBadRequest, name: name, text: text}
	}
	switch {
	case q.Get("client_id") == "":
		return bad("invalid_request", "Missing required parameter: client_id")
	case s.client.ID == "" || q.Get("client_id") != s.client.ID:
		return asked, &refusal{status: http.StatusUnauthorized, name: "invalid_client",
			text: "The OAuth client was not found."}
	case asked.redirectURI == "":
		return bad("invalid_request", "Missing required parameter: redirect_uri")
	case !slices.Contains(s.client.RedirectURIs, asked.redirectURI):
		return bad("redirect_uri_mismatch",
			"The redirect URI in the request does not match the ones authorized for the OAuth client.")
	case q.Get("response_type") == "":
		return bad("invalid_request", "Missing required parameter: response_type")
	case q.Get("response_type") != "code":
		return bad("unsupported_response_type", "Only the response type \"code\" is served here.")
	case len(asked.scopes) == 0:
		return bad("invalid_request", "Missing required parameter: scope")
	}
	for _, scope := range asked.scopes {
		if !s.knowsScope(scope) {
			return bad("invalid_scope", "Some requested scopes were invalid: "+clip(scope))
		}
	}
	for _, prompt := range strings.Fields(q.Get("prompt")) {
		switch prompt {
		case "consent":
			asked.consent = true
		case "none":
			asked.silent = true
		case "select_account":
		default:
			return bad("invalid_request", "Invalid parameter value for prompt.")
		}
	}
	switch method := q.Get("code_challenge_method"); {
	case asked.challenge == "" && method != "":
		return bad("invalid_request", "code_challenge_method is given without code_challenge.")
	case method == "S256" || asked.challenge == "":
	case method == "plain" || method == "":
		asked.plain = true
	default:
		return bad("invalid_request", "Invalid parameter value for code_challenge_method.")
	}
	if n := len(asked.challenge); n > 0 && (n < 43 || n > 128) {
		return bad("invalid_request", "Invalid parameter value for code_challenge.")
	}
	return asked, nil
}

// signInScopes are known without any API.
var signInScopes = []string{"openid", "email", "profile", userInfoScope + "email", userInfoScope + "profile"}

func (s *Server) knowsScope(scope string) bool {
	if slices.Contains(signInScopes, scope) {
		return true
	}
	for _, service := range s.services {
		for _, m := range service.Document().Methods {
			if slices.Contains(m.Scopes, scope) {
				return true
			}
		}
	}
	return false
}

// decide acts on what the person chose.
func (s *Server) decide(w *seen, r *http.Request, asked authorization) {
	email := strings.ToLower(r.PostForm.Get("account"))
	if r.PostForm.Get("decision") != "allow" {
		sendBack(w, asked, url.Values{"error": {"access_denied"}})
		return
	}
	secret := s.secrets.next("4/0A")
	s.mu.Lock()
	a := s.accounts[email]
	if a == nil {
		s.mu.Unlock()
		writePage(w, http.StatusBadRequest, "There is no such account.")
		return
	}
	granted := asked.scopes
	if a.Granular {
		granted = slices.DeleteFunc(slices.Clone(granted), func(scope string) bool {
			return !slices.Contains(signInScopes, scope) && !slices.Contains(r.PostForm["scope"], scope)
		})
	}
	if len(granted) == 0 {
		s.mu.Unlock()
		sendBack(w, asked, url.Values{"error": {"access_denied"}})
		return
	}
	first := a.granted == nil
	a.granted = merge(a.granted, granted)
	if asked.incremental {
		granted = a.granted
	}
	s.keepCode(secret, &code{
		email: a.Email, scopes: slices.Clone(granted), redirectURI: asked.redirectURI, challenge: asked.challenge,
		plain:   asked.plain,
		refresh: asked.offline && (first || asked.consent || len(a.refresh) == 0), expires: s.now().Add(codeLife),
	})
	s.mu.Unlock()
	w.account = a.Email
	sendBack(w, asked, url.Values{"code": {secret}, "scope": {strings.Join(granted, " ")}})
}

// keepCode keeps a code until it is used or has ended; s.mu is held. When there are too many, the one that ends first
// goes.
func (s *Server) keepCode(secret string, c *code) {
	now := s.now()
	var oldest digest
	for d, other := range s.codes {
		if !now.Before(other.expires) {
			delete(s.codes, d)
		} else if first := s.codes[oldest]; first == nil || other.expires.Before(first.expires) {
			oldest = d
		}
	}
	if len(s.codes) >= maxCodes {
		delete(s.codes, oldest)
	}
	s.codes[digestOf(secret)] = c
}

// sendBack sends the browser to the application with an answer and its state. What the redirect URI had in its query
// stays.
func sendBack(w *seen, asked authorization, answer url.Values) {
	to, err := url.Parse(asked.redirectURI)
	if err != nil { // New has parsed all that are allowed
		writePage(w, http.StatusBadRequest, "The redirect URI cannot be read.")
		return
	}
	query := to.Query()
	for name, values := range answer {
		query[name] = values
	}
	if asked.state != "" {
		query.Set("state", asked.state)
	}
	to.RawQuery = query.Encode()
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Location", to.String())
	w.send(http.StatusSeeOther, nil)
}

// formAction is the origin of a redirect URI as a source of a Content-Security-Policy: browsers hold a form's redirects
// against form-action, too. Google takes http for this machine alone; a demo may run under any name.
func formAction(redirectURI string) (string, error) {
	u, err := url.Parse(redirectURI)
	if err != nil {
		return "", errors.New("it is no URL")
	}
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return "", errors.New("it is neither http nor https")
	case u.Hostname() == "" || strings.ContainsAny(u.Host, " ;,'\"*") || u.User != nil || u.Fragment != "":
		return "", errors.New("it holds more or less than an address")
	}
	return u.Scheme + "://" + u.Host, nil
}
