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
	// hides: neither it nor what is in it is seen.
	hides bool
	// sticky: it has an effect on what is seen, so that it goes on as browsers have it when an element around it ends.
	sticky bool
	// note is the sink's own.
	note  uint8
	paint paint
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
	rules  hidingRules
}

// readHTML returns the page to the sink, and reports whether some was left out for its bounds.
func readHTML(text string, to sink) (cut bool) {
	p := page{sink: to, open: map[string]int{}, rules: hidingRulesOf(text)}
	tokens := html.NewTokenizer(strings.NewReader(text))
	for {
		switch kind := tokens.Next(); kind {
		case html.ErrorToken: // the end: reading from memory does not fail otherwise
			p.closeTo(0)
			return cut
		case html.TextToken:
			if p.hidden == 0 && !p.invisible() {
				to.text(string(tokens.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := tokens.TagName()
			tag, known := atom.Lookup(name), string(name)
			var attributes []html.Attribute
			for more {
				var key, value []byte
				key, value, more = tokens.TagAttr()
				if len(attributes) < maxAttributes && !has(attributes, string(key)) {
					attributes = append(attributes, html.Attribute{Key: string(key), Val: string(value)})
				}
			}
			if len(p.stack) >= maxOpen {
				p.closeTo(0)
				return true
			}
			p.startTag(tag, known, attributes)
		case html.EndTagToken:
			name, _ := tokens.TagName()
			p.endTag(atom.Lookup(name), string(name))
		case html.CommentToken, html.DoctypeToken: // nobody sees them
		}
	}
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

// invisible reports whether text has the colour of what is behind it here.
func (p *page) invisible() bool {
	return len(p.stack) > 0 && p.stack[len(p.stack)-1].paint.invisible()
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
	e := element{name: name, tag: tag, paint: defaultPaint()}
	if len(p.stack) > 0 {
		e.paint = p.stack[len(p.stack)-1].paint
	}
	before := e.paint
	rule := p.rules.of(name, attributes)
	attributes = painted(attributes, rule.paints)
	e.hides = isUnseen(tag) || rule.hides || hides(attributes, &e.paint)
	e.sticky = e.hides || e.paint != before
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
	p.stack = append(p.stack, e)
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
		p.open[e.name]--
		if i > at && e.sticky && isFormatting(e.tag) && !isCellOrTable(p.stack[at].tag) && len(again) < maxLookup {
			again = append(again, *e)
		}
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
		atom.Input, atom.Dialog, atom.Rp, atom.Frameset:
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
