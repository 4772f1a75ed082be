package gmail

import (
	"bytes"
	"strings"
)

// Bounds of what is made of one message. What lies beyond is left out of the tree; the raw message keeps it.
const (
	maxDepth  = 100
	maxParts  = 20_000
	maxFields = 50_000
)

// part is a node of a message's tree (RFC 2045, RFC 2046). Its slices lie within the raw message.
type part struct {
	fields []field
	// kind is the media type in lower case, "text/plain".
	kind string
	// charset, encoding and filename are as declared; encoding is in lower case, filename is decoded.
	charset, encoding, filename string
	body                        []byte
	children                    []*part
}

// field is a field of a header. value may be folded; line is all of it with its line ends.
type field struct {
	name, value, line []byte
}

// parse finds the tree of a message. It never fails.
func parse(raw []byte) *part {
	p := &parser{raw: raw, levels: map[string][]int{}}
	root, _ := p.part(0, "text/plain")
	return root
}

// parser goes once over a message.
type parser struct {
	raw []byte
	// at is where to read on, end where the last text that was read ended.
	at, end int
	// open are the boundaries that a line may be of, the outermost first; levels finds them.
	open   []string
	levels map[string][]int
	parts  int
	fields int
}

// mark is the line of a boundary, or the end of the message.
type mark struct {
	// level is the place in open, -1 at the end of the message.
	level   int
	closing bool
}

var theEnd = mark{level: -1}

// line returns the line that begins at a place, without its end, and where the next one begins.
func (p *parser) line(at int) (text []byte, next int) {
	i := bytes.IndexByte(p.raw[at:], '\n')
	if i < 0 {
		return bytes.TrimSuffix(p.raw[at:], []byte("\r")), len(p.raw)
	}
	return bytes.TrimSuffix(p.raw[at:at+i], []byte("\r")), at + i + 1
}

// marks reports whether a line is of an open boundary; of two that are alike it is the inner one's.
func (p *parser) marks(line []byte) (mark, bool) {
	if len(p.open) == 0 || !bytes.HasPrefix(line, []byte("--")) {
		return mark{}, false
	}
	name := bytes.TrimRight(line[2:], " \t")
	if levels := p.levels[string(name)]; len(levels) > 0 {
		return mark{level: levels[len(levels)-1]}, true
	}
	if name, closed := bytes.CutSuffix(name, []byte("--")); closed {
		if levels := p.levels[string(name)]; len(levels) > 0 {
			return mark{level: levels[len(levels)-1], closing: true}, true
		}
	}
	return mark{}, false
}

// seek goes behind the next boundary's line, and leaves in end where the text before it ended.
func (p *parser) seek() mark {
	for at := p.at; at < len(p.raw); {
		text, next := p.line(at)
		if m, ok := p.marks(text); ok {
			end := at
			if end > p.at && p.raw[end-1] == '\n' { // the line end before a boundary is the boundary's (RFC 2046, 5.1.1)
				end--
				if end > p.at && p.raw[end-1] == '\r' {
					end--
				}
			}
			p.at, p.end = next, end
			return m
		}
		at = next
	}
	p.at, p.end = len(p.raw), len(p.raw)
	return theEnd
}

// part reads a header and what follows it up to the boundary of somebody around.
func (p *parser) part(depth int, usual string) (*part, mark) {
	p.parts++
	n := &part{}
	n.fields = p.header()
	n.describe(usual)
	start := p.at
	if boundary := n.boundary(); boundary != "" && depth < maxDepth {
		if m, found := p.inside(n, boundary, depth); found {
			n.body = p.raw[start:max(start, p.end)]
			return n, m
		}
		p.at = start
	}
	if strings.HasPrefix(n.kind, "multipart/") { // without a boundary, or with one that never comes: its text is shown
		n.kind = "text/plain"
	}
	if n.kind == "message/rfc822" && depth < maxDepth && p.parts < maxParts && !isEncoded(n.encoding) {
		inner, m := p.part(depth+1, "text/plain")
		n.children = []*part{inner}
		n.body = p.raw[start:max(start, p.end)]
		return n, m
	}
	m := p.seek()
	n.body = p.raw[start:p.end]
	return n, m
}

// inside reads the parts of a multipart; found is false when there is none.
func (p *parser) inside(n *part, boundary string, depth int) (m mark, found bool) {
	level := len(p.open)
	p.open = append(p.open, boundary)
	p.levels[boundary] = append(p.levels[boundary], level)
	usual := "text/plain"
	if n.kind == "multipart/digest" {
		usual = "message/rfc822"
	}
	m = p.seek()
	for m.level == level && !m.closing {
		if p.parts >= maxParts {
			m = p.seek()
			continue
		}
		var child *part
		child, m = p.part(depth+1, usual)
		n.children = append(n.children, child)
	}
	p.open = p.open[:level]
	p.levels[boundary] = p.levels[boundary][:len(p.levels[boundary])-1]
	if m.level == level { // closed: what follows until somebody else's boundary is nobody's
		m = p.seek()
	}
	return m, len(n.children) > 0
}

// header reads fields up to an empty line, which is passed, or up to a line that is none of a header.
func (p *parser) header() []field {
	var fields []field
	for first := true; p.at < len(p.raw); first = false {
		text, next := p.line(p.at)
		if len(text) == 0 {
			p.at = next
			return fields
		}
		if _, ok := p.marks(text); ok {
			return fields
		}
		if first && bytes.HasPrefix(text, []byte("From ")) { // of a mailbox file
			p.at = next
			continue
		}
		colon := bytes.IndexByte(text, ':')
		if colon <= 0 || !isFieldName(bytes.TrimRight(text[:colon], " \t")) {
			return fields
		}
		end := next
		for end < len(p.raw) && (p.raw[end] == ' ' || p.raw[end] == '\t') {
			_, end = p.line(end)
		}
		if p.fields++; p.fields <= maxFields {
			fields = append(fields, field{
				name: bytes.TrimRight(text[:colon], " \t"), value: bytes.TrimRight(p.raw[p.at+colon+1:end], "\r\n"),
				line: p.raw[p.at:end],
			})
		}
		p.at = end
	}
	return fields
}

// isFieldName follows RFC 5322, 3.6.8, and lets bytes above 126 pass.
func isFieldName(name []byte) bool {
	for _, c := range name {
		if c <= ' ' || c == ':' || c == 127 {
			return false
		}
	}
	return len(name) > 0
}

// describe reads what the header says of the body.
func (n *part) describe(usual string) {
	kind, named := parameters(n.get("Content-Type"))
	if before, after, ok := strings.Cut(kind, "/"); !ok || before == "" || after == "" ||
		strings.ContainsAny(before+after, " \t\"/()<>@,\\") {
		kind = usual
	}
	n.kind = kind
	n.charset = named["charset"]
	encoding, _, _ := strings.Cut(n.get("Content-Transfer-Encoding"), ";")
	n.encoding = strings.ToLower(strings.TrimSpace(encoding))
	_, disposition := parameters(n.get("Content-Disposition"))
	n.filename = disposition["filename"]
	if n.filename == "" {
		n.filename = named["name"]
	}
}

// boundary is that of a multipart, "" for others.
func (n *part) boundary() string {
	if !strings.HasPrefix(n.kind, "multipart/") {
		return ""
	}
	_, named := parameters(n.get("Content-Type"))
	const most = 1000 // RFC 2046 has 70
	if boundary := strings.TrimRight(named["boundary"], " \t"); len(boundary) <= most {
		return boundary
	}
	return ""
}

// get is the first field of a name, unfolded, not decoded.
func (n *part) get(name string) string {
	for _, f := range n.fields {
		if strings.EqualFold(string(f.name), name) {
			return unfold(f.value)
		}
	}
	return ""
}

// all are the fields of a name, unfolded, not decoded.
func (n *part) all(name string) []string {
	var values []string
	for _, f := range n.fields {
		if strings.EqualFold(string(f.name), name) {
			values = append(values, unfold(f.value))
		}
	}
	return values
}

// isText reports whether the part's text stands in the answer itself.
func (n *part) isText() bool { return strings.HasPrefix(n.kind, "text/") && n.filename == "" }

// isMultipart reports whether the part is nothing but its children.
func (n *part) isMultipart() bool { return strings.HasPrefix(n.kind, "multipart/") }

// walk visits a tree in the order of the message until visit says no.
func (n *part) walk(visit func(*part) bool) bool {
	if !visit(n) {
		return false
	}
	for _, child := range n.children {
		if !child.walk(visit) {
			return false
		}
	}
	return true
}
