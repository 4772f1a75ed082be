package when

import (
	"cmp"
	"slices"
	"strings"

	"almanac/graph/model"
	"almanac/projections/match"
)

// maxSuggestible is the longest name, in bytes, that is compared with all zones; the longest zone has 32.
const maxSuggestible = 40

// unknownZone says that there is no such zone, and which are most like it.
func unknownZone(name string) error {
	all := nearestZones(name)
	if len(all) == 0 {
		return model.BadInput("", "%q is not an IANA time zone; write a name such as Asia/Jerusalem", model.Clip(name))
	}
	return model.BadInput("", "%q is not an IANA time zone; did you mean %s?", model.Clip(name), strings.Join(all, " or "))
}

// nearestZones returns up to three names, most like first. People know zones by their city and write it as a word.
func nearestZones(name string) []string {
	if len(name) > maxSuggestible {
		return nil
	}
	asWords := strings.NewReplacer("_", " ", "/", " ", "-", " ")
	query := asWords.Replace(name)
	var candidates []match.Candidate[string]
	for line := range strings.Lines(zoneNames) {
		zone := strings.TrimSuffix(line, "\n")
		_, city, found := strings.Cut(zone, "/")
		if !found {
			city = zone
		}
		candidates = append(candidates,
			match.Candidate[string]{ID: zone, Fields: []string{asWords.Replace(zone), asWords.Replace(city)}})
	}
	ranked := match.Rank(query, candidates, 0.7)
	if len(ranked) == 0 { // The continent is wrong or misspelt.
		_, city, _ := strings.Cut(name, "/")
		ranked = match.Rank(asWords.Replace(city), candidates, 0.7)
	}
	// Among equally good names the shortest is meant: UTC and not Etc/UTC.
	slices.SortStableFunc(ranked, func(a, b match.Match[string]) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), len(a.ID)-len(b.ID))
	})
	var names []string
	for _, m := range ranked[:min(len(ranked), 3)] {
		names = append(names, m.ID)
	}
	return names
}
