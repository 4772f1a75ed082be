package naming

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// pair says that a word of a name explains one of the text.
type pair struct {
	said, there int
	level       level
	tag         tag
	// both is what the prefixes say that were taken off: of the word of the text, and of that of the name.
	saidRelation, thereRelation relation
}

// alignment is which words of a name explain which of a text.
type alignment struct {
	name []word
	// pairs are in no order; by has the index in pairs of each word of the name, or -1.
	pairs []pair
	by    []int
	// explained has the level of each word of the text, levels where nothing explains it.
	explained []level
	// unexplained counts the words that must be explained and are not; shared those that must be and are, by letters.
	unexplained, shared int
	worst               level
	// whole: every word of the name explains one.
	whole bool
}

// Limits of looking for typing mistakes and beginnings of words, which compares words two by two.
const (
	maxUnexplained = 8
	maxCompared    = 64
	leastMistaken  = 5
	leastBeginning = 4
	longestWord    = 32
)

// aligner holds what aligning needs for one name after another.
type aligner struct {
	q     *Query
	raw   []raw
	words []word
	pairs []pair
	a     alignment
}

// read returns the words of a folded name as they are compared with those of the text, until the next call.
func (al *aligner) read(key string) []word {
	al.raw = split(key, al.raw[:0])
	al.words = classify(al.raw, al.q.kind, al.words[:0])
	if al.q.pictured {
		return append(pictures(key), al.words...)
	}
	return al.words
}

// align explains the words of the text by words of a name, each by another, the surest first; of two equal ones the
// earlier, or with last the later.
func (al *aligner) align(name []word, last bool) *alignment {
	q, a := al.q, &al.a
	a.name, a.pairs = name, a.pairs[:0]
	a.by = reset(a.by, len(name), -1)
	a.explained = reset(a.explained, len(q.words), levels)
	al.pairs = al.pairs[:0]
	for i := range name {
		al.lookUp(i)
	}
	slices.SortStableFunc(al.pairs, func(x, y pair) int {
		if x.level != y.level {
			return int(x.level) - int(y.level)
		}
		if x.said != y.said || !last {
			return x.said - y.said
		}
		return y.there - x.there
	})
	for _, p := range al.pairs {
		if p.level < action {
			al.take(p)
		}
	}
	al.takeTwoAsOne()
	for _, p := range al.pairs {
		if p.level >= action {
			al.take(p)
		}
	}
	al.unlike()
	al.count()
	return a
}

func reset[T any](list []T, n int, value T) []T {
	list = slices.Grow(list[:0], n)[:n]
	for i := range list {
		list[i] = value
	}
	return list
}

// lookUp finds which words of the text a word of the name explains.
func (al *aligner) lookUp(i int) {
	w := al.a.name[i]
	var room [maxBases]base
	for _, b := range bases(w.text, &room) {
		for _, s := range al.q.surfaces.known[b.text] {
			if !al.fits(i, s.tag) {
				continue
			}
			p := pair{said: s.said, there: i, level: s.level, tag: s.tag}
			if w.text != al.q.words[s.said].text {
				p.saidRelation, p.thereRelation = s.relation, b.relation
			}
			al.pairs = append(al.pairs, p)
		}
	}
	if i == 0 && len(al.q.surfaces.roots) > 0 {
		for _, b := range bases(w.text, &room) {
			for _, s := range al.q.surfaces.roots[root(b.text)] {
				if isInfinitive(w.text) != isInfinitive(al.q.words[s.said].text) {
					al.pairs = append(al.pairs, pair{said: s.said, there: i, level: action, tag: s.tag})
				}
			}
		}
	}
}

// fits reports whether what a form asks of the word of the name holds.
func (al *aligner) fits(i int, t tag) bool {
	name := al.a.name
	return (t&beforeNoun == 0 || i+1 < len(name) && name[i+1].direct) && (t&firstWord == 0 || i == 0)
}

// take notes an explanation when both words are free.
func (al *aligner) take(p pair) {
	a := &al.a
	if a.by[p.there] >= 0 || a.explained[p.said] != levels ||
		p.tag&joined != 0 && a.explained[p.said+1] != levels {
		return
	}
	a.by[p.there] = len(a.pairs)
	a.pairs = append(a.pairs, p)
	a.explained[p.said] = p.level
	if p.tag&joined != 0 {
		a.explained[p.said+1] = p.level
	}
}

// takeTwoAsOne explains a word of the text by two of the name that are written apart.
func (al *aligner) takeTwoAsOne() {
	a := &al.a
	for i, w := range al.q.words {
		if a.explained[i] != levels {
			continue
		}
		for j := 0; j+1 < len(a.name); j++ {
			first, second := a.name[j].text, a.name[j+1].text
			if a.by[j] < 0 && a.by[j+1] < 0 && a.name[j+1].direct && len(first)+len(second) == len(w.text) &&
				strings.HasPrefix(w.text, first) && strings.HasSuffix(w.text, second) {
				al.take(pair{said: i, there: j})
				a.by[j+1] = a.by[j]
				break
			}
		}
	}
}

// unlike explains what is left by words that are only like it, or mean something like it.
func (al *aligner) unlike() {
	a := &al.a
	left := 0
	for i := range a.explained {
		if a.explained[i] == levels {
			left++
		}
	}
	if left == 0 || left > maxUnexplained {
		return
	}
	for _, l := range []level{mistake, beginning, concept} {
		for i, w := range al.q.words {
			if a.explained[i] != levels || w.digits {
				continue
			}
			for j := range a.name[:min(len(a.name), maxCompared)] {
				if a.by[j] < 0 && likeAt(l, w, a.name[j].text) {
					al.take(pair{said: i, there: j, level: l})
					break
				}
			}
		}
	}
}

func likeAt(l level, w said, there string) bool {
	switch l {
	case mistake:
		return isMistake(w.letters, there)
	case beginning:
		short, long := w.text, there
		if len(short) > len(long) {
			short, long = long, short
		}
		return strings.HasPrefix(long, short) && utf8.RuneCountInString(short) >= leastBeginning
	default:
		if len(w.concepts) == 0 {
			return false
		}
		return slices.ContainsFunc(dictionary().conceptsOf(there),
			func(c uint16) bool { return slices.Contains(w.concepts, c) })
	}
}

// isMistake reports whether one letter left out, added, replaced or changed with its neighbour makes one word of the
// other.
func isMistake(a []rune, text string) bool {
	if len(a) < leastMistaken || len(a) > longestWord || len(text) > 4*(longestWord+1) {
		return false
	}
	var room [longestWord + 2]rune
	b := room[:0]
	for _, r := range text {
		if len(b) == len(room) {
			return false
		}
		b = append(b, r)
	}
	if len(b) < leastMistaken || len(a)-len(b) > 1 || len(b)-len(a) > 1 {
		return false
	}
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	restA, restB := a[start:len(a)-end], b[start:len(b)-end]
	switch {
	case len(restA) == 2 && len(restB) == 2:
		return restA[0] == restB[1] && restA[1] == restB[0]
	default:
		return len(restA) <= 1 && len(restB) <= 1
	}
}

// count sums up what the words that must be explained come to.
func (al *aligner) count() {
	q, a := al.q, &al.a
	a.unexplained, a.shared, a.worst = 0, 0, equal
	a.whole = true
	for j, w := range a.name {
		if a.by[j] < 0 && w.role != handle {
			a.whole = false
			break
		}
	}
	for i, w := range q.words {
		l := a.explained[i]
		switch {
		case l == levels && (w.excused == handle || w.excused == category && a.whole):
		case l == levels:
			a.unexplained++
		default:
			a.worst = max(a.worst, l)
			if w.excused == content && l <= beginning {
				a.shared += len(w.text)
			}
		}
	}
}

// repeats reports whether a word of the text has more than one to explain it as well.
func (al *aligner) repeats() bool {
	for i := 1; i < len(al.pairs); i++ {
		if before, p := al.pairs[i-1], al.pairs[i]; p.said == before.said && p.level == before.level {
			return true
		}
	}
	return false
}

// explains reports whether nothing is left unexplained.
func (a *alignment) explains() bool { return a.unexplained == 0 && a.shared > 0 }

// named reports whether every word is explained by the same word or a form of it.
func (a *alignment) named() bool {
	return a.explains() && (a.worst <= form || a.worst == action && len(a.pairs) > 1)
}
