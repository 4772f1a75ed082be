package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/graphtext"
)

const (
	// maxNames is how many possible names of a part are looked up; the store takes as many at once.
	maxNames = 2 * model.MaxFactsAtOnce
	// maxNameWords is how many words a name has that is looked for.
	maxNameWords = 4
)

// namesIn returns the keys (graphtext.Name) of what may be names in a text: runs of up to four words between points and
// the like, which begin and end with a word that is no plain lower-case one, shorter runs first, each once, at most
// maxNames. Hebrew has no capitals, so each of its words may be a name, also without the one-letter words that are
// written together with it.
func namesIn(text string) []string {
	words := wordsOf(text)
	seen := make(map[string]struct{}, len(words))
	var keys []string
	add := func(name string) {
		key := graphtext.Name(name)
		if _, known := seen[key]; known || utf8.RuneCountInString(key) < 2 || len(keys) == maxNames {
			return
		}
		seen[key] = struct{}{}
		keys = append(keys, key)
	}
	for n := 1; n <= maxNameWords && len(keys) < maxNames; n++ {
		for i := 0; i+n <= len(words) && len(keys) < maxNames; i++ {
			run := words[i : i+n]
			if !run[0].namely || !run[n-1].namely || broken(run) {
				continue
			}
			texts := make([]string, n)
			for k, w := range run {
				texts[k] = w.text
			}
			add(strings.Join(texts, " "))
			for _, bare := range withoutPrefixes(texts[0]) {
				texts[0] = bare
				add(strings.Join(texts, " "))
			}
		}
	}
	return keys
}

// word is one of a text. Ends says that the run of words ends with it.
type word struct {
	text         string
	namely, ends bool
}

// maxNameWord is how long a word may be that is part of a name, in bytes.
const maxNameWord = 4 * model.MaxEntityName

// wordsOf splits a text at white space, and notes where points part it.
func wordsOf(text string) []word {
	var words []word
	for _, field := range strings.Fields(text) {
		inner := strings.TrimFunc(field, isAround)
		if inner == "" || len(inner) > maxNameWord {
			if len(words) > 0 {
				words[len(words)-1].ends = true
			}
			continue
		}
		if at := strings.Index(field, inner); at > 0 && len(words) > 0 {
			words[len(words)-1].ends = true
		}
		ends := !strings.HasSuffix(field, inner)
		if own := strings.TrimSuffix(strings.TrimSuffix(inner, "'s"), "’s"); own != inner && own != "" {
			words = append(words, word{text: own, namely: isNamely(own), ends: true})
			continue
		}
		words = append(words, word{text: inner, namely: isNamely(inner), ends: ends})
	}
	return words
}

// isAround reports whether a character at the end of a word is not part of it. A geresh at the end may be.
func isAround(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '׳'
}

// isNamely reports whether a word may begin or end a name: it begins with a capital, or with something that has none.
func isNamely(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return !unicode.IsLower(r) || unicode.ToUpper(r) == r
}

func broken(run []word) bool {
	for _, w := range run[:len(run)-1] {
		if w.ends {
			return true
		}
	}
	return false
}

// hebrewPrefixes are the one-letter words that Hebrew writes together with the next one.
const hebrewPrefixes = "ובהלמכש"

// withoutPrefixes returns a Hebrew word without the one or two letters before it that may be words of their own, and a
// hyphen behind them.
func withoutPrefixes(text string) []string {
	letters := []rune(text)
	var all []string
	for n := 1; n <= 2 && len(letters)-n >= 2; n++ {
		if !strings.ContainsRune(hebrewPrefixes, letters[n-1]) {
			break
		}
		all = append(all, strings.TrimLeft(string(letters[n:]), "-־"))
	}
	return all
}
