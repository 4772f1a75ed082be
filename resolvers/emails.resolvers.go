package resolvers

import (
	"almanac/graph"
	"almanac/projections"
	"context"
)

func (r *mutationResolver) PreviewEmail(ctx context.Context, input graph.PreviewEmailInput) (*graph.PreviewEmailPayload, error) {
	return r.previewEmail(ctx, input)
}

func (r *mutationResolver) PreviewReply(ctx context.Context, input graph.PreviewReplyInput) (*graph.PreviewReplyPayload, error) {
	return r.previewReply(ctx, input)
}

func (r *mutationResolver) SendEmail(ctx context.Context, input graph.SendEmailInput) (*graph.SendEmailPayload, error) {
	return r.sendEmail(ctx, input)
}

func (r *mutationResolver) ReplyToEmail(ctx context.Context, input graph.ReplyToEmailInput) (*graph.ReplyToEmailPayload, error) {
	return r.replyToEmail(ctx, input)
}

func (r *mutationResolver) DiscardPreview(ctx context.Context, input graph.DiscardPreviewInput) (*graph.DiscardPreviewPayload, error) {
	return r.discardPreview(ctx, input)
}

func (r *mutationResolver) MarkEmails(ctx context.Context, input graph.MarkEmailsInput) (*graph.MarkEmailsPayload, error) {
	return r.markEmails(ctx, input)
}

func (r *mutationResolver) LabelEmails(ctx context.Context, input graph.LabelEmailsInput) (*graph.LabelEmailsPayload, error) {
	return r.labelEmails(ctx, input)
}

func (r *queryResolver) Emails(ctx context.Context, filter *graph.EmailFilter, first *int32, after *string, account *string) (*projections.EmailConnection, error) {
	return r.emailConnection(ctx, filter, first, after, account)
}

func (r *queryResolver) Email(ctx context.Context, id string) (*projections.Email, error) {
	return r.email(ctx, id)
}

func (r *queryResolver) EmailThread(ctx context.Context, id string) (*projections.EmailThread, error) {
	return r.emailThread(ctx, id)
}

func (r *queryResolver) EmailLabels(ctx context.Context, account *string) ([]projections.EmailLabel, error) {
	return r.emailLabels(ctx, account)
}

func (r *queryResolver) EmailPreviews(ctx context.Context, first *int32) ([]projections.EmailPreview, error) {
	return r.emailPreviews(ctx, first)
}

func (r *queryResolver) EmailPreview(ctx context.Context, id string) (*projections.EmailPreview, error) {
	return r.emailPreview(ctx, id)
}

func (r *subscriptionResolver) EmailReceived(ctx context.Context, after *string) (<-chan *projections.EmailArrival, error) {
	return r.emailArrivals(ctx, after)
}
