package projections

import (
	"time"

	"almanac/graph/model"
)

// The projections of Exa's nouns: what helps to decide, and nothing else (see ADR-002 of the seed). A few things stand
// beside the kept fields: the ids, and what leads on.

// Webset is a webset as seen at a moment.
type Webset struct {
	noun model.Webset
	at   *Moment
}

// WebsetAt gives the view of a webset.
func WebsetAt(noun model.Webset, at *Moment) Webset { return Webset{noun: noun, at: at} }

// IsNode marks a webset as a Node.
func (Webset) IsNode() {}

// Noun is the webset itself.
func (w Webset) Noun() model.Webset { return w.noun }

// ID is the public id.
func (w Webset) ID() model.ID { return w.noun.Ref.PublicID() }

// SourceID is the remote's own id.
func (w Webset) SourceID() string { return w.noun.Ref.ID }

// ExternalID is the caller's own name of it, nil for none.
func (w Webset) ExternalID() *string { return optional(w.noun.ExternalID) }

// Status is the remote's word for how it is.
func (w Webset) Status() string { return w.noun.Status }

// Title is nil as long as the remote has made none.
func (w Webset) Title() *string { return optional(w.noun.Title) }

// EntityType is that of its first search, nil without one.
func (w Webset) EntityType() *string { return optional(w.noun.EntityType) }

// Metadata is what the caller has noted, nil for nothing.
func (w Webset) Metadata() *model.JSON { return metadataOf(w.noun.Metadata) }

// Searches are its searches; never nil.
func (w Webset) Searches() []WebsetSearch {
	return viewsOf(w.noun.Searches, w.at, WebsetSearchAt)
}

// Enrichments are what is found out of its items; never nil.
func (w Webset) Enrichments() []WebsetEnrichment {
	return viewsOf(w.noun.Enrichments, w.at, WebsetEnrichmentAt)
}

// Monitors look for more; never nil.
func (w Webset) Monitors() []WebsetMonitor {
	return viewsOf(w.noun.Monitors, w.at, WebsetMonitorAt)
}

// Imports were brought into it; never nil.
func (w Webset) Imports() []WebsetImport {
	return viewsOf(w.noun.Imports, w.at, WebsetImportAt)
}

// Raw is the remote's JSON, nil where it is not at hand.
func (w Webset) Raw() *string { return optional(w.noun.Raw) }

// viewsOf gives the views of nouns; never nil.
func viewsOf[N, V any](nouns []N, at *Moment, view func(N, *Moment) V) []V {
	views := make([]V, len(nouns))
	for i := range nouns {
		views[i] = view(nouns[i], at)
	}
	return views
}

// metadataOf is nil for an object with nothing in it.
func metadataOf(metadata model.JSON) *model.JSON {
	if metadata == "" || metadata == "{}" || metadata == "null" {
		return nil
	}
	return &metadata
}

// WebsetSearch is a search as seen at a moment.
type WebsetSearch struct{ noun model.WebsetSearch }

// WebsetSearchAt gives the view of a search.
func WebsetSearchAt(noun model.WebsetSearch, _ *Moment) WebsetSearch { return WebsetSearch{noun: noun} }

// IsNode marks a search as a Node.
func (WebsetSearch) IsNode() {}

// Noun is the search itself.
func (s WebsetSearch) Noun() model.WebsetSearch { return s.noun }

// ID is the public id.
func (s WebsetSearch) ID() model.ID { return s.noun.Ref.PublicID() }

// SourceID is the remote's own id.
func (s WebsetSearch) SourceID() string { return s.noun.Ref.ID }

// Status is the remote's word for how it is.
func (s WebsetSearch) Status() string { return s.noun.Status }

// Query is what it looks for.
func (s WebsetSearch) Query() string { return s.noun.Query }

// Metadata is what the caller has noted, nil for nothing.
func (s WebsetSearch) Metadata() *model.JSON { return metadataOf(s.noun.Metadata) }

// Progress is how far it is, nil when the remote does not tell.
func (s WebsetSearch) Progress() *model.WebsetProgress { return s.noun.Progress }

// Criteria are what items are judged by; never nil.
func (s WebsetSearch) Criteria() []model.WebsetCriterion {
	if s.noun.Criteria == nil {
		return []model.WebsetCriterion{}
	}
	return s.noun.Criteria
}

// WebsetEnrichment is an enrichment as seen at a moment.
type WebsetEnrichment struct{ noun model.WebsetEnrichment }

// WebsetEnrichmentAt gives the view of an enrichment.
func WebsetEnrichmentAt(noun model.WebsetEnrichment, _ *Moment) WebsetEnrichment {
	return WebsetEnrichment{noun: noun}
}

// IsNode marks an enrichment as a Node.
func (WebsetEnrichment) IsNode() {}

// Noun is the enrichment itself.
func (e WebsetEnrichment) Noun() model.WebsetEnrichment { return e.noun }

// ID is the public id.
func (e WebsetEnrichment) ID() model.ID { return e.noun.Ref.PublicID() }

// SourceID is the remote's own id.
func (e WebsetEnrichment) SourceID() string { return e.noun.Ref.ID }

// Status is the remote's word for how it is.
func (e WebsetEnrichment) Status() string { return e.noun.Status }

// Description is what is found out.
func (e WebsetEnrichment) Description() string { return e.noun.Description }

// Format is nil as long as the remote has not chosen one.
func (e WebsetEnrichment) Format() *string { return optional(e.noun.Format) }

// Metadata is what the caller has noted, nil for nothing.
func (e WebsetEnrichment) Metadata() *model.JSON { return metadataOf(e.noun.Metadata) }

// WebsetItem is an item as seen at a moment.
type WebsetItem struct{ noun model.WebsetItem }

// WebsetItemAt gives the view of an item.
func WebsetItemAt(noun model.WebsetItem, _ *Moment) WebsetItem { return WebsetItem{noun: noun} }

// IsNode marks an item as a Node.
func (WebsetItem) IsNode() {}

// Noun is the item itself.
func (i WebsetItem) Noun() model.WebsetItem { return i.noun }

// ID is the public id.
func (i WebsetItem) ID() model.ID { return i.noun.Ref.PublicID() }

// SourceID is the remote's own id.
func (i WebsetItem) SourceID() string { return i.noun.Ref.ID }

// Name is model.UnknownWebsetText when it has none.
func (i WebsetItem) Name() string { return i.noun.Name }

// URL is empty when it has none.
func (i WebsetItem) URL() string { return i.noun.URL }

// EntityType is model.UnknownWebsetText when the remote does not tell.
func (i WebsetItem) EntityType() string { return i.noun.EntityType }

// Description is empty when the remote does not tell.
func (i WebsetItem) Description() string { return i.noun.Description }

// Evaluations are nil when it was not judged.
func (i WebsetItem) Evaluations() []model.WebsetEvaluation { return i.noun.Evaluations }

// Enrichments are nil when nothing was asked of it yet.
func (i WebsetItem) Enrichments() []WebsetItemEnrichment {
	if i.noun.Enrichments == nil {
		return nil
	}
	results := make([]WebsetItemEnrichment, len(i.noun.Enrichments))
	for n, r := range i.noun.Enrichments {
		results[n] = WebsetItemEnrichment{Description: optional(r.Description), Format: optional(r.Format), Result: r.Result}
	}
	return results
}

// Raw is the remote's JSON.
func (i WebsetItem) Raw() string { return i.noun.Raw }

// WebsetItemEnrichment is what an enrichment has found out of an item.
type WebsetItemEnrichment struct {
	Description, Format *string
	// Result is nil as long as nothing was found.
	Result []string
}

// WebsetMonitor is a monitor as seen at a moment.
type WebsetMonitor struct {
	noun model.WebsetMonitor
	at   *Moment
}

// WebsetMonitorAt gives the view of a monitor.
func WebsetMonitorAt(noun model.WebsetMonitor, at *Moment) WebsetMonitor {
	return WebsetMonitor{noun: noun, at: at}
}

// IsNode marks a monitor as a Node.
func (WebsetMonitor) IsNode() {}

// Noun is the monitor itself.
func (m WebsetMonitor) Noun() model.WebsetMonitor { return m.noun }

// ID is the public id.
func (m WebsetMonitor) ID() model.ID { return m.noun.Ref.PublicID() }

// SourceID is the remote's own id.
func (m WebsetMonitor) SourceID() string { return m.noun.Ref.ID }

// Status is the remote's word for how it is.
func (m WebsetMonitor) Status() string { return m.noun.Status }

// NextRunAt is when it looks next, nil when it does not.
func (m WebsetMonitor) NextRunAt() *model.DateTime { return m.at.OptionalDateTime(m.noun.NextRunAt) }

// Metadata is what the caller has noted, nil for nothing.
func (m WebsetMonitor) Metadata() *model.JSON { return metadataOf(m.noun.Metadata) }

// LastRun is nil when it has not looked yet.
func (m WebsetMonitor) LastRun() *WebsetMonitorRun {
	if m.noun.LastRun == nil {
		return nil
	}
	run := WebsetMonitorRunAt(*m.noun.LastRun, m.at)
	return &run
}

// WebsetMonitorRun is a run as seen at a moment.
type WebsetMonitorRun struct {
	noun model.WebsetMonitorRun
	at   *Moment
}

// WebsetMonitorRunAt gives the view of a run.
func WebsetMonitorRunAt(noun model.WebsetMonitorRun, at *Moment) WebsetMonitorRun {
	return WebsetMonitorRun{noun: noun, at: at}
}

// IsNode marks a run as a Node.
func (WebsetMonitorRun) IsNode() {}

// Noun is the run itself.
func (r WebsetMonitorRun) Noun() model.WebsetMonitorRun { return r.noun }

// ID is the public id.
func (r WebsetMonitorRun) ID() model.ID { return r.noun.Ref.PublicID() }

// SourceID is the remote's own id.
func (r WebsetMonitorRun) SourceID() string { return r.noun.Ref.ID }

// Status is the remote's word for how it is.
func (r WebsetMonitorRun) Status() string { return r.noun.Status }

// Type is nil when the remote does not tell.
func (r WebsetMonitorRun) Type() *string { return optional(r.noun.Type) }

// CompletedAt is nil when it is not done.
func (r WebsetMonitorRun) CompletedAt() *model.DateTime {
	return r.at.OptionalDateTime(r.noun.CompletedAt)
}

// FailedReason is nil when it has not failed.
func (r WebsetMonitorRun) FailedReason() *string { return optional(r.noun.FailedReason) }

// WebsetWebhook is a webhook as seen at a moment. Its secret is not part of it.
type WebsetWebhook struct {
	noun     model.WebsetWebhook
	received bool
}

// WebsetWebhookAt gives the view of a webhook; received tells whether this server is told.
func WebsetWebhookAt(noun model.WebsetWebhook, received bool) WebsetWebhook {
	noun.Secret = ""
	return WebsetWebhook{noun: noun, received: received}
}

// IsNode marks a webhook as a Node.
func (WebsetWebhook) IsNode() {}

// Noun is the webhook itself, without its secret.
func (w WebsetWebhook) Noun() model.WebsetWebhook { return w.noun }

// ID is the public id.
func (w WebsetWebhook) ID() model.ID { return w.noun.Ref.PublicID() }

// SourceID is the remote's own id.
func (w WebsetWebhook) SourceID() string { return w.noun.Ref.ID }

// Status is the remote's word for how it is.
func (w WebsetWebhook) Status() string { return w.noun.Status }

// URL is where events are sent to.
func (w WebsetWebhook) URL() string { return w.noun.URL }

// Events are the types that it is told of; never nil.
func (w WebsetWebhook) Events() []string { return present(w.noun.Events) }

// Metadata is what the caller has noted, nil for nothing.
func (w WebsetWebhook) Metadata() *model.JSON { return metadataOf(w.noun.Metadata) }

// ReceivedHere tells whether this server is told.
func (w WebsetWebhook) ReceivedHere() bool { return w.received }

// WebsetWebhookAttempt is a try as seen at a moment.
type WebsetWebhookAttempt struct {
	noun model.WebsetWebhookAttempt
	at   *Moment
}

// WebsetWebhookAttemptAt gives the view of a try.
func WebsetWebhookAttemptAt(noun model.WebsetWebhookAttempt, at *Moment) WebsetWebhookAttempt {
	return WebsetWebhookAttempt{noun: noun, at: at}
}

// EventType is what it was about.
func (a WebsetWebhookAttempt) EventType() string { return a.noun.EventType }

// Successful tells whether it was taken.
func (a WebsetWebhookAttempt) Successful() bool { return a.noun.Successful }

// ResponseStatusCode is nil when there was no answer.
func (a WebsetWebhookAttempt) ResponseStatusCode() *int {
	if a.noun.ResponseStatusCode == 0 {
		return nil
	}
	return &a.noun.ResponseStatusCode
}

// AttemptedAt is when it was tried.
func (a WebsetWebhookAttempt) AttemptedAt() model.DateTime { return a.at.DateTime(a.noun.AttemptedAt) }

// WebsetImport is an import as seen at a moment. Where to upload it is not part of it.
type WebsetImport struct{ noun model.WebsetImport }

// WebsetImportAt gives the view of an import.
func WebsetImportAt(noun model.WebsetImport, _ *Moment) WebsetImport {
	noun.UploadURL, noun.UploadValidUntil = "", time.Time{}
	return WebsetImport{noun: noun}
}

// IsNode marks an import as a Node.
func (WebsetImport) IsNode() {}

// Noun is the import itself, without where to upload it.
func (i WebsetImport) Noun() model.WebsetImport { return i.noun }

// ID is the public id.
func (i WebsetImport) ID() model.ID { return i.noun.Ref.PublicID() }

// SourceID is the remote's own id.
func (i WebsetImport) SourceID() string { return i.noun.Ref.ID }

// Status is the remote's word for how it is.
func (i WebsetImport) Status() string { return i.noun.Status }

// Count is nil when the remote does not tell.
func (i WebsetImport) Count() *int { return i.noun.Count }

// Title is nil when it has none.
func (i WebsetImport) Title() *string { return optional(i.noun.Title) }

// Metadata is what the caller has noted, nil for nothing.
func (i WebsetImport) Metadata() *model.JSON { return metadataOf(i.noun.Metadata) }

// FailedReason is nil when it has not failed.
func (i WebsetImport) FailedReason() *string { return optional(i.noun.FailedReason) }

// WebsetEvent is an event of Exa as seen at a moment.
type WebsetEvent struct {
	noun model.WebsetEvent
	at   *Moment
}

// WebsetEventAt gives the view of an event.
func WebsetEventAt(noun model.WebsetEvent, at *Moment) WebsetEvent {
	return WebsetEvent{noun: noun, at: at}
}

// IsNode marks an event as a Node.
func (WebsetEvent) IsNode() {}

// Noun is the event itself.
func (e WebsetEvent) Noun() model.WebsetEvent { return e.noun }

// ID is the public id.
func (e WebsetEvent) ID() model.ID { return e.noun.Ref.PublicID() }

// SourceID is the remote's own id.
func (e WebsetEvent) SourceID() string { return e.noun.Ref.ID }

// Type is what has happened.
func (e WebsetEvent) Type() string { return e.noun.Type }

// CreatedAt is when.
func (e WebsetEvent) CreatedAt() model.DateTime { return e.at.DateTime(e.noun.CreatedAt) }

// Raw is the remote's JSON.
func (e WebsetEvent) Raw() string { return e.noun.Raw }

// Research is a research as seen at a moment.
type Research struct{ noun model.Research }

// ResearchAt gives the view of a research.
func ResearchAt(noun model.Research, _ *Moment) Research { return Research{noun: noun} }

// IsNode marks a research as a Node.
func (Research) IsNode() {}

// Noun is the research itself.
func (r Research) Noun() model.Research { return r.noun }

// ID is the public id.
func (r Research) ID() model.ID { return r.noun.Ref.PublicID() }

// ResearchID is the remote's own id.
func (r Research) ResearchID() string { return r.noun.Ref.ID }

// Status is the remote's word for how it is.
func (r Research) Status() string { return r.noun.Status }

// Model is nil when the remote does not tell.
func (r Research) Model() *string { return optional(r.noun.Model) }

// Output is there when it is completed, nil before.
func (r Research) Output() *model.JSON { return metadataOf(r.noun.Output) }

// Cost is in US dollars, nil when the remote does not tell.
func (r Research) Cost() *float64 { return r.noun.Cost }

// FailedReason is nil when it has not failed.
func (r Research) FailedReason() *string { return optional(r.noun.Problem) }
