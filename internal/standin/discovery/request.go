package discovery

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// uploadParameters are no part of any method's description; the protocol of uploads brings them.
var uploadParameters = []string{"uploadType", "upload_id", "upload_protocol"}

// CheckRequest judges a request's query and its decoded JSON body (nil for none). Numbers in the body are json.Number
// or any of Go's. A time without offset passes where a zone stands beside it, as the API's prose allows.
//
// Fields are required as the description says. For Gmail that is true of few; the others it marks are optional in
// truth, such as the raw text of a message whose media carries it.
func (d *Document) CheckRequest(m *Method, query url.Values, body any) []Violation {
	q := &findings{method: m.ID, part: InQuery}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		d.checkParameter(q, m, name, query[name])
	}
	for _, name := range slices.Sorted(maps.Keys(m.Parameters)) {
		if p := m.Parameters[name]; p.Location == "query" && p.Required && query.Get(name) == "" {
			q.add(name, RuleRequired, "the parameter is missing")
		}
	}
	if fields := query.Get("fields"); fields != "" {
		if mask, err := ParseMask(fields); err != nil {
			q.add("fields", RuleMask, "%v", err)
		} else {
			q.found = append(q.found, d.CheckMask(m, mask)...)
		}
	}

	b := &findings{method: m.ID, part: InRequest}
	switch {
	case m.Request == "" && body != nil:
		b.add("", RuleBody, "the method takes no body")
	case m.Request != "" && body == nil && !m.Upload:
		b.add("", RuleBody, "the method wants a body")
	case m.Request != "" && body != nil:
		w := walker{doc: d, findings: b, method: m, request: true}
		w.value("", d.Schemas[m.Request], body)
	}
	return append(q.found, b.found...)
}

func (d *Document) checkParameter(f *findings, m *Method, name string, values []string) {
	p, known := m.Parameters[name]
	if !known || p.Location != "query" {
		p, known = d.Parameters[name]
	}
	if m.Upload && slices.Contains(uploadParameters, name) {
		return
	}
	if !known {
		f.add(name, RuleUnknown, "the method has no such parameter")
		return
	}
	if len(values) > 1 && !p.Repeated {
		f.add(name, RuleRepeated, "the parameter may be given once")
	}
	for _, value := range values {
		checkText(f, name, p, value)
	}
}

// checkText judges a scalar in the notation of a query.
func checkText(f *findings, path string, s *Schema, text string) {
	switch s.Type {
	case "boolean":
		if text != "true" && text != "false" {
			f.add(path, RuleType, "%q is not true or false", clip(text))
		}
	case "integer", "number":
		checkNumber(f, path, s, text)
	default:
		checkString(f, path, s, text)
	}
}

// clip keeps a quoted value short.
func clip(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
