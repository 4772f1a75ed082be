package projections

import "almanac/graph/model"

// RemotePage is a page of a remote list that does not count.
type RemotePage[T any] struct {
	Page[T]
	// Counted is the number of all; nil when there are too many to count, or nobody asked.
	Counted *int
	// End returns the cursor behind everything that was read for the page, also what was left out; nil where nothing is
	// left out. It leads on when the page is empty.
	End func() string
}

// PageInfo is where the page stands. A page that is empty while more follows has an end all the same.
func (p RemotePage[T]) PageInfo() model.PageInfo {
	info := p.Page.PageInfo()
	if p.End != nil && (p.HasNext || len(p.Items) > 0) {
		end := p.End()
		info.EndCursor = &end
	}
	return info
}

// TotalCount is the number of all, nil when it is not known.
func (p RemotePage[T]) TotalCount() *int { return p.Counted }

// IsEmpty reports whether there are none at all, as far as this page shows.
func (p RemotePage[T]) IsEmpty() bool { return len(p.Items) == 0 && !p.HasPrevious && !p.HasNext }

// Context is the response context of a listing.
func (p RemotePage[T]) Context() WebsetContext {
	return WebsetContext{IsListing: true, IsEmpty: p.IsEmpty()}
}

// WebsetContext is the response context of the seed, for websets.
type WebsetContext struct {
	answered
	IsListing, IsEmpty bool
}

// WebsetEdge is a webset in a page.
type WebsetEdge = Edge[Webset]

// WebsetItemEdge is an item in a page.
type WebsetItemEdge = Edge[WebsetItem]

// WebsetMonitorEdge is a monitor in a page.
type WebsetMonitorEdge = Edge[WebsetMonitor]

// WebsetMonitorRunEdge is a run in a page.
type WebsetMonitorRunEdge = Edge[WebsetMonitorRun]

// WebsetWebhookEdge is a webhook in a page.
type WebsetWebhookEdge = Edge[WebsetWebhook]

// WebsetWebhookAttemptEdge is a try in a page.
type WebsetWebhookAttemptEdge = Edge[WebsetWebhookAttempt]

// WebsetImportEdge is an import in a page.
type WebsetImportEdge = Edge[WebsetImport]

// WebsetEventEdge is an event in a page.
type WebsetEventEdge = Edge[WebsetEvent]

// ResearchEdge is a research in a page.
type ResearchEdge = Edge[Research]

// WebsetConnection is a page of websets.
type WebsetConnection struct{ RemotePage[Webset] }

// WebsetItemConnection is a page of items.
type WebsetItemConnection struct {
	RemotePage[WebsetItem]
	// Excluded were read for this page and left out.
	Excluded int
}

// Included is how many items of the page are given.
func (c *WebsetItemConnection) Included() int { return len(c.Items) }

// WebsetMonitorConnection is a page of monitors.
type WebsetMonitorConnection struct{ RemotePage[WebsetMonitor] }

// WebsetMonitorRunConnection is a page of runs.
type WebsetMonitorRunConnection struct{ RemotePage[WebsetMonitorRun] }

// WebsetWebhookConnection is a page of webhooks.
type WebsetWebhookConnection struct{ RemotePage[WebsetWebhook] }

// WebsetWebhookAttemptConnection is a page of tries.
type WebsetWebhookAttemptConnection struct {
	RemotePage[WebsetWebhookAttempt]
}

// WebsetImportConnection is a page of imports.
type WebsetImportConnection struct{ RemotePage[WebsetImport] }

// WebsetEventConnection is a page of events.
type WebsetEventConnection struct{ RemotePage[WebsetEvent] }

// ResearchConnection is a page of researches.
type ResearchConnection struct{ RemotePage[Research] }
