package model

import "time"

// The records of Exa's Websets API, with what answers are made of. Statuses, formats and types are in the remote's own
// spelling, which may hold values that are newer than this program (https://docs.exa.ai/websets/api/overview). Each
// names itself by the remote's ids; see WebsetRef.

// WebsetState is what a change of a record of Exa's may change: Raw has its fields, Metadata the user's own, without
// what this server notes there.
type WebsetState struct {
	Ref         WebsetRef
	Raw, Status string
	Metadata    JSON
}

// Webset is a collection of things that were searched for and judged.
type Webset struct {
	Ref WebsetRef
	// ExternalID is the caller's own name of it; empty for none.
	ExternalID string
	Status     string
	// Title is empty when the remote has made none.
	Title string
	// EntityType is that of the first search, not of the newest; empty without a search.
	EntityType string
	// Metadata is a JSON object; empty for none.
	Metadata    JSON
	Searches    []WebsetSearch
	Enrichments []WebsetEnrichment
	Monitors    []WebsetMonitor
	Imports     []WebsetImport
	// Raw is the remote's JSON, byte for byte; empty when it stands within something else.
	Raw string
}

// State returns what a change of it may change.
func (w Webset) State() WebsetState { return WebsetState{w.Ref, w.Raw, w.Status, w.Metadata} }

// WebsetProgress is how far a search is.
type WebsetProgress struct {
	Found, Analyzed int
	// Completion is a percentage.
	Completion float64
	// TimeLeft is in seconds; nil when it is not known.
	TimeLeft *float64
}

// WebsetCriterion is what items are judged by.
type WebsetCriterion struct {
	Description string
	// SuccessRate is a percentage.
	SuccessRate float64
}

// WebsetSearch is one search within a webset.
type WebsetSearch struct {
	Ref        WebsetRef
	Status     string
	Query      string
	EntityType string
	Metadata   JSON
	Progress   *WebsetProgress
	Criteria   []WebsetCriterion
	Raw        string
}

// State returns what a change of it may change.
func (s WebsetSearch) State() WebsetState { return WebsetState{s.Ref, s.Raw, s.Status, s.Metadata} }

// WebsetEnrichment is what is found out of each item.
type WebsetEnrichment struct {
	Ref         WebsetRef
	Status      string
	Description string
	// Format is empty when the remote has not chosen one yet.
	Format   string
	Metadata JSON
	Raw      string
}

// State returns what a change of it may change.
func (e WebsetEnrichment) State() WebsetState { return WebsetState{e.Ref, e.Raw, e.Status, e.Metadata} }

// WebsetEvaluation is an item judged by one criterion.
type WebsetEvaluation struct {
	Criterion string
	// Satisfied is yes, no or unclear.
	Satisfied string
}

// WebsetResult is what an enrichment has found out of an item.
type WebsetResult struct {
	// Enrichment is the remote's id of the enrichment.
	Enrichment string
	// Description is that of the enrichment, which the remote leaves out here; empty when the enrichment is gone.
	Description string
	Format      string
	// Result is nil as long as nothing was found.
	Result []string
}

// WebsetItem is one thing of a webset.
type WebsetItem struct {
	Ref WebsetRef
	// Name is UnknownWebsetText when it has none, EntityType when it is not told.
	Name, URL, EntityType, Description string
	// Evaluations is nil when the item was not judged, Enrichments when nothing was asked of it yet.
	Evaluations []WebsetEvaluation
	Enrichments []WebsetResult
	Raw         string
}

// UnknownWebsetText stands for a name or a type that the remote does not tell.
const UnknownWebsetText = "unknown"

// IsSatisfied reports whether an item belongs into a list: it was not judged, or satisfies at least one criterion.
func (i *WebsetItem) IsSatisfied() bool {
	for _, e := range i.Evaluations {
		if e.Satisfied == "yes" {
			return true
		}
	}
	return len(i.Evaluations) == 0
}

// WebsetMonitor looks for more at fixed times.
type WebsetMonitor struct {
	Ref WebsetRef
	// Webset is the remote's id of the webset that it keeps up.
	Webset    string
	Status    string
	NextRunAt time.Time
	Metadata  JSON
	LastRun   *WebsetMonitorRun
	Raw       string
}

// State returns what a change of it may change.
func (m WebsetMonitor) State() WebsetState { return WebsetState{m.Ref, m.Raw, m.Status, m.Metadata} }

// WebsetMonitorRun is one time that a monitor has looked.
type WebsetMonitorRun struct {
	Ref          WebsetRef
	Status       string
	Type         string
	CompletedAt  time.Time
	FailedReason string
	Raw          string
}

// WebsetWebhook is an address that is told of events.
type WebsetWebhook struct {
	Ref      WebsetRef
	Status   string
	URL      string
	Events   []string
	Metadata JSON
	// Secret signs what is sent. It is there in the answer to the creation, and never again. Keep it out of logs.
	Secret string
	Raw    string
}

// State returns what a change of it may change.
func (w WebsetWebhook) State() WebsetState { return WebsetState{w.Ref, w.Raw, w.Status, w.Metadata} }

// WebsetWebhookAttempt is one try to tell a webhook.
type WebsetWebhookAttempt struct {
	EventType  string
	Successful bool
	// ResponseStatusCode is 0 when there was no answer.
	ResponseStatusCode int
	AttemptedAt        time.Time
	Raw                string
}

// WebsetImport is a list of things brought in from elsewhere.
type WebsetImport struct {
	Ref    WebsetRef
	Status string
	// Count is nil when it is not known.
	Count        *int
	Title        string
	Metadata     JSON
	FailedReason string
	// UploadURL is where the file goes, until UploadValidUntil; there only in the answer to the creation. Whoever has it
	// may upload.
	UploadURL        string
	UploadValidUntil time.Time
	Raw              string
}

// State returns what a change of it may change.
func (i WebsetImport) State() WebsetState { return WebsetState{i.Ref, i.Raw, i.Status, i.Metadata} }

// WebsetEvent says that something happened. What is in it is there for those who pass events on.
type WebsetEvent struct {
	Ref       WebsetRef
	Type      string
	CreatedAt time.Time
	// Subject is what it is about; the zero reference when that is not known.
	Subject WebsetRef
	// Webset is the remote's id of the webset that it belongs to; empty when it belongs to none.
	Webset string
	Raw    string
}

// Research is a question that is looked into at length.
type Research struct {
	Ref    WebsetRef
	Status string
	Model  string
	// Output is there when it is completed: a JSON object.
	Output JSON
	// Cost is in US dollars, nil when it is not told.
	Cost *float64
	// Problem is why it failed; empty otherwise.
	Problem string
	Raw     string
}

// The limits of the remote, as it documents them.
const (
	MaxWebsetQuery           = 5_000
	MaxWebsetCriteria        = 5
	MaxWebsetCriterion       = 1_000
	MaxWebsetOptions         = 150
	MaxWebsetDescription     = 5_000
	MaxWebsetExternalID      = 300
	MaxWebsetMetadataValue   = 1_000
	MaxWebsetImportSize      = 50_000_000
	MaxWebsetPreview         = 10
	MaxWebsetCustomEntity    = 200
	MinWebsetCustomEntity    = 2
	MaxWebsetItemsAtOnce     = 1_000
	MaxWebsetRelationship    = 10
	MaxWebsetMonitorQuery    = 10_000
	MaxResearchInstructions  = 4_096
	DefaultWebsetSearchCount = 10
)

// The values of the remote that may be asked for, in its own spelling.

// WebsetEntityTypes are what can be searched for.
func WebsetEntityTypes() []string {
	return []string{"company", "person", "article", "research_paper", "custom"}
}

// WebsetFormats are the forms of what an enrichment finds.
func WebsetFormats() []string {
	return []string{"text", "date", "number", "options", "email", "phone", "url"}
}

// WebsetBehaviors are what a new search does to what is there.
func WebsetBehaviors() []string { return []string{"override", "append"} }

// WebsetSources are where items can come from.
func WebsetSources() []string { return []string{"import", "webset"} }

// WebsetMonitorStatuses are what a monitor can be set to.
func WebsetMonitorStatuses() []string { return []string{"enabled", "disabled"} }

// ResearchModels are those that can be asked.
func ResearchModels() []string {
	return []string{"exa-research-fast", "exa-research", "exa-research-pro"}
}

// WebsetEventTypes are what webhooks and lists of events can ask for.
func WebsetEventTypes() []string {
	return []string{
		"webset.created", "webset.deleted", "webset.paused", "webset.idle",
		"webset.search.created", "webset.search.canceled", "webset.search.completed", "webset.search.updated",
		"import.created", "import.completed", "webset.item.created", "webset.item.enriched",
		"monitor.created", "monitor.updated", "monitor.deleted", "monitor.run.created", "monitor.run.completed",
		"webset.export.created", "webset.export.completed",
	}
}
