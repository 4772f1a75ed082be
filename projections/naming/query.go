package naming

import (
	"unicode/utf8"

	"almanac/projections/fold"
)

// Query is a text made ready for being compared with many names. It may be used from several goroutines.
type Query struct {
	kind Kind
	// key is the folded text, and bare the same without a handle word before it; empty when there is none.
	key, bare string
	// words are those that must be explained, or may have to be.
	words []said
	// pictured: the text has no words, so that pictures are its words.
	pictured bool
	surfaces surfaces
	quick    filter
}

// said is a word of the text.
type said struct {
	word
	// excused words may stay unexplained when others are explained: handles, and categories where those others are the
	// whole name.
	excused  role
	letters  []rune
	digits   bool
	concepts []uint16
}

// New makes a text ready. A blank text names nothing.
func New(text string, kind Kind) *Query {
	q := &Query{kind: kind, key: fold.Text(text)}
	if q.key == "" {
		return q
	}
	all := split(q.key, nil)
	found := classify(all, kind, nil)
	if len(all) == 0 {
		found, q.pictured = pictures(q.key), true
	}
	q.bare = withoutHandle(q.key, kind)
	least := function // the role of the words that say most
	for _, w := range found {
		least = min(least, w.role)
	}
	if least == handle && hasRole(found, category) {
		least = category
	}
	for _, w := range found {
		one := said{word: w, digits: hasDigit(w.text)}
		if w.role != least {
			one.excused = w.role
		}
		if !one.digits {
			one.letters, one.concepts = []rune(w.text), dictionary().conceptsOf(w.text)
		}
		q.words = append(q.words, one)
	}
	q.surfaces = surfacesOf(found)
	q.quick = filterOf(q)
	return q
}

// MaySay reports whether a name may share a word with the text. It is quick; a candidate for which it says no need not
// be given to Decide.
func (q *Query) MaySay(name string) bool { return q.key != "" && q.quick.maySay(name) }

func hasRole(words []word, r role) bool {
	for _, w := range words {
		if w.role == r {
			return true
		}
	}
	return false
}

// withoutHandle cuts a handle word off the beginning of a folded text: "המשימה לקנות חלב" may be called "לקנות חלב".
func withoutHandle(key string, kind Kind) string {
	for i, r := range key {
		if r != ' ' {
			continue
		}
		if handles[kind][unpointed(key[:i])] {
			return key[i+1:]
		}
		return ""
	}
	return ""
}

// MaxQuery is how many characters of a text are compared word by word; a longer one names only what is equal to it.
const MaxQuery = 2_000

// isLong reports whether a text is too long to be compared word by word.
func (q *Query) isLong() bool {
	return len(q.words) >= maxWords || utf8.RuneCountInString(q.key) > MaxQuery
}
