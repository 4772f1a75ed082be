package gmail

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"google.golang.org/api/gmail/v1"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// mostHistory bounds the pages of one look: a mailbox in which more has happened is read anew.
const mostHistory = 20

const historyMask = "history(messagesAdded(message(id,threadId,labelIds)),messagesDeleted(message(id))," +
	"labelsAdded(message(id,threadId,labelIds)),labelsRemoved(message(id,threadId,labelIds)))"

// Profile returns the mailbox's address and its history number.
func (c *Client) Profile(ctx context.Context, connection model.Connection) (address, history string, err error) {
	return c.session(ctx, connection).profile(ctx)
}

func (s *session) profile(ctx context.Context) (address, history string, err error) {
	var profile *gmail.Profile
	err = s.ask(ctx, methodProfile, func(ctx context.Context, api *gmail.Service) (err error) {
		profile, err = api.Users.GetProfile(me).Context(ctx).Fields("emailAddress", "historyId").Do()
		return err
	})
	if err != nil {
		return "", "", google.Classify(err)
	}
	if profile.HistoryId == 0 {
		return "", "", unreadable(errIncomplete)
	}
	return profile.EmailAddress, strconv.FormatUint(profile.HistoryId, 10), nil
}

// History returns what has happened in the mailbox since a number that Profile or History gave. A number that is none,
// or that the remote does not remember, is Lost.
func (c *Client) History(ctx context.Context, connection model.Connection, since string) (History, error) {
	return c.session(ctx, connection).history(ctx, since)
}

func (s *session) history(ctx context.Context, since string) (History, error) {
	start, ok := historyNumber(since)
	if !ok {
		return History{Lost: true}, nil
	}
	told := &teller{at: map[string]int{}}
	token := ""
	for range mostHistory {
		var page *gmail.ListHistoryResponse
		err := s.ask(ctx, methodHistory, func(ctx context.Context, api *gmail.Service) (err error) {
			call := api.Users.History.List(me).Context(ctx).StartHistoryId(start).MaxResults(largestPage).Fields("historyId",
				"nextPageToken", historyMask)
			if token != "" {
				call.PageToken(token)
			}
			page, err = call.Do()
			return err
		})
		switch {
		case google.Status(err) == http.StatusNotFound: // it does not remember so far back
			return History{Lost: true}, nil
		case err != nil:
			return History{}, google.Classify(err)
		case page.HistoryId == 0: // which is where to go on
			return History{}, unreadable(errIncomplete)
		}
		for _, record := range page.History {
			told.record(record)
		}
		if token = page.NextPageToken; token == "" {
			return told.history(strconv.FormatUint(page.HistoryId, 10)), nil
		}
	}
	return History{Lost: true}, nil
}

func historyNumber(text string) (number uint64, ok bool) {
	number, err := strconv.ParseUint(text, 10, 64)
	return number, err == nil
}

// happening is what has happened to a message, all in all.
type happening int

const (
	happenedLabelled happening = iota
	happenedAdded
	happenedDeleted
)

// teller folds what has happened to each message into one line.
type teller struct {
	lines []line
	at    map[string]int
}

type line struct {
	what    happening
	message Arrived
}

func (t *teller) record(record *gmail.History) {
	if record == nil {
		return
	}
	for _, added := range record.MessagesAdded {
		t.tell(happenedAdded, added.Message)
	}
	for _, labelled := range record.LabelsAdded {
		t.tell(happenedLabelled, labelled.Message)
	}
	for _, labelled := range record.LabelsRemoved {
		t.tell(happenedLabelled, labelled.Message)
	}
	for _, deleted := range record.MessagesDeleted {
		t.tell(happenedDeleted, deleted.Message)
	}
}

func (t *teller) tell(what happening, of *gmail.Message) {
	if of == nil {
		return
	}
	message, thread, labels := of.Id, of.ThreadId, of.LabelIds
	i, known := t.at[message]
	if !known {
		t.at[message] = len(t.lines)
		t.lines = append(t.lines, line{what, Arrived{Message: message, Thread: thread, Labels: sorted(labels)}})
		return
	}
	was := &t.lines[i]
	if what != happenedDeleted {
		was.message.Labels = sorted(labels)
		if thread != "" {
			was.message.Thread = thread
		}
	}
	was.what = max(was.what, what)
}

func (t *teller) history(at string) History {
	h := History{At: at}
	for _, l := range t.lines {
		switch l.what {
		case happenedAdded:
			h.Added = append(h.Added, l.message)
		case happenedDeleted:
			h.Deleted = append(h.Deleted, l.message.Message)
		case happenedLabelled:
			h.Labelled = append(h.Labelled, l.message)
		}
	}
	return h
}

func sorted(labels []string) []string {
	out := slices.Clone(labels)
	slices.Sort(out)
	return out
}
