package discovery

// Prune returns a request's body without the fields that the description does not have, at any depth. The body stays as
// it is. Values of a wrong type are left for CheckRequest to find.
func (d *Document) Prune(m *Method, body map[string]any) map[string]any {
	if m.Request == "" || body == nil {
		return nil
	}
	pruned, _ := d.prune(d.Schemas[m.Request], body).(map[string]any)
	return pruned
}

func (d *Document) prune(schema *Schema, value any) any {
	s := d.resolve(schema)
	switch v := value.(type) {
	case map[string]any:
		if s.Type != "object" {
			return v
		}
		pruned := make(map[string]any, len(v))
		for name, inside := range v {
			property, known := s.Properties[name]
			if !known {
				property = s.AdditionalProperties
			}
			if property != nil {
				pruned[name] = d.prune(property, inside)
			}
		}
		return pruned
	case []any:
		if s.Type != "array" || s.Items == nil {
			return v
		}
		pruned := make([]any, len(v))
		for i, item := range v {
			pruned[i] = d.prune(s.Items, item)
		}
		return pruned
	}
	return value
}
