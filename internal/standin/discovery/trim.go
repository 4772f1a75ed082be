package discovery

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// published is the part of Google's form that Trim reads. The rest, mostly prose, is dropped.
type published struct {
	Name        string                        `json:"name"`
	Version     string                        `json:"version"`
	Revision    string                        `json:"revision"`
	RootURL     string                        `json:"rootUrl"`
	ServicePath string                        `json:"servicePath"`
	BatchPath   string                        `json:"batchPath"`
	Parameters  map[string]*publishedSchema   `json:"parameters"`
	Schemas     map[string]*publishedSchema   `json:"schemas"`
	Methods     map[string]*publishedMethod   `json:"methods"`
	Resources   map[string]*publishedResource `json:"resources"`
}

type publishedResource struct {
	Methods   map[string]*publishedMethod   `json:"methods"`
	Resources map[string]*publishedResource `json:"resources"`
}

type publishedMethod struct {
	ID         string                      `json:"id"`
	HTTPMethod string                      `json:"httpMethod"`
	Path       string                      `json:"path"`
	Parameters map[string]*publishedSchema `json:"parameters"`
	Request    reference                   `json:"request"`
	Response   reference                   `json:"response"`
	Scopes     []string                    `json:"scopes"`
	Upload     struct {
		MaxSize   string `json:"maxSize"`
		Protocols map[string]struct {
			Path string `json:"path"`
		} `json:"protocols"`
	} `json:"mediaUpload"`
}

type reference struct {
	Ref string `json:"$ref"`
}

type publishedSchema struct {
	Ref                  string                      `json:"$ref"`
	Type                 string                      `json:"type"`
	Format               string                      `json:"format"`
	Default              string                      `json:"default"`
	Enum                 []string                    `json:"enum"`
	Minimum              string                      `json:"minimum"`
	Maximum              string                      `json:"maximum"`
	Items                *publishedSchema            `json:"items"`
	Properties           map[string]*publishedSchema `json:"properties"`
	AdditionalProperties *publishedSchema            `json:"additionalProperties"`
	Annotations          struct {
		Required []string `json:"required"`
	} `json:"annotations"`
	Location string `json:"location"`
	Required bool   `json:"required"`
	Repeated bool   `json:"repeated"`
}

// Trim makes the data of this package of a discovery document as Google publishes it: without prose, with the methods
// of all resources in one table. The same input always gives the same bytes; each schema and each method is one line,
// so that a change of the API reads well.
func Trim(full []byte) ([]byte, error) {
	var p published
	if err := json.Unmarshal(full, &p); err != nil {
		return nil, fmt.Errorf("read a discovery document: %w", err)
	}
	methods := map[string]*Method{}
	if err := trimMethods(methods, publishedResource{Methods: p.Methods, Resources: p.Resources}); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("{\n")
	for _, head := range [][2]string{
		{"name", p.Name},
		{"version", p.Version},
		{"revision", p.Revision},
		{"rootUrl", p.RootURL},
		{"servicePath", p.ServicePath},
		{"batchPath", p.BatchPath},
	} {
		fmt.Fprintf(&out, "%q: %q,\n", head[0], head[1])
	}
	writeTable(&out, "parameters", trimSchemas(p.Parameters), ",\n")
	writeTable(&out, "schemas", trimSchemas(p.Schemas), ",\n")
	writeTable(&out, "methods", methods, "\n")
	out.WriteString("}\n")
	if _, err := Read(out.Bytes()); err != nil {
		return nil, fmt.Errorf("the trimmed form of a discovery document does not hold: %w", err)
	}
	return out.Bytes(), nil
}

func writeTable[V any](out *bytes.Buffer, name string, table map[string]V, end string) {
	fmt.Fprintf(out, "%q: {", name)
	separator := "\n"
	for _, key := range slices.Sorted(maps.Keys(table)) {
		line, _ := json.Marshal(table[key]) // of strings, booleans and numbers: it cannot fail
		fmt.Fprintf(out, "%s%q: %s", separator, key, line)
		separator = ",\n"
	}
	out.WriteString("\n}" + end)
}

func trimMethods(into map[string]*Method, from publishedResource) error {
	for _, p := range from.Methods {
		if into[p.ID] != nil {
			return fmt.Errorf("a discovery document has two methods %q", p.ID)
		}
		m := &Method{
			ID: p.ID, HTTPMethod: p.HTTPMethod, Path: p.Path, Parameters: trimSchemas(p.Parameters),
			Request: p.Request.Ref, Response: p.Response.Ref, Scopes: p.Scopes,
		}
		for _, name := range slices.Sorted(maps.Keys(p.Upload.Protocols)) {
			m.UploadPaths = append(m.UploadPaths, p.Upload.Protocols[name].Path)
		}
		if p.Upload.MaxSize != "" {
			size, err := strconv.ParseInt(p.Upload.MaxSize, 10, 64)
			if err != nil {
				return fmt.Errorf("method %s: the size of uploads: %w", p.ID, err)
			}
			m.MaxUpload = size
		}
		into[p.ID] = m
	}
	for _, r := range from.Resources {
		if err := trimMethods(into, *r); err != nil {
			return err
		}
	}
	return nil
}

func trimSchemas(all map[string]*publishedSchema) map[string]*Schema {
	trimmed := make(map[string]*Schema, len(all))
	for name, s := range all {
		trimmed[name] = trimSchema(s)
	}
	return trimmed
}

func trimSchema(p *publishedSchema) *Schema {
	if p == nil {
		return nil
	}
	s := &Schema{
		Ref: p.Ref, Type: p.Type, Format: p.Format, Default: p.Default, Enum: p.Enum, Minimum: p.Minimum, Maximum: p.Maximum,
		Items: trimSchema(p.Items), AdditionalProperties: trimSchema(p.AdditionalProperties),
		RequiredFor: p.Annotations.Required, Location: p.Location, Required: p.Required, Repeated: p.Repeated,
	}
	if len(p.Properties) > 0 {
		s.Properties = trimSchemas(p.Properties)
	}
	return s
}
