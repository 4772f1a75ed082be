package ngram

import "strings"

// stemLatin takes from an English word, in ASCII, the endings that change how it is used and not what it names. It is
// meant to bring forms of one word together, not to give words of the language.
func stemLatin(w string) string {
	w = strings.TrimSuffix(w, "'s")
	n := len(w)
	switch {
	case n >= 5 && strings.HasSuffix(w, "ies"):
		w = w[:n-3] + "y"
	case n >= 5 && hasAnySuffix(w, "sses", "xes", "ches", "shes", "zes"):
		w = w[:n-2]
	case n >= 4 && w[n-1] == 's' && !hasAnySuffix(w, "ss", "us", "is"):
		w = w[:n-1]
	}
	n = len(w)
	switch {
	case n >= 6 && strings.HasSuffix(w, "ing") && hasVowel(w[:n-3]):
		w = single(w[:n-3])
	case n >= 5 && strings.HasSuffix(w, "ed") && hasVowel(w[:n-2]):
		w = single(w[:n-2])
	case n >= 6 && strings.HasSuffix(w, "ly"):
		w = w[:n-2]
	}
	if n = len(w); n >= 4 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	return w
}

// single takes one of two like consonants from the end, as of "stopp" and "planned".
func single(w string) string {
	if n := len(w); n >= 4 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

func hasVowel(w string) bool { return strings.ContainsAny(w, "aeiouy") }

func hasAnySuffix(w string, suffixes ...string) bool {
	for _, s := range suffixes {
		if strings.HasSuffix(w, s) {
			return true
		}
	}
	return false
}

// letter is the length of a Hebrew letter in bytes.
const letter = 2

// prefixes are the one-letter words that Hebrew writes at the beginning of the next word, alone and as they stack up:
// and, the, in, as, to, from, that. The longest come first.
var prefixes = []string{
	"ולכשה", "וכשה", "ולכש", "ושב", "ושה", "ושל", "ושמ", "וכש", "ומה", "ובה", "ולה", "מכש", "לכש", "שבה", "שלה", "שמה",
	"כשה",
	"וב", "וה", "וכ", "ול", "ומ", "וש", "כש", "מה", "שב", "שה", "של", "שמ", "שכ", "בה", "לה", "כה",
	"ב", "ה", "ו", "כ", "ל", "מ", "ש",
}

// prefixLetters are what prefixes begin with, and endingLetters what endings end with, to be quick about most words.
const prefixLetters, endingLetters = "ובהכלמש", "מהתיו"

// endings are those that Hebrew nouns and adjectives are bent with, folded, the longest first; each with the letters
// that must be left.
var endings = [...]struct {
	text string
	left int
}{
	{"ותיהמ", 2}, {"ותיו", 2}, {"ותיה", 2}, {"ותינו", 2}, {"יותי", 2}, {"יימ", 2}, {"יות", 2}, {"ותי", 2}, {"ימ", 2},
	{"ות", 2}, {"ית", 3}, {"יו", 3}, {"ה", 2}, {"ת", 3}, {"י", 3},
}

// stemHebrew takes the ending from a folded Hebrew word.
func stemHebrew(w string) string {
	if len(w) < letter || !strings.Contains(endingLetters, w[len(w)-letter:]) {
		return w
	}
	for _, e := range endings {
		if len(w)-len(e.text) >= e.left*letter && strings.HasSuffix(w, e.text) {
			return w[:len(w)-len(e.text)]
		}
	}
	return w
}
