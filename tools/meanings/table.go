package main

import (
	"cmp"
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
	// forms are the keys of other forms of words, and settled those of forms that are found by their stem.
	forms   map[uint32]*entry
	settled map[uint32]bool
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
	// with is how much words of the other language are said of the same things.
	with map[*entry]float64
}

func (e *entry) say(other *entry, together float64) {
	if e.with == nil {
		e.with = make(map[*entry]float64)
	}
	e.with[other] = max(e.with[other], together)
}

func newTable() *table {
	return &table{rows: make(map[uint32]*entry), forms: make(map[uint32]*entry), settled: make(map[uint32]bool)}
}

// mostKept is up to which rank a word is kept that no document has: rarer ones are hardly words of memories.
const mostKept = 55_000

// addEnglish adds the words, without names: a name is looked for by how it is written and how it sounds. Forms that
// share a stem share an entry, in which the frequent form counts more.
func (t *table) addEnglish(s *space, net *wordNet, p *pairs) {
	for _, word := range s.words {
		key, ok := ngram.Key(word)
		isName := net.known[word] && !net.common[word]
		if !ok || !p.english[word] && (isName || s.rank[word] > mostKept) {
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
	bare, lemma := p.bare(), p.lemmas()
	for _, hebrew := range slices.Sorted(maps.Keys(p.said)) {
		if !p.whole[hebrew] && prefixed(hebrew, bare) {
			continue // a word that the search divides by itself
		}
		word := cmp.Or(lemma[fold.Text(hebrew)], hebrew)
		key, ok := ngram.Key(word)
		if !ok || t.rows[key] != nil && !t.rows[key].hebrew {
			continue
		}
		said := p.said[hebrew]
		best := 0.0
		for _, together := range said {
			best = max(best, together)
		}
		sum, same := make([]float64, meanings.Dimensions), make(map[*entry]float64)
		var rank, share float64 // sums over the English words, of the logarithms of their ranks
		for _, english := range slices.Sorted(maps.Keys(said)) {
			together := said[english]
			direction, w := s.meaning(english)
			if direction == nil || together < least || together < best/3 {
				continue
			}
			add(sum, direction, together*together)
			rank += together * together * math.Log(rankOf(w))
			share += together * together
			if key, ok := ngram.Key(english); ok && t.rows[key] != nil && !t.rows[key].hebrew {
				same[t.rows[key]] = together
			}
		}
		if share == 0 {
			continue
		}
		weight := weightOf(math.Exp(rank / share))
		e := t.rows[key]
		if e == nil {
			e = &entry{sum: make([]float64, meanings.Dimensions), hebrew: true}
			if !strings.ContainsAny(word, " -") {
				e.text = fold.Text(word)
			}
			t.rows[key] = e
			t.hebrew++
		}
		if own, ok := ngram.Key(hebrew); ok && own != key {
			t.forms[own] = e
		}
		add(e.sum, sum, 1)
		e.weight = max(e.weight, weight)
		for other, together := range same {
			e.say(other, together)
			other.say(e, together)
		}
	}
}

// bare are the Hebrew words that are said by themselves, and their forms.
func (p *pairs) bare() map[string]bool {
	bare := maps.Clone(p.whole)
	for _, forms := range p.forms.forms {
		for _, form := range forms {
			bare[form] = true
		}
	}
	for _, noun := range p.forms.nouns {
		for _, form := range nounForms(noun) {
			bare[form] = true
		}
	}
	return bare
}

// lemmas are the words of which infinitives, first persons and plurals are said by themselves, by these, folded: they
// are no words of their own.
func (p *pairs) lemmas() map[string]string {
	said := make(map[string]bool, len(p.said))
	for word := range p.said {
		said[fold.Text(word)] = true
	}
	of := make(map[string]string)
	keep := func(word, form string) {
		form, base := fold.Text(form), fold.Text(word)
		if said[form] && said[base] && of[form] == "" && of[base] == "" && form != base {
			of[form] = word
		}
	}
	for _, word := range p.forms.words {
		for _, form := range p.forms.forms[word] {
			if strings.HasPrefix(form, "ל") && !strings.HasPrefix(word, "ל") || strings.HasSuffix(form, "תי") {
				keep(word, form)
			}
		}
	}
	for _, noun := range p.forms.nouns {
		for _, form := range nounForms(noun) {
			if form = fold.Text(form); strings.HasSuffix(form, "ימ") ||
				strings.HasSuffix(form, "ות") && !strings.HasSuffix(noun, "ות") {
				keep(noun, form)
			}
		}
	}
	return of
}

// prefixed reports whether a word is one of the bare ones with a one-letter prefix.
func prefixed(word string, bare map[string]bool) bool {
	for _, prefix := range [...]string{"ו", "ב", "ה", "כ", "ל", "מ", "ש"} {
		if rest, found := strings.CutPrefix(word, prefix); found && bare[rest] {
			return true
		}
	}
	return false
}

// addForms adds other forms of the Hebrew words, as far as they are not words of their own: those of verbs before those
// of nouns.
func (t *table) addForms(l *lemmas) {
	t.addStems()
	for _, word := range l.words {
		t.addFormsOf(word, l.forms[word])
	}
	for _, noun := range l.nouns {
		t.addFormsOf(noun, nounForms(noun))
	}
}

func (t *table) addFormsOf(word string, forms []string) {
	key, _ := ngram.Key(word)
	e := t.rows[key]
	if e == nil {
		return
	}
	for _, form := range forms {
		if !ngram.Faint(fold.Text(form)) {
			t.addForm(form, e)
		}
	}
}

// addForm keeps that a word is a form of another: under its stem, or, when that is another's, as it is written.
func (t *table) addForm(form string, e *entry) {
	stem, ok := ngram.StemKey(form)
	key, _ := ngram.Key(form)
	switch {
	case !ok || t.rows[key] != nil || t.forms[key] != nil || t.settled[key]:
	case t.rows[stem] == nil && t.forms[stem] == nil:
		t.forms[stem], t.settled[key] = e, true
	case t.rows[stem] != e && t.forms[stem] != e:
		t.forms[key] = e
	default:
		t.settled[key] = true // its stem leads there
	}
}

// addStems keeps the stems of the Hebrew words, so that forms are known that no rule makes. The shortest of the words
// that share a stem has it.
func (t *table) addStems() {
	var all []*entry
	for _, e := range t.rows {
		if e.hebrew && e.text != "" {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(len(a.text), len(b.text)), cmp.Compare(a.text, b.text))
	})
	for _, e := range all {
		if stem, ok := ngram.StemKey(e.text); ok && t.rows[stem] == nil && t.forms[stem] == nil {
			t.forms[stem] = e
		}
	}
}

// addExpressions adds expressions of English that are said of everyday matters: what their words mean, and the words
// that are said of the same.
func (t *table) addExpressions(s *space, matters []matter) {
	for _, m := range matters {
		for _, d := range m.lines {
			for _, expression := range slices.Sorted(maps.Keys(d.english)) {
				key, ok := ngram.Key(expression)
				if !ok || t.rows[key] != nil || len(strings.Fields(expression)) < 2 {
					continue
				}
				sum, weight := s.meaning(expression)
				if sum == nil || weight < leastSaid {
					continue
				}
				for _, e := range t.entriesOf(d) {
					add(sum, unit(slices.Clone(e.sum)), 1/float64(len(d.english)))
				}
				t.rows[key] = &entry{sum: sum, weight: weight}
				t.english++
			}
		}
	}
}

// How far words are drawn to the middle of what is said of one thing, and to that of the matter.
const sameThing, sameMatter = 1, 0.2

// gather draws the words that are said of a matter together.
func (t *table) gather(matters []matter) {
	pulls := make(map[*entry][]float64)
	pull := func(e *entry, x []float64, factor float64) {
		if pulls[e] == nil {
			pulls[e] = make([]float64, meanings.Dimensions)
		}
		add(pulls[e], x, factor)
	}
	for _, e := range t.rows {
		unit(e.sum)
	}
	for _, m := range matters {
		whole, members := make([]float64, meanings.Dimensions), make(map[*entry]bool)
		for _, d := range m.lines {
			middle := make([]float64, meanings.Dimensions)
			said := t.entriesOf(d)
			for _, e := range said {
				add(middle, e.sum, 1)
				members[e] = true
			}
			unit(middle)
			for _, e := range said {
				pull(e, middle, sameThing)
			}
			add(whole, middle, 1)
		}
		unit(whole)
		if m.mixed {
			continue
		}
		for e := range members {
			pull(e, whole, sameMatter)
		}
	}
	for e, x := range pulls {
		add(e.sum, x, 1/math.Max(1, math.Sqrt(dot(x, x))))
		unit(e.sum)
	}
}

func (t *table) entriesOf(d document) []*entry {
	var all []*entry
	for _, side := range []map[string]float64{d.english, d.hebrew} {
		for _, expression := range slices.Sorted(maps.Keys(side)) {
			if key, ok := ngram.Key(expression); ok && side[expression] > within {
				if e := cmp.Or(t.rows[key], t.forms[key]); e != nil && !slices.Contains(all, e) {
					all = append(all, e)
				}
			}
		}
	}
	return all
}

// encode writes the table in the form that the package meanings reads.
func (t *table) encode() []byte {
	own := slices.Sorted(maps.Keys(t.rows))
	place := make(map[*entry]int, len(own))
	all := make([]*entry, len(own))
	for i, key := range own {
		all[i] = t.rows[key]
		place[all[i]] = i
		unit(all[i].sum)
	}
	forms := slices.Sorted(maps.Keys(t.forms))
	out := meanings.Head(len(own), len(forms))
	for _, key := range slices.Concat(own, forms) {
		out = binary.LittleEndian.AppendUint32(out, key)
	}
	for _, key := range forms {
		out = binary.LittleEndian.AppendUint16(out, uint16(place[t.forms[key]]))
	}
	related := relate(all)
	said := make([]bool, len(all)) // for another word
	for i, e := range all {
		out = append(out, byte(math.Round(e.weight*meanings.MostWeight)))
		for _, x := range e.sum {
			out = append(out, byte(int8(max(-127, min(127, math.Round(x*meanings.Length))))))
		}
		out = append(out, byte(len(related[i])))
		for _, r := range related[i] {
			said[r.place] = true
		}
	}
	var tails, starts []byte
	for i, e := range all {
		from := len(tails)
		if i%meanings.TailsTogether == 0 {
			starts = binary.LittleEndian.AppendUint32(starts, uint32(from))
		}
		for _, r := range related[i] {
			tails = binary.LittleEndian.AppendUint16(tails, uint16(r.place))
			tails = append(tails, byte(math.Round(r.likeness*meanings.MostWeight)))
		}
		if said[i] {
			tails = append(tails, e.text...)
		}
		out = append(out, byte(len(tails)-from)) // a tail is short: MostRelated words and a text
	}
	return slices.Concat(out, starts, tails)
}
