package emails

import (
	"encoding/json"
	"strings"

	"almanac/graph/model"
	"almanac/projections/mail"
	"almanac/resolvers/core"
)

// maxSnippet is about how long Gmail's snippets are, in characters.
const maxSnippet = 200

// wouldBeSent is an e-mail of the outbox as Gmail would have it, when a dry run would have sent it. What Gmail gives to
// it (its id, and that of a new conversation) is not known.
func (r *Resolver) wouldBeSent(v *core.Viewer, bare model.Email, sent model.OutgoingEmail) model.Email {
	var shown mail.Shown
	if err := json.Unmarshal(sent.Shown, &shown); err != nil {
		return bare // the preview, which is made of the same, says so
	}
	bare.Date, bare.Labels, bare.Size = v.Now, []string{"SENT"}, int64(len(sent.Message))
	snippet := []rune(strings.Join(strings.Fields(shown.Body), " "))
	bare.Snippet = string(snippet[:min(len(snippet), maxSnippet)])
	header := func(name, value string) {
		if value != "" {
			bare.Headers = append(bare.Headers, model.EmailHeader{Name: name, Value: value})
		}
	}
	header("From", addressLine(shown.From))
	header("To", addressLine(shown.To...))
	header("Cc", addressLine(shown.Cc...))
	header("Bcc", addressLine(shown.Bcc...))
	header("Subject", shown.Subject)
	header("In-Reply-To", shown.InReplyTo)
	header("References", strings.Join(shown.References, " "))
	text := model.EmailPart{MIMEType: "text/plain", Content: []byte(shown.Body), Size: int64(len(shown.Body))}
	bare.Root = &text
	if shown.HTML != "" {
		text.ID = "0"
		bare.Root = &model.EmailPart{MIMEType: "multipart/alternative", Parts: []model.EmailPart{text,
			{ID: "1", MIMEType: "text/html", Content: []byte(shown.HTML), Size: int64(len(shown.HTML))}}}
	}
	return bare
}

// addressLine writes addresses as they stand in a header.
func addressLine(addresses ...model.EmailAddress) string {
	parts := make([]string, len(addresses))
	for i, one := range addresses {
		if parts[i] = one.Email; one.Name != "" {
			parts[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(one.Name) + `" <` + one.Email + ">"
		}
	}
	return strings.Join(parts, ", ")
}
