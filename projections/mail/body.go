package mail

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/graph/model"
)

// Body returns what a message says. Where it says the same in several forms (multipart/alternative), text is taken from
// the plain one and HTML from the HTML one; where there is only one, the other is made from it. A plain form that says
// something else than the HTML, which is what people see, is not believed. maxChars and total count characters (code
// points); a cut never falls within what readers take for one character, HTML stays well formed, and cut text may
// therefore be a little shorter than maxChars. Total counts all there is of the first 4 MB of each part.
func Body(root *model.EmailPart, format model.BodyFormat, maxChars int) (text string, truncated bool, total int) {
	if root == nil || maxChars < 1 {
		return "", false, 0
	}
	if format == model.BodyHTML {
		return htmlBody(root, maxChars)
	}
	clean := format == model.BodyClean
	text, truncated = plainBody(root, form{clean: clean, seen: clean})
	if clean {
		if text = authored(text); !strings.ContainsFunc(text, isSaying) { // nothing but a signature
			text, truncated = plainBody(root, form{seen: true})
		}
	}
	total = utf8.RuneCountInString(text)
	head, cut := Cut(text, maxChars)
	return head, cut || truncated, total
}

func htmlBody(root *model.EmailPart, maxChars int) (text string, truncated bool, total int) {
	var b strings.Builder
	for _, part := range leaves(root, true, maxDepth) {
		content, cut := contentText(part)
		truncated = truncated || cut
		if part.MIMEType != "text/html" {
			content = htmlOf(content)
		}
		if b.Len() > 0 {
			b.WriteString("\n<hr>\n")
		}
		if isOpen := strings.LastIndexByte(content, '<') > strings.LastIndexByte(content, '>'); isOpen {
			content += ">" // else the next part would stand within a tag
		}
		b.WriteString(content)
		if b.Len() > maxContent {
			truncated = true
			break
		}
	}
	clean, cut, total := cleanHTML(strings.TrimSpace(b.String()), maxChars)
	return clean, cut || truncated, total
}

// plainBody chooses between a plain form and HTML. People see the HTML, so what is for those who see what people see is
// made of it, unless it shows nothing at all.
func plainBody(root *model.EmailPart, form form) (text string, cut bool) {
	plain := leaves(root, false, maxDepth)
	rich := leaves(root, true, maxDepth)
	text, cut, _ = joined(plain, form)
	if sameParts(plain, rich) {
		return text, cut
	}
	seen, richCut, shows := joined(rich, form)
	believed := form.seen && !shows || !form.seen && !saysElse(text, rich)
	if !believed || strings.TrimSpace(text) == "" {
		return seen, richCut
	}
	return text, cut
}

func sameParts(a, b []*model.EmailPart) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// joined returns the texts of parts one below the other, and whether they show anything.
func joined(parts []*model.EmailPart, form form) (text string, cut, shows bool) {
	var b strings.Builder
	for _, part := range parts {
		content, partCut := contentText(part)
		if part.MIMEType == "text/html" {
			var bounded, seen bool
			content, bounded, seen = textOf(content, form)
			partCut, shows = partCut || bounded, shows || seen
		}
		cut = cut || partCut
		if content = tidy(content); content == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(content)
		if b.Len() > maxContent {
			return b.String(), true, true
		}
	}
	return b.String(), cut, shows || b.Len() > 0
}

// tidy takes blank lines off the ends of a text, blanks off the ends of its lines except behind a signature's mark, and
// control characters and those that nobody sees out.
func tidy(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || isFiller(r) {
			return -1
		}
		return r
	}, text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != signatureMark {
			lines[i] = strings.TrimRight(line, " \t\u00a0")
		}
	}
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// leaves returns the parts that are read, in order: of alternatives the HTML when it is wanted, else the plain text; of
// related parts the first.
func leaves(part *model.EmailPart, rich bool, depth int) []*model.EmailPart {
	switch {
	case depth == 0:
		return nil
	case !isContainer(part):
		if isFile(part) || part.Content == nil {
			return nil
		}
		return []*model.EmailPart{part}
	case part.MIMEType == "multipart/alternative":
		return alternative(part, rich, depth)
	case part.MIMEType == "multipart/related":
		for i := range part.Parts {
			if found := leaves(&part.Parts[i], rich, depth-1); len(found) > 0 {
				return found
			}
		}
		return nil
	}
	var found []*model.EmailPart
	for i := range part.Parts {
		found = append(found, leaves(&part.Parts[i], rich, depth-1)...)
	}
	return found
}

// alternative chooses: with HTML the last form that has some (RFC 2046, 5.1.4), else the first that has none and says
// something.
func alternative(part *model.EmailPart, rich bool, depth int) []*model.EmailPart {
	var chosen, other []*model.EmailPart
	for i := range part.Parts {
		found := leaves(&part.Parts[i], rich, depth-1)
		if len(found) == 0 {
			continue
		}
		switch isRich := hasHTML(found); {
		case isRich == rich && (rich || chosen == nil) && (rich || saysSomething(found)):
			chosen = found
		case other == nil || isRich:
			other = found
		}
	}
	if chosen != nil {
		return chosen
	}
	return other
}

func hasHTML(parts []*model.EmailPart) bool {
	for _, part := range parts {
		if part.MIMEType == "text/html" {
			return true
		}
	}
	return false
}

func saysSomething(parts []*model.EmailPart) bool {
	for _, part := range parts {
		if strings.TrimSpace(string(part.Content[:min(len(part.Content), maxContent)])) != "" {
			return true
		}
	}
	return false
}

// saysElse reports whether a plain text holds a paragraph that the HTML forms do not show: of at least five words, most
// of which are nowhere in them. Programs that make the one from the other differ in marks, links and order, never in
// most words of a paragraph; what hides behind the HTML does.
func saysElse(plain string, rich []*model.EmailPart) bool {
	known := map[string]bool{}
	for _, part := range rich {
		content, _ := contentText(part)
		if part.MIMEType == "text/html" {
			content, _, _ = textOf(content, form{})
		}
		for word := range wordsOf(content) {
			known[word] = true
		}
	}
	for paragraph := range strings.SplitSeq(plain, "\n\n") {
		words, strange := 0, 0
		for word := range wordsOf(paragraph) {
			words++
			if !known[word] {
				strange++
			}
		}
		if words >= 5 && strange*2 > words {
			return true
		}
	}
	return false
}

// wordsOf returns the words of a text without addresses of pages, in lower case.
func wordsOf(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for field := range strings.FieldsSeq(text) {
			if strings.Contains(field, "://") {
				continue
			}
			for word := range strings.FieldsFuncSeq(field,
				func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				if !yield(strings.ToLower(word)) {
					return
				}
			}
		}
	}
}
