package main

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strings"

	"almanac/projections/fold"
	"almanac/projections/ngram"
	"almanac/projections/ngram/meanings"
)

// table is what is written.
type table struct {
	rows            map[uint32]*entry
	english, hebrew int
}

// entry is what the words with one key mean, together.
type entry struct {
	sum    []float64
	weight float64
	hebrew bool
	// text is its most frequent word, folded; empty for an expression. rank is how frequent it is.
	text string
	rank int
	// said is whether it is in the documents.
	said bool
}

func newTable() *table { return &table{rows: make(map[uint32]*entry)} }

// addEnglish adds the words; forms that share a stem share an entry, in which the frequent form counts more.
func (t *table) addEnglish(s *space, p *pairs) {
	for _, word := range s.words {
		key, ok := ngram.Key(word)
		if !ok {
			continue
		}
		e := t.rows[key]
		if e == nil {
			e = &entry{sum: make([]float64, meanings.Dimensions), weight: s.weight(word), text: word, rank: s.rank[word],
				said: p.english[word]}
			t.rows[key] = e
			t.english++
		}
		add(e.sum, s.at[word], 1/float64(s.rank[word]))
	}
}

// least is how much the English of a Hebrew expression must belong to it.
const least = 0.12

// addHebrew adds what the English of a Hebrew expression means.
func (t *table) addHebrew(s *space, p *pairs) {
	for _, hebrew := range slices.Sorted(maps.Keys(p.said)) {
		key, ok := ngram.Key(hebrew)
		if !ok || t.rows[key] != nil && !t.rows[key].hebrew {
			continue
		}
		said := p.said[hebrew]
		best := 0.0
		for _, together := range said {
			best = max(best, together)
		}
		sum, weight := make([]float64, meanings.Dimensions), 0.0
		for _, english := range slices.Sorted(maps.Keys(said)) {
			together := said[english]
			direction, w := s.meaning(english)
			if direction == nil || together < least || together < best/3 {
				continue
			}
			add(sum, direction, together*together)
			weight = max(weight, w)
		}
		if weight == 0 {
			continue
		}
		e := t.rows[key]
		if e == nil {
			e = &entry{sum: make([]float64, meanings.Dimensions), hebrew: true}
			if !strings.ContainsAny(hebrew, " -") {
				e.text = fold.Text(hebrew)
			}
			t.rows[key] = e
			t.hebrew++
		}
		add(e.sum, sum, 1)
		e.weight = max(e.weight, weight)
	}
}

// encode writes the table in the form that the package meanings reads.
func (t *table) encode() []byte {
	keys := slices.Sorted(maps.Keys(t.rows))
	out := meanings.Head(len(keys))
	all := make([]*entry, len(keys))
	for i, key := range keys {
		out = binary.LittleEndian.AppendUint32(out, key)
		all[i] = t.rows[key]
		unit(all[i].sum)
	}
	related := relate(all)
	for i, e := range all {
		out = append(out, byte(math.Round(e.weight*meanings.MostWeight)))
		for _, x := range e.sum {
			out = append(out, byte(int8(max(-127, min(127, math.Round(x*meanings.Length))))))
		}
		for _, r := range related[i] {
			out = binary.LittleEndian.AppendUint16(out, uint16(r.place))
			out = append(out, byte(math.Round(r.likeness*meanings.MostWeight)))
		}
	}
	var text []byte
	for _, e := range all {
		text = append(text, e.text...)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
	}
	return append(out, text...)
}
