package gmail

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
)

// isEncoded reports whether a transfer encoding hides the bytes (RFC 2045, 6).
func isEncoded(encoding string) bool { return encoding == "base64" || encoding == "quoted-printable" }

// content is a part's body without its transfer encoding. What is broken in it is passed over.
func (n *part) content() []byte {
	switch n.encoding {
	case "base64":
		return fromBase64(n.body)
	case "quoted-printable":
		return fromQuotedPrintable(n.body)
	}
	return n.body
}

// fromBase64 reads either alphabet, passes over everything else, and does not ask for padding.
func fromBase64(body []byte) []byte {
	clean := make([]byte, 0, len(body))
	for _, c := range body {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '+', c == '/':
			clean = append(clean, c)
		case c == '-':
			clean = append(clean, '+')
		case c == '_':
			clean = append(clean, '/')
		case c == '=':
			clean = clean[:len(clean)-len(clean)%4+wholeTail(len(clean)%4)]
			for len(clean)%4 != 0 { // what follows padding begins anew
				clean = append(clean, '=')
			}
		}
	}
	return decodeQuads(clean)
}

// wholeTail is how many of the last characters say something: one alone says nothing.
func wholeTail(n int) int {
	if n == 1 {
		return 0
	}
	return n
}

// decodeQuads decodes groups of four, each of which may be padded.
func decodeQuads(clean []byte) []byte {
	out := make([]byte, 0, len(clean)/4*3+3)
	for len(clean) > 0 {
		end := len(clean)
		if i := bytes.IndexByte(clean, '='); i >= 0 {
			end = min(len(clean), i-i%4+4)
		}
		group := bytes.TrimRight(clean[:end], "=")
		group = group[:len(group)-len(group)%4+wholeTail(len(group)%4)]
		var err error
		if out, err = base64.RawStdEncoding.AppendDecode(out, group); err != nil {
			return out
		}
		clean = clean[end:]
	}
	return out
}

// fromQuotedPrintable leaves what is no escape as it stands (RFC 2045, 6.7).
func fromQuotedPrintable(body []byte) []byte {
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); i++ {
		if body[i] != '=' {
			out = append(out, body[i])
			continue
		}
		if i+2 < len(body) {
			if high, low := unhex(body[i+1]), unhex(body[i+2]); high >= 0 && low >= 0 {
				out = append(out, byte(high<<4|low))
				i += 2
				continue
			}
		}
		end := i + 1
		for end < len(body) && (body[end] == ' ' || body[end] == '\t' || body[end] == '\r') {
			end++
		}
		switch {
		case end >= len(body):
			return out
		case body[end] == '\n': // a soft line end
			i = end
		default:
			out = append(out, '=')
		}
	}
	return out
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// toUTF8 reads text of a charset. Unknown ones, and texts that are not what they say, are read as UTF-8 when they are
// that and as windows-1252 otherwise.
func toUTF8(raw []byte, charset string) string {
	name := strings.ToLower(strings.Trim(strings.TrimSpace(charset), `"'`))
	switch name {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
	case "iso-8859-8-i", "iso-8859-8-e": // the order of the letters is meant, not the letters (RFC 1556)
		name = "iso-8859-8"
		fallthrough
	default:
		encoding, err := htmlindex.Get(name)
		if err != nil {
			encoding, err = ianaindex.MIME.Encoding(name)
		}
		if err == nil && encoding != nil {
			if text, err := encoding.NewDecoder().Bytes(raw); err == nil {
				return strings.ToValidUTF8(string(text), "\uFFFD")
			}
		}
	}
	if utf8.Valid(raw) {
		return string(raw)
	}
	if name == "utf-8" || name == "utf8" {
		return strings.ToValidUTF8(string(raw), "\uFFFD")
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(raw)
	if err != nil {
		return strings.ToValidUTF8(string(raw), "\uFFFD")
	}
	return string(text)
}

// unfold joins the lines of a field by one space each (RFC 5322, 2.2.3).
func unfold(value []byte) string {
	if bytes.IndexByte(value, '\n') < 0 {
		return string(bytes.TrimSpace(value))
	}
	var out strings.Builder
	out.Grow(len(value))
	for line := range bytes.SplitSeq(value, []byte("\n")) {
		line = bytes.Trim(line, " \t\r")
		if len(line) == 0 {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.Write(line)
	}
	return out.String()
}

// decoded is a field's text: unfolded, with encoded words read (RFC 2047).
func decoded(value string) string {
	if !utf8.ValidString(value) {
		value = toUTF8([]byte(value), "")
	}
	if !strings.Contains(value, "=?") {
		return clean(value)
	}
	var out strings.Builder
	for value != "" {
		start := strings.Index(value, "=?")
		if start < 0 {
			break
		}
		charset, raw, rest, ok := encodedWord(value[start:])
		if !ok {
			out.WriteString(value[:start+2])
			value = value[start+2:]
			continue
		}
		out.WriteString(value[:start])
		for { // words side by side are one text: the space between is none of it, and a letter may be cut in two
			after := strings.TrimLeft(rest, " \t")
			next, more, further, ok := encodedWord(after)
			if !ok {
				break
			}
			if !strings.EqualFold(next, charset) {
				out.WriteString(toUTF8(raw, charset))
				charset, raw = next, nil
			}
			raw, rest = append(raw, more...), further
		}
		out.WriteString(toUTF8(raw, charset))
		value = rest
	}
	out.WriteString(value)
	return clean(out.String())
}

// encodedWord reads a word at the beginning of a text.
func encodedWord(text string) (charset string, raw []byte, rest string, ok bool) {
	const most = 8 << 10 // RFC 2047 has 75; some write whole subjects as one word
	inner, found := strings.CutPrefix(text, "=?")
	if !found {
		return "", nil, "", false
	}
	inner = inner[:min(len(inner), most)]
	charset, inner, found = strings.Cut(inner, "?")
	if !found || charset == "" || strings.ContainsAny(charset, " \t") || len(inner) < 2 || inner[1] != '?' {
		return "", nil, "", false
	}
	kind := inner[0]
	word, _, found := strings.Cut(inner[2:], "?=")
	if !found {
		return "", nil, "", false
	}
	switch kind {
	case 'b', 'B':
		raw = fromBase64([]byte(word))
	case 'q', 'Q':
		raw = fromQuotedPrintable([]byte(strings.ReplaceAll(word, "_", " ")))
	default:
		return "", nil, "", false
	}
	length := len("=?") + len(charset) + len("?B?") + len(word) + len("?=")
	charset, _, _ = strings.Cut(charset, "*") // a language may follow (RFC 2231, 5)
	return charset, raw, text[length:], true
}

// clean takes out what no header has: line ends and NUL, which encoded words may hide.
func clean(text string) string {
	if !strings.ContainsAny(text, "\r\n\x00") {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case '\r', '\x00':
			return -1
		case '\n':
			return ' '
		}
		return r
	}, text)
}
