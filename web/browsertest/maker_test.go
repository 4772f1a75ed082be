package browsertest_test

import (
	"reflect"
	"strings"

	"github.com/99designs/gqlgen/graphql/introspection"
	"github.com/vektah/gqlparser/v2/ast"
)

// maker makes an answer of the right shape for one operation. What the source knows is taken from it; the rest is
// made up from the field's name and type, the same each time.
type maker struct {
	schema    *ast.Schema
	document  *ast.QueryDocument
	variables map[string]any
}

func (m maker) object(definition *ast.Definition, source map[string]any, set ast.SelectionSet) map[string]any {
	out := make(map[string]any)
	for _, field := range m.fields(set) {
		out[field.Alias] = m.field(definition, source, field)
	}
	return out
}

// fields flattens fragments; the stand-in's documents spread none over types that do not apply.
func (m maker) fields(set ast.SelectionSet) []*ast.Field {
	var out []*ast.Field
	for _, selection := range set {
		switch selection := selection.(type) {
		case *ast.Field:
			out = append(out, selection)
		case *ast.InlineFragment:
			out = append(out, m.fields(selection.SelectionSet)...)
		case *ast.FragmentSpread:
			out = append(out, m.fields(m.document.Fragments.ForName(selection.Name).SelectionSet)...)
		}
	}
	return out
}

func (m maker) field(parent *ast.Definition, source map[string]any, field *ast.Field) any {
	switch field.Name {
	case "__typename":
		return parent.Name
	case "__schema":
		return m.mirror(reflect.ValueOf(introspection.WrapSchema(m.schema)), field.SelectionSet)
	}
	known, given := source[field.Name]
	if nested, ok := known.(map[string]any); ok {
		return m.object(m.schema.Types[field.Definition.Type.Name()], nested, field.SelectionSet)
	}
	if given {
		return known
	}
	return m.value(field.Definition.Type, field, 0)
}

func (m maker) value(t *ast.Type, field *ast.Field, index int) any {
	if t.Elem != nil {
		if field.Name == "userErrors" {
			return []any{}
		}
		list := make([]any, 2)
		for i := range list {
			list[i] = m.value(t.Elem, field, i)
		}
		return list
	}
	switch field.Name {
	case "confirmation", "existingTask", "existingList", "message", "code":
		return nil
	}
	definition := m.schema.Types[t.NamedType]
	switch definition.Kind {
	case ast.Enum:
		return definition.EnumValues[0].Name
	case ast.Object:
		return m.object(definition, sample(definition.Name, index, strings.Contains(field.Alias, "noDue")),
			field.SelectionSet)
	case ast.Interface, ast.Union:
		return nil
	}
	return scalar(t.NamedType, field.Name)
}

// sample is what a person would have on their board, in both languages.
func sample(typeName string, index int, dateless bool) map[string]any {
	if typeName != "Task" {
		return nil
	}
	tasks := []map[string]any{
		{"text": "Call the dentist", "dueDateFormatted": "Yesterday at 18:00", "category": "health"},
		{"text": "לקנות חלב (2 ליטר), לחם וביצים", "dueDateFormatted": "Today at 09:00", "category": "בית"},
	}
	task := tasks[index%len(tasks)]
	if dateless {
		delete(task, "dueDateFormatted")
	}
	return task
}

func scalar(typeName, fieldName string) any {
	switch typeName {
	case "Int":
		return 3
	case "Float":
		return 0.75
	case "Boolean":
		return strings.HasPrefix(fieldName, "is")
	case "DateTime":
		return "2026-11-22T18:00:00+02:00"
	case "Duration":
		return "PT30M"
	case "ID":
		return "task_01h455vb4pex5vsknk084sn02q"
	}
	switch fieldName {
	case "timeZone":
		return "Asia/Jerusalem"
	case "locale":
		return "en"
	case "time":
		return "08:00"
	}
	return "A " + fieldName
}

// mirror answers introspection from gqlgen's own view of a schema: a field is the method or struct field of its name.
func (m maker) mirror(value reflect.Value, set ast.SelectionSet) any {
	if value.Kind() == reflect.Pointer && value.IsNil() {
		return nil
	}
	if len(set) == 0 {
		return value.Interface()
	}
	if value.Kind() == reflect.Slice {
		list := make([]any, value.Len())
		for i := range list {
			list[i] = m.mirror(value.Index(i).Addr(), set)
		}
		return list
	}
	out := make(map[string]any)
	for _, field := range m.fields(set) {
		name := strings.ToUpper(field.Name[:1]) + field.Name[1:]
		var part reflect.Value
		if method := value.MethodByName(name); method.IsValid() {
			arguments := make([]reflect.Value, method.Type().NumIn())
			for i := range arguments {
				arguments[i] = reflect.ValueOf(true)
			}
			part = method.Call(arguments)[0]
		} else {
			part = reflect.Indirect(value).FieldByName(name)
		}
		if part.Kind() == reflect.Struct {
			part = part.Addr()
		}
		out[field.Alias] = m.mirror(part, field.SelectionSet)
	}
	return out
}
