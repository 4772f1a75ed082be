package gmail

import (
	"bytes"
	"net/mail"
	"slices"
	"strings"
	"time"
)

// outgoing is a message as its sender keeps it, and who gets it.
type outgoing struct {
	raw []byte
	// to are the addresses of To, Cc and Bcc, in lower case, each once.
	to []string
}

// dateFormat is that of the header field (RFC 5322, 3.3).
const dateFormat = "Mon, 2 Jan 2006 15:04:05 -0700"

// compose makes a message of what a client sends: with another Message-ID, with a From that is the account's, and with
// what may not be missing. Lines end in CRLF.
func (s *Service) compose(box *account, raw []byte, now time.Time) []byte {
	raw = withCRLF(raw)
	root := &parser{raw: raw, levels: map[string][]int{}}
	fields := root.header()
	body := raw[root.at:]
	var head bytes.Buffer
	id := "Message-ID: <" + s.state.newMessageID() + ">\r\n"
	seen := map[string]bool{}
	for _, f := range fields {
		name := strings.ToLower(string(f.name))
		switch {
		case name == "message-id":
			if !seen[name] {
				head.WriteString(id)
			}
		case name == "from":
			if !seen[name] {
				head.Write(box.from(f))
			}
		default:
			head.Write(f.line)
			if !bytes.HasSuffix(f.line, []byte("\n")) {
				head.WriteString("\r\n")
			}
		}
		seen[name] = true
	}
	for _, missing := range []struct{ name, line string }{
		{"mime-version", "MIME-Version: 1.0\r\n"},
		{"date", "Date: " + now.UTC().Format(dateFormat) + "\r\n"},
		{"message-id", id},
		{"from", "From: " + box.address() + "\r\n"},
	} {
		if !seen[missing.name] {
			head.WriteString(missing.line)
		}
	}
	head.WriteString("\r\n")
	return append(head.Bytes(), body...)
}

// withCRLF ends every line in CRLF.
func withCRLF(raw []byte) []byte {
	bare := 0
	for i, c := range raw {
		if c == '\n' && (i == 0 || raw[i-1] != '\r') {
			bare++
		}
	}
	if bare == 0 {
		return raw
	}
	out := make([]byte, 0, len(raw)+bare)
	for i, c := range raw {
		if c == '\n' && (i == 0 || raw[i-1] != '\r') {
			out = append(out, '\r')
		}
		out = append(out, c)
	}
	return out
}

// address is the account's own, with its name.
func (a *account) address() string {
	if a.Name == "" {
		return a.Email
	}
	return (&mail.Address{Name: a.Name, Address: a.Email}).String()
}

// from keeps a field that names the account or one of its aliases, and puts the account in the place of any other.
func (a *account) from(f field) []byte {
	given, err := mail.ParseAddressList(unfold(f.value))
	if err == nil && len(given) == 1 {
		email := canonical(given[0].Address)
		if email == a.Email || slices.ContainsFunc(a.Aliases, func(alias Alias) bool { return alias.Email == email }) {
			return f.line
		}
	}
	return []byte("From: " + a.address() + "\r\n")
}

// recipients reads To, Cc and Bcc; the error is Gmail's for the first field that cannot be read.
func recipients(root *part) ([]string, error) {
	const most = 500
	var all []string
	for _, name := range []string{"To", "Cc", "Bcc"} {
		for _, value := range root.all(name) {
			if strings.TrimSpace(value) == "" {
				continue
			}
			parsed, err := mail.ParseAddressList(value)
			if err != nil {
				return nil, invalid("Invalid " + name + " header")
			}
			for _, address := range parsed {
				email := canonical(address.Address)
				if !isAddress(email) {
					return nil, invalid("Invalid " + name + " header")
				}
				if !slices.Contains(all, email) {
					all = append(all, email)
				}
			}
			if len(all) > most {
				return nil, invalid("Too many recipients")
			}
		}
	}
	if len(all) == 0 {
		return nil, invalid("Recipient address required")
	}
	return all, nil
}

// isAddress wants a domain with a dot, as mail goes to no other.
func isAddress(email string) bool {
	local, domain, found := strings.Cut(email, "@")
	return found && local != "" && strings.Contains(strings.Trim(domain, "."), ".") &&
		!strings.ContainsAny(email, " \t\r\n<>")
}

// checkHeader wants lines of a header to be no longer than RFC 5322, 2.1.1 allows, and no more of them than are read.
func checkHeader(raw []byte) error {
	const most = 998
	lines := 0
	for line := range bytes.SplitSeq(raw, []byte("\n")) {
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			return nil
		}
		if len(line) > most {
			return invalid("Header line is too long")
		}
		if lines++; lines > maxFields {
			return invalid("The header is too long")
		}
	}
	return nil
}

// delivered is the copy of somebody who gets a message: without Bcc, and with what servers put before it on its way.
func delivered(raw []byte, from, to string, now time.Time) []byte {
	p := &parser{raw: raw, levels: map[string][]int{}}
	fields := p.header()
	var out bytes.Buffer
	out.Grow(len(raw) + 300)
	out.WriteString("Delivered-To: " + to + "\r\nReturn-Path: <" + from + ">\r\n")
	out.WriteString("Received: from mail.gmail.com by mx.google.com with ESMTPS for <" + to + ">;\r\n        " +
		now.UTC().Format(dateFormat) + "\r\n")
	for _, f := range fields {
		if !strings.EqualFold(string(f.name), "Bcc") {
			out.Write(f.line)
		}
	}
	out.WriteString("\r\n")
	out.Write(raw[p.at:])
	return out.Bytes()
}

// headerDate is the time of the Date field; zero when there is none that can be read.
func headerDate(root *part) time.Time {
	at, err := mail.ParseDate(root.get("Date"))
	if err != nil || at.Year() < 1970 || at.Year() > 9999 {
		return time.Time{}
	}
	return at
}
