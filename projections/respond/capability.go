package respond

import (
	"strings"
	"unicode"

	"almanac/graph/model"
	"almanac/projections/match"
)

// Capability is whose answer it is.
type Capability string

// The capabilities, as a plan names them.
const (
	Calendar    Capability = "calendar"
	Database    Capability = "database"
	Gmail       Capability = "gmail"
	SecondBrain Capability = "second-brain"
)

// Capabilities are all of them.
func Capabilities() []Capability { return []Capability{Calendar, Database, Gmail, SecondBrain} }

// ParseCapability reads a capability, whatever its case and whatever stands between its words: "second-brain",
// "secondBrain" and "SECOND_BRAIN" are one. BAD_USER_INPUT with all of them, and the one most like it, when there is
// none.
func ParseCapability(text string) (Capability, error) {
	given := squeezed(text)
	var candidates []match.Candidate[string]
	var names []string
	for _, c := range Capabilities() {
		if given == squeezed(string(c)) {
			return c, nil
		}
		names = append(names, string(c))
		candidates = append(candidates, match.Candidate[string]{ID: string(c), Fields: []string{squeezed(string(c))}})
	}
	const like, longest = 0.5, 40
	meant := ""
	if len(given) <= longest {
		if ranked := match.Rank(given, candidates, like); len(ranked) > 0 {
			meant = "; did you mean " + ranked[0].ID + "?"
		}
	}
	last := len(names) - 1
	return "", model.BadInput("capability", "%q is not a capability; use %s or %s%s", model.Clip(text),
		strings.Join(names[:last], ", "), names[last], meant)
}

// squeezed returns the letters and digits of a name alone, in lower case.
func squeezed(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
