package components

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

var (
	// rule is what the bundler writes between two packages.
	rule = "\n\n" + strings.Repeat("-", 80) + "\n\n"
	// bundledHead is the first line of a package there.
	bundledHead = regexp.MustCompile(`^(\S+) (\S+) \(([^()]+)\)$`)
)

// Bundled returns the packages and fonts of the pages, from the list that the bundler has written of them.
func Bundled(path string) ([]Component, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []Component
	for _, part := range strings.Split(string(text), rule)[1:] {
		head, licence, _ := strings.Cut(part, "\n")
		words := bundledHead.FindStringSubmatch(head)
		switch {
		case words != nil:
			all = append(all, Component{Ecosystem: NPM, Name: words[1], Version: words[2], Licences: []string{words[3]},
				Texts: texts(plain(licence))})
		case len(all) > 0: // a licence that has such a line in its text
			last := &all[len(all)-1]
			last.Texts = texts(strings.Join(append(last.Texts, plain(part)), rule))
		default:
			return nil, fmt.Errorf("%s: %q is not NAME VERSION (LICENCE)", path, head)
		}
	}
	return all, nil
}

// texts is a list of one text, or of none when it is empty.
func texts(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}
