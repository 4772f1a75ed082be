package projections

import (
	"encoding/json"

	"almanac/graph/model"
	"almanac/projections/compact"
)

// Row is the webset for compact text.
func (w Webset) Row() compact.Webset {
	row := compact.Webset{ID: w.ID().String(), Status: w.record.Status, Title: w.Title(), EntityType: w.EntityType()}
	for _, search := range w.Searches() {
		one := search.Row()
		one.Criteria = nil
		row.Searches = append(row.Searches, one)
	}
	for _, e := range w.Enrichments() {
		row.Enrichments = append(row.Enrichments, e.Row())
	}
	for _, m := range w.Monitors() {
		row.Monitors = append(row.Monitors, m.Row())
	}
	for _, i := range w.Imports() {
		row.Imports = append(row.Imports, i.Row())
	}
	return row
}

// Row is the search for compact text.
func (s WebsetSearch) Row() compact.WebsetSearch {
	row := compact.WebsetSearch{ID: s.ID().String(), Status: s.record.Status, Query: s.record.Query}
	if p := s.record.Progress; p != nil {
		progress := compact.WebsetProgress(*p)
		row.Progress = &progress
	}
	for _, c := range s.record.Criteria {
		row.Criteria = append(row.Criteria, compact.WebsetCriterion(c))
	}
	return row
}

// Row is the enrichment for compact text.
func (e WebsetEnrichment) Row() compact.WebsetEnrichment {
	return compact.WebsetEnrichment{ID: e.ID().String(), Status: e.record.Status, Description: e.record.Description,
		Format: e.Format()}
}

// Row is the item for compact text.
func (i WebsetItem) Row() compact.WebsetItem {
	row := compact.WebsetItem{ID: i.ID().String(), Name: i.record.Name, URL: i.record.URL, EntityType: i.record.EntityType,
		Description: i.record.Description}
	for _, e := range i.record.Evaluations {
		row.Evaluations = append(row.Evaluations, compact.WebsetEvaluation(e))
	}
	for _, e := range i.Enrichments() {
		row.Enrichments = append(row.Enrichments, compact.WebsetFound(e))
	}
	return row
}

// Row is the monitor for compact text.
func (m WebsetMonitor) Row() compact.WebsetMonitor {
	row := compact.WebsetMonitor{ID: m.ID().String(), Status: m.record.Status, NextRunAt: rowTime(m.NextRunAt())}
	if run := m.LastRun(); run != nil {
		last := run.Row()
		row.LastRun = &last
	}
	return row
}

// Row is the run for compact text.
func (r WebsetMonitorRun) Row() compact.WebsetRun {
	return compact.WebsetRun{ID: idOf(r.record.Ref), Status: r.record.Status, Type: optional(r.record.Type),
		CompletedAt: rowTime(r.CompletedAt()), FailedReason: r.FailedReason()}
}

// idOf is the id of a record, empty for one that has none.
func idOf(ref model.WebsetRef) string {
	if ref.ID == "" {
		return ""
	}
	return ref.PublicID().String()
}

// Row is the webhook for compact text.
func (w WebsetWebhook) Row() compact.WebsetWebhook {
	return compact.WebsetWebhook{ID: w.ID().String(), Status: w.record.Status, URL: w.record.URL, Events: w.record.Events,
		ReceivedHere: w.received}
}

// Row is the try for compact text.
func (a WebsetWebhookAttempt) Row() compact.WebsetAttempt {
	return compact.WebsetAttempt{EventType: a.record.EventType, Successful: a.record.Successful,
		ResponseStatusCode: a.ResponseStatusCode(), AttemptedAt: compact.Time{Time: a.AttemptedAt().Time}}
}

// Row is the import for compact text.
func (i WebsetImport) Row() compact.WebsetImport {
	return compact.WebsetImport{ID: i.ID().String(), Status: i.record.Status, Count: i.record.Count, Title: i.Title(),
		FailedReason: i.FailedReason()}
}

// Row is the event for compact text.
func (e WebsetEvent) Row() compact.WebsetEvent {
	return compact.WebsetEvent{ID: e.ID().String(), Type: e.record.Type, CreatedAt: compact.Time{Time: e.CreatedAt().Time}}
}

// Row is the research for compact text.
func (r Research) Row() compact.Research {
	row := compact.Research{ID: r.ID().String(), ResearchID: r.record.Ref.ID, Status: r.record.Status, Model: r.Model(),
		Cost: r.record.Cost, FailedReason: r.FailedReason()}
	if output := r.Output(); output != nil {
		row.Output = json.RawMessage(*output)
	}
	return row
}
