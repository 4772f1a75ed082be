package mail

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pageReader reads the tokens of a page as browsers do, also within drawings and formulas, where the text of styles and
// the like ends elsewhere (HTML, 13.2.6.5).
type pageReader struct {
	tokens     *html.Tokenizer
	tag        atom.Atom
	name       string
	attributes []html.Attribute
	// foreign is how many drawings and formulas are open, points how many elements in them that hold HTML again, inert how
	// many elements whose content is no part of the page.
	foreign, points, inert int
	// said: there was text that is seen.
	said bool
	// ambiguous: from here on it cannot be told what is seen.
	ambiguous bool
}

// next returns the kind of the next token; of a tag its name is known, and its attributes.
func (r *pageReader) next() html.TokenType {
	if r.ambiguous {
		return html.ErrorToken
	}
	r.tokens.AllowCDATA(r.foreign > 0)
	kind := r.tokens.Next()
	switch kind {
	case html.StartTagToken, html.SelfClosingTagToken:
		r.start(kind == html.SelfClosingTagToken)
	case html.EndTagToken:
		name, _ := r.tokens.TagName()
		r.tag, r.name, r.attributes = atom.Lookup(name), string(name), nil
		r.count(-1)
	case html.TextToken:
		inHead := r.tag == atom.Title || r.tag == atom.Style || r.tag == atom.Script
		r.said = r.said || !inHead && strings.TrimSpace(string(r.tokens.Raw())) != ""
	}
	return kind
}

func (r *pageReader) start(closed bool) {
	name, more := r.tokens.TagName()
	r.tag, r.name, r.attributes = atom.Lookup(name), string(name), nil
	for more {
		var key, value []byte
		key, value, more = r.tokens.TagAttr()
		if has(r.attributes, string(key)) {
			continue
		}
		if len(r.attributes) == maxAttributes {
			r.ambiguous = true
			return
		}
		r.attributes = append(r.attributes, html.Attribute{Key: string(key), Val: string(value)})
	}
	if r.foreign > 0 {
		if isRaw(r.tag) && r.points > 0 {
			r.ambiguous = true
		}
		r.tokens.NextIsNotRawText()
	}
	if !closed || r.foreign == 0 && r.tag != atom.Svg && r.tag != atom.Math {
		r.count(1)
	}
}

// count keeps count of what is open.
func (r *pageReader) count(by int) {
	switch r.tag {
	case atom.Svg, atom.Math:
		r.foreign = max(0, r.foreign+by)
		if r.foreign == 0 {
			r.points = 0
		}
	case atom.Template, atom.Select, atom.Object, atom.Noscript, atom.Canvas, atom.Video, atom.Audio:
		r.inert = max(0, r.inert+by)
	}
	if r.foreign == 0 {
		return
	}
	switch r.name {
	case "foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext", "annotation-xml":
		r.points = max(0, r.points+by)
	}
}

// isRaw reports whether what is in an element is text up to its end tag.
func isRaw(t atom.Atom) bool {
	switch t {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Plaintext, atom.Script, atom.Style, atom.Textarea, atom.Title,
		atom.Xmp:
		return true
	}
	return false
}
