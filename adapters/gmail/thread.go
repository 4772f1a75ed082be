package gmail

import (
	"context"

	"google.golang.org/api/gmail/v1"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// fewMissing is how many messages of a conversation are read by themselves; reading all of it at once costs as much as
// two.
const fewMissing = 2

// Thread reads a conversation, oldest message first. NOT_FOUND.
//
// Gmail is always asked which messages it has, and which labels. When the cache has its first message deep enough, it
// is asked for nothing else, and what is missing is read after that; otherwise the whole conversation is one call.
func (c *Client) Thread(ctx context.Context, connection model.Connection, thread string,
	depth Depth) ([]model.Email, error) {
	if !isID(thread) {
		return nil, missingThread.error(nil)
	}
	s := c.session(ctx, connection)
	at, usable := s.keptAs(ctx)
	if usable && s.needsLook(at, nil, depth) {
		var err error
		if at, err = s.look(ctx); err != nil {
			return nil, err
		}
		usable = at.History != ""
	}
	if !usable || depth == store.MailMinimal || s.rows(ctx, []string{thread})[thread].Depth < depth {
		return s.wholeThread(ctx, at, thread, depth)
	}
	emails, err := s.readThread(ctx, thread, store.MailMinimal)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(emails))
	for i, email := range emails {
		ids[i] = email.Ref.Message
	}
	kept, again := map[string]known{}, map[string]model.Email{}
	rows := s.rows(ctx, ids)
	for i, id := range ids {
		mail, ok := s.open(ctx, rows[id], depth)
		if !ok || mail.depth < depth {
			continue
		}
		if mail.stale { // labels are those just read
			again[id], mail.stale = emails[i], false
		}
		kept[id] = mail
	}
	s.keep(ctx, at, again, store.MailMinimal)
	if len(ids)-len(kept) > fewMissing {
		return s.wholeThread(ctx, at, thread, depth)
	}
	found, err := s.complete(ctx, at, ids, depth, kept)
	if err != nil {
		return nil, err
	}
	whole := make([]model.Email, 0, len(emails))
	for _, email := range emails {
		if deep, ok := found[email.Ref.Message]; ok { // else it was deleted meanwhile
			deep.Labels = email.Labels
			whole = append(whole, deep)
		}
	}
	return whole, nil
}

// wholeThread reads a conversation in one call, and keeps it.
func (s *session) wholeThread(ctx context.Context, at store.Mailbox, thread string,
	depth Depth) ([]model.Email, error) {
	emails, err := s.readThread(ctx, thread, depth)
	if err != nil {
		return nil, err
	}
	read := make(map[string]model.Email, len(emails))
	for _, email := range emails {
		read[email.Ref.Message] = email
	}
	s.keep(ctx, at, read, depth)
	return emails, nil
}

func (s *session) readThread(ctx context.Context, thread string, depth Depth) ([]model.Email, error) {
	mask := maskOf(depth)
	var answer *gmail.Thread
	err := s.ask(ctx, methodThread, func(ctx context.Context, api *gmail.Service) (err error) {
		call := api.Users.Threads.Get(me, thread).Context(ctx).Format(mask.format).Fields("messages(" + mask.fields + ")")
		if len(mask.headers) > 0 {
			call.MetadataHeaders(mask.headers...)
		}
		answer, err = call.Do()
		return err
	})
	if err != nil {
		return nil, classifyID(err, missingThread)
	}
	emails := make([]model.Email, 0, len(answer.Messages))
	for _, message := range answer.Messages {
		if message == nil || message.Id == "" {
			continue
		}
		email, err := s.whole(ctx, message, depth)
		if gone, err := unlessGone(err); gone {
			continue
		} else if err != nil {
			return nil, err
		}
		emails = append(emails, email)
	}
	return emails, nil
}
