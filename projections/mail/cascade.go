package mail

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// maxExpanding bounds the bytes that variables of a page are made to by what they stand for.
const maxExpanding = 2 << 20

// expanded returns what a value with var() may stand for.
func (s *stylesheet) expanded(value string) (found []string, all bool) {
	found = []string{value}
	all = !s.lost
	for round := 0; ; round++ {
		if round > maxCSSNested {
			return found, false
		}
		var next []string
		more := false
		for _, one := range found {
			at := strings.Index(one, "var(")
			if at < 0 {
				next = append(next, one)
				continue
			}
			more = true
			inside, behind := one[at+len("var("):], ""
			if end := indexOutside(inside, ")"); end >= 0 {
				inside, behind = inside[:end], inside[end+1:]
			}
			name, fallback, _ := strings.Cut(inside, ",")
			for _, known := range append(slices.Clone(s.variables[strings.TrimSpace(name)]), strings.TrimSpace(fallback)) {
				s.expanding += len(one) + len(known)
				if all = all && len(next) < maxLookup && s.expanding < maxExpanding; all {
					next = append(next, one[:at]+known+behind)
				}
			}
		}
		if found = next; !more || !all {
			return found, all
		}
	}
}

// verdict is what the styles make of an element.
type verdict struct {
	hides bool
	// surely has the colours of what certainly holds, perhaps those of all that may.
	surely, perhaps paint
}

// declarationWork is how much work it is to apply a declaration, as a multiple of the work of a step of matching.
const declarationWork = 8

// judge returns what the page's styles and the element's own attributes make of it. around is the paint around it.
func (s *stylesheet) judge(m *matcher, n *node, attributes []html.Attribute, around verdict) verdict {
	v := verdict{surely: around.surely.inner(), perhaps: around.perhaps.inner()}
	around = v
	attributesHide := paintedBy(attributes, &v.surely)
	paintedBy(attributes, &v.perhaps)
	v.hides = attributesHide
	if n != nil && n.name == "a" || n == nil && has(attributes, "href") {
		if has(attributes, "href") {
			v.surely.letters, v.perhaps.letters = v.surely.links, v.perhaps.links
		}
	}
	own, beyond := declared(attribute(attributes, "style"))
	for _, d := range own {
		s.variable(d)
	}
	v.hides = v.hides || beyond
	var certain, all []weighed
	if len(s.rules) > 0 {
		for _, r := range m.candidates(n) {
			fits := m.fits(&s.rules[r].selector, s.rules[r].parents, n).and(s.rules[r].applies)
			if fits == no {
				continue
			}
			m.work += declarationWork * len(s.rules[r].declare)
			one := weighed{&s.rules[r], s.rules[r].selector.weight(s.rules[r].parents)}
			all = append(all, one)
			if fits == yes {
				certain = append(certain, one)
				continue
			}
			unpainted := v.perhaps
			v.hides = v.hides || s.hides(s.rules[r].declare, &unpainted)
		}
	}
	v.hides = s.hides(cascade(certain, own), &v.surely) || v.hides
	if len(all) == len(certain) && v.perhaps == around.perhaps && around.perhaps == around.surely {
		v.perhaps = v.surely
		return v
	}
	s.hides(cascade(all, own), &v.perhaps)
	return v
}

// weighed is a rule with the weight of its selector.
type weighed struct {
	*rule
	weight int
}

// cascade returns the declarations that count for an element, those that win last.
func cascade(rules []weighed, own []declaration) []declaration {
	if len(rules) == 0 && !slices.ContainsFunc(own, func(d declaration) bool { return d.important }) {
		return own
	}
	slices.SortStableFunc(rules, func(a, b weighed) int {
		if a.weight != b.weight {
			return a.weight - b.weight
		}
		return a.order - b.order
	})
	var out []declaration
	for _, important := range [...]bool{false, true} {
		take := func(from []declaration) {
			for _, d := range from {
				if d.important == important {
					out = append(out, d)
				}
			}
		}
		for _, r := range rules {
			take(r.declare)
		}
		take(own)
	}
	return out
}

// hides is hiding of declarations that may name variables, fonts and animations of the page.
func (s *stylesheet) hides(style []declaration, p *paint) bool {
	hidden := false
	if slices.ContainsFunc(style, func(d declaration) bool { return strings.Contains(d.value, "var(") }) {
		style = slices.Clone(style)
		for i := range style {
			values, all := s.expanded(style[i].value)
			hidden = hidden || !all && matters(style[i]) && !strings.HasPrefix(style[i].property, "--")
			style[i].value = ""
			for _, value := range values {
				style[i].value = value
				unpainted := *p
				hidden = hidden || hiding(style[i:i+1], &unpainted)
			}
		}
	}
	for _, d := range style {
		named := func(of []string) bool {
			return slices.ContainsFunc(of, func(name string) bool { return strings.Contains(d.value, name) })
		}
		switch d.property {
		case "font", "font-family":
			hidden = hidden || named(s.fonts)
		case "animation", "animation-name", "-webkit-animation", "-webkit-animation-name":
			hidden = hidden || named(s.fading)
		}
	}
	return hiding(style, p) || hidden
}

// computed reports whether a value that is computed by a function may come to nothing.
func computed(value string) (nothing, isComputed bool) {
	at := strings.IndexByte(value, '(')
	if at < 0 || strings.HasPrefix(value, "fit-content") {
		return false, false
	}
	name := strings.TrimLeft(value[:at], "-+ ")
	if name != "calc" && name != "min" && name != "max" && name != "clamp" && name != "env" {
		return true, true
	}
	large := false
	for number := range strings.FieldsFuncSeq(value, func(r rune) bool { return (r < '0' || r > '9') && r != '.' }) {
		if n, err := strconv.ParseFloat(number, 64); err == nil {
			large = large || n >= 2
			if n == 0 && (strings.Contains(value, "*") || name == "min" || name == "clamp") {
				return true, true
			}
		}
	}
	return !large || strings.Contains(value, "- ") || strings.Contains(value, "/"), true
}

// painted returns the attributes with a background where a rule of the page gives one, or a picture, unless they have
// one of their own: what is written anew has neither, and light letters stand on it.
func painted(attributes []html.Attribute, around, is paint) []html.Attribute {
	if has(attributes, "bgcolor") {
		return attributes
	}
	if !has(attributes, "background") {
		own := around.inner()
		paintedBy(attributes, &own)
		hiding(declarations(attribute(attributes, "style")), &own)
		if own.behind() == is.behind() {
			return attributes
		}
	}
	const style = "background-color:" + pictured + ";"
	attributes = slices.Clone(attributes) // the page's own are what its selectors see
	for i := range attributes {
		if attributes[i].Key == "style" {
			attributes[i].Val = style + attributes[i].Val
			return attributes
		}
	}
	return append(attributes, html.Attribute{Key: "style", Val: style})
}
