package connect

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"time"

	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// callbackTimeout bounds what Google and the database may take, well within the time a server has for an answer.
const callbackTimeout = 20 * time.Second

// callback takes Google's answer. Nothing is written and nobody is called before the state has opened, has not ended,
// and the browser is the one that began.
func (l *Linker) callback(v *visit) {
	query := v.r.URL.Query()
	a, err := l.read(stepState, query.Get("state"))
	switch {
	case errors.Is(err, errLate):
		if l.sameBrowser(v.r, a) {
			v = v.from(a)
		}
		v.fail(failLate)
		return
	case err != nil:
		v.fail(failTicket)
		return
	case !l.sameBrowser(v.r, a):
		v.fail(failBrowser)
		return
	}
	v = v.from(a)
	ctx, cancel := context.WithTimeout(v.r.Context(), callbackTimeout)
	defer cancel()
	err = l.Store.Write(ctx, a.User, func(ctx context.Context, tx store.Tx) error {
		return tx.UseConfirmation(ctx, nonceID(a.Nonce), time.Unix(a.Ends, 0).UTC())
	})
	switch {
	case errors.Is(err, store.ErrConflict):
		v.fail(failUsed)
		return
	case err != nil:
		v.failWith(err)
		return
	}
	if refused := query.Get("error"); refused != "" {
		l.refused(v, refused)
		return
	}
	done, err := l.link(ctx, a, query.Get("code"))
	if errors.Is(err, errNoLastingAccess) && !a.Again {
		a.Again, a.Account = true, done.Account
		l.toGoogle(v, a, true)
		return
	}
	if err != nil {
		v.failWith(err)
		return
	}
	l.tell(v, a, done)
}

// refused answers for an error that Google sent instead of a code (RFC 6749, 4.1.2.1).
func (l *Linker) refused(v *visit, reason string) {
	if reason == "access_denied" {
		v.show(http.StatusOK, page{Title: v.texts.nothingTitle, Paragraphs: []string{v.texts.denied},
			Retry: l.retry(*v.attempt)})
		return
	}
	if !plainReason.MatchString(reason) {
		reason = "unknown"
	}
	l.logger().WarnContext(v.r.Context(), "Google refused a link", "reason", reason)
	v.fail(failRejected)
}

// plainReason is the form of error codes; anything else comes from somebody who made the address up.
var plainReason = regexp.MustCompile(`^[a-z_]{1,40}$`)

var (
	// errNoLastingAccess: Google gave no refresh token and none is kept.
	errNoLastingAccess = errors.New("connect: no refresh token")
	// errNothingGranted: the user unticked everything.
	errNothingGranted = errors.New("connect: nothing was granted")
)

// link turns a code into a connection. The scopes kept are those that were granted.
func (l *Linker) link(ctx context.Context, a attempt, code string) (model.Connection, error) {
	if code == "" {
		return model.Connection{}, failTicket
	}
	token, err := l.oauth().Exchange(ctx, code, a.Verifier)
	if err != nil {
		if google.IsInvalidGrant(err) {
			return model.Connection{}, errors.Join(failCode, err)
		}
		return model.Connection{}, err
	}
	wanted := useful(a.Scopes)
	if missing := google.Missing(token.Scopes, wanted); len(missing) == len(wanted) {
		return model.Connection{}, errNothingGranted
	}
	address, err := l.identify(ctx, token)
	if err != nil {
		return model.Connection{}, err
	}
	return l.save(ctx, a.User, address, token)
}

// save writes a connection in a transaction of its own; see saveIn.
func (l *Linker) save(ctx context.Context, user model.UserID, address string,
	token google.Token) (model.Connection, error) {
	saved := model.Connection{Account: address}
	err := l.Store.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		row, err := l.saveIn(ctx, tx, user, address, token)
		if err == nil {
			saved = row
		}
		return err
	})
	return saved, err
}

// saveIn writes a connection with its secrets: a new one, or the one of that account, which keeps its id and number.
// errNoLastingAccess when there is no refresh token, neither a new one nor a kept one.
func (l *Linker) saveIn(ctx context.Context, tx store.Tx, user model.UserID, address string,
	token google.Token) (model.Connection, error) {
	now := l.Now()
	c := model.Connection{ID: l.NewID(), User: user, Provider: model.ProviderGoogle, Account: address, LinkedAt: now}
	all, err := tx.Connections(ctx, user)
	if err != nil {
		return model.Connection{}, err
	}
	scopes := token.Scopes
	if i := slices.IndexFunc(all, isAccount(address)); i >= 0 {
		c = all[i]
		if token.Refresh == "" && c.Status == model.ConnectionConnected && c.StandIn == l.StandIn {
			// Google returns a refresh token with its consent page only. The one that is kept goes on, with what it was given
			// for.
			if token.Refresh, err = l.keptRefresh(ctx, tx, c); err != nil {
				return model.Connection{}, err
			}
			scopes = append(slices.Clone(scopes), c.Scopes...)
		}
	}
	if token.Refresh == "" {
		return model.Connection{}, errNoLastingAccess
	}
	c.Status, c.StandIn, c.UpdatedAt = model.ConnectionConnected, l.StandIn, now
	c.Scopes = slices.Compact(slices.Sorted(slices.Values(scopes)))
	saved, err := tx.SaveConnection(ctx, c, l.seal(user, c.ID, token))
	if err != nil || l.AfterLink == nil {
		return saved, err
	}
	return saved, l.AfterLink(ctx, saved)
}

// tell says what was linked and what was not granted.
func (l *Linker) tell(v *visit, a attempt, done model.Connection) {
	missing := google.Missing(done.Scopes, useful(a.Scopes))
	l.logger().InfoContext(v.r.Context(), "a Google account was linked", "user", a.User.String(), "connection",
		done.Number, "standIn", done.StandIn, "notGranted", len(missing))
	t := v.texts
	p := page{Title: t.doneTitle, Paragraphs: []string{say(t.done, done.Account)}}
	if a.Account != "" && a.Account != done.Account {
		p.Paragraphs = append(p.Paragraphs, say(t.doneOther, a.Account))
	}
	if len(missing) > 0 {
		p.ListTitle, p.List, p.Retry = t.missing, t.scopes(missing),
			l.retry(attempt{User: a.User, Scopes: a.Scopes, Account: done.Account, Ticket: a.Ticket})
	}
	v.show(http.StatusOK, p)
}
