package extract

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/adapters/knowledge"
	"almanac/adapters/openai"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/graphtext"
)

// How much of one answer is taken.
const (
	maxEntitiesOfPart = 300
	maxFactsOfPart    = 300
	maxCloses         = 5
)

// Why something of an answer was dropped, for Report.Dropped.
const (
	DroppedForm    = "form"    // not of the form that was asked for
	DroppedLimit   = "limit"   // too long, or too many
	DroppedName    = "name"    // an entity or a relation without a name
	DroppedHandle  = "handle"  // a known entity or fact that was not given, or is another one
	DroppedAlias   = "alias"   // not in the text
	DroppedEnd     = "end"     // an end that is not among the entities, is several of them, or is the other end
	DroppedTime    = "time"    // a time that is none, or an end before its beginning
	DroppedClosing = "closing" // the closing of a fact that the new one does not contradict
	DroppedRefused = "refused" // the knowledge base found it wrong
)

// found is what was read from the parts of one episode so far.
type found struct {
	entities []knowledge.End
	places   map[string]int
	// told are the entities for the parts to come.
	told  []entityShown
	facts []knowledge.NewFact
	// keys are those of facts, so that each is kept once.
	keys    map[string]bool
	dropped map[string]int
}

func newFound() *found {
	return &found{places: map[string]int{}, keys: map[string]bool{}, dropped: map[string]int{}}
}

func (f *found) drop(why string) { f.dropped[why]++ }

// keyOf is the key of a name.
func keyOf(name string) string { return graphtext.Name(name) }

// errNoGraph is for an answer that is JSON and no graph.
var errNoGraph = &model.Error{
	Code: model.CodeUpstreamRejected, Reason: openai.ReasonAnswer,
	Message: "The model's answer cannot be used: it does not have the form that was asked for.",
	Cause:   errors.New("extract: neither entities nor facts in the answer"),
}

// saidEntity and saidFact are parts of an answer, of which nothing is trusted.
type saidEntity struct {
	Name    string   `json:"name"`
	Known   *string  `json:"known"`
	Type    *string  `json:"type"`
	Summary *string  `json:"summary"`
	Aliases []string `json:"aliases"`
}

type saidFact struct {
	Source    string   `json:"source"`
	Relation  string   `json:"relation"`
	Target    string   `json:"target"`
	Fact      string   `json:"fact"`
	ValidAt   *string  `json:"valid_at"`
	InvalidAt *string  `json:"invalid_at"`
	Closes    []string `json:"closes"`
}

// take checks an answer about a piece and adds what is right in it. An error only when there is nothing of a graph in
// it; what else is wrong is dropped and counted.
func (f *found) take(answer string, p piece) error {
	var said struct {
		Entities *[]json.RawMessage `json:"entities"`
		Facts    *[]json.RawMessage `json:"facts"`
	}
	if json.Unmarshal([]byte(answer), &said) != nil || said.Entities == nil || said.Facts == nil {
		return errNoGraph
	}
	t := &taking{found: f, piece: p, text: keyOfText(p.text), names: map[string][]int{}}
	for i, raw := range *said.Entities {
		var e saidEntity
		switch {
		case i >= maxEntitiesOfPart:
			f.drop(DroppedLimit)
		case json.Unmarshal(raw, &e) != nil:
			f.drop(DroppedForm)
		default:
			t.entity(e)
		}
	}
	for i, raw := range *said.Facts {
		var s saidFact
		switch {
		case i >= maxFactsOfPart, len(f.facts) >= model.MaxFactsAtOnce:
			f.drop(DroppedLimit)
		case json.Unmarshal(raw, &s) != nil:
			f.drop(DroppedForm)
		default:
			t.fact(s)
		}
	}
	return nil
}

// taking is one answer as it is gone through.
type taking struct {
	*found
	piece
	// text is the part's, folded, to look names up in.
	text string
	// names leads from the key of a name or an alias in this answer to places in found.entities.
	names map[string][]int
}

// keyOfText folds a text of any length, as names are.
func keyOfText(text string) string { return fold.Text(text) }

// line returns a text as one line, clean, without what cannot be seen, of at most so many characters; ok is false when
// it is longer, or nothing of it can be seen.
func line(text string, most int) (string, bool) {
	const slack = 8
	if len(text) > slack*utf8.UTFMax*most {
		return "", false
	}
	text = strings.Join(strings.Fields(fold.Clean(visible(text))), " ")
	return text, utf8.RuneCountInString(text) <= most && keyOf(text) != ""
}

// optional is line of a text that may be left out; what is wrong with it is dropped.
func (t *taking) optional(text *string, most int) string {
	if text == nil || strings.TrimSpace(*text) == "" {
		return ""
	}
	kept, ok := line(*text, most)
	if !ok {
		t.drop(DroppedLimit)
		return ""
	}
	return kept
}

func (t *taking) entity(said saidEntity) {
	name, ok := line(said.Name, model.MaxEntityName)
	if !ok {
		t.drop(DroppedName)
		return
	}
	end := knowledge.End{Name: name, Type: kindOf(t.optional(said.Type, model.MaxEntityType)),
		Summary: t.optional(said.Summary, model.MaxEntitySummary)}
	others := t.aliases(said.Aliases, name)
	names := append([]string{name}, others...)
	key := "name " + keyOf(name) + "\x00" + keyOf(end.Type)
	if said.Known != nil && *said.Known != "" {
		if e, ok := t.known.entities[*said.Known]; ok && isThatOne(e, names) {
			names = append(names, e.Name)
			if keyOf(name) != keyOf(e.Name) && t.inText(name) {
				others = append(others, name) // by which the graph may not know it yet
			}
			others = slices.DeleteFunc(others, func(alias string) bool {
				return keyOf(alias) == keyOf(e.Name) ||
					slices.ContainsFunc(e.Aliases, func(a string) bool { return keyOf(a) == keyOf(alias) })
			})
			end = knowledge.End{ID: e.ID, Summary: end.Summary}
			key = "id " + e.ID.String()
		} else {
			t.drop(DroppedHandle)
		}
	}
	end.Aliases = others
	at := t.place(key, end)
	if at < 0 {
		return
	}
	for _, n := range names {
		if k := keyOf(n); !slices.Contains(t.names[k], at) {
			t.names[k] = append(t.names[k], at)
		}
	}
}

// place returns where an entity stands, and puts it there when it is new. Less than 0: no more are taken.
func (t *taking) place(key string, end knowledge.End) int {
	at, ok := t.places[key]
	if !ok {
		if len(t.entities) >= model.MaxFactsAtOnce {
			t.drop(DroppedLimit)
			return -1
		}
		at = len(t.entities)
		t.places[key] = at
		t.entities = append(t.entities, end)
		if end.Name != "" {
			t.told = append(t.told, entityShown{Name: end.Name, Type: end.Type, Aliases: end.Aliases})
		}
		return at
	}
	there := &t.entities[at]
	there.Summary = cmp.Or(there.Summary, end.Summary)
	for _, alias := range end.Aliases {
		if len(there.Aliases) < model.MaxAliases &&
			!slices.ContainsFunc(there.Aliases, func(a string) bool { return keyOf(a) == keyOf(alias) }) {
			there.Aliases = append(there.Aliases, alias)
		}
	}
	return at
}

// aliases returns those that stand in the text: a name that nobody has written is a guess.
func (t *taking) aliases(said []string, name string) (kept []string) {
	seen := []string{keyOf(name)}
	for _, one := range said {
		if strings.TrimSpace(one) == "" {
			continue
		}
		alias, ok := line(one, model.MaxEntityName)
		key := keyOf(alias)
		switch {
		case !ok, len(kept) >= model.MaxAliases:
			t.drop(DroppedLimit)
		case slices.Contains(seen, key):
		case !t.inText(alias):
			t.drop(DroppedAlias)
		default:
			seen, kept = append(seen, key), append(kept, alias)
		}
	}
	return kept
}

func (t *taking) inText(name string) bool { return strings.Contains(t.text, keyOf(name)) }

// isThatOne reports whether an entity may be the known one that the answer says it is: they share a name, or a word of
// one. A model that mixes up handles must not put the facts of one person to another.
func isThatOne(e model.Entity, names []string) bool {
	theirs := append([]string{e.Name}, e.Aliases...)
	for _, name := range names {
		for _, other := range theirs {
			a, b := keyOf(name), keyOf(other)
			if a == b || shareWord(a, b) {
				return true
			}
		}
	}
	return false
}

func shareWord(a, b string) bool {
	others := strings.Fields(b)
	return slices.ContainsFunc(strings.Fields(a),
		func(w string) bool { return utf8.RuneCountInString(w) > 1 && slices.Contains(others, w) })
}

// kindOf returns a type of those that the model is offered in their spelling, and any other as it is.
func kindOf(said string) string {
	for _, kind := range []string{"Person", "Organization", "Location", "Event", "Document", "Topic", "Object",
		"Preference", "Requirement", "Procedure"} {
		if strings.EqualFold(kind, said) {
			return kind
		}
	}
	if strings.EqualFold(said, "Entity") {
		return "" // nobody has said what it is
	}
	return said
}

// end finds the entity that a fact names.
func (t *taking) end(name string) (at int, ok bool) {
	places := t.names[keyOf(name)]
	if len(places) != 1 {
		return 0, false
	}
	return places[0], true
}

func (t *taking) fact(said saidFact) {
	relation, ok := graphtext.Relation(said.Relation)
	if !ok {
		t.drop(DroppedName)
		return
	}
	source, knowsSource := t.end(said.Source)
	target, knowsTarget := t.end(said.Target)
	if !knowsSource || !knowsTarget || source == target {
		t.drop(DroppedEnd)
		return
	}
	fact := knowledge.NewFact{Source: reference(t.entities[source]), Target: reference(t.entities[target]),
		Relation: relation}
	if strings.TrimSpace(said.Fact) != "" {
		if fact.Sentence, ok = line(said.Fact, model.MaxFactSentence); !ok {
			t.drop(DroppedLimit)
			return
		}
	}
	if !t.times(said, &fact) {
		t.drop(DroppedTime)
		return
	}
	fact.Closes = t.closings(said.Closes, &fact)
	key := strings.Join([]string{
		strconv.Itoa(source), relation, strconv.Itoa(target), keyOf(fact.Sentence), fact.ValidAt.Format(time.RFC3339Nano),
		fact.InvalidAt.Format(time.RFC3339Nano),
	}, "\x00")
	if t.keys[key] {
		return
	}
	t.keys[key] = true
	t.facts = append(t.facts, fact)
}

// reference is an end of a fact: what is said of the entity itself stands with the entities, once.
func reference(e knowledge.End) knowledge.End {
	if e.ID != (model.ID{}) {
		return knowledge.End{ID: e.ID}
	}
	return knowledge.End{Name: e.Name, Type: e.Type}
}

// times reads when a fact holds. A beginning that is none is left out, for then nobody has said; without an end that is
// none, or that comes before the beginning, the fact would say something else.
func (t *taking) times(said saidFact, fact *knowledge.NewFact) bool {
	var ok bool
	if fact.ValidAt, ok = timeOf(said.ValidAt, t.at.Location()); !ok {
		t.drop(DroppedTime)
	}
	if fact.InvalidAt, ok = timeOf(said.InvalidAt, t.at.Location()); !ok {
		return false
	}
	return fact.ValidAt.IsZero() || fact.InvalidAt.IsZero() || fact.InvalidAt.After(fact.ValidAt)
}

// timeOf reads a time as the model was told to write it, and in forms near to that; what has no offset is in the zone.
// Zero for none; ok is false for what is no time.
func timeOf(said *string, zone *time.Location) (at time.Time, ok bool) {
	if said == nil {
		return time.Time{}, true
	}
	text := strings.TrimSpace(*said)
	if text == "" || strings.EqualFold(text, "null") {
		return time.Time{}, true
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04",
		"2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly, "2006-01", "2006"} {
		if at, err := time.ParseInLocation(form, text, zone); err == nil {
			at = at.UTC().Truncate(time.Microsecond)
			return at, at.Year() >= minYear && at.Year() <= maxYear
		}
	}
	return time.Time{}, false
}

// Years that a fact may be of: what both stores can keep, and JSON can write.
const (
	minYear = 2
	maxYear = 9998
)

// closings returns the known facts that a fact takes the place of: those that were given with this piece, are of the
// same source, and have its relation or its target. A fact that closes begins with the episode when nobody has said
// when it began.
func (t *taking) closings(handles []string, fact *knowledge.NewFact) (ids []model.ID) {
	begins := fact.ValidAt
	if begins.IsZero() {
		begins = t.at.UTC().Truncate(time.Microsecond)
	}
	for _, handle := range handles {
		old, given := t.known.facts[handle]
		switch {
		case !given:
			t.drop(DroppedHandle)
		case len(ids) >= maxCloses, slices.Contains(ids, old.ID), !t.contradicts(fact, &old),
			!old.ValidAt.IsZero() && !old.ValidAt.Before(begins),
			!fact.InvalidAt.IsZero() && !fact.InvalidAt.After(begins):
			t.drop(DroppedClosing)
		default:
			ids = append(ids, old.ID)
		}
	}
	if len(ids) > 0 {
		fact.ValidAt = begins
	}
	return ids
}

// contradicts reports whether a new fact may take the place of a known one.
func (t *taking) contradicts(fact *knowledge.NewFact, old *model.Fact) bool {
	if !isEnd(fact.Source, old.Source) {
		return false
	}
	same, target := fact.Relation == old.Relation, isEnd(fact.Target, old.Target)
	if same && target {
		return fact.Sentence != "" && !graphtext.Same(fact.Sentence, old.Sentence)
	}
	return same || target
}

// isEnd reports whether an end of a new fact is an entity of the graph.
func isEnd(end knowledge.End, entity model.Entity) bool {
	if end.ID != (model.ID{}) {
		return end.ID == entity.ID
	}
	return keyOf(end.Name) == keyOf(entity.Name)
}
