package projections

import (
	"time"

	"almanac/graph/model"
)

// WebsetChange is a line of the change log that is about websets.
type WebsetChange struct{ Change }

// WebsetWait is a webset that is waited for. The error, if there is one, is how the waiting has ended: each field gives
// it in its place.
type WebsetWait struct {
	now  Webset
	done bool
	err  error
}

// WebsetWaitOf gives the view of a webset that is waited for.
func WebsetWaitOf(now Webset, done bool, err error) *WebsetWait {
	return &WebsetWait{now: now, done: done, err: err}
}

// Webset is the webset as it is now.
func (w *WebsetWait) Webset() (*Webset, error) { return &w.now, w.err }

// Done tells whether this is what was waited for.
func (w *WebsetWait) Done() (bool, error) { return w.done, w.err }

// WebsetImportWait is an import that is waited for; see WebsetWait.
type WebsetImportWait struct {
	now  WebsetImport
	done bool
	err  error
}

// WebsetImportWaitOf gives the view of an import that is waited for.
func WebsetImportWaitOf(now WebsetImport, done bool, err error) *WebsetImportWait {
	return &WebsetImportWait{now: now, done: done, err: err}
}

// Import is the import as it is now.
func (w *WebsetImportWait) Import() (*WebsetImport, error) { return &w.now, w.err }

// Done tells whether this is what was waited for.
func (w *WebsetImportWait) Done() (bool, error) { return w.done, w.err }

// ResearchWait is a research that is waited for; see WebsetWait.
type ResearchWait struct {
	now  Research
	done bool
	err  error
}

// ResearchWaitOf gives the view of a research that is waited for.
func ResearchWaitOf(now Research, done bool, err error) *ResearchWait {
	return &ResearchWait{now: now, done: done, err: err}
}

// Research is the research as it is now.
func (w *ResearchWait) Research() (*Research, error) { return &w.now, w.err }

// Done tells whether this is what was waited for.
func (w *ResearchWait) Done() (bool, error) { return w.done, w.err }

// CreateWebsetImportPayload is what came of making an import. Whoever has UploadURL may upload.
type CreateWebsetImportPayload struct {
	Import           *WebsetImport
	UploadURL        *string
	UploadValidUntil *model.DateTime
	Context          *WebsetContext
	UserErrors       []model.UserError
}

// WebPage is a page of the web as Exa knows it: somebody else's text.
type WebPage struct {
	URL, Title    string
	Author        *string
	PublishedAt   *model.DateTime
	Score         *float64
	Text, Problem *string
}

// WebPageOf gives the view of a page; a zero time and empty texts are not known.
func WebPageOf(url, title, author, text, problem string, published time.Time, score *float64, at *Moment) WebPage {
	return WebPage{
		URL: url, Title: title, Author: optional(author), Text: optional(text), Problem: optional(problem),
		PublishedAt: at.OptionalDateTime(published), Score: score,
	}
}
