package memo

import (
	"crypto/sha256"
	"encoding/base64"
	"math/big"
	"slices"
	"strings"
)

// maxPair is how many bytes a pair or an identity has at most; what is longer is kept as its hash.
const maxPair = 96

// Pairs are the entries of metadata by which filters find it, sorted, each once: the path of each scalar and its value.
// A memory has what a filter asks for exactly when the filter's pairs are among the memory's; so the same function
// serves both. What is no JSON object has none.
//
// Texts are the same when they are, character by character; numbers when their values are, exactly, however large or
// however written: 1, 1.0 and 10e-1. A list's values have the list's path, wherever they stand in it, so a filter's
// list asks for each of its values, and the entries of an object in a list may be found in different objects of the
// memory's list. That something is an object or a list is an entry too, by which {} and [] ask for any. null is a value
// like others: it does not ask for what is missing.
//
// A pair is the keys of the path as JSON texts, joined by points, [] for a list, then = and the value; of more than 96
// bytes it is a tilde and a hash. So they are valid UTF-8, without control characters.
func Pairs(metadata string) []string { return pairsOf(read(metadata), false) }

// pairsOf returns the pairs of an object. Unchecked metadata may have very many, so when counting it ends behind
// MaxPairs.
func pairsOf(n node, counting bool) []string {
	w := pairWriter{seen: make(map[string]struct{})}
	if counting {
		w.most = MaxPairs
	}
	w.object(n)
	slices.Sort(w.pairs)
	return w.pairs
}

type pairWriter struct {
	path  []byte
	seen  map[string]struct{}
	pairs []string
	// most is after how many there is no need to go on; 0 for all.
	most int
}

func (w *pairWriter) object(n node) {
	for i, key := range n.keys {
		before := len(w.path)
		if before > 0 {
			w.path = append(w.path, '.')
		}
		w.path = appendText(w.path, key)
		w.value(n.items[i])
		w.path = w.path[:before]
	}
}

func (w *pairWriter) value(n node) {
	if w.most > 0 && len(w.pairs) > w.most {
		return
	}
	switch n.form {
	case object:
		w.add("{}")
		w.object(n)
	case list:
		w.add("[]")
		before := len(w.path)
		w.path = append(w.path, "[]"...)
		for _, item := range n.items {
			w.value(item)
		}
		w.path = w.path[:before]
	case number:
		w.add(numeral(n.text))
	default:
		w.add(canonical(n))
	}
}

func (w *pairWriter) add(value string) {
	pair := bounded(string(w.path) + "=" + value)
	if _, found := w.seen[pair]; !found {
		w.seen[pair] = struct{}{}
		w.pairs = append(w.pairs, pair)
	}
}

// bounded keeps an entry short: a long one is a tilde, with which no other begins, and 128 bits of SHA-256.
func bounded(entry string) string {
	if len(entry) <= maxPair {
		return entry
	}
	sum := sha256.Sum256([]byte(entry))
	return "~" + base64.RawURLEncoding.EncodeToString(sum[:16])
}

// numeral is the one form of all ways to write a number: its digits without zeros at the ends, and the power of ten
// they are multiplied by. It is exact, and takes as much time and room for 1e999999999 as for 1.
func numeral(written string) string {
	digits, exponent, _ := strings.Cut(strings.ToLower(written), "e")
	digits, negative := strings.CutPrefix(digits, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	digits = strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	power := new(big.Int)
	if exponent != "" {
		power.SetString(exponent, 10)
	}
	significant := strings.TrimRight(digits, "0")
	power.Add(power, big.NewInt(int64(len(digits)-len(significant)-len(fraction))))
	sign := ""
	if negative {
		sign = "-"
	}
	return sign + significant + "e" + power.String()
}
