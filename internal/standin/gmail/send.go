package gmail

import (
	"encoding/base64"
	"slices"
	"strings"
	"time"

	"almanac/internal/standin/wire"
)

// Transmission is a message that left a mailbox.
type Transmission struct {
	At time.Time `json:"at"`
	// From is the account, To are all who it went to, Bcc included, in lower case.
	From string   `json:"from"`
	To   []string `json:"to"`
	// ID is the message's in the sender's mailbox, RFC its Message-ID without brackets.
	ID  string `json:"id"`
	RFC string `json:"rfc"`
	// Draft is the draft that it was, if any.
	Draft string `json:"draft,omitempty"`
}

// mostTransmissions is how many are remembered, the latest.
const mostTransmissions = 10_000

// given is a message as a client hands it over.
type given struct {
	raw    []byte
	thread string
}

// message5322 reads a Message of a body, or what an upload carried.
func (r *request) message5322(body object) (given, error) {
	g := given{raw: r.call.Media, thread: textOf(body, "threadId")}
	if g.raw == nil {
		text := textOf(body, "raw")
		if text == "" {
			return g, invalid("'raw' RFC822 payload message string or uploading message via /upload/* URL required")
		}
		var err error
		if g.raw, err = base64.RawURLEncoding.DecodeString(strings.NewReplacer("+", "-", "/",
			"_").Replace(strings.TrimRight(text, "="))); err != nil {
			return g, invalid("Invalid value for ByteString: raw")
		}
	}
	if len(g.raw) == 0 {
		return g, invalid("'raw' RFC822 payload message string or uploading message via /upload/* URL required")
	}
	if len(g.raw) > MaxMessage {
		return g, tooLarge()
	}
	g.raw = slices.Clone(g.raw) // what is kept is nobody else's
	if g.thread == "" {
		return g, nil
	}
	if !isID(g.thread) {
		return g, invalid("Invalid thread_id value")
	}
	if len(r.box.threads[g.thread]) == 0 {
		return g, notFound()
	}
	return g, nil
}

func (r *request) sendMessage() (wire.Reply, error) {
	g, err := r.message5322(r.call.Body)
	if err != nil {
		return wire.Reply{}, err
	}
	m, err := r.send(g, "")
	if err != nil {
		return wire.Reply{}, err
	}
	return reply(r.row(m))
}

// send keeps the sender's copy and delivers the others. draft is what the message was until now; it is gone afterwards.
func (r *request) send(g given, draft string) (*message, error) {
	out, err := r.ready(g)
	if err != nil {
		return nil, err
	}
	in := incoming{raw: out.raw, labels: []string{labelSent}, thread: g.thread,
		byReferences: r.switches.ThreadByReferences}
	self := slices.ContainsFunc(out.to, func(to string) bool { return r.accountOf(to) == r.box })
	if self {
		in.labels = append(in.labels, labelInbox, labelUnread)
	}
	if old := r.box.Messages[r.box.Drafts[draft]]; old != nil {
		r.erase(r.box, old, r.now)
	}
	m, err := r.store(r.box, in, r.now)
	if err != nil {
		return nil, err
	}
	r.box.Spent = append(r.box.Spent, spent{At: r.now.Unix(), N: len(out.to)})
	r.state.Outgoing = append(r.state.Outgoing,
		Transmission{At: r.now, From: r.box.Email, To: out.to, ID: m.ID, RFC: m.RFC, Draft: draft})
	if over := len(r.state.Outgoing) - mostTransmissions; over > 0 {
		r.state.Outgoing = slices.Delete(r.state.Outgoing, 0, over)
	}
	r.deliver(out)
	return m, nil
}

// ready checks a message and makes it into what is sent. Nothing is changed when it fails.
func (r *request) ready(g given) (outgoing, error) {
	if err := checkHeader(g.raw); err != nil {
		return outgoing{}, err
	}
	to, err := recipients(parse(g.raw))
	if err != nil {
		return outgoing{}, err
	}
	if err := r.checkLimit(len(to)); err != nil {
		return outgoing{}, err
	}
	out := outgoing{raw: r.compose(r.box, g.raw, r.now), to: to}
	return out, r.room(r.box, len(out.raw))
}

// checkLimit counts the recipients of the last 24 hours.
func (r *request) checkLimit(more int) error {
	const day = 24 * time.Hour
	limit := r.switches.sendLimit()
	if limit < 0 {
		return nil
	}
	since := r.now.Add(-day).Unix()
	r.box.Spent = slices.DeleteFunc(r.box.Spent, func(s spent) bool { return s.At <= since })
	sum := more
	for _, s := range r.box.Spent {
		sum += s.N
	}
	if sum <= limit {
		return nil
	}
	frees := r.now.Add(day)
	for _, s := range r.box.Spent { // the oldest leave first
		if sum -= s.N; sum <= limit {
			frees = time.Unix(s.At, 0).Add(day)
			break
		}
	}
	return sendingLimit(frees.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// deliver puts a message into the mailboxes of its recipients who have one here, once into each.
func (r *request) deliver(out outgoing) {
	var reached []*account
	for _, to := range out.to {
		box := r.accountOf(to)
		if box == nil || box == r.box || slices.Contains(reached, box) {
			continue
		}
		reached = append(reached, box)
		in := incoming{raw: delivered(out.raw, r.box.Email, to, r.now), labels: []string{labelInbox, labelUnread},
			byReferences: true}
		_, _ = r.store(box, in, r.now) // a mailbox that is full gets nothing, and its sender hears of it by mail at most
	}
}

// accountOf finds whose address it is: an account's own, an alias, or either with "+anything" before the @; dots do not
// count at gmail.com.
func (s *Service) accountOf(email string) *account {
	email = plainAddress(email)
	if box := s.state.Accounts[email]; box != nil {
		return box
	}
	for _, box := range s.state.Accounts {
		if plainAddress(box.Email) == email ||
			slices.ContainsFunc(box.Aliases, func(a Alias) bool { return plainAddress(a.Email) == email }) {
			return box
		}
	}
	return nil
}

func plainAddress(email string) string {
	local, domain, _ := strings.Cut(canonical(email), "@")
	local, _, _ = strings.Cut(local, "+")
	if domain == "googlemail.com" {
		domain = "gmail.com"
	}
	if domain == "gmail.com" {
		local = strings.ReplaceAll(local, ".", "")
	}
	return local + "@" + domain
}
