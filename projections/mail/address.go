package mail

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/graph/model"
)

// Bounds of a list of addresses; what is beyond them is left out.
const (
	maxAddressList = 256 << 10
	maxAddresses   = 2_000
	maxAddress     = 320
	maxName        = 200
)

// Addresses reads an address list (RFC 5322, 3.4), leniently, since it is somebody else's: groups are dissolved,
// comments become names where there is no other, semicolons separate too, and what holds no address is left out. A name
// stays what it is, also where it looks like another address; only line breaks, control characters and directional
// overrides are taken out of it. Gmail decodes encoded words before anybody parses, so a comma may stand in a name
// without quotes: "Cohen, Dana <dana@example.com>" is one address. At most 2,000 addresses are read.
func Addresses(list string) []model.EmailAddress {
	if len(list) > maxAddressList {
		list = list[:maxAddressList]
	}
	list = strings.ToValidUTF8(list, "\ufffd")
	p := addressReader{}
	for list != "" && len(p.found) < maxAddresses {
		list = p.next(list)
	}
	p.flush(',')
	return p.found
}

// addressReader reads one address after the other.
type addressReader struct {
	found []model.EmailAddress
	// raw is what stands outside of angle brackets and comments as it was written, name the same without quotes.
	raw, name        strings.Builder
	angle, comment   string
	bracketed, mixed bool
	// waiting is what stood before a comma without an address.
	waiting string
}

// next reads one mark or run of text and returns the rest.
func (p *addressReader) next(list string) (rest string) {
	switch c := list[0]; c {
	case ',', ';':
		p.flush(c)
	case '"':
		if p.withinWord(list[1:]) || strings.IndexByte(list[1:], '"') < 0 {
			p.write(list[:1])
			break
		}
		text, after := quotedText(list[1:])
		p.raw.WriteString(list[:len(list)-len(after)])
		p.name.WriteString(text)
		p.mixed = true
		return after
	case '(':
		text, after := commentText(list)
		if p.comment == "" {
			p.comment = text
		}
		return after
	case '<':
		inside, after, closed := strings.Cut(list[1:], ">")
		if !closed { // it ends where the next address may begin
			inside, after = list[1:], ""
			if end := strings.IndexAny(inside, ",;"); end >= 0 {
				inside, after = inside[:end], inside[end:]
			}
		}
		if !p.bracketed || !strings.Contains(p.angle, "@") {
			p.angle, p.bracketed = inside, true
		}
		return after
	case ':':
		if !p.bracketed && !strings.Contains(p.raw.String(), "@") && !p.mixed ||
			!p.bracketed && p.mixed && !strings.Contains(p.name.String(), "@") {
			p.reset() // the name of a group
			p.waiting = ""
			break
		}
		p.write(list[:1])
	default:
		end := strings.IndexAny(list, `,;"(<:`)
		if end < 0 {
			end = len(list)
		}
		p.write(list[:end])
		return list[end:]
	}
	return list[1:]
}

// withinWord reports whether a quotation mark stands between two letters, as gershayim are typed (מס"ד): nothing is
// quoted by it.
func (p *addressReader) withinWord(after string) bool {
	before, _ := utf8.DecodeLastRuneInString(p.raw.String())
	next, _ := utf8.DecodeRuneInString(after)
	return unicode.IsLetter(before) && unicode.IsLetter(next)
}

func (p *addressReader) write(text string) {
	p.raw.WriteString(text)
	p.name.WriteString(text)
}

func (p *addressReader) reset() {
	p.raw.Reset()
	p.name.Reset()
	p.angle, p.comment, p.bracketed, p.mixed = "", "", false, false
}

// flush ends an address at a separator.
func (p *addressReader) flush(separator byte) {
	name := p.name.String()
	var address string
	if p.bracketed {
		address = p.angle
		// a route (RFC 5322, 4.4)
		if i := strings.LastIndexByte(address, ':'); i >= 0 && strings.HasPrefix(strings.TrimSpace(address), "@") {
			address = address[i+1:]
		}
	} else {
		address, name = bare(strings.TrimSpace(p.raw.String()), name)
	}
	name = plainName(Plain(name))
	if name == "" {
		name = plainName(Plain(p.comment))
	}
	address = strings.TrimSpace(address)
	switch {
	case isAddress(address):
		if p.waiting != "" && p.bracketed && name != "" {
			name = plainName(p.waiting + ", " + name)
		}
		p.waiting = ""
		p.found = append(p.found, model.EmailAddress{Name: name, Email: address})
	case separator == ',' && !p.bracketed && p.waiting == "" && name != "":
		p.waiting = name
	case separator != ',' || p.bracketed:
		p.waiting = ""
	}
	p.reset()
}

// bare finds the address in a text without angle brackets; what stands beside it is the name.
func bare(raw, cooked string) (address, name string) {
	if strings.HasPrefix(raw, `"`) && strings.Contains(raw, `"@`) { // a quoted local part
		return raw, ""
	}
	if !strings.ContainsFunc(raw, unicode.IsSpace) {
		return raw, cookedUnless(raw, cooked)
	}
	words := strings.Fields(cooked)
	for i, word := range words {
		if isAddress(word) {
			return word, strings.Join(append(append([]string{}, words[:i]...), words[i+1:]...), " ")
		}
	}
	return "", cooked
}

func cookedUnless(raw, cooked string) string {
	if isAddress(raw) {
		return ""
	}
	return cooked
}

// quotedText reads a quoted string behind its first quote; one that is not closed ends with the list.
func quotedText(list string) (text, rest string) {
	var b strings.Builder
	for i := 0; i < len(list); i++ {
		switch c := list[i]; {
		case c == '"':
			return b.String(), list[i+1:]
		case c == '\\' && i+1 < len(list):
			i++
			b.WriteByte(list[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}

// commentText reads a comment, which may hold others.
func commentText(list string) (text, rest string) {
	depth := 0
	for i := 0; i < len(list); i++ {
		switch list[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return list[1:i], list[i+1:]
			}
		}
	}
	return list[1:], ""
}

// isAddress reports whether a text has a local part and a domain and nothing that no address has.
func isAddress(text string) bool {
	at := strings.LastIndexByte(text, '@')
	if at <= 0 || at == len(text)-1 || len(text) > maxAddress {
		return false
	}
	quoted := text[0] == '"' && text[at-1] == '"'
	for i, r := range text {
		if unicode.IsControl(r) || isOverride(r) || r == utf8.RuneError || r == '<' || r == '>' ||
			unicode.IsSpace(r) && (!quoted || i > at) {
			return false
		}
	}
	return quoted || !strings.ContainsAny(text, `",;()`)
}

// plainName returns a display name on one line, without what reorders its surroundings.
func plainName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029':
			return ' '
		case unicode.IsControl(r), isOverride(r):
			return -1
		}
		return r
	}, name)
	name, _ = Cut(strings.Join(strings.Fields(name), " "), maxName)
	return strings.TrimSpace(name)
}

// isOverride reports whether r is a character that turns the direction of what follows, beyond the end of their own
// text (UAX #9, 2). Marks of direction (LRM, RLM) do not.
func isOverride(r rune) bool { return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 }

// SameAddress reports whether two addresses are the same mailbox: without regard to case, as every provider has it.
// What stands behind a plus and dots count: they are not the same for all.
func SameAddress(a, b string) bool {
	return addressKey(a) == addressKey(b)
}

func addressKey(address string) string { return strings.ToLower(strings.TrimSpace(address)) }

// Distinct returns the addresses in order of appearance, each once, compared as SameAddress does; the first name that
// an address has is kept.
func Distinct(addresses []model.EmailAddress) []model.EmailAddress {
	var out []model.EmailAddress
	at := make(map[string]int, len(addresses))
	for _, address := range addresses {
		key := addressKey(address.Email)
		i, known := at[key]
		switch {
		case !known:
			at[key] = len(out)
			out = append(out, address)
		case out[i].Name == "":
			out[i].Name = address.Name
		}
	}
	return out
}
