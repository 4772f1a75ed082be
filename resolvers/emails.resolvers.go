package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/emails"
	"context"
)

func (r *discardPreviewPayloadRoot) Compact(ctx context.Context, obj *graph.DiscardPreviewPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *emailConnectionRoot) Compact(ctx context.Context, obj *projections.EmailConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.CompactPage(ctx, options, emails.EmailPage(obj.Page))
}

func (r *emailThreadRoot) Compact(ctx context.Context, obj *projections.EmailThread, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.CompactPage(ctx, options, emails.ThreadPage(obj))
}

func (r *labelEmailsPayloadRoot) Compact(ctx context.Context, obj *graph.LabelEmailsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *markEmailsPayloadRoot) Compact(ctx context.Context, obj *graph.MarkEmailsPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *mutationRoot) PreviewEmail(ctx context.Context, input graph.PreviewEmailInput) (*graph.PreviewEmailPayload, error) {
	return r.all.emails.PreviewEmail(ctx, input)
}

func (r *mutationRoot) PreviewReply(ctx context.Context, input graph.PreviewReplyInput) (*graph.PreviewReplyPayload, error) {
	return r.all.emails.PreviewReply(ctx, input)
}

func (r *mutationRoot) SendEmail(ctx context.Context, input graph.SendEmailInput) (*graph.SendEmailPayload, error) {
	return r.all.emails.SendEmail(ctx, input)
}

func (r *mutationRoot) ReplyToEmail(ctx context.Context, input graph.ReplyToEmailInput) (*graph.ReplyToEmailPayload, error) {
	return r.all.emails.ReplyToEmail(ctx, input)
}

func (r *mutationRoot) UnscheduleEmail(ctx context.Context, input graph.UnscheduleEmailInput) (*graph.UnscheduleEmailPayload, error) {
	return r.all.emails.UnscheduleEmail(ctx, input)
}

func (r *mutationRoot) DiscardPreview(ctx context.Context, input graph.DiscardPreviewInput) (*graph.DiscardPreviewPayload, error) {
	return r.all.emails.DiscardPreview(ctx, input)
}

func (r *mutationRoot) MarkEmails(ctx context.Context, input graph.MarkEmailsInput) (*graph.MarkEmailsPayload, error) {
	return r.all.emails.MarkEmails(ctx, input)
}

func (r *mutationRoot) LabelEmails(ctx context.Context, input graph.LabelEmailsInput) (*graph.LabelEmailsPayload, error) {
	return r.all.emails.LabelEmails(ctx, input)
}

func (r *previewEmailPayloadRoot) Compact(ctx context.Context, obj *graph.PreviewEmailPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *previewReplyPayloadRoot) Compact(ctx context.Context, obj *graph.PreviewReplyPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *queryRoot) Emails(ctx context.Context, filter *graph.EmailFilter, first *int32, after *string, account *string, freshness graph.Freshness) (*projections.EmailConnection, error) {
	return r.all.emails.EmailConnection(ctx, filter, first, after, account, freshness)
}

func (r *queryRoot) Email(ctx context.Context, id string) (*projections.Email, error) {
	return r.all.emails.Email(ctx, id)
}

func (r *queryRoot) EmailThread(ctx context.Context, id string) (*projections.EmailThread, error) {
	return r.all.emails.EmailThread(ctx, id)
}

func (r *queryRoot) EmailLabels(ctx context.Context, account *string) ([]projections.EmailLabel, error) {
	return r.all.emails.EmailLabels(ctx, account)
}

func (r *queryRoot) EmailPreviews(ctx context.Context, first *int32, states []model.OutboxState) ([]projections.EmailPreview, error) {
	return r.all.emails.EmailPreviews(ctx, first, states)
}

func (r *queryRoot) EmailPreview(ctx context.Context, id string) (*projections.EmailPreview, error) {
	return r.all.emails.EmailPreview(ctx, id)
}

func (r *replyToEmailPayloadRoot) Compact(ctx context.Context, obj *graph.ReplyToEmailPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *sendEmailPayloadRoot) Compact(ctx context.Context, obj *graph.SendEmailPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *subscriptionRoot) EmailReceived(ctx context.Context, after *string) (<-chan *projections.EmailArrival, error) {
	return r.all.emails.EmailArrivals(ctx, after)
}

func (r *unscheduleEmailPayloadRoot) Compact(ctx context.Context, obj *graph.UnscheduleEmailPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *Root) DiscardPreviewPayload() graph.DiscardPreviewPayloadResolver {
	return (*discardPreviewPayloadRoot)(r)
}

func (r *Root) EmailConnection() graph.EmailConnectionResolver { return (*emailConnectionRoot)(r) }

func (r *Root) EmailThread() graph.EmailThreadResolver { return (*emailThreadRoot)(r) }

func (r *Root) LabelEmailsPayload() graph.LabelEmailsPayloadResolver {
	return (*labelEmailsPayloadRoot)(r)
}

func (r *Root) MarkEmailsPayload() graph.MarkEmailsPayloadResolver {
	return (*markEmailsPayloadRoot)(r)
}

func (r *Root) PreviewEmailPayload() graph.PreviewEmailPayloadResolver {
	return (*previewEmailPayloadRoot)(r)
}

func (r *Root) PreviewReplyPayload() graph.PreviewReplyPayloadResolver {
	return (*previewReplyPayloadRoot)(r)
}

func (r *Root) ReplyToEmailPayload() graph.ReplyToEmailPayloadResolver {
	return (*replyToEmailPayloadRoot)(r)
}

func (r *Root) SendEmailPayload() graph.SendEmailPayloadResolver { return (*sendEmailPayloadRoot)(r) }

func (r *Root) UnscheduleEmailPayload() graph.UnscheduleEmailPayloadResolver {
	return (*unscheduleEmailPayloadRoot)(r)
}

type (
	discardPreviewPayloadRoot  Root
	emailConnectionRoot        Root
	emailThreadRoot            Root
	labelEmailsPayloadRoot     Root
	markEmailsPayloadRoot      Root
	previewEmailPayloadRoot    Root
	previewReplyPayloadRoot    Root
	replyToEmailPayloadRoot    Root
	sendEmailPayloadRoot       Root
	unscheduleEmailPayloadRoot Root
)
