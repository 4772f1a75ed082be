package mcp

import (
	"context"
	"encoding/json"
	"strings"

	"almanac/graph/model"
)

// rememberArgs are the arguments of the tool.
type rememberArgs struct {
	dryArgs
	Action   string          `json:"action"`
	Content  string          `json:"content"`
	Type     string          `json:"type"`
	Metadata json.RawMessage `json:"metadata"`
	Tags     []string        `json:"tags"`
	Facts    []factArgs      `json:"facts"`
	IDs      []string        `json:"ids"`
}

type factArgs struct {
	Source    string `json:"source"`
	Relation  string `json:"relation"`
	Target    string `json:"target"`
	Fact      string `json:"fact"`
	ValidAt   string `json:"validAt"`
	Exclusive bool   `json:"exclusive"`
}

// end names an end of a fact, by its id or its name.
func end(name string) map[string]any {
	if strings.HasPrefix(name, string(model.KindEntity)+"_") {
		if _, err := model.ParseID(name); err == nil {
			return map[string]any{"id": name}
		}
	}
	return map[string]any{"name": name}
}

// remember is the tool of that name.
func (s *Server) remember(ctx context.Context, c *call, in rememberArgs) (outcome, error) {
	switch in.Action {
	case "store":
		input := given(map[string]any{"content": in.Content, "type": orNil(in.Type), "tags": listOrNil(in.Tags)})
		if !isNull(in.Metadata) {
			input["metadata"] = in.Metadata
		}
		return s.perform(ctx, c, step{Mutation: "storeMemory", Input: input}, "")
	case "facts":
		if len(in.Facts) == 0 {
			return outcome{}, model.BadInput("facts", "give at least one fact")
		}
		facts := make([]map[string]any, len(in.Facts))
		for i, f := range in.Facts {
			facts[i] = given(map[string]any{
				"source": end(f.Source), "relation": f.Relation, "target": end(f.Target), "fact": orNil(f.Fact),
				"validAt": moment(f.ValidAt), "exclusive": orNil(f.Exclusive),
			})
		}
		return s.perform(ctx, c, step{Mutation: "addFacts", Input: map[string]any{"facts": facts}}, "")
	case "episode":
		return s.perform(ctx, c, step{Mutation: "addEpisode", Input: map[string]any{"content": in.Content}}, "")
	default:
		return s.forget(ctx, c, in)
	}
}

// forget asks always. Entities, facts and episodes are erased one by one, which is bounded.
func (s *Server) forget(ctx context.Context, c *call, in rememberArgs) (outcome, error) {
	if len(in.IDs) == 0 {
		return outcome{}, model.BadInput("ids", "say what to forget")
	}
	const mostSingle = 20
	var steps []step
	switch {
	case ofKind(in.IDs, model.KindMemory):
		steps = []step{{Mutation: "deleteMemories", Input: map[string]any{"ids": in.IDs}}}
	case ofKind(in.IDs, model.KindEntity):
		steps = single("deleteEntity", in.IDs)
	case ofKind(in.IDs, model.KindFact):
		steps = single("deleteFact", in.IDs)
	case ofKind(in.IDs, model.KindEpisode):
		steps = single("deleteEpisode", in.IDs)
	default:
		return outcome{}, model.BadInput("ids", "give ids of one kind: memories, entities, facts or episodes")
	}
	if len(steps) > mostSingle {
		return outcome{}, model.BadInput("ids", "at most %d of these are erased at once", mostSingle)
	}
	found, locale, failed, err := s.things(ctx, c, in.IDs)
	if err != nil || failed != nil {
		return failedOr(failed), err
	}
	return s.approve(ctx, c, question{confirmation: confirmation{Question: say(locale, sayForget, len(found))},
		about: labelsOf(found), plan: pending{Steps: steps}})
}

func single(mutation string, ids []string) []step {
	steps := make([]step, len(ids))
	for i, id := range ids {
		steps[i] = step{Mutation: mutation, Input: map[string]any{"id": id}}
	}
	return steps
}
