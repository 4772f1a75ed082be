package compact

import (
	"slices"
	"strconv"
	"strings"

	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections/mail"
)

// Payload is what a mutation did, for all mutations alike.
type Payload struct {
	// Counts say what was done, in the order in which they are to be told; those of 0 are not.
	Counts []Count `json:"-"`
	// Rows are what was concerned.
	Rows []Row `json:"nodes"`
	// Errors are why items of a bulk were left.
	Errors []Problem `json:"errors"`
	// NotFound are ids, or texts, that name nothing.
	NotFound []string `json:"notFound"`
	// UserErrors are what the caller can mend.
	UserErrors []UserError `json:"userErrors"`
	// Said is what was done or found where no counts say it: a sentence, then lines about it, of which those that begin
	// with "- " are what it lists. They may hold what others have written.
	Said []string `json:"said,omitempty"`
	// Message is what a remote says; empty for nothing.
	Message string `json:"message,omitempty"`
	// Confirmation is the question to answer first; nil when there is none.
	Confirmation *Confirmation `json:"confirmation"`
	// DryRun: nothing was done, all this says what would be.
	DryRun bool `json:"-"`
}

// DryRun returns rows of what a dry run would make or change, with ids that are no record's; nil for nil.
func DryRun(rows []Row) []Row {
	for i, row := range rows {
		rows[i] = wouldBe{row}
	}
	return rows
}

// wouldBe is the row of something that would be made or changed.
type wouldBe struct{ Row }

func (r wouldBe) id() string {
	if id := r.Row.id(); id != "" {
		return dryrun.Prefix + id
	}
	return ""
}

func (r wouldBe) spread(w *writing, extra int) (text string, more []string) {
	if s, roomy := r.Row.(spacious); roomy {
		return s.spread(w, extra)
	}
	return r.text(w), nil
}

// Count is how many things something was done to. Name is that of the payload's field.
type Count struct {
	Name string
	N    int
}

// Problem is why an item of a bulk was left.
type Problem struct {
	ID      *string         `json:"id"`
	Index   int             `json:"index"`
	Code    model.ErrorCode `json:"code"`
	Message string          `json:"message"`
}

// UserError is what the caller can mend.
type UserError struct {
	Code    model.ErrorCode `json:"code"`
	Message string          `json:"message"`
	Field   []string        `json:"field"`
}

// Confirmation is a question with its candidates.
type Confirmation struct {
	Kind          model.ConfirmationKind `json:"kind"`
	Question      string                 `json:"question"`
	Candidates    []Candidate            `json:"candidates"`
	AllowMultiple bool                   `json:"allowMultiple"`
	ExpiresAt     Time                   `json:"expiresAt"`
	Token         string                 `json:"token"`
	// Foreign: others may have written what the labels and the question say.
	Foreign bool `json:"-"`
}

// Candidate is what can be chosen.
type Candidate struct {
	ID    string  `json:"id"`
	Label string  `json:"label"`
	Score float64 `json:"score"`
}

// said is a row that is a sentence of ours about something.
type said struct {
	words  string
	others bool
}

func (s said) id() string             { return "" }
func (s said) foreign() bool          { return s.others }
func (s said) text(w *writing) string { return w.part(s.words) }

// candidate is a candidate as a row.
type candidate struct {
	Candidate
	scored, others bool
}

func (c candidate) id() string    { return named(c.ID) }
func (c candidate) foreign() bool { return c.others }

func (c candidate) text(w *writing) string {
	if !c.scored {
		return w.part(c.Label)
	}
	return scored(&c.Score) + w.part(c.Label)
}

// Write returns the payload as text: a line that says what was done, a line for each problem, the question with its
// candidates, or what was concerned; and the token with which the question is answered, whole or not at all. It is
// parted where it is longer than a line: its lines are to be put together without anything between them.
func (p Payload) Write(o Options) Result {
	w := o.writing()
	var rows []Row
	foreign := p.Confirmation != nil && p.Confirmation.Foreign
	for _, row := range p.Rows {
		foreign = foreign || row.foreign()
	}
	for _, e := range p.UserErrors {
		rows = append(rows, said{joined(": ", string(e.Code), strings.Join(e.Field, "."), e.Message), foreign})
	}
	for _, e := range p.Errors {
		rows = append(rows, said{joined(": ", "#"+strconv.Itoa(e.Index), value(e.ID), string(e.Code), e.Message), foreign})
	}
	for _, id := range p.NotFound {
		if slices.ContainsFunc(p.Errors, func(e Problem) bool { return e.Code == model.CodeNotFound && value(e.ID) == id }) {
			continue // it is told already
		}
		rows = append(rows, said{w.say.notFound + ": " + id, foreign})
	}
	problems := len(rows)
	var foot []string
	if q := p.Confirmation; q != nil {
		rows = append(rows, said{q.Question, foreign})
		for _, c := range q.Candidates {
			rows = append(rows, candidate{c, q.Kind == model.PickOne || q.Kind == model.PickMany, foreign})
		}
		foot = q.answer(w, o)
	}
	before := len(rows)
	listed, beside := p.listed()
	rows = append(append(rows, listed...), p.Rows...)
	d := rowsDocument(rows, w)
	d.title = func(string) string { return p.done(w) }
	for _, line := range beside {
		d.head = append(d.head, w.part(line))
	}
	if p.Message != "" {
		d.head = append(d.head, w.part(p.Message))
	}
	d.foot = foot
	numbered := before
	if p.Confirmation != nil {
		numbered = problems + 1
	}
	d.row = func(i, extra int) []string {
		switch {
		case i < problems:
			return []string{"\u2717 " + rows[i].text(w)}
		case i == problems && p.Confirmation != nil:
			return []string{"? " + rows[i].text(w)}
		default:
			return rowLines(rows[i], i-numbered+1, extra, w)
		}
	}
	d.raw = func(shown int) any { return p.first(max(shown-before-len(listed), 0)) }
	return d.write(o)
}

// listed returns what the sentences of an answer list, and the other lines behind the first one.
func (p Payload) listed() (rows []Row, beside []string) {
	for _, line := range p.Said[min(1, len(p.Said)):] {
		if one, ok := strings.CutPrefix(line, "- "); ok {
			rows = append(rows, said{one, true})
		} else {
			beside = append(beside, line)
		}
	}
	return rows, beside
}

// done says what was done.
func (p Payload) done(w *writing) string {
	if len(p.Said) > 0 && p.DryRun {
		return w.part(p.Said[0])
	}
	if len(p.Said) > 0 {
		return "\u2713 " + w.part(p.Said[0])
	}
	var parts []string
	for _, count := range p.Counts {
		if phrase := w.say.counts[count.Name]; phrase != "" && count.N > 0 {
			parts = append(parts, sprint(phrase, strconv.Itoa(count.N)))
		}
	}
	if len(parts) == 0 {
		return w.say.nothing
	}
	mark, done := "\u2713 ", strings.Join(parts, ", ")
	if p.DryRun {
		return sprint(w.say.dryRun, mark+done)
	}
	return mark + done
}

// first is the payload with the first of its rows alone.
func (p Payload) first(n int) any {
	p.Rows = append([]Row{}, p.Rows[:min(n, len(p.Rows))]...)
	counts := make(map[string]int, len(p.Counts))
	for _, count := range p.Counts {
		counts[count.Name] = count.N
	}
	return struct {
		Counts map[string]int `json:"counts"`
		Payload
	}{counts, p}
}

// answer says how the question is answered, with the token in as many lines as it needs; without the token when the
// text has no room for it.
func (c *Confirmation) answer(w *writing, o Options) []string {
	how := w.say.answerOne
	switch {
	case c.Kind == model.Approval:
		how = w.say.answerAll
	case c.AllowMultiple:
		how = w.say.answerMany
	}
	lines := []string{sprint(how, w.when(c.ExpiresAt.Time))}
	token := Line(c.Token, len(c.Token))
	if o.MaxTokens > 0 && quarters(token) > 2*o.MaxTokens { // half of what the whole text may have
		return []string{w.say.token}
	}
	for {
		head, cut := mail.Cut(token, w.width)
		lines = append(lines, head)
		if !cut {
			return lines
		}
		token = token[len(head):]
	}
}

// Ref is an id alone.
type Ref struct {
	ID string `json:"id"`
}

func (r Ref) id() string           { return named(r.ID) }
func (r Ref) foreign() bool        { return false }
func (r Ref) text(*writing) string { return "" }
