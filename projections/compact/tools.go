package compact

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
	"unicode"
)

// Lengths of what the contract cuts, in characters.
const (
	summaryLength = 80
	contentLength = 60
)

// builtIns are the formatters that every registry has, by the names of their operations. They are those of
// docs/decisions/0016-compact-text.md.
func builtIns() map[string]builtIn {
	all := ownBuiltIns()
	maps.Copy(all, websetBuiltIns())
	return all
}

func ownBuiltIns() map[string]builtIn {
	return map[string]builtIn{
		"search_nodes search_memory_nodes":  orRefused("\u2717 Search failed: ", searchNodes),
		"search_facts search_memory_facts":  orRefused("\u2717 Search failed: ", searchFacts),
		"get_episodes":                      orRefused("\u2717 Get episodes failed: ", getEpisodes),
		"get_status":                        orRefused("Knowledge Graph Status: ERROR\n", getStatus),
		"add_memory add_episode":            orRefused("\u2717 Add episode failed: ", addMemory),
		"delete_episode delete_entity_edge": orRefused("\u2717 Delete failed: ", deleted),
		"clear_graph":                       orRefused("\u2717 Clear graph failed: ", clearGraph),

		"tasks":          rowsOf[Task](KindTasks),
		"taskBoard":      boardOf,
		"lists":          rowsOf[List](KindLists),
		"events":         rowsOf[Event](KindEvents),
		"emails":         rowsOf[Email](KindEmails),
		"emailThread":    rowsOf[Email](KindEmails),
		"memories":       rowsOf[Memory](KindMemories),
		"searchMemories": edgesOf[FoundMemory, Memory](KindMemories),
		"entities":       edgesOf[FoundEntity, Entity](KindEntities),
		"facts":          edgesOf[FoundFact, Fact](KindFacts),
		"episodes":       rowsOf[Episode](KindEpisodes),
		"changes":        rowsOf[Change](KindChanges),
		"actions":        rowsOf[Action](KindActions),
		"knowledgeStatus": func(data json.RawMessage, _ Options) (writer, error) {
			status, err := read[Status](data)
			if status.Status == "" {
				err = ErrInvalidData
			}
			return status, err
		},
	}
}

// read reads data of a known shape.
func read[T any](data json.RawMessage) (T, error) {
	var out T
	if err := json.Unmarshal(data, &out); err != nil {
		return out, ErrInvalidData
	}
	return out, nil
}

// tool is a document of a knowledge graph's tool; it is in English, as the contract has it.
type tool struct{ document }

func (t tool) Write(o Options) Result {
	t.say = &english
	t.raw = func(int) any { return nil }
	return t.write(o)
}

// lines is a document of lines that are all there is.
func lines(all ...string) (writer, error) {
	return tool{document{title: func(string) string { return all[0] }, head: all[1:]}}, nil
}

// found is the title of what a search has found: with the query in quotes, or the word itself when there is none.
func found(what, query string) string {
	if query == "" {
		return what + " for query"
	}
	return what + ` for "` + query + `"`
}

// failure is the error of an answer of a tool that failed; what is no text is none.
type failure struct{ why string }

// UnmarshalJSON reads a text.
func (f *failure) UnmarshalJSON(data []byte) error {
	var text *string
	if json.Unmarshal(data, &text) == nil && text != nil {
		f.why = or(clean(*text), unknownError)
	}
	return nil
}

// orRefused is the built-in formatter of a tool whose answer may be {error} instead: that is written behind a text. It
// counts also when other fields are not as they should be.
func orRefused(text string, otherwise builtIn) builtIn {
	return func(data json.RawMessage, o Options) (writer, error) {
		answer, _ := read[struct { // what cannot be read is for the other one to say
			Error failure `json:"error"`
		}](data)
		if answer.Error.why != "" {
			return lines(strings.Split(text+answer.Error.why, "\n")...)
		}
		return otherwise(data, o)
	}
}

const unknownError = "Unknown error"

// clean returns a piece of an answer as one line in which nothing can be taken for a fence.
func clean(text string) string { return guarded(Line(text, maxPiece)) }

// maxPiece bounds a piece that is cut with its line, in characters: more than a line may have.
const maxPiece = 10_000

// or returns the text, another for none.
func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// plural counts things in English.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// searchNodes: {nodes: [{name, entity_type or labels, summary}]}.
func searchNodes(data json.RawMessage, _ Options) (writer, error) {
	answer, err := read[struct {
		Nodes []struct {
			Name       string   `json:"name"`
			EntityType string   `json:"entity_type"`
			Labels     []string `json:"labels"`
			Summary    string   `json:"summary"`
		} `json:"nodes"`
	}](data)
	if err != nil || answer.Nodes == nil {
		return nil, ErrInvalidData
	}
	nodes := answer.Nodes
	return tool{document{
		title: func(query string) string {
			if len(nodes) == 0 {
				return found("No entities found", query)
			}
			return found("Found "+plural(len(nodes), "entity", "entities"), query) + ":"
		},
		n: len(nodes),
		row: func(i, _ int) []string {
			kind := clean(nodes[i].EntityType)
			for _, label := range nodes[i].Labels {
				if kind == "" && label != anyEntity {
					kind = clean(label)
				}
			}
			row := strconv.Itoa(i+1) + ". " + or(clean(nodes[i].Name), "Unnamed entity") + " [" + or(kind, anyEntity) + "]"
			return []string{joined(" - ", row, guarded(TruncateText(nodes[i].Summary, summaryLength)))}
		},
	}}, nil
}

// anyEntity is the label that every entity of Graphiti has.
const anyEntity = "Entity"

// searchFacts: {facts: [{source: {name}, target: {name}, relation, confidence}]}, or Graphiti's {facts: [{name, fact,
// invalid_at, expired_at}]}.
func searchFacts(data json.RawMessage, _ Options) (writer, error) {
	answer, err := read[struct {
		Facts []toolFact `json:"facts"`
	}](data)
	if err != nil || answer.Facts == nil {
		return nil, ErrInvalidData
	}
	facts := answer.Facts
	return tool{document{
		title: func(query string) string {
			if len(facts) == 0 {
				return found("No facts found", query)
			}
			return found("Found "+plural(len(facts), "relationship", "relationships"), query) + ":"
		},
		n:   len(facts),
		row: func(i, _ int) []string { return []string{strconv.Itoa(i+1) + ". " + facts[i].text()} },
	}}, nil
}

// toolFact is a fact in either shape.
type toolFact struct {
	Source     *Named   `json:"source"`
	Target     *Named   `json:"target"`
	Relation   string   `json:"relation"`
	Confidence *float64 `json:"confidence"`
	Name       string   `json:"name"`
	Fact       string   `json:"fact"`
	UUID       string   `json:"uuid"`
	InvalidAt  *string  `json:"invalid_at"`
	ExpiredAt  *string  `json:"expired_at"`
}

func (f toolFact) text() string {
	if f.Source != nil || f.Target != nil {
		return or(clean(value(f.Source).Name), "Unknown") + " --" + or(relation(f.Relation), "related-to") + "--> " +
			or(clean(value(f.Target).Name), "Unknown") + confidence(f.Confidence)
	}
	text := clean(f.Fact)
	if name := clean(f.Name); name != "" {
		text = joined(" ", "["+strings.ToUpper(name)+"]", text)
	}
	if text == "" {
		text = "Unknown fact (id: " + or(guarded(TruncateUUID(f.UUID)), "unknown") + ")"
	}
	for _, end := range [...]struct {
		word string
		at   *string
	}{{"until", f.InvalidAt}, {"expired", f.ExpiredAt}} {
		if at, known := parseTime(value(end.at)); known {
			return text + " (" + end.word + " " + at.UTC().Format("2006-01-02") + ")"
		}
	}
	return text
}

// relation writes a relation in lower case with hyphens.
func relation(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(clean(name)),
		func(r rune) bool { return r == '_' || unicode.IsSpace(r) }), "-")
}

// confidence says how sure a fact is, when that is said and more than nothing.
func confidence(sure *float64) string {
	if sure == nil || !(*sure > 0) {
		return ""
	}
	return " (confidence: " + strconv.FormatFloat(*sure, 'g', 4, 64) + ")"
}

// getEpisodes: {episodes: [{name, content, created_at}]}.
func getEpisodes(data json.RawMessage, o Options) (writer, error) {
	answer, err := read[struct {
		Episodes []struct {
			Name      string `json:"name"`
			Content   string `json:"content"`
			CreatedAt string `json:"created_at"`
		} `json:"episodes"`
	}](data)
	if err != nil || answer.Episodes == nil {
		return nil, ErrInvalidData
	}
	episodes := answer.Episodes
	return tool{document{
		title: func(string) string {
			if len(episodes) == 0 {
				return "No episodes found"
			}
			return "Recent episodes (" + strconv.Itoa(len(episodes)) + "):"
		},
		n: len(episodes),
		row: func(i, _ int) []string {
			row := "- [" + agoOf(episodes[i].CreatedAt, o) + "] " + or(clean(episodes[i].Name), "Unnamed episode")
			return []string{joined(" - ", row, guarded(TruncateText(episodes[i].Content, contentLength)))}
		},
	}}, nil
}

// agoOf says how long ago a time was that is written as text.
func agoOf(text string, o Options) string {
	at, known := parseTime(text)
	if !known {
		return "unknown time"
	}
	return RelativeTime(at, o.At.Now)
}

// getStatus: {status, message, entity_count, episode_count, last_updated}; something of it must be there.
func getStatus(data json.RawMessage, o Options) (writer, error) {
	answer, err := read[struct {
		Status      *string `json:"status"`
		Message     string  `json:"message"`
		Entities    *number `json:"entity_count"`
		Episodes    *number `json:"episode_count"`
		LastUpdated string  `json:"last_updated"`
	}](data)
	if err != nil || answer.Status == nil && answer.Entities == nil && answer.Episodes == nil {
		return nil, ErrInvalidData
	}
	all := []string{"Knowledge Graph Status: " + strings.ToUpper(or(clean(value(answer.Status)), "HEALTHY"))}
	if message := clean(answer.Message); message != "" {
		all = append(all, message)
	}
	counts := ""
	if answer.Entities != nil {
		counts = "Entities: " + answer.Entities.String()
	}
	if answer.Episodes != nil {
		counts = joined(" | ", counts, "Episodes: "+answer.Episodes.String())
	}
	if answer.LastUpdated != "" && counts != "" {
		counts += " | Last update: " + agoOf(answer.LastUpdated, o)
	}
	if counts != "" {
		all = append(all, counts)
	}
	return lines(all...)
}

// number is a count as JSON has it; what is no whole number is cut to one.
type number float64

func (n number) String() string { return strconv.FormatFloat(float64(n), 'f', 0, 64) }

// things counts things in English.
func (n number) things(one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return n.String() + " " + many
}

// addMemory: {uuid, name, entities_extracted, facts_extracted}, or Graphiti's {message}.
func addMemory(data json.RawMessage, _ Options) (writer, error) {
	answer, err := read[struct {
		UUID     string  `json:"uuid"`
		Name     string  `json:"name"`
		Message  string  `json:"message"`
		Entities *number `json:"entities_extracted"`
		Facts    *number `json:"facts_extracted"`
	}](data)
	if err != nil {
		return nil, err
	}
	message := clean(answer.Message)
	if clean(answer.UUID) == "" {
		if message == "" {
			return nil, ErrInvalidData
		}
		return lines("\u2713 " + message)
	}
	all := []string{"\u2713 Episode added: \"" + or(clean(answer.Name), "Unnamed episode") + "\" (id: " +
		guarded(TruncateUUID(answer.UUID)) + ")"}
	if answer.Entities != nil || answer.Facts != nil {
		all = append(all, "  Extracted: "+value(answer.Entities).things("entity", "entities")+", "+
			value(answer.Facts).things("fact", "facts"))
	}
	return lines(all...)
}

// deleted: {success, uuid, message}, or Graphiti's {message}.
func deleted(data json.RawMessage, _ Options) (writer, error) {
	answer, err := read[struct {
		Success *bool  `json:"success"`
		UUID    string `json:"uuid"`
		Message string `json:"message"`
	}](data)
	message := clean(answer.Message)
	switch {
	case err != nil || answer.Success == nil && message == "":
		return nil, ErrInvalidData
	case answer.Success == nil:
		return lines("\u2713 " + message)
	case *answer.Success:
		return lines("\u2713 Deleted: " + or(guarded(TruncateUUID(answer.UUID)), "unknown"))
	default:
		return lines("\u2717 Delete failed: " + or(message, unknownError))
	}
}

// clearGraph: {success, deleted_entities, deleted_episodes}, or Graphiti's {message}.
func clearGraph(data json.RawMessage, _ Options) (writer, error) {
	answer, err := read[struct {
		Success  *bool   `json:"success"`
		Entities *number `json:"deleted_entities"`
		Episodes *number `json:"deleted_episodes"`
		Message  string  `json:"message"`
	}](data)
	message := clean(answer.Message)
	switch {
	case err != nil || answer.Success == nil && message == "":
		return nil, ErrInvalidData
	case answer.Success == nil:
		return lines("\u2713 " + message)
	case !*answer.Success:
		return lines(joined(": ", "\u2717 Clear graph failed", message))
	case answer.Entities == nil && answer.Episodes == nil:
		return lines("\u2713 Knowledge graph cleared")
	default:
		return lines("\u2713 Knowledge graph cleared", "  Removed: "+value(answer.Entities).things("entity", "entities")+", "+
			value(answer.Episodes).things("episode", "episodes"))
	}
}
