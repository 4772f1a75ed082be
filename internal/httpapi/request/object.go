package request

import (
	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
)

// The keys of a request, exactly as the specification spells them.
const (
	keyQuery         = "query"
	keyOperationName = "operationName"
	keyVariables     = "variables"
	keyExtensions    = "extensions"
	// keyDocumentID names a document that the server knows, in place of a query.
	keyDocumentID = "documentId"
	// keyPersisted is the extension by which a document is named by its hash, in place of a query.
	keyPersisted = "persistedQuery"
)

// FromObject makes a request of a parsed JSON object. Keys are compared exactly; unknown keys are left alone, as the
// specification reserves them. The error is an *Error of status 400 that names the key at fault.
func FromObject(object map[string]any) (engine.Request, error) { return fromObject(object) }

func fromObject(object map[string]any) (engine.Request, error) {
	var request engine.Request
	var err error
	if request.Query, err = stringAt(object, keyQuery); err != nil {
		return engine.Request{}, err
	}
	if request.OperationName, err = stringAt(object, keyOperationName); err != nil {
		return engine.Request{}, err
	}
	if request.Variables, err = objectAt(object, keyVariables); err != nil {
		return engine.Request{}, err
	}
	if request.Extensions, err = objectAt(object, keyExtensions); err != nil {
		return engine.Request{}, err
	}
	if request.DocumentID, err = stringAt(object, keyDocumentID); err != nil {
		return engine.Request{}, err
	}
	if request.Query == "" && request.DocumentID == "" && request.Extensions[keyPersisted] == nil {
		return engine.Request{}, wrong(keyQuery, "The request has no %q.", keyQuery)
	}
	return request, nil
}

// NamesDocument reports whether a request names a document instead of sending it: by its id, or by its hash.
func NamesDocument(object map[string]any) bool {
	extensions, _ := object[keyExtensions].(map[string]any)
	return object[keyDocumentID] != nil || extensions[keyPersisted] != nil
}

func wrong(key, format string, args ...any) *Error {
	e := bad(format, args...)
	e.Shown.Field = model.FieldPath(key)
	return e
}

func stringAt(object map[string]any, key string) (string, error) {
	switch value := object[key].(type) {
	case nil:
		return "", nil
	case string:
		return value, nil
	default:
		return "", wrong(key, "%q must be a string.", key)
	}
}

func objectAt(object map[string]any, key string) (map[string]any, error) {
	switch value := object[key].(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return value, nil
	default:
		return nil, wrong(key, "%q must be a JSON object.", key)
	}
}
