package compact

import (
	"cmp"
	"strconv"
	"strings"

	"almanac/graph/model"
	"almanac/projections/when"
)

// Entity is an entity as the formatter sees it. A model may have read it out of what others wrote.
type Entity struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Summary *string  `json:"summary"`
	Aliases []string `json:"aliases,omitempty"`
}

func (e Entity) id() string    { return named(e.ID) }
func (e Entity) foreign() bool { return true }

func (e Entity) text(w *writing) string {
	return joined(" - ", w.part(e.Name)+" ["+w.part(e.Type)+"]", guarded(TruncateText(value(e.Summary), summaryLength)))
}

// Fact is a fact as the formatter sees it. A model may have read it out of what others wrote.
type Fact struct {
	ID         string   `json:"id"`
	Relation   string   `json:"relation"`
	Fact       string   `json:"fact"`
	Source     Named    `json:"source"`
	Target     Named    `json:"target"`
	ValidAt    Time     `json:"validAt"`
	InvalidAt  Time     `json:"invalidAt"`
	Confidence *float64 `json:"confidence"`
}

// Named is an entity at an end of a fact.
type Named struct {
	Name string `json:"name"`
}

func (f Fact) id() string    { return named(f.ID) }
func (f Fact) foreign() bool { return true }

// text returns the relation between two names, and the sentence where it says more; of a sentence that has both names,
// the sentence alone.
func (f Fact) text(w *writing) string {
	source, target, sentence := w.part(f.Source.Name), w.part(f.Target.Name), w.part(f.Fact)
	said := "[" + w.part(f.Relation) + "] " + sentence
	if sentence == "" || source == "" || !strings.Contains(sentence, source) || !strings.Contains(sentence, target) {
		said = joined(": ", source+" --"+relation(f.Relation)+"--> "+target, sentence)
	}
	if value(f.Confidence) > 0 {
		said += " (" + w.say.sure + ": " + strconv.FormatFloat(*f.Confidence, 'g', 4, 64) + ")"
	}
	return joined(" ", f.span(w), said)
}

// span says since when a fact holds, and until when; empty when neither is known. It stands first, so that no cut takes
// it.
func (f Fact) span(w *writing) string {
	since, until := "", ""
	if !f.ValidAt.IsZero() {
		since = w.say.from + " " + w.date(f.ValidAt)
	}
	separator := " "
	switch {
	case f.InvalidAt.IsZero():
	case f.InvalidAt.After(w.at.Now):
		until = w.say.to + " " + w.date(f.InvalidAt)
	default:
		separator, until = ", ", w.say.ended+" "+w.date(f.InvalidAt)
	}
	if span := joined(separator, since, until); span != "" {
		return "(" + span + ")"
	}
	return ""
}

// date says the day of an instant, in the reader's zone, by digits.
func (w *writing) date(t Time) string {
	if w.at.Zone == nil {
		return t.UTC().Format("2006-01-02")
	}
	return t.In(w.at.Zone).Format("2006-01-02")
}

// FoundEntity is an entity that a search has found.
type FoundEntity struct {
	Score *float64 `json:"score"`
	Node  Entity   `json:"node"`
}

func (f FoundEntity) id() string             { return f.Node.id() }
func (f FoundEntity) foreign() bool          { return true }
func (f FoundEntity) text(w *writing) string { return scored(f.Score) + f.Node.text(w) }

// FoundFact is a fact that a search has found.
type FoundFact struct {
	Score *float64 `json:"score"`
	Node  Fact     `json:"node"`
}

func (f FoundFact) id() string             { return f.Node.id() }
func (f FoundFact) foreign() bool          { return true }
func (f FoundFact) text(w *writing) string { return scored(f.Score) + f.Node.text(w) }

// Episode is an episode as the formatter sees it. It may be what others wrote.
type Episode struct {
	ID                string              `json:"id"`
	Name              string              `json:"name"`
	Content           string              `json:"content"`
	SourceDescription *string             `json:"sourceDescription"`
	ReferenceTime     Time                `json:"referenceTime"`
	State             model.EpisodeState  `json:"state"`
	Problem           *string             `json:"problem,omitempty"`
	Source            model.EpisodeSource `json:"source"`
	// Extraction is State as answers name it.
	Extraction model.EpisodeState `json:"extraction,omitempty"`
}

func (e Episode) id() string    { return named(e.ID) }
func (e Episode) foreign() bool { return true }

// text says the state only where it is not what one would expect.
func (e Episode) text(w *writing) string {
	name, content := w.part(e.Name), guarded(TruncateText(e.Content, contentLength))
	if strings.HasPrefix(content, strings.TrimSuffix(name, "...")) { // a name that was made of the beginning
		name = ""
	}
	state := ""
	if cmp.Or(e.Extraction, e.State) == model.EpisodeQueued || cmp.Or(e.Extraction, e.State) == model.EpisodeFailed {
		state = "(" + string(cmp.Or(e.Extraction, e.State)) + ")"
	}
	return joined(" ", "["+w.ago(e.ReferenceTime)+"]", state, joined(" - ", name, content), w.origin(e.SourceDescription))
}

// origin says where an episode comes from.
func (w *writing) origin(description *string) string {
	if text := w.part(value(description)); text != "" {
		return "| " + text
	}
	return ""
}

// ago says how long ago an instant was: in Hebrew the day.
func (w *writing) ago(t Time) string {
	if w.say == &hebrew {
		return when.Format(t.Time, w.at)
	}
	return RelativeTime(t.Time, w.at.Now)
}

// Status is how a knowledge graph is; what is not counted is nil.
type Status struct {
	Backend          model.KnowledgeBackend `json:"backend"`
	Status           string                 `json:"status"`
	Message          *string                `json:"message"`
	EntityCount      *int                   `json:"entityCount"`
	FactCount        *int                   `json:"factCount"`
	CurrentFactCount *int                   `json:"currentFactCount"`
	EpisodeCount     *int                   `json:"episodeCount"`
	LastUpdated      Time                   `json:"lastUpdated"`
	ExtractionModel  *string                `json:"extractionModel"`
	Queued           *int                   `json:"queued"`
	Failed           *int                   `json:"failed"`
}

// Write returns the status as text: one line says how it is, one counts.
func (s Status) Write(o Options) Result {
	w := o.writing()
	counted := func(name string, n *int) string {
		if n == nil {
			return ""
		}
		return name + ": " + strconv.Itoa(*n)
	}
	facts := counted(w.say.facts, s.FactCount)
	if facts != "" && s.CurrentFactCount != nil {
		facts += " (" + sprint(w.say.current, strconv.Itoa(*s.CurrentFactCount)) + ")"
	}
	updated := ""
	if !s.LastUpdated.IsZero() {
		updated = w.say.updated + ": " + w.ago(s.LastUpdated)
	}
	waiting := ""
	for _, one := range [...]struct {
		word string
		n    *int
	}{{w.say.queued, s.Queued}, {w.say.failed, s.Failed}} {
		if value(one.n) > 0 {
			waiting = joined(", ", waiting, strconv.Itoa(*one.n)+" "+one.word)
		}
	}
	if waiting != "" {
		waiting = " (" + waiting + ")"
	}
	d := &document{
		title: func(string) string {
			return joined(" | ", w.say.status+": "+w.part(s.Status), w.part(string(s.Backend)), w.part(value(s.ExtractionModel)))
		},
		say: w.say, raw: func(int) any { return s },
	}
	if message := w.part(value(s.Message)); message != "" {
		d.head = append(d.head, message)
	}
	episodes := counted(w.say.episodes, s.EpisodeCount)
	if episodes != "" {
		episodes += waiting
	}
	if counts := joined(" | ", counted(w.say.entities, s.EntityCount), facts, episodes, updated); counts != "" {
		d.head = append(d.head, counts)
	}
	return d.write(o)
}

// Change is a line of the change log.
type Change struct {
	Type      model.ChangeType `json:"type"`
	Operation model.Operation  `json:"operation"`
	ID        string           `json:"id"`
	// NodeID is the record's id, in answers where ID is the change's own.
	NodeID string `json:"nodeId,omitempty"`
	At     Time   `json:"at"`
}

func (c Change) id() string    { return named(cmp.Or(c.NodeID, c.ID)) }
func (c Change) foreign() bool { return false }

// text says what happened and when; the id says to what kind of thing.
func (c Change) text(w *writing) string {
	return joined(" ", w.part(string(c.Operation)), w.when(c.At.Time))
}
