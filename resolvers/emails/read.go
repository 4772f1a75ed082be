package emails

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/adapters/gmail"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/mail"
	"almanac/projections/match"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

const (
	defaultEmails = 20
	// maxCounted is how many e-mails totalCount counts.
	maxCounted = 10_000
	countPage  = 500
)

// EmailConnection answers the emails query.
func (r *Resolver) EmailConnection(ctx context.Context, filter *graph.EmailFilter, first *int32, after,
	account *string, freshness graph.Freshness) (*projections.EmailConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	limit, err := projections.PageSize("first", first, defaultEmails)
	if err != nil {
		return nil, err
	}
	start, err := core.OpenCursor(r.Base, v, "after", purposeEmails, after, unpackMailPlace)
	if err != nil {
		return nil, err
	}
	accounts, err := r.Accounts(ctx, v, "account", account)
	if err != nil {
		return nil, err
	}
	boxes, question, err := r.boxes(ctx, v, accounts, filter)
	if err != nil {
		return nil, err
	}
	if start == nil {
		start = &mailPlace{question: question}
	}
	if start.question != question {
		return nil, model.BadInput("after", "after is a cursor of a list with another filter")
	}
	for _, b := range boxes {
		b.place = start.of(b.account, limit)
	}
	asked := core.Answered(ctx)
	items := asked.Items("EmailEdge", "Email")
	depth := EmailDepth(items)
	if asked.Has("compact") {
		depth = max(depth, store.MailStructure)
	}
	out := &projections.EmailConnection{At: r.MailMoment(ctx, v, nil, nil, false)}
	if asked.Has("nodes", "edges", "pageInfo", "isEmpty", "context", "compact") {
		for _, b := range boxes {
			b.kept = freshness == graph.FreshnessKept
		}
		taken, more, err := r.mergeBoxes(ctx, boxes, limit, depth)
		if err != nil {
			return nil, err
		}
		out.AsOf, out.Noted = agesOf(v, boxes)
		emails := make([]model.Email, len(taken))
		for i := range taken {
			emails[i] = taken[i].email
		}
		out.At = r.MailMoment(ctx, v, accounts, emails, items.Has("labels"))
		out.Page = projections.Page[projections.Email]{
			Items: projections.EmailsAt(emails, out.At), HasNext: more, HasPrevious: after != nil,
			Cursor: func(i int) string {
				return r.Sealer.Seal(purposeEmails, v.User, placeAfter(start, boxes, taken[:i+1], limit).pack())
			},
		}
	}
	if asked.Has("totalCount") {
		if out.Counted, err = r.countBoxes(ctx, boxes); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// boxes makes the question to each account. An account that has no label of the name asked for has no e-mail with it.
func (r *Resolver) boxes(ctx context.Context, v *core.Viewer, accounts []model.Connection,
	filter *graph.EmailFilter) (all []*box, question uint64, err error) {
	text, err := mailQuery(v, filter)
	if err != nil {
		return nil, 0, err
	}
	query := gmail.Query{Text: text, IncludeSpamTrash: filter != nil && filter.IncludeSpamTrash}
	question = questionOf(text, nil, query.IncludeSpamTrash)
	out := make([]*box, len(accounts))
	for i, account := range accounts {
		out[i] = &box{account: account, query: query}
	}
	if filter == nil || filter.Label == nil {
		return out, question, nil
	}
	question = questionOf(text, filter.Label, query.IncludeSpamTrash)
	name := strings.TrimSpace(*filter.Label)
	ids, failures := core.AskEach(accounts, func(account model.Connection) (string, error) {
		label, err := r.labelOf(ctx, account, "filter.label", name)
		return label.SourceID, err
	})
	var with []*box
	for i, b := range out {
		if failures[i] != nil {
			continue
		}
		b.query.Labels = []string{ids[i]}
		b.query.IncludeSpamTrash = b.query.IncludeSpamTrash || ids[i] == "SPAM" || ids[i] == "TRASH"
		with = append(with, b)
	}
	if len(with) == 0 {
		return nil, 0, failures[0]
	}
	for _, err := range failures {
		if err != nil && model.CodeOf(err) != model.CodeNotFound {
			core.AddError(ctx, err)
		}
	}
	return with, question, nil
}

// namesSpamOrTrash reports whether a label asks for what is left out otherwise.
func namesSpamOrTrash(label *string) bool {
	return label != nil && (strings.EqualFold(strings.TrimSpace(*label), "SPAM") ||
		strings.EqualFold(strings.TrimSpace(*label), "TRASH"))
}

// mailQuery returns the filter in Gmail's language.
func mailQuery(v *core.Viewer, filter *graph.EmailFilter) (string, error) {
	if filter == nil {
		return "", nil
	}
	text := func(given *string) string {
		if given == nil {
			return ""
		}
		return *given
	}
	at := func(given *model.DateTimeInput) time.Time {
		if given == nil {
			return time.Time{}
		}
		return when.Resolve(*given, v.Zone)
	}
	query, err := mail.Query(mail.Filter{
		From: text(filter.From), To: text(filter.To), Subject: text(filter.Subject), Text: text(filter.Text),
		After: at(filter.After), Before: at(filter.Before),
		Unread: filter.Unread, HasAttachment: filter.HasAttachment, Raw: text(filter.Query),
		WithoutSpamTrash: !filter.IncludeSpamTrash && !namesSpamOrTrash(filter.Label) &&
			strings.TrimSpace(text(filter.Query)) != "",
	})
	return query, core.Below(err, "filter")
}

// mergeBoxes takes the newest e-mails of all accounts. With one account Gmail's own order is kept, and nothing has to
// be read for it.
func (r *Resolver) mergeBoxes(ctx context.Context, boxes []*box, limit int,
	depth gmail.Depth) (taken []waiting, more bool, err error) {
	if len(boxes) > 1 {
		depth = max(depth, store.MailMinimal) // the order needs the dates
	}
	_, failures := core.AskEach(boxes, func(b *box) (struct{}, error) {
		var within context.Context
		within, b.age = gmail.WithAge(ctx, b.kept)
		return struct{}{}, r.fill(within, b, limit, depth)
	})
	if err := core.AddErrorsUnlessAll(ctx, failures); err != nil {
		return nil, false, err
	}
	for len(taken) < limit {
		var newest *box
		for _, b := range boxes {
			if len(b.waiting) > 0 && (newest == nil || b.waiting[0].email.Date.After(newest.waiting[0].email.Date)) {
				newest = b
			}
		}
		if newest == nil {
			break
		}
		taken = append(taken, newest.waiting[0])
		newest.place, newest.waiting = newest.waiting[0].after, newest.waiting[1:]
	}
	for _, b := range boxes {
		more = more || len(b.waiting) > 0 || b.more
	}
	return taken, more, nil
}

// fill reads so many e-mails of one account, and no more.
func (r *Resolver) fill(ctx context.Context, b *box, limit int, depth gmail.Depth) error {
	at := b.place
	b.more = !at.done
	for b.more && len(b.waiting) < limit {
		query := b.query
		query.Page, query.Size, query.Ahead = at.page, at.size, depth > 0
		listing, err := r.Mail.Reader.List(ctx, b.account, query)
		if err != nil {
			return err
		}
		next := boxPlace{connection: at.connection, page: listing.Next, size: limit, done: listing.Next == ""}
		rest := listing.Found[min(at.used, len(listing.Found)):]
		for len(rest) > 0 && len(b.waiting) < limit {
			some := rest[:min(len(rest), limit-len(b.waiting))]
			emails, err := r.emailsOf(ctx, b.account, some, depth)
			if err != nil {
				return err
			}
			for i, one := range some {
				after := at
				if after.used += i + 1; i == len(rest)-1 {
					after = next
				}
				if email, there := emails[one.Message]; there { // else it has gone since it was listed
					b.waiting = append(b.waiting, waiting{email: email, after: after})
				}
			}
			rest, at.used = rest[len(some):], at.used+len(some)
		}
		b.more = len(rest) > 0 || !next.done
		at = next
	}
	return nil
}

// emailsOf reads messages that were listed, as far as anything beyond their ids was asked for.
func (r *Resolver) emailsOf(ctx context.Context, account model.Connection, found []gmail.Found,
	depth gmail.Depth) (map[string]model.Email, error) {
	if depth == 0 {
		emails := make(map[string]model.Email, len(found))
		for _, one := range found {
			emails[one.Message] = bareEmail(account, one.Message, one.Thread)
		}
		return emails, nil
	}
	ids := make([]string, len(found))
	for i, one := range found {
		ids[i] = one.Message
	}
	return r.Mail.Reader.Messages(ctx, account, ids, depth)
}

// placeAfter is the place after some e-mails were taken from the start on.
func placeAfter(start *mailPlace, boxes []*box, taken []waiting, size int) mailPlace {
	place := mailPlace{question: start.question}
	for _, at := range start.boxes { // what cannot be asked now goes on where it was when it can be
		if !slices.ContainsFunc(boxes, func(b *box) bool { return b.account.Number == at.connection }) {
			place.boxes = append(place.boxes, at)
		}
	}
	for _, b := range boxes {
		at := start.of(b.account, size)
		for _, one := range taken {
			if one.after.connection == b.account.Number {
				at = one.after
			}
		}
		place.boxes = append(place.boxes, at)
	}
	return place
}

// countBoxes counts e-mails by their ids; nil when there are too many.
func (r *Resolver) countBoxes(ctx context.Context, boxes []*box) (*int, error) {
	counts, failures := core.AskEach(boxes, func(b *box) (int, error) {
		count := 0
		query := b.query
		query.Size = countPage
		for count <= maxCounted {
			listing, err := r.Mail.Reader.List(ctx, b.account, query)
			if err != nil {
				return 0, err
			}
			count += len(listing.Found)
			if query.Page = listing.Next; query.Page == "" {
				break
			}
		}
		return count, nil
	})
	if err := core.AddErrorsUnlessAll(ctx, failures); err != nil {
		return nil, err
	}
	total := 0
	for _, count := range counts {
		total += count
	}
	if total > maxCounted {
		return nil, nil
	}
	return &total, nil
}

// emailRef reads an e-mail's id and finds the account that it leads to.
func (r *Resolver) emailRef(ctx context.Context, v *core.Viewer, field,
	text string) (model.Connection, model.EmailRef, error) {
	id, err := core.RemoteID(field, text, model.KindEmail)
	if err != nil {
		return model.Connection{}, model.EmailRef{}, err
	}
	ref, err := model.EmailRefOf(id)
	if err != nil {
		return model.Connection{}, model.EmailRef{}, model.BadInput(field, "%q is not the id of an e-mail", model.Clip(text))
	}
	account, err := r.AccountOf(ctx, v, field, model.CalendarRef{Connection: ref.Connection}, id)
	return account, ref, err
}

// Email answers email(id).
func (r *Resolver) Email(ctx context.Context, text string) (*projections.Email, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	account, ref, err := r.emailRef(ctx, v, "id", text)
	if err != nil {
		return nil, err
	}
	return r.emailByRef(ctx, v, account, ref, core.Answered(ctx), "id")
}

// emailByRef reads one e-mail as far as it is asked for.
func (r *Resolver) emailByRef(ctx context.Context, v *core.Viewer, account model.Connection, ref model.EmailRef,
	asked core.Selection, field string) (*projections.Email, error) {
	depth := max(EmailDepth(asked), store.MailMinimal) // whether it is there at all has to be asked
	emails, err := r.Mail.Reader.Messages(ctx, account, []string{ref.Message}, depth)
	if err != nil {
		return nil, err
	}
	email, there := emails[ref.Message]
	if !there {
		return nil, model.NotFound(field, "you have no e-mail %s", ref.ID())
	}
	return r.emailView(ctx, v, account, email, asked), nil
}

// EmailThread answers emailThread(id).
func (r *Resolver) EmailThread(ctx context.Context, text string) (*projections.EmailThread, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	asked := core.Answered(ctx)
	id, err := model.ParseID(text)
	if err == nil && id.Kind == model.KindEmail {
		account, ref, err := r.emailRef(ctx, v, "id", text)
		if err != nil {
			return nil, err
		}
		emails, err := r.Mail.Reader.Messages(ctx, account, []string{ref.Message}, store.MailMinimal)
		if err != nil {
			return nil, err
		}
		email, there := emails[ref.Message]
		if !there {
			return nil, model.NotFound("id", "you have no e-mail %s", ref.ID())
		}
		return r.threadOf(ctx, v, account, model.ThreadRef{Connection: ref.Connection, Thread: email.Thread}, asked)
	}
	if id, err = core.RemoteID("id", text, model.KindThread); err != nil {
		return nil, err
	}
	ref, err := model.ThreadRefOf(id)
	if err != nil {
		return nil, model.BadInput("id", "%q is not the id of a conversation", model.Clip(text))
	}
	account, err := r.AccountOf(ctx, v, "id", model.CalendarRef{Connection: ref.Connection}, id)
	if err != nil {
		return nil, err
	}
	return r.threadOf(ctx, v, account, ref, asked)
}

// maxThread is how many e-mails of a conversation are given.
const maxThread = 100

func (r *Resolver) threadOf(ctx context.Context, v *core.Viewer, account model.Connection, ref model.ThreadRef,
	asked core.Selection) (*projections.EmailThread, error) {
	items := asked.Under("emails", "Email")
	depth := max(EmailDepth(asked), EmailDepth(items), store.MailHeaders)
	if asked.Has("compact") {
		depth = store.MailFull
	}
	emails, err := r.Mail.Reader.Thread(ctx, account, ref.Thread, depth)
	if err != nil {
		if model.CodeOf(err) == model.CodeNotFound {
			err = model.NotFound("id", "you have no conversation %s", ref.ID())
		}
		return nil, err
	}
	count := len(emails)
	if count > maxThread {
		emails = emails[count-maxThread:]
	}
	at := r.MailMoment(ctx, v, []model.Connection{account}, emails, items.Has("labels"))
	return &projections.EmailThread{Ref: ref, Mailbox: account.Account, Items: projections.EmailsAt(emails, at),
		Count: count, At: at}, nil
}

// EmailLabels answers emailLabels(account).
func (r *Resolver) EmailLabels(ctx context.Context, address *string) ([]projections.EmailLabel, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	accounts, err := r.Accounts(ctx, v, "account", address)
	if err != nil {
		return nil, err
	}
	found, failures := core.AskEach(accounts, func(account model.Connection) ([]model.EmailLabel, error) {
		return r.Mail.Labels.Labels(ctx, account)
	})
	if err := core.AddErrorsUnlessAll(ctx, failures); err != nil {
		return nil, err
	}
	out := []projections.EmailLabel{}
	for i, labels := range found {
		for _, label := range labels {
			out = append(out, projections.EmailLabel{SourceID: label.SourceID, Account: accounts[i].Account, Name: label.Name,
				System: label.System})
		}
	}
	return out, nil
}

// labelOf finds a label by its name, without regard to case, or by the remote's id. NOT_FOUND, with the nearest name.
func (r *Resolver) labelOf(ctx context.Context, account model.Connection, field,
	name string) (model.EmailLabel, error) {
	labels, err := r.Mail.Labels.Labels(ctx, account)
	if err != nil {
		return model.EmailLabel{}, err
	}
	if label, ok := labelNamed(labels, name); ok {
		return label, nil
	}
	if labels, err = r.Mail.Labels.LabelsNow(ctx, account); err != nil { // somebody may have made it meanwhile
		return model.EmailLabel{}, err
	}
	if label, ok := labelNamed(labels, name); ok {
		return label, nil
	}
	names := make([]string, len(labels))
	for i, label := range labels {
		names[i] = label.Name
	}
	return model.EmailLabel{}, model.NotFound(field, "%s has no label %q%s", account.Account, model.Clip(name),
		nearestLabel(name, names))
}

// labelNamed finds a label: an id counts before names, and a name before others that differ from it in case.
func labelNamed(labels []model.EmailLabel, name string) (model.EmailLabel, bool) {
	for _, fits := range [...]func(model.EmailLabel) bool{
		func(l model.EmailLabel) bool { return l.SourceID == name },
		func(l model.EmailLabel) bool { return l.Name == name },
		func(l model.EmailLabel) bool { return strings.EqualFold(l.Name, name) },
	} {
		if i := slices.IndexFunc(labels, fits); i >= 0 {
			return labels[i], true
		}
	}
	return model.EmailLabel{}, false
}

// nearestLabel says which label may have been meant.
func nearestLabel(name string, names []string) string {
	candidates := make([]match.Candidate[string], len(names))
	for i, one := range names {
		candidates[i] = match.Candidate[string]{ID: one, Fields: []string{one}}
	}
	if found := match.Rank(name, candidates, 0.4); len(found) > 0 {
		return "; did you mean " + strconv.Quote(found[0].ID) + "?"
	}
	return ""
}
