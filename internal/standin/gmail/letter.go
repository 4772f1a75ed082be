package gmail

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"mime"
	"strings"
	"time"

	"golang.org/x/text/encoding/htmlindex"
)

// Letter is a message to be written, for tests and for samples. It is written by other code than any that reads
// messages here. Texts go into the message as they are: who puts a line end into a subject gets two fields.
type Letter struct {
	// From, To, Cc, Bcc and ReplyTo are written as addresses are: `Dana <dana@example.com>`, several with commas. Names
	// that are not ASCII are encoded.
	From, To, Cc, Bcc, ReplyTo string
	Subject                    string
	// Date is left out when zero, as is every other field that is empty.
	Date time.Time
	// MessageID and InReplyTo are without brackets; References is as it stands in the header.
	MessageID, InReplyTo, References string
	// Text and HTML are alternatives when both are set. Charset is that of both and of the header; UTF-8 when empty.
	Text, HTML, Charset string
	Attachments         []Attachment
	// Fields are further ones, each "Name: value".
	Fields []string
}

// Attachment is a file in a Letter.
type Attachment struct {
	Name string
	// Type is a media type; application/octet-stream when empty.
	Type    string
	Content []byte
	// ContentID makes it an image within the HTML.
	ContentID string
}

// Bytes writes the letter with CRLF. The same letter gives the same bytes. A text that the charset does not have, and a
// charset that nobody knows, are written in UTF-8 under the name given.
func (l Letter) Bytes() []byte {
	var out bytes.Buffer
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&out, "%s: %s\r\n", name, value)
		}
	}
	field("From", l.addresses(l.From))
	field("To", l.addresses(l.To))
	field("Cc", l.addresses(l.Cc))
	field("Bcc", l.addresses(l.Bcc))
	field("Reply-To", l.addresses(l.ReplyTo))
	field("Subject", l.word(l.Subject))
	if !l.Date.IsZero() {
		field("Date", l.Date.Format(dateFormat))
	}
	if l.MessageID != "" {
		field("Message-ID", "<"+l.MessageID+">")
	}
	if l.InReplyTo != "" {
		field("In-Reply-To", "<"+l.InReplyTo+">")
	}
	field("References", l.References)
	for _, f := range l.Fields {
		out.WriteString(f + "\r\n")
	}
	field("MIME-Version", "1.0")
	out.Write(l.body())
	return out.Bytes()
}

// body writes the tree: text, or alternatives, and around them the attachments.
func (l Letter) body() []byte {
	var bodies [][]byte
	if l.Text != "" || l.HTML == "" {
		bodies = append(bodies, l.leaf("text/plain", l.Text))
	}
	if l.HTML != "" {
		bodies = append(bodies, l.leaf("text/html", l.HTML))
	}
	inner := bodies[0]
	if len(bodies) > 1 {
		inner = multipart("alternative", bodies)
	}
	if len(l.Attachments) == 0 {
		return inner
	}
	all := [][]byte{inner}
	for _, a := range l.Attachments {
		all = append(all, a.part())
	}
	return multipart("mixed", all)
}

func (l Letter) charset() string {
	if l.Charset == "" {
		return "utf-8"
	}
	return l.Charset
}

// encode returns a text in the letter's charset.
func (l Letter) encode(text string) []byte {
	encoding, err := htmlindex.Get(strings.TrimSuffix(strings.ToLower(l.charset()), "-i"))
	if err != nil {
		return []byte(text)
	}
	raw, err := encoding.NewEncoder().Bytes([]byte(text))
	if err != nil {
		return []byte(text)
	}
	return raw
}

func (l Letter) leaf(kind, text string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "Content-Type: %s; charset=%s\r\nContent-Transfer-Encoding: base64\r\n\r\n", kind, l.charset())
	writeLines(&out, l.encode(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")))
	return out.Bytes()
}

// part writes an attachment; a name that is not ASCII is written as RFC 2231 has it.
func (a Attachment) part() []byte {
	kind, disposition := a.Type, "attachment"
	if kind == "" {
		kind = "application/octet-stream"
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "Content-Type: %s\r\n", kind)
	if a.ContentID != "" {
		disposition = "inline"
		fmt.Fprintf(&out, "Content-ID: <%s>\r\n", a.ContentID)
	}
	fmt.Fprintf(&out, "Content-Disposition: %s\r\n",
		mime.FormatMediaType(disposition, map[string]string{"filename": a.Name}))
	out.WriteString("Content-Transfer-Encoding: base64\r\n\r\n")
	writeLines(&out, a.Content)
	return out.Bytes()
}

// writeLines writes base64 in lines of 76.
func writeLines(out *bytes.Buffer, raw []byte) {
	const width = 76
	text := base64.StdEncoding.EncodeToString(raw)
	for text != "" {
		n := min(width, len(text))
		out.WriteString(text[:n] + "\r\n")
		text = text[n:]
	}
}

// multipart puts parts together; the boundary is made of what they hold.
func multipart(kind string, parts [][]byte) []byte {
	sum := sha256.Sum256(bytes.Join(parts, nil))
	boundary := "=_" + hex.EncodeToString(sum[:12])
	var out bytes.Buffer
	fmt.Fprintf(&out, "Content-Type: multipart/%s; boundary=\"%s\"\r\n\r\n", kind, boundary)
	for _, p := range parts {
		out.WriteString("--" + boundary + "\r\n")
		out.Write(p)
		out.WriteString("\r\n")
	}
	out.WriteString("--" + boundary + "--\r\n")
	return out.Bytes()
}

// word encodes what is not ASCII (RFC 2047), in pieces that each fit into a line.
func (l Letter) word(text string) string {
	const piece = 30 // bytes
	if isASCII(text) {
		return text
	}
	var words []string
	for text != "" {
		n := min(piece, len(text))
		for n < len(text) && text[n]&0xC0 == 0x80 { // not within a letter
			n++
		}
		words = append(words, "=?"+l.charset()+"?B?"+base64.StdEncoding.EncodeToString(l.encode(text[:n]))+"?=")
		text = text[n:]
	}
	return strings.Join(words, "\r\n ")
}

// addresses encodes the names of a list of addresses.
func (l Letter) addresses(list string) string {
	if isASCII(list) {
		return list
	}
	all := strings.Split(list, ",")
	for i, one := range all {
		name, address, found := strings.Cut(one, "<")
		if found {
			all[i] = l.word(strings.Trim(strings.TrimSpace(name), `"`)) + " <" + strings.TrimSpace(address)
		}
	}
	return strings.Join(all, ", ")
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] > 126 {
			return false
		}
	}
	return true
}
