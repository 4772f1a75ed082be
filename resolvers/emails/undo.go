package emails

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/mail"
	"almanac/resolvers/core"
)

// Undoes is the key of Undoer in inverses.
const Undoes = "emails"

// relabelling is what a mutation has done to the labels of messages. It is the inverse of itself, with Put and Taken
// exchanged.
type relabelling struct{ Messages []relabelledMessage }

// relabelledMessage is what was done to one message: only what was not so before.
type relabelledMessage struct {
	ID      string
	Subject string
	// Put and Taken are the remote's ids of labels.
	Put, Taken []string
}

// maxTitle is how much of a subject is kept of each message.
const maxTitle = 100

// doing says what a change of labels will do to messages, as they are now. Messages that are gone, and those that have
// the labels already, are not among them.
func (r *Resolver) doing(ctx context.Context, account model.Connection, some []marked,
	labels labelChange) (out relabelling, err error) {
	ids := make([]string, len(some))
	for i, one := range some {
		ids[i] = one.ref.Message
	}
	now, err := r.Mail.Reader.Messages(ctx, account, ids, store.MailHeaders)
	if err != nil {
		return out, err
	}
	for _, one := range some {
		letter, there := now[one.ref.Message]
		if !there {
			continue
		}
		done := relabelledMessage{ID: one.id.String(), Subject: clipTitle(mail.Header(letter.Headers, "Subject"))}
		for _, label := range labels.add {
			if !slices.Contains(letter.Labels, label) && !slices.Contains(labels.remove, label) {
				done.Put = append(done.Put, label)
			}
		}
		for _, label := range labels.remove {
			if slices.Contains(letter.Labels, label) {
				done.Taken = append(done.Taken, label)
			}
		}
		if len(done.Put)+len(done.Taken) > 0 {
			out.Messages = append(out.Messages, done)
		}
	}
	return out, nil
}

func clipTitle(text string) string {
	if runes := []rune(text); len(runes) > maxTitle {
		return string(runes[:maxTitle])
	}
	return text
}

// did is what was done to the labels of messages of some accounts.
func (r *Resolver) did(ctx context.Context, v *core.Viewer, done relabelling) (core.Did, error) {
	did := core.Did{System: Undoes, Inverse: done}
	all, err := r.Connections(ctx, v)
	if err != nil {
		return did, err
	}
	names := r.namesOfLabels(ctx, all, done)
	for _, one := range done.Messages {
		id, err := model.ParseID(one.ID)
		if err != nil {
			return did, err
		}
		ref, err := model.EmailRefOf(id)
		if err != nil {
			return did, err
		}
		i := slices.IndexFunc(all, func(c model.Connection) bool { return c.Number == ref.Connection })
		if i >= 0 && !slices.Contains(did.Accounts, all[i].ID) {
			did.Accounts = append(did.Accounts, all[i].ID)
		}
		named := func(labels []string) []string {
			out := make([]string, len(labels))
			for i, label := range labels {
				out[i] = names[label]
			}
			return out
		}
		headers := []model.EmailHeader{{Name: "Subject", Value: one.Subject}}
		did.Changes = append(did.Changes, model.Difference{
			ID:     id,
			Before: &model.Email{Ref: ref, Headers: headers, Labels: named(one.Taken)},
			After:  &model.Email{Ref: ref, Headers: headers, Labels: named(one.Put)},
		})
	}
	return did, nil
}

// namesOfLabels are the names of labels by the remote's ids; the id where it cannot be had.
func (r *Resolver) namesOfLabels(ctx context.Context, all []model.Connection, done relabelling) map[string]string {
	names := map[string]string{}
	byNumber := map[int][]string{}
	for _, one := range done.Messages {
		id, _ := model.ParseID(one.ID)
		ref, _ := model.EmailRefOf(id)
		for _, label := range slices.Concat(one.Put, one.Taken) {
			names[label] = label
			if label != strings.ToUpper(label) && !slices.Contains(byNumber[ref.Connection], label) {
				byNumber[ref.Connection] = append(byNumber[ref.Connection], label)
			}
		}
	}
	for _, account := range all {
		ids := byNumber[account.Number]
		if len(ids) == 0 {
			continue
		}
		labels, err := r.Mail.Labels.LabelsOf(ctx, account, ids)
		if err != nil {
			continue // the summary says the ids
		}
		for _, label := range labels {
			if _, wanted := names[label.SourceID]; wanted {
				names[label.SourceID] = label.Name
			}
		}
	}
	return names
}

// keepDone keeps what was done as an action; partly when it is only a part of an undoing.
func (r *Resolver) keepDone(ctx context.Context, v *core.Viewer, done relabelling, partly bool) {
	if len(done.Messages) == 0 {
		return
	}
	did, err := r.did(ctx, v, done)
	if err != nil {
		core.AddError(ctx, err)
		return
	}
	did.Partly = partly
	r.KeepDid(ctx, v, did)
}

// Undoer undoes changes of labels.
func (r *Resolver) Undoer() core.Undoer { return undoer{r} }

type undoer struct{ *Resolver }

// undoing are the steps of a plan.
type undoing struct {
	// Back is what undoing does, in the terms of what is done then.
	Back relabelling
	// Gone is how many messages are not there any more.
	Gone int
}

// PlanUndo implements core.Undoer. A label is there or not: one that is as it was before the action is left so, and any
// other is as the action has left it. So nothing that was changed since is ever overwritten, and nothing is asked.
func (u undoer) PlanUndo(ctx context.Context, v *core.Viewer, inverse json.RawMessage) (plan core.UndoPlan, err error) {
	var done relabelling
	if err := json.Unmarshal(inverse, &done); err != nil {
		return plan, fmt.Errorf("read the inverse of changed labels: %w", err)
	}
	var steps undoing
	byNumber := map[int][]relabelledMessage{}
	for _, one := range done.Messages {
		ref, err := refOf(one)
		if err != nil {
			return plan, err
		}
		byNumber[ref.Connection] = append(byNumber[ref.Connection], one)
	}
	all, err := u.Connections(ctx, v)
	if err != nil {
		return plan, err
	}
	for number, some := range byNumber {
		i := slices.IndexFunc(all, func(c model.Connection) bool { return c.Number == number })
		if i < 0 {
			return plan, model.NotFound("input.id", "the account has been unlinked")
		}
		if err := u.Usable(v, all[i]); err != nil {
			return plan, err
		}
		back, err := u.back(ctx, all[i], some, &steps.Gone)
		if err != nil {
			return plan, err
		}
		steps.Back.Messages = append(steps.Back.Messages, back...)
	}
	slices.SortFunc(steps.Back.Messages, func(a, b relabelledMessage) int { return strings.Compare(a.ID, b.ID) })
	if len(steps.Back.Messages) == 0 && steps.Gone > 0 {
		return plan, model.NotFound("input.id", "the e-mails of this action are not there any more")
	}
	plan.Rest = len(steps.Back.Messages)
	plan.All = plan.Rest
	plan.Steps, err = json.Marshal(steps)
	return plan, err
}

// back is what undoing does to messages as they are now.
func (u undoer) back(ctx context.Context, account model.Connection, some []relabelledMessage,
	gone *int) (back []relabelledMessage, err error) {
	ids := make([]string, len(some))
	for i, one := range some {
		ref, err := refOf(one)
		if err != nil {
			return nil, err
		}
		ids[i] = ref.Message
	}
	now, err := u.Mail.Reader.Messages(ctx, account, ids, store.MailMinimal)
	if err != nil {
		return nil, err
	}
	for i, one := range some {
		letter, there := now[ids[i]]
		if !there {
			*gone++
			continue
		}
		do := relabelledMessage{ID: one.ID, Subject: one.Subject}
		for _, label := range one.Taken {
			if !slices.Contains(letter.Labels, label) {
				do.Put = append(do.Put, label)
			}
		}
		for _, label := range one.Put {
			if slices.Contains(letter.Labels, label) {
				do.Taken = append(do.Taken, label)
			}
		}
		if len(do.Put)+len(do.Taken) > 0 {
			back = append(back, do)
		}
	}
	return back, nil
}

func refOf(one relabelledMessage) (model.EmailRef, error) {
	id, err := model.ParseID(one.ID)
	if err != nil {
		return model.EmailRef{}, err
	}
	return model.EmailRefOf(id)
}

// Undo implements core.Undoer: one call for each account and each set of labels. What was done before a failure is
// kept.
func (u undoer) Undo(ctx context.Context, v *core.Viewer, plan core.UndoPlan, _ bool) (undone bool, err error) {
	var steps undoing
	if err := json.Unmarshal(plan.Steps, &steps); err != nil {
		return false, fmt.Errorf("read what is to be undone: %w", err)
	}
	type group struct {
		number     int
		put, taken string
	}
	groups := map[group][]relabelledMessage{}
	var order []group
	for _, one := range steps.Back.Messages {
		ref, err := refOf(one)
		if err != nil {
			return false, err
		}
		key := group{ref.Connection, strings.Join(one.Put, " "), strings.Join(one.Taken, " ")}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], one)
	}
	all, err := u.Connections(ctx, v)
	if err != nil {
		return false, err
	}
	var done relabelling
	for _, key := range order {
		i := slices.IndexFunc(all, func(c model.Connection) bool { return c.Number == key.number })
		if i < 0 {
			err = model.NotFound("input.id", "the account has been unlinked")
			break
		}
		ids := make([]string, len(groups[key]))
		for j, one := range groups[key] {
			ref, _ := refOf(one) // read above
			ids[j] = ref.Message
		}
		if err = u.Mail.Marker.Modify(ctx, all[i], ids, strings.Fields(key.put), strings.Fields(key.taken)); err != nil {
			break
		}
		done.Messages = append(done.Messages, groups[key]...)
	}
	u.keepDone(ctx, v, done, err != nil)
	if steps.Gone > 0 {
		core.AddError(ctx, model.NotFound("input.id", "%d e-mails of this action are not there any more", steps.Gone))
	}
	return len(done.Messages) > 0, err
}
