package knowledge

import (
	"bytes"
	"context"
	"slices"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// What a remote base has done through us is logged when it has answered, as with events: the store knows nothing of it.
// What it does by itself is not told.

// knowledgeChange is the line of the change log about a remote thing of the graph.
func knowledgeChange(kind model.ChangeType, operation model.Operation, id model.ID) model.Change {
	return model.Change{Type: kind, ID: id.UUID, Remote: id.Remote, Operation: operation}
}

// createdUnless is the line about something that was added, unless it was known.
func createdUnless(known bool, kind model.ChangeType, id model.ID) []model.Change {
	if known {
		return nil
	}
	return []model.Change{knowledgeChange(kind, model.OperationCreated, id)}
}

// addedChanges are the lines about what was added: entities, then facts.
func addedChanges(added knowledge.FactsAdded) []model.Change {
	var out []model.Change
	for _, part := range []struct {
		kind model.ChangeType
		ids  map[model.ID]bool
	}{{model.ChangeEntity, added.EntitiesNew}, {model.ChangeFact, added.New}} {
		first := len(out)
		for id, fresh := range part.ids {
			if fresh {
				out = append(out, knowledgeChange(part.kind, model.OperationCreated, id))
			}
		}
		slices.SortFunc(out[first:], func(a, b model.Change) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	}
	return out
}

// clearedChange is the line that says that a remote graph was cleared.
func clearedChange(v *core.Viewer, backend model.KnowledgeBackend) model.Change {
	return model.Change{Type: model.ChangeKnowledge, ID: model.UUID(v.User), Remote: string(backend),
		Operation: model.OperationDeleted}
}

// logKnowledge appends to the change log what a remote base has done. That it cannot be written stands beside the
// answer and undoes nothing. What an earlier try of the same request has logged is not told twice.
func (r *Resolver) logKnowledge(ctx context.Context, v *core.Viewer, changes []model.Change) {
	changes = slices.DeleteFunc(changes, func(change model.Change) bool { return change.Remote == "" })
	if len(changes) == 0 {
		return
	}
	after, cancel := core.AfterRequest(ctx)
	defer cancel()
	err := r.Store.Write(after, v.User, func(ctx context.Context, tx store.Tx) error {
		fresh, err := core.NotLogged(ctx, tx, changes)
		if err != nil || len(fresh) == 0 {
			return err
		}
		return tx.LogRemote(ctx, fresh)
	})
	if err != nil {
		core.AddError(ctx, &model.Error{
			Code:    model.CodeUpstreamUnavailable,
			Message: "The Graphiti server has done this, but it could not be noted in the change log.", Cause: err,
		})
	}
}
