package gmail

import (
	"slices"
	"strings"

	"google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// KnownHeaders are those that store.MailHeaders reads: what addresses, subjects and replies are made of.
func KnownHeaders() []string {
	return []string{"From", "To", "Cc", "Bcc", "Reply-To", "Subject", "Date", "Message-ID", "In-Reply-To", "References",
		"List-Id"}
}

// DepthOfHeaders is the depth at which the headers named are read: store.MailHeaders when all of them are known,
// otherwise store.MailStructure, which reads all headers and no text.
func DepthOfHeaders(names []string) Depth {
	for _, name := range names {
		if !isKnownHeader(name) {
			return store.MailStructure
		}
	}
	return store.MailHeaders
}

func isKnownHeader(name string) bool {
	return slices.ContainsFunc(KnownHeaders(), func(known string) bool { return strings.EqualFold(known, name) })
}

const minimalMask = "id,threadId,labelIds,snippet,internalDate,sizeEstimate"

// structureDepth is how many levels of parts below the root the mask for a tree without contents has; the mask for
// trees that are deeper has deepStructure, and below that everything.
const (
	structureDepth = 5
	deepStructure  = 20
)

// mask is the format and the fields by which Gmail is asked for a message.
type mask struct {
	format  string
	fields  googleapi.Field
	headers []string
}

// maskOf is the mask of a depth.
func maskOf(depth Depth) mask {
	switch depth {
	case store.MailMinimal:
		return mask{format: "minimal", fields: minimalMask}
	case store.MailHeaders:
		return mask{format: "metadata", fields: minimalMask + ",payload/headers", headers: KnownHeaders()}
	case store.MailStructure:
		return mask{format: "full",
			fields: googleapi.Field(minimalMask + ",payload(" + structureFields(structureDepth, false) + ")")}
	default:
		return mask{format: "full", fields: minimalMask + ",payload"}
	}
}

// deepMask is the mask of trees that go beyond structureDepth.
func deepMask() mask {
	return mask{format: "full", fields: googleapi.Field("id,payload(" + structureFields(deepStructure, true) + ")")}
}

// structureFields select a tree of so many levels below the root without the contents of its parts; with rest, all that
// lies deeper, too.
func structureFields(levels int, rest bool) string {
	const part = "partId,mimeType,filename,headers,body(size,attachmentId)"
	var b strings.Builder
	for range levels {
		b.WriteString(part + ",parts(")
	}
	b.WriteString(part)
	if rest {
		b.WriteString(",parts")
	}
	b.WriteString(strings.Repeat(")", levels))
	return b.String()
}

// isCut reports whether a tree has parts at the last level of a mask that may have parts of their own.
func isCut(part *gmail.MessagePart, levels int) bool {
	if part == nil {
		return false
	}
	if levels == 0 {
		kind := strings.ToLower(part.MimeType)
		return strings.HasPrefix(kind, "multipart/") || strings.HasPrefix(kind, "message/")
	}
	return slices.ContainsFunc(part.Parts, func(child *gmail.MessagePart) bool { return isCut(child, levels-1) })
}

// shaped is an e-mail without anything beyond a depth, so that an answer does not depend on what happens to be kept.
// What it shares with the one given is read only.
func shaped(email model.Email, depth Depth) model.Email {
	switch {
	case depth < store.MailHeaders:
		email.Headers = nil
	case depth < store.MailStructure:
		email.Headers = slices.DeleteFunc(slices.Clone(email.Headers),
			func(h model.EmailHeader) bool { return !isKnownHeader(h.Name) })
		if len(email.Headers) == 0 {
			email.Headers = nil
		}
	}
	switch {
	case depth < store.MailStructure:
		email.Root = nil
	case depth < store.MailFull && email.Root != nil:
		root := withoutContent(*email.Root)
		email.Root = &root
	}
	return email
}

// withoutContent copies a tree, which is no deeper than maxPartDepth.
func withoutContent(part model.EmailPart) model.EmailPart {
	part.Content = nil
	parts := part.Parts
	part.Parts = nil
	for _, child := range parts {
		part.Parts = append(part.Parts, withoutContent(child))
	}
	return part
}
