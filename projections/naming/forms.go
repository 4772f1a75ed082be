package naming

// level is how a word of a name explains one of the text. Up to action it is the same word, so that it may be acted on;
// the others only make a candidate of a question.
type level uint8

const (
	equal     level = iota // the same, or without Hebrew prefixes
	form                   // another number or spelling, or an abbreviation
	action                 // a verb and what it does
	mistake                // one typing mistake
	beginning              // the beginning of the word
	concept                // another word for it
	levels
)

// tag is what must hold for a form to explain.
type tag uint8

const (
	// saidPlural: the text has the plural and the name the singular; singular: the other way round.
	saidPlural tag = 1 << iota
	singular
	// beforeNoun: the name's word must stand directly before another.
	beforeNoun
	// firstWord: the name's word must be its first.
	firstWord
	// joined: the name's one word is two of the text.
	joined
)

// surface is what a word of a name may look like that explains a word of the text.
type surface struct {
	said  int
	level level
	tag   tag
	// off is how many prefix letters were taken off the word of the text, and relation what they say.
	off      int
	relation relation
}

// maxSurfaces is how many words of a text one word of a name may explain; a text that repeats itself needs no more.
const maxSurfaces = 4

// surfaces are all that words of names may look like, without prefixes, to explain one of the text.
type surfaces struct {
	known map[string][]surface
	roots map[string][]surface
}

func (s *surfaces) add(form string, one surface) { addTo(s.known, form, one) }

func addTo(all map[string][]surface, form string, one surface) {
	list := all[form]
	for i, have := range list {
		if have.said == one.said {
			if have.level > one.level {
				list[i] = one
			}
			return
		}
	}
	if len(list) < maxSurfaces {
		all[form] = append(list, one)
	}
}

// surfacesOf makes ready what may explain the words of a text.
func surfacesOf(said []word) surfaces {
	s := surfaces{known: make(map[string][]surface, 16*len(said)), roots: make(map[string][]surface)}
	for i, w := range said {
		var room [maxBases]base
		for _, b := range bases(w.text, &room) {
			s.add(b.text, surface{said: i, level: equal, off: b.off, relation: b.relation})
		}
	}
	for i, w := range said {
		if hasDigit(w.text) {
			continue
		}
		s.forms(i, w, i+1 < len(said) && said[i+1].direct)
		if i+1 < len(said) && said[i+1].direct {
			s.add(w.text+said[i+1].text, surface{said: i, level: equal, tag: joined})
		}
	}
	return s
}

func (s *surfaces) forms(i int, w word, directlyBefore bool) {
	var room [maxBases]base
	for _, b := range bases(w.text, &room) {
		one := surface{said: i, level: form, off: b.off, relation: b.relation}
		tell := func(text string, l level, t tag) {
			one := one
			one.level, one.tag = l, t
			s.add(text, one)
		}
		for _, other := range writings[b.text] {
			tell(other, form, 0)
		}
		if isHebrew(b.text) {
			hebrewForms(b.text, directlyBefore, tell)
		} else {
			englishForms(b.text, func(text string, t tag) { tell(text, form, t) })
		}
	}
	if isHebrew(w.text) {
		for _, b := range bases(w.text, &room) {
			if r := root(b.text); r != "" && (b.off == 0 || !isInfinitive(w.text)) {
				addTo(s.roots, r, surface{said: i, level: action, tag: firstWord})
			}
		}
		return
	}
	if w.role == content {
		englishActions(w.text, func(text string) { s.add(text, surface{said: i, level: action, tag: firstWord}) })
	}
}
