package compact

import (
	"encoding/json"
	"strconv"
	"strings"
)

// The rows of Exa's records: everything in them that is a text of the web, or was made of such, is somebody else's.
// They are read from this API's own types and from Exa's, which differ in a few names.

// Lengths of what rows of websets cut, in characters.
const (
	websetLabel  = 24
	websetResult = 60
	websetQuery  = 80
	mostRunID    = 100
)

// Webset is a webset as the formatter sees it.
type Webset struct {
	ID          string             `json:"id"`
	Status      string             `json:"status"`
	Title       *string            `json:"title"`
	EntityType  *string            `json:"entityType"`
	Searches    []WebsetSearch     `json:"searches"`
	Enrichments []WebsetEnrichment `json:"enrichments"`
	Monitors    []WebsetMonitor    `json:"monitors"`
	Imports     []WebsetImport     `json:"imports"`
}

func (s Webset) id() string    { return named(s.ID) }
func (s Webset) foreign() bool { return true }

// text returns the status, the title or else the first search, what was found so far, and how much else there is.
func (s Webset) text(w *writing) string {
	say := websetWordsOf(w)
	about, found := w.part(value(s.Title)), ""
	if about == "" && len(s.Searches) > 0 {
		about = guarded(TruncateText(s.Searches[0].Query, websetQuery))
	}
	total, told := 0, false
	for _, search := range s.Searches {
		if search.Progress != nil {
			total, told = total+search.Progress.Found, true
		}
	}
	if told {
		found = sprint(say.found, strconv.Itoa(total))
	}
	var parts []string
	for _, one := range []struct {
		words counted
		n     int
	}{{say.searches, len(s.Searches)}, {say.enrichments, len(s.Enrichments)}, {say.monitors, len(s.Monitors)},
		{say.imports, len(s.Imports)}} {
		if one.n > 0 {
			parts = append(parts, one.words.number(one.n))
		}
	}
	return joined(" | ", joined(" ", w.part(s.Status), bracketed(w, value(s.EntityType)), about), found,
		strings.Join(parts, ", "))
}

// UnmarshalJSON reads our webset, or Exa's, whose type stands in its first search.
func (s *Webset) UnmarshalJSON(data []byte) error {
	type own Webset
	var all struct {
		own
		Searches []struct {
			WebsetSearch
			Entity *struct {
				Type string `json:"type"`
			} `json:"entity"`
		} `json:"searches"`
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	*s = Webset(all.own)
	s.Searches = nil
	for i, one := range all.Searches {
		s.Searches = append(s.Searches, one.WebsetSearch)
		if i == 0 && s.EntityType == nil && one.Entity != nil {
			s.EntityType = &one.Entity.Type
		}
	}
	return nil
}

// bracketed returns a word in brackets; empty for none.
func bracketed(w *writing, word string) string {
	if word = w.part(word); word == "" {
		return ""
	}
	return "[" + word + "]"
}

// WebsetSearch is a search as the formatter sees it.
type WebsetSearch struct {
	ID       string            `json:"id"`
	Status   string            `json:"status"`
	Query    string            `json:"query"`
	Progress *WebsetProgress   `json:"progress"`
	Criteria []WebsetCriterion `json:"criteria,omitempty"`
}

// WebsetProgress is how far a search is.
type WebsetProgress struct {
	Found      int      `json:"found"`
	Analyzed   int      `json:"analyzed,omitempty"`
	Completion float64  `json:"completion"`
	TimeLeft   *float64 `json:"timeLeft"`
}

// WebsetCriterion is what items are judged by.
type WebsetCriterion struct {
	Description string  `json:"description"`
	SuccessRate float64 `json:"successRate"`
}

func (s WebsetSearch) id() string    { return named(s.ID) }
func (s WebsetSearch) foreign() bool { return true }

func (s WebsetSearch) text(w *writing) string {
	say := websetWordsOf(w)
	progress := ""
	if p := s.Progress; p != nil {
		progress = joined(", ", sprint(say.found, strconv.Itoa(p.Found)), percent(p.Completion))
		if p.TimeLeft != nil && *p.TimeLeft > 0 {
			progress += ", " + sprint(say.left, strconv.FormatFloat(*p.TimeLeft, 'f', 0, 64))
		}
	}
	criteria := make([]string, len(s.Criteria))
	for i, c := range s.Criteria {
		criteria[i] = guarded(TruncateText(c.Description, websetResult)) + " " + percent(c.SuccessRate)
	}
	return joined(" | ", joined(" ", w.part(s.Status), guarded(TruncateText(s.Query, websetQuery))), progress,
		strings.Join(criteria, "; "))
}

func percent(n float64) string { return strconv.FormatFloat(n, 'f', 0, 64) + "%" }

// WebsetEnrichment is an enrichment as the formatter sees it.
type WebsetEnrichment struct {
	ID          string  `json:"id"`
	Status      string  `json:"status"`
	Description string  `json:"description"`
	Format      *string `json:"format"`
}

func (e WebsetEnrichment) id() string    { return named(e.ID) }
func (e WebsetEnrichment) foreign() bool { return true }

func (e WebsetEnrichment) text(w *writing) string {
	return joined(" ", w.part(e.Status), bracketed(w, value(e.Format)), guarded(TruncateText(e.Description, websetQuery)))
}

// WebsetItem is an item as the formatter sees it.
type WebsetItem struct {
	ID          string             `json:"id"`
	Name        string             `json:"name"`
	URL         string             `json:"url"`
	EntityType  string             `json:"entityType"`
	Description string             `json:"description"`
	Evaluations []WebsetEvaluation `json:"evaluations"`
	Enrichments []WebsetFound      `json:"enrichments"`
}

// WebsetEvaluation is an item judged by one criterion.
type WebsetEvaluation struct {
	Criterion string `json:"criterion"`
	Satisfied string `json:"satisfied"`
}

// WebsetFound is what an enrichment has found out of an item.
type WebsetFound struct {
	Description *string  `json:"description"`
	Format      *string  `json:"format"`
	Result      []string `json:"result"`
}

func (i WebsetItem) id() string    { return named(i.ID) }
func (i WebsetItem) foreign() bool { return true }

// text returns the name, the type, a mark for each criterion in their order, the address, and what was found out, or
// else what it is.
func (i WebsetItem) text(w *writing) string {
	marks := ""
	for _, e := range i.Evaluations {
		switch e.Satisfied {
		case "yes":
			marks += "\u2713"
		case "no":
			marks += "\u2717"
		default:
			marks += "?"
		}
	}
	var found []string
	for _, e := range i.Enrichments {
		if len(e.Result) == 0 {
			continue
		}
		label := guarded(TruncateText(value(e.Description), websetLabel))
		found = append(found, joined(": ", label, guarded(TruncateText(strings.Join(e.Result, ", "), websetResult))))
	}
	address := strings.TrimSuffix(strings.TrimPrefix(w.part(i.URL), "https://"), "/")
	more := strings.Join(found, "; ")
	if more == "" {
		more = guarded(TruncateText(i.Description, websetQuery))
	}
	return joined(" | ", joined(" ", guarded(TruncateText(i.Name, websetQuery)), bracketed(w, i.EntityType), marks),
		address, more)
}

// UnmarshalJSON reads our item, or Exa's, whose facts stand in its properties.
func (i *WebsetItem) UnmarshalJSON(data []byte) error {
	type own WebsetItem
	type titled struct {
		Name  *string `json:"name"`
		Title *string `json:"title"`
	}
	var all struct {
		own
		Properties *struct {
			Type          string  `json:"type"`
			URL           string  `json:"url"`
			Description   *string `json:"description"`
			Company       *titled `json:"company"`
			Person        *titled `json:"person"`
			Article       *titled `json:"article"`
			ResearchPaper *titled `json:"researchPaper"`
			Custom        *titled `json:"custom"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	*i = WebsetItem(all.own)
	p := all.Properties
	if p == nil {
		return nil
	}
	i.URL, i.EntityType, i.Description = p.URL, p.Type, value(p.Description)
	for _, one := range []*titled{p.Company, p.Person, p.Article, p.ResearchPaper, p.Custom} {
		if one == nil || i.Name != "" {
			continue
		}
		if i.Name = value(one.Name); i.Name == "" {
			i.Name = value(one.Title)
		}
	}
	if i.Name == "" {
		i.Name = i.Description
	}
	return nil
}

// WebsetMonitor is a monitor as the formatter sees it.
type WebsetMonitor struct {
	ID        string     `json:"id"`
	Status    string     `json:"status"`
	NextRunAt Time       `json:"nextRunAt"`
	LastRun   *WebsetRun `json:"lastRun,omitempty"`
}

func (m WebsetMonitor) id() string    { return named(m.ID) }
func (m WebsetMonitor) foreign() bool { return true }

func (m WebsetMonitor) text(w *writing) string {
	say := websetWordsOf(w)
	next, last := "", ""
	if !m.NextRunAt.IsZero() {
		next = say.next + " " + w.when(m.NextRunAt.Time)
	}
	if m.LastRun != nil {
		last = say.last + " " + joined(" ", w.part(m.LastRun.Status), w.when(m.LastRun.CompletedAt.Time))
	}
	return joined(" | ", w.part(m.Status), next, last)
}

// WebsetRun is a run of a monitor as the formatter sees it.
type WebsetRun struct {
	ID           string  `json:"id"`
	Status       string  `json:"status"`
	Type         *string `json:"type"`
	CompletedAt  Time    `json:"completedAt"`
	FailedReason *string `json:"failedReason"`
}

// id is none when it is so long that it could be cut: that of a run has its monitor's inside.
func (r WebsetRun) id() string {
	if len(r.ID) > mostRunID {
		return ""
	}
	return named(r.ID)
}

func (r WebsetRun) foreign() bool { return true }

func (r WebsetRun) text(w *writing) string {
	return joined(" ", w.part(r.Status), bracketed(w, value(r.Type)), w.when(r.CompletedAt.Time),
		w.part(value(r.FailedReason)))
}

// WebsetWebhook is a webhook as the formatter sees it.
type WebsetWebhook struct {
	ID           string   `json:"id"`
	Status       string   `json:"status"`
	URL          string   `json:"url"`
	Events       []string `json:"events"`
	ReceivedHere bool     `json:"receivedHere"`
}

func (h WebsetWebhook) id() string    { return named(h.ID) }
func (h WebsetWebhook) foreign() bool { return true }

func (h WebsetWebhook) text(w *writing) string {
	say := websetWordsOf(w)
	where := w.part(h.URL)
	if h.ReceivedHere {
		where = say.here // the address is long, and a secret of sorts
	}
	return joined(" | ", joined(" ", w.part(h.Status), where), w.part(strings.Join(h.Events, ", ")))
}

// WebsetAttempt is a try to tell a webhook as the formatter sees it.
type WebsetAttempt struct {
	EventType          string `json:"eventType"`
	Successful         bool   `json:"successful"`
	ResponseStatusCode *int   `json:"responseStatusCode"`
	AttemptedAt        Time   `json:"attemptedAt"`
}

func (a WebsetAttempt) id() string    { return "" }
func (a WebsetAttempt) foreign() bool { return true }

func (a WebsetAttempt) text(w *writing) string {
	mark, status := "\u2717", ""
	if a.Successful {
		mark = "\u2713"
	}
	if a.ResponseStatusCode != nil && *a.ResponseStatusCode != 0 {
		status = strconv.Itoa(*a.ResponseStatusCode)
	}
	return joined(" ", mark, w.part(a.EventType), status, w.when(a.AttemptedAt.Time))
}

// WebsetImport is an import as the formatter sees it.
type WebsetImport struct {
	ID           string  `json:"id"`
	Status       string  `json:"status"`
	Count        *int    `json:"count"`
	Title        *string `json:"title,omitempty"`
	FailedReason *string `json:"failedReason,omitempty"`
}

func (i WebsetImport) id() string    { return named(i.ID) }
func (i WebsetImport) foreign() bool { return true }

func (i WebsetImport) text(w *writing) string {
	rows := ""
	if i.Count != nil {
		rows = websetWordsOf(w).rows.number(*i.Count)
	}
	return joined(" | ", joined(" ", w.part(i.Status), w.part(value(i.Title))), rows, w.part(value(i.FailedReason)))
}

// WebsetEvent is an event as the formatter sees it.
type WebsetEvent struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	CreatedAt Time   `json:"createdAt"`
}

func (e WebsetEvent) id() string    { return named(e.ID) }
func (e WebsetEvent) foreign() bool { return true }

func (e WebsetEvent) text(w *writing) string {
	return joined(" ", w.part(e.Type), w.when(e.CreatedAt.Time))
}

// Research is a research as the formatter sees it.
type Research struct {
	ID           string          `json:"id,omitempty"`
	ResearchID   string          `json:"researchId"`
	Status       string          `json:"status"`
	Model        *string         `json:"model"`
	Output       json.RawMessage `json:"output,omitempty"`
	Cost         *float64        `json:"cost,omitempty"`
	FailedReason *string         `json:"failedReason,omitempty"`
	// CostDollars is what Exa has for Cost.
	CostDollars *struct {
		Total float64 `json:"total"`
	} `json:"costDollars,omitempty"`
}

func (r Research) id() string {
	if r.ID == "" {
		return named(r.ResearchID)
	}
	return named(r.ID)
}
func (r Research) foreign() bool { return true }

func (r Research) text(w *writing) string {
	cost := ""
	if r.Cost == nil && r.CostDollars != nil {
		r.Cost = &r.CostDollars.Total
	}
	if r.Cost != nil {
		cost = "$" + strconv.FormatFloat(*r.Cost, 'f', -1, 64)
	}
	var output struct {
		Content string `json:"content"`
	}
	_ = json.Unmarshal(r.Output, &output) // what has another shape is not shown here
	return joined(" | ", joined(" ", w.part(r.Status), bracketed(w, value(r.Model)), cost), w.part(value(r.FailedReason)),
		w.part(output.Content))
}

// WebsetPreview is what a query would be understood as, as the formatter sees it.
type WebsetPreview struct {
	EntityType  *string            `json:"entityType"`
	Criteria    []string           `json:"criteria"`
	Enrichments []WebsetEnrichment `json:"enrichments"`
	Items       []WebsetItem       `json:"items"`
}

// Rows are a preview's criteria, enrichments and items, each on a line.
func (p WebsetPreview) Rows() []Row {
	rows := []Row{said{"[" + value(p.EntityType) + "]", true}}
	for _, criterion := range p.Criteria {
		rows = append(rows, said{criterion, true})
	}
	for _, e := range p.Enrichments {
		rows = append(rows, e)
	}
	for _, item := range p.Items {
		rows = append(rows, item)
	}
	return rows
}
