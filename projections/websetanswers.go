package projections

import (
	"time"

	"almanac/graph/model"
)

// WebsetChange is a line of the change log that is about websets.
type WebsetChange struct{ Change }

// ID is the id of this change.
func (c WebsetChange) ID() model.ID { return c.idAs(model.FormWebset) }

// waited is something that is waited for. The error, if there is one, is how the waiting has ended: each field returns
// it in its place.
type waited[V any] struct {
	now  V
	done bool
	err  error
}

// Done reports whether this is what was waited for.
func (w *waited[V]) Done() (bool, error) { return w.done, w.err }

// WebsetWait is a webset that is waited for.
type WebsetWait struct{ waited[Webset] }

// WebsetWaitOf returns the view of a webset that is waited for.
func WebsetWaitOf(now Webset, done bool, err error) *WebsetWait {
	return &WebsetWait{waited[Webset]{now, done, err}}
}

// Webset is the webset as it is now.
func (w *WebsetWait) Webset() (*Webset, error) { return &w.now, w.err }

// WebsetImportWait is an import that is waited for.
type WebsetImportWait struct{ waited[WebsetImport] }

// WebsetImportWaitOf returns the view of an import that is waited for.
func WebsetImportWaitOf(now WebsetImport, done bool, err error) *WebsetImportWait {
	return &WebsetImportWait{waited[WebsetImport]{now, done, err}}
}

// Import is the import as it is now.
func (w *WebsetImportWait) Import() (*WebsetImport, error) { return &w.now, w.err }

// ResearchWait is a research that is waited for.
type ResearchWait struct{ waited[Research] }

// ResearchWaitOf returns the view of a research that is waited for.
func ResearchWaitOf(now Research, done bool, err error) *ResearchWait {
	return &ResearchWait{waited[Research]{now, done, err}}
}

// Research is the research as it is now.
func (w *ResearchWait) Research() (*Research, error) { return &w.now, w.err }

// CreateWebsetImportPayload is what came of making an import. Whoever has UploadURL may upload.
type CreateWebsetImportPayload struct {
	Import           *WebsetImport
	UploadURL        *string
	UploadValidUntil model.OptionalDateTime
	Context          *WebsetContext
	Action           *Action
	UserErrors       []model.UserError
}

// WebPage is a page of the web as Exa knows it: somebody else's text.
type WebPage struct {
	URL, Title    string
	Author        *string
	PublishedAt   model.OptionalDateTime
	Score         *float64
	Text, Problem *string
}

// WebPageOf returns the view of a page; a zero time and empty texts are not known.
func WebPageOf(url, title, author, text, problem string, published time.Time, score *float64, at *Moment) WebPage {
	return WebPage{
		URL: url, Title: title, Author: optional(author), Text: optional(text), Problem: optional(problem),
		PublishedAt: at.OptionalDateTime(published), Score: score,
	}
}
