package gmail

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"time"
)

// Account is a person with a mailbox.
type Account struct {
	// Email is the account's address; it is kept in lower case.
	Email string
	// Name stands in From.
	Name string
	// Aliases are further addresses that mail may be sent from and comes to.
	Aliases []Alias
	// Signature is HTML.
	Signature string
}

// Alias is a further address of an account.
type Alias struct {
	Email     string `json:"email"`
	Name      string `json:"name,omitempty"`
	ReplyTo   string `json:"replyTo,omitempty"`
	Signature string `json:"signature,omitempty"`
}

// Mail is a message as a mailbox has it.
type Mail struct {
	// ID, ThreadID and DraftID are Gmail's; DraftID is empty for what is no draft.
	ID, ThreadID, DraftID string
	// LabelIDs are sorted.
	LabelIDs  []string
	HistoryID uint64
	// Date is the internal date, Received when the message came into the mailbox; both in UTC and whole milliseconds.
	Date, Received time.Time
	// MessageID is the header's, without brackets.
	MessageID string
	// Raw is the message; it must not be changed.
	Raw []byte
}

// ErrNoAccount says that no account has this address.
var ErrNoAccount = errors.New("gmail: there is no such account")

// AddAccount makes an account with an empty mailbox. Adding one again is an error, as is an address that is none or
// that is another account's.
func (s *Service) AddAccount(a Account) error {
	email := canonical(a.Email)
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email {
		return fmt.Errorf("gmail: %q is no e-mail address", a.Email)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.accountOf(email) != nil {
		return fmt.Errorf("gmail: %s is there already", email)
	}
	box := &account{
		Email: email, Name: a.Name, Signature: a.Signature,
		Messages: map[string]*message{}, Drafts: map[string]string{}, Labels: map[string]*label{},
	}
	for _, alias := range a.Aliases {
		alias.Email = canonical(alias.Email)
		if !isAddress(alias.Email) || s.accountOf(alias.Email) != nil {
			return fmt.Errorf("gmail: the alias %q is no address of its own", alias.Email)
		}
		box.Aliases = append(box.Aliases, alias)
	}
	random := scramble("history of "+email, s.state.Seed, 0)
	const lowest, spread = 10_000, 90_000
	box.HistoryID = lowest + binary.BigEndian.Uint64(random[:])%spread
	box.HistoryFloor = box.HistoryID
	box.derive()
	s.state.Accounts[email] = box
	return nil
}

// Forget erases a mailbox and what it sent. It is no error when there is none.
func (s *Service) Forget(email string) {
	email = canonical(email)
	s.mu.Lock()
	defer s.mu.Unlock()
	box := s.state.Accounts[email]
	if box == nil {
		return
	}
	for _, m := range box.Messages {
		s.state.bytes -= int64(len(m.Raw))
	}
	delete(s.state.Accounts, email)
	s.state.Outgoing = slices.DeleteFunc(s.state.Outgoing, func(t Transmission) bool { return t.From == email })
}

// Deliver puts a message into a mailbox as if it had come at a time, and returns its id. Whatever the bytes are, they
// are kept as they are. Without labels it is in the inbox and unread; labels that are not there are an error. It joins
// the thread that its References and its subject lead to.
func (s *Service) Deliver(email string, raw []byte, at time.Time, labels ...string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	box := s.state.Accounts[canonical(email)]
	if box == nil {
		return "", ErrNoAccount
	}
	if len(labels) == 0 {
		labels = []string{labelInbox, labelUnread}
	}
	for _, id := range labels {
		if _, known := box.label(id); !known || id == labelDraft {
			return "", fmt.Errorf("gmail: deliver: no message can have the label %q", id)
		}
	}
	m, err := s.store(box, incoming{raw: slices.Clone(raw), labels: labels, received: at, byReferences: true},
		s.now().UTC())
	if err != nil {
		return "", fmt.Errorf("gmail: deliver: %w", err)
	}
	return m.ID, nil
}

// AddLabel makes a label of an account's own and returns its id.
func (s *Service) AddLabel(email, name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	box := s.state.Accounts[canonical(email)]
	if box == nil {
		return "", ErrNoAccount
	}
	r := &request{Service: s, now: s.now().UTC(), box: box}
	r.call.Body = object{"name": name}
	made, err := r.createLabel()
	if err != nil {
		return "", fmt.Errorf("gmail: add a label: %w", err)
	}
	return textOf(made.Body, "id"), nil
}

// Mailbox returns every message of an account, the newest first; nil for an account that is not there.
func (s *Service) Mailbox(email string) []Mail {
	s.mu.RLock()
	defer s.mu.RUnlock()
	box := s.state.Accounts[canonical(email)]
	if box == nil {
		return nil
	}
	all := make([]Mail, len(box.inOrder))
	for i, m := range box.inOrder {
		all[i] = Mail{
			ID: m.ID, ThreadID: m.Thread, DraftID: box.draftOf[m.ID], LabelIDs: slices.Clone(m.Labels), HistoryID: m.History,
			Date: time.UnixMilli(m.Date).UTC(), Received: time.UnixMilli(m.Received).UTC(), MessageID: m.RFC, Raw: m.Raw,
		}
	}
	return all
}

// Outgoing returns what accounts have sent, oldest first, at most the last 10,000. It stays when messages are deleted.
func (s *Service) Outgoing() []Transmission {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.state.Outgoing)
}

// ExpireHistory makes every historyId that an account was given too old.
func (s *Service) ExpireHistory(email string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if box := s.state.Accounts[canonical(email)]; box != nil {
		box.History, box.HistoryFloor = nil, s.state.nextHistory(box)
	}
}
