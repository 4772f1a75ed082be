package resolvers

import (
	"almanac/graph"
	"almanac/projections"
	"context"
)

func (r *createWebhookPayloadRoot) Compact(ctx context.Context, obj *graph.CreateWebhookPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteWebhookPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteWebhookPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *mutationRoot) CreateWebhook(ctx context.Context, input graph.CreateWebhookInput) (*graph.CreateWebhookPayload, error) {
	return r.all.channels.CreateWebhook(ctx, input)
}

func (r *mutationRoot) UpdateWebhook(ctx context.Context, input graph.UpdateWebhookInput) (*graph.UpdateWebhookPayload, error) {
	return r.all.channels.UpdateWebhook(ctx, input)
}

func (r *mutationRoot) DeleteWebhook(ctx context.Context, input graph.DeleteWebhookInput) (*graph.DeleteWebhookPayload, error) {
	return r.all.channels.DeleteWebhook(ctx, input)
}

func (r *mutationRoot) TestWebhook(ctx context.Context, input graph.TestWebhookInput) (*graph.TestWebhookPayload, error) {
	return r.all.channels.TestWebhook(ctx, input)
}

func (r *mutationRoot) RegisterPush(ctx context.Context, input graph.RegisterPushInput) (*graph.RegisterPushPayload, error) {
	return r.all.channels.RegisterPush(ctx, input)
}

func (r *mutationRoot) RemovePush(ctx context.Context, input graph.RemovePushInput) (*graph.RemovePushPayload, error) {
	return r.all.channels.RemovePush(ctx, input)
}

func (r *mutationRoot) TestPush(ctx context.Context, input graph.TestPushInput) (*graph.TestPushPayload, error) {
	return r.all.channels.TestPush(ctx, input)
}

func (r *queryRoot) Webhooks(ctx context.Context) ([]projections.Webhook, error) {
	return r.all.channels.Webhooks(ctx)
}

func (r *queryRoot) PushSubscriptions(ctx context.Context) ([]projections.PushSubscription, error) {
	return r.all.channels.PushSubscriptions(ctx)
}

func (r *queryRoot) PushKey(ctx context.Context) (*string, error) {
	return r.all.channels.PushKey(ctx)
}

func (r *registerPushPayloadRoot) Compact(ctx context.Context, obj *graph.RegisterPushPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *removePushPayloadRoot) Compact(ctx context.Context, obj *graph.RemovePushPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *testPushPayloadRoot) Compact(ctx context.Context, obj *graph.TestPushPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *testWebhookPayloadRoot) Compact(ctx context.Context, obj *graph.TestWebhookPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *updateWebhookPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateWebhookPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *Root) CreateWebhookPayload() graph.CreateWebhookPayloadResolver {
	return (*createWebhookPayloadRoot)(r)
}

func (r *Root) DeleteWebhookPayload() graph.DeleteWebhookPayloadResolver {
	return (*deleteWebhookPayloadRoot)(r)
}

func (r *Root) RegisterPushPayload() graph.RegisterPushPayloadResolver {
	return (*registerPushPayloadRoot)(r)
}

func (r *Root) RemovePushPayload() graph.RemovePushPayloadResolver {
	return (*removePushPayloadRoot)(r)
}

func (r *Root) TestPushPayload() graph.TestPushPayloadResolver { return (*testPushPayloadRoot)(r) }

func (r *Root) TestWebhookPayload() graph.TestWebhookPayloadResolver {
	return (*testWebhookPayloadRoot)(r)
}

func (r *Root) UpdateWebhookPayload() graph.UpdateWebhookPayloadResolver {
	return (*updateWebhookPayloadRoot)(r)
}

type (
	createWebhookPayloadRoot Root
	deleteWebhookPayloadRoot Root
	registerPushPayloadRoot  Root
	removePushPayloadRoot    Root
	testPushPayloadRoot      Root
	testWebhookPayloadRoot   Root
	updateWebhookPayloadRoot Root
)
