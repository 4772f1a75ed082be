package engine

import (
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// remoteDirective marks the mutations whose effects lie in a remote system; schema/root.graphqls describes it.
const remoteDirective = "remote"

// Reach tells where the effects of an operation lie.
type Reach int

// The reaches.
const (
	// ReachOwn: here, where a transaction can undo them. So reach queries, subscriptions, and mutations that run nothing.
	ReachOwn Reach = iota
	// ReachRemote: in remote systems, since every field that runs is marked @remote.
	ReachRemote
	// ReachMixed: some here and some there.
	ReachMixed
)

// Reach implements Operation. It looks at no field but those of the operation itself, as the executor collects them:
// those that @skip and @include leave out do not count, nor does __typename, which does nothing.
func (o *operation) Reach() Reach {
	if o.Kind() != ast.Mutation {
		return ReachOwn
	}
	mutation := o.engine.schema.Mutation
	fits := []string{mutation.Name}
	for _, wider := range o.engine.schema.GetImplements(mutation) {
		fits = append(fits, wider.Name)
	}
	own, remote := false, false
	for _, field := range graphql.CollectFields(o.context, o.definition.SelectionSet, fits) {
		switch {
		case strings.HasPrefix(field.Name, "__"):
		case field.Definition.Directives.ForName(remoteDirective) != nil:
			remote = true
		default:
			own = true
		}
	}
	switch {
	case own && remote:
		return ReachMixed
	case remote:
		return ReachRemote
	default:
		return ReachOwn
	}
}
