package mail

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// sink takes what a reader of the page would meet, in order. Each start has its end.
type sink interface {
	text(text string)
	start(tag atom.Atom, attributes []html.Attribute, e *element)
	end(e *element)
}

// element is an open element.
type element struct {
	name string
	tag  atom.Atom
	// sticky: it has an effect on what is seen, so that it goes on as browsers have it when an element around it ends.
	sticky bool
	// note is the sink's own.
	note uint8
	verdict
	// closed: of what is in it, only a summary is seen, which it has or has not had yet.
	closed, summarized bool
	// node is the element as selectors see it, where there are any.
	node *node
}

// Bounds of a page. No browser shows what is deeper.
const (
	maxOpen       = 200_000
	maxLookup     = 128
	maxAttributes = 200
)

// page reads HTML token by token with a stack of what is open: in time and memory that grow with the input only,
// whatever is nested in it, which no parser to a tree promises. It follows the standard
// (https://html.spec.whatwg.org/multipage/parsing.html) where it decides what is inside of what, so that what is hidden
// from people is hidden here.
type page struct {
	sink   sink
	stack  []element
	open   map[string]int
	hidden int
	styles *stylesheet
	// filled are the open elements of which not all is seen.
	filled []filling
	// What follows is for selectors only: root is the body, twins and made are all elements in order, of the first and of
	// this reading.
	matcher *matcher
	root    *node
	begun   bool
	twins   []*node
	made    []*node
}

// readHTML returns the page to the sink, and reports whether some was left out for its bounds.
func readHTML(text string, to sink) (cut bool) {
	styles := stylesheetOf(text)
	if styles.beyond {
		return true
	}
	p := page{sink: to, open: map[string]int{}, styles: styles}
	if len(styles.rules) == 0 {
		return p.read(text)
	}
	first := page{sink: nothing{}, open: map[string]int{}, styles: &stylesheet{variables: map[string][]string{},
		body: styles.body, root: styles.root, quirks: styles.quirks}}
	first.follow(nil, nil)
	if first.read(text) {
		return true
	}
	p.follow(styles.rules, first.made)
	return p.read(text)
}

// nothing is a sink for a reading that only finds what is inside of what.
type nothing struct{}

func (nothing) text(string)                                 {}
func (nothing) start(atom.Atom, []html.Attribute, *element) {}
func (nothing) end(*element)                                {}

// follow makes the page keep its elements as selectors see them.
func (p *page) follow(rules []rule, twins []*node) {
	p.matcher, p.twins = newMatcher(rules), twins
	whole := &node{name: "html"}
	p.root = whole.add("body", nil)
	p.made = append(p.made, whole, p.root)
	if len(twins) >= 2 {
		whole.twin, p.root.twin = twins[0], twins[1]
	}
}

// nodeFor makes the node of an element that begins, with those around it that HTML implies. head is for what browsers
// put into the page's head, where it is no sibling of what is seen.
func (p *page) nodeFor(tag atom.Atom, name string, attributes []html.Attribute) *node {
	parent := p.root
	if len(p.stack) > 0 {
		parent = p.stack[len(p.stack)-1].node
	}
	switch {
	case tag == atom.Html:
		p.root.parent.attributes = attributes
		return p.root.parent
	case tag == atom.Body:
		p.root.attributes, p.begun = attributes, true
		return p.root
	case parent == p.root.parent:
		parent = p.root
	}
	if parent == p.root && !p.begun {
		switch tag {
		case atom.Style, atom.Title, atom.Meta, atom.Link, atom.Script, atom.Base, atom.Template, atom.Noscript:
			return p.make(&node{name: "head"}, name, attributes)
		}
	}
	p.begun = true
	implied := func(name string) {
		if parent.lastChild == nil || parent.lastChild.name != name || parent.lastChild.attributes != nil {
			p.make(parent, name, nil)
		}
		parent = parent.lastChild
	}
	if parent.name == "table" && (tag == atom.Tr || isCell(tag)) {
		implied("tbody")
	}
	if isCell(tag) && (parent.name == "tbody" || parent.name == "thead" || parent.name == "tfoot") {
		implied("tr")
	}
	return p.make(parent, name, attributes)
}

func (p *page) make(parent *node, name string, attributes []html.Attribute) *node {
	n := parent.add(name, attributes)
	if at := len(p.made); at < len(p.twins) {
		n.twin = p.twins[at]
	}
	p.made = append(p.made, n)
	return n
}

// read reads the tokens of the page.
func (p *page) read(text string) (cut bool) {
	to := p.sink
	r := pageReader{tokens: html.NewTokenizer(strings.NewReader(text))}
	p.begin()
	for {
		switch r.next() {
		case html.ErrorToken: // the end: reading from memory does not fail otherwise
			p.closeTo(0)
			return cut || r.ambiguous
		case html.TextToken:
			text := string(r.tokens.Text())
			if p.hidden > 0 || p.invisible() {
				continue
			}
			p.begun = p.begun || strings.TrimSpace(text) != ""
			if text = p.fit(text); text != "" {
				to.text(text)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if r.ambiguous {
				continue
			}
			if len(p.stack) >= maxOpen || p.matcher != nil && (len(p.made) >= maxNodes || p.matcher.work > maxMatching) {
				p.closeTo(0)
				return true
			}
			p.startTag(r.tag, r.name, r.attributes)
		case html.EndTagToken:
			p.endTag(r.tag, r.name)
		case html.CommentToken, html.DoctypeToken: // nobody sees them
		}
	}
}

// begin opens the page and its body with the attributes of all tags of that name, where one of them comes late.
func (p *page) begin() {
	if len(p.styles.root) == 0 && len(p.styles.body) == 0 {
		return
	}
	p.startTag(atom.Html, "html", p.styles.root)
	p.startTag(atom.Body, "body", p.styles.body)
	p.begun = false
}

func has(attributes []html.Attribute, key string) bool {
	for i := range attributes {
		if attributes[i].Key == key {
			return true
		}
	}
	return false
}

func attribute(attributes []html.Attribute, key string) string {
	for i := range attributes {
		if attributes[i].Key == key {
			return attributes[i].Val
		}
	}
	return ""
}

// invisible reports whether text has the colour of what is behind it here, or stands in a closed element.
func (p *page) invisible() bool {
	if len(p.stack) == 0 {
		return false
	}
	top := &p.stack[len(p.stack)-1]
	return top.closed || top.surely.invisible() || top.perhaps.invisible()
}

func (p *page) startTag(tag atom.Atom, name string, attributes []html.Attribute) {
	switch tag {
	case atom.Html, atom.Body: // there is one; a second one only adds to it
		if p.open[name] > 0 {
			return
		}
	case atom.Head:
		return
	}
	p.implyEnds(tag)
	p.newLine(tag)
	e := element{name: name, tag: tag}
	around := verdict{surely: defaultPaint(), perhaps: defaultPaint()}
	unseen := isUnseen(tag)
	if len(p.stack) > 0 {
		outer := &p.stack[len(p.stack)-1]
		around = outer.verdict
		if outer.closed {
			unseen = unseen || tag != atom.Summary || outer.summarized
			outer.summarized = outer.summarized || tag == atom.Summary
		}
	}
	if p.matcher != nil {
		e.node = p.nodeFor(tag, name, attributes)
	}
	if tag == atom.Pre || tag == atom.Listing || tag == atom.Nobr {
		around.surely.oneLine, around.perhaps.oneLine = true, true
	}
	e.closed = tag == atom.Details && !has(attributes, "open")
	e.verdict = p.styles.judge(p.matcher, e.node, attributes, around)
	shrink(tag, &e.verdict)
	attributes = painted(attributes, around.surely, e.surely)
	if (tag == atom.Col || tag == atom.Colgroup) && e.hides {
		p.closeTable()
	}
	e.hides = e.hides || unseen || tag == atom.Bdo
	e.sticky = e.hides || e.surely != around.surely.inner() || e.perhaps != around.perhaps.inner()
	if tag == atom.Dialog && !has(attributes, "open") {
		e.hides = true
	}
	if isVoid(tag) {
		if p.hidden == 0 && !e.hides {
			p.sink.start(tag, attributes, &e)
		}
		return
	}
	if e.hides {
		p.hidden++
	}
	if p.hidden == 0 {
		p.sink.start(tag, attributes, &e)
	}
	p.open[name]++
	if e.surely.room != (room{}) && len(p.filled) < maxListShown {
		p.filled = append(p.filled, filling{room: e.surely.room, at: len(p.stack)})
	}
	p.stack = append(p.stack, e)
}

// closeTable hides the rest of the table whose column is hidden: which cells stand in it is not followed.
func (p *page) closeTable() {
	for i := len(p.stack) - 1; i >= 0; i-- {
		if p.stack[i].tag == atom.Table {
			p.stack[i].closed = true
			return
		}
	}
}

// shrink makes letters smaller in elements that do so by themselves.
func shrink(tag atom.Atom, v *verdict) {
	factor := float32(1)
	switch tag {
	case atom.Small, atom.Sub, atom.Sup:
		factor = 5.0 / 6
	case atom.H6:
		factor = 2.0 / 3
	}
	v.surely.size *= factor
	v.perhaps.size *= factor
}

// endTag closes the element that it names, if it may from here.
func (p *page) endTag(tag atom.Atom, name string) {
	if p.open[name] == 0 || tag == atom.Body || tag == atom.Html {
		return
	}
	for i, steps := len(p.stack)-1, 0; i >= 0 && steps < maxLookup; i, steps = i-1, steps+1 {
		if p.stack[i].name == name {
			p.closeTo(i)
			return
		}
		if holds(p.stack[i].tag, tag) {
			return
		}
	}
}

// holds reports whether an open element keeps an end tag within it from closing something around it.
func holds(open, ending atom.Atom) bool {
	switch {
	case open == atom.Table || open == atom.Template:
		return true
	case isTablePart(ending):
		return false
	case open == atom.Td || open == atom.Th || open == atom.Caption || open == atom.Button || open == atom.Object:
		return true
	case isFormatting(ending) || isBlock(ending):
		return false
	}
	return isBlock(open)
}

// implyEnds closes what a start tag ends without saying so.
func (p *page) implyEnds(tag atom.Atom) {
	switch {
	case tag == atom.Li:
		p.closeNearest(isListItem, isList)
	case tag == atom.Dd || tag == atom.Dt:
		p.closeNearest(isTerm, isList)
	case tag == atom.Td || tag == atom.Th:
		p.closeNearest(isCell, isTable)
	case tag == atom.Tr:
		p.closeNearest(isRow, isTable)
	case tag == atom.Tbody || tag == atom.Thead || tag == atom.Tfoot:
		p.closeNearest(isRowGroup, isTable)
	case tag == atom.A:
		p.closeNearest(isAnchor, isCellOrTable)
	}
	if tag == atom.Table && p.styles.quirks && p.hidden > 0 { // without a kind of HTML a table may stand in a paragraph
		return
	}
	if isBlock(tag) && p.open["p"] > 0 {
		p.closeNearest(isParagraph, isCellOrTable)
	}
}

func isListItem(t atom.Atom) bool    { return t == atom.Li }
func isTerm(t atom.Atom) bool        { return t == atom.Dd || t == atom.Dt }
func isCell(t atom.Atom) bool        { return t == atom.Td || t == atom.Th }
func isRow(t atom.Atom) bool         { return t == atom.Tr }
func isRowGroup(t atom.Atom) bool    { return t == atom.Tbody || t == atom.Thead || t == atom.Tfoot }
func isAnchor(t atom.Atom) bool      { return t == atom.A }
func isParagraph(t atom.Atom) bool   { return t == atom.P }
func isTable(t atom.Atom) bool       { return t == atom.Table }
func isCellOrTable(t atom.Atom) bool { return isCell(t) || t == atom.Table || t == atom.Caption }

func isList(t atom.Atom) bool {
	return t == atom.Ul || t == atom.Ol || t == atom.Dl || isCellOrTable(t) || t == atom.Blockquote
}

// closeNearest closes the innermost element of a kind, unless another kind stands around it.
func (p *page) closeNearest(kind, barrier func(atom.Atom) bool) {
	for i, steps := len(p.stack)-1, 0; i >= 0 && steps < maxLookup; i, steps = i-1, steps+1 {
		if kind(p.stack[i].tag) {
			p.closeTo(i)
			return
		}
		if barrier(p.stack[i].tag) {
			return
		}
	}
}

// closeTo closes all elements from a place on. Formatting within that was not closed itself goes on behind it.
func (p *page) closeTo(at int) {
	var again []element
	for i := len(p.stack) - 1; i >= at; i-- {
		e := &p.stack[i]
		if p.hidden == 0 {
			p.sink.end(e)
		}
		if e.hides {
			p.hidden--
		}
		p.newLine(e.tag)
		p.open[e.name]--
		if i > at && e.sticky && isFormatting(e.tag) && !isCellOrTable(p.stack[at].tag) && len(again) < maxLookup {
			again = append(again, *e)
		}
	}
	for last := len(p.filled) - 1; last >= 0 && p.filled[last].at >= at; last-- {
		p.filled = p.filled[:last]
	}
	p.stack = p.stack[:at]
	for i := len(again) - 1; i >= 0; i-- {
		e := again[i]
		e.note = noteSilent
		if e.hides {
			p.hidden++
		}
		p.open[e.name]++
		p.stack = append(p.stack, e)
	}
}

// noteSilent marks an element that goes on without a start of its own; its end says nothing either.
const noteSilent = 255

func isVoid(t atom.Atom) bool {
	switch t {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta,
		atom.Source, atom.Track, atom.Wbr, atom.Param:
		return true
	}
	return false
}

// isUnseen reports whether an element acts, or its content is no text for people.
func isUnseen(t atom.Atom) bool {
	switch t {
	case atom.Script, atom.Style, atom.Title, atom.Textarea, atom.Iframe, atom.Noembed, atom.Noframes, atom.Noscript,
		atom.Xmp, atom.Plaintext, atom.Template, atom.Object,
		atom.Embed, atom.Applet, atom.Svg, atom.Math, atom.Audio, atom.Video, atom.Canvas, atom.Select, atom.Datalist,
		atom.Input, atom.Rp, atom.Frameset, atom.Meter, atom.Progress:
		return true
	}
	return false
}

// isFormatting reports whether an element goes on when what is around it ends (HTML, 13.2.4.3).
func isFormatting(t atom.Atom) bool {
	switch t {
	case atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike,
		atom.Strong, atom.Tt, atom.U:
		return true
	}
	return false
}

func isTablePart(t atom.Atom) bool {
	return t == atom.Table || isCell(t) || isRow(t) || isRowGroup(t) || t == atom.Caption
}

// isBlock reports whether an element begins on a line of its own.
func isBlock(t atom.Atom) bool {
	switch t {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Dd, atom.Details, atom.Dir, atom.Div,
		atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption,
		atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hr,
		atom.Li, atom.Main, atom.Menu, atom.Nav, atom.Ol,
		atom.P, atom.Pre, atom.Section, atom.Summary, atom.Table, atom.Ul, atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.Thead,
		atom.Tfoot, atom.Caption, atom.Listing:
		return true
	}
	return false
}
