package compact

import (
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// Agenda is what lies before somebody, as the formatter sees it: entries in their order, those from before the window
// first.
type Agenda struct {
	From    Time          `json:"from"`
	To      Time          `json:"to"`
	Entries []AgendaEntry `json:"entries"`
	Counts  AgendaCounts  `json:"counts"`
	Notes   []AgendaNote  `json:"notes"`
	// More: others follow that are not here.
	More bool `json:"-"`
}

// AgendaKind is what an entry is.
type AgendaKind string

// The kinds.
const (
	AgendaEvent AgendaKind = "EVENT"
	AgendaTask  AgendaKind = "TASK"
	AgendaEmail AgendaKind = "EMAIL"
)

// AgendaEntry is one thing of an agenda. When is its time as JSON has it. Others wrote what events and e-mails say.
type AgendaEntry struct {
	ID      string          `json:"id"`
	Kind    AgendaKind      `json:"kind"`
	At      model.EventTime `json:"-"`
	End     model.EventTime `json:"-"`
	When    string          `json:"at"`
	Title   string          `json:"title"`
	Place   string          `json:"location,omitempty"`
	Who     string          `json:"from,omitempty"`
	Overdue bool            `json:"isOverdue"`
	// Before: it is from before the window.
	Before bool `json:"-"`
}

// AgendaCounts are how many there are of each kind in all; nil for what is not known.
type AgendaCounts struct {
	Events *int `json:"events"`
	Tasks  *int `json:"tasks"`
	Emails *int `json:"emails"`
}

// AgendaNote is what an agenda could not have.
type AgendaNote struct {
	// What names the kind, and the account where it is about one.
	What    string          `json:"what"`
	Code    model.ErrorCode `json:"code"`
	Message string          `json:"message"`
}

// agendaPhrases are an agenda's own words in one language.
type agendaPhrases struct {
	title, nothing, before, allDay string
	events, tasks, emails          counted
}

func agendaPhrasesOf(locale string) agendaPhrases {
	if locale == "he" {
		return agendaPhrases{
			title: "סדר יום", nothing: "אין דבר", before: "מלפני כן", allDay: "כל היום",
			events: counted{"", "אירוע אחד", "% אירועים"}, tasks: counted{"", "משימה אחת", "% משימות"},
			emails: counted{"", "הודעה אחת ממתינה לתשובה", "% הודעות ממתינות לתשובה"},
		}
	}
	return agendaPhrases{
		title: "Agenda", nothing: "nothing", before: "From before", allDay: "all day",
		events: counted{"", "1 event", "% events"}, tasks: counted{"", "1 task", "% tasks"},
		emails: counted{"", "1 email waits for an answer", "% emails wait for an answer"},
	}
}

// terseness is how much a line of an agenda says.
type terseness struct {
	ids, ends, more bool
	// title and who are how many characters of them are said at most; 0 for the width of a line.
	title, who int
}

// The steps by which lines become terse, until all entries fit into the tokens allowed.
func tersenesses() []terseness {
	return []terseness{
		{ids: true, ends: true, more: true},
		{ends: true, more: true},
		{ends: true, title: 40, who: 20},
		{title: 28, who: 12},
		{title: 20, who: 8},
	}
}

// Write returns the agenda as text: a title that counts, a line for each thing that could not be had, and a line for
// each entry below the name of its day. An id begins each line as long as all entries fit into the tokens allowed;
// where they do not, first ids, then ends, places and long titles are left out. A box stands before a task, an envelope
// before an e-mail, an exclamation mark behind the box of a task that is overdue.
func (a Agenda) Write(o Options) Result {
	var chosen Result
	for step, terse := range tersenesses() {
		result := a.document(o, terse).write(o)
		// with nothing gained by saying less, as much is said as can be without ids
		if step == 0 || step == 1 && !result.UsedFallback {
			chosen = result
		}
		if result.UsedFallback {
			break
		}
		if result.Shown >= min(len(a.Notes)+len(a.Entries), o.bounds().MaxLines) {
			chosen = result
			break
		}
	}
	chosen.Shown = max(chosen.Shown-len(a.Notes), 0)
	return chosen
}

func (a Agenda) document(o Options, terse terseness) *document {
	w := o.writing()
	l := agendaLines{writing: w, words: agendaPhrasesOf(o.At.Locale), terse: terse}
	if l.at.Zone == nil {
		l.at.Zone = time.UTC
	}
	fenced := slices.ContainsFunc(a.Entries, func(e AgendaEntry) bool { return e.Kind != AgendaTask }) || len(a.Notes) > 0
	return &document{
		title:  func(string) string { return l.title(a) },
		n:      len(a.Notes) + len(a.Entries),
		fenced: fenced, open: a.More, say: w.say,
		row: func(i, _ int) []string {
			if i < len(a.Notes) {
				note := a.Notes[i]
				return []string{"\u2717 " + w.part(joined(": ", note.What, string(note.Code), note.Message))}
			}
			i -= len(a.Notes)
			line := l.entry(a.Entries[i])
			if head := l.head(a.Entries[i]); i == 0 || head != l.head(a.Entries[i-1]) {
				line = head + "\n" + line
			}
			return []string{line}
		},
		raw: func(shown int) any {
			a.Entries = a.Entries[:max(shown-len(a.Notes), 0)]
			return a
		},
	}
}

// agendaLines writes the lines of an agenda.
type agendaLines struct {
	*writing
	words agendaPhrases
	terse terseness
}

// title names the days, and counts.
func (l agendaLines) title(a Agenda) string {
	first, last := model.DateOf(a.From.In(l.at.Zone)), model.DateOf(a.To.Add(-1).In(l.at.Zone))
	days := when.FormatDate(first, l.at)
	if last != first {
		days += " – " + when.FormatDate(last, l.at)
	}
	var counts []string
	for _, c := range [...]struct {
		n     *int
		words counted
	}{{a.Counts.Events, l.words.events}, {a.Counts.Tasks, l.words.tasks}, {a.Counts.Emails, l.words.emails}} {
		if c.n != nil && *c.n > 0 {
			counts = append(counts, c.words.number(*c.n))
		}
	}
	if len(counts) == 0 {
		counts = []string{l.words.nothing}
	}
	return l.words.title + ", " + days + ": " + strings.Join(counts, ", ")
}

// day is the day on which an entry stands: that of its own beginning.
func (l agendaLines) day(e AgendaEntry) model.Date {
	if e.At.AllDay() {
		return e.At.Date
	}
	return model.DateOf(e.At.At.In(l.at.Zone))
}

// head names the day of an entry.
func (l agendaLines) head(e AgendaEntry) string {
	if e.Before {
		return l.words.before + ":"
	}
	day := l.day(e)
	return when.FormatDate(day, l.at) + " (" + day.String() + "):"
}

// entry is an entry's line.
func (l agendaLines) entry(e AgendaEntry) string {
	mark := ""
	switch e.Kind {
	case AgendaTask:
		mark = "☐"
		if e.Overdue {
			mark += "!"
		}
	case AgendaEmail:
		mark = "✉"
	case AgendaEvent:
	}
	title := l.short(e.Title, l.terse.title)
	if e.Kind == AgendaEmail {
		title = joined(": ", l.short(e.Who, l.terse.who), title)
	}
	if l.terse.more {
		title = joined(" | ", title, l.part(e.Place))
	}
	id := ""
	if l.terse.ids {
		id = named(e.ID)
	}
	return joined(" ", id, l.clock(e), mark, title)
}

// short is a piece of at most so many characters.
func (l agendaLines) short(text string, most int) string {
	if most == 0 {
		return l.part(text)
	}
	return guarded(Line(text, most))
}

// clock says when an entry is, below the name of its day.
func (l agendaLines) clock(e AgendaEntry) string {
	start := e.At.At.In(l.at.Zone)
	switch {
	case e.At.AllDay():
		last := e.End.Date.AddDays(-1)
		if !l.terse.ends || e.End.Date.IsZero() || !e.At.Date.Before(last) {
			return l.words.allDay
		}
		return l.words.allDay + " – " + when.FormatDate(last, l.at)
	case e.Before && !l.terse.ends:
		return start.Format("2006-01-02")
	case e.Before:
		return start.Format("2006-01-02 15:04")
	case !l.terse.ends || !e.End.At.After(e.At.At):
		return start.Format("15:04")
	}
	end := e.End.At.In(l.at.Zone)
	switch {
	case model.DateOf(start) == model.DateOf(end):
		return start.Format("15:04") + "–" + end.Format("15:04")
	case end.Hour() == 0 && end.Minute() == 0 && end.Sub(start) < 24*time.Hour:
		return start.Format("15:04") + "–24:00"
	}
	return start.Format("15:04") + " – " + when.Format(e.End.At, l.at)
}

// Sender is how an e-mail's sender is named on a line: by name, else by address.
func Sender(from []model.EmailAddress) string {
	if len(from) == 0 {
		return ""
	}
	if name := strings.TrimSpace(from[0].Name); name != "" {
		return name
	}
	return from[0].Email
}
