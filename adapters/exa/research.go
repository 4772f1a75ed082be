package exa

import (
	"context"
	"encoding/json"
	"net/http"

	"almanac/graph/model"
)

// The research of Exa (https://docs.exa.ai/reference/research): its first form was retired on 2026-05-01 and answers
// 410, which is UPSTREAM_REJECTED with the reason RESEARCH_RETIRED. A research carries no metadata, so nobody could
// tell whose it is: of an account that several share it is NOT_CONFIGURED.

func research(parts ...string) []string { return append([]string{"research", "v1"}, parts...) }

func (a *Account) mayResearch(ctx context.Context) error {
	if a.Owner.shares() {
		return model.Errorf(model.CodeNotConfigured,
			"Research needs an Exa key of your own: what is asked with this server's key could not be kept apart from that of "+
				"others.")
	}
	return model.AskUpstream(ctx, model.UpstreamExa)
}

type sentQuestion struct {
	Instructions string          `json:"instructions"`
	Model        string          `json:"model,omitempty"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
}

// CreateResearch begins one. Nothing of it could be found again, so when the answer is lost the error says that it may
// have begun.
func (a *Account) CreateResearch(ctx context.Context, question Question) (model.Research, error) {
	if err := a.mayResearch(ctx); err != nil {
		return model.Research{}, err
	}
	raw, lost := a.send(ctx, ask{
		operation: "research.create", method: http.MethodPost, path: research(),
		body: sentQuestion{Instructions: question.Instructions, Model: question.Model,
			OutputSchema: json.RawMessage(question.OutputSchema)},
	})
	if lost != nil && lost.Unknown() {
		shown := doubtful(lost)
		return model.Research{}, shown
	}
	if lost != nil {
		return model.Research{}, a.shown(lost)
	}
	return readResearch(raw)
}

// Researches lists them, in the remote's order.
func (a *Account) Researches(ctx context.Context, page Page) (List[model.Research], error) {
	if err := a.mayResearch(ctx); err != nil {
		return List[model.Research]{}, err
	}
	list := listing{operation: "research.list", path: research(), most: mostItems}
	return all(ctx, a, list, page, func(raw json.RawMessage) (model.Research, bool) {
		told, err := read[wireResearch](raw)
		return told.research(string(raw)), err == nil && sound(told.id()) != ""
	})
}

// Research reads one.
func (a *Account) Research(ctx context.Context, id string) (model.Research, error) {
	if err := a.mayResearch(ctx); err != nil {
		return model.Research{}, err
	}
	if !model.SoundWebsetID(id) {
		return model.Research{}, shown(notThere())
	}
	raw, lost := a.fetch(ctx, "research.get", research(id)...)
	if lost != nil {
		return model.Research{}, a.shown(lost)
	}
	return readResearch(raw)
}

type wireResearch struct {
	ResearchID  string          `json:"researchId"`
	ID          string          `json:"id"`
	Status      string          `json:"status"`
	Model       string          `json:"model"`
	Output      json.RawMessage `json:"output"`
	CostDollars struct {
		Total maybe[float64] `json:"total"`
	} `json:"costDollars"`
	Error string `json:"error"`
}

func (w wireResearch) id() string { return orElse(w.ResearchID, w.ID) }

// research makes a research; its output counts when it is completed.
func (w wireResearch) research(raw string) model.Research {
	r := model.Research{
		Ref: plain(model.KindResearch, w.id()), Status: w.Status, Model: w.Model, Cost: w.CostDollars.Total.value,
		Problem: w.Error, Raw: raw,
	}
	if w.Status == "completed" {
		r.Output = object(w.Output)
	}
	return r
}

func readResearch(raw []byte) (model.Research, error) {
	told, err := read[wireResearch](raw)
	if err != nil || sound(told.id()) == "" {
		return model.Research{}, shown(unreadable())
	}
	return told.research(string(raw)), nil
}
