package exa

// What the API answers, in its own words and order. A pointer is null where it is nil.

type entityShape struct {
	Type        string `json:"type"`
	Description string `json:"description,omitempty"`
}

type sourceShape struct {
	Source       string             `json:"source"`
	ID           string             `json:"id"`
	Relationship *relationshipShape `json:"relationship,omitempty"`
}

type relationshipShape struct {
	Definition string `json:"definition"`
	Limit      int    `json:"limit"`
}

type websetShape struct {
	ID           string            `json:"id"`
	Object       string            `json:"object"`
	Status       string            `json:"status"`
	ExternalID   *string           `json:"externalId"`
	Title        *string           `json:"title"`
	Searches     []searchShape     `json:"searches"`
	Imports      []importShape     `json:"imports"`
	Enrichments  []enrichmentShape `json:"enrichments"`
	Monitors     []monitorShape    `json:"monitors"`
	Excludes     []sourceShape     `json:"excludes"`
	Metadata     map[string]string `json:"metadata"`
	DashboardURL string            `json:"dashboardUrl"`
	CreatedAt    string            `json:"createdAt"`
	UpdatedAt    string            `json:"updatedAt"`
	// Items are there where they were asked for.
	Items []itemShape `json:"items,omitempty"`
}

type criterionShape struct {
	Description string `json:"description"`
	SuccessRate *int   `json:"successRate,omitempty"`
}

type progressShape struct {
	Found      int  `json:"found"`
	Analyzed   int  `json:"analyzed"`
	Completion int  `json:"completion"`
	TimeLeft   *int `json:"timeLeft"`
}

type recallShape struct {
	Expected struct {
		Total      int    `json:"total"`
		Confidence string `json:"confidence"`
		Bounds     struct {
			Min int `json:"min"`
			Max int `json:"max"`
		} `json:"bounds"`
	} `json:"expected"`
	Reasoning string `json:"reasoning"`
}

type searchShape struct {
	ID             string            `json:"id"`
	Object         string            `json:"object"`
	Status         string            `json:"status"`
	WebsetID       string            `json:"websetId"`
	Query          string            `json:"query"`
	Entity         *entityShape      `json:"entity"`
	Criteria       []criterionShape  `json:"criteria"`
	Count          int               `json:"count"`
	Behavior       string            `json:"behavior"`
	Exclude        []sourceShape     `json:"exclude"`
	Scope          []sourceShape     `json:"scope"`
	Progress       progressShape     `json:"progress"`
	Recall         *recallShape      `json:"recall"`
	Metadata       map[string]string `json:"metadata"`
	CanceledAt     *string           `json:"canceledAt"`
	CanceledReason *string           `json:"canceledReason"`
	CreatedAt      string            `json:"createdAt"`
	UpdatedAt      string            `json:"updatedAt"`
}

type referenceShape struct {
	Title   *string `json:"title"`
	Snippet *string `json:"snippet"`
	URL     string  `json:"url"`
}

type evaluationShape struct {
	Criterion  string           `json:"criterion"`
	Reasoning  string           `json:"reasoning"`
	Satisfied  string           `json:"satisfied"`
	References []referenceShape `json:"references"`
}

type resultShape struct {
	Object       string           `json:"object"`
	Status       string           `json:"status"`
	Format       string           `json:"format"`
	Result       []string         `json:"result"`
	Reasoning    *string          `json:"reasoning"`
	References   []referenceShape `json:"references"`
	EnrichmentID string           `json:"enrichmentId"`
}

type itemShape struct {
	ID          string            `json:"id"`
	Object      string            `json:"object"`
	Source      string            `json:"source"`
	SourceID    string            `json:"sourceId"`
	WebsetID    string            `json:"websetId"`
	Properties  propertiesShape   `json:"properties"`
	Evaluations []evaluationShape `json:"evaluations"`
	Enrichments []resultShape     `json:"enrichments"`
	CreatedAt   string            `json:"createdAt"`
	UpdatedAt   string            `json:"updatedAt"`
}

type propertiesShape struct {
	Type        string `json:"type"`
	URL         string `json:"url"`
	Description string `json:"description"`
	// Content is a text, or null; people have none.
	Content       any           `json:"content,omitempty"`
	Person        *personShape  `json:"person,omitempty"`
	Company       *companyShape `json:"company,omitempty"`
	Article       *writingShape `json:"article,omitempty"`
	ResearchPaper *writingShape `json:"researchPaper,omitempty"`
	Custom        *writingShape `json:"custom,omitempty"`
}

type personShape struct {
	Name       string         `json:"name"`
	Location   *string        `json:"location"`
	Position   *string        `json:"position"`
	Company    *employerShape `json:"company"`
	PictureURL *string        `json:"pictureUrl"`
}

type employerShape struct {
	Name     string  `json:"name"`
	Location *string `json:"location"`
}

type companyShape struct {
	Name      string  `json:"name"`
	Location  *string `json:"location"`
	Employees *int    `json:"employees"`
	Industry  *string `json:"industry"`
	About     *string `json:"about"`
	LogoURL   *string `json:"logoUrl"`
}

type writingShape struct {
	Title       *string `json:"title"`
	Author      *string `json:"author"`
	PublishedAt *string `json:"publishedAt"`
}

type optionShape struct {
	Label string `json:"label"`
}

type enrichmentShape struct {
	ID           string            `json:"id"`
	Object       string            `json:"object"`
	Status       string            `json:"status"`
	WebsetID     string            `json:"websetId"`
	Title        *string           `json:"title"`
	Description  string            `json:"description"`
	Format       *string           `json:"format"`
	Options      []optionShape     `json:"options"`
	Instructions *string           `json:"instructions"`
	Metadata     map[string]string `json:"metadata"`
	CreatedAt    string            `json:"createdAt"`
	UpdatedAt    string            `json:"updatedAt"`
}

type cadenceShape struct {
	Cron     string `json:"cron"`
	Timezone string `json:"timezone"`
}

type behaviorShape struct {
	Type   string      `json:"type"`
	Config configShape `json:"config"`
}

type configShape struct {
	Query    string           `json:"query,omitempty"`
	Criteria []criterionShape `json:"criteria,omitempty"`
	Entity   *entityShape     `json:"entity,omitempty"`
	Count    int              `json:"count"`
	Behavior string           `json:"behavior"`
}

type monitorShape struct {
	ID        string            `json:"id"`
	Object    string            `json:"object"`
	Status    string            `json:"status"`
	WebsetID  string            `json:"websetId"`
	Cadence   cadenceShape      `json:"cadence"`
	Behavior  behaviorShape     `json:"behavior"`
	LastRun   *runShape         `json:"lastRun"`
	NextRunAt *string           `json:"nextRunAt"`
	Metadata  map[string]string `json:"metadata"`
	CreatedAt string            `json:"createdAt"`
	UpdatedAt string            `json:"updatedAt"`
}

type runShape struct {
	ID           string  `json:"id"`
	Object       string  `json:"object"`
	Status       string  `json:"status"`
	MonitorID    string  `json:"monitorId"`
	Type         string  `json:"type"`
	CompletedAt  *string `json:"completedAt"`
	FailedAt     *string `json:"failedAt"`
	FailedReason *string `json:"failedReason"`
	CanceledAt   *string `json:"canceledAt"`
	CreatedAt    string  `json:"createdAt"`
	UpdatedAt    string  `json:"updatedAt"`
}

type webhookShape struct {
	ID        string            `json:"id"`
	Object    string            `json:"object"`
	Status    string            `json:"status"`
	Events    []string          `json:"events"`
	URL       string            `json:"url"`
	Secret    *string           `json:"secret"`
	Metadata  map[string]string `json:"metadata"`
	CreatedAt string            `json:"createdAt"`
	UpdatedAt string            `json:"updatedAt"`
}

type attemptShape struct {
	ID                 string            `json:"id"`
	Object             string            `json:"object"`
	EventID            string            `json:"eventId"`
	EventType          string            `json:"eventType"`
	WebhookID          string            `json:"webhookId"`
	URL                string            `json:"url"`
	Successful         bool              `json:"successful"`
	ResponseHeaders    map[string]string `json:"responseHeaders"`
	ResponseBody       *string           `json:"responseBody"`
	ResponseStatusCode int               `json:"responseStatusCode"`
	Attempt            int               `json:"attempt"`
	AttemptedAt        string            `json:"attemptedAt"`
}

type importShape struct {
	ID               string            `json:"id"`
	Object           string            `json:"object"`
	Status           string            `json:"status"`
	Format           string            `json:"format"`
	Entity           *entityShape      `json:"entity"`
	Title            string            `json:"title"`
	Count            int               `json:"count"`
	Metadata         map[string]string `json:"metadata"`
	FailedReason     *string           `json:"failedReason"`
	FailedAt         *string           `json:"failedAt"`
	FailedMessage    *string           `json:"failedMessage"`
	CreatedAt        string            `json:"createdAt"`
	UpdatedAt        string            `json:"updatedAt"`
	UploadURL        string            `json:"uploadUrl,omitempty"`
	UploadValidUntil string            `json:"uploadValidUntil,omitempty"`
}

type eventShape struct {
	ID        string `json:"id"`
	Object    string `json:"object"`
	Type      string `json:"type"`
	Data      any    `json:"data"`
	CreatedAt string `json:"createdAt"`
}

type previewShape struct {
	Search      previewSearchShape       `json:"search"`
	Enrichments []previewEnrichmentShape `json:"enrichments"`
	Items       []previewItemShape       `json:"items"`
}

type previewSearchShape struct {
	Entity   entityShape      `json:"entity"`
	Criteria []criterionShape `json:"criteria"`
}

type previewEnrichmentShape struct {
	Description string        `json:"description"`
	Format      string        `json:"format"`
	Options     []optionShape `json:"options,omitempty"`
}

type previewItemShape struct {
	ID         string          `json:"id"`
	Properties propertiesShape `json:"properties"`
	CreatedAt  string          `json:"createdAt"`
}
