package exa

import (
	"context"

	"almanac/graph/model"
)

// The bodies of requests (https://docs.exa.ai/websets/api). What is zero is left out, so that the remote's own defaults
// hold.

const (
	sourceWebset   = "webset"
	typeCustom     = "custom"
	formatCSV      = "csv"
	behaviorSearch = "search"
)

type sentEntity struct {
	Type        string `json:"type"`
	Description string `json:"description,omitempty"`
}

type sentText struct {
	Description string `json:"description"`
}

type sentLabel struct {
	Label string `json:"label"`
}

type wireRelationship struct {
	Definition string `json:"definition"`
	Limit      int    `json:"limit,omitempty"`
}

type wireSource struct {
	Source       string            `json:"source"`
	ID           string            `json:"id"`
	Relationship *wireRelationship `json:"relationship,omitempty"`
}

type sentSearch struct {
	Query    string         `json:"query,omitempty"`
	Count    int            `json:"count,omitempty"`
	Entity   *sentEntity    `json:"entity,omitempty"`
	Criteria []sentText     `json:"criteria,omitempty"`
	Behavior string         `json:"behavior,omitempty"`
	Recall   bool           `json:"recall,omitempty"`
	Exclude  []wireSource   `json:"exclude,omitempty"`
	Scope    []wireSource   `json:"scope,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

type sentEnrichment struct {
	Description string         `json:"description,omitempty"`
	Format      string         `json:"format,omitempty"`
	Options     []sentLabel    `json:"options,omitempty"`
	Metadata    map[string]any `json:"metadata,omitempty"`
}

type sentWebset struct {
	Search      *sentSearch      `json:"search,omitempty"`
	Import      []wireSource     `json:"import,omitempty"`
	Exclude     []wireSource     `json:"exclude,omitempty"`
	Enrichments []sentEnrichment `json:"enrichments,omitempty"`
	ExternalID  string           `json:"externalId,omitempty"`
	Metadata    map[string]any   `json:"metadata,omitempty"`
}

type sentCadence struct {
	Cron     string `json:"cron"`
	Timezone string `json:"timezone,omitempty"`
}

type sentBehavior struct {
	Type   string     `json:"type"`
	Config sentSearch `json:"config"`
}

type sentMonitor struct {
	WebsetID string         `json:"websetId,omitempty"`
	Status   *string        `json:"status,omitempty"`
	Cadence  *sentCadence   `json:"cadence,omitempty"`
	Behavior *sentBehavior  `json:"behavior,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

type sentWebhook struct {
	URL      string         `json:"url,omitempty"`
	Events   []string       `json:"events,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

type sentCSV struct {
	Identifier int `json:"identifier"`
}

type sentImport struct {
	Format   string         `json:"format"`
	Size     int            `json:"size"`
	Count    int            `json:"count"`
	Entity   sentEntity     `json:"entity"`
	Title    string         `json:"title,omitempty"`
	CSV      *sentCSV       `json:"csv,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// sentPatch is a change of some fields. A field that is there with a nil value becomes null, which clears it.
type sentPatch map[string]any

// setMetadata puts new metadata into a patch: with the owner's mark, which must never get lost, and null where nothing
// is left.
func (p sentPatch) setMetadata(owner Owner, metadata *model.JSON) error {
	if metadata == nil {
		return nil
	}
	sent, err := sentMetadata(*metadata, owner.mark(), "")
	if err != nil {
		return err
	}
	if sent == nil {
		p["metadata"] = nil
		return nil
	}
	p["metadata"] = sent
	return nil
}

func entityOf(e *Entity) *sentEntity {
	if e == nil {
		return nil
	}
	sent := &sentEntity{Type: e.Type}
	if e.Type == typeCustom {
		sent.Description = e.Description
	}
	return sent
}

func criteriaOf(list []string) []sentText {
	var sent []sentText
	for _, c := range list {
		sent = append(sent, sentText{c})
	}
	return sent
}

func labelsOf(options []string) []sentLabel {
	var sent []sentLabel
	for _, o := range options {
		sent = append(sent, sentLabel{o})
	}
	return sent
}

// searchOf is a search as it is sent, with lists that are the user's.
func (a *Account) searchOf(ctx context.Context, s Search) (*sentSearch, error) {
	exclude, lost := a.sources(ctx, s.Exclude)
	if lost != nil {
		return nil, a.shown(lost)
	}
	scope, lost := a.sources(ctx, s.Scope)
	if lost != nil {
		return nil, a.shown(lost)
	}
	return &sentSearch{
		Query: s.Query, Count: s.Count, Entity: entityOf(s.Entity), Criteria: criteriaOf(s.Criteria), Behavior: s.Behavior,
		Recall:  s.Recall,
		Exclude: exclude, Scope: scope,
	}, nil
}

func enrichmentOf(e Enrichment) (*sentEnrichment, error) {
	metadata, err := sentMetadata(e.Metadata, "", "")
	return &sentEnrichment{Description: e.Description, Format: e.Format, Options: labelsOf(e.Options), Metadata: metadata},
		err
}

// behaviorOf is what a monitor does. The remote demands a count.
func behaviorOf(s *Search) *sentBehavior {
	b := &sentBehavior{Type: behaviorSearch, Config: sentSearch{Count: model.DefaultWebsetSearchCount}}
	if s == nil {
		return b
	}
	b.Config = sentSearch{Query: s.Query, Count: s.Count, Entity: entityOf(s.Entity), Criteria: criteriaOf(s.Criteria),
		Behavior: s.Behavior}
	if s.Count <= 0 {
		b.Config.Count = model.DefaultWebsetSearchCount
	}
	return b
}
