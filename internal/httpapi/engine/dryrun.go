package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"almanac/graph/model"
	"almanac/internal/dryrun"
)

const (
	// dryRunDirective marks a mutation that must change nothing; schema/root.graphqls describes it.
	dryRunDirective = "dryRun"
	// existingDirective marks fields below which records keep their ids in a dry run.
	existingDirective = "existing"
	// nodeInterface is the interface of the records whose ids are global.
	nodeInterface = "Node"
	// extensionDryRun is the response's extension that says that nothing was done.
	extensionDryRun = "dryRun"
)

// dryRunOf reports whether an operation must change nothing, as its directive and the coerced variables say.
func dryRunOf(definition *ast.OperationDefinition, variables map[string]any) (bool, *gqlerror.Error) {
	directive := definition.Directives.ForName(dryRunDirective)
	if directive == nil {
		return false, nil
	}
	dry, ok := directive.ArgumentMap(variables)["if"].(bool)
	if !ok { // a variable that may be null, and is
		return false, badInput(gqlerror.ErrorPosf(directive.Position, `Argument "if" of "@dryRun" must not be null.`))
	}
	return dry, nil
}

// DryRun implements Operation.
func (o *operation) DryRun() bool { return o.dryRun }

// dryRunIDs is the middleware of the fields of a dry run: what would be made or changed gets an id that no cache takes
// for a record's, and what is only referred to keeps its own.
func (e *Engine) dryRunIDs(ctx context.Context, next graphql.Resolver) (any, error) {
	answer, err := next(ctx)
	if err != nil || answer == nil {
		return answer, err
	}
	field := graphql.GetFieldContext(ctx)
	id, global := answer.(model.ID)
	switch {
	case global && strings.Contains(id.Remote, dryrun.Invented): // what a remote system would make, wherever it is named
	case field.Field.Name != "id" || !e.nodes[field.Object] || isExisting(field):
		return answer, nil
	}
	return graphql.MarshalString(dryrun.Prefix + fmt.Sprint(answer)), nil
}

// isExisting reports whether a field, or one above it, is marked with @existing.
func isExisting(field *graphql.FieldContext) bool {
	for ; field != nil; field = field.Parent {
		of := field.Field.Field
		if of != nil && of.Definition != nil && of.Definition.Directives.ForName(existingDirective) != nil {
			return true
		}
	}
	return false
}

// nodesOf are the names of the types whose ids are global.
func nodesOf(schema *ast.Schema) map[string]bool {
	nodes := map[string]bool{}
	if node := schema.Types[nodeInterface]; node != nil {
		for _, possible := range schema.GetPossibleTypes(node) {
			nodes[possible.Name] = true
		}
	}
	return nodes
}
