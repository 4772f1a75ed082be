package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// inputPaths are what gqlgen makes a context by, for each argument and each field and element of an input, and what
// package plan has in its place, which makes them for an error alone.
var inputPaths = []struct {
	made *regexp.Regexp
	ours string
}{
	{withPath(`Field\("(\w+)"\)`), `plan.AtName(ctx, "$1")`},
	{withPath(`Index\(i\)`), `plan.AtIndex(ctx, i)`},
	{regexp.MustCompile(`graphql\.ProcessArgField\(`), `plan.Argument(`},
}

func withPath(path string) *regexp.Regexp {
	return regexp.MustCompile(`graphql\.WithPathContext\(ctx, graphql\.NewPathWith` + path + `\)`)
}

// setInputPaths has the generated files of a folder read inputs by package plan.
func setInputPaths(dir string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*generated.go"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		changed := text
		for _, one := range inputPaths {
			changed = one.made.ReplaceAll(changed, []byte(one.ours))
		}
		if bytes.Equal(changed, text) {
			continue
		}
		if err := writeGo(path, importing(changed, planPackage)); err != nil {
			return err
		}
	}
	return nil
}

// importing returns the text of a file with one import more, at its place among those of the first group.
func importing(text []byte, path string) []byte {
	own := []byte("\t\"" + path + "\"\n")
	begin := []byte("\nimport (\n")
	at := bytes.Index(text, begin) + len(begin)
	for bytes.HasPrefix(text[at:], []byte{'\t'}) && bytes.Compare(text[at:], own) < 0 {
		at += bytes.IndexByte(text[at:], '\n') + 1
	}
	return slices.Concat(text[:at], own, text[at:])
}
