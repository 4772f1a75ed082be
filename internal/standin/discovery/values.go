package discovery

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// walker compares a value of JSON with its schema.
type walker struct {
	doc      *Document
	findings *findings
	method   *Method
	// request says that null is allowed, and that fields required of the method's requests must be there.
	request bool
}

func (w walker) value(path string, schema *Schema, value any) {
	s := w.doc.resolve(schema)
	if value == nil {
		if !w.request || path == "" {
			w.findings.add(path, RuleNull, "null stands where a value must")
		}
		return
	}
	switch s.Type {
	case "any":
	case "object":
		object, ok := value.(map[string]any)
		if !ok {
			w.wrongType(path, "an object", value)
			return
		}
		w.object(path, s, object)
	case "array":
		array, ok := value.([]any)
		if !ok {
			w.wrongType(path, "an array", value)
			return
		}
		for i, item := range array {
			w.item(join(path, strconv.Itoa(i)), s.Items, item)
		}
	case "boolean":
		if _, ok := value.(bool); !ok {
			w.wrongType(path, "a boolean", value)
		}
	case "integer", "number":
		text, ok := number(value)
		if !ok {
			w.wrongType(path, "a number", value)
			return
		}
		checkNumber(w.findings, path, s, text)
	default:
		text, ok := value.(string)
		if !ok {
			w.wrongType(path, "a string", value)
			return
		}
		checkString(w.findings, path, s, text)
	}
}

// item is a value in a list, where null erases nothing.
func (w walker) item(path string, s *Schema, value any) {
	if value == nil {
		w.findings.add(path, RuleNull, "null stands in a list")
		return
	}
	w.value(path, s, value)
}

func (w walker) object(path string, s *Schema, object map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		property, known := s.Properties[name]
		if !known {
			property = s.AdditionalProperties
		}
		if property == nil {
			w.findings.add(join(path, name), RuleUnknown, "there is no such field")
			continue
		}
		if name == "dateTime" && w.request && w.floating(object) {
			continue
		}
		w.value(join(path, name), property, object[name])
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		if w.request && !w.method.Upload && w.isRequired(property, name) && object[name] == nil {
			w.findings.add(join(path, name), RuleRequired, "the field is missing")
		}
		if given, ok := object[name].(string); ok && name == "kind" && property.Default != "" && given != property.Default {
			w.findings.add(join(path, name), RuleKind, "%q is not %q", clip(given), property.Default)
		}
	}
}

// isRequired reads the description, and for Gmail only the two fields of which it is true: it also marks a message's
// raw text, which media replaces, and the visibilities and the id of a label, without which labels are written.
func (w walker) isRequired(property *Schema, name string) bool {
	if !slices.Contains(property.RequiredFor, w.method.ID) {
		return false
	}
	if w.doc.Name != "gmail" {
		return true
	}
	return (w.method.Request == "Draft" && name == "id") || (w.method.Request == "Label" && name == "name")
}

// floating reports whether an EventDateTime of a request has a time without offset and the zone it is meant in, which
// the description's prose allows ("A time zone offset is required unless a time zone is explicitly specified in
// timeZone").
func (walker) floating(object map[string]any) bool {
	text, isText := object["dateTime"].(string)
	zone, hasZone := object["timeZone"].(string)
	if !isText || !hasZone || zone == "" {
		return false
	}
	_, err := time.Parse("2006-01-02T15:04:05", text)
	return err == nil
}

func (w walker) wrongType(path, want string, got any) {
	w.findings.add(path, RuleType, "%s is not %s", kindOf(got), want)
}

// kindOf names the JSON type of a value.
func kindOf(value any) string {
	switch value.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	}
	if _, ok := number(value); ok {
		return "a number"
	}
	return fmt.Sprintf("a Go value of type %T", value)
}

// number returns a number in the notation of JSON.
func number(value any) (string, bool) {
	switch n := value.(type) {
	case json.Number:
		return n.String(), true
	case int:
		return strconv.Itoa(n), true
	case int32:
		return strconv.FormatInt(int64(n), 10), true
	case int64:
		return strconv.FormatInt(n, 10), true
	case uint64:
		return strconv.FormatUint(n, 10), true
	case float64:
		if math.IsNaN(n) || math.IsInf(n, 0) {
			return "", false
		}
		return strconv.FormatFloat(n, 'f', -1, 64), true
	}
	return "", false
}

func checkNumber(f *findings, path string, s *Schema, text string) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		f.add(path, RuleType, "%q is not a number", clip(text))
		return
	}
	if s.Type == "integer" {
		if n != math.Trunc(n) {
			f.add(path, RuleType, "%s is not a whole number", clip(text))
			return
		}
		low, high := float64(math.MinInt32), float64(math.MaxInt32)
		if s.Format == "uint32" {
			low, high = 0, math.MaxUint32
		}
		if n < low || n > high {
			f.add(path, RuleRange, "%s does not fit into %s", clip(text), s.Format)
			return
		}
	}
	if low, err := strconv.ParseFloat(s.Minimum, 64); err == nil && n < low {
		f.add(path, RuleRange, "%s is below %s", clip(text), s.Minimum)
	}
	if high, err := strconv.ParseFloat(s.Maximum, 64); err == nil && n > high {
		f.add(path, RuleRange, "%s is above %s", clip(text), s.Maximum)
	}
}

func checkString(f *findings, path string, s *Schema, text string) {
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, text) {
		f.add(path, RuleEnum, "%q is none of %s", clip(text), strings.Join(s.Enum, ", "))
	}
	var err error
	switch s.Format {
	case "int64":
		_, err = strconv.ParseInt(text, 10, 64)
	case "uint64":
		_, err = strconv.ParseUint(text, 10, 64)
	case "date":
		_, err = time.Parse(time.DateOnly, text)
	case "date-time", "google-datetime":
		_, err = time.Parse(time.RFC3339, text)
	case "byte":
		// Google writes the alphabet for URLs and reads both; padding is optional when read.
		_, err = base64.RawURLEncoding.DecodeString(strings.NewReplacer("+", "-", "/",
			"_").Replace(strings.TrimRight(text, "=")))
	}
	if err != nil {
		f.add(path, RuleFormat, "%q is no %s", clip(text), s.Format)
	}
}

// join leads one step further down.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "/" + name
}
