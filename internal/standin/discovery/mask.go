package discovery

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// Mask is a selection of fields, the value of the parameter "fields": a list of names with commas, where a/b selects
// inside of a and a(b,c) several things there. Arrays are transparent, * stands for every name, and a name alone
// selects everything below it, whatever else is said of the same name.
type Mask struct {
	// whole says that everything below is selected.
	whole bool
	// names are the fields selected by name; every is what * selects, nil without it.
	names map[string]*Mask
	every *Mask
}

const (
	maxMaskLength = 8 << 10
	maxMaskDepth  = 50
)

// SelectionError says which part of a mask is wrong.
type SelectionError struct {
	// Selection is the mask's text from its fault on, or the name that does not exist.
	Selection string
}

// Error returns the sentence that Google gives.
func (e *SelectionError) Error() string { return "Invalid field selection " + clip(e.Selection) }

var (
	errMaskLong = errors.New("the field selection is too long")
	errMaskDeep = errors.New("the field selection is too deep")
)

// ParseMask reads a mask; the error is a *SelectionError for a fault of syntax.
func ParseMask(text string) (*Mask, error) {
	if len(text) > maxMaskLength {
		return nil, errMaskLong
	}
	p := maskParser{text: text}
	mask := &Mask{}
	if err := p.list(mask, 0); err != nil {
		return nil, err
	}
	if p.at < len(text) {
		return nil, &SelectionError{Selection: text[p.at:]}
	}
	return mask, nil
}

// maskParser reads list := field (',' field)*; field := name ('/' field | '(' list ')')?
type maskParser struct {
	text string
	at   int
}

func (p *maskParser) list(into *Mask, depth int) error {
	for {
		if err := p.field(into, depth); err != nil {
			return err
		}
		if !p.skip(',') {
			return nil
		}
	}
}

func (p *maskParser) field(into *Mask, depth int) error {
	if depth > maxMaskDepth {
		return errMaskDeep
	}
	end := strings.IndexAny(p.text[p.at:], ",/()")
	if end < 0 {
		end = len(p.text) - p.at
	}
	name := p.text[p.at : p.at+end]
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return &SelectionError{Selection: p.text[p.at:]}
	}
	p.at += end
	below := into.enter(name)
	switch {
	case p.skip('/'):
		return p.field(below, depth+1)
	case p.skip('('):
		start := p.at
		if err := p.list(below, depth+1); err != nil {
			return err
		}
		if !p.skip(')') {
			return &SelectionError{Selection: p.text[start:]}
		}
	default:
		below.whole = true
	}
	return nil
}

func (p *maskParser) skip(c byte) bool {
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

// enter returns the mask below a name, made if it is not there.
func (m *Mask) enter(name string) *Mask {
	if name == "*" {
		if m.every == nil {
			m.every = &Mask{}
		}
		return m.every
	}
	if m.names[name] == nil {
		if m.names == nil {
			m.names = map[string]*Mask{}
		}
		m.names[name] = &Mask{}
	}
	return m.names[name]
}

// below is what is selected below a name: nil for nothing.
func (m *Mask) below(name string) *Mask {
	named := m.names[name]
	switch {
	case m.whole:
		return m
	case named == nil:
		return m.every
	case m.every == nil:
		return named
	default:
		return union(named, m.every)
	}
}

func union(a, b *Mask) *Mask {
	if a.whole || b.whole {
		return &Mask{whole: true}
	}
	both := &Mask{names: map[string]*Mask{}, every: a.every}
	if a.every == nil {
		both.every = b.every
	} else if b.every != nil {
		both.every = union(a.every, b.every)
	}
	maps.Copy(both.names, a.names)
	for name, below := range b.names {
		if other := both.names[name]; other != nil {
			below = union(other, below)
		}
		both.names[name] = below
	}
	return both
}

// holds reports whether a name at the top is selected; a nil mask selects everything.
func (m *Mask) holds(name string) bool { return m == nil || m.below(name) != nil }

// Apply returns the selected part of a response's body. The body stays as it is; the answer shares what is selected
// whole. Objects in which nothing is selected are empty, and lists keep their length. A nil mask returns the body
// itself.
func (m *Mask) Apply(body map[string]any) map[string]any {
	if m == nil || m.whole {
		return body
	}
	selected := make(map[string]any, len(m.names))
	for name, value := range body {
		if below := m.below(name); below != nil {
			if part, ok := below.apply(value); ok {
				selected[name] = part
			}
		}
	}
	return selected
}

func (m *Mask) apply(value any) (any, bool) {
	if m.whole {
		return value, true
	}
	switch v := value.(type) {
	case map[string]any:
		return m.Apply(v), true
	case []any:
		list := make([]any, 0, len(v))
		for _, item := range v {
			if part, ok := m.apply(item); ok {
				list = append(list, part)
			}
		}
		return list, true
	}
	return nil, false // nothing is inside of a scalar
}

// CheckMask finds names that do not exist below their parent in the method's response. A method without one has nothing
// to select, so any mask will do.
func (d *Document) CheckMask(m *Method, mask *Mask) []Violation {
	if m.Response == "" || mask == nil {
		return nil
	}
	f := &findings{method: m.ID, part: InMask}
	d.checkMask(f, "", d.Schemas[m.Response], mask)
	return f.found
}

func (d *Document) checkMask(f *findings, path string, schema *Schema, mask *Mask) {
	s := d.resolve(schema)
	for s.Type == "array" && s.Items != nil {
		s = d.resolve(s.Items)
	}
	if s.Type == "any" {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(mask.names)) {
		property, known := s.Properties[name]
		if !known {
			property = s.AdditionalProperties
		}
		if property == nil {
			f.add(join(path, name), RuleUnknown, "%v", &SelectionError{Selection: join(path, name)})
			continue
		}
		d.checkMask(f, join(path, name), property, mask.names[name])
	}
	if mask.every == nil {
		return
	}
	inside := slices.Collect(maps.Values(s.Properties))
	if s.AdditionalProperties != nil {
		inside = append(inside, s.AdditionalProperties)
	}
	if len(inside) == 0 {
		f.add(join(path, "*"), RuleUnknown, "%v", &SelectionError{Selection: join(path, "*")})
		return
	}
	// A * with something below it fits when that is there in at least one of the fields it stands for.
	for _, property := range inside {
		probe := &findings{method: f.method, part: f.part}
		d.checkMask(probe, join(path, "*"), property, mask.every)
		if len(probe.found) == 0 {
			return
		}
	}
	f.add(join(path, "*"), RuleUnknown, "no field has what is asked for below it")
}
