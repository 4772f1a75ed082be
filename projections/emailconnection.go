package projections

import (
	"time"

	"almanac/graph/model"
	"almanac/projections/compact"
	"almanac/projections/mail"
	"almanac/projections/when"
)

// EmailEdge is an e-mail in a page.
type EmailEdge = Edge[Email]

// EmailConnection is a page of e-mails.
type EmailConnection struct {
	Page[Email]
	// Counted is the number of all; nil when there are too many to count, or nobody asked.
	Counted *int
	At      *MailMoment
}

// TotalCount is the number of all, nil when there are too many.
func (c *EmailConnection) TotalCount() *int { return c.Counted }

// IsEmpty tells whether the filter finds no e-mail at all.
func (c *EmailConnection) IsEmpty() bool { return len(c.Items) == 0 && !c.HasPrevious }

// Context is the response context of a listing.
func (c *EmailConnection) Context() EmailContext {
	return EmailContext{IsListing: true, IsEmpty: c.IsEmpty()}
}

// Compact is the page as text for language models.
func (c *EmailConnection) Compact(options *CompactOptions) (*FormatResult, error) {
	return compactEmails(c.Items, options, c.At)
}

// EmailThread is a conversation as seen at a moment.
type EmailThread struct {
	Ref     model.ThreadRef
	Mailbox string
	// Items are its e-mails, oldest first.
	Items []Email
	Count int
	At    *MailMoment
}

// IsNode marks a conversation as a Node.
func (EmailThread) IsNode() {}

// ID is the public id.
func (t EmailThread) ID() model.ID { return t.Ref.ID() }

// SourceID is the remote's own id.
func (t EmailThread) SourceID() string { return t.Ref.Thread }

// Account is the linked account that it was read through.
func (t EmailThread) Account() string { return t.Mailbox }

// Subject is that of its first e-mail.
func (t EmailThread) Subject() string {
	if len(t.Items) == 0 {
		return ""
	}
	return t.Items[0].Subject()
}

// Emails are its e-mails, oldest first; never nil.
func (t EmailThread) Emails() []Email {
	if t.Items == nil {
		return []Email{}
	}
	return t.Items
}

// TotalCount is how many e-mails it has.
func (t EmailThread) TotalCount() int { return t.Count }

// Participants is everybody in From, To and Cc, in order of appearance, each once.
func (t EmailThread) Participants() []EmailAddress {
	var all []model.EmailAddress
	for _, e := range t.Items {
		for _, header := range [...]string{"From", "To", "Cc"} {
			all = append(all, mail.Addresses(mail.Header(e.noun.Headers, header))...)
		}
	}
	return AddressViews(mail.Distinct(all))
}

// Unread tells whether any of it is unread.
func (t EmailThread) Unread() bool {
	for _, e := range t.Items {
		if e.Unread() {
			return true
		}
	}
	return false
}

// LastDate is when the last e-mail was taken in.
func (t EmailThread) LastDate() model.DateTime {
	var last time.Time
	for _, e := range t.Items {
		if e.noun.Date.After(last) {
			last = e.noun.Date
		}
	}
	return t.At.DateTime(last)
}

// Compact is the conversation as text for language models.
func (t EmailThread) Compact(options *CompactOptions) (*FormatResult, error) {
	return compactEmails(t.Items, options, t.At)
}

// CompactOptions say how long compact text may be.
type CompactOptions struct {
	MaxLines       int
	MaxLineLength  int
	CollectMetrics bool
	TimeoutMs      int
	Query          *string
}

// FormatResult is compact text.
type FormatResult struct {
	Output       string
	UsedFallback bool
	Error        *string
	Metrics      *FormatMetrics
}

// FormatMetrics is what compact text saves.
type FormatMetrics struct {
	RawBytes         int
	CompactBytes     int
	SavingsPercent   float64
	ProcessingTimeMs float64
}

// Bounds of compact text, and what they are when nothing is said.
const (
	defaultLines, mostLines         = 20, 1_000
	defaultLineLength, leastLine    = 120, 20
	mostLineLength                  = 10_000
	defaultTimeoutMs, mostTimeoutMs = 100, 1_000
)

// checked gives the options with defaults. BAD_USER_INPUT for what is out of bounds.
func (o *CompactOptions) checked() (CompactOptions, error) {
	if o == nil {
		return CompactOptions{MaxLines: defaultLines, MaxLineLength: defaultLineLength, TimeoutMs: defaultTimeoutMs}, nil
	}
	for _, bound := range [...]struct {
		name               string
		value, least, most int
	}{
		{"maxLines", o.MaxLines, 1, mostLines}, {"maxLineLength", o.MaxLineLength, leastLine, mostLineLength}, {"timeoutMs", o.TimeoutMs, 1, mostTimeoutMs},
	} {
		if bound.value < bound.least || bound.value > bound.most {
			return CompactOptions{}, model.BadInput("options."+bound.name, "%s is %d; it must be from %d to %d", bound.name, bound.value, bound.least, bound.most)
		}
	}
	return *o, nil
}

func compactEmails(items []Email, given *CompactOptions, at *MailMoment) (*FormatResult, error) {
	options, err := given.checked()
	if err != nil {
		return nil, err
	}
	elapsed := func() time.Duration { return 0 }
	if at.Clock != nil {
		begun := at.Clock()
		elapsed = func() time.Duration { return at.Clock().Sub(begun) }
	}
	over := func() bool { return elapsed() >= time.Duration(options.TimeoutMs)*time.Millisecond }
	rows := make([]compact.Email, len(items))
	for i := range items {
		rows[i] = compactRow(&items[i], options, over())
	}
	wanted := compact.Options{MaxLines: options.MaxLines, MaxLineLength: options.MaxLineLength, CollectMetrics: options.CollectMetrics, Over: over}
	if options.Query != nil {
		wanted.Query = *options.Query
	}
	made := compact.Emails(rows, wanted, at.Locale)
	result := &FormatResult{Output: made.Output, UsedFallback: made.UsedFallback, Error: optional(made.Error)}
	if options.CollectMetrics {
		metrics := made.Metrics()
		result.Metrics = &FormatMetrics{
			RawBytes: metrics.RawBytes, CompactBytes: metrics.CompactBytes, SavingsPercent: metrics.SavingsPercent,
			ProcessingTimeMs: float64(elapsed()) / float64(time.Millisecond),
		}
	}
	return result, nil
}

// compactRow gives an e-mail as the formatter sees it: with its body where that was read and there is time, else with its snippet.
func compactRow(e *Email, options CompactOptions, late bool) compact.Email {
	row := compact.Email{ID: e.ID().String(), Subject: e.Subject(), When: when.Format(e.noun.Date, e.at.Moment.Moment), Snippet: e.Snippet(), Unread: e.Unread()}
	if from := e.From(); from != nil {
		row.From = from.Email
		if from.Name != nil {
			row.From = *from.Name + " <" + from.Email + ">"
		}
	}
	if e.noun.Root == nil || late {
		return row
	}
	for _, file := range mail.Attachments(e.noun.Root) {
		switch {
		case file.Inline:
		case file.Filename == "":
			row.Attachments = append(row.Attachments, file.MIMEType)
		default:
			row.Attachments = append(row.Attachments, file.Filename)
		}
	}
	row.Body, _, _ = mail.Body(e.noun.Root, model.BodyClean, min(options.MaxLines*options.MaxLineLength, model.MaxBodyChars))
	return row
}
