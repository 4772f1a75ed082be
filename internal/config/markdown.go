package config

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

//go:embed intro.md
var intro string

// Markdown returns the text of docs/settings.md, made from the table.
func Markdown() string {
	var b strings.Builder
	b.WriteString(intro)
	settings := Settings()
	for _, s := range settings {
		fmt.Fprintf(&b, "| [`%s`](#%s) | `%s` | %s |\n", s.Variable(), strings.ToLower(s.Variable()), s.Flag(), s.Default)
	}
	group := ""
	for _, s := range settings {
		if s.Group != group {
			group = s.Group
			fmt.Fprintf(&b, "\n## %s\n", group)
		}
		fmt.Fprintf(&b, "\n### `%s`\n\n%s\n", s.Variable(), fold(s.Meaning, 120, "", ""))
		item := func(name, text string) { b.WriteString(fold(name+": "+text, 120, "- ", "  ")) }
		item("Flag", "`"+s.Flag()+"`")
		item("Allowed", s.Allowed)
		if s.Special != "" {
			item("Special values", s.Special)
		}
		item("Default", s.Default)
		item("Example", "`"+s.Variable()+"="+s.Example+"`")
		if s.Secret {
			item("Secret", "never shown; `file:PATH` reads it from a file")
		}
	}
	return b.String()
}

// Usage writes the table for a terminal, for --help.
func Usage(w io.Writer) error {
	var b strings.Builder
	group := ""
	for _, s := range Settings() {
		if s.Group != group {
			group = s.Group
			fmt.Fprintf(&b, "\n%s:\n", group)
		}
		meaning := fold(strings.ReplaceAll(s.Meaning, "`", ""), 96, "      ", "      ")
		fmt.Fprintf(&b, "  %s   (%s)\n%s      Allowed: %s\n      Default: %s\n", s.Flag(), s.Variable(), meaning, s.Allowed,
			s.Default)
	}
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

// fold breaks a text into lines of at most width characters; a single word may be longer.
func fold(text string, width int, first, rest string) string {
	var b strings.Builder
	b.WriteString(first)
	length, start := len(first), len(first)
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case length > start && length+1+n > width:
			b.WriteString("\n" + rest)
			length, start = len(rest), len(rest)
		case length > start:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += n
	}
	return b.String() + "\n"
}
