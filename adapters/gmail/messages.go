package gmail

import (
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	"google.golang.org/api/gmail/v1"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Messages reads messages, by the remote's id. What is not there (any more) is not in the map, nor is an id that cannot
// be one. Nothing of a message is there beyond the depth.
//
// What is kept of a message at that depth is not asked for again; whether its labels hold is one look at the mailbox's
// history, for all messages together and at most every other second. A message that several requests want at once is
// asked for once.
func (c *Client) Messages(ctx context.Context, connection model.Connection, ids []string,
	depth Depth) (map[string]model.Email, error) {
	return c.session(ctx, connection).messages(ctx, ids, depth)
}

func (s *session) messages(ctx context.Context, ids []string, depth Depth) (map[string]model.Email, error) {
	ids = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(ids))), func(id string) bool { return !isID(id) })
	if len(ids) == 0 {
		return map[string]model.Email{}, nil
	}
	kept, at, err := s.recall(ctx, ids, depth)
	if err != nil {
		return nil, err
	}
	return s.complete(ctx, at, ids, depth, kept)
}

// complete reads what is not kept deep enough, and the labels of what is kept and stale.
func (s *session) complete(ctx context.Context, at store.Mailbox, ids []string, depth Depth,
	kept map[string]known) (map[string]model.Email, error) {
	found := make(map[string]model.Email, len(ids))
	var whole, labels []string
	for _, id := range ids {
		mail, ok := kept[id]
		switch {
		case !ok || mail.depth < depth:
			whole = append(whole, id)
		case mail.stale:
			labels = append(labels, id)
		default:
			found[id] = shaped(mail.email, depth)
		}
	}
	fetched, err := s.fetch(ctx, at, wanted(whole, depth), wanted(labels, store.MailMinimal))
	if err != nil {
		return nil, err
	}
	for id, email := range fetched {
		if mail := kept[id]; mail.depth >= depth {
			mail.email.Labels = email.Labels
			email = mail.email
		}
		found[id] = shaped(email, depth)
	}
	return found, nil
}

// want is a message that is to be asked for.
type want struct {
	id    string
	depth Depth
}

func wanted(ids []string, depth Depth) []want {
	wants := make([]want, len(ids))
	for i, id := range ids {
		wants[i] = want{id, depth}
	}
	return wants
}

// fetch asks for messages, a few at a time, and keeps what it gets, also when some cannot be had: who asks again pays
// for the rest alone.
func (s *session) fetch(ctx context.Context, at store.Mailbox, wants ...[]want) (map[string]model.Email, error) {
	all := slices.Concat(wants...)
	if len(all) == 0 {
		return nil, nil
	}
	var mu sync.Mutex
	found, read := make(map[string]model.Email, len(all)), map[Depth]map[string]model.Email{}
	var gone []string
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	var failed error
	var group errgroup.Group
	group.SetLimit(concurrent)
	for _, one := range all {
		group.Go(func() error {
			mu.Lock()
			stop := failed != nil
			mu.Unlock()
			if stop {
				return nil
			}
			email, led, err := s.readShared(within, one.id, one.depth)
			missing, err := unlessGone(err)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				if failed == nil {
					failed = err
				}
				if !errors.Is(err, errOwnLimit) { // what is under way within the limit is paid for, and worth to be kept
					cancel()
				}
				return nil
			case missing:
				gone = append(gone, one.id)
				return nil
			}
			found[one.id] = email
			if led {
				if read[one.depth] == nil {
					read[one.depth] = map[string]model.Email{}
				}
				read[one.depth][one.id] = email
			}
			return nil
		})
	}
	_ = group.Wait() // its functions give no errors
	for depth, emails := range read {
		s.keep(ctx, at, emails, depth)
	}
	s.forget(ctx, at, gone)
	if failed != nil {
		return nil, failed
	}
	return found, nil
}

// get reads one message. NOT_FOUND.
func (s *session) get(ctx context.Context, id string, depth Depth) (model.Email, error) {
	message, err := s.message(ctx, id, maskOf(depth))
	if err != nil {
		return model.Email{}, err
	}
	return s.whole(ctx, message, depth)
}

func (s *session) message(ctx context.Context, id string, mask mask) (message *gmail.Message, err error) {
	err = s.ask(ctx, methodGet, func(ctx context.Context, api *gmail.Service) error {
		call := api.Users.Messages.Get(me, id).Context(ctx).Format(mask.format).Fields(mask.fields)
		if len(mask.headers) > 0 {
			call.MetadataHeaders(mask.headers...)
		}
		message, err = call.Do()
		return err
	})
	if err != nil {
		return nil, classifyID(err, missingEmail)
	}
	if message.Id != id {
		return nil, unreadable(errIncomplete)
	}
	return message, nil
}

// whole makes an e-mail of what was read at a depth, and reads what the mask could not reach: parts that lie deeper,
// and texts that are kept like files.
func (s *session) whole(ctx context.Context, message *gmail.Message, depth Depth) (model.Email, error) {
	if depth == store.MailStructure && isCut(message.Payload, structureDepth) {
		deeper, err := s.message(ctx, message.Id, deepMask())
		if err != nil {
			return model.Email{}, err
		}
		message.Payload = deeper.Payload
	}
	email := s.email(message)
	if depth >= store.MailFull {
		if err := s.readTexts(ctx, message, email.Root); err != nil {
			return model.Email{}, err
		}
	}
	return shaped(email, depth), nil
}

// isID reports whether a text may be Gmail's id of a message or a conversation: it becomes one segment of a path.
// Google's are hexadecimal numbers.
func isID(id string) bool {
	const longest = 64
	if id == "" || len(id) > longest {
		return false
	}
	for i := range len(id) {
		c := id[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}
