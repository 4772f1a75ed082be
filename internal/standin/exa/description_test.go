package exa_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"
)

// description is what Exa published of its API, kept as data: which requests there are, and the schemas of what is
// asked and answered.
type description struct {
	Operations []operation        `json:"operations"`
	Schemas    map[string]*schema `json:"schemas"`
}

type operation struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Query   []string          `json:"query"`
	Body    string            `json:"body"`
	Answers map[string]string `json:"answers"`
	// Errors are the statuses of errors that are its own, besides those that every request may have.
	Errors []int `json:"errors"`
}

// schema is the part of JSON Schema that the description uses.
type schema struct {
	Ref        string             `json:"$ref"`
	Type       any                `json:"type"`
	Properties map[string]*schema `json:"properties"`
	Required   []string           `json:"required"`
	Additional json.RawMessage    `json:"additionalProperties"`
	Items      *schema            `json:"items"`
	Enum       []any              `json:"enum"`
	OneOf      []*schema          `json:"oneOf"`
	Format     string             `json:"format"`
	MinLength  *int               `json:"minLength"`
	MaxLength  *int               `json:"maxLength"`
	Minimum    *float64           `json:"minimum"`
	Maximum    *float64           `json:"maximum"`
	MinItems   *int               `json:"minItems"`
	MaxItems   *int               `json:"maxItems"`
}

var readDescription = sync.OnceValues(func() (*description, error) {
	text, err := os.ReadFile(filepath.Join("testdata", "description.json"))
	if err != nil {
		return nil, err
	}
	d := &description{}
	return d, json.Unmarshal(text, d)
})

// kindOf names the type of a value in the words of JSON Schema.
func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case float64:
		if v == math.Trunc(v) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	default:
		return "object"
	}
}

func (d *description) check(s *schema, v any, at string) []string {
	if s.Ref != "" {
		named, there := d.Schemas[s.Ref]
		if !there {
			return []string{at + ": no schema " + s.Ref}
		}
		return d.check(named, v, at)
	}
	if s.OneOf != nil {
		return d.checkOneOf(s.OneOf, v, at)
	}
	kind := kindOf(v)
	if !s.allows(kind) {
		return []string{fmt.Sprintf("%s: is %s and not %v", at, kind, s.Type)}
	}
	if s.Enum != nil && !slices.Contains(s.Enum, v) {
		return []string{fmt.Sprintf("%s: %v is not one of %v", at, v, s.Enum)}
	}
	switch v := v.(type) {
	case string:
		return s.checkText(v, at)
	case float64:
		if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum {
			return []string{fmt.Sprintf("%s: %v is out of bounds", at, v)}
		}
	case []any:
		if s.MinItems != nil && len(v) < *s.MinItems || s.MaxItems != nil && len(v) > *s.MaxItems {
			return []string{fmt.Sprintf("%s: %d entries are out of bounds", at, len(v))}
		}
		var wrong []string
		for i, one := range v {
			wrong = append(wrong, d.check(s.Items, one, at+"["+strconv.Itoa(i)+"]")...)
		}
		return wrong
	case map[string]any:
		return d.checkObject(s, v, at)
	}
	return nil
}

func (s *schema) allows(kind string) bool {
	allowed := []any{s.Type}
	if list, several := s.Type.([]any); several {
		allowed = list
	}
	return s.Type == nil || slices.Contains(allowed, any(kind)) ||
		kind == "integer" && slices.Contains(allowed, any("number"))
}

func (s *schema) checkText(v, at string) []string {
	n := len(utf16.Encode([]rune(v)))
	if s.MinLength != nil && n < *s.MinLength || s.MaxLength != nil && n > *s.MaxLength {
		return []string{fmt.Sprintf("%s: %d characters are out of bounds", at, n)}
	}
	switch s.Format {
	case "date-time":
		if t, err := time.Parse("2006-01-02T15:04:05.000Z", v); err != nil || t.Year() < 2000 {
			return []string{fmt.Sprintf("%s: %q is no time", at, v)}
		}
	case "uri":
		if u, err := url.Parse(v); err != nil || u.Scheme == "" || u.Host == "" {
			return []string{fmt.Sprintf("%s: %q is no address", at, v)}
		}
	}
	return nil
}

func (d *description) checkObject(s *schema, v map[string]any, at string) []string {
	var wrong []string
	for _, name := range s.Required {
		if _, there := v[name]; !there {
			wrong = append(wrong, at+"."+name+": is missing")
		}
	}
	for name := range v {
		if inner, known := s.Properties[name]; known {
			wrong = append(wrong, d.check(inner, v[name], at+"."+name)...)
			continue
		}
		if string(s.Additional) == "false" {
			wrong = append(wrong, at+"."+name+": is not known")
		} else if len(s.Additional) > 0 {
			inner := &schema{}
			if err := json.Unmarshal(s.Additional, inner); err == nil {
				wrong = append(wrong, d.check(inner, v[name], at+"."+name)...)
			}
		}
	}
	return wrong
}

// checkOneOf wants exactly one to fit; when none does, it tells of the one that is nearest.
func (d *description) checkOneOf(of []*schema, v any, at string) []string {
	var nearest []string
	fits := 0
	for _, s := range of {
		wrong := d.check(s, v, at)
		if len(wrong) == 0 {
			fits++
			continue
		}
		if nearest == nil || further(nearest) > further(wrong) {
			nearest = wrong
		}
	}
	switch fits {
	case 1:
		return nil
	case 0:
		return nearest
	default:
		return []string{at + ": fits several"}
	}
}

// further returns how far a value is from a schema: another type is furthest.
func further(wrong []string) int {
	if strings.Contains(wrong[0], " and not ") && len(wrong) == 1 {
		return math.MaxInt
	}
	return len(wrong)
}

// operation returns the one of a request; parts of the path are compared unescaped.
func (d *description) operation(method, escaped string) (operation, bool) {
	parts := strings.Split(escaped, "/")
	for _, o := range d.Operations {
		names := strings.Split(o.Path, "/")
		if o.Method != method || len(names) != len(parts) {
			continue
		}
		same := true
		for i, name := range names {
			same = same && (name == parts[i] || strings.HasPrefix(name, "{") && parts[i] != "")
		}
		if same {
			return o, true
		}
	}
	return operation{}, false
}

// everywhere are statuses that every request may have.
var everywhere = []int{400, 401, 402, 403, 413, 429, 500, 502, 503}

// exchange is a request and its answer.
type exchange struct {
	method, path string
	query        url.Values
	body         []byte
	status       int
	header       http.Header
	answer       []byte
}

// judge returns what is wrong with an exchange: an answer that the description does not know, or a request that it
// refuses and that was taken.
func (d *description) judge(x exchange) []string {
	var wrong []string
	if x.header.Get("X-Request-Id") == "" {
		wrong = append(wrong, "the answer has no X-Request-Id")
	}
	o, known := d.operation(x.method, x.path)
	if !known {
		if x.status < 400 {
			wrong = append(wrong, "an unknown request was answered")
		}
		return append(wrong, d.judgeBody("Error", x)...)
	}
	if x.status >= 400 {
		if !slices.Contains(everywhere, x.status) && !slices.Contains(o.Errors, x.status) {
			wrong = append(wrong, fmt.Sprintf("status %d is none of this request", x.status))
		}
		return append(wrong, d.judgeBody("Error", x)...)
	}
	name, known := o.Answers[strconv.Itoa(x.status)]
	if !known {
		return append(wrong, fmt.Sprintf("status %d is none of this request", x.status))
	}
	for parameter := range x.query {
		if !slices.Contains(o.Query, parameter) {
			wrong = append(wrong, "the parameter "+parameter+" is not known")
		}
	}
	if o.Body != "" {
		var asked any = map[string]any{} // which is what no body at all says
		if err := json.Unmarshal(x.body, &asked); err != nil && len(bytes.TrimSpace(x.body)) > 0 {
			wrong = append(wrong, "a body that is no JSON was taken")
		} else if refused := d.check(&schema{Ref: o.Body}, asked, "request"); refused != nil {
			wrong = append(wrong, "a request was taken that is to be refused: "+strings.Join(refused, "; "))
		}
	}
	if strings.HasPrefix(x.header.Get("Content-Type"), "text/event-stream") {
		return wrong
	}
	return append(wrong, d.judgeBody(name, x)...)
}

func (d *description) judgeBody(name string, x exchange) []string {
	if name == "" {
		if len(x.answer) > 0 {
			return []string{"there is a body where none should be"}
		}
		return nil
	}
	var v any
	if err := json.Unmarshal(x.answer, &v); err != nil {
		return []string{"the answer is no JSON: " + err.Error()}
	}
	return d.check(&schema{Ref: name}, v, "answer")
}

// TestDescription: the description catches what it should, and every operation of it is one that names schemas that are
// there.
func TestDescription(t *testing.T) {
	t.Parallel()
	d, err := readDescription()
	if err != nil {
		t.Fatal(err)
	}
	good := `{"id":"webhook_1","object":"webhook","status":"active","events":["webset.idle"],` +
		`"url":"https://a.example/","secret":null,"metadata":{},"createdAt":"2026-11-21T12:00:00.000Z",` +
		`"updatedAt":"2026-11-21T12:00:00.000Z"}`
	header := http.Header{"X-Request-Id": {"req_1"}}
	for name, c := range map[string]struct {
		change func(*exchange)
		want   string
	}{
		"as it should be":      {func(*exchange) {}, ""},
		"no id of the request": {func(x *exchange) { x.header = http.Header{} }, "X-Request-Id"},
		"a secret that is told again": {replaced(`"secret":null`, `"secret":"whsec_1234567890abcdef"`),
			"answer.secret: is string"},
		"a field that is missing": {replaced(`"metadata":{},`, ``), "answer.metadata: is missing"},
		"a field nobody knows":    {replaced(`"metadata":{},`, `"metadata":{},"color":1,`), "answer.color: is not known"},
		"a value nobody knows":    {replaced(`"active"`, `"asleep"`), "answer.status: asleep is not one of"},
		"an event nobody knows":   {replaced(`"webset.idle"`, `"webset.bored"`), "answer.events[0]: webset.bored"},
		"no event":                {replaced(`"webset.idle"`, ``), "answer.events: 0 entries"},
		"another type":            {replaced(`"https://a.example/"`, `7`), "answer.url: is integer"},
		"no address": {replaced(`https://a.example/`, `a.example`),
			"answer.url: \"a.example\" is no address"},
		"a time of another kind":      {replaced(`2026-11-21T12:00:00.000Z`, `21.11.2026`), "is no time"},
		"metadata that is no text":    {replaced(`"metadata":{}`, `"metadata":{"a":1}`), "answer.metadata.a: is integer"},
		"no JSON":                     {func(x *exchange) { x.answer = x.answer[:10] }, "no JSON"},
		"another status":              {func(x *exchange) { x.status = 201 }, "status 201"},
		"an error of another request": {func(x *exchange) { x.status = 409 }, "status 409"},
		"an error without a body":     {func(x *exchange) { x.status, x.answer = 404, []byte(`{}`) }, "is missing"},
		"a path nobody knows":         {func(x *exchange) { x.path += "/more" }, "an unknown request was answered"},
		"a parameter nobody knows":    {func(x *exchange) { x.query = url.Values{"color": {"blue"}} }, "color is not known"},
		"a request to be refused": {func(x *exchange) {
			x.method, x.body = http.MethodPatch, []byte(`{"events":[]}`)
		}, "to be refused: request.events: 0 entries"},
		"a body where none is": {func(x *exchange) {
			x.method, x.path, x.body = http.MethodPatch, "/websets/v0/websets/a/enrichments/b", []byte(`{}`)
		}, "none should be"},
	} {
		x := exchange{method: http.MethodGet, path: "/websets/v0/webhooks/webhook_1", status: 200, header: header,
			answer: []byte(good)}
		c.change(&x)
		wrong := strings.Join(d.judge(x), "; ")
		if c.want == "" && wrong != "" || !strings.Contains(wrong, c.want) {
			t.Errorf("%s: %q, want %q", name, wrong, c.want)
		}
	}
	for _, o := range d.Operations {
		for _, name := range append(slices.Collect(maps.Values(o.Answers)), o.Body) {
			if _, there := d.Schemas[name]; name != "" && !there {
				t.Errorf("%s %s names %s, which is not there", o.Method, o.Path, name)
			}
		}
	}
}

func replaced(old, by string) func(*exchange) {
	return func(x *exchange) { x.answer = []byte(strings.ReplaceAll(string(x.answer), old, by)) }
}
