package gmail

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/cases"
)

// isOperator reports whether a word before a colon is an operator.
func isOperator(name string) bool {
	switch name {
	case "from", "to", "cc", "bcc", "deliveredto", "subject", "label", "in", "is", "has", "filename", "category", "list",
		"rfc822msgid",
		"after", "before", "newer", "older", "newer_than", "older_than", "larger", "smaller", "size":
		return true
	}
	return false
}

// condition is what one value asks for, under an operator or none. A value that the operator cannot read is searched
// for as text.
func (p *queryParser) condition(operator string, w word, negated bool) test {
	if t, ok := p.special(operator, w.text, negated); ok {
		return t
	}
	switch operator {
	case "from":
		return p.field(w, func(s *searchable) string { return s.from })
	case "to":
		return p.field(w, func(s *searchable) string { return s.to })
	case "cc":
		return p.field(w, func(s *searchable) string { return s.cc })
	case "bcc":
		return p.field(w, func(s *searchable) string { return s.bcc })
	case "deliveredto":
		return p.field(w, func(s *searchable) string { return s.delivered })
	case "subject":
		return within(w.text, func(s *searchable) string { return s.subject })
	case "list":
		return within(w.text, func(s *searchable) string { return s.list })
	case "filename":
		return within(w.text, func(s *searchable) string { return s.files })
	case "rfc822msgid":
		id := strings.Trim(w.text, "<> ")
		return func(m *message) bool { return m.RFC == id }
	case "":
		return within(w.text, func(s *searchable) string { return s.all })
	}
	return within(operator+" "+w.text, func(s *searchable) string { return s.all })
}

// within asks for the words of a text to stand side by side in one of the texts of a message.
func within(text string, in func(*searchable) string) test {
	words := folded(text)
	if words == " " {
		return nil // punctuation alone asks for nothing
	}
	return func(m *message) bool { return strings.Contains(in(m.searchable()), words) }
}

// field is within for addresses, where "me" is the account's.
func (p *queryParser) field(w word, in func(*searchable) string) test {
	if w.kind == wordText && strings.EqualFold(w.text, "me") {
		return within(p.box.Email, in)
	}
	return within(w.text, in)
}

// special reads the operators whose values are no words of a message; ok is false where the value is none of theirs.
func (p *queryParser) special(operator, value string, negated bool) (t test, ok bool) {
	lower := strings.ToLower(value)
	switch operator {
	case "in":
		return p.in(lower, negated)
	case "label":
		return p.in(lower, negated)
	case "is":
		return p.is(lower)
	case "has":
		return p.has(lower)
	case "category":
		if lower == "primary" {
			lower = "personal"
		}
		id := "CATEGORY_" + strings.ToUpper(lower)
		_, known := p.box.label(id)
		return labelled(id), known
	case "after", "newer":
		at, ok := readDate(value)
		return func(m *message) bool { return m.Received >= at.UnixMilli() }, ok
	case "before", "older":
		at, ok := readDate(value)
		return func(m *message) bool { return m.Received < at.UnixMilli() }, ok
	case "newer_than":
		at, ok := p.ago(lower)
		return func(m *message) bool { return m.Received >= at.UnixMilli() }, ok
	case "older_than":
		at, ok := p.ago(lower)
		return func(m *message) bool { return m.Received < at.UnixMilli() }, ok
	case "larger", "size":
		size, ok := readSize(lower)
		return func(m *message) bool { return int64(len(m.Raw)) > size }, ok
	case "smaller":
		size, ok := readSize(lower)
		return func(m *message) bool { return int64(len(m.Raw)) < size }, ok
	}
	return nil, false
}

func labelled(id string) test { return func(m *message) bool { return m.has(id) } }

// none fits nothing: for what Gmail knows and no message here has.
func none(*message) bool { return false }

// in reads places: the system's labels, labels of the mailbox by name or id, and what is everywhere.
func (p *queryParser) in(value string, negated bool) (test, bool) {
	switch value {
	case "anywhere":
		p.query.spam, p.query.trash = p.query.spam || !negated, p.query.trash || !negated
		return func(*message) bool { return true }, true
	case "spam":
		p.query.spam = p.query.spam || !negated
	case "trash", "bin":
		p.query.trash = p.query.trash || !negated
		value = "trash"
	case "drafts":
		value = "draft"
	case "chats":
		value = "chat"
	case "read":
		return not(labelled(labelUnread)), true
	case "archive":
		return func(m *message) bool {
			return !slices.ContainsFunc(m.Labels, func(l string) bool {
				return l == labelInbox || l == labelSent || l == labelDraft || l == labelSpam || l == labelTrash
			})
		}, true
	case "snoozed", "muted", "scheduled":
		return none, true
	}
	for _, l := range systemLabels() {
		if strings.EqualFold(l.ID, value) {
			return labelled(l.ID), true
		}
	}
	name := hyphened(value)
	var ids []string // names that differ in what is written as a hyphen are alike here
	for id, l := range p.box.Labels {
		if strings.EqualFold(id, value) || hyphened(l.Name) == name {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return none, true
	}
	return func(m *message) bool { return slices.ContainsFunc(ids, m.has) }, true
}

// hyphened is the form in which a label's name stands in a query.
func hyphened(name string) string {
	return strings.NewReplacer(" ", "-", "/", "-", "&", "-", "(", "-", ")", "-").Replace(cases.Fold().String(name))
}

func (*queryParser) is(value string) (test, bool) {
	switch value {
	case "unread", "starred", "important", "sent", "draft", "chat":
		return labelled(strings.ToUpper(value)), true
	case "read":
		return not(labelled(labelUnread)), true
	case "snoozed", "muted":
		return none, true
	}
	return nil, false
}

func (*queryParser) has(value string) (test, bool) {
	own := func(m *message) bool {
		return slices.ContainsFunc(m.Labels, func(id string) bool { return strings.HasPrefix(id, "Label_") })
	}
	switch value {
	case "attachment":
		return func(m *message) bool { return m.searchable().attachment }, true
	case "userlabels":
		return own, true
	case "nouserlabels":
		return not(own), true
	case "yellow-star":
		return labelled("STARRED"), true
	case "drive", "document", "spreadsheet", "presentation", "youtube", "pdf":
		return none, true
	}
	return nil, false
}

// pacific is the zone that Gmail's dates are of. The rules of a machine without zones are those of standard time.
func pacific() *time.Location {
	const hours = -8
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		return time.FixedZone("PST", hours*60*60)
	}
	return zone
}

// readDate reads a day, which begins at midnight in California, or seconds since 1970.
func readDate(text string) (time.Time, bool) {
	for _, layout := range []string{"2006/1/2", "2006-1-2", "1/2/2006", "2006/1", "2006"} {
		if at, err := time.ParseInLocation(layout, text, pacific()); err == nil {
			return at, true
		}
	}
	const fewest, most = 5, 11 // digits of a number that is no year
	if len(text) < fewest || len(text) > most {
		return time.Time{}, false
	}
	seconds, err := strconv.ParseUint(text, 10, 64)
	return time.Unix(int64(seconds), 0), err == nil
}

// ago reads "3d", "2m" and "1y".
func (p *queryParser) ago(text string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, false
	}
	n, err := strconv.ParseUint(text[:len(text)-1], 10, 16)
	if err != nil {
		return time.Time{}, false
	}
	switch text[len(text)-1] {
	case 'd':
		return p.now.AddDate(0, 0, -int(n)), true
	case 'm':
		return p.now.AddDate(0, -int(n), 0), true
	case 'y':
		return p.now.AddDate(-int(n), 0, 0), true
	}
	return time.Time{}, false
}

// readSize reads bytes, or "10k", "5mb".
func readSize(text string) (int64, bool) {
	text = strings.TrimSuffix(text, "b")
	unit := int64(1)
	switch {
	case strings.HasSuffix(text, "k"):
		unit = 1 << 10
	case strings.HasSuffix(text, "m"):
		unit = 1 << 20
	}
	if unit > 1 {
		text = text[:len(text)-1]
	}
	n, err := strconv.ParseUint(text, 10, 40)
	return int64(n) * unit, err == nil
}
