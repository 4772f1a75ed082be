package core

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
)

// Under joins a path and a name; an empty path is that of arguments.
func Under(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}

// AddError adds an error beside the answer of the field being resolved: what else was asked still answers.
func AddError(ctx context.Context, err error) { graphql.AddError(ctx, err) }

// AddUserError moves an error into a payload: what the caller can mend into userErrors, the rest beside the answer, so
// that one remote system that does not answer does not blank what other fields of the request have done.
func AddUserError(ctx context.Context, into *[]model.UserError, err error) {
	if err == nil {
		return
	}
	if shown, ok := model.Mendable(err); ok {
		*into = append(*into, shown.UserError())
		return
	}
	AddError(ctx, err)
}

// ErrAsked ends a decision with a question; it is no error of the mutation, and nothing is noted.
var ErrAsked = errors.New("asked instead of decided")

// AtField returns an error that the caller can mend the path of the input at fault, where it has none.
func AtField(err error, field string) error {
	if shown, ok := model.Mendable(err); ok && len(shown.Field) == 0 {
		shown.Field = model.FieldPath(field)
	}
	return err
}

// WithoutField takes the field off an error that the caller can mend, so that another can be put on.
func WithoutField(err error) error {
	shown, ok := model.Mendable(err)
	if !ok {
		return err
	}
	bare := *shown
	bare.Field = nil
	return &bare
}

// NamingField says in an error's message which field is at fault, for errors of items, which have no path. above is the
// path of the item.
func NamingField(err error, above ...string) error {
	shown, ok := model.Mendable(err)
	if !ok || len(shown.Field) <= len(above) || !slices.Equal(shown.Field[:len(above)], above) {
		return err
	}
	field := strings.Join(shown.Field[len(above):], ".")
	if strings.Contains(shown.Message, field) {
		return err
	}
	named := *shown
	named.Message = field + ": " + shown.Message
	return &named
}

// AddErrorAt adds an error at an index of the list being resolved.
func AddErrorAt(ctx context.Context, index int, err error) {
	graphql.AddError(graphql.WithPathContext(ctx, graphql.NewPathWithIndex(index)), err)
}

// Below puts the field that an error names below the place where the value stood in the input.
func Below(err error, field string) error {
	shown, ok := model.Mendable(err)
	if !ok {
		return err
	}
	moved := *shown
	moved.Field = append(model.FieldPath(field), shown.Field...)
	return &moved
}

// Refuse moves an error that the caller can mend into userErrors and returns any other.
func Refuse(into *[]model.UserError, err error) error {
	if shown, ok := model.Mendable(err); ok {
		*into = append(*into, shown.UserError())
		return nil
	}
	return err
}
