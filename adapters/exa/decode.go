package exa

import (
	"encoding/json"

	"almanac/graph/model"
)

// The remote's objects, as far as they are kept (https://docs.exa.ai/websets/api). Dates, counts and percentages may be
// missing anywhere.

type wireEntity struct {
	Type string `json:"type"`
}

type wireProgress struct {
	Found      float64        `json:"found"`
	Analyzed   float64        `json:"analyzed"`
	Completion float64        `json:"completion"`
	TimeLeft   maybe[float64] `json:"timeLeft"`
}

type wireSearch struct {
	ID       string          `json:"id"`
	Status   string          `json:"status"`
	WebsetID string          `json:"websetId"`
	Query    string          `json:"query"`
	Entity   wireEntity      `json:"entity"`
	Metadata json.RawMessage `json:"metadata"`
	Progress *wireProgress   `json:"progress"`
	Criteria []struct {
		Description string  `json:"description"`
		SuccessRate float64 `json:"successRate"`
	} `json:"criteria"`
}

// search makes a search of a webset; raw is empty within something else.
func (w wireSearch) search(webset, raw string) model.WebsetSearch {
	s := model.WebsetSearch{
		Ref:    nested(model.KindWebsetSearch, w.WebsetID, webset, w.ID),
		Status: w.Status, Query: w.Query, EntityType: w.Entity.Type, Metadata: shownMetadata(w.Metadata), Raw: raw,
	}
	if p := w.Progress; p != nil {
		s.Progress = &model.WebsetProgress{Found: whole(p.Found), Analyzed: whole(p.Analyzed), Completion: p.Completion,
			TimeLeft: p.TimeLeft.value}
	}
	for _, c := range w.Criteria {
		s.Criteria = append(s.Criteria, model.WebsetCriterion{Description: c.Description, SuccessRate: c.SuccessRate})
	}
	return s
}

type wireEnrichment struct {
	ID          string          `json:"id"`
	Status      string          `json:"status"`
	WebsetID    string          `json:"websetId"`
	Description string          `json:"description"`
	Format      string          `json:"format"`
	Metadata    json.RawMessage `json:"metadata"`
}

func (w wireEnrichment) enrichment(webset, raw string) model.WebsetEnrichment {
	return model.WebsetEnrichment{
		Ref: nested(model.KindEnrichment, w.WebsetID, webset, w.ID), Status: w.Status, Description: w.Description,
		Format:   w.Format,
		Metadata: shownMetadata(w.Metadata), Raw: raw,
	}
}

type wireRun struct {
	ID           string   `json:"id"`
	Status       string   `json:"status"`
	MonitorID    string   `json:"monitorId"`
	Type         string   `json:"type"`
	CompletedAt  wireTime `json:"completedAt"`
	FailedReason string   `json:"failedReason"`
}

func (w wireRun) run(monitor, raw string) model.WebsetMonitorRun {
	return model.WebsetMonitorRun{
		Ref: nested(model.KindMonitorRun, w.MonitorID, monitor, w.ID), Status: w.Status, Type: w.Type,
		CompletedAt:  w.CompletedAt.Time,
		FailedReason: w.FailedReason, Raw: raw,
	}
}

type wireMonitor struct {
	ID        string          `json:"id"`
	Status    string          `json:"status"`
	WebsetID  string          `json:"websetId"`
	NextRunAt wireTime        `json:"nextRunAt"`
	Metadata  json.RawMessage `json:"metadata"`
	LastRun   *wireRun        `json:"lastRun"`
}

func (w wireMonitor) monitor(webset, raw string) model.WebsetMonitor {
	m := model.WebsetMonitor{
		Ref: plain(model.KindMonitor, w.ID), Webset: orElse(sound(w.WebsetID), webset), Status: w.Status,
		NextRunAt: w.NextRunAt.Time,
		Metadata:  shownMetadata(w.Metadata), Raw: raw,
	}
	if w.LastRun != nil {
		run := w.LastRun.run(m.Ref.ID, "")
		m.LastRun = &run
	}
	return m
}

type wireImport struct {
	ID               string          `json:"id"`
	Status           string          `json:"status"`
	Count            maybe[float64]  `json:"count"`
	Title            string          `json:"title"`
	Metadata         json.RawMessage `json:"metadata"`
	FailedReason     string          `json:"failedReason"`
	UploadURL        string          `json:"uploadUrl"`
	UploadValidUntil wireTime        `json:"uploadValidUntil"`
}

func (w wireImport) imported(raw string) model.WebsetImport {
	i := model.WebsetImport{
		Ref: plain(model.KindWebsetImport, w.ID), Status: w.Status, Title: w.Title, Metadata: shownMetadata(w.Metadata),
		FailedReason: w.FailedReason,
		UploadURL:    w.UploadURL, UploadValidUntil: w.UploadValidUntil.Time, Raw: raw,
	}
	if w.Count.value != nil {
		count := whole(*w.Count.value)
		i.Count = &count
	}
	return i
}

type wireWebset struct {
	ID          string           `json:"id"`
	ExternalID  string           `json:"externalId"`
	Status      string           `json:"status"`
	Title       string           `json:"title"`
	Metadata    json.RawMessage  `json:"metadata"`
	Searches    []wireSearch     `json:"searches"`
	Enrichments []wireEnrichment `json:"enrichments"`
	Monitors    []wireMonitor    `json:"monitors"`
	Imports     []wireImport     `json:"imports"`
}

// webset makes a webset. What stands in it without an id that can be one is left out.
func (w wireWebset) webset(owner Owner, raw string) model.Webset {
	s := model.Webset{
		Ref: plain(model.KindWebset, w.ID), ExternalID: owner.shownName(w.ExternalID), Status: w.Status, Title: w.Title,
		Metadata: shownMetadata(w.Metadata), Raw: raw,
	}
	for _, in := range w.Searches {
		if sound(in.ID) != "" {
			s.Searches = append(s.Searches, in.search(s.Ref.ID, ""))
		}
	}
	for _, in := range w.Enrichments {
		if sound(in.ID) != "" {
			s.Enrichments = append(s.Enrichments, in.enrichment(s.Ref.ID, ""))
		}
	}
	for _, in := range w.Monitors {
		if sound(in.ID) != "" {
			s.Monitors = append(s.Monitors, in.monitor(s.Ref.ID, ""))
		}
	}
	for _, in := range w.Imports {
		if sound(in.ID) != "" {
			s.Imports = append(s.Imports, in.imported(""))
		}
	}
	if len(w.Searches) > 0 {
		s.EntityType = w.Searches[0].Entity.Type
	}
	return s
}

// descriptions returns what each enrichment asks for, by its id.
func (w wireWebset) descriptions() map[string]string {
	all := make(map[string]string, len(w.Enrichments))
	for _, e := range w.Enrichments {
		all[e.ID] = e.Description
	}
	return all
}

type wireItem struct {
	ID         string `json:"id"`
	WebsetID   string `json:"websetId"`
	Properties struct {
		Type        string        `json:"type"`
		URL         string        `json:"url"`
		Description maybe[string] `json:"description"`
		Company     struct {
			Name maybe[string] `json:"name"`
		} `json:"company"`
		Person struct {
			Name maybe[string] `json:"name"`
		} `json:"person"`
		Article       wireTitled `json:"article"`
		ResearchPaper wireTitled `json:"researchPaper"`
		Custom        wireTitled `json:"custom"`
	} `json:"properties"`
	Evaluations []struct {
		Criterion string `json:"criterion"`
		Satisfied string `json:"satisfied"`
	} `json:"evaluations"`
	Enrichments []struct {
		EnrichmentID string   `json:"enrichmentId"`
		Format       string   `json:"format"`
		Result       []string `json:"result"`
	} `json:"enrichments"`
}

type wireTitled struct {
	Title maybe[string] `json:"title"`
}

// item makes an item; descriptions are those of the webset's enrichments, by id.
func (w wireItem) item(webset, raw string, descriptions map[string]string) model.WebsetItem {
	p := w.Properties
	i := model.WebsetItem{
		Ref: nested(model.KindWebsetItem, w.WebsetID, webset, w.ID),
		Name: first(model.UnknownWebsetText, p.Company.Name, p.Person.Name, p.Article.Title, p.ResearchPaper.Title,
			p.Custom.Title, p.Description),
		URL:        p.URL,
		EntityType: orElse(p.Type, model.UnknownWebsetText),
		Raw:        raw,
	}
	i.Description = first("", p.Description)
	for _, e := range w.Evaluations {
		i.Evaluations = append(i.Evaluations, model.WebsetEvaluation{Criterion: e.Criterion, Satisfied: e.Satisfied})
	}
	for _, e := range w.Enrichments {
		i.Enrichments = append(i.Enrichments, model.WebsetResult{
			Enrichment: e.EnrichmentID, Description: descriptions[e.EnrichmentID], Format: e.Format, Result: e.Result,
		})
	}
	return i
}

type wireWebhook struct {
	ID       string          `json:"id"`
	Status   string          `json:"status"`
	URL      string          `json:"url"`
	Events   []string        `json:"events"`
	Secret   string          `json:"secret"`
	Metadata json.RawMessage `json:"metadata"`
}

// webhook makes a webhook. Only the answer to a creation has the secret, and its Raw has it too.
func (w wireWebhook) webhook(raw string) model.WebsetWebhook {
	return model.WebsetWebhook{
		Ref: plain(model.KindWebhook, w.ID), Status: w.Status, URL: w.URL, Events: w.Events,
		Metadata: shownMetadata(w.Metadata), Secret: w.Secret, Raw: raw,
	}
}

type wireAttempt struct {
	EventType          string   `json:"eventType"`
	Successful         bool     `json:"successful"`
	ResponseStatusCode float64  `json:"responseStatusCode"`
	AttemptedAt        wireTime `json:"attemptedAt"`
}

func (w wireAttempt) attempt(raw string) model.WebsetWebhookAttempt {
	return model.WebsetWebhookAttempt{
		EventType: w.EventType, Successful: w.Successful, ResponseStatusCode: whole(w.ResponseStatusCode),
		AttemptedAt: w.AttemptedAt.Time, Raw: raw,
	}
}

// sound returns an id if it can be one, and nothing otherwise.
func sound(id string) string {
	if model.SoundWebsetID(id) {
		return id
	}
	return ""
}

// plain refers to a record that stands by itself; the zero reference for an id that can be none.
func plain(kind model.Kind, id string) model.WebsetRef {
	if sound(id) == "" {
		return model.WebsetRef{}
	}
	return model.WebsetRef{Kind: kind, ID: id}
}

// nested refers to a record within another, which the record names, or else the caller.
func nested(kind model.Kind, told, otherwise, id string) model.WebsetRef {
	within := orElse(sound(told), otherwise)
	if within == "" || sound(id) == "" {
		return model.WebsetRef{}
	}
	return model.WebsetRef{Kind: kind, Within: within, ID: id}
}
