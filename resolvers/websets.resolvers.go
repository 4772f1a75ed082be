package resolvers

import (
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/websets"
	"context"
)

func (r *cancelWebsetEnrichmentPayloadRoot) Compact(ctx context.Context, obj *graph.CancelWebsetEnrichmentPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *cancelWebsetPayloadRoot) Compact(ctx context.Context, obj *graph.CancelWebsetPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *cancelWebsetSearchPayloadRoot) Compact(ctx context.Context, obj *graph.CancelWebsetSearchPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *createResearchPayloadRoot) Compact(ctx context.Context, obj *graph.CreateResearchPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *createWebsetEnrichmentPayloadRoot) Compact(ctx context.Context, obj *graph.CreateWebsetEnrichmentPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *createWebsetImportPayloadRoot) Compact(ctx context.Context, obj *projections.CreateWebsetImportPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *createWebsetMonitorPayloadRoot) Compact(ctx context.Context, obj *graph.CreateWebsetMonitorPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *createWebsetPayloadRoot) Compact(ctx context.Context, obj *graph.CreateWebsetPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *createWebsetSearchPayloadRoot) Compact(ctx context.Context, obj *graph.CreateWebsetSearchPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *createWebsetWebhookPayloadRoot) Compact(ctx context.Context, obj *graph.CreateWebsetWebhookPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteWebsetEnrichmentPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteWebsetEnrichmentPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteWebsetImportPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteWebsetImportPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteWebsetItemPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteWebsetItemPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteWebsetMonitorPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteWebsetMonitorPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteWebsetPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteWebsetPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *deleteWebsetWebhookPayloadRoot) Compact(ctx context.Context, obj *graph.DeleteWebsetWebhookPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *mutationRoot) ConnectExa(ctx context.Context, input graph.ConnectExaInput) (*graph.ConnectExaPayload, error) {
	return r.all.connectExa(ctx, input)
}

func (r *mutationRoot) CreateWebset(ctx context.Context, input graph.CreateWebsetInput) (*graph.CreateWebsetPayload, error) {
	return r.all.websets.CreateWebset(ctx, input)
}

func (r *mutationRoot) UpdateWebset(ctx context.Context, input graph.UpdateWebsetInput) (*graph.UpdateWebsetPayload, error) {
	return r.all.websets.UpdateWebset(ctx, input)
}

func (r *mutationRoot) CancelWebset(ctx context.Context, input graph.CancelWebsetInput) (*graph.CancelWebsetPayload, error) {
	return r.all.websets.CancelWebset(ctx, input)
}

func (r *mutationRoot) DeleteWebset(ctx context.Context, input graph.DeleteWebsetInput) (*graph.DeleteWebsetPayload, error) {
	return r.all.websets.DeleteWebset(ctx, input)
}

func (r *mutationRoot) PreviewWebset(ctx context.Context, input graph.PreviewWebsetInput) (*graph.PreviewWebsetPayload, error) {
	return r.all.websets.PreviewWebset(ctx, input)
}

func (r *mutationRoot) CreateWebsetSearch(ctx context.Context, input graph.CreateWebsetSearchInput) (*graph.CreateWebsetSearchPayload, error) {
	return r.all.websets.CreateWebsetSearch(ctx, input)
}

func (r *mutationRoot) CancelWebsetSearch(ctx context.Context, input graph.CancelWebsetSearchInput) (*graph.CancelWebsetSearchPayload, error) {
	return r.all.websets.CancelWebsetSearch(ctx, input)
}

func (r *mutationRoot) DeleteWebsetItem(ctx context.Context, input graph.DeleteWebsetItemInput) (*graph.DeleteWebsetItemPayload, error) {
	return r.all.websets.DeleteWebsetItem(ctx, input)
}

func (r *mutationRoot) CreateWebsetEnrichment(ctx context.Context, input graph.CreateWebsetEnrichmentInput) (*graph.CreateWebsetEnrichmentPayload, error) {
	return r.all.websets.CreateWebsetEnrichment(ctx, input)
}

func (r *mutationRoot) UpdateWebsetEnrichment(ctx context.Context, input graph.UpdateWebsetEnrichmentInput) (*graph.UpdateWebsetEnrichmentPayload, error) {
	return r.all.websets.UpdateWebsetEnrichment(ctx, input)
}

func (r *mutationRoot) CancelWebsetEnrichment(ctx context.Context, input graph.CancelWebsetEnrichmentInput) (*graph.CancelWebsetEnrichmentPayload, error) {
	return r.all.websets.CancelWebsetEnrichment(ctx, input)
}

func (r *mutationRoot) DeleteWebsetEnrichment(ctx context.Context, input graph.DeleteWebsetEnrichmentInput) (*graph.DeleteWebsetEnrichmentPayload, error) {
	return r.all.websets.DeleteWebsetEnrichment(ctx, input)
}

func (r *mutationRoot) CreateWebsetMonitor(ctx context.Context, input graph.CreateWebsetMonitorInput) (*graph.CreateWebsetMonitorPayload, error) {
	return r.all.websets.CreateWebsetMonitor(ctx, input)
}

func (r *mutationRoot) UpdateWebsetMonitor(ctx context.Context, input graph.UpdateWebsetMonitorInput) (*graph.UpdateWebsetMonitorPayload, error) {
	return r.all.websets.UpdateWebsetMonitor(ctx, input)
}

func (r *mutationRoot) DeleteWebsetMonitor(ctx context.Context, input graph.DeleteWebsetMonitorInput) (*graph.DeleteWebsetMonitorPayload, error) {
	return r.all.websets.DeleteWebsetMonitor(ctx, input)
}

func (r *mutationRoot) CreateWebsetWebhook(ctx context.Context, input graph.CreateWebsetWebhookInput) (*graph.CreateWebsetWebhookPayload, error) {
	return r.all.websets.CreateWebsetWebhook(ctx, input)
}

func (r *mutationRoot) UpdateWebsetWebhook(ctx context.Context, input graph.UpdateWebsetWebhookInput) (*graph.UpdateWebsetWebhookPayload, error) {
	return r.all.websets.UpdateWebsetWebhook(ctx, input)
}

func (r *mutationRoot) DeleteWebsetWebhook(ctx context.Context, input graph.DeleteWebsetWebhookInput) (*graph.DeleteWebsetWebhookPayload, error) {
	return r.all.websets.DeleteWebsetWebhook(ctx, input)
}

func (r *mutationRoot) CreateWebsetImport(ctx context.Context, input graph.CreateWebsetImportInput) (*projections.CreateWebsetImportPayload, error) {
	return r.all.websets.CreateWebsetImport(ctx, input)
}

func (r *mutationRoot) UpdateWebsetImport(ctx context.Context, input graph.UpdateWebsetImportInput) (*graph.UpdateWebsetImportPayload, error) {
	return r.all.websets.UpdateWebsetImport(ctx, input)
}

func (r *mutationRoot) DeleteWebsetImport(ctx context.Context, input graph.DeleteWebsetImportInput) (*graph.DeleteWebsetImportPayload, error) {
	return r.all.websets.DeleteWebsetImport(ctx, input)
}

func (r *mutationRoot) CreateResearch(ctx context.Context, input graph.CreateResearchInput) (*graph.CreateResearchPayload, error) {
	return r.all.websets.CreateResearch(ctx, input)
}

func (r *previewWebsetPayloadRoot) Compact(ctx context.Context, obj *graph.PreviewWebsetPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *queryRoot) Websets(ctx context.Context, first *int32, after *string) (*projections.WebsetConnection, error) {
	return r.all.websets.Websets(ctx, first, after)
}

func (r *queryRoot) Webset(ctx context.Context, id *string, externalID *string) (*projections.Webset, error) {
	return r.all.websets.Webset(ctx, id, externalID)
}

func (r *queryRoot) WebsetItems(ctx context.Context, websetID string, first *int32, after *string, sourceID *string, includeUnsatisfied bool) (*projections.WebsetItemConnection, error) {
	ref, err := websets.WebsetRef("websetId", websetID, model.KindWebset)
	if err != nil {
		return nil, err
	}
	return r.all.websets.WebsetItems(ctx, ref, "websetId",
		websets.ItemsAsked{First: first, After: after, Source: sourceID, Unsatisfied: includeUnsatisfied})
}

func (r *queryRoot) AllWebsetItems(ctx context.Context, websetID string, maxItems int32, sourceID *string, includeUnsatisfied bool) (*graph.WebsetItemSet, error) {
	return r.all.websets.AllWebsetItems(ctx, websetID, maxItems, sourceID, includeUnsatisfied)
}

func (r *queryRoot) WebsetItem(ctx context.Context, id string) (*projections.WebsetItem, error) {
	return websets.ReadExa(ctx, r.all.websets, id, model.KindWebsetItem,
		func(a websets.ExaAccount, ref model.WebsetRef) (model.WebsetItem, error) {
			return a.Item(ctx, ref.Within, ref.ID)
		}, projections.WebsetItemAt)
}

func (r *queryRoot) WebsetSearch(ctx context.Context, id string) (*projections.WebsetSearch, error) {
	return websets.ReadExa(ctx, r.all.websets, id, model.KindWebsetSearch,
		func(a websets.ExaAccount, ref model.WebsetRef) (model.WebsetSearch, error) {
			return a.Search(ctx, ref.Within, ref.ID)
		}, projections.WebsetSearchAt)
}

func (r *queryRoot) WebsetEnrichment(ctx context.Context, id string) (*projections.WebsetEnrichment, error) {
	return websets.ReadExa(ctx, r.all.websets, id, model.KindEnrichment,
		func(a websets.ExaAccount, ref model.WebsetRef) (model.WebsetEnrichment, error) {
			return a.Enrichment(ctx, ref.Within, ref.ID)
		}, projections.WebsetEnrichmentAt)
}

func (r *queryRoot) WebsetMonitors(ctx context.Context, websetID *string, first *int32, after *string) (*projections.WebsetMonitorConnection, error) {
	return r.all.websets.WebsetMonitors(ctx, websetID, first, after)
}

func (r *queryRoot) WebsetMonitor(ctx context.Context, id string) (*projections.WebsetMonitor, error) {
	return websets.ReadExa(ctx, r.all.websets, id, model.KindMonitor,
		func(a websets.ExaAccount, ref model.WebsetRef) (model.WebsetMonitor, error) {
			return a.Monitor(ctx, ref.ID)
		}, projections.WebsetMonitorAt)
}

func (r *queryRoot) WebsetMonitorRuns(ctx context.Context, monitorID string, first *int32, after *string) (*projections.WebsetMonitorRunConnection, error) {
	return r.all.websets.WebsetMonitorRuns(ctx, monitorID, first, after)
}

func (r *queryRoot) WebsetMonitorRun(ctx context.Context, id string) (*projections.WebsetMonitorRun, error) {
	return websets.ReadExa(ctx, r.all.websets, id, model.KindMonitorRun,
		func(a websets.ExaAccount, ref model.WebsetRef) (model.WebsetMonitorRun, error) {
			return a.Run(ctx, ref.Within, ref.ID)
		}, projections.WebsetMonitorRunAt)
}

func (r *queryRoot) WebsetWebhooks(ctx context.Context, first *int32, after *string) (*projections.WebsetWebhookConnection, error) {
	return r.all.websets.WebsetWebhooks(ctx, first, after)
}

func (r *queryRoot) WebsetWebhook(ctx context.Context, id string) (*projections.WebsetWebhook, error) {
	return r.all.websets.WebsetWebhook(ctx, id)
}

func (r *queryRoot) WebsetWebhookAttempts(ctx context.Context, webhookID string, eventType *string, successful *bool, first *int32, after *string) (*projections.WebsetWebhookAttemptConnection, error) {
	return r.all.websets.WebsetWebhookAttempts(ctx, webhookID, eventType, successful, first, after)
}

func (r *queryRoot) WebsetImports(ctx context.Context, first *int32, after *string) (*projections.WebsetImportConnection, error) {
	return r.all.websets.WebsetImports(ctx, first, after)
}

func (r *queryRoot) WebsetImport(ctx context.Context, id string) (*projections.WebsetImport, error) {
	return websets.ReadExa(ctx, r.all.websets, id, model.KindWebsetImport,
		func(a websets.ExaAccount, ref model.WebsetRef) (model.WebsetImport, error) {
			return a.Import(ctx, ref.ID)
		}, projections.WebsetImportAt)
}

func (r *queryRoot) WebsetEvents(ctx context.Context, filter *graph.WebsetEventFilter, first *int32, after *string) (*projections.WebsetEventConnection, error) {
	return r.all.websets.WebsetEvents(ctx, filter, first, after)
}

func (r *queryRoot) WebsetEvent(ctx context.Context, id string) (*projections.WebsetEvent, error) {
	return websets.ReadExa(ctx, r.all.websets, id, model.KindWebsetEvent,
		func(a websets.ExaAccount, ref model.WebsetRef) (model.WebsetEvent, error) {
			return a.Event(ctx, ref.ID)
		}, projections.WebsetEventAt)
}

func (r *queryRoot) Researches(ctx context.Context, first *int32, after *string) (*projections.ResearchConnection, error) {
	return r.all.websets.Researches(ctx, first, after)
}

func (r *queryRoot) Research(ctx context.Context, id string) (*projections.Research, error) {
	return websets.ReadExa(ctx, r.all.websets, id, model.KindResearch,
		func(a websets.ExaAccount, ref model.WebsetRef) (model.Research, error) {
			return a.Research(ctx, ref.ID)
		}, projections.ResearchAt)
}

func (r *queryRoot) WebSearch(ctx context.Context, query string, first int32, typeArg string, category *string, includeDomains []string, excludeDomains []string, publishedAfter *model.DateTimeInput, publishedBefore *model.DateTimeInput, maxCharacters int32) ([]projections.WebPage, error) {
	return r.all.websets.WebSearch(ctx, query, typeArg, category, publishedAfter, publishedBefore,
		websets.WebAsked{First: first, Characters: maxCharacters, Include: includeDomains, Exclude: excludeDomains})
}

func (r *queryRoot) WebSimilar(ctx context.Context, url string, first int32, includeDomains []string, excludeDomains []string, maxCharacters int32) ([]projections.WebPage, error) {
	return r.all.websets.WebSimilar(ctx, url, websets.WebAsked{First: first, Characters: maxCharacters,
		Include: includeDomains, Exclude: excludeDomains})
}

func (r *queryRoot) WebContents(ctx context.Context, urls []string, maxCharacters int32) ([]projections.WebPage, error) {
	return r.all.websets.WebContents(ctx, urls, maxCharacters)
}

func (r *queryRoot) WebAnswer(ctx context.Context, query string) (*graph.WebAnswer, error) {
	return r.all.websets.WebAnswer(ctx, query)
}

func (r *researchConnectionRoot) Compact(ctx context.Context, obj *projections.ResearchConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return websets.CompactExa(ctx, r.all.websets, options, compact.KindResearches, obj.RemotePage,
		projections.Research.Row)
}

func (r *subscriptionRoot) WebsetChanged(ctx context.Context, id *string, after *string) (<-chan *projections.WebsetChange, error) {
	return r.all.websets.WebsetChanges(ctx, id, after)
}

func (r *subscriptionRoot) WebsetUntil(ctx context.Context, id string, status string, timeoutSeconds int32) (<-chan *projections.WebsetWait, error) {
	return r.all.websets.WebsetUntil(ctx, id, status, timeoutSeconds)
}

func (r *subscriptionRoot) WebsetImportUntilCompleted(ctx context.Context, id string, timeoutSeconds int32) (<-chan *projections.WebsetImportWait, error) {
	return r.all.websets.WebsetImportUntil(ctx, id, timeoutSeconds)
}

func (r *subscriptionRoot) ResearchUntilFinished(ctx context.Context, id string, timeoutSeconds int32) (<-chan *projections.ResearchWait, error) {
	return r.all.websets.ResearchUntil(ctx, id, timeoutSeconds)
}

func (r *updateWebsetEnrichmentPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateWebsetEnrichmentPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *updateWebsetImportPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateWebsetImportPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *updateWebsetMonitorPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateWebsetMonitorPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *updateWebsetPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateWebsetPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *updateWebsetWebhookPayloadRoot) Compact(ctx context.Context, obj *graph.UpdateWebsetWebhookPayload, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.Compact(ctx, options, payloadText(ctx, obj))
}

func (r *websetRoot) Items(ctx context.Context, obj *projections.Webset, first *int32, after *string, sourceID *string, includeUnsatisfied bool) (*projections.WebsetItemConnection, error) {
	return r.all.websets.WebsetItems(ctx, obj.Record().Ref, "",
		websets.ItemsAsked{First: first, After: after, Source: sourceID, Unsatisfied: includeUnsatisfied})
}

func (r *websetConnectionRoot) Compact(ctx context.Context, obj *projections.WebsetConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return websets.CompactExa(ctx, r.all.websets, options, compact.KindWebsets, obj.RemotePage, projections.Webset.Row)
}

func (r *websetEventConnectionRoot) Compact(ctx context.Context, obj *projections.WebsetEventConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return websets.CompactExa(ctx, r.all.websets, options, compact.KindWebsetEvents, obj.RemotePage,
		projections.WebsetEvent.Row)
}

func (r *websetImportConnectionRoot) Compact(ctx context.Context, obj *projections.WebsetImportConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return websets.CompactExa(ctx, r.all.websets, options, compact.KindWebsetImports, obj.RemotePage,
		projections.WebsetImport.Row)
}

func (r *websetItemConnectionRoot) Compact(ctx context.Context, obj *projections.WebsetItemConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return websets.CompactExa(ctx, r.all.websets, options, compact.KindWebsetItems, obj.RemotePage,
		projections.WebsetItem.Row)
}

func (r *websetItemSetRoot) Compact(ctx context.Context, obj *graph.WebsetItemSet, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return r.all.websets.CompactItemSet(ctx, options, obj)
}

func (r *websetMonitorRoot) Runs(ctx context.Context, obj *projections.WebsetMonitor, first *int32, after *string) (*projections.WebsetMonitorRunConnection, error) {
	return r.all.websets.MonitorRuns(ctx, obj.Record().Ref, true, first, after)
}

func (r *websetMonitorConnectionRoot) Compact(ctx context.Context, obj *projections.WebsetMonitorConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return websets.CompactExa(ctx, r.all.websets, options, compact.KindWebsetMonitors, obj.RemotePage,
		projections.WebsetMonitor.Row)
}

func (r *websetMonitorRunConnectionRoot) Compact(ctx context.Context, obj *projections.WebsetMonitorRunConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return websets.CompactExa(ctx, r.all.websets, options, compact.KindWebsetRuns, obj.RemotePage,
		projections.WebsetMonitorRun.Row)
}

func (r *websetWebhookRoot) Attempts(ctx context.Context, obj *projections.WebsetWebhook, eventType *string, successful *bool, first *int32, after *string) (*projections.WebsetWebhookAttemptConnection, error) {
	return r.all.websets.WebhookAttempts(ctx, obj.Record().Ref, eventType, successful, first, after)
}

func (r *websetWebhookAttemptConnectionRoot) Compact(ctx context.Context, obj *projections.WebsetWebhookAttemptConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return websets.CompactExa(ctx, r.all.websets, options, compact.KindWebsetAttempts, obj.RemotePage,
		projections.WebsetWebhookAttempt.Row)
}

func (r *websetWebhookConnectionRoot) Compact(ctx context.Context, obj *projections.WebsetWebhookConnection, options *projections.CompactOptions) (*projections.FormatResult, error) {
	return websets.CompactExa(ctx, r.all.websets, options, compact.KindWebsetWebhooks, obj.RemotePage,
		projections.WebsetWebhook.Row)
}

func (r *Root) CancelWebsetEnrichmentPayload() graph.CancelWebsetEnrichmentPayloadResolver {
	return (*cancelWebsetEnrichmentPayloadRoot)(r)
}

func (r *Root) CancelWebsetPayload() graph.CancelWebsetPayloadResolver {
	return (*cancelWebsetPayloadRoot)(r)
}

func (r *Root) CancelWebsetSearchPayload() graph.CancelWebsetSearchPayloadResolver {
	return (*cancelWebsetSearchPayloadRoot)(r)
}

func (r *Root) CreateResearchPayload() graph.CreateResearchPayloadResolver {
	return (*createResearchPayloadRoot)(r)
}

func (r *Root) CreateWebsetEnrichmentPayload() graph.CreateWebsetEnrichmentPayloadResolver {
	return (*createWebsetEnrichmentPayloadRoot)(r)
}

func (r *Root) CreateWebsetImportPayload() graph.CreateWebsetImportPayloadResolver {
	return (*createWebsetImportPayloadRoot)(r)
}

func (r *Root) CreateWebsetMonitorPayload() graph.CreateWebsetMonitorPayloadResolver {
	return (*createWebsetMonitorPayloadRoot)(r)
}

func (r *Root) CreateWebsetPayload() graph.CreateWebsetPayloadResolver {
	return (*createWebsetPayloadRoot)(r)
}

func (r *Root) CreateWebsetSearchPayload() graph.CreateWebsetSearchPayloadResolver {
	return (*createWebsetSearchPayloadRoot)(r)
}

func (r *Root) CreateWebsetWebhookPayload() graph.CreateWebsetWebhookPayloadResolver {
	return (*createWebsetWebhookPayloadRoot)(r)
}

func (r *Root) DeleteWebsetEnrichmentPayload() graph.DeleteWebsetEnrichmentPayloadResolver {
	return (*deleteWebsetEnrichmentPayloadRoot)(r)
}

func (r *Root) DeleteWebsetImportPayload() graph.DeleteWebsetImportPayloadResolver {
	return (*deleteWebsetImportPayloadRoot)(r)
}

func (r *Root) DeleteWebsetItemPayload() graph.DeleteWebsetItemPayloadResolver {
	return (*deleteWebsetItemPayloadRoot)(r)
}

func (r *Root) DeleteWebsetMonitorPayload() graph.DeleteWebsetMonitorPayloadResolver {
	return (*deleteWebsetMonitorPayloadRoot)(r)
}

func (r *Root) DeleteWebsetPayload() graph.DeleteWebsetPayloadResolver {
	return (*deleteWebsetPayloadRoot)(r)
}

func (r *Root) DeleteWebsetWebhookPayload() graph.DeleteWebsetWebhookPayloadResolver {
	return (*deleteWebsetWebhookPayloadRoot)(r)
}

func (r *Root) PreviewWebsetPayload() graph.PreviewWebsetPayloadResolver {
	return (*previewWebsetPayloadRoot)(r)
}

func (r *Root) ResearchConnection() graph.ResearchConnectionResolver {
	return (*researchConnectionRoot)(r)
}

func (r *Root) UpdateWebsetEnrichmentPayload() graph.UpdateWebsetEnrichmentPayloadResolver {
	return (*updateWebsetEnrichmentPayloadRoot)(r)
}

func (r *Root) UpdateWebsetImportPayload() graph.UpdateWebsetImportPayloadResolver {
	return (*updateWebsetImportPayloadRoot)(r)
}

func (r *Root) UpdateWebsetMonitorPayload() graph.UpdateWebsetMonitorPayloadResolver {
	return (*updateWebsetMonitorPayloadRoot)(r)
}

func (r *Root) UpdateWebsetPayload() graph.UpdateWebsetPayloadResolver {
	return (*updateWebsetPayloadRoot)(r)
}

func (r *Root) UpdateWebsetWebhookPayload() graph.UpdateWebsetWebhookPayloadResolver {
	return (*updateWebsetWebhookPayloadRoot)(r)
}

func (r *Root) Webset() graph.WebsetResolver { return (*websetRoot)(r) }

func (r *Root) WebsetConnection() graph.WebsetConnectionResolver { return (*websetConnectionRoot)(r) }

func (r *Root) WebsetEventConnection() graph.WebsetEventConnectionResolver {
	return (*websetEventConnectionRoot)(r)
}

func (r *Root) WebsetImportConnection() graph.WebsetImportConnectionResolver {
	return (*websetImportConnectionRoot)(r)
}

func (r *Root) WebsetItemConnection() graph.WebsetItemConnectionResolver {
	return (*websetItemConnectionRoot)(r)
}

func (r *Root) WebsetItemSet() graph.WebsetItemSetResolver { return (*websetItemSetRoot)(r) }

func (r *Root) WebsetMonitor() graph.WebsetMonitorResolver { return (*websetMonitorRoot)(r) }

func (r *Root) WebsetMonitorConnection() graph.WebsetMonitorConnectionResolver {
	return (*websetMonitorConnectionRoot)(r)
}

func (r *Root) WebsetMonitorRunConnection() graph.WebsetMonitorRunConnectionResolver {
	return (*websetMonitorRunConnectionRoot)(r)
}

func (r *Root) WebsetWebhook() graph.WebsetWebhookResolver { return (*websetWebhookRoot)(r) }

func (r *Root) WebsetWebhookAttemptConnection() graph.WebsetWebhookAttemptConnectionResolver {
	return (*websetWebhookAttemptConnectionRoot)(r)
}

func (r *Root) WebsetWebhookConnection() graph.WebsetWebhookConnectionResolver {
	return (*websetWebhookConnectionRoot)(r)
}

type (
	cancelWebsetEnrichmentPayloadRoot  Root
	cancelWebsetPayloadRoot            Root
	cancelWebsetSearchPayloadRoot      Root
	createResearchPayloadRoot          Root
	createWebsetEnrichmentPayloadRoot  Root
	createWebsetImportPayloadRoot      Root
	createWebsetMonitorPayloadRoot     Root
	createWebsetPayloadRoot            Root
	createWebsetSearchPayloadRoot      Root
	createWebsetWebhookPayloadRoot     Root
	deleteWebsetEnrichmentPayloadRoot  Root
	deleteWebsetImportPayloadRoot      Root
	deleteWebsetItemPayloadRoot        Root
	deleteWebsetMonitorPayloadRoot     Root
	deleteWebsetPayloadRoot            Root
	deleteWebsetWebhookPayloadRoot     Root
	previewWebsetPayloadRoot           Root
	researchConnectionRoot             Root
	updateWebsetEnrichmentPayloadRoot  Root
	updateWebsetImportPayloadRoot      Root
	updateWebsetMonitorPayloadRoot     Root
	updateWebsetPayloadRoot            Root
	updateWebsetWebhookPayloadRoot     Root
	websetRoot                         Root
	websetConnectionRoot               Root
	websetEventConnectionRoot          Root
	websetImportConnectionRoot         Root
	websetItemConnectionRoot           Root
	websetItemSetRoot                  Root
	websetMonitorRoot                  Root
	websetMonitorConnectionRoot        Root
	websetMonitorRunConnectionRoot     Root
	websetWebhookRoot                  Root
	websetWebhookAttemptConnectionRoot Root
	websetWebhookConnectionRoot        Root
)
