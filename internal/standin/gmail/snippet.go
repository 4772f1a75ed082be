package gmail

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds of what of one message is searched and shown as a snippet.
const (
	maxSearched = 256 << 10
	maxSnippet  = 200
)

// searchable is what of a message is searched: texts of folded words, each with a space before and after it.
type searchable struct {
	snippet                                     string
	from, to, cc, bcc, delivered, subject, list string
	// files are the names of the attachments; all is what a word without an operator is searched in.
	files, all string
	attachment bool
}

// searchable is found when it is first asked for.
func (m *message) searchable() *searchable {
	m.searchOnce.Do(func() { m.search = m.parts().searchable() })
	return &m.search
}

func (n *part) searchable() searchable {
	words := func(names ...string) string {
		var all []string
		for _, name := range names {
			for _, value := range n.all(name) {
				all = append(all, decoded(value[:min(len(value), maxSearched)]))
			}
		}
		return folded(strings.Join(all, "\n"))
	}
	s := searchable{
		from: words("From"), to: words("To", "Cc", "Bcc"), cc: words("Cc"), bcc: words("Bcc"),
		delivered: words("Delivered-To"),
		subject:   words("Subject"), list: words("List-ID"),
	}
	var plain, marked, files strings.Builder
	n.walk(func(p *part) bool {
		switch {
		case p.filename != "":
			files.WriteString(p.filename + "\n")
			s.attachment = s.attachment || !p.isShownInside()
		case p.kind == "text/html" && marked.Len() < maxSearched:
			marked.WriteString(stripped(p.head()) + "\n")
		case p.isText() && plain.Len() < maxSearched:
			plain.WriteString(p.head() + "\n")
		}
		return files.Len() < maxSearched
	})
	s.files = folded(files.String())
	s.all = strings.Join([]string{s.from, s.to, s.subject, folded(plain.String() + marked.String()), s.files}, "\n")
	shown := plain.String()
	if strings.TrimSpace(shown) == "" {
		shown = marked.String()
	}
	s.snippet = snippet(shown)
	return s
}

// isShownInside reports whether the text itself shows an image.
func (n *part) isShownInside() bool {
	return strings.HasPrefix(strings.ToLower(n.get("Content-Disposition")), "inline") && n.get("Content-ID") != ""
}

// head is the beginning of a part's text.
func (n *part) head() string {
	short := *n
	short.body = n.body[:min(len(n.body), maxSearched)]
	return short.text()
}

// snippet is the beginning of a text, in one line and escaped as for HTML; at most 201 characters.
func snippet(text string) string {
	var out strings.Builder
	length, space := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) {
			space = length > 0
			continue
		}
		if unicode.IsControl(r) {
			continue
		}
		escaped := html.EscapeString(string(r))
		if r == '"' {
			escaped = "&quot;"
		}
		more := utf8.RuneCountInString(escaped)
		if space {
			more++
		}
		if length += more; length > maxSnippet {
			break
		}
		if space {
			out.WriteByte(' ')
			space = false
		}
		out.WriteString(escaped)
	}
	return out.String()
}

// stripped is the text of HTML: no tags, no comments, nothing of style, script, title and head.
func stripped(text string) string {
	var out strings.Builder
	for text != "" {
		before, rest, found := strings.Cut(text, "<")
		out.WriteString(before)
		if !found {
			break
		}
		if comment, ok := strings.CutPrefix(rest, "!--"); ok {
			_, text, _ = strings.Cut(comment, "-->")
			out.WriteByte(' ')
			continue
		}
		name := strings.ToLower(rest[:len(rest)-len(strings.TrimLeftFunc(rest,
			func(r rune) bool { return r == '/' || r < 128 && (unicode.IsLetter(r) || unicode.IsDigit(r)) }))])
		_, text, _ = strings.Cut(rest, ">")
		switch name {
		case "style", "script", "title":
			text = behind(text, "</"+name)
		case "b", "i", "em", "strong", "span", "a", "font", "u", "/b", "/i", "/em", "/strong", "/span", "/a", "/font", "/u":
			continue // letters before and behind may be one word
		}
		out.WriteByte(' ')
	}
	return html.UnescapeString(out.String())
}

// behind cuts a text behind the first place of a mark, without regard to case; at its end when there is none.
func behind(text, mark string) string {
	for i := 0; i+len(mark) <= len(text); i++ {
		if text[i] == '<' && strings.EqualFold(text[i:i+len(mark)], mark) {
			_, after, _ := strings.Cut(text[i:], ">")
			return after
		}
	}
	return ""
}

// folded returns the words of a text in the form in which they are compared: in lower case, without accents and vowel
// points, each between two spaces. A word is a run of letters and digits.
func folded(text string) string {
	var out strings.Builder
	inside := false
	out.WriteByte(' ')
	write := func(r rune) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			out.WriteRune(unicode.ToLower(r))
			inside = true
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r): // accents, points and marks of direction
		case inside:
			out.WriteByte(' ')
			inside = false
		}
	}
	var iterator norm.Iter
	iterator.InitString(norm.NFKD, text)
	for !iterator.Done() {
		for _, r := range string(iterator.Next()) {
			write(r)
		}
	}
	if inside {
		out.WriteByte(' ')
	}
	return out.String()
}
