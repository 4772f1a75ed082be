package agenda

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/mail"
)

// DaysWaiting is how old mail may be that waits for an answer.
const DaysWaiting = 14

// Since is from when on mail may wait for an answer at a moment.
func Since(now time.Time) time.Time { return now.AddDate(0, 0, -DaysWaiting) }

// ReceivedQuery and SentQuery ask Gmail, in its own language, for what may wait for an answer, and for what may have
// answered it. Promotions, social networks and forums wait for nobody.
func ReceivedQuery(now time.Time) string {
	return "in:inbox -from:me -in:chats -category:promotions -category:social -category:forums after:" + seconds(now)
}

// SentQuery asks for what the viewer has sent.
func SentQuery(now time.Time) string { return "in:sent after:" + seconds(now) }

func seconds(now time.Time) string { return strconv.FormatInt(Since(now).Unix(), 10) }

// Waiting returns, of received e-mails, those that wait for an answer of the owner of an address, in their order. An
// e-mail does when it is the newest of its conversation among them, is not older than DaysWaiting, is to the address
// (in To, not only in Cc), from somebody else, from no list (List-Id) and from no sender who takes no answers
// (no-reply), and nothing of the conversation was sent after it. Both are read as far as their headers; of what was
// sent the date is enough.
func Waiting(received, sent []model.Email, address string, now time.Time) []model.Email {
	answered := map[string]time.Time{}
	for _, email := range sent {
		if email.Date.After(answered[email.Thread]) {
			answered[email.Thread] = email.Date
		}
	}
	newest := map[string]time.Time{}
	for _, email := range received {
		if email.Date.After(newest[email.Thread]) {
			newest[email.Thread] = email.Date
		}
	}
	var out []model.Email
	seen := map[string]bool{}
	for _, email := range received {
		if seen[email.Thread] || email.Date.Before(newest[email.Thread]) {
			continue
		}
		seen[email.Thread] = true
		if !answered[email.Thread].After(email.Date) && !email.Date.Before(Since(now)) && wants(email, address) {
			out = append(out, email)
		}
	}
	return out
}

// wants reports whether an e-mail, by itself, asks for an answer of the owner of an address.
func wants(email model.Email, address string) bool {
	header := func(name string) string { return mail.Header(email.Headers, name) }
	from := mail.Addresses(header("From"))
	switch {
	case len(from) == 0, header("List-Id") != "", same(from[0].Email, address), takesNoAnswer(from[0].Email):
		return false
	case slices.Contains(email.Labels, "DRAFT"), slices.Contains(email.Labels, "SPAM"),
		slices.Contains(email.Labels, "TRASH"), !slices.Contains(email.Labels, "INBOX"):
		return false
	}
	return slices.ContainsFunc(mail.Addresses(header("To")),
		func(to model.EmailAddress) bool { return same(to.Email, address) })
}

// same reports whether two addresses are of one mailbox: alice+shop@example.com is alice@example.com.
func same(a, b string) bool { return plain(a) == plain(b) }

func plain(address string) string {
	address = strings.ToLower(strings.TrimSpace(address))
	local, domain, _ := strings.Cut(address, "@")
	local, _, _ = strings.Cut(local, "+")
	return local + "@" + domain
}

// takesNoAnswer reports whether an address says of itself that nobody reads what is sent to it.
func takesNoAnswer(address string) bool {
	local, _, _ := strings.Cut(strings.ToLower(address), "@")
	name := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' {
			return -1
		}
		return r
	}, local)
	for _, part := range [...]string{"noreply", "donotreply", "dontreply", "mailerdaemon", "postmaster", "unsubscribe"} {
		if strings.HasPrefix(name, part) || strings.HasSuffix(name, part) {
			return true
		}
	}
	return strings.HasPrefix(name, "bounce") || strings.HasPrefix(name, "notification")
}
