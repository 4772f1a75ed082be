// Package dryrun marks the context of an operation that must change nothing: a mutation with the directive @dryRun.
//
// Whoever writes, sends or asks a remote system for a change looks at the mark: the store rolls back what such an
// operation writes, adapters answer what a change would come to instead of making it, and adapters/remote refuses every
// call that may change something. The package depends on the standard library alone, so that all of them can import it.
package dryrun

import (
	"context"
	"errors"
	"strings"
)

// Prefix begins the ids of what a dry run would make or change; behind it stands the id of the record, where there is
// one already.
const Prefix = "dryrun_"

// Invented is what the parts of ids are that only a remote system could give to what it would make.
const Invented = "dryrun"

// ErrRefused is in the chain of an error of whoever was asked, in a dry run, to do what only a real run may do. It is a
// mistake of this program: the place that asked should have answered what would be done.
var ErrRefused = errors.New("refused to change something in a dry run")

type key struct{}

// With returns a context whose operation must change nothing.
func With(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, true) }

// Is reports whether the operation of the context must change nothing.
func Is(ctx context.Context) bool {
	is, _ := ctx.Value(key{}).(bool)
	return is
}

// IsID reports whether a text is the id of something that a dry run answered with.
func IsID(text string) bool { return strings.HasPrefix(text, Prefix) }
