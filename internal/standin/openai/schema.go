package openai

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// schemaRules are what OpenAI asks of the schema of a strict form
// (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas).
type schemaRules struct {
	Keywords      []string `json:"keywords"`
	MaxDepth      int      `json:"maxDepth"`
	MaxProperties int      `json:"maxProperties"`
	MaxEnum       int      `json:"maxEnum"`
}

// schema is the part of a JSON schema that is looked into.
type schema struct {
	Type       json.RawMessage            `json:"type"`
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
	Additional json.RawMessage            `json:"additionalProperties"`
	Items      json.RawMessage            `json:"items"`
	AnyOf      []json.RawMessage          `json:"anyOf"`
	Enum       []json.RawMessage          `json:"enum"`
	Defs       map[string]json.RawMessage `json:"$defs"`
}

// schemaCheck is one look at a schema.
type schemaCheck struct {
	schemaRules
	properties, enum int
}

// check returns what OpenAI would refuse of a schema; empty for nothing.
func (r schemaRules) check(raw json.RawMessage) string {
	c := &schemaCheck{schemaRules: r}
	var root schema
	switch {
	case json.Unmarshal(raw, &root) != nil:
		return "it is not a schema."
	case string(root.Type) != `"object"` || root.AnyOf != nil:
		return `schema must be a JSON Schema of 'type: "object"'.`
	}
	if wrong := c.look(raw, nil, 0); wrong != "" {
		return wrong
	}
	switch {
	case c.properties > r.MaxProperties:
		return fmt.Sprintf("it has %d properties, and may have %d.", c.properties, r.MaxProperties)
	case c.enum > r.MaxEnum:
		return fmt.Sprintf("it has %d enum values, and may have %d.", c.enum, r.MaxEnum)
	}
	return ""
}

func (c *schemaCheck) look(raw json.RawMessage, path []string, depth int) string {
	in := "In context=(" + strings.Join(path, ", ") + "), "
	if depth > c.MaxDepth {
		return in + "the schema is nested too deeply."
	}
	var words map[string]json.RawMessage
	var s schema
	if json.Unmarshal(raw, &words) != nil || json.Unmarshal(raw, &s) != nil {
		return in + "it is not a schema."
	}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		if !slices.Contains(c.Keywords, word) {
			return in + "'" + word + "' is not permitted."
		}
	}
	c.enum += len(s.Enum)
	if strings.Contains(string(s.Type), `"object"`) {
		if wrong := c.object(s); wrong != "" {
			return in + wrong
		}
	}
	if strings.Contains(string(s.Type), `"array"`) && s.Items == nil {
		return in + "array schema missing items."
	}
	if s.Type == nil && s.AnyOf == nil && words["$ref"] == nil && s.Enum == nil && words["const"] == nil {
		return in + "schema must have a 'type' key."
	}
	return c.below(s, path, depth)
}

// object checks an object's own rules.
func (c *schemaCheck) object(s schema) string {
	c.properties += len(s.Properties)
	if string(s.Additional) != "false" {
		return "'additionalProperties' is required to be supplied and to be false."
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(s.Required, name) {
			return "'required' is required to be supplied and to be an array including every key in properties. Missing '" +
				name + "'."
		}
	}
	for _, name := range s.Required {
		if _, ok := s.Properties[name]; !ok {
			return "'required' has the extra key '" + name + "'."
		}
	}
	return ""
}

// below looks at what a schema is made of.
func (c *schemaCheck) below(s schema, path []string, depth int) string {
	parts := map[string]json.RawMessage{}
	for name, part := range s.Properties {
		parts["'properties', '"+name+"'"] = part
	}
	for name, part := range s.Defs {
		parts["'$defs', '"+name+"'"] = part
	}
	for i, part := range s.AnyOf {
		parts[fmt.Sprintf("'anyOf', '%d'", i)] = part
	}
	if s.Items != nil {
		parts["'items'"] = s.Items
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if wrong := c.look(parts[name], append(slices.Clone(path), name), depth+1); wrong != "" {
			return wrong
		}
	}
	return ""
}
