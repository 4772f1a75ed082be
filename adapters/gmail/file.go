package gmail

import (
	"context"
	"strings"

	"google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Attachment reads the content of a part, by its place in the message. Gmail's own ids of attachments last for one look
// only, so the message is looked at first, as far as the part and without contents. NOT_FOUND; BAD_USER_INPUT when it
// is larger than most bytes, before it is read where Gmail says how large it is.
func (c *Client) Attachment(ctx context.Context, connection model.Connection, message, part string,
	most int64) (File, error) {
	levels, ok := levelsOf(part)
	if !ok || !isID(message) {
		return File{}, missingPart.error(nil)
	}
	s := c.session(ctx, connection)
	found, err := s.part(ctx, message, part, mask{format: "full",
		fields: googleapi.Field("id,payload(" + structureFields(levels, levels == deepStructure) + ")")})
	if err != nil {
		return File{}, err
	}
	if err := checkSize(found.Body.Size, most); err != nil {
		return File{}, err
	}
	file := File{Name: strings.ToValidUTF8(found.Filename, "\uFFFD"), MIMEType: strings.ToLower(found.MimeType)}
	switch {
	case found.Body.AttachmentId != "":
		file.Content, err = s.attachment(ctx, message, found.Body.AttachmentId)
	case found.Body.Size > 0: // a short text, which is with the message
		if found, err = s.part(ctx, message, part, maskOf(store.MailFull)); err == nil {
			file.Content, err = decodeData(found.Body.Data)
			if err != nil {
				err = unreadable(err)
			}
		}
	}
	if err == nil {
		err = checkSize(int64(len(file.Content)), most)
	}
	if err != nil {
		return File{}, err
	}
	return file, nil
}

func checkSize(size, most int64) error {
	if size > most {
		return model.BadInput("", "the attachment has %d bytes; at most %d can be downloaded from here", size, most)
	}
	return nil
}

// part reads a message and finds one of its parts. NOT_FOUND.
func (s *session) part(ctx context.Context, message, id string, mask mask) (*gmail.MessagePart, error) {
	read, err := s.message(ctx, message, mask)
	if err != nil {
		return nil, err
	}
	found := findPart(read.Payload, id, maxPartDepth)
	if found == nil || found.Body == nil {
		return nil, missingPart.error(nil)
	}
	return found, nil
}

// levelsOf is how many levels below the root a part lies, at most as many as a mask has; ok is false for what is no
// part's id.
func levelsOf(part string) (levels int, ok bool) {
	const longest = 6 * maxPartDepth
	if part == "" {
		return 0, true
	}
	if len(part) > longest {
		return 0, false
	}
	for number := range strings.SplitSeq(part, ".") {
		if number == "" || strings.Trim(number, "0123456789") != "" {
			return 0, false
		}
		levels++
	}
	return min(levels, deepStructure), levels <= maxPartDepth
}

func findPart(part *gmail.MessagePart, id string, depth int) *gmail.MessagePart {
	if part == nil || depth < 0 {
		return nil
	}
	if part.PartId == id {
		return part
	}
	for _, child := range part.Parts {
		if found := findPart(child, id, depth-1); found != nil {
			return found
		}
	}
	return nil
}
