package gmail

import (
	"context"
	"sync"

	"google.golang.org/api/gmail/v1"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// largestPage is Gmail's largest page.
const largestPage = 500

// List names messages, newest first. A query or a page that Gmail does not understand is UPSTREAM_REJECTED.
func (c *Client) List(ctx context.Context, connection model.Connection, query Query) (Listing, error) {
	s := c.session(ctx, connection)
	if query.Ahead {
		var beside sync.WaitGroup
		defer beside.Wait()
		beside.Go(func() { s.lookAhead(ctx) })
	}
	var page *gmail.ListMessagesResponse
	err := s.ask(ctx, methodList, func(ctx context.Context, api *gmail.Service) (err error) {
		call := api.Users.Messages.List(me).Context(ctx).
			MaxResults(int64(min(max(query.Size, 1), largestPage))).Fields("nextPageToken", "messages(id,threadId)")
		if query.Text != "" {
			call.Q(query.Text)
		}
		if len(query.Labels) > 0 {
			call.LabelIds(query.Labels...)
		}
		if query.IncludeSpamTrash {
			call.IncludeSpamTrash(true)
		}
		if query.Page != "" {
			call.PageToken(query.Page)
		}
		page, err = call.Do()
		return err
	})
	if err != nil {
		return Listing{}, google.Classify(err)
	}
	listing := Listing{Next: page.NextPageToken, Found: make([]Found, 0, len(page.Messages))}
	for _, message := range page.Messages {
		if message == nil || message.Id == "" {
			continue
		}
		listing.Found = append(listing.Found, Found{Message: message.Id, Thread: message.ThreadId})
	}
	return listing, nil
}

// lookAhead finds out whether what is kept holds, for who reads messages next. That it could not is theirs to find out.
func (s *session) lookAhead(ctx context.Context) {
	at, ok := s.keptAs(ctx)
	if !ok || s.holds(at) {
		return
	}
	if age := ageOf(ctx); age != nil && age.kept {
		return // they are read as they are kept
	}
	if _, err := s.look(ctx); err != nil {
		s.warn(ctx, "looking ahead", err)
	}
}
