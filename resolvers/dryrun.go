package resolvers

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/store"
	"almanac/resolvers/core"
)

// linkMutations are those of linked accounts, which show the accounts that there would be. In a dry run, disconnect
// asks no remote system, and connectExa asks once whether the key is accepted.
var linkMutations = []string{"connectExa", "disconnect"}

// graphMutations are the mutations of the knowledge graph. They ask a remote system only where one keeps the graph.
var graphMutations = []string{"addEpisode", "extractEpisode", "addFacts", "invalidateFacts", "updateEntity",
	"mergeEntities", "deleteEntity", "deleteFact", "deleteEpisode", "clearKnowledge"}

// DryRun runs a field of a mutation that must change nothing. Where all that the field does is done in the store, it
// runs in one transaction with whatever is selected of its payload, so that the payload is read as it would be; the
// transaction is rolled back. A field that asks a remote system must not hold the user's other writes up for as long as
// that takes; what it writes is rolled back write by write.
func (r *Root) DryRun(ctx context.Context, next graphql.RootResolver) (answer graphql.Marshaler) {
	field := graphql.GetRootFieldContext(ctx).Field
	within := field.Definition.Directives.ForName("remote") == nil || slices.Contains(linkMutations, field.Name) ||
		slices.Contains(graphMutations, field.Name) && r.all.knowledge.KnowledgeBase.Facts().Transactional
	if !within {
		return next(ctx)
	}
	v, err := core.ViewerFrom(ctx)
	if err == nil {
		err = r.all.Store.Write(ctx, v.User, func(ctx context.Context, _ store.Tx) error {
			answer = next(ctx)
			return nil
		})
	}
	if err != nil {
		core.AddError(graphql.WithPathContext(ctx, graphql.NewPathWithField(field.Alias)), err)
		return graphql.Null
	}
	return answer
}
