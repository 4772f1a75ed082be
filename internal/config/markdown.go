package config

import (
	"fmt"
	"io"
	"strings"
)

// Markdown gives the text of docs/settings.md, made from the table.
func Markdown() string {
	var b strings.Builder
	b.WriteString(`# Settings

<!-- Made from internal/config/table.go by: go test ./internal/config -update -->

Every setting is an environment variable and a flag of ` + "`almanac serve`" + ` with the same name, and every one is optional. A flag wins
over its variable; an empty value means the default. A start with a wrong setting is refused, with one sentence for each
thing that is wrong. A variable that begins with ` + "`ALMANAC_`" + ` and is not listed here is refused too, so a typing mistake cannot go unseen.

Secrets are never shown, in no log and no message. Instead of a secret itself, write ` + "`file:`" + ` and a path
(` + "`ALMANAC_JWT_SECRET=file:/run/secrets/jwt`" + `) to have it read from a file. Avoid secrets as flags: others on the machine can read them.

**Who needs no token.** The local user exists when the address is loopback, ` + "`ALMANAC_PUBLIC_URL`" + ` is not set or loopback, and neither
` + "`ALMANAC_JWT_SECRET`" + ` nor ` + "`ALMANAC_OIDC_ISSUER`" + ` is set. Everywhere else every request needs a token. API tokens
(` + "`almanac token create`" + `) work in every mode, and a token that is sent is always checked.

Lengths of time are written as ` + "`90s`, `15m`, `12h` or `30d`" + `; switches as ` + "`true`/`false`, `on`/`off`, " +
		"`yes`/`no` or `1`/`0`" + `.

| variable | flag | default |
| --- | --- | --- |
`)
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
		fmt.Fprintf(&b, "\n### `%s`\n\n%s\n\n- Flag: `%s`\n- Allowed: %s\n", s.Variable(), s.Meaning, s.Flag(), s.Allowed)
		if s.Special != "" {
			fmt.Fprintf(&b, "- Special values: %s\n", s.Special)
		}
		fmt.Fprintf(&b, "- Default: %s\n- Example: `%s=%s`\n", s.Default, s.Variable(), s.Example)
		if s.Secret {
			b.WriteString("- Secret: never shown; `file:PATH` reads it from a file\n")
		}
	}
	return b.String()
}

// Usage writes the table for a terminal: what --help shows.
func Usage(w io.Writer) error {
	var b strings.Builder
	group := ""
	for _, s := range Settings() {
		if s.Group != group {
			group = s.Group
			fmt.Fprintf(&b, "\n%s:\n", group)
		}
		fmt.Fprintf(&b, "  %s   (%s)\n%s      Allowed: %s\n      Default: %s\n", s.Flag(), s.Variable(), fold(s.Meaning),
			s.Allowed, s.Default)
	}
	_, err := io.WriteString(w, strings.TrimPrefix(b.String(), "\n"))
	return err
}

// fold breaks a text into lines of a terminal's width, indented.
func fold(text string) string {
	const width, indent = 90, "      "
	var b strings.Builder
	length := 0
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, "`", "")) {
		if length > 0 && length+1+len(word) > width {
			b.WriteByte('\n')
			length = 0
		}
		if length == 0 {
			b.WriteString(indent)
		} else {
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += len(word)
	}
	return b.String() + "\n"
}
