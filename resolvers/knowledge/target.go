package knowledge

import (
	"context"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/naming"
	"almanac/resolvers/core"
)

const (
	// pageOfNames is how many entities or facts are read at once when a text is looked for among all of them.
	pageOfNames = 1_000
	// searchedNames is how many a remote base's search returns, among which the text is looked for.
	searchedNames = 100
)

// entityTarget is how a mutation names an entity.
func (r *Resolver) entityTarget(v *core.Viewer, id *string, target *graph.EntityTargetInput,
	confirm *graph.ConfirmInput, erases bool) core.Target {
	out := core.Target{
		Kind: model.KindEntity, Naming: naming.Entity, Field: "input.id", ID: id, HasTarget: target != nil,
		Confirm: confirm, Erases: erases,
	}
	if target == nil {
		return out
	}
	if out.TargetID = target.ID; target.Match != nil {
		out.Texts = []core.Text{{Field: "input.target.match.name", Text: target.Match.Name, Most: model.MaxEntityName}}
	}
	out.Candidates = func(ctx context.Context, text string) (all []core.Choice, err error) {
		search, page := r.lookingFor(text)
		err = eachHit(page, func(page knowledge.Page) (knowledge.Answer[model.Entity], error) {
			return r.KnowledgeBase.FindEntities(ctx, v.User, knowledge.EntityAsk{
				Search: search, Page: page, Want: store.EntityName | store.EntityAliases | store.EntityType})
		}, func(e model.Entity) {
			label := e.Name
			if e.Type != "" {
				label += " (" + e.Type + ")"
			}
			all = append(all, core.Choice{ID: e.ID.String(), Name: e.Name, Label: label})
			for _, alias := range e.Aliases {
				all = append(all, core.Choice{ID: e.ID.String(), Name: alias, Label: label})
			}
		})
		return all, err
	}
	return out
}

// factTarget is how a mutation names a fact.
func (r *Resolver) factTarget(v *core.Viewer, in graph.DeleteFactInput) core.Target {
	out := core.Target{
		Kind: model.KindFact, Naming: naming.Memory, Field: "input.id", ID: in.ID, HasTarget: in.Target != nil,
		Confirm: in.Confirm, Erases: true,
	}
	if in.Target == nil {
		return out
	}
	if out.TargetID = in.Target.ID; in.Target.Match != nil {
		out.Texts = []core.Text{{Field: "input.target.match.text", Text: in.Target.Match.Text, Most: model.MaxFactSentence}}
	}
	out.Candidates = func(ctx context.Context, text string) (all []core.Choice, err error) {
		search, page := r.lookingFor(text)
		err = eachHit(page, func(page knowledge.Page) (knowledge.Answer[model.Fact], error) {
			return r.KnowledgeBase.FindFacts(ctx, v.User, knowledge.FactAsk{Search: search, Page: page,
				Want: store.FactWant{Fact: store.FactSentence}})
		}, func(f model.Fact) {
			all = append(all, core.Choice{ID: f.ID.String(), Name: f.Sentence, Label: f.Sentence})
		})
		return all, err
	}
	return out
}

// lookingFor says where a text is looked for: among everything in the own store, and among what a remote base finds.
func (r *Resolver) lookingFor(text string) (knowledge.Search, knowledge.Page) {
	if r.KnowledgeBase.Facts().Backend == model.KnowledgeOwn {
		return knowledge.Search{}, knowledge.Page{First: pageOfNames}
	}
	return knowledge.Search{Text: text, SimilarityWeight: 0.7, KeywordWeight: 0.3}, knowledge.Page{First: searchedNames}
}

// eachHit reads what a base lists, page by page, or the first page of what it finds.
func eachHit[T any](page knowledge.Page, ask func(knowledge.Page) (knowledge.Answer[T], error), take func(T)) error {
	for {
		answer, err := ask(page)
		if err != nil {
			return err
		}
		for _, hit := range answer.Hits {
			take(hit.Item)
		}
		n := len(answer.Hits)
		if page.First != pageOfNames || !answer.HasNext || n == 0 {
			return answer.Trouble
		}
		page.After = answer.Hits[n-1].Place
	}
}
