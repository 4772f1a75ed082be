package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	mailbox "almanac/internal/standin/gmail"
	standin "almanac/internal/standin/google"
)

// mailLine is a line of the change log about an e-mail of a user's first account, or of another that is not linked.
func mailLine(connection int, operation model.Operation, message string) model.Change {
	id := model.EmailRef{Connection: connection, Message: message}.ID()
	line := model.Change{Type: model.ChangeEmail, ID: id.UUID, Remote: id.Remote, Operation: operation}
	if operation != model.OperationDeleted {
		line.Version = "in-" + message
	}
	return line
}

// A listener of mail hears what has arrived, each once and in order, however much else happens between; what is gone,
// or cannot be read, comes without itself, and others' it does not hear.
func TestArrivalsAreHeard(t *testing.T) {
	for _, kind := range harnesses() {
		t.Run(kind.name, func(t *testing.T) {
			h := kind.build(t, time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC))
			alice := model.UserIDOf("alice")
			mutate(t, h, `mutation { createTask(input: { text: "I am here" }) { task { id } } }`)
			if err := h.google.link(t.Context(), alice, "alice@example.com", "UTC"); err != nil {
				t.Fatal(err)
			}
			var head struct {
				Data struct{ Changes struct{ LatestCursor string } }
			}
			if err := json.Unmarshal(h.say(t, "alice", nil, `{ changes { latestCursor } }`, nil), &head); err != nil {
				t.Fatal(err)
			}
			deliver := func(subject string) string {
				t.Helper()
				id, err := h.google.mailbox.Deliver("alice@example.com", mailbox.Letter{From: "Noa <noa@example.com>",
					To: "alice@example.com", Subject: subject, Text: "שלום"}.Bytes(), h.clock.Now())
				if err != nil {
					t.Fatal(err)
				}
				return id
			}
			log := func(lines ...model.Change) {
				t.Helper()
				if err := h.store.Write(t.Context(), alice,
					func(ctx context.Context, tx store.Tx) error { return tx.LogRemote(ctx, lines) }); err != nil {
					t.Fatal(err)
				}
			}
			first, second, last := deliver("first"), deliver("second"), deliver("last")
			lines := []model.Change{mailLine(1, model.OperationCreated, first)}
			for i := range 230 { // more than is read at once, twice over
				lines = append(lines, mailLine(1, model.OperationUpdated, fmt.Sprintf("abc%03d", i)))
			}
			lines = append(lines,
				mailLine(1, model.OperationCreated, second), mailLine(1, model.OperationUpdated, second),
				mailLine(9, model.OperationCreated, "a1"),
				mailLine(1, model.OperationCreated, "dead"), mailLine(1, model.OperationDeleted, "dead"),
				mailLine(1, model.OperationCreated, last),
			)
			log(lines...)

			after := map[string]any{"after": head.Data.Changes.LatestCursor}
			s := subscribe(t, h, "alice",
				`subscription ($after: String) { emailReceived(after: $after) { cursor id: nodeId at email { subject labels from { email } } } }`, after)
			defer s.close()
			for i, want := range []string{`"subject":"first"`, `"subject":"second"`, `"email":null`, `"email":null`,
				`"subject":"last"`} {
				if text := s.next(); !strings.Contains(text, want) || strings.Contains(text, "errors") {
					t.Errorf("arrival %d is %s, want %s", i, text, want)
				}
			}
			mutate(t, h, `mutation { createTask(input: { text: "no mail" }) { task { id } } }`)

			// Gmail is tired: that something has come is told all the same, and the stream goes on.
			h.google.server.Inject(standin.Fault{Method: "gmail.users.messages.get", Status: 400, Reason: "failedPrecondition",
				Times: 1})
			log(mailLine(1, model.OperationCreated, deliver("while it was tired")))
			if text := s.next(); !strings.Contains(text, `"email":null`) || strings.Contains(text, "errors") {
				t.Errorf("heard %s", text)
			}
			h.google.server.Clear()
			log(mailLine(1, model.OperationCreated, deliver("רענן")))
			if text := s.next(); !strings.Contains(text, "רענן") {
				t.Errorf("heard %s", text)
			}

			// The change log has them too, with the e-mails as they are now.
			text := string(h.say(t, "alice", nil,
				`query ($after: String) { changes(after: $after, first: 1, types: [EMAIL]) { nodes { type operation id: nodeId node { id ... on Email { subject } } } } }`, after))
			if !strings.Contains(text, `"type":"EMAIL","operation":"CREATED"`) || !strings.Contains(text, `"subject":"first"`) ||
				strings.Contains(text, "errors") {
				t.Errorf("the log says %s", text)
			}
			if text := string(h.say(t, "bob", nil, `{ changes(types: [EMAIL]) { nodes { id: nodeId } } }`, nil)); !strings.Contains(text,
				`"nodes":[]`) {
				t.Errorf("bob's log says %s", text)
			}
		})
	}
}
