package gmail

import (
	"context"
	"fmt"

	"google.golang.org/api/gmail/v1"

	"almanac/graph/model"
)

const (
	// maxLongTexts and maxLongText bound what is read of texts that Gmail keeps like files: how many of a message, and how
	// many bytes each.
	maxLongTexts = 4
	maxLongText  = 4 << 20
)

// readTexts reads the texts of a message that Gmail does not give with it because they are long. A text with a name is
// a file, and stays where it is.
func (s *session) readTexts(ctx context.Context, message *gmail.Message, root *model.EmailPart) error {
	if root == nil {
		return nil
	}
	left := maxLongTexts
	return s.readText(ctx, message.Id, message.Payload, root, &left)
}

func (s *session) readText(ctx context.Context, message string, given *gmail.MessagePart, part *model.EmailPart,
	left *int) error {
	isText := part.MIMEType == "text/plain" || part.MIMEType == "text/html"
	if isText && part.Attachment && part.Content == nil && part.Filename == "" && part.Size <= maxLongText && *left > 0 {
		*left--
		content, err := s.attachment(ctx, message, given.Body.AttachmentId)
		if err != nil {
			return err
		}
		part.Content = content
	}
	for i, next := 0, 0; i < len(given.Parts) && next < len(part.Parts); i++ {
		if given.Parts[i] == nil { // which has no part of ours
			continue
		}
		if err := s.readText(ctx, message, given.Parts[i], &part.Parts[next], left); err != nil {
			return err
		}
		next++
	}
	return nil
}

// attachment reads content by the id that the message was just read with. NOT_FOUND.
func (s *session) attachment(ctx context.Context, message, id string) ([]byte, error) {
	var body *gmail.MessagePartBody
	err := s.ask(ctx, methodAttachment, func(ctx context.Context, api *gmail.Service) (err error) {
		body, err = api.Users.Messages.Attachments.Get(me, message, id).Context(ctx).Fields("data").Do()
		return err
	})
	if err != nil {
		return nil, classifyID(err, missingPart)
	}
	content, err := decodeData(body.Data)
	if err != nil {
		return nil, unreadable(fmt.Errorf("gmail: an attachment: %w", err))
	}
	return content, nil
}
