package naming

import "unicode/utf8"

// contradicted reports whether something speaks against an alignment in which every word is explained: it is the same
// words, and another thing.
func (q *Query) contradicted(a *alignment) bool {
	return q.elsewhere(a) || q.negated(a) || q.anothers(a) || a.ofPossessor() || a.ofHonorific() || a.ofDesignated() ||
		q.otherNumber(a) || q.otherSort(a) || a.halfSaid()
}

// relations are what prepositions and prefixes say of the two words of a pair.
func (q *Query) relations(a *alignment, p pair) (said, there relation) {
	return q.words[p.said].relation | p.saidRelation, a.name[p.there].relation | p.thereRelation
}

// elsewhere: "from" against "to" before the same word, or two words that changed places.
func (q *Query) elsewhere(a *alignment) bool {
	var lost, won relation
	for _, p := range a.pairs {
		said, there := q.relations(a, p)
		if opposed(said, there) {
			return true
		}
		lost |= said &^ there
		won |= there &^ said
	}
	return lost&won&directed != 0
}

// negated: the name says that it is not to be done. Of what is known, "not" is a part like others.
func (q *Query) negated(a *alignment) bool {
	if q.kind == Memory || q.kind == Entity || q.kind == Email {
		return false
	}
	for j, w := range a.name {
		if w.negation && a.by[j] < 0 {
			return true
		}
	}
	return false
}

// anothers: "my passport" against "Dan's passport", or "her passport".
func (q *Query) anothers(a *alignment) bool {
	for _, p := range a.pairs {
		said, there := q.words[p.said].owner, a.name[p.there]
		if said != nobody && (there.possessed || there.owner != nobody && there.owner != said) {
			return true
		}
	}
	return false
}

// ofPossessor: only whose it is was said, "Ruben" for "Ruben's carpet".
func (a *alignment) ofPossessor() bool {
	for j, w := range a.name {
		if !w.possessor || a.by[j] < 0 {
			continue
		}
		step := 1
		if isHebrew(w.text) {
			step = -1 // what is somebody's stands before של
		}
		unsaid, said := false, false
		for k := j + step; k >= 0 && k < len(a.name) && (step < 0 || a.name[k].direct); k += step {
			said = said || a.by[k] >= 0
			unsaid = unsaid || a.by[k] < 0 && a.name[k].role != handle
			if step < 0 && !a.name[k].direct {
				break
			}
		}
		if unsaid && !said {
			return true
		}
	}
	return false
}

// ofHonorific: an honorific without any of its name.
func (a *alignment) ofHonorific() bool {
	for j, w := range a.name {
		if !w.honor || a.by[j] < 0 || !a.unsaidBehind(j) {
			continue
		}
		said := false
		for k := j + 1; k < len(a.name) && a.name[k].direct; k++ {
			said = said || a.by[k] >= 0
		}
		if !said {
			return true
		}
	}
	return false
}

// ofDesignated: "vitamin" for "Vitamin D".
func (a *alignment) ofDesignated() bool {
	for j := range a.name {
		if a.by[j] >= 0 && a.unsaidBehind(j) && utf8.RuneCountInString(a.name[j+1].text) == 1 &&
			!hasDigit(a.name[j+1].text) {
			return true
		}
	}
	return false
}

// unsaidBehind reports whether a word of the name is directly followed by one that the text has not.
func (a *alignment) unsaidBehind(j int) bool {
	return j+1 < len(a.name) && a.name[j+1].direct && a.by[j+1] < 0 && a.name[j+1].role != handle
}

// unsaidBefore reports whether a word of the name stands directly behind one that the text has not.
func (a *alignment) unsaidBefore(j int) bool {
	return j > 0 && a.name[j].direct && a.by[j-1] < 0
}

// otherNumber: the plural of what only qualifies another noun, "cars" for "Car insurance", or a noun's s against a
// verb's behind "to".
func (q *Query) otherNumber(a *alignment) bool {
	for _, p := range a.pairs {
		if p.level != form || p.tag&(saidPlural|singular) == 0 {
			continue
		}
		there := a.name[p.there]
		if q.words[p.said].infinitive != there.infinitive && !isHebrew(there.text) {
			return true
		}
		if p.tag&saidPlural == 0 || there.possessor { // "mayas" is Maya's
			continue
		}
		if isHebrew(there.text) {
			if p.there > 0 && there.direct && !(p.there == 1 && isInfinitive(a.name[0].text)) {
				return true
			}
		} else if p.there+1 < len(a.name) && a.name[p.there+1].direct && a.name[p.there+1].role != handle {
			return true
		}
	}
	return false
}

// otherSort: "cover letter" against "Cover note", where each is a word for the kind of thing.
func (q *Query) otherSort(a *alignment) bool {
	for i, w := range q.words {
		if w.role != handle || a.explained[i] != levels {
			continue
		}
		for j, there := range a.name {
			if there.role == handle && a.by[j] < 0 {
				return true
			}
		}
	}
	return false
}

// halfSaid: one word of an expression of two.
func (a *alignment) halfSaid() bool {
	for j := 1; j < len(a.name); j++ {
		if a.name[j].direct && (a.by[j-1] < 0) != (a.by[j] < 0) &&
			dictionary().isExpression(a.name[j-1].text, a.name[j].text) {
			return true
		}
	}
	return false
}
