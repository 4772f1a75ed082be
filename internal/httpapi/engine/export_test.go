package engine

import (
	"almanac/graph/model"

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

// PersistedBytes returns what the documents that are kept by their hash take, and a user's share of it.
func (e *Engine) PersistedBytes(user model.UserID) (used, share int64) {
	e.persisted.mu.Lock()
	defer e.persisted.mu.Unlock()
	return e.persisted.used, e.persisted.users[user]
}

// TrustedPlans returns how many plans a trusted document has.
func (e *Engine) TrustedPlans(id string) int {
	document, count := e.trusted.byText[e.trusted.byID[id]], 0
	for _, operation := range document.plans.of {
		count += len(operation.byBits)
	}
	return count
}

// KeptPlans returns how many plans are kept of a document that was admitted.
func KeptPlans(e *Engine, query string) (kept int) {
	for _, operation := range e.documents.get(query).plans.of {
		kept += len(operation.byBits)
	}
	return kept
}
