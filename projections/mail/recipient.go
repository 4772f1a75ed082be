package mail

import (
	netmail "net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"almanac/graph/model"
)

// Recipient reads an address to send to: one in a text, with or without a display name. It is strict where Addresses is
// lenient: BAD_USER_INPUT for anything that is not one address, for line breaks, control characters and whatever turns
// the direction of writing, and beyond the lengths of RFC 5321 (4.5.3.1). Marks of direction that copying leaves around
// an address fall away. The part before the @ is plain ASCII: others (SMTPUTF8, RFC 6531) are refused, since most
// servers on the way refuse them. A domain in another script is given as it goes over the wire (xn--…), so that letters
// that look alike can be told apart.
func Recipient(text string) (model.EmailAddress, error) {
	bad := func() (model.EmailAddress, error) {
		return model.EmailAddress{}, model.BadInput("",
			"%q is not an e-mail address such as a@example.com or Dana <dana@example.com>", model.Clip(text))
	}
	const most = 998 // a line of a header
	if len(text) > most || !utf8.ValidString(text) {
		return bad()
	}
	plain := strings.Map(func(r rune) rune {
		if r == '\u200e' || r == '\u200f' || r == '\u061c' {
			return -1
		}
		return r
	}, text)
	if strings.ContainsFunc(plain,
		func(r rune) bool { return breaksLine(r) || unicode.Is(unicode.Cf, r) && r != joiner }) {
		return bad()
	}
	plain = strings.TrimSpace(plain)
	// no group; and who writes to us writes names, not their encodings
	if strings.Contains(plain, "=?") || strings.HasSuffix(plain, ";") {
		return bad()
	}
	parsed, err := netmail.ParseAddress(plain)
	if err != nil {
		return bad()
	}
	at := strings.LastIndexByte(parsed.Address, '@')
	local, domain := parsed.Address[:at], parsed.Address[at+1:]
	if !isLocalPart(local) {
		return bad()
	}
	domain, ok := domainName(domain)
	if !ok || len(local)+1+len(domain) > 254 {
		return bad()
	}
	name := strings.Join(strings.Fields(parsed.Name), " ")
	if utf8.RuneCountInString(name) > maxName {
		return model.EmailAddress{}, model.BadInput("", "the name of %s has more than %d characters",
			model.Clip(local+"@"+domain), maxName)
	}
	return model.EmailAddress{Name: name, Email: local + "@" + domain}, nil
}

// isLocalPart reports whether text is a dot-atom of at most 64 characters (RFC 5322, 3.2.3).
func isLocalPart(local string) bool {
	const most = 64
	return local != "" && len(local) <= most && isASCII(local) && !strings.ContainsAny(local, ` "(),:;<>@[\]`) &&
		local[0] != '.' && local[len(local)-1] != '.' && !strings.Contains(local, "..")
}

// domainName returns a domain in ASCII, in the case it was written in if it was ASCII; ok is false for what is no name
// of two parts at least.
func domainName(domain string) (ascii string, ok bool) {
	if ascii = domain; !isASCII(domain) {
		var err error
		if ascii, err = idna.Lookup.ToASCII(domain); err != nil {
			return "", false
		}
	}
	if len(ascii) > 253 || !strings.Contains(ascii, ".") {
		return "", false
	}
	digits := false
	for label := range strings.SplitSeq(ascii, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return "", false
		}
		digits = true
		for i := range len(label) {
			c := label[i]
			if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' {
				return "", false
			}
			digits = digits && '0' <= c && c <= '9'
		}
	}
	return ascii, !digits // no top domain is a number; that would be an address of a machine
}
