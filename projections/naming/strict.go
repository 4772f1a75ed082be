package naming

// unsure reports, of an alignment in which every word is explained, whether it is not certain enough for what cannot
// be undone.
func (q *Query) unsure(a *alignment) bool {
	for _, p := range a.pairs {
		if p.level != equal {
			return true
		}
	}
	for j, w := range a.name {
		if a.by[j] < 0 && (w.negation || w.reversal) || a.by[j] >= 0 && a.headless(j) {
			return true
		}
	}
	return false
}

// headless reports whether a word that was said is part of a compound whose head was not: in English the head is last,
// in Hebrew first. A Hebrew infinitive at the beginning is no head.
func (a *alignment) headless(j int) bool {
	if isHebrew(a.name[j].text) {
		return a.unsaidBefore(j) && isHebrew(a.name[j-1].text) && !(j == 1 && isInfinitive(a.name[0].text))
	}
	return a.unsaidBehind(j)
}
