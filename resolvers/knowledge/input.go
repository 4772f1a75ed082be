package knowledge

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"almanac/adapters/knowledge"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/graphtext"
	"almanac/projections/memo"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// cleanLine reads a text that stands on one line: white space of any kind is one space.
func cleanLine(text string) string {
	return strings.Join(strings.Fields(fold.Clean(text)), " ")
}

// cleanEntityName reads a name or an alias.
func cleanEntityName(field, text string) (string, error) {
	return core.CleanText(field, cleanLine(text), model.MaxEntityName)
}

// cleanEntityType reads a type; what nobody has said is nothing.
func cleanEntityType(field, text string) (string, error) {
	clean := cleanLine(text)
	if key := graphtext.Name(clean); key == "" || key == untyped {
		return "", nil
	}
	return clean, core.TooLong(field, clean, model.MaxEntityType)
}

// cleanAliases reads other names of an entity of that name, each once by its key.
func cleanAliases(field, name string, texts []string) ([]string, error) {
	if len(texts) > model.MaxBulk { // before they are looked at, so that a list without end costs nothing
		return nil, tooManyAliases(field, len(texts))
	}
	seen := []string{graphtext.Name(name)}
	var out []string
	for i, text := range texts {
		alias, err := cleanEntityName(field+"."+strconv.Itoa(i), text)
		if err != nil {
			return nil, err
		}
		if key := graphtext.Name(alias); !slices.Contains(seen, key) {
			seen, out = append(seen, key), append(out, alias)
		}
	}
	if len(out) > model.MaxAliases {
		return nil, tooManyAliases(field, len(out))
	}
	return out, nil
}

func tooManyAliases(field string, n int) error {
	return model.BadInput(field, "an entity has at most %d aliases, not %d", model.MaxAliases, n)
}

// cleanAttributes reads attributes in their canonical form, empty for none.
func cleanAttributes(field string, value *model.JSON) (string, error) {
	if value == nil {
		return "", nil
	}
	text, err := memo.Metadata("", *value) // the rules of metadata, of which no field is known
	if shown, ok := model.Mendable(err); ok {
		shown.Message = strings.Replace(shown.Message, "metadata", "attributes", 1)
	}
	if err != nil {
		return "", core.Below(err, field)
	}
	return text, nil
}

// readEnd reads one end of a fact; field is its path.
func (r *Resolver) readEnd(field string, in *graph.EntityRefInput) (end knowledge.End, err error) {
	switch {
	case in.ID != nil && in.Name != nil:
		return end, model.BadInput(field, "give id or name, not both")
	case in.ID == nil && in.Name == nil:
		return end, model.BadInput(field, "give the entity's id or its name")
	case in.ID != nil:
		if end.ID, err = r.servedID(field+".id", *in.ID, model.KindEntity); err != nil {
			return end, err
		}
	default:
		if end.Name, err = cleanEntityName(field+".name", *in.Name); err != nil {
			return end, err
		}
	}
	if in.Type != nil {
		if end.Type, err = cleanEntityType(field+".type", *in.Type); err != nil {
			return end, err
		}
	}
	if in.Summary != nil {
		if end.Summary, err = core.CleanLabel(field+".summary", *in.Summary, model.MaxEntitySummary); err != nil {
			return end, err
		}
	}
	if end.Aliases, err = cleanAliases(field+".aliases", end.Name, in.Aliases); err != nil {
		return end, err
	}
	end.Attributes, err = cleanAttributes(field+".attributes", in.Attributes)
	return end, err
}

// maxCloses is how many facts one fact may be said to contradict.
const maxCloses = 50

// readFact reads a fact to add; field is its path.
func (r *Resolver) readFact(v *core.Viewer, field string, in graph.FactInput) (fact knowledge.NewFact, err error) {
	if fact.Source, err = r.readEnd(field+".source", in.Source); err != nil {
		return fact, err
	}
	if fact.Relation, err = cleanRelation(field+".relation", in.Relation); err != nil {
		return fact, err
	}
	if fact.Target, err = r.readEnd(field+".target", in.Target); err != nil {
		return fact, err
	}
	if in.Fact != nil {
		if fact.Sentence, err = core.CleanLabel(field+".fact", cleanLine(*in.Fact), model.MaxFactSentence); err != nil {
			return fact, err
		}
		if fold.Text(fact.Sentence) == "" {
			fact.Sentence = "" // nothing that can be seen: as if left out
		}
	}
	if in.ValidAt != nil {
		fact.ValidAt = when.Resolve(*in.ValidAt, v.Zone)
	}
	if in.InvalidAt != nil {
		if fact.InvalidAt = when.Resolve(*in.InvalidAt, v.Zone); !fact.ValidAt.IsZero() &&
			!fact.ValidAt.Before(fact.InvalidAt) {
			return fact, model.BadInput(field+".invalidAt", "invalidAt must be after validAt")
		}
	}
	if in.Confidence != nil {
		if !(*in.Confidence >= 0 && *in.Confidence <= 1) {
			return fact, model.BadInput(field+".confidence", "confidence is from 0 to 1")
		}
		sure := math.Abs(*in.Confidence) // -0 is 0
		fact.Confidence = &sure
	}
	if fact.Attributes, err = cleanAttributes(field+".attributes", in.Attributes); err != nil {
		return fact, err
	}
	if len(in.Closes) > maxCloses {
		return fact, model.BadInput(field+".closes", "a fact closes at most %d others, not %d", maxCloses, len(in.Closes))
	}
	for i, text := range in.Closes {
		id, err := r.servedID(field+".closes."+strconv.Itoa(i), text, model.KindFact)
		if err != nil {
			return fact, err
		}
		if !slices.Contains(fact.Closes, id) {
			fact.Closes = append(fact.Closes, id)
		}
	}
	fact.Exclusive = in.Exclusive
	return fact, nil
}

// readEpisode reads an episode to add.
func readEpisode(v *core.Viewer, in graph.AddEpisodeInput) (episode model.Episode, err error) {
	episode = model.Episode{Source: in.Source, ReferenceTime: v.Now, CreatedAt: v.Now, State: model.EpisodeVerbatim}
	if episode.Content, err = core.CleanText("input.content", in.Content, model.MaxEpisodeContent); err != nil {
		return episode, err
	}
	if in.Source == model.EpisodeJSON && !json.Valid([]byte(episode.Content)) {
		return episode, model.BadInput("input.content",
			"source is JSON, and the content is not valid JSON; give it as TEXT, or mend it")
	}
	if in.Name != nil {
		if episode.Name, err = core.CleanLabel("input.name", cleanLine(*in.Name), model.MaxEpisodeName); err != nil {
			return episode, err
		}
	}
	if in.SourceDescription != nil {
		if episode.SourceDescription, err = core.CleanLabel("input.sourceDescription", cleanLine(*in.SourceDescription),
			model.MaxEpisodeOrigin); err != nil {
			return episode, err
		}
	}
	if in.ReferenceTime != nil {
		episode.ReferenceTime = when.Resolve(*in.ReferenceTime, v.Zone)
	}
	if in.Extract {
		episode.State = model.EpisodeQueued
	}
	return episode, nil
}

// patchEntity applies a patch. Null clears what may be missing.
func patchEntity(entity *model.Entity, set *graph.EntityPatch) (err error) {
	if name, given := set.Name.ValueOK(); given {
		if name == nil {
			return model.BadInput("input.set.name", "an entity must have a name; leave name out to keep it")
		}
		if entity.Name, err = cleanEntityName("input.set.name", *name); err != nil {
			return err
		}
	}
	if kind, given := set.Type.ValueOK(); given {
		entity.Type = ""
		if kind != nil {
			if entity.Type, err = cleanEntityType("input.set.type", *kind); err != nil {
				return err
			}
		}
	}
	if summary, given := set.Summary.ValueOK(); given {
		entity.Summary = ""
		if summary != nil {
			if entity.Summary, err = core.CleanLabel("input.set.summary", *summary, model.MaxEntitySummary); err != nil {
				return err
			}
		}
	}
	aliases, given := set.Aliases.ValueOK()
	if !given {
		aliases = entity.Aliases // one of them may have become the name
	}
	if entity.Aliases, err = cleanAliases("input.set.aliases", entity.Name, aliases); err != nil {
		return err
	}
	if attributes, given := set.Attributes.ValueOK(); given {
		if entity.Attributes, err = cleanAttributes("input.set.attributes", attributes); err != nil {
			return err
		}
	}
	return nil
}
