package discovery

import (
	"bytes"
	_ "embed" // the descriptions
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"sync"
)

// Document is the description of one API (Google API Discovery Service, RestDescription). It is read only.
type Document struct {
	// Name and Version are "calendar" and "v3"; Revision is the day Google published it, "20260925".
	Name     string `json:"name"`
	Version  string `json:"version"`
	Revision string `json:"revision"`
	// RootURL ends with a slash; ServicePath, the prefix of all paths but those of uploads, does too, or is empty.
	RootURL     string `json:"rootUrl"`
	ServicePath string `json:"servicePath"`
	// BatchPath is where batches go, below RootURL.
	BatchPath string `json:"batchPath"`
	// Parameters are those that every method takes.
	Parameters map[string]*Schema `json:"parameters"`
	Schemas    map[string]*Schema `json:"schemas"`
	// Methods are all of the API, by id.
	Methods map[string]*Method `json:"methods"`

	routes routes
}

// Method is one method of an API.
type Method struct {
	// ID is "calendar.events.list".
	ID         string `json:"id"`
	HTTPMethod string `json:"httpMethod"`
	// Path is a template below the document's root and service path: "calendars/{calendarId}/events".
	Path       string             `json:"path"`
	Parameters map[string]*Schema `json:"parameters,omitempty"`
	// Request and Response are names of schemas, empty for none.
	Request  string `json:"request,omitempty"`
	Response string `json:"response,omitempty"`
	// Scopes are those of which a token needs any one.
	Scopes []string `json:"scopes,omitempty"`
	// UploadPaths are templates from the root, for bodies with media. MaxUpload is the most bytes such a body may have.
	UploadPaths []string `json:"uploadPaths,omitempty"`
	MaxUpload   int64    `json:"maxUpload,omitempty"`

	// Upload says that the route matched is one of UploadPaths.
	Upload bool `json:"-"`
}

// Schema is the form of a value: of a parameter, a resource or a part of one.
type Schema struct {
	Ref string `json:"$ref,omitempty"`
	// Type is "object", "array", "string", "integer", "number", "boolean" or "any".
	Type   string `json:"type,omitempty"`
	Format string `json:"format,omitempty"`
	// Default is in the notation of a query parameter.
	Default              string             `json:"default,omitempty"`
	Enum                 []string           `json:"enum,omitempty"`
	Minimum              string             `json:"minimum,omitempty"`
	Maximum              string             `json:"maximum,omitempty"`
	Items                *Schema            `json:"items,omitempty"`
	Properties           map[string]*Schema `json:"properties,omitempty"`
	AdditionalProperties *Schema            `json:"additionalProperties,omitempty"`
	// RequiredFor are ids of methods whose request must have this property.
	RequiredFor []string `json:"requiredFor,omitempty"`

	// Location ("path" or "query"), Required and Repeated are said of parameters only.
	Location string `json:"location,omitempty"`
	Required bool   `json:"required,omitempty"`
	Repeated bool   `json:"repeated,omitempty"`
}

//go:embed calendar.json
var calendarData []byte

//go:embed gmail.json
var gmailData []byte

var (
	calendar = sync.OnceValue(func() *Document { return must(calendarData) })
	gmail    = sync.OnceValue(func() *Document { return must(gmailData) })
)

// Calendar is the Google Calendar API, v3.
func Calendar() *Document { return calendar() }

// Gmail is the Gmail API, v1.
func Gmail() *Document { return gmail() }

// must panics on data that a test has proved sound when it was committed.
func must(data []byte) *Document {
	d, err := Read(data)
	if err != nil {
		panic("discovery: the embedded description is broken: " + err.Error())
	}
	return d
}

// Read makes a document of the form that Trim writes. It fails when a schema is referred to that is not there or when
// two methods share a route.
func Read(data []byte) (*Document, error) {
	d := &Document{}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(d); err != nil {
		return nil, fmt.Errorf("read the description of an API: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("read the description of an API: something follows it")
	}
	if len(d.Methods) == 0 {
		return nil, errors.New("the description of an API has no methods")
	}
	for _, name := range slices.Sorted(maps.Keys(d.Schemas)) {
		if err := d.resolvable(d.Schemas[name]); err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
	}
	if err := d.addRoutes(); err != nil {
		return nil, err
	}
	return d, nil
}

// resolvable looks for references to nothing, and for chains of references, which no value ends.
func (d *Document) resolvable(s *Schema) error {
	if s == nil {
		return errors.New("it is null")
	}
	if s.Ref != "" {
		to, ok := d.Schemas[s.Ref]
		if !ok || to == nil || to.Ref != "" {
			return fmt.Errorf("it refers to %q, which is no schema", s.Ref)
		}
		return nil
	}
	if s.Items != nil {
		if err := d.resolvable(s.Items); err != nil {
			return fmt.Errorf("items: %w", err)
		}
	}
	if s.AdditionalProperties != nil {
		if err := d.resolvable(s.AdditionalProperties); err != nil {
			return fmt.Errorf("additional properties: %w", err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if err := d.resolvable(s.Properties[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// resolve follows a reference; it returns nil for nil.
func (d *Document) resolve(s *Schema) *Schema {
	if s != nil && s.Ref != "" {
		return d.Schemas[s.Ref]
	}
	return s
}

// Host is where the API is served: "www.googleapis.com".
func (d *Document) Host() string {
	root, err := url.Parse(d.RootURL)
	if err != nil {
		return ""
	}
	return root.Host
}

// Scopes are those of which a token needs any one to call the method, in Google's order. The caller owns them.
func (d *Document) Scopes(m *Method) []string { return slices.Clone(m.Scopes) }

// Allows reports whether a token with these scopes may call the method.
func (d *Document) Allows(m *Method, scopes []string) bool {
	return len(m.Scopes) == 0 || slices.ContainsFunc(m.Scopes, func(s string) bool { return slices.Contains(scopes, s) })
}
