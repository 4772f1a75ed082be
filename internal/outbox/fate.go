package outbox

import (
	"context"
	"slices"
	"strings"

	"almanac/adapters/gmail"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/mail"
)

// outcome is what is known of a draft that might have been sent.
type outcome int

const (
	// unsent: it was not sent, and never will be. The zero value is neither: there is neither the draft nor what would
	// have been sent of it.
	unsent outcome = 1 + iota
	// sent: it was sent, as the message named.
	sent
)

// fate is what has become of a draft.
type fate struct {
	what            outcome
	message, thread string
}

// withdraw throws away the draft of an e-mail, if it is still there, so that no request that is still under way can
// send it, and finds out whether one has. After an error neither is known.
func (o *Outbox) withdraw(ctx context.Context, connection model.Connection, held model.OutgoingEmail) (fate, error) {
	state, err := o.Mail.DraftState(ctx, connection, held.Draft)
	if err != nil {
		return fate{}, err
	}
	if state == gmail.DraftWaiting {
		if err := o.Mail.DeleteDraft(ctx, connection, held.Draft); err != nil {
			return fate{}, err
		}
	}
	// It may have been sent between the two.
	thread, err := o.Mail.Thread(ctx, connection, held.SentThread, store.MailHeaders)
	if err != nil && model.CodeOf(err) != model.CodeNotFound {
		return fate{}, err
	}
	if found, ok := sentIn(thread, held); ok {
		return fate{what: sent, message: found.Ref.Message, thread: found.Thread}, nil
	}
	if state == gmail.DraftWaiting {
		return fate{what: unsent}, nil
	}
	return fate{}, nil
}

// sentIn finds what was sent of an e-mail in its conversation: by the headers that Gmail leaves as they are, which
// Message-ID is not one of. Gmail gives them with their encoded words decoded.
func sentIn(thread []model.Email, held model.OutgoingEmail) (model.Email, bool) {
	date, to := headerOf(held.Message, "Date"), mail.Addresses(headerOf(held.Message, "To"))
	subject := oneSpaced(mail.Plain(headerOf(held.Message, "Subject")))
	for _, one := range slices.Backward(thread) {
		of := func(name string) string { return mail.Header(one.Headers, name) }
		if slices.Contains(one.Labels, "SENT") && of("Date") == date && oneSpaced(of("Subject")) == subject &&
			sameAddresses(mail.Addresses(of("To")), to) {
			return one, true
		}
	}
	return model.Email{}, false
}

func oneSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }

func sameAddresses(a, b []model.EmailAddress) bool {
	return slices.EqualFunc(a, b, func(a, b model.EmailAddress) bool { return mail.SameAddress(a.Email, b.Email) })
}

// headerOf reads a header of our own message, unfolded.
func headerOf(message []byte, name string) string {
	head, _, _ := strings.Cut(string(message), "\r\n\r\n")
	value, inside := "", false
	for line := range strings.SplitSeq(head, "\r\n") {
		if inside && line != "" && (line[0] == ' ' || line[0] == '\t') {
			value += " " + strings.TrimSpace(line)
			continue
		}
		if inside {
			break
		}
		if found, after, ok := strings.Cut(line, ":"); ok && strings.EqualFold(found, name) {
			value, inside = strings.TrimSpace(after), true
		}
	}
	return value
}
