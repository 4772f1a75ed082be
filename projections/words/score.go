package words

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/graph/model"
)

// Match returns, for each term of the query, the weight of the best form that the entries have; 0 for none. Entries are
// those of one memory, as Entries returns them. A form that names a beginning is worth its weight times the share of
// the word that it names, in characters. Weights outside 0–1 count as the nearer end.
func Match(query model.SearchWords, entries []string) []float64 {
	best := make([]float64, len(query.Terms))
	var beginnings sieve
	beginnings.fill(entries)
	for i := range query.Terms {
		for _, form := range query.Terms[i].Forms {
			if weight := min(form.Weight, 1); weight > best[i] && beginnings.mayHave(form) {
				best[i] = max(best[i], weight*share(form, entries))
			}
		}
	}
	return best
}

// sieve rules out quickly most terms as which no entry begins. Its bits are hashes of three bytes near an entry's
// beginning: the mark and the bytes that tell the first two letters apart, in ASCII and in Hebrew.
type sieve struct {
	bits [4]uint64
	off  bool
}

// mostSieved is how many entries are worth a sieve; of more, too many bits would be set.
const mostSieved = 100

func (s *sieve) fill(entries []string) {
	if s.off = len(entries) > mostSieved; s.off {
		return
	}
	for _, entry := range entries {
		at := hash(entry)
		s.bits[at>>6] |= 1 << (at & 63)
	}
}

func (s *sieve) mayHave(form model.TermForm) bool {
	if s.off || form.Prefix && len(form.Term) < hashed {
		return true
	}
	at := hash(form.Term)
	return s.bits[at>>6]&(1<<(at&63)) != 0
}

// hashed is how many bytes of a term hash looks at.
const hashed = 5

func hash(term string) uint8 {
	switch {
	case len(term) >= hashed:
		return term[0] ^ term[2]*7 ^ term[4]*29
	case len(term) > 2:
		return term[0] ^ term[2]*7
	case term != "":
		return term[0]
	}
	return 0
}

// share is how much of an entry the form names: 1 for the entry itself, 0 when there is none.
func share(form model.TermForm, entries []string) float64 {
	at, found := slices.BinarySearch(entries, form.Term)
	if !form.Prefix {
		if found {
			return 1
		}
		return 0
	}
	shortest := 0
	for _, entry := range entries[at:] {
		if !strings.HasPrefix(entry, form.Term) {
			break
		}
		if n := utf8.RuneCountInString(entry) - 1; shortest == 0 || n < shortest { // without its mark
			shortest = n
		}
	}
	if shortest <= 0 {
		return 0
	}
	return float64(utf8.RuneCountInString(form.Term)-1) / float64(shortest)
}

// Score is how much of the query a memory covers, 0–1: the mean of what Match gave, in which each term counts by how
// rare it is. found counts, for each term, the index rows that any of its forms finds, at most Common; best is what
// Match gave.
//
// A term counts log₂(1 + Common/found): ten times as much when one row has it as when it is common. A term that is
// found nowhere counts like one of middling rarity, for nothing is known of it; it lowers the score, because that much
// of the query is not there. The score is 1 when every term was found as it was asked for, grows with each of best, and
// is 0 when there is nothing to cover. Counts that are missing are taken as 0, and those out of range as the nearest
// that is in it.
func Score(query model.SearchWords, found []int, best []float64) float64 {
	var covered, all float64
	for i := range query.Terms {
		rarity := unknownRarity
		if i < len(found) && found[i] > 0 {
			rarity = math.Log2(1 + Common/float64(min(found[i], Common)))
		}
		all += rarity
		if i < len(best) && best[i] > 0 { // not for NaN
			covered += rarity * min(best[i], 1)
		}
	}
	if all == 0 {
		return 0
	}
	return min(covered/all, 1)
}

// unknownRarity is the rarity of a term with √Common rows.
const unknownRarity = 5.028
