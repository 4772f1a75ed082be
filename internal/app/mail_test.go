package app_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"
	api "google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"
	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	standingmail "almanac/internal/standin/gmail"
)

const (
	askMail     = `{ emails(filter: { label: "INBOX" }, first: 50) { nodes { id subject snippet unread from { name email } attachments { filename url } } } }`
	previewMail = `mutation ($input: PreviewEmailInput!) { previewEmail(input: $input) { preview { id hash } userErrors { code message } } }`
	sendMail    = `mutation ($input: SendEmailInput!) { sendEmail(input: $input) { state email { id subject } userErrors { code message } } }`
	watchMail   = `subscription ($after: String) { emailReceived(after: $after) { cursor id: nodeId email { subject from { email } } } }`
)

// mailbox is what a person sees of the inbox.
type mailbox struct {
	Emails struct {
		Nodes []struct {
			ID, Subject, Snippet string
			Unread               bool
			From                 struct{ Name, Email string }
			Attachments          []struct{ Filename, URL string }
		}
	}
}

func (m mailbox) subjects() []string {
	var all []string
	for _, one := range m.Emails.Nodes {
		all = append(all, one.Subject)
	}
	return all
}

// shown is a preview that may be sent.
type shown struct{ ID, Hash string }

// mustPreview makes an e-mail and returns what sends it.
func (p *process) mustPreview(to, subject, body string) shown {
	p.t.Helper()
	var data struct{ PreviewEmail struct{ Preview *shown } }
	p.mustAsk(previewMail, map[string]any{"input": map[string]any{"to": []string{to}, "subject": subject, "body": body}},
		&data)
	if data.PreviewEmail.Preview == nil {
		p.t.Fatalf("there is no preview\n%s", p.log)
	}
	return *data.PreviewEmail.Preview
}

// sends sends what was shown and returns the state; "" when there was no answer to speak of.
func (p *process) sends(s shown) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.Context()), patience)
	defer cancel()
	a, err := p.ask(ctx, sendMail, map[string]any{"input": map[string]any{"previewId": s.ID, "hash": s.Hash}}, nil)
	var data struct{ SendEmail struct{ State string } }
	if err != nil || json.Unmarshal(a.Data, &data) != nil {
		return ""
	}
	return data.SendEmail.State
}

// sent are the Message-IDs of what truly went out of an account.
func (w *world) sent(email string) (ids []string) {
	for _, one := range w.mail.Outgoing() {
		if one.From == email {
			ids = append(ids, one.RFC)
		}
	}
	return ids
}

// as returns a client of another account of the same Google.
func (w *world) as(email string) *api.UsersService {
	w.t.Helper()
	tokens, err := w.front.Grant(email, []string{api.MailGoogleComScope})
	if err != nil {
		w.t.Fatal(err)
	}
	client := &http.Client{Transport: &oauth2.Transport{
		Source: oauth2.StaticTokenSource(&oauth2.Token{AccessToken: tokens.Access}), Base: w.front.Transport()}}
	service, err := api.NewService(w.t.Context(), option.WithHTTPClient(client))
	if err != nil {
		w.t.Fatal(err)
	}
	return service.Users
}

// writes makes noa send yael an e-mail.
func (w *world) writes(subject string) {
	w.t.Helper()
	raw := base64.URLEncoding.EncodeToString(standingmail.Letter{From: noa, To: yael, Subject: subject,
		Text: "Hello."}.Bytes())
	if _, err := w.as(noa).Messages.Send("me", &api.Message{Raw: raw}).Do(); err != nil {
		w.t.Fatal(err)
	}
}

// The whole way with a real process, on both databases: what others send is heard once and listed, with its files; what
// is shown is sent, once, and arrives.
func TestMail(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p := w.spawnLinked(append(flags, "--google-poll=15s", "--log-level=debug")...)
			eventually(t, "the mailbox to be followed",
				func() bool { return p.metric(`almanac_mailbox_syncs_total{code="",outcome="begun"}`) == "1" })
			from := map[string]any{"after": changeHead(p)} // a listener may begin to listen after the e-mail has come
			listener := p.mustListen(watchMail, from, "")

			file := []byte("%PDF-1.4 a ticket")
			letter := standingmail.Letter{
				From: "Noa Bar <" + noa + ">", To: yael, Subject: "הכרטיס", Text: "מצורף.",
				Attachments: []standingmail.Attachment{{Name: "כרטיס.pdf", Type: "application/pdf", Content: file}},
			}
			if _, err := w.mail.Deliver(yael, letter.Bytes(), time.Now()); err != nil {
				t.Fatal(err)
			}
			w.writes("the second")
			seen := map[string]string{}
			for range 2 {
				var heard struct {
					EmailReceived struct {
						Cursor, ID string
						Email      *struct {
							Subject string
							From    struct{ Email string }
						}
					}
				}
				if _, err := listener.next(&heard); err != nil {
					t.Fatalf("%v\n%s", err, p.log)
				}
				if heard.EmailReceived.Email == nil || heard.EmailReceived.Email.From.Email != noa {
					t.Fatalf("heard %+v", heard)
				}
				seen[heard.EmailReceived.Email.Subject] = heard.EmailReceived.ID
			}
			if len(seen) != 2 || seen["הכרטיס"] == "" || seen["the second"] == "" {
				t.Errorf("heard %v", seen)
			}

			var box mailbox
			p.mustAsk(askMail, nil, &box)
			if got := box.subjects(); len(got) != 2 || got[0] != "the second" || got[1] != "הכרטיס" {
				t.Fatalf("the inbox has %q", got)
			}
			second, ticket := box.Emails.Nodes[0], box.Emails.Nodes[1]
			if ticket.ID != seen["הכרטיס"] || !ticket.Unread || ticket.From.Name != "Noa Bar" || len(ticket.Attachments) != 1 {
				t.Fatalf("%+v, %+v", ticket, second)
			}
			downloads(t, p, ticket.Attachments[0].URL, file)

			// A mark of our own is told once, as a change and not as an arrival.
			r, a := p.post(
				`mutation ($ids: [ID!]!) { markEmails(input: { ids: $ids, read: true }) { updated userErrors { message } } }`,
				map[string]any{"ids": []string{second.ID}})
			if len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"updated":1`) {
				t.Fatalf("%s", r.body)
			}
			w.writes("the third")
			var third struct {
				EmailReceived struct{ Email struct{ Subject string } }
			}
			if _, err := listener.next(&third); err != nil || third.EmailReceived.Email.Subject != "the third" {
				t.Errorf("%v, heard %+v", err, third)
			}
			var log struct {
				Changes struct {
					Nodes []struct {
						Type, Operation, ID string
						Node                *struct{ Subject string }
					}
				}
			}
			p.mustAsk(
				`query ($after: String) { changes(after: $after, types: [EMAIL], first: 100) { nodes { type operation id: nodeId node { ... on Email { subject } } } } }`, from, &log)
			count := map[string]int{}
			for _, line := range log.Changes.Nodes {
				if line.Node == nil {
					t.Errorf("%+v has no e-mail", line)
					continue
				}
				count[line.Operation+" "+line.Node.Subject]++
			}
			if len(log.Changes.Nodes) != 4 || count["UPDATED the second"] != 1 || count["CREATED the third"] != 1 {
				t.Errorf("the log has %v", count)
			}

			one := p.mustPreview(noa, "תשובה", "Thank you.\n")
			if got := w.sent(yael); len(got) != 0 {
				t.Fatalf("a preview has sent %v", got)
			}
			if state := p.sends(shown{one.ID, strings.Repeat("0", 64)}); state == "SENT" || len(w.sent(yael)) != 0 {
				t.Fatal("it was sent without its hash")
			}
			for range 2 {
				if state := p.sends(one); state != "SENT" {
					t.Fatalf("it is %s\n%s", state, p.log)
				}
			}
			if got := w.sent(yael); len(got) != 1 {
				t.Errorf("%d e-mails went out", len(got))
			}
			if !w.asked["gmail.googleapis.com"] {
				t.Errorf("asked were %v", w.asked)
			}
			for _, private := range []string{"הכרטיס", "the second", "Thank you", noa, one.Hash} {
				if strings.Contains(p.log.String(), private) {
					t.Errorf("the log has %q", private)
				}
			}
		})
	}
}

// downloads opens the address of an attachment the way a browser does, without a token.
func downloads(t *testing.T, p *process, address string, want []byte) {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil || !strings.HasPrefix(at.Path, "/attachments/") || at.RawQuery != "" {
		t.Fatalf("the address is %s, %v", address, err)
	}
	got := p.mustSend(http.MethodGet, at.Path, nil)
	if got.status != http.StatusOK || string(got.body) != string(want) {
		t.Fatalf("it gives %d %q\n%s", got.status, got.body, p.log)
	}
	for name, value := range map[string]string{"Content-Type": "application/octet-stream",
		"X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store"} {
		if got.header.Get(name) != value {
			t.Errorf("%s is %q", name, got.header.Get(name))
		}
	}
	_, named, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
	if err != nil || named["filename"] != "כרטיס.pdf" ||
		!strings.HasPrefix(got.header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("%v, the headers are %v", err, got.header)
	}
	if got := p.mustSend(http.MethodGet, at.Path[:len(at.Path)-4]+"AAAA", nil); got.status != http.StatusNotFound {
		t.Errorf("a forged address gives %d", got.status)
	}
}

// Wherever in the sending the process is killed, the next one sends the e-mail, and one e-mail goes out.
func TestAKilledSenderSendsOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path   string
		served bool
	}{
		"before the draft":           {"/drafts", false},
		"after the draft":            {"/drafts", true},
		"before Gmail sends it":      {"/drafts/send", false},
		"after Gmail has sent it":    {"/drafts/send", true},
		"before anything was wanted": {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			folder := t.TempDir()
			p := w.spawnLinked("--data-dir="+folder, "--google-poll=24h")
			one := p.mustPreview(noa, "once", "Only once.\n")
			if c.path != "" {
				reached, dead := make(chan struct{}), make(chan struct{})
				var once sync.Once
				w.mu.Lock()
				w.gate = func(r *http.Request, served bool) {
					if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, c.path) && served == c.served {
						once.Do(func() {
							close(reached)
							<-dead
							if !served {
								<-r.Context().Done()
							}
						})
					}
				}
				w.mu.Unlock()
				answered := make(chan string, 1)
				go func() { answered <- p.sends(one) }()
				select {
				case <-reached:
				case state := <-answered:
					t.Fatalf("nobody was asked, and it is %q\n%s", state, p.log)
				}
				p.kill()
				close(dead)
				if state := <-answered; state != "" {
					t.Fatalf("a dead process says %q", state)
				}
				endLeases(t, folder)
			} else {
				p.kill()
			}
			p = spawn(t, w.variables, "--data-dir="+folder, "--google-poll=24h").await()
			var last string
			eventually(t, "the e-mail to be sent", func() bool {
				last = p.sends(one)
				return last == "SENT"
			})
			if got := w.sent(yael); len(got) != 1 {
				t.Errorf("%d e-mails went out", len(got))
			}
			if state := p.sends(one); state != "SENT" || len(w.sent(yael)) != 1 {
				t.Errorf("once more: %s, %d e-mails", state, len(w.sent(yael)))
			}
			if arrived := w.mail.Mailbox(noa); len(arrived) != 1 {
				t.Errorf("%d e-mails came", len(arrived))
			}
		})
	}
}

// endLeases lets the time pass that a dead sender has an e-mail for itself.
func endLeases(t *testing.T, folder string) {
	t.Helper()
	for _, name := range mustGlob(t, folder, "*.db") {
		conn, err := sqlite.OpenConn(name, sqlite.OpenReadWrite|sqlite.OpenWAL)
		if err != nil {
			t.Fatal(err)
		}
		err = sqlitex.ExecuteTransient(conn, `UPDATE outbox SET held_until = 1 WHERE state = 'SENDING'`, nil)
		changed := conn.Changes()
		if closed := conn.Close(); err != nil || closed != nil || changed != 1 {
			t.Fatalf("%s: %v, %v, %d leases", filepath.Base(name), err, closed, changed)
		}
	}
}

// What "make run" promises of mail: a living mailbox at the first start, in both languages; nothing is laid twice, and
// what was thrown away stays so.
func TestSampleMailbox(t *testing.T) {
	t.Parallel()
	folder := "--data-dir=" + t.TempDir()
	p := start(t, folder, "--demo")
	var first, again mailbox
	p.mustAsk(askMail, nil, &first)
	if got := first.subjects(); len(got) < 7 || !slices.Contains(got, "Re: מסמכים לפגישה") ||
		!slices.Contains(got, "Re: Team meeting tomorrow") || slices.Contains(got, "You have been selected!!!") {
		t.Errorf("the inbox has %q", got)
	}
	files := 0
	for _, one := range first.Emails.Nodes {
		for _, f := range one.Attachments {
			files++
			at, err := url.Parse(f.URL)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.mustSend(http.MethodGet, at.Path, nil); got.status != http.StatusOK || len(got.body) == 0 {
				t.Errorf("%s gives %d %s", f.Filename, got.status, got.body)
			}
		}
	}
	if files < 3 {
		t.Errorf("there are %d files", files)
	}
	var threads struct {
		Emails struct{ Nodes []struct{ ThreadID string } }
	}
	p.mustAsk(`{ emails(filter: { subject: "Team meeting" }) { nodes { threadId } } }`, nil, &threads)
	if n := threads.Emails.Nodes; len(n) != 3 || n[0] != n[1] || n[1] != n[2] {
		t.Errorf("the conversation is %v", n)
	}
	var done struct{ LabelEmails struct{ Updated int } }
	p.mustAsk(`mutation ($id: ID!) { labelEmails(input: { ids: [$id], add: ["TRASH"] }) { updated } }`,
		map[string]any{"id": first.Emails.Nodes[0].ID}, &done)
	p.kill()
	p = start(t, folder, "--demo")
	p.mustAsk(askMail, nil, &again)
	if got := fmt.Sprint(again.subjects()); len(again.Emails.Nodes) != len(first.Emails.Nodes)-1 ||
		again.Emails.Nodes[0].ID == first.Emails.Nodes[0].ID {
		t.Errorf("after a new start the inbox has %s", got)
	}
	if r := p.mustSend(http.MethodGet, "/attachments/x", nil); r.status != http.StatusNotFound {
		t.Errorf("a made-up address gives %d %s", r.status, r.body)
	}
}
