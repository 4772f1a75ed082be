package emails

import (
	"context"
	"maps"
	"slices"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// LoadEmails reads the e-mails that ids lead to, those of one account together. What cannot be read now leaves its
// error beside the answer.
func (r *Resolver) LoadEmails(ctx context.Context, v *core.Viewer, ids []model.ID, asked core.Selection,
	found map[model.ID]model.Node) error {
	all, err := r.Connections(ctx, v)
	if err != nil {
		return err
	}
	for _, account := range all {
		var messages []string
		for _, id := range ids {
			if ref, err := model.EmailRefOf(id); err == nil && ref.Connection == account.Number {
				messages = append(messages, ref.Message)
			}
		}
		if len(messages) == 0 {
			continue
		}
		if err := r.Usable(v, account); err != nil {
			core.AddError(ctx, err)
			continue
		}
		emails, err := r.Mail.Reader.Messages(ctx, account, messages, max(EmailDepth(asked), store.MailMinimal))
		if err != nil {
			core.AddError(ctx, err)
			continue
		}
		records := slices.Collect(maps.Values(emails))
		at := r.MailMoment(ctx, v, []model.Connection{account}, records, asked.Has("labels"))
		for _, record := range records {
			view := projections.EmailAt(record, at)
			found[view.ID()] = view
		}
	}
	return nil
}

// LoadThreads reads the conversations that ids lead to.
func (r *Resolver) LoadThreads(ctx context.Context, v *core.Viewer, ids []model.ID, asked core.Selection,
	found map[model.ID]model.Node) error {
	all, err := r.Connections(ctx, v)
	if err != nil {
		return err
	}
	threads, failures := core.AskEach(ids, func(id model.ID) (*projections.EmailThread, error) {
		ref, err := model.ThreadRefOf(id)
		i := slices.IndexFunc(all, func(c model.Connection) bool { return c.Number == ref.Connection })
		if err != nil || i < 0 {
			return nil, model.NotFound("", "there is no such conversation")
		}
		if err := r.Usable(v, all[i]); err != nil {
			return nil, err
		}
		return r.threadOf(ctx, v, all[i], ref, asked)
	})
	for i, thread := range threads {
		switch {
		case thread != nil:
			found[ids[i]] = thread
		case failures[i] != nil && model.CodeOf(failures[i]) != model.CodeNotFound:
			core.AddError(ctx, failures[i])
		}
	}
	return nil
}

// LoadPreviews reads e-mails of the outbox.
func (r *Resolver) LoadPreviews(ctx context.Context, v *core.Viewer, ids []model.UUID,
	found map[model.ID]model.Node) error {
	var kept []model.OutgoingEmail
	for _, id := range ids {
		one, err := r.Mail.Outbox.Get(ctx, v.User, id)
		if model.CodeOf(err) == model.CodeNotFound {
			continue
		}
		if err != nil {
			return err
		}
		kept = append(kept, one)
	}
	views, err := r.previewViews(ctx, v, kept)
	if err != nil {
		return err
	}
	for _, view := range views {
		found[view.ID()] = view
	}
	return nil
}
