package mail

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"almanac/graph/model"
)

// Message is what a message is made of. Everything in it is checked: nothing can begin a header of its own.
type Message struct {
	From        model.EmailAddress
	To, Cc, Bcc []model.EmailAddress
	Subject     string
	// Date is written with its offset.
	Date time.Time
	// MessageID, InReplyTo and References have their angle brackets.
	MessageID, InReplyTo string
	References           []string
	Text                 string
	// HTML is what mail programs show instead; empty for none. It is cleaned.
	HTML string
	// Boundary parts text and HTML: 1–70 letters, digits and hyphens.
	Boundary string
}

// Compose writes a message (RFC 5322, RFC 2045–2047) with CRLF: the same for the same Message, byte for byte. Lines
// have at most 76 characters but where one word is longer; a text is quoted-printable when most of it is ASCII, base64
// otherwise. BAD_USER_INPUT for what cannot stand in a header.
func Compose(m Message) ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	header := func(name, value string) {
		if value != "" {
			b.WriteString(folded(name + ": " + value))
		}
	}
	header("MIME-Version", "1.0")
	header("Date", m.Date.Format("Mon, 02 Jan 2006 15:04:05 -0700"))
	header("Message-ID", m.MessageID)
	header("From", addressList([]model.EmailAddress{m.From}))
	header("To", addressList(m.To))
	header("Cc", addressList(m.Cc))
	header("Bcc", addressList(m.Bcc))
	header("Subject", encodedWords(m.Subject, len("Subject: ")))
	header("In-Reply-To", m.InReplyTo)
	header("References", strings.Join(m.References, " "))
	html := CleanHTML(m.HTML)
	if html == "" {
		if err := m.part(&b, "text/plain", m.Text); err != nil {
			return nil, err
		}
		return b.Bytes(), nil
	}
	header("Content-Type", `multipart/alternative; boundary="`+m.Boundary+`"`)
	b.WriteString("\r\n")
	for _, one := range [...]struct{ kind, text string }{{"text/plain", m.Text}, {"text/html", html}} {
		b.WriteString("--" + m.Boundary + "\r\n")
		if err := m.part(&b, one.kind, one.text); err != nil {
			return nil, err
		}
	}
	b.WriteString("--" + m.Boundary + "--\r\n")
	return b.Bytes(), nil
}

// check refuses what could not be read as it is meant.
func (m Message) check() error {
	if strings.ContainsFunc(m.Subject, breaksLine) || !utf8.ValidString(m.Subject) {
		return model.BadInput("subject", "the subject must be one line without control characters")
	}
	for _, field := range [...]struct {
		name      string
		addresses []model.EmailAddress
	}{{"from", []model.EmailAddress{m.From}}, {"to", m.To}, {"cc", m.Cc}, {"bcc", m.Bcc}} {
		for _, address := range field.addresses {
			if !isAddress(address.Email) || !isASCII(address.Email) {
				return model.BadInput(field.name, "%q is not an e-mail address", model.Clip(address.Email))
			}
			if strings.ContainsFunc(address.Name, breaksLine) || !utf8.ValidString(address.Name) {
				return model.BadInput(field.name, "the name of %s must be one line without control characters",
					model.Clip(address.Email))
			}
		}
	}
	for _, id := range append([]string{m.MessageID, m.InReplyTo}, m.References...) {
		if id != "" && (len(id) < 3 || id[0] != '<' || id[len(id)-1] != '>' || !soundMessageID(id)) {
			return model.BadInput("", "%q is not a Message-ID", model.Clip(id))
		}
	}
	if m.HTML != "" && !isBoundary(m.Boundary) {
		return fmt.Errorf("compose a message: %q is no boundary", m.Boundary)
	}
	return nil
}

// breaksLine reports whether a character ends a line for some reader, or does not belong into one.
func breaksLine(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

func isBoundary(text string) bool {
	return text != "" && len(text) <= 70 && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
	})
}

// part writes a text part. Base64 holds no boundary, so it is taken for a text that does.
func (m Message) part(b *bytes.Buffer, kind, text string) error {
	text = strings.ToValidUTF8(strings.NewReplacer("\r\n", "\r\n", "\r", "\r\n", "\n", "\r\n", "\x00", "").Replace(text),
		"\ufffd")
	b.WriteString("Content-Type: " + kind + "; charset=UTF-8\r\nContent-Transfer-Encoding: ")
	if mostlyASCII(text) && (m.Boundary == "" || !strings.Contains(text, m.Boundary)) {
		b.WriteString("quoted-printable\r\n\r\n")
		w := quotedprintable.NewWriter(b)
		if _, err := w.Write([]byte(text)); err != nil {
			return fmt.Errorf("write quoted-printable: %w", err)
		}
		if err := w.Close(); err != nil {
			return fmt.Errorf("write quoted-printable: %w", err)
		}
		b.WriteString("\r\n")
		return nil
	}
	b.WriteString("base64\r\n\r\n")
	const line = 76
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	for len(encoded) > line {
		b.WriteString(encoded[:line] + "\r\n")
		encoded = encoded[line:]
	}
	b.WriteString(encoded + "\r\n")
	return nil
}

// mostlyASCII reports whether quoted-printable is about as short as base64.
func mostlyASCII(text string) bool {
	other := 0
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf || text[i] == '=' {
			other++
		}
	}
	return other*6 <= len(text)
}

// folded breaks a header's line at spaces, so that none is longer than 76 characters where that can be (RFC 5322,
// 2.2.3). A line is never folded right behind its name.
func folded(line string) string {
	const most = 76
	var b strings.Builder
	first := strings.IndexByte(line, ':') + 2
	for len(line) > most {
		at := strings.LastIndexByte(line[:most+1], ' ')
		if at < first {
			next := strings.IndexByte(line[min(first, len(line)):], ' ')
			if next < 0 {
				break
			}
			at = first + next
		}
		b.WriteString(line[:at] + "\r\n")
		line, first = line[at:], 1
	}
	return b.String() + line + "\r\n"
}

// encodedWords writes a text as encoded words where it is not plain, split between characters (RFC 2047, 2 and 5), with
// used characters before it on its line. Plain text with what folding would lose or a reader would decode is written so
// too.
func encodedWords(text string, used int) string {
	const longest = 60 // of a word without a space, beyond which it is split
	if isASCII(text) && !strings.Contains(text, "=?") && strings.Join(strings.Fields(text), " ") == text &&
		longestWord(text) <= longest {
		return text
	}
	const prefix, suffix, most = "=?utf-8?B?", "?=", 76
	var b strings.Builder
	for text != "" {
		room := (most - used - len(prefix) - len(suffix)) / 4 * 3
		end := 0
		for end < len(text) {
			_, size := utf8.DecodeRuneInString(text[end:])
			if end+size > room && end > 0 {
				break
			}
			end += size
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(prefix + base64.StdEncoding.EncodeToString([]byte(text[:end])) + suffix)
		text, used = text[end:], 1
	}
	return b.String()
}

func longestWord(text string) (longest int) {
	for word := range strings.FieldsSeq(text) {
		longest = max(longest, len(word))
	}
	return longest
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

func addressList(addresses []model.EmailAddress) string {
	texts := make([]string, len(addresses))
	for i, a := range addresses {
		texts[i] = "<" + a.Email + ">"
		switch words := encodedWords(a.Name, len("From: ")); {
		case a.Name == "":
			texts[i] = a.Email
		case words != a.Name:
			texts[i] = words + " " + texts[i]
		default:
			texts[i] = (&netmail.Address{Name: a.Name, Address: a.Email}).String()
		}
	}
	return strings.Join(texts, ", ")
}

// Quote returns a text as it stands below an answer.
func Quote(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		mark := "> "
		if strings.HasPrefix(line, ">") {
			mark = ">"
		}
		lines[i] = strings.TrimRight(mark+line, " ")
	}
	return strings.Join(lines, "\n")
}
