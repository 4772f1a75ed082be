package gmail

import (
	"encoding/base64"
	"html"
	"slices"
	"strings"
	"time"

	"google.golang.org/api/gmail/v1"

	"almanac/graph/model"
)

// Bounds of a message's tree. Gmail's own are larger than any mail that people write; what lies beyond is left out.
const (
	maxParts     = 10_000
	maxPartDepth = 100
)

// email is a message as Gmail gives it, cleaned of what is no text.
func (s *session) email(message *gmail.Message) model.Email {
	out := model.Email{
		Ref:    model.EmailRef{Connection: s.connection.Number, Message: message.Id},
		Thread: message.ThreadId, Account: s.connection.Account, Labels: sorted(message.LabelIds),
		Snippet: strings.TrimSpace(strings.ToValidUTF8(html.UnescapeString(message.Snippet), "\uFFFD")),
		Size:    message.SizeEstimate,
	}
	if message.InternalDate != 0 {
		out.Date = time.UnixMilli(message.InternalDate).UTC()
	}
	if message.Payload != nil {
		out.Headers = headersOf(message.Payload.Headers)
		left := maxParts - 1
		root := partOf(message.Payload, maxPartDepth, &left)
		if root.MIMEType != "" {
			out.Root = &root
		}
	}
	return out
}

// headersOf are headers in their order, with those of one name more than once; nil for none.
func headersOf(given []*gmail.MessagePartHeader) []model.EmailHeader {
	if len(given) == 0 {
		return nil
	}
	headers := make([]model.EmailHeader, 0, len(given))
	for _, header := range given {
		if header != nil {
			headers = append(headers, model.EmailHeader{Name: header.Name, Value: strings.ToValidUTF8(header.Value, "\uFFFD")})
		}
	}
	return headers
}

// partOf is a tree of parts, of so many levels and so many parts.
func partOf(given *gmail.MessagePart, depth int, left *int) model.EmailPart {
	part := model.EmailPart{ID: given.PartId, MIMEType: strings.ToLower(given.MimeType),
		Filename: strings.ToValidUTF8(given.Filename, "\uFFFD"), Headers: headersOf(given.Headers)}
	if given.Body != nil {
		part.Size, part.Attachment = given.Body.Size, given.Body.AttachmentId != ""
		if given.Body.Data != "" {
			if content, err := decodeData(given.Body.Data); err == nil { // what is no base64 is no content
				part.Content = content
			}
		}
	}
	for _, child := range given.Parts {
		if child == nil {
			continue
		}
		if depth == 0 || *left == 0 {
			break
		}
		*left--
		part.Parts = append(part.Parts, partOf(child, depth-1, left))
	}
	part.Parts = slices.Clip(part.Parts)
	return part
}

// decodeData reads base64 in either alphabet, padded or not: Gmail writes the one for URLs with padding, and was seen
// to write the other.
func decodeData(data string) ([]byte, error) {
	data = strings.TrimRight(strings.Map(func(r rune) rune {
		switch r {
		case '+':
			return '-'
		case '/':
			return '_'
		case '\r', '\n', ' ':
			return -1
		}
		return r
	}, data), "=")
	return base64.RawURLEncoding.DecodeString(data)
}

// encodeData writes base64 as Gmail does.
func encodeData(data []byte) string { return base64.URLEncoding.EncodeToString(data) }
