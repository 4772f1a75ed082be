package emails

import (
	"context"
	"slices"
	"time"

	"almanac/adapters/gmail"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/agenda"
	"almanac/resolvers/core"
)

// Waiting returns the e-mails of a mailbox that wait for an answer, of the newest received and sent ones, as many as
// the bounds say; more reports that there are others. What is in the inbox and what was sent are asked at the same
// time, then the headers of the newest e-mail of each conversation, and the dates of what was sent into one of them.
func (r *Resolver) Waiting(ctx context.Context, account model.Connection, now time.Time, received,
	sent int) (waiting []model.Email, more bool, err error) {
	questions := []gmail.Query{
		{Text: agenda.ReceivedQuery(now), Size: received, Ahead: true},
		{Text: agenda.SentQuery(now), Size: sent},
	}
	listings, failures := core.AskEach(questions, func(query gmail.Query) (gmail.Listing, error) {
		return r.Mail.Reader.List(ctx, account, query)
	})
	for _, failure := range failures {
		if failure != nil {
			return nil, false, failure
		}
	}
	inbox, threads := newestOf(listings[0].Found, nil)
	answers, _ := newestOf(listings[1].Found, threads)
	type reading struct {
		ids   []string
		depth gmail.Depth
	}
	read, failures := core.AskEach([]reading{{inbox, store.MailHeaders}, {answers, store.MailMinimal}},
		func(what reading) (map[string]model.Email, error) {
			if len(what.ids) == 0 {
				return nil, nil
			}
			return r.Mail.Reader.Messages(ctx, account, what.ids, what.depth)
		})
	for _, failure := range failures {
		if failure != nil {
			return nil, false, failure
		}
	}
	waiting = agenda.Waiting(mailInOrder(inbox, read[0]), mailInOrder(answers, read[1]), account.Account, now)
	return waiting, listings[0].Next != "" || listings[1].Next != "", nil
}

// newestOf returns the newest message of each conversation, of those conversations alone where some are given, and the
// conversations. What is found has the newest first.
func newestOf(found []gmail.Found, only map[string]bool) (ids []string, threads map[string]bool) {
	threads = make(map[string]bool, len(found))
	for _, one := range found {
		if !threads[one.Thread] && (only == nil || only[one.Thread]) {
			threads[one.Thread] = true
			ids = append(ids, one.Message)
		}
	}
	return ids, threads
}

// mailInOrder returns the e-mails that are still there in the order of their ids.
func mailInOrder(ids []string, emails map[string]model.Email) []model.Email {
	out := make([]model.Email, 0, len(ids))
	for _, id := range ids {
		if email, there := emails[id]; there {
			out = append(out, email)
		}
	}
	return out
}

// Views are the views of e-mails, with their labels' ids for names.
func (r *Resolver) Views(ctx context.Context, v *core.Viewer, emails []model.Email) []projections.Email {
	return projections.EmailsAt(emails, r.MailMoment(ctx, v, nil, nil, false))
}

// ReadAsAsked reads e-mails of which the headers are known as far as they are asked for, and returns their views in the
// same order; nil when the headers are enough. One that has gone since is shown as it was.
func (r *Resolver) ReadAsAsked(ctx context.Context, v *core.Viewer, emails []model.Email,
	asked core.Selection) ([]projections.Email, error) {
	depth, labelled := EmailDepth(asked), asked.Has("labels")
	if depth <= store.MailHeaders && !labelled || len(emails) == 0 {
		return nil, nil
	}
	byAccount := map[int][]string{}
	for _, email := range emails {
		byAccount[email.Ref.Connection] = append(byAccount[email.Ref.Connection], email.Ref.Message)
	}
	all, err := r.Connections(ctx, v)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(c model.Connection) bool { return len(byAccount[c.Number]) == 0 })
	deeper, failures := core.AskEach(all, func(account model.Connection) (map[string]model.Email, error) {
		if depth <= store.MailHeaders {
			return nil, nil
		}
		return r.Mail.Reader.Messages(ctx, account, byAccount[account.Number], depth)
	})
	emails = slices.Clone(emails)
	for i, failure := range failures {
		if failure != nil {
			core.AddError(ctx, failure)
			continue
		}
		for j := range emails {
			if email, there := deeper[i][emails[j].Ref.Message]; there && emails[j].Ref.Connection == all[i].Number {
				emails[j] = email
			}
		}
	}
	return projections.EmailsAt(emails, r.MailMoment(ctx, v, all, emails, labelled)), nil
}
