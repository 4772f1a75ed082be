package websets

import (
	"context"

	"almanac/adapters/exa"
	"almanac/graph/model"
)

// What the resolvers ask of Exa. Every id is the remote's own. Errors are *model.Error; what is not there, or not the
// user's, is NOT_FOUND.

// Exa opens accounts.
type Exa interface {
	// For returns the account that serves a user: that of the user's own key, or the server's. NOT_CONFIGURED when there
	// is neither.
	For(ctx context.Context, user model.UserID) (ExaAccount, error)
	// Connect tries a key out and keeps it, sealed, in place of the user's earlier one. BAD_USER_INPUT for one that Exa
	// refuses.
	Connect(ctx context.Context, user model.UserID, key string) (model.Connection, error)
	// Disconnect erases a user's key.
	Disconnect(ctx context.Context, connection model.Connection) error
	// Status is how Exa serves users who have linked no key of their own: CONNECTED by the server's key (standIn: by the
	// stand-in), or NOT_CONNECTED.
	Status() (status model.ConnectionStatus, standIn bool)
}

// ExaAccount is what one user may see and do of an account.
type ExaAccount interface {
	Websets
	WebsetItems
	WebsetSearches
	WebsetEnrichments
	WebsetMonitors
	WebsetRuns
	WebsetWebhooks
	WebsetImports
	WebsetEvents
	Researcher
	Web
}

// Websets keeps websets.
type Websets interface {
	// CreateWebset makes one. CONFLICT when the externalId is taken; a lost answer of a webset with an externalId is found
	// again by it.
	CreateWebset(ctx context.Context, webset exa.NewWebset) (model.Webset, error)
	Websets(ctx context.Context, page exa.Page) (exa.List[model.Webset], error)
	Webset(ctx context.Context, webset string) (model.Webset, error)
	// UpdateWebset replaces the metadata; an empty one clears it.
	UpdateWebset(ctx context.Context, webset string, metadata model.JSON) (model.Webset, error)
	CancelWebset(ctx context.Context, webset string) (model.Webset, error)
	DeleteWebset(ctx context.Context, webset string) (model.Webset, error)
	// PreviewWebset tells what a query would be understood as, and with items a few that it would find.
	PreviewWebset(ctx context.Context, search exa.Search, items bool) (exa.Preview, error)
}

// WebsetItems keeps items.
type WebsetItems interface {
	// Items lists all items, satisfied or not. source is the remote's id of the search or import that they came by; empty
	// for all.
	Items(ctx context.Context, webset, source string, page exa.Page) (exa.List[model.WebsetItem], error)
	Item(ctx context.Context, webset, item string) (model.WebsetItem, error)
	DeleteItem(ctx context.Context, webset, item string) (model.WebsetItem, error)
}

// WebsetSearches searches.
type WebsetSearches interface {
	CreateSearch(ctx context.Context, webset string, search exa.Search) (model.WebsetSearch, error)
	Search(ctx context.Context, webset, search string) (model.WebsetSearch, error)
	CancelSearch(ctx context.Context, webset, search string) (model.WebsetSearch, error)
}

// WebsetEnrichments enriches.
type WebsetEnrichments interface {
	CreateEnrichment(ctx context.Context, webset string, enrichment exa.Enrichment) (model.WebsetEnrichment, error)
	Enrichment(ctx context.Context, webset, enrichment string) (model.WebsetEnrichment, error)
	// UpdateEnrichment changes it; the remote answers nothing, so it is read afterwards.
	UpdateEnrichment(ctx context.Context, webset, enrichment string, patch exa.EnrichmentPatch) (model.WebsetEnrichment,
		error)
	CancelEnrichment(ctx context.Context, webset, enrichment string) (model.WebsetEnrichment, error)
	DeleteEnrichment(ctx context.Context, webset, enrichment string) (model.WebsetEnrichment, error)
}

// WebsetMonitors keeps monitors. webset may be empty for all.
type WebsetMonitors interface {
	CreateMonitor(ctx context.Context, monitor exa.Monitor) (model.WebsetMonitor, error)
	Monitors(ctx context.Context, webset string, page exa.Page) (exa.List[model.WebsetMonitor], error)
	Monitor(ctx context.Context, monitor string) (model.WebsetMonitor, error)
	UpdateMonitor(ctx context.Context, monitor string, patch exa.MonitorPatch) (model.WebsetMonitor, error)
	DeleteMonitor(ctx context.Context, monitor string) (model.WebsetMonitor, error)
}

// WebsetRuns reads runs of monitors.
type WebsetRuns interface {
	Runs(ctx context.Context, monitor string, page exa.Page) (exa.List[model.WebsetMonitorRun], error)
	Run(ctx context.Context, monitor, run string) (model.WebsetMonitorRun, error)
}

// WebsetWebhooks keeps webhooks.
type WebsetWebhooks interface {
	// CreateWebhook makes one; the answer holds its secret.
	CreateWebhook(ctx context.Context, webhook exa.Webhook) (model.WebsetWebhook, error)
	Webhooks(ctx context.Context, page exa.Page) (exa.List[model.WebsetWebhook], error)
	Webhook(ctx context.Context, webhook string) (model.WebsetWebhook, error)
	UpdateWebhook(ctx context.Context, webhook string, patch exa.WebhookPatch) (model.WebsetWebhook, error)
	DeleteWebhook(ctx context.Context, webhook string) (model.WebsetWebhook, error)
	// Attempts lists tries, the newest first.
	Attempts(ctx context.Context, webhook string, filter exa.AttemptFilter,
		page exa.Page) (exa.List[model.WebsetWebhookAttempt], error)
}

// WebsetImports keeps imports.
type WebsetImports interface {
	CreateImport(ctx context.Context, in exa.Import) (model.WebsetImport, error)
	Imports(ctx context.Context, page exa.Page) (exa.List[model.WebsetImport], error)
	Import(ctx context.Context, id string) (model.WebsetImport, error)
	UpdateImport(ctx context.Context, id string, patch exa.ImportPatch) (model.WebsetImport, error)
	DeleteImport(ctx context.Context, id string) (model.WebsetImport, error)
	// Upload puts the file where the answer to the creation said. It is the one request that does not go to Exa's own host
	// and carries no key.
	Upload(ctx context.Context, upload exa.Upload) error
}

// WebsetEvents reads what has happened, in the order of the remote.
type WebsetEvents interface {
	Events(ctx context.Context, filter exa.EventFilter, page exa.Page) (exa.List[model.WebsetEvent], error)
	Event(ctx context.Context, event string) (model.WebsetEvent, error)
}

// Researcher looks into questions. The remote's first of this shape was retired on 2026-05-01 (HTTP 410), which is
// UPSTREAM_REJECTED with its reason.
type Researcher interface {
	CreateResearch(ctx context.Context, question exa.Question) (model.Research, error)
	Researches(ctx context.Context, page exa.Page) (exa.List[model.Research], error)
	Research(ctx context.Context, research string) (model.Research, error)
}

// Web searches the web.
type Web interface {
	SearchWeb(ctx context.Context, search exa.WebSearch) ([]exa.WebPage, error)
	FindSimilar(ctx context.Context, search exa.WebSearch) ([]exa.WebPage, error)
	// Contents reads pages by address, at most 100, in the order asked for.
	Contents(ctx context.Context, urls []string, maxCharacters int) ([]exa.WebPage, error)
	Answer(ctx context.Context, query string) (exa.WebAnswer, error)
}
