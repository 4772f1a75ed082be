package engine

import (
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Overlaps lets a test compare the rule with gqlparser's.
func Overlaps(schema *ast.Schema, doc *ast.QueryDocument) *gqlerror.Error {
	return overlaps(schema, doc)
}

// KeptBytes is how much memory the kept documents come to, by estimate.
func (e *Engine) KeptBytes() (used int64, documents int) {
	e.documents.mu.Lock()
	defer e.documents.mu.Unlock()
	return e.documents.used, len(e.documents.byKey)
}

// IsPlanned reports whether an operation runs by a plan.
func IsPlanned(op Operation) bool { return op.(*operation).plan != nil }
