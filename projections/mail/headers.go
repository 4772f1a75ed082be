package mail

import (
	"strings"

	"almanac/graph/model"
)

// Bounds of what is shown of headers.
const (
	maxSelected = 20
	maxValue    = 10_000
)

// Header returns the first value of a header, compared without case; empty when there is none.
func Header(headers []model.EmailHeader, name string) string {
	for _, header := range headers {
		if strings.EqualFold(header.Name, name) {
			return strings.TrimSpace(header.Value)
		}
	}
	return ""
}

// Select returns the headers of those names, in their order, each value cut at 10,000 characters. BAD_USER_INPUT beyond
// 20 names, and for what is no name of a header (RFC 5322, 2.2).
func Select(headers []model.EmailHeader, names []string) ([]model.EmailHeader, error) {
	if len(names) > maxSelected {
		return nil, model.BadInput("names", "give at most %d names, not %d", maxSelected, len(names))
	}
	for _, name := range names {
		if !isHeaderName(name) {
			return nil, model.BadInput("names", "%q is not the name of a header", model.Clip(name))
		}
	}
	selected := []model.EmailHeader{}
	for _, header := range headers {
		for _, name := range names {
			if strings.EqualFold(header.Name, name) {
				selected = append(selected, model.EmailHeader{Name: header.Name, Value: firstOf(header.Value, maxValue)})
				break
			}
		}
	}
	return selected, nil
}

// isHeaderName reports whether a text is printable ASCII without colon and space.
func isHeaderName(name string) bool {
	for i := range len(name) {
		if c := name[i]; c <= ' ' || c > '~' || c == ':' {
			return false
		}
	}
	return name != "" && len(name) <= 100
}

func firstOf(text string, most int) string {
	head, _ := Cut(text, most)
	return head
}
