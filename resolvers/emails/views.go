package emails

import (
	"cmp"
	"context"
	"slices"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/mail"
	"almanac/resolvers/core"
)

// ownLabels are Gmail's own, whose names are their ids
// (https://developers.google.com/workspace/gmail/api/guides/labels).
var ownLabels = map[string]bool{
	labelInbox: true, "SENT": true, "DRAFT": true, "SPAM": true, "TRASH": true, labelUnread: true, labelStarred: true,
	labelImportant: true, "CHAT": true,
	"CATEGORY_PERSONAL": true, "CATEGORY_SOCIAL": true, "CATEGORY_PROMOTIONS": true, "CATEGORY_UPDATES": true,
	"CATEGORY_FORUMS": true,
}

// MailMoment returns the viewer's moment for e-mails of these accounts. The names of labels are read only when they are
// asked for and some are the user's own; where they cannot be, their ids stand for them.
func (r *Resolver) MailMoment(ctx context.Context, v *core.Viewer, accounts []model.Connection, emails []model.Email,
	labelled bool) *projections.MailMoment {
	names := map[string]map[string]string{}
	if labelled {
		names = r.labelNames(ctx, accounts, emails)
	}
	return &projections.MailMoment{
		Moment: v.Moment,
		LabelName: func(account, id string) string {
			if name, ok := names[account][id]; ok {
				return name
			}
			return id
		},
		AttachmentURL: func(message model.EmailRef, file mail.Attachment) string {
			return r.Mail.AttachmentURL(v.User, message, file.PartID)
		},
	}
}

// labelNames returns the names of the users' labels on e-mails, by account and id, and puts each e-mail's labels in
// their order: Gmail's own, then the user's by name.
func (r *Resolver) labelNames(ctx context.Context, accounts []model.Connection,
	emails []model.Email) map[string]map[string]string {
	wanted := map[string][]string{}
	for _, email := range emails {
		for _, id := range email.Labels {
			if !ownLabels[id] && !slices.Contains(wanted[email.Account], id) {
				wanted[email.Account] = append(wanted[email.Account], id)
			}
		}
	}
	found, failures := core.AskEach(accounts, func(account model.Connection) ([]model.EmailLabel, error) {
		if ids := wanted[account.Account]; len(ids) > 0 {
			return r.Mail.Labels.LabelsOf(ctx, account, ids)
		}
		return nil, nil
	})
	names := map[string]map[string]string{}
	for i, labels := range found {
		if failures[i] != nil {
			core.AddError(ctx, failures[i])
			continue
		}
		of := make(map[string]string, len(labels))
		for _, label := range labels {
			of[label.SourceID] = label.Name
		}
		names[accounts[i].Account] = of
	}
	for i := range emails {
		of := names[emails[i].Account]
		key := func(id string) string {
			if ownLabels[id] {
				return "0" + id
			}
			return "1" + cmp.Or(of[id], id)
		}
		emails[i].Labels = slices.Clone(emails[i].Labels) // they may be the cache's
		slices.SortFunc(emails[i].Labels, func(a, b string) int { return cmp.Compare(key(a), key(b)) })
	}
	return names
}

// emailView is the view of one e-mail, as far as it is asked for.
func (r *Resolver) emailView(ctx context.Context, v *core.Viewer, account model.Connection, email model.Email,
	asked core.Selection) *projections.Email {
	one := []model.Email{email}
	at := r.MailMoment(ctx, v, []model.Connection{account}, one, asked.Has("labels"))
	view := projections.EmailAt(one[0], at)
	return &view
}

// bareEmail is a message of which nothing but its ids was asked.
func bareEmail(account model.Connection, message, thread string) model.Email {
	return model.Email{Ref: model.EmailRef{Connection: account.Number, Message: message}, Thread: thread,
		Account: account.Account}
}

func noEmail() *projections.EmailContext { return &projections.EmailContext{IsEmpty: true} }
