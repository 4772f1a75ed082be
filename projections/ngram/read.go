package ngram

import (
	"strings"
	"unicode/utf8"

	"almanac/projections/ngram/meanings"
)

// What each family of features weighs, in thousandths of a word that is neither faint nor a repetition. They were found
// by raising and lowering one after the other on the half of the search set that is for it (bench/recall), each under
// three other hashes, so that they do not follow the chance of one.
//
// A word of the lexicon is mostly what it means; one that only the table of meanings has is that and its letters. Of
// any other word, the sound says the most, since it holds over vowels, endings, slips and the two scripts; its letters
// tell it from others that sound so.
const (
	weightConcept    = 700
	weightDomain     = 225
	weightKnownStem  = 120
	weightKnownParts = 120

	weightMeaning    = 700
	weightMeantStem  = 150
	weightMeantParts = 330

	weightStem       = 150
	weightParts      = 225
	weightSound      = 800
	weightShortSound = 420

	weightNumber      = 700
	weightTail        = 450
	weightDigitParts  = 210
	weightSmallNumber = 350
	weightYear        = 350
	weightDay         = 900

	weightLetter    = 350
	weightTwoLetter = 700

	// faint is the weight of a word that says little, weak the share of a concept that says little, slip that of a word
	// that may be meant.
	faint, weak, slip = 100, 500, 600
	// divided is the share of each of two readings of a word: 1/√2.
	divided = 707
)

// reader adds up the features of a text.
type reader struct {
	sum     sum
	lexicon *lexicon
	seen    seen
	// said are the words read, in order.
	said []said
	word letters
}

// said is a word that was read: the hash of its stem, and how much it counts.
type said struct {
	stem   uint64
	weight int64
	// word is the word, folded; empty for a number.
	word string
	// meant is the stem of the known word that this one may be a slip for; 0 for none.
	meant uint64
	// number is the number that it is, when it has one or two digits.
	number int
}

func (r *reader) read(text string) {
	for {
		p, rest, ok := scan(text)
		if !ok {
			break
		}
		text = rest
		switch p.kind {
		case number:
			r.number(p.text)
		case dense:
			r.dense(p.text)
		case hebrew:
			r.hebrew(clip(unquoted(p.text), maxWord))
		default:
			r.latin(clip(unquoted(strings.TrimSuffix(p.text, "'s")), maxWord))
		}
	}
	for rest := r.said; len(rest) > 0; {
		rest = rest[r.mean(rest):]
	}
	for i := range r.said {
		if month := r.lexicon.months[r.said[i].stem]; month > 0 {
			r.month(i, month)
		}
	}
}

// unquoted leaves the quotation marks out of a word.
func unquoted(word string) string {
	if strings.IndexByte(word, '\'') < 0 && strings.IndexByte(word, '"') < 0 {
		return word
	}
	return strings.Map(func(c rune) rune {
		if c == '\'' || c == '"' {
			return -1
		}
		return c
	}, word)
}

// latin adds a word of any alphabet but the Hebrew.
func (r *reader) latin(word string) {
	stem := familyStem.hash(stemLatin(word))
	weight := r.weigh(word, stem)
	if r.known(word, stem, weight) {
		return
	}
	r.sum.add(stem, weight*weightStem/1000)
	r.parts(word, weight*weightParts/1000)
	r.soundLatin(word, weight)
	r.said = append(r.said, said{stem: stem, word: word, weight: weight, meant: r.meant(word, weight)})
}

// hebrew adds a Hebrew word. What may be a prefix is one for sure when the rest is known; else both readings count.
func (r *reader) hebrew(word string) {
	base, other := r.lexicon.divide(word)
	stem := familyStem.hash(stemHebrew(base))
	weight := r.weigh(base, stem)
	if r.known(base, stem, weight) {
		return
	}
	meant := r.meant(base, weight)
	r.parts(base, weight*weightParts/1000)
	part := weight
	if other != "" {
		part = weight * divided / 1000
		r.sum.add(familyStem.hash(stemHebrew(other)), part*weightStem/1000)
		r.soundHebrew(other, part)
		if meant == 0 {
			meant = r.meant(other, weight)
		}
	}
	r.sum.add(stem, part*weightStem/1000)
	r.soundHebrew(base, part)
	r.said = append(r.said, said{stem: stem, word: base, weight: weight, meant: meant})
}

// known adds a word of the lexicon, and reports whether it is one. What it means comes later, with its neighbours.
func (r *reader) known(word string, stem uint64, weight int64) bool {
	if len(r.lexicon.concepts[stem]) == 0 {
		return r.meaningful(word, stem, weight)
	}
	r.sum.add(stem, weight*weightKnownStem/1000)
	r.parts(word, weight*weightKnownParts/1000)
	r.said = append(r.said, said{stem: stem, word: word, weight: weight})
	return true
}

// meaningful adds a word that only the table of meanings has, and reports whether it is one.
func (r *reader) meaningful(word string, stem uint64, weight int64) bool {
	if _, ok := meaningOf(word, stem); !ok {
		return false
	}
	r.sum.add(stem, weight*weightMeantStem/1000)
	r.parts(word, weight*weightMeantParts/1000)
	r.said = append(r.said, said{stem: stem, word: word, weight: weight})
	return true
}

// weigh is how much a word counts: little when it says little, and a half, a third … the next times.
func (r *reader) weigh(word string, stem uint64) int64 {
	weight := int64(1000)
	if r.lexicon.faint[word] {
		weight = faint
	}
	return weight / r.seen.times(stem)
}

// meant is the stem of the known word that an unknown one may be a slip for; 0 for none.
func (r *reader) meant(word string, weight int64) uint64 {
	if weight <= faint {
		return 0
	}
	return r.lexicon.near(word)
}

// mean adds what the longest expression that the words begin with means, and returns how many words it has; 1 when they
// mean nothing.
func (r *reader) mean(words []said) int {
	first := words[0]
	if len(words) > 1 {
		two := join(first.stem, words[1].stem)
		weight := max(first.weight, words[1].weight)
		if len(words) > 2 && r.expression(join(two, words[2].stem), "", words[:3], max(weight, words[2].weight)) {
			return 3
		}
		if r.expression(two, "", words[:2], weight) {
			return 2
		}
	}
	if !r.expression(first.stem, first.word, nil, first.weight) && first.meant != 0 {
		weight := first.weight * slip / 1000
		r.sum.add(first.meant, weight*weightKnownStem/1000)
		r.expression(first.meant, "", nil, weight)
	}
	return 1
}

// expression adds the concepts that an expression stands for and what it means, and reports whether it stands for
// anything; word is the word when it is a single one. What only its words mean is added of them.
func (r *reader) expression(stem uint64, word string, words []said, weight int64) bool {
	known := r.concepts(stem, weight)
	if m, ok := meaningOf(word, stem); ok {
		r.sum.mean(m, weight*m.Weight()/meanings.MostWeight*weightMeaning/1000)
		return true
	}
	if known {
		for _, word := range words {
			if m, ok := meaningOf(word.word, word.stem); ok {
				r.sum.mean(m, word.weight*m.Weight()/meanings.MostWeight*weightMeaning/1000)
			}
		}
	}
	return known
}

// concepts adds what an expression stands for, and reports whether it stands for anything. Several concepts share the
// weight.
func (r *reader) concepts(expression uint64, weight int64) bool {
	all := r.lexicon.concepts[expression]
	weight = weight * inverseRoot(len(all)) >> 10
	for _, c := range all {
		w := weight
		if c.weak {
			w = w * weak / 1000
		}
		r.sum.add(familyConcept.with(uint64(c.number)), w*weightConcept/1000)
		r.sum.add(familyDomain.with(uint64(c.domain)), w*weightDomain/1000)
	}
	return len(all) > 0
}

// month adds the day that a month and a number beside it make: 3 March, March 3, and the same with a word that says
// little between them.
func (r *reader) month(at, month int) {
	for _, i := range [...]int{at - 1, at + 1, at - 2} {
		if i < 0 || i >= len(r.said) || i == at-2 && r.said[at-1].weight > faint {
			continue
		}
		if day := r.said[i].number; day >= 1 && day <= 31 {
			r.day(day, month)
			return
		}
	}
}

// join is the hash of an expression, of those of its words.
func join(a, b uint64) uint64 { return mix(a) ^ b }

// dense adds a run of letters of a script without spaces: each letter and each two.
func (r *reader) dense(text string) {
	before := ""
	for i, c := range text {
		letter := text[i : i+utf8.RuneLen(c)]
		r.sum.add(familyStem.hash(letter), weightLetter)
		if before != "" {
			r.sum.add(familyStem.hash(before+letter), weightTwoLetter)
		}
		before = letter
	}
}
