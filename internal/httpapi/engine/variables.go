package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"almanac/graph/model"
)

// coerceVariables turns the variables of a request into the values that the operation declares, by the rules of the
// specification (October 2021, section 6.1.2) and nothing looser: no number is a String, no string an Int, an Int has
// 32 bits, an enum value is spelled as it is, input objects have no unknown fields. Absent stays absent and null
// stays null, in input objects too; gqlgen fills in the defaults of input fields.
//
// Numbers become int64 for Int and float64 for Float, an ID always becomes a string. What a custom scalar gets is left
// as it came, once its reader has accepted it: a wrong value refuses the request before a field of it has run. So does
// a wrong default. Errors name the path of the value, variable first, in extensions.field.
func coerceVariables(schema *ast.Schema, op *ast.OperationDefinition, given map[string]any, suggest bool,
	limit int) (map[string]any, gqlerror.List) {
	c := coercion{schema: schema, suggest: suggest, limit: limit}
	values := make(map[string]any, len(op.VariableDefinitions))
	for _, definition := range op.VariableDefinitions {
		c.variable = definition
		value, has := given[definition.Variable]
		switch {
		case has:
			values[definition.Variable] = c.value(path{name: definition.Variable}, definition.Type, value)
		case definition.DefaultValue != nil:
			value, err := definition.DefaultValue.Value(nil)
			if err != nil { // the validator has read it already
				c.fail(path{name: definition.Variable}, "its default cannot be read")
				continue
			}
			c.written(path{name: definition.Variable}, definition.Type, value)
			values[definition.Variable] = value
		case definition.Type.NonNull:
			c.fail(path{name: definition.Variable}, fmt.Sprintf("a value of type %s is required", definition.Type))
		}
		if len(c.errs) >= limit {
			break
		}
	}
	if len(c.errs) > 0 {
		return nil, c.errs
	}
	return values, nil
}

type coercion struct {
	schema   *ast.Schema
	suggest  bool
	limit    int
	variable *ast.VariableDefinition
	errs     gqlerror.List
}

// path is where a value stands; its texts are made only for errors.
type path struct {
	up   *path
	name string
}

func (p *path) names() []string {
	var names []string
	for at := p; at != nil; at = at.up {
		names = append(names, at.name)
	}
	slices.Reverse(names)
	return names
}

func (c *coercion) fail(at path, reason string) any {
	if len(c.errs) < c.limit {
		names := at.names()
		if !strings.HasSuffix(reason, "?") {
			reason += "."
		}
		err := gqlerror.ErrorPosf(c.variable.Position, `Variable "$%s" has a wrong value: %s`, clip(strings.Join(names, ".")),
			reason)
		err.Extensions = map[string]any{"field": names}
		c.errs = append(c.errs, err)
	}
	return nil
}

func (c *coercion) value(at path, t *ast.Type, value any) any {
	switch {
	case value == nil && t.NonNull:
		return c.fail(at, fmt.Sprintf("null is no %s", t))
	case value == nil:
		return nil
	case t.Elem != nil:
		return c.list(at, t, value)
	}
	definition := c.schema.Types[t.NamedType]
	switch definition.Kind {
	case ast.Enum:
		return c.enum(at, definition, value)
	case ast.InputObject:
		return c.object(at, definition, value)
	default:
		return c.scalar(at, definition.Name, value)
	}
}

func (c *coercion) list(at path, t *ast.Type, value any) any {
	items, ok := value.([]any)
	if !ok { // a single value stands for a list of one
		return []any{c.value(at, t.Elem, value)}
	}
	coerced := make([]any, len(items))
	for i, item := range items {
		if len(c.errs) >= c.limit {
			return nil
		}
		if item == nil && !t.Elem.NonNull {
			continue
		}
		coerced[i] = c.value(path{up: &at, name: strconv.Itoa(i)}, t.Elem, item)
	}
	return coerced
}

func (c *coercion) enum(at path, definition *ast.Definition, value any) any {
	text, ok := value.(string)
	if ok && definition.EnumValues.ForName(text) != nil {
		return value
	}
	reason := fmt.Sprintf("it is no value of the enum %s", definition.Name)
	if c.suggest {
		names := make([]string, len(definition.EnumValues))
		for i, v := range definition.EnumValues {
			names[i] = v.Name
		}
		reason += ", which has " + strings.Join(names, ", ")
		if i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, text) }); i >= 0 {
			reason += "; did you mean " + names[i] + "?"
		}
	}
	return c.fail(at, reason)
}

func (c *coercion) object(at path, definition *ast.Definition, value any) any {
	fields, ok := value.(map[string]any)
	if !ok {
		return c.fail(at, fmt.Sprintf("%s wants an object, not %s", definition.Name, kindOf(value)))
	}
	known := 0
	coerced := make(map[string]any, len(fields))
	for _, field := range definition.Fields {
		item, has := fields[field.Name]
		switch {
		case has:
			known++
			coerced[field.Name] = c.value(path{up: &at, name: field.Name}, field.Type, item)
		case field.Type.NonNull && field.DefaultValue == nil:
			c.fail(path{up: &at, name: field.Name}, fmt.Sprintf("a value of type %s is required", field.Type))
		}
		if len(c.errs) >= c.limit {
			return nil
		}
	}
	if known < len(fields) {
		c.unknownFields(at, definition, fields)
	}
	if definition.Directives.ForName("oneOf") != nil {
		c.oneOf(at, definition, fields)
	}
	return coerced
}

func (c *coercion) unknownFields(at path, definition *ast.Definition, fields map[string]any) {
	var unknown []string
	for name := range fields {
		if definition.Fields.ForName(name) == nil {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		if len(c.errs) >= c.limit {
			return
		}
		c.fail(path{up: &at, name: clip(name)}, fmt.Sprintf("%s has no such field", definition.Name))
	}
}

// oneOf holds an input object of the directive @oneOf to exactly one field that is not null.
func (c *coercion) oneOf(at path, definition *ast.Definition, fields map[string]any) {
	if len(fields) == 1 {
		for _, value := range fields {
			if value != nil {
				return
			}
		}
	}
	c.fail(at, fmt.Sprintf("%s wants exactly one field, and not null", definition.Name))
}

func (c *coercion) scalar(at path, name string, value any) any {
	switch name {
	case "Int":
		if n, ok := integer(value); ok && n >= math.MinInt32 && n <= math.MaxInt32 {
			return int64(n)
		}
		return c.fail(at, "Int wants a whole number of 32 bits, not "+kindOf(value))
	case "Float":
		if number, ok := value.(json.Number); ok {
			if f, err := number.Float64(); err == nil {
				return f
			}
		}
		return c.fail(at, "Float wants a number of 64 bits, not "+kindOf(value))
	case "String":
		if _, ok := value.(string); ok {
			return value // as it is, since another interface of it would be allocated
		}
		return c.fail(at, "String wants a string, not "+kindOf(value))
	case "Boolean":
		if _, ok := value.(bool); ok {
			return value
		}
		return c.fail(at, "Boolean wants true or false, not "+kindOf(value))
	case "ID":
		if _, ok := value.(string); ok {
			return value
		}
		if number, ok := value.(json.Number); ok {
			if _, err := strconv.ParseInt(string(number), 10, 64); err == nil {
				return string(number)
			}
			if n, whole := integer(value); whole && math.Abs(n) <= 1<<53 {
				return strconv.FormatFloat(n, 'f', -1, 64)
			}
		}
		return c.fail(at, "ID wants a string or a whole number, not "+kindOf(value))
	default:
		if at.up == nil { // a variable: the field that it is put into says whether it takes words
			name = inWords(name, "dueDate", value)
		}
		if err := readScalar(inWords(name, at.name, value), value); err != nil {
			return c.fail(at, strings.TrimSuffix(err.Error(), "."))
		}
		return value
	}
}

// inWords returns how a value of a scalar at a field is read: of all that take a DateTime, due dates alone take a time
// in words too.
func inWords(scalar, field string, value any) string {
	if _, object := value.(map[string]any); object && scalar == "DateTime" && field == "dueDate" {
		return "DueDate"
	}
	return scalar
}

// readScalar reads a value as the executor will. Scalars that this API does not have take every value.
func readScalar(name string, value any) error {
	var reader graphql.Unmarshaler
	switch name {
	case "DateTime":
		reader = new(model.DateTimeInput)
	case "DueDate":
		reader = new(model.DueDateInput)
	case "Date":
		reader = new(model.Date)
	case "Duration":
		reader = new(model.Duration)
	case "JSON":
		reader = new(model.JSON)
	default:
		return nil
	}
	err := reader.UnmarshalGQL(value)
	if shown, ok := errors.AsType[*model.Error](err); ok {
		return errors.New(shown.Message)
	}
	return err
}

// written reads the custom scalars of a variable's default, which the validator has held against its type but for them.
func (c *coercion) written(at path, t *ast.Type, value any) {
	if value == nil || len(c.errs) >= c.limit {
		return
	}
	if t.Elem != nil {
		if items, ok := value.([]any); ok {
			for i, item := range items {
				c.written(path{up: &at, name: strconv.Itoa(i)}, t.Elem, item)
			}
			return
		}
		c.written(at, t.Elem, value)
		return
	}
	switch definition := c.schema.Types[t.NamedType]; definition.Kind {
	case ast.InputObject:
		fields, _ := value.(map[string]any)
		for _, field := range definition.Fields {
			c.written(path{up: &at, name: field.Name}, field.Type, fields[field.Name])
		}
	case ast.Scalar:
		if err := readScalar(inWords(definition.Name, at.name, value), value); err != nil {
			c.fail(at, strings.TrimSuffix(err.Error(), "."))
		}
	}
}

// integer reads a JSON number that is whole, however it is written: 1, 1.0 and 1e0 are one number in JSON.
func integer(value any) (float64, bool) {
	number, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := number.Float64()
	return f, err == nil && f == math.Trunc(f)
}

// kindOf names the kind of a JSON value; the value itself is not repeated.
func kindOf(value any) string {
	switch value.(type) {
	case string:
		return "a string"
	case json.Number:
		return "this number"
	case bool:
		return "a Boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	default:
		return "null"
	}
}
