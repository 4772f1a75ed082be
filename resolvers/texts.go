package resolvers

import (
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/fold"
)

// cleanText reads a text that must not be empty. BAD_USER_INPUT when nothing is left of it, or it is too long.
func cleanText(field, text string, most int) (string, error) {
	clean := fold.Clean(text)
	if fold.Text(clean) == "" {
		return "", model.BadInput(field, "the text is empty")
	}
	return clean, tooLong(field, clean, most)
}

// maxMatching bounds the work of one request's fuzzy matching, in letters looked for times letters looked at. It
// happens while the user's writes wait, so it must end within about a second; a person with thousands of tasks comes
// nowhere near it.
const maxMatching = 1_000_000_000

// affordable refuses texts that would take too long to match.
func affordable(field string, lookedFor, lookedAt int) error {
	if lookedFor == 0 || lookedAt <= maxMatching/lookedFor {
		return nil
	}
	return model.BadInput(field,
		"matching %d characters of text against %d is too much work for one request; name things by id, or use fewer and "+
			"shorter texts", lookedFor, lookedAt)
}

// maxNameKey bounds a folded name in bytes: it stands in a unique index, and a few signs fold to many letters.
const maxNameKey = 1200

// cleanName reads the name of a list.
func cleanName(field, text string) (string, error) {
	clean, err := cleanText(field, text, model.MaxListName)
	if err == nil && len(fold.Text(clean)) > maxNameKey {
		err = model.BadInput(field, "the name is too long once it is spelled out; at most %d characters are allowed",
			model.MaxListName)
	}
	return clean, err
}

// cleanLabel reads a text that may be empty.
func cleanLabel(field, text string, most int) (string, error) {
	clean := fold.Clean(text)
	return clean, tooLong(field, clean, most)
}

func tooLong(field, text string, most int) error {
	if n := utf8.RuneCountInString(text); n > most {
		return model.BadInput(field, "the text has %d characters; at most %d are allowed", n, most)
	}
	return nil
}
