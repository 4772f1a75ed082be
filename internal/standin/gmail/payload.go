package gmail

import (
	"encoding/base64"
	"strconv"
	"strings"

	"almanac/internal/standin/wire"
)

// format is how much of a message is asked for.
type format string

const (
	formatMinimal  format = "minimal"
	formatMetadata format = "metadata"
	formatFull     format = "full"
	formatRaw      format = "raw"
)

// asked reads format and metadataHeaders.
func (r *request) asked() (f format, headers []string, err error) {
	f = format(strings.ToLower(r.call.Query.Get("format")))
	if f == "" {
		f = formatFull
	}
	switch f {
	case formatMinimal, formatMetadata:
	case formatFull, formatRaw:
		if r.onlyMetadata() {
			return "", nil, forbidden("Metadata scope doesn't allow format " + strings.ToUpper(string(f)))
		}
	default:
		return "", nil, invalid("Invalid value at 'format'")
	}
	return f, r.call.Query["metadataHeaders"], nil
}

// show returns a message in a format.
func (r *request) show(m *message, f format, headers []string) object {
	o := r.row(m)
	o["snippet"] = m.searchable().snippet
	o["historyId"] = strconv.FormatUint(m.History, 10)
	o["internalDate"] = strconv.FormatInt(m.Date, 10)
	o["sizeEstimate"] = len(m.Raw)
	switch f {
	case formatMetadata:
		root := m.parts()
		o["payload"] = object{"mimeType": root.kind, "headers": root.headers(headers)}
	case formatFull:
		o["payload"] = r.payload(m, m.parts(), "")
	case formatRaw:
		o["raw"] = base64.URLEncoding.EncodeToString(m.Raw)
	}
	return o
}

// row is what writes answer with.
func (*request) row(m *message) object {
	o := object{"id": m.ID, "threadId": m.Thread}
	if len(m.Labels) > 0 {
		o["labelIds"] = list(m.Labels)
	}
	return o
}

func list(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}

// headers returns the fields of a header, decoded; all of them when no names are given.
func (n *part) headers(names []string) []any {
	all := make([]any, 0, len(n.fields))
	wanted := make(map[string]bool, len(names))
	for _, name := range names {
		wanted[strings.ToLower(name)] = true
	}
	for _, f := range n.fields {
		name := strings.ToValidUTF8(string(f.name), "\uFFFD")
		if len(names) == 0 || wanted[strings.ToLower(name)] {
			all = append(all, object{"name": name, "value": decoded(unfold(f.value))})
		}
	}
	return all
}

// payload returns a part with those below it.
func (r *request) payload(m *message, n *part, id string) object {
	o := object{"partId": id, "mimeType": n.kind, "filename": n.filename, "headers": n.headers(nil)}
	switch {
	case n.isMultipart():
		o["body"] = object{"size": 0}
	case n.isText():
		text := n.text()
		body := object{"size": len(text)}
		if text != "" {
			body["data"] = base64.URLEncoding.EncodeToString([]byte(text))
		}
		o["body"] = body
	default:
		o["body"] = object{"attachmentId": r.attachmentID(m.ID, id), "size": len(n.content())}
	}
	if len(n.children) > 0 {
		parts := make([]any, len(n.children))
		for i, child := range n.children {
			parts[i] = r.payload(m, child, below(id, i))
		}
		o["parts"] = parts
	}
	return o
}

// text is the part's text in UTF-8.
func (n *part) text() string { return toUTF8(n.content(), n.charset) }

// below is the id of a part's child.
func below(id string, i int) string {
	if id == "" {
		return strconv.Itoa(i)
	}
	return id + "." + strconv.Itoa(i)
}

// find is the part with an id; nil when there is none.
func (n *part) find(id string) *part {
	if id == "" {
		return n
	}
	for step := range strings.SplitSeq(id, ".") {
		i, err := strconv.Atoi(step)
		if err != nil || i < 0 || i >= len(n.children) {
			return nil
		}
		n = n.children[i]
	}
	return n
}

func (r *request) getAttachment() (wire.Reply, error) {
	if r.onlyMetadata() {
		return wire.Reply{}, forbidden("Metadata scope doesn't allow attachments")
	}
	m, err := r.message(r.call.Path["messageId"])
	if err != nil {
		return wire.Reply{}, err
	}
	of, id, ok := r.readAttachmentID(r.call.Path["id"])
	if !ok || of != m.ID {
		return wire.Reply{}, invalid("Invalid attachment token")
	}
	n := m.parts().find(id)
	if n == nil {
		return wire.Reply{}, invalid("Invalid attachment token")
	}
	content := n.content()
	return reply(object{"size": len(content), "data": base64.URLEncoding.EncodeToString(content)})
}
