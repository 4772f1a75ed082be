package websets

import (
	"context"
	"strconv"

	"almanac/adapters/exa"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// Webset answers webset(id, externalId).
func (r *Resolver) Webset(ctx context.Context, id, externalID *string) (*projections.Webset, error) {
	var name, field string
	var missing error
	switch {
	case (id == nil) == (externalID == nil):
		return nil, model.BadInput("id", "give id or externalId, and not both")
	case id != nil:
		ref, err := WebsetRef("id", *id, model.KindWebset)
		if err != nil {
			return nil, err
		}
		field, name, missing = "id", ref.ID, model.NotFound("id", "you have no webset %s", ref.PublicID())
	default:
		if !model.SoundWebsetID(*externalID) {
			return nil, model.BadInput("externalId", "%q cannot be an externalId", model.Clip(*externalID))
		}
		field, name, missing = "externalId", *externalID,
			model.NotFound("externalId", "you have no webset %q", model.Clip(*externalID))
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	record, err := account.Webset(ctx, name)
	switch {
	case model.CodeOf(err) == model.CodeNotFound:
		return nil, missing
	case err != nil:
		return nil, core.AtField(err, field)
	}
	view := projections.WebsetAt(record, v.Moment)
	return &view, nil
}

// ReadExa reads the record of an id and returns its view. NOT_FOUND when the viewer has none such.
func ReadExa[N, V any](
	ctx context.Context, r *Resolver, text string, kind model.Kind, ask func(ExaAccount, model.WebsetRef) (N, error),
	view func(N, *projections.Moment) V,
) (*V, error) {
	ref, err := WebsetRef("id", text, kind)
	if err != nil {
		return nil, err
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	record, err := ask(account, ref)
	if err != nil {
		return nil, noneOf(err, "id", ref)
	}
	seen := view(record, v.Moment)
	return &seen, nil
}

// Websets answers the query of that name.
func (r *Resolver) Websets(ctx context.Context, first *int32, after *string) (*projections.WebsetConnection, error) {
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	list := exaList[model.Webset]{purpose: "websets", most: exaOthers, fetch: account.Websets,
		key: func(w model.Webset) string { return w.Ref.ID }}
	page, _, err := exaPage(ctx, r, v, list, first, after, defaultWebsets,
		func(w model.Webset) projections.Webset { return projections.WebsetAt(w, v.Moment) })
	if err != nil {
		return nil, err
	}
	return &projections.WebsetConnection{RemotePage: page}, nil
}

// WebsetMonitors answers the query of that name.
func (r *Resolver) WebsetMonitors(ctx context.Context, webset *string, first *int32,
	after *string) (*projections.WebsetMonitorConnection, error) {
	var of model.WebsetRef
	if webset != nil {
		var err error
		if of, err = WebsetRef("websetId", *webset, model.KindWebset); err != nil {
			return nil, err
		}
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	list := exaList[model.WebsetMonitor]{
		purpose: "webset monitors " + strconv.Quote(of.ID), most: exaOthers,
		key: func(m model.WebsetMonitor) string { return m.Ref.ID },
		fetch: func(ctx context.Context, page exa.Page) (exa.List[model.WebsetMonitor], error) {
			return account.Monitors(ctx, of.ID, page)
		},
	}
	page, _, err := exaPage(ctx, r, v, list, first, after, defaultWebsets,
		func(m model.WebsetMonitor) projections.WebsetMonitor {
			return projections.WebsetMonitorAt(m, v.Moment)
		})
	if err != nil {
		return nil, noneOf(err, "websetId", of)
	}
	return &projections.WebsetMonitorConnection{RemotePage: page}, nil
}

// MonitorRuns answers websetMonitorRuns and WebsetMonitor.runs. Exa gives no runs of a monitor that is not there, so
// that is asked for too.
func (r *Resolver) MonitorRuns(ctx context.Context, ref model.WebsetRef, known bool, first *int32,
	after *string) (*projections.WebsetMonitorRunConnection, error) {
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	list := exaList[model.WebsetMonitorRun]{
		purpose: "webset monitor runs " + strconv.Quote(ref.ID), most: exaOthers,
		key: func(run model.WebsetMonitorRun) string { return run.Ref.ID },
		fetch: func(ctx context.Context, page exa.Page) (exa.List[model.WebsetMonitorRun], error) {
			return account.Runs(ctx, ref.ID, page)
		},
	}
	page, _, err := exaPage(ctx, r, v, list, first, after, defaultWebsets,
		func(run model.WebsetMonitorRun) projections.WebsetMonitorRun {
			return projections.WebsetMonitorRunAt(run, v.Moment)
		})
	if err == nil && !known && len(page.Items) == 0 {
		_, err = account.Monitor(ctx, ref.ID)
	}
	if err != nil {
		return nil, noneOf(err, "monitorId", ref)
	}
	return &projections.WebsetMonitorRunConnection{RemotePage: page}, nil
}

// WebsetMonitorRuns answers the query of that name.
func (r *Resolver) WebsetMonitorRuns(ctx context.Context, monitor string, first *int32,
	after *string) (*projections.WebsetMonitorRunConnection, error) {
	ref, err := WebsetRef("monitorId", monitor, model.KindMonitor)
	if err != nil {
		return nil, err
	}
	return r.MonitorRuns(ctx, ref, false, first, after)
}

// receivedHere returns Exa's ids of the viewer's webhooks that this server receives.
func (r *Resolver) receivedHere(ctx context.Context, v *core.Viewer) (map[string]bool, error) {
	hooks, err := r.Store.WebsetHooks(ctx, v.User)
	if err != nil {
		return nil, err
	}
	here := make(map[string]bool, len(hooks))
	for _, hook := range hooks {
		if hook.Receives && hook.Remote != "" {
			here[hook.Remote] = true
		}
	}
	return here, nil
}

// WebsetWebhooks answers the query of that name.
func (r *Resolver) WebsetWebhooks(ctx context.Context, first *int32,
	after *string) (*projections.WebsetWebhookConnection, error) {
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	here, err := r.receivedHere(ctx, v)
	if err != nil {
		return nil, err
	}
	list := exaList[model.WebsetWebhook]{purpose: "webset webhooks", most: exaOthers, fetch: account.Webhooks,
		key: func(w model.WebsetWebhook) string { return w.Ref.ID }}
	page, _, err := exaPage(ctx, r, v, list, first, after, defaultWebsets,
		func(w model.WebsetWebhook) projections.WebsetWebhook {
			return projections.WebsetWebhookAt(w, here[w.Ref.ID])
		})
	if err != nil {
		return nil, err
	}
	return &projections.WebsetWebhookConnection{RemotePage: page}, nil
}

// WebsetWebhook answers the query of that name.
func (r *Resolver) WebsetWebhook(ctx context.Context, text string) (*projections.WebsetWebhook, error) {
	ref, err := WebsetRef("id", text, model.KindWebhook)
	if err != nil {
		return nil, err
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	record, err := account.Webhook(ctx, ref.ID)
	if err != nil {
		return nil, noneOf(err, "id", ref)
	}
	here, err := r.receivedHere(ctx, v)
	if err != nil {
		return nil, err
	}
	view := projections.WebsetWebhookAt(record, here[ref.ID])
	return &view, nil
}

// WebhookAttempts answers websetWebhookAttempts and WebsetWebhook.attempts.
func (r *Resolver) WebhookAttempts(ctx context.Context, ref model.WebsetRef, eventType *string, successful *bool,
	first *int32, after *string) (*projections.WebsetWebhookAttemptConnection, error) {
	filter := exa.AttemptFilter{Successful: successful}
	asked := "any"
	if eventType != nil {
		if err := oneOfWords("eventType", *eventType, "type of event", model.WebsetEventTypes()); err != nil {
			return nil, err
		}
		filter.EventType = *eventType
	}
	if successful != nil {
		asked = strconv.FormatBool(*successful)
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	list := exaList[model.WebsetWebhookAttempt]{
		purpose: "webset webhook attempts " + strconv.Quote(ref.ID) + " " + filter.EventType + " " + asked, most: exaOthers,
		key: func(a model.WebsetWebhookAttempt) string { return a.Raw },
		fetch: func(ctx context.Context, page exa.Page) (exa.List[model.WebsetWebhookAttempt], error) {
			return account.Attempts(ctx, ref.ID, filter, page)
		},
	}
	page, _, err := exaPage(ctx, r, v, list, first, after, defaultWebsets,
		func(a model.WebsetWebhookAttempt) projections.WebsetWebhookAttempt {
			return projections.WebsetWebhookAttemptAt(a, v.Moment)
		})
	if err != nil {
		return nil, noneOf(err, "webhookId", ref)
	}
	return &projections.WebsetWebhookAttemptConnection{RemotePage: page}, nil
}

// WebsetWebhookAttempts answers the query of that name.
func (r *Resolver) WebsetWebhookAttempts(ctx context.Context, webhook string, eventType *string, successful *bool,
	first *int32, after *string) (*projections.WebsetWebhookAttemptConnection, error) {
	ref, err := WebsetRef("webhookId", webhook, model.KindWebhook)
	if err != nil {
		return nil, err
	}
	return r.WebhookAttempts(ctx, ref, eventType, successful, first, after)
}

// WebsetImports answers the query of that name.
func (r *Resolver) WebsetImports(ctx context.Context, first *int32,
	after *string) (*projections.WebsetImportConnection, error) {
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	list := exaList[model.WebsetImport]{purpose: "webset imports", most: exaOthers, fetch: account.Imports,
		key: func(i model.WebsetImport) string { return i.Ref.ID }}
	page, _, err := exaPage(ctx, r, v, list, first, after, defaultWebsets,
		func(i model.WebsetImport) projections.WebsetImport {
			return projections.WebsetImportAt(i, v.Moment)
		})
	if err != nil {
		return nil, err
	}
	return &projections.WebsetImportConnection{RemotePage: page}, nil
}

// WebsetEvents answers the query of that name.
func (r *Resolver) WebsetEvents(ctx context.Context, in *graph.WebsetEventFilter, first *int32,
	after *string) (*projections.WebsetEventConnection, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	filter, purpose, err := eventFilter(v, in)
	if err != nil {
		return nil, err
	}
	account, err := r.exaOf(ctx, v)
	if err != nil {
		return nil, err
	}
	list := exaList[model.WebsetEvent]{
		purpose: purpose, most: exaOthers, key: func(e model.WebsetEvent) string { return e.Ref.ID },
		fetch: func(ctx context.Context, page exa.Page) (exa.List[model.WebsetEvent], error) {
			return account.Events(ctx, filter, page)
		},
	}
	page, _, err := exaPage(ctx, r, v, list, first, after, defaultWebsets,
		func(e model.WebsetEvent) projections.WebsetEvent {
			return projections.WebsetEventAt(e, v.Moment)
		})
	if err != nil {
		return nil, err
	}
	return &projections.WebsetEventConnection{RemotePage: page}, nil
}

// eventFilter reads which events are meant, and returns what a cursor of the list is for.
func eventFilter(v *core.Viewer, in *graph.WebsetEventFilter) (filter exa.EventFilter, purpose string, err error) {
	purpose = "webset events"
	if in == nil {
		return filter, purpose, nil
	}
	if in.Types != nil {
		if filter.Types, err = eventTypes("filter.types", in.Types); err != nil {
			return filter, "", err
		}
	}
	if in.CreatedAfter != nil {
		filter.CreatedAfter = when.Resolve(*in.CreatedAfter, v.Zone)
	}
	if in.CreatedBefore != nil {
		filter.CreatedBefore = when.Resolve(*in.CreatedBefore, v.Zone)
		if filter.CreatedBefore.Before(filter.CreatedAfter) {
			return filter, "", model.BadInput("filter.createdBefore", "createdBefore must not be before createdAfter")
		}
	}
	for _, one := range filter.Types {
		purpose += " " + one
	}
	return filter, purpose + " " + strconv.FormatInt(filter.CreatedAfter.UnixMicro(), 10) + " " +
		strconv.FormatInt(filter.CreatedBefore.UnixMicro(), 10), nil
}

// Researches answers the query of that name.
func (r *Resolver) Researches(ctx context.Context, first *int32,
	after *string) (*projections.ResearchConnection, error) {
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	list := exaList[model.Research]{purpose: "researches", most: exaOthers, fetch: account.Researches,
		key: func(r model.Research) string { return r.Ref.ID }}
	page, _, err := exaPage(ctx, r, v, list, first, after, defaultWebsets,
		func(r model.Research) projections.Research { return projections.ResearchAt(r, v.Moment) })
	if err != nil {
		return nil, err
	}
	return &projections.ResearchConnection{RemotePage: page}, nil
}
