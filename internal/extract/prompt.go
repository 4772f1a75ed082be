package extract

import (
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
	"unicode"

	"almanac/adapters/openai"
	"almanac/graph/model"
)

// instructions are our own words to the model. All that is of others stands in the other message.
//
//go:embed instructions.txt
var instructions string

// formSchema is the form of the answer, as OpenAI's structured outputs want it.
const formSchema = `{"type":"object","properties":{` +
	`"entities":{"type":"array","items":{"type":"object","properties":{` +
	`"name":{"type":"string"},"known":{"type":["string","null"]},"type":{"type":["string","null"]},` +
	`"summary":{"type":["string","null"]},"aliases":{"type":"array","items":{"type":"string"}}},` +
	`"required":["name","known","type","summary","aliases"],"additionalProperties":false}},` +
	`"facts":{"type":"array","items":{"type":"object","properties":{` +
	`"source":{"type":"string"},"relation":{"type":"string"},"target":{"type":"string"},"fact":{"type":"string"},` +
	`"valid_at":{"type":["string","null"]},"invalid_at":{"type":["string","null"]},` +
	`"closes":{"type":"array","items":{"type":"string"}}},` +
	`"required":["source","relation","target","fact","valid_at","invalid_at","closes"],"additionalProperties":false}}},` +
	`"required":["entities","facts"],"additionalProperties":false}`

// form asks for the answer.
func form() *openai.Form { return &openai.Form{Name: "graph", Schema: json.RawMessage(formSchema)} }

// piece is a part of an episode on its way to the model.
type piece struct {
	episode *model.Episode
	text    string
	// number counts the parts from 1, of is how many there are.
	number, of int
	// at is the reference time in the user's zone.
	at time.Time
	// before are entities of earlier parts that the graph may not know.
	before []entityShown
	known  *known
}

// entityShown and factShown are how what is known is told. Their names are those of the instructions.
type entityShown struct {
	ID      string   `json:"id,omitempty"`
	Name    string   `json:"name"`
	Type    string   `json:"type,omitempty"`
	Aliases []string `json:"aliases,omitempty"`
}

type factShown struct {
	ID       string `json:"id"`
	Source   string `json:"source"`
	Relation string `json:"relation"`
	Target   string `json:"target"`
	Fact     string `json:"fact"`
	ValidAt  string `json:"valid_at,omitempty"`
}

// messages makes the question.
func (p piece) messages() []openai.Message {
	var b strings.Builder
	b.WriteString("Kind of text: " + string(p.episode.Source) + "\n")
	b.WriteString("Reference time: " + p.at.Format("Monday ") + p.at.Format(time.RFC3339) + "\n")
	if p.of > 1 {
		b.WriteString("This is part " + counted(p.number, p.of) + " of a longer text.\n")
	}
	shown := p.shown()
	text := visible(p.text)
	origin := visible(p.origin())
	token := tokenFor(shown, origin, text)
	fence := func(kind, inside string) {
		b.WriteString("\n<<untrusted " + token + " " + kind + "\n" + inside + "\nuntrusted " + token + ">>\n")
	}
	if shown != "" {
		fence("known: entities and facts that are known already, as JSON", shown)
	}
	if origin != "" {
		fence("origin: what the text is called, and where it comes from", origin)
	}
	fence("text: what is to be read", text)
	return []openai.Message{{Role: openai.RoleSystem, Text: instructions}, {Role: openai.RoleUser, Text: b.String()}}
}

// origin is what the episode says of itself.
func (p piece) origin() string {
	return strings.Join(strings.Fields(p.episode.Name+"\n"+p.episode.SourceDescription), " ")
}

// shown is what is known, as JSON: in that, no text can end a line.
func (p piece) shown() string {
	var all struct {
		Entities []entityShown `json:"entities"`
		Facts    []factShown   `json:"facts"`
	}
	all.Entities, all.Facts = []entityShown{}, []factShown{}
	for _, handle := range p.known.entityOrder {
		e := p.known.entities[handle]
		all.Entities = append(all.Entities, entityShown{ID: handle, Name: visible(e.Name), Type: visible(e.Type),
			Aliases: visibles(e.Aliases)})
	}
	for _, e := range p.before {
		if len(p.known.names[keyOf(e.Name)]) == 0 {
			all.Entities = append(all.Entities, e)
		}
	}
	for _, handle := range p.known.factOrder {
		f := p.known.facts[handle]
		one := factShown{ID: handle, Source: visible(f.Source.Name), Relation: f.Relation, Target: visible(f.Target.Name),
			Fact: visible(f.Sentence)}
		if !f.ValidAt.IsZero() {
			one.ValidAt = f.ValidAt.In(p.at.Location()).Format(time.RFC3339)
		}
		all.Facts = append(all.Facts, one)
	}
	if len(all.Entities)+len(all.Facts) == 0 {
		return ""
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(all) != nil {
		return "" // texts can always be written
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// tokenFor returns the code of the marks, which stands nowhere between them and is new each time.
func tokenFor(texts ...string) string {
	for all := strings.ToLower(strings.Join(texts, "\n")); ; {
		var token [8]byte
		_, _ = rand.Read(token[:]) // never fails, by its contract
		if shown := hex.EncodeToString(token[:]); !strings.Contains(all, shown) {
			return shown
		}
	}
}

// visible takes from a text what a program sees and a person does not, in which orders can be hidden: control
// characters, directions, zero widths, tags and private characters. Joiners stay: Persian, Indic scripts and emoji are
// spelt with them.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\u200d', r == '\u200c':
			return r
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co, unicode.Other_Default_Ignorable_Code_Point),
			r >= 0xe0100 && r <= 0xe01ef:
			return -1
		case r == '\u2028', r == '\u2029':
			return '\n'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

func visibles(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = visible(text)
	}
	return out
}
