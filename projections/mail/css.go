package mail

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// answer is what can be said of a condition without the program and the screen on which a mail is read.
type answer uint8

const (
	no answer = iota
	// maybe is for what differs between mail programs. It counts where it hides text, and not where it shows it.
	maybe
	yes
)

func (a answer) and(b answer) answer { return min(a, b) }
func (a answer) not() answer         { return yes - a }

// rule is one of a page's own styles: what it declares of elements that one of its selectors fits.
type rule struct {
	selector selector
	// parents are the selectors of the rule that this one is nested in, which & stands for.
	parents []selector
	declare []declaration
	// applies is what the conditions around the rule (@media, @supports) come to.
	applies answer
	order   int
}

// Bounds of a page's styles. What is beyond them may hide anything, so then nothing is shown.
const (
	maxRules     = 5_000
	maxCSS       = 1 << 20
	maxCSSNested = 16
)

// stylesheet has the rules of a page that may hide text or colour it, in the order in which they stand.
type stylesheet struct {
	rules []rule
	// variables are the values that custom properties have anywhere.
	variables map[string][]string
	// beyond: there is more than the bounds.
	beyond bool
	size   int
}

// stylesheetOf reads the styles of a page, wherever they stand but in comments.
func stylesheetOf(text string) *stylesheet {
	s := &stylesheet{variables: map[string][]string{}}
	if indexStyle(text) < 0 {
		return s
	}
	tokens := html.NewTokenizer(strings.NewReader(text))
	for inside, applies := false, yes; ; {
		switch tokens.Next() {
		case html.ErrorToken:
			return s
		case html.StartTagToken:
			token := tokens.Token()
			inside, applies = token.DataAtom == atom.Style, yes
			if media := attribute(token.Attr, "media"); inside && strings.TrimSpace(media) != "" {
				applies = mediaAnswer(media)
			}
		case html.TextToken:
			if inside {
				css := string(tokens.Raw())
				if s.size += len(css); s.size > maxCSS {
					s.beyond = true
					return s
				}
				s.read(uncommented(strings.NewReplacer("<!--", " ", "-->", " ").Replace(css)), nil, applies, 0)
			}
		default:
			inside = false
		}
	}
}

// indexStyle finds the next "<style", in any case.
func indexStyle(text string) int {
	const mark = "style"
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '<')
		if i < 0 || from+i+1+len(mark) > len(text) {
			return -1
		}
		from += i + 1
		if strings.EqualFold(text[from:from+len(mark)], mark) {
			return from - 1
		}
	}
}

// read reads rules, and returns what is declared beside them, which is so in a nested block only.
func (s *stylesheet) read(css string, parents []selector, applies answer, depth int) (own []declaration) {
	if depth > maxCSSNested {
		s.beyond = true
		return nil
	}
	for css != "" && !s.beyond {
		at := indexOutside(css, "{};")
		if at < 0 || css[at] != '{' {
			part := css
			if at >= 0 {
				part, css = css[:at], css[at+1:]
			} else {
				css = ""
			}
			if !strings.HasPrefix(strings.TrimSpace(part), "@") {
				declared, beyond := declared(part)
				own, s.beyond = append(own, declared...), s.beyond || beyond
			}
			continue
		}
		prelude := strings.TrimSpace(css[:at])
		block, rest := blockOf(css[at+1:])
		css = rest
		if strings.HasPrefix(prelude, "@") {
			s.atRule(prelude, block, parents, applies, depth)
			continue
		}
		s.rule(prelude, block, parents, applies, depth)
	}
	return own
}

func (s *stylesheet) rule(prelude, block string, parents []selector, applies answer, depth int) {
	selectors, valid := selectorsOf(prelude, len(parents) > 0, 0)
	if !valid {
		applies = applies.and(maybe) // a browser that does not understand one of them leaves the rule out
	}
	at := len(s.rules)
	declare := s.read(block, selectors, applies, depth+1)
	for _, d := range declare {
		if strings.HasPrefix(d.property, "--") && len(s.variables) < maxRules && len(s.variables[d.property]) < maxLookup {
			s.variables[d.property] = append(s.variables[d.property], d.value)
		}
	}
	if !slices.ContainsFunc(declare, matters) {
		return
	}
	if at+len(selectors) > maxRules {
		s.beyond = true
		return
	}
	for _, one := range selectors {
		s.rules = append(s.rules, rule{one, parents, declare, applies, len(s.rules)})
	}
}

// atRule reads a block under a condition. What it declares of what it is nested in becomes a rule of its own.
func (s *stylesheet) atRule(prelude, block string, parents []selector, applies answer, depth int) {
	name, condition, _ := strings.Cut(strings.ToLower(prelude[1:]), " ")
	name, inBrackets, _ := strings.Cut(name, "(")
	if inBrackets != "" {
		condition = "(" + inBrackets + " " + condition
	}
	switch unescaped(name) {
	case "media":
		applies = applies.and(mediaAnswer(condition))
	case "font-face", "keyframes", "-webkit-keyframes", "-moz-keyframes", "page", "counter-style", "property",
		"font-feature-values", "starting-style":
		return
	default: // @supports, @layer, @container, @scope and what comes
		applies = applies.and(maybe)
	}
	if applies == no {
		return
	}
	own := s.read(block, parents, applies, depth+1)
	if len(parents) > 0 && slices.ContainsFunc(own, matters) && len(s.rules) < maxRules {
		for _, one := range parents {
			s.rules = append(s.rules, rule{one, nil, own, applies, len(s.rules)})
		}
	}
}

// matters reports whether a declaration may hide or colour text.
func matters(d declaration) bool {
	switch d.property {
	case "display", "visibility", "opacity", "mso-hide", "font-size", "font", "max-height", "max-width", "height", "width",
		"overflow", "overflow-x", "overflow-y", "text-indent", "position", "left", "top", "right", "bottom", "margin",
		"margin-left", "margin-top", "inset", "clip", "clip-path", "transform", "scale", "translate", "filter", "color",
		"background-color", "content-visibility", "zoom", "all", "mask", "-webkit-mask", "mask-image",
		"-webkit-text-fill-color",
		"float", "line-height", "letter-spacing", "word-spacing", "margin-right", "margin-bottom", "-webkit-clip-path":
		return true
	}
	return strings.HasPrefix(d.property, "--")
}

// indexOutside finds the first of some characters that stands in no string, escape or brackets.
func indexOutside(css, characters string) int {
	depth := 0
	for i := 0; i < len(css); i++ {
		switch c := css[i]; {
		case c == '\\':
			i++
		case c == '"' || c == '\'':
			i = stringEnd(css, i)
		case depth == 0 && strings.IndexByte(characters, c) >= 0:
			return i
		case c == '(' || c == '[':
			depth++
		case (c == ')' || c == ']') && depth > 0:
			depth--
		}
	}
	return -1
}

// stringEnd returns where a string ends that begins at a place: at its quote, or at the end of the line.
func stringEnd(css string, at int) int {
	for i := at + 1; i < len(css); i++ {
		switch css[i] {
		case '\\':
			i++
		case css[at], '\n':
			return i
		}
	}
	return len(css)
}

// blockOf returns what stands up to the bracket that closes a block, and what stands behind it.
func blockOf(css string) (block, rest string) {
	depth := 1
	for i := 0; i < len(css); i++ {
		switch css[i] {
		case '\\':
			i++
		case '"', '\'':
			i = stringEnd(css, i)
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return css[:i], css[i+1:]
			}
		}
	}
	return css, ""
}

// The widths of the windows, in pixels, in which mails are taken to be read. What is hidden on a telephone alone is
// seen.
const (
	narrowWindow = 1_024
	wideWindow   = 1_920
)

// mediaAnswer reports whether a list of media queries holds where mails are read: on a screen, in a wide window, with
// light colours.
func mediaAnswer(list string) answer {
	held := no
	for one := range strings.SplitSeq(unescaped(list), ",") {
		held = max(held, mediaQuery(strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(one))))
	}
	return held
}

func mediaQuery(words []string) answer {
	held, negated := yes, false
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "only", "and", "all", "screen":
		case "not":
			negated = true
		case "or":
			return maybe
		case "print", "speech", "tty", "tv", "projection", "handheld", "braille", "embossed", "aural":
			held = no
		case "(":
			end := i + 1
			for end < len(words) && words[end] != ")" && words[end] != "(" {
				end++
			}
			if end == len(words) || words[end] == "(" {
				return maybe
			}
			held = held.and(mediaFeature(strings.Join(words[i+1:end], " ")))
			i = end
		default:
			held = held.and(maybe)
		}
	}
	if negated {
		return held.not()
	}
	return held
}

func mediaFeature(feature string) answer {
	name, value, _ := strings.Cut(feature, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	pixels, isLength := length(value)
	switch name {
	case "min-width", "min-device-width":
		return within(isLength, pixels <= narrowWindow, pixels > wideWindow)
	case "max-width", "max-device-width":
		return within(isLength, pixels >= wideWindow, pixels < narrowWindow)
	case "prefers-color-scheme":
		if value == "dark" {
			return no
		}
		return yes
	case "hover", "any-hover":
		if value == "none" {
			return no
		}
	}
	return maybe
}

func within(known, surely, never bool) answer {
	switch {
	case !known:
		return maybe
	case surely:
		return yes
	case never:
		return no
	}
	return maybe
}

// expanded returns what a value with var() may stand for.
func (s *stylesheet) expanded(value string) []string {
	found := []string{value}
	for round := 0; round < 4; round++ {
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
				if len(next) < maxLookup {
					next = append(next, one[:at]+known+behind)
				}
			}
		}
		if found = next; !more {
			break
		}
	}
	return found
}

// verdict is what the styles make of an element.
type verdict struct {
	hides bool
	// surely has the colours of what certainly holds, perhaps those of all that may.
	surely, perhaps paint
}

// judge returns what the page's styles and the element's own attributes make of it. around is the paint around it.
func (s *stylesheet) judge(m *matcher, n *node, attributes []html.Attribute, around verdict) verdict {
	v := verdict{surely: around.surely, perhaps: around.perhaps}
	attributesHide := paintedBy(attributes, &v.surely)
	paintedBy(attributes, &v.perhaps)
	v.hides = attributesHide
	own, beyond := declared(attribute(attributes, "style"))
	v.hides = v.hides || beyond
	var certain, all []weighed
	if len(s.rules) > 0 {
		for _, r := range m.candidates(n) {
			fits := m.fits(&s.rules[r].selector, s.rules[r].parents, n).and(s.rules[r].applies)
			if fits == no {
				continue
			}
			one := weighed{&s.rules[r], s.rules[r].selector.weight()}
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

// hides is hiding of declarations that may name variables.
func (s *stylesheet) hides(style []declaration, p *paint) bool {
	hidden := false
	if slices.ContainsFunc(style, func(d declaration) bool { return strings.Contains(d.value, "var(") }) {
		style = slices.Clone(style)
		for i := range style {
			values := s.expanded(style[i].value)
			style[i].value = ""
			for _, value := range values {
				one := style[i]
				one.value = value
				unpainted := *p
				hidden = hidden || hiding([]declaration{background(one)}, &unpainted)
				style[i] = background(one)
			}
		}
	}
	return hiding(style, p) || hidden
}

// computed reports whether a value that is computed by a function may come to nothing.
func computed(value string) (nothing, isComputed bool) {
	if !strings.Contains(value, "calc(") && !strings.HasPrefix(value, "min(") && !strings.HasPrefix(value, "max(") &&
		!strings.HasPrefix(value, "clamp(") && !strings.Contains(value, "env(") {
		return false, false
	}
	large := false
	for number := range strings.FieldsFuncSeq(value, func(r rune) bool { return (r < '0' || r > '9') && r != '.' }) {
		if n, err := strconv.ParseFloat(number, 64); err == nil {
			large = large || n >= 2
			if n == 0 && strings.Contains(value, "*") {
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
		own := around
		paintedBy(attributes, &own)
		hiding(declarations(attribute(attributes, "style")), &own)
		if own.behind == is.behind {
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
