// Command licences writes THIRD_PARTY.txt: what the program is built from, and under which licences.
//
// It promises that everything that a release embeds is there, and that it fails when a licence is missing or is not one
// of those that may be embedded.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"almanac/tools/components"
)

// written is the file, at the root of the project.
const written = "THIRD_PARTY.txt"

const head = `Almanac is distributed under the Apache License 2.0 (see LICENSE).
The program embeds what is listed here, under the licences that follow the list.
The list is made by: go run ./tools/licences

`

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	all, err := components.All(ctx, ".")
	if err != nil {
		return err
	}
	var out strings.Builder
	out.WriteString(head)
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, c := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\n", c.Name, version(c), strings.Join(c.Licences, ", "))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	var texts []string
	named := map[string][]string{}
	for _, c := range all {
		for _, text := range c.Texts {
			if named[text] == nil {
				texts = append(texts, text)
			}
			named[text] = append(named[text], c.Name)
		}
	}
	for _, text := range texts {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(named[text], "\n"), text)
	}
	return os.WriteFile(written, []byte(out.String()), 0o644) //nolint:gosec // everybody may read it
}

// version is a component's version; that of the standard library is the toolchain's, and differs between machines.
func version(c components.Component) string {
	if c.Name == components.Standard {
		return "of the Go toolchain"
	}
	return c.Version
}
