package projections

import (
	"time"

	"almanac/graph/model"
)

// The projections of Exa's records: what helps to decide, and nothing else (see ADR-002 of the seed). A few things
// stand beside the kept fields: the ids, and what leads on.

// Webset is a webset as seen at a moment.
type Webset struct{ websetNode[model.Webset] }

// WebsetAt returns the view of a webset.
func WebsetAt(record model.Webset, at *Moment) Webset {
	return Webset{websetNodeAt(record, record.Ref, at)}
}

// ExternalID is the caller's own name of it, nil for none.
func (w Webset) ExternalID() *string { return optional(w.record.ExternalID) }

// Status is the remote's word for how it is.
func (w Webset) Status() string { return w.record.Status }

// Title is nil as long as the remote has made none.
func (w Webset) Title() *string { return optional(w.record.Title) }

// EntityType is that of its first search, nil without one.
func (w Webset) EntityType() *string { return optional(w.record.EntityType) }

// Metadata is what the caller has noted, nil for nothing.
func (w Webset) Metadata() *model.JSON { return metadataOf(w.record.Metadata) }

// Searches are its searches; never nil.
func (w Webset) Searches() []WebsetSearch {
	return viewsOf(w.record.Searches, w.at, WebsetSearchAt)
}

// Enrichments are what is found out of its items; never nil.
func (w Webset) Enrichments() []WebsetEnrichment {
	return viewsOf(w.record.Enrichments, w.at, WebsetEnrichmentAt)
}

// Monitors look for more; never nil.
func (w Webset) Monitors() []WebsetMonitor {
	return viewsOf(w.record.Monitors, w.at, WebsetMonitorAt)
}

// Imports were brought into it; never nil.
func (w Webset) Imports() []WebsetImport {
	return viewsOf(w.record.Imports, w.at, WebsetImportAt)
}

// Raw is the remote's JSON, nil where it is not at hand.
func (w Webset) Raw() *string { return optional(w.record.Raw) }

// metadataOf is nil for an object with nothing in it.
func metadataOf(metadata model.JSON) *model.JSON {
	if metadata == "" || metadata == "{}" || metadata == "null" {
		return nil
	}
	return &metadata
}

// WebsetSearch is a search as seen at a moment.
type WebsetSearch struct{ websetNode[model.WebsetSearch] }

// WebsetSearchAt returns the view of a search.
func WebsetSearchAt(record model.WebsetSearch, at *Moment) WebsetSearch {
	return WebsetSearch{websetNodeAt(record, record.Ref, at)}
}

// Status is the remote's word for how it is.
func (s WebsetSearch) Status() string { return s.record.Status }

// Query is what it looks for.
func (s WebsetSearch) Query() string { return s.record.Query }

// Metadata is what the caller has noted, nil for nothing.
func (s WebsetSearch) Metadata() *model.JSON { return metadataOf(s.record.Metadata) }

// Progress is how far it is, nil when the remote does not tell.
func (s WebsetSearch) Progress() *model.WebsetProgress { return s.record.Progress }

// Criteria are what items are judged by; never nil.
func (s WebsetSearch) Criteria() []model.WebsetCriterion {
	return present(s.record.Criteria)
}

// WebsetEnrichment is an enrichment as seen at a moment.
type WebsetEnrichment struct {
	websetNode[model.WebsetEnrichment]
}

// WebsetEnrichmentAt returns the view of an enrichment.
func WebsetEnrichmentAt(record model.WebsetEnrichment, at *Moment) WebsetEnrichment {
	return WebsetEnrichment{websetNodeAt(record, record.Ref, at)}
}

// Status is the remote's word for how it is.
func (e WebsetEnrichment) Status() string { return e.record.Status }

// Description is what is found out.
func (e WebsetEnrichment) Description() string { return e.record.Description }

// Format is nil as long as the remote has not chosen one.
func (e WebsetEnrichment) Format() *string { return optional(e.record.Format) }

// Metadata is what the caller has noted, nil for nothing.
func (e WebsetEnrichment) Metadata() *model.JSON { return metadataOf(e.record.Metadata) }

// WebsetItem is an item as seen at a moment.
type WebsetItem struct{ websetNode[model.WebsetItem] }

// WebsetItemAt returns the view of an item.
func WebsetItemAt(record model.WebsetItem, at *Moment) WebsetItem {
	return WebsetItem{websetNodeAt(record, record.Ref, at)}
}

// Name is model.UnknownWebsetText when it has none.
func (i WebsetItem) Name() string { return i.record.Name }

// URL is empty when it has none.
func (i WebsetItem) URL() string { return i.record.URL }

// EntityType is model.UnknownWebsetText when the remote does not tell.
func (i WebsetItem) EntityType() string { return i.record.EntityType }

// Description is empty when the remote does not tell.
func (i WebsetItem) Description() string { return i.record.Description }

// Evaluations are nil when it was not judged.
func (i WebsetItem) Evaluations() []model.WebsetEvaluation { return i.record.Evaluations }

// Enrichments are nil when nothing was asked of it yet.
func (i WebsetItem) Enrichments() []WebsetItemEnrichment {
	results := make([]WebsetItemEnrichment, len(i.record.Enrichments))
	for n, r := range i.record.Enrichments {
		results[n] = WebsetItemEnrichment{Description: optional(r.Description), Format: optional(r.Format), Result: r.Result}
	}
	return results
}

// Raw is the remote's JSON.
func (i WebsetItem) Raw() string { return i.record.Raw }

// WebsetItemEnrichment is what an enrichment has found out of an item.
type WebsetItemEnrichment struct {
	Description, Format *string
	// Result is nil as long as nothing was found.
	Result []string
}

// WebsetMonitor is a monitor as seen at a moment.
type WebsetMonitor struct {
	websetNode[model.WebsetMonitor]
}

// WebsetMonitorAt returns the view of a monitor.
func WebsetMonitorAt(record model.WebsetMonitor, at *Moment) WebsetMonitor {
	return WebsetMonitor{websetNodeAt(record, record.Ref, at)}
}

// Status is the remote's word for how it is.
func (m WebsetMonitor) Status() string { return m.record.Status }

// NextRunAt is when it looks next, nil when it does not.
func (m WebsetMonitor) NextRunAt() model.OptionalDateTime {
	return m.at.OptionalDateTime(m.record.NextRunAt)
}

// Metadata is what the caller has noted, nil for nothing.
func (m WebsetMonitor) Metadata() *model.JSON { return metadataOf(m.record.Metadata) }

// LastRun is nil when it has not looked yet.
func (m WebsetMonitor) LastRun() *WebsetMonitorRun {
	if m.record.LastRun == nil {
		return nil
	}
	run := WebsetMonitorRunAt(*m.record.LastRun, m.at)
	return &run
}

// WebsetMonitorRun is a run as seen at a moment.
type WebsetMonitorRun struct {
	websetNode[model.WebsetMonitorRun]
}

// WebsetMonitorRunAt returns the view of a run.
func WebsetMonitorRunAt(record model.WebsetMonitorRun, at *Moment) WebsetMonitorRun {
	return WebsetMonitorRun{websetNodeAt(record, record.Ref, at)}
}

// Status is the remote's word for how it is.
func (r WebsetMonitorRun) Status() string { return r.record.Status }

// Type is nil when the remote does not tell.
func (r WebsetMonitorRun) Type() string { return r.record.Type }

// CompletedAt is nil when it is not done.
func (r WebsetMonitorRun) CompletedAt() model.OptionalDateTime {
	return r.at.OptionalDateTime(r.record.CompletedAt)
}

// FailedReason is nil when it has not failed.
func (r WebsetMonitorRun) FailedReason() *string { return optional(r.record.FailedReason) }

// WebsetWebhook is a webhook as seen at a moment. Its secret is not part of it.
type WebsetWebhook struct {
	websetNode[model.WebsetWebhook]
	received bool
}

// WebsetWebhookAt returns the view of a webhook; received reports whether this server is told.
func WebsetWebhookAt(record model.WebsetWebhook, received bool) WebsetWebhook {
	record.Secret = ""
	return WebsetWebhook{websetNodeAt(record, record.Ref, nil), received}
}

// Status is the remote's word for how it is.
func (w WebsetWebhook) Status() string { return w.record.Status }

// URL is where events are sent to.
func (w WebsetWebhook) URL() string { return w.record.URL }

// Events are the types that it is told of; never nil.
func (w WebsetWebhook) Events() []string { return present(w.record.Events) }

// Metadata is what the caller has noted, nil for nothing.
func (w WebsetWebhook) Metadata() *model.JSON { return metadataOf(w.record.Metadata) }

// ReceivedHere reports whether this server is told.
func (w WebsetWebhook) ReceivedHere() bool { return w.received }

// WebsetWebhookAttempt is a try as seen at a moment.
type WebsetWebhookAttempt struct {
	view[model.WebsetWebhookAttempt]
}

// WebsetWebhookAttemptAt returns the view of a try.
func WebsetWebhookAttemptAt(record model.WebsetWebhookAttempt, at *Moment) WebsetWebhookAttempt {
	return WebsetWebhookAttempt{view[model.WebsetWebhookAttempt]{record, at}}
}

// EventType is what it was about.
func (a WebsetWebhookAttempt) EventType() string { return a.record.EventType }

// Successful reports whether it was taken.
func (a WebsetWebhookAttempt) Successful() bool { return a.record.Successful }

// ResponseStatusCode is nil when there was no answer.
func (a WebsetWebhookAttempt) ResponseStatusCode() *int {
	if a.record.ResponseStatusCode == 0 {
		return nil
	}
	return &a.record.ResponseStatusCode
}

// AttemptedAt is when it was tried.
func (a WebsetWebhookAttempt) AttemptedAt() model.DateTime {
	return a.at.DateTime(a.record.AttemptedAt)
}

// WebsetImport is an import as seen at a moment. Where to upload it is not part of it.
type WebsetImport struct{ websetNode[model.WebsetImport] }

// WebsetImportAt returns the view of an import.
func WebsetImportAt(record model.WebsetImport, at *Moment) WebsetImport {
	record.UploadURL, record.UploadValidUntil = "", time.Time{}
	return WebsetImport{websetNodeAt(record, record.Ref, at)}
}

// Status is the remote's word for how it is.
func (i WebsetImport) Status() string { return i.record.Status }

// Count is nil when the remote does not tell.
func (i WebsetImport) Count() *int { return i.record.Count }

// Title is nil when it has none.
func (i WebsetImport) Title() *string { return optional(i.record.Title) }

// Metadata is what the caller has noted, nil for nothing.
func (i WebsetImport) Metadata() *model.JSON { return metadataOf(i.record.Metadata) }

// FailedReason is nil when it has not failed.
func (i WebsetImport) FailedReason() *string { return optional(i.record.FailedReason) }

// WebsetEvent is an event of Exa as seen at a moment.
type WebsetEvent struct{ websetNode[model.WebsetEvent] }

// WebsetEventAt returns the view of an event.
func WebsetEventAt(record model.WebsetEvent, at *Moment) WebsetEvent {
	return WebsetEvent{websetNodeAt(record, record.Ref, at)}
}

// Type is what has happened.
func (e WebsetEvent) Type() string { return e.record.Type }

// CreatedAt is when.
func (e WebsetEvent) CreatedAt() model.DateTime { return e.at.DateTime(e.record.CreatedAt) }

// Raw is the remote's JSON.
func (e WebsetEvent) Raw() string { return e.record.Raw }

// Research is a research as seen at a moment.
type Research struct{ websetNode[model.Research] }

// ResearchAt returns the view of a research.
func ResearchAt(record model.Research, at *Moment) Research {
	return Research{websetNodeAt(record, record.Ref, at)}
}

// ResearchID is the remote's own id.
func (r Research) ResearchID() string { return r.record.Ref.ID }

// Status is the remote's word for how it is.
func (r Research) Status() string { return r.record.Status }

// Model is nil when the remote does not tell.
func (r Research) Model() *string { return optional(r.record.Model) }

// Output is there when it is completed, nil before.
func (r Research) Output() *model.JSON { return metadataOf(r.record.Output) }

// Cost is in US dollars, nil when the remote does not tell.
func (r Research) Cost() *float64 { return r.record.Cost }

// FailedReason is nil when it has not failed.
func (r Research) FailedReason() *string { return optional(r.record.Problem) }
