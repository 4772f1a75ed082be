package naming

import (
	"strings"

	"almanac/projections/fold"
)

// Names reports whether the text names a thing of this name: it is equal to it, or each of its words is explained by
// one of the name.
func (q *Query) Names(name string) bool {
	if q.key == "" || !q.quick.maySay(name) {
		return false
	}
	key := q.fold(name)
	if key == q.key || key != "" && key == q.bare {
		return true
	}
	if q.isLong() {
		return false
	}
	j, ok := (&aligner{q: q}).judge(key, false)
	return ok && j.named
}

// Reads reports whether a name is worth showing to who reads by the text: it contains the text, or each word of the
// text is explained by one of the name, whatever speaks against acting on it.
func (q *Query) Reads(name string) bool {
	if q.key == "" || strings.Contains(fold.Text(name), q.key) {
		return true
	}
	return !q.isLong() && q.quick.maySay(name) && q.explainedBy(q.fold(name))
}

func (q *Query) explainedBy(key string) bool {
	al := aligner{q: q}
	return al.align(al.read(key), false).named()
}

// fold returns the key of a name. Of one that is far too long to be equal to the text, only the beginning counts: words
// that stand further back are no name.
func (q *Query) fold(name string) string {
	const most, shrinks = 400, 8 // characters; how much shorter a key may be than its text
	if len(name) > most && len(name) > shrinks*len(q.key) {
		if key := fold.Text(fold.Head(name, most)); key != q.key && key != q.bare {
			return key
		}
	}
	return fold.Text(name)
}
