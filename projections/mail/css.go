package mail

import (
	"slices"
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
	// fonts are those whose letters cannot be relied on, fading the animations of which a step hides.
	fonts, fading []string
	// lost: not all variables are known. expanding is how many bytes were made of them.
	lost      bool
	expanding int
	// body and root are the attributes of all tags of that name, of which the first counts, where one comes late.
	body, root []html.Attribute
	// quirks: the page does not say which HTML it is.
	quirks bool
	// beyond: there is more than the bounds.
	beyond bool
	size   int
}

// stylesheetOf reads the styles of a page, wherever they stand but in comments, and what else is needed before the
// page's first word.
func stylesheetOf(text string) *stylesheet {
	s := &stylesheet{variables: map[string][]string{}, quirks: true}
	r := pageReader{tokens: html.NewTokenizer(strings.NewReader(text))}
	late := false
	for inside, applies := false, yes; ; {
		switch r.next() {
		case html.ErrorToken:
			s.beyond = s.beyond || r.ambiguous
			if !late {
				s.body, s.root = nil, nil
			}
			return s
		case html.DoctypeToken:
			s.quirks = s.quirks && !strings.EqualFold(strings.TrimSpace(string(r.tokens.Text())), "html") &&
				!strings.Contains(strings.ToLower(string(r.tokens.Text())), "xhtml 1.0") &&
				!strings.Contains(strings.ToLower(string(r.tokens.Text())), "html 4.01")
		case html.StartTagToken, html.SelfClosingTagToken:
			inside, applies = r.tag == atom.Style, yes
			switch r.tag {
			case atom.Style:
				applies = s.styleApplies(&r)
			case atom.Link:
				// No program loads styles from elsewhere; these are in the mail, and are not read.
				s.beyond = s.beyond || strings.Contains(lowerASCII(attribute(r.attributes, "href")), "data:")
			case atom.Body:
				late = late || r.said || len(s.body) > 0
				s.body = merged(s.body, r.attributes)
			case atom.Html:
				late = late || r.said || len(s.root) > 0
				s.root = merged(s.root, r.attributes)
			}
		case html.TextToken:
			if inside {
				css := string(r.tokens.Text())
				if s.size += len(css); s.size > maxCSS {
					s.beyond = true
					return s
				}
				s.read(uncommented(css), nil, applies, 0)
			}
		default:
			inside = false
		}
		if s.beyond {
			return s
		}
	}
}

// styleApplies is whether a style element is one, by its attributes and what it stands in.
func (s *stylesheet) styleApplies(r *pageReader) answer {
	applies := yes
	if media := attribute(r.attributes, "media"); trimCSS(media) != "" {
		applies = mediaAnswer(lowerASCII(media))
	}
	if kind := attribute(r.attributes, "type"); kind != "" && !strings.EqualFold(kind, "text/css") || r.inert > 0 ||
		r.foreign > 0 {
		applies = applies.and(maybe)
	}
	return applies
}

// merged adds the attributes that are new.
func merged(known, more []html.Attribute) []html.Attribute {
	for _, a := range more {
		if !has(known, a.Key) {
			known = append(known, a)
		}
	}
	return known
}

// read reads rules, and returns what is declared beside them, which is so in a nested block only.
func (s *stylesheet) read(css string, parents []selector, applies answer, depth int) (own []declaration) {
	if depth > maxCSSNested {
		s.beyond = true
		return nil
	}
	for css != "" && !s.beyond {
		css = strings.TrimLeft(css, " \t\n\r\f"+comment)
		ends := "{};"
		if len(parents) == 0 { // where nothing is declared, no rule ends before its block
			if rest, found := strings.CutPrefix(css, "<!--"); found {
				css = rest
				continue
			}
			if rest, found := strings.CutPrefix(css, "-->"); found {
				css = rest
				continue
			}
			if ends = "{"; strings.HasPrefix(css, "@") {
				ends = "{;"
			}
		}
		at := indexOutside(css, ends)
		if at < 0 || css[at] != '{' {
			part := css
			if at >= 0 {
				part, css = css[:at], css[at+1:]
			} else {
				css = ""
			}
			if strings.HasPrefix(part, "@") {
				name := lowerASCII(unescaped(part))
				s.beyond = s.beyond || strings.HasPrefix(name, "@import") && strings.Contains(name, "data:")
			} else if len(parents) > 0 {
				declared, beyond := declared(part)
				own, s.beyond = append(own, declared...), s.beyond || beyond
			}
			continue
		}
		prelude := trimCSS(css[:at])
		block, rest := blockOf(css[at+1:])
		css = rest
		if strings.HasPrefix(prelude, "@") {
			s.atRule(strings.ReplaceAll(prelude, comment, " "), block, parents, applies, depth)
			continue
		}
		s.rule(prelude, block, parents, applies, depth)
	}
	return own
}

func (s *stylesheet) rule(prelude, block string, parents []selector, applies answer, depth int) {
	selectors, valid := selectorsOf(strings.ReplaceAll(prelude, comment, ""), len(parents) > 0, 0)
	valid = valid && !strings.Contains(prelude, comment)
	if !valid {
		applies = applies.and(maybe) // a browser that does not understand one of them leaves the rule out
	}
	at := len(s.rules)
	declare := s.read(block, selectors, applies, depth+1)
	for _, d := range declare {
		s.variable(d)
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

// variable notes a value that a custom property may have.
func (s *stylesheet) variable(d declaration) {
	if !strings.HasPrefix(d.property, "--") || slices.Contains(s.variables[d.property], d.value) {
		return
	}
	if len(s.variables) >= maxRules || len(s.variables[d.property]) >= maxLookup {
		s.lost = true
		return
	}
	s.variables[d.property] = append(s.variables[d.property], d.value)
}

// face notes a font whose letters are not what they are called: brought along, or made small.
func (s *stylesheet) face(block string) {
	name, strange := "", false
	found, beyond := declared(block)
	for _, d := range found {
		switch d.property {
		case "font-family":
			name = strings.Trim(d.value, `"' `)
		case "src":
			strange = strange || strings.Contains(d.value, "data:")
		case "size-adjust":
			n, ok := fraction(d.value)
			strange = strange || !ok || n < 0.5
		}
	}
	if (strange || beyond) && name != "" && len(s.fonts) < maxLookup {
		s.fonts = append(s.fonts, name)
	}
	s.beyond = s.beyond || len(s.fonts) == maxLookup
}

// keyframes notes an animation of which a step hides: when it is at which step is not known.
func (s *stylesheet) keyframes(name, block string) {
	steps := stylesheet{variables: map[string][]string{}}
	steps.read(block, nil, maybe, 0)
	p := defaultPaint().inner()
	hides := steps.beyond
	for _, r := range steps.rules {
		one := p
		hides = hides || s.hides(r.declare, &one) || one.invisible()
	}
	if name = strings.Trim(lowerASCII(trimCSS(unescaped(name))), `"'`); hides && name != "" {
		s.fading = append(s.fading, name)
	}
	s.beyond = s.beyond || len(s.fading) > maxLookup
}

// atRule reads a block under a condition. What it declares of what it is nested in becomes a rule of its own.
func (s *stylesheet) atRule(prelude, block string, parents []selector, applies answer, depth int) {
	prelude = strings.Join(strings.Fields(lowerASCII(prelude[1:])), " ")
	name, condition, _ := strings.Cut(prelude, " ")
	name, inBrackets, _ := strings.Cut(name, "(")
	if inBrackets != "" {
		condition = "(" + inBrackets + " " + condition
	}
	switch unescaped(name) {
	case "media":
		applies = applies.and(mediaAnswer(condition))
	case "font-face":
		s.face(block)
		return
	case "keyframes", "-webkit-keyframes", "-moz-keyframes":
		s.keyframes(condition, block)
		return
	case "property":
		found, _ := declared(block)
		for _, d := range found {
			if d.property == "initial-value" {
				s.variable(declaration{property: condition, value: d.value})
			}
		}
		return
	case "page", "counter-style", "font-feature-values", "starting-style":
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
	for _, prefix := range [...]string{"--", "margin", "inset", "mask", "-webkit-mask", "clip", "-webkit-clip", "overflow",
		"padding", "background", "max-", "-webkit-text", "-webkit-line-clamp", "white-space", "animation",
		"-webkit-animation", "font", "text-", "grid-template"} {
		if strings.HasPrefix(d.property, prefix) {
			return true
		}
	}
	switch d.property {
	case "display", "visibility", "opacity", "mso-hide", "height", "width", "position", "left", "top", "right", "bottom",
		"transform", "-webkit-transform", "-ms-transform", "scale", "translate", "rotate", "filter", "-webkit-filter",
		"color", "content-visibility", "zoom", "all", "line-height", "letter-spacing", "word-spacing", "block-size",
		"inline-size", "contain", "box-sizing", "box-shadow", "-webkit-box-shadow", "content", "z-index", "unicode-bidi",
		"mix-blend-mode", "offset-path", "flex-basis", "flex", "line-clamp":
		return true
	}
	return false
}

// indexOutside finds the first of some characters that stands in no string, escape or brackets. Braces are brackets
// where they are not looked for.
func indexOutside(css, characters string) int {
	braces := strings.IndexByte(characters, '{') < 0
	var open []byte
	for i := 0; i < len(css); {
		c := css[i]
		if len(open) == 0 && strings.IndexByte(characters, c) >= 0 {
			return i
		}
		if c != '{' && c != '}' || braces {
			open = bracketed(open, c)
		}
		i = tokenEnd(css, i)
	}
	return -1
}

// bracketed is what brackets are open after a character.
func bracketed(open []byte, c byte) []byte {
	switch c {
	case '(':
		return append(open, ')')
	case '[':
		return append(open, ']')
	case '{':
		return append(open, '}')
	}
	if last := len(open) - 1; last >= 0 && open[last] == c {
		return open[:last]
	}
	return open
}

// tokenEnd returns where the string, escape, address or character ends that begins at a place.
func tokenEnd(css string, at int) int {
	switch c := css[at]; {
	case c == '\\':
		return min(at+2, len(css))
	case c == '"' || c == '\'':
		return min(stringEnd(css, at)+1, len(css))
	case (c == 'u' || c == 'U') && len(css)-at > len("url(") && strings.EqualFold(css[at:at+len("url(")], "url("):
		from := at + len("url(")
		for from < len(css) && isCSSBlank(css[from]) {
			from++
		}
		if from < len(css) && (css[from] == '"' || css[from] == '\'') {
			return at + 1
		}
		for from < len(css) && css[from] != ')' {
			if css[from] == '\\' {
				from++
			}
			from++
		}
		return min(from+1, len(css))
	}
	return at + 1
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
	open := []byte{'}'}
	for i := 0; i < len(css); i = tokenEnd(css, i) {
		if open = bracketed(open, css[i]); len(open) == 0 {
			return css[:i], css[i+1:]
		}
	}
	return css, ""
}
