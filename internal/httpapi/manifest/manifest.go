// Package manifest reads the lists of trusted documents that the tools of clients write when a client is built.
//
// It promises that no list is read halfway: what is not understood is an error that names its place.
package manifest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/request"
)

// The form of Apollo's generate-persisted-query-manifest.
const (
	apolloFormat  = "apollo-persisted-query-manifest"
	apolloVersion = "1"
)

// maxID is the longest id of a document, in bytes.
const maxID = 256

// hashPrefix begins an id that is the SHA-256 of its document (GraphQL over HTTP, appendix "Persisted Documents").
const hashPrefix = "sha256:"

// Parse reads a manifest: an object of texts by their ids, as Relay's compiler and the client preset of GraphQL Code
// Generator write it, or Apollo's form with its list of operations. The documents are in the order of their ids, or of
// the list, and have not been looked at.
func Parse(text []byte) ([]engine.Document, error) {
	value, err := request.ParseJSON(text)
	if err != nil {
		return nil, fmt.Errorf("it is no JSON: %w", err)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("it must be a JSON object")
	}
	var documents []engine.Document
	if _, isList := object["operations"].([]any); isList || object["format"] == apolloFormat {
		documents, err = apollo(object)
	} else {
		documents, err = byID(object)
	}
	if err != nil {
		return nil, err
	}
	if len(documents) == 0 {
		return nil, errors.New("it has no documents")
	}
	known := make(map[string]string, len(documents))
	for _, document := range documents {
		if err := checkID(document); err != nil {
			return nil, err
		}
		if other, twice := known[document.ID]; twice && other != document.Text {
			return nil, fmt.Errorf("two documents have the id %.80q", document.ID)
		}
		known[document.ID] = document.Text
	}
	return documents, nil
}

// byID reads {"id": "text"}.
func byID(object map[string]any) ([]engine.Document, error) {
	documents := make([]engine.Document, 0, len(object))
	for _, id := range slices.Sorted(maps.Keys(object)) {
		text, ok := object[id].(string)
		if !ok {
			return nil, fmt.Errorf("the value of %.80q must be a document's text", id)
		}
		documents = append(documents, engine.Document{ID: id, Text: text})
	}
	return documents, nil
}

// apollo reads {"format", "version", "operations": [{"id", "name", "type", "body"}]}.
func apollo(object map[string]any) ([]engine.Document, error) {
	if version, ok := object["version"].(json.Number); object["format"] != apolloFormat || !ok ||
		version.String() != apolloVersion {
		return nil, fmt.Errorf(`with "operations" it must have "format": %q and "version": %s`, apolloFormat, apolloVersion)
	}
	operations, ok := object["operations"].([]any)
	if !ok {
		return nil, errors.New(`"operations" must be a list`)
	}
	documents := make([]engine.Document, 0, len(operations))
	for i, one := range operations {
		operation, _ := one.(map[string]any)
		id, hasID := operation["id"].(string)
		body, hasBody := operation["body"].(string)
		name, _ := operation["name"].(string)
		if !hasID || !hasBody {
			return nil, fmt.Errorf("operations[%d] must have an id and a body, which are strings", i)
		}
		documents = append(documents, engine.Document{ID: id, Name: name, Text: body})
	}
	return documents, nil
}

func checkID(document engine.Document) error {
	if document.ID == "" || len(document.ID) > maxID {
		return fmt.Errorf("the id %.80q must have from 1 to %d bytes", document.ID, maxID)
	}
	if hash, ok := strings.CutPrefix(document.ID, hashPrefix); ok {
		if sum := sha256.Sum256([]byte(document.Text)); hash != hex.EncodeToString(sum[:]) {
			return fmt.Errorf("the id %.80q is not the hash of its document", document.ID)
		}
	}
	return nil
}
