package words

import (
	"strings"
	"unicode/utf8"
)

const (
	// letterSize is how many bytes a Hebrew letter has.
	letterSize = 2
	// maxStems is how many ways a word is taken apart at most, and longestStemmed how many letters it has.
	maxStems       = 5
	longestStemmed = 20
	// minStem is how many letters are left of a word at least; two are enough after the prefixes in shortPrefixes, which
	// begin few other words of three letters.
	minStem       = 3
	shortPrefixes = "הלבו"
)

// stem is what is left of a word when a prefix is taken off.
type stem struct {
	text string
	// off is how many letters were taken off.
	off int
	// short says that only two letters are left, so that it may be no word at all.
	short bool
}

// stems returns what a Hebrew word may be without its one-letter prefixes, the longest first: ו (and), then ש, כש, מש
// or לכש (that, when), then one of ב כ ל מ (in, as, to, from), then ה (the); each may be missing. So ושבבית gives
// שבבית, בבית and בית; and משולחן, which may be read in two ways, שולחן and ולחן.
func stems(word string) []stem {
	letters := len(word) / letterSize
	if letters < minStem || letters > longestStemmed {
		return nil
	}
	// reached has a bit for each number of letters that can be prefixes.
	reached := uint(1)
	for _, slot := range [...][]string{{"ו"}, {"ש", "כש", "מש", "לכש"}, {"ב", "כ", "ל", "מ"}, {"ה"}} {
		before := reached
		for off := range letters {
			if before&(1<<off) == 0 {
				continue
			}
			for _, prefix := range slot {
				if strings.HasPrefix(word[off*letterSize:], prefix) {
					reached |= 1 << (off + len(prefix)/letterSize)
				}
			}
		}
	}
	var all []stem
	for off := 1; off < letters && len(all) < maxStems; off++ {
		s := stem{text: word[off*letterSize:], off: off, short: letters-off < minStem}
		if reached&(1<<off) == 0 || letters-off < minStem-1 ||
			s.short && strings.Trim(word[:off*letterSize], shortPrefixes) != "" {
			continue
		}
		all = append(all, s)
	}
	return all
}

// endings returns forms of a Hebrew word with another ending: of the construct state (סיסמה, סיסמת) and of the plural
// (ספרים, ספר; רשימות, רשימה).
func endings(word string) []string {
	if utf8.RuneCountInString(word) < 4 {
		return nil
	}
	cut := func(n int) string { return word[:len(word)-n*letterSize] }
	switch {
	case strings.HasSuffix(word, "ות"):
		return []string{cut(2), cut(2) + "ה", cut(2) + "ת"}
	case strings.HasSuffix(word, "ימ"): // the key of ים
		return []string{cut(2), cut(2) + "ה"}
	case strings.HasSuffix(word, "ה"):
		return []string{cut(1) + "ת", cut(1) + "ות"}
	case strings.HasSuffix(word, "ת"):
		return []string{cut(1) + "ה"}
	}
	return nil
}

// isHebrew reports whether a word has Hebrew letters only.
func isHebrew(word string) bool {
	for _, r := range word {
		if r < 'א' || r > 'ת' {
			return false
		}
	}
	return word != ""
}
