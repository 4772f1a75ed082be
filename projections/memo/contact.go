package memo

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/projections/fold"
)

// contactPhones are the national digits of a contact's phone numbers, an extension behind an x: the metadata's, else
// those of the content.
func contactPhones(contact ContactFields, content string) []string {
	if given := fold.Text(fold.Head(contact.Phone, maxSearched)); given != "" {
		if found := phonesIn(given, true); len(found) > 0 {
			return found
		}
		// Whoever writes something there that has no shape of a number we know still means one.
		if strings.ContainsFunc(given, unicode.IsLetter) {
			return nil
		}
		digits := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, given)
		if national, ok := National(digits, strings.HasPrefix(given, "+")); ok {
			return []string{national}
		}
		return nil
	}
	return phonesIn(fold.Text(fold.Head(content, maxSearched)), false)
}

// phonesIn finds the phone numbers of a folded text, at most maxNamed. Where it is not certain that the text is about
// phones, digits without any grouping that could as well be an identity number count only behind a word that says so,
// and nothing counts behind a word that says it is something else.
func phonesIn(text string, certain bool) []string {
	var found []string
	label := ""
	for i := 0; i < len(text) && len(found) < maxNamed; {
		c := text[i]
		if !isDigit(c) && c != '+' && c != '(' {
			r, size := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsLetter(r) {
				i += size
				continue
			}
			from := i
			for i < len(text) && !strings.ContainsRune(" :,;=()+", rune(text[i])) {
				i++
			}
			label = text[from:i]
			if at := strings.IndexFunc(label, unicode.IsDigit); at > 0 && strings.HasSuffix(label[:at], "-") { // ל-050-9999999
				i, label = from+at, label[:at]
			}
			continue
		}
		number, end := phoneAt(text, i, certain, label)
		if number != "" && !slices.Contains(found, number) {
			found = append(found, number)
		}
		i = end
	}
	return found
}

// phoneAt reads the phone number that begins at i, with its extension; number is empty when there is none. The end is
// further on in any case.
func phoneAt(text string, i int, certain bool, label string) (number string, end int) {
	g := ReadGroups(text[i:])
	if len(g.List) == 0 {
		return "", i + 1
	}
	end = i + g.List[0].End
	if _, _, _, ok := g.Date(); ok {
		return "", i + g.List[2].End
	}
	count, digits := g.Phone()
	if count == 0 {
		return "", end
	}
	stop := i + g.List[count-1].End
	if goesOn(text[stop:]) {
		return "", end
	}
	national, ok := National(digits, g.Plus)
	if !ok {
		return "", end
	}
	bareRow := count == 1 && !g.Plus && len(digits) == 9 // as long as an Israeli identity number
	if !certain && (saysOther(label) || bareRow && !saysPhone(label)) {
		return "", stop
	}
	extension, stop := extensionAt(text, stop)
	return national + extension, stop
}

// goesOn reports whether what follows digits shows that they are part of a fraction, a time or a list of digits.
func goesOn(rest string) bool {
	return len(rest) > 1 && strings.IndexByte(",:.", rest[0]) >= 0 && isDigit(rest[1])
}

// extensionAt reads an extension behind a number: "ext. 12", "x12", "#12", "שלוחה 12".
func extensionAt(text string, i int) (extension string, end int) {
	rest := strings.TrimLeft(text[i:], " ,;")
	for _, word := range [...]string{"extension", "ext", "x", "#", "שלוחה"} {
		after, found := strings.CutPrefix(rest, word)
		if !found {
			continue
		}
		after = strings.TrimLeft(after, " .:")
		n := 0
		for n < len(after) && isDigit(after[n]) {
			n++
		}
		if n > 0 && n <= 6 {
			return "x" + after[:n], len(text) - len(after) + n
		}
	}
	return "", i
}

// saysPhone reports whether a folded word says that a phone number follows.
func saysPhone(word string) bool {
	for _, begin := range [...]string{"phone", "tel", "mobile", "cell", "call", "fax", "whatsapp", "sms", "טל", "נייד",
		"הנייד", "סלול", "פלאפונ", "פקס", "וואטסאפ", "ווטסאפ", "חייג", "להתקשר", "תתקשר"} {
		if strings.HasPrefix(word, begin) {
			return true
		}
	}
	return false
}

// saysOther reports whether a folded word says that another kind of number follows.
func saysOther(word string) bool {
	switch strings.Trim(word, `.'"-`) {
	case "id", "passport", "account", "acct", "card", "order", "invoice", "case", "ticket", "serial", "sku", "isbn",
		"iban", "vat", "policy", "license",
		"ת.ז", "תז", `ת"ז`, "דרכונ", "חשבונ", "כרטיס", "הזמנה", "חשבונית", "קבלה", "רישוי", "רישיונ", "פוליסה", "ח.פ", "חפ",
		`ח"פ`, "ע.מ":
		return true
	}
	return false
}

// contactEmails are a contact's e-mail addresses in lower case: the metadata's, else those of the content.
func contactEmails(contact ContactFields, content string) []string {
	source := contact.Email
	if fold.Text(source) == "" {
		source = content
	}
	text := strings.ToLower(fold.Head(source, maxSearched))
	var found []string
	for i := 0; i < len(text) && len(found) < maxNamed; {
		if end := EmailEnd(text[i:]); end > 0 {
			if address := text[i : i+end]; !slices.Contains(found, address) {
				found = append(found, address)
			}
			i += end
			continue
		}
		for i < len(text) && isLocal(text[i]) { // what follows the first character of a word begins no address of its own
			i++
		}
		for i < len(text) && !isLocal(text[i]) {
			i++
		}
	}
	return found
}

// EmailEnd returns the length of the e-mail address that a text in lower case begins with; 0 for none. It knows the
// addresses that people have: ASCII letters, digits and ._%+- before the sign, at most 64 (RFC 5321, 4.5.3.1), and
// behind it a name with a point, at most 255.
func EmailEnd(text string) int {
	local := 0
	for local < len(text) && local <= 64 && isLocal(text[local]) {
		local++
	}
	if local == 0 || local > 64 || local == len(text) || text[local] != '@' {
		return 0
	}
	end := local + 1
	for end < len(text) && end-local <= 256 && (isPlain(text[end]) || text[end] == '.' || text[end] == '-') {
		end++
	}
	end = len(strings.TrimRight(text[:end], ".-"))
	domain := text[local+1 : max(end, local+1)]
	if point := strings.LastIndexByte(domain, '.'); point < 1 || len(domain)-point < 3 || len(domain) > 255 ||
		strings.Contains(domain, "..") {
		return 0
	}
	return end
}

func isPlain(c byte) bool { return 'a' <= c && c <= 'z' || isDigit(c) }

func isLocal(c byte) bool { return isPlain(c) || strings.IndexByte("._%+-", c) >= 0 }
