package discovery

import (
	"maps"
	"slices"
	"strconv"
)

// CheckResponse judges the decoded JSON body (nil for none) of a successful response. A nil mask stands for none; with
// one, nothing may be in the body that it leaves out, and the kind may be missing if it does not ask for it.
func (d *Document) CheckResponse(m *Method, body any, mask *Mask) []Violation {
	f := &findings{method: m.ID, part: InResponse}
	switch {
	case m.Response == "" && body == nil:
		return nil
	case m.Response == "":
		f.add("", RuleBody, "the method answers without a body")
		return f.found
	case body == nil:
		f.add("", RuleBody, "the method answers with a body")
		return f.found
	}
	schema := d.Schemas[m.Response]
	w := walker{doc: d, findings: f, method: m}
	w.value("", schema, body)

	object, isObject := body.(map[string]any)
	if kind := schema.Properties["kind"]; isObject && kind != nil && kind.Default != "" && mask.holds("kind") {
		if _, given := object["kind"]; !given {
			f.add("kind", RuleKind, "the envelope's kind is missing; it is %q", kind.Default)
		}
	}
	if mask != nil {
		outside(f, "", mask, body)
	}
	return f.found
}

// outside finds what a mask leaves out.
func outside(f *findings, path string, mask *Mask, value any) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			below := mask.below(name)
			if below == nil {
				f.add(join(path, name), RuleMask, "the mask leaves this out")
				continue
			}
			if !below.whole {
				outside(f, join(path, name), below, v[name])
			}
		}
	case []any:
		for i, item := range v {
			outside(f, join(path, strconv.Itoa(i)), mask, item)
		}
	default:
		f.add(path, RuleMask, "the mask asks for something inside of a value that has no inside")
	}
}
