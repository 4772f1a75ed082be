package main

import (
	"context"
	"encoding/json"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

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
}

// exportEpisodesAtOnce is how many episodes are read at once: each may have 100,000 characters.
const exportEpisodesAtOnce = 50

// exportKnowledge writes the graph that the database keeps: entities, facts, whether they hold or not, and episodes.
// What a Graphiti server keeps is that server's.
func exportKnowledge(ctx context.Context, encoder *json.Encoder, from store.Store, id model.UserID) error {
	entities := store.EntityQuery{Columns: store.EntityRow, Page: &store.Window[store.EntityPlace]{Limit: exportPage}}
	for more := true; more; {
		page, err := from.ListEntities(ctx, id, entities)
		if err != nil {
			return err
		}
		for _, e := range page.Entities {
			if err := encoder.Encode(line{"entity", entityOut(e)}); err != nil {
				return err
			}
		}
		if more = page.HasNext; more {
			entities.Page.After = &page.Places[len(page.Places)-1]
		}
	}
	facts := store.FactQuery{Want: store.FactWant{Fact: store.FactRow | store.FactEpisodes},
		Page: &store.Window[store.TimePlace]{Limit: exportPage}}
	for more := true; more; {
		page, err := from.ListFacts(ctx, id, facts)
		if err != nil {
			return err
		}
		for _, f := range page.Facts {
			if err := encoder.Encode(line{"fact", factOut(f)}); err != nil {
				return err
			}
		}
		if more = page.HasNext; more {
			facts.Page.After = &page.Places[len(page.Places)-1]
		}
	}
	episodes := store.EpisodeQuery{Columns: store.EpisodeRow,
		Page: &store.Window[store.TimePlace]{Limit: exportEpisodesAtOnce}}
	for more := true; more; {
		page, err := from.ListEpisodes(ctx, id, episodes)
		if err != nil {
			return err
		}
		for _, e := range page.Episodes {
			err := encoder.Encode(line{"episode", exportedEpisode{
				ID: e.ID.String(), Name: e.Name, Content: e.Content, Source: e.Source, SourceDescription: e.SourceDescription,
				ReferenceTime: e.ReferenceTime, CreatedAt: e.CreatedAt, State: e.State, Problem: e.Problem,
			}})
			if err != nil {
				return err
			}
		}
		if more = page.HasNext; more {
			episodes.Page.After = &page.Places[len(page.Places)-1]
		}
	}
	return nil
}

func entityOut(e model.Entity) exportedEntity {
	return exportedEntity{
		ID: e.ID.String(), Name: e.Name, Type: e.Type, Summary: e.Summary, Aliases: e.Aliases,
		Attributes: rawJSON(e.Attributes),
		CreatedAt:  e.CreatedAt, UpdatedAt: e.UpdatedAt, Version: e.Version,
	}
}

func factOut(f model.Fact) exportedFact {
	out := exportedFact{
		ID: f.ID.String(), Source: f.Source.ID.String(), Relation: f.Relation, Target: f.Target.ID.String(), Fact: f.Sentence,
		ValidAt: f.ValidAt, InvalidAt: f.InvalidAt, CreatedAt: f.CreatedAt, ExpiredAt: f.ExpiredAt, Confidence: f.Confidence,
		Attributes: rawJSON(f.Attributes),
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
