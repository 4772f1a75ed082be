package ngram

import "unicode/utf8"

// leastSlipped is how many letters a word has at least that may be meant by another, twiceSlipped how many one with two
// slips has, and slipped what such a word is worth beside the word itself.
const leastSlipped, twiceSlipped, slipped = 5, 8, 0.85

// isSlip reports whether two words are the same but for a slip of the finger: a letter too many, too few or another, or
// two neighbours in the other order; of long words two of these. They begin with the same letter.
func isSlip(a, b string) bool {
	if a == "" || b == "" || a[0] != b[0] || a == b {
		return false
	}
	if len(a)-len(b) > 4 || len(b)-len(a) > 4 {
		return false
	}
	var x, y [maxWord]rune
	n, m := runesOf(a, &x), runesOf(b, &y)
	if x[0] != y[0] || min(n, m) < leastSlipped-1 || max(n, m) < leastSlipped {
		return false
	}
	most := 1
	if min(n, m) >= twiceSlipped {
		most = 2
	}
	return apart(x[:n], y[:m], most) <= most
}

func runesOf(word string, into *[maxWord]rune) int {
	n := 0
	for word != "" && n < maxWord {
		r, size := utf8.DecodeRuneInString(word)
		into[n], word = r, word[size:]
		n++
	}
	return n
}

// apart is how many slips are between two words, and more than most when there are more (optimal string alignment).
func apart(a, b []rune, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	var rows [3][maxWord + 1]int
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		row, before, first := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(before[j]+1, row[j-1]+1, before[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] { //nolint:gosec // both are at least 2
				row[j] = min(row[j], first[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
	}
	return rows[len(a)%3][len(b)]
}
