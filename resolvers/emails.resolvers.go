package resolvers

import (
	"almanac/graph"
	"almanac/projections"
	"context"
)

func (r *discardPreviewPayloadResolver) Compact(ctx context.Context, obj *graph.DiscardPreviewPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, discardPreviewText(obj))
}

func (r *emailConnectionResolver) Compact(ctx context.Context, obj *projections.EmailConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compactPage(ctx, options, emailPage(obj.Page))
}

func (r *emailThreadResolver) Compact(ctx context.Context, obj *projections.EmailThread, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compactPage(ctx, options, threadPage(obj))
}

func (r *labelEmailsPayloadResolver) Compact(ctx context.Context, obj *graph.LabelEmailsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, labelEmailsText(obj))
}

func (r *markEmailsPayloadResolver) Compact(ctx context.Context, obj *graph.MarkEmailsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, markEmailsText(obj))
}

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

func (r *previewEmailPayloadResolver) Compact(ctx context.Context, obj *graph.PreviewEmailPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, previewEmailText(obj))
}

func (r *previewReplyPayloadResolver) Compact(ctx context.Context, obj *graph.PreviewReplyPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, previewReplyText(obj))
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

func (r *replyToEmailPayloadResolver) Compact(ctx context.Context, obj *graph.ReplyToEmailPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, replyToEmailText(obj))
}

func (r *sendEmailPayloadResolver) Compact(ctx context.Context, obj *graph.SendEmailPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.compact(ctx, options, sendEmailText(obj))
}

func (r *subscriptionResolver) EmailReceived(ctx context.Context, after *string) (<-chan *projections.EmailArrival, error) {
	return r.emailArrivals(ctx, after)
}

func (r *Resolver) DiscardPreviewPayload() graph.DiscardPreviewPayloadResolver {
	return &discardPreviewPayloadResolver{r}
}

func (r *Resolver) EmailConnection() graph.EmailConnectionResolver {
	return &emailConnectionResolver{r}
}

func (r *Resolver) EmailThread() graph.EmailThreadResolver { return &emailThreadResolver{r} }

func (r *Resolver) LabelEmailsPayload() graph.LabelEmailsPayloadResolver {
	return &labelEmailsPayloadResolver{r}
}

func (r *Resolver) MarkEmailsPayload() graph.MarkEmailsPayloadResolver {
	return &markEmailsPayloadResolver{r}
}

func (r *Resolver) PreviewEmailPayload() graph.PreviewEmailPayloadResolver {
	return &previewEmailPayloadResolver{r}
}

func (r *Resolver) PreviewReplyPayload() graph.PreviewReplyPayloadResolver {
	return &previewReplyPayloadResolver{r}
}

func (r *Resolver) ReplyToEmailPayload() graph.ReplyToEmailPayloadResolver {
	return &replyToEmailPayloadResolver{r}
}

func (r *Resolver) SendEmailPayload() graph.SendEmailPayloadResolver {
	return &sendEmailPayloadResolver{r}
}

type (
	discardPreviewPayloadResolver struct{ *Resolver }
	emailConnectionResolver       struct{ *Resolver }
	emailThreadResolver           struct{ *Resolver }
	labelEmailsPayloadResolver    struct{ *Resolver }
	markEmailsPayloadResolver     struct{ *Resolver }
	previewEmailPayloadResolver   struct{ *Resolver }
	previewReplyPayloadResolver   struct{ *Resolver }
	replyToEmailPayloadResolver   struct{ *Resolver }
	sendEmailPayloadResolver      struct{ *Resolver }
)
