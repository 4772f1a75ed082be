package mail

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// selector is one selector of a rule, from its subject outwards: what must hold of the element itself, and then of
// others by how they stand to it.
type selector struct {
	compounds []compound
	// relations[i] is how compounds[i+1] stands to compounds[i]: ' ' around it, '>' directly so, '+' just before it, '~'
	// anywhere before it.
	relations []byte
}

// compound is what must hold of one element.
type compound struct {
	name         string
	ids, classes []string
	attributes   []attributeTest
	pseudos      []pseudoClass
}

type attributeTest struct {
	name, value string
	how         byte // 0: it is there; '=' and what stands before the '='
	fold        bool
}

type pseudoClass struct {
	name      string
	selectors []selector
	step, at  int // of :nth-child(step n + at)
	element   bool
}

// selectorsOf reads a list of selectors. valid is false when something in it is not understood, which fits maybe.
// Selectors of nested rules that do not name their parent are below it.
func selectorsOf(list string, nested bool, depth int) (found []selector, valid bool) {
	valid = true
	if depth > 4 {
		return nil, false
	}
	for rest, more := list, true; more; {
		at := indexOutside(rest, ",")
		one := rest
		if more = at >= 0; more {
			one, rest = rest[:at], rest[at+1:]
		}
		s, ok := selectorOf(strings.TrimSpace(one), depth)
		valid = valid && ok
		if len(s.compounds) == 0 {
			continue
		}
		if nested && !slices.ContainsFunc(s.compounds, func(c compound) bool { return c.namesParent() }) {
			s.compounds = append(s.compounds, compound{pseudos: []pseudoClass{{name: "&"}}})
			if len(s.relations) < len(s.compounds)-1 {
				s.relations = append(s.relations, ' ')
			}
		}
		found = append(found, s)
	}
	return found, valid
}

func (c *compound) namesParent() bool {
	return slices.ContainsFunc(c.pseudos, func(p pseudoClass) bool { return p.name == "&" })
}

// selectorOf reads one selector, from the left, and returns it from the right.
func selectorOf(text string, depth int) (s selector, valid bool) {
	valid = true
	r := selectorReader{text: text, depth: depth}
	var relations []byte
	relation := byte(0)
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case isCSSBlank(c):
			r.at++
			if relation == 0 {
				relation = ' '
			}
			continue
		case c == '>' || c == '+' || c == '~':
			r.at++
			relation = c
			continue
		}
		one, ok := r.compound()
		if valid = valid && ok; !ok && r.at < len(r.text) {
			r.at++ // what is not understood
		}
		if len(s.compounds) > 0 {
			relations = append(relations, relationOr(relation, ' '))
		} else if relation != 0 && relation != ' ' { // a nested one that begins with how it stands to its parent
			s.compounds = append(s.compounds, compound{pseudos: []pseudoClass{{name: "&"}}})
			relations = append(relations, relation)
		}
		relation = 0
		s.compounds = append(s.compounds, one)
		if len(s.compounds) > maxLookup {
			return selector{}, false
		}
	}
	slices.Reverse(s.compounds)
	slices.Reverse(relations)
	s.relations = relations
	return s, valid
}

func relationOr(relation, other byte) byte {
	if relation == 0 {
		return other
	}
	return relation
}

func isCSSBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' }

type selectorReader struct {
	text  string
	at    int
	depth int
}

// name reads an identifier, in lower case and without its escapes.
func (r *selectorReader) name() string {
	var b strings.Builder
	for r.at < len(r.text) {
		c := r.text[r.at]
		switch {
		case c == '\\' && r.at+1 < len(r.text):
			end := r.at + 1
			for end < len(r.text) && end < r.at+7 && isHex(r.text[end]) {
				end++
			}
			if end == r.at+1 {
				b.WriteByte(r.text[end])
				r.at = end + 1
				continue
			}
			code, _ := strconv.ParseUint(r.text[r.at+1:end], 16, 32)
			b.WriteRune(rune(code)) // six digits at most
			if end < len(r.text) && isCSSBlank(r.text[end]) {
				end++
			}
			r.at = end
		case c == '-' || c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z':
			b.WriteByte(c)
			r.at++
		default:
			return strings.ToLower(b.String())
		}
	}
	return strings.ToLower(b.String())
}

// compound reads what must hold of one element.
func (r *selectorReader) compound() (c compound, valid bool) {
	valid = true
	for r.at < len(r.text) {
		switch b := r.text[r.at]; b {
		case '*', '|':
			r.at++
		case '&':
			r.at++
			c.pseudos = append(c.pseudos, pseudoClass{name: "&"})
		case '#':
			r.at++
			c.ids = append(c.ids, r.name())
		case '.':
			r.at++
			c.classes = append(c.classes, r.name())
		case '[':
			test, ok := r.attribute()
			valid = valid && ok
			c.attributes = append(c.attributes, test)
		case ':':
			c.pseudos = append(c.pseudos, r.pseudo())
		default:
			before := r.at
			if name := r.name(); name != "" {
				c.name = name
				continue
			}
			return c, valid && (isCSSBlank(b) || b == '>' || b == '+' || b == '~') && r.at == before
		}
	}
	return c, valid
}

func (r *selectorReader) attribute() (test attributeTest, valid bool) {
	inside := r.text[r.at+1:]
	end := indexOutside(inside, "]")
	if end < 0 {
		end = len(inside)
	}
	r.at = min(r.at+end+2, len(r.text))
	inner := selectorReader{text: strings.TrimSpace(inside[:end])}
	test.name = inner.name()
	rest := strings.TrimSpace(inner.text[inner.at:])
	if rest == "" {
		return test, test.name != ""
	}
	at := strings.IndexByte(rest, '=')
	if at < 0 || at > 1 {
		return test, false
	}
	test.how = '='
	if at == 1 {
		test.how = rest[0]
	}
	value := strings.TrimSpace(rest[at+1:])
	if value != "" && (value[0] == '"' || value[0] == '\'') {
		end := stringEnd(value, 0)
		value, rest = value[1:max(end, 1)], value[min(end+1, len(value)):]
		test.fold = strings.EqualFold(strings.TrimSpace(rest), "i")
	} else if word, flag, found := strings.Cut(value, " "); found {
		value, test.fold = word, strings.EqualFold(strings.TrimSpace(flag), "i")
	}
	test.value = (&selectorReader{text: value}).plain()
	return test, true
}

// plain undoes the escapes of a string.
func (r *selectorReader) plain() string {
	if !strings.Contains(r.text, `\`) {
		return r.text
	}
	var b strings.Builder
	for r.at < len(r.text) {
		if r.text[r.at] == '\\' {
			b.WriteString(r.name())
			continue
		}
		b.WriteByte(r.text[r.at])
		r.at++
	}
	return b.String()
}

func (r *selectorReader) pseudo() (p pseudoClass) {
	r.at++
	if r.at < len(r.text) && r.text[r.at] == ':' {
		r.at++
		p.element = true
	}
	p.name = r.name()
	switch p.name {
	case "before", "after":
		p.element = true
	}
	if r.at >= len(r.text) || r.text[r.at] != '(' {
		return p
	}
	inside := r.text[r.at+1:]
	end := indexOutside(inside, ")")
	if end < 0 {
		end = len(inside)
	}
	r.at = min(r.at+end+2, len(r.text))
	inside = inside[:end]
	switch p.name {
	case "is", "where", "not", "matches", "any", "-webkit-any", "-moz-any":
		var valid bool
		if p.selectors, valid = selectorsOf(inside, false, r.depth+1); !valid {
			p.name = "?"
		}
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		var ok bool
		if p.step, p.at, ok = nth(inside); !ok {
			p.name = "?"
		}
	}
	return p
}

// nth reads an+b.
func nth(text string) (step, at int, ok bool) {
	text = strings.ToLower(strings.Join(strings.Fields(text), ""))
	switch text {
	case "odd":
		return 2, 1, true
	case "even":
		return 2, 0, true
	}
	before, after, found := strings.Cut(text, "n")
	if !found {
		at, err := strconv.Atoi(text)
		return 0, at, err == nil
	}
	switch before {
	case "", "+":
		step = 1
	case "-":
		step = -1
	default:
		n, err := strconv.Atoi(before)
		if err != nil {
			return 0, 0, false
		}
		step = n
	}
	if after != "" {
		n, err := strconv.Atoi(after)
		if err != nil {
			return 0, 0, false
		}
		at = n
	}
	return step, at, true
}

// isNth reports whether a place, from 1 on, is one of step*n+at.
func isNth(place, step, at int) answer {
	if step == 0 && place == at || step != 0 && (place-at)%step == 0 && (place-at)/step >= 0 {
		return yes
	}
	return no
}

// weight is the specificity of a selector, roughly: ids count above classes, and those above names.
func (s *selector) weight() (weight int) {
	for i := range s.compounds {
		c := &s.compounds[i]
		weight += 1_000_000*len(c.ids) + 1_000*(len(c.classes)+len(c.attributes)+len(c.pseudos))
		if c.name != "" {
			weight++
		}
	}
	return weight
}

// node is an element as selectors see it.
type node struct {
	name       string
	attributes []html.Attribute
	parent     *node
	before     *node
	// place and placeOfType are from 1 on; last and lastOfType count from the end, where that is known.
	place, placeOfType int
	children           int
	kinds              map[string]int
	lastChild          *node
	// twin is the same element of a first reading of the page, in which all its siblings are known.
	twin *node
}

// add makes a child.
func (n *node) add(name string, attributes []html.Attribute) *node {
	n.children++
	if n.kinds == nil {
		n.kinds = map[string]int{}
	}
	n.kinds[name]++
	child := &node{name: name, attributes: attributes, parent: n, before: n.lastChild, place: n.children,
		placeOfType: n.kinds[name]}
	n.lastChild = child
	return child
}

// maxMatching bounds the work on selectors of a page, and maxNodes the elements. A page beyond them shows nothing more.
const (
	maxMatching = 4_000_000
	maxNodes    = 200_000
)

// matcher finds the rules that fit an element.
type matcher struct {
	work int
	// by has the rules by what their subject must have: an id, a class, a name; the rest under "".
	by map[string][]int
}

func newMatcher(rules []rule) *matcher {
	m := &matcher{by: map[string][]int{}}
	for i := range rules {
		key := ""
		switch c := &rules[i].selector.compounds[0]; {
		case len(c.ids) > 0:
			key = "#" + c.ids[0]
		case len(c.classes) > 0:
			key = "." + c.classes[0]
		case c.name != "":
			key = c.name
		}
		m.by[key] = append(m.by[key], i)
	}
	return m
}

// candidates are the rules that may fit an element, by the last part of their selector.
func (m *matcher) candidates(n *node) []int {
	found := slices.Clone(m.by[""])
	found = append(found, m.by[n.name]...)
	if id := attribute(n.attributes, "id"); id != "" {
		found = append(found, m.by["#"+strings.ToLower(id)]...)
	}
	for class := range strings.FieldsSeq(attribute(n.attributes, "class")) {
		found = append(found, m.by["."+strings.ToLower(class)]...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// fits reports whether a selector fits an element.
func (m *matcher) fits(s *selector, parents []selector, n *node) answer {
	return m.fitsFrom(s, 0, parents, n)
}

func (m *matcher) fitsFrom(s *selector, i int, parents []selector, n *node) answer {
	m.work++
	if m.work > maxMatching {
		return maybe
	}
	held := m.holds(&s.compounds[i], parents, n)
	if held == no || i+1 == len(s.compounds) {
		return held
	}
	best := no
	switch s.relations[i] {
	case '>':
		if n.parent != nil {
			best = m.fitsFrom(s, i+1, parents, n.parent)
		}
	case '+':
		if n.before != nil {
			best = m.fitsFrom(s, i+1, parents, n.before)
		}
	case '~':
		for other := n.before; other != nil && best != yes; other = other.before {
			best = max(best, m.fitsFrom(s, i+1, parents, other))
		}
	default:
		for other := n.parent; other != nil && best != yes; other = other.parent {
			best = max(best, m.fitsFrom(s, i+1, parents, other))
		}
	}
	return held.and(best)
}

func (m *matcher) holds(c *compound, parents []selector, n *node) answer {
	if c.name != "" && c.name != n.name {
		return no
	}
	for _, id := range c.ids {
		if !strings.EqualFold(attribute(n.attributes, "id"), id) {
			return no
		}
	}
	if len(c.classes) > 0 {
		own := strings.Fields(attribute(n.attributes, "class"))
		for _, class := range c.classes {
			if !slices.ContainsFunc(own, func(o string) bool { return strings.EqualFold(o, class) }) {
				return no
			}
		}
	}
	for i := range c.attributes {
		if !c.attributes[i].holds(n) {
			return no
		}
	}
	held := yes
	for i := range c.pseudos {
		if held = held.and(m.pseudo(&c.pseudos[i], parents, n)); held == no {
			return no
		}
	}
	return held
}

func (a *attributeTest) holds(n *node) bool {
	if !has(n.attributes, a.name) {
		return false
	}
	own, want := attribute(n.attributes, a.name), a.value
	// Values of many attributes are compared without case, and of none too much is hidden by it.
	own, want = strings.ToLower(own), strings.ToLower(want)
	switch a.how {
	case 0:
		return true
	case '=':
		return own == want
	case '~':
		return slices.Contains(strings.Fields(own), want)
	case '|':
		return own == want || strings.HasPrefix(own, want+"-")
	case '^':
		return want != "" && strings.HasPrefix(own, want)
	case '$':
		return want != "" && strings.HasSuffix(own, want)
	case '*':
		return want != "" && strings.Contains(own, want)
	}
	return true
}

func (m *matcher) pseudo(p *pseudoClass, parents []selector, n *node) answer {
	if p.element {
		if p.name == "first-line" || p.name == "first-letter" {
			return maybe
		}
		return no // what is before or behind an element, or a part of it that is no text of the mail's
	}
	last, lastOfType := 0, 0 // 0: not known
	if n.twin != nil && n.twin.parent != nil {
		last = n.twin.parent.children - n.twin.place + 1
		lastOfType = n.twin.parent.kinds[n.name] - n.twin.placeOfType + 1
	}
	fromEnd := func(place, step, at int) answer {
		if place == 0 {
			return maybe
		}
		return isNth(place, step, at)
	}
	switch p.name {
	case "&":
		if len(parents) == 0 { // the parent of a parent
			return maybe
		}
		return m.any(parents, n)
	case "is", "where", "matches", "any", "-webkit-any", "-moz-any":
		return m.any(p.selectors, n)
	case "not":
		return m.any(p.selectors, n).not()
	case "first-child":
		return isNth(n.place, 0, 1)
	case "first-of-type":
		return isNth(n.placeOfType, 0, 1)
	case "nth-child":
		return isNth(n.place, p.step, p.at)
	case "nth-of-type":
		return isNth(n.placeOfType, p.step, p.at)
	case "last-child":
		return fromEnd(last, 0, 1)
	case "last-of-type":
		return fromEnd(lastOfType, 0, 1)
	case "nth-last-child":
		return fromEnd(last, p.step, p.at)
	case "nth-last-of-type":
		return fromEnd(lastOfType, p.step, p.at)
	case "only-child":
		return isNth(n.place, 0, 1).and(fromEnd(last, 0, 1))
	case "only-of-type":
		return isNth(n.placeOfType, 0, 1).and(fromEnd(lastOfType, 0, 1))
	case "root":
		if n.parent == nil {
			return yes
		}
		return no
	case "hover", "active", "focus", "focus-within", "focus-visible", "visited", "target":
		return no // not before somebody does something
	}
	return maybe
}

func (m *matcher) any(selectors []selector, n *node) answer {
	best := no
	for i := range selectors {
		best = max(best, m.fitsFrom(&selectors[i], 0, nil, n))
	}
	return best
}
