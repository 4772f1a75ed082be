package compact

import (
	"strconv"
	"strings"

	"almanac/graph/model"
	"almanac/projections/mail"
)

// Email is an e-mail as the formatter sees it. ID and Date are our own words; all else was written by others.
type Email struct {
	ID          string       `json:"id"`
	From        *Address     `json:"from"`
	Subject     string       `json:"subject"`
	Date        Time         `json:"date"`
	Unread      bool         `json:"unread"`
	Attachments []Attachment `json:"attachments"`
	Snippet     string       `json:"snippet"`
	// Body is shown instead of the snippet when it is there, on as many lines as there is room for.
	Body *Body `json:"body,omitempty"`
}

// Address is who an e-mail is from.
type Address struct {
	Name  *string `json:"name"`
	Email string  `json:"email"`
}

// Attachment is a file that hangs on an e-mail.
type Attachment struct {
	Filename string `json:"filename"`
}

// Body is what an e-mail says.
type Body struct {
	Text string `json:"text"`
}

func (e Email) id() string    { return named(e.ID) }
func (e Email) foreign() bool { return true }

func (e Email) text(w *writing) string {
	text, _ := e.spread(w, 0)
	return text
}

// spread returns when it came, whether it is unread, who it is from, what it is about, its files, and how it begins.
// Where there is room, more lines of it follow, indented, so that no line of a body can be taken for another e-mail.
func (e Email) spread(w *writing, extra int) (text string, more []string) {
	state := ""
	if e.Unread {
		state = w.say.unread
	}
	sender := ""
	if e.From != nil {
		sender = w.part(e.From.Email)
		if name := w.part(value(e.From.Name)); name != "" {
			sender = name + " <" + sender + ">"
		}
	}
	text = joined(" | ", joined(" ", w.when(e.Date.Time), state), sender, w.part(e.Subject), w.files(e.Attachments))
	return e.below(w, text, extra)
}

// below returns a text with what the e-mail says: behind it, or on up to extra lines of its own.
func (e Email) below(w *writing, text string, extra int) (first string, more []string) {
	body := e.bodyLines(w, extra)
	if extra == 0 {
		return joined(" | ", append([]string{text}, body...)...), nil
	}
	for i, line := range body {
		if i == extra {
			more[i-1] = ellipsis(more[i-1], w.width)
			break
		}
		more = append(more, clip(indent+guarded(line), w.width))
	}
	return text, more
}

// files names an e-mail's files.
func (w *writing) files(files []Attachment) string {
	if len(files) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(w.say.files.number(len(files)))
	for i, file := range files {
		if i == maxNamed {
			b.WriteString(", \u2026")
			break
		}
		b.WriteString([...]string{": ", ", "}[min(i, 1)] + w.part(file.Filename))
	}
	return b.String()
}

// bodyLines returns the lines of what an e-mail says that are not empty, one more than are shown at most, so that one
// can tell that there are more.
func (e Email) bodyLines(w *writing, extra int) []string {
	text := ""
	if e.Body != nil {
		text = e.Body.Text
	}
	if strings.TrimSpace(text) == "" {
		text = e.Snippet
	}
	var lines []string
	for len(lines) <= extra && text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		for len(lines) <= extra && line != "" {
			head, cut := mail.Cut(line, 4*w.width)
			if !cut {
				head, line = line, ""
			} else {
				line = line[len(head):]
			}
			shown := Line(head, 4*w.width)
			for len(lines) <= extra && shown != "" {
				if extra == 0 {
					lines, shown = append(lines, shown), ""
					continue
				}
				var first string
				first, shown = wrap(shown, w.width-len(indent))
				lines = append(lines, first)
			}
		}
	}
	return lines
}

// Preview is an e-mail that has not been sent. The user's assistant wrote it; addresses and a quoted reply may be
// others'.
type Preview struct {
	ID        string    `json:"id"`
	Hash      string    `json:"hash"`
	State     string    `json:"state"`
	To        []Address `json:"to"`
	Cc        []Address `json:"cc"`
	Bcc       []Address `json:"bcc"`
	Subject   string    `json:"subject"`
	Body      string    `json:"body"`
	SendAt    Time      `json:"sendAt"`
	ExpiresAt Time      `json:"expiresAt"`
	Problem   *string   `json:"problem"`
}

// id is what sendEmail wants: the id and the hash.
func (p Preview) id() string {
	if p.Hash == "" {
		return named(p.ID)
	}
	return named(p.ID + " hash " + p.Hash)
}

func (p Preview) foreign() bool { return true }

func (p Preview) text(w *writing) string {
	text, _ := p.spread(w, 0)
	return text
}

// spread returns how far it is, to whom it goes, and what it says.
func (p Preview) spread(w *writing, extra int) (text string, more []string) {
	people := ""
	for _, group := range [...]struct {
		name      string
		addresses []Address
	}{{"to", p.To}, {"cc", p.Cc}, {"bcc", p.Bcc}} {
		names := ""
		for i, a := range group.addresses {
			if i == maxNamed {
				names += " +" + strconv.Itoa(len(group.addresses)-i)
				break
			}
			names = joined(", ", names, w.part(a.Email))
		}
		if names != "" {
			people = joined(" ", people, group.name+" "+names)
		}
	}
	until := ""
	switch {
	case p.State == string(model.OutboxPreview) && !p.ExpiresAt.IsZero():
		until = w.say.expiresAt + " " + w.when(p.ExpiresAt.Time)
	case p.State == string(model.OutboxScheduled) && !p.SendAt.IsZero():
		until = w.say.sendAt + " " + w.when(p.SendAt.Time)
	}
	text = joined(" | ", w.part(p.State), people, w.part(p.Subject), until, w.part(value(p.Problem)))
	return Email{Snippet: p.Body}.below(w, text, extra)
}
