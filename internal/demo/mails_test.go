package demo_test

import (
	"bytes"
	"image/png"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/demo"
)

// Whenever it is laid, the mailbox is in order, nothing in it comes from the future, and every answer follows what it
// answers.
func TestTheSampleMailboxIsWhole(t *testing.T) {
	const account = "demo@example.com"
	hebrew := regexp.MustCompile(`\p{Hebrew}`)
	for step := range 60 {
		now := time.Date(2026, 3, 1, 0, 17, 31, 0, time.UTC).Add(time.Duration(step) * 37 * time.Hour)
		mails := demo.Mails(account, now)
		seen := map[string]time.Time{}
		inHebrew, files, unread := 0, 0, 0
		for _, m := range mails {
			if m.At.After(now) || m.Text == "" && m.HTML == "" || len(m.Labels) == 0 {
				t.Fatalf("%s: at %s, of %s", m.Subject, m.At, now)
			}
			for _, list := range []string{m.From, m.To, m.Cc} {
				if list == "" {
					continue
				}
				if _, err := mail.ParseAddressList(list); err != nil {
					t.Fatalf("%s: %q: %v", m.Subject, list, err)
				}
			}
			if !strings.Contains(m.From+m.To, account) {
				t.Errorf("%s concerns somebody else", m.Subject)
			}
			if _, twice := seen[m.ID]; twice {
				t.Errorf("%s is there twice", m.ID)
			}
			if m.InReplyTo != "" {
				if before, known := seen[m.InReplyTo]; !known || !before.Before(m.At) ||
					!strings.HasSuffix(m.References, "<"+m.InReplyTo+">") {
					t.Errorf("%s answers what was not there", m.ID)
				}
			}
			seen[m.ID] = m.At
			if hebrew.MatchString(m.Subject) {
				inHebrew++
			}
			if slices.Contains(m.Labels, "UNREAD") {
				unread++
			}
			files += len(m.Files)
		}
		if len(mails) < 10 || inHebrew < 4 || files < 4 || unread < 4 {
			t.Fatalf("%d e-mails, %d in Hebrew, %d files, %d unread", len(mails), inHebrew, files, unread)
		}
	}
}

// The sample's files are what they say they are.
func TestTheSampleFilesOpen(t *testing.T) {
	for _, m := range demo.Mails("demo@example.com", time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)) {
		for _, f := range m.Files {
			switch f.Type {
			case "image/png":
				if _, err := png.Decode(bytes.NewReader(f.Content)); err != nil {
					t.Errorf("%s: %v", f.Name, err)
				}
				if !strings.Contains(m.HTML, "cid:"+f.ContentID) {
					t.Errorf("%s is shown nowhere", f.Name)
				}
			case "application/pdf":
				table := bytes.LastIndex(f.Content, []byte("xref\n0 "))
				if !bytes.HasPrefix(f.Content, []byte("%PDF-")) || !bytes.HasSuffix(f.Content, []byte("%%EOF\n")) || table < 0 {
					t.Errorf("%s is %.40q", f.Name, f.Content)
				}
			default:
				t.Errorf("%s is a %s", f.Name, f.Type)
			}
		}
	}
}
