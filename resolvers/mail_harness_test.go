package resolvers_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"almanac/adapters/gmail"
	"almanac/adapters/google"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/mailfiles"
	"almanac/internal/outbox"
	"almanac/internal/seal"
	mailbox "almanac/internal/standin/gmail"
	standin "almanac/internal/standin/google"
	"almanac/projections/mail"
	"almanac/resolvers/emails"
)

// mailStore is what mailboxes need of a store beside that of the resolvers.
type mailStore interface {
	store.MailCache
	outbox.Store
}

// mail wires the real adapter and the real outbox. Mail may go to *.example domains only, to few at once.
func (g *googleHarness) mail(clients *google.Clients) emails.Mail {
	box, err := seal.NewBox(bytes.Repeat([]byte{9}, 32))
	if err != nil {
		panic(err)
	}
	kept := g.store.(mailStore)
	g.gmail = &gmail.Client{Google: clients, Cache: kept, Box: box, Now: g.now}
	var made atomic.Uint64
	g.outbox = &outbox.Outbox{
		Store: kept, Mail: g.gmail, Box: box, Now: g.now, Logger: slog.New(slog.DiscardHandler),
		NewID: func() (id model.UUID) {
			binary.BigEndian.PutUint64(id[8:], made.Add(1))
			return id
		},
	}
	base, err := url.Parse("https://almanac.example/")
	if err != nil {
		panic(err)
	}
	files := mailfiles.New(mailfiles.Files{Mail: g.gmail, Accounts: g.store, Status: g.Status, Box: box, Base: base,
		Now: g.now, Logger: slog.New(slog.DiscardHandler)})
	return emails.Mail{
		Reader: g.gmail, Marker: g.gmail, Labels: g.gmail, Outbox: g.outbox, AttachmentURL: files.URL,
		Policy: emails.MailPolicy{Allow: []string{"@example.com", "@example.org", "one@example.net"}, MaxRecipients: 5},
	}
}

// doMail runs one line of a script's google section that is about mail.
func (g *googleHarness) doMail(ctx context.Context, args []string, body string) error {
	switch args[0] {
	case "letter":
		var letter struct {
			mailbox.Letter
			At     string
			Labels []string
			Times  int
			ID     string
		}
		if err := json.Unmarshal([]byte(body), &letter); err != nil {
			return err
		}
		at := g.now()
		if letter.At != "" {
			var err error
			if at, err = time.Parse(time.RFC3339, letter.At); err != nil {
				return err
			}
		}
		letter.Text = strings.ReplaceAll(letter.Text, "\n", "\r\n")
		for i := range max(letter.Times, 1) {
			one := letter.Letter
			if letter.Times > 0 {
				one.Subject = fmt.Sprintf("%s %d", one.Subject, i+1)
			}
			if one.Date.IsZero() {
				one.Date = at
			}
			id, err := g.mailbox.Deliver(args[1], one.Bytes(), at.Add(time.Duration(i)*time.Second), letter.Labels...)
			if err != nil {
				return err
			}
			g.delivered = append(g.delivered, id)
		}
	case "label":
		_, err := g.mailbox.AddLabel(args[1], strings.TrimSpace(strings.Join(args[2:], " ")))
		return err
	case "linkonly": // with the calendar's scopes alone
		return g.linkFor(ctx, model.UserIDOf(args[1]), args[2], "Asia/Jerusalem", wantedScopes[:3])
	case "forget":
		g.mailbox.ExpireHistory(args[1])
	case "settle":
		return g.outbox.Settle(ctx)
	default:
		return fmt.Errorf("unknown command %q", args[0])
	}
	return nil
}

// mails is what a mailbox truly holds, a message a line, the newest first.
func (g *googleHarness) mails(account string) string {
	var out strings.Builder
	for _, one := range g.mailbox.Mailbox(account) {
		labels := slices.Sorted(slices.Values(one.LabelIDs))
		fmt.Fprintf(&out, "%s thread=%s %s %s\n", one.ID, one.ThreadID, strings.Join(labels, ","), headline(one.Raw))
	}
	return out.String()
}

// headline is what tells messages apart.
func headline(raw []byte) string {
	head, _, _ := strings.Cut(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\n\n")
	head = strings.ReplaceAll(strings.ReplaceAll(head, "\n ", " "), "\n\t", " ")
	var out strings.Builder
	for _, name := range []string{"From", "To", "Cc", "Bcc", "Subject", "In-Reply-To", "References"} {
		for line := range strings.Lines(head) {
			if value, found := strings.CutPrefix(line, name+":"); found {
				fmt.Fprintf(&out, "%s: %s; ", name, strings.Join(strings.Fields(mail.Plain(strings.TrimSpace(value))), " "))
			}
		}
	}
	return out.String()
}

// outgoing is what has left, a message a line.
func (g *googleHarness) outgoing() string {
	var out strings.Builder
	for _, one := range g.mailbox.Outgoing() {
		fmt.Fprintf(&out, "%s -> %s as %s\n", one.From, strings.Join(one.To, ", "), one.ID)
	}
	return out.String()
}

// askedOfGmail is a request of Gmail's as a line.
func askedOfGmail(r standin.Request) string {
	at, err := url.Parse(r.URL)
	if err != nil {
		panic(err)
	}
	_, path, _ := strings.Cut(at.Path, "/users/me/")
	var line strings.Builder
	fmt.Fprintf(&line, "%s %s", strings.TrimPrefix(r.Method, "gmail.users."), path)
	query := at.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if name != "alt" && name != "prettyPrint" && name != "fields" && name != "metadataHeaders" &&
			name != "startHistoryId" {
			fmt.Fprintf(&line, " %s=%s", name, strings.Join(query[name], "&"))
		}
	}
	if body := strings.TrimSpace(string(r.Body)); strings.Contains(body, `"raw"`) {
		line.WriteString(" " + rawBody(body))
	} else if body != "" {
		line.WriteString(" " + body)
	}
	return fmt.Sprintf("%s -> %d\n", line.String(), r.Status)
}

// rawBody says of a message that is handed over whether it can be read, and what joins it to a conversation.
func rawBody(body string) string {
	var draft struct {
		Message struct{ Raw, ThreadID string }
	}
	if err := json.Unmarshal([]byte(body), &draft); err != nil {
		return err.Error()
	}
	raw, err := base64.URLEncoding.DecodeString(draft.Message.Raw)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("thread=%s %s", draft.Message.ThreadID, headline(raw))
}
