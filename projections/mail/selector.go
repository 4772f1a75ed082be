package mail

import (
	"slices"
	"strconv"
	"strings"
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
		s, ok := selectorOf(trimCSS(one), depth)
		valid = valid && ok
		if len(s.compounds) == 0 {
			valid = false
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
			valid = valid && (relation == 0 || relation == ' ')
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
	valid = valid && (relation == 0 || relation == ' ') // one that nothing follows
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

// identifier is name, which may not begin with a digit.
func (r *selectorReader) identifier() (name string, valid bool) {
	first := r.text[min(r.at, len(r.text)):]
	first = strings.TrimPrefix(first, "-")
	return r.name(), first != "" && !isDigit(first[0])
}

// name reads a name without its escapes.
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
			return b.String()
		}
	}
	return b.String()
}

// compound reads what must hold of one element.
func (r *selectorReader) compound() (c compound, valid bool) {
	valid = true
	for begin := r.at; r.at < len(r.text); {
		switch b := r.text[r.at]; b {
		case '*':
			valid = valid && r.at == begin
			r.at++
		case '|': // names of other kinds than HTML's
			valid = false
			r.at++
		case '&':
			r.at++
			c.pseudos = append(c.pseudos, pseudoClass{name: "&"})
		case '#':
			r.at++
			id, ok := r.identifier()
			valid = valid && ok
			c.ids = append(c.ids, id)
		case '.':
			r.at++
			class, ok := r.identifier()
			valid = valid && ok
			c.classes = append(c.classes, class)
		case '[':
			test, ok := r.attribute()
			valid = valid && ok
			c.attributes = append(c.attributes, test)
		case ':':
			c.pseudos = append(c.pseudos, r.pseudo())
		default:
			before := r.at
			if name, ok := r.identifier(); name != "" {
				valid = valid && ok && before == begin
				c.name = lowerASCII(name)
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
	inner := selectorReader{text: trimCSS(inside[:end])}
	name, valid := inner.identifier()
	test.name = lowerASCII(name)
	rest := trimCSS(inner.text[inner.at:])
	if rest == "" {
		return test, valid
	}
	at := strings.IndexByte(rest, '=')
	if at < 0 || at > 1 || at == 1 && strings.IndexByte("~|^$*", rest[0]) < 0 {
		return test, false
	}
	test.how = '='
	if at == 1 {
		test.how = rest[0]
	}
	value := trimCSS(rest[at+1:])
	if value != "" && (value[0] == '"' || value[0] == '\'') {
		end := stringEnd(value, 0)
		value, rest = value[1:max(end, 1)], value[min(end+1, len(value)):]
		test.fold = strings.EqualFold(trimCSS(rest), "i")
		valid = valid && (test.fold || trimCSS(rest) == "" || strings.EqualFold(trimCSS(rest), "s"))
	} else {
		word, flag, _ := strings.Cut(value, " ")
		value, test.fold = word, strings.EqualFold(trimCSS(flag), "i")
		whole := selectorReader{text: word}
		_, ok := whole.identifier()
		valid = valid && ok && whole.at == len(word) && (test.fold || flag == "" || strings.EqualFold(trimCSS(flag), "s"))
	}
	test.value = (&selectorReader{text: value}).plain()
	return test, valid
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
	p.name = lowerASCII(r.name())
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

// weight is the specificity of a selector (Selectors, 17), each of its three parts up to a thousand. parents are what &
// stands for.
func (s *selector) weight(parents []selector) (weight int) {
	var parts [3]int // ids, classes, names
	for i := range s.compounds {
		c := &s.compounds[i]
		parts[0] += len(c.ids)
		parts[1] += len(c.classes) + len(c.attributes)
		if c.name != "" {
			parts[2]++
		}
		for j := range c.pseudos {
			one := c.pseudos[j].weight(parents)
			parts[0], parts[1], parts[2] = parts[0]+one/1_000_000, parts[1]+one/1_000%1_000, parts[2]+one%1_000
		}
	}
	for _, n := range parts {
		weight = weight*1_000 + min(n, 999)
	}
	return weight
}

func (p *pseudoClass) weight(parents []selector) int {
	heaviest := func(of []selector) (most int) {
		for i := range of {
			most = max(most, of[i].weight(nil))
		}
		return most
	}
	switch {
	case p.name == "&":
		return heaviest(parents)
	case p.name == "where":
		return 0
	case p.name == "is" || p.name == "not" || p.name == "matches" || p.name == "has":
		return heaviest(p.selectors)
	case p.element:
		return 1
	}
	return 1_000
}
