package compact

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// List is a list as the formatter sees it. The user wrote it.
type List struct {
	ID          string     `json:"id"`
	Name        string     `json:"name"`
	IsChecklist bool       `json:"isChecklist"`
	Items       []ListItem `json:"items"`
}

// ListItem is a line of a list.
type ListItem struct {
	ID      string `json:"id"`
	Text    string `json:"text"`
	Checked bool   `json:"checked"`
}

func (l List) id() string    { return named(l.ID) }
func (l List) foreign() bool { return false }

// text names the items, the open ones first, as far as they fit. Steps on items are taken by their text, so their ids
// are not said.
func (l List) text(w *writing) string {
	checked := 0
	for _, item := range l.Items {
		if item.Checked {
			checked++
		}
	}
	size := w.say.items.number(len(l.Items))
	if l.IsChecklist && len(l.Items) > 0 {
		size = strconv.Itoa(checked) + "/" + strconv.Itoa(len(l.Items)) + " " + w.say.done
	}
	var b strings.Builder
	b.WriteString(w.part(l.Name) + " (" + size + ")")
	length, separator := utf8.RuneCountInString(b.String()), ": "
	for _, done := range [...]bool{false, true} {
		for _, item := range l.Items {
			if length > w.width { // the rest is cut anyway
				return b.String()
			}
			if item.Checked != done {
				continue
			}
			text := separator + w.part(item.Text)
			if done && l.IsChecklist {
				text += " \u2713"
			}
			b.WriteString(text)
			length += utf8.RuneCountInString(text)
			separator = "; "
		}
	}
	return b.String()
}

// Item is a line of a list as a row of its own.
type Item struct{ ListItem }

func (i Item) id() string    { return named(i.ID) }
func (i Item) foreign() bool { return false }

func (i Item) text(w *writing) string {
	if i.Checked {
		return w.part(i.Text) + " \u2713"
	}
	return w.part(i.Text)
}
