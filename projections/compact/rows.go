package compact

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/projections/when"
)

// Row is something that stands on one line: its id first, so that a model can act on it, then what matters of it. As
// JSON a row is what a client would select of the API's type to say the same.
type Row interface {
	// id is the row's id, which must be ours; empty for none.
	id() string
	// text returns what follows the id.
	text(w *writing) string
	// foreign reports whether others may have written what the row says.
	foreign() bool
}

// spacious is a row that has more to say where there is room.
type spacious interface {
	// spread returns the text that follows the id, and up to extra more lines.
	spread(w *writing, extra int) (text string, more []string)
}

// writing is what rows are written with.
type writing struct {
	say   *phrases
	at    when.Moment
	width int
}

func (o Options) writing() *writing {
	return &writing{say: phrasesOf(o.At.Locale), at: o.At, width: o.bounds().MaxLineLength}
}

// when says an instant for people; empty for none.
func (w *writing) when(t time.Time) string { return when.Format(t, w.at) }

// part returns a piece of a row: one line, in which nothing can be taken for a fence.
func (w *writing) part(text string) string { return guarded(Line(text, w.width)) }

// named returns an id; those of data that somebody hands in may be any text.
func named(id string) string { return guarded(Line(id, maxID)) }

// maxID is longer than any id of ours, in characters.
const maxID = 2_000

// Page is rows of one kind.
type Page struct {
	Kind Kind
	Rows []Row
	// More: others follow that are not here.
	More bool
}

// Write returns the page as text: a title that counts the rows, a numbered line for each, and a line that counts what
// was left out. An id that would take more than half of a line stands on a line of its own, with the rest of its row
// below. Rows that others may have written stand between fences.
func (p Page) Write(o Options) Result {
	w := o.writing()
	d := rowsDocument(p.Rows, w)
	d.title = func(query string) string { return w.say.title(p.Kind, len(p.Rows), p.More, query) }
	d.open = p.More
	return d.write(o)
}

// rowsDocument is a document of rows, without a title.
func rowsDocument(rows []Row, w *writing) *document {
	d := &document{
		n: len(rows), say: w.say,
		row: func(i, extra int) []string { return rowLines(rows[i], i+1, extra, w) },
		raw: func(shown int) any { return rows[:shown] },
	}
	for _, row := range rows {
		_, roomy := row.(spacious)
		d.roomy, d.fenced = d.roomy || roomy, d.fenced || row.foreign()
	}
	return d
}

// indent stands before the lines that go on: only rows begin with a number.
const indent = "   "

// rowLines returns a row's line, and up to extra more.
func rowLines(row Row, number, extra int, w *writing) []string {
	var text string
	var more []string
	if s, roomy := row.(spacious); roomy {
		text, more = s.spread(w, extra)
	} else {
		text = row.text(w)
	}
	first := strconv.Itoa(number) + "."
	if id := row.id(); id != "" {
		first += " " + id
	}
	switch {
	case text == "":
	case utf8.RuneCountInString(first) > w.width/2 && row.id() != "":
		first += "\n" + indent + text
	default:
		first += " " + text
	}
	return append([]string{first}, more...)
}

// joined puts the pieces that say something behind each other.
func joined(separator string, pieces ...string) string {
	var b strings.Builder
	for _, piece := range pieces {
		if piece == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(separator)
		}
		b.WriteString(piece)
	}
	return b.String()
}

// value returns what is pointed to, the zero value for nothing.
func value[T any](p *T) T {
	if p == nil {
		var none T
		return none
	}
	return *p
}
