package openai

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/projections/fold"
)

// Read plays a model that reads texts: it finds who works, lives and so on where, in plain sentences of English and
// Hebrew, and writes entities and facts as it was asked to. It takes the text, what is known and the time from between
// the marks of the question, as internal/extract makes it. What it does not understand it leaves out; a question
// without such marks has an answer without anything in it.
func Read(c Chat) string {
	p := pageOf(c.Said("user"))
	r := &reader{page: p, places: map[string]int{}, out: readOut{Entities: []readEntity{}, Facts: []readFact{}}}
	for _, sentence := range sentencesOf(p.text) {
		r.read(sentence)
	}
	text, err := json.Marshal(r.out)
	if err != nil {
		panic(err) // texts can always be written
	}
	return string(text)
}

// readOut is the answer; its names are those of the form.
type readOut struct {
	Entities []readEntity `json:"entities"`
	Facts    []readFact   `json:"facts"`
}

type readEntity struct {
	Name    string   `json:"name"`
	Known   *string  `json:"known"`
	Type    *string  `json:"type"`
	Summary *string  `json:"summary"`
	Aliases []string `json:"aliases"`
}

type readFact struct {
	Source    string   `json:"source"`
	Relation  string   `json:"relation"`
	Target    string   `json:"target"`
	Fact      string   `json:"fact"`
	ValidAt   *string  `json:"valid_at"`
	InvalidAt *string  `json:"invalid_at"`
	Closes    []string `json:"closes"`
}

// page is what a question holds.
type page struct {
	text  string
	at    time.Time
	known struct {
		Entities []struct {
			ID      string   `json:"id"`
			Name    string   `json:"name"`
			Aliases []string `json:"aliases"`
		} `json:"entities"`
		Facts []struct {
			ID       string `json:"id"`
			Source   string `json:"source"`
			Relation string `json:"relation"`
			Target   string `json:"target"`
			Fact     string `json:"fact"`
		} `json:"facts"`
	}
}

var (
	fenceForm = regexp.MustCompile(`(?m)^<<untrusted ([0-9a-f]+) (known|text)\b.*$`)
	timeForm  = regexp.MustCompile(`(?m)^Reference time: .*?(\d{4}-\d{2}-\d{2}T\S+)`)
)

func pageOf(question string) (p page) {
	if at := timeForm.FindStringSubmatch(question); at != nil {
		if when, err := time.Parse(time.RFC3339, at[1]); err == nil {
			p.at = when
		}
	}
	first := ""
	for _, mark := range fenceForm.FindAllStringSubmatchIndex(question, -1) {
		token, kind := question[mark[2]:mark[3]], question[mark[4]:mark[5]]
		if first == "" {
			first = token
		}
		inside, _, closed := strings.Cut(question[mark[1]:], "\nuntrusted "+token+">>")
		switch {
		case !closed, token != first: // what looks like a mark and is part of the text
		case kind == "text":
			p.text = strings.TrimPrefix(inside, "\n")
		case json.Unmarshal([]byte(inside), &p.known) != nil:
			p.known.Entities, p.known.Facts = nil, nil
		}
	}
	return p
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?](\s+|$)|\n+`)
	speakerForm = regexp.MustCompile(`^(\pL[\pL\pN '’"״׳.-]{0,40}):\s+(.+)$`)
)

// sentencesOf splits a text; who says "I" in a line of a conversation is named.
func sentencesOf(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		speaker := ""
		if m := speakerForm.FindStringSubmatch(line); m != nil {
			speaker, line = m[1], m[2]
		}
		for _, sentence := range sentenceEnd.Split(line, -1) {
			if sentence = strings.TrimSpace(sentence); sentence != "" {
				all = append(all, named(sentence, speaker))
			}
		}
	}
	return all
}

// named puts a speaker's name for "I".
func named(sentence, speaker string) string {
	if speaker == "" {
		return sentence
	}
	if rest, ok := strings.CutPrefix(sentence, "אני "); ok {
		return speaker + " " + rest
	}
	for own, other := range map[string]string{"I work ": " works ", "I live ": " lives ", "I like ": " likes ",
		"I love ": " loves ", "I manage ": " manages ", "I am ": " is ", "I'm ": " is "} {
		if rest, ok := strings.CutPrefix(sentence, own); ok {
			return speaker + other + rest
		}
	}
	if rest, ok := strings.CutPrefix(sentence, "I "); ok {
		return speaker + " " + rest
	}
	return sentence
}

// saying is a form of sentence that is understood.
type saying struct {
	form                         *regexp.Regexp
	relation, source, target     string
	replaces, ends, relationLast bool
}

// sayings are those forms, in both languages.
var sayings = sync.OnceValue(func() []saying {
	const person, organization, location, topic = "Person", "Organization", "Location", "Topic"
	return []saying{
		{form: regexp.MustCompile(`^(.+?) (?:no longer works at|no longer works for|left|quit) (.+)$`), relation: "WORKS_AT",
			source: person, target: organization, ends: true},
		{form: regexp.MustCompile(`^(.+?) (?:works|is working) (?:at|for) (.+)$`), relation: "WORKS_AT", source: person,
			target: organization},
		{form: regexp.MustCompile(`^(.+?) (?:joined|has joined) (.+)$`), relation: "WORKS_AT", source: person,
			target: organization, replaces: true},
		{form: regexp.MustCompile(`^(.+?) lives in (.+)$`), relation: "LIVES_IN", source: person, target: location},
		{form: regexp.MustCompile(`^(.+?) (?:moved|has moved) to (.+)$`), relation: "LIVES_IN", source: person,
			target: location, replaces: true},
		{form: regexp.MustCompile(`^(.+?) is married to (.+)$`), relation: "MARRIED_TO", source: person, target: person},
		{form: regexp.MustCompile(`^(.+?) is the (\pL+) of (.+)$`), relation: "_OF", source: person, target: person,
			relationLast: true},
		{form: regexp.MustCompile(`^(.+?) (?:manages|leads) (.+)$`), relation: "MANAGES", source: person},
		{form: regexp.MustCompile(`^(.+?) (?:likes|loves) (.+)$`), relation: "LIKES", source: person, target: topic},
		{form: regexp.MustCompile(`^(.+?) is located in (.+)$`), relation: "LOCATED_IN", source: organization,
			target: location},
		{form: regexp.MustCompile(`^(.+?) (?:כבר לא עובדת?|הפסיקה? לעבוד) ב[-־]?(.+)$`), relation: "WORKS_AT", source: person,
			target: organization, ends: true},
		{form: regexp.MustCompile(`^(.+?) עזבה? את (.+)$`), relation: "WORKS_AT", source: person, target: organization,
			ends: true},
		{form: regexp.MustCompile(`^(.+?) עובדת? ב[-־]?(.+)$`), relation: "WORKS_AT", source: person, target: organization},
		{form: regexp.MustCompile(`^(.+?) הצטרפה? ל[-־]?(.+)$`), relation: "WORKS_AT", source: person, target: organization,
			replaces: true},
		{form: regexp.MustCompile(`^(.+?) גרה? ב[-־]?(.+)$`), relation: "LIVES_IN", source: person, target: location},
		{form: regexp.MustCompile(`^(.+?) עברה? (?:לגור ב|ל)[-־]?(.+)$`), relation: "LIVES_IN", source: person,
			target: location, replaces: true},
		{form: regexp.MustCompile(`^(.+?) (?:נשוי|נשואה) ל[-־]?(.+)$`), relation: "MARRIED_TO", source: person,
			target: person},
		{form: regexp.MustCompile(`^(.+?) מנהלת? את (.+)$`), relation: "MANAGES", source: person},
		{form: regexp.MustCompile(`^(.+?) אוהבת? את (.+)$`), relation: "LIKES", source: person, target: topic},
		{form: regexp.MustCompile(`^(.+?) נמצאת? ב[-־]?(.+)$`), relation: "LOCATED_IN", source: organization,
			target: location},
	}
})

var (
	dateForm = regexp.MustCompile(`(?:,? )(since|from|on|in|until|till|מאז|החל מ|ב|עד)[ -]?(\d{4}(?:-\d{2}(?:-\d{2})?)?)$`)
	dayForm  = regexp.MustCompile(`(?i)^(yesterday|today|אתמול|היום),? (.+)$|^(.+?),? (yesterday|today|אתמול|היום)$`)
)

// reader writes down what it finds.
type reader struct {
	page
	out    readOut
	places map[string]int
}

// read understands one sentence, or leaves it.
func (r *reader) read(sentence string) {
	rest, from, to := r.dated(sentence)
	if !beginsName(rest) {
		return
	}
	for _, s := range sayings() {
		m := s.form.FindStringSubmatch(rest)
		if m == nil {
			continue
		}
		source, target, relation := m[1], m[len(m)-1], s.relation
		if s.relationLast {
			relation = strings.ToUpper(m[2]) + relation
		}
		if !isName(source) || !isName(target) {
			return
		}
		fact := readFact{
			Source: r.entity(source, s.source), Target: r.entity(target, s.target), Relation: relation, Fact: sentence,
			ValidAt: from, InvalidAt: to, Closes: []string{},
		}
		r.settle(s, &fact)
		r.out.Facts = append(r.out.Facts, fact)
		return
	}
}

// settle says what a fact means for those that are known.
func (r *reader) settle(s saying, fact *readFact) {
	if s.ends {
		if fact.InvalidAt = fact.ValidAt; fact.InvalidAt == nil {
			fact.InvalidAt = stamp(r.at)
		}
		fact.ValidAt = nil
	}
	for _, known := range r.known.Facts {
		same := fold.Text(known.Source) == fold.Text(fact.Source) && known.Relation == fact.Relation
		switch other := fold.Text(known.Target) != fold.Text(fact.Target); {
		case same && !other && s.ends:
			fact.Fact = known.Fact
		case same && other && s.replaces:
			fact.Closes = append(fact.Closes, known.ID)
		}
	}
}

// entity returns the name under which something is written down, which is the known one's where it is known.
func (r *reader) entity(name, kind string) string {
	e := readEntity{Name: name, Aliases: []string{}}
	if kind != "" {
		e.Type = &kind
	}
	for _, known := range r.known.Entities {
		if slices.ContainsFunc(append([]string{known.Name}, known.Aliases...),
			func(n string) bool { return fold.Text(n) == fold.Text(name) }) {
			e.Name, e.Known = known.Name, &known.ID
			break
		}
	}
	key := fold.Text(e.Name)
	if _, there := r.places[key]; !there {
		r.places[key] = len(r.out.Entities)
		r.out.Entities = append(r.out.Entities, e)
	}
	return r.out.Entities[r.places[key]].Name
}

// dated takes the time out of a sentence.
func (r *reader) dated(sentence string) (rest string, from, to *string) {
	if m := dayForm.FindStringSubmatch(sentence); m != nil {
		day := r.at
		if word := strings.ToLower(m[1] + m[4]); word == "yesterday" || word == "אתמול" {
			day = day.AddDate(0, 0, -1)
		}
		return m[2] + m[3], stamp(time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, day.Location())), nil
	}
	m := dateForm.FindStringSubmatchIndex(sentence)
	if m == nil {
		return sentence, nil, nil
	}
	rest = sentence[:m[0]]
	whole := (sentence[m[4]:m[5]] + "-01-01")[:len("2006-01-02")]
	when, err := time.ParseInLocation("2006-01-02", whole, r.at.Location())
	if err != nil {
		return sentence, nil, nil
	}
	if word := sentence[m[2]:m[3]]; word == "until" || word == "till" || word == "עד" {
		return rest, nil, stamp(when)
	}
	return rest, stamp(when), nil
}

func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.Format(time.RFC3339)
	return &text
}

// isName reports whether a part of a sentence may be a name: a few words, that begin with a capital where there are
// capitals.
func isName(text string) bool {
	const most = 5
	parts := strings.Fields(text)
	if len(parts) == 0 || len(parts) > most {
		return false
	}
	return beginsName(text)
}

// beginsName reports whether a text may begin with a name.
func beginsName(text string) bool { return text != "" && (text[0] < 'a' || text[0] > 'z') }
