package emails

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/resolvers/core"
)

// Labels of Gmail's own that marks are made of.
const (
	labelUnread    = "UNREAD"
	labelStarred   = "STARRED"
	labelImportant = "IMPORTANT"
	labelInbox     = "INBOX"
)

// maxLabels is how many labels one mutation puts on, or takes off; Gmail's own bound.
const maxLabels = 100

// MarkEmails marks e-mails.
func (r *Resolver) MarkEmails(ctx context.Context, in graph.MarkEmailsInput) (*graph.MarkEmailsPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.MarkEmailsPayload{Context: noEmail(), UserErrors: []model.UserError{}, Ids: []string{},
		NotFound: []string{}, Errors: []model.BulkError{}}
	var add, remove []string
	mark := func(want *bool, label string, puts bool) {
		switch {
		case want == nil:
		case *want == puts:
			add = append(add, label)
		default:
			remove = append(remove, label)
		}
	}
	mark(in.Read, labelUnread, false)
	mark(in.Starred, labelStarred, true)
	mark(in.Important, labelImportant, true)
	mark(in.Archived, labelInbox, false)
	if len(add)+len(remove) == 0 {
		core.AddUserError(ctx, &out.UserErrors,
			model.BadInput("input", "say what to mark: read, starred, important or archived"))
		return out, nil
	}
	meant, err := r.emailsMeant(ctx, v, in.Ids, in.Target, in.Confirm)
	if out.Confirmation = meant.Question; err != nil || meant.Declined || meant.Question != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	came, err := r.relabel(ctx, v, meant.IDs,
		func(model.Connection) (labelChange, error) { return labelChange{add, remove}, nil })
	if err != nil {
		r.GiveBack(ctx, v, meant, err)
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Updated, out.Ids, out.NotFound, out.Errors, out.Context = came.count(), came.ids, came.notFound, came.errors,
		came.context()
	return out, nil
}

// LabelEmails puts labels on e-mails and takes others off.
func (r *Resolver) LabelEmails(ctx context.Context, in graph.LabelEmailsInput) (*graph.LabelEmailsPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.LabelEmailsPayload{Context: noEmail(), UserErrors: []model.UserError{}, Ids: []string{},
		NotFound: []string{}, Errors: []model.BulkError{}}
	if err := labelsAsked(in); err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	meant, err := r.emailsMeant(ctx, v, in.Ids, in.Target, in.Confirm)
	if out.Confirmation = meant.Question; err != nil || meant.Declined || meant.Question != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	came, err := r.relabel(ctx, v, meant.IDs, func(account model.Connection) (change labelChange, err error) {
		if change.add, err = r.labelIDs(ctx, account, "input.add", in.Add, in.CreateMissing); err != nil {
			return change, err
		}
		change.remove, err = r.labelIDs(ctx, account, "input.remove", in.Remove, false)
		return change, err
	})
	if err != nil {
		r.GiveBack(ctx, v, meant, err)
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Updated, out.Ids, out.NotFound, out.Errors, out.Context = came.count(), came.ids, came.notFound, came.errors,
		came.context()
	return out, nil
}

// labelsAsked refuses what cannot be asked for.
func labelsAsked(in graph.LabelEmailsInput) error {
	if len(in.Add)+len(in.Remove) == 0 {
		return model.BadInput("input", "give labels to add or to remove")
	}
	seen := map[string]string{}
	for _, side := range [...]struct {
		field string
		names []string
	}{{"input.add", in.Add}, {"input.remove", in.Remove}} {
		if len(side.names) > maxLabels {
			return model.BadInput(side.field, "give at most %d labels, not %d", maxLabels, len(side.names))
		}
		for i, name := range side.names {
			field := side.field + "." + strconv.Itoa(i)
			clean, err := core.CleanText(field, name, 225)
			if err != nil {
				return err
			}
			key := strings.ToLower(clean)
			if key == "sent" || key == "draft" {
				return model.BadInput(field, "%s is Gmail's alone; it cannot be put on or taken off", strings.ToUpper(key))
			}
			if other, twice := seen[key]; twice && other != side.field {
				return model.BadInput(field, "the label %q is both to be added and to be removed", model.Clip(clean))
			}
			seen[key] = side.field
		}
	}
	return nil
}

// labelIDs returns the remote's ids of labels, making those that are missing if that is wanted.
func (r *Resolver) labelIDs(ctx context.Context, account model.Connection, field string, names []string,
	create bool) ([]string, error) {
	var ids []string
	for i, name := range names {
		name = fold.Clean(name)
		label, err := r.labelOf(ctx, account, field+"."+strconv.Itoa(i), name)
		if create && model.CodeOf(err) == model.CodeNotFound {
			label, err = r.Mail.Labels.CreateLabel(ctx, account, name)
			if model.CodeOf(err) == model.CodeConflict { // made meanwhile, or by an earlier try
				label, err = r.labelOf(ctx, account, field+"."+strconv.Itoa(i), name)
			}
		}
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, label.SourceID) {
			ids = append(ids, label.SourceID)
		}
	}
	return ids, nil
}

// labelChange is what to do with the labels of messages, by the remote's ids.
type labelChange struct{ add, remove []string }

// relabelled is what came of changing labels.
type relabelled struct {
	ids, notFound []string
	errors        []model.BulkError
}

func (c relabelled) count() int32 { return int32(len(c.ids)) }

func (c relabelled) context() *projections.EmailContext {
	return &projections.EmailContext{IsEmpty: len(c.ids) == 0}
}

// marked is one e-mail to be marked.
type marked struct {
	index int
	id    model.ID
	ref   model.EmailRef
}

// relabel changes the labels of e-mails, account by account. What is wrong with one leaves the others alone.
func (r *Resolver) relabel(ctx context.Context, v *core.Viewer, texts []string,
	change func(model.Connection) (labelChange, error)) (relabelled, error) {
	came := relabelled{ids: []string{}, notFound: []string{}, errors: []model.BulkError{}}
	if len(texts) == 0 || len(texts) > model.MaxMarkedEmails {
		return came, model.BadInput("input.ids", "give 1 to %d ids, not %d", model.MaxMarkedEmails, len(texts))
	}
	byNumber, order := came.sort(texts)
	all, err := r.Connections(ctx, v)
	if err != nil {
		return came, err
	}
	done := make(map[model.ID]bool, len(texts))
	var changed relabelling
	defer func() { r.keepDone(ctx, v, changed, false) }()
	for _, number := range order {
		some := byNumber[number]
		i := slices.IndexFunc(all, func(c model.Connection) bool { return c.Number == number })
		if i < 0 {
			for _, one := range some {
				came.notFound = append(came.notFound, one.id.String())
			}
			continue
		}
		doing, err := r.relabelIn(ctx, v, all[i], some, change)
		if err != nil {
			if _, mendable := model.Mendable(err); mendable && len(order) == 1 {
				return came, err // it is wrong with the request, and not with one e-mail or another
			} else if !mendable {
				core.AddError(ctx, err)
			}
			came.fail(some, err)
			continue
		}
		changed.Messages = append(changed.Messages, doing.Messages...)
		for _, one := range some {
			done[one.id] = true
		}
	}
	for _, text := range texts {
		if id, err := model.ParseID(text); err == nil && done[id] {
			came.ids, done[id] = append(came.ids, id.String()), false
		}
	}
	return came, nil
}

// sort reads the ids and groups them by account, in the order in which the accounts come.
func (c *relabelled) sort(texts []string) (byNumber map[int][]marked, order []int) {
	byNumber = map[int][]marked{}
	seen := map[model.ID]bool{}
	for i, text := range texts {
		id, err := core.RemoteID("input.ids."+strconv.Itoa(i), text, model.KindEmail)
		ref, unread := model.EmailRefOf(id)
		if err == nil && unread != nil {
			err = model.BadInput("", "%q is not the id of an e-mail", model.Clip(text))
		}
		if shown, mendable := model.Mendable(err); mendable {
			c.errors = append(c.errors, model.BulkError{NodeID: &text, Index: i, Code: shown.Code, Message: shown.Message})
			continue
		}
		if seen[id] {
			continue
		}
		seen[id] = true
		if byNumber[ref.Connection] == nil {
			order = append(order, ref.Connection)
		}
		byNumber[ref.Connection] = append(byNumber[ref.Connection], marked{i, id, ref})
	}
	return byNumber, order
}

// relabelIn changes the labels of e-mails of one account, and returns what that has changed.
func (r *Resolver) relabelIn(ctx context.Context, v *core.Viewer, account model.Connection, some []marked,
	change func(model.Connection) (labelChange, error)) (doing relabelling, err error) {
	if err := r.Usable(v, account); err != nil {
		return doing, err
	}
	labels, err := change(account)
	if err != nil {
		return doing, err
	}
	// What the labels were is noted before they are changed: a repetition finds them changed.
	doing, _, err = core.DecidedAs(ctx, "labels of "+strconv.Itoa(account.Number),
		func() (relabelling, error) { return r.doing(ctx, account, some, labels) })
	if err != nil {
		return doing, err
	}
	messages := make([]string, len(some))
	for i, one := range some {
		messages[i] = one.ref.Message
	}
	return doing, r.Mail.Marker.Modify(ctx, account, messages, labels.add, labels.remove)
}

// fail says of e-mails why they were left.
func (c *relabelled) fail(some []marked, err error) {
	code, message := model.CodeOf(err), "the e-mail was left as it is"
	if code == "" {
		code = model.CodeInternal
	}
	if shown, ok := errors.AsType[*model.Error](err); ok {
		message = shown.Message
	}
	for _, one := range some {
		id := one.id.String()
		c.errors = append(c.errors, model.BulkError{NodeID: &id, Index: one.index, Code: code, Message: message})
	}
}
