package resolvers_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
)

// mailbox is what the repetition of a mutation of mail must leave as it is.
func mailOf(t *testing.T, h *harness) string {
	t.Helper()
	return h.google.mails("alice@example.com") + h.google.outgoing() +
		string(h.say(t, "alice", nil, `{ emailPreviews { id state hash sentAt } emailLabels { name } }`, nil))
}

// A try of a mutation of mail after one whose answer nobody heard does nothing more, and answers the same; two hours
// later, when its confirmation has expired, too.
func TestARepetitionOfMailDoesNothingMore(t *testing.T) {
	for name, c := range map[string]struct{ before, mutation string }{
		"reply shown": {"",
			`previewReply(input: { emailId: "email@1", body: "Yes" }) { preview { id hash state body raw } userErrors { code } }`},
		"sent": {
			`mutation { m: previewEmail(input: { to: ["dana@example.org"], body: "Hi" }) { preview { id hash } } }`,
			`sendEmail(input: { previewId: "PREVIEW", hash: "HASH" }) { state email { id } userErrors { code message } }`},
		"asked about": {"",
			`replyToEmail(input: { emailId: "email@1", body: "Yes" }) { state preview { id hash } userErrors { code } }`},
		"approved": {
			`mutation { m: replyToEmail(input: { emailId: "email@1", body: "Yes" }) { confirmation { token } } }`,
			`replyToEmail(input: { emailId: "email@1", body: "Yes", confirm: { token: "TOKEN", all: true } }) { state email { id } userErrors { code message } }`,
		},
		"discarded": {`mutation { m: previewEmail(input: { to: ["dana@example.org"], body: "Hi" }) { preview { id hash } } }`,
			`discardPreview(input: { id: "PREVIEW" }) { discarded userErrors { code message } }`},
		"marked": {"",
			`markEmails(input: { ids: ["email@1"], read: true, starred: true }) { updated ids errors { code } userErrors { code } }`},
		"labelled": {"",
			`labelEmails(input: { ids: ["email@1"], add: ["New"], createMissing: true }) { updated ids errors { code } userErrors { code message } }`},
	} {
		t.Run(name, func(t *testing.T) {
			h := harnesses()[0].build(t, start)
			if err := h.google.link(t.Context(), model.UserIDOf("alice"), "alice@example.com", "UTC"); err != nil {
				t.Fatal(err)
			}
			if err := h.google.do(t.Context(),
				`letter alice@example.com {"From": "dana@example.org", "To": "alice@example.com", "Subject": "Noon", "Text": "Shall we?"}`); err != nil {
				t.Fatal(err)
			}
			names := newNames()
			names.letters(h.google.delivered)
			document := "mutation { m: " + c.mutation + " }"
			if c.before != "" {
				answer := string(h.say(t, "alice", nil, names.real(c.before), nil))
				for word, pattern := range map[string]string{"PREVIEW": `"id":"(preview_[a-z0-9]+)"`,
					"HASH": `"hash":"([0-9a-f]+)"`, "TOKEN": `"token":"([^"]+)"`} {
					if found := regexp.MustCompile(pattern).FindStringSubmatch(answer); found != nil {
						document = strings.ReplaceAll(document, word, found[1])
					}
				}
			}
			document = names.real(document)
			h.notes = &heldNotes{held: map[string][]byte{}}
			first := string(h.say(t, "alice", nil, document, nil))
			if strings.Contains(first, `"errors":[{`) || strings.Contains(first, `"userErrors":[{`) {
				t.Fatalf("the first try failed: %s", first)
			}
			was := mailOf(t, h)
			h.clock.Advance(2 * time.Hour)
			second := string(h.say(t, "alice", nil, document, nil))
			if a, b := changing.ReplaceAllString(first, ""), changing.ReplaceAllString(second, ""); a != b {
				t.Errorf("the repetition answers otherwise\n first %s\nsecond %s", a, b)
			}
			if now := mailOf(t, h); now != was {
				t.Errorf("the repetition changed something\n was %s\n is %s", was, now)
			}
		})
	}
}
