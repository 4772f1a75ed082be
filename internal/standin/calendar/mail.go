package calendar

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// MailKind is what a mail is about.
type MailKind string

// Google mails guests when an event is made, changed or cancelled, and organizers when a guest responds.
const (
	MailInvitation   MailKind = "invitation"
	MailUpdate       MailKind = "update"
	MailCancellation MailKind = "cancellation"
	MailResponse     MailKind = "response"
)

// Mail is one that Google would have sent about a write.
type Mail struct {
	At       time.Time `json:"at"`
	Kind     MailKind  `json:"kind"`
	Calendar string    `json:"calendar"`
	Event    string    `json:"event"`
	From     string    `json:"from"`
	To       string    `json:"to"`
}

// mostMail is how many mails are remembered, the latest.
const mostMail = 10_000

// Notifications returns the mails that Google would have sent, oldest first, at most the last 10,000.
func (s *Service) Notifications() []Mail {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.state.Mail)
}

// reaches says whether a guest of a calendar's event is mailed. External is who has another domain than the organizer;
// measured, and not who has no Google Calendar, as its name might say.
func (u updates) reaches(c *calendar, email string) bool {
	switch u {
	case updatesAll:
		return true
	case updatesExternal:
		return domainOf(email) != domainOf(c.Owner)
	}
	return false
}

func domainOf(email string) string {
	_, domain, _ := strings.Cut(canonical(email), "@")
	return domain
}

func (r *request) mail(c *calendar, e *event, send updates, kind MailKind, to string) {
	if to == r.account.Email || !send.reaches(c, to) {
		return
	}
	r.state.Mail = append(r.state.Mail,
		Mail{At: r.now, Kind: kind, Calendar: c.ID, Event: e.ID, From: r.account.Email, To: to})
	if over := len(r.state.Mail) - mostMail; over > 0 {
		r.state.Mail = slices.Clone(r.state.Mail[over:])
	}
}

// mailGuests tells the guests of an event: who is new is invited, who was removed hears of a cancellation.
func (r *request) mailGuests(c *calendar, e *event, before object, send updates, kind MailKind) {
	are, were := guests(c.body(e)), guests(before)
	all := maps.Clone(are)
	maps.Copy(all, were)
	for _, email := range slices.Sorted(maps.Keys(all)) {
		_, stays := are[email]
		_, was := were[email]
		switch {
		case kind == MailCancellation || !stays:
			r.mail(c, e, send, MailCancellation, email)
		case !was:
			r.mail(c, e, send, MailInvitation, email)
		default:
			r.mail(c, e, send, MailUpdate, email)
		}
	}
}

func (r *request) mailOrganizer(c *calendar, e *event, send updates) {
	if c.Owner != "" {
		r.mail(c, e, send, MailResponse, c.Owner)
	}
}
