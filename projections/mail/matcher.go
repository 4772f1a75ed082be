package mail

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

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
			key = "#" + strings.ToLower(c.ids[0])
		case len(c.classes) > 0:
			key = "." + strings.ToLower(c.classes[0])
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
	for _, class := range classesOf(n.attributes) {
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
	held := yes
	for _, id := range c.ids {
		if held = held.and(sameName(attribute(n.attributes, "id"), id)); held == no {
			return no
		}
	}
	if len(c.classes) > 0 {
		own := classesOf(n.attributes)
		for _, class := range c.classes {
			best := no
			for _, one := range own {
				best = max(best, sameName(one, class))
			}
			if held = held.and(best); held == no {
				return no
			}
		}
	}
	for i := range c.attributes {
		if held = held.and(c.attributes[i].holds(n)); held == no {
			return no
		}
	}
	for i := range c.pseudos {
		if held = held.and(m.pseudo(&c.pseudos[i], parents, n)); held == no {
			return no
		}
	}
	return held
}

// classesOf returns the classes of an element.
func classesOf(attributes []html.Attribute) []string {
	return strings.FieldsFunc(attribute(attributes, "class"), func(r rune) bool { return r < 0x80 && isCSSBlank(byte(r)) })
}

// sameName compares ids and classes, whose case matters or does not, as the page says which HTML it is.
func sameName(own, want string) answer {
	switch {
	case own == want:
		return yes
	case strings.EqualFold(own, want):
		return maybe
	}
	return no
}

// holds compares values as they are, and without case, which matters for some attributes only.
func (a *attributeTest) holds(n *node) answer {
	if !has(n.attributes, a.name) {
		return no
	}
	own := attribute(n.attributes, a.name)
	switch folded := a.compare(strings.ToLower(own), strings.ToLower(a.value)); {
	case !folded:
		return no
	case a.fold || a.compare(own, a.value):
		return yes
	}
	return maybe
}

func (a *attributeTest) compare(own, want string) bool {
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
