// Package mailfiles serves the attachments of e-mails at signed addresses.
//
// It promises that an address opens one attachment of one user for ten minutes and nothing else; that it tells nothing
// to whoever sees it; that what is served is saved and never run or shown by a browser in this server's name; that
// nobody without an address makes the server ask anybody for anything; and that no user's downloads take the place of
// all others.
package mailfiles

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"almanac/adapters/gmail"
	"almanac/graph/model"
	"almanac/internal/seal"
	"almanac/projections/mail"
)

// Path is where attachments are served, below the server's own address.
const Path = "/attachments/"

const (
	// life is for how long an address is good.
	life = 10 * time.Minute
	// most is how large an attachment may be: Gmail takes 25 MB, and some more for how it is written.
	most = 36 << 20
	// atOnce is how many attachments are read at the same time, each in memory, and each how many of them for one user.
	atOnce = 4
	each   = 2
	// aMinute is how many attachments one user may have in a minute.
	aMinute = 60
	// patience is how long a download may wait for its turn and for Gmail.
	patience = 60 * time.Second
	// taking is how long whoever downloads may take for it.
	taking = 5 * time.Minute
	// column is what addresses are sealed for.
	column = "attachments"
	// maxToken is longer than any address that is made here.
	maxToken = 1_000
)

// Mailbox is what is needed of the remote; the contract is that of gmail.Client.
type Mailbox interface {
	Attachment(ctx context.Context, connection model.Connection, message, part string, most int64) (gmail.File, error)
}

// Accounts knows the users' linked accounts.
type Accounts interface {
	Connections(ctx context.Context, user model.UserID) ([]model.Connection, error)
}

// Files makes addresses and serves them. Its fields are set before it is used; then it is safe for goroutines.
type Files struct {
	Mail     Mailbox
	Accounts Accounts
	// Status is a connection's status as its user should see it.
	Status func(connection model.Connection) model.ConnectionStatus
	Box    *seal.Box
	// Base is where browsers reach this server.
	Base   *url.URL
	Now    func() time.Time
	Logger *slog.Logger

	slots slots
	pace  *pace
}

// URL returns an address that is good for ten minutes.
func (f *Files) URL(user model.UserID, message model.EmailRef, part string) string {
	packed := append([]byte{}, user[:]...)
	packed = binary.BigEndian.AppendUint64(packed, uint64(f.Now().Add(life).Unix()))
	packed = binary.AppendUvarint(packed, uint64(max(message.Connection, 0)))
	packed = binary.AppendUvarint(packed, uint64(len(message.Message)))
	packed = append(append(packed, message.Message...), part...)
	token := base64.RawURLEncoding.EncodeToString(f.Box.Seal(seal.Place{Column: column}, packed))
	return f.Base.JoinPath(Path, token).String()
}

// ticket is what an address says.
type ticket struct {
	user    model.UserID
	ends    time.Time
	message model.EmailRef
	part    string
}

func (f *Files) read(token string) (t ticket, ok bool) {
	if token == "" || len(token) > maxToken {
		return t, false
	}
	sealed, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return t, false
	}
	packed, err := f.Box.Open(seal.Place{Column: column}, sealed)
	if err != nil || len(packed) < 24 {
		return t, false
	}
	copy(t.user[:], packed)
	t.ends = time.Unix(int64(binary.BigEndian.Uint64(packed[16:])), 0)
	rest := packed[24:]
	number, n := binary.Uvarint(rest)
	if n <= 0 {
		return t, false
	}
	rest = rest[n:]
	length, n := binary.Uvarint(rest)
	if n <= 0 || length > uint64(len(rest)-n) {
		return t, false
	}
	rest = rest[n:]
	t.message, t.part = model.EmailRef{Connection: int(number), Message: string(rest[:length])}, string(rest[length:])
	return t, true
}

// ServeHTTP serves the attachment of an address: 404 for what is none, and for what is gone; 410 after its time; 403
// when the account has to be linked again; 413 for what is too large; 429 for too many of one user; 429, 502 and 504 as
// Gmail has it; 503 when too many are read at once.
func (f *Files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "private, no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin") // no other site shows it in a page
	w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "An attachment is downloaded with GET.")
		return
	}
	named, ok := f.read(strings.TrimPrefix(r.URL.Path, Path))
	switch {
	case !ok:
		refuse(w, http.StatusNotFound, "This is not the address of an attachment.")
		return
	case !f.Now().Before(named.ends):
		refuse(w, http.StatusGone, "This address was good for ten minutes; ask for the e-mail again.")
		return
	}
	done, ok := f.pace.enter(named.user, f.Now())
	if !ok {
		w.Header().Set("Retry-After", "60")
		refuse(w, http.StatusTooManyRequests, "You are downloading too many attachments; try again in a minute.")
		return
	}
	defer done()
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	leave, err := f.slots.enter(ctx)
	if err != nil {
		w.Header().Set("Retry-After", "10")
		refuse(w, http.StatusServiceUnavailable, "Too many attachments are being downloaded; try again in a moment.")
		return
	}
	defer leave()
	file, err := f.fetch(ctx, named)
	if err != nil {
		if r.Context().Err() == nil { // else nobody waits for an answer
			f.fail(ctx, w, err)
		}
		return
	}
	// A client that does not take its file must not hold it in memory for ever.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(taking)) // best effort: tests' writers have none
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", disposition(file.Name))
	w.Header().Set("Content-Length", strconv.Itoa(len(file.Content)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(file.Content) // the browser may go away
	}
}

func (f *Files) fetch(ctx context.Context, named ticket) (gmail.File, error) {
	all, err := f.Accounts.Connections(ctx, named.user)
	if err != nil {
		return gmail.File{}, err
	}
	for _, connection := range all {
		if connection.Number != named.message.Connection {
			continue
		}
		if f.Status(connection) != model.ConnectionConnected {
			return gmail.File{}, model.Errorf(model.CodeNotConnected, "the account must be linked again")
		}
		return f.Mail.Attachment(ctx, connection, named.message.Message, named.part, most)
	}
	return gmail.File{}, model.Errorf(model.CodeNotFound, "the account has been unlinked")
}

// fail answers an error without anything of its cause.
func (f *Files) fail(ctx context.Context, w http.ResponseWriter, err error) {
	if wait := model.RetryAfterOf(err); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
	}
	switch model.CodeOf(err) {
	case model.CodeNotFound:
		refuse(w, http.StatusNotFound, "The attachment is gone.")
	case model.CodeNotConnected, model.CodeNotConfigured:
		refuse(w, http.StatusForbidden, "The account must be linked again.")
	case model.CodeBadUserInput:
		refuse(w, http.StatusRequestEntityTooLarge, "The attachment is too large to be downloaded from here.")
	case model.CodeUpstreamRateLimited:
		refuse(w, http.StatusTooManyRequests, "Google asks to slow down; try again later.")
	case model.CodeTimeout:
		refuse(w, http.StatusGatewayTimeout, "Google did not answer in time.")
	case model.CodeUpstreamUnavailable, model.CodeUpstreamRejected:
		refuse(w, http.StatusBadGateway, "Google does not give the attachment now.")
	default:
		f.Logger.LogAttrs(ctx, slog.LevelError, "an attachment could not be served", slog.String("cause", model.CauseOf(err)))
		refuse(w, http.StatusInternalServerError, "Something went wrong here.")
	}
}

func refuse(w http.ResponseWriter, status int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(sentence + "\n"))
}

// disposition makes a browser save the file under its name (RFC 6266, RFC 8187).
func disposition(name string) string {
	if name = mail.SafeName(name); name == "" {
		name = "attachment"
	}
	if value := mime.FormatMediaType("attachment", map[string]string{"filename": name}); value != "" {
		return value
	}
	return "attachment"
}

// slots bound how many attachments are read at once.
type slots struct{ taken chan struct{} }

func (s *slots) enter(ctx context.Context) (leave func(), err error) {
	select {
	case s.taken <- struct{}{}:
		return func() { <-s.taken }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// pace bounds what one user downloads.
type pace struct {
	mu     sync.Mutex
	since  time.Time
	counts map[model.UserID]int
	under  map[model.UserID]int
}

// enter counts a download of a user; done is to be called at its end. It is refused, and not counted, when there are
// too many.
func (p *pace) enter(user model.UserID, now time.Time) (done func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.counts == nil || now.Sub(p.since) >= time.Minute || now.Before(p.since) {
		p.since, p.counts = now, map[model.UserID]int{}
	}
	if p.under == nil {
		p.under = map[model.UserID]int{}
	}
	if p.counts[user] >= aMinute || p.under[user] >= each {
		return nil, false
	}
	p.counts[user]++
	p.under[user]++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.under[user]--; p.under[user] == 0 {
			delete(p.under, user)
		}
	}, true
}

// New makes files ready to serve.
func New(f Files) *Files {
	f.slots.taken, f.pace = make(chan struct{}, atOnce), &pace{}
	return &f
}
