package exa

import (
	"encoding/json"
	"io"
	"time"

	"almanac/graph/model"
)

// Page asks for a page: at most Limit after the place that an earlier answer named; an empty After is the start.
type Page struct {
	// Limit is clamped to what the remote takes.
	Limit int
	After string
}

// List is a page of an answer. Next is empty when nothing follows.
type List[T any] struct {
	Items []T
	Next  string
}

// Entity is what is searched for. Description is of type custom.
type Entity struct {
	Type        string
	Description string
}

// Source names a list that something is taken from, or kept out by. ID is the remote's own, of the kind that Source
// says: import or webset.
type Source struct {
	Source string
	ID     string
	// Relationship and Limit go from the source's items to others that stand in a relation to them; of a scope only.
	Relationship string
	Limit        int
}

// Search is what a search looks for. Zero values are left to the remote.
type Search struct {
	Query    string
	Count    int
	Entity   *Entity
	Criteria []string
	// Behavior is override or append, of a search in a webset that is there.
	Behavior string
	Recall   bool
	Exclude  []Source
	Scope    []Source
	Metadata model.JSON
}

// Enrichment is what to find out. Options are the values to choose from, of the format options.
type Enrichment struct {
	Description string
	Format      string
	Options     []string
	Metadata    model.JSON
}

// EnrichmentPatch changes what is not nil.
type EnrichmentPatch struct {
	Description *string
	Format      *string
	Options     []string
	Metadata    *model.JSON
	// Back are fields as the remote has once said them.
	Back map[string]json.RawMessage
}

// NewWebset is a webset to be made.
type NewWebset struct {
	Search      *Search
	Import      []Source
	Exclude     []Source
	Enrichments []Enrichment
	ExternalID  string
	Metadata    model.JSON
}

// Preview is what a query would be understood as.
type Preview struct {
	EntityType  string
	Criteria    []string
	Enrichments []PreviewEnrichment
	// Items are there when they were asked for.
	Items []model.WebsetItem
}

// PreviewEnrichment is an enrichment that a query suggests.
type PreviewEnrichment struct {
	Description string
	Format      string
	Options     []string
}

// Monitor is what to look for, and when. Search's Query, Criteria, Entity, Count and Behavior count.
type Monitor struct {
	// Webset is the remote's id.
	Webset string
	// Cron has five fields, at most once a day; TimeZone is an IANA name, empty for Etc/UTC.
	Cron, TimeZone string
	Search         *Search
	Metadata       model.JSON
}

// MonitorPatch changes what is not nil. Cron and TimeZone go together.
type MonitorPatch struct {
	Status         *string
	Cron, TimeZone *string
	Search         *Search
	Metadata       *model.JSON
	// Back are fields as the remote has once said them.
	Back map[string]json.RawMessage
}

// Webhook is an address to be told.
type Webhook struct {
	URL      string
	Events   []string
	Metadata model.JSON
}

// WebhookPatch changes what is not nil.
type WebhookPatch struct {
	URL      *string
	Events   []string
	Metadata *model.JSON
	// Back are fields as the remote has once said them.
	Back map[string]json.RawMessage
}

// AttemptFilter narrows the tries of a webhook; zero values ask nothing.
type AttemptFilter struct {
	EventType  string
	Successful *bool
}

// EventFilter narrows events; zero values ask nothing. Both times are inclusive.
type EventFilter struct {
	Types                       []string
	CreatedAfter, CreatedBefore time.Time
}

// Import is a list to be brought in.
type Import struct {
	// Size is in bytes, Count in rows.
	Size, Count int
	Entity      Entity
	Title       string
	// Identifier is the column of what names a row, from 0; nil lets the remote find it.
	Identifier *int
	Metadata   model.JSON
}

// ImportPatch changes what is not nil.
type ImportPatch struct {
	Title    *string
	Metadata *model.JSON
	// Back are fields as the remote has once said them.
	Back map[string]json.RawMessage
}

// Upload is a file for an import: to URL, which the answer to the creation named.
type Upload struct {
	URL  string
	Body io.Reader
	Size int
}

// Question is a research to be done. OutputSchema is a JSON schema, empty for none.
type Question struct {
	Instructions string
	Model        string
	OutputSchema model.JSON
}

// WebSearch is a search of the web (https://docs.exa.ai/reference/search). Zero values are left to the remote.
type WebSearch struct {
	// Query is what is looked for; of FindSimilar it is an address.
	Query string
	// Type is auto, neural, keyword or fast; of Search only.
	Type                           string
	Count                          int
	Category                       string
	IncludeDomains, ExcludeDomains []string
	PublishedAfter, PublishedUntil time.Time
	// MaxCharacters is how much of each page's text is given; 0 for none.
	MaxCharacters int
}

// WebPage is a page of the web as Exa knows it. Everything in it is somebody else's text.
type WebPage struct {
	ID, URL, Title, Author, Text string
	PublishedAt                  time.Time
	Score                        *float64
	// Problem is why it could not be read; empty otherwise.
	Problem string
}

// WebAnswer is an answer with the pages that it rests on.
type WebAnswer struct {
	Answer    string
	Citations []WebPage
}
