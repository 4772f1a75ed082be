package engine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"almanac/graph/model"
	"almanac/graph/plan"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// Document is one that clients name by its id instead of sending it.
type Document struct {
	ID string
	// Name is for errors; "" where nothing says one.
	Name string
	Text string
}

// trusted are the documents that the operator has given. They are never forgotten, and their checks are done.
type trusted struct {
	// byID has the texts by id, by the SHA-256 in hexadecimal digits as automatic persisted queries name documents, and by
	// the same with its prefix (GraphQL over HTTP, appendix "Persisted Documents").
	byID   map[string]string
	byText map[string]*admitted
	// only says that nothing else is served.
	only bool
}

// sha256Prefix begins an id that is the document's hash.
const sha256Prefix = "sha256:"

// trust admits the documents, or says of each one that cannot be served what is wrong with it.
func (e *Engine) trust(documents []Document, only bool) error {
	e.trusted = trusted{byID: make(map[string]string, len(documents)), only: only,
		byText: make(map[string]*admitted, len(documents))}
	var refused []error
	for _, document := range documents {
		if err := e.trustOne(document); err != nil {
			refused = append(refused, fmt.Errorf("document %.80q: %w", cmp.Or(document.Name, document.ID), err))
		}
	}
	if err := errors.Join(refused...); err != nil {
		return err
	}
	for _, document := range documents { // ids are stronger than hashes
		e.trusted.byID[document.ID] = document.Text
	}
	return nil
}

func (e *Engine) trustOne(document Document) error {
	admitted, err := e.parse(document.Text)
	if err != nil {
		return errors.New(err.Message)
	}
	if errs := e.validate(admitted.doc); len(errs) > 0 {
		return errors.New(clip(errs[0].Message))
	}
	admitted.deprecated, admitted.needs = deprecatedIn(admitted.doc), needsOf(admitted.doc, e.schema, e.scope)
	takeDefers(admitted.doc)
	for _, operation := range admitted.doc.Operations {
		smallest := smallestVariables(operation)
		if cost := admitted.costs.cost(operation, smallest); cost > e.limits.Cost {
			return errors.New(e.explain(admitted, operation, smallest, cost).Message)
		}
		if cost := admitted.costs.cost(operation, nil); cost > e.limits.Cost {
			e.log.Warn("a trusted document is refused unless its variables ask for small pages", "cause",
				fmt.Sprintf("document %.80q costs %d of %d without them", cmp.Or(document.Name, document.ID), cost,
					e.limits.Cost))
		}
		if err := e.compile(admitted, operation); err != nil {
			return errors.New(err.Message)
		}
	}
	sum := sha256.Sum256([]byte(document.Text))
	hash := hex.EncodeToString(sum[:])
	e.trusted.byID[hash], e.trusted.byID[sha256Prefix+hash] = document.Text, document.Text
	e.trusted.byText[document.Text] = admitted
	return nil
}

// smallestVariables are those with which an operation costs least, where the request says them; a variable with a
// default may be left out.
func smallestVariables(operation *ast.OperationDefinition) map[string]any {
	variables := map[string]any{}
	for _, variable := range operation.VariableDefinitions {
		switch {
		case variable.DefaultValue != nil:
		case variable.Type.Elem != nil:
			variables[variable.Variable] = []any{nil}
		case variable.Type.NamedType == "Int":
			variables[variable.Variable] = json.Number("1")
		}
	}
	return variables
}

// compile makes the plans of an operation for every set of conditions, as many as are kept, for answers in one part.
func (e *Engine) compile(document *admitted, operation *ast.OperationDefinition) *gqlerror.Error {
	conditions, _ := plan.Conditions(document.doc, operation, false)
	for bits := range min(1<<min(len(conditions), maxPlans), maxPlans) {
		variables := map[string]any{}
		for i, name := range conditions {
			variables[name] = bits>>i&1 == 1
		}
		if _, _, err := document.plans.find(e.schema, e.planner, document.doc, operation, variables, false); err != nil {
			return err
		}
	}
	return nil
}

// kept returns a document that has been admitted already, nil when there is none.
func (e *Engine) kept(text string) *admitted {
	if document := e.trusted.byText[text]; document != nil {
		return document
	}
	return e.documents.get(text)
}

// trustedText replaces the id of a request by its document.
func (e *Engine) trustedText(request *Request) *gqlerror.Error {
	text, known := e.trusted.byID[request.DocumentID]
	switch {
	case request.Query != "":
		return badPersisted("The request has a query and a documentId; send one of them.")
	case !known:
		return notFound()
	}
	request.Query = text
	return nil
}

// untrusted refuses a document that is not on the list, where only those are served.
func (e *Engine) untrusted(request Request) *gqlerror.Error {
	if !e.trusted.only || request.Own || e.trusted.byText[request.Query] != nil {
		return nil
	}
	err := errorOf(model.Errorf(model.CodeBadUserInput,
		"This server runs only the documents that its operator has listed: name one by its documentId."))
	err.Rule = markUntrusted
	return err
}
