package cli

import (
	"context"
	"encoding/json"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
	"almanac/resolvers/memories"
)

// How the knowledge graph stands in an export, and how it is read and written again.

type exportedEntity struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Type       string          `json:"type,omitempty"`
	Summary    string          `json:"summary,omitempty"`
	Aliases    []string        `json:"aliases,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	CreatedAt  time.Time       `json:"createdAt"`
	UpdatedAt  time.Time       `json:"updatedAt"`
	Version    int             `json:"version"`
	// Mentions are the episodes that speak of it, FormerIDs those of entities that became part of it.
	Mentions  []string `json:"mentions,omitempty"`
	FormerIDs []string `json:"formerIds,omitempty"`
}

type exportedFact struct {
	ID         string          `json:"id"`
	Source     string          `json:"source"`
	Relation   string          `json:"relation"`
	Target     string          `json:"target"`
	Fact       string          `json:"fact"`
	ValidAt    time.Time       `json:"validAt,omitzero"`
	InvalidAt  time.Time       `json:"invalidAt,omitzero"`
	CreatedAt  time.Time       `json:"createdAt"`
	ExpiredAt  time.Time       `json:"expiredAt,omitzero"`
	Confidence *float64        `json:"confidence,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	ReplacedBy string          `json:"replacedBy,omitempty"`
	Version    int             `json:"version"`
	Episodes   []string        `json:"episodes,omitempty"`
}

type exportedEpisode struct {
	ID                string              `json:"id"`
	Name              string              `json:"name"`
	Content           string              `json:"content"`
	Source            model.EpisodeSource `json:"source"`
	SourceDescription string              `json:"sourceDescription,omitempty"`
	ReferenceTime     time.Time           `json:"referenceTime"`
	CreatedAt         time.Time           `json:"createdAt"`
	State             model.EpisodeState  `json:"state"`
	Problem           string              `json:"problem,omitempty"`
	// Attempts and NextAt are those of reading it, of one that is queued.
	Attempts int       `json:"attempts,omitempty"`
	NextAt   time.Time `json:"nextAt,omitzero"`
}

func episodeOut(e model.Episode) exportedEpisode {
	return exportedEpisode{
		ID: e.ID.String(), Name: e.Name, Content: e.Content, Source: e.Source, SourceDescription: e.SourceDescription,
		ReferenceTime: e.ReferenceTime, CreatedAt: e.CreatedAt, State: e.State, Problem: e.Problem,
		Attempts: e.Attempts, NextAt: e.NextAt,
	}
}

func entityOut(e model.Entity, links store.EntityLinks) exportedEntity {
	return exportedEntity{
		Mentions: publicIDs(model.KindEpisode, links.Mentions), FormerIDs: publicIDs(model.KindEntity, links.Redirects),
		ID: e.ID.String(), Name: e.Name, Type: e.Type, Summary: e.Summary, Aliases: e.Aliases,
		Attributes: rawJSON(e.Attributes),
		CreatedAt:  e.CreatedAt, UpdatedAt: e.UpdatedAt, Version: e.Version,
	}
}

func factOut(f model.Fact) exportedFact {
	out := exportedFact{
		ID: f.ID.String(), Source: f.Source.ID.String(), Relation: f.Relation, Target: f.Target.ID.String(), Fact: f.Sentence,
		ValidAt: f.ValidAt, InvalidAt: f.InvalidAt, CreatedAt: f.CreatedAt, ExpiredAt: f.ExpiredAt, Confidence: f.Confidence,
		Attributes: rawJSON(f.Attributes), Version: f.Version,
	}
	if f.ReplacedBy != (model.ID{}) {
		out.ReplacedBy = f.ReplacedBy.String()
	}
	for _, episode := range f.Episodes {
		out.Episodes = append(out.Episodes, episode.String())
	}
	return out
}

// rawJSON is a kept JSON object, nil for none.
func rawJSON(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

func readEpisode(data []byte) (episode model.Episode, err error) {
	var in exportedEpisode
	if err := decode(data, &in); err != nil {
		return episode, err
	}
	var c checks
	c.label("name", in.Name, model.MaxEpisodeName)
	c.text("content", in.Content, model.MaxEpisodeContent)
	c.label("sourceDescription", in.SourceDescription, model.MaxEpisodeOrigin)
	oneOf(&c, "source", in.Source, model.EpisodeText, model.EpisodeMessage, model.EpisodeJSON)
	oneOf(&c, "state", in.State, model.EpisodeVerbatim, model.EpisodeQueued, model.EpisodeExtracted, model.EpisodeFailed)
	c.at("referenceTime", in.ReferenceTime)
	c.at("createdAt", in.CreatedAt)
	c.maybeAt("nextAt", in.NextAt)
	c.most("attempts", in.Attempts, maxNumber)
	return model.Episode{ID: c.graphID(model.KindEpisode, "id", in.ID), Name: in.Name, Content: in.Content,
		Source: in.Source, SourceDescription: in.SourceDescription, ReferenceTime: in.ReferenceTime,
		CreatedAt: in.CreatedAt, State: in.State, Problem: in.Problem, Attempts: in.Attempts, NextAt: in.NextAt}, c.err
}

func (c *checks) graphID(kind model.Kind, field, text string) model.ID {
	return model.ID{Kind: kind, UUID: c.id(kind, field, text)}
}

// object checks a JSON object; nil for none.
func (c *checks) object(field string, text json.RawMessage) string {
	if len(text) > 0 && text[0] != '{' {
		c.refuse(field, "it is no JSON object")
	}
	c.most(field, len(text), model.MaxAttributes)
	return string(text)
}

func (w *intake) writeEpisodes(ctx context.Context, tx store.Tx, all []model.Episode) ([]memories.ImportedAs, error) {
	id := func(e model.Episode) model.UUID { return e.ID.UUID }
	return addNew(all, id, func(ids []model.UUID) ([]model.UUID, error) {
		found, err := tx.EpisodesByID(ctx, w.user, ids, store.EpisodeName)
		return idsOf(found, id, err)
	}, func(fresh []model.Episode) error { return tx.SaveEpisodes(ctx, fresh) })
}

// entityIn is an entity of a file, with what leads to it.
type entityIn struct {
	model.Entity
	links store.EntityLinks
}

func readEntity(data []byte) (out entityIn, err error) {
	var in exportedEntity
	if err := decode(data, &in); err != nil {
		return out, err
	}
	var c checks
	c.text("name", in.Name, model.MaxEntityName)
	c.label("type", in.Type, model.MaxEntityType)
	c.label("summary", in.Summary, model.MaxEntitySummary)
	c.most("aliases", len(in.Aliases), model.MaxAliases)
	for _, alias := range in.Aliases {
		c.text("aliases", alias, model.MaxEntityName)
	}
	c.at("createdAt", in.CreatedAt)
	c.at("updatedAt", in.UpdatedAt)
	c.most("version", in.Version, maxNumber)
	out = entityIn{Entity: model.Entity{ID: c.graphID(model.KindEntity, "id", in.ID), Name: in.Name, Type: in.Type,
		Summary: in.Summary, Aliases: in.Aliases, Attributes: c.object("attributes", in.Attributes),
		CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt, Version: in.Version}}
	out.links = store.EntityLinks{Redirects: c.ids(model.KindEntity, "formerIds", in.FormerIDs),
		Mentions: c.ids(model.KindEpisode, "mentions", in.Mentions)}
	return out, c.err
}

func (w *intake) writeEntities(ctx context.Context, tx store.Tx, all []entityIn) ([]memories.ImportedAs, error) {
	return addNew(all, func(e entityIn) model.UUID { return e.ID.UUID }, func(ids []model.UUID) (known []model.UUID,
		err error) {
		found, err := tx.EntitiesByID(ctx, w.user, ids, store.EntityName)
		for id := range found { // also those that became part of another
			known = append(known, id)
		}
		return known, err
	}, func(fresh []entityIn) error {
		rows := make([]store.EntityRowOf, len(fresh))
		for i, in := range fresh {
			rows[i] = store.EntityRowOf{Entity: in.Entity, Indexed: store.Indexed{
				Entries: graphtext.EntityEntries(in.Entity)}}
		}
		if err := tx.SaveEntities(ctx, rows); err != nil {
			return err
		}
		for _, in := range fresh {
			if len(in.links.Redirects)+len(in.links.Mentions) == 0 {
				continue
			}
			if err := tx.SetEntityLinks(ctx, in.ID.UUID, in.links); err != nil {
				return err
			}
		}
		return nil
	})
}

func readFact(data []byte) (fact model.Fact, err error) {
	var in exportedFact
	if err := decode(data, &in); err != nil {
		return fact, err
	}
	var c checks
	c.text("relation", in.Relation, model.MaxRelation)
	c.text("fact", in.Fact, model.MaxFactSentence)
	c.at("createdAt", in.CreatedAt)
	c.maybeAt("validAt", in.ValidAt)
	c.maybeAt("invalidAt", in.InvalidAt)
	c.maybeAt("expiredAt", in.ExpiredAt)
	c.most("version", in.Version, maxNumber)
	if in.Confidence != nil && (*in.Confidence < 0 || *in.Confidence > 1) {
		c.refuse("confidence", "it is from 0 to 1")
	}
	fact = model.Fact{ID: c.graphID(model.KindFact, "id", in.ID), Relation: in.Relation, Sentence: in.Fact,
		Source: model.Entity{ID: c.graphID(model.KindEntity, "source", in.Source)},
		Target: model.Entity{ID: c.graphID(model.KindEntity, "target", in.Target)}, ValidAt: in.ValidAt,
		InvalidAt: in.InvalidAt, CreatedAt: in.CreatedAt, ExpiredAt: in.ExpiredAt, Confidence: in.Confidence,
		Attributes: c.object("attributes", in.Attributes), Version: in.Version}
	if in.ReplacedBy != "" {
		fact.ReplacedBy = c.graphID(model.KindFact, "replacedBy", in.ReplacedBy)
	}
	for _, id := range c.ids(model.KindEpisode, "episodes", in.Episodes) {
		fact.Episodes = append(fact.Episodes, model.ID{Kind: model.KindEpisode, UUID: id})
	}
	return fact, c.err
}

func (w *intake) writeFacts(ctx context.Context, tx store.Tx, all []model.Fact) ([]memories.ImportedAs, error) {
	id := func(f model.Fact) model.UUID { return f.ID.UUID }
	return addNew(all, id, func(ids []model.UUID) ([]model.UUID, error) {
		found, err := tx.FactsByID(ctx, w.user, ids, store.FactWant{Fact: store.FactRelation})
		return idsOf(found, id, err)
	}, func(fresh []model.Fact) error {
		var ids []model.UUID
		for _, fact := range fresh {
			ids = append(ids, fact.Source.ID.UUID, fact.Target.ID.UUID)
		}
		ends, err := tx.EntitiesByID(ctx, w.user, ids, store.EntityName|store.EntityType)
		if err != nil {
			return err
		}
		rows := make([]store.FactRowOf, len(fresh))
		for i, fact := range fresh {
			for _, end := range []*model.Entity{&fact.Source, &fact.Target} {
				there, known := ends[end.ID.UUID]
				if !known {
					return model.BadInput("", "%s is an end of it, and is not there", end.ID)
				}
				*end = there
			}
			rows[i] = store.FactRowOf{Fact: fact, Indexed: store.Indexed{Entries: graphtext.FactEntries(fact)}}
		}
		return tx.SaveFacts(ctx, rows)
	})
}
