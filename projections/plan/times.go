package plan

import "almanac/projections/when"

// TimeSpans returns the bytes of a text that say times, their prepositions included, from and to, in the order of the
// text.
func TimeSpans(text string, at when.Moment) [][2]int {
	p := newSentence(text, at)
	p.scan()
	var out [][2]int
	for _, it := range p.items {
		out = append(out, [2]int{p.tokens[it.from].from, p.tokens[it.to-1].to})
	}
	return out
}
