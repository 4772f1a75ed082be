package agent

import (
	"context"
	"strings"
	"unicode"

	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/sounds"
)

// inOtherScript returns a name of an event with those of its words that no coming event has put as a coming event
// writes them in the other script: "הפגישה עם דניאל" for "פגישה עם Daniel". False where there is no such word, or two.
func (t *turn) inOtherScript(ctx context.Context, title string) (string, bool) {
	words := strings.Fields(title)
	if len(words) == 0 || len(words) > 8 {
		return title, false
	}
	events, err := t.events.List(ctx, t.v, t.v.StartOfDay(), t.dayAt(knownDays), "", agentReadMost, t.fields)
	if err != nil {
		return title, false
	}
	changed := false
	for i, word := range words {
		found := ""
		for _, event := range events {
			for _, other := range strings.Fields(event.Summary) {
				other = strings.Trim(other, `.,:;()"'`)
				if !soundsAlike(word, other) || found == fold.Text(other) {
					continue
				}
				if found != "" {
					return title, false
				}
				found, words[i] = fold.Text(other), other
			}
		}
		changed = changed || found != ""
	}
	return strings.Join(words, " "), changed
}

// soundsAlike reports whether two words are one name in the two scripts, by a sound that not many words have.
func soundsAlike(a, b string) bool {
	a, b = fold.Text(a), fold.Text(b)
	if a == "" || b == "" || isHebrewWord(a) == isHebrewWord(b) {
		return false
	}
	for _, x := range sounds.Of(a) {
		for _, y := range sounds.Of(b) {
			if x.Text == y.Text && !x.Short {
				return true
			}
		}
	}
	return false
}

func isHebrewWord(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(unicode.Hebrew, r) })
}

// namedOtherwise looks for the event by the same name in the other script where nothing has the one that was said. It
// reports whether there is another name to look for.
func (t *turn) namedOtherwise(ctx context.Context, title *string, err error) bool {
	if model.CodeOf(err) != model.CodeNotFound || *title == "" || t.confirm != nil {
		return false
	}
	other, ok := t.inOtherScript(ctx, *title)
	if ok {
		*title = other
	}
	return ok
}
