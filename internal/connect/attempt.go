package connect

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"almanac/graph/model"
	"almanac/internal/seal"
)

// Lifetime is how long a link, and each step after it, can be used.
const Lifetime = 10 * time.Minute

// The steps of an attempt. Each has its own place, so that the text of one step is of no use in another.
const (
	stepTicket = "connect google ticket"
	stepForm   = "connect google form"
	stepState  = "connect google state"
)

// attempt is what goes from one step to the next: for whom, for what, in which browser. The texts hold it encrypted,
// for they stand in addresses, which browsers and proxies write down.
type attempt struct {
	User    model.UserID `json:"-"`
	UserRef string       `json:"u"`
	Scopes  []string     `json:"s"`
	// Account is the account that is meant, if one is.
	Account string `json:"a,omitempty"`
	// Ticket is when the ticket ends, in Unix seconds; 0 for the local user, who needs none.
	Ticket int64 `json:"t,omitempty"`
	// Ends is when this step's text ends, in Unix seconds.
	Ends int64 `json:"e"`

	// Flow names the browser's cookie, and Browser is the hash of its value. From the form on.
	Flow    string `json:"f,omitempty"`
	Browser []byte `json:"b,omitempty"`

	// Nonce makes the state good for one answer, Verifier is PKCE's. Of the state.
	Nonce    string `json:"n,omitempty"`
	Verifier string `json:"v,omitempty"`
	// Again: Google gave no lasting access the first time, and is asked for its consent page once more.
	Again bool `json:"g,omitempty"`
}

// errLate says that a text was right once.
var errLate = errors.New("the text has ended")

// write returns the text of a step. It ends with the attempt's own time.
func (l *Linker) write(step string, a attempt) string {
	a.UserRef = string(model.UUID(a.User).AppendText(nil))
	text, err := json.Marshal(a)
	if err != nil {
		panic(fmt.Sprintf("connect: an attempt cannot be written: %v", err)) // strings and numbers always can
	}
	return l.Box.SealText(seal.Place{Column: step}, text)
}

// read returns the attempt of a step's text: errLate when its time is over, another error when it was never written
// here.
func (l *Linker) read(step, text string) (attempt, error) {
	raw, err := l.Box.OpenText(seal.Place{Column: step}, text)
	if err != nil {
		return attempt{}, fmt.Errorf("open a %s: %w", step, err)
	}
	var a attempt
	if err := json.Unmarshal(raw, &a); err != nil {
		return attempt{}, fmt.Errorf("read a %s: %w", step, err)
	}
	user, err := model.ParseUUID(a.UserRef)
	if err != nil {
		return attempt{}, fmt.Errorf("read a %s: %w", step, err)
	}
	a.User = model.UserID(user)
	if !l.Now().Before(time.Unix(a.Ends, 0)) {
		return a, errLate
	}
	return a, nil
}

// URL returns the address at which the user links an account, good for ten minutes: for the scopes named (the usual
// ones when none is) and, when account is not empty, for that account. Whoever has it can link an account of theirs to
// the user, so it is for the user's eyes. It is empty when the linker is not configured.
func (l *Linker) URL(user model.UserID, scopes []string, hint string) string {
	if !l.Configured() {
		return ""
	}
	ends := l.Now().Add(Lifetime).Unix()
	return l.Base.JoinPath(PathStart).String() + "?" +
		l.ticket(attempt{User: user, Scopes: l.wanted(scopes), Account: account(hint), Ticket: ends})
}

// ticket returns the query of an address that begins the attempt.
func (l *Linker) ticket(a attempt) string {
	fresh := attempt{User: a.User, Scopes: a.Scopes, Account: a.Account, Ticket: a.Ticket, Ends: a.Ticket}
	return url.Values{"ticket": {l.write(stepTicket, fresh)}}.Encode()
}

// retry returns the path at which the attempt can be begun anew; empty when its ticket has ended. A new attempt never
// lasts longer than the ticket it began with.
func (l *Linker) retry(a attempt) string {
	switch {
	case a.Ticket == 0:
		return l.path(PathStart)
	case l.Now().Before(time.Unix(a.Ticket, 0)):
		return l.path(PathStart) + "?" + l.ticket(a)
	default:
		return ""
	}
}

// cookie returns a flow's cookie. It is Lax, since Google's answer comes from another site, and is left to end by
// itself: a page that is loaded anew is then told that its answer was used, and not that it is in the wrong browser.
func (l *Linker) cookie(flow, value string) *http.Cookie {
	const steps = 2      // the form's time and the state's
	return &http.Cookie{ //nolint:gosec // G124: Secure is set for https; without it only loopback is served
		Name: l.cookieName(flow), Value: value, Path: "/", MaxAge: steps * int(Lifetime.Seconds()),
		HttpOnly: true, Secure: l.secure(), SameSite: http.SameSiteLaxMode,
	}
}

// cookieName has the prefix that keeps neighbours from planting it; browsers take that only over https (RFC 6265bis,
// 4.1.3.2). Each attempt has a name of its own, so that two tabs do not disturb each other.
func (l *Linker) cookieName(flow string) string {
	if l.secure() {
		return "__Host-almanac-link-" + flow
	}
	return "almanac-link-" + flow
}

func (l *Linker) secure() bool { return l.Base.Scheme == "https" }

// sameBrowser reports whether the request comes from the browser of the attempt.
func (l *Linker) sameBrowser(r *http.Request, a attempt) bool {
	c, err := r.Cookie(l.cookieName(a.Flow))
	if err != nil || a.Flow == "" {
		return false
	}
	return subtle.ConstantTimeCompare(browserOf(c.Value), a.Browser) == 1
}

// browserOf is what a form and a state know of a cookie: not its value, so that they do not give it away.
func browserOf(value string) []byte {
	sum := sha256.Sum256([]byte("almanac connect\x00" + value))
	return sum[:]
}

// nonceID makes the nonce the name of a confirmation, which the store lets be used once.
func nonceID(nonce string) model.UUID {
	sum := sha256.Sum256([]byte("almanac connect nonce\x00" + nonce))
	var id model.UUID
	copy(id[:], sum[:])
	return id
}
