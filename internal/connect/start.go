package connect

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/seal"
)

// ask shows the page that says whose Almanac the account will be linked to and what for. Without it a link that a
// stranger sent would hand the stranger the account of whoever follows it.
func (l *Linker) ask(v *visit) {
	if l.elsewhere(v) {
		return
	}
	a, failed := l.invited(v.r)
	if failed != "" {
		v.fail(failed)
		return
	}
	name, err := l.userName(v, a.User)
	if err != nil {
		v.failWith(err)
		return
	}
	secret := rand.Text()
	a.Flow, a.Browser = strings.ToLower(rand.Text()[:flowLength]), browserOf(secret)
	a.Ends = l.Now().Add(Lifetime).Unix()
	http.SetCookie(v.w, l.cookie(a.Flow, secret))
	t := v.texts
	p := page{Title: t.askTitle, Paragraphs: []string{say(t.ask, name)}, Button: t.askButton, Token: l.write(stepForm, a)}
	if a.Account != "" {
		p.Paragraphs = append(p.Paragraphs, say(t.askHint, a.Account))
	}
	if l.StandIn {
		p.Paragraphs = append(p.Paragraphs, t.standIn)
	}
	p.ListTitle, p.List, p.Warning = t.askList, t.scopes(a.Scopes), t.askWarning
	v.show(http.StatusOK, p)
}

// flowLength is how many characters name a flow: enough that two tabs never meet.
const flowLength = 10

// invited returns the attempt that a ticket allows, or the local user's own.
func (l *Linker) invited(r *http.Request) (attempt, failure) {
	text := r.URL.Query().Get("ticket")
	if text == "" {
		if l.LocalUser == (model.UserID{}) || !isLoopbackName(r.Host) {
			return attempt{}, failNoTicket
		}
		return attempt{User: l.LocalUser, Scopes: l.wanted(nil)}, ""
	}
	a, err := l.read(stepTicket, text)
	switch {
	case errors.Is(err, errLate):
		return attempt{}, failLate
	case err != nil:
		return attempt{}, failTicket
	}
	return a, ""
}

// elsewhere sends a browser that came by another name of this machine (localhost for 127.0.0.1) to the one that Google
// sends it back to: cookies do not follow from one to the other. It does so once, for a proxy may change names too.
func (l *Linker) elsewhere(v *visit) bool {
	const sent = "here"
	query := v.r.URL.Query()
	if v.r.Host == l.Base.Host || query.Has(sent) || !isLoopbackName(v.r.Host) || !isLoopbackName(l.Base.Host) {
		return false
	}
	query.Set(sent, "1")
	target := l.Base.JoinPath(PathStart)
	target.RawQuery = query.Encode()
	v.headers()
	http.Redirect(v.w, v.r, target.String(), http.StatusSeeOther)
	return true
}

func isLoopbackName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(strings.TrimSuffix(host, "."), "[]"))
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// userName is how a person knows the user: by address or else by the name that the token's issuer uses.
func (l *Linker) userName(v *visit, id model.UserID) (string, error) {
	if id == l.LocalUser && id != (model.UserID{}) {
		return v.texts.localUser, nil
	}
	user, err := l.Store.User(v.r.Context(), id)
	switch {
	case err == nil && user.Email != "":
		return user.Email, nil
	case err == nil && user.Subject != "":
		return user.Subject, nil
	case err == nil, errors.Is(err, store.ErrNotFound):
		return id.String(), nil
	default:
		return "", err
	}
}

// start takes the button of the page and sends the browser to Google.
func (l *Linker) start(v *visit) {
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	if err := v.r.ParseForm(); err != nil {
		v.fail(failTicket)
		return
	}
	a, err := l.read(stepForm, v.r.PostForm.Get("form"))
	switch {
	case errors.Is(err, errLate):
		if l.sameBrowser(v.r, a) {
			v = v.from(a) // nobody else gets a ticket from here
		}
		v.fail(failLate)
		return
	case err != nil:
		v.fail(failTicket)
		return
	}
	// The cookie is proof enough where a browser keeps to SameSite; the header is for those that say more.
	if site := v.r.Header.Get("Sec-Fetch-Site"); !l.sameBrowser(v.r, a) ||
		(site != "" && site != "same-origin" && site != "none") {
		v.fail(failBrowser)
		return
	}
	consent, err := l.needsConsent(v.r.Context(), a)
	if err != nil {
		v.from(a).failWith(err)
		return
	}
	l.toGoogle(v, a, consent)
}

// toGoogle begins the attempt at Google: a new state, good for one answer, and a new verifier.
func (l *Linker) toGoogle(v *visit, a attempt, consent bool) {
	a.Nonce, a.Verifier = rand.Text(), google.NewVerifier()
	a.Ends = l.Now().Add(Lifetime).Unix()
	address := l.oauth().Start(l.write(stepState, a), a.Verifier, a.Scopes, google.StartOptions{
		Consent: consent, ChooseAccount: a.Account == "", LoginHint: a.Account,
	})
	v.headers()
	http.Redirect(v.w, v.r, address, http.StatusSeeOther)
}

// needsConsent reports whether Google has to show its consent page: it returns a refresh token only then, and asks for
// new scopes only then. Of an account that is not known beforehand nothing is known to be stored.
func (l *Linker) needsConsent(ctx context.Context, a attempt) (bool, error) {
	if a.Account == "" {
		return true, nil
	}
	all, err := l.Store.Connections(ctx, a.User)
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(all, isAccount(a.Account))
	if i < 0 || l.Status(all[i]) != model.ConnectionConnected || google.Missing(all[i].Scopes, a.Scopes) != nil {
		return true, nil
	}
	secrets, err := l.Store.Credentials(ctx, a.User, all[i].ID)
	if err != nil {
		return false, err
	}
	refresh, err := l.open(a.User, all[i].ID, columnRefresh, secrets.Refresh)
	return refresh == "" || errors.Is(err, seal.ErrNoKey) || errors.Is(err, seal.ErrBroken), nil
}

// isAccount finds the Google connection of an account.
func isAccount(address string) func(model.Connection) bool {
	return func(c model.Connection) bool { return c.Provider == model.ProviderGoogle && c.Account == address }
}
