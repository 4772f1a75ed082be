package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"almanac/projections/compact"
)

// maxSchemaDepth is how deep input objects are told; below it, and where one holds itself, any object is taken, and the
// API checks it.
const maxSchemaDepth = 4

// property is a part of a JSON schema, in the order in which it is written.
type property struct {
	Type        any             `json:"type,omitempty"`
	Description string          `json:"description,omitempty"`
	Enum        []string        `json:"enum,omitempty"`
	Items       *property       `json:"items,omitempty"`
	Properties  *properties     `json:"properties,omitempty"`
	Required    []string        `json:"required,omitempty"`
	Additional  *bool           `json:"additionalProperties,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`
}

// properties keep the order of the GraphQL document.
type properties struct {
	names  []string
	values []property
}

// MarshalJSON writes an object.
func (p properties) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, name := range p.names {
		if i > 0 {
			out.WriteByte(',')
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(p.values[i])
		if err != nil {
			return nil, err
		}
		out.Write(key)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// inputSchema returns the JSON schema of an operation's variables.
func inputSchema(schema *ast.Schema, variables ast.VariableDefinitionList) (json.RawMessage, error) {
	closed := false
	root := property{Type: "object", Properties: &properties{}, Additional: &closed}
	for _, v := range variables {
		p, err := typeSchema(schema, v.Type, nil)
		if err != nil {
			return nil, fmt.Errorf("$%s: %w", v.Variable, err)
		}
		if v.DefaultValue != nil {
			if p.Default, err = literal(v.DefaultValue); err != nil {
				return nil, fmt.Errorf("the default of $%s: %w", v.Variable, err)
			}
		} else if v.Type.NonNull {
			root.Required = append(root.Required, v.Variable)
		}
		root.Properties.names = append(root.Properties.names, v.Variable)
		root.Properties.values = append(root.Properties.values, p)
	}
	return json.Marshal(root)
}

// typeSchema returns the JSON schema of an input type. Null is taken where GraphQL takes it.
func typeSchema(schema *ast.Schema, t *ast.Type, above []string) (property, error) {
	if t.Elem != nil {
		items, err := typeSchema(schema, t.Elem, above)
		return property{Type: "array", Items: &items}, err
	}
	definition := schema.Types[t.NamedType]
	if definition == nil {
		return property{}, errors.New("there is no type " + t.NamedType)
	}
	switch definition.Kind {
	case ast.Enum:
		out := property{Type: "string"}
		for _, value := range definition.EnumValues {
			out.Enum = append(out.Enum, value.Name)
		}
		return out, nil
	case ast.InputObject:
		return objectSchema(schema, definition, above)
	default:
		return scalarSchema(t.NamedType), nil
	}
}

// scalarSchema returns the JSON schema of a scalar.
func scalarSchema(name string) property {
	switch name {
	case "Int":
		return property{Type: "integer"}
	case "Float":
		return property{Type: "number"}
	case "Boolean":
		return property{Type: "boolean"}
	case "DateTime":
		return property{Type: "string", Description: "ISO 8601 date-time"}
	case "Date":
		return property{Type: "string", Description: "YYYY-MM-DD"}
	case "Duration":
		return property{Type: "string", Description: "ISO 8601 duration"}
	case "JSON":
		return property{}
	default:
		return property{Type: "string"}
	}
}

func objectSchema(schema *ast.Schema, definition *ast.Definition, above []string) (property, error) {
	out := property{Type: "object"}
	for _, name := range above {
		if name == definition.Name {
			return out, nil
		}
	}
	if len(above) >= maxSchemaDepth {
		return out, nil
	}
	closed := false
	out.Properties, out.Additional = &properties{}, &closed
	within := slices.Concat(above, []string{definition.Name})
	for _, f := range definition.Fields {
		p, err := typeSchema(schema, f.Type, within)
		if err != nil {
			return out, err
		}
		if f.Type.NonNull && f.DefaultValue == nil {
			out.Required = append(out.Required, f.Name)
		}
		out.Properties.names = append(out.Properties.names, f.Name)
		out.Properties.values = append(out.Properties.values, p)
	}
	return out, nil
}

// literal returns a GraphQL literal as JSON.
func literal(v *ast.Value) (json.RawMessage, error) {
	value, err := v.Value(nil)
	if err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

// tidy shortens a description to one line.
func tidy(text string) string { return compact.Line(strings.TrimSpace(text), 500) }
