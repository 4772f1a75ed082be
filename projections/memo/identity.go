package memo

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/fold"
)

const (
	// maxNamed is how many numbers and addresses of a kind name one memory.
	maxNamed = 8
	// maxNameWords and maxSubjectWords are how many words of a content are taken for a name or a subject.
	maxNameWords    = 4
	maxSubjectWords = 8
	// maxSearched is how many characters of a content are searched for what names it.
	maxSearched = 2_000
)

// Identity are the entries that name what a memory is about, sorted, each once: of a contact its name, its phone
// numbers and e-mail addresses, of a key-value its subject, each in one form for all ways to write it; a note has none.
// They are among what words.Entries indexes.
//
// A known field of the metadata says it; what the metadata does not say is read from the content, where it is plain:
// "Jones - Phone: 050-9999999" names Jones and a number, "The gate code is 4821" the subject gate code. A number in a
// content counts as a phone number when it is written as one, not as a date, a price or an id.
func Identity(m model.Memory) []string {
	var all []string
	add := func(kind, what string) {
		if what != "" {
			all = append(all, bounded(kind+":"+what))
		}
	}
	switch m.Type {
	case model.MemoryContact:
		contact, _ := Contact(m.Metadata)
		add("name", contactName(contact, m.Content))
		for _, number := range contactPhones(contact, m.Content) {
			add("phone", number)
		}
		for _, address := range contactEmails(contact, m.Content) {
			add("email", address)
		}
	case model.MemoryKV:
		add("subject", strings.Join(subjectWords(Subject(m)), " "))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Subject is what a key-value is of, as it was written: its metadata's subject, or what stands before the value in a
// content such as "gate code: 4821" or "מספר הדירה הוא 7"; empty when there is none.
func Subject(m model.Memory) string {
	kv, _ := KeyValue(m.Metadata)
	if len(subjectWords(kv.Subject)) > 0 {
		return kv.Subject
	}
	content := fold.Head(m.Content, maxSearched)
	first := len(content)
	for _, between := range [...]string{":", "=", "\n", " - ", " – ", " — ", " is ", " are ", " was ", " הוא ", " היא ",
		" הם ", " הן ", " זה "} {
		if at := indexFold(content[:first], between); at > 0 && !isInner(content, at) {
			first = at
		}
	}
	if first == len(content) {
		return ""
	}
	subject := strings.TrimSpace(content[:first])
	if words := subjectWords(subject); len(words) == 0 || len(words) > maxSubjectWords {
		return ""
	}
	return subject
}

// isInner reports whether a colon stands in a URL or a time of day.
func isInner(content string, at int) bool {
	rest := content[at+1:]
	return content[at] == ':' &&
		(strings.HasPrefix(rest, "//") || isDigit(content[at-1]) && rest != "" && isDigit(rest[0]))
}

// indexFold is strings.Index without regard to ASCII case.
func indexFold(s, lower string) int {
	for at := 0; at+len(lower) <= len(s); at++ {
		if strings.EqualFold(s[at:at+len(lower)], lower) {
			return at
		}
	}
	return -1
}

// SameSubject reports whether two subjects are the same, or one contains the other: "wifi password" and "the WiFi
// password at home", "קוד השער" and "קוד לשער". Whole words are compared, folded, without regard to a one-letter Hebrew
// prefix; the words of the shorter must stand in the longer as they stand in it. An empty subject is like no other.
func SameSubject(a, b string) bool {
	short, long := subjectWords(a), subjectWords(b)
	if len(short) > len(long) {
		short, long = long, short
	}
	if len(short) == 0 {
		return false
	}
	for at := 0; at+len(short) <= len(long); at++ {
		if slices.EqualFunc(short, long[at:at+len(short)], sameWord) {
			return true
		}
	}
	return false
}

// sameWord compares words without a prefix of one Hebrew letter, when enough is left to be sure that it is one.
func sameWord(a, b string) bool { return a == b || bare(a) == bare(b) }

func bare(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	if rest := word[size:]; strings.ContainsRune("הבלומכש", first) && utf8.RuneCountInString(rest) >= 3 {
		return rest
	}
	return word
}

// subjectWords are the words of a subject without the article it begins with.
func subjectWords(subject string) []string {
	words := plainWords(fold.Head(subject, maxSearched))
	for len(words) > 1 && (words[0] == "the" || words[0] == "my" || words[0] == "our" || words[0] == "a" ||
		words[0] == "an") {
		words = words[1:]
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "של" && len(words) > 1 })
}

// plainWords are the folded words of a text, without any punctuation; an apostrophe or gershayim within a word go.
func plainWords(s string) []string {
	key := strings.NewReplacer("'s ", " ", "'", "", `"`, "").Replace(fold.Text(s) + " ")
	return strings.FieldsFunc(key,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
}

// contactName is the folded name of a contact: the metadata's, with "Levi, Dana" as dana levi; else what a content
// begins with, without the words for phones and addresses.
func contactName(contact ContactFields, content string) string {
	if last, first, found := strings.Cut(contact.Name, ","); found && !strings.Contains(first, ",") {
		if words := append(plainWords(first), plainWords(last)...); len(words) > 0 {
			return strings.Join(words, " ")
		}
	}
	if words := plainWords(contact.Name); len(words) > 0 {
		return strings.Join(words, " ")
	}
	begin := strings.TrimSpace(fold.Head(content, maxSearched))
	if end := strings.IndexFunc(begin, func(r rune) bool {
		return unicode.IsDigit(r) ||
			strings.ContainsRune(":;,(|=\n+@<", r)
	}); end >= 0 {
		if begin[end] == '@' {
			begin = begin[:strings.LastIndexAny(begin[:end], " \n\t")+1] // the word is an address
		} else {
			begin = begin[:end]
		}
	}
	for _, dash := range [...]string{" - ", " – ", " — "} {
		begin, _, _ = strings.Cut(begin, dash)
	}
	words := slices.DeleteFunc(plainWords(begin), isLabel)
	if len(words) > maxNameWords {
		return ""
	}
	return strings.Join(words, " ")
}

// isLabel names the folded words with which people lead over to a number or an address.
func isLabel(word string) bool {
	switch word {
	case "phone", "telephone", "tel", "mobile", "cell", "fax", "email", "mail", "e", "number", "no", "contact", "address",
		"is", "of", "the", "my", "for", "call", "home", "work", "office",
		"טלפונ", "הטלפונ", "טל", "נייד", "הנייד", "סלולרי", "פלאפונ", "פקס", "מייל", "המייל", "אימייל", "דואל", "מספר",
		"המספר", "כתובת", "של", "הוא", "היא", "איש", "אשת", "קשר", "בבית", "בעבודה":
		return true
	}
	return false
}
