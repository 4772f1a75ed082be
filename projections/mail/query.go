package mail

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"almanac/graph/model"
)

// Filter is what is looked for in a mailbox. All parts must hold; the zero value of a part asks nothing.
type Filter struct {
	// From, To, Subject and Text are data: words, all of which must be there.
	From, To, Subject, Text string
	// After is inclusive, Before exclusive; to the second.
	After, Before         time.Time
	Unread, HasAttachment *bool
	// Raw is in Gmail's own language. It narrows the rest.
	Raw string
	// WithoutSpamTrash keeps spam and trash out also where Raw asks for them (in:anywhere, in:trash), which Gmail would
	// take for more than its caller does.
	WithoutSpamTrash bool
}

// Bounds of a query.
const (
	maxQueryText  = 500
	maxQueryWords = 50
	maxBrackets   = 20
)

// Query returns the filter in Gmail's query language (https://support.google.com/mail/answer/7190). Each word of data
// stands in quotes of its own, in which nothing is an operator; quotes, backslashes and invisible characters part words
// or fall away, and what parts a Hebrew abbreviation (צה"ל) becomes the mark that it stands for. BAD_USER_INPUT, with
// the name of the part as path, for what is too long, for data without a word in it, and for a Raw whose quotes or
// brackets do not match: it could get out of its own.
func Query(filter Filter) (string, error) {
	var parts []string
	for _, part := range []struct{ name, operator, text string }{
		{"from", "from:", filter.From}, {"to", "", filter.To}, {"subject", "subject:", filter.Subject},
		{"text", "", filter.Text},
	} {
		if part.text == "" {
			continue
		}
		words, err := quotedWords(part.name, part.text)
		if err != nil {
			return "", err
		}
		for _, word := range words {
			if part.name == "to" {
				parts = append(parts, "{to:"+word+" cc:"+word+" bcc:"+word+"}")
				continue
			}
			parts = append(parts, part.operator+word)
		}
	}
	parts = append(parts, period(filter.After, filter.Before)...)
	parts = append(parts, flag(filter.Unread, "is:unread")...)
	parts = append(parts, flag(filter.HasAttachment, "has:attachment")...)
	if strings.TrimSpace(filter.Raw) != "" {
		raw, err := narrowing(filter.Raw)
		if err != nil {
			return "", err
		}
		parts = append(parts, "("+raw+")")
		if filter.WithoutSpamTrash {
			parts = append(parts, "-in:spam", "-in:trash")
		}
	}
	return strings.Join(parts, " "), nil
}

// Gmail takes numbers of at least five digits for seconds, since fewer are a year, and of at most eleven.
const (
	firstSecond = 86_400
	lastSecond  = 99_999_999_999
)

// period returns the bounds in time. Gmail looks at whole seconds, and its "after:" holds that second itself; so
// nothing is left out that the bounds hold, and what is found beside them is less than a second off.
func period(after, before time.Time) (parts []string) {
	if !after.IsZero() && after.Unix() > firstSecond { // there was no mail before
		parts = append(parts, "after:"+strconv.FormatInt(min(after.Unix(), lastSecond), 10))
	}
	if !before.IsZero() {
		second := before.Unix()
		if before.Nanosecond() > 0 {
			second++
		}
		parts = append(parts, "before:"+strconv.FormatInt(min(max(second, firstSecond), lastSecond), 10))
	}
	return parts
}

func flag(want *bool, operator string) []string {
	switch {
	case want == nil:
		return nil
	case *want:
		return []string{operator}
	default:
		return []string{"-" + operator}
	}
}

// quotedWords returns each word of a text between quotes.
func quotedWords(name, text string) ([]string, error) {
	if n := utf8.RuneCountInString(text); n > maxQueryText {
		return nil, model.BadInput(name, "the text has %d characters; at most %d are allowed", n, maxQueryText)
	}
	words := strings.FieldsFunc(unquoted(text),
		func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '"' || r == '\\' })
	var quoted []string
	for _, word := range words {
		if strings.ContainsFunc(word, func(r rune) bool {
			return unicode.IsLetter(r) || unicode.IsNumber(r) ||
				unicode.Is(unicode.So, r)
		}) {
			quoted = append(quoted, `"`+word+`"`)
		}
	}
	if len(quoted) == 0 {
		return nil, model.BadInput(name, "there is no word in %q", model.Clip(text))
	}
	if len(quoted) > maxQueryWords {
		return nil, model.BadInput(name, "there are %d words; at most %d are allowed", len(quoted), maxQueryWords)
	}
	return quoted, nil
}

// unquoted takes out what could be a quote to somebody, and what is not seen. Between Hebrew letters a quote is a
// gershayim.
func unquoted(text string) string {
	var b strings.Builder
	before := rune(0)
	for i, r := range text {
		switch {
		case isQuote(r):
			next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
			if r = ' '; unicode.Is(unicode.Hebrew, before) && unicode.Is(unicode.Hebrew, next) {
				r = '\u05f4'
			}
		case r == utf8.RuneError:
			r = ' '
		case r != joiner && unicode.Is(unicode.Cf, r):
			continue
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

func isQuote(r rune) bool {
	return r == '"' || r == '\u201c' || r == '\u201d' || r == '\u201e' || r == '\u201f' || r == '\u00ab' ||
		r == '\u00bb' || r == '\uff02' || r == '\u301d' || r == '\u301e' || r == '\u2033' || r == '\u02ba'
}

// narrowing returns a query of the user's own as it can stand in brackets. It is refused if it could end the brackets
// around it. Brackets in quotes say nothing in Gmail's language and become spaces: then they match for whoever takes a
// quote for something else, too. For the same reason quotes stand at the ends of words only; one within a Hebrew
// abbreviation is the mark that it stands for.
func narrowing(raw string) (string, error) {
	if n := utf8.RuneCountInString(raw); n > 2*maxQueryText {
		return "", model.BadInput("query", "the query has %d characters; at most %d are allowed", n, 2*maxQueryText)
	}
	var out strings.Builder
	var open []rune
	inQuotes, before := false, ' '
	for i, r := range raw {
		if isQuote(r) && r != '\u00ab' && r != '\u00bb' {
			next, _ := utf8.DecodeRuneInString(raw[i+utf8.RuneLen(r):])
			if r = '"'; unicode.Is(unicode.Hebrew, before) && unicode.Is(unicode.Hebrew, next) {
				r = '\u05f4'
			}
		}
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case unicode.IsControl(r) || r == utf8.RuneError:
			return "", model.BadInput("query", "the query has a character that cannot be searched for")
		case unicode.Is(unicode.Cf, r) && r != joiner:
			continue
		case r == '"':
			if inQuotes = !inQuotes; !inQuotes {
				out.WriteString(`" `)
				before = ' '
				continue
			}
			if !strings.ContainsRune(" (){}:-+", before) {
				out.WriteByte(' ')
			}
		case inQuotes:
			if strings.ContainsRune("(){}", r) {
				r = ' '
			}
		case r == '(' || r == '{':
			open = append(open, r)
		case r == ')' || r == '}':
			if len(open) == 0 || (r == ')') != (open[len(open)-1] == '(') {
				return "", model.BadInput("query", "the brackets in the query do not match")
			}
			open = open[:len(open)-1]
		}
		if len(open) > maxBrackets {
			return "", model.BadInput("query", "the query has more than %d brackets in each other", maxBrackets)
		}
		out.WriteRune(r)
		before = r
	}
	switch {
	case inQuotes:
		return "", model.BadInput("query", "a quotation mark in the query is not closed")
	case len(open) > 0:
		return "", model.BadInput("query", "the brackets in the query do not match")
	}
	clean := strings.Join(strings.Fields(out.String()), " ")
	if clean == "" {
		return "", model.BadInput("query", "the query asks for nothing")
	}
	if strings.HasSuffix(clean, "-") || strings.HasSuffix(clean, ":") { // it would take the bracket behind it
		return "", model.BadInput("query", "the query ends where a word is missing")
	}
	return clean, nil
}
