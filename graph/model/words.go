package model

// SearchWords is a query by words: one term for each word or number of it. A memory is found by words when it has a
// form of any term.
type SearchWords struct {
	Terms []SearchTerm
}

// SearchTerm is one word of a query in the forms in which a text may have it.
type SearchTerm struct {
	// Word is what was asked for, folded, when that is one word; where none of the forms is found, those of words that
	// mean nearly the same are looked for.
	Word string
	// Forms are entries of the index, the best first.
	Forms []TermForm
}

// TermForm is one form of a word.
type TermForm struct {
	// Term is the entry, or what entries begin with when Prefix.
	Term   string
	Prefix bool
	// Weight is how much a match is worth, above 0 and at most 1.
	Weight float64
}
