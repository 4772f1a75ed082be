package google

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // the style of the page
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"golang.org/x/text/language"

	"almanac/internal/markup"
)

//go:embed consent.css
var consentCSS string

// securityPolicy lets nothing but the page's own style in, and the form out to the page and to where it ends.
var securityPolicy = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(consentCSS))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
})

// consentView is what the page shows: a refusal, the choice of an account, or the question itself.
type consentView struct {
	Words    words
	Refusal  *refusal
	Accounts []accountChoice
	Account  *Account
	// Back leads to the choice of an account.
	Back   string
	Client string
	Scopes []scopeChoice
}

type accountChoice struct {
	Account
	Link string
}

type scopeChoice struct {
	Scope string
	Text  string
	// Fixed scopes cannot be unticked.
	Fixed bool
}

// showConsent asks for the account, if more than one could be meant, and then for consent.
func (s *Server) showConsent(w *seen, r *http.Request, asked authorization, query url.Values) {
	accounts := s.Accounts()
	// The page's own addresses are relative, "?…", so that it works below any path.
	link := func(email string) string {
		q := copyOf(query)
		q.Set("login_hint", email)
		return "?" + q.Encode()
	}
	view := consentView{Client: cmp.Or(s.client.Name, s.client.ID)}
	for _, a := range accounts {
		view.Accounts = append(view.Accounts, accountChoice{Account: a, Link: link(a.Email)})
		if a.Email == asked.hint || len(accounts) == 1 {
			view.Account = &a
		}
	}
	if view.Account == nil {
		s.show(w, r, http.StatusOK, asked.redirectURI, view)
		return
	}
	if len(accounts) > 1 {
		view.Back = link("")
	}
	for _, scope := range asked.scopes {
		view.Scopes = append(view.Scopes,
			scopeChoice{Scope: scope, Fixed: !view.Account.Granular || slices.Contains(signInScopes, scope)})
	}
	s.show(w, r, http.StatusOK, asked.redirectURI, view)
}

func (s *Server) showRefusal(w *seen, r *http.Request, refused refusal) {
	s.show(w, r, refused.status, "", consentView{Refusal: &refused})
}

func (s *Server) show(w *seen, r *http.Request, status int, redirectURI string, view consentView) {
	locale := ""
	if view.Account != nil {
		locale = view.Account.Locale
	}
	view.Words = wordsFor(r.URL.Query().Get("hl"), locale, r.Header.Get("Accept-Language"))
	for i, choice := range view.Scopes {
		view.Scopes[i].Text = view.Words.scope(choice.Scope)
	}
	policy := securityPolicy()
	if origin, err := formAction(redirectURI); err == nil {
		policy += " " + origin
	}
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Content-Language", view.Words.Language)
	head.Set("Content-Security-Policy", policy)
	head.Set("Cache-Control", "no-store")
	head.Set("Referrer-Policy", "same-origin")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("X-Frame-Options", "DENY")
	w.send(status, view.html())
}

// html writes the page.
func (view consentView) html() []byte {
	t := view.Words
	title := t.Title
	if view.Refusal != nil {
		title = t.RefusedTitle
	}
	m := markup.New(t.Language, t.Direction, title, consentCSS)
	switch {
	case view.Refusal != nil:
		m.Add("<h1>%s</h1>\n<p dir=\"ltr\">%s</p>\n<p dir=\"ltr\"><code>%s</code></p>\n", t.RefusedTitle, view.Refusal.text,
			view.Refusal.name)
	case view.Account == nil:
		view.addChoice(m)
	default:
		view.addQuestion(m)
	}
	m.Add("<footer>%s</footer>\n", t.Notice)
	return m.Bytes()
}

// addChoice writes the list of accounts.
func (view consentView) addChoice(m *markup.Page) {
	m.Add("<h1>%s</h1>\n", view.Words.Choose)
	if len(view.Accounts) == 0 {
		m.Add("<p>%s</p>\n", view.Words.NoAccounts)
		return
	}
	m.Add("<ul class=\"accounts\">\n")
	for _, a := range view.Accounts {
		m.Add("<li><a href=\"%s\"><bdi class=\"name\">%s</bdi> <bdi class=\"email\">%s</bdi></a></li>\n", a.Link,
			cmp.Or(a.Name, a.Email), a.Email)
	}
	m.Add("</ul>\n")
}

// addQuestion writes what the application asks for, as a form.
func (view consentView) addQuestion(m *markup.Page) {
	t, a := view.Words, view.Account
	m.Add("<h1>%s</h1>\n<p class=\"account\"><bdi class=\"name\">%s</bdi> <bdi class=\"email\">%s</bdi></p>\n", t.Title,
		cmp.Or(a.Name, a.Email), a.Email)
	if view.Back != "" {
		m.Add("<p><a href=\"%s\">%s</a></p>\n", view.Back, t.Another)
	}
	m.Add(`<form method="post">
<input type="hidden" name="account" value="%s">
<p id="wants"><bdi>%s</bdi> %s</p>
<ul class="scopes" aria-labelledby="wants">
`, a.Email, view.Client, t.Wants)
	for _, choice := range view.Scopes {
		m.Add(`<li><label><input type="checkbox" name="scope" value="%s" checked`, choice.Scope)
		if choice.Fixed {
			m.Add(" disabled")
		}
		m.Add("> <bdi>%s</bdi></label></li>\n", choice.Text)
	}
	m.Add(`</ul>
<p class="buttons">
<button type="submit" name="decision" value="allow" class="primary">%s</button>
<button type="submit" name="decision" value="cancel">%s</button>
</p>
</form>
`, t.Allow, t.Cancel)
}

// copyOf is a copy of parameters that can be changed.
func copyOf(q url.Values) url.Values {
	c := url.Values{}
	for name, values := range q {
		c[name] = values
	}
	return c
}

// wordsFor finds the page's language: what the application asks for, then the account's, then the browser's.
func wordsFor(asked, account, browser string) words {
	languages := []language.Tag{language.English, language.Hebrew}
	wanted := []language.Tag{}
	for _, text := range []string{asked, account} {
		if tag, err := language.Parse(text); err == nil && text != "" {
			wanted = append(wanted, tag)
		}
	}
	if tags, _, err := language.ParseAcceptLanguage(clip(browser)); err == nil {
		wanted = append(wanted, tags...)
	}
	_, at, _ := language.NewMatcher(languages).Match(wanted...)
	if at == 1 {
		return hebrew()
	}
	return english()
}
