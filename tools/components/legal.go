package components

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// legal are the names of files with licences and notices.
var legal = regexp.MustCompile(`(?i)^(licen[cs]es?|copying|notice|patents|unlicense)([-._].*)?$`)

// isLegal reports whether a file has a licence or a notice.
func isLegal(name string) bool {
	return legal.MatchString(name) && !strings.HasSuffix(name, ".go")
}

// plain is a text with the line ends of Unix and without space around it.
func plain(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
}

// known is how much of a text has to be a licence, in percent, for its licences to be those of the component; notices
// and lists of authors are beside them.
const known = 50

// patents is how the scanner names Google's grant of patents, which stands beside a licence.
const patents = "GooglePatentsFile"

// addTexts takes texts as those of the component, and reads which licences they are.
func (c *Component) addTexts(texts map[string]bool) {
	licences := map[string]bool{}
	for text := range texts {
		scanned := licensecheck.Scan([]byte(text))
		if scanned.Percent < known {
			continue
		}
		for _, match := range scanned.Match {
			if !match.IsURL && match.ID != patents {
				licences[match.ID] = true
			}
		}
	}
	c.Licences = slices.Sorted(maps.Keys(licences))
	c.Texts = slices.Sorted(maps.Keys(texts))
}
