package google

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// oauthError is an error of the token endpoint, in Google's words (RFC 6749, 5.2).
type oauthError struct {
	status      int
	name        string
	description string
}

// maxForm bounds the forms of OAuth; the longest thing in one is a token.
const maxForm = 64 << 10

// token is oauth2.googleapis.com/token: a code or a refresh token becomes an access token (RFC 6749, 4.1.3 and 6).
func (s *Server) token(w *seen, r *http.Request) {
	w.method = "oauth.token"
	if s.befall(w, r) {
		return
	}
	form, problem := readForm(w, r)
	if problem == nil {
		problem = s.authenticate(form, r)
	}
	if problem != nil {
		writeOAuthError(w, *problem)
		return
	}
	var answer map[string]any
	switch grant := form.Get("grant_type"); grant {
	case "authorization_code":
		answer, problem = s.redeem(w, form)
	case "refresh_token":
		answer, problem = s.refresh(w, form)
	default:
		problem = &oauthError{http.StatusBadRequest, "unsupported_grant_type", "Invalid grant_type: " + clip(grant)}
	}
	if problem != nil {
		writeOAuthError(w, *problem)
		return
	}
	writeJSON(w, http.StatusOK, answer)
}

// authenticate checks the client's id and secret, which Google takes from the body or as Basic credentials.
func (s *Server) authenticate(form url.Values, r *http.Request) *oauthError {
	id, secret := form.Get("client_id"), form.Get("client_secret")
	if user, password, ok := r.BasicAuth(); ok && id == "" {
		id, _ = url.QueryUnescape(user)
		secret, _ = url.QueryUnescape(password)
	}
	switch {
	case id == "":
		return &oauthError{http.StatusBadRequest, "invalid_request", "Could not determine client ID from request."}
	case s.client.ID == "" || id != s.client.ID:
		return &oauthError{http.StatusUnauthorized, "invalid_client", "The OAuth client was not found."}
	case subtle.ConstantTimeCompare([]byte(secret), []byte(s.client.Secret)) != 1:
		return &oauthError{http.StatusUnauthorized, "invalid_client", "Unauthorized"}
	}
	return nil
}

// code is a consent on its way to the application.
type code struct {
	email       string
	scopes      []string
	redirectURI string
	challenge   string
	plain       bool
	// refresh says that a refresh token is given, too.
	refresh bool
	expires time.Time
}

const (
	codeLife = 10 * time.Minute
	maxCodes = 1000
)

// redeem trades a code in, once. A code presented with anything wrong beside it is used up as well.
func (s *Server) redeem(w *seen, form url.Values) (map[string]any, *oauthError) {
	badGrant := func(description string) *oauthError {
		return &oauthError{http.StatusBadRequest, "invalid_grant", description}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := digestOf(form.Get("code"))
	c := s.codes[key]
	delete(s.codes, key)
	if c == nil {
		return nil, badGrant("Malformed auth code.")
	}
	a := s.accounts[c.email]
	switch {
	case a == nil || !s.now().Before(c.expires):
		return nil, badGrant("Bad Request")
	case form.Get("redirect_uri") != c.redirectURI:
		return nil, &oauthError{http.StatusBadRequest, "redirect_uri_mismatch", "Bad Request"}
	case c.challenge != "" && form.Get("code_verifier") == "":
		return nil, badGrant("Missing code verifier.")
	case c.challenge != "" && !verified(c, form.Get("code_verifier")):
		return nil, badGrant("Invalid code verifier.")
	}
	w.account = a.Email
	t := s.issue(a, c.scopes, c.refresh)
	answer := tokenAnswer(t)
	if t.Refresh != "" {
		answer["refresh_token"] = t.Refresh
		if s.life > 0 {
			answer["refresh_token_expires_in"] = int64(s.life / time.Second)
		}
	}
	return answer, nil
}

// verified holds a verifier against its challenge (RFC 7636, 4.6).
func verified(c *code, verifier string) bool {
	if !c.plain {
		sum := sha256.Sum256([]byte(verifier))
		verifier = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	return subtle.ConstantTimeCompare([]byte(verifier), []byte(c.challenge)) == 1
}

// refresh returns a new access token, and no refresh token: the old one stays good.
func (s *Server) refresh(w *seen, form url.Values) (map[string]any, *oauthError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if form.Get("refresh_token") == "" {
		return nil, &oauthError{http.StatusBadRequest, "invalid_request", "Missing required parameter: refresh_token"}
	}
	a, kept := s.findRefresh(digestOf(form.Get("refresh_token")))
	if a == nil || (!kept.Expires.IsZero() && !s.now().Before(kept.Expires)) {
		return nil, &oauthError{http.StatusBadRequest, "invalid_grant", "Token has been expired or revoked."}
	}
	w.account = a.Email
	scopes := kept.Scopes
	if wanted := strings.Fields(form.Get("scope")); len(wanted) > 0 {
		for _, scope := range wanted {
			if !slices.Contains(kept.Scopes, scope) {
				return nil, &oauthError{http.StatusBadRequest, "invalid_scope", "Some requested scopes were not granted."}
			}
		}
		scopes = merge(nil, wanted)
	}
	answer := tokenAnswer(s.issue(a, scopes, false))
	if !kept.Expires.IsZero() {
		answer["refresh_token_expires_in"] = int64(kept.Expires.Sub(s.now()) / time.Second)
	}
	return answer, nil
}

func (s *Server) findRefresh(d digest) (*account, refreshToken) {
	for _, a := range s.accounts {
		for _, kept := range a.refresh {
			if kept.Digest == d {
				return a, kept
			}
		}
	}
	return nil, refreshToken{}
}

func tokenAnswer(t Tokens) map[string]any {
	return map[string]any{
		"access_token": t.Access,
		"expires_in":   int64(accessLife / time.Second),
		"scope":        strings.Join(t.Scopes, " "),
		"token_type":   "Bearer",
	}
}

// revoke ends a grant by any of its tokens (RFC 7009, but with Google's answers).
func (s *Server) revoke(w *seen, r *http.Request) {
	w.method = "oauth.revoke"
	if s.befall(w, r) {
		return
	}
	form, problem := readForm(w, r)
	if problem != nil {
		writeOAuthError(w, *problem)
		return
	}
	token := form.Get("token")
	if token == "" {
		token = r.URL.Query().Get("token")
	}
	d := digestOf(token)
	s.mu.Lock()
	email := ""
	if a, _ := s.findRefresh(d); a != nil {
		email = a.Email
	} else if t := s.access[d]; t != nil {
		email = t.email
	}
	if email != "" {
		s.revokeLocked(email)
	}
	s.mu.Unlock()
	if email == "" {
		writeOAuthError(w, oauthError{http.StatusBadRequest, "invalid_token", "Token expired or revoked"})
		return
	}
	w.account = email
	writeJSON(w, http.StatusOK, map[string]any{})
}

// tokenInfo returns what an access token is for. The address is among it only if a scope says so.
func (s *Server) tokenInfo(w *seen, r *http.Request) {
	w.method = "oauth.tokeninfo"
	if s.befall(w, r) {
		return
	}
	if err := r.ParseForm(); err != nil {
		writeOAuthError(w, oauthError{http.StatusBadRequest, "invalid_request", "Bad Request"})
		return
	}
	t, ok := s.bearer(r.Form.Get("access_token"))
	if !ok {
		writeOAuthError(w, oauthError{http.StatusBadRequest, "invalid_token", "Invalid Value"})
		return
	}
	w.account = t.email
	answer := map[string]any{
		"azp": s.client.ID, "aud": s.client.ID, "scope": strings.Join(t.scopes, " "), "access_type": "offline",
		"exp":        strconv.FormatInt(t.expires.Unix(), 10),
		"expires_in": strconv.FormatInt(int64(t.expires.Sub(s.now())/time.Second), 10),
	}
	if slices.ContainsFunc(t.scopes, isEmailScope) {
		answer["email"], answer["email_verified"] = t.email, "true"
	}
	writeJSON(w, http.StatusOK, answer)
}

const userInfoScope = "https://www.googleapis.com/auth/userinfo."

func isEmailScope(scope string) bool { return scope == "email" || scope == userInfoScope+"email" }

func isProfileScope(scope string) bool { return scope == "profile" || scope == userInfoScope+"profile" }

// userInfo is OpenID Connect's (Core 1.0, 5.3); it wants a scope of sign-in.
func (s *Server) userInfo(w *seen, r *http.Request) {
	w.method = "oauth.userinfo"
	if s.befall(w, r) {
		return
	}
	token, _ := bearerOf(r)
	t, ok := s.bearer(token)
	hasEmail, hasProfile := slices.ContainsFunc(t.scopes, isEmailScope), slices.ContainsFunc(t.scopes, isProfileScope)
	if !ok || (!hasEmail && !hasProfile && !slices.Contains(t.scopes, "openid")) {
		writeOAuthError(w, oauthError{http.StatusUnauthorized, "invalid_request", "Invalid Credentials"})
		return
	}
	w.account = t.email
	a := s.person(t.email)
	answer := map[string]any{"sub": subject(a.Email)}
	if hasEmail {
		answer["email"], answer["email_verified"] = a.Email, true
	}
	if hasProfile && a.Name != "" {
		answer["name"] = a.Name
	}
	if hasProfile && a.Locale != "" {
		answer["locale"] = a.Locale
	}
	writeJSON(w, http.StatusOK, answer)
}

// subject is an account's number, which stays the same; Google's have 21 digits.
func subject(email string) string {
	sum := sha256.Sum256([]byte(email))
	digits := make([]byte, 21)
	for i := range digits {
		digits[i] = '0' + sum[i]%10
	}
	digits[0] = '1'
	return string(digits)
}

// readForm reads the body of a POST; parameters of the query do not count as such.
func readForm(w *seen, r *http.Request) (url.Values, *oauthError) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return nil, &oauthError{http.StatusMethodNotAllowed, "invalid_request", "Method Not Allowed"}
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return nil, &oauthError{http.StatusBadRequest, "invalid_request", "Bad Request"}
	}
	return r.PostForm, nil
}

func writeOAuthError(w *seen, e oauthError) {
	writeJSON(w, e.status, map[string]any{"error": e.name, "error_description": e.description})
}

// writeJSON writes an answer of OAuth, which must not be cached.
func writeJSON(w *seen, status int, body map[string]any) {
	raw, err := json.Marshal(body)
	if err != nil {
		panic("google: an answer of OAuth is no JSON: " + err.Error())
	}
	head := w.Header()
	head.Set("Content-Type", "application/json; charset=utf-8")
	head.Set("Cache-Control", "no-cache, no-store, max-age=0, must-revalidate")
	head.Set("Pragma", "no-cache")
	w.send(status, raw)
}
