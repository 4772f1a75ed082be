package graphiti

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"almanac/graph/model"
	"almanac/projections/fold"
)

// The server's shapes, as far as they are read (mcp_server/src/models/response_types.py; facts of a search are rows of
// EntityEdge).

type (
	wireNode struct {
		UUID       wireText       `json:"uuid"`
		Name       wireText       `json:"name"`
		Labels     wireTexts      `json:"labels"`
		CreatedAt  wireTime       `json:"created_at"`
		Summary    wireText       `json:"summary"`
		Group      wireText       `json:"group_id"`
		Attributes wireAttributes `json:"attributes"`
	}
	wireFact struct {
		UUID       wireText       `json:"uuid"`
		Group      wireText       `json:"group_id"`
		Source     wireText       `json:"source_node_uuid"`
		Target     wireText       `json:"target_node_uuid"`
		Name       wireText       `json:"name"`
		Fact       wireText       `json:"fact"`
		Episodes   wireTexts      `json:"episodes"`
		CreatedAt  wireTime       `json:"created_at"`
		ExpiredAt  wireTime       `json:"expired_at"`
		ValidAt    wireTime       `json:"valid_at"`
		InvalidAt  wireTime       `json:"invalid_at"`
		Attributes wireAttributes `json:"attributes"`
	}
	wireEpisode struct {
		UUID        wireText `json:"uuid"`
		Name        wireText `json:"name"`
		Content     wireText `json:"content"`
		CreatedAt   wireTime `json:"created_at"`
		ValidAt     wireTime `json:"valid_at"`
		Reference   wireTime `json:"reference_time"`
		Source      wireText `json:"source"`
		Description wireText `json:"source_description"`
		Group       wireText `json:"group_id"`
	}
)

// items reads a list item by item, so that one that is odd costs no other.
func items[W, T any](list []json.RawMessage, read func(W) (T, bool)) []T {
	var all []T
	for _, raw := range list {
		var one W
		if json.Unmarshal(raw, &one) != nil {
			continue
		}
		if item, ok := read(one); ok {
			all = append(all, item)
		}
	}
	return all
}

// entity is an entity of the group; false for any other.
func (w wireNode) entity(group string) (model.Entity, bool) {
	e := model.Entity{
		SourceID: string(w.UUID), Name: cutLine(string(w.Name), model.MaxEntityName),
		Summary:    cutText(string(w.Summary), model.MaxEntitySummary),
		Attributes: string(w.Attributes), CreatedAt: w.CreatedAt.Time, UpdatedAt: w.CreatedAt.Time, Version: 1,
	}
	for _, label := range w.Labels {
		if label != "Entity" && e.Type == "" {
			e.Type = cutLine(label, model.MaxEntityType)
		}
	}
	e.ID = model.KnowledgeRef{UUID: e.SourceID, Name: e.Name}.ID(model.KindEntity)
	if e.Name == "" {
		e.Name = e.SourceID
	}
	return e, string(w.Group) == group && e.ID != (model.ID{})
}

// fact is a fact of the group, whose ends have but a SourceID; false for any other.
func (w wireFact) fact(group string) (model.Fact, bool) {
	f := model.Fact{
		ID: model.KnowledgeRef{UUID: string(w.UUID)}.ID(model.KindFact), SourceID: string(w.UUID),
		Relation: relationOf(string(w.Name)), Sentence: cutText(string(w.Fact), model.MaxFactSentence),
		Source: model.Entity{SourceID: string(w.Source)}, Target: model.Entity{SourceID: string(w.Target)},
		ValidAt: w.ValidAt.Time, InvalidAt: w.InvalidAt.Time, CreatedAt: w.CreatedAt.Time, ExpiredAt: w.ExpiredAt.Time,
		Attributes: string(w.Attributes), Version: 1,
	}
	if f.InvalidAt.IsZero() {
		f.InvalidAt = f.ExpiredAt // known to hold no more, though nobody says since when
	}
	for _, uuid := range w.Episodes {
		if id := (model.KnowledgeRef{UUID: uuid}).ID(model.KindEpisode); id != (model.ID{}) &&
			len(f.Episodes) < model.MaxFactEpisodes && !slices.Contains(f.Episodes, id) {
			f.Episodes = append(f.Episodes, id)
		}
	}
	from, into := (model.KnowledgeRef{UUID: f.Source.SourceID}).ID(model.KindEntity),
		(model.KnowledgeRef{UUID: f.Target.SourceID}).ID(model.KindEntity)
	return f, string(w.Group) == group && f.ID != (model.ID{}) && from != (model.ID{}) && into != (model.ID{})
}

// episode is an episode of the group; false for any other. A server that does not tell when it happened tells when it
// was kept.
func (w wireEpisode) episode(group string) (model.Episode, bool) {
	e := model.Episode{
		ID: model.KnowledgeRef{UUID: string(w.UUID)}.ID(model.KindEpisode), SourceID: string(w.UUID),
		Name: cutLine(string(w.Name), model.MaxEpisodeName), Content: cutText(string(w.Content), model.MaxEpisodeContent),
		SourceDescription: cutText(string(w.Description), model.MaxEpisodeOrigin), Source: model.EpisodeText,
		ReferenceTime: w.ValidAt.Time, CreatedAt: w.CreatedAt.Time, State: model.EpisodeExtracted,
	}
	switch strings.ToLower(string(w.Source)) {
	case "message":
		e.Source = model.EpisodeMessage
	case "json":
		e.Source = model.EpisodeJSON
	}
	if e.ReferenceTime.IsZero() {
		e.ReferenceTime = w.Reference.Time
	}
	if e.ReferenceTime.IsZero() {
		e.ReferenceTime = e.CreatedAt
	}
	return e, string(w.Group) == group && e.ID != (model.ID{})
}

// relationOf writes a relation as it is written here: in capitals, words joined by underscores.
func relationOf(name string) string {
	words := strings.FieldsFunc(cutLine(name, model.MaxRelation),
		func(r rune) bool { return r == ' ' || r == '-' || r == '_' })
	if len(words) == 0 {
		return "RELATES_TO" // which is what Graphiti calls all of them in its database
	}
	return strings.ToUpper(strings.Join(words, "_"))
}

// canonical writes a JSON object with its keys in order; empty for anything else, for an object without entries, and
// for one that is too long.
func canonical(raw []byte) string {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var object map[string]any
	if decoder.Decode(&object) != nil || len(object) == 0 {
		return ""
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(object) != nil {
		return ""
	}
	text := strings.TrimSuffix(out.String(), "\n")
	if len(text) > model.MaxAttributes || strings.Contains(text, `\u0000`) {
		return ""
	}
	return text
}

// once leaves out what came before, by its uuid.
func once[T any](all []T, uuid func(*T) string) []T {
	seen := make(map[string]bool, len(all))
	return slices.DeleteFunc(all, func(one T) bool {
		id := uuid(&one)
		if seen[id] {
			return true
		}
		seen[id] = true
		return false
	})
}

func entityUUID(e *model.Entity) string   { return e.SourceID }
func factUUID(f *model.Fact) string       { return f.SourceID }
func episodeUUID(e *model.Episode) string { return e.SourceID }

// refOf reads the reference of an id of this server's; false for any other.
func refOf(id model.ID, kind model.Kind) (model.KnowledgeRef, bool) {
	ref, err := model.KnowledgeRefOf(id)
	return ref, err == nil && id.Kind == kind
}

// folded is the key under which names are compared and ordered.
func folded(name string) string { return fold.Text(name) }
